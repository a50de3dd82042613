"""Every start of a session reads the shared memory, as one snapshot that can be listed, empty or not."""

import json
from datetime import datetime
from typing import Any

import pytest

from hooklore.agents.server_marks import server_marks_path
from hooklore.config import RecallSettings, SessionSettings, Settings
from hooklore.hooks.delivery import Delivery
from hooklore.retrieval.brief_text import KEEP_LINE, KEEP_TOOL_LINE
from tests.support.agent import Agent
from tests.unit.cli.conftest import Memory, Run

RULE = "Never touch the legacy folder"
SOURCES = ("startup", "resume", "clear", "compact")


def taken(agent: Agent, session: str = "s1") -> list[str]:
    """The ids of the snapshots that a session began with, oldest first."""
    found = [r for r in agent.records("access") if r["session_id"] == session]
    return [str(r["body"]["snapshot_id"]) for r in found if r["body"]["trigger"] == "session_start"]


def listed(hooklore: Run, snapshot: str) -> dict[str, Any]:
    """What `hooklore snapshot SID` says of a snapshot."""
    (found,) = hooklore("snapshot", snapshot, "--json").records
    return dict(found)


@pytest.mark.req("HK-18")
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("entrypoint", ["cli", "sdk-cli"])
def test_a_session_of_an_empty_store_has_one_snapshot_before_its_first_tool_call(
    agent: Agent, hooklore: Run, source: str, entrypoint: str
) -> None:
    agent.entrypoint = entrypoint
    told = agent.starts("s1", source)
    agent.asks("Make the press turn")
    agent.about_to("make test")
    agent.passes("make test")

    kinds = [r["kind"] for r in agent.records()]
    (snapshot,) = taken(agent)
    assert kinds.index("access") < kinds.index("tool_intent")
    assert listed(hooklore, snapshot)["ids"] == []
    printed = hooklore("snapshot", snapshot)
    assert (printed.rc, "session_start: 0 notes" in printed.out) == (0, True)
    if entrypoint == "cli":
        assert told.splitlines()[-2] == KEEP_LINE
        assert told in printed.out
    else:
        assert told == ""
        assert "there was nothing to tell" in printed.err


def test_a_snapshot_is_listed_with_the_line_about_keeping_that_was_shown(
    agent: Agent, hooklore: Run
) -> None:
    by_command = agent.starts("s1")
    path = server_marks_path(agent.home)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("claude user\n")
    by_tool = agent.starts("s2")
    path.write_text("claude plugin\n")
    by_plugin = agent.starts("s3")

    (of_command,), (of_tool,) = taken(agent), taken(agent, "s2")
    (of_plugin,) = taken(agent, "s3")
    assert KEEP_LINE in by_command
    assert KEEP_TOOL_LINE in by_tool
    assert "call `mcp__plugin_hooklore_hooklore__remember` (" in by_plugin
    assert by_plugin in hooklore("snapshot", of_plugin).out
    assert by_command in hooklore("snapshot", of_command).out
    assert by_tool in hooklore("snapshot", of_tool).out


@pytest.mark.req("HK-18")
@pytest.mark.parametrize("is_empty", [True, False])
def test_each_start_of_a_session_has_one_snapshot_of_its_own(
    agent: Agent, hooklore: Run, is_empty: bool
) -> None:
    rule = None if is_empty else agent.remembers(RULE).id

    told = [agent.starts("s1", source) for source in SOURCES]

    found = taken(agent)
    ids = [listed(hooklore, snapshot)["ids"] for snapshot in found]
    assert len(found) == len(set(found)) == 4
    # A resumed session has all of it in its history; a cleared one is asked again to keep what lasts.
    assert [bool(text) for text in told] == [True, False, True, True]
    assert not any(snapshot in "".join(told) for snapshot in found)
    assert ids == ([[]] * 4 if is_empty else [[rule], [], [], [rule]])


@pytest.mark.req("HK-18")
def test_a_start_that_is_delivered_again_has_the_same_snapshot(agent: Agent) -> None:
    payload = json.dumps({"session_id": "s1", "cwd": str(agent.project), "source": "startup"})

    for _ in range(2):
        agent.runner.run(Delivery("claude", "SessionStart", "twice", payload.encode()))

    assert len(taken(agent)) == 1


@pytest.mark.req("HK-18")
def test_a_task_of_a_subagent_has_a_snapshot_too(agent: Agent, hooklore: Run) -> None:
    agent.starts("s1")
    told = agent.told("SubagentStart", agent_id="a1", agent_type="Explore")

    (access,) = [r for r in agent.records("access") if r.get("subagent_id") == "a1"]
    assert told == ""
    assert listed(hooklore, access["body"]["snapshot_id"])["ids"] == []


@pytest.mark.req("HK-18")
def test_a_session_whose_daily_notes_alone_are_told_has_a_snapshot(agent: Agent) -> None:
    folder = agent.place.directory / "notes"
    folder.mkdir(parents=True)
    today = datetime.fromisoformat(agent.broker.now()).astimezone().date()
    (folder / f"{today}.md").write_text("We paint the shed")

    told = agent.starts("s1")

    assert "We paint the shed" in told
    assert len(taken(agent)) == 1


@pytest.mark.req("AU-04")
def test_who_asks_for_what_a_session_was_shown_is_told_its_snapshot(
    agent: Agent, hooklore: Run
) -> None:
    agent.starts("s1")

    (shown,) = hooklore("last", "--json").records

    assert [shown["snapshot_id"]] == taken(agent)


def test_a_session_that_reads_nothing_has_none(memory: Memory) -> None:
    settings = Settings(sessions=SessionSettings(interactive="record"))
    agent = Agent(memory.broker.place, memory.folder, memory.home, settings)

    agent.starts("s1")

    agent.broker.close()
    assert agent.records("session_start")
    assert agent.records("access") == []


def test_an_empty_snapshot_is_nothing_that_a_session_was_shown(
    memory: Memory, hooklore: Run
) -> None:
    settings = Settings(recall=RecallSettings(keep_line=False))
    agent = Agent(memory.broker.place, memory.folder, memory.home, settings)
    agent.starts("silent-1")
    silent = hooklore("last")
    agent.remembers(RULE)
    agent.starts("told-1")
    agent.starts("told-1", "resume")
    told = hooklore("last")
    agent.session = "silent-2"
    agent.hook("SessionEnd", reason="other")
    later = hooklore("last")
    agent.broker.close()

    assert (silent.out, "session silent-1 was shown nothing" in silent.err) == ("", True)
    assert told.out.count(" session told-1, ") == 1
    assert RULE in told.out
    assert "hooklore last --session told-1" in later.err
