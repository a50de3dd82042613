"""Commands and tools' output with a secret or none, as strangers to the rules wrote them."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from hooklore.redaction import redact
from tests.redaction.prose_examples import Example, read_examples

FOLDER = Path(__file__).parents[1] / "fixtures" / "strangers"
READ = (
    "commands",
    "commands_of_a_working_day",
    "outputs",
    "outputs_of_a_working_day",
    "commands_in_many_tools",
    "outputs_of_many_kinds",
)
"""The files that rules were written for, after a first reading."""

_PERSONAL = frozenset(("email", "phone"))
"""Rules of what is no secret, and masked all the same."""


@pytest.mark.parametrize("name", READ)
def test_what_strangers_wrote_is_masked_and_the_look_alikes_stay(name: str) -> None:
    left, touched = _shares(read_examples(name, 2, FOLDER))

    assert left <= 0.05
    assert touched <= 0.015


@pytest.mark.parametrize("name", READ)
def test_a_second_reading_changes_nothing(name: str) -> None:
    once = [redact(each.text, is_printed=True).text for each in read_examples(name, 1, FOLDER)]

    assert len(once) > 300
    assert [text for text in once if redact(text, is_printed=True).text != text] == []


def _shares(examples: Iterable[Example]) -> tuple[float, float]:
    """Return the share of secrets left over, and of texts without one in which a secret was seen."""
    told, honest = [], []
    for example in examples:
        result = redact(example.text, is_printed=True)
        if example.secret is None:
            honest.append(any(found.rule not in _PERSONAL for found in result.findings))
        else:
            told.append(example.secret in result.text)
    return sum(told) / len(told), sum(honest) / len(honest)
