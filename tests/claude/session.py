"""One session of the real Claude Code in a home of its own, and what its model was shown."""

import json
import os
import re
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from tests.claude.api import (
    MAIN,
    REMINDER,
    Json,
    Lanes,
    Request,
    ScriptedApi,
    Turns,
    blocks,
)
from tests.support.client_home import closed_environment, make_folders, put_python_on_path
from tests.support.early_resident import start_early

TOOLS: Final = "Bash,Read,Write,Edit,Glob,Grep,Agent,TaskCreate,TaskUpdate,WebFetch"
FLAGS: Final = (
    *("-p", "--verbose", "--output-format", "stream-json", "--include-hook-events"),
    *("--permission-mode", "acceptEdits", "--allowedTools", TOOLS),
)
GRACE: Final = 30.0
# What differs between two runs of one script.
VOLATILE_KEYS: Final = frozenset({"id", "tool_use_id", "cache_control"})
VOLATILE_WORDS: Final = re.compile(r"(?<=agentId: )\w+|(?<=to: ')\w+|(?<=duration_ms: )\d+")

HEADING: Final = re.compile(
    r"^(?P<event>[A-Z][A-Za-z]+)(?::(?P<of>\S+))? hook (?:additional context|success): ",
    re.MULTILINE,
)
# One message of role system holds everything, with nothing between a hook's text and what the
# client says next: these are the openings of its own paragraphs in the pinned version.
AFTER_HOOK: Final = re.compile(
    r"\n\n(?="
    r"[A-Z][A-Za-z]+(?::\S+)? hook (?:additional context|success|blocking error)"
    r"|# Environment\n|Today's date is |Available agent types for |<total_tokens>"
    r"|The following (?:deferred tools|skills) |Codebase and user instructions are )"
)


class SessionTimeoutError(TimeoutError):
    """The client did not end in time and was killed."""


@dataclass(frozen=True)
class Session:
    """What a session left: the requests it sent, what it printed, its transcripts.

    `events` are the lines of its stdout, the runs of its hooks among them; `seconds` is the
    time from start to exit.
    """

    rc: int
    requests: tuple[Request, ...]
    events: tuple[Json, ...]
    stderr: str
    seconds: float
    transcripts: tuple[Path, ...]

    @property
    def session_ids(self) -> tuple[str, ...]:
        """The ids that the session had, in order: `/clear` gives it another."""
        inits = [e["session_id"] for e in self.events if e.get("subtype") == "init"]
        return tuple(dict.fromkeys(inits))

    @property
    def session_id(self) -> str:
        """The last of its ids: the one to resume."""
        return self.session_ids[-1]

    @property
    def results(self) -> tuple[str, ...]:
        """The final answer to each prompt."""
        ends = [e for e in self.events if e.get("type") == "result"]
        return tuple(str(e.get("result", "")) for e in ends)

    @property
    def hook_runs(self) -> tuple[Json, ...]:
        """Every run of a hook: hook_event, hook_name, exit_code, stdout, stderr, outcome."""
        return tuple(e for e in self.events if e.get("subtype") == "hook_response")

    def turns(self, lane: str = MAIN) -> tuple[Request, ...]:
        """The requests that a lane's turns answered."""
        return tuple(r for r in self.requests if r.kind == "turn" and r.lane == lane)


