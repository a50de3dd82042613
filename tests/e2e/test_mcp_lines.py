"""Each line of an MCP client that has an id is answered once, however it is broken, and the server goes on."""

import pytest

from tests.support.untried import NO_MCP

pytest.importorskip("mcp", reason=NO_MCP)

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import orjson
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS

from tests.conftest import end_residents
from tests.support.mcp_lines import (
    INITIALIZE,
    Ids,
    LineClient,
    call_of,
    ids_of,
    open_lines,
    request,
)

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
NEWEST = HANDSHAKE_PROTOCOL_VERSIONS[-1]


@pytest.fixture
def client(home: Path) -> Iterator[LineClient]:
    with open_lines(home) as client:
        yield client
    end_residents(home)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LineClient]:
    """One server for all lines that leave nothing behind."""
    home = tmp_path_factory.mktemp("lines")
    with open_lines(home) as client:
        client.ask(INITIALIZE)
        yield client
        assert client.ask(request("after all", "ping"))["result"] == {}
        ending = client.end()
        assert (ending.rest, ending.complaint, ending.status) == (b"", b"", 0)
    end_residents(home)


def verdict(answer: Any) -> tuple[object, int]:
    assert answer["jsonrpc"] == "2.0"
    return answer["id"], answer["error"]["code"]


BROKEN = [
    ("no JSON at all", None, PARSE_ERROR),
    ('{"jsonrpc":"2.0","id":1,"method":"ping"', None, PARSE_ERROR),
    ('{"jsonrpc":"2.0","id":1,"method":"ping"}}', None, PARSE_ERROR),
    ('{"jsonrpc":"2.0","id":1,"method":"pi\tng"}', None, PARSE_ERROR),
    ("[" * 100_000, None, PARSE_ERROR),
    ('{"jsonrpc":"2.0","id":2,"method":"ping","params":{"a":NaN}}', 2, PARSE_ERROR),
    ('{"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":-Infinity}}', 3, PARSE_ERROR),
    ("7", None, INVALID_REQUEST),
    ("null", None, INVALID_REQUEST),
    ("[]", None, INVALID_REQUEST),
    ('{"jsonrpc":"2.0","id":4}', 4, INVALID_REQUEST),
    ('{"jsonrpc":"2.0","id":"five","method":7}', "five", INVALID_REQUEST),
    ('{"id":6,"method":"ping"}', 6, INVALID_REQUEST),
    ('{"jsonrpc":"1.0","id":7,"method":"ping"}', 7, INVALID_REQUEST),
    ('{"jsonrpc":2.0,"id":8,"method":"ping"}', 8, INVALID_REQUEST),
    ('{"jsonrpc":"2.0","id":9,"method":"ping","params":"x"}', 9, INVALID_REQUEST),
    ('{"jsonrpc":"2.0","id":true,"method":"ping"}', None, INVALID_REQUEST),
    ('{"jsonrpc":"2.0","id":null,"method":"ping"}', None, INVALID_REQUEST),
    ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None, INVALID_REQUEST),
    ('{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', None, INVALID_REQUEST),
    ('{"jsonrpc":"2.0","id":' + "9" * 5_000 + ',"method":"ping"}', None, INVALID_REQUEST),
    ('{"jsonrpc":"2.0","id":10,"method":"ping","params":[]}', 10, INVALID_PARAMS),
    ('{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":7}}', 11, INVALID_PARAMS),
    ('{"jsonrpc":"2.0","id":12,"method":"tools/call","params":null}', 12, INVALID_PARAMS),
    ('{"jsonrpc":"2.0","id":13,"method":"no/such"}', 13, NO_METHOD),
    ('{"jsonrpc":"2.0","id":14,"method":"prompts/list"}', 14, NO_METHOD),
    ('{"jsonrpc":"2.0","id":15,"method":""}', 15, NO_METHOD),
]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "id_", "code"), BROKEN, ids=[f"{line[:60]}" for line, *_ in BROKEN]
)
def test_a_broken_line_is_answered_with_its_id_and_the_code_of_what_is_wrong(
    lines: LineClient, line: str, id_: object, code: int
) -> None:
    assert verdict(lines.ask(line)) == (id_, code)


