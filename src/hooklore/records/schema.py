"""The schema of one line of the log: a small envelope, and a body by `stream` (seed 003, seed 000 §6)."""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from hooklore.agents.event import StoppedBy
from hooklore.errors import RecordInvalid
from hooklore.records.memory_kind import MEMORY_KINDS
from hooklore.records.record import Json, Record

SCHEMA_VERSION = 1

Stream = Literal["observation", "memory", "synthesis", "control"]
Role = Literal["orchestrator", "executor", "reasoner", "researcher", "general"]
Outcome = Literal["success", "failure", "partial", "unknown"]
Visibility = Literal["public", "agent-only", "session"]
Basis = Literal["user", "tool", "agent", "inferred"]
Confidence = Literal["high", "med", "low"]
Priority = Literal["critical", "high", "medium", "low"]

FixKind = Literal["command", "edit", "rerun"]
"""What made a failure pass: another command, a change of files, or nothing but a later run."""

FixEvidenceKind = Literal["touched", "repaired", "none"]
"""Evidence for a fix: steps touch what the failure names, or its command was repaired; or there is none."""

UNTRUSTED = "untrusted"
"""The mark of a record whose text gives orders to agents. Such a record is never pinned and never global."""

FROM_A_PROMPT = "learnt"
FROM_A_TERMINAL = "terminal"
"""Details of a memory's source: a prompt stated it; a person typed it at a terminal, in an agent's name."""

KINDS: dict[str, tuple[str, ...]] = {
    "observation": (
        "session_start", "prompt", "turn", "tool_intent", "tool_result", "error", "answer",
        "subagent_start", "subagent_stop", "task", "compaction", "session_end",
    ),
    "memory": tuple(MEMORY_KINDS),
    "synthesis": (
        "summary", "refuted", "comparison", "conflict_resolution", "fix", "proposal",
    ),
    "control": (
        "pin", "unpin", "supersede", "archive", "restore", "tombstone", "redaction", "purge",
        "promotion", "approval", "access", "project_alias", "canary", "proposal",
    ),
}  # fmt: skip
"""The kinds of each stream (seed 000 §6 for `memory`)."""

SCOPE_PATTERN = (
    r"^(global(?:_v[1-9][0-9]{0,2})?|project:[a-z0-9][a-z0-9._-]*|agent:[a-z][a-z0-9_-]{0,31})$"
)

_FROZEN = ConfigDict(frozen=True, strict=True, extra="allow")
"""Unknown fields survive a round trip (seed 000 §12)."""


class Cost(BaseModel):
    """The cost of an action: tokens of a model, milliseconds of the clock."""

    model_config = _FROZEN

    tokens: int = Field(default=0, ge=0)
    time_ms: int = Field(default=0, ge=0)


class Source(BaseModel):
    """The origin of a record (seed 000 §6). `detail` is finer than the seed's four systems."""

    model_config = _FROZEN

    system: Literal["telegram", "cli", "web", "other"] = "other"
    thread_id: str | None = None
    message_id: str | None = None
    detail: str | None = None


class Experience(BaseModel):
    """Body of an observation: the experience envelope of seed 003, and what hooks can add to it."""

    model_config = _FROZEN

    intent: str | None = None
    goal: str | None = None
    actions: list[str] = Field(default_factory=list)
    outcome: Outcome | None = None
    artifacts: list[str] = Field(default_factory=list)
    errors: list[str] = Field(default_factory=list)
    passing_errors: list[str] = Field(default_factory=list)
    lessons: str | None = None
    cost: Cost = Cost()
    priority: Priority = "medium"
    text: str | None = None
    tool: str | None = None
    command: str | None = None
    exit_status: int | None = None
    stopped_by: StoppedBy | None = None
    signature: str | None = None


class Statement(BaseModel):
    """Body of a memory: what was said on purpose, or promoted (seed 000 §6b).

    `title` names the memory in an index. `when` are phrases of somebody who does not know it yet and needs
    it: they are searched, and no model is shown them. `emotion` is that of the writer.
    """

    model_config = _FROZEN

    content_md: str
    title: str | None = None
    emotion: str | None = None
    when: list[str] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    paths: list[str] = Field(default_factory=list)


