"""Play a stream of recorded hook payloads through the registered command lines, and account for each.

One JSON payload a line, in order. Every payload is handed to the commands that a settings file of
`hooks install` registers for it, as Claude Code does: `/bin/sh -c`, payload on stdin. Afterwards each
is either in the log, once, or left out by a rule that the report names.
"""

import gzip
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hooklore.capture.capture import capture_event
from hooklore.config import Settings, store_location_at
from hooklore.hooks.parse import parse_event
from tests.claude.matcher import matches
from tests.conftest import wait_until

Payload = dict[str, Any]

DEADLINES = {"SessionEnd": 1.2}
RECALLING = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUseFailure",
    "SubagentStart",
)


@dataclass
class Report:
    """What came of a stream. `texts` holds what was put before the model, beside the payload that brought it."""

    payloads: int = 0
    recorded: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    missing: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    shown: Counter[str] = field(default_factory=Counter)
    texts: list[tuple[Payload, str]] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    items: Counter[str] = field(default_factory=Counter)
    tokens: dict[str, list[int]] = field(default_factory=dict)

    def as_json(self) -> str:
        """The report, with the times as quantiles in milliseconds."""
        cuts = statistics.quantiles(self.seconds, n=100) if len(self.seconds) > 1 else [0.0] * 99
        times = {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "max": max(self.seconds)}
        fields = {k: v for k, v in vars(self).items() if k not in ("seconds", "tokens", "texts")}
        fields["tokens"] = {
            trigger: {
                "answers": len(each),
                "median": int(statistics.median(each)),
                "all": sum(each),
            }
            for trigger, each in self.tokens.items()
        }
        fields["ms"] = {name: round(value * 1000, 1) for name, value in times.items()}
        return json.dumps(fields, ensure_ascii=False, indent=1)


@dataclass(frozen=True)
class Player:
    """A home with hooklore installed, and a report to fill."""

    home: Path
    report: Report

    def play(self, payloads: Iterable[Payload]) -> None:
        """Hand these in, one after the other."""
        for payload in payloads:
            for command in self._commands(payload):
                self._hand_in(payload, command)

    def _commands(self, payload: Payload) -> Iterator[str]:
        settings = json.loads((self.home / ".claude" / "settings.json").read_text())
        event = payload["hook_event_name"]
        for group in settings["hooks"].get(event, []):
            if matches(group.get("matcher"), payload.get("tool_name")):
                yield from (hook["command"] for hook in group["hooks"])

    def _hand_in(self, payload: Payload, command: str) -> None:
        started = time.monotonic()
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=json.dumps(payload, ensure_ascii=False).encode() + b"\n",
            env={
                "HOME": str(self.home),
                "PATH": "/usr/bin:/bin",
                "CLAUDE_PROJECT_DIR": payload["cwd"],
                "CLAUDE_CODE_ENTRYPOINT": "cli",
            },
            capture_output=True,
        )
        seconds = time.monotonic() - started
        self._note(payload, done, seconds)

    def _note(
        self, payload: Payload, done: "subprocess.CompletedProcess[bytes]", seconds: float
    ) -> None:
        event = payload["hook_event_name"]
        self.report.seconds.append(seconds)
        if done.returncode or done.stderr:
            self.report.failed.append(f"{event}: {done.returncode} {done.stderr.decode()[:200]}")
        if seconds > DEADLINES.get(event, 1.5 if event in RECALLING else 0.8) + 0.05:
            self.report.late.append(f"{event}: {seconds:.2f} s")
        if done.stdout:
            answer = json.loads(done.stdout)
            if text := answer.get("hookSpecificOutput", {}).get("additionalContext"):
                self.report.shown[event] += 1
                self.report.texts.append((payload, text))


def account(payloads: list[Payload], home: Path, report: Report) -> None:
    """Compare what was handed in with what the log holds."""
    place = store_location_at(home / ".config" / "ai" / "memory")
    expected: Counter[tuple[str, ...]] = Counter()
    player = Player(home, report)
    for payload in payloads:
        report.payloads += 1
        if not list(player._commands(payload)):
            report.left_out[
                f"{payload['hook_event_name']} {payload.get('tool_name')}: not registered"
            ] += 1
            continue
        event = parse_event(
            "claude", payload["hook_event_name"], "-", {}, json.dumps(payload).encode()
        )
        taken = capture_event(event, Settings(), "2026-01-01T00:00:00.000Z")
        if taken is None:
            report.left_out[f"{event.event} {event.tool or ''}: nothing to keep"] += 1
        else:
            expected[_identity(taken.record.to_json())] += 1
            report.recorded += 1
    wait_until(
        lambda: sum(_in_log(place.log).values()) >= sum(expected.values()), "every record", 30.0
    )
    found = _in_log(place.log)
    report.missing += [" ".join(key) for key in (expected - found)]
    report.doubled += [" ".join(key) for key in (found - expected)]


