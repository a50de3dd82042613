"""The memory files that Claude Code's model writes for itself, in the folder of an agent's project."""

import json
from pathlib import Path
from typing import Any

from hooklore.agents.claude_code.memory_folder import find_memory_folders
from hooklore.hooks.delivery import Delivery
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from tests.support.agent import Agent

DESCRIBED = """\
---
name: {name}
description: {description}
metadata:
  type: {type}
---

{text}
"""


def transcript(agent: Agent) -> str:
    """Return the path of the session's transcript, as the client's payloads have it."""
    return str(agent.home / ".claude" / "projects" / "-any" / f"{agent.session}.jsonl")


def folder(agent: Agent) -> Path:
    """Return the folder of the project's memory files."""
    path = Path(find_memory_folders(transcript(agent), (str(agent.project),))[0])
    path.mkdir(parents=True, exist_ok=True)
    return path


def write(agent: Agent, name: str, text: str) -> Path:
    """Write one memory file."""
    path = folder(agent) / name
    path.write_text(text, "utf-8")
    return path


def describe(agent: Agent, name: str, description: str, text: str, sort: str = "project") -> Path:
    """Write one memory file in the form that the client asks its model for."""
    told = DESCRIBED.format(name=name, description=description, type=sort, text=text)
    return write(agent, f"{name}.md", told)


def start(agent: Agent, session: str = "s1", **payload: Any) -> str:
    """Begin a session, whose client tells where its transcript lies. Return what it is told."""
    agent.session = session
    more = {"source": "startup", "transcript_path": transcript(agent)} | payload
    return agent.told("SessionStart", **more)


def begin(agent: Agent, client: str, transcript_path: Path | str | None = None) -> str:
    """Begin a session of another client, and return what it prints."""
    payload = {
        "session_id": f"{client}-1", "cwd": str(agent.project), "source": "startup",
        "hook_event_name": "SessionStart", "transcript_path": str(transcript_path) if transcript_path else None,
    }  # fmt: skip
    raw = json.dumps(payload).encode()
    delivery = Delivery(client, "SessionStart", f"{client}-start", raw, {})
    return agent.runner.run(delivery).stdout.decode()


def answer(agent: Agent) -> None:
    """End a turn of the session."""
    agent.hook("Stop", last_assistant_message="Done.", transcript_path=transcript(agent))


def standing(agent: Agent) -> list[Record]:
    """Return the memories in force that wait for nobody, oldest first."""
    agent.broker.refresh()
    reader = agent.broker.as_reader(PERSON)
    found = [r for r in reader.newest() if r.stream == "memory" and not r.waits]
    return reader.select_in_force(found)[::-1]


def texts(agent: Agent) -> list[str]:
    """Return the texts of the memories in force, oldest first."""
    return [r.body.content_md for r in standing(agent)]
