"""A registered client as the SDK knows it, and how it shows who it is."""

import hmac

from mcp.server.auth.middleware.client_auth import AuthenticationError, ClientAuthenticator
from mcp.server.auth.provider import RegistrationError
from mcp.shared.auth import OAuthClientInformationFull
from pydantic import Field
from starlette.requests import Request as HttpRequest

from hooklore.gateway.oauth.redirects import Redirects
from hooklore.requests.token_kinds import OAuthClient, digest_of
from hooklore.text.unicode_cleaning import strip_invisible

_MOST_ADDRESSES = 8
_LONGEST = 500
_LONGEST_NAME = 60
METHODS = ("none", "client_secret_post")
"""The ways in which a client shows who it is. The SDK reads no client's name out of a header."""


class RegisteredClient(OAuthClientInformationFull):
    """A client of which the digest of its secret is kept, where it has one."""

    secret_digest: str | None = Field(default=None, exclude=True, repr=False)


def registered(client: OAuthClient, redirects: Redirects) -> RegisteredClient:
    """Return a client in the form of the SDK, with the redirects that are allowed today."""
    return RegisteredClient(
        client_id=client.id, client_name=client.name, scope=client.scope,
        redirect_uris=redirects.pick(client.redirect_uris),
        token_endpoint_auth_method=METHODS[client.secret is not None], secret_digest=client.secret,
    )  # fmt: skip


def read_registration(given: OAuthClientInformationFull, redirects: Redirects) -> OAuthClient:
    """Return what is kept of a registration. Raise RegistrationError for what is not allowed or too long."""
    addresses = given.redirect_uris or []
    if not all(map(redirects.allow, addresses)):
        why = "it is no address that the user allows: see `hooklore gateway --help`"
        raise RegistrationError("invalid_redirect_uri", why)
    texts = (*map(str, addresses), given.scope or "")
    if len(addresses) > _MOST_ADDRESSES or max(map(len, texts)) > _LONGEST:
        raise RegistrationError("invalid_client_metadata", "it is too long")
    if given.token_endpoint_auth_method not in METHODS:
        why = f"`token_endpoint_auth_method` must be {' or '.join(METHODS)}"
        raise RegistrationError("invalid_client_metadata", why)
    name = " ".join(strip_invisible(given.client_name or "").split())
    return OAuthClient(
        given.client_id, name[:_LONGEST_NAME] or "without a name", tuple(map(str, addresses)), given.scope,
        digest_of(given.client_secret) if given.client_secret else None,
    )  # fmt: skip


class DigestAuthenticator(ClientAuthenticator):
    """Knows a client by the digest of its secret. The SDK's own would need the secret itself."""

    async def authenticate_request(self, request: HttpRequest) -> OAuthClientInformationFull:
        """Return the client that sends a request. Raise AuthenticationError."""
        form = await request.form()
        client = await self.provider.get_client(str(form.get("client_id")))
        if not isinstance(client, RegisteredClient):
            raise AuthenticationError("the client is unknown: register again")
        known, secret = client.secret_digest, digest_of(str(form.get("client_secret")))
        if known is not None and not hmac.compare_digest(known, secret):
            raise AuthenticationError("the client's secret is wrong")
        return client
