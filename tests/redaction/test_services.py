"""Keys that no mark tells, beside the names of their services, and what the vendors call public."""

import pytest

from hooklore.redaction import redact
from tests.redaction.draw import ALNUM, DIGITS, HEX, LOWNUM, UPNUM, URLSAFE, Draw, glue

_DRAW = Draw("services")
FORMS = {
    "32 hexadecimal digits": _DRAW.chars(HEX, 32),
    "40 hexadecimal digits": _DRAW.chars(HEX, 40),
    "64 hexadecimal digits": _DRAW.chars(HEX, 64),
    "a uuid": _DRAW.uuid(),
    "small letters and digits": _DRAW.chars(LOWNUM, 32),
    "letters of both cases": _DRAW.mixed(24),
}
SERVICES = ("datadog", "Algolia", "new relic", "MISTRAL", "Kintone", "deepgram")


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "text",
    [
        "{s}_key = '{v}'",
        '{s}Key: "{v}"',
        'const {s}Api = "{v}";',
        "the {s} key is {v}",
        "{s} key {v} expired",
        "our {s} app key ({v}) leaked",
        "--{s}-key {v}",
        "{s}:\n  key: {v}",
        '{{"{s}": {{"key": "{v}"}}}}',
        "<{s}Key>{v}</{s}Key>",
        "curl -H '{s}-token: {v}' https://api.maple-river.net",
        "https://api.maple-river.net/v1?{s}_key={v}",
        "| {s} key | {v} |",
    ],
)
def test_a_key_beside_the_name_of_its_service_is_masked(text: str, form: str, service: str) -> None:
    value = FORMS[form]

    assert value not in redact(text.format(s=service, v=value)).text


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "text", ["new Datadog('{v}')", 'mistral.Client("{v}")', "NewRelic.init('{v}')"]
)
def test_a_key_that_makes_the_client_of_a_service_is_masked(text: str, form: str) -> None:
    assert FORMS[form] not in redact(text.format(v=FORMS[form])).text


@pytest.mark.parametrize(
    "text",
    [
        "datadog trace {hex}",
        "sentry release {hex} deployed",
        "cloudflare zone id: {half}",
        "SENTRY_PROJECT_ID={half}",
        "datadog_trace_id={half}",
        "heroku slug {uuid}",
        "notion page id: {uuid}",
        "the algolia search key is {half}",
        "cache key: {hex}",
        "primary_key = '{uuid}'",
        "SPEC CHECKSUMS:\n  Sentry: {hex}\n  Mixpanel: {hex}",
        "github api repos/maple/river/pulls/1234",
        "the openai api reference-page-of-embeddings-v2",
        "vercel: {hex}",
        "aws-sdk key-management-service-client-v3",
        "the token of the jenkins build is masked",
        "grafana dashboard {half}",
        "github.commit('{hex}')",
        "sentry.capture_message('{half}')",
        "github api rate-limit-remaining-4999",
        "jira api issue-10023-attachment-20",
        "kaggle api dataset-version-12-files",
        "docker auth config-json-base64-1",
        "stripe api_version 2024-06-20",
    ],
)
def test_an_id_beside_the_name_of_a_service_stays(text: str) -> None:
    filled = text.format(hex=_DRAW.chars(HEX, 40), half=_DRAW.chars(HEX, 32), uuid=_DRAW.uuid())

    assert redact(filled).text == filled


@pytest.mark.parametrize(
    "value",
    [
        glue("pk", "_live_51", _DRAW.chars(ALNUM, 60)),
        glue("pk", "_test_", _DRAW.chars(ALNUM, 24)),
        glue("sb", "_publishable_", _DRAW.chars(URLSAFE, 31)),
        glue("mob", "-", _DRAW.uuid()),
        glue("sq0", "idp-", _DRAW.chars(ALNUM, 22)),
        glue("phc", "_", _DRAW.chars(ALNUM, 43)),
        glue("hcxik", "_", _DRAW.chars(LOWNUM, 26)),
        glue("AC", _DRAW.chars(HEX, 32)),
    ],
    ids=[
        "stripe",
        "stripe-test",
        "supabase",
        "launchdarkly",
        "square",
        "posthog",
        "honeycomb",
        "twilio",
    ],
)
def test_what_the_vendor_calls_public_stays(value: str) -> None:
    text = f"initialize with {value} in the page"

    assert redact(text).text == text


@pytest.mark.parametrize(
    "value",
    [
        glue("AKIA", "IOSFODNN7", "EXAMPLE"),
        glue("ghp", "_", "x" * 36),
        glue("sk", "_test_", "x" * 24),
        glue("sk", "-", "your-api-key-here-1234"),
        glue("glpat", "-", "xxxxxxxxxxxxxxxxxxxx"),
        glue("xoxb", "-your-token"),
        glue("hf", "_", "x" * 34),
        glue("sk", "-ant-api03-", "placeholder" * 3),
    ],
)
def test_a_placeholder_of_the_documentation_stays(value: str) -> None:
    text = f"put {value} into the file"

    assert redact(text).text == text


def test_a_licence_of_sidekiq_is_masked_in_an_address() -> None:
    pair = glue(_DRAW.chars(HEX, 8), ":", _DRAW.chars(HEX, 8))

    masked = redact(f"source 'https://{pair}@gems.contribsys.com/'").text

    assert pair[:8] not in masked
    assert pair[9:] not in masked


@pytest.mark.parametrize("digits", [DIGITS, UPNUM])
def test_a_number_beside_the_name_of_a_service_stays(digits: str) -> None:
    value = _DRAW.chars(digits, 12)

    assert redact(f"the github api build {value}").text == f"the github api build {value}"


@pytest.mark.parametrize(
    "text",
    [
        "gmail app password: {}",
        "use the app-password '{}'",
        "アプリパスワードは {} です",
        'App passcode is "{}"',
    ],
)
def test_an_app_password_in_groups_is_masked(text: str) -> None:
    password = " ".join(_DRAW.chars("abcdefghijklmnopqrstuvwxyz", 4) for _ in range(4))

    assert password not in redact(text.format(password)).text


@pytest.mark.parametrize(
    "text",
    [
        "the gmail app password must have been sent",
        "an app password will only work with mail that uses imap",
        "token module1.attributes_of_it2 of the bootstrap",
        "bootstrap-token-abcdef is the name of the secret",
    ],
)
def test_words_behind_such_a_label_stay(text: str) -> None:
    assert redact(text).text == text


def test_a_bootstrap_token_of_kubernetes_is_masked() -> None:
    token = glue(_DRAW.chars(LOWNUM, 6), ".", _DRAW.mixed(16).lower())

    assert token not in redact(f"kubeadm join 10.2.0.1:6443 --token {token} --v=5").text


def test_a_list_of_keys_that_name_no_service_stays() -> None:
    text = "".join(f"key={_DRAW.chars(HEX, 40)}\n" for _ in range(2_000))

    assert redact(text).text == text
