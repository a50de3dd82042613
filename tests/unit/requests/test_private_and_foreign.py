"""What is private, or another's own, never crosses: by no verb, in no count. What is permitted is all there."""

from typing import Any

import orjson
import pytest

from hooklore.requests.verb_table import tools
from tests.unit.requests.conftest import Service, memories

SECRET = "The kestrel nests behind the chimney."
WORD = "kestrel"


def everything_told(service: Service, agent: str, **caller: str | None) -> str:
    """All that an agent gets from every verb that only reads, with questions and names that fit."""
    told = []
    for name, tool in tools().items():
        if tool.writes:
            continue
        fields = tool.arguments.model_fields
        given: dict[str, Any] = {}
        given |= {"query": SECRET} if "query" in fields else {}
        given |= {"names": ["todo:nest", "topic:bird"]} if "names" in fields else {}
        given |= {"key": "todo:nest"} if "key" in fields else {}
        told.append(service.ask(name, agent, session="none", **given).to_json())
    told.append(service.ask("snapshot", agent, session="none").to_json())
    return b"\n".join(told).decode()


KEEP: dict[str, dict[str, object]] = {
    "private": {"private": True},
    "own": {"scope": "agent"},
}


@pytest.mark.parametrize("kept", KEEP)
def test_what_an_agent_keeps_for_itself_reaches_no_other_agent(service: Service, kept: str) -> None:
    before = everything_told(service, "gemini")
    given: dict[str, Any] = {"kind": "todo", "key": "todo:nest", **KEEP[kept]}
    done = service.ask("remember", "codex", content=SECRET, **given)
    assert done.content["status"] == "stored"

    after = everything_told(service, "gemini")

    assert WORD not in after
    assert str(done.content["id"]) not in after
    assert counts(before) == counts(after)


def counts(told: str) -> list[object]:
    answers = map(orjson.loads, told.splitlines())
    return [
        (each["success"], each["content"].get("count"), each["content"].get("tags"))
        for each in answers
    ]


@pytest.mark.parametrize("verb", ["recall", "search_memories"])
def test_the_agent_that_kept_it_privately_finds_it_with_the_flag(
    service: Service, verb: str
) -> None:
    service.ask("remember", "codex", content=SECRET, kind="todo", private=True)
    service.ask("remember", "codex", content="The kestrel feeds on voles.", kind="todo")

    found = service.ask(verb, "codex", query="kestrel nests behind the chimney")

    flags = {each["text"]: each["private"] for each in memories(found)}
    assert flags[SECRET] is True
    assert flags["The kestrel feeds on voles."] is False
    assert "private: true" in found.text
    assert "private: false" in found.text


def test_what_the_person_keeps_privately_reaches_no_agent(service: Service) -> None:
    service.people.says(SECRET, "todo:nest", kind="todo", is_private=True, tags=["bird"])

    for agent in ("claude", "codex", "gemini"):
        told = everything_told(service, agent)
        assert WORD not in told
        assert '"count":1' not in told


@pytest.mark.parametrize("writer", ["claude", "person"])
def test_a_private_memory_takes_no_public_one_of_another_writer_from_its_readers(
    service: Service, writer: str
) -> None:
    given: dict[str, Any] = {"kind": "todo", "scope": "global"}
    if writer == "person":
        public = str(service.people.says(SECRET, kind="todo").id)
    else:
        public = str(service.ask("remember", writer, content=SECRET, **given).content["id"])
    mine = service.ask("remember", "codex", content="The vault is empty.", **given).content["id"]

    given |= {"content": "Nothing.", "private": True}
    refused = service.ask("remember", "codex", supersedes=public, **given)
    own = service.ask("remember", "codex", supersedes=mine, **given)

    assert "supersedes: fewer may read this" in refused.problem
    assert WORD in service.ask("search_memories", "gemini", query=SECRET).text
    assert own.content["status"] == "updated"


def test_a_wake_up_tells_nothing_private_to_the_agent_either(service: Service) -> None:
    service.ask("remember", "codex", content=SECRET, kind="todo", private=True)

    assert WORD not in service.ask("wake_up", "codex").text


def test_every_permitted_memory_is_there(service: Service) -> None:
    keys = set()
    for number, (agent, scope) in enumerate(
        (agent, scope) for agent in ("claude", "codex", "gemini") for scope in ("project", "global")
    ):
        done = service.ask(
            "remember", agent, session=f"s-{number}", kind="todo", scope=scope,
            key=f"todo:entry-{number}", content=f"Entry {'abcdef'[number] * 6} of the ledger.",
        )  # fmt: skip
        assert done.content["status"] == "stored", done
        keys.add(f"todo:entry-{number}")

    for agent in ("claude", "codex", "gemini", "copilot"):
        found = memories(service.ask("search_memories", agent, query="entry ledger", limit=50))
        assert {each["key"] for each in found} == keys
        shelves = [
            each["key"]
            for name in ("list_memory_entries", "list_global_memory_entries")
            for each in memories(service.ask(name, agent), "entries")
        ]
        assert sorted(shelves) == sorted(keys)


def test_the_project_of_another_folder_stays_there(service: Service) -> None:
    service.ask("remember", "codex", content=SECRET, kind="todo", key="todo:nest")
    gears = service.make_project("gears")

    told = service.ask("search_memories", "codex", folder=gears, query=SECRET)
    assert memories(told) == []
    assert not service.ask("get_memory_entry", "codex", folder=gears, key="todo:nest").success
    assert service.ask("get_memory_entry", "claude", key="todo:nest").success
