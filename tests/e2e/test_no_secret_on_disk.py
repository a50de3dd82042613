"""Every vendor's token and every class of personal detail, in every field of what hooks bring."""

from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.redaction import redact
from tests.redaction.cases import Case
from tests.redaction.test_rows import one_of_each, sought_as
from tests.support.launcher import Launcher
from tests.support.store_files import files_of, holding
from tests.support.writers import records

_EVENTS_OF_A_CASE = 3
"""Each case takes the next ones of the seven, so that every kind of token stands in every kind of event."""


@pytest.fixture
def hooks(home: Path) -> Launcher:
    """A home with the launcher in it, and a store whose debug log is on."""
    launcher = Launcher(home).lay_out(is_patient=True)
    launcher.place.directory.mkdir(parents=True)
    (launcher.place.directory / "config.toml").write_text("debug = true\n")
    return launcher


def shaped_secret(case: Case) -> str | None:
    """The longest secret of a vendor's case, if a rule for its shape finds it without a label."""
    alone = max(case.secrets, key=len)
    is_shaped = any(found.rule != "bare" for found in redact(alone).findings)
    return alone if is_shaped and case.label.startswith("vendor/") else None


def payloads(case: Case, number: int) -> list[tuple[str, dict[str, Any]]]:
    """The hooks of a session that says a case in every field.

    In the place of an id and in a path stands the secret alone, if it has a vendor's shape: without a label
    the hexadecimal digits of some vendors are those of ids, and random letters those of a build's files.
    """
    text, secret = case.text, shaped_secret(case) or f"s{number}"
    common = {
        "cwd": "/nowhere",
        "transcript_path": f"/nowhere/{number}.jsonl",
        "session_id": secret,
    }
    bash = {"tool_name": "Bash", "tool_input": {"command": text, "description": text}}
    edit = {
        "tool_name": "Edit",
        "tool_input": {"file_path": f"/nowhere/{secret}.py", "old_string": "a", "new_string": text},
        "tool_response": {"filePath": f"/nowhere/{secret}.py"},
    }
    printed = {"stdout": text, "stderr": text, "interrupted": False, text[:40]: {text[:40]: text}}
    events: list[tuple[str, dict[str, Any]]] = [
        ("UserPromptSubmit", {"prompt": text, "prompt_id": secret}),
        ("PostToolUse", {**bash, "tool_use_id": secret, "tool_response": printed}),
        ("PostToolUse", {**edit, "tool_use_id": f"e{number}", "agent_id": secret}),
        ("PostToolUseFailure", {**bash, "tool_use_id": f"f{number}", "error": f"Error: {text}"}),
        (
            "SubagentStop",
            {"agent_id": secret, "agent_type": secret, "last_assistant_message": text},
        ),
        ("Stop", {"last_assistant_message": text}),
        ("SessionEnd", {"reason": text[:60]}),
    ]
    return [(event, {**common, "hook_event_name": event, **more}) for event, more in events]


@pytest.mark.req("RD-01")
def test_no_token_and_no_personal_detail_is_in_any_file_after_it_stood_in_every_field(
    hooks: Launcher,
) -> None:
    cases = one_of_each()
    hooks.run("SessionStart", {"session_id": "s", "cwd": "/nowhere", "source": "startup"})
    hooks.wait_for_resident()

    for number, case in enumerate(cases):
        events = payloads(case, number)
        for event, payload in islice(cycle(events), number, number + _EVENTS_OF_A_CASE):
            assert hooks.run(event, payload).status == 0
    broker = Broker(hooks.place)
    broker.index()
    broker.close()

    names = {path.name for path in files_of(hooks.place)}
    sought = [(case.label, sought_as(case, each)) for case in cases for each in case.secrets]
    assert len(cases) >= 150
    assert len(list(filter(None, map(shaped_secret, cases)))) >= 100
    assert len(records(hooks.place)) >= _EVENTS_OF_A_CASE * len(cases)
    assert {
        hooks.place.log.name,
        "catalog.sqlite",
        hooks.place.socket.with_suffix(".log").name,
    } <= names
    assert [label for label, secret in sought if holding(hooks.place, secret)] == []
