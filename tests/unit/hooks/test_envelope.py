"""The experience envelope of seed 003, as real hook payloads fill it and as the log accepts it."""

import json
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from hooklore.cli.main import hooklore_main
from hooklore.config import CaptureSettings, Settings, StoreLocation, load_settings
from hooklore.hooks.delivery import Delivery
from hooklore.records.draft import Draft, Principal
from hooklore.records.record import Record
from tests.support.agent import Agent, repository

FIXTURES = Path(__file__).parents[2] / "fixtures" / "claude_code"
DAY_NS = 86_400 * 10**9
PRESS = "PressError: the press refuses to start without torque"

Clock = Callable[[float], None]


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


def delivered(agent: Agent, name: str) -> dict[str, Any]:
    """Deliver a recorded payload of the real client, and return the record that it left."""
    raw = (FIXTURES / f"{name}.json").read_bytes()
    event = json.loads(raw)["hook_event_name"]
    agent.runner.run(Delivery("claude", event, f"d-{name}", raw))
    return agent.records()[-1]


def solves(agent: Agent, command: str, error: str, path: str) -> None:
    """Play a failure that an edit ends."""
    agent.fails(command, error)
    agent.edits(path, "torque = 47")
    agent.passes(command)


# ---- each field


@pytest.mark.req("EV-19")
def test_a_payload_fills_who_acted_in_which_task(agent: Agent) -> None:
    record = delivered(agent, "PreToolUse-Bash")
    payload = json.loads((FIXTURES / "PreToolUse-Bash.json").read_bytes())

    assert record["agent_id"] == "claude"
    assert record["task_id"] == payload["prompt_id"] == str(uuid.UUID(record["task_id"]))
    assert record["role"] == "orchestrator"
    agent.hook("SubagentStart", agent_id="a1", agent_type="Explore")
    assert agent.records("subagent_start")[-1]["role"] == "researcher"


@pytest.mark.req("EV-19")
def test_payloads_of_tools_fill_intent_actions_outcome_artifacts_errors_and_cost(
    agent: Agent,
) -> None:
    intent = delivered(agent, "PreToolUse-Bash")["body"]
    passed = delivered(agent, "PostToolUse-Edit")["body"]
    failed = delivered(agent, "PostToolUseFailure-Bash")["body"]

    assert (intent["intent"], intent["actions"]) == ("say hi", ["Bash: echo hi"])
    assert (passed["outcome"], failed["outcome"]) == ("success", "failure")
    assert passed["artifacts"] == ["/repo/note.txt"]
    assert failed["errors"] == ["oops"]
    assert passed["cost"] == {"tokens": 0, "time_ms": 6}
    assert failed["cost"]["time_ms"] == 39


@pytest.mark.req("EV-19")
def test_the_end_of_a_session_fills_lessons_with_its_errors_and_what_ended_them(
    agent: Agent,
) -> None:
    agent.starts("s0")
    solves(agent, "make mill", "MillError: the mill is older than this session", "mill.toml")
    agent.starts("s1")
    solves(agent, "make test", PRESS, "widgets.toml")
    agent.fails("gh pr create --label docs", "could not add label: 'docs' not found")
    agent.passes("gh pr create --body text")
    agent.fails("npm test", "Error: ENOENT: no such file, open 'queue.md'")
    agent.passes("npm test")  # went away by itself, which taught nothing
    agent.fails("make lint", "LintError: nobody mended this")
    agent.hook("SessionEnd", reason="other")

    lessons = agent.records("session_end")[-1]["body"]["lessons"].splitlines()

    assert lessons == [
        f"{PRESS} → edit of widgets.toml (torque = 47)",
        "could not add label: 'docs' not found → ran `gh pr create --body text`",
    ]


@pytest.mark.req("EV-19")
def test_the_end_of_a_session_fills_its_cost_with_the_tokens_of_its_transcript(
    agent: Agent, tmp_path: Path
) -> None:
    usage = {"input_tokens": 3, "output_tokens": 4}
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(json.dumps({"message": {"id": "m1", "usage": usage}}) + "\n")

    agent.hook("SessionEnd", reason="other", transcript_path=str(transcript))

    assert agent.records("session_end")[-1]["body"]["cost"] == {"tokens": 7, "time_ms": 0}


@pytest.mark.req("EV-19")
def test_lessons_are_bounded_and_redacted(agent: Agent) -> None:
    secret = "gh" + "p_" + "Zk3" * 12
    agent.starts("s1")
    for number in range(12):
        solves(agent, f"make part_{number}", f"PartError: {number} is {'long ' * 200}", "part.toml")
        agent.fails("npm test", f"Error: ENOENT: no such file, open 'queue_{number}.md'")
        agent.passes(
            "npm test"
        )  # went away by itself, which is no lesson and takes no other's place
    solves(agent, "make test", f"PressError: the token {secret} is not accepted", "press.toml")
    agent.hook("SessionEnd", reason="other")

    lessons = agent.records("session_end")[-1]["body"]["lessons"]

    assert len(lessons.splitlines()) == 6
    assert len(lessons) <= 6 * 401 + 5
    assert "the token" in lessons
    assert secret not in lessons


