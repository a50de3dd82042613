"""Every error that hooklore raises on purpose.

HookloreError
├── ConfigError            a setting cannot be used
├── StoreError             the store cannot be used
│   ├── StoreNotItsOwn     the store is a directory of more than memory
│   ├── StoreUnreadable    memory cannot be read
│   ├── LogError           the log cannot be appended to
│   │   ├── LogLockTimeout another process holds the log
│   │   └── LogWriteFailed the disk refused the bytes
│   └── IndexUnusable      the index cannot be used; `hooklore rebuild` rebuilds the index
├── VectorsMissing         semantic search is requested and unavailable
├── RecordInvalid          a record does not match the schema
├── ConversationInvalid    a message of a conversation cannot be used
├── RequestRefused         memory refused what a program asked for
├── Forbidden              an agent asks for what it may not read or do
├── NotFound               no record has that id
├── ResidentUnreachable    no resident broker answers
├── GatewayUnreachable     no gateway answers at a URL
├── ImportFailed           a foreign log cannot be read
├── SettingsError          a settings file of the user's cannot be edited safely
└── InstallError           the launcher cannot be laid out

Each error carries its facts as fields, and a `fix`: one command or edit, which each surface words its own way.
"""

from typing import Literal

ErrorCode = Literal["invalid", "secret", "unauthorized", "forbidden", "not_found", "unavailable"]
"""The kinds of errors, by which programs tell them apart whatever their words."""


class HookloreError(Exception):
    """The base of all expected errors.

    `str()` is the line after `error: `, and `fix` is the line after `hint: `.
    """

    fix: str = "run `hooks doctor`"
    code: ErrorCode = "invalid"

    def __init__(self, message: str, *, fix: str | None = None) -> None:
        super().__init__(message)
        if fix is not None:
            self.fix = fix


class ConfigError(HookloreError):
    """The setting `key` of the file `path` cannot be used."""

    code = "unavailable"

    def __init__(self, path: str, key: str, cause: str) -> None:
        super().__init__(f"could not use `{key}` in `{path}`: {cause}", fix=f"edit `{path}`")
        self.path, self.key = path, key


class StoreError(HookloreError):
    """The store at `path` cannot be used."""

    verb = "use"
    code = "unavailable"

    def __init__(self, path: str, cause: str, *, fix: str | None = None) -> None:
        super().__init__(f"could not {self.verb} `{path}`: {cause}", fix=fix)
        self.path, self.cause = path, cause


class StoreNotItsOwn(StoreError):
    """The store's directory is `/` or the home directory, where nothing of a store may be written."""

    fix = "set `HOOKLORE_HOME` to a folder of its own, or unset it"


class StoreUnreadable(StoreError):
    """Memory cannot be read: missing rights, a damaged file, a directory where a file should be."""

    verb = "read"


class LogError(StoreError):
    """The log cannot be appended to."""

    verb = "append to"


class LogLockTimeout(LogError, TimeoutError):
    """Another process holds the log's lock for longer than the caller may wait."""

    def __init__(self, path: str, waited: float) -> None:
        super().__init__(path, f"locked by another process for {waited:.1f} s")
        self.waited = waited


class LogWriteFailed(LogError):
    """The disk refused the bytes, and nothing was acknowledged. `errno` is the system's error number."""

    def __init__(self, path: str, error: OSError) -> None:
        super().__init__(path, error.strerror or str(error))
        self.errno = error.errno


class IndexUnusable(StoreError):
    """The index cannot be used. The log is intact."""

    verb = "search"

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(path, cause, fix="run `hooklore rebuild`")


class VectorsMissing(HookloreError):
    """Semantic search is requested and unavailable on this machine."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"could not search by meaning: {why}", fix="run `pip install 'hooklore[semantic]'`"
        )


class RecordInvalid(HookloreError):
    """A record does not match the schema. `problems` name fields, never values."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(
            f"could not accept the record: {'; '.join(problems)}",
            fix="run `hooklore schema` for the shape",
        )
        self.problems = problems


class ConversationInvalid(HookloreError):
    """A conversation cannot be taken in. `field` names the place, and no value is repeated."""

    def __init__(self, field: str, cause: str) -> None:
        super().__init__(
            f"could not ingest `{field}`: {cause}",
            fix="give each message `author`, `text`, and its `time` or `id`",
        )
        self.field, self.cause = field, cause


class RequestRefused(HookloreError):
    """Memory refused a request of a program, or could not carry it out. `problem` and `fix` say the rest."""

    def __init__(self, problem: str, hint: str) -> None:
        super().__init__(problem, fix=hint or None)
        self.problem = problem


class Forbidden(HookloreError):
    """An agent asks for what it may not read, write or do."""

    code = "forbidden"


class NotFound(HookloreError):
    """No record with that id is visible to the reader."""

    code = "not_found"

    def __init__(self, thing: str) -> None:
        super().__init__(
            f"could not find `{thing}`: no such record", fix="run `hooklore list` for the ids"
        )


class ArgumentInvalid(HookloreError):
    """A value of a verb's argument `name` means nothing here, or nothing beside the others."""

    def __init__(self, name: str, cause: str) -> None:
        thing = f"`{name}`" if name else "an argument"
        super().__init__(f"could not read {thing}: {cause}", fix="send another value")
        self.name, self.cause = name, cause


class ResidentUnreachable(HookloreError):
    """No resident broker answers at the socket."""

    code = "unavailable"

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"could not reach the resident broker at `{path}`: {cause}")
        self.path = path


class GatewayUnreachable(HookloreError):
    """No gateway answers at the URL."""

    code = "unavailable"

    def __init__(self, url: str, cause: str) -> None:
        super().__init__(
            f"could not reach the gateway at `{url}`: {cause}",
            fix="start it with `hooklore gateway`, or name its URL",
        )
        self.url, self.cause = url, cause


class ImportFailed(HookloreError):
    """A foreign log cannot be read."""

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"could not import `{path}`: {cause}", fix="name a readable JSONL file")


class SettingsError(HookloreError):
    """A settings file of the user's cannot be edited safely, and nothing was written."""

    def __init__(self, path: str, cause: str, *, fix: str | None = None) -> None:
        super().__init__(
            f"could not edit `{path}`: {cause}", fix=fix or f"correct `{path}` by hand"
        )
        self.path, self.cause = path, cause


class InstallError(HookloreError):
    """A part of the installation cannot be laid out."""

    def __init__(self, thing: str, cause: str) -> None:
        super().__init__(f"could not install {thing}: {cause}", fix="run `hooks doctor`")
