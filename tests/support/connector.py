"""A program that gets its tokens by OAuth, and the browser in which its user consents."""

import base64
import hashlib
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

from httpx import URL, Response

from hooklore.agents.agent import AgentPermission
from hooklore.requests.consent_codes import create_code
from hooklore.requests.token_kinds import Grant
from tests.support.gateway import Gateway

CALLBACK = "http://127.0.0.1:41234/callback"


def printed_code(
    gateway: Gateway, host: str = "127.0.0.1", agent: str = "chatgpt",
    scopes: tuple[str, ...] = (), permission: AgentPermission = "worker", days: int = 90,
) -> str:  # fmt: skip
    """Return a code as `hooklore token create --oauth` prints it."""
    given: dict[str, Any] = {"scopes": scopes, "permission": permission, "days": days}
    return create_code(gateway.tokens, agent, host, **given, now=time.time())[1]


def grants(gateway: Gateway) -> list[Grant]:
    """Return the grants that the tokens' file has."""
    return [each for each in gateway.tokens.entries() if isinstance(each, Grant)]


def type_code(gateway: Gateway, page: str, code: str, **headers: str) -> Response:
    """Return the answer to the form of a page, sent as a browser does."""
    return gateway.client.post(page, data={"code": code}, headers={"Origin": gateway.url} | headers)


def code_of(answer: Response) -> str:
    """Return the authorization code that an answer leads back with."""
    assert answer.status_code == 303, answer.text
    return URL(answer.headers["location"]).params["code"]


@dataclass
class Connector:
    """A registered client at a gateway."""

    gateway: Gateway
    redirect: str = CALLBACK
    method: str = "none"
    id: str = ""
    secret: str | None = None
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    @property
    def challenge(self) -> str:
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def register(self, **changes: Any) -> Response:
        """Register, and return the answer."""
        metadata = {
            "client_name": "Anvil", "redirect_uris": [self.redirect],
            "token_endpoint_auth_method": self.method,
        }  # fmt: skip
        answer = self.gateway.client.post(f"{self.gateway.url}/register", json=metadata | changes)
        if answer.status_code == 201:
            self.id, self.secret = answer.json()["client_id"], answer.json().get("client_secret")
        return answer

    def authorize(self, **changes: str | None) -> Response:
        """Ask for authorization, and return the answer. A change to None leaves a parameter out."""
        given: dict[str, str | None] = {
            "client_id": self.id, "response_type": "code", "redirect_uri": self.redirect,
            "code_challenge": self.challenge, "code_challenge_method": "S256", "state": "s 1&2",
            "resource": f"{self.gateway.url}/mcp",
        }  # fmt: skip
        asked = {name: value for name, value in (given | changes).items() if value is not None}
        return self.gateway.client.get(f"{self.gateway.url}/authorize", params=asked)

    def page(self, **changes: str | None) -> str:
        """Return the address of the page where the user consents."""
        answer = self.authorize(**changes)
        assert answer.status_code == 302, answer.text
        return str(answer.headers["location"])

    def fetch(self, code: str, **changes: str) -> Response:
        """Ask for the tokens of an authorization code, and return the answer."""
        given = {"grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect,
                 "code_verifier": self.verifier}  # fmt: skip
        return self._post("/token", given | changes)

    def refresh(self, token: str, **changes: str) -> Response:
        """Ask for new tokens, and return the answer."""
        return self._post(
            "/token", {"grant_type": "refresh_token", "refresh_token": token} | changes
        )

    def revoke(self, token: str, **changes: str) -> Response:
        """Give a token back, and return the answer."""
        return self._post("/revoke", {"token": token} | changes)

    def connect(self, **given: Any) -> dict[str, Any]:
        """Return the tokens of a user who consented."""
        assert self.register().status_code == 201
        host = str(URL(self.redirect).host)
        answer = type_code(self.gateway, self.page(), printed_code(self.gateway, host, **given))
        tokens = self.fetch(code_of(answer))
        assert tokens.status_code == 200, tokens.text
        return dict(tokens.json())

    def _post(self, path: str, form: dict[str, str]) -> Response:
        own = {"client_id": self.id} | ({"client_secret": self.secret} if self.secret else {})
        return self.gateway.client.post(f"{self.gateway.url}{path}", data=own | form)
