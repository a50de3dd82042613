"""Notes that say the same are told once."""

from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from hooklore.prompt.note import Note
from hooklore.retrieval.near_duplicates import drop_repeated
from tests.support.agent import Agent, repository


def told(*texts: str) -> list[str]:
    """Return the texts that are left."""
    notes = [Note(f"id-{n}", text, ("2026-01-01",)) for n, text in enumerate(texts)]
    return [note.text for note in drop_repeated(notes)]


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ("`make test` failed: KeyError. Run `make deps`", "`make test` failed: KeyError. Run `make deps`."),
        ("`make test` failed in 12.5 s: run `make deps`", "`make test` failed in 3 s: run `make deps`"),
        ("Oil the press", "oil  the press."),
    ],
)  # fmt: skip
def test_a_sentence_is_told_once(one: str, same: str) -> None:
    assert told(one, "Wipe the plate", same) == [one, "Wipe the plate"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("`make -j 2` failed: KeyError", "`make -j 4` failed: KeyError"),
        ("`make test` failed: run `make deps`", "`make test` failed: run `make clean`"),
        ("`pytest` fails: test_1", "`pytest` fails: test_2"),
        ("Keep 3 replicas", "Keep 5 replicas"),
    ],
)
def test_what_differs_in_its_command_its_step_or_a_rule_is_told_beside_it(
    one: str, other: str
) -> None:
    assert told(one, other) == [one, other]


def test_a_brief_tells_a_sentence_of_several_records_once(
    store: StoreLocation, tmp_path: Path, home: Path
) -> None:
    agent = Agent(store, repository(tmp_path / "widgets"), home)
    for text in ("Oil the press before the fair", "oil the press before the fair."):
        agent.remembers(text, "todo")

    brief = agent.starts("s1")
    agent.broker.close()

    assert brief.lower().count("oil the press before the fair") == 1
    assert "hooklore list" not in brief
