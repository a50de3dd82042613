"""Tokens with their issuer's mark in the middle."""

import pytest

from hooklore.redaction import redact


@pytest.mark.parametrize(
    ("before", "mark", "size"), [("AAAA1b2c3d4", ":APA91b", 134), ("w4b", "8Q~", 34)]
)
def test_an_example_of_a_token_with_its_mark_inside_stays_and_a_token_goes(
    before: str, mark: str, size: int
) -> None:
    example = before + mark + "x" * size
    token = before + mark + ("k7Qm2ZpX9sLr4TvB" * 9)[:size]

    assert redact(f"see {example} here", is_printed=True).text == f"see {example} here"
    assert token not in redact(f"see {token} here", is_printed=True).text