@pytest.mark.parametrize(
    "silent",
    [
        "",
        " \t",
        "\r",
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        '{"jsonrpc":"2.0","method":"no/such/notification","params":{"a":1}}',
        '{"jsonrpc":"2.0","method":"ping","params":"x"}',
        '{"jsonrpc":"2.0","method":7}',
        '{"jsonrpc":"2.0"}',
        '{"method":"ping"}',
        "{}",
        '{"jsonrpc":"2.0","id":1,"result":{}}',
        '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}',
        '[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":7}]',
    ],
)
def test_nobody_is_answered_who_waits_for_nothing(lines: LineClient, silent: str) -> None:
    lines.send(silent, request("next", "ping"))

    assert lines.read()["id"] == "next"


@pytest.mark.parametrize(
    ("id_", "answered"),
    [("x" * 10_240, "x" * 10_240), ("9" * 10_240, "9" * 10_240), ("", ""), (0, 0), (-1, -1),
     (10**300, 10**300), (7.0, 7), ("東京\u2028\x00", "東京\u2028\x00")],
)  # fmt: skip
def test_an_id_of_any_length_and_script_comes_back_as_it_was(
    lines: LineClient, id_: object, answered: object
) -> None:
    answer = lines.ask(request(id_, "ping"))

    assert (answer["id"], answer["result"]) == (answered, {})


@pytest.mark.parametrize(
    ("line", "id_"),
    [
        ('{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', "�"),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\xff\xfe"}}', 1),
        ('{"jsonrpc":"2.0","id":1,\r"method":"ping"}\r', 1),
        ('{"jsonrpc":"2.0","id":2,"id":1,"method":"ping"}', 1),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","result":{},"error":{}}', 1),
        (
            '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":' + "[" * 500 + "]" * 500 + "}}",
            1,
        ),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"' + "x" * (1 << 20) + '"}}', 1),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', 1),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":null}}', 1),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":null}}}', 1),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_request_in_an_odd_form_is_served(
    lines: LineClient, line: str | bytes, id_: object
) -> None:
    answer = lines.ask(line)

    assert (answer["id"], answer.get("result")) == (id_, {})


@pytest.mark.parametrize("arguments", ["null", "{}"])
def test_arguments_that_are_null_are_none(lines: LineClient, arguments: str) -> None:
    answer = lines.ask(
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":'
        f'{{"name":"wake_up","arguments":{arguments},"_meta":null}}}}'
    )

    assert answer["result"]["isError"] is False


# ---- a batch


def test_a_batch_is_answered_by_one_array_with_an_answer_for_each_that_waits(
    lines: LineClient,
) -> None:
    batch = [
        json.loads(request("a", "ping")),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        7,
        json.loads(call_of(1, "recall", query="a question about nothing")),
        {"jsonrpc": "2.0", "id": 2, "method": "no/such"},
        {"jsonrpc": "2.0", "id": "a"},
    ]

    answers = lines.ask(json.dumps(batch))

    assert ids_of(answers) == Counter({"a": 2, None: 1, 1: 1, 2: 1})
    codes = Counter(answer["error"]["code"] for answer in answers if "error" in answer)
    assert codes == {INVALID_REQUEST: 2, NO_METHOD: 1}


def test_a_batch_without_a_request_is_answered_with_its_errors(lines: LineClient) -> None:
    answers = lines.ask("[1, 2]")

    assert [verdict(answer) for answer in answers] == [(None, INVALID_REQUEST)] * 2


# ---- the beginning


@pytest.mark.parametrize(
    "params",
    [
        "null",
        "{}",
        '{"protocolVersion":null,"capabilities":null,"clientInfo":null}',
        '{"capabilities":{},"clientInfo":{"name":"x","version":"1"}}',
        '{"clientInfo":{"name":null}}',
        '{"clientInfo":{"version":"1"}}',
        '{"protocolVersion":"1999-01-01"}',
    ],
)
def test_a_client_that_says_little_of_itself_gets_the_newest_version_and_is_served(
    client: LineClient, params: str
) -> None:
    opened = client.ask(f'{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{params}}}')
    called = client.ask(call_of(2, "remember", content="The press runs at 203 dpi."))

    assert opened["result"]["protocolVersion"] == NEWEST
    assert called["result"]["isError"] is False, called


def test_a_beginning_without_params_is_served(client: LineClient) -> None:
    opened = client.ask('{"jsonrpc":"2.0","id":1,"method":"initialize"}')

    assert opened["result"]["protocolVersion"] == NEWEST
    assert client.ask(request(2, "tools/list"))["result"]["tools"]


def test_a_call_before_the_beginning_is_an_error_and_the_beginning_may_follow(
    client: LineClient,
) -> None:
    early = client.ask(call_of(1, "wake_up"))

    assert verdict(early) == (1, INVALID_PARAMS)
    assert "result" in client.ask(INITIALIZE)
    assert client.ask(call_of(2, "wake_up"))["result"]["isError"] is False


