"""The facts that a run of `hooks doctor` collects, before anything is judged."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from hooklore.agents import check
from hooklore.agents.agent import Agent
from hooklore.agents.diagnosis import SettingsFacts
from hooklore.agents.event import EventName
from hooklore.agents.registry import DEFAULT_AGENT_ID
from hooklore.api.outbox import OutboxState
from hooklore.cli.protocol.placement import PlacedProtocol
from hooklore.maintenance.canary import CanaryTrace
from hooklore.maintenance.health import LogHealth, SpoolHealth
from hooklore.maintenance.index_health import IndexHealth
from hooklore.requests.token_kinds import AccessToken
from hooklore.retrieval.semantic.availability import SemanticUnavailable

T = TypeVar("T")

MEND_ABOVE = "mend what failed above first"


@dataclass(frozen=True, slots=True)
class Unknown:
    """A part that could not be looked at: the reason, and the command that mends it."""

    reason: str
    fix: str = MEND_ABOVE


class PartUnknownError(Exception):
    """Raised by a check that needs a part which could not be looked at."""

    def __init__(self, part: Unknown) -> None:
        super().__init__(part.reason)
        self.part = part


@dataclass(frozen=True, slots=True)
class Probe:
    """The answer of the launcher's interpreter: its versions, and the hash of `client.py` as it counts it."""

    python: str
    hooklore: str | None
    magic: str
    client_hash: str
    cache_tag: str


@dataclass(frozen=True, slots=True)
class LauncherFacts:
    """The launcher's folder.

    `link` is the target of `python`, `target` the end of all links, `head` the first bytes there.
    `compiled` are the first 16 bytes of the compiled client, `client_stamp` is the source's (time, size)
    modulo 2^32, `client_file` its file that is not ours. `missing` and `changed` name entry files.
    """

    directory: str
    exists: bool
    link: str | None = None
    target: str | None = None
    target_exists: bool = False
    head: bytes = b""
    probe: Probe | None = None
    probe_problem: str | None = None
    client_is_ours: bool | None = None
    client_stamp: tuple[int, int] = (0, 0)
    compiled: bytes | None = None
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    installed_at: float = 0.0
    client_file: str = "client.py"


@dataclass(frozen=True, slots=True)
class LoosePath:
    """A file or folder of the store that others may enter or read."""

    path: str
    mode: int
    is_root: bool


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """The place of the store and its state.

    `obstacle` is (path, reason) of something that makes the store unusable. `nearest` is the folder that
    exists, when the store itself does not yet. `credentials` are files whose names say that they hold
    credentials, `leftovers` temporary files of ours: (path, time of the last change).
    """

    root: str
    directory: str
    log: str
    exists: bool
    nearest: str
    obstacle: tuple[str, str] | None
    is_writable: bool
    is_read_only: bool
    is_beside_foreign: bool
    loose: tuple[LoosePath, ...]
    git_top: str | None
    git_ignores: bool
    synced_by: str | None
    file_system: tuple[str, str] | None
    free_bytes: int
    credentials: tuple[str, ...] = ()
    leftovers: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Process:
    """A process: pid, name, and its state as the kernel's letter (`T` is stopped)."""

    pid: int
    name: str
    state: str

    @property
    def is_stopped(self) -> bool:
        """Return whether the process waits for a signal to go on."""
        return self.state in ("T", "t")


@dataclass(frozen=True, slots=True)
class LockFacts:
    """The log's lock: `problem` when it was not free in time, and its holder as far as can be seen."""

    problem: str | None
    holder: Process | None


@dataclass(frozen=True, slots=True)
class ResidentFacts:
    """The resident broker and the files beside its socket.

    `process` is the socket's other end, `status` its answer, `problem` why it did not answer. `hung` is
    the mark that a hook left: (time, pid). `tracebacks` and `last_error` are of the resident's log.
    `unsafe` is why hooks do not use `directory` for the socket, which lies in the store then.
    """

    socket: str
    log: str
    unsafe: str | None
    process: Process | None
    status: Mapping[str, Any] | None
    problem: str | None
    hung: tuple[float, int] | None
    tracebacks: int
    last_error: str | None
    log_time: float
    directory: str = ""


