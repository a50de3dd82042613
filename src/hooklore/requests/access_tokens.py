"""The tokens with which programs outside of this machine's sessions reach a store over HTTP.

The file lies beside no memory: what is in a store may be searched, copied and backed up. It holds digests alone.
"""

import hashlib
import hmac
import math
import os
import secrets
import stat
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, TypeAdapter

from hooklore.agents.agent import AgentPermission
from hooklore.agents.check import shell
from hooklore.config import (
    StoreLocation,
    is_private_directory,
    make_private_directory,
    read_owned_file,
    root_digest,
)
from hooklore.errors import HookloreError, NotFound, StoreError, StoreUnreadable

_PREFIX = "hlk_"
_KIND = "token"
_LOCK_SECONDS = 10.0
_SECONDS_BETWEEN_MARKS = 60.0
_DAY = 86_400
_TICK_NS = 50_000_000
"""More than the step of a file's times: two changes within one may leave the same inode, size and time."""

_Time = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
"""RFC 3339 in UTC, to the second: an earlier time is the lesser text."""


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A token without its text: the agent that it speaks for, and how far it reaches.

    `digest` is the SHA-256 of the text, `store` the digest of the store's root. Without `scopes` it reads global
    and every project. Without `expires_at` it never ends.
    """

    id: Annotated[str, Field(pattern=r"^[0-9a-z]{8}$")]
    agent: str
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    store: str
    scopes: tuple[str, ...]
    permission: AgentPermission
    created_at: _Time
    expires_at: _Time | None
    kind: str = _KIND

    def is_over(self, now: float) -> bool:
        """Return whether the token has ended by the time `now`, in seconds since the epoch."""
        return self.expires_at is not None and self.expires_at <= _rfc3339(now)


_TOKENS = TypeAdapter(tuple[AccessToken, ...])


class _Entry(BaseModel, extra="allow"):
    """One token as the file has it, also what only a newer version knows of it."""

    id: str


class _Content(BaseModel, extra="allow"):
    """All that the file has: the tokens of every store of this user."""

    tokens: tuple[_Entry, ...]

    def read_tokens(self) -> tuple[AccessToken, ...]:
        """Return the tokens. Raise ValidationError for one that lacks a part."""
        return _TOKENS.validate_python([entry.model_dump() for entry in self.tokens])


class _Uses(BaseModel):
    """The last use of each token, by its id."""

    last_used: Mapping[str, str] = {}


class TokenInvalid(HookloreError):
    """A token opens nothing. Who does not hold the right text learns nothing else."""

    code = "unauthorized"

    def __init__(self, cause: str = "it has no valid token") -> None:
        super().__init__(
            f"could not accept the request: {cause}",
            fix="ask the user for a new one, by `hooklore token create`",
        )


class TokenNotFound(NotFound):
    """No token of the store has that id. The message does not repeat it: it may be a token's text."""

    def __init__(self) -> None:
        HookloreError.__init__(
            self,
            "could not find the token: this store has none with that id",
            fix="run `hooklore token list` for the ids",
        )


