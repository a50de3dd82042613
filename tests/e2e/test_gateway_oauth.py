"""OAuth at the gateway: a program gets in by its user's code from a terminal, and by nothing else."""

import pytest

from tests.support.untried import NO_MCP

pytest.importorskip("mcp", reason=NO_MCP)

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path
from shlex import quote
from typing import Any

import anyio
import httpx2
from httpx import URL
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl

from tests.conftest import end_residents
from tests.support.connector import (
    CALLBACK,
    Connector,
    code_of,
    grants,
    printed_code,
    type_code,
)
from tests.support.gateway import Gateway, running
from tests.support.mcp import SECONDS, text_of

ALLOWED = "https://app.example.org/callback"
PAST = "2020-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    home = tmp_path_factory.mktemp("home")
    with running(home, "--oauth", "--rate", "0", "--allow-redirect", ALLOWED) as started:
        yield started
    end_residents(home)


@pytest.fixture(autouse=True)
def _without_what_earlier_tests_left(gateway: Gateway) -> None:
    gateway.tokens.revoke_all()


@pytest.fixture
def connector(gateway: Gateway) -> Connector:
    registered = Connector(gateway)
    assert registered.register().status_code == 201
    return registered


def opens(gateway: Gateway, token: str) -> bool:
    """Return whether a token opens memory: by HTTP and by MCP alike."""
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accept = {"Accept": "application/json, text/event-stream"}
    statuses = {
        gateway.ask("GET", "/v1/memory/query", token).status_code,
        gateway.ask("POST", "/mcp", token, ping, accept).status_code,
    }
    assert statuses in ({200}, {401}), statuses
    return statuses == {200}


def change_file(gateway: Gateway, change: Callable[[dict[str, Any]], None]) -> None:
    """Change every entry of the tokens' file: the time that passes is what a file says."""
    found = json.loads(gateway.tokens.path.read_text())
    for entry in found["tokens"]:
        change(entry)
    gateway.tokens.path.write_text(json.dumps(found))


class Storage:
    """What a client keeps, in memory."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class OfficialClient:
    """The SDK's own client of OAuth, whose user types a code into the page that it opens."""

    def __init__(self, gateway: Gateway) -> None:
        self.gateway, self.storage, self.pages = gateway, Storage(), 0
        self._answer = URL()
        metadata = OAuthClientMetadata(client_name="Anvil", redirect_uris=[AnyUrl(CALLBACK)])
        self.provider = OAuthClientProvider(
            f"{gateway.url}/mcp", metadata, self.storage, self._open_browser, self._wait_for_answer
        )

    async def _open_browser(self, address: str) -> None:
        self.pages += 1
        page = self.gateway.client.get(address, follow_redirects=True)
        assert "Anvil" in page.text, page.text
        answer = type_code(self.gateway, str(page.url), printed_code(self.gateway))
        self._answer = URL(answer.headers["location"])

    async def _wait_for_answer(self) -> AuthorizationCodeResult:
        given = self._answer.params
        return AuthorizationCodeResult(code=given["code"], state=given["state"])

    def call(self, tool: str, **arguments: Any) -> str:
        """Return what a tool answers."""

        async def run() -> str:
            with anyio.fail_after(SECONDS):
                async with httpx2.AsyncClient(
                    auth=self.provider, trust_env=False, timeout=SECONDS
                ) as http:
                    url = f"{self.gateway.url}/mcp"
                    async with Client(streamable_http_client(url, http_client=http)) as client:
                        return text_of(await client.call_tool(tool, arguments))

        return anyio.run(run)


def test_the_official_client_gets_in_refreshes_and_is_refused_once_revoked(
    gateway: Gateway,
) -> None:
    client = OfficialClient(gateway)
    told = client.call("remember", content="The kiln is lit at six.", title="kiln")
    assert "kiln" in client.call("get", names=["kiln"])
    first = client.storage.tokens
    change_file(gateway, lambda entry: entry.update(access_ends_at=PAST))
    client.provider.context.token_expiry_time = time.time() - 1
    assert "kiln" in client.call("get", names=["kiln"])
    second = client.storage.tokens

    assert "stored" in told or "kept" in told, told
    assert client.pages == 1
    assert first
    assert second
    assert first.access_token != second.access_token
    assert first.refresh_token != second.refresh_token
    (grant,) = grants(gateway)
    gateway.tokens.revoke(grant.id)
    with pytest.raises(ExceptionGroup):  # it begins anew, and its registration went with its grant
        client.call("get", names=["kiln"])
    assert client.pages == 2
    assert grants(gateway) == []


