"""Halves of characters in a client's line."""

import json

import pytest

from hooklore.mcp_server.input_lines import mend_surrogates


@pytest.mark.parametrize(
    "text",
    ["plain", "é 東京", "\U0001f600", r"a path C:\udir and \\ud800", 'a "quote"', "\n\t\x00"],
)
def test_a_whole_text_stays_as_it_is(text: str) -> None:
    for line in (json.dumps(text), json.dumps(text, ensure_ascii=False)):
        assert mend_surrogates(line) == line


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (r'"a\ud800"', "a�"),
        (r'"\uDC00b"', "�b"),
        (r'"\ud83d\ud83d\ude00"', "�\U0001f600"),
        (r'"\\\ud800"', "\\�"),
        (r'"\\ud800\udfff"', "\\ud800�"),
    ],
)
def test_half_of_a_character_becomes_the_replacement_character(line: str, text: str) -> None:
    assert json.loads(mend_surrogates(line)) == text
