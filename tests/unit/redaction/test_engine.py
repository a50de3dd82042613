"""Redaction of a text. The secrets are built here from pieces, so that none is in the repository."""

import base64
import itertools
import random
import string
import uuid
from collections.abc import Iterator
from typing import Any

import phonenumbers
import pytest

from hooklore.redaction import RULES_VERSION, Finding, Redacted, engine, redact, redact_value
from hooklore.redaction.finding import make_mask
from hooklore.redaction.pattern import Candidate, Rule
from tests.redaction import draw

ALPHANUMERIC = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def drawn(length: int, alphabet: str = ALPHANUMERIC) -> str:
    """Return a random text, the same in every run, with a digit and both cases if `alphabet` has them."""
    rng = random.Random(f"{length}{alphabet}")
    start = "".join(c for c in ("a", "Z", "7", "3") if c in alphabet)[:length]
    return start + "".join(rng.choice(alphabet) for _ in range(length - len(start)))


CHOSEN = "retnuh"[::-1] + "2x"
TOKEN = drawn(32)
BASE64_LINE = base64.b64encode(random.Random(1).randbytes(48)).decode()


def private_key(kind: str = "RSA ", lines: int = 8, glue: str = "\n") -> str:
    fence = "-" * 5
    body = glue.join([BASE64_LINE] * lines)
    return f"{fence}BEGIN {kind}PRIVATE KEY{fence}{glue}{body}{glue}{fence}END {kind}PRIVATE KEY{fence}"


SECRET_WORD = draw.glue("kitsune", "4821")


@pytest.mark.parametrize(
    "form",
    [
        "password={}",
        "PASSWORD = '{}'",
        "export DB_PASSWORD={}",
        'export DB_PASSWORD="{}" # staging',
        '"password": "{}"',
        '{{"user":"bob","password":"{}","port":1}}',
        '\\"password\\": \\"{}\\"',
        "db_password: {}",
        "  password: '{}'\n  user: bob",
        "password: |\n  {}\n",
        "spring.datasource.password={}",
        'const dbPassword: string = "{}";',
        'var password string = "{}"',
        'password := "{}"',
        "$password .= '{}';",
        ":password => '{}'",
        "<smtp_password>{}</smtp_password>",
        "- name: DB_PASSWORD\n  value: {}",
        '{{"name": "DB_PASSWORD", "value": "{}"}}',
        'os.environ["DB_PASSWORD"] = "{}"',
        'client.set_password("{}")',
        "Server=db;User Id=sa;Password={};Encrypt=yes",
        "jdbc:postgresql://db/app?user=bob&password={}&ssl=true",
        "psql --password {} --host db",
        'run(["psql", "--password", "{}"])',
        "ENV DB_PASSWORD {}",
        "mysql -u root -p{} app",
        "sshpass -p {} ssh db",
        "curl -u bob:{} https://example.org",
        "CREATE USER bob IDENTIFIED BY '{}';",
        "machine db login bob password {}",
        "db:5432:app:bob:{}",
        "postgres://bob:{}@db:5432/app",
        "redis://:{}@cache:6379/0",
        "bob:{}@tcp(127.0.0.1:3306)/app",
        "my password is {}.",
        "The password for the staging account is {}",
        "log in as bob with password {}",
        "パスワードは{}です。",
        "パスワードは {} です",
        "パスワード：{}",
        "管理者のパスワードを{}に変更した",
        "パスワードは「{}」でした",
        "パスワード（本番）は{}",
        "DB_PASSWORD は {} です",
        "パスワード\n{}",
    ],
)
def test_a_chosen_password_is_masked_in_every_way_to_write_it(form: str) -> None:
    text = form.format(CHOSEN)

    result = redact(text)

    assert CHOSEN not in result.text
    assert "[REDACTED:" in result.text


