"""A resident, and a process for one frame, whose program is replaced on the disk while they run."""

import io
import itertools
import json
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hooklore
from hooklore.capture import session_goal
from hooklore.config import Settings, StoreLocation
from hooklore.hooks.delivery import Delivery
from hooklore.records.record import Record
from hooklore.resident import server as server_module
from hooklore.resident.later_imports import LATER_IMPORTS
from hooklore.resident.lifecycle import REPLACED, Lifecycle
from hooklore.resident.listener import Listener, bind_socket
from hooklore.resident.once import run_once, spool_once
from hooklore.resident.program import Program
from hooklore.resident.server import IndexThread, Server
from hooklore.resident.wire import CONTROL, encode_frame, socket_address
from tests.conftest import wait_until

RULE = "From now on always run the linter before you commit."


class _Replaced(Program):
    """A program that is replaced, by default from the start."""

    def __init__(self, has_happened: Callable[[], bool] = lambda: True) -> None:
        super().__init__()
        self.is_replaced = has_happened  # type: ignore[method-assign]


class _Resident:
    """A server in this process, and clients that have sent before it serves."""

    def __init__(self, store: StoreLocation, home: Path) -> None:
        self.store, self._home = store, home
        self._listening = bind_socket(store.socket)
        self._numbers = itertools.count(1)
        self.clients: list[socket.socket] = []

    def send(self, event: str, agent: str = "claude", **fields: Any) -> socket.socket:
        """Connect and send a frame, whose answer nobody has read."""
        payload = {"session_id": "s1", "cwd": str(self._home), "hook_event_name": event, **fields}
        facts = {"CLAUDE_CODE_ENTRYPOINT": "cli"}
        delivery = Delivery(
            agent, event, f"replaced-{next(self._numbers)}", json.dumps(payload).encode(), facts
        )
        client = socket.socket(socket.AF_UNIX)
        with socket_address(self.store.socket) as address:
            client.connect(address)
        client.sendall(encode_frame(delivery))
        client.settimeout(0)
        self.clients.append(client)
        return client

    def serve(self, program: Program, *, has_all_imports: bool = False) -> str:
        """Serve until the server leaves, and return its reason."""
        lifecycle = Lifecycle(self.store, None, program=program)
        server = Server(self.store, Settings(), Listener(self._listening), lifecycle)
        server._indexer.has_all_imports = has_all_imports
        return server.serve()

    def close(self) -> None:
        for each in (*self.clients, self._listening):
            each.close()


@pytest.fixture
def resident(store: StoreLocation, home: Path) -> Iterator[_Resident]:
    found = _Resident(store, home)
    yield found
    found.close()


def lines(store: StoreLocation) -> list[dict[str, Any]]:
    """Return the records of the log."""
    return (
        [json.loads(line) for line in store.log.read_bytes().splitlines()]
        if store.log.exists()
        else []
    )


def _gone(_broker: object, _record: Record) -> Record:
    raise ModuleNotFoundError("No module named 'hooklore.text.user_text'", name="hooklore")


def test_a_resident_that_has_not_imported_everything_hands_deliveries_back(
    resident: _Resident,
) -> None:
    client = resident.send("UserPromptSubmit", prompt="Count the cogs.")

    reason = resident.serve(_Replaced())

    assert reason == REPLACED
    assert lines(resident.store) == []
    assert not resident.store.socket.exists()
    assert client.recv(1) == b""


def test_a_resident_that_has_imported_everything_still_serves(resident: _Resident) -> None:
    client = resident.send("UserPromptSubmit", prompt="Count the cogs.")

    resident.serve(_Replaced(), has_all_imports=True)

    assert client.recv(64).startswith(b"stored ")
    assert lines(resident.store)[0]["body"]["text"] == "Count the cogs."


def test_an_import_that_a_replacement_makes_fail_costs_no_prompt_its_text(
    resident: _Resident, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_goal, "with_goal", _gone)
    resident.send("UserPromptSubmit", prompt="Count the cogs.")

    reason = resident.serve(_Replaced(), has_all_imports=True)

    assert reason == REPLACED
    assert lines(resident.store) == []


def test_an_import_that_fails_in_a_program_as_it_was_ends_no_resident(
    resident: _Resident, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_goal, "with_goal", _gone)
    client = resident.send("UserPromptSubmit", prompt="Count the cogs.")
    resident.send("Stop", agent=CONTROL)

    reason = resident.serve(Program())

    assert reason == "told to stop"
    assert client.recv(64).startswith(b"stored ")
    assert "could not be read" in lines(resident.store)[0]["body"]["detail"]["problem"]


