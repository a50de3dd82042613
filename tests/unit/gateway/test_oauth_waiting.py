"""What waits in the memory of a gateway with OAuth waits for its time and no longer."""

import pytest

from tests.support.untried import NO_MCP

pytest.importorskip("mcp", reason=NO_MCP)

import time
from pathlib import Path

import anyio
from httpx import URL
from mcp.server.auth.provider import AuthorizationCode, AuthorizationParams
from mcp.shared.auth import OAuthClientInformationFull
from pydantic import AnyUrl

from hooklore.config import store_location_at
from hooklore.gateway.oauth.oauth_provider import OAuthProvider
from hooklore.gateway.oauth.redirects import Redirects
from hooklore.gateway.problem import Problem
from hooklore.requests.access_tokens import TokenFile
from hooklore.requests.consent_codes import create_code

ADDRESS = "http://127.0.0.1:9/cb"


@pytest.fixture
def tokens(home: Path) -> TokenFile:
    return TokenFile(store_location_at(home / "store"), str(home))


@pytest.fixture
def provider(tokens: TokenFile) -> OAuthProvider:
    return OAuthProvider(tokens, "https://memory.example.org", Redirects(()))


def client(number: int = 0) -> OAuthClientInformationFull:
    return OAuthClientInformationFull(
        client_id=f"c{number}", redirect_uris=[AnyUrl(ADDRESS)], token_endpoint_auth_method="none"
    )


def consented(provider: OAuthProvider, tokens: TokenFile) -> str:
    """Return the authorization code of a client whose user has consented."""
    typed = create_code(
        tokens, "chatgpt", "127.0.0.1", scopes=(), permission="worker", days=90, now=time.time()
    )[1]
    params = AuthorizationParams(
        state=None, scopes=None, code_challenge="x" * 43, redirect_uri=AnyUrl(ADDRESS),
        redirect_uri_provided_explicitly=True,
    )  # fmt: skip

    async def run() -> str:
        await provider.register_client(client())
        page = URL(await provider.authorize(client(), params))
        asked = await provider.read_consent(page.params["request"])
        assert asked is not None
        answer = await provider.consent(*asked, typed)
        assert answer is not None
        return URL(answer).params["code"]

    return anyio.run(run)


def load(provider: OAuthProvider, code: str) -> AuthorizationCode | None:
    return anyio.run(provider.load_authorization_code, client(), code)


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let time pass for the gateway."""
    now = time.monotonic() + seconds
    monkeypatch.setattr(time, "monotonic", lambda: now)


def test_an_authorization_code_ends_after_a_minute(
    provider: OAuthProvider, tokens: TokenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = consented(provider, tokens)
    fresh = load(provider, code)
    later(monkeypatch, 61)
    late = load(provider, code)

    assert fresh is not None
    assert late is not None
    assert time.time() < fresh.expires_at <= time.time() + 60
    assert late.expires_at < time.time()  # which the SDK's handler refuses


def test_codes_that_nobody_fetched_are_forgotten(
    provider: OAuthProvider, tokens: TokenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = consented(provider, tokens)
    later(monkeypatch, 61)
    other = consented(provider, tokens)

    assert load(provider, code) is None
    assert load(provider, other) is not None


def test_a_client_without_a_grant_is_known_for_an_hour_and_then_makes_room(
    provider: OAuthProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def register(first: int, count: int) -> None:
        for number in range(first, first + count):
            await provider.register_client(client(number))

    anyio.run(register, 0, 100)
    with pytest.raises(Problem, match="wait for their user") as refused:
        anyio.run(register, 100, 1)
    later(monkeypatch, 3_599)
    assert anyio.run(provider.get_client, "c0") is not None
    later(monkeypatch, 3_601)
    gone = anyio.run(provider.get_client, "c0")
    anyio.run(register, 100, 100)

    assert refused.value.action == "register again in 60 minutes"
    assert gone is None
    assert anyio.run(provider.get_client, "c199") is not None
