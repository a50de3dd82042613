import random
import string

from hypothesis import given, settings
from hypothesis import strategies as st

from hooklore.redaction import redact, redact_value
from hooklore.redaction.engine import _prefilters
from hooklore.redaction.finding import apply_masks, make_mask
from hooklore.redaction.rules.table import ALL_RULES

_CHOSEN = "retnuh"[::-1] + "2x"
_FENCE = "-" * 5
_PIECES = [
    "password", "token", "api_key", "key", "pass", "secret", "=", ": ", " ", '"', "'", '\\"', _CHOSEN,
    make_mask("email"), "[REDACTED:", "assigned", "]", "[", "a.b@example.co.jp", "@", ":", "://", "u:", "\n",
    f"{_FENCE}BEGIN PRIVATE " + f"KEY{_FENCE}", f"{_FENCE}END PRIVATE " + f"KEY{_FENCE}",
    "MIIEvQIBADANBgkqhkiG9w0BAQEF", "090-1234-5678", "+81", "-", "4111 1111 " + "1111 1111",
    "gh" + "p_" + "a1b2" * 9, "sk-", "eyJhbGciOi.", "パスワード", "トークン", "は", "「", "」", "です", "。",
    "：", "é", "😀", "\ud800", "0", "９", ".", "<", ">", "&", "?", "(", ",", "value", "\\n", "\x00",
    "--password ", "Bearer ", "Cookie: ", "a=", "curl -u ", "is ", "ENV ", "%s", "!", "$",
]  # fmt: skip
_TEXTS = st.lists(st.sampled_from(_PIECES) | st.text(max_size=6), max_size=30).map("".join)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=12,
)
_SECRETS = st.integers(0, 2**32).map(
    lambda seed: (
        "q7Z" + "".join(random.Random(seed).choices(string.ascii_letters + string.digits, k=21))
    )
)


@settings(max_examples=400)
@given(_TEXTS)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    result = redact(text)

    assert redact(result.text) == (result.text, ())


@settings(max_examples=400)
@given(_TEXTS)
def test_findings_are_in_order_apart_and_explain_the_result(text: str) -> None:
    result = redact(text)

    edges = [edge for found in result.findings for edge in (found.start, found.end)]
    assert edges == sorted(edges)
    assert all(0 <= found.start < found.end <= len(text) for found in result.findings)
    assert apply_masks(text, result.findings) == result.text


@settings(max_examples=400)
@given(_TEXTS)
def test_a_rule_whose_gate_stays_shut_would_have_found_nothing(text: str) -> None:
    raw = text.encode("utf-8", "replace")

    opened = _prefilters().match(raw)

    for place, rule in enumerate(ALL_RULES):
        if place not in opened:
            assert [found for found in rule.find(raw, 0, len(raw)) if found[2] > found[1]] == []


@settings(max_examples=200)
@given(
    _TEXTS,
    _SECRETS,
    st.sampled_from(["password={}", '"api_key": "{}"', "--token {}", "トークンは{}です"]),
    _TEXTS,
)
def test_a_secret_on_a_line_of_its_own_does_not_survive_what_stands_around_it(
    before: str, secret: str, form: str, after: str
) -> None:
    text = f"{before}\n{form.format(secret)}\n{after}"

    assert secret not in redact(text).text


@settings(max_examples=200)
@given(_VALUES)
def test_a_redacted_value_keeps_its_shape_and_is_redacted_once(value: object) -> None:
    clean, _ = redact_value(value)

    again, findings = redact_value(clean)

    assert findings == ()
    assert again == clean
    if isinstance(value, list | dict):
        assert isinstance(clean, type(value))
        assert len(clean) == len(value)