@pytest.mark.req("EV-19")
def test_a_session_without_a_fix_has_no_lessons_and_no_other_projects_fix_is_told(
    agent: Agent, tmp_path: Path
) -> None:
    elsewhere = Agent(agent.place, repository(tmp_path / "gadgets"), agent.home, session="s1")
    solves(elsewhere, "make test", PRESS, "gadgets.toml")
    elsewhere.broker.close()
    agent.starts("s1")
    agent.hook("SessionEnd", reason="other")

    assert "lessons" not in agent.records("session_end")[-1]["body"]


# ---- privacy


PRIVATE_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("mcp__notes__remember", {"content": "The nightingale sleeps", "private": True}),
    ("mcp__notes__remember", {"text": "The nightingale sleeps", "is_private": "1"}),
    ("Bash", {"command": "hooklore remember 'The nightingale sleeps' --private"}),
    ("mcp__notes__remember", {"note": "The nightingale sleeps", "private": "certainly"}),
    ("Bash", {"command": "cd /tmp && hooklore remember --private 'The nightingale sleeps'"}),
]

OPEN_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("mcp__notes__remember", {"content": "The nightingale sleeps", "private": False}),
    ("mcp__forge__create_repository", {"name": "nightingale", "private": True}),
    ("Bash", {"command": "hooklore remember 'The nightingale sleeps'"}),
    ("Bash", {"command": "gh repo create nightingale --private"}),
]


def calls(agent: Agent, tool: str, given: dict[str, Any]) -> list[dict[str, Any]]:
    """Run the three hooks of a tool call, and return the records that they left."""
    before = len(agent.records()) if agent.place.log.exists() else 0
    common = {"tool_name": tool, "tool_input": given}
    agent.hook("PreToolUse", **common, tool_use_id="t1")
    agent.hook("PostToolUse", **common, tool_use_id="t1", tool_response={"stdout": "kept"})
    agent.hook("PostToolUseFailure", **common, tool_use_id="t2", error="Exit code 1\nno room")
    return [r for r in agent.records()[before:] if r["stream"] == "observation"]


@pytest.mark.req("EV-19")
@pytest.mark.parametrize(("tool", "given"), PRIVATE_CALLS)
def test_what_a_call_marks_as_private_is_recorded_as_private_and_no_agent_finds_it(
    agent: Agent, tool: str, given: dict[str, Any]
) -> None:
    agent.starts("s1")
    recorded = calls(agent, tool, given)
    agent.starts("s2")

    assert recorded
    assert [r["is_private"] for r in recorded] == [True] * len(recorded)
    assert "nightingale" in json.dumps(recorded)
    project = recorded[0]["project"]
    other = agent.broker.as_reader(Principal(agent_id="codex", project=project))
    assert [r for r in other.newest() if "nightingale" in str(r.to_json())] == []


def test_a_private_memory_that_the_person_keeps_by_a_slash_command_is_private(
    agent: Agent,
) -> None:
    agent.asks(
        "<command-message>hooklore:memory</command-message>\n"
        "<command-name>/hooklore:memory</command-name>\n"
        "<command-args>save 'The nightingale sleeps' --private</command-args>"
    )

    assert [r["is_private"] for r in agent.records("prompt")] == [True]


@pytest.mark.req("EV-19")
@pytest.mark.parametrize(("tool", "given"), OPEN_CALLS)
def test_every_other_call_is_recorded_as_open(
    agent: Agent, tool: str, given: dict[str, Any]
) -> None:
    agent.starts("s1")
    recorded = calls(agent, tool, given)

    assert recorded
    assert [r["is_private"] for r in recorded] == [False] * len(recorded)


# ---- expiry


@pytest.fixture
def brief_keeper(agent: Agent) -> Iterator[tuple[Agent, Clock]]:
    """Yield an agent whose observations are kept for ten days, and the means to let days pass."""
    settings = Settings(capture=CaptureSettings(keep_days=10))
    found = replace(agent, settings=settings)
    start = time.time_ns()

    def after(days: float) -> None:
        now = start + int(days * DAY_NS)
        found.broker._now_ns = found.runner._now_ns = lambda: now

    after(0)
    yield found, after
    found.broker.close()


@pytest.mark.req("EV-19")
def test_without_a_setting_nothing_that_hooks_record_expires(agent: Agent) -> None:
    agent.starts("s1")
    solves(agent, "make test", PRESS, "widgets.toml")
    agent.hook("SessionEnd", reason="other")

    assert [r for r in agent.records() if r.get("expires_at")] == []


