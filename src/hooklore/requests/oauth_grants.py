"""Grants of OAuth: what a person opened to a program elsewhere, with its two tokens, of which digests are kept."""

import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from hooklore.requests.access_tokens import Changes, TokenFile, end_of, new_id
from hooklore.requests.token_kinds import (
    PREFIX,
    AccessToken,
    ConsentCode,
    Grant,
    OAuthClient,
    digest_of,
    draw_text,
    rfc3339,
)

ACCESS_SECONDS: Final = 3_600
_FAMILY: Final = len(PREFIX) + 22
"""Where the part of a refresh token ends that all of a grant have: by it an old one is known as old."""


@dataclass(frozen=True, slots=True)
class IssuedTokens:
    """The texts of a grant's tokens, which are told once."""

    access: str = field(repr=False)
    refresh: str = field(repr=False)


class OAuthGrants:
    """The grants of one store that the gateway at the URL `server` made. Those of another are not its own."""

    def __init__(self, tokens: TokenFile, server: str) -> None:
        self._tokens, self._server = tokens, server

    def standing(self) -> list[Grant]:
        """Return the grants that have not ended. Raise StoreUnreadable."""
        now = time.time()
        return [each for each in self._own(self._tokens.entries()) if not each.is_over(now)]

    def create(
        self, consent: ConsentCode, client: OAuthClient, code: str, now: float
    ) -> IssuedTokens:
        """Make a grant of what a person consented to, for the authorization code `code`. Raise StoreError."""
        issued = _draw(PREFIX + secrets.token_urlsafe(16))
        grant = Grant(
            id=new_id(), agent=consent.agent, digest="", store=consent.store, scopes=consent.scopes,
            permission=consent.permission, created_at=rfc3339(now), expires_at=end_of(consent.days, now),
            host=consent.host, server=self._server, access_ends_at="", refresh="",
            family=digest_of(issued.refresh[:_FAMILY]), code=digest_of(code), client=client,
        )  # fmt: skip
        self._tokens.change(now, lambda _: {grant.id: _with(grant, issued, now)})
        return issued

    def refresh(self, text: str, now: float) -> IssuedTokens | None:
        """Return new tokens in the place of those of a refresh token, which is used up with that.

        Return None for one that is none. One that was used before ends the grant: somebody else has it, too.
        """
        issued = None

        def decide(found: tuple[AccessToken, ...]) -> Changes:
            nonlocal issued
            grant = _find(self._own(found), lambda each: each.family, text[:_FAMILY])
            if grant is None:
                return {}
            if not hmac.compare_digest(grant.refresh, digest_of(text)):
                return {grant.id: None}
            issued = _draw(text[:_FAMILY])
            return {grant.id: _with(grant, issued, now)}

        self._tokens.change(now, decide)
        return issued

    def by_refresh_token(self, text: str) -> Grant | None:
        """Return the grant of a refresh token, also of one that was used."""
        return _find(self.standing(), lambda each: each.family, text[:_FAMILY])

    def by_access_token(self, text: str) -> Grant | None:
        """Return the grant of an access token."""
        return _find(self.standing(), lambda each: each.digest, text)

    def client(self, id_: str) -> OAuthClient | None:
        """Return a client that has a grant."""
        return next((each.client for each in self.standing() if each.client.id == id_), None)

    def _end(self, ends: Callable[[Grant], bool], now: float) -> None:
        if any(map(ends, self.standing())):
            self._tokens.change(
                now, lambda found: {each.id: None for each in self._own(found) if ends(each)}
            )

    def end_of_token(self, text: str, now: float) -> None:
        """End the grant of an access token or a refresh token. Raise StoreError."""
        of = (digest_of(text), digest_of(text[:_FAMILY]))
        self._end(lambda each: (each.digest == of[0]) | (each.family == of[1]), now)

    def end_made_of(self, code: str, now: float) -> None:
        """End the grant that an authorization code made. Raise StoreError."""
        self._end(lambda each: hmac.compare_digest(each.code, digest_of(code)), now)

    def _own(self, found: tuple[AccessToken, ...]) -> list[Grant]:
        return [each for each in found if isinstance(each, Grant) and each.server == self._server]


def _draw(family: str) -> IssuedTokens:
    # Both have the length of every token, by which the redaction knows them.
    return IssuedTokens(draw_text(), family + secrets.token_urlsafe(16)[:21])


def _with(grant: Grant, issued: IssuedTokens, now: float) -> Grant:
    return replace(
        grant,
        digest=digest_of(issued.access),
        refresh=digest_of(issued.refresh),
        access_ends_at=rfc3339(now + ACCESS_SECONDS),
    )


def _find(grants: list[Grant], of: Callable[[Grant], str], text: str) -> Grant | None:
    digest, found = digest_of(text), None
    for each in grants:  # all of them: the time that it takes tells nothing
        if hmac.compare_digest(of(each), digest):
            found = each
    return found
