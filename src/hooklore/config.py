"""Paths and settings: the only reader of the environment besides the client."""

import contextlib
import errno
import functools
import hashlib
import math
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from hooklore.agents.agent import NOT_AGENTS, AgentPermission, AgentRole
from hooklore.errors import ConfigError, StoreNotItsOwn

DEPTH_VARIABLE = "HOOKLORE_DEPTH"
"""Set in every process that hooklore starts, so that its hooks do nothing (loop safety, seed 000 Dependencies)."""

OWN_RUNTIME = ".hooklore-run"
"""Name of the directory inside a store that holds its socket while the user's own is squatted."""

_RECORD_STARTS = b'{"v":'

RESIDENT_ENVIRONMENT = (
    "HOME", "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "USER", "LOGNAME",
    "HOOKLORE_HOME", "AI_MEMORY_PATH",
)  # fmt: skip
"""Variables that a resident keeps of its environment: the first session's environment holds an API key."""


@dataclass(frozen=True, slots=True)
class StoreLocation:
    """The paths of one store.

    `root` is the path as the environment names it. The client hashes `root` for the socket's name, so it
    must not depend on the disk. `log` and `directory` may differ from `root` (`AI_MEMORY_PATH`).
    """

    root: str
    log: Path
    directory: Path

    @property
    def socket(self) -> Path:
        """The resident's socket: a short path, the same for desktop, ssh and cron."""
        return self.runtime / f"{root_digest(self.root)}.sock"

    @property
    def runtime(self) -> Path:
        """The directory of the socket and the marks: the user's own, or one in the store while that is squatted."""
        shared = runtime_directory()
        return self.own_runtime if is_squatted(shared) else shared

    @property
    def own_runtime(self) -> Path:
        """The directory inside the store that takes the place of a squatted one. The client knows the same."""
        root = Path(self.root)
        is_directory = self.log != root and root in self.log.parents
        return (root if is_directory else Path(f"{self.root}.d")) / OWN_RUNTIME

    @property
    def config(self) -> Path:
        """The user's settings for this store."""
        return self.directory / "config.toml"

    @property
    def vendor_rows(self) -> Path:
        """The user's own forms of tokens, in the form of gitleaks' rules."""
        return self.directory / "vendors.toml"


@functools.lru_cache(16)
def root_digest(root: str) -> str:
    """Return the store's name in the socket's directory: 16 hex digits of its path as given."""
    return hashlib.blake2b(os.fsencode(root), digest_size=8).hexdigest()


def runtime_directory() -> Path:
    """Return `/tmp/hooklore-<uid>`, the directory of sockets and marks. Cron lacks `$XDG_RUNTIME_DIR`."""
    return _runtime_directory_of(os.getuid())


@functools.cache
def _runtime_directory_of(uid: int) -> Path:
    return Path(f"/tmp/hooklore-{uid}")  # noqa: S108 - owner and mode are checked on use


def is_private_directory(path: Path) -> bool:
    """Return whether `path` is a directory, no link, of this user, that nobody else may enter."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def is_squatted(path: Path) -> bool:
    """Return whether something else stands where a private directory should: another's, a file, a link."""
    return os.path.lexists(path) and not is_private_directory(path)


def make_private_directory(path: Path) -> None:
    """Make a directory that only this user may enter, and those above that are missing."""
    if not path.parent.exists():
        make_private_directory(path.parent)
    with contextlib.suppress(FileExistsError):
        os.mkdir(path, 0o700)


def read_environment() -> dict[str, str]:
    """Return a copy of the process's environment, which is read here and nowhere else."""
    return dict(os.environ)


def is_switched_off(env: Mapping[str, str]) -> bool:
    """Return whether `HOOKLORE_OFF` lets nothing be recorded or recalled. The client has the same rule."""
    return env.get("HOOKLORE_OFF", "") not in ("", "0")


def store_root(env: Mapping[str, str]) -> str | None:
    """Return the path that names the store, or None without HOME.

    HOOKLORE_HOME comes first, then AI_MEMORY_PATH, then the default. Relative paths, `~` and `~/` start at
    HOME, because hooks run in many directories and the store is one.
    """
    home = env.get("HOME", "")
    path = env.get("HOOKLORE_HOME") or env.get("AI_MEMORY_PATH") or ".config/ai/memory"
    path = "" if path == "~" else path.removeprefix("~/")
    if not path.startswith("/"):
        if not home.startswith("/"):
            return None
        path = f"{home.rstrip('/')}/{path}"
    return path.rstrip("/") or "/"


