"""An agent of any kind that works in a project, in process: its own payloads in, its own answers out."""

import itertools
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hooklore.agents.agent import Agent
from hooklore.agents.registry import get_agent
from hooklore.agents.rehearsal import Step
from hooklore.broker import Broker
from hooklore.config import Settings, StoreLocation
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.project import project_keys
from hooklore.hooks.runner import Runner
from hooklore.records.draft import Draft, Receipt
from hooklore.records.record import Record

_numbers = itertools.count(1)


@dataclass
class Member:
    """One agent with a broker of its own. `facts` are the variables of its client that a hook hands over."""

    agent_id: str
    place: StoreLocation
    project: Path
    home: Path
    settings: Settings = field(default_factory=Settings)
    session: str = "s1"
    facts: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.broker = Broker(self.place, self.settings, wait=5.0)
        self.runner = Runner(self.broker, str(self.home), time.time_ns)

    @property
    def agent(self) -> Agent:
        """The description of the agent."""
        return get_agent(self.agent_id)

    def hook(self, event: str, payload: dict[str, Any]) -> bytes:
        """The bytes that one hook call prints: `event` is the client's name for it."""
        rehearsed = self.agent.rehearsal().environment(self.project)
        facts = {name: rehearsed[name] for name in self.agent.marks.names if name in rehearsed}
        raw = json.dumps(payload).encode()
        delivery = Delivery(
            self.agent_id, event, f"delivery-{next(_numbers)}", raw, facts | self.facts
        )
        return self.runner.run(delivery).stdout

    def answer(self, step: Step) -> bytes:
        """The bytes that the hook of a step prints; none where the client has no event for it."""
        if not self.agent.wire_events(step.event):
            return b""
        event, payload = self.agent.rehearsal().payload(step)
        return self.hook(event, payload)

    def told(self, event: Any, **step: Any) -> str:
        """The text that the hook of a step puts before the model."""
        given = {"transcript": str(self.home / f"{self.session}.jsonl")} | step
        if not self.agent.wire_events(event):
            return ""
        found = Step(event, self.session, str(self.project), **given)
        name, payload = self.agent.rehearsal().payload(found)
        return self.agent.rehearsal().context(name, self.hook(name, payload))

    def user_says(self, text: str) -> Receipt:
        """A rule of this project that the user kept on purpose."""
        keys = project_keys(str(self.project), None, str(self.home))
        record = Record({
            "stream": "memory", "kind": "constraint", "agent_id": "person", "basis": "user",
            "body": {"content_md": text},
        })  # fmt: skip
        return self.broker.append([Draft(record, keys)])[0]

    def records(self, kind: str | None = None) -> list[dict[str, Any]]:
        """The records of the log, oldest first."""
        if not self.place.log.exists():
            return []
        found = [json.loads(line) for line in self.place.log.read_bytes().splitlines()]
        return [r for r in found if kind in (None, r["kind"])]
