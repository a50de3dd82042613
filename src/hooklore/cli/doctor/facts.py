"""What a doctor's run found, before anything is judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from hooklore.cli.install.registration import Group
from hooklore.maintenance.health import CanaryTrace, IndexHealth, LogHealth, SpoolHealth
from hooklore.retrieval.semantic.availability import SemanticUnavailable

T = TypeVar("T")

MEND_ABOVE = "mend what failed above first"

Scope = Literal["user", "project", "local", "managed", "plugin", "root", "default user"]
"""Whose settings: `root` are the repository's when we stand below it, `default user` those in
`~/.claude` when CLAUDE_CONFIG_DIR leads elsewhere. The client loads neither."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A part that could not be looked at, why, and what would mend that."""

    reason: str
    fix: str = MEND_ABOVE


class PartUnknownError(Exception):
    """Raised by a check that needs a part which could not be looked at."""

    def __init__(self, part: Unknown) -> None:
        super().__init__(part.reason)
        self.part = part


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """One settings file. `document` is None when it is absent or unreadable, `problem` says the latter.

    `groups` are ours: (event, group), the event "" where a later key hides it.
    """

    scope: Scope
    path: str
    is_loaded: bool
    document: Mapping[str, Any] | None = None
    problem: str | None = None
    groups: tuple[tuple[str, Group], ...] = ()


@dataclass(frozen=True, slots=True)
class SettingsFacts:
    """Where Claude Code is started, the repository around that, and every settings file that bears on it."""

    start: str
    top: str | None
    config_dir: str | None
    files: tuple[SettingsFile, ...]
    in_settings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Probe:
    """What the launcher's interpreter says of itself: versions, and the hash of `client.py` as it counts it."""

    python: str
    hooklore: str | None
    magic: str
    client_hash: str
    cache_tag: str


@dataclass(frozen=True, slots=True)
class LauncherFacts:
    """The launcher's folder.

    `link` is what `python` points to, `target` where that leads in the end, `head` its first bytes;
    `compiled` the first 16 bytes of the compiled client; `client_stamp` the source's (time, size)
    modulo 2^32; `missing` and `changed` name entry files.
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


@dataclass(frozen=True, slots=True)
class LoosePath:
    """A file or folder of the store that others may enter or read."""

    path: str
    mode: int
    is_root: bool


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """Where the store lies and how.

    `obstacle` is (path, why): what stands in the way of using it at all. `nearest` is the folder that
    exists, when the store itself does not yet. `credentials` are files whose names say that they hold
    some, `leftovers` temporary files of ours: (path, time of their last change).
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


@dataclass(frozen=True, slots=True)
class LockFacts:
    """The log's lock: `problem` when it was not free in time, and who has it as far as can be seen."""

    problem: str | None
    holder: Process | None


@dataclass(frozen=True, slots=True)
class ResidentFacts:
    """The resident broker and what lies beside its socket.

    `process` is the socket's other end, `status` what it answered, `problem` why it did not;
    `hung` the mark that a hook left: (time, pid); `tracebacks` and `last_error` are of its log.
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


@dataclass(frozen=True, slots=True)
class UserFacts:
    """What the user has set: a broken `config.toml`, pauses, switches in the environment.

    `reduced` names kinds of session that `config.toml` keeps from recording or recall; `no_vectors`
    says why memory is searched by words alone.
    """

    config: str
    config_problem: str | None
    capture_reads: bool
    reduced: tuple[str, ...]
    paused: tuple[str, ...]
    pause_is_damaged: bool
    off: str | None
    depth: str | None
    client_version: str | None
    no_vectors: SemanticUnavailable | None = None


@dataclass(frozen=True, slots=True)
class RecallProof:
    """What came of the canary through the registered commands, in a temporary store.

    `problem` says what went wrong, at which step; `units` are the UTF-16 units of the largest
    answer, `channels` the events whose answers brought the canary to the model.
    """

    problem: str | None
    channels: tuple[str, ...]
    units: int
    seconds: float
    is_tried: bool = True


@dataclass(frozen=True, slots=True)
class StoreProof:
    """What came of the canary in the real store: `via` the resident or this process."""

    via: str
    status: str
    reason: str
    trace: CanaryTrace | None


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that the checks judge. Each part may be Unknown, whatever became of the others."""

    home: str
    now: float
    version: str
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


def known(part: T | Unknown) -> T:
    """The part, when it could be looked at. Raises PartUnknownError."""
    if isinstance(part, Unknown):
        raise PartUnknownError(part)
    return part