def locate_store(env: Mapping[str, str]) -> StoreLocation:
    """Return the location of this user's store (seed 003's path by default).

    Raise `ConfigError` when neither HOME nor a store's path is set, and `StoreNotItsOwn` for a directory of
    more than memory.
    """
    root = store_root(env)
    if root is None:
        raise ConfigError("environment", "HOME", "it is not set, so no store can be found")
    _require_own_directory(root, env)
    if not env.get("HOOKLORE_HOME") and env.get("AI_MEMORY_PATH"):
        return _beside_foreign(StoreLocation(root, Path(root), Path(root + ".d")))
    return _beside_foreign(StoreLocation(root, Path(root) / "events.jsonl", Path(root)))


def store_location_at(directory: Path) -> StoreLocation:
    """Return the location of the store in `directory`, for any environment. Raise `StoreNotItsOwn`."""
    _require_own_directory(str(directory), read_environment())
    return StoreLocation(str(directory), directory / "events.jsonl", directory)


def _require_own_directory(root: str, env: Mapping[str, str]) -> None:
    """Raise `StoreNotItsOwn` for `/` and for the home directory. The client has the same rule."""
    for path, name in (("/", "the root of the file system"), (env.get("HOME"), "your home")):
        with contextlib.suppress(OSError):
            if path and os.path.samefile(root, path):
                raise StoreNotItsOwn(root, f"it is {name}, which holds more than memory")


def _beside_foreign(here: StoreLocation) -> StoreLocation:
    """Return `here`, or `hooklore/` beside files of another program, which are never touched.

    Such are a log, and without a log of ours any file in the place of one that we replace. A store that was
    made there is found again when they are gone.
    """
    beside = here.log.parent / "hooklore"
    # `os.path` says no where a folder may not be entered; `Path.exists` raises.
    is_free = os.path.exists(here.log) or not (
        os.path.exists(beside / here.log.name) or _holds_foreign(here.directory)
    )
    if is_free and not is_foreign_log(here.log):
        return here
    return StoreLocation(here.root, beside / "events.jsonl", beside)


_REPLACED = (
    ("rules", re.compile(rb"\d{1,4}\n")),
    ("reserve", re.compile(rb"\0+")),
    (os.path.join("index", "current"), re.compile(rb"g\d+")),
)
"""Files that a store replaces as a whole, and what ours hold."""


def _holds_foreign(directory: Path) -> bool:
    """Return whether a file of another program stands in a place of ours."""
    for name, ours in _REPLACED:
        try:
            content = read_owned_file(directory / name, follow=False)
        except OSError:
            continue
        if content and not ours.fullmatch(content):
            return True
    return False


def is_foreign_log(path: Path) -> bool:
    """Return whether the file at `path` begins with a line of another program.

    A first record that a kill cut short is ours. So is a damaged one before a line of ours, because a flipped
    bit must not hide a whole memory.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        first, *others = os.read(fd, 65536).lstrip(b"\xef\xbb\xbf \t\r").split(b"\n")
    except OSError:
        return False
    finally:
        os.close(fd)
    is_torn = not others and _RECORD_STARTS.startswith(first)
    is_ours = any(line.startswith(_RECORD_STARTS) for line in (first, *others))
    return bool(first.strip(b"\x00")) and not is_torn and not is_ours


class _Table(BaseModel):
    """A table of the file: an unknown key is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class CaptureSettings(_Table):
    """The parts of a session that are recorded."""

    reads: bool = Field(default=False, description="record reads and searches (paths only) too")
    exclude: tuple[str, ...] = Field(
        default=(".env*", "*.pem", "id_*", "node_modules/**"),
        description="globs of files of which only the path is kept",
    )
    exclude_projects: tuple[str, ...] = Field(
        default=(), description="globs of directories where nothing is recorded or recalled"
    )
    keep_days: int = Field(
        default=0,
        ge=0,
        le=36_500,
        description="days after which what hooks recorded is no longer recalled; 0: it never expires",
    )


