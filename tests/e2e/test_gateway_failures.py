"""A gateway that cannot serve says so: at its start in one line, later as 503 with what to do."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import end_residents
from tests.support.gateway import COMMAND, environment, running

_EVENT = {
    "scope": "global", "kind": "fact", "content_md": "The crane is green.",
    "source": {"system": "cli"},
}  # fmt: skip
_ROUTES: tuple[tuple[str, str, Any], ...] = (
    ("GET", "/healthz", None), ("GET", "/v1/memory/snapshot", None),
    ("GET", "/v1/memory/query", None),
    ("GET", "/v1/memory/events/01a227ed-b706-7666-bd97-f920269ee74a", None),
    ("GET", "/v1/memory/snapshots/x", None), ("POST", "/v1/memory/append", _EVENT),
    ("POST", "/v1/memory/append", {"events": [_EVENT]}),
    ("POST", "/v1/memory/recall", {"query": "crane"}), ("POST", "/v1/verbs/wake_up", {}),
    ("POST", "/v1/verbs/list_memory_entries", {}),
)  # fmt: skip


def refused(home: Path, *options: str) -> list[str]:
    """Return the lines of a gateway that ends at once."""
    done = subprocess.run(
        [COMMAND, "gateway", *options], env=environment(home), cwd=home, capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr.rstrip().splitlines()


@pytest.mark.req("GW-15")
def test_a_log_that_cannot_be_read_is_503_with_an_action_on_every_route(home: Path) -> None:
    with running(home) as gateway:
        token, log = gateway.token("claude"), gateway.place.log
        log.mkdir(parents=True)
        answers = [gateway.ask(method, path, token, body) for method, path, body in _ROUTES]
        keyed = gateway.ask("POST", "/v1/memory/append", token, _EVENT, {"Idempotency-Key": "k"})
        end_residents(home)
        log.rmdir()
        later = gateway.ask("POST", "/v1/memory/append", token, _EVENT, {"Idempotency-Key": "k"})

    for answer in (*answers, keyed):
        told = answer.json()
        assert (answer.status_code, told["error"]) == (503, "unavailable")
        assert told["action"]
        assert int(answer.headers["retry-after"]) > 0
    assert later.status_code == 201


_FAILING = (
    "import sys, hooklore.gateway.http_call as call;"
    "call.ask = lambda *given: 1 / 0;"
    "from hooklore.cli.main import hooklore_main; sys.exit(hooklore_main())"
)
"""A gateway with a fault in it."""


def test_a_fault_of_the_gateway_is_a_problem_without_the_words_of_the_fault(home: Path) -> None:
    with running(home, command=(sys.executable, "-c", _FAILING)) as gateway:
        answer = gateway.ask("GET", "/v1/memory/snapshot", gateway.token("claude"))

    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["error"] == "failed"
    assert "hooks doctor" in answer.json()["action"]
    assert "division" not in answer.text


@pytest.mark.req("GW-15")
def test_tokens_or_replies_that_cannot_be_read_are_503_with_an_action(home: Path) -> None:
    with running(home) as gateway:
        token = gateway.token("claude")
        gateway.tokens.path.chmod(0o644)
        unsafe = gateway.ask("GET", "/v1/memory/query", token)
        gateway.tokens.path.chmod(0o600)
        replies = gateway.place.directory / "gateway" / "replies.sqlite"
        replies.parent.mkdir(mode=0o700, parents=True)
        replies.write_bytes(b"no database" * 1_000)
        keyed = gateway.ask("POST", "/v1/memory/append", token, _EVENT, {"Idempotency-Key": "k"})

    assert unsafe.status_code == keyed.status_code == 503
    assert unsafe.json()["action"].startswith("run `chmod 600 ")
    assert "hooks doctor" in keyed.json()["action"]


def test_a_token_that_asks_too_often_waits_and_another_does_not(home: Path) -> None:
    with running(home, "--rate", "1") as gateway:
        token, other = gateway.token("claude"), gateway.token("gemini")
        answers = [gateway.ask("GET", "/v1/memory/snapshots/x", token) for _ in range(12)]
        waiting = gateway.ask("GET", "/v1/memory/snapshots/x", other)

    over = [each for each in answers if each.status_code == 429]
    assert over
    assert all(int(each.headers["retry-after"]) >= 1 and each.json()["action"] for each in over)
    assert waiting.status_code == 404


def test_a_second_gateway_on_a_port_ends_with_one_line_and_the_first_serves_on(home: Path) -> None:
    with running(home) as gateway:
        error, hint = refused(home, "--port", str(gateway.port))

        assert error.startswith(f"error: could not serve on `127.0.0.1:{gateway.port}`: ")
        assert hint == "hint: name another with `--port`"
        assert gateway.ask("GET", "/healthz").status_code == 200


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--host", "0.0.0.0"), "`--public-url`"),
        (("--host", "::"), "`--public-url`"),
        (("--host", "0.0.0.0", "--public-url", "http://x.example"), "scheme"),
        (("--public-url", "https://[x"), "scheme"),
        (("--public-url", "https://x.example:99999"), "scheme"),
        (("--public-url", "https://x.example/path"), "scheme"),
        (("--tls-cert", "/nowhere"), "`--tls-key`"),
        (("--tls-cert", "/nowhere", "--tls-key", "/nowhere"), "PEM"),
    ],
)
def test_an_address_that_protects_no_token_is_refused_before_anything_is_served(
    home: Path, options: tuple[str, ...], named: str
) -> None:
    error, hint = refused(home, "--port", "0", *options)

    assert error.startswith("error: could not ")
    assert named in hint


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives a folder to another user")
def test_a_store_that_another_user_owns_is_not_served(home: Path) -> None:
    store = home / ".config" / "ai" / "memory"
    store.mkdir(parents=True)
    os.chown(store, 65_534, 65_534)

    assert refused(home, "--port", "0")[0].endswith("another user owns it")
