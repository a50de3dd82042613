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
    Agent,
    Answer,
    CallFields,
    ClientEvent,
    Marks,
    Payload,
    UnreadableAnswer,
    WireFormat,
    list_fields,
    name_fields,
)
from hooklore.agents.call_input import first_text, object_at, read_input, texts_of
from hooklore.agents.diagnosis import Diagnosis
from hooklore.agents.event import Edit, Outcome, ToolCall, ToolOutput
from hooklore.agents.registration import (
    LAUNCHER_PATH,
    ClientFile,
    Command,
    Insertion,
    Registration,
    SettingsFormat,
    entry_file,
)
from hooklore.agents.rehearsal import Rehearsal, Step
from hooklore.agents.stopping import StopMarks
from hooklore.errors import SettingsError

EVENTS = {
    "run.opened": ClientEvent("session_start", recalls=True),
    "turn.asked": ClientEvent("prompt", recalls=True),
    "step.planned": ClientEvent("before_tool", recalls=True),
    "step.done": ClientEvent("after_tool"),
    "step.broken": ClientEvent("failure", recalls=True),
    "turn.answered": ClientEvent("answer"),
    "run.closed": ClientEvent("session_end"),
}
CALL = CallFields(("step", "with"), ("step", "gave"), command="line", described=("why",))
_WIRE = WireFormat(
    event_name=("kind",),
    names=name_fields(
        session_id="run.runId", tool="step.name", tool_use_id="step.ref", agent_type="run.role"
    ),
    locations=name_fields(cwd="run.dir"),
    text={
        "prompt": ("turn", "asked"),
        "answer": ("turn", "answered"),
        "failure": ("step", "broke", "text"),
    },
    salvaged=list_fields("kind run.runId"),
    call=CALL,
)

_FILE = re.compile(r"^\*\*\* (?:Update|Add) File: (.+)$")


def read_call(payload: Payload, tool_class: str | None) -> ToolCall:
    """Return the tool call of a payload: an edit is one patch text."""
    gave, given = object_at(payload, CALL.gave), object_at(payload, CALL.given)
    folder = first_text(object_at(payload, ("run",)), "dir") or ""
    edits = tuple(_edits(first_text(given, "patch") or "", folder))
    named = [edit.path for edit in edits] or [
        os.path.join(folder, f) for f in texts_of(given, "file")
    ]
    outcome: Outcome | None = "failure" if gave.get("status") else None
    output = ToolOutput(first_text(gave, "text") or "", outcome=outcome) if gave else None
    return read_input(payload, tool_class, CALL, paths=tuple(named), edits=edits, output=output)


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


class HookList(SettingsFormat):
    """The settings' text: a line `hooks:` at the left edge, items of three lines below it."""

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


def _entries(
    *, home: Path, plugin: bool = False, capture_reads: bool = False
) -> dict[str, dict[str, Any]]:
    folder = home / LAUNCHER_PATH
    run = [str(folder / "python"), "-I", "-S"]
    return {
        event: {
            "run": [*run, str(folder / "hooks" / entry_file(event, "tinker"))],
            "limit_ms": 5_000,
        }
        for event in EVENTS
    }


def _registration() -> Registration:
    return Registration(
        format=HookList(),
        file=ClientFile(
            user=".tinker/settings.yaml", moved="settings.yaml", project=".tinker.yaml"
        ),
        entry_files={event: entry_file(event, "tinker") for event in EVENTS},
        entries=_entries,
        commands=lambda entry: [tuple(entry["run"])],
        config_variable="TINKER_HOME",
    )


def _diagnosis() -> Diagnosis:
    return Diagnosis(
        "tinker", "Tinker", _registration(), "hooks install --agent tinker", "~/.tinker"
    )


# ---- the client's side


def _edit_input(edit: Edit) -> dict[str, Any]:
    lines = f"*** Update File: {edit.path}\n-{edit.before}\n+{edit.after}"
    return {"patch": f"*** Begin Patch\n{lines}\n*** End Patch\n"}


def _tool_answer(step: Step) -> dict[str, Any] | None:
    return None if step.error is not None else {"text": step.output or "", "status": 0}


def _commands(settings: Mapping[str, Any], event: str, _subject: str | None) -> list[Command]:
    return [tuple(each["run"]) for each in settings["hooks"] if each["on"] == event]


def _rehearsal() -> Rehearsal:
    return Rehearsal(
        AGENT,
        _tool_answer,
        lambda _event, stdout: stdout.decode().strip(),
        _commands,
        channel="the text",
        variables={"TINKER_PROJECT": "<project>"},
        edit_input=_edit_input,
    )


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
    stops=StopMarks({"refused": "VETO:"}),
)  # fmt: skip
