"""The exact keys under which a record is found: one list for the catalog and for the tail."""

import hashlib
from typing import Any

from hooklore.shell.command import command_stem
from hooklore.text.contradiction import extract_subjects

Fields = dict[str, Any]


def key_hash(tag: str) -> int:
    """64 bits of a tag, signed as SQLite wants them. A collision is noticed: the record is read."""
    digest = hashlib.blake2b(tag.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def record_keys(record: Fields) -> list[str]:
    """Every exact key of a record."""
    found = [event_key(record)]
    session = record.get("session_id")
    if session:
        found.append(f"session:{session}")
    found += _OF_STREAM[record["stream"]](record, record["body"])
    return [tag for tag in found if tag]


def event_key(record: Fields) -> str:
    """What makes two deliveries one event: the key the agent gave it, else the delivery itself."""
    key = record.get("natural_key") or record.get("delivery_id")
    return f"event:{key}" if key else ""


def command_stem_key(record: Fields) -> str:
    """What the failures of a session share with a repaired form of their command; empty of none."""
    command = record["body"].get("command")
    stem = command_stem(str(command)) if command and record.get("session_id") else None
    return f"stem:{record['session_id']}|{stem}" if stem else ""


def statement_digest(content: str) -> str:
    """A short digest of a memory's text, for (scope, dedupe_key, content)."""
    return hashlib.blake2b(content.strip().encode("utf-8", "replace"), digest_size=8).hexdigest()


def _of_observation(record: Fields, body: Fields) -> list[str]:
    kind, project = record["kind"], record.get("project") or "-"
    if kind == "error":
        return [
            f"error:{project}|{body['signature']}" if body.get("signature") else "",
            f"failing:{project}|{body['key']}" if body.get("key") else "",
            command_stem_key(record),
            f"erred:{record['session_id']}" if record.get("session_id") else "",
        ]
    found = []
    if kind in ("prompt", "answer") and record.get("session_id"):
        found.append(f"turn:{record['session_id']}")
    if kind in ("session_end", "answer", "session_start"):
        found.append(f"{kind}:{project}")
    return found


def scope_key(record: Fields) -> str:
    """Where a memory belongs: `project:<id>` whatever the project is called, else its scope."""
    return str(record["scope"]) if not record.get("project") else f"project:{record['project']}"


def version_line_key(record: Fields) -> str:
    """The tag that all versions of a keyed memory share; empty without a key.

    What is kept from some readers is a line of its own: it must not take the place of what they see.
    """
    key = record.get("dedupe_key")
    return f"key:{scope_key(record)}|{key}{_audience(record)}" if key else ""


def _audience(record: Fields) -> str:
    seen = record.get("visibility", "public")
    if record.get("is_private"):
        return f"|private:{record.get('agent_id')}"
    if seen == "session":
        return f"|session:{record.get('session_id')}"
    return f"|role:{record.get('role', 'general')}" if seen == "agent-only" else ""


def _of_memory(record: Fields, body: Fields) -> list[str]:
    place, key = scope_key(record), record.get("dedupe_key")
    found = [f"id:{record['id']}"]
    if key:
        found.append(f"said:{place}|{key}|{statement_digest(body['content_md'])}")
    if record.get("waits"):
        # It takes nothing's place before it is approved.
        return [*found, f"waits:{place}", "waits", f"waits-for:{version_line_key(record)}"]
    found += [f"memory:{place}", version_line_key(record)]
    found.append(f"run:{record['run_id']}" if record.get("run_id") else "")
    found += [f"about:{place}|{subject}" for subject in extract_subjects(record)]
    found += [f"tag:{tag}" for tag in body.get("tags") or ()]
    found += [f"gone:{record[name]}" for name in ("supersedes", "approves") if record.get(name)]
    found.append(f"restored:{record['restores']}" if record.get("restores") else "")
    return found


def _of_synthesis(record: Fields, body: Fields) -> list[str]:
    project = record.get("project") or "-"
    found = [f"{record['kind']}:{project}"]
    if record["kind"] == "conflict_resolution":
        found.append(f"conflict-of:{body.get('about')}")
        found += [f"id:{record['id']}", "conflict", f"conflict:{scope_key(record)}"]
        found += [f"conflict-with:{source}" for source in body.get("sources", ())]
    if record["kind"] == "fix":
        found += [f"fixed:{source}" for source in body.get("failures", ())]
        found += [f"fix-error:{project}|{s}" for s in body.get("signatures", ())]
        if body.get("key"):
            found.append(f"fix-key:{project}|{body['key']}")
    return found


def _of_control(record: Fields, body: Fields) -> list[str]:
    kind, targets = record["kind"], body.get("targets", ())
    if kind in ("tombstone", "supersede", "archive", "approval"):
        # An approval answers what waits, or a conflict: it waits no longer.
        found = [f"gone:{target}" for target in targets]
        found.append("archives" if kind == "archive" else "")
        return [*found, f"grant:{body['grant']}"] if body.get("grant") else found
    if kind in ("pin", "unpin"):
        return ["pins", *(f"{kind}:{line}" for line in body.get("lines", ()))]
    if kind == "access":
        found = [f"shown:{record.get('session_id')}", f"answered:{body.get('delivery')}"]
        if body.get("trigger") == "prompt":
            found += [f"recalled:{target}" for target in targets]
        return [*found, f"snapshot:{body['snapshot_id']}"] if body.get("snapshot_id") else found
    if kind == "project_alias":
        return [f"alias:{body.get('key')}", f"slug:{body.get('slug')}", "alias"]
    return []


_OF_STREAM = {
    "observation": _of_observation,
    "memory": _of_memory,
    "synthesis": _of_synthesis,
    "control": _of_control,
}