@pytest.mark.req("EV-19")
def test_where_the_user_sets_days_every_observation_and_its_fix_expires_after_them(
    brief_keeper: tuple[Agent, Clock],
) -> None:
    agent, _ = brief_keeper
    agent.starts("s1")
    agent.asks("Make the widget tests pass.")
    solves(agent, "make test", PRESS, "widgets.toml")
    agent.hook("SessionEnd", reason="other")
    agent.remembers("We press at 47", "fact")

    kept = [r for r in agent.records() if r["stream"] == "observation" or r["kind"] == "fix"]

    assert {r["kind"] for r in kept} >= {"prompt", "error", "tool_result", "fix", "session_end"}
    for record in kept:
        assert _days_between(record["ts"], record["expires_at"]) == pytest.approx(10, abs=0.001)
    assert "expires_at" not in agent.records("fact")[-1]


def _days_between(first: str, last: str) -> float:
    return (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds() / 86_400


@pytest.mark.req("EV-19")
def test_what_has_expired_leaves_briefs_recall_and_lists_and_stays_in_the_log(
    brief_keeper: tuple[Agent, Clock],
) -> None:
    agent, after = brief_keeper
    agent.starts("s1")
    agent.asks("The payment gateway Kestrel rejects amounts in float, we send integer cents there")
    solves(agent, "make test", PRESS, "widgets.toml")
    agent.hook("Stop", last_assistant_message="Next steps:\n- Check the torque of the press")
    agent.hook("SessionEnd", reason="other")
    lines = len(agent.records())

    def told(session: str) -> list[bool]:
        """Return whether a new session's brief, prompt and failure bring what the first session left."""
        brief = agent.starts(session)
        said = agent.asks("Why does the Kestrel payment gateway reject our float amounts?")
        return [
            "torque" in brief,
            "integer cents" in said,
            "torque = 47" in agent.fails("make test", PRESS),
        ]

    after(9)
    before_the_end = told("s2")
    after(10.01)
    reader = agent.broker.as_reader(Principal(person=True))
    old = [Record(fields) for fields in agent.records()[:lines]]
    after_the_end = told("s3")

    assert before_the_end == [True, True, True]
    assert after_the_end == [False, False, False]
    assert [r.kind for r in old if r.stream == "observation" and reader.is_in_force(r)] == []
    assert len(agent.records()) > lines


@pytest.mark.parametrize("value", ["-1", "1.5", '"a month"', "40000"])
def test_a_bad_number_of_days_is_refused_with_its_name(tmp_path: Path, value: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"[capture]\nkeep_days = {value}\n")

    (problem,) = load_settings(path).problems
    assert "capture.keep_days" in str(problem)


# ---- defaults and wrong types


MINIMAL: dict[str, Any] = {
    "stream": "observation", "kind": "tool_result", "agent_id": "claude", "body": {},
}  # fmt: skip


@pytest.mark.req("EV-19")
def test_fields_that_are_left_out_get_their_defaults(
    agent: Agent, capfd: pytest.CaptureFixture[str]
) -> None:
    (receipt,) = agent.broker.append([Draft(Record(MINIMAL))])
    hooklore_main(("schema",))
    schema = json.loads(capfd.readouterr().out)
    envelope, body = schema["properties"], schema["$defs"]["observation"]["properties"]

    assert receipt.status == "stored"
    assert agent.records()[-1]["is_private"] is False
    assert (envelope["role"]["default"], envelope["visibility"]["default"]) == ("general", "public")
    assert [envelope[name]["default"] for name in ("task_id", "expires_at")] == [None, None]
    assert [body[name]["default"] for name in ("intent", "outcome", "lessons")] == [None] * 3
    assert body["cost"]["default"] == {"tokens": 0, "time_ms": 0}


WRONG: list[dict[str, Any]] = [
    {"agent_id": 7}, {"agent_id": "Not An Agent"}, {"role": "boss"}, {"task_id": 7},
    {"expires_at": 7}, {"visibility": "friends"},
    *(
        {"body": body}
        for body in (
            {"intent": ["x"]}, {"actions": "x"}, {"actions": [7]}, {"outcome": "done"},
            {"artifacts": "x"}, {"errors": {"x": 1}}, {"lessons": ["x"]}, {"cost": 7},
            {"cost": {"tokens": "7"}}, {"cost": {"time_ms": -1}},
        )
    ),
]  # fmt: skip


@pytest.mark.req("EV-19")
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_a_field_of_the_wrong_type_is_refused_and_never_reaches_the_log(
    agent: Agent, wrong: dict[str, Any]
) -> None:
    agent.starts("s1")
    before = agent.place.log.read_bytes()

    (receipt,) = agent.broker.append([Draft(Record(MINIMAL | wrong))])

    assert receipt.status == "refused"
    assert next(iter(wrong.get("body", wrong))) in str(receipt.reason)
    assert agent.place.log.read_bytes() == before