def test_what_a_code_opens_is_what_the_command_said(gateway: Gateway) -> None:
    tokens = Connector(gateway).connect(
        agent="gemini", scopes=("project:kilns",), permission="owner", days=7
    )
    (grant,) = grants(gateway)
    write = {"kind": "fact", "content_md": "The kiln has two doors.", "source": {"system": "web"}}
    own, foreign = (
        gateway.ask("POST", "/v1/memory/append", tokens["access_token"], {"scope": scope} | write)
        for scope in ("project:kilns", "global")
    )

    assert tokens["expires_in"] == 3600
    assert (grant.agent, grant.permission, grant.host) == ("gemini", "owner", "127.0.0.1")
    assert not grant.is_over(time.time() + 6.9 * 86_400)
    assert grant.is_over(time.time() + 7.1 * 86_400)
    assert (own.status_code, foreign.status_code) == (201, 403)
    assert gateway.ask("GET", "/v1/memory/query", tokens["refresh_token"]).status_code == 401


@pytest.mark.parametrize("method", ["none", "client_secret_post"])
def test_a_client_shows_who_it_is_by_the_way_that_it_registered(
    gateway: Gateway, method: str
) -> None:
    connector = Connector(gateway, method=method)
    answer = connector.register()
    code = code_of(type_code(gateway, connector.page(), printed_code(gateway)))
    secret, connector.secret = connector.secret, None
    if method == "none":
        assert secret is None
        assert connector.fetch(code).status_code == 200
        return
    assert answer.json()["client_secret_expires_at"] == 0
    assert connector.fetch(code).status_code == 401
    assert connector.fetch(code, client_secret=f"{secret}x").status_code == 401
    assert connector.fetch(code, client_secret=str(secret)).status_code == 200


def test_a_program_without_a_token_is_told_where_to_get_one(gateway: Gateway) -> None:
    refused = gateway.ask("POST", "/mcp", None, {})
    server = gateway.ask("GET", "/.well-known/oauth-authorization-server").json()
    resource = gateway.ask("GET", "/.well-known/oauth-protected-resource/mcp").json()

    where = f'resource_metadata="{gateway.url}/.well-known/oauth-protected-resource/mcp"'
    assert where in refused.headers["www-authenticate"]
    assert resource["resource"] == f"{gateway.url}/mcp"
    assert resource["authorization_servers"] == [server["issuer"]] == [gateway.url]
    assert server["code_challenge_methods_supported"] == ["S256"]
    assert gateway.ask("GET", "/.well-known/openid-configuration").status_code == 404
    assert server["token_endpoint_auth_methods_supported"] == ["none", "client_secret_post"]


FOREIGN = [
    "https://evil.example/cb", "https://claude.ai.evil.example/", "https://claude.ai@evil.example/",
    "https://evil.example/claude.ai", "https://claude.ai:8443/cb", "http://claude.ai/cb",
    "https://claude.ai./cb", "https://user:pw@claude.ai/cb", "https://claude.ai/cb#x",
    "https://claude.ai/cb#", "https://claude.ai%2eevil.example/", "https://claude.ai%40evil.example/",
    "https://xn--claude-9xa.ai/", "http://127.0.0.2/cb", "http://localhost.evil.example/",
    "http://[::ffff:127.0.0.1]/", "http://a@127.0.0.1:9/cb", "javascript://claude.ai/%0aalert(1)",
    "data:text/html,x", "cursor://claude.ai/cb", f"{ALLOWED}/more", f"{ALLOWED}?x=1",
    "https://app.example.org/", "https:\\\\evil.example\\@claude.ai/", "//claude.ai/cb", "claude.ai", "",
]  # fmt: skip