SessionMode = Literal["full", "record", "off"]


class SessionSettings(_Table):
    """The mode of each kind of session: `full` records and recalls, `record` only records, `off` does neither."""

    interactive: SessionMode = "full"
    headless: SessionMode = "full"
    subagents: SessionMode = "full"


_AgentName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")]


class AgentSettings(_Table):
    """One agent of the registry. What is left out stays as it is built in."""

    role: AgentRole | None = Field(default=None, description="the kind of work that it does")
    permission: AgentPermission | None = Field(
        default=None, description="`worker` unless said: what it may do, and what it may propose"
    )
    aliases: tuple[_AgentName, ...] = Field(default=(), description="its other names")


class CuratedSettings(_Table):
    """The rules for deliberate memories, and for reading them back."""

    agents: tuple[str, ...] = Field(
        default=(), description="agents that may write, beside those that are known"
    )
    scopes: tuple[Annotated[str, Field(pattern=r"^global_v[1-9][0-9]{0,2}$")], ...] = Field(
        default=(), description="scopes newer than `global`, which older readers do not see"
    )
    run_limit: int = Field(
        default=7, ge=1, description="memories that agents may add at one prompt; more of them wait"
    )
    agents_word: Literal["stands", "waits"] = Field(
        default="stands",
        description="whether what an agent keeps on its own word is told under its name, or waits for you",
    )
    trusted_servers: tuple[str, ...] = Field(
        default=(),
        description="MCP servers whose answers an agent may keep memories of without your prompt",
    )
    content_limit: int = Field(
        default=8_000, ge=1_200, le=100_000,
        description="characters of a memory's text; a longer text is refused",
    )  # fmt: skip
    unused_days: int = Field(
        default=90, ge=1, le=3650,
        description="days after which a memory that nobody uses may be cleaned up",
    )  # fmt: skip
    ruleset_stamp: str = Field(
        default="HOOKLORE_RULESET=v1.0",
        max_length=200,
        description="the rules a snapshot says it was made by",
    )

    @field_validator("ruleset_stamp")
    @classmethod
    def _check_stamp(cls, stamp: str) -> str:
        if not stamp.isprintable():
            raise ValueError("it must be one line without control characters")
        return stamp


class SharingSettings(_Table):
    """The rules by which what few may read is proposed to be shared."""

    share_after_days: int = Field(
        default=0, ge=0, le=36_500,
        description="days after which a memory of one session or role is proposed to be shared with all readers "
        "of its place; a person decides; 0: never",
    )  # fmt: skip


class ImportanceSettings(_Table):
    """The weight of each factor of importance (seed 003). The weights sum to 1."""

    outcome_impact: float = Field(default=0.25, ge=0, le=1, description="success or failure")
    reuse_frequency: float = Field(default=0.20, ge=0, le=1, description="cited, and shown")
    cross_agent_impact: float = Field(default=0.20, ge=0, le=1, description="agents and tasks")
    novelty: float = Field(default=0.15, ge=0, le=1, description="unlike what was known")
    user_signal: float = Field(default=0.15, ge=0, le=1, description="approved or rejected")
    cost_savings: float = Field(default=0.05, ge=0, le=1, description="tokens saved")

    @model_validator(mode="after")
    def _check_sum(self) -> "ImportanceSettings":
        total = sum(self.weights.values())
        if not math.isclose(total, 1.0, abs_tol=1e-6):
            raise ValueError(f"the six weights sum to {total:.6g}, must sum to 1")
        return self

    @property
    def weights(self) -> dict[str, float]:
        """Each factor's weight, in the seed's order."""
        return {name: getattr(self, name) for name in type(self).model_fields}


