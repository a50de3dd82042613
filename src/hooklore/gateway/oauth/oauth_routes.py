"""The routes of OAuth 2.1 for connectors that take nothing else: the SDK's, and the page where a person consents.

Only a gateway with `--oauth` imports this, for it imports the SDK.
"""

from collections.abc import Sequence
from http import HTTPStatus

from fastapi import FastAPI
from mcp.server.auth.handlers.metadata import MetadataHandler
from mcp.server.auth.handlers.token import TokenErrorResponse, TokenHandler
from mcp.server.auth.json_response import PydanticJSONResponse
from mcp.server.auth.middleware.client_auth import AuthenticationError
from mcp.server.auth.routes import (
    AUTHORIZATION_PATH,
    REGISTRATION_PATH,
    REVOCATION_PATH,
    TOKEN_PATH,
    build_metadata,
    build_resource_metadata_url,
    create_auth_routes,
    create_protected_resource_routes,
)
from mcp.server.auth.settings import ClientRegistrationOptions, RevocationOptions
from mcp.shared.auth import OAuthMetadata
from pydantic import AnyHttpUrl, ConfigDict, TypeAdapter
from starlette.requests import Request as HttpRequest
from starlette.responses import RedirectResponse
from starlette.responses import Response as HttpResponse
from starlette.routing import Route

from hooklore.errors import HookloreError
from hooklore.gateway.guard import OAuthPaths
from hooklore.gateway.mcp_route import PATH
from hooklore.gateway.oauth.consent_page import asking_page, gone_page
from hooklore.gateway.oauth.oauth_client import METHODS, DigestAuthenticator
from hooklore.gateway.oauth.oauth_provider import CONSENT_PATH, OAuthProvider
from hooklore.gateway.oauth.redirects import Redirects
from hooklore.requests.access_tokens import TokenFile

_REGISTRATION = ClientRegistrationOptions(enabled=True)
_METADATA_PATH = "/.well-known/oauth-authorization-server"
_URL = TypeAdapter(AnyHttpUrl, config=ConfigDict(url_preserve_empty_path=True))


def add_oauth(
    app: FastAPI, tokens: TokenFile, url: str, allowed_redirects: Sequence[str]
) -> OAuthPaths:
    """Add the routes of OAuth to a gateway that is reached at `url`. Return what its door must know of them.

    Raise HookloreError for an address or a redirect that cannot be used.
    """
    issuer = _URL.validate_python(url)
    server = str(issuer)
    provider = OAuthProvider(tokens, server, Redirects(allowed_redirects))
    resource = _URL.validate_python(f"{server}{PATH}")
    routes = [
        *_routes_of_the_sdk(provider, issuer),
        *_Endpoints(provider).routes(),
        Route(_METADATA_PATH, MetadataHandler(_describe(issuer)).handle),
        *create_protected_resource_routes(resource, [issuer], resource_name="hooklore"),
    ]
    app.router.routes.extend(routes)
    forms = frozenset({TOKEN_PATH, REVOCATION_PATH, CONSENT_PATH})
    metadata_url = str(build_resource_metadata_url(resource))
    return OAuthPaths(frozenset(route.path for route in routes), forms, metadata_url, server)


def _routes_of_the_sdk(provider: OAuthProvider, issuer: AnyHttpUrl) -> list[Route]:
    try:
        routes = create_auth_routes(provider, issuer, client_registration_options=_REGISTRATION)
    except ValueError:
        raise HookloreError(
            f"could not serve OAuth at `{issuer}`: others could read the tokens on the way",
            fix="leave `--host` out, or add `--public-url https://NAME`",
        ) from None
    return [each for each in routes if each.path in (AUTHORIZATION_PATH, REGISTRATION_PATH)]


def _describe(issuer: AnyHttpUrl) -> OAuthMetadata:
    """Return the metadata of the server (RFC 8414), with the public clients that the SDK's leave out."""
    found = build_metadata(issuer, None, _REGISTRATION, RevocationOptions(enabled=True))
    ways = {
        "token_endpoint_auth_methods_supported": list(METHODS),
        "revocation_endpoint_auth_methods_supported": list(METHODS),
    }
    return found.model_copy(update=ways)


class _Endpoints:
    """The routes that the SDK lacks, or has without what must be checked here."""

    def __init__(self, provider: OAuthProvider) -> None:
        self._provider = provider
        self._clients = DigestAuthenticator(provider)
        self._tokens = TokenHandler(provider, self._clients)

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(TOKEN_PATH, self._exchange, methods=["POST"]),
            Route(REVOCATION_PATH, self._revoke, methods=["POST"]),
            Route(CONSENT_PATH, self._consent, methods=["GET", "POST"]),
        ]

    async def _exchange(self, request: HttpRequest) -> HttpResponse:
        """Answer a request for tokens by the SDK, which itself does not look at `resource` (RFC 8707)."""
        named = (await request.form()).getlist("resource")
        if not all(self._provider.is_own(str(each)) for each in named):
            why = "`resource` is not this server"
            refusal = TokenErrorResponse(error="invalid_target", error_description=why)
            return PydanticJSONResponse(refusal, HTTPStatus.BAD_REQUEST)
        answer: HttpResponse = await self._tokens.handle(request)
        return answer

    async def _revoke(self, request: HttpRequest) -> HttpResponse:
        """End the grant of a client's token (RFC 7009). The SDK's own route wants a secret of every client."""
        try:
            client = await self._clients.authenticate_request(request)
        except AuthenticationError as error:
            answer = TokenErrorResponse(error="invalid_client", error_description=error.message)
            return PydanticJSONResponse(answer, HTTPStatus.UNAUTHORIZED)
        text = str((await request.form()).get("token"))
        access = await self._provider.load_access_token(text)
        found = access or await self._provider.load_refresh_token(client, text)
        if found and found.client_id == client.client_id:
            await self._provider.revoke_token(found)
        return HttpResponse(headers={"Cache-Control": "no-store"})

    async def _consent(self, request: HttpRequest) -> HttpResponse:
        """Answer with the page for a code, and to a code with the way back to the program."""
        asked = await self._provider.read_consent(request.query_params.get("request", ""))
        if asked is None:
            return gone_page()
        consent, client = asked
        redirect = consent.params.redirect_uri
        if request.method != "POST":
            return asking_page(client, redirect, is_wrong=False)
        typed = str((await request.form()).get("code"))
        target = await self._provider.consent(consent, client, typed)
        if target is None:
            return asking_page(client, redirect, is_wrong=True)
        headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
        return RedirectResponse(target, HTTPStatus.SEE_OTHER, headers)
