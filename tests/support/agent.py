"""An agent that works in a project, in process: payloads in, what the model is shown out."""

import itertools
import json
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hooklore.broker import Broker
from hooklore.config import Settings, StoreLocation
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.project import project_keys
from hooklore.hooks.runner import Runner
from hooklore.records.draft import Draft, Receipt
from hooklore.records.record import Record

_numbers = itertools.count(1)


@dataclass
class Agent:
    """One agent with a broker of its own; `hook` is a call of Claude Code, where a person types by default."""

    place: StoreLocation
    project: Path
    home: Path
    settings: Settings = field(default_factory=Settings)
    session: str = "s1"
    entrypoint: str = "cli"

    def __post_init__(self) -> None:
        self.broker = Broker(self.place, self.settings, wait=5.0)
        self.runner = Runner(self.broker, str(self.home), time.time_ns)

    def hook(self, event: str, **payload: Any) -> dict[str, Any]:
        """The answer to one hook call, parsed; {} when nothing was printed."""
        full = {"session_id": self.session, "cwd": str(self.project), "hook_event_name": event}
        return self.deliver(event, json.dumps(full | payload).encode())

    def deliver(self, event: str, raw: bytes, **facts: str) -> dict[str, Any]:
        """The answer to a payload as it came, parsed; {} when nothing was printed."""
        facts = {"CLAUDE_CODE_ENTRYPOINT": self.entrypoint, **facts}
        answer = self.runner.run(
            Delivery("claude", event, f"delivery-{next(_numbers)}", raw, facts)
        )
        return json.loads(answer.stdout) if answer.stdout else {}

    def told(self, event: str, **payload: Any) -> str:
        """The text that one hook call puts in front of the model."""
        answer = self.hook(event, **payload)
        return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def starts(self, session: str, source: str = "startup") -> str:
        """Begin a session; what it is told."""
        self.session = session
        return self.told("SessionStart", source=source)

    def asks(self, prompt: str) -> str:
        """A prompt of the user's; what is recalled for it."""
        return self.told("UserPromptSubmit", prompt=prompt)

    def about_to(self, command: str) -> str:
        """What is recalled before a command."""
        return self.told(
            "PreToolUse", tool_name="Bash", tool_input={"command": command},
            tool_use_id=f"t{next(_numbers)}",
        )  # fmt: skip

    def fails(self, command: str, error: str) -> str:
        """A command fails; what is recalled at once."""
        return self.told(
            "PostToolUseFailure", tool_name="Bash", tool_input={"command": command},
            tool_use_id=f"t{next(_numbers)}", error=f"Exit code 1\n{error}", is_interrupt=False,
        )  # fmt: skip

    def passes(self, command: str, stdout: str = "ok") -> None:
        """A command passes."""
        self.hook(
            "PostToolUse", tool_name="Bash", tool_input={"command": command},
            tool_use_id=f"t{next(_numbers)}",
            tool_response={"stdout": stdout, "stderr": "", "interrupted": False},
        )  # fmt: skip

    def edits(self, path: str, new: str) -> None:
        """An edit of a file."""
        file = str(self.project / path)
        self.hook(
            "PostToolUse", tool_name="Edit", tool_use_id=f"t{next(_numbers)}",
            tool_input={"file_path": file, "old_string": "x", "new_string": new},
            tool_response={"filePath": file},
        )  # fmt: skip

    def remembers(self, text: str, kind: str = "constraint", **fields: Any) -> Receipt:
        """A memory said on purpose: of this project, or with `scope="global"`."""
        keys = None
        if "scope" not in fields:
            keys = project_keys(str(self.project), None, str(self.home))
        more = {k: fields.pop(k) for k in ("paths", "tags") if k in fields}
        record = Record({
            "stream": "memory", "kind": kind, "agent_id": "claude", "basis": "user",
            "body": {"content_md": text, **more}, **fields,
        })  # fmt: skip
        return self.broker.append([Draft(record, keys)])[0]

    def records(self, kind: str | None = None) -> list[dict[str, Any]]:
        """The records of the log, oldest first."""
        found = [json.loads(line) for line in self.place.log.read_bytes().splitlines()]
        return [r for r in found if kind in (None, r["kind"])]


def repository(path: Path, remote: str | None = None) -> Path:
    """A git repository without a commit."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(path)], check=True)
    if remote:
        subprocess.run(["git", "-C", str(path), "remote", "add", "origin", remote], check=True)
    return path
