"""What a program keeps while its gateway is away waits on its own disk, and is sent once."""

import http.server
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from hooklore import Memory
from hooklore.errors import GatewayUnreachable, HookloreError, RequestRefused
from tests.conftest import end_residents, wait_until
from tests.support.gateway import Gateway, running
from tests.support.writers import records

_PROGRAM = """
import sys
from hooklore import Memory
url, token, first, last = sys.argv[1:]
with Memory("chatgpt", url=url, token=token, folder="/") as memory:
    for number in range(int(first), int(last)):
        event = {"scope": "global", "kind": "fact", "content_md": f"The valve {number} is open.",
                 "source": {"system": "cli"}}
        print(memory.append(event).status, number, flush=True)
"""
_DAYS = 2 * 86_400
_TOKEN = "no-token-yet"


@pytest.fixture
def port() -> int:
    """A port at which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def url(port: int) -> str:
    return f"http://127.0.0.1:{port}"


@contextmanager
def back(home: Path, port: int) -> Iterator[Gateway]:
    """Yield a gateway at that port, which is away again after the block."""
    with running(home, "--port", str(port), "--rate", "0") as gateway:
        yield gateway
    end_residents(home)


def opened(url: str, token: str = _TOKEN, agent: str | None = "chatgpt", **given: Any) -> Memory:
    return Memory(agent, url=url, token=token, **{"folder": "/", **given})


def outbox(home: Path) -> list[Path]:
    """Return the files that wait, the oldest first."""
    return sorted((home / ".config" / "hooklore" / "outbox").glob("*/*.json"))


def kept(home: Path) -> Counter[str]:
    """Count the memories of the log by their texts, in their order."""
    from hooklore.config import locate_store

    found = records(locate_store({"HOME": str(home)}))
    return Counter(each["body"]["content_md"] for each in found if each["stream"] == "memory")


def start(home: Path, *words: object) -> subprocess.Popen[str]:
    env = {"HOME": str(home), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-c", _PROGRAM, *map(str, words)]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)


def kill_after(program: subprocess.Popen[str], lines: int) -> int:
    """Kill a program after so many lines. Return how many it had written in all."""
    assert program.stdout is not None
    for _ in range(lines):
        assert program.stdout.readline().startswith("queued ")
    program.send_signal(signal.SIGKILL)
    rest = program.communicate()[0]
    return lines + rest.count("\n")


def test_a_hundred_writes_of_two_days_are_sent_once_though_the_program_is_killed_twice(
    home: Path, port: int, url: str
) -> None:
    written = kill_after(start(home, url, _TOKEN, 0, 100), 30)
    rest = start(home, url, _TOKEN, written, 100)
    assert rest.communicate()[0].count("queued") == 100 - written
    for path in outbox(home):  # as if it had been two days ago
        since, _, name = path.name.partition("-")
        earlier = path.with_name(f"{int(since) - _DAYS * 10**9:020d}-{name}")
        path.rename(earlier)

    with back(home, port) as gateway:
        token = gateway.token("chatgpt")
        killed = start(home, url, token, 100, 101)
        wait_until(lambda: sum(kept(home).values()) > 20, "a part of the writes")
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        assert 0 < len(outbox(home)) < 100
        with opened(url, token) as memory:
            found = memory.recall("valve 99")

    texts = kept(home)
    told = [f"The valve {number} is open." for number in range(100)]
    assert set(texts.values()) == {1}
    assert list(texts)[:100] == told
    assert len(found) == 5  # a question sends first what waits, and is answered from it
    assert outbox(home) == []


def test_a_write_whose_answer_was_lost_counts_once(home: Path, port: int, url: str) -> None:
    with back(home, port) as gateway, _losing_answers(gateway.url) as lossy:
        token = gateway.token("chatgpt")
        memory = opened(lossy.url, token)
        first = memory.remember("The press has two pumps.", kind="fact", scope="global")
        assert (first.status, len(outbox(home))) == ("queued", 1)
        lossy.is_losing = False
        second = memory.remember("The press has one motor.", kind="fact", scope="global")
        memory.close()

    assert second.status == "stored"
    assert list(kept(home).items()) == [
        ("The press has two pumps.", 1), ("The press has one motor.", 1),
    ]  # fmt: skip
    assert outbox(home) == []


class _Lossy(http.server.BaseHTTPRequestHandler):
    """Hands each request on, and may keep the answer to itself."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {n: v for n, v in self.headers.items() if n.lower() != "host"}
        server: Any = self.server
        answer = httpx.post(f"{server.target}{self.path}", content=body, headers=headers)
        if server.is_losing:
            self.close_connection = True
            return
        self.send_response(answer.status_code)
        self.send_header("content-length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    def log_message(self, *_args: object) -> None:
        """Write nothing."""


@contextmanager
def _serving(handler: type[http.server.BaseHTTPRequestHandler]) -> Iterator[Any]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        own: Any = server
        own.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield own
        server.shutdown()


@contextmanager
def _losing_answers(target: str) -> Iterator[Any]:
    with _serving(_Lossy) as server:
        server.target, server.is_losing = target, True
        yield server


def test_what_waits_is_the_users_alone(home: Path, url: str) -> None:
    opened(url).remember("The kiln is cold.")

    (path,) = outbox(home)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert _TOKEN.encode() not in b"".join(
        each.read_bytes() for each in path.parent.iterdir() if each.is_file()
    )


@pytest.mark.req("RD-12")
def test_what_holds_a_secret_is_refused_before_it_waits(home: Path, url: str) -> None:
    secret = "ghp_" + "x9Kd" * 9
    memory = opened(url)
    with pytest.raises(RequestRefused, match="content: ") as refused:
        memory.remember(f"The token is {secret}.")
    with pytest.raises(RequestRefused, match=r"event\.content_md: "):
        memory.append({"scope": "global", "kind": "fact", "content_md": f"It is {secret}."})
    said = memory.ingest([{"author": "Ada", "text": f"use {secret} 鍵", "id": "1"}], "chat-7")
    unsaid = memory.remember("The lamp <private>was my aunt's</private> is new.", private=True)

    assert secret not in f"{refused.value} {refused.value.fix}"
    assert (said.queued, said.stored) == (1, 0)
    assert (unsaid.status, unsaid.private) == ("queued", True)
    files = b"".join(path.read_bytes() for path in outbox(home))
    assert len(outbox(home)) == 2
    assert secret.encode() not in files
    assert b"aunt" not in files
    assert "鍵".encode() in files


def test_a_question_fails_at_once_while_the_gateway_is_away(home: Path, url: str) -> None:
    with pytest.raises(GatewayUnreachable, match="refused") as raised:
        opened(url).recall("kiln")

    assert raised.value.url == url
    assert _TOKEN not in f"{raised.value!r} {raised.value.fix}"


@pytest.mark.parametrize("agent", ["chatgpt", None])
def test_what_an_agent_queued_its_next_token_sends(
    agent: str | None, home: Path, port: int, url: str
) -> None:
    with back(home, port) as gateway:
        first = gateway.token("chatgpt")
    opened(url, first, agent).remember("The saw is blunt.", kind="fact", scope="global")
    with back(home, port) as gateway:
        gateway.tokens.revoke_all()
        with pytest.raises(RequestRefused, match="no valid token"):
            opened(url, first, agent).remember("The saw is sharp.")
        assert len(outbox(home)) == 1
        opened(url, gateway.token("chatgpt"), agent).close()
        assert len(outbox(home)) == (0 if agent else 1)  # without a name it may be another agent

    assert kept(home)["The saw is blunt."] == (1 if agent else 0)


def test_a_write_that_is_refused_is_set_aside_with_its_reason_and_holds_up_no_other(
    home: Path, port: int, url: str
) -> None:
    memory = opened(url)
    memory.append({"scope": "global", "kind": "no kind", "content_md": "x"})
    memory.remember("The forge is hot.", kind="fact", scope="global")
    with back(home, port) as gateway:
        opened(url, gateway.token("chatgpt")).close()

    assert list(kept(home)) == ["The forge is hot."]
    assert outbox(home) == []
    (aside,) = (home / ".config" / "hooklore" / "outbox").glob("*/refused/*.json")
    assert b"kind" in aside.read_bytes().split(b'"problem":')[1]


def test_a_write_outside_of_the_tokens_scopes_waits_and_holds_up_no_other(
    home: Path, port: int, url: str
) -> None:
    memory = opened(url, project="mill")
    memory.remember("The mill is shut.", kind="fact")
    opened(url).remember("The lathe is oiled.", kind="fact", scope="global")
    with back(home, port) as gateway:
        with opened(url, gateway.token("chatgpt", ["global"])) as narrow:
            narrow.remember("The lathe is loud.", kind="fact", scope="global")
        assert list(kept(home)) == ["The lathe is oiled.", "The lathe is loud."]
        opened(url, gateway.token("chatgpt")).close()

    assert kept(home)["The mill is shut."] == 1


def test_eight_programs_that_send_at_once_send_each_write_once(
    home: Path, port: int, url: str
) -> None:
    with ThreadPoolExecutor(8) as threads:
        texts = [f"The tank {number} is full." for number in range(40)]
        keep = opened(url).remember
        list(threads.map(lambda text: keep(text, kind="fact", scope="global"), texts))
        with back(home, port) as gateway:
            token = gateway.token("chatgpt")
            list(threads.map(lambda _: opened(url, token).close(), range(8)))
            opened(url, token).close()

    assert kept(home) == Counter(texts)
    assert outbox(home) == []


class _Portal(http.server.BaseHTTPRequestHandler):
    """Answers like the page of a hotel's network, and sends each request on to another place."""

    status = 200

    def do_POST(self) -> None:
        self.send_response(self.status)
        self.send_header("location", f"{self.server.url}/else")  # type: ignore[attr-defined]
        self.send_header("content-length", "15")
        self.end_headers()
        self.wfile.write(b"<html>log in</>")
        self.server.paths.append(self.path)  # type: ignore[attr-defined]

    def log_message(self, *_args: object) -> None:
        """Write nothing."""


@pytest.mark.parametrize("status", [200, 307, 502])
def test_what_is_no_gateway_gets_nothing_twice_and_the_write_waits(
    status: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Portal, "status", status)
    with _serving(_Portal) as server:
        server.paths = []
        kept_ = opened(server.url).remember("The crane is red.")
        assert [each.partition("?")[0] for each in server.paths] == ["/v1/verbs/remember"]

    assert kept_.status == "queued"
    assert len(outbox(home)) == 1


def test_a_dead_network_slows_one_write_and_not_the_next(home: Path) -> None:
    with socket.socket() as deaf:  # takes connections, and never answers
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(8)
        memory = opened(f"http://127.0.0.1:{deaf.getsockname()[1]}", seconds=0.5)
        started = time.monotonic()
        for number in range(20):
            assert memory.remember(f"The hoist {number} is slow.").status == "queued"
        taken = time.monotonic() - started

    assert taken < 3
    assert len(outbox(home)) == 20


def test_a_full_outbox_refuses_the_next_write(
    home: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hooklore.api.outbox._MOST_WRITES", 2)
    memory = opened(url)
    for number in range(2):
        memory.remember(f"The drill {number} is new.")
    with pytest.raises(HookloreError, match=r"2 writes wait in `.*` already"):
        memory.remember("The drill 3 is new.")
    with pytest.raises(HookloreError, match="more than"):
        opened(url).append({"content_md": "x" * 2_000_000})

    assert len(outbox(home)) == 2


@pytest.mark.parametrize("given", [{"content": ""}, {"content": "x", "ttl_days": "soon"}])
def test_a_write_of_another_form_is_refused_before_it_waits(
    given: dict[str, Any], home: Path, url: str
) -> None:
    with pytest.raises(RequestRefused, match=r"^could not read the request"):
        opened(url).ask("remember", **given)
    with pytest.raises(RequestRefused, match="session_id"):
        opened(url).ingest([{"author": "Ada", "text": "hello", "id": "1"}])

    assert outbox(home) == []


def test_a_damaged_file_holds_up_no_other(home: Path, port: int, url: str) -> None:
    memory = opened(url)
    memory.remember("The chain is short.", kind="fact", scope="global")
    memory.remember("The chain is long.", kind="fact", scope="global")
    outbox(home)[0].write_bytes(b'{"verb": ')
    (outbox(home)[0].parent / "shopping.json").write_text("milk")
    with back(home, port) as gateway:
        opened(url, gateway.token("chatgpt")).close()

    assert list(kept(home)) == ["The chain is long."]
    assert [path.name for path in outbox(home)] == ["shopping.json"]


def test_a_program_that_sends_faster_than_its_rate_waits(home: Path, port: int, url: str) -> None:
    with running(home, "--port", str(port), "--rate", "10") as gateway:
        memory = opened(url, gateway.token("chatgpt"))
        texts = [f"The tap {number} drips." for number in range(14)]
        told = [memory.remember(each, kind="fact", scope="global").status for each in texts]
    end_residents(home)

    assert "queued" not in told


@pytest.mark.parametrize(
    "given",
    [
        {"url": "http://memory.example.org"}, {"url": "https://me@example.org"},
        {"url": "https://example.org/path"}, {"url": "ftp://127.0.0.1"}, {"url": ""},
        {"url": "http://127.0.0.1:99999"}, {"url": None}, {"token": None}, {"token": "two words"},
        {"token": "line\nend"}, {"token": "鍵"}, {"token": ""}, {"store": "/tmp/else"},
        {"in_process": True},
    ],
    ids=str,
)  # fmt: skip
def test_a_place_where_the_token_could_be_read_or_that_is_two_is_refused(
    given: dict[str, Any], home: Path
) -> None:
    whole = {"url": "http://127.0.0.1:8377", "token": _TOKEN} | given
    with pytest.raises(HookloreError, match=r"^could not ") as raised:
        Memory("chatgpt", **whole)

    assert str(given.get("token") or _TOKEN) not in f"{raised.value} {raised.value.fix}"


def test_no_form_of_a_memory_tells_its_token(url: str, home: Path) -> None:
    memory = opened(url)

    assert _TOKEN not in f"{memory!r} {vars(memory)!r}"


def test_a_forked_process_opens_connections_of_its_own(home: Path, port: int, url: str) -> None:
    with back(home, port) as gateway:
        memory = opened(url, gateway.token("chatgpt"))
        memory.remember("The rope is thin.", kind="fact", scope="global")
        child = os.fork()
        if child == 0:
            found = memory.recall("rope")
            os._exit(0 if found.memories else 1)
        answers = [bool(memory.recall("rope").memories) for _ in range(5)]
        assert os.waitpid(child, 0)[1] == 0
        memory.close()

    assert answers == [True] * 5