# ---- many at once


def test_a_line_of_hundreds_of_mutations_with_an_id_has_exactly_one_answer(
    client: LineClient,
) -> None:
    sent = [INITIALIZE.encode(), *mutations(400)]
    owed: Ids = sum((owed_by(line) for line in sent), Counter())
    assert len(owed) > 150

    client.send(*sent)
    answers = [each for answer in client.read_all(owed) for each in flat(answer)]

    assert ids_of(answers) == owed
    assert client.ask(request("after", "ping"))["result"] == {}
    ending = client.end()
    assert (ending.rest, ending.complaint, ending.status) == (b"", b"", 0)


def test_a_client_that_says_all_at_once_and_closes_its_end_is_still_answered(
    client: LineClient,
) -> None:
    client.send(
        INITIALIZE,
        call_of(1, "remember", content="The press runs at 203 dpi."),
        call_of(2, "wake_up"),
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}',
    )
    answers = [json.loads(line) for line in client.end().rest.splitlines()]

    kept = {answer["id"]: answer for answer in answers}[1]
    assert kept["result"]["isError"] is False
    assert ids_of(answers) - Counter([2]) == Counter(["opening", 1])


def flat(answer: Any) -> list[Any]:
    return answer if isinstance(answer, list) else [answer]


def test_ids_that_are_used_twice_at_once_are_answered_twice(client: LineClient) -> None:
    client.ask(INITIALIZE)
    calls = [call_of(n % 7, "recall", query=f"question {n}") for n in range(70)]

    client.send(*calls)

    owed: Ids = Counter(dict.fromkeys(range(7), 10))
    assert ids_of(client.read_all(owed)) == owed
    assert client.end().rest == b""


VALID = [
    request(0, "ping"),
    request(0, "tools/list"),
    request(0, "resources/list"),
    request(0, "resources/read", uri="hooklore://pins"),
    call_of(0, "get", names=["a title"]),
    call_of(0, "recall", query="which dpi?"),
    call_of(0, "search_memories", query="dpi", limit=3),
    call_of(0, "wake_up"),
]
VALUES: list[object] = [
    None,
    True,
    0,
    7,
    -1.5,
    2.0,
    "",
    "x",
    "東京",
    [],
    [1],
    {},
    {"a": None},
    "9" * 99,
]


def mutations(count: int) -> Iterator[bytes]:
    """Yield valid lines with a change or more, each with an id of its own before the change."""
    random = Random(38)
    for number in range(count):
        message = json.loads(random.choice(VALID)) | {"id": f"m{number}"}
        for _ in range(random.randrange(1, 3)):
            mutate_value(message, random)
        line = json.dumps(message, ensure_ascii=random.random() < 0.5).encode()
        yield mutate_bytes(line, random) if random.random() < 0.3 else line


def mutate_value(message: dict[str, Any], random: Random) -> None:
    """Change one member of the message, or of its params: drop it, give it another value, add one."""
    params = message.get("params")
    place = params if isinstance(params, dict) and params and random.random() < 0.4 else message
    name = random.choice(sorted(place)) if place else "x"
    change = random.randrange(3)
    if change == 0:
        place.pop(name, None)
    elif change == 1:
        place[name] = random.choice(VALUES)
    else:
        place[random.choice(["result", "error", "x", "_meta", "params"])] = random.choice(VALUES)


def mutate_bytes(line: bytes, random: Random) -> bytes:
    """Cut, double or replace a byte or more. A line stays one line."""
    at = random.randrange(len(line))
    junk = bytes(random.choice(b'{}[]",:\\\x00\x80\xffNe1') for _ in range(random.randrange(3)))
    return line[:at] + junk + line[at + random.randrange(4) :]


def owed_by(line: bytes) -> Ids:
    """Return the ids that a line is to be answered under, as JSON-RPC 2.0 says; None where it has none."""
    try:
        message = orjson.loads(line.decode("utf-8", "replace"))
    except ValueError:
        return Counter([None])
    if not isinstance(message, dict):
        return Counter([None])
    if "id" not in message or ("method" not in message and message.keys() & {"result", "error"}):
        return Counter()
    id_ = message["id"]
    is_number = isinstance(id_, int | float) and not isinstance(id_, bool)
    return Counter([id_ if isinstance(id_, str) or (is_number and id_ == int(id_)) else None])
