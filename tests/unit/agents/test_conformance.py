"""Every agent keeps the protocol: it reads at the start, appends at the end, stores no secret, and stops."""

import json
import secrets
from dataclasses import replace
from pathlib import Path

import pytest

from hooklore.agents.agent import Answer
from hooklore.agents.event import Edit
from hooklore.agents.registry import MODULES
from hooklore.agents.rehearsal import Step
from hooklore.config import Settings, StoreLocation
from tests.support.agent import repository
from tests.support.member import Member

pytestmark = [
    pytest.mark.req("MA-05"),
    pytest.mark.parametrize("agent_id", MODULES),
]

RULE = "Always oil the press before a run"
FAILED = "Exit code 1\nPressError: it refuses to start without torque"


@pytest.fixture
def member(agent_id: str, store: StoreLocation, home: Path) -> Member:
    return Member(agent_id, store, repository(home / "widgets"), home)


def unreadable(member: Member) -> Member:
    """The same agent on a store whose log is a folder."""
    member.place.log.unlink(missing_ok=True)
    member.place.log.mkdir(parents=True)
    return Member(member.agent_id, member.place, member.project, member.home, member.settings, "s9")


def test_the_agent_reads_at_the_start_of_its_run(member: Member) -> None:
    member.user_says(RULE)

    told = member.told("session_start", source="startup")

    assert RULE in told
    assert "said by the user" in told


def test_what_the_run_confirmed_is_appended_under_the_agents_id(member: Member) -> None:
    edit = Edit(str(member.project / "press.toml"), "torque = 0", "torque = 47")
    member.told("prompt", prompt="make the press run")
    member.told("failure", command="make press", error=FAILED, tool_use_id="t1")
    member.told("after_tool", edit=edit, tool_use_id="t2")
    member.told("after_tool", command="make press", output="ok", tool_use_id="t3")
    before = len(member.records())
    member.answer(
        Step("answer", "s1", str(member.project), prompt="make the press run",
             answer="The press runs: it needed its torque.")
    )  # fmt: skip

    (fix,) = member.records("fix")
    assert fix["agent_id"] == member.agent_id
    assert "press.toml" in json.dumps(fix["body"])
    if member.agent.wire_events("answer"):
        (answer,) = member.records("answer")
        assert answer["agent_id"] == member.agent_id
        assert len(member.records()) > before
        assert answer["basis"] == "inferred", "an answer is a claim, and confirms nothing"
    assert member.records("prompt")[0]["basis"] == "user"


def test_no_secret_of_the_run_is_stored(member: Member) -> None:
    key = "ghp_" + secrets.token_hex(18)
    mail = f"{secrets.token_hex(4)}@{secrets.token_hex(4)}.co.jp"
    said = f"use the token {key} and write to {mail}"

    member.told("session_start", source="startup")
    member.told("prompt", prompt=said)
    member.told("before_tool", command=f"curl -H 'Authorization: Bearer {key}' localhost")
    member.told("after_tool", command=f"echo {key}", output=said, tool_use_id="t1")
    member.told("failure", command="make press", error=f"Exit code 1\n{said}", tool_use_id="t2")
    member.answer(Step("answer", "s1", str(member.project), prompt=said, answer=said))

    stored = member.place.log.read_text()
    assert len(member.records()) >= min(5, len(member.agent.events) + 1)
    assert key not in stored
    assert mail not in stored


def test_a_failed_read_is_said_once_and_answers_nothing_from_memory(member: Member) -> None:
    member.user_says(RULE)
    later = unreadable(member)

    first = later.told("session_start", source="startup")
    second = later.told("prompt", prompt="shall I oil the press before a run?")

    assert first.startswith("shared memory unreadable: ")
    assert "do not answer from memory" in first
    assert "hooks doctor" in first
    assert second == ""


def test_in_strict_mode_a_failed_read_stops_the_turn(member: Member) -> None:
    lenient = unreadable(member)
    reason = lenient.told("session_start", source="startup")
    later = replace(lenient, settings=Settings(strict=True))
    event, payload = later.agent.rehearsal().payload(
        Step("prompt", "s9", str(later.project), prompt="oil it?")
    )

    printed = later.hook(event, payload)

    assert reason.startswith("shared memory unreadable: ")
    assert printed == later.agent.print_answer(event, Answer(stop_reason=reason))
    assert printed not in (b"", later.agent.print_answer(event, Answer(context=reason)))
    assert RULE not in printed.decode()
