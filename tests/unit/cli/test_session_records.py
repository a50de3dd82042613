"""What a session leaves behind: who acted, what was answered and decided, how it ended, and who is told."""

import json
import re
from typing import Any

import pytest

from hooklore.records.draft import Draft
from hooklore.records.record import Record
from tests.support.agent import Agent
from tests.unit.cli.conftest import Run

ROLES = ("orchestrator", "executor", "reasoner", "researcher", "general")
OPEN = "Where the work was left ("

Json = dict[str, Any]


# ---- who acted


def ran(agent: Agent, number: int, **who: str) -> Json:
    """The record of a command that somebody ran."""
    agent.hook(
        "PostToolUse", tool_name="Bash", tool_input={"command": f"make part-{number}"},
        tool_use_id=f"tool-{number}", tool_response={"stdout": "ok", "stderr": ""}, **who,
    )  # fmt: skip
    return agent.records("tool_result")[-1]


@pytest.mark.req("EV-20")
@pytest.mark.parametrize(
    ("agent_type", "role"),
    [
        ("Explore", "researcher"), ("claude-code-guide", "researcher"), ("Plan", "reasoner"),
        ("general-purpose", "executor"), ("my-own-agent", "general"), (None, "orchestrator"),
    ],
)  # fmt: skip
def test_a_record_has_the_role_of_the_agent_that_acted(
    agent: Agent, hooklore: Run, agent_type: str | None, role: str
) -> None:
    who = {"agent_id": "a-1", "agent_type": agent_type} if agent_type else {}

    record = ran(agent, 1, **who)

    assert (record["role"], record.get("agent_type")) == (role, agent_type)
    assert f"role: {role}" in hooklore("show", record["id"]).lines


@pytest.mark.req("EV-20")
def test_a_role_is_one_of_five_and_another_is_refused(agent: Agent) -> None:
    def said(role: object) -> Draft:
        return Draft(Record({
            "stream": "memory", "kind": "fact", "agent_id": "claude", "scope": "global",
            "role": role, "body": {"content_md": f"said as {role}"},
        }))  # fmt: skip

    good = agent.broker.append([said(role) for role in ROLES])
    bad = agent.broker.append([said(role) for role in ("boss", "Executor", "", 5)])

    assert [receipt.status for receipt in good] == ["stored"] * 5
    assert [record["role"] for record in agent.records("fact")] == list(ROLES)
    assert [receipt.status for receipt in bad] == ["refused"] * 4
    assert all("role" in str(receipt.reason) for receipt in bad)


def test_what_is_kept_for_a_role_is_told_to_that_role_alone(agent: Agent) -> None:
    agent.remembers(
        "Look into the kestrel folder first", visibility="agent-only", role="researcher"
    )
    agent.remembers("Build in the osprey folder", visibility="agent-only", role="executor")
    agent.starts("s-1")

    told = {
        name: agent.told("SubagentStart", agent_id=f"a-{name}", agent_type=name)
        for name in ("Explore", "general-purpose", "my-own-agent")
    }

    assert ("kestrel" in told["Explore"], "osprey" in told["Explore"]) == (True, False)
    assert "osprey" in told["general-purpose"]
    assert "kestrel" not in told["general-purpose"]
    assert told["my-own-agent"] == ""


# ---- its start


def test_the_start_of_a_session_says_its_model_and_its_title(agent: Agent, hooklore: Run) -> None:
    agent.hook(
        "SessionStart", source="startup", model="claude-kestrel-5", session_title="Mend the press"
    )

    (record,) = agent.records("session_start")
    (detail,) = [
        line for line in hooklore("show", record["id"]).lines if line.startswith("detail: ")
    ]

    assert json.loads(detail.removeprefix("detail: ")) == {
        "source": "startup", "entrypoint": "cli", "model": "claude-kestrel-5",
        "title": "Mend the press",
    }  # fmt: skip


# ---- its answers


@pytest.mark.req("HK-04")
def test_the_final_answer_is_recorded_with_high_priority(agent: Agent, hooklore: Run) -> None:
    agent.starts("s-1")

    agent.hook("Stop", last_assistant_message="The press runs again: its torque was missing.")

    (answer,) = agent.records("answer")
    assert answer["body"]["text"] == "The press runs again: its torque was missing."
    assert answer["body"]["priority"] == "high"
    assert answer["session_id"] == "s-1"
    assert "its torque was missing" in hooklore("run", "s-1").out


@pytest.mark.req("HK-04")
@pytest.mark.parametrize(
    ("prompt", "approvals", "rejections"),
    [
        ("yes, go ahead", 1, 0), ("それで良い", 1, 0), ("no, that is wrong", 0, 1),
        ("違う", 0, 1), ("No, use the other press instead", 0, 1), ("what does the press cost?", 0, 0),
    ],
)  # fmt: skip
def test_what_the_user_says_to_an_answer_is_its_signal(
    agent: Agent, hooklore: Run, prompt: str, approvals: int, rejections: int
) -> None:
    agent.starts("s-1")
    agent.hook("Stop", last_assistant_message="I would replace the press by a larger one.")
    (answer,) = agent.records("answer")
    (before,) = hooklore("why", answer["id"], "--json").records

    agent.asks(prompt)
    (after,) = hooklore("why", answer["id"], "--json").records

    said = after["evidence"]
    assert (said["approvals"], said["rejections"]) == (approvals, rejections)
    moved = after["factors"]["user_signal"] - before["factors"]["user_signal"]
    assert (moved > 0, moved < 0) == (bool(approvals), bool(rejections))


def ended(agent: Agent, **payload: Any) -> tuple[Json, Json]:
    """What tools showed at the session's end, and what the agent said."""
    agent.hook("SessionEnd", reason="other", **payload)
    found = agent.records("session_end")[-1]["body"]
    return found["sections"], found["agent_said"]


