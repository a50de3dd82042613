"""Estimate tokens, and cut a text to what a number of tokens holds."""

import pytest

from hooklore.text.token_estimate import estimate_tokens, truncate_to_tokens


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("押す。回す。", 6, "押す。回す。"),
        ("押す。回す。もう一度。", 8, "押す。回す。…"),
        ("押す。回して回して回す", 8, "押す。回して回…"),
        ("Push it. Turn it on. Then push it", 6, "Push it. Turn it on.…"),
        ("Read 1.5 of the file.py module now", 6, "Read 1.5 of the…"),
    ],
)
def test_a_text_is_cut_at_the_end_of_a_sentence_else_at_white_space(
    text: str, limit: int, expected: str
) -> None:
    cut = truncate_to_tokens(text, limit)

    assert cut == expected
    assert estimate_tokens(cut) <= limit
