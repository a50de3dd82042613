"""A rehearsal's payloads have fields that the client was recorded with, and are read back as the step."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hooklore.agents.event import Edit
from hooklore.agents.registry import MODULES, get_agent
from hooklore.agents.rehearsal import Step
from hooklore.hooks.parse import parse_event

FIXTURES = Path(__file__).parents[2] / "fixtures"
STEPS = (
    Step("session_start", "s1", "/p", source="startup"),
    Step("prompt", "s1", "/p", prompt="make the press run"),
    Step("before_tool", "s1", "/p", command="make press", tool_use_id="t1"),
    Step("after_tool", "s1", "/p", command="make press", output="pressed", tool_use_id="t1"),
    Step("after_tool", "s1", "/p", edit=Edit("/p/a.toml", "x = 0", "x = 1"), tool_use_id="t2"),
    Step("failure", "s1", "/p", command="make", error="Exit code 2\nno rule", tool_use_id="t3"),
    Step("answer", "s1", "/p", answer="The press runs."),
    Step("before_compaction", "s1", "/p", source="manual"),
    Step("session_end", "s1", "/p", source="other"),
)

TOLD = [
    pytest.param(agent_id, step, id=f"{agent_id}-{step.event} {step.edit and 'edit'}")
    for agent_id in MODULES
    for step in STEPS
    if get_agent(agent_id).wire_events(step.event)
]
"""Each agent with the steps that its client has an event for."""

pytestmark = pytest.mark.parametrize(("agent_id", "step"), TOLD)


def recorded_fields(agent_id: str, event: str) -> set[str]:
    """The fields of every recorded payload of an event."""
    folder = FIXTURES / MODULES[agent_id].rpartition(".")[2]
    paths = [path for path in folder.glob("*.json") if path.stem.split("-")[0] == event]
    payloads: list[dict[str, Any]] = [json.loads(path.read_text("utf-8")) for path in paths]
    assert payloads, f"no payload of {event} was recorded"
    return {field for payload in payloads for field in payload}


def test_every_field_was_recorded(agent_id: str, step: Step) -> None:
    name, payload = get_agent(agent_id).rehearsal().payload(step)

    assert set(payload) <= recorded_fields(agent_id, name)


def test_the_hook_reads_what_the_step_says(agent_id: str, step: Step, tmp_path: Path) -> None:
    agent = get_agent(agent_id)
    given = replace(step, transcript=str(tmp_path / "session.jsonl"))
    name, payload = agent.rehearsal().payload(given)

    event = parse_event(agent_id, name, "d1", {}, json.dumps(payload).encode())

    assert (event.event, event.session_id, event.cwd) == (step.event, "s1", "/p")
    assert (event.source, event.command) == (step.source, step.command)
    said = step.prompt or step.answer or step.error
    assert (event.text or "").replace("Exit Code:", "Exit code") == (said or "")
    assert event.call.edits == ((step.edit,) if step.edit else ())
