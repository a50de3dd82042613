"""Tokens with their vendor's mark in another encoding, beside no name."""

import base64
from collections.abc import Callable

import pytest

from hooklore.redaction import redact
from tests.redaction.draw import ALNUM, BASE32, DIGITS, URLSAFE, Draw, glue

_DRAW = Draw("encoded tokens")
TOKENS = {
    "github": glue("gh", "p_", _DRAW.mixed(36)),
    "aws": glue("AK", "IA", _DRAW.chars(BASE32, 16)),
    "openai": glue("sk", "-proj-", _DRAW.mixed(60, URLSAFE)),
    "gitlab": glue("gl", "pat-", _DRAW.mixed(20)),
    "slack": glue("xo", "xb-", _DRAW.chars(DIGITS, 12), "-", _DRAW.mixed(24)),
    "jwt": ".".join((glue("ey", "J", _DRAW.mixed(30)), _DRAW.mixed(40), _DRAW.mixed(43))),
    "telegram": glue(_DRAW.chars("123456789", 9), ":A", "A", _DRAW.chars(ALNUM, 33)),
}


def _spelled(form: str) -> Callable[[str], str]:
    return lambda text: "".join(form.format(ord(each)) for each in text)


ENCODINGS: dict[str, Callable[[str], str]] = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64url": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "percent signs": _spelled("%{:02X}"),
    "entities": _spelled("&#{};"),
    "entities of hexadecimal digits": _spelled("&#x{:x};"),
}


@pytest.mark.parametrize("vendor", TOKENS)
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("text", ["{}", 'the value is "{}" there', "blob: {}\nnext"])
def test_a_token_is_masked_in_every_encoding(text: str, encoding: str, vendor: str) -> None:
    said = ENCODINGS[encoding](TOKENS[vendor])

    assert said[4:-8] not in redact(text.format(said)).text


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_readable_text_in_an_encoding_stays(encoding: str) -> None:
    said = ENCODINGS[encoding]("maple river otters read the page of the harbor")

    assert redact(f"blob {said}").text == f"blob {said}"


@pytest.mark.parametrize(
    "text",
    [
        "FIRST=\nSECOND=river12\nTHIRD=\nFOURTH=8080\n",
        "he said &#8220;hello there&#8221;&#39;s fine &#38;&#38; went on",
        f"sha256 {_DRAW.base64(32)}\nriver12 is next",
    ],
)
def test_settings_without_a_value_entities_of_prose_and_padded_base64_stay(text: str) -> None:
    assert redact(text).text == text
