"""What a dialect is: the names by which one agent calls what all agents have."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hooklore.records.event import EventName

Path = tuple[str, ...]
"""Where a value stands in a payload: the keys on the way to it."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """One agent's wire format as data; `parse` and `render` are the same for all.

    `events` maps its event names to ours; the next four say where the fields of `HookEvent` stand;
    `text` and `source` differ by our event. `cancelled` are errors that say nothing of the tool.
    """

    events: Mapping[str, EventName] = field(default_factory=dict)
    names: Mapping[str, Path] = field(default_factory=dict)
    locations: Mapping[str, Path] = field(default_factory=dict)
    values: Mapping[str, Path] = field(default_factory=dict)
    event_name: Path = ()
    text: Mapping[EventName, Path] = field(default_factory=dict)
    source: Mapping[EventName, Path] = field(default_factory=dict)
    extra: Mapping[EventName, Mapping[str, Path]] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    tool_prefixes: Mapping[str, str] = field(default_factory=dict)
    paths: tuple[Path, ...] = ()
    command: Path = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    cancelled: tuple[str, ...] = ()
    exit_status: str = ""
    salvaged: tuple[Path, ...] = ()
    accepts_context: frozenset[str] = frozenset()
