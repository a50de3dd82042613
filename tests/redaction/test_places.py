"""Keys that neither a name nor a mark tells, in the places where only keys stand: calls, headers, URLs, flags."""

import pytest

from hooklore.redaction import redact
from tests.redaction.draw import ALNUM, DIGITS, HEX, LOWNUM, UPHEX, URLSAFE, Draw, glue

_DRAW = Draw("places")
HEX32 = _DRAW.chars(HEX, 32)
MIXED = _DRAW.mixed(32)
UUID = _DRAW.uuid()


@pytest.mark.parametrize("value", [UUID, HEX32, MIXED, _DRAW.chars(UPHEX, 16)])
@pytest.mark.parametrize(
    "text",
    [
        "Authorization: GenieKey {}",
        "Authorization: Splunk {}",
        "-H 'Authorization: Zoho-oauthtoken {}'",
        "authorization: bearer {}",
    ],
)
def test_a_credential_is_masked_behind_any_scheme_of_a_header(text: str, value: str) -> None:
    assert value not in redact(text.format(value)).text


@pytest.mark.parametrize("alphabet", [DIGITS, ALNUM, UPHEX])
def test_sixteen_letters_or_digits_are_masked_behind_bearer(alphabet: str) -> None:
    value = _DRAW.chars(alphabet, 16)

    assert value not in redact(f"Authorization: Bearer {value}").text


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer authenticationtoken",
        "Authorization: Bearer <token>",
        "Authorization: Bearer your-token-here",
        "Authorization: Negotiate follows",
        f"the commit {HEX32}{HEX32[:8]} authorizes nothing",
    ],
)
def test_words_behind_a_scheme_stay(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "https://{}:@repo.maple-river.net/acme/",
        "https://{}@repo.maple-river.net/acme/",
        "git clone https://{}:x-oauth-basic@git.maple-river.net/acme.git",
        "amqp://{}@mq.maple-river.net",
    ],
)
def test_a_token_in_the_place_of_a_urls_user_is_masked(text: str) -> None:
    token = _DRAW.mixed(20)

    assert token not in redact(text.format(token)).text


@pytest.mark.parametrize(
    "text",
    [
        "ssh://git@git.maple-river.net:22/acme.git",
        "https://jenkins-deploy-user@git.maple-river.net/acme.git",
        "postgres://reporting_service_user@db.maple-river.net/app",
    ],
)
def test_a_user_of_a_url_stays(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "value", [_DRAW.mixed(32), _DRAW.mixed(43, URLSAFE).strip("-_"), _DRAW.base64(40)]
)
@pytest.mark.parametrize(
    "text",
    [
        'url: "https://eth.maple-river.net/v2/{}",',
        "POST https://collect.maple-river.net/receiver/v1/http/{} 200",
        "sink=https://maple-river.net:8088/hook/{}",
    ],
)
def test_a_key_at_the_end_of_a_urls_path_is_masked(text: str, value: str) -> None:
    value = value.replace("/", "a").replace("+", "b")

    assert value not in redact(text.format(value)).text


@pytest.mark.parametrize(
    "text",
    [
        "https://docs.google.com/document/d/{}",
        "https://explorer.maple-river.net/tx/{}",
        "https://maple-river.net/static/{}.js",
        "/var/cache/maple/river/{}",
        "https://maple-river.net/api/list-all-the-open-orders-of-the-day",
    ],
)
def test_the_id_of_a_page_or_a_file_at_the_end_of_an_address_stays(text: str) -> None:
    said = text.format(_DRAW.mixed(32))

    assert redact(said).text == said


@pytest.mark.parametrize(
    "text",
    [
        "tool publish --pat {}",
        "vsce publish -p {}",
        "bash <(curl -s https://codecov.io/bash) -t {}",
        'Options{{ProjectId: 214421, ProjectKey: "{}"}}',
    ],
)
def test_a_key_behind_a_flag_or_a_field_that_holds_one_is_masked(text: str) -> None:
    for value in (HEX32, _DRAW.chars(LOWNUM, 52)):
        assert value not in redact(text.format(value)).text


@pytest.mark.parametrize(
    "text",
    [
        'projectKey: "acme-portal-2024"',
        "sonar.projectKey=org:acme_portal_12",
        "tool publish --pat readonly",
        "vsce package -o dist/ext-1.2.0.vsix",
        "codecov --version",
    ],
)
def test_the_key_of_a_project_and_other_flags_stay(text: str) -> None:
    assert redact(text).text == text


