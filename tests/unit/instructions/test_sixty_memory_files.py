"""Sixty memory files in the forms that three clients ask their models for stand under titles of their own."""

import json
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from hooklore.records.record import Record
from tests.support.agent import Agent, repository
from tests.support.memory_files import begin, folder, standing, transcript

FILES = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "memory_files.json").read_text("utf-8")
)
GOAL = 55


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Agent:
    return Agent(store, repository(tmp_path / "api"), home)


def says_what_it_is(file: dict[str, object], found: list[Record]) -> bool:
    """Return whether the memories of a file have titles with the words that name it."""
    words = file["title"]
    assert isinstance(words, list)
    of_file = [
        r
        for r in found
        if (r.agent_id, r.source_detail) == (file["client"], f"native:{file['file']}")
    ]
    titles = [str(r.body.title).lower() for r in of_file]
    return bool(titles) and all(any(word in title for title in titles) for word in words)


def test_of_sixty_memory_files_at_least_fifty_five_stand_with_a_title_that_says_what_they_are(
    agent: Agent,
) -> None:
    own = agent.home
    places = {
        "claude": (folder(agent), transcript(agent)),
        "gemini": (own / ".gemini/tmp/api/memory", own / ".gemini/tmp/api/chats/session-1.jsonl"),
        "codex": (own / ".codex/memories", own / ".codex/sessions/2026/01/01/rollout-1.jsonl"),
    }
    for file in FILES:
        place = places[file["client"]][0]
        place.mkdir(parents=True, exist_ok=True)
        text = file["text"].replace("{root}", str(agent.project))
        (place / file["file"]).write_text(text, "utf-8")

    for client, (_, path) in places.items():
        begin(agent, client, str(path))

    found = standing(agent)
    named = [file["file"] for file in FILES if says_what_it_is(file, found)]
    assert len(FILES) == 60
    assert len(named) >= GOAL, {file["file"] for file in FILES} - set(named)
