"""What an agent may not decide becomes a proposal: it waits, and a person carries it out or says no."""

import json

import pytest

from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from hooklore.requests.desk import RequestDesk
from hooklore.requests.request import Caller, Request
from hooklore.requests.response import Response
from hooklore.retrieval.recall import Recall
from tests.unit.cli.conftest import Memory, Run

KEY = "config:port"


def ask(memory: Memory, verb: str, agent: str = "claude", **arguments: object) -> Response:
    desk = RequestDesk(memory.broker, Recall(memory.broker), str(memory.home))
    return desk.answer(Request(verb, arguments, Caller(agent, "s-1", str(memory.folder))))


@pytest.fixture
def entry(hooklore: Run, memory: Memory) -> str:
    """The id of an entry that the person keeps."""
    done = hooklore("remember", "--key", KEY, "--json", "The server listens on port 8080.")
    return str(json.loads(done.out)["id"])


def texts(hooklore: Run) -> str:
    return hooklore("list", "--stream", "memory").out


@pytest.mark.req("MC-09")
def test_a_deletion_waits_until_the_person_approves_it(
    hooklore: Run, memory: Memory, entry: str
) -> None:
    told = ask(memory, "delete_memory_entry", key=KEY)

    assert told.success
    assert "it waits" in told.text
    assert "8080" in texts(hooklore)
    listed = hooklore("pending").out
    assert "(delete, proposed by claude)" in listed
    assert entry in listed
    (waiting,) = hooklore("pending", "--json").records
    assert (waiting["id"], waiting["act"], waiting["by"]) == (
        told.content["proposal"], "delete", "claude",
    )  # fmt: skip

    done = hooklore("approve", str(told.content["proposal"]))

    assert done.rc == 0, done
    assert "8080" not in texts(hooklore)
    assert hooklore("archive").out == ""
    assert hooklore("pending").out == ""
    assert not ask(memory, "get_memory_entry", key=KEY).success


@pytest.mark.req("MC-13")
def test_a_restoration_waits_until_the_person_approves_it(
    hooklore: Run, memory: Memory, entry: str
) -> None:
    hooklore("archive", KEY)

    told = ask(memory, "restore_from_memory_archive", key=KEY)
    assert told.success
    assert "8080" not in texts(hooklore)

    assert hooklore("approve", str(told.content["proposal"])).rc == 0
    assert "8080" in texts(hooklore)
    assert hooklore("pending").out == ""


def test_a_proposal_that_the_person_rejects_does_not_come_back(
    hooklore: Run, memory: Memory, entry: str
) -> None:
    told = ask(memory, "delete_memory_entry", key=KEY)
    assert hooklore("reject", str(told.content["proposal"])).rc == 0

    again = ask(memory, "delete_memory_entry", key=KEY)

    assert not again.success
    assert "said no" in again.problem
    assert hooklore("pending").out == ""
    assert "8080" in texts(hooklore)


def test_the_same_proposal_is_one_and_is_carried_out_once(
    hooklore: Run, memory: Memory, entry: str
) -> None:
    first, same = (ask(memory, "delete_memory_entry", key=KEY) for _ in range(2))
    assert first.content == same.content

    assert hooklore("approve", str(first.content["proposal"])).rc == 0
    assert hooklore("pending").out == ""
    assert hooklore("approve", str(first.content["proposal"])).rc == 1


def test_a_worker_proposes_nothing_on_any_path(
    hooklore: Run, memory: Memory, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = ask(memory, "delete_memory_entry", "codex", key=KEY)
    assert not refused.success
    assert "admin and owner may do it" in refused.problem

    (memory.broker.place.config).write_text('[agents.claude]\npermission = "worker"\n')
    monkeypatch.setenv("CLAUDECODE", "1")
    restored = hooklore("restore", KEY)
    assert restored.rc == 1
    assert "is a worker" in restored.err
    assert hooklore("approve", entry).rc == 1
    monkeypatch.delenv("CLAUDECODE")
    assert hooklore("pending").out == ""


def test_no_agent_sees_a_proposal_or_carries_it_out(
    hooklore: Run, memory: Memory, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = ask(memory, "delete_memory_entry", key=KEY)
    proposal = str(told.content["proposal"])

    monkeypatch.setenv("CLAUDECODE", "1")
    assert proposal not in hooklore("pending").out
    assert hooklore("approve", proposal).rc == 1
    assert not ask(memory, "get", names=[proposal]).success
    assert not ask(memory, "approve", id=proposal).success
    monkeypatch.delenv("CLAUDECODE")

    assert "8080" in texts(hooklore)


def test_the_user_is_told_at_a_sessions_start_that_something_waits(
    hooklore: Run, memory: Memory, entry: str
) -> None:
    ask(memory, "delete_memory_entry", key=KEY)
    payload = {"session_id": "s-9", "cwd": str(memory.folder), "source": "startup"}
    raw = json.dumps(payload | {"hook_event_name": "SessionStart"}).encode()
    facts = {"CLAUDE_CODE_ENTRYPOINT": "cli"}

    runner = Runner(memory.broker, str(memory.home), lambda: 1_790_000_000 * 10**9)
    answer = runner.run(Delivery("claude", "SessionStart", "d-9", raw, facts))

    assert "1 waits for you: hooklore pending" in json.loads(answer.stdout)["systemMessage"]
