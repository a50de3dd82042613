"""`hooks demo`: a recorded session played through the installed hooks, and what the next one is told.

The payloads were recorded from the real client (`demo_session.jsonl`); the registered command lines
run as they stand in the settings file, each in a shell of its own, in a throw-away home and project.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hooklore.cli import output
from hooklore.cli.install import install, settings_path
from hooklore.cli.install.launcher import launcher_directory
from hooklore.cli.purge import forget_socket
from hooklore.config import StoreLocation, locate_store, read_environment
from hooklore.errors import HookloreError
from hooklore.resident import call

Payload = dict[str, Any]

LESSON = "torque_limit_nm = 47"
"""What the first session found out. Neither the error nor any payload of the second holds it."""

_RECORDED = Path(__file__).with_name("demo_session.jsonl")
_HOME, _PROJECT = "/home/u", "/home/u/widgets"
_SHELL_SECONDS = 30.0


class DemoFailed(HookloreError):
    """The installed hooks did not do what they are for."""

    def __init__(self, cause: str) -> None:
        super().__init__(f"could not show the lesson again: {cause}")


@dataclass(frozen=True, slots=True)
class DemoEnvironment:
    """A throw-away machine: a home where the hooks are installed, and a project."""

    home: Path
    project: Path
    env: dict[str, str]
    place: StoreLocation


@dataclass(frozen=True, slots=True)
class CommandResult:
    """One hook call: what it put before the model, and how long it took in seconds."""

    payload: Payload
    context: str
    seconds: float


def demo() -> None:
    """Play a recorded session through the installed hooks, and show what the next session is told.

    All of it happens in a throw-away home and project; no account, model or network is needed.
    """
    first, second = recorded_sessions()
    with staged() as stage:
        output.data("A session in which a test fails, and is made to pass:")
        for ran in play(stage, first):
            output.data(_line(ran))
        output.data("\nThe next session in that project:")
        told = list(_shown(play(stage, second)))
    _check(told)
    output.data("\nBoth times the next session was told what made the test pass.")


def recorded_sessions() -> tuple[list[Payload], list[Payload]]:
    """The payloads of both sessions, in the order in which the client sent them."""
    payloads = [json.loads(line) for line in _RECORDED.read_text("utf-8").splitlines()]
    first = payloads[0]["session_id"]
    return (
        [p for p in payloads if p["session_id"] == first],
        [p for p in payloads if p["session_id"] != first],
    )


@contextmanager
def staged() -> Iterator[DemoEnvironment]:
    """A stage with the hooks installed; nothing of it is left afterwards, its resident included."""
    root = Path(tempfile.mkdtemp(prefix="hooklore-demo-"))
    stage = _stage(root)
    try:
        install("user", home=stage.home, project_dir=stage.project)
        yield stage
    finally:
        _clear(root, stage)


def _clear(root: Path, stage: DemoEnvironment) -> None:
    """The launcher first: without it no late hook starts another resident."""
    shutil.rmtree(launcher_directory(stage.home), ignore_errors=True)
    with suppress(HookloreError):
        call.stop_resident(stage.place)
    shutil.rmtree(root, ignore_errors=True)
    forget_socket(stage.place)


def _stage(root: Path) -> DemoEnvironment:
    """The folders, and an environment that points at nothing of the user's own."""
    home, project = root / "home", root / "home" / "widgets"
    _make_repository(project)
    kept = {name: value for name, value in read_environment().items() if name in ("PATH", "LANG")}
    env = kept | {
        "HOME": str(home),
        "CLAUDE_PROJECT_DIR": str(project),
        "CLAUDE_CODE_ENTRYPOINT": "cli",
    }
    return DemoEnvironment(home, project, env, locate_store(env))


def _make_repository(project: Path) -> None:
    """What makes a folder a project to us; a temporary one without git never is."""
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (project / ".git" / "config").write_text("[core]\n\tbare = false\n")


def play(stage: DemoEnvironment, payloads: list[Payload]) -> Iterator[CommandResult]:
    """Run the registered commands of each payload, one after the other, as the client does."""
    path = settings_path("user", home=stage.home, project_dir=stage.project)
    registered = json.loads(path.read_text("utf-8"))["hooks"]
    for payload in payloads:
        for group in registered.get(payload["hook_event_name"], ()):
            if _matches(group.get("matcher"), payload.get("tool_name")):
                for hook in group["hooks"]:
                    yield _run(stage, hook["command"], payload)


def _matches(matcher: str | None, tool: str | None) -> bool:
    """Names are compared, anything else is a regular expression: so does the client."""
    if not matcher or tool is None:
        return True
    if re.fullmatch(r"[\w|]+", matcher):
        return tool in matcher.split("|")
    return re.search(matcher, tool) is not None


def _run(stage: DemoEnvironment, command: str, payload: Payload) -> CommandResult:
    """One hook, as the client starts it. Raises DemoFailed when it fails or takes too long."""
    text = json.dumps(payload).replace(_PROJECT, str(stage.project)).replace(_HOME, str(stage.home))
    started = time.perf_counter()
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=text.encode(),
            capture_output=True,
            cwd=stage.project,
            env=stage.env,
            timeout=_SHELL_SECONDS,
            start_new_session=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DemoFailed(f"the {payload['hook_event_name']} hook does not end") from None
    seconds = time.perf_counter() - started
    if done.returncode:
        raise DemoFailed(f"the {payload['hook_event_name']} hook exited {done.returncode}")
    return CommandResult(payload, _context(done.stdout), seconds)


def _context(stdout: bytes) -> str:
    """What of a hook's output the client would put before the model."""
    if not stdout.strip():
        return ""
    try:
        return str(json.loads(stdout)["hookSpecificOutput"]["additionalContext"])
    except (ValueError, KeyError, TypeError):
        raise DemoFailed(f"a hook printed what no client understands: {stdout[:200]!r}") from None


def _shown(played: Iterator[CommandResult]) -> Iterator[CommandResult]:
    for ran in played:
        output.data(_line(ran))
        if ran.context:
            output.data("".join(f"    {line}\n" for line in ran.context.split("\n")))
        yield ran


def _line(ran: CommandResult) -> str:
    """A hook call in one line: event, tool, what it is about, milliseconds."""
    payload = ran.payload
    given = payload.get("tool_input") or {}
    about = given.get("command") or os.path.basename(str(given.get("file_path", "")))
    said = payload.get("prompt") or payload.get("last_assistant_message") or about
    what = " ".join(part for part in (payload.get("tool_name"), said) if part)
    return f"  {ran.seconds * 1000:6.0f} ms  {payload['hook_event_name']:<19} {what[:60]}".rstrip()


def _check(told: list[CommandResult]) -> None:
    """Raise DemoFailed unless the lesson was told at the start and at the same failure."""
    for event, when in (
        ("SessionStart", "when it started"),
        ("PostToolUseFailure", "at the same failure"),
    ):
        texts = [ran.context for ran in told if ran.payload["hook_event_name"] == event]
        if not any(LESSON in text for text in texts):
            raise DemoFailed(f"the next session was not told `{LESSON}` {when}")