@pytest.mark.parametrize("address", FOREIGN)
def test_no_client_registers_with_a_foreign_redirect(gateway: Gateway, address: str) -> None:
    alone = Connector(gateway).register(redirect_uris=[address])
    beside = Connector(gateway).register(redirect_uris=[CALLBACK, address])

    for answer in (alone, beside):
        assert answer.status_code == 400, answer.text
        # An address that cannot even be read is refused by the SDK, in the words for all metadata.
        assert answer.json()["error"] in ("invalid_redirect_uri", "invalid_client_metadata")
    if "://" in address and "%40" not in address and "\\" not in address:
        assert alone.json()["error"] == "invalid_redirect_uri"


@pytest.mark.parametrize(
    ("address", "host"),
    [("https://claude.ai/api/mcp/auth_callback", "claude.ai"), (ALLOWED, "app.example.org"),
     ("https://chatgpt.com/connector/oauth/x1", "chatgpt.com"), ("http://localhost:1/", "localhost"),
     ("http://[::1]:8/cb?a=b", "[::1]"), ("HTTPS://CLAUDE.AI/a", "claude.ai"),
     ("https:\\\\claude.ai\\@evil.example", "claude.ai")],
)  # fmt: skip
def test_the_answer_goes_to_the_host_that_the_page_names(
    gateway: Gateway, address: str, host: str
) -> None:
    connector = Connector(gateway, redirect=address)
    connector.register()
    page = connector.page()
    shown = gateway.client.get(page)
    answer = type_code(gateway, page, printed_code(gateway, host))

    assert f"--oauth {escape(quote(host))}<" in shown.text
    assert str(URL(answer.headers["location"]).host) == host.strip("[]")
    assert URL(answer.headers["location"]).params["state"] == "s 1&2"
    assert connector.fetch(code_of(answer)).status_code == 200


def test_an_answer_is_sent_to_no_address_but_the_clients_own(connector: Connector) -> None:
    others = (f"{CALLBACK}/more", f"{CALLBACK}?a=1", "https://claude.ai/cb", "http://127.0.0.1:1/")
    for address in (*FOREIGN, *others):
        answer = connector.authorize(redirect_uri=address)
        assert (answer.status_code, "location" in answer.headers) == (400, False), address


def test_a_redirect_that_is_allowed_no_more_gets_no_answer(home: Path) -> None:
    with running(home, "--oauth", "--rate", "0", "--allow-redirect", ALLOWED) as first:
        connector = Connector(first, redirect=ALLOWED)
        tokens = connector.connect()
    with running(home, "--oauth", "--rate", "0", "--port", str(first.port)) as second:
        connector.gateway = second
        answer = connector.authorize()

        assert (answer.status_code, "location" in answer.headers) == (400, False)
        assert opens(second, tokens["access_token"])
    end_residents(home)


def test_the_page_is_plain_and_shows_whatever_a_client_calls_itself_as_text(
    gateway: Gateway,
) -> None:
    connector = Connector(gateway)
    name = f"<script>alert(1)</script>&\"'\u202e{{host}}\n日本{'x' * 500}"
    connector.register(client_name=name, logo_uri="https://evil.example/x.png")
    shown = gateway.client.get(connector.page())

    policy = shown.headers["content-security-policy"]
    assert policy == (
        "default-src 'none'; form-action 'self' http://127.0.0.1:41234; "
        "frame-ancestors 'none'; base-uri 'none'"
    )
    assert shown.headers["cache-control"] == "no-store"
    assert shown.headers["referrer-policy"] == "same-origin"
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#x27;{host} 日本" in shown.text
    assert "127.0.0.1:41234" in shown.text
    assert "<script" not in shown.text
    assert "\u202e" not in shown.text
    assert "evil.example" not in shown.text
    assert "x" * 60 not in shown.text


def test_a_code_is_typed_as_people_type(gateway: Gateway, connector: Connector) -> None:
    for typed in (str.lower, lambda code: code.replace("-", ""), lambda code: f" {code} ",
                  lambda code: code.replace("0", "o").replace("1", "l"),
                  lambda code: "".join(chr(ord(c) + 0xFEE0) for c in code)):  # fmt: skip
        answer = type_code(gateway, connector.page(), typed(printed_code(gateway)))
        assert answer.status_code == 303, answer.text