class WakeUpSettings(_Table):
    """The sentence about private memory in a session's brief: an option, no instruction (seed 001 §7)."""

    line: str = Field(
        default="",
        description="the line; empty for none",
    )
    verbose: bool = Field(default=False, description="say where private memories stay, too")
    tool_line: str = Field(
        default="If something is hard to say yet, you can keep it with remember(private=true).",
        description="the line that an agent is told when it calls `wake_up`; empty for none",
    )

    @field_validator("line", "tool_line")
    @classmethod
    def _check_wording(cls, line: str) -> str:
        if "\n" in line or "\r" in line:
            raise ValueError("it must be one line")
        if not line.strip().isprintable():
            raise ValueError("it must have no control characters")
        found = _IMPERATIVES.search(line)
        if found:
            raise ValueError(f"it must offer, not order: without `{found.group()}`")
        return line.strip()

    @model_validator(mode="after")
    def _check_length(self) -> "WakeUpSettings":
        longest = max(len(self.text), len(self.tool_line))
        if longest > MAX_WAKE_UP_LENGTH:
            raise ValueError(f"it has {longest} characters, at most {MAX_WAKE_UP_LENGTH}")
        return self

    @property
    def text(self) -> str:
        """The sentence, of one or two lines. Empty if `line` is empty."""
        return (
            "\n".join(filter(None, (self.line, _PRIVATE_NOTE)))
            if self.line and self.verbose
            else self.line
        )


MAX_WAKE_UP_LENGTH = 200
_PRIVATE_NOTE = "Private memories stay internal and are not synced to workspace logs."
_IMPERATIVES = re.compile(
    r"\b(?:should|must|always|never|have to|need to|ought)\b|べき|必ず|しなさい|してください|すること",
    re.IGNORECASE,
)


class RecallSettings(_Table):
    """The settings of search and recall."""

    semantic: Literal["auto", "off", "mem0"] = Field(
        default="auto",
        description="search by meaning, too, where the extra `[semantic]` is installed; `mem0`: in "
        "mem0's index (extra `[mem0]`)",
    )
    guard: bool = Field(
        default=False,
        description="answer a command that failed the same way in its last two sessions, and whose fix is "
        "known, with that fix instead of running it: once a session",
    )
    brief_tokens: int = Field(
        default=500,
        ge=200,
        le=5_000,
        description="tokens that a session may be told at its start, beside the index of titles",
    )
    index_tokens: int = Field(
        default=800,
        ge=0,
        le=4_000,
        description="tokens of the index of titles at a session's start; 0: no index",
    )
    keep_line: bool = Field(
        default=True,
        description="ask the agent at a session's start to keep what lasts, and remind it at a prompt that "
        "seems to hold such a thing",
    )
    half_life_days: float = Field(
        default=0,
        ge=0,
        le=36_500,
        description="days after which what a session left counts half; 0: it never fades",
    )
    importance_floor: float = Field(
        default=0,
        ge=0,
        le=1,
        description="what is less important than this and a month old goes behind all else",
    )


class ResidentSettings(_Table):
    """The settings of the resident."""

    keep_minutes: int = Field(
        default=60, ge=0, le=1_440,
        description="minutes that the resident may stay after a session: as long as sessions usually "
        "lie apart, at least 15; 0: 15 always",
    )  # fmt: skip


class Settings(_Table):
    """The settings in a store's `config.toml`. Every value has a default, and an unknown key is refused."""

    strict: bool = Field(default=False, description="stop the turn when memory is unreadable")
    debug: bool = Field(
        default=False,
        description="log id and status of every append, and its steps, beside the socket",
    )
    agents: Mapping[_AgentName, AgentSettings] = Field(
        default={}, description="agents beside the built-in ones, and what is different of those"
    )
    capture: CaptureSettings = CaptureSettings()
    sessions: SessionSettings = SessionSettings()
    curated: CuratedSettings = CuratedSettings()
    importance: ImportanceSettings = ImportanceSettings()
    wake_up: WakeUpSettings = WakeUpSettings()
    recall: RecallSettings = RecallSettings()
    resident: ResidentSettings = ResidentSettings()
    sharing: SharingSettings = SharingSettings()
    _problems: tuple[ConfigError, ...] = ()

    @field_validator("agents")
    @classmethod
    def _check_names(cls, agents: Mapping[str, AgentSettings]) -> Mapping[str, AgentSettings]:
        names = {*agents, *(alias for each in agents.values() for alias in each.aliases)}
        taken = sorted(names & {*NOT_AGENTS})
        if taken:
            raise ValueError(f"no agent may be named {', '.join(taken)}")
        return agents

    @property
    def problems(self) -> tuple[ConfigError, ...]:
        """The keys of the file that could not be used, each with its cause."""
        return self._problems

    def with_problems(self, problems: Iterable[ConfigError]) -> "Settings":
        """Return a copy that says which keys of its file could not be used."""
        copy = self.model_copy()
        copy._problems = tuple(problems)
        return copy


