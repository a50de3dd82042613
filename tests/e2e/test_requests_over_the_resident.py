"""Requests of agents over the resident's socket: a resident is started, answers, and survives what is sent."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from hooklore.config import StoreLocation, store_location_at
from hooklore.hooks.delivery import Delivery
from hooklore.requests.request import Caller, Request
from hooklore.requests.response import Response
from hooklore.resident import call
from hooklore.resident.asking import REQUEST, ask_resident
from hooklore.resident.wire import CONTROL
from tests.conftest import end_residents

SECONDS = 30.0
_LETTERS = str.maketrans("0123456789", "aeioubdgkm")


@pytest.fixture
def place(home: Path) -> Iterator[StoreLocation]:
    yield store_location_at(home / ".config" / "ai" / "memory")
    end_residents(home)


def ask(place: StoreLocation, verb: str, agent: str = "claude", **arguments: object) -> Response:
    found = ask_resident(
        place, Request(verb, arguments, Caller(agent, "s1", place.root)), seconds=SECONDS
    )
    assert found is not None
    return found


def send(place: StoreLocation, payload: bytes) -> dict[str, object]:
    found = call.send_delivery(place, Delivery(CONTROL, REQUEST, os.urandom(16).hex(), payload))
    assert found is not None
    assert found[0] == "answered"
    return dict(orjson.loads(found[1]))


def test_a_request_starts_a_resident_and_what_is_kept_is_opened_there(place: StoreLocation) -> None:
    kept = ask(place, "remember", content="The tests need a database on port 5433.", kind="todo")
    opened = ask(place, "get", names=[str(kept.content["id"])])

    assert kept.content["status"] == "stored"
    assert "port 5433" in opened.text
    status = call.request_status(place)
    assert status is not None
    assert status["pid"] != os.getpid()


def test_a_resident_that_is_killed_is_started_anew_within_a_request(
    place: StoreLocation, home: Path
) -> None:
    ask(place, "remember", content="Deploys run from the release branch.", kind="todo")
    end_residents(home)

    assert "release branch" in ask(place, "search_memories", query="release deploys").text


def test_a_request_of_a_mebibyte_is_answered_and_a_long_answer_arrives_whole(
    place: StoreLocation,
) -> None:
    place.config.parent.mkdir(parents=True)
    place.config.write_text("[curated]\nrun_limit = 100\n")
    huge = ask(place, "remember", content="x" * (1 << 20))
    for number in range(30):
        # Words of letters alone, for long numbers are refused as cards.
        digits = (f"{number * 700 + word}" for word in range(700))
        words = [each.translate(_LETTERS) for each in digits]
        text = "\n\n".join(" ".join(words[n : n + 20]) for n in range(0, 700, 20))
        assert ask(place, "remember", content=text, kind="todo").success

    listed = ask(place, "snapshot", limit_recent=200)

    assert not huge.success
    assert "content" in huge.problem
    assert len(listed.to_json()) > 64 * 1024
    assert len(listed.content["recent"]) == 30


@pytest.mark.parametrize(
    "payload",
    [
        b"", b"{", b"[]", b"null", b'{"verb": 1, "arguments": {}}', b'{"verb": "get"}',
        b'{"verb": "get", "arguments": {"names": 3}, "agent_id": ["claude"]}', b"\xff\xfe\x00",
        b'{"verb": "recall", "arguments": {"query": {"a": 1}}, "agent_id": "claude"}',
        b"[" * 100_000,
    ],
)  # fmt: skip
def test_a_payload_of_any_form_is_refused_with_a_cause(
    place: StoreLocation, payload: bytes
) -> None:
    ask(place, "wake_up")
    told = send(place, payload)

    assert told["success"] is False
    assert told["problem"]
    assert told["hint"]


def test_without_a_place_for_a_resident_there_is_no_answer(
    place: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOOKLORE_DEPTH", "1")
    started = time.monotonic()

    caller = Caller("claude", "s1", place.root)
    assert ask_resident(place, Request("wake_up", {}, caller), seconds=0.3) is None
    assert time.monotonic() - started < SECONDS
