"""Secrets that the shape of a sentence, a command or a call gives away, in words that no list has."""

import pytest

from hooklore.redaction import redact
from tests.redaction.draw import Draw, glue

_DRAW = Draw("shapes")
DRAWN = glue("Qz", _DRAW.mixed(9), "x4R")
CHOSEN = glue("copper", "#", "84", "17")
WORD = glue("mar", "ble")


@pytest.mark.parametrize(
    "text",
    [
        "the password is {}, just log in and restart it",
        "the passphrase for the backup is still {}.",
        "das Passwort lautet {}.",
        "la contraseña de root es {}",
        "sudo will ask you for a password, just type {} and carry on",
        "wenn er nach dem Passwort fragt, gib {} ein",
        "is {} still the root password?",
        "c'est toujours {} le mot de passe root ?",
        "use {} as the password",
        "パスワードは {} です",
        "비밀번호는 {} 입니다",
        "密码还是 {} 吗?",
    ],
)
def test_a_plain_word_is_masked_where_only_a_password_can_stand(text: str) -> None:
    assert WORD not in redact(text.format(WORD)).text


@pytest.mark.parametrize(
    "text",
    [
        "the password is required and must be long",
        "the password is wrong, can you check",
        "is the password still valid?",
        "das Passwort ist falsch, bitte prüfen",
        "le mot de passe est obligatoire.",
        "la contraseña es incorrecta.",
        "use bcrypt as the password hasher",
        "when it asks for a password, enter the one from the vault",
        "パスワードは必須です",
        "class Form:\n    password: SecretStr\n    token: TokenType",
        "--- PASS: TestLoginV2 (0.00s)\n--- PASS: TestE2E_Login1 (0.10s)",
    ],
)
def test_a_word_of_the_sentence_stays(text: str) -> None:
    assert redact(text).text == text


HEXADECIMAL = glue("a7", _DRAW.chars("0123456789abcdef", 38))


@pytest.mark.parametrize(
    "text",
    [
        "uploader: access_token {} in the first line",
        "metadata = (('authorization', 'Key {}'),)",
    ],
)
def test_a_key_of_hexadecimal_digits_is_masked_where_only_a_key_can_stand(text: str) -> None:
    assert HEXADECIMAL not in redact(text.format(HEXADECIMAL)).text


@pytest.mark.parametrize(
    "text",
    [
        'commit = repository.commit("{}");',
        "the build of commit_hash {} is in the first line",
        "digest = (('etag', 'Key {}'),)",
    ],
)
def test_other_hexadecimal_digits_stay(text: str) -> None:
    said = text.format(HEXADECIMAL)

    assert redact(said).text == said


PHRASE = "four tired badgers under the bridge"


@pytest.mark.parametrize(
    "text",
    [
        "yes go ahead, passphrase of the ssh key is {}",
        "the passphrase is {}, sign it",
        "restic repo, unlock phrase is {}.",
        'use "{}" as the passphrase when gpg asks',
        'the passphrase: "{}"',
    ],
)
def test_a_phrase_of_everyday_words_is_masked_behind_its_name(text: str) -> None:
    assert "badgers" not in redact(text.format(PHRASE), is_printed=True).text


@pytest.mark.parametrize(
    "text",
    [
        "the passphrase is the one from the vault, ask Dana",
        "the passphrase is wrong or the key is gone",
        "the passphrase is different on every host.",
        "the passphrase was mistyped by the new colleague.",
        "the passphrase is never written to the log file",
        "A passphrase is a sequence of words.",
        "bad passphrase: could not read the private key",
    ],
)
def test_a_clause_about_a_passphrase_stays(text: str) -> None:
    assert redact(text).text == text


WALLET = "orbit lemon scatter wagon fiction ladder noble arrow width tunnel pepper cousin".split()
"""With the checksum that every phrase of a wallet has."""


@pytest.mark.parametrize(
    "text",
    [
        "the old phone, I wrote it down for you: {}. Keep it safe please",
        "{}",
        "助记词抄好了:{} 千万别截图",
    ],
)
@pytest.mark.parametrize("apart", [" ", ", ", "\n"])
def test_twelve_words_that_restore_a_wallet_are_masked_beside_no_name(
    text: str, apart: str
) -> None:
    said = redact(text.format(apart.join(WALLET))).text

    assert not [word for word in WALLET if word in said]


def test_numbered_words_of_a_wallet_are_masked_and_so_is_a_row_with_a_slip() -> None:
    numbered = "\n".join(f"{number}. {word}" for number, word in enumerate(WALLET, 1))
    slipped = " ".join(["mint", *WALLET[1:]])

    for text in (numbered, slipped):
        assert WALLET[6] not in redact(text).text


@pytest.mark.parametrize(
    "text",
    [
        " ".join(WALLET[:11]),
        "word " * 40,
        "they also ask about the door and any other thing that people may need again for the old house",
        "brew install wget tree node yarn rust deno ruby perl lua zig nim julia maven gradle",
        "your team will need more time before they can use this new tool again because of that",
        "icons: arrow, book, camera, clock, coin, dial, flag, globe, hand, key, lamp, mirror",
        "dog cat fish bird horse tiger lion camel wolf zebra goat spider whale",
    ],
)
def test_other_rows_of_words_stay(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "支付密码输入框在 {} 上点不动",
        "Cognitoのユーザープール {} に対して、パスワードポリシーを管理下に置いて",
        "「パスワードを表示」ボタンのidは {} で、テストからもこれで掴んでます",
        "hab mein passwort vergessen, kann mir das jemand zurücksetzen? kennung ist {}",
        "{}で鍵作るときパスフレーズ空でもいいか",
    ],
)
@pytest.mark.parametrize("name", ["svc-report", "ssh-keygen"])
def test_what_a_sentence_calls_a_user_a_part_of_a_page_or_a_program_stays(
    text: str, name: str
) -> None:
    wanted = "ssh-keygen" if "鍵作る" in text else name
    said = text.format(wanted)

    assert redact(said, is_printed=True).text == said