def test_a_drawn_password_with_a_row_of_x_is_masked_and_a_gap_to_fill_in_stays() -> None:
    drawn = glue(_DRAW.mixed(7), "xXxX", _DRAW.mixed(5))
    gaps = ("xxxxxxxx", "xxxx-xxxx", "passxxxx", "abcdxxxx1234")

    assert drawn not in redact(f"postgres://app:{drawn}@db.maple-river.net/app").text
    for gap in gaps:
        text = f"postgres://app:{gap}@db.maple-river.net/app"
        assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "npm publish complains. I have ran npm login already?? version is 4",
        "vault login first!! then read",
        '<div data-sitekey="{}"></div>',
        "x-amz-id-2: {}",
        "x-amz-request-id: {}",
    ],
)
def test_public_keys_of_a_page_ids_of_an_answer_and_words_behind_a_command_stay(text: str) -> None:
    said = text.format(_DRAW.mixed(40))

    assert redact(said).text == said


KEYS = {
    "32 hexadecimal digits": HEX32,
    "64 hexadecimal digits": _DRAW.chars(HEX, 64),
    "letters of both cases": _DRAW.mixed(20),
    "a mark and letters": glue("live", "_", _DRAW.mixed(30)),
}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "text",
    [
        'client = Client("{}")',
        'client = Client("AC0123", "{}")',
        "vt.Client('{}')",
        "river.APISession('{}', default_from='ops')",
        'river.configure("maple", "{}")',
        'River::Client.new(public_key, "{}")',
        "client.login('{}');",
        'with Client("{}") as client: print(client)',
        'algoliasearch("MAPLE1", "{}").initIndex("rivers")',
        "notifier = Notifier(region='eu', {!r})",
        "await sdk.connect(url, '{}')",
    ],
)
def test_a_key_in_a_call_that_makes_a_client_is_masked(text: str, key: str) -> None:
    value = KEYS[key]

    assert value not in redact(text.format(value)).text


@pytest.mark.parametrize(
    "text",
    [
        'Client("my-user-agent/1.0")',
        'createHash("sha256").update(body)',
        'repository.find("{uuid}")',
        'client.commit("{sha}")',
        'index.search("{sha}")',
        'session("{uuid}")',
        'api("/v1/rivers/42/otters")',
        'Client("gpt-4o-2024-08-06")',
        'ec2.connect("i-0abc12de34f567890")',
        'config("services.river.maple.host")',
        'config("river-3f2a1b9c.yaml")',
        'login("user_{drawn}")',
        '[Client(river), "{half}"]',
        'init("river-production-eu-west-1")',
        'login("alice", remember=True)',
        'Client("AC{half}")',
    ],
)
def test_what_else_such_a_call_and_other_calls_take_stays(text: str) -> None:
    said = text.format(uuid=UUID, sha=_DRAW.chars(HEX, 40), half=HEX32, drawn=MIXED[:20])

    assert redact(said).text == said


@pytest.mark.parametrize("value", [HEX32, _DRAW.mixed(24), UUID])
@pytest.mark.parametrize(
    "text",
    [
        "datadog: DD_API_KEY {} site datadoghq.eu",
        "in the box MAPLE_TOKEN {} and river",
        "the values are MAPLE_DB_PASSWORD {}, RIVER_HOST otter",
    ],
)
def test_a_key_is_masked_behind_a_setting_in_capitals_with_a_blank(text: str, value: str) -> None:
    assert value not in redact(text.format(value)).text


@pytest.mark.parametrize(
    "text",
    [
        "restored CACHE_KEY {} from the runner",
        "the PRIMARY_KEY {} is taken",
        "set KEY {} aside",
        "OTTER_TOKEN readonly_river_2024_only is a name",
        "commit {} of MAPLE_TOKEN",
    ],
)
def test_an_id_behind_another_word_in_capitals_stays(text: str) -> None:
    said = text.format(_DRAW.chars(HEX, 40))

    assert redact(said, is_printed=True).text == said


@pytest.mark.parametrize(
    "text",
    [
        "env:\n  CC_TEST_REPORTER_ID: {}",
        'OWM_APPID = "{}"',
        'sdk.SpeechConfig(subscription="{}", region="eu")',
    ],
)
def test_a_key_under_a_vendors_own_name_for_it_is_masked_and_a_uuid_stays(text: str) -> None:
    assert HEX32 not in redact(text.format(HEX32)).text
    assert redact(text.format(UUID)).text == text.format(UUID)