@pytest.mark.req("HK-04")
def test_what_an_answer_decided_is_kept_unless_the_user_rejects_it(agent: Agent) -> None:
    agent.starts("s-1")
    agent.hook("Stop", last_assistant_message="We decided to send integer cents to the gateway.")
    agent.asks("yes, go ahead")
    agent.hook("Stop", last_assistant_message="I decided to drop the old table of orders.")
    agent.asks("no, that is wrong")
    agent.hook("Stop", last_assistant_message="## Decisions\n- The old table stays.\n")

    _, said = ended(agent)

    assert set(said["decisions"]) == {
        "We decided to send integer cents to the gateway", "The old table stays.",
    }  # fmt: skip
    agent.hook("PreCompact", trigger="auto", custom_instructions="")
    told = agent.starts("s-1", "compact")
    assert "integer cents" in told
    assert "drop the old table" not in told


# ---- its end


@pytest.mark.req("HK-06")
def test_the_end_says_results_what_is_unresolved_and_what_comes_next(
    agent: Agent, hooklore: Run
) -> None:
    agent.starts("s-1")
    agent.asks("Make the tests and the linter of the press pass")
    agent.fails("make test", "KeyError: 'colour' in widgets.ini")
    agent.edits("widgets.ini", "colour = red")
    agent.passes("make test")
    agent.fails("make lint", "E501 line too long: widgets/press.py")
    agent.hook("TaskCreated", task_id="1", task_subject="Shorten the lines of the press")
    agent.hook("TaskCreated", task_id="2", task_subject="Mend the colour")
    agent.hook("TaskCompleted", task_id="2", task_subject="Mend the colour")
    agent.hook("Stop", last_assistant_message=(
        "The tests pass again: the colour was missing.\n\n"
        "## Open questions\n- Who reads the colour?\n- The mill is still red.\n\n"
        "## Next steps\n- Ask the mill about its colour.\n"
    ))  # fmt: skip

    sections, said = ended(agent)

    (end,) = agent.records("session_end")
    assert (end["body"]["priority"], end["session_id"]) == ("high", "s-1")
    assert sections["results"] == ["changed widgets.ini", "`make test` passes"]
    (failing,) = sections["unresolved"]
    assert failing.startswith("`make lint` fails: ")
    assert "line too long" in failing
    assert sections["next_actions"] == ["Shorten the lines of the press"]
    assert said["answer"][0].startswith("The tests pass again: the colour was missing.")
    assert said["waiting"] == ["Who reads the colour?", "The mill is still red."]
    assert said["next_actions"] == ["Ask the mill about its colour."]
    lines = hooklore("show", end["id"]).lines
    for name, found in (("sections", sections), ("agent_said", said)):
        (line,) = [x for x in lines if x.startswith(f"{name}: ")]
        assert json.loads(line.removeprefix(f"{name}: ")) == found


@pytest.mark.req("HK-06")
def test_the_next_session_is_told_what_the_last_one_left_open(agent: Agent) -> None:
    agent.starts("s-1")
    agent.fails("make lint", "E501 line too long: widgets/press.py")
    agent.hook("Stop", last_assistant_message="The press runs.\n\nNext steps:\n- Ask the mill.\n")
    ended(agent)

    told = agent.starts("s-2")

    left = told[told.index(OPEN) :]
    assert re.search(r"- `make lint` fails: .*line too long", left)
    assert "- to do: Ask the mill" in left
    assert "The press runs." not in left[: left.index("- to do: ")]


@pytest.mark.req("HK-06")
def test_what_was_left_open_is_told_until_it_is_closed(agent: Agent) -> None:
    agent.starts("s-1")
    agent.fails("make lint", "E501 line too long: widgets/press.py")
    agent.hook("Stop", last_assistant_message="Red.\n\nNext steps:\n- Ask the mill.\n")
    ended(agent)
    agent.starts("s-2")
    ended(agent)

    still_open = agent.starts("s-3")
    agent.edits("press.py", "short = 1")
    agent.passes("make lint")
    agent.hook(
        "Stop", last_assistant_message="Green. I asked the mill.\n\nNext steps:\n- Oil the press.\n"
    )
    ended(agent)
    closed = agent.starts("s-4")

    assert "`make lint` fails" in still_open
    assert "- to do: Ask the mill" in still_open
    assert "make lint" not in closed
    assert "Ask the mill" not in closed
    assert "to do: Oil the press" in closed


@pytest.mark.req("HK-13", "HK-26")
def test_a_resumed_session_is_not_told_again_what_was_left_open(agent: Agent) -> None:
    agent.starts("s-1")
    agent.fails("make lint", "E501 line too long: widgets/press.py")
    ended(agent)

    first, again = agent.starts("s-2"), agent.starts("s-2", "resume")

    assert "`make lint` fails" in first
    assert again == ""


@pytest.mark.req("HK-06")
def test_a_session_in_which_nothing_happened_has_three_empty_sections(agent: Agent) -> None:
    agent.starts("s-1")

    sections, said = ended(agent)

    assert sections == {"results": [], "unresolved": [], "next_actions": []}
    assert said == {"answer": []}


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_a_session_is_told_of_the_ends_of_others_newest_first_and_never_of_its_own(
    agent: Agent, source: str
) -> None:
    for session, step in (("s-1", "Turn the mill"), ("s-2", "Oil the press")):
        agent.starts(session)
        agent.hook("Stop", last_assistant_message=f"Done.\n\nNext steps:\n- {step}\n")
        ended(agent)

    own, other = agent.starts("s-2", source), agent.starts("s-3", "startup")

    assert "Oil the press" not in own
    assert "Oil the press" in other
    assert other.index("Oil the press") < other.index("Turn the mill")