def test_a_wrong_a_late_a_used_and_another_hosts_code_get_one_answer(
    gateway: Gateway, connector: Connector
) -> None:
    page = connector.page()
    late, used = printed_code(gateway), printed_code(gateway)
    code_of(type_code(gateway, page, used))
    change_file(gateway, lambda entry: entry.update(expires_at=PAST))
    foreign = printed_code(gateway, "claude.ai")
    given = ("0000-0000-0000", late, used, foreign, "", "x" * 10_000, "\x00", "鍵" * 12)
    answers = [type_code(gateway, page, each) for each in given]

    assert {answer.status_code for answer in answers} == {403}
    assert len({answer.text for answer in answers}) == 1
    assert grants(gateway) == []


def test_five_wrong_tries_end_a_code_and_a_restart_gives_none_back(home: Path) -> None:
    with running(home, "--oauth", "--rate", "0") as first:
        connector = Connector(first)
        connector.register()
        code, elsewhere = printed_code(first), printed_code(first, "claude.ai")
        tried = [type_code(first, connector.page(), wrong) for wrong in ("a", elsewhere, "c")]
    with running(home, "--oauth", "--rate", "0") as second:
        again = Connector(second)
        again.register()
        tried += [type_code(second, again.page(), "d"), type_code(second, again.page(), "e")]
        last = type_code(second, again.page(), code)

    assert {answer.status_code for answer in (*tried, last)} == {403}
    end_residents(home)


def test_of_sixteen_posts_at_once_no_more_than_five_count(
    gateway: Gateway, connector: Connector
) -> None:
    page, code = connector.page(), printed_code(gateway)
    with ThreadPoolExecutor(16) as pool:
        wrong = list(pool.map(lambda n: type_code(gateway, page, f"wrong {n}"), range(16)))
    late = type_code(gateway, page, code)
    fresh = printed_code(gateway)
    with ThreadPoolExecutor(16) as pool:
        right = list(pool.map(lambda _: type_code(gateway, page, fresh), range(16)))

    assert {answer.status_code for answer in (*wrong, late)} == {403}
    assert sorted(answer.status_code for answer in right) == [303] + [403] * 15


def test_the_fifth_try_may_be_the_right_one(gateway: Gateway, connector: Connector) -> None:
    page, code = connector.page(), printed_code(gateway)
    for wrong in "abcd":
        type_code(gateway, page, wrong)

    assert type_code(gateway, page, code).status_code == 303


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_a_page_of_another_site_consents_to_nothing_and_costs_no_try(
    gateway: Gateway, connector: Connector, origin: str
) -> None:
    page, code = connector.page(), printed_code(gateway)
    answers = [type_code(gateway, page, code, Origin=origin) for _ in range(6)]

    assert {answer.status_code for answer in answers} == {403}
    assert type_code(gateway, page, code).status_code == 303


def test_a_page_that_this_gateway_did_not_make_asks_for_nothing(
    gateway: Gateway, connector: Connector
) -> None:
    page, code = connector.page(), printed_code(gateway)
    sealed = URL(page).params["request"]
    for request in ("", "x", "日本", sealed[:-8], f"A{sealed[1:]}", sealed[::-1]):
        forged = f"{gateway.url}/consent?request={request}"
        assert gateway.client.get(forged).status_code == 400
        assert type_code(gateway, forged, code).status_code == 400
    assert type_code(gateway, page, code).status_code == 303


def test_an_authorization_code_that_is_used_twice_ends_its_grant(
    gateway: Gateway, connector: Connector
) -> None:
    code = code_of(type_code(gateway, connector.page(), printed_code(gateway)))
    token = connector.fetch(code).json()["access_token"]
    assert opens(gateway, token)

    assert connector.fetch(code).json()["error"] == "invalid_grant"
    assert not opens(gateway, token)
    assert grants(gateway) == []