@dataclass(frozen=True, slots=True)
class CommandFacts:
    """The command that agents are told to run: `found` on PATH, `launched` by the launcher's own path.

    `is_named` says that agents are told its name, not the path. `is_ours` says that `found` starts hooklore,
    `is_same` that it starts this installation. `link` is the link of ours, where there is one.
    """

    found: str | None
    launched: str
    is_named: bool = True
    is_ours: bool = False
    is_same: bool = False
    runs: bool = False
    link: str | None = None


@dataclass(frozen=True, slots=True)
class UserFacts:
    """The user's settings: a broken `config.toml`, pauses, switches in the environment.

    `reduced` names kinds of session that `config.toml` keeps from recording or recall. `no_vectors`
    says why memory is searched by words alone. `client_version` is the answer of the agent's program.
    `command` is `hooklore` as the user's shell finds it. `held_by` is an agent, and what it started above a
    terminal that has no mark of the agent itself.
    """

    config: str
    config_problems: tuple[str, ...]
    capture_reads: bool
    reduced: tuple[str, ...]
    paused: tuple[str, ...]
    pause_is_damaged: bool
    off: str | None
    depth: str | None
    client_version: str | None
    command: CommandFacts
    no_vectors: SemanticUnavailable | None = None
    held_by: tuple[str, str] | None = None


LESSON_EVENTS: tuple[EventName, ...] = ("session_start", "failure", "after_tool")
"""Events without which no lesson is learnt and told again."""


@dataclass(frozen=True, slots=True)
class RecallProof:
    """The fate of the canary through the registered commands, in a temporary store.

    `problem` says which step went wrong and how. `units` are the UTF-16 units of the largest answer,
    `channels` the events whose answers brought the canary to the model.
    """

    problem: str | None
    channels: tuple[str, ...]
    units: int
    seconds: float
    is_tried: bool = True


@dataclass(frozen=True, slots=True)
class StoreProof:
    """The fate of the canary in the real store, written `via` the resident or this process."""

    via: str
    status: str
    reason: str
    trace: CanaryTrace | None


@dataclass(frozen=True, slots=True)
class MemoryFileCount:
    """The memories from an agent's own memory files: those that stand, and those that wait."""

    standing: int = 0
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """The store's access tokens in the file `path`. `problem` is (cause, fix) of a file that is not used.

    `answering` and `silent` are the addresses of gateways that run here, and do or do not answer.
    """

    path: str
    tokens: tuple[AccessToken, ...] = ()
    is_in_store: bool = False
    answering: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    problem: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that the checks judge. Each part may be Unknown, whatever became of the others.

    `agent` is the one that `settings`, `recall_proof` and the client's version belong to. `others` are the same
    facts with those of each further agent that is registered.
    """

    home: str
    now: float
    version: str
    agent: Agent
    settings: SettingsFacts | Unknown
    launcher: LauncherFacts | Unknown
    store: StoreFacts | Unknown
    log: LogHealth | Unknown
    lock: LockFacts | Unknown
    spool: SpoolHealth | Unknown
    index: IndexHealth | Unknown
    resident: ResidentFacts | Unknown
    user: UserFacts | Unknown
    store_proof: StoreProof | Unknown
    recall_proof: RecallProof | Unknown
    protocol: tuple[PlacedProtocol, ...] | Unknown = ()
    memory_files: Mapping[str, MemoryFileCount] | Unknown = field(default_factory=dict)
    tokens: TokenFacts | Unknown = TokenFacts("")
    outboxes: tuple[OutboxState, ...] | Unknown = ()
    others: tuple["Facts", ...] = ()

    @property
    def install(self) -> str:
        """The command that registers the hooks with the agent again."""
        if self.agent.id == DEFAULT_AGENT_ID:
            return "hooks install"
        return f"hooks install --agent {self.agent.id}"


def known(part: T | Unknown) -> T:
    """Return the part. Raise PartUnknownError when it could not be looked at."""
    if isinstance(part, Unknown):
        raise PartUnknownError(part)
    return part


FactsCheck = Callable[[Facts], check.Check]
"""A check of the doctor; its name in the report is the function's, unless `checks.py` has another."""

passed, failed = partial(check.passed, ""), partial(check.failed, "")
noted = partial(check.noted, "")
"""Findings without a name, which `checks.judge` gives them."""