def test_what_a_prompt_taught_before_the_replacement_is_kept(
    resident: _Resident, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "_BATCH", 1)
    resident.send("SessionStart", source="startup")
    resident.send("UserPromptSubmit", prompt=RULE)
    resident.send("UserPromptSubmit", prompt="Count the cogs.")

    monkeypatch.setattr(IndexThread, "_load_imports", lambda _thread: None)
    resident.serve(_Replaced(lambda: "linter" in str(lines(resident.store))))

    kept = lines(resident.store)
    assert [each["body"].get("text") for each in kept if each["kind"] == "prompt"] == [RULE]
    assert [each["body"]["content_md"] for each in kept if each["stream"] == "memory"] == [
        RULE.rstrip(".")
    ]


def test_a_command_is_answered_though_the_program_was_replaced(resident: _Resident) -> None:
    asking = resident.send("Status", agent=CONTROL)
    resident.send("UserPromptSubmit", prompt="Count the cogs.")

    resident.serve(_Replaced())

    assert asking.recv(64).startswith(b"ok ")


def test_modules_are_loaded_though_hooks_come_without_a_pause(store: StoreLocation) -> None:
    thread = IndexThread(store, Program())
    stopping = threading.Event()

    def hook() -> None:
        while not stopping.wait(0.1):
            thread.hold_for_hooks()
            thread.wake()

    hooks = threading.Thread(target=hook)
    hooks.start()
    thread.start()
    try:
        for _ in range(200):
            if thread.has_all_imports:
                break
            stopping.wait(0.05)
    finally:
        stopping.set()
        hooks.join()
        thread.stop()

    assert thread.has_all_imports


def test_an_import_that_fails_leaves_the_index_thread_at_work(
    resident: _Resident, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "hooklore.resident.later_imports.LATER_IMPORTS", ("hooklore.no_module", *LATER_IMPORTS)
    )
    thread = IndexThread(resident.store, Program())
    thread.resume_indexing()
    thread.start()
    thread.wake()

    wait_until(lambda: not thread.is_working, "the look at what is new")
    assert not thread.has_all_imports
    thread.stop()


@pytest.mark.parametrize("handle", [run_once, spool_once])
def test_a_process_for_one_frame_reports_that_an_upgrade_took_its_imports(
    handle: Callable[[io.BytesIO, Program], int],
    store: StoreLocation,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session_goal, "with_goal", _gone)
    payload = {
        "session_id": "s1",
        "cwd": str(home),
        "hook_event_name": "UserPromptSubmit",
        "prompt": "Count.",
    }
    frame = encode_frame(
        Delivery("claude", "UserPromptSubmit", "once-1", json.dumps(payload).encode())
    )

    status = handle(io.BytesIO(frame), _Replaced())

    assert status == 1
    assert lines(store) == []


@pytest.mark.parametrize("handle", [run_once, spool_once])
def test_a_process_for_one_frame_records_nothing_while_modules_are_missing(
    handle: Callable[[io.BytesIO, Program], int],
    store: StoreLocation,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "hooklore.text.user_text", None)
    frame = encode_frame(
        Delivery(
            "claude", "UserPromptSubmit", "once-1", b'{"session_id": "s1", "prompt": "Count."}'
        )
    )

    status = handle(io.BytesIO(frame), Program())

    assert status == 1
    assert lines(store) == []


def test_modules_of_another_version_are_not_all_imports(store: StoreLocation) -> None:
    thread = IndexThread(store, _Replaced())
    thread.resume_indexing()

    thread._load_imports()

    assert not thread.has_all_imports


def test_a_program_is_replaced_when_its_package_or_metadata_is_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "hooklore" / "__init__.py"
    package.parent.mkdir()
    package.write_text("")
    monkeypatch.setattr(hooklore, "__file__", str(package))
    program, metadata = Program(), tmp_path / "hooklore-0.2.0.dist-info" / "METADATA"
    is_new = program.is_replaced()
    metadata.parent.mkdir()
    metadata.write_text("")
    has_metadata = program.is_replaced()
    later = Program()
    os.rename(package, package.with_suffix(".old"))

    assert (is_new, has_metadata, later.is_replaced()) == (False, True, True)