@pytest.mark.parametrize(
    "form",
    [
        "API_KEY={}",
        "api_key: {}",
        '"apiKey": "{}"',
        "aws_secret_access_key = {}",
        "X-Api-Key: {}",
        "Authorization: Bearer {}",
        "Authorization: token {}",
        "curl -H 'Authorization: Bearer {}' https://example.org",
        '{{"Authorization": "Bearer {}"}}',
        "Cookie: theme=dark; session={}",
        "Set-Cookie: sid={}; Path=/; HttpOnly",
        "//registry.npmjs.org/:_authToken={}",
        "https://example.org/cb?access_token={}&state=1",
        "AccountName=a;AccountKey={};EndpointSuffix=core",
        "gh auth login --with-token {}",
        "tool --api-key={} run",
        "client = Client(user='bob', api_key='{}')",
        'define("AUTH_TOKEN", "{}");',
        "https://{}@git.example.org/r.git",
        "the token was {}, it is revoked",
        "API key is {}",
        "APIキーは{}です",
        "トークン：{}",
        "アクセストークンは {} です",
        "シークレットキー: {}",
        "秘密鍵は{}",
        "トークンが{}で失敗した",
        "token は {} です",
    ],
)
def test_a_random_token_is_masked_in_every_way_to_write_it(form: str) -> None:
    result = redact(form.format(TOKEN))

    assert TOKEN not in result.text


@pytest.mark.parametrize(
    ("rule", "prefix", "rest"),
    [
        ("aws", "AKI", "A" + drawn(16, string.ascii_uppercase + "234567")),
        ("github", "gh", "p_" + drawn(36)),
        ("github", "github_", "pat_" + drawn(22) + "_" + drawn(59)),
        ("gitlab", "glp", "at-" + drawn(20)),
        ("anthropic", "sk-", "ant-api03-" + drawn(93)),
        ("openai", "sk-", "proj-" + drawn(74)),
        ("openai", "sk-", drawn(48)),
        ("google", "AIz", "a" + drawn(35)),
        ("slack", "xox", "b-" + drawn(12, string.digits) + "-" + drawn(24)),
        ("slack", "hooks.slack", ".com/services/T0AB/B0CD/" + drawn(24)),
        ("stripe", "sk_", "live_" + drawn(24)),
        ("npm", "np", "m_" + drawn(36)),
        ("pypi", "pyp", "i-AgE" + drawn(120)),
        ("huggingface", "h", "f_" + drawn(34)),
        ("sendgrid", "S", "G." + drawn(22) + "." + drawn(43)),
        ("digitalocean", "do", "p_v1_" + drawn(64, HEX)),
        ("databricks", "dap", "i" + drawn(32, HEX)),
        ("vault", "hv", "s." + drawn(24)),
        ("telegram", "12345", "67890:AA" + drawn(33)),
        ("shopify", "shp", "at_" + drawn(32, HEX)),
        ("docker", "dckr", "_pat_" + drawn(27)),
        ("jwt", "ey", "J" + drawn(30) + ".eyJ" + drawn(40) + "." + drawn(43)),
    ],
)
def test_a_token_with_its_issuers_prefix_is_masked_in_any_place(
    rule: str, prefix: str, rest: str
) -> None:
    token = prefix + rest

    for text in (token, f"see {token}.", f"見て{token}です", f'\\n{token}\\n"', f"x,{token},y"):
        result = redact(text)

        assert token not in result.text
        assert [found.rule for found in result.findings] == [rule]


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_is_masked_from_its_begin_to_its_end(kind: str) -> None:
    result = redact(f"before\n{private_key(kind)}\nafter")

    assert result.text == f"before\n{make_mask('pem')}\nafter"