def test_of_two_uses_of_an_authorization_code_at_once_no_grant_is_left(
    gateway: Gateway, connector: Connector
) -> None:
    code = code_of(type_code(gateway, connector.page(), printed_code(gateway)))
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: connector.fetch(code).status_code, range(8)))

    assert answers.count(200) <= 1
    assert grants(gateway) == []


def test_an_authorization_code_is_bound_to_client_redirect_verifier_and_server(
    gateway: Gateway, connector: Connector
) -> None:
    other = Connector(gateway)
    other.register()
    other.verifier = connector.verifier
    code = code_of(type_code(gateway, connector.page(), printed_code(gateway)))
    refused = [
        other.fetch(code), connector.fetch(code, code_verifier="x" * 43),
        connector.fetch(code, code_verifier=connector.challenge),
        connector.fetch(code, redirect_uri="http://127.0.0.1:41234/other"),
        connector.fetch(code, resource="https://evil.example/mcp"),
        connector.fetch(code, resource=f"{gateway.url}.evil.example/mcp"),
        connector.fetch(f"{code}x"), connector.fetch(""),
    ]  # fmt: skip

    assert {answer.status_code for answer in refused} == {400}
    assert [answer.json()["error"] for answer in refused[4:6]] == ["invalid_target"] * 2
    assert grants(gateway) == []
    assert connector.fetch(code, resource=f"{gateway.url}/mcp").status_code == 200


@pytest.mark.parametrize(
    ("changes", "error"),
    [({"code_challenge": None}, "invalid_request"), ({"code_challenge": ""}, "invalid_request"),
     ({"code_challenge": "short"}, "invalid_request"),
     ({"code_challenge_method": "plain"}, "invalid_request"),
     ({"response_type": "token"}, "unsupported_response_type"),
     ({"resource": "https://evil.example/mcp"}, "invalid_target"),
     ({"resource": ""}, "invalid_target"), ({"scope": "root"}, "invalid_scope")],
)  # fmt: skip
def test_what_is_asked_wrongly_comes_back_to_the_client_as_an_error(
    connector: Connector, changes: dict[str, str | None], error: str
) -> None:
    answer = connector.authorize(**changes)

    back = URL(answer.headers["location"])
    assert str(back.copy_with(query=None)) == CALLBACK
    assert (back.params["error"], back.params["state"]) == (error, "s 1&2")


def test_a_refresh_token_that_is_used_twice_ends_the_grant(gateway: Gateway) -> None:
    connector = Connector(gateway)
    first = connector.connect()
    second = connector.refresh(first["refresh_token"]).json()
    assert not opens(gateway, first["access_token"])
    assert opens(gateway, second["access_token"])

    again = connector.refresh(first["refresh_token"])

    assert again.json()["error"] == "invalid_grant"
    assert not opens(gateway, second["access_token"])
    assert connector.refresh(second["refresh_token"]).status_code == 401
    assert grants(gateway) == []


def test_of_eight_refreshes_at_once_no_grant_is_left(gateway: Gateway) -> None:
    connector = Connector(gateway)
    token = connector.connect()["refresh_token"]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: connector.refresh(token).status_code, range(8)))

    assert answers.count(200) == 1
    assert grants(gateway) == []


def test_a_refresh_token_is_its_clients_and_this_servers(gateway: Gateway) -> None:
    connector, other = Connector(gateway), Connector(gateway)
    own, foreign = connector.connect(), other.connect()
    refused = [
        other.refresh(own["refresh_token"]), connector.refresh(own["access_token"]),
        connector.refresh(own["refresh_token"], resource="https://evil.example/mcp"),
        connector.refresh(f"x{own['refresh_token']}"), connector.refresh("日本"),
    ]  # fmt: skip

    assert [answer.status_code for answer in refused] == [400] * 5
    assert opens(gateway, foreign["access_token"])


