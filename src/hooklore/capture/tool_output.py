"""What a tool's input and response show by their shape: outcome, change, counts, output."""

from dataclasses import dataclass
from typing import Any

from hooklore.records.event import HookEvent
from hooklore.shell.command import has_hidden_exit_status
from hooklore.shell.test_outcome import parse_test_outcome

_DEPTH = 6
_MOST = 4096


@dataclass(frozen=True, slots=True)
class Change:
    """Lines that an edit added and removed, and the first of them as text."""

    added: int = 0
    removed: int = 0
    text: str = ""


def outcome_of(event: HookEvent) -> str:
    """success, failure, partial or unknown of a tool that answered: by structure, never by words.

    Seed 003 has the first three; `unknown` is an empty answer, a task still running, or a status
    that a pipe has hidden (HK-16).
    """
    response = event.tool_response
    if response in (None, "", [], {}):
        return "unknown"
    if isinstance(response, dict):
        said = _said(response, event.tool_class)
        if said is not None:
            return said
    if event.command is not None and has_hidden_exit_status(event.command):
        return parse_test_outcome("\n".join(output_of(event))) or "unknown"
    return "success"


def _said(response: dict[str, Any], tool_class: str | None) -> str | None:
    """What a response object says of its own outcome."""
    if response.get("interrupted") is True:
        return "partial"
    if response.get("success") is False or True in (
        response.get("isError"),
        response.get("is_error"),
    ):
        return "failure"
    status, code = response.get("exitCode", response.get("exit_code")), response.get("code")
    if type(status) is int and status != 0:
        return "failure"
    if tool_class == "web" and type(code) is int and code >= 400:
        return "failure"
    if response.get("backgroundTaskId") or response.get("isAsync") is True:
        return "unknown"
    return None


def output_of(event: HookEvent) -> tuple[str, str]:
    """(what a tool put out, what it put out as errors)."""
    response = event.tool_response
    if isinstance(response, dict) and ("stdout" in response or "stderr" in response):
        return _string(response.get("stdout")), _string(response.get("stderr"))
    if isinstance(response, dict):
        for name in ("content", "result", "message"):
            if response.get(name):
                return flatten_text(response[name]), ""
    return ("" if event.tool_class == "agent" else flatten_text(response)), ""


def tool_input_text(event: HookEvent) -> str:
    """A tool's input as text."""
    return flatten_text(event.tool_input)


def flatten_text(value: Any) -> str:
    """The strings and numbers of a value, keys before them; bounded in depth and number."""
    found: list[str] = []
    _flatten(value, "", _DEPTH, found)
    return "\n".join(found)


def _flatten(value: Any, name: str, depth: int, found: list[str]) -> None:
    if len(found) >= _MOST or depth == 0 or value is None:
        return
    if isinstance(value, dict):
        is_block = value.get("type") == "text" and isinstance(value.get("text"), str)
        for key, inner in ({"": value["text"]} if is_block else value).items():
            _flatten(inner, str(key), depth - 1, found)
    elif isinstance(value, list):
        for inner in value:
            _flatten(inner, name, depth - 1, found)
    else:
        found.append(f"{name}: {value}" if name else str(value))


def change_of(event: HookEvent) -> Change:
    """What an edit or a write changes: from the client's patch, else from its input."""
    response = event.tool_response
    hunks = response.get("structuredPatch") if isinstance(response, dict) else None
    lines = [line for hunk in _list(hunks) for line in _list(_dict(hunk).get("lines"))]
    changed = [line for line in lines if isinstance(line, str) and line[:1] in ("+", "-")]
    if changed:
        added = sum(line[0] == "+" for line in changed)
        return Change(added, len(changed) - added, "\n".join(changed[:_MOST]))
    return _change_by_input(event.tool_input)


def _change_by_input(given: dict[str, Any]) -> Change:
    edits = _edits(given)
    added = sum(len(new.splitlines()) for _, new in edits)
    removed = sum(len(old.splitlines()) for old, _ in edits)
    return Change(added, removed, edit_before_after(given)[1])


def edit_before_after(given: dict[str, Any]) -> tuple[str, str]:
    """(before, after) of an edit's or a write's input; several edits one after the other."""
    edits = _edits(given)
    return "\n".join(old for old, _ in edits if old), "\n".join(new for _, new in edits if new)


def _edits(given: dict[str, Any]) -> list[tuple[str, str]]:
    edits = [_dict(edit) for edit in _list(given.get("edits"))] or [given]
    return [
        (
            _string(edit.get("old_string")),
            _string(edit.get("new_string") or edit.get("content") or edit.get("new_source")),
        )
        for edit in edits
    ]


def counts_of(event: HookEvent) -> dict[str, int]:
    """Range and counts of a read or a search: never what it found."""
    response = _dict(event.tool_response)
    source = response | _dict(response.get("file"))
    return {
        name: source[name]
        for name in ("numFiles", "numLines", "startLine", "totalLines", "totalMatches")
        if type(source.get(name)) is int
    }


def pattern_of(event: HookEvent) -> str:
    """What a search looked for."""
    return _string(event.tool_input.get("pattern"))


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