@pytest.mark.parametrize("cut", ["head", "tail"])
def test_the_remainder_of_a_truncated_private_key_is_masked(cut: str) -> None:
    block = private_key(lines=6)
    part = block[len(block) // 3 :] if cut == "tail" else block[: len(block) // 2]

    result = redact(f"cat key\n{part}\nok")

    assert BASE64_LINE[8:40] not in result.text
    assert result.text.endswith("\nok")


def test_a_private_key_in_an_escaped_string_is_masked() -> None:
    result = redact('{"key": "' + private_key(glue="\\n") + '"}')

    assert result.text == '{"key": "' + make_mask("pem") + '"}'


@pytest.mark.parametrize(
    "address", ["a.b@example.co.jp", "taro+x@mail.example.org", "TARO@EXAMPLE.COM"]
)
def test_an_email_address_is_masked(address: str) -> None:
    assert redact(f"連絡先は{address}です").text == f"連絡先は{make_mask('email')}です"


@pytest.mark.parametrize(
    "number",
    ["03-1234-5678", "+81-90-1234-5678", "090-1234-5678", "09012345678", "(415) 555-2671",
     "+44 20 7946 0958", "０９０−１２３４−５６７８"],
)  # fmt: skip
def test_a_phone_number_is_masked(number: str) -> None:
    assert redact(f"電話は{number}です").text == f"電話は{make_mask('phone')}です"


def test_example_numbers_of_almost_all_regions_are_masked() -> None:
    missed = []
    for region in sorted(phonenumbers.SUPPORTED_REGIONS):
        number = phonenumbers.example_number(region)
        assert number is not None
        shape = phonenumbers.PhoneNumberFormat.INTERNATIONAL
        text = phonenumbers.format_number(number, shape)
        if text in redact(f"call {text} today").text:
            missed.append(region)

    assert len(missed) <= 5, missed


@pytest.mark.parametrize("parts", [("4111", "1111", "1111", "1111"), ("3782", "822463", "10005")])
@pytest.mark.parametrize("glue", ["", " ", "-"])
def test_a_card_number_is_masked_when_its_check_digit_holds(
    parts: tuple[str, ...], glue: str
) -> None:
    number = glue.join(parts)
    wrong = number[:-1] + str((int(number[-1]) + 1) % 10)

    assert redact(f"card {number} ok").text == f"card {make_mask('card')} ok"
    assert redact(f"card {wrong} ok").findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "the primary key of the table",
        "the tokenizer reads a token, the parser a keyword",
        "the password field is empty; passwords are hashed with bcrypt",
        "Password must be at least 8 characters",
        "password: required",
        "token = get_token()",
        "key: str",
        "def login(user: str, password: str | None = None) -> Token:",
        "Client(token=token, secret=self.secret, api_key=settings.API_KEY)",
        'password = os.environ["DB_PASSWORD"]',
        "const secret = process.env.SECRET",
        "max_tokens=4096, token_type: Bearer",
        "--- PASS: TestProviderCacheMiss (0.00s)",
        '"pass_rate": "+0.50"',
        "secretKeyRef:\n  name: db\n  key: password",
        "docker login --password-stdin",
        "tool --token-file /run/secrets/token",
        "TOKEN=$(cat /run/secrets/token)",
        "password=${DB_PASSWORD}",
        "password: <your-password>",
        "DB_PASSWORD=<your-password>\nDB_USER=<your-user>",
        "API_KEY=your_api_key_here",
        "api_key: xxxxxxxxxxxx",
        "token: ********",
        "SECRET={{ vault.secret }}",
        "Authorization: Bearer <token>",
        "Basic Operations and Bearer authentication",
        "git clone git@github.com:org/repo.git",
        "Co-Authored-By: Claude <noreply@anthropic.com>",
        "12+bob@users.noreply.github.com",
        "import icon from './logo@2x.png'; lodash@4.17.21",
        "http://localhost:8080/x@y",
        "grep -E '(mysql|redis)://[^:]+:[^@]+@' .",
        "commit 9a6918fb0d08a4afef0118447c959de21f6b8a57",
        "id 550e8400-e29b-41d4-a716-446655440000 at 2026-02-02T10:30:00+09:00",
        "1706832000 1706832000123 20260202103000 v1.2.3-beta.1 192.168.100.200",
        "restore cache-key: v1-deps-8f14e45fceea167a5a36dedd4bea2543",
        "pip install --require-hashes --hash=sha256:" + drawn(64, HEX),
        '"integrity": "sha512-' + BASE64_LINE + '"',
        "ssh-ed25519 " + BASE64_LINE,
        "TELEGRAM_BOT_TOKEN は ~/claude-telegram-bot/.env に保存（2026-02-02から有効）",
        "Gateway API Key が無効（401エラー）。原因: API Keyの有効期限切れ。対処: 新しいKeyを発行して更新。",
        "4者共有メモリは Gateway(D1) をSSOTとし、append-onlyで運用（2026-02-02決定）",
        "パスワードは必須です。8文字以上にする",
        "パスワードはbcryptでハッシュ化し、トークンはlocalStorageに保存",
        "パスワードは「設定」画面で変更できる",
        "トークンはJWTです。トークン数は4096です",
        "",
    ],
)
def test_common_text_of_developers_is_unchanged(text: str) -> None:
    assert redact(text) == Redacted(text, ())