@pytest.mark.parametrize("value", [DRAWN, CHOSEN])
@pytest.mark.parametrize(
    "text",
    [
        "tool sync -u alice -p {} --all",
        "tool push --creds alice:{} image",
        "tool unlock disk <<< '{}'",
        "tool --encrypt {} 256 a.pdf",
        'store set --name db-password --value "{}"',
        "page.locator('#password').fill('{}')",
        'driver.find("password").send_keys("{}")',
        'const A = "{}"; // password',
        "creds for the box: deploy/{}",
        "logged in with the service account ops (" + "{}) today",
        "log in [admin] [{}]",
        "root / {} works",
        "copy alice:{}@host:/tmp",
        "{} should get you into the box",
        "聞かれたら {} を入力してください",
        "用{}登录",
        "{}로 로그인하세요",
        "password | {}",
        "password[0]={}",
        "Admin password\n--------------\n{}",
        "wifi-sec.psk {}",
    ],
)
def test_a_value_of_a_secrets_form_is_masked_by_its_place(text: str, value: str) -> None:
    assert value not in redact(text.format(value)).text


def test_every_element_of_a_list_of_secrets_is_masked() -> None:
    first, second = _DRAW.mixed(24), _DRAW.mixed(24)

    masked = redact(f'"tokens": ["{first}", "{second}"]').text

    assert first not in masked
    assert second not in masked


@pytest.mark.parametrize(
    "text",
    [
        "mkdir -p build/out2 && cargo test -p parser2",
        "docker run -p 8080:80 -u 1000:1000 node:20-alpine",
        "ssh -i ~/.ssh/deploy_key deploy@10.0.0.12 uptime",
        "commits_30d / issues_closed_30d / last_commit_days",
        '{"login": "user1"}, {"login": "user2"}',
        "login is handled by NextAuth / Auth0",
        "PASSWORD_HASHERS = ['django.contrib.auth.hashers.Argon2PasswordHasher']",
        "password -> hash -> compare",
        "tom@web01 / tom@web02",
        "p50 / p95 / p99 of build 4821",
        "kubectl exec -it pod-7f9c4d -c app2 -- sh",
        "accounts: staging / production",
        "password | required | min8",
        "le code de retour est 1377",
        "encrypted with aes256-gcm",
        "I changed the password field to type=password",
        'req.Header.Set("Authorization", "Bearer "+t.token)',
    ],
)
def test_what_only_stands_where_a_secret_could_stays(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "value",
    [
        glue("qzkv", "jwtr", "plmb"),
        glue("uRRB", "ZvUA", "OBoS", "PJNK"),
        glue("QZKV", "JWTR", "PLMB", "XA"),
    ],
)
@pytest.mark.parametrize("name", ["password", "passwd", "db_pwd", "secret"])
def test_letters_that_form_no_words_are_masked_behind_a_sign_with_blanks(
    name: str, value: str
) -> None:
    assert value not in redact(f"{name} = {value}").text


@pytest.mark.parametrize(
    "value",
    [
        "newPassword",
        "userpassword",
        "passwordEncoder",
        "readPasswordFromVault",
        "getenv",
        "zugriffsschluessel",
        "strncpywchar",
        "yyyyyyyyyyyyyyyy",
        "SyzygyMatrix",
    ],
)
def test_an_identifier_of_words_stays_behind_a_sign_with_blanks(value: str) -> None:
    assert redact(f"password = {value}").text == f"password = {value}"


def test_a_text_of_a_mebibyte_is_read_once() -> None:
    line = f"password = {DRAWN}\n"
    text = line * (1_048_576 // len(line))

    assert DRAWN not in redact(text).text


@pytest.mark.parametrize(
    "text",
    [
        'new Bucket(this, "AssetsBucketV2Replica01")', 'new Chart("myChart2024RevenueByRegion")',
        'new WebSocket("ws-eu-west-1-prod-7f3a9c2b")', "new Stack(app, 'Prod2EuWest1NetworkStack')",
        f'new ObjectId("{_DRAW.chars("0123456789abcdef", 32)}")', 'init("Module7Initialization2Stage")',
        'KafkaClient("kafkaBroker2Prod1EuWest")', f"session('{_DRAW.chars('0123456789abcdef', 32)}')",
        "PIN: GPIO17", "LED PIN: PB12X", "the code is ES2022", "security code: IEC62443",
        "the password manager Bitwarden7x2 is slow", "password list rockyou2021 was used",
        "Authorization: user 3f2a9b1c-0d4e-4f5a-8b6c-7d8e9f0a1b2c may not read",
        "Focus key phrase: cheap flights from berlin to rome", "sonar.projectKey=acme_web-frontend_AYx7",
        "Backup codes and what they mean:\ncafe-house\nrelease-notes", "codecov -t unit-tests-coverage",
        "password = txtpwdbxvalue",
    ],
)  # fmt: skip
def test_what_programs_and_documents_name_stays(text: str) -> None:
    assert redact(text, is_printed=True).text == text


def test_a_thousand_calls_hide_nothing_of_what_follows() -> None:
    text = 'throw new Error("bad state");\n' * 1_100 + "the end of the file\n"

    assert redact(text, is_printed=True).text == text
