"""Requests that no honest client sends: each is refused by name, and the gateway answers the next one."""

import json
import socket
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import end_residents
from tests.support.gateway import Gateway, running

_IMPATIENT = (
    "import sys, hooklore.gateway.guard as guard, hooklore.gateway.web_server as serving;"
    "serving._HEADER_SECONDS = guard._BODY_SECONDS = 0.4;"
    "from hooklore.cli.entry import main; sys.exit(main())"
)
"""The program with its limits of time made small."""

_MEBIBYTE = 1024 * 1024
_EVENT = {
    "scope": "global", "kind": "fact", "content_md": "The pump runs at noon.",
    "source": {"system": "cli"},
}  # fmt: skip


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    home = tmp_path_factory.mktemp("home")
    with running(home, "--rate", "0") as started:
        yield started
    end_residents(home)


@pytest.fixture(scope="module")
def token(gateway: Gateway) -> str:
    return gateway.token("claude")


@pytest.fixture(autouse=True)
def answers_afterwards(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "gateway" in request.fixturenames:
        assert request.getfixturevalue("gateway").ask("GET", "/healthz").status_code == 200


def exchange(gateway: Gateway, raw: bytes) -> tuple[int, bytes]:
    """Return the status and the body of the answer to raw bytes, after which the server closes."""
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=20) as client:
        client.sendall(raw)
        answer = b"".join(iter(lambda: client.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), body


def request(gateway: Gateway, line: str, *headers: str, body: bytes = b"", host: str = "") -> bytes:
    """Return a request with the gateway's host, or another. Each of `headers` is a whole line."""
    first = f"{line} HTTP/1.1"
    whole = [first, f"Host: {host or f'127.0.0.1:{gateway.port}'}", "Connection: close", *headers]
    return "\r\n".join([*whole, "", ""]).encode() + body


def post(gateway: Gateway, token: str, body: bytes, *headers: str, length: bool = True) -> bytes:
    """Return an append with a body of any kind."""
    own = [f"Authorization: Bearer {token}", "Content-Type: application/json", *headers]
    own += [f"Content-Length: {len(body)}"] if length else []
    return request(gateway, "POST /v1/memory/append", *own, body=body)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "[::1", "localhost:1"]
)
def test_a_name_that_a_rebound_domain_brings_is_not_served(gateway: Gateway, host: str) -> None:
    status, body = exchange(gateway, request(gateway, "GET /healthz", host=host))

    assert status == 421
    assert json.loads(body)["action"].startswith(f"ask {gateway.url}")


def test_a_request_with_two_hosts_or_none_is_refused(gateway: Gateway) -> None:
    twice = request(gateway, "GET /healthz", "Host: evil.example")

    assert exchange(gateway, twice)[0] == 400
    assert exchange(gateway, b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n")[0] == 400
    assert exchange(gateway, b"GET /healthz HTTP/1.0\r\n\r\n")[0] == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_a_page_of_another_site_can_neither_post_nor_ask_whether_it_may(
    gateway: Gateway, token: str, origin: str
) -> None:
    asking = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    posted = gateway.ask("POST", "/v1/memory/append", token, _EVENT, {"Origin": origin})
    preflight = gateway.ask("OPTIONS", "/v1/memory/append", headers=asking)

    assert posted.status_code == preflight.status_code == 403
    assert not [name for name in preflight.headers if name.startswith("access-control")]


def test_the_gateways_own_origin_is_let_through(gateway: Gateway, token: str) -> None:
    answer = gateway.ask("GET", "/v1/memory/query", token, headers={"Origin": gateway.url})

    assert answer.status_code == 200


def test_a_body_beyond_two_mebibytes_is_refused_with_and_without_its_length(
    gateway: Gateway, token: str
) -> None:
    declared = post(gateway, token, b"", f"Content-Length: {2 * _MEBIBYTE + 1}", length=False)
    chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
    chunked = post(gateway, token, chunk * 33 + b"0\r\n\r\n", "Transfer-Encoding: chunked",
                   length=False)  # fmt: skip

    assert exchange(gateway, declared)[0] == 413
    assert exchange(gateway, chunked)[0] == 413


def test_headers_beyond_their_limit_are_refused_also_when_they_come_at_once(
    gateway: Gateway,
) -> None:
    one = request(gateway, "GET /healthz", f"X-Long: {'a' * 33_000}")
    many = request(gateway, "GET /healthz", *(f"X-{n}: {'a' * 20}" for n in range(1_500)))
    target = request(gateway, f"GET /healthz?a={'a' * 9_000}")

    assert [exchange(gateway, raw)[0] for raw in (one, many, target)] == [431, 431, 414]


@pytest.mark.parametrize(
    "again", ["Authorization: Bearer x", "Content-Type: application/json", "Idempotency-Key: b"]
)
def test_a_header_that_may_stand_once_is_refused_twice(
    gateway: Gateway, token: str, again: str
) -> None:
    status, body = exchange(gateway, post(gateway, token, b"{}", "Idempotency-Key: a", again))

    assert status == 400
    assert "stands there twice" in json.loads(body)["detail"]


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        (("Content-Length: 5", "Transfer-Encoding: chunked"), b"0\r\n\r\n"),
        (("Content-Length: 2", "Content-Length: 3"), b"{} "),
        (("Content-Length: -2",), b"{}"),
        (("Transfer-Encoding: gzip, chunked",), b"0\r\n\r\n"),
    ],
)
def test_a_body_whose_length_can_be_read_in_two_ways_is_refused(
    gateway: Gateway, token: str, headers: tuple[str, ...], body: bytes
) -> None:
    assert exchange(gateway, post(gateway, token, body, *headers, length=False))[0] in (400, 501)


