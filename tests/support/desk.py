"""Let people and agents write memories on purpose, in a store of their own."""

import json
from collections.abc import Callable
from typing import Any

from hooklore.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.config import Settings, StoreLocation
from hooklore.memories.write_gate import remember
from hooklore.memories.write_result import WriteResult
from hooklore.records import keys
from hooklore.records.draft import Principal, ProjectKeys
from hooklore.records.record import Record

KEYS = ProjectKeys(("remote:git.example/mill",), "mill", "/w/mill")
PERSON = Principal(person=True, agent_id="person", permission="owner")


class Desk:
    """One broker, and the people and agents who write through it."""

    def __init__(self, place: StoreLocation, settings: Settings | None = None) -> None:
        self.broker = Broker(place, settings)

    def who(self, agent: str | None = None, **more: Any) -> Principal:
        """Return the person, or an agent, at work in the mill."""
        project = self.broker.project_of(KEYS)
        at = {"project": project.id if project else None, **more}
        if agent is None:
            return Principal(person=True, agent_id="person", permission="owner", **at)
        return Principal(agent_id=agent, **at)

    def reader(self, agent: str | None = None, **more: Any) -> Reader:
        """Return what the person, or an agent, may read, as the log is now."""
        self.broker.refresh()
        return self.broker.as_reader(self.who(agent, **more))

    def get(self, id_: str) -> Record:
        """Return a record by its id, as the person sees it."""
        return self.reader().get(id_)

    def says(
        self, text: str, key: str | None = None, agent: str | None = None, **more: Any
    ) -> WriteResult:
        """Write a memory as the person, or as an agent."""
        event: dict[str, Any] = {
            "agent_id": agent or "person",
            "kind": "config",
            "confidence": "high",
            "content_md": text,
            "source": {"system": "cli"},
            "scope": "global",
            "basis": None if agent else "user",
            "dedupe_key": key,
            **more,
        }
        if event["scope"] is None:
            del event["scope"]
        given = {name: value for name, value in event.items() if value is not None}
        return remember(self.broker, given, self.who(agent), KEYS)

    def texts(self, who: Principal | None = None, place: str = "global") -> list[str]:
        """Return the texts of the memories in force of a place, the newest first."""
        self.broker.refresh()
        found = self.broker.as_reader(who or self.who()).lookup(keys.memories_at(place))
        return [r.body.content_md for r in found]

    def records(self, kind: str | None = None) -> list[Record]:
        """Return the records of the log, oldest first."""
        found = [r for r in self.reader().newest(ended=True) if kind in (None, r.kind)]
        return found[::-1]


def keep_high_stake(run: Callable[..., str]) -> str:
    """Keep a decision that waits for a person, by a command of the user's terminal. Return its id."""
    words = ("We deploy by hand.", "--kind", "decision", "--stake", "high", "--json")
    return str(json.loads(run("hooklore", "remember", *words))["id"])
