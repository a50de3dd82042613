"""Lines of a client that the SDK could not read."""

import json
import time

import pytest

from hooklore.mcp_server.input_lines import MAX_DEPTH, cut_extremes, mend_surrogates


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


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, {"b": "[{" * 200 + '"]}\\"{'}]},
        ["[" * 300, {"{" * 300: '\\"' + "}" * 300}],
        [[[n]] for n in range(200)],
        ["9" * 5_000, 12345678901234567890, -1.5e300],
    ],
)
def test_what_is_neither_deep_nor_long_stays_as_it_is(value: object) -> None:
    line = json.dumps(value)

    assert cut_extremes(line) == line


@pytest.mark.parametrize("depth", [MAX_DEPTH, MAX_DEPTH + 1, 10_000])
def test_what_lies_deeper_than_the_limit_becomes_an_empty_object(depth: int) -> None:
    line = '{"x":' + "[" * (depth - 1) + '"]"' + "]" * (depth - 1) + ',"y":"z"}'

    found = json.loads(cut_extremes(line))

    assert found["y"] == "z"
    value, levels = found["x"], 1
    while isinstance(value, list):
        (value,), levels = value, levels + 1
    assert (value, levels) == (("]", depth) if depth <= MAX_DEPTH else ({}, MAX_DEPTH))


@pytest.mark.parametrize("number", ["7" * 2_000, "-" + "7" * 2_000 + ".25E+9"])
def test_a_number_of_a_thousand_digits_becomes_an_empty_object(number: str) -> None:
    line = '{"a":' + number + ',"b":"' + number + '"}'

    assert json.loads(cut_extremes(line)) == {"a": {}, "b": number}


@pytest.mark.parametrize(
    "line", ["[" * 200_000, "]" * 200_000, '["' + "[" * 200_000, '{"a' * 100_000]
)
def test_a_line_that_is_no_json_is_read_in_linear_time(line: str) -> None:
    started = time.process_time()

    cut_extremes(line)

    assert time.process_time() - started < 2
