"""A stream of recorded hook payloads, recorded in one process: every record, and nothing recalled."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hooklore.broker import Broker
from hooklore.config import Settings, store_location_at
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from hooklore.index.view import View
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from tests.replay.play import Payload, read, relocate

_RECORDED: Final = frozenset(
    ("SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd")
)


class RecordedStream:
    """A stream whose payloads stand in a log: `payloads` by place, and the record of each tool call."""

    def __init__(self, broker: Broker, view: View, payloads: list[Payload]) -> None:
        """`broker` has recorded `payloads`, and `view` reads the same log."""
        self.reader = broker.as_reader(PERSON)
        self.view = view
        self.payloads = payloads
        self._by_call: dict[str, Record] = {}
        self.fixes: list[Record] = []
        for record in reversed(list(view.newest())):
            self._by_call.setdefault(_call_of(record), record)
            if record.kind == "fix":
                self.fixes.append(record)

    def record_at(self, place: int) -> Record | None:
        """Return the record of the tool call at a place of the stream; None when nothing was kept."""
        return self._by_call.get(str(self.payloads[place].get("tool_use_id")))

    def fixes_of(self, failure: Record) -> list[Record]:
        """Return the records that say what made a failure pass, oldest first."""
        return [fix for fix in self.fixes if failure.id in fix.body.failures]


def _call_of(record: Record) -> str:
    """Return the client's id of the call that a record tells of; the intent of a call is another record."""
    name = record.natural_key or ""
    return "" if record.kind == "tool_intent" else name.rpartition("|")[2]


@contextmanager
def recorded(file: Path, last: int, folder: Path) -> Iterator[RecordedStream]:
    """Record a stream up to the payload at the place `last`, in a store below `folder`."""
    home = folder / "home"
    (home / "project").mkdir(parents=True)
    payloads = relocate(read(file), home / "project")[: last + 1]
    broker = Broker(store_location_at(home / "store"), Settings())
    runner = Runner(broker, str(home), time.time_ns)
    try:
        for place, payload in enumerate(payloads):
            if payload["hook_event_name"] in _RECORDED:
                _record(broker, runner, place, payload)
        broker.index()
        view = View(broker.place)
        broker.refresh()
        view.refresh()
        yield RecordedStream(broker, view, payloads)
        view.close()
    finally:
        broker.close()


def _record(broker: Broker, runner: Runner, place: int, payload: Mapping[str, object]) -> None:
    facts = {"CLAUDE_CODE_ENTRYPOINT": "cli"}
    event, body = str(payload["hook_event_name"]), json.dumps(payload).encode()
    runner.record([Delivery("claude", event, f"d{place}", body, facts)])
    if broker.needs_indexing():
        broker.index()
        broker.refresh()
