"""The tokens with which programs outside of this machine's sessions reach a store over HTTP.

The file lies beside no memory: what is in a store may be searched, copied and backed up. It holds digests alone.
"""

import hmac
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from pydantic import BaseModel

from hooklore.agents.agent import AgentPermission
from hooklore.agents.check import shell
from hooklore.config import (
    StoreLocation,
    is_private_directory,
    make_private_directory,
    root_digest,
)
from hooklore.errors import HookloreError, NotFound, StoreError, StoreUnreadable
from hooklore.requests.private_file import (
    read_private_file,
    remove_private_file,
    replace_private_file,
)
from hooklore.requests.token_kinds import (
    AccessToken,
    ConsentCode,
    digest_of,
    draw_text,
    read_token,
    rfc3339,
)
from hooklore.requests.token_uses import TokenUses

_LOCK_SECONDS = 10.0
_DAY = 86_400
_TICK_NS = 50_000_000
"""More than the step of a file's times: two changes within one may leave the same inode, size and time."""

Changes = Mapping[str, AccessToken | None]
"""Entries by their ids: new ones, others in their new form, and None for those that go."""


class _Entry(BaseModel, extra="allow"):
    """One token as the file has it, also what only a newer version knows of it."""

    id: str


class _Content(BaseModel, extra="allow"):
    """All that the file has: the tokens of every store of this user."""

    tokens: tuple[_Entry, ...]

    def read_tokens(self) -> tuple[AccessToken, ...]:
        """Return the tokens. Raise ValidationError for one that lacks a part."""
        return tuple(read_token(entry.model_dump()) for entry in self.tokens)

    def apply(self, changes: Changes) -> "_Content":
        """Return the content with these changes."""
        before = {entry.id: entry.model_dump() for entry in self.tokens}
        kept = (entry for entry in self.tokens if entry.id not in changes)
        new = (
            _Entry(**{**before.get(id_, {}), **asdict(token)})
            for id_, token in changes.items()
            if token is not None
        )
        return self.model_copy(update={"tokens": (*kept, *new)})


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
        self.store = root_digest(place.root)
        self._directory = Path(place.directory)
        self._lock_path = self.folder / "tokens.lock"
        self._read: tuple[tuple[int, ...], tuple[AccessToken, ...]] = ((), ())
        self._uses = TokenUses(self.folder / "tokens-used.json")

    @property
    def is_in_store(self) -> bool:
        """Return whether the file lies in the store, where no credential may lie."""
        return Path(os.path.realpath(self.folder)).is_relative_to(os.path.realpath(self._directory))

    def find(self, text: str) -> AccessToken:
        """Return the token with this text. Raise TokenInvalid, and StoreUnreadable for a file that is not safe."""
        digest, found = digest_of(text), None
        for token in self.entries():  # all of them: the time that it takes tells nothing
            if hmac.compare_digest(token.digest, digest) and token.opens:
                found = token
        if found is None:
            raise TokenInvalid
        end = found.text_ends_at
        if end is not None and end <= rfc3339(time.time()):
            raise TokenInvalid(f"its token ended at {end}")
        return found

    def list(self) -> tuple[AccessToken, ...]:
        """Return the tokens and grants of this store, also those that have ended. Raise StoreUnreadable."""
        return tuple(each for each in self.entries() if not isinstance(each, ConsentCode))

    def entries(self) -> tuple[AccessToken, ...]:
        """Return all entries of this store, also those that have ended. Raise StoreUnreadable."""
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
            tokens = tuple(t for t in self._content().read_tokens() if t.store == self.store)
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
        text = draw_text()
        token = AccessToken(
            id=new_id(),
            agent=agent,
            digest=digest_of(text),
            store=self.store,
            scopes=tuple(scopes),
            permission=permission,
            created_at=rfc3339(now),
            expires_at=end_of(days, now),
        )
        self.change(now, lambda _: {token.id: token})
        return token, text

    def revoke(self, id_: str) -> AccessToken:
        """Remove an entry and return it. Raise TokenNotFound, and StoreError where nothing can be written."""
        found = next((token for token in self.entries() if token.id == id_), None)
        if found is None:
            raise TokenNotFound
        self.change(time.time(), lambda _: {id_: None})
        return found

    def revoke_all(self) -> int:
        """Remove every token of this store, and the folder with the last one. Return how many. Raise StoreError."""
        count, ids = len(self.list()), {token.id for token in self.entries()}
        if ids:
            self.change(time.time(), lambda _: dict.fromkeys(ids))
        if ids and not self.path.exists():
            with suppress(OSError):
                self._lock_path.unlink(missing_ok=True)
                self.folder.rmdir()
        return count

    def change(self, now: float, decide: Callable[[tuple[AccessToken, ...]], Changes]) -> None:
        """Change entries as `decide` says of those of this store that have not ended, while nobody else does.

        Those of every store that have ended go with the change. Raise StoreError.
        """
        try:
            self._require_folder()
            with self._locked(_LOCK_SECONDS):
                content = self._content()
                found = content.read_tokens()
                ended = {token.id: None for token in found if token.is_over(now)}
                own = (t for t in found if t.store == self.store and t.id not in ended)
                if changes := decide(tuple(own)):
                    self._write(content.apply({**ended, **changes}))
        except OSError as error:
            raise StoreError(str(self.path), error.strerror or str(error)) from None

    def mark_used(self, id_: str, now: float) -> None:
        """Note that a token was used, at most once a minute. Where that cannot be noted nothing else fails."""
        if not self._uses.is_due(id_, now):
            return
        with suppress(OSError, StoreError):
            ids = {entry.id for entry in self._content().tokens}
            if id_ in ids:  # else the folder may be gone, which the lock would make again
                self._uses.note(id_, now, ids, lambda: self._locked(0))

    def last_used(self, id_: str) -> str | None:
        """Return when a token was last used, to the minute, or None."""
        return self._uses.last(id_)

    def _write(self, content: _Content) -> None:
        """Write the file, or remove it with its last token."""
        if content.tokens or content.model_extra:
            replace_private_file(self.path, content.model_dump_json(indent=2).encode())
            return
        remove_private_file(self.path)
        self._uses.path.unlink(missing_ok=True)

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
            found = _Content.model_validate_json(read_private_file(self.path))
            found.read_tokens()
        except FileNotFoundError:
            return _Content(tokens=())
        except ValueError:
            fix = f"run `{shell('mv', str(self.path), f'{self.path}.aside')}`, and create the tokens again"
            raise StoreUnreadable(str(self.path), "it is no list of tokens", fix=fix) from None
        return found


def new_id() -> str:
    """Return the id of a new entry."""
    return secrets.token_hex(4)


def end_of(days: int, now: float) -> str | None:
    """Return the end of what lives for `days`, None for 0."""
    return rfc3339(now + days * _DAY) if days else None