NOTHING_KEPT = SessionSettings(interactive="off", headless="off", subagents="off")
"""The strict reading of `config.toml` where an exclusion that cannot be read may cover anything."""

_MAX_FILE_BYTES = 1 << 20


def read_owned_file(path: Path, *, follow: bool) -> bytes:
    """Return the content of a small regular file of this user or root, of at most 1 MiB.

    Raise `OSError` for any other file, because a pipe would block every hook. A link is followed only with
    `follow`, where users may keep their settings elsewhere.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    fd = os.open(path, flags)
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        if found.st_uid not in (os.getuid(), 0):
            raise PermissionError(errno.EPERM, "it belongs to another user", str(path))
        if found.st_size > _MAX_FILE_BYTES:
            raise OSError(errno.EFBIG, "it is larger than 1 MiB", str(path))
        with os.fdopen(os.dup(fd), "rb") as file:
            return file.read(_MAX_FILE_BYTES + 1)
    finally:
        os.close(fd)


def load_settings(path: Path) -> Settings:
    """Return the settings in a TOML file, or the defaults without one. `problems` names what is not used.

    A key that cannot be used is left out alone. Where that key may have kept something from being recorded,
    its strict reading takes its place: a person who excluded a project must not be recorded for a typing error.
    """
    try:
        given = tomllib.loads(read_owned_file(path, follow=True).decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, FileNotFoundError | NotADirectoryError) and not os.path.lexists(path):
            return Settings()
        # Nobody knows what such a file excludes.
        cause = (error.strerror if isinstance(error, OSError) else None) or str(error)
        problem = ConfigError(str(path), "the file", f"{cause}; nothing is recorded or recalled")
        return Settings(sessions=NOTHING_KEPT).with_problems([problem])
    return parse_settings(given, str(path))


def parse_settings(given: MutableMapping[str, Any], path: str) -> Settings:
    """Return the settings in the content of a file, with the strict reading of each key that is left out.

    These keys are taken out of `given`.
    """
    left_out: list[tuple[tuple[str, ...], object]] = []
    problems: list[ConfigError] = []
    while True:
        try:
            settings = Settings.model_validate(given)
            break
        except ValidationError as error:
            first = error.errors()[0]
            place = _place_in(given, first["loc"])
            table = given[place[0]] if len(place) > 1 else given
            left_out.append((place, table.pop(place[-1])))
            problems.append(ConfigError(path, ".".join(map(_shown, place)), first["msg"]))
    for place, value in left_out:
        settings = _read_strictly(settings, place, value)
    return settings.with_problems(problems)


_KEY = re.compile(r"[A-Za-z_-]{1,40}")


def _shown(key: str) -> str:
    """Return a key as a message names it: any text may stand there, a secret too, but for a key's form."""
    return key if _KEY.fullmatch(key) else f"a key of {len(key)} characters"


def _place_in(given: Mapping[str, Any], found: tuple[int | str, ...]) -> tuple[str, ...]:
    """Return the key of a file's table, or of the file, in which a problem was found."""
    section = str(found[0])
    table = given[section]
    has_key = len(found) > 1 and isinstance(table, dict) and found[1] in table
    return (section, str(found[1])) if has_key else (section,)


_AGENTS = "agents"
_FILES, _PROJECTS = "exclude", "exclude_projects"
_LIMITS = frozenset((_FILES, _PROJECTS, *SessionSettings.model_fields))
"""The keys that keep something from being recorded or told."""


def _read_strictly(settings: Settings, place: tuple[str, ...], value: object) -> Settings:
    """Return the settings with the strict reading of a key that was left out: never less is kept out."""
    name = _meant_name(place)
    if name in ("capture", "sessions") and isinstance(value, dict):
        for key, each in value.items():
            settings = _read_strictly(settings, (name, key), each)
        return settings
    if place[0] == _AGENTS and len(place) > 1:
        # What cannot be read may have taken rights away.
        agents = {**settings.agents, place[1]: AgentSettings(permission="worker")}
        return settings.model_copy(update={_AGENTS: agents})
    if name == "sessions" or name in SessionSettings.model_fields:
        return _with_session_mode(settings, name, value)
    if name == _FILES:
        return _with_exclusions(settings, _FILES, _texts_in(value) or ("**",))
    if name == _PROJECTS and _texts_in(value):
        return _with_exclusions(settings, _PROJECTS, _texts_in(value))
    if name in ("capture", _PROJECTS):
        return settings.model_copy(update={"sessions": NOTHING_KEPT})
    return _read_unknown_strictly(settings, place, value)


