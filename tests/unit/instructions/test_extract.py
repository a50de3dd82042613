"""Separate sure instructions from those that wait for a person."""

import pytest

from hooklore.instructions.extract import extract_instructions

ON_AND_ON = (
    "Always run the linter before you commit, and look at the templates of the mails, "
    "which somebody translated by hand last year."
)


@pytest.mark.parametrize(
    "prompt",
    [
        "no, use uv instead",
        "PRは日本語にして",
        "Always run the linter before you commit.",
    ],
)
def test_what_is_said_in_a_breath_is_sure(prompt: str) -> None:
    assert [found.is_sure for found in extract_instructions(prompt)] == [True]


@pytest.mark.parametrize(
    "prompt",
    [
        "Maybe always run the linter before you commit.",
        ON_AND_ON,
    ],
)
def test_what_is_hedged_or_goes_on_and_on_waits(prompt: str) -> None:
    found = extract_instructions(prompt)

    assert found
    assert not any(each.is_sure for each in found)
