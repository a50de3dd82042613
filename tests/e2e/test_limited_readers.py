"""A memory of one role, or of one session, by each way in: told where it should be, and nowhere else."""

import json
import time
from collections.abc import Callable
from typing import Any, Final

import pytest

from hooklore import Memory
from hooklore.broker import Broker
from hooklore.config import Settings, SharingSettings
from hooklore.errors import RequestRefused
from hooklore.maintenance.sharing import propose_old_memories
from tests.e2e.test_who_speaks import AGENT, SESSION, World
from tests.support.untried import needs_mcp

TEXT: Final = "The kestrel press is oiled with rapeseed."
OTHER: Final = "0b7c7bb0-6f0e-4d0c-9d4e-1f2a3b4c5d6e"


def memory(world: World, agent: str, session: str | None = SESSION) -> Memory:
    return Memory(
        agent, session_id=session, folder=world.project, store=world.broker.place.directory,
        in_process=True,
    )  # fmt: skip


def by_agents_command(world: World, **limit: str) -> None:
    done = world.agent("remember", TEXT, *options(limit))
    assert done.returncode == 0, done.stderr


def by_persons_command(world: World, **limit: str) -> None:
    if "session" in limit:
        world.types("Which oil does the kestrel press need?")
        limit = {"session": SESSION}
    done = world.person("remember", TEXT, *options(limit))
    assert done.returncode == 0, done.stdout


def by_python(world: World, **limit: str) -> None:
    with memory(world, "claude") as each:
        each.remember(TEXT, **limit)  # type: ignore[arg-type]


def by_event(world: World, **limit: str) -> None:
    named = (
        {"visibility": "session"} if "session" in limit else {"visibility": "agent-only"} | limit
    )
    with memory(world, "claude") as each:
        each.append({
            "scope": "project:widgets", "kind": "fact", "confidence": "high", "content_md": TEXT,
            "agent_id": "claude", "source": {"system": "cli"}, **named,
        })  # fmt: skip


def by_mcp(world: World, **limit: str) -> None:
    from tests.support.mcp import call, server

    at = server(world.home, "--agent", "claude", folder=world.project, **AGENT)
    assert not call(at, "remember", {"content": TEXT, **limit}).is_error


def options(limit: dict[str, str]) -> list[str]:
    return [f"--{name}={value}" for name, value in limit.items()]


Way = Callable[..., None]
WAYS: Final = [
    by_agents_command, by_persons_command, by_python, by_event, pytest.param(by_mcp, marks=needs_mcp),
]  # fmt: skip


def readers(world: World, **who: Any) -> bool:
    """Return whether an agent finds the memory by a search, and opens it by its id."""
    (record,) = (r for r in world.records() if r["stream"] == "memory")
    with memory(world, who["agent"], who.get("session", SESSION)) as each:
        found = [r.id for r in each.search("kestrel press rapeseed") if r.text == TEXT]
        recalled = [r.id for r in each.recall("Which oil does the kestrel press need?")]
        try:
            opened = [r.id for r in each.get(record["id"])]
        except RequestRefused:
            opened = []
    assert found == opened == [each for each in recalled if each == record["id"]]
    return bool(found)


@pytest.mark.req("AC-08")
@pytest.mark.parametrize("way", WAYS)
def test_a_memory_for_one_role_is_told_to_the_agents_of_that_role_alone(
    world: World, way: Way
) -> None:
    way(world, role="researcher")

    told = {name: readers(world, agent=name) for name in ("gemini", "claude", "codex", "musician")}
    assert told == {"gemini": True, "claude": False, "codex": False, "musician": False}


@pytest.mark.req("AC-09")
@pytest.mark.parametrize("way", WAYS)
def test_a_memory_for_one_session_is_told_in_that_session_alone_also_after_a_resume(
    world: World, way: Way
) -> None:
    way(world, session="this")

    world.hook("SessionStart", session_id=SESSION, source="resume")
    world.hook("SessionStart", session_id=SESSION, source="compact")

    assert readers(world, agent="claude")
    assert not readers(world, agent="claude", session=OTHER)
    assert not readers(world, agent="claude", session=None)
    assert not readers(world, agent="codex", session=OTHER)


@pytest.mark.req("AC-10")
@pytest.mark.parametrize("limit", [{"role": "researcher"}, {"session": "this"}])
@pytest.mark.parametrize("way", WAYS)
def test_after_days_it_is_proposed_to_be_shared_and_a_person_shares_it(
    world: World, way: Way, limit: dict[str, str]
) -> None:
    way(world, **limit)

    proposed = [proposals_in_days(world, days) for days in (6, 8)]
    (waiting,) = json.loads(f"[{world.person('pending', '--json').stdout.strip()}]")
    shared = readers(world, agent="codex", session=OTHER)
    approved = world.person("approve", waiting["id"])

    assert (proposed, shared, approved.returncode) == ([0, 1], False, 0)
    with memory(world, "codex", OTHER) as each:
        assert TEXT in [r.text for r in each.search("kestrel press rapeseed")]


def proposals_in_days(world: World, days: int) -> int:
    """Propose what is old enough in so many days, and return how many proposals wait."""
    settings = Settings(sharing=SharingSettings(share_after_days=7))
    then = time.time_ns() + days * 86_400 * 10**9
    broker = Broker(world.broker.place, settings, now_ns=lambda: then)
    broker.refresh()
    return propose_old_memories(broker)


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("--session", "this"), "you are in none"), (("--session", OTHER), "nothing is recorded of it"),
        (("--role", "king"), "must be one of orchestrator"),
    ],
)  # fmt: skip
def test_a_session_or_a_role_that_the_writer_has_not_is_refused(
    world: World, words: tuple[str, ...], cause: str
) -> None:
    done = world.person("remember", TEXT, *words)

    assert done.returncode == 1
    assert cause in done.stderr
    assert not world.broker.place.log.exists()


def test_an_agent_keeps_nothing_for_another_session(world: World) -> None:
    done = world.agent("remember", TEXT, "--session", OTHER)

    assert done.returncode == 1
    assert "could not keep it for that session: it is another one" in done.stderr
    with memory(world, "codex", None) as each, pytest.raises(RequestRefused, match="no session"):
        each.remember(TEXT, session="this")