def test_an_access_token_ends_before_its_grant_and_a_grant_ends_its_tokens(
    gateway: Gateway,
) -> None:
    connector = Connector(gateway)
    tokens = connector.connect()
    change_file(gateway, lambda entry: entry.update(access_ends_at=PAST))
    late = gateway.ask("GET", "/v1/memory/query", tokens["access_token"])
    tokens = connector.refresh(tokens["refresh_token"]).json()
    refreshed = opens(gateway, tokens["access_token"])
    change_file(gateway, lambda entry: entry.update(expires_at=PAST))

    assert late.status_code == 401
    assert "resource_metadata" in late.headers["www-authenticate"]
    assert refreshed
    assert not opens(gateway, tokens["access_token"])
    assert connector.refresh(tokens["refresh_token"]).status_code == 401


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
def test_a_client_gives_its_grant_back_by_either_token_and_no_others(
    gateway: Gateway, which: str
) -> None:
    connector, other = Connector(gateway), Connector(gateway)
    tokens, foreign = connector.connect(), other.connect()

    assert other.revoke(tokens[which]).status_code == 200
    assert opens(gateway, tokens["access_token"])
    assert connector.revoke("unknown").status_code == 200
    assert connector.revoke(tokens[which], client_id="unknown").status_code == 401
    assert connector.revoke(tokens[which]).status_code == 200
    assert not opens(gateway, tokens["access_token"])
    assert connector.refresh(tokens["refresh_token"]).status_code == 401
    assert opens(gateway, foreign["access_token"])


def test_a_grant_that_is_revoked_at_the_terminal_opens_nothing_from_then_on(
    gateway: Gateway,
) -> None:
    connector = Connector(gateway)
    tokens = connector.connect()
    assert opens(gateway, tokens["access_token"])
    (grant,) = grants(gateway)
    gateway.tokens.revoke(grant.id)

    assert not opens(gateway, tokens["access_token"])
    assert connector.refresh(tokens["refresh_token"]).status_code == 401
    assert connector.authorize().status_code == 400


def test_a_grant_survives_a_restart_and_what_waits_does_not(home: Path) -> None:
    with running(home, "--oauth", "--rate", "0") as first:
        connector, waiting = Connector(first), Connector(first)
        tokens = connector.connect()
        waiting.register()
        page = connector.page()
        code = code_of(type_code(first, connector.page(), printed_code(first)))
        used = code_of(type_code(first, connector.page(), printed_code(first)))
        assert connector.fetch(used).status_code == 200
    with running(home, "--oauth", "--rate", "0", "--port", str(first.port)) as second:
        connector.gateway = waiting.gateway = second
        assert opens(second, tokens["access_token"])
        assert second.client.get(page).status_code == 400
        assert waiting.authorize().status_code == 400
        assert connector.fetch(code).json()["error"] == "invalid_grant"
        assert len(grants(second)) == 2
        assert connector.fetch(used).json()["error"] == "invalid_grant"
        assert len(grants(second)) == 1
        tokens = connector.refresh(tokens["refresh_token"]).json()
        assert opens(second, tokens["access_token"])
        assert type_code(second, connector.page(), printed_code(second)).status_code == 303
    end_residents(home)


def test_a_gateway_of_another_address_and_one_without_oauth_take_no_grant(home: Path) -> None:
    with running(home, "--oauth", "--rate", "0") as first:
        connector = Connector(first)
        tokens = connector.connect()
        with running(home, "--oauth", "--rate", "0") as other:
            connector.gateway = other
            assert not opens(other, tokens["access_token"])
            assert connector.refresh(tokens["refresh_token"]).status_code == 401
            assert connector.authorize().status_code == 400
        assert opens(first, tokens["access_token"])
    with running(home, "--port", str(first.port)) as without:
        assert not opens(without, tokens["access_token"])
    end_residents(home)


def test_a_flood_of_registrations_is_refused_and_ends_no_client_with_a_grant(home: Path) -> None:
    with running(home, "--oauth", "--rate", "0") as gateway:
        connector, early = Connector(gateway), Connector(gateway)
        tokens = connector.connect()
        early.register()
        before = gateway.tokens.path.read_bytes()
        answers = [Connector(gateway).register() for _ in range(150)]
        refused = [answer for answer in answers if answer.status_code != 201]

        assert [answer.status_code for answer in answers] == [201] * 99 + [429] * 51
        assert 3_500 < int(refused[0].headers["retry-after"]) <= 3_601
        assert "60 minutes" in refused[0].json()["action"]
        assert gateway.tokens.path.read_bytes() == before
        assert opens(gateway, tokens["access_token"])
        assert connector.refresh(tokens["refresh_token"]).status_code == 200
        assert early.authorize().status_code == 302
        type_code(gateway, early.page(), code := printed_code(gateway))
        assert type_code(gateway, early.page(), code).status_code == 403
    end_residents(home)


