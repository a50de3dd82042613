"""Records of seed 003's own program (`hook-memory`): one `MemoryEvent` a line, in our words.

Nothing is lost: what our envelope and bodies have a place for is mapped, and the whole original object
stands in the body under `imported`. Its dates cannot be trusted (its clock counts years of 365 days
and months of 30, so a month 13 occurs): `created_at` becomes `ts` only where such a moment exists and
is not in the future; else `ts` is the time of the import. What it said is kept in `imported`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from hooklore.agents.registry import known_agents
from hooklore.records.draft import Draft
from hooklore.records.record import Body, parse_flag
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.redaction.id_redaction import redact_ids
from hooklore.redaction.private_parts import without_private_parts

Event = dict[str, Any]
"""One line of its log, as JSON."""

SYSTEM = "hook-memory"

_KINDS: Mapping[str, tuple[str, str, str]] = {
    "observation": ("observation", "tool_result", "tool"),
    "error": ("observation", "error", "tool"),
    "decision": ("memory", "decision", "inferred"),
    "plan": ("memory", "todo", "inferred"),
    "artifact": ("memory", "fact", "tool"),
    "preference": ("memory", "preference", "inferred"),
    "workflow": ("memory", "workflow", "inferred"),
    "research": ("memory", "fact", "inferred"),
}
"""Its type -> our stream, kind and basis. That the user said a text is the program's claim."""

_UNKNOWN_KIND = ("memory", "fact", "inferred")

_AGENTS: Mapping[str, str] = {
    **{name: agent.id for agent in known_agents() for name in (agent.id, *agent.aliases)},
    "codex": "codex", "gemini": "gemini", "copilot": "copilot", "musician": "musician",
    "system": "system",
}  # fmt: skip
"""Its names of agents, and ours. Any other name becomes `unknown`."""

_IS_ID = re.compile(r"(?:^|_)ids?$")
_PROJECT_NAMES = ("project_path", "project_dir", "cwd", "project", "project_id", "project_name")
_LONGEST_LIFE = 366 * 1000
"""Days: a longer life is no limit at all, and past the calendar's end."""


class DamagedLine(ValueError):
    """A line that holds no event of this program; the text says why."""


@dataclass(frozen=True, slots=True)
class ImportedEvent:
    """One event as a draft; `project` is what it calls its project, where its scope is one."""

    draft: Draft
    project: str | None = None


def import_line(line: bytes, now: datetime) -> ImportedEvent:
    """Return the draft of one line. `now` is the time of the import, in UTC. Raise DamagedLine."""
    event = _event(line)
    stream, kind, basis = _KINDS.get(_word(event.get("memory_type")), _UNKNOWN_KIND)
    ts = _moment(event.get("created_at"), now)
    agent_id = _AGENTS.get(_word(event.get("source_agent")), "unknown")
    # Nothing becomes global: a person promotes what every project should be told. A scope that we do not know
    # stays with the person alone.
    given = _word(event.get("scope"))
    scope = None if given == "project" else f"agent:{agent_id}"
    draft = Draft.of(
        v=SCHEMA_VERSION,
        ts=_stamp(ts),
        stream=stream,
        kind=kind,
        basis=basis,
        delivery_id=f"import:{SYSTEM}:{redact_ids(event['id'])}",
        agent_id=agent_id,
        session_id=redact_ids(_text(_metadata(event, "session_id"))),
        confidence=_confidence(event.get("confidence")),
        expires_at=_expiry(event.get("ttl_days"), ts),
        is_private=parse_flag(event.get("is_private", _metadata(event, "is_private"))),
        source={"system": "other", "detail": f"import:{SYSTEM}"},
        body=_body(event, stream, kind, line),
        scope=scope,
        visibility=None if given in ("user", "public", "agent", "project") else "session",
    )
    return ImportedEvent(draft, _project(event) if scope is None else None)


def _event(line: bytes) -> Event:
    try:
        event = orjson.loads(line)
    except orjson.JSONDecodeError:
        raise DamagedLine("not JSON") from None
    if not isinstance(event, dict):
        raise DamagedLine("not an object")
    id_ = event.get("id")
    if isinstance(id_, bool) or not isinstance(id_, str | int) or id_ == "":
        raise DamagedLine("no id")
    if not isinstance(event.get("content"), str):
        raise DamagedLine("no content")
    public: Event = without_private_parts(event, line)[0]
    return public


def _word(value: object) -> str:
    """A name of an enumeration, however it is written: Rust says `Decision` in some versions."""
    return value.strip().lower() if isinstance(value, str) else ""


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _metadata(event: Event, name: str) -> Any:
    found = event.get("metadata")
    return found.get(name) if isinstance(found, dict) else None


def _body(event: Event, stream: str, kind: str, line: bytes) -> Body:
    tags = event.get("tags")
    content = event["content"]
    body = Body.of(
        imported=_kept(event, line),
        tags=[tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else None,
        intent=_text(event.get("context")),
    )
    if stream == "memory":
        return body.with_fields(content_md=content)
    if kind == "error":
        return body.with_fields(text=content, errors=[content], outcome="failure")
    return body.with_fields(text=content)


def _kept(event: Event, line: bytes) -> Any:
    """Return the original object, its ids redacted, or the line where it is nested too deeply to be written."""
    kept = _with_redacted_ids(event)
    metadata = kept.get("metadata")
    if isinstance(metadata, dict):
        kept["metadata"] = _with_redacted_ids(metadata)
    try:
        orjson.dumps({"body": {"imported": kept}})
    except TypeError:
        return line.decode("utf-8", "replace")
    return kept


def _with_redacted_ids(fields: Event) -> Event:
    return {name: redact_ids(v) if _IS_ID.search(name) else v for name, v in fields.items()}


def _confidence(value: object) -> str:
    """0 … 1 in three steps (seed 000 knows high, med, low); what is no number is in the middle."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "med"
    return "high" if value >= 0.8 else "med" if value >= 0.5 else "low"


def _project(event: Event) -> str | None:
    """A project's folder or name, wherever its writers put it."""
    for place in (event, event.get("metadata"), event.get("context")):
        if isinstance(place, dict):
            names = [name for name in _PROJECT_NAMES if _text(place.get(name))]
            if names:
                return str(place[names[0]])
    return None


def _moment(value: object, now: datetime) -> datetime:
    """Return the time of creation, if it is valid and before now; else now."""
    if not isinstance(value, str):
        return now
    try:
        moment = datetime.fromisoformat(value.strip())
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return now
    return min(moment, now)


def _expiry(days: object, ts: datetime) -> str | None:
    """`ttl_days` after it was made; 0 is for ever (seed 000)."""
    if isinstance(days, bool) or not isinstance(days, int | float) or not 0 < days < _LONGEST_LIFE:
        return None
    return _stamp(ts + timedelta(days=days))


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