def note_memory(home: Path, report: Report) -> None:
    """Note what was kept by itself, what was shown by trigger and kind, and the tokens of the answers."""
    records = list(_records(store_location_at(home / ".config" / "ai" / "memory").log))
    kinds = {record["id"]: record["kind"] for record in records}
    for record in records:
        body = record["body"]
        if record["stream"] == "memory":
            waits = f", waits: {record['waits']}" if record.get("waits") else ""
            report.kept.append(f"{record['kind']} ({record['basis']}{waits}): {body['content_md']}")
        elif record["kind"] == "access" and body.get("trigger") and body.get("tokens"):
            report.tokens.setdefault(body["trigger"], []).append(body["tokens"])
            for id_ in body["targets"]:
                report.items[f"{body['trigger']}: {kinds.get(id_)}"] += 1


def _identity(record: Payload) -> tuple[str, ...]:
    # The broker names a compaction by what came before it.
    named = () if record["kind"] == "compaction" else ("natural_key",)
    return tuple(str(record.get(name)) for name in ("kind", "session_id", *named, "task_id"))


def _in_log(log: Path) -> Counter[tuple[str, ...]]:
    return Counter(_identity(r) for r in _records(log) if r["stream"] == "observation")


def _records(log: Path) -> Iterator[Payload]:
    for path in [*sorted((log.parent / "segments").glob("*.jsonl")), log]:
        yield from (json.loads(line) for line in path.read_bytes().split(b"\n") if line)


def replay(payloads: list[Payload], home: Path, at_once: int = 1) -> Report:
    """Play a stream in a home where `hooks install --user` was run; sessions in parallel lanes."""
    report = Report()
    lanes: list[list[Payload]] = [[] for _ in range(at_once)]
    order: dict[str, int] = {}
    for payload in payloads:
        lanes[order.setdefault(payload["session_id"], len(order)) % at_once].append(payload)
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(Player(home, report).play, lanes))
    account(payloads, home, report)
    note_memory(home, report)
    return report


def relocate(payloads: list[Payload], project: Path) -> list[Payload]:
    """Return the stream as if its folders lay in `project`, a git repository that is made here."""
    folders = {payload["cwd"] for payload in payloads}
    root = os.path.commonpath(folders)
    named = _paths_below(_outermost(folders) if root == "/" else [root])

    def there(path: str) -> str:
        return os.path.normpath(project / os.path.relpath(path, root))

    moved: list[Payload] = []
    for payload in payloads:
        cwd = there(payload["cwd"])
        Path(cwd).mkdir(parents=True, exist_ok=True)
        moved.append(_rewritten(payload, named, there) | {"cwd": cwd})
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    return moved


def _outermost(folders: Iterable[str]) -> list[str]:
    """Return the folders that lie in no other, without `/`: every path begins with that one."""
    below_root = sorted(set(folders) - {"/"})
    return [f for f in below_root if not any(f.startswith(f"{other}/") for other in below_root)]


def _paths_below(folders: list[str]) -> re.Pattern[str] | None:
    """Return a pattern for these folders where a text names them, but not as a part of another name."""
    names = "|".join(re.escape(folder) for folder in folders if folder != "/")
    return re.compile(rf"(?<![\w.~-])(?:{names})(?!\w|-|\.\w)") if names else None


def _rewritten(value: Any, named: re.Pattern[str] | None, there: Callable[[str], str]) -> Any:
    """Return a JSON value with each folder that its texts name replaced by `there(folder)`."""
    if isinstance(value, str):
        return named.sub(lambda found: there(found[0]), value) if named else value
    if isinstance(value, list):
        return [_rewritten(each, named, there) for each in value]
    if isinstance(value, dict):
        return {
            _rewritten(name, named, there): _rewritten(each, named, there)
            for name, each in value.items()
        }
    return value


def install(home: Path) -> None:
    """Run the installer in an empty home."""
    home.mkdir(parents=True, exist_ok=True)
    hooks = Path(sys.executable).parent / "hooks"
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    subprocess.run([str(hooks), "install", "--user"], env=env, check=True, capture_output=True)


def read(path: Path) -> list[Payload]:
    """Return the payloads of a stream, a file of JSON lines that may be compressed."""
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in raw.split(b"\n") if line.strip()]
