"""Run commands in process: a project, a store with records, and the output of a command."""

import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.cli.main import hooklore_main, hooks_main
from hooklore.config import store_location_at
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.project import project_keys
from hooklore.hooks.runner import Runner
from hooklore.records.draft import Draft, Receipt
from hooklore.records.record import Body
from tests.support.agent import Agent

Json = dict[str, Any]
DAY = 86_400 * 10**9


@dataclass(frozen=True)
class Printed:
    """The exit status and the two outputs of a command."""

    rc: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def records(self) -> list[Json]:
        """The objects of a stdout with one JSON object a line."""
        return [json.loads(line) for line in self.lines]


Run = Callable[..., Printed]


class Terminal(io.StringIO):
    """A terminal at which a person types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make stdin a terminal at which a person types nothing."""
    monkeypatch.setattr("sys.stdin", Terminal())


@pytest.fixture(autouse=True)
def _person(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a person run the commands, unless a test gives them a stdin that is no terminal."""
    given = sys.stdin
    monkeypatch.setattr(
        "hooklore.cli.speaking.is_at_terminal", lambda: sys.stdin is given or sys.stdin.isatty()
    )


@pytest.fixture
def hooklore(capfd: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: _printed(hooklore_main, words, capfd)


@pytest.fixture
def hooks(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the suite's command in a shell that finds `hooklore`."""
    scripts = Path(sys.executable).parent
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)  # it counts in that shell alone
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}{os.pathsep}{scripts}")
    return lambda *words: _printed(hooks_main, words, capfd)


def _printed(
    main: Callable[[tuple[str, ...]], int],
    words: tuple[str, ...],
    capfd: pytest.CaptureFixture[str],
) -> Printed:
    capfd.readouterr()
    rc = main(words)
    return Printed(rc, *capfd.readouterr())


def said(hooklore: Run, text: str, *options: str) -> str:
    """Run `hooklore remember` and return the id of the new memory."""
    return str(answered(hooklore, text, *options)["id"])


def answered(hooklore: Run, text: str, *options: str) -> Json:
    """Run `hooklore remember` and return its result."""
    found: Json = hooklore("remember", text, "--json", *options).records[0]
    return found


Ago = Callable[[float], None]


@pytest.fixture
def ago(monkeypatch: pytest.MonkeyPatch) -> Ago:
    """Return a function that sets the clock of every broker that is opened later back by `days`."""
    real = time.time_ns

    def was(days: float) -> None:
        given = Broker.__init__.__kwdefaults__
        assert given is not None
        monkeypatch.setitem(given, "now_ns", lambda: real() - int(days * DAY))

    return was


@pytest.fixture
def agent(memory: "Memory") -> Iterator[Agent]:
    """An agent at work in the project, with the store that commands read."""
    found = Agent(memory.broker.place, memory.folder, memory.home)
    yield found
    found.broker.close()


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a git repository in the home directory, and make it the working directory."""
    folder = home / "widgets"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.chdir(folder)
    return folder


@dataclass(frozen=True)
class Memory:
    """The user's store, to which tests write as hooks and agents do. `folder` is the project's."""

    home: Path
    folder: Path
    broker: Broker

    def append(self, *drafts: Draft, in_project: bool = True) -> list[str]:
        """Append drafts and return their ids."""
        keys = project_keys(str(self.folder), None, str(self.home)) if in_project else None
        receipts = self.broker.append([replace(draft, keys=keys) for draft in drafts])
        return [self._id(receipt) for receipt in receipts]

    @staticmethod
    def _id(receipt: Receipt) -> str:
        assert receipt.id is not None, receipt
        return receipt.id

    def hook(self, event: str, session: str = "s-1", **fields: Any) -> str:
        """Run one hook of a session in the project, and return the text printed for the model."""
        payload = {"session_id": session, "cwd": str(self.folder), "hook_event_name": event}
        delivery = Delivery(
            "claude",
            event,
            f"{session}-{len(self.records())}",
            json.dumps(payload | fields).encode(),
            {"CLAUDE_CODE_ENTRYPOINT": "cli"},
        )
        runner = Runner(self.broker, str(self.home), lambda: 1_790_000_000 * 10**9)
        answer = runner.run(delivery)
        assert answer.status in ("stored", "left-out"), answer
        shown = json.loads(answer.stdout)["hookSpecificOutput"] if answer.stdout else {}
        return str(shown.get("additionalContext", ""))

    def fails_and_solves(self, session: str = "s-1") -> None:
        """Record a session in which a test fails and an edit makes the test pass."""
        self.hook("SessionStart", session, source="startup")
        self.hook("UserPromptSubmit", session, prompt="The widget tests fail. Make them pass.")
        self.fails(session)
        toml = str(self.folder / "widgets.toml")
        change = {"file_path": toml, "old_string": "a = 1", "new_string": "a = 1\ntorque = 47"}
        self.tool("Edit", session, change, {"filePath": toml})
        self.tool("Bash", session, {"command": "make test"}, {"stdout": "3 pressed", "stderr": ""})
        self.hook("Stop", session, last_assistant_message="The press needed its torque.")
        self.hook("SessionEnd", session, reason="other")

    def fails(self, session: str) -> str:
        return self.hook(
            "PostToolUseFailure",
            session,
            tool_name="Bash",
            tool_input={"command": "make test"},
            tool_use_id=f"{session}-{len(self.records())}",
            error="Exit code 1\nPressError: the press refuses to start without torque",
        )

    def tool(self, name: str, session: str, given: Json, response: Json, **more: Any) -> None:
        self.hook(
            "PostToolUse",
            session,
            tool_name=name,
            tool_input=given,
            tool_response=response,
            tool_use_id=f"{session}-{len(self.records())}",
            **more,
        )

    def records(self) -> list[Json]:
        """Return every line of the log."""
        log = self.broker.place.log
        return [json.loads(line) for line in log.read_bytes().splitlines()] if log.exists() else []

    def of(self, kind: str) -> list[Json]:
        """Return the records of a kind."""
        return [record for record in self.records() if record["kind"] == kind]


@pytest.fixture
def memory(home: Path, project: Path) -> Iterator[Memory]:
    """Yield the store at the place where commands look for it."""
    broker = Broker(store_location_at(home / ".config" / "ai" / "memory"))
    yield Memory(home, project, broker)
    broker.close()


def statement(content: str, kind: str = "decision", **fields: Any) -> Draft:
    """Return the draft of a memory kept on purpose."""
    given = {"stream": "memory", "kind": kind, "agent_id": "claude", "basis": "user"}
    return Draft.of(None, **({"v": 1, **given, "body": Body.of(content_md=content)} | fields))


@pytest.fixture
def with_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """This environment has the MCP server's SDK."""
    monkeypatch.setattr("hooklore.cli.install.server.find_spec", lambda _name: object())
