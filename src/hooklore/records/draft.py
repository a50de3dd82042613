"""What is to be appended, before the log has given it an id."""

from dataclasses import dataclass, field, replace
from typing import Literal

from hooklore.records.record import Record

Status = Literal["stored", "spooled", "duplicate", "refused", "lost"]
"""The first three acknowledge: the event is kept, whatever happens next."""

ACKNOWLEDGED: frozenset[str] = frozenset(("stored", "spooled", "duplicate"))


@dataclass(frozen=True, slots=True)
class ProjectKeys:
    """What identifies a project where a session runs: any of them may be known already.

    `keys` are `remote:<host/path>` and `dir:<common git directory or folder>`, strongest first;
    `name` is what its slug is made of, `root` the folder, `branch` the one checked out.
    """

    keys: tuple[str, ...]
    name: str
    root: str
    branch: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A record without id, hash and resolved scope.

    `keys` say which project the record belongs to: the log's writer turns them into `project` and
    `scope` under its lock, where the registry is current.
    """

    record: Record
    keys: ProjectKeys | None = None

    @classmethod
    def of(cls, keys: ProjectKeys | None = None, **fields: object) -> "Draft":
        """Return the draft of a record with those of `fields` that are not None."""
        return cls(Record.of(**fields), keys)

    def with_fields(self, **changes: object) -> "Draft":
        """Return a copy whose record has `changes`."""
        return replace(self, record=self.record.with_fields(**changes))


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a draft.

    `id` is the record's (the earlier one's when `duplicate`), None when unknown; `delivery_id` is the
    delivery that the record came with, so that a retry is told from a second registration.
    """

    status: Status
    id: str | None = None
    reason: str | None = None
    delivery_id: str | None = None


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks. `person` sees everything of theirs; an agent what its project, role and session allow.

    `scopes` are those of a newer protocol that this reader understands (`global_v2`, seed 000 §12).
    """

    person: bool = False
    agent_id: str = "claude"
    role: str = "general"
    agent_type: str | None = None
    session_id: str | None = None
    project: str | None = None
    branch: str | None = None
    permission: Literal["owner", "admin", "worker"] = "worker"
    scopes: tuple[str, ...] = ()


PERSON = Principal(person=True, permission="owner")


@dataclass(frozen=True, slots=True)
class RecallResult:
    """What a recall put in front of a model: `text` as printed, `ids` in order, estimated `tokens`.

    The first `pinned` of the ids are pins, the `checked` after them what is to be checked; `wake_up`
    is what was said of private memory. `refuses`: the step is not to run before this was read.
    """

    text: str
    ids: tuple[str, ...] = field(default_factory=tuple)
    tokens: int = 0
    snapshot_id: str | None = None
    pinned: int = 0
    checked: int = 0
    wake_up: str = ""
    refuses: bool = False
