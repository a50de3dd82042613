"""Tinker, an agent that nobody makes, and that differs from Claude Code in kind.

Its settings are YAML, its limits milliseconds, its commands words without a shell, its payloads nested,
its edits one patch text, and its answers plain text. It imports nothing of the tests: a test installs
this file as another package would bring it.
"""

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from hooklore.agents.agent import (
    RECALLING_SECONDS,
    SESSION_END_SECONDS,
    Agent,
    Answer,
    ClientEvent,
    Marks,
    Payload,
    UnreadableAnswer,
    WireFormat,
)
from hooklore.agents.check import Check, failed
from hooklore.agents.diagnosis import Diagnosis, ReadSettings, SettingsFacts, SettingsFile
from hooklore.agents.event import Edit, StoppedBy, ToolCall, ToolOutput
from hooklore.agents.registration import (
    LAUNCHER_PATH,
    Command,
    Insertion,
    Places,
    Registration,
    Scope,
)
from hooklore.agents.rehearsal import Rehearsal, Step
from hooklore.errors import SettingsError

EVENTS = {
    "run.opened": ClientEvent("session_start", RECALLING_SECONDS, recalls=True, speaks=True),
    "turn.asked": ClientEvent("prompt", RECALLING_SECONDS, recalls=True, speaks=True),
    "step.planned": ClientEvent("before_tool", RECALLING_SECONDS, recalls=True),
    "step.done": ClientEvent("after_tool"),
    "step.broken": ClientEvent("failure", RECALLING_SECONDS, recalls=True),
    "turn.answered": ClientEvent("answer"),
    "run.closed": ClientEvent("session_end", SESSION_END_SECONDS),
}
_WIRE = WireFormat(
    event_name=("kind",),
    names={
        "session_id": ("run", "runId"),
        "tool": ("step", "name"),
        "tool_use_id": ("step", "ref"),
        "agent_type": ("run", "role"),
    },
    locations={"cwd": ("run", "dir")},
    text={
        "prompt": ("turn", "asked"),
        "answer": ("turn", "answered"),
        "failure": ("step", "broke", "text"),
    },
    salvaged=(("kind",), ("run", "runId")),
)

# ---- tool calls

_FILE = re.compile(r"^\*\*\* (?:Update|Add) File: (.+)$")


def read_call(payload: Payload, tool_class: str | None) -> ToolCall:
    """Return the tool call of a payload."""
    step = payload.get("step", {})
    given, gave = step.get("with", {}), step.get("gave")
    folder = str(payload.get("run", {}).get("dir", ""))
    edits = tuple(_edits(str(given.get("patch", "")), folder)) if tool_class == "edit" else ()
    return ToolCall(
        paths=tuple(edit.path for edit in edits) or tuple(_file(given, folder)),
        command=given.get("line") if tool_class == "command" else None,
        edits=edits,
        described=tuple(given[name] for name in ("why",) if name in given),
        output=ToolOutput(gave.get("text", ""), outcome=_outcome(gave)) if gave else None,
    )


def _outcome(gave: Mapping[str, Any]) -> Any:
    return "failure" if gave.get("status") else None


def _file(given: Mapping[str, Any], folder: str) -> Iterator[str]:
    if "file" in given:
        yield os.path.join(folder, given["file"])


def _edits(patch: str, folder: str) -> Iterator[Edit]:
    """Yield the edit of each file of a patch text."""
    path, before, after = "", list[str](), list[str]()
    for line in [*patch.splitlines(), "*** End Patch"]:
        found = _FILE.match(line)
        if line.startswith("*** ") and path:
            yield Edit(os.path.join(folder, path), "\n".join(before), "\n".join(after))
            before, after, path = [], [], ""
        if found:
            path = found[1]
        before += [line[1:]] if line.startswith("-") else []
        after += [line[1:]] if line.startswith("+") else []


def stopped_by(_tool_class: str | None, error: str) -> StoppedBy | None:
    """Return who stopped a step: the client writes it in front of the text."""
    return "refused" if error.startswith("VETO:") else None


def print_answer(_event: str, answer: Answer) -> bytes:
    """Return plain text: what a hook prints is put before the model as it is."""
    if answer.stop_reason:
        return f"STOP {answer.stop_reason}\n".encode()
    return f"{answer.context}\n".encode() if answer.context else b""


# ---- settings: YAML with a list under `hooks`

_ITEM = re.compile(
    r"^  - on: (?P<event>\S+)\n    run: (?P<run>\[.*\])\n    limit_ms: (?P<limit>\d+)\n",
    re.MULTILINE,
)
_OURS = f"/{LAUNCHER_PATH}/hooks/tinker/"
_HEAD = "hooks:\n"


class HookList:
    """The settings' text: a line `hooks:` at the left edge, items of three lines below it."""

    def decode(self, raw: bytes, path: str) -> tuple[bytes, str]:
        try:
            return b"", raw.decode()
        except UnicodeDecodeError:
            raise SettingsError(path, "it is not UTF-8") from None

    def encode(self, text: str) -> bytes:
        return text.encode()

    def is_blank(self, text: str) -> bool:
        return not text.strip()

    def is_empty(self, text: str) -> bool:
        return self.is_blank(text)

    def check(self, text: str, path: str) -> None:
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith("\t"):
                raise SettingsError(path, f"line {number} is indented by a tab")

    def read(self, text: str) -> Mapping[str, Any]:
        hooks = [{"on": m["event"], **_entry(m)} for m in _ITEM.finditer(text)]
        return {"hooks": hooks}

    def registered(self, text: str) -> list[tuple[str, Any]]:
        return [(m["event"], _entry(m)) for m in _ITEM.finditer(text) if _OURS in m["run"]]

    def add(self, text: str, wanted: Mapping[str, Any], path: str) -> list[Insertion]:
        self.check(text, path)
        items = "".join(_item(event, entry) for event, entry in wanted.items())
        if _HEAD in text:
            found = [m.end() for m in _ITEM.finditer(text)]
            return [Insertion(max(found, default=text.index(_HEAD) + len(_HEAD)), items)]
        gap = "" if not text or text.endswith("\n") else "\n"
        return [Insertion(len(text), f"{gap}{_HEAD}{items}")]

    def present(self, text: str) -> frozenset[str]:
        return frozenset({"hooks"} if _HEAD in text else ())

    def remove(self, text: str, keep: Collection[str] = ()) -> str:
        rest = _ITEM.sub(lambda m: "" if _OURS in m["run"] else m[0], text)
        return rest if "hooks" in keep or _ITEM.search(rest) else rest.replace(_HEAD, "")


