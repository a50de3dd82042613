"""The clients, codes and grants behind the SDK's routes of OAuth. A person's code stands before every grant."""

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import anyio
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    TokenError,
    construct_redirect_uri,
)
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

from hooklore.errors import HookloreError
from hooklore.gateway.oauth.consent_request import ConsentRequest, Seal
from hooklore.gateway.oauth.oauth_client import RegisteredClient, read_registration, registered
from hooklore.gateway.oauth.pending_clients import PendingClients
from hooklore.gateway.oauth.redirects import Redirects
from hooklore.gateway.problem import Problem
from hooklore.requests.access_tokens import TokenFile
from hooklore.requests.consent_codes import take_code
from hooklore.requests.oauth_grants import ACCESS_SECONDS, IssuedTokens, OAuthGrants
from hooklore.requests.token_kinds import (
    ConsentCode,
    Grant,
    OAuthClient,
    digest_of,
    draw_text,
)

CONSENT_PATH: Final = "/consent"
_CODE_SECONDS: Final = 60.0
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}")  # of S256, RFC 7636 section 4.2

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Consented:
    """A person's consent, until the client fetches its tokens with the authorization code."""

    request: ConsentRequest
    consent: ConsentCode
    client: OAuthClient
    ends_at: float


class OAuthProvider(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """The authorization server of one gateway, in the form that the SDK asks for.

    What waits for minutes is in memory, and ends with the process. Grants are in the tokens' file. No log tells
    of any of it: most comes from whoever reaches the gateway, and `hooklore token list` has what stands.
    """

    def __init__(self, tokens: TokenFile, server: str, redirects: Redirects) -> None:
        self.server, self._grants = server, OAuthGrants(tokens, server)
        self._tokens, self._redirects = tokens, redirects
        self._pending, self._seal = PendingClients(), Seal()
        self._codes: dict[str, _Consented] = {}
        self._exchanging = asyncio.Lock()

    async def get_client(self, client_id: str) -> RegisteredClient | None:
        """Return a client that waits for consent, or has a grant."""
        found = await self._find_client(client_id)
        return registered(found, self._redirects) if found else None

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Register a client. Raise RegistrationError, and Problem where too many wait."""
        self._pending.add(read_registration(client_info, self._redirects))

    async def authorize(
        self, client: OAuthClientInformationFull, params: AuthorizationParams
    ) -> str:
        """Return the address of the page where a person consents. Raise AuthorizeError."""
        if not _CHALLENGE.fullmatch(params.code_challenge):
            raise AuthorizeError("invalid_request", "`code_challenge` must be one of S256")
        if not self.is_own(params.resource):
            raise AuthorizeError("invalid_target", "`resource` is not this server")
        request = ConsentRequest(client_id=client.client_id, params=params)
        return f"{self.server}{CONSENT_PATH}?request={self._seal.close(request)}"

    def is_own(self, resource: str | None) -> bool:
        """Return whether a resource (RFC 8707) is this server, or none is named."""
        return resource is None or resource.rstrip("/") in (self.server, f"{self.server}/mcp")

    async def read_consent(self, sealed: str) -> tuple[ConsentRequest, OAuthClient] | None:
        """Return what a page is asked for and by whom, or None where the program must ask again."""
        request = self._seal.open(sealed)
        client = await self._find_client(request.client_id) if request else None
        return (request, client) if request and client else None

    async def consent(self, request: ConsentRequest, client: OAuthClient, typed: str) -> str | None:
        """Return the address that takes the answer to the client, or None where `typed` opens nothing."""
        params = request.params
        host = str(params.redirect_uri.host)
        found = await self._carry_out(take_code, self._tokens, host, typed, time.time())
        if found is None:
            return None
        code, now = draw_text(), time.monotonic()
        self._codes = {key: each for key, each in self._codes.items() if each.ends_at > now}
        self._codes[digest_of(code)] = _Consented(request, found, client, now + _CODE_SECONDS)
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(
        self,
        client: OAuthClientInformationFull,  # noqa: ARG002 - the SDK compares it
        authorization_code: str,
    ) -> AuthorizationCode | None:
        """Return what a code stands for. One that was used before ends the grant that it made."""
        found = self._codes.get(digest_of(authorization_code))
        if found is None:
            await self._end_made_of(authorization_code)
            return None
        params = found.request.params
        left = found.ends_at - time.monotonic()
        return AuthorizationCode(
            code=authorization_code, scopes=params.scopes or [], expires_at=time.time() + left,
            client_id=found.request.client_id, code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri, resource=params.resource,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
        )  # fmt: skip

    async def exchange_authorization_code(
        self,
        client: OAuthClientInformationFull,  # noqa: ARG002 - the SDK has compared it
        authorization_code: AuthorizationCode,
    ) -> OAuthToken:
        """Return the tokens of a new grant. Raise TokenError for a code that was used meanwhile."""
        code = authorization_code.code
        async with self._exchanging:  # so that a second use finds the grant of the first
            found = self._codes.pop(digest_of(code), None)
            if found is not None:
                issued = await self._carry_out(
                    self._grants.create, found.consent, found.client, code, time.time()
                )
                self._pending.remove(found.client.id)
                return _as_answer(issued)
        await self._end_made_of(code)
        raise TokenError("invalid_grant", "the code was used before")

    async def load_refresh_token(
        self,
        client: OAuthClientInformationFull,  # noqa: ARG002 - the SDK compares it
        refresh_token: str,
    ) -> RefreshToken | None:
        """Return a refresh token, also one that was used: its exchange ends the grant."""
        found = await self._carry_out(self._grants.by_refresh_token, refresh_token)
        if found is None:
            return None
        return RefreshToken(
            token=refresh_token, client_id=found.client.id, scopes=_scopes_of(found)
        )

    async def exchange_refresh_token(
        self,
        client: OAuthClientInformationFull,  # noqa: ARG002 - the SDK has compared it
        refresh_token: RefreshToken,
        scopes: list[str],  # noqa: ARG002 - they open nothing
    ) -> OAuthToken:
        """Return new tokens. Raise TokenError for one that was used before."""
        issued = await self._carry_out(self._grants.refresh, refresh_token.token, time.time())
        if issued is None:
            raise TokenError("invalid_grant", "the refresh token was used before")
        return _as_answer(issued)

    async def load_access_token(self, token: str) -> AccessToken | None:
        """Return an access token of this server."""
        found = await self._carry_out(self._grants.by_access_token, token)
        if found is None:
            return None
        return AccessToken(
            token=token, client_id=found.client.id, scopes=_scopes_of(found), resource=found.server
        )

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        """End the grant of a token."""
        await self._carry_out(self._grants.end_of_token, token.token, time.time())

    async def _find_client(self, id_: str) -> OAuthClient | None:
        return self._pending.find(id_) or await self._carry_out(self._grants.client, id_)

    async def _end_made_of(self, code: str) -> None:
        async with self._exchanging:
            await self._carry_out(self._grants.end_made_of, code, time.time())

    async def _carry_out(self, act: Callable[..., Result], *given: Any) -> Result:
        """Return what a function returns that may wait for the disk. Raise Problem."""
        try:
            return await anyio.to_thread.run_sync(act, *given)
        except HookloreError as error:
            raise Problem.of_error(error) from None


def _scopes_of(grant: Grant) -> list[str]:
    """Return the scopes that a client has named: they open nothing, for the person's code says what is opened."""
    return (grant.client.scope or "").split()


def _as_answer(issued: IssuedTokens) -> OAuthToken:
    return OAuthToken(
        access_token=issued.access, refresh_token=issued.refresh, expires_in=ACCESS_SECONDS
    )
