"""People and agents that keep something on purpose, in a store of their own."""

from typing import Any

from hooklore.broker import Broker
from hooklore.config import Settings, StoreLocation
from hooklore.memories.write_gate import remember
from hooklore.memories.write_result import WriteResult
from hooklore.records.draft import Principal, ProjectKeys
from hooklore.records.record import Record

KEYS = ProjectKeys(("remote:git.example/mill",), "mill", "/w/mill")
PERSON = Principal(person=True, agent_id="person", permission="owner")


class Desk:
    """One broker, and whoever writes through it."""

    def __init__(self, place: StoreLocation, settings: Settings | None = None) -> None:
        self.broker = Broker(place, settings)

    def who(self, agent: str | None = None, **more: Any) -> Principal:
        """The person, or an agent, at work in the mill."""
        project = self.broker.project_of(KEYS)
        at = {"project": project.id if project else None, **more}
        if agent is None:
            return Principal(person=True, agent_id="person", permission="owner", **at)
        return Principal(agent_id=agent, **at)

    def says(
        self, text: str, key: str | None = None, agent: str | None = None, **more: Any
    ) -> WriteResult:
        """The person, or an agent, keeps something."""
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
        """What stands in a place, the newest first."""
        self.broker.refresh()
        found = self.broker.lookup(f"memory:{place}", who or self.who())
        return [r.body.content_md for r in found]

    def records(self, kind: str | None = None) -> list[Record]:
        """The log, oldest first."""
        return [r for r in self.broker.view.oldest() if kind in (None, r.kind)]
