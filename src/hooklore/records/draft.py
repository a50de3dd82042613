"""A record to be appended, before the log has assigned its id."""

from dataclasses import dataclass, field, replace
from typing import Literal

from hooklore.agents.registry import DEFAULT_AGENT_ID
from hooklore.records.record import Record

Status = Literal["stored", "spooled", "duplicate", "refused", "lost"]
"""The first three acknowledge an event: the event is stored, in the log or in the spool."""

ACKNOWLEDGED: frozenset[str] = frozenset(("stored", "spooled", "duplicate"))


@dataclass(frozen=True, slots=True)
class ProjectKeys:
    """The keys of the project where a session runs. Any of them may be known already.

    `keys` are `remote:<host/path>` and `dir:<common git directory or folder>`, strongest first. The slug is
    made of `name`. The folder is `root`, and `branch` is checked out there. `around` are the keys of the
    superprojects of a submodule, the nearest first.
    """

    keys: tuple[str, ...]
    name: str
    root: str
    branch: str | None = None
    around: tuple["ProjectKeys", ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A record without id, hash and resolved scope, its texts whole and as they came.

    `keys` name the project of the record. The broker resolves them to `project` and `scope` under the log's
    lock, where the registry is current.
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
    """The result of appending a draft.

    `id` is the record's id, or the earlier record's for a `duplicate`, or None when unknown. `delivery_id` is
    the delivery of the record, which distinguishes a retry from a second registration. `record` is the
    draft's record as it may be written: redacted and composed.
    """

    status: Status
    id: str | None = None
    reason: str | None = None
    delivery_id: str | None = None
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class Principal:
    """The reader or writer of records. A `person` may read all of their records.

    An agent may read as far as its project, role and session allow. `scopes` are those of a newer protocol
    that this reader understands (`global_v2`, seed 000 §12). A `program` (cron, CI) reads as the person
    without private memories and decides nothing. `is_main_agent` is true for the agent of a session, whose
    role is the registered one. With `asks` an agent asks of itself, by a command or a request: no hook
    does, and none whose answer others read. `confirmed` says how the person is known to decide, or to write
    for an agent. An agent `is_self_named` where nothing but the name that a program gives says which it is.
    `around` are the ids of the superprojects of its project, the nearest first: their rules and decisions
    are read, too. An agent with a token reads the `projects` that this opens, by their ids, and the global
    memories only with `reads_global`. It writes to `write_scopes` and its own alone; None is no limit.
    """

    person: bool = False
    agent_id: str = DEFAULT_AGENT_ID
    role: str = "general"
    agent_type: str | None = None
    session_id: str | None = None
    project: str | None = None
    around: tuple[str, ...] = ()
    branch: str | None = None
    permission: Literal["owner", "admin", "worker"] = "worker"
    confirmed: Literal["", "terminal", "client", "token"] = ""
    program: bool = False
    is_main_agent: bool = False
    asks: bool = False
    is_self_named: bool = False
    scopes: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    reads_global: bool = True
    write_scopes: tuple[str, ...] | None = None
    token: str | None = None


PERSON = Principal(person=True, permission="owner")


@dataclass(frozen=True, slots=True)
class RecallResult:
    """The text that a recall puts before a model, the shown `ids` in order, and the estimated `tokens`.

    `parts` counts the ids of each part of a brief; of a prompt's answer those that tell where work was left;
    of a step's those of broken rules and of the file's history. `titles` counts those of the brief's index.
    With `asks_to_keep` it ends in the line that asks the agent to keep what lasts, by `keep_tool`
    where the agent has one. `wake_up` is the shown
    sentence about private memory. With `refuses`, the tool call is refused until this text was read. A bare
    text is without the reading rule, which its context has.
    """

    text: str
    ids: tuple[str, ...] = field(default_factory=tuple)
    tokens: int = 0
    snapshot_id: str | None = None
    parts: tuple[int, ...] = ()
    titles: int = 0
    asks_to_keep: bool = False
    keep_tool: str = ""
    wake_up: str = ""
    refuses: bool = False
    is_bare: bool = False
