"""A record as a disk may have it. The log's writer and the spool take nothing else.

`clean` alone makes one of a draft. What is made of clean records has no text that was not redacted before:
`CleanRecord.made_into` and `made_of_clean` are the two ways to say so, and each caller must be able to.
"""

from typing import Final

from hooklore.records.draft import Draft, ProjectKeys
from hooklore.records.record import Record
from hooklore.redaction.record_redactor import redact_project_keys, redact_record
from hooklore.redaction.session_secrets import SessionSecrets


class _Maker:
    """The right to make a clean record, which this module alone has."""


_HERE: Final = _Maker()


class CleanRecord:
    """A record without secrets, and the redacted `keys` of its project."""

    __slots__ = ("keys", "record")

    def __init__(self, record: Record, keys: ProjectKeys | None, by: _Maker) -> None:
        if by is not _HERE:
            raise TypeError("a clean record is made by `clean`")
        self.record = record
        self.keys = keys

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CleanRecord):
            return False
        return (self.record, self.keys) == (other.record, other.keys)

    __hash__ = None  # type: ignore[assignment]  # as of a record

    def made_into(self, record: Record) -> "CleanRecord":
        """Return as clean what was made of this record, and of clean ones: cut, marked, or sealed."""
        return CleanRecord(record, self.keys, _HERE)


def clean(draft: Draft, secrets: SessionSecrets | None = None) -> CleanRecord:
    """Return the record of a draft redacted. `secrets` are those of its session, and gain what is masked here.

    Texts must be whole: a cut that came before could leave half a secret, which no rule knows.
    """
    keys = redact_project_keys(draft.keys) if draft.keys else None
    names = (keys.name, keys.root, keys.branch or "") if keys else ()
    return CleanRecord(redact_record(draft.record, secrets, names), keys, _HERE)


def check_clean(given: CleanRecord) -> CleanRecord:
    """Return a clean record. Raise TypeError for a draft, which looks like one where no type is checked."""
    if not isinstance(given, CleanRecord):
        raise TypeError(f"{type(given).__name__} was not cleaned")
    return given


def made_of_clean(draft: Draft) -> CleanRecord:
    """Return as clean a draft that was made of clean records alone, which a second reading would not change.

    Fixes, conflicts and the aliases of projects quote the log, and the spool holds what was clean when it was put
    there. A person's `hooklore scrub` reads them all by newer rules.
    """
    return CleanRecord(draft.record, draft.keys, _HERE)