def test_random_ids_are_neither_phone_numbers_nor_secrets() -> None:
    rng = random.Random(3)
    ids = [str(uuid.UUID(int=rng.getrandbits(128), version=4)) for _ in range(2000)]
    digests = ["".join(rng.choices(HEX, k=40)) for _ in range(2000)]

    touched = [each for each in ids + digests if redact(f"commit {each} done").findings]

    assert touched == []


def test_findings_count_characters_of_the_original_text() -> None:
    text = f"😀 パスワードは{CHOSEN}です。連絡は a.b@example.co.jp まで"

    result = redact(text)

    assert [(found.rule, text[found.start : found.end]) for found in result.findings] == [
        ("spoken", CHOSEN),
        ("email", "a.b@example.co.jp"),
    ]


def test_a_mask_is_not_masked_again() -> None:
    for text in (
        "password={}",
        'token: "{}"',
        "パスワードは{}です",
        "--token {}",
        "http://bob:{}@h/x",
    ):
        masked = text.format(make_mask("assigned"))

        assert redact(masked) == Redacted(masked, ())


def test_lone_surrogates_and_nul_bytes_are_kept() -> None:
    text = f"\ud800 \x00 password={CHOSEN} \udfff"

    assert redact(text).text == f"\ud800 \x00 password={make_mask('assigned')} \udfff"


