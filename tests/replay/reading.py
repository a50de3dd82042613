"""What a replay showed, drawn and written down with what followed, so that a reader can judge it in one pass.

An item is the notes that one hook put before the model at a prompt, a step or a failure, and of a session's start
one line, the first time that it is shown. Items are drawn in equal parts from the kinds of hooks.
"""

import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.replay.play import Payload, Report

LABEL: Final = "label:"
HEADING: Final = "=== "
INTRODUCTION: Final = """\
Judge each item by what followed. Write one word behind `label:`
  bears     it is about what the agent or the user did next, and would have helped or did
  noise     it has nothing to do with what followed
  misleads  whoever followed it would have done something wrong
"""
_START: Final = "SessionStart"
_NOTE: Final = "\n- "
_EVENTS_AFTER: Final = 8
_LINES: Final = 6
_WIDTH: Final = 240


@dataclass(frozen=True)
class Item:
    """One thing that was shown: the number of its payload in the stream, and the text."""

    stream: str
    number: int
    event: str
    text: str
    line: int = 0

    @property
    def id(self) -> str:
        """The name by which labels name the item: it stays as long as the stream does."""
        return f"{self.stream}:{self.number}" + (f".{self.line}" if self.line else "")


def list_items(stream: str, payloads: list[Payload], report: Report) -> list[Item]:
    """Return what was shown in a stream, in its order."""
    places = {id(payload): number for number, payload in enumerate(payloads)}
    told = [
        (places[id(payload)], payload["hook_event_name"], text) for payload, text in report.texts
    ]
    known: set[str] = set()
    items: list[Item] = []
    for number, event, text in sorted(told):
        if event == _START:
            items += _of_start(stream, number, text, known)
        elif _NOTE in f"\n{text}":
            items.append(Item(stream, number, event, text))
    return items


def _of_start(stream: str, number: int, text: str, known: set[str]) -> Iterator[Item]:
    """Yield the lines of a start that no start before had, each under its heading."""
    heading = ""
    for place, line in enumerate(text.splitlines(), 1):
        said = line.partition(" [")[0]
        if not line.startswith("- "):
            heading = line
        elif said not in known:
            known.add(said)
            yield Item(stream, number, _START, f"{heading}\n{line}", place)


def draw(items: Iterable[Item], count: int, seed: int) -> list[Item]:
    """Return `count` items, in equal parts of each kind of hook as far as they go."""
    chosen = random.Random(seed)
    kinds: dict[str, list[Item]] = {}
    for item in items:
        kinds.setdefault(item.event, []).append(item)
    for each in kinds.values():
        chosen.shuffle(each)
    rows = itertools.zip_longest(*(kinds[name] for name in sorted(kinds)))
    drawn = [item for row in rows for item in row if item is not None][:count]
    return sorted(drawn, key=lambda item: (item.stream, item.number, item.line))


def render(item: Item, payloads: list[Payload]) -> str:
    """Return an item as text: what happened, what was shown, what followed, and a line for the label."""
    payload = payloads[item.number]
    parts = [
        f"{HEADING}{item.id}  {item.event}",
        *_block("happened", _told(payload)),
        *_block("shown", item.text.splitlines()),
        *_block("followed", list(_after(item, payloads))),
        LABEL,
    ]
    return "\n".join(parts) + "\n"


def _block(name: str, lines: Iterable[str]) -> list[str]:
    return [f"-- {name}", *(f"   {line}" for line in lines)]


def _after(item: Item, payloads: list[Payload]) -> Iterator[str]:
    """Yield what the session did next, in a few lines for each event."""
    session = payloads[item.number]["session_id"]
    rest = (p for p in payloads[item.number + 1 :] if p["session_id"] == session)
    told = (lines for payload in rest if (lines := _told(payload, ended=True)))
    for lines in itertools.islice(told, _EVENTS_AFTER):
        yield from lines


def _told(payload: Payload, *, ended: bool = False) -> list[str]:
    """Return an event in a few lines; with `ended` a step counts where its result is known."""
    event, given = payload["hook_event_name"], payload.get("tool_input") or {}
    if event in ("PreToolUse", "PostToolUse", "PostToolUseFailure"):
        if ended and event == "PreToolUse":
            return []
        return [f"{payload['tool_name']}: {_cut(_step(given))}", *_result(payload)]
    said = (
        payload.get("prompt") or payload.get("last_assistant_message") or payload.get("source", "")
    )
    return _few(f"{event}: {said}") if said else []


def _step(given: dict[str, Any]) -> str:
    """Return the command of a step, or the file with its change."""
    named = given.get("command") or given.get("file_path") or given.get("pattern") or given
    change = given.get("new_string") or given.get("content") or ""
    return f"{named}  ⇒ {change[:400]}" if change else str(named)


def _result(payload: Payload) -> list[str]:
    """Return the first lines of an error, or of what a command printed."""
    if error := payload.get("error"):
        return [f"  FAILED {line}" for line in _few(str(error))]
    response = payload.get("tool_response")
    printed = response.get("stdout") if isinstance(response, dict) else None
    return [f"  {line}" for line in _few(str(printed), 2)] if printed else []


def _few(text: str, most: int = _LINES) -> list[str]:
    lines = [line for line in text.splitlines() if line.strip()]
    return [_cut(line) for line in lines[:most]]


def _cut(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _WIDTH else plain[:_WIDTH] + "…"


def name_of(path: Path) -> str:
    """Return the name of a stream: that of its file."""
    return path.name.partition(".")[0]
