"""Before an edit the agent is told what the user said to last about the file or its names, and no more."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from hooklore.memories.control_draft import draft_control
from hooklore.records.draft import PERSON
from hooklore.records.record import Body
from hooklore.retrieval.access_report import list_shown
from hooklore.retrieval.file_history import MAX_TOKENS
from hooklore.text.token_estimate import estimate_tokens
from tests.support.agent import Agent, repository

_numbers = itertools.count(1)
DECIDED = "We decided that src/parser.py stays free of I/O, because the importers stream"


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    found.starts("s0")
    yield found
    found.broker.close()


def about_to_edit(agent: Agent, path: str, old: str = "a = 1", new: str = "a = 2") -> str:
    given = {"file_path": str(agent.project / path), "old_string": old, "new_string": new}
    call = f"call-{next(_numbers)}"
    return agent.told("PreToolUse", tool_name="Edit", tool_input=given, tool_use_id=call)


def edited_often(agent: Agent, path: str) -> None:
    """Make the words of a path common ones."""
    for number in range(30):
        agent.edits(path, f"step {number}")


@pytest.mark.parametrize(
    "kind", ["constraint", "decision", "deprecation", "preference", "workflow"]
)
def test_what_binds_a_file_is_told_at_its_edit_however_often_the_file_is_edited(
    agent: Agent, kind: str
) -> None:
    edited_often(agent, "src/parser.py")
    agent.remembers(DECIDED, kind)

    assert DECIDED in about_to_edit(agent, "src/parser.py")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (DECIDED, "src/parser.py"),
        ("The order of the steps in `parser.py` follows the standard", "src/parser.py"),
        ("Everything below src/gen/ comes from the templates", "src/gen/deep/api.py"),
        ("パーサー src/parser.py は標準の順序に従う", "src/parser.py"),
    ],
)
def test_a_memory_names_its_file(agent: Agent, text: str, path: str) -> None:
    edited_often(agent, path)
    agent.remembers(text, "decision")

    assert about_to_edit(agent, "src/other_place.go") == ""
    assert text in about_to_edit(agent, path)


def test_a_memory_names_a_symbol(agent: Agent) -> None:
    for number in range(30):
        agent.edits(f"src/m{number}.py", f"session_count = {number}")
    agent.remembers("session_count never shrinks: the old meters read it", "constraint")

    assert about_to_edit(agent, "src/m1.py", "size = 1", "size = 2") == ""
    assert "old meters" in about_to_edit(
        agent, "src/m2.py", "session_count = 1", "session_count = 2"
    )


def test_it_is_told_once_a_session(agent: Agent) -> None:
    agent.remembers(DECIDED, "decision")

    assert DECIDED in about_to_edit(agent, "src/parser.py")
    assert about_to_edit(agent, "src/parser.py", "b = 1", "b = 2") == ""


def test_at_most_sixty_tokens_are_told(agent: Agent) -> None:
    for number in range(6):
        agent.remembers(
            f"In src/parser.py rule {number}: " + "the order of the steps stays. " * 12, "decision"
        )

    notes = [x for x in about_to_edit(agent, "src/parser.py").split("\n") if x.startswith("- ")]

    assert notes
    assert estimate_tokens("\n".join(notes)) <= MAX_TOKENS


def test_orders_of_another_day_are_not_told(agent: Agent) -> None:
    agent.asks("Now add a retry to src/parser.py and rename session_count")
    agent.asks("No, src/parser.py should read the file first instead")
    agent.starts("s1")

    assert about_to_edit(agent, "src/parser.py", "session_count = 1", "session_count = 2") == ""


def test_what_a_user_says_to_last_in_a_prompt_is_told_in_the_next_session(agent: Agent) -> None:
    agent.asks("We decided that src/parser.py stays free of I/O because the importers stream.")

    told = agent.starts("s1") + about_to_edit(agent, "src/parser.py")

    assert told.count("stays free of I/O") == 1


def test_what_was_deleted_is_told_no_more(agent: Agent) -> None:
    receipt = agent.remembers(DECIDED, "decision")
    agent.broker.append(
        [draft_control("tombstone", "global", Body({"targets": [receipt.id]}), detail="forget")]
    )

    assert about_to_edit(agent, "src/parser.py") == ""


def test_what_was_told_is_listed_again_word_for_word(agent: Agent) -> None:
    agent.remembers("In src/parser.py " + "the order of the steps stays. " * 12, "decision")
    (told,) = [x for x in about_to_edit(agent, "src/parser.py").split("\n") if x.startswith("- ")]

    assert told in list_shown(agent.broker.as_reader(PERSON), "s0")[-1].text