@pytest.mark.parametrize("border", [64 * 1024, 124 * 1024])
@pytest.mark.parametrize("filler", ["word ", "言葉 "])
def test_a_secret_on_the_border_of_two_windows_is_found_whole(border: int, filler: str) -> None:
    secret = f'api_key="{TOKEN}"'
    size = len(filler.encode())
    for shift in (0, 5, len(secret) // 2, len(secret)):
        text = filler * ((border - shift) // size) + " " * ((border - shift) % size) + secret
        text += " " + filler * 2000

        result = redact(text)

        assert [text[found.start : found.end] for found in result.findings] == [TOKEN]


@pytest.mark.parametrize("opening", ["token=", 'token="', "gh" + "p_"])
def test_a_secret_longer_than_a_window_is_masked_to_its_end(opening: str) -> None:
    text = "x " * 30_000 + opening + drawn(200_000) + " after"

    result = redact(text)

    assert drawn(200_000)[-60:] not in result.text
    assert len(result.text) < 70_000


def test_a_private_key_across_windows_is_masked_whole() -> None:
    text = "x " * 31_000 + private_key(lines=60) + "\nafter"

    result = redact(text)

    assert result.text.endswith("x " + make_mask("pem") + "\nafter")


def test_every_secret_of_a_long_list_is_masked() -> None:
    rng = random.Random(5)
    secrets = ["q7" + "".join(rng.choices(ALPHANUMERIC, k=8)) for _ in range(9000)]

    result = redact("\n".join(f"password={secret}" for secret in secrets))

    assert [secret for secret in secrets if secret in result.text] == []
    assert redact(result.text) == Redacted(result.text, ())


def test_repeated_hostile_text_is_fully_redacted() -> None:
    units = ["password=", '"token":"', "-" * 5 + "BEGIN RSA PRIVATE " + "KEY" + "-" * 5 + "\n",
             "a@b.", "://a:b@", "090-1234-567 ", "gh" + "p_", "eyJ", "パスワードは", "--token x ",
             "\ud800", "\\"]  # fmt: skip

    for unit in units:
        text = (unit * 70_000)[:200_000]

        result = redact(text)

        assert redact(result.text).findings == ()


@pytest.mark.parametrize(
    "told",
    [
        '"motDePasseDb": "{}"', "export MotDePasseSer={}", 'mot_de_passes: ["{}"]', "passEdit_token={}",
        "author_token: {}", "PASSED_API_KEY={}", "keyboard_secret = {}", 'tokenizer.password = "{}"',
    ],
)  # fmt: skip
def test_a_secrets_name_that_begins_like_an_ordinary_word_is_seen(told: str) -> None:
    assert SECRET_WORD not in redact(told.format(SECRET_WORD), is_printed=True).text


@pytest.mark.parametrize(
    "command",
    [
        r"printf 'machine api.maple.io\nlogin bob\npassword {}\n' > ~/.netrc",
        r"printf 'password:\n  {}\n' > vars.yml",
        r"printf 'the admin password is:\n{}\n' | mail ops",
        r"bash -c $'echo API key:\n{}'",
        r"printf '| system | password |\n|---|---|\n| sentry | {} |\n' >> accounts.md",
        r'echo -e "# db1 uses peer auth\ndb2.internal:5432:*:postgres:{}" > ~/.pgpass',
        r'{{"text": "login: bob\\npassword {}\\nok"}}',
    ],
)
def test_a_secret_on_a_line_that_a_command_spells_is_masked(command: str) -> None:
    found = redact(command.format(SECRET_WORD), is_printed=True)

    assert SECRET_WORD not in found.text
    assert found.text.count("REDACTED") == 1
    assert found.text.startswith(command[:8].replace("{{", "{"))


@pytest.mark.parametrize(
    "name", ["password", "dbPassword", "x-api-key", "Authorization", "GITHUB_TOKEN", "cookie"]
)
def test_a_value_under_a_secrets_name_is_masked_whatever_its_shape(name: str) -> None:
    value, findings = redact_value({"deep": [{name: "plain"}]})

    assert value == {"deep": [{name: make_mask("assigned")}]}
    assert findings == (Finding("assigned", 0, 5),)


@pytest.mark.parametrize(
    "value",
    [
        {"max_tokens": 5, "token_type": "Bearer", "primary_key": "id", "pass": "yes", "key": "up"},
        {"password": "", "token": None, "secret": True, "api_key": "${API_KEY}"},
        {"tokens": {"input": 12, "output": 3}, "session_id": "c64419bd-ea12"},
        ["--verbose", "--token-file", "x", "password", "token"],
        1706832000123,
        1.5,
        "text",
        None,
    ],
)
def test_a_value_without_a_secret_is_returned_equal(value: Any) -> None:
    assert redact_value(value) == (value, ())


def test_keys_pairs_flags_and_numbers_of_a_value_are_redacted() -> None:
    card = int("4111" + "1111" * 3)

    value, findings = redact_value(
        {
            "a.b@example.co.jp": 1,
            "c.d@example.co.jp": 2,
            "env": [{"name": "DB_PASSWORD", "value": "plain"}],
            "argv": ["tool", "--token", "plain", "--force"],
            "password": 123456,
            "paid_with": card,
            "said": f"password={CHOSEN}",
        }
    )

    assert value == {
        make_mask("email"): 1,
        make_mask("email") + " 2": 2,
        "env": [{"name": "DB_PASSWORD", "value": make_mask("assigned")}],
        "argv": ["tool", "--token", make_mask("assigned"), "--force"],
        "password": make_mask("assigned"),
        "paid_with": make_mask("card"),
        "said": "password=" + make_mask("assigned"),
    }
    assert len(findings) == 7


def test_a_value_of_any_depth_is_walked() -> None:
    value: Any = f"password={CHOSEN}"
    for _ in range(50_000):
        value = [value]

    clean, findings = redact_value(value)

    for _ in range(50_000):
        (clean,) = clean
    assert clean == "password=" + make_mask("assigned")
    assert len(findings) == 1


def test_the_value_that_was_given_is_not_changed() -> None:
    given = {"password": "plain", "list": ["a.b@example.co.jp"]}

    redact_value(given)

    assert given == {"password": "plain", "list": ["a.b@example.co.jp"]}


def test_rules_have_a_version() -> None:
    assert RULES_VERSION >= 1


# ---- the rounds, the windows and the places, each alone


def test_a_text_is_known_to_be_clean_once_it_was_looked_at() -> None:
    clean, secret = f"nothing in {uuid.uuid4().hex[:8]}!", f"password={CHOSEN} {uuid.uuid4()}"

    assert not engine.is_known_clean(clean)
    redact(clean)
    masked = redact(secret).text

    assert engine.is_known_clean(clean)
    assert engine.is_known_clean(masked)
    assert not engine.is_known_clean(secret)


@pytest.mark.parametrize(("rounds", "is_whole"), [(1, False), (5, False), (6, False), (7, True)])
def test_a_text_that_goes_on_yielding_findings_is_masked_as_a_whole(
    monkeypatch: pytest.MonkeyPatch, rounds: int, is_whole: bool
) -> None:
    """The text's own findings count as the first of the rounds."""
    text = f"abcdefgh {uuid.uuid4()}"
    left = iter([[Finding("x", 0, 1)]] + [[Finding("y", 20, 21)]] * (rounds - 1))
    monkeypatch.setattr(engine, "_findings", lambda _text, **_: next(left, []))

    result = redact(text)

    assert (result.text == make_mask("x")) is is_whole
    assert (result.findings == (Finding("x", 0, len(text)),)) is is_whole
    assert result.text.startswith(make_mask("x"))


def run(rule: Rule, raw: bytes) -> list[Candidate]:
    return list(engine._run(rule, raw))


def found_at(*spans: tuple[int, int], **options: Any) -> Rule:
    """Return a rule that finds the same in every window."""

    def find(_raw: bytes, _start: int, _end: int) -> Iterator[Candidate]:
        yield from (("x", first, last) for first, last in spans)

    return Rule("", find, **options)


def test_what_a_rule_dismissed_is_no_finding() -> None:
    assert run(found_at((1, 2), (4, 4), (6, 5), (7, 9)), b"x" * 10) == [("x", 1, 2), ("x", 7, 9)]


def test_a_list_of_too_many_candidates_is_masked_to_its_end() -> None:
    spans = ((0, 1), (2, 3), (4, 5), (6, 7))

    assert run(found_at(*spans[:2], max_candidates=2), b"x" * 10) == [("x", 0, 1), ("x", 2, 3)]
    assert run(found_at(*spans, max_candidates=2), b"x" * 10) == [
        ("x", 0, 1), ("x", 2, 3), ("x", 4, 5), ("x", 5, 10),
    ]  # fmt: skip
    assert run(found_at((0, 1), (6, 4), max_candidates=1), b"x" * 10)[-1] == ("x", 6, 10)
    whole = found_at(*spans, max_candidates=2, needs_whole_text=True)
    assert len(run(whole, b"x" * 10)) == 4


def test_a_candidate_at_the_end_of_a_window_goes_on_and_one_at_the_end_of_the_text_does_not() -> (
    None
):
    def find(_raw: bytes, _start: int, end: int) -> Iterator[Candidate]:
        yield "x", end - 4, end

    size = engine._CHUNK
    token, plain = b"T" * (size + 9) + b" after", b"T" * 20

    assert run(Rule("", find), token)[0] == ("x", size - 4, size + 9)
    assert run(Rule("", find), plain) == [("x", 16, 20)]
    assert run(Rule("", find, needs_whole_text=True), token) == [("x", len(token) - 4, len(token))]


def asked(rule_options: dict[str, Any], size: int) -> list[tuple[int, int]]:
    """Return the windows in which a rule looks."""
    windows: list[tuple[int, int]] = []

    def find(_raw: bytes, start: int, end: int) -> Iterator[Candidate]:
        windows.append((start, end))
        yield from ()

    run(Rule("", find, **rule_options), b"a" * size)
    return windows


def test_a_long_text_is_looked_at_in_windows_and_by_some_rules_whole() -> None:
    size, step = engine._CHUNK, engine._CHUNK - engine._OVERLAP

    assert asked({}, size) == [(0, size)]
    assert asked({}, size + 1) == [(0, size), (step, size + 1)]
    assert asked({}, 2 * step + size) == [
        (0, size), (step, step + size), (2 * step, 2 * step + size),
    ]  # fmt: skip
    assert asked({"needs_whole_text": True}, 3 * size) == [(0, 3 * size)]


@pytest.mark.parametrize("shift", [0, 1, 2])
def test_no_window_begins_or_ends_within_a_character(shift: int) -> None:
    raw = ("a" * shift + "言葉" * 40_000).encode()

    windows = list(engine._windows(raw))

    assert len(windows) > 2
    assert (windows[0][0], windows[-1][1]) == (0, len(raw))
    for (_, end), (start, _) in itertools.pairwise(windows):
        assert engine._OVERLAP - 3 <= end - start <= engine._OVERLAP + 3
    for start, end in windows:
        assert raw[start:end].decode()


def test_secrets_spread_over_a_long_text_do_not_mask_it_to_its_end() -> None:
    text = f"{'some words ' * 20}password={CHOSEN}\n" * 1_100 + "and the end"

    result = redact(text)

    assert len(result.findings) == 1_100
    assert result.text.endswith("\nand the end")


def test_many_keywords_in_one_run_of_encoded_content_are_no_name() -> None:
    result = redact("a9Token" * 150_000 + f"\npassword={CHOSEN}\n")

    assert result.text.endswith("\npassword=[REDACTED:assigned]\n")


@pytest.mark.parametrize("cut", range(len(f"password={CHOSEN}")))
def test_an_assignment_that_a_window_ends_within_is_masked_whole(cut: int) -> None:
    text = f"{'y ' * 33_000}"[: engine._CHUNK - cut - 1] + f"\npassword={CHOSEN}\nafter"

    masked = redact(text).text
    assert CHOSEN not in masked
    assert masked.endswith("]\nafter")


@pytest.mark.parametrize("before", [100, 2_000, 3_800])
def test_a_long_value_across_the_border_of_a_window_is_masked_whole(before: int) -> None:
    value = "-".join(["correct", "horse", "battery", "staple"] * 135)
    said = f'x {"y " * ((64 * 1024 - before) // 2)}\npassword="{value}"\nafter'

    result = redact(said)

    assert "battery" not in result.text
    assert result.text.endswith("\nafter")


@pytest.mark.parametrize("words", ["some words ", "some \u200bwords "])
def test_a_secret_in_a_text_beyond_what_is_read_twice_is_masked(words: str) -> None:
    text = f"{words * (engine._READ_TWICE // len(words))}\npassword={CHOSEN}\nafter"
    assert len(text) > engine._READ_TWICE

    result = redact(text)

    assert CHOSEN not in result.text
    assert [each.rule for each in result.findings] == ["assigned"]


def test_of_two_encoded_pieces_only_that_with_a_secret_is_masked() -> None:
    honest, secret = (
        base64.b64encode(said.encode()).decode()
        for said in ("tokens=12 of twenty lines", f"password={CHOSEN} and more")
    )

    for first, second in ((honest, secret), (secret, honest)):
        masked = redact(f"{first} then {second}").text
        assert honest in masked
        assert secret not in masked


def test_a_private_key_longer_than_an_overlap_is_one_finding() -> None:
    text = "x " * 31_000 + private_key(lines=300) + "\nafter"

    result = redact(text)

    assert [each.rule for each in result.findings] == ["pem"]
    assert result.text.endswith("x " + make_mask("pem") + "\nafter")


def test_only_spans_within_one_mask_are_dropped() -> None:
    mask = make_mask("x").encode()
    raw = b"abcd" + mask + b"efgh" + mask
    first, last = 4, 4 + len(mask)
    outside = [(0, 2), (0, 4), (2, first + 3), (2, last + 2), (first, last + 1), (last, last + 4),
               (last - 1, last + 1), (first + 1, len(raw))]  # fmt: skip
    inside = [(first, last), (first + 1, last), (first, last - 1), (last + 4, len(raw))]

    spans = [("r", *span) for span in sorted(outside + inside)]

    assert [span[1:] for span in engine._drop_masked(raw, spans)] == sorted(outside)
    assert engine._drop_masked(b"no mask", [("r", 0, 7)]) == [("r", 0, 7)]


def test_places_are_counted_in_characters() -> None:
    raw = "a言😀b".encode()

    assert engine._character_offsets(raw, {0, 1, 4, 8, 9}) == {0: 0, 1: 1, 4: 2, 8: 3, 9: 4}
    assert [engine._character_start(raw, n) for n in range(9)] == [0, 1, 1, 1, 4, 4, 4, 4, 8]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        # masks of twelve letters stand for 4 to 6 and 10 to 30: they lie at 4 to 16 and 20 to 32
        ((0, 3), (0, 3)), ((3, 4), (3, 4)), ((17, 19), (7, 9)), ((33, 35), (31, 33)),
        ((2, 10), (2, 6)), ((4, 16), (4, 6)), ((5, 18), (4, 8)), ((16, 20), (6, 10)),
        ((17, 32), (7, 30)), ((17, 33), (7, 31)), ((16, 21), (6, 30)), ((20, 21), (10, 30)),
        ((2, 35), (2, 33)), ((15, 16), (4, 6)), ((31, 32), (10, 30)), ((32, 33), (30, 31)),
    ],
)  # fmt: skip
def test_a_finding_of_the_masked_text_is_placed_in_the_text_before_it(
    place: tuple[int, int], expected: tuple[int, int]
) -> None:
    merged = [Finding("x", 4, 6), Finding("x", 10, 30)]

    assert list(engine._in_original([Finding("y", *place)], merged)) == [Finding("y", *expected)]
