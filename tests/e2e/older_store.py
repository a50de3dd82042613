"""Drive a home in which an older version left its store: its commands, its registered hooks, their answers.

This module imports nothing of the package, because `tests/fixtures/store/make.py` runs it with an older one.
"""

import hashlib
import json
import os
import py_compile
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.claude.matcher import matches
from tests.support.early_resident import start_early
from tests.support.notes import whole_notes
from tests.support.terminal import run_at_terminal

Payload = dict[str, Any]

FIXTURE = Path(__file__).parents[1] / "fixtures" / "store"
HOME = "/home/u"
"""The home in which the older version wrote the store."""

REMOTE = "https://git.example/mill/widgets.git"
"""The remote of the project, by which the store knows the project again in another folder."""

_SECONDS = 60.0


@dataclass(frozen=True)
class Machine:
    """A home, the project in it, and the folder of the commands `hooks` and `hooklore`."""

    home: Path
    commands: Path

    @property
    def project(self) -> Path:
        """Return the folder of the project."""
        return self.home / "widgets"

    @property
    def store(self) -> Path:
        """Return the folder of the store."""
        return self.home / ".config" / "ai" / "memory"

    @property
    def launcher(self) -> Path:
        """Return the folder of the launcher."""
        return self.home / ".local" / "share" / "hooklore"

    @property
    def settings(self) -> Path:
        """Return the settings file of the client, which registers the hooks."""
        return self.home / ".claude" / "settings.json"

    @property
    def socket(self) -> Path:
        """Return the path at which the client looks for a resident of the store."""
        digest = hashlib.blake2b(os.fsencode(self.store), digest_size=8).hexdigest()
        return Path(f"/tmp/hooklore-{os.getuid()}") / f"{digest}.sock"

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables that commands and hooks see."""
        return {
            "HOME": str(self.home), "PATH": "/usr/bin:/bin", "TZ": "UTC", "LANG": "C.UTF-8",
            "CLAUDE_PROJECT_DIR": str(self.project), "CLAUDE_CODE_ENTRYPOINT": "cli",
        }  # fmt: skip

    def make_project(self) -> None:
        """Make the project: a git repository with a remote and a branch."""
        git = self.project / ".git"
        git.mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        (git / "config").write_text(f'[remote "origin"]\n\turl = {REMOTE}\n')

    def run(self, *words: str, status: int = 0) -> str:
        """Run a command in the project as the person; return its stdout. The exit status must be `status`."""
        command = [str(self.commands / words[0]), *words[1:]]
        done = run_at_terminal(command, self.environment, self.project)
        assert done.returncode == status, (words, done.stdout, done.stderr)
        return done.stdout

    def run_at_terminal(self, *words: str, typed: bytes = b"") -> None:
        """Run a command at a terminal where the person types `typed`."""
        command = [str(self.commands / words[0]), *words[1:]]
        done = run_at_terminal(command, self.environment, self.project, typed.decode())
        assert done.returncode == 0, (words, done.stdout, done.stderr)

    def hook(self, payload: Payload) -> str:
        """Run the commands that the settings register for a payload; return their stdout."""
        return "".join(self._run_hook(text, payload) for text in self._registered(payload))

    def _registered(self, payload: Payload) -> Iterator[str]:
        registered = json.loads(self.settings.read_text())["hooks"]
        for group in registered.get(payload["hook_event_name"], ()):
            if matches(group.get("matcher"), payload.get("tool_name")):
                yield from (hook["command"] for hook in group["hooks"])

    def _run_hook(self, command: str, payload: Payload) -> str:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=json.dumps(payload, ensure_ascii=False).encode(),
            env=self.environment, cwd=self.project, capture_output=True, timeout=_SECONDS,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b""), (payload, done)
        return done.stdout.decode()

    def residents(self) -> list[int]:
        """Return the pids of the residents that serve the store."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            serves = b"hooklore.resident" in words and b"--once" not in words
            if serves and os.fsencode(self.store) in words:
                found.append(int(entry.name))
        return found

    def restore_store(self) -> None:
        """Lay out the store that the older version wrote, with its index."""
        shutil.copytree(FIXTURE / "memory", self.store)
        with tarfile.open(FIXTURE / "index.tar.gz") as archive:
            # Python 3.11.2, which Debian 12 has, knows no filters; the archive is our own.
            if hasattr(tarfile, "data_filter"):
                archive.extractall(self.store, filter="data")
            else:
                archive.extractall(self.store)
        _make_private(self.store)

    def restore_launcher(self, interpreter: Path) -> None:
        """Lay out the launcher and the settings as the installer of the older version left them."""
        shutil.copytree(FIXTURE / "launcher", self.launcher)
        manifest = self.launcher / "manifest.json"
        manifest.write_text(manifest.read_text().replace(HOME, str(self.home)))
        (self.launcher / "python").symlink_to(interpreter)
        self._compile_client()
        _make_private(self.launcher)
        self.settings.parent.mkdir(parents=True)
        shutil.copyfile(FIXTURE / "settings.json", self.settings)

    def _compile_client(self) -> None:
        """Compile the client as the installer does: never to be checked against its source."""
        client = self.launcher / "client.py"
        compiled = self.launcher / "__pycache__" / f"client.{sys.implementation.cache_tag}.pyc"
        py_compile.compile(
            str(client), str(compiled), doraise=True, optimize=0,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )  # fmt: skip