@pytest.mark.parametrize(
    "media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_a_body_of_a_type_that_a_page_may_send_unasked_is_refused(
    gateway: Gateway, token: str, media: str
) -> None:
    answer = gateway.ask("POST", "/v1/memory/append", token, _EVENT, {"Content-Type": media})

    assert answer.status_code == 415


@pytest.mark.parametrize("key", ["", "Idempotency-Key: odd"])
@pytest.mark.parametrize(
    "body",
    [
        b"{", b"[" * 100_000 + b"]" * 100_000, b'{"tags":' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"ttl_days":NaN}', b'{"content_md":"\\ud800"}', b'{"content_md":"\xff"}', b"\xff\xfe{}",
    ],
    ids=["cut", "100k lists", "900 lists", "NaN", "half a character", "latin-1", "utf-16"],
)  # fmt: skip
def test_a_body_that_is_no_json_is_named_as_that(
    gateway: Gateway, token: str, body: bytes, key: str
) -> None:
    status, told = exchange(gateway, post(gateway, token, body, *filter(None, [key])))

    assert status == 400
    assert json.loads(told)["error"] == "bad_request"


@pytest.mark.parametrize(
    "body",
    [
        [],
        "x",
        {},
        {"events": []},
        {"events": [_EVENT] * 51},
        {**_EVENT, "ttl_days": 10**18},
        {**_EVENT, "kind": ["fact"]},
        {**_EVENT, "idempotency_key": 1},
        {**_EVENT, "scope": "project:../x"},
    ],
)
def test_json_that_is_no_event_is_refused_with_what_to_do(
    gateway: Gateway, token: str, body: Any
) -> None:
    answer = gateway.ask("POST", "/v1/memory/append", token, body)

    assert answer.status_code == 422
    assert answer.json()["action"]


def test_a_nul_in_a_text_is_kept_from_everybody_until_a_person_looks(
    gateway: Gateway, token: str
) -> None:
    odd = {**_EVENT, "content_md": "The sluice\0 opens at dusk."}
    answer = gateway.ask("POST", "/v1/memory/append", token, odd)

    assert (answer.json()["status"], answer.json()["waits"]) == ("pending", "hidden_characters")
    assert "sluice" not in gateway.ask("GET", "/v1/memory/query", token).text


@pytest.mark.parametrize("slug", ["..%2f..", "../../etc", "%00", "a%2fb", "A", "-"])
def test_a_slug_leads_out_of_no_project(gateway: Gateway, token: str, slug: str) -> None:
    worked = gateway.ask("GET", f"/v1/memory/snapshot?project={slug}", token)
    asked = gateway.ask("GET", f"/v1/memory/query?scope=project:{slug}", token)

    assert worked.status_code == 422
    assert asked.status_code == 422


@pytest.mark.parametrize(
    "query", ["limit=x", "limit=-1", "limit=1&limit=2", "cursor=%00%ff", "since=x", "unknown=1", "group=0"]
)  # fmt: skip
def test_a_parameter_that_cannot_be_read_is_refused(
    gateway: Gateway, token: str, query: str
) -> None:
    assert gateway.ask("GET", f"/v1/memory/query?{query}", token).status_code == 422


@pytest.mark.req("WF-07")
@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_an_event_is_never_changed_by_a_method(gateway: Gateway, token: str, method: str) -> None:
    kept = gateway.ask("POST", "/v1/memory/append", token, _EVENT).json()["event_id"]
    path = f"/v1/memory/events/{kept}"
    before = gateway.ask("GET", path, token).json()

    refused = [gateway.ask(method, path, token), gateway.ask(method, path, token, _EVENT)]
    whole = gateway.ask(method, "/v1/memory/events", token)

    assert [(each.status_code, each.headers["allow"]) for each in refused] == [(405, "GET")] * 2
    assert (whole.status_code, whole.headers["allow"]) == (405, "")
    assert gateway.ask("GET", path, token).json() == before


def test_whoever_dribbles_a_header_or_a_body_is_not_waited_for(home: Any) -> None:
    with running(home, command=(sys.executable, "-c", _IMPATIENT)) as gateway:
        token = gateway.token("claude")
        slow_header = request(gateway, "GET /healthz")[:-2] + b"X-Slow: "
        slow_body = post(gateway, token, b"", "Content-Length: 90000", length=False)

        assert _dribble(gateway, slow_header) == b""
        assert _dribble(gateway, slow_body).startswith(b"HTTP/1.1 408 ")
        assert gateway.ask("GET", "/healthz").status_code == 200


def _dribble(gateway: Gateway, start: bytes) -> bytes:
    """Return what the server says to a client that sends a byte now and then, until it closes."""
    answer, end = b"", time.monotonic() + 20
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=0.02) as client:
        client.sendall(start)
        while time.monotonic() < end:
            try:
                client.sendall(b" ")
                more = client.recv(65536)
            except TimeoutError:
                continue
            except ConnectionError:
                return answer
            if not more:
                return answer
            answer += more
    raise AssertionError("the server waited on")
