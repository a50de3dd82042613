"""A registered client as the SDK knows it, and how it shows who it is."""

import base64
import hmac
from urllib.parse import unquote

from mcp.server.auth.middleware.client_auth import AuthenticationError, ClientAuthenticator
from mcp.server.auth.provider import RegistrationError
from mcp.shared.auth import OAuthClientInformationFull
from pydantic import Field
from starlette.datastructures import FormData
from starlette.requests import Request as HttpRequest

from hooklore.gateway.oauth.redirects import Redirects
from hooklore.requests.token_kinds import OAuthClient, digest_of
from hooklore.text.unicode_cleaning import strip_invisible

_MOST_ADDRESSES = 8
_LONGEST = 500
_LONGEST_NAME = 60
_PUBLIC = "none"


class RegisteredClient(OAuthClientInformationFull):
    """A client of which the digest of its secret is kept, where it has one."""

    secret_digest: str | None = Field(default=None, exclude=True, repr=False)


def registered(client: OAuthClient, redirects: Redirects) -> RegisteredClient:
    """Return a client in the form of the SDK, with the redirects that are allowed today."""
    return RegisteredClient(
        client_id=client.id, client_name=client.name, scope=client.scope,
        redirect_uris=redirects.pick(client.redirect_uris),
        token_endpoint_auth_method=client.auth_method, secret_digest=client.secret,
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
    name = " ".join(strip_invisible(given.client_name or "").split())
    return OAuthClient(
        given.client_id, name[:_LONGEST_NAME] or "without a name", tuple(map(str, addresses)), given.scope,
        given.token_endpoint_auth_method or _PUBLIC,
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
        is_public = client.token_endpoint_auth_method == _PUBLIC
        secret = digest_of(_secret_of(request, form))
        if not is_public and not hmac.compare_digest(secret, client.secret_digest or ""):
            raise AuthenticationError("the client's secret is wrong")
        return client


def _secret_of(request: HttpRequest, form: FormData) -> str:
    """Return the secret of a request: in its header (RFC 6749 section 2.3.1), else in its form."""
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return str(form.get("client_secret"))
    try:
        return unquote(base64.b64decode(credentials).decode().partition(":")[2])
    except ValueError:
        return ""
