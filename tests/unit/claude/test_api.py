import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.claude.api import AFTER, SIDE, SUMMARY, ApiError, ScriptedApi, Turn, say, use

TOOLS = [{"name": "Bash"}]


@contextmanager
def connected(api: ScriptedApi) -> Iterator[HTTPConnection]:
    with closing(HTTPConnection(urlsplit(api.url).netloc, timeout=60)) as connection:
        yield connection


def post(
    connection: HTTPConnection, body: Any, path: str = "/v1/messages?beta=true"
) -> tuple[int, bytes]:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request("POST", path, raw, {"content-type": "application/json"})
    response = connection.getresponse()
    return response.status, response.read()


def asking(*said: str, **more: Any) -> dict[str, Any]:
    roles = ("user", "assistant")
    spoken = [{"role": roles[i % 2], "content": text} for i, text in enumerate(said)]
    return {"model": "m-1", "messages": spoken, "tools": TOOLS, **more}


def text_of(answer: tuple[int, bytes]) -> str:
    text: str = json.loads(answer[1])["content"][0]["text"]
    return text


def events_of(wire: bytes) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for frame in wire.decode().removesuffix("\n\n").split("\n\n"):
        name, data = frame.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_a_stream_spells_out_the_turn_that_a_plain_answer_holds_whole() -> None:
    turn = Turn("looking 見る", use("Bash", command="ls").tool_use, {"output_tokens": 7})

    with ScriptedApi([turn, turn]) as api, connected(api) as connection:
        _, wire = post(connection, asking("go", stream=True))
        _, plain = post(connection, asking("go", "yes", "on"))

    events = events_of(wire)
    bodies = [body for _, body in events]
    whole = json.loads(plain)
    deltas = [body["delta"] for body in bodies if body["type"] == "content_block_delta"]
    assert [name for name, _ in events] == [body["type"] for body in bodies]
    assert [body["type"] for body in bodies] == [
        "message_start",
        *("content_block_start", "content_block_delta", "content_block_stop") * 2,
        "message_delta",
        "message_stop",
    ]
    assert bodies[0]["message"]["content"] == []
    assert [body["index"] for body in bodies[1:-2]] == [0, 0, 0, 1, 1, 1]
    assert deltas[0] == {"type": "text_delta", "text": "looking 見る"}
    assert json.loads(deltas[1]["partial_json"]) == {"command": "ls"}
    assert bodies[-2]["delta"]["stop_reason"] == whole["stop_reason"] == "tool_use"
    assert bodies[-2]["usage"] == whole["usage"] == {"input_tokens": 100, "output_tokens": 7}
    assert whole["content"][0] == {"type": "text", "text": "looking 見る"}
    assert whole["content"][1]["input"] == {"command": "ls"}
    assert whole["id"] != bodies[0]["message"]["id"]


def test_a_conversation_takes_the_lane_whose_mark_its_first_message_holds() -> None:
    lanes = {"SUB-A": [say("a1"), say("a2")], "SUB-B": [say("b1")]}

    with ScriptedApi([say("m1"), say("m2")], lanes) as api, connected(api) as connection:
        heard = [
            text_of(post(connection, asking(*said)))
            for said in (
                ("go",),
                ("please SUB-B",),
                ("SUB-A", "a", "more"),
                ("go", "m1", "SUB-A came back"),
                ("SUB-A", "a", "more", "a", "more"),
                ("SUB-A", "a", "more", "a", "more", "a", "more"),
            )
        ]

    assert heard == ["m1", "b1", "a1", "m2", "a2", AFTER]
    assert [(r.lane, r.number) for r in api.requests] == [
        *(("", 0), ("SUB-B", 0), ("SUB-A", 0)),
        *(("", 1), ("SUB-A", 1), ("SUB-A", 2)),
    ]


