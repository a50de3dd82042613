"""Commands and tools' output with a secret or none, as strangers to the rules wrote them."""

import pytest

from tests.redaction.prose_examples import read_examples
from tests.redaction.strangers import FOLDER, has_commands, read, shares

READ = (
    "commands",
    "commands_in_many_tools",
    "commands_of_a_working_day",
    "commands_of_many_trades",
    "commands_of_rare_trades",
    "keys_of_services",
    "outputs",
    "outputs_of_a_working_day",
    "outputs_of_many_kinds",
    "outputs_of_many_trades",
    "outputs_of_rare_trades",
)
"""The files that rules were written for, after a first reading."""


@pytest.mark.parametrize("name", READ)
def test_what_strangers_wrote_is_masked_and_the_look_alikes_stay(name: str) -> None:
    examples = read_examples(name, 2, FOLDER)
    left, touched = shares(examples, are_commands=has_commands(name))

    assert left <= 0.05
    assert touched <= 0.015


@pytest.mark.parametrize("name", READ)
def test_a_second_reading_changes_nothing(name: str) -> None:
    is_command = has_commands(name)
    once = [read(each.text, is_command=is_command)[0] for each in read_examples(name, 1, FOLDER)]

    assert len(once) > 200
    assert [text for text in once if read(text, is_command=is_command)[0] != text] == []