def _make_private(folder: Path) -> None:
    """Give a folder and what it holds the modes that git does not keep."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o700 if path.is_dir() else 0o600)


@dataclass(frozen=True)
class Session:
    """The payloads of one session, as the client sends them."""

    machine: Machine
    id: str

    def start(self) -> Payload:
        """Return the start of the session."""
        return self._payload("SessionStart", source="startup")

    def prompt(self, text: str) -> Payload:
        """Return a prompt of the user."""
        return self._payload("UserPromptSubmit", prompt=text)

    def command(self, text: str, error: str | None = None) -> list[Payload]:
        """Return a command of the agent, before and after it ran: it passed, or failed with `error`."""
        given = {"tool_input": {"command": text, "description": "Run it"}}
        if error is None:
            response = {"stdout": "ok", "stderr": "", "interrupted": False}
            return self._tool("PostToolUse", "Bash", **given, tool_response=response)
        return self._tool("PostToolUseFailure", "Bash", **given, error=error, is_interrupt=False)

    def edit(self, name: str, old: str, new: str) -> list[Payload]:
        """Return an edit of a file of the project, before and after."""
        path = str(self.machine.project / name)
        given = {"file_path": path, "old_string": old, "new_string": new}
        response = {"filePath": path, "oldString": old, "newString": new, "userModified": False}
        return self._tool("PostToolUse", "Edit", tool_input=given, tool_response=response)

    def answer(self, text: str) -> Payload:
        """Return the last answer of a turn."""
        return self._payload("Stop", stop_hook_active=False, last_assistant_message=text)

    def end(self) -> Payload:
        """Return the end of the session."""
        return self._payload("SessionEnd", reason="other")

    def _tool(self, after: str, tool: str, **fields: Any) -> list[Payload]:
        named = {"tool_name": tool, "tool_use_id": f"toolu_{_number(self.id, fields)}"}
        before = {"tool_input": fields["tool_input"]}
        return [
            self._payload("PreToolUse", **named, **before),
            self._payload(after, **named, **fields),
        ]

    def _payload(self, event: str, **fields: Any) -> Payload:
        transcript = self.machine.home / ".claude" / "projects" / f"{self.id}.jsonl"
        return {
            "session_id": self.id, "transcript_path": str(transcript),
            "cwd": str(self.machine.project), "hook_event_name": event, **fields,
        }  # fmt: skip


def _number(session: str, fields: Payload) -> str:
    return hashlib.blake2b(json.dumps([session, fields]).encode(), digest_size=12).hexdigest()


# ---- questions

FAILED = (
    "Exit code 1\nTraceback (most recent call last):\n"
    '  File "/home/u/widgets/run_tests.py", line 5, in <module>\n'
    "PressRefusedError: press 'kestrel' refuses to start without a torque limit"
)
FAILED_IN_JAPANESE = "Exit code 1\n在庫エラー: 月末の締め日を読み取れません (inventory/closing.py)"
"""The errors of the two sessions that the store tells of."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "every record": ("list", "--limit", "100", "--json"),
    "every memory": ("list", "--stream", "memory", "--json"),
    "the pins and tombstones": ("list", "--stream", "control", "--limit", "100", "--json"),
    "an entry with its versions": ("get", "config:db_engine", "--versions", "--json"),
    "an entry in Japanese": ("get", "decision:closing_day", "--markdown"),
    "a private entry": ("get", "fact:side_door", "--json"),
    "conflicts": ("conflicts", "--json"),
    "what waits": ("pending", "--json"),
    "the archive": ("archive", "--json"),
    "a search": ("search", "torque limit of the press", "--json"),
    "a question": ("recall", "Which database are the widgets stored in?", "--json"),
    "a question in Japanese": ("recall", "在庫の締め日はいつですか", "--json"),
    "a question of an agent": ("recall", "Which door does the badge open?", "--agent", "codex", "--json"),
    "why a prompt": ("why", "Which database are the widgets stored in?", "--json"),
    "why a prompt in Japanese": ("why", "在庫の締め日はいつですか", "--json"),
}  # fmt: skip
"""Questions to the command line, by name."""


