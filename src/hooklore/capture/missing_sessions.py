"""Sessions that have a transcript and no records: captures had stopped while they ran."""

import os
from collections.abc import Callable

from hooklore.broker.principal_reader import Reader
from hooklore.records import keys

_LOOKED_AT = 500
_CHECKED = 5

SessionOfTranscript = Callable[[str], str | None]
"""Returns the session id of a transcript's file name, None for another file."""


def sessions_without_records(
    reader: Reader, transcript_path: str, session_id: str, session_of: SessionOfTranscript
) -> list[str]:
    """Return ids of the newest other sessions in this transcript's folder that left no record, newest first.

    Only sessions after the newest one with records count: where none has records, the sessions ran
    before hooklore was installed.
    """
    folder = os.path.dirname(transcript_path)
    sessions = [s for s in _sessions(folder, session_of) if s[1] != session_id][:_CHECKED]
    known = [reader.has(keys.in_session(name)) for _, name in sessions]
    if True not in known:
        return []
    return [name for _, name in sessions[: known.index(True)]]


def _sessions(folder: str, session_of: SessionOfTranscript) -> list[tuple[float, str]]:
    """Return (time of the last change, session id) of the folder's transcripts, newest first."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(_LOOKED_AT), entries, strict=False):
                name = session_of(entry.name)
                if name is not None and entry.is_file(follow_symlinks=False):
                    found.append((entry.stat().st_mtime, name))
    except OSError:
        return []
    return sorted(found, reverse=True)