def _read_unknown_strictly(settings: Settings, place: tuple[str, ...], value: object) -> Settings:
    """Return the settings with the strict reading of a key that no version has, and that sounds like a limit."""
    if place[0] not in ("capture", "sessions") and place[0] in Settings.model_fields:
        return settings
    if isinstance(value, dict):
        for key, each in value.items():
            settings = _read_strictly(settings, (*place, key), each)
        return settings
    if place[0] == "sessions":
        return _with_session_mode(settings, "sessions", value)
    if place == ("capture", "keep_days"):
        return _with_days(settings, value)
    is_told = _SOUNDS_LIKE_LIMIT.search(place[-1].lower()) is not None
    if texts := _texts_in(value) if isinstance(value, list) and (is_told or len(place) > 1) else ():
        return _with_exclusions(_with_exclusions(settings, _PROJECTS, texts), _FILES, texts)
    says_off = value in _WORDS_FOR_OFF or (value is True and is_told and "enabled" not in place[-1])
    if says_off and (is_told or place[0] == "capture"):
        return settings.model_copy(update={"sessions": NOTHING_KEPT})
    return settings


def _with_days(settings: Settings, value: object) -> Settings:
    """Return the settings that keep no longer than the first number in `value` says."""
    number = re.search(r"[1-9][0-9]{0,3}", str(value))
    if number is None:
        return settings
    capture = settings.capture.model_copy(update={"keep_days": int(number[0])})
    return settings.model_copy(update={"capture": capture})


_SOUNDS_LIKE_LIMIT = re.compile(r"exclud|ignor|skip|block|deny|privat|paus|off|disabl|enabl|record")
_WORDS_FOR_OFF = (False, "off", "no", "none", "never", "false", "0")


def _meant_name(place: tuple[str, ...]) -> str:
    """Return the limiting key or table that a key is, or is most like: `exclude_project`, `[session]`.

    The name is empty for a key that limits nothing.
    """
    import difflib

    key = place[-1].lower()
    if key.startswith("exclud") and key != _FILES:
        return _PROJECTS
    if len(place) == 1:
        others, known = set(Settings.model_fields), {"capture", "sessions", *_LIMITS}
    else:
        others, known = (
            set(CaptureSettings.model_fields) if place[0] == "capture" else set(),
            {*_LIMITS},
        )
    found = difflib.get_close_matches(key, [*known, *(others - known)], 1, _SIMILARITY)
    return found[0] if found and found[0] in known else ""


_SIMILARITY = 0.75


def _texts_in(value: object) -> tuple[str, ...]:
    """Return the globs in a value: one text, or the texts and numbers of a list; nothing of anything else."""
    each = value if isinstance(value, list) else [value] if isinstance(value, str) else [None]
    if not all(isinstance(item, str | int | float) and not isinstance(item, bool) for item in each):
        return ()
    return tuple(str(item) for item in each)


def _with_exclusions(settings: Settings, name: str, globs: tuple[str, ...]) -> Settings:
    """Return the settings that leave out these globs too."""
    capture = settings.capture
    more = (*getattr(capture, name), *globs)
    return settings.model_copy(update={"capture": capture.model_copy(update={name: more})})


_MODES: tuple[SessionMode, ...] = ("off", "record", "full")


def _with_session_mode(settings: Settings, name: str, value: object) -> Settings:
    """Return the settings in which the sessions `name` (all for `sessions`) keep no more than `value` says."""
    mode = value if value in _MODES else "off"
    kinds = tuple(SessionSettings.model_fields) if name == "sessions" else (name,)
    now = settings.sessions.model_dump()
    stricter = {kind: min(now[kind], mode, key=_MODES.index) for kind in kinds}
    return settings.model_copy(update={"sessions": settings.sessions.model_copy(update=stricter)})