def test_a_mark_that_a_reminder_quotes_opens_no_lane() -> None:
    quoted = {"type": "text", "text": "<system-reminder>\nlast time: SUB-A\n</system-reminder>"}
    body = asking() | {"messages": [{"role": "user", "content": [quoted]}]}

    with ScriptedApi([say("main")], {"SUB-A": [say("sub")]}) as api, connected(api) as connection:
        heard = text_of(post(connection, body))

    assert heard == "main"


def test_an_error_answers_the_retry_too_and_the_script_goes_on_after_it() -> None:
    refused = Turn(error=ApiError(429, "rate_limit_error", "slow down"))

    with ScriptedApi([refused, say("better")]) as api, connected(api) as connection:
        first, retry = post(connection, asking("go")), post(connection, asking("go"))
        later = post(connection, asking("go\nagain"))

    told = {"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}}
    assert (first[0], json.loads(first[1])) == (429, told)
    assert retry == first
    assert text_of(later) == "better"
    assert [r.number for r in api.requests] == [0, 0, 1]


def test_a_request_for_a_summary_or_without_tools_takes_no_turn() -> None:
    summary = "Your task is to create a detailed summary of this. Wrap it in <summary> tags"
    schema = {"output_config": {"format": {"type": "json_schema"}}}

    with ScriptedApi([say("one")]) as api, connected(api) as connection:
        compact = text_of(post(connection, asking("go", "fine", summary)))
        side = text_of(post(connection, asking("a title?", tools=[])))
        typed = text_of(post(connection, asking("a title?", tools=[], **schema)))
        counted = post(connection, asking("go"), "/v1/messages/count_tokens")
        turn = text_of(post(connection, asking("go")))

    assert SUMMARY in compact
    assert side == SIDE
    assert json.loads(typed) == {"title": SIDE}
    assert json.loads(counted[1])["input_tokens"] > 0
    assert turn == "one"
    assert [r.kind for r in api.requests] == ["compact", "side", "side", "count", "turn"]


def test_every_body_is_kept_as_it_came() -> None:
    body = asking("日本語 \ud83e", metadata={"deep": [[[None]]]})

    with ScriptedApi([]) as api, connected(api) as connection:
        post(connection, body)
        post(connection, {"any": 1}, "/api/elsewhere")
        connection.request("HEAD", "/")
        connection.getresponse().read()

    assert [(r.method, r.path, r.body) for r in api.requests] == [
        ("POST", "/v1/messages?beta=true", body),
        ("POST", "/api/elsewhere", {"any": 1}),
        ("HEAD", "/", {}),
    ]


@pytest.mark.parametrize("junk", [b"{", b"[1]", b"\xff\xfe", b"null"])
def test_junk_is_refused_and_kept_and_takes_no_turn(junk: bytes) -> None:
    with ScriptedApi([say("fine")]) as api, connected(api) as connection:
        status, _ = post(connection, junk)
        heard = text_of(post(connection, asking("go")))

    assert status == 400
    assert heard == "fine"
    assert [r.kind for r in api.requests] == ["other", "turn"]


def test_meanwhile_runs_between_a_request_and_its_answer() -> None:
    seen: list[int] = []
    turn = Turn("ok", meanwhile=lambda: seen.append(len(api.requests)))

    with ScriptedApi([turn]) as api, connected(api) as connection:
        heard = text_of(post(connection, asking("go")))

    assert seen == [1]
    assert heard == "ok"


def test_a_failing_meanwhile_fails_the_test_and_not_a_thread() -> None:
    def fail() -> None:
        raise LookupError("no such broker")

    api = ScriptedApi([Turn("ok", meanwhile=fail)])

    with pytest.raises(LookupError, match="no such broker"), api, connected(api) as connection:
        status, _ = post(connection, asking("go"))

    assert status == 400


def test_leaving_ends_connections_that_a_client_holds_open() -> None:
    with ScriptedApi([say("one")]) as api:
        connection = HTTPConnection(urlsplit(api.url).netloc, timeout=60)
        post(connection, asking("go"))

    with closing(connection), pytest.raises(ConnectionError):
        post(connection, asking("go"))