def test_a_registration_is_bounded(gateway: Gateway) -> None:
    long = f"http://127.0.0.1:9/{'x' * 600}"
    answers = [
        Connector(gateway).register(redirect_uris=[long]),
        Connector(gateway).register(redirect_uris=[CALLBACK] * 9),
        Connector(gateway).register(redirect_uris=[]), Connector(gateway).register(scope="x" * 600),
        Connector(gateway).register(token_endpoint_auth_method="private_key_jwt"),
        Connector(gateway).register(token_endpoint_auth_method="client_secret_basic"),
        Connector(gateway).register(grant_types=["client_credentials"]),
        Connector(gateway).register(client_name=["x"]),
    ]  # fmt: skip
    large = Connector(gateway).register(client_name="x" * 70_000)

    assert {answer.status_code for answer in answers} == {400}
    assert large.status_code == 413


def test_the_routes_without_a_token_are_limited_each_by_itself(home: Path) -> None:
    with running(home, "--oauth", "--rate", "1") as gateway:
        statuses = [Connector(gateway).register().status_code for _ in range(8)]
        other = gateway.ask("GET", "/.well-known/oauth-authorization-server")

        assert statuses[:5] == [201] * 5
        assert 429 in statuses[5:]
        assert other.status_code == 200


def test_without_the_option_there_is_nothing_of_oauth(home: Path) -> None:
    paths = ("/authorize", "/consent", "/.well-known/oauth-authorization-server",
             "/.well-known/oauth-protected-resource/mcp")  # fmt: skip
    with running(home) as gateway:
        token = gateway.token("claude")
        told = [gateway.ask("GET", path, token) for path in paths]
        told += [
            gateway.ask("POST", path, token, {}) for path in ("/register", "/token", "/revoke")
        ]
        told += [gateway.ask("GET", path) for path in paths[2:]]
        refused = gateway.ask("POST", "/mcp", None, {})

        assert {answer.status_code for answer in told} == {404}
        assert "resource_metadata" not in refused.headers["www-authenticate"]


def test_a_file_that_cannot_be_used_lets_nobody_in_and_says_so(
    gateway: Gateway, connector: Connector
) -> None:
    granted = Connector(gateway)
    tokens = granted.connect()
    page, code = connector.page(), printed_code(gateway)
    whole = gateway.tokens.path.read_text()
    gateway.tokens.path.write_text(whole[:-9])
    told = [
        type_code(gateway, page, code),
        granted.refresh(tokens["refresh_token"]),
        granted.authorize(),
    ]
    gateway.tokens.path.write_text(whole)
    gateway.tokens.path.chmod(0o644)
    told += [
        type_code(gateway, page, code),
        gateway.ask("POST", "/mcp", tokens["access_token"], {}),
    ]
    gateway.tokens.path.chmod(0o600)

    for answer in told:
        assert answer.status_code == 503
        assert answer.json()["action"].startswith("run `")
    assert type_code(gateway, page, code).status_code == 303


@pytest.mark.req("AC-21")
def test_no_token_code_or_secret_is_left_on_the_disk(home: Path) -> None:
    with running(home, "--oauth", "--rate", "0") as gateway:
        connector = Connector(gateway, method="client_secret_post")
        connector.register()
        typed = printed_code(gateway)
        code = code_of(type_code(gateway, connector.page(), typed))
        tokens = connector.fetch(code).json()
        opens(gateway, tokens["access_token"])
        secrets = (*tokens.values(), code, typed, typed.replace("-", ""), str(connector.secret))
        for text in secrets[:-1]:
            refused = connector.fetch(str(text))
            assert str(text) not in refused.text
    texts = [str(each).encode() for each in secrets if len(str(each)) > 6]
    raw = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    assert not [path for path, each in raw.items() for text in texts if text in each]
    end_residents(home)