def ask_commands(machine: Machine) -> dict[str, Any]:
    """Return the answer to each of COMMANDS, without what differs from machine to machine."""
    logged = records(machine)
    return {
        name: _printed(machine.run("hooklore", *words), logged) for name, words in COMMANDS.items()
    }


def ask_hooks(machine: Machine, between: Callable[[], None] = lambda: None) -> dict[str, list[str]]:
    """Play the hooks of two new sessions; return the notes that each of them shows, in their order.

    `between` is called after each step. The resident runs before: after one late answer the hooks of half a
    minute would not wait for theirs.
    """
    start_early(machine.environment)
    first = Session(machine, "6f1d1f0e-58a5-4c0b-9d0c-3a3b0a7f0008")
    second = Session(machine, "6f1d1f0e-58a5-4c0b-9d0c-3a3b0a7f0009")
    played = {
        "a session starts": [first.start()],
        "a prompt": [second.prompt("Which database are the widgets stored in?")],
        "a prompt in Japanese": [second.prompt("在庫の締め日はいつですか")],
        "the same failure": second.command("python run_tests.py", FAILED),
        "a session ends": [second.end()],
    }
    notes: dict[str, list[str]] = {}
    for name, payloads in played.items():
        shown = [context(machine.hook(payload)) for payload in payloads]
        notes[name] = [note for text in shown for note in whole_notes(text)]
        between()
    return notes


def context(stdout: str) -> str:
    """Return the text that a hook's answer puts before the model."""
    told = json.loads(stdout).get("hookSpecificOutput", {}) if stdout else {}
    return str(told.get("additionalContext", ""))


def records(machine: Machine) -> dict[str, Payload]:
    """Return the whole records of the log by their ids."""
    whole = (machine.store / "events.jsonl").read_bytes().split(b"\n")[:-1]
    return {record["id"]: record for record in map(json.loads, whole)}


def _printed(stdout: str, logged: dict[str, Payload]) -> Any:
    """Return the JSON values of an output; a text as it is."""
    try:
        return [_short(json.loads(line), logged) for line in stdout.splitlines()]
    except json.JSONDecodeError:
        return stdout


def _short(value: Any, logged: dict[str, Payload]) -> Any:
    """Return a value with floats rounded, frames as notes, and ids for records that are as the log has them."""
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, str) and value.startswith("<hooklore-notes>"):
        return whole_notes(value)
    if isinstance(value, list):
        return [_short(each, logged) for each in value]
    if not isinstance(value, dict):
        return value
    line = logged.get(value.get("id", ""), {}) if "hash" in value else {}
    short = {name: _short(each, logged) for name, each in value.items() if each != line.get(name)}
    gone = sorted(line.keys() - value.keys())
    if line and not gone and short == {"private": False}:
        return value["id"]
    return short | ({"record": value["id"]} if line else {}) | ({"without": gone} if gone else {})