class Derived(BaseModel):
    """Body of a synthesis: made from other records, whose ids it names."""

    model_config = _FROZEN

    text: str
    sources: list[str] = Field(default_factory=list)
    fix_kind: FixKind | None = None
    evidence: FixEvidenceKind | None = None
    tells_error: bool | None = None


class Note(BaseModel):
    """Body of a control record: what it is about."""

    model_config = _FROZEN

    targets: list[str] = Field(default_factory=list)


BODIES: dict[str, type[BaseModel]] = {
    "observation": Experience,
    "memory": Statement,
    "synthesis": Derived,
    "control": Note,
}


class Importance(BaseModel):
    """The prior importance, from the event itself. The live score is a projection."""

    model_config = _FROZEN

    score: float = Field(ge=0, le=1)
    factors: dict[str, float] = Field(default_factory=dict)


MAX_ALSO_SAID_BY: Final = 16
"""Agents that said a memory as well, at most."""

AgentId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")]


class RecordModel(BaseModel):
    """One whole line of the log. `ts` is RFC 3339 in UTC, `id` a UUIDv7, and `hash` covers all bytes before.

    `through` names the agent that says what the user said. A `self_named` agent is known by nothing but the name
    that its program gave. `also_said_by` are other agents that said the same by themselves. `contradicts` is the
    memory that the writer named.
    """

    model_config = ConfigDict(**_FROZEN, title="Record")

    v: int = Field(ge=1)
    id: str = Field(pattern=r"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$")
    ts: str = Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")
    stream: Stream
    kind: str
    agent_id: str = Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")
    role: Role = "general"
    scope: str = Field(pattern=SCOPE_PATTERN)
    delivery_id: str | None = None
    natural_key: str | None = None
    agent_type: str | None = None
    subagent_id: str | None = None
    project: str | None = None
    branch: str | None = None
    session_id: str | None = None
    run_id: str | None = None
    task_id: str | None = None
    visibility: Visibility = "public"
    is_private: bool = False
    basis: Basis = "tool"
    through: AgentId | None = None
    self_named: bool = False
    also_said_by: list[AgentId] | None = Field(default=None, max_length=MAX_ALSO_SAID_BY)
    confidence: Confidence = "high"
    importance: Importance | None = None
    trust: Literal["untrusted"] | None = None
    expires_at: str | None = None
    dedupe_key: str | None = None
    supersedes: str | None = None
    contradicts: str | None = None
    ttl_days: int | None = Field(default=None, ge=0)
    created_at: str | None = None
    waits: str | None = None
    approves: str | None = None
    resolves: str | None = None
    source: Source = Source()
    body: dict[str, Any]
    hash: str | None = None

    @model_validator(mode="after")
    def _kind_and_body_fit_the_stream(self) -> "RecordModel":
        if self.kind not in KINDS[self.stream]:
            raise ValueError(f"kind of a {self.stream} is one of {', '.join(KINDS[self.stream])}")
        BODIES[self.stream].model_validate(self.body)
        return self


def validate_record(record: Record) -> RecordModel:
    """Return the record as the schema reads it. Raise RecordInvalid, which names fields and never echoes values."""
    try:
        return RecordModel.model_validate(record.to_json())
    except ValidationError as error:
        raise RecordInvalid([_problem(e["loc"], e["msg"]) for e in error.errors()]) from None


def _problem(location: tuple[int | str, ...], message: str) -> str:
    """Return the place and the problem. A key that a writer chose is a value, and is not named."""
    path = (str(part) if isinstance(part, int) or part in _NAMES else "…" for part in location)
    return f"{'.'.join(path) or 'record'}: {message}"


_MODELS: tuple[type[BaseModel], ...] = (RecordModel, Cost, Source, Importance, *BODIES.values())
_NAMES = frozenset(name for model in _MODELS for name in model.model_fields)


def json_schema() -> dict[str, Json]:
    """Return the JSON Schema of a record, with the bodies under `$defs` by the name of their stream."""
    schema = RecordModel.model_json_schema()
    for stream, body in BODIES.items():
        nested = body.model_json_schema(ref_template="#/$defs/{model}")
        schema.setdefault("$defs", {}).update(nested.pop("$defs", {}))
        schema["$defs"][stream] = nested
    schema["x-kinds"] = {stream: list(kinds) for stream, kinds in KINDS.items()}
    return schema
