"""`hooks demo`: a recorded session played through the installed hooks, and the notes for the next session.

The payloads were recorded from the real client. The registered commands run as they stand in the settings
file, in a throw-away home and project: no account, model or network is needed.
"""

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hooklore.agents.agent import AnswerInvalid
from hooklore.agents.event import EventName
from hooklore.agents.registration import Command
from hooklore.agents.registry import default_agent
from hooklore.agents.rehearsal import as_words
from hooklore.cli import output
from hooklore.cli.install import install, settings_path
from hooklore.cli.install.launcher import launcher_directory
from hooklore.cli.process_group import run_in_group
from hooklore.cli.purge import forget_socket
from hooklore.config import StoreLocation, locate_store, read_environment
from hooklore.errors import HookloreError
from hooklore.resident import call
from hooklore.retrieval.brief_text import KEEP_REQUEST

Payload = dict[str, Any]

LESSON = "torque_limit_nm = 47"
"""The lesson of the first session. Neither the error nor any payload of the second session holds it."""

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
    """One hook call: the text that it put before the model, and its time in seconds."""

    payload: Payload
    context: str
    seconds: float


def demo() -> None:
    """Play a recorded session through the installed hooks; show what the next session is told."""
    first, second = recorded_sessions()
    played = []
    with staged() as stage:
        output.data("A session in which a test fails, and is made to pass:")
        for ran in play(stage, first):
            output.data(_line(ran))
        output.data("\nThe next session in that project:")
        for ran in play(stage, second):
            output.data(_line(ran))
            if ran.context:
                output.data("".join(f"    {line}\n" for line in ran.context.split("\n")))
            played.append(ran)
    _check(played)
    output.data("\nAt the same failure the next session was told what had made the test pass.")


def recorded_sessions() -> tuple[list[Payload], list[Payload]]:
    """Return the payloads of both sessions, in the order in which the client sent them."""
    recorded = default_agent().recorded_sessions
    if recorded is None:
        raise DemoFailed("there is no recorded session")
    payloads = [json.loads(line) for line in recorded.read_text("utf-8").splitlines()]
    first = payloads[0]["session_id"]
    return (
        [p for p in payloads if p["session_id"] == first],
        [p for p in payloads if p["session_id"] != first],
    )


@contextmanager
def staged() -> Iterator[DemoEnvironment]:
    """Yield a throw-away machine with the hooks installed. Remove all of it afterwards, its resident included."""
    root = Path(tempfile.mkdtemp(prefix="hooklore-demo-"))
    home, project = root / "home", root / "home" / "widgets"
    (project / ".git").mkdir(parents=True)  # a temporary folder without git never is a project
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (project / ".git" / "config").write_text("[core]\n\tbare = false\n")
    kept = {name: value for name, value in read_environment().items() if name in ("PATH", "LANG")}
    env = kept | {"HOME": str(home)} | default_agent().rehearsal().environment(project)
    stage = DemoEnvironment(home, project, env, locate_store(env))
    try:
        install("user", home=home, project_dir=project)
        yield stage
    finally:
        # Without the launcher no late hook starts another resident.
        shutil.rmtree(launcher_directory(home), ignore_errors=True)
        with suppress(HookloreError):
            call.stop_resident(stage.place)
        shutil.rmtree(root, ignore_errors=True)
        forget_socket(stage.place)


def play(stage: DemoEnvironment, payloads: list[Payload]) -> Iterator[CommandResult]:
    """Run the registered commands of each payload, one after the other, as the client does."""
    agent = default_agent()
    path = settings_path("user", home=stage.home, project_dir=stage.project)
    settings = agent.registration().format.read(path.read_text("utf-8"))
    for payload in payloads:
        for command in agent.rehearsal().commands(settings, payload):
            yield _run(stage, command, payload)


def _run(stage: DemoEnvironment, command: Command, payload: Payload) -> CommandResult:
    """Run one hook as the client does. Raise DemoFailed for a failure, a late answer or a malformed one."""
    text = json.dumps(payload).replace(_PROJECT, str(stage.project)).replace(_HOME, str(stage.home))
    rehearsal = default_agent().rehearsal()
    event = rehearsal.event_name(payload)
    started = time.perf_counter()
    try:
        done = run_in_group(
            as_words(command),
            _SHELL_SECONDS,
            payload=text.encode(),
            folder=stage.project,
            environment=stage.env,
        )
    except subprocess.TimeoutExpired:
        raise DemoFailed(f"the {event} hook does not end") from None
    seconds = time.perf_counter() - started
    if done.returncode:
        raise DemoFailed(f"the {event} hook exited {done.returncode}")
    try:
        return CommandResult(payload, rehearsal.context(event, done.stdout), seconds)
    except AnswerInvalid:
        raise DemoFailed(
            f"a hook printed what no client understands: {done.stdout[:200]!r}"
        ) from None


def _line(ran: CommandResult) -> str:
    rehearsal = default_agent().rehearsal()
    event, what = rehearsal.event_name(ran.payload), rehearsal.summary(ran.payload)
    return f"  {ran.seconds * 1000:6.0f} ms  {event:<19} {what[:60]}".rstrip()


def _check(played: list[CommandResult]) -> None:
    """Raise DemoFailed unless the session began with a brief, and was told the lesson at the same failure."""
    moments: tuple[tuple[EventName, str, str], ...] = (
        ("session_start", KEEP_REQUEST, "to keep what lasts when it started"),
        ("failure", LESSON, f"`{LESSON}` at the same failure"),
    )
    agent = default_agent()
    for event, text, what in moments:
        names = agent.wire_events(event)
        texts = [r.context for r in played if agent.rehearsal().event_name(r.payload) in names]
        if not any(text in told for told in texts):
            raise DemoFailed(f"the next session was not told {what}")
