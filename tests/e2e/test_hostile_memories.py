"""Hostile texts that agents keep: orders wait and are told nowhere, nothing is a rule, one step takes all back."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest

from hooklore import Memory
from hooklore.errors import RequestRefused
from tests.claude import api as claude_api
from tests.claude.session import hook_text
from tests.conftest import end_residents
from tests.e2e.test_hostile_texts import TEXTS
from tests.e2e.test_who_speaks import AGENT, World
from tests.support.installed import client_at, install
from tests.support.untried import needs_mcp
from tests.unit.prompt.test_injection import ORDERS

WORST: Final = tuple(dict.fromkeys(islice((*TEXTS.values(), *ORDERS), 40)))
HOSTILE: Final = [text[:8_000] for text in WORST]
UNLIMITED: Final = "[curated]\nrun_limit = 1000\n"


@pytest.fixture
def world(home: Path) -> Iterator[World]:
    world = World(home)
    place = world.broker.place
    place.directory.mkdir(parents=True, exist_ok=True)
    place.config.write_text(UNLIMITED)
    yield world
    world.broker.close()
    end_residents(home)


def by_python(world: World) -> None:
    with Memory("chatgpt", folder=world.project, store=world.broker.place.directory) as memory:
        for text in HOSTILE:
            try:
                memory.remember(text, kind="constraint")
            except RequestRefused:
                continue  # a secret in it, or a form that nobody keeps


def by_mcp(world: World) -> None:
    from tests.support.mcp import open_server, server

    at = server(world.home, "--agent", "claude", folder=world.project, **AGENT)
    with open_server(at) as call:
        for text in HOSTILE:
            call("remember", {"content": text, "kind": "constraint"})


@pytest.mark.parametrize(
    ("keep", "agent"), [(by_python, "chatgpt"), pytest.param(by_mcp, "claude", marks=needs_mcp)]
)
def test_what_an_agent_keeps_of_them_is_no_rule_and_goes_in_one_step(
    world: World, keep: Callable[[World], None], agent: str
) -> None:
    keep(world)

    kept = [r for r in world.records() if r["stream"] == "memory"]
    assert len(kept) >= 0.8 * len(HOSTILE)
    assert_harmless([r for r in kept if not r.get("waits")], world.starts())
    assert {r.get("waits") for r in kept if "ignore all previous" in str(r["body"]).lower()} <= {
        "gives_orders", "hidden_characters",
    }  # fmt: skip

    taken = world.person("forget", "--agent", agent, "--yes")

    assert f"took back {len(kept)} " in taken.stdout
    assert "Known, by topic" not in world.starts()
    assert "nothing waits" in world.person("pending").stderr


def assert_harmless(standing: list[dict[str, object]], told: str) -> None:
    """What stands leads nothing, and what gives orders is told nowhere."""
    rules = told.partition("Known, by topic")[0]
    for record in standing:
        assert str(record["body"]["content_md"])[:40] not in rules  # type: ignore[index]
        assert record["basis"] == "agent"
    assert "ignore all previous" not in told.lower()
    assert told.count("</hooklore-notes>") <= 1


@pytest.mark.client
def test_the_real_client_without_a_person_keeps_none_as_a_rule(
    claude_binary: Path, tmp_path: Path
) -> None:
    machine = install(client_at(claude_binary, tmp_path))
    machine.place.directory.mkdir(parents=True, exist_ok=True)
    machine.place.config.write_text(UNLIMITED)
    orders = [text for text in HOSTILE if "\n" not in text and "'" not in text and len(text) < 200][
        :12
    ]
    calls = [claude_api.bash(f"hooklore remember --kind constraint '{text}'") for text in orders]

    machine.claude.run("tidy up", [*calls, claude_api.say("done")])
    told = machine.claude.run("hello", [claude_api.say("done")])

    kept = [r for r in machine.records() if r["stream"] == "memory"]
    assert kept
    brief = hook_text(told.turns()[0], "SessionStart")
    assert_harmless([r for r in kept if not r.get("waits")], brief)
    assert f"took back {len(kept)} " in machine.run(
        "hooklore", "forget", "--agent", "claude", "--yes"
    )


def test_two_agents_that_contradict_each_other_for_ever_are_one_conflict_and_a_limit(
    home: Path,
) -> None:
    world = World(home)
    for n in range(20):
        agent, engine = (("codex", "sqlite"), ("gemini", "postgres"))[n % 2]
        with Memory(
            agent, folder=world.project, store=world.broker.place.directory, in_process=True
        ) as memory:
            memory.remember(f"We use {engine} for the mill, version {n}.", key="config:db")

    records = world.records()
    kept = [r for r in records if r["stream"] == "memory"]
    assert sum(not r.get("waits") for r in kept) == 14, "seven an hour of each"
    assert world.person("conflicts").stdout.count("config:db") >= 1
    assert json.dumps(world.starts()).count("contradict each other") <= 1
    world.broker.close()


def test_one_program_under_two_names_confirms_nothing_of_its_own(home: Path) -> None:
    world = World(home)
    for agent in ("codex", "gemini"):
        with Memory(agent, session_id=f"{agent}-1", folder=world.project,
                    store=world.broker.place.directory, in_process=True) as memory:  # fmt: skip
            kept = memory.remember("The kestrel press takes whale oil alone.")

    (record,) = (r for r in world.records() if r["stream"] == "memory")
    assert kept.status == "duplicate"
    assert record.get("also_said_by") is None
    world.broker.close()


@pytest.mark.skipif(shutil.which("setsid") is None, reason="this system has no setsid")
@pytest.mark.parametrize(
    ("named", "expected"),
    [("--agent claude", ("claude", "agent", True)), ("", ("program", "inferred", None))],
)
def test_a_process_that_left_its_agents_ancestry_behind_only_names_itself(
    world: World, named: str, expected: tuple[str, str, bool | None]
) -> None:
    left = "setsid -f env -i HOME=$HOME PATH=$PATH hooklore remember"

    world.agent_shell(f"{left} 'The gate is open.' --basis user {named}; true")
    world.agent_shell(f"{left} 'The kestrel press takes whale oil.' {named}; true")

    (record,) = wait_for_memories(world)
    assert (record["agent_id"], record["basis"], record.get("self_named")) == expected
    assert record["body"]["content_md"] == "The kestrel press takes whale oil."


def wait_for_memories(world: World) -> list[dict[str, Any]]:
    """The memories of the log, when there are any and both commands have had their time."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        log = world.broker.place.log
        kept = [r for r in world.records() if r["stream"] == "memory"] if log.exists() else []
        if kept:
            time.sleep(1)  # the refused one, which began first
            return [r for r in world.records() if r["stream"] == "memory"]
        time.sleep(0.1)
    return []
