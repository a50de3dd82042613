"""The kinds of entries in the tokens' file, each without its text: tokens, grants of OAuth, codes of consent."""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final

from pydantic import Field, TypeAdapter

from hooklore.agents.agent import AgentPermission

PREFIX: Final = "hlk_"
"""The beginning of every token, by which the redaction knows one."""

_TOKEN: Final = "token"  # noqa: S105 - the name of a kind
_GRANT: Final = "grant"
_CONSENT: Final = "consent"

_Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
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
    digest: _Digest
    store: str
    scopes: tuple[str, ...]
    permission: AgentPermission
    created_at: _Time
    expires_at: _Time | None
    kind: str = _TOKEN

    def is_over(self, now: float) -> bool:
        """Return whether the token has ended by the time `now`, in seconds since the epoch."""
        return self.expires_at is not None and self.expires_at <= rfc3339(now)

    @property
    def opens(self) -> bool:
        """Return whether the text opens memory. A kind that only a newer version knows opens nothing."""
        return self.kind in (_TOKEN, _GRANT)

    @property
    def text_ends_at(self) -> str | None:
        """Return when the text ends to open anything."""
        return self.expires_at


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """A program that registered itself (RFC 7591), `secret` being the digest of its secret where it has one."""

    id: str
    name: str
    redirect_uris: tuple[str, ...]
    scope: str | None
    secret: _Digest | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant(AccessToken):
    """A person's consent to an OAuth client at `host`, given at the gateway whose URL is `server`.

    `digest` is that of the access token, which ends at `access_ends_at` and thus before the grant. `refresh` is
    that of the refresh token, `family` that of the part which all refresh tokens of the grant have in common,
    and `code` that of the authorization code which made the grant.
    """

    host: str
    server: str
    access_ends_at: _Time
    refresh: _Digest
    family: _Digest
    code: _Digest
    client: OAuthClient
    kind: str = _GRANT

    @property
    def text_ends_at(self) -> str:
        """Return when the access token ends."""
        return min(self.access_ends_at, self.expires_at or self.access_ends_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentCode(AccessToken):
    """A code that a person types to open memory to a program at `host`, for `days`. It opens nothing itself."""

    host: str
    days: int
    tries: int
    kind: str = _CONSENT


_ADAPTERS: Final[Mapping[object, TypeAdapter[AccessToken]]] = {
    _GRANT: TypeAdapter(Grant), _CONSENT: TypeAdapter(ConsentCode),
}  # fmt: skip
_PLAIN: Final = TypeAdapter(AccessToken)


def read_token(entry: Mapping[str, object]) -> AccessToken:
    """Return an entry in the form of its kind. Raise ValidationError for one that lacks a part."""
    return _ADAPTERS.get(str(entry.get("kind")), _PLAIN).validate_python(entry)


def digest_of(text: str) -> str:
    """Return the SHA-256 by which a text is known."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def rfc3339(seconds: float) -> str:
    """Return a time in the form of an entry."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def draw_text() -> str:
    """Return the text of a new token."""
    return PREFIX + secrets.token_urlsafe(32)