@dataclass(frozen=True)
class Claude:
    """The client on a machine of its own: a home, a project, and an environment from nothing.

    `env` is added to that environment. Sessions of one `Claude` share home and project, so that
    one can resume another.
    """

    binary: Path
    home: Path
    project: Path
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """What a program of this machine's user sees; `python` is the one that runs the tests."""
        return closed_environment(self.home) | dict(self.env)

    def run(
        self,
        prompts: str | Sequence[str],
        turns: Turns,
        lanes: Lanes | None = None,
        *,
        args: Sequence[str] = (),
        timeout: float = 120.0,
    ) -> Session:
        """Run one session to its end; several prompts (or `/compact`, `/clear`) share a process.

        Each prompt after the first is given when the answer to the one before has come. A client
        that takes longer than `timeout` seconds is killed: SessionTimeoutError.
        """
        self.furnish()
        start_early(self.environment)
        given = (prompts,) if isinstance(prompts, str) else tuple(prompts)
        with ScriptedApi(turns, lanes) as api, tempfile.TemporaryFile() as stderr:
            started = time.monotonic()
            process = self._start(api.url, given, args, stderr)
            events = _converse(process, given, started + timeout)
            seconds = time.monotonic() - started
            stderr.seek(0)
            complaints = stderr.read().decode(errors="replace")
        settings = Path(self.environment.get("CLAUDE_CONFIG_DIR") or self.home / ".claude")
        return Session(
            rc=process.returncode,
            requests=api.requests,
            events=events,
            stderr=complaints,
            seconds=seconds,
            transcripts=tuple(sorted((settings / "projects").rglob("*.jsonl"))),
        )

    def furnish(self) -> None:
        """Make the home's folders, and the interpreter that its commands find."""
        make_folders(self.home / "bin", self.home / "tmp")
        put_python_on_path(self.home)

    def _start(
        self, url: str, prompts: tuple[str, ...], args: Sequence[str], stderr: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        several = len(prompts) > 1
        prompting = ("--input-format", "stream-json") if several else ()
        prompt = () if several else ("--", *prompts)
        return subprocess.Popen(
            [str(self.binary), *FLAGS, *prompting, *args, *prompt],
            cwd=self.project,
            env=settled(url) | self.environment,
            stdin=subprocess.PIPE if several else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            bufsize=0,
            start_new_session=True,
        )


def settled(url: str) -> dict[str, str]:
    """What points the client at the script, and keeps it from all else."""
    return {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "unused",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_TELEMETRY": "1",
    }


def _converse(
    process: subprocess.Popen[bytes], prompts: tuple[str, ...], deadline: float
) -> tuple[Json, ...]:
    """Give each prompt when the one before has its result; every line that the client printed."""
    waiting = iter(prompts if process.stdin else ())
    events: list[Json] = []
    with process:
        try:
            _prompt(process, waiting)
            for line in _lines(process, deadline):
                events.append(json.loads(line))
                if events[-1].get("type") == "result":
                    _prompt(process, waiting)
            process.wait(max(0.0, deadline - time.monotonic()))
        except (TimeoutError, subprocess.TimeoutExpired) as error:
            last = json.dumps(events[-1:])[:2000]
            raise SessionTimeoutError(
                f"claude did not end in time; its last line: {last}"
            ) from error
        finally:
            _end(process)
    return tuple(events)


def _prompt(process: subprocess.Popen[bytes], waiting: Iterator[str]) -> None:
    """Give the next prompt; after the last one end the input, which ends the session."""
    if process.stdin is None or process.stdin.closed:
        return
    text = next(waiting, None)
    if text is None:
        process.stdin.close()
        return
    message = {"type": "user", "message": {"role": "user", "content": text}}
    process.stdin.write(json.dumps(message).encode() + b"\n")


def _lines(process: subprocess.Popen[bytes], deadline: float) -> Iterator[bytes]:
    assert process.stdout is not None
    pipe = process.stdout.fileno()
    rest = b""
    with selectors.DefaultSelector() as selector:  # `select.select` takes no descriptor above 1023
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError
            chunk = os.read(pipe, 1 << 16)
            if not chunk:
                return
            *whole, rest = (rest + chunk).split(b"\n")
            yield from whole


def _end(process: subprocess.Popen[bytes]) -> None:
    """Leave nothing running. TERM first: the client ends its own commands, KILL would not."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)


def shown(request: Request, *, fresh: bool = False) -> str:
    """What the client told the model in its own voice, hooks' text included, in order.

    That is every message of role system and every `<system-reminder>`, wherever it stands: which
    of the two depends on the model. `fresh` leaves out what stood there before the model's last
    answer.
    """
    return "\n\n".join(_pieces(request, fresh=fresh))


def _pieces(request: Request, *, fresh: bool) -> list[str]:
    messages = request.messages
    if fresh:
        ends = [i for i, m in enumerate(messages) if m["role"] == "assistant"]
        messages = messages[ends[-1] + 1 :] if ends else messages
    return [text for message in messages for text in _told(message)]


def _told(message: Json) -> Iterator[str]:
    for block in blocks(message):
        text = block.get("text") or ""
        if message["role"] == "system":
            yield text
        else:
            yield from REMINDER.findall(text)
            yield from _told(message | {"content": block.get("content")})


def hook_text(request: Request, event: str, *, fresh: bool = False) -> str:
    """What the hooks of one event told the model, without the client's heading; "" for nothing.

    `event` is `PreToolUse`, or `PreToolUse:Bash` for one tool, or `SessionStart:startup`.
    """
    pieces = _pieces(request, fresh=fresh)
    return "\n\n".join(text for piece in pieces for text in _hook_texts(piece, event))


def _hook_texts(piece: str, event: str) -> Iterator[str]:
    for heading in HEADING.finditer(piece):
        if event in (heading["event"], f"{heading['event']}:{heading['of']}"):
            end = AFTER_HOOK.search(piece, heading.end())
            yield piece[heading.end() : end.start() if end else len(piece)]


def spoken(request: Request) -> tuple[str, ...]:
    """The conversation without what the client told in its own voice, and without ids and times.

    Two sessions of one script whose hooks did not interfere speak alike.
    """
    messages = [m for m in request.messages if m["role"] != "system"]
    return tuple(line for message in messages for line in _spoken(message))


def _spoken(message: Json) -> Iterator[str]:
    for block in blocks(message):
        if block["type"] == "text" and not REMINDER.sub("", block["text"]).strip():
            continue
        kept = {key: value for key, value in block.items() if key not in VOLATILE_KEYS}
        line = json.dumps(kept, sort_keys=True, ensure_ascii=False)
        yield f"{message['role']}: {VOLATILE_WORDS.sub('-', REMINDER.sub('', line))}"