class TokenFile:
    """The tokens of one store, in a file of all stores of this user.

    It may be shared by threads. A change of another process counts from the next request on.
    """

    def __init__(self, place: StoreLocation, home: str) -> None:
        self.folder = Path(home) / ".config" / "hooklore"
        self.path = self.folder / "tokens.json"
        self._store = Path(place.directory)
        self._digest = root_digest(place.root)
        self._used_path = self.folder / "tokens-used.json"
        self._lock_path = self.folder / "tokens.lock"
        self._read: tuple[tuple[int, ...], tuple[AccessToken, ...]] = ((), ())
        self._marked: dict[str, float] = {}

    @property
    def is_in_store(self) -> bool:
        """Return whether the file lies in the store, where no credential may lie."""
        return Path(os.path.realpath(self.folder)).is_relative_to(os.path.realpath(self._store))

    def find(self, text: str) -> AccessToken:
        """Return the token with this text. Raise TokenInvalid, and StoreUnreadable for a file that is not safe."""
        digest, found = _digest_of(text), None
        for token in self.list():  # all of them: the time that it takes tells nothing
            if hmac.compare_digest(token.digest, digest) and token.kind == _KIND:
                found = token
        if found is None:
            raise TokenInvalid
        if found.is_over(time.time()):
            raise TokenInvalid(f"its token ended at {found.expires_at}")
        return found

    def list(self) -> tuple[AccessToken, ...]:
        """Return the tokens of this store, also those that have ended. Raise StoreUnreadable."""
        try:
            found = os.lstat(self.path)
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise StoreUnreadable(str(self.path), error.strerror or str(error)) from None
        # A change of rights or owner changes the last of these, too.
        stamp = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        known, tokens = self._read
        if stamp != known:
            tokens = tuple(t for t in self._content().read_tokens() if t.store == self._digest)
            is_settled = abs(time.time_ns() - found.st_mtime_ns) > _TICK_NS
            self._read = stamp if is_settled else (), tokens
        return tokens

    def create(
        self,
        agent: str,
        scopes: Sequence[str],
        permission: AgentPermission,
        days: int,
        now: float,
    ) -> tuple[AccessToken, str]:
        """Add a token that ends after `days`, never for 0. Return it, and its text, which nothing keeps.

        Raise StoreError where the file is not safe, cannot be written, or would lie in the store.
        """
        text = _PREFIX + secrets.token_urlsafe(32)
        token = AccessToken(
            id=secrets.token_hex(4),
            agent=agent,
            digest=_digest_of(text),
            store=self._digest,
            scopes=tuple(scopes),
            permission=permission,
            created_at=_rfc3339(now),
            expires_at=_rfc3339(now + days * _DAY) if days else None,
        )
        self._change(now, new=token)
        return token, text

    def revoke(self, id_: str) -> AccessToken:
        """Remove a token and return it. Raise TokenNotFound, and StoreError where nothing can be written."""
        found = next((token for token in self.list() if token.id == id_), None)
        if found is None:
            raise TokenNotFound
        self._change(time.time(), without={id_})
        return found

    def revoke_all(self) -> int:
        """Remove every token of this store, and the folder with the last one. Return how many. Raise StoreError."""
        ids = {token.id for token in self.list()}
        if ids:
            self._change(time.time(), without=ids)
        if ids and not self.path.exists():
            with suppress(OSError):
                self._lock_path.unlink(missing_ok=True)
                self.folder.rmdir()
        return len(ids)

    def mark_used(self, id_: str, now: float) -> None:
        """Note that a token was used, at most once a minute. Where that cannot be noted nothing else fails."""
        if abs(now - self._marked.get(id_, -math.inf)) < _SECONDS_BETWEEN_MARKS:
            return
        self._marked[id_] = now
        with suppress(OSError, StoreError):
            ids = {entry.id for entry in self._content().tokens}
            if id_ in ids:  # else the folder may be gone, which the lock would make again
                self._write_use(id_, now, ids)

    def _write_use(self, id_: str, now: float, ids: Collection[str]) -> None:
        with self._locked(0):
            used = {**self._used(), id_: _rfc3339(now)}
            kept = {each: at for each, at in used.items() if each in ids}
            _replace(self._used_path, _Uses(last_used=kept))

    def last_used(self, id_: str) -> str | None:
        """Return when a token was last used, to the minute, or None."""
        return self._used().get(id_)

    def _used(self) -> Mapping[str, str]:
        try:
            raw = read_owned_file(self._used_path, follow=False)
            return _Uses.model_validate_json(raw).last_used
        except (OSError, ValueError):
            return {}

    def _change(
        self, now: float, *, without: Collection[str] = (), new: AccessToken | None = None
    ) -> None:
        """Write the tokens of every store without those with these ids and those that have ended by `now`."""
        try:
            self._require_folder()
            with self._locked(_LOCK_SECONDS):
                content = self._content()
                ended = {token.id for token in content.read_tokens() if token.is_over(now)}
                kept = (each for each in content.tokens if each.id not in ended.union(without))
                added = (_Entry(**asdict(new)),) if new else ()
                self._write(content.model_copy(update={"tokens": (*kept, *added)}))
        except OSError as error:
            raise StoreError(str(self.path), error.strerror or str(error)) from None

    def _write(self, content: _Content) -> None:
        """Write the file, or remove it with its last token."""
        if content.tokens or content.model_extra:
            _replace(self.path, content)
            return
        self.path.unlink(missing_ok=True)
        self._used_path.unlink(missing_ok=True)

    def _require_folder(self) -> None:
        """Make the folder. Raise StoreError where it is no safe place for tokens."""
        if self.is_in_store:
            why = "it lies in the store, which may be searched and copied"
            raise StoreError(str(self.path), why, fix="set `HOOKLORE_HOME` to another folder")
        make_private_directory(self.folder)
        if not is_private_directory(self.folder):
            why = "it must be a folder of your own, no link, that nobody else may enter"
            raise StoreError(
                str(self.folder), why, fix=f"run `{shell('chmod', '700', str(self.folder))}`"
            )

    @contextmanager
    def _locked(self, seconds: float) -> Iterator[None]:
        from filelock import FileLock  # a request that only reads needs none

        with FileLock(self._lock_path, mode=0o600, timeout=seconds):
            yield

    def _content(self) -> _Content:
        """Return what the file has, every token of it whole. Raise StoreUnreadable."""
        try:
            _require_private(self.path)
            found = _Content.model_validate_json(read_owned_file(self.path, follow=False))
            found.read_tokens()
        except FileNotFoundError:
            return _Content(tokens=())
        except OSError as error:
            raise StoreUnreadable(str(self.path), error.strerror or str(error)) from None
        except ValueError:
            fix = f"run `{shell('mv', str(self.path), f'{self.path}.aside')}`, and create the tokens again"
            raise StoreUnreadable(str(self.path), "it is no list of tokens", fix=fix) from None
        return found


def _require_private(path: Path) -> None:
    """Raise StoreUnreadable for a file that is not the user's own, or that others may read."""
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.getuid():
        raise StoreUnreadable(
            str(path),
            "it is a link, no file, or another user's",
            fix=f"run `{shell('ls', '-l', str(path))}`",
        )
    if found.st_mode & 0o077:
        raise StoreUnreadable(
            str(path), "others may read it", fix=f"run `{shell('chmod', '600', str(path))}`"
        )


def _replace(path: Path, content: BaseModel) -> None:
    """Put an object in the place of a file in one step, flushed: a revoked token must not come back."""
    temporary = path.with_suffix(".tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(temporary, flags, 0o600), "wb") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(content.model_dump_json(indent=2).encode())
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _digest_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def _rfc3339(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
