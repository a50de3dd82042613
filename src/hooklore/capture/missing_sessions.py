"""The dead man's line: sessions that have a transcript and no records (issue 2, Build 7)."""

import os

from hooklore.broker import Broker
from hooklore.records import keys

_LOOKED_AT = 500
_CHECKED = 5


def sessions_without_records(broker: Broker, transcript_path: str, session_id: str) -> list[str]:
    """Ids of the newest other sessions in this transcript's folder that left no record, newest first.

    Only those after the newest session that did leave records count: where there is none, the
    sessions ran before hooklore was there.
    """
    folder = os.path.dirname(transcript_path)
    sessions = [s for s in _sessions(folder) if s[1] != session_id][:_CHECKED]
    known = [bool(broker.view.has(keys.in_session(name))) for _, name in sessions]
    if True not in known:
        return []
    return [name for _, name in sessions[: known.index(True)]]


def _sessions(folder: str) -> list[tuple[float, str]]:
    """(time of the last change, session id) of transcripts, newest first."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(_LOOKED_AT), entries, strict=False):
                if entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False):
                    found.append((entry.stat().st_mtime, entry.name[: -len(".jsonl")]))
    except OSError:
        return []
    return sorted(found, reverse=True)
