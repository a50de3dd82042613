"""A write that is sent again counts once, whatever was killed meanwhile."""

import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests import processes
from tests.conftest import end_residents
from tests.support.gateway import Gateway, running
from tests.support.writers import records

_CLIENTS = 20
_WRITES = 24


@pytest.fixture
def gateway(home: Path) -> Iterator[Gateway]:
    with open_gateway(home) as started:
        yield started
    end_residents(home)


def open_gateway(home: Path) -> Any:
    return running(home, "--rate", "0")


def event(text: str) -> dict[str, Any]:
    return {"scope": "global", "kind": "fact", "content_md": text, "source": {"system": "cli"}}


def send(gateway: Gateway, token: str, text: str, key: str | None) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else None
    return gateway.ask("POST", "/v1/memory/append", token, event(text), headers)


def texts(gateway: Gateway) -> Counter[str]:
    """Count the memories of the log by their texts."""
    kept = (each for each in records(gateway.place) if each["stream"] == "memory")
    return Counter(each["body"]["content_md"] for each in kept)


@pytest.mark.parametrize("key", ["k-1", None])
def test_twenty_identical_posts_at_once_are_one_event(gateway: Gateway, key: str | None) -> None:
    token = gateway.token("claude")
    with ThreadPoolExecutor(_CLIENTS) as clients:
        sent = [
            clients.submit(send, gateway, token, "The pump is red.", key) for _ in range(_CLIENTS)
        ]
        answers = [each.result() for each in sent]

    assert texts(gateway) == {"The pump is red.": 1}
    assert len({each.json()["event_id"] for each in answers}) == 1
    assert {each.status_code for each in answers} == ({201} if key else {200, 201})


def test_a_key_in_the_body_is_the_headers_and_another_than_it_is_refused(gateway: Gateway) -> None:
    token = gateway.token("claude")
    body = {**event("The pump is red."), "idempotency_key": "鍵"}
    first = gateway.ask("POST", "/v1/memory/append", token, body)
    again = gateway.ask("POST", "/v1/memory/append", token, body)
    both = gateway.ask("POST", "/v1/memory/append", token, body, {"Idempotency-Key": "k"})

    assert (first.status_code, again.json()) == (201, first.json())
    assert both.status_code == 422


def test_a_key_with_another_body_is_refused_and_keeps_nothing(gateway: Gateway) -> None:
    token = gateway.token("claude")
    first = send(gateway, token, "The pump is red.", "k")
    other = send(gateway, token, "The pump is blue.", "k")

    assert (first.status_code, other.status_code) == (201, 422)
    assert other.json()["error"] == "key_reused"
    assert texts(gateway) == {"The pump is red.": 1}


def test_a_key_belongs_to_its_token(gateway: Gateway) -> None:
    answers = [
        send(gateway, gateway.token(agent), f"The pump of {agent} leaks.", "k")
        for agent in ("claude", "gemini")
    ]

    assert [each.status_code for each in answers] == [201, 201]
    assert len(texts(gateway)) == 2


def test_a_verbs_key_with_another_body_is_another_write(gateway: Gateway) -> None:
    token, key = gateway.token("claude"), {"Idempotency-Key": "k"}
    said = [{"content": text, "scope": "global"} for text in ("A kiln is hot.", "Carts are new.")]
    answers = [
        gateway.ask("POST", "/v1/verbs/remember", token, each, key).json()
        for each in (*said, said[0])
    ]

    assert [each["status"] for each in answers] == ["stored", "stored", "duplicate"]
    assert answers[2]["id"] == answers[0]["id"]


def test_a_verbs_key_with_another_project_is_another_write(gateway: Gateway) -> None:
    token, headers = gateway.token("claude"), {"Idempotency-Key": "k-1"}
    body = {"content": "The pump is green."}
    paths = [f"/v1/verbs/remember?project={name}" for name in ("north", "south", "south")]

    ids = [gateway.ask("POST", each, token, body, headers).json()["id"] for each in paths]

    assert len(set(ids)) == 2
    assert ids[1] == ids[2]
    long = gateway.ask("POST", paths[0], token, body, {"Idempotency-Key": "k" * 257})
    assert long.status_code == 422


def test_a_batch_that_comes_again_gets_its_first_reply(gateway: Gateway) -> None:
    token, key = gateway.token("claude"), {"Idempotency-Key": "k"}
    batch = {"events": [event("The pump is red."), {"scope": "global"}, event("Carts are new.")]}
    first = gateway.ask("POST", "/v1/memory/append", token, batch, key)
    again = gateway.ask("POST", "/v1/memory/append", token, batch, key)

    assert (first.status_code, again.json()) == (207, first.json())
    assert [each["http_status"] for each in first.json()["results"]] == [201, 422, 201]
    assert texts(gateway) == {"The pump is red.": 1, "Carts are new.": 1}


def test_a_gateway_killed_between_append_and_reply_loses_and_doubles_nothing(home: Path) -> None:
    said = {f"k{n}": f"Crate {n} holds bolts of {n} mm." for n in range(_WRITES)}
    with open_gateway(home) as gateway:
        token = gateway.token("claude")
        replied = send_while(gateway, token, said, gateway.process.kill)
    with open_gateway(home) as gateway:
        again = {key: send(gateway, token, text, key).json() for key, text in said.items()}

        assert len(replied) < _WRITES
        assert texts(gateway) == dict.fromkeys(said.values(), 1)
        for key, answer in replied.items():
            assert answer.json()["event_id"] == again[key]["event_id"]
    end_residents(home)


def test_a_resident_killed_during_requests_loses_and_doubles_nothing(gateway: Gateway) -> None:
    said = {f"k{n}": f"Crate {n} holds bolts of {n} mm." for n in range(_WRITES)}
    token = gateway.token("claude")
    replied = send_while(gateway, token, said, lambda: kill_residents(gateway))
    again = {key: send(gateway, token, text, key) for key, text in said.items()}

    assert {each.status_code for each in replied.values()} <= {200, 201, 202, 503}
    assert {each.status_code for each in again.values()} <= {200, 201, 202}
    gateway.ask("GET", "/v1/memory/query", token)  # whoever asks next has what waited written
    assert texts(gateway) == dict.fromkeys(said.values(), 1)


def send_while(
    gateway: Gateway, token: str, said: dict[str, str], kill: Any
) -> dict[str, httpx.Response]:
    """Send every text by its key, and call `kill` after the fifth reply. Return the replies that came."""
    replies: dict[str, httpx.Response] = {}
    fifth = threading.Event()

    def one(key: str) -> None:
        try:
            replies[key] = send(gateway, token, said[key], key)
        except httpx.HTTPError:
            return
        if len(replies) >= 5:
            fifth.set()

    with ThreadPoolExecutor(8) as clients:
        for key in said:
            clients.submit(one, key)
        assert fifth.wait(60)
        kill()
    return replies


def kill_residents(gateway: Gateway) -> None:
    found = processes.residents(gateway.place.root)
    assert found
    for each in found:
        os.kill(each, signal.SIGKILL)