def _entry(found: "re.Match[str]") -> dict[str, Any]:
    return {"run": json.loads(found["run"]), "limit_ms": int(found["limit"])}


def _item(event: str, entry: Mapping[str, Any]) -> str:
    return (
        f"  - on: {event}\n    run: {json.dumps(entry['run'])}\n    limit_ms: {entry['limit_ms']}\n"
    )


_ENTRY_FILES = {event: f"tinker/{event.replace('.', '_')}.py" for event in EVENTS}


def _entries(
    *, home: Path, plugin: bool = False, capture_reads: bool = False
) -> dict[str, dict[str, Any]]:
    folder = home / LAUNCHER_PATH
    run = [str(folder / "python"), "-I", "-S"]
    return {
        event: {"run": [*run, str(folder / "hooks" / name)], "limit_ms": 5_000}
        for event, name in _ENTRY_FILES.items()
    }


def _settings_path(scope: Scope, places: Places) -> Path:
    if scope == "user":
        return (places.config_dir or places.home / ".tinker") / "settings.yaml"
    return places.project_dir / ".tinker.yaml"


def _line(path: Path, places: Places) -> str:
    return "user" if path == _settings_path("user", places) else str(path.parent)


def _registration() -> Registration:
    return Registration(
        scopes=("user", "project"),
        scope_names={},
        format=HookList(),
        entry_files=_ENTRY_FILES,
        settings_path=_settings_path,
        line=_line,
        scope_of=lambda line, _path: "user" if line == "user" else "project",
        entries=_entries,
        commands=lambda entry: [tuple(entry["run"])],
        config_variable="TINKER_HOME",
    )


# ---- doctor


def _find_settings(read: ReadSettings, places: Places, _top: Path | None) -> Iterator[SettingsFile]:
    yield read("user", _settings_path("user", places), is_loaded=True)
    yield read("project", _settings_path("project", places), is_loaded=True)


def _unregistered(_settings: SettingsFacts) -> Check:
    return failed(
        "registration", "no settings file registers the hooks", "hooks install --agent tinker"
    )


def _diagnosis() -> Diagnosis:
    return Diagnosis(
        program="tinker",
        find_settings=_find_settings,
        unregistered=_unregistered,
        repair=lambda _file: "hooks install --agent tinker",
    )


# ---- the client's side


def payload(step: Step) -> tuple[str, dict[str, Any]]:
    """Return the event's name and the payload of a step."""
    event = next(name for name, each in EVENTS.items() if each.event == step.event)
    fields: dict[str, Any] = {"kind": event, "run": {"runId": step.session, "dir": step.folder}}
    if step.prompt or step.answer:
        fields["turn"] = {"asked": step.prompt, "answered": step.answer}
    if step.command or step.edit:
        fields["step"] = {"ref": step.tool_use_id, **_with(step)}
    return event, fields


def _with(step: Step) -> dict[str, Any]:
    if step.edit is not None:
        edit = step.edit
        patch = f"*** Begin Patch\n*** Update File: {edit.path}\n-{edit.before}\n+{edit.after}\n*** End Patch\n"
        return {"name": "apply_patch", "with": {"patch": patch}, "gave": {"text": "done"}}
    fields = {"name": "shell", "with": {"line": step.command}}
    if step.error is not None:
        return {**fields, "broke": {"text": step.error}}
    return {**fields, "gave": {"text": step.output or "", "status": 0}}


def _rehearsal() -> Rehearsal:
    return Rehearsal(
        payload=payload,
        context=lambda _event, stdout: stdout.decode().strip(),
        event_name=lambda fields: str(fields.get("kind", "")),
        summary=lambda fields: str(fields.get("kind", "")),
        commands=_commands,
        environment=lambda project: {"TINKER_PROJECT": str(project)},
        channel="the text",
    )


def _commands(settings: Mapping[str, Any], fields: Mapping[str, Any]) -> list[Command]:
    return [tuple(each["run"]) for each in settings["hooks"] if each["on"] == fields["kind"]]


AGENT = Agent(
    id="tinker",
    name="Tinker",
    events=EVENTS,
    wire=_WIRE,
    read_call=read_call,
    print_answer=print_answer,
    registration=_registration,
    diagnosis=_diagnosis,
    rehearsal=_rehearsal,
    tools={
        "shell": "command", "apply_patch": "edit", "open_file": "read", "browse": "web",
        "delegate": "agent",
    },
    marks=Marks(project_dir="TINKER_PROJECT", process=("TINKER_RUN",), session="TINKER_RUN"),
    unreadable=UnreadableAnswer(context="<text>\n", stop="STOP <text>\n"),
    roles={"scout": "researcher"},
    stopped_by=stopped_by,
)  # fmt: skip
