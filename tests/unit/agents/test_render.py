import json

import pytest

from hooklore.agents.claude_code import MAX_OUTPUT_UNITS
from hooklore.agents.event import HookEvent
from hooklore.agents.render import render_hook_output
from hooklore.hooks.parse import parse_event

SPEAKING = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUseFailure", "SubagentStart")
SILENT = (
    "PostToolUse", "StopFailure", "SubagentStop", "TaskCreated", "TaskCompleted",
    "PreCompact", "PostCompact", "SessionEnd", "BrandNew",
)  # fmt: skip


def event(wire: str, payload: bytes = b"{}", agent: str = "claude") -> HookEvent:
    return parse_event(agent, wire, "d1", {}, payload)


def units(output: bytes) -> int:
    return len(output.decode().encode("utf-16-le")) // 2


@pytest.mark.req("RF-07")
@pytest.mark.parametrize("wire", SPEAKING)
def test_context_stands_where_the_client_reads_it(wire: str) -> None:
    output = render_hook_output(event(wire), "a note", "1 note", None)

    assert json.loads(output) == {
        "systemMessage": "1 note",
        "hookSpecificOutput": {"hookEventName": wire, "additionalContext": "a note"},
    }


@pytest.mark.parametrize("wire", SILENT)
def test_nothing_is_printed_where_it_would_be_ignored_or_do_harm(wire: str) -> None:
    assert render_hook_output(event(wire), "a note", "1 note", "stop") == b""


def test_at_the_end_of_an_answer_the_user_alone_is_told_something() -> None:
    output = render_hook_output(event("Stop"), "a note", "kept: 1 rule", "stop")

    assert json.loads(output) == {"systemMessage": "kept: 1 rule"}
    assert render_hook_output(event("Stop"), "a note", None, "stop") == b""


@pytest.mark.parametrize("wire", SPEAKING)
def test_nothing_to_say_prints_nothing(wire: str) -> None:
    assert render_hook_output(event(wire), None, None, None) == b""
    assert render_hook_output(event(wire), "", "", "") == b""


def test_a_notice_alone_is_for_the_user_only() -> None:
    output = render_hook_output(event("SessionStart"), None, "4 notes, 380 tokens", None)

    assert json.loads(output) == {"systemMessage": "4 notes, 380 tokens"}


@pytest.mark.req("RF-13")
def test_strict_mode_stops_the_turn_and_shows_the_model_nothing() -> None:
    output = render_hook_output(event("UserPromptSubmit"), "a note", None, "memory is unreadable")

    assert json.loads(output) == {"continue": False, "stopReason": "memory is unreadable"}


def test_the_event_that_the_client_fired_is_named_not_the_registration() -> None:
    started = event("SessionStart", b'{"hook_event_name": "UserPromptSubmit"}')
    ended = event("SessionStart", b'{"hook_event_name": "SessionEnd"}')

    named = json.loads(render_hook_output(started, "a note", None, None))["hookSpecificOutput"]

    assert named["hookEventName"] == "UserPromptSubmit"
    assert render_hook_output(ended, "a note", None, None) == b""


def test_other_agents_are_told_nothing_in_claude_codes_form() -> None:
    assert render_hook_output(event("SessionStart", agent="somebody"), "a note", None, None) == b""


@pytest.mark.parametrize(
    "line",
    ["plain words " * 5, "記憶の断片 " * 9, '"\\quoted"\t' * 9, "\x01\x02" * 20, "😀" * 30],
    ids=["ascii", "japanese", "escapes", "control", "emoji"],
)
def test_a_long_context_is_cut_at_a_line_and_says_so(line: str) -> None:
    context = "<notes>\n" + f"{line}\n" * 2000 + "</notes>"

    output = render_hook_output(event("SessionStart"), context, "notice " * 10, None)

    shown = json.loads(output)["hookSpecificOutput"]["additionalContext"].split("\n")
    assert units(output) < MAX_OUTPUT_UNITS
    assert units(output) > MAX_OUTPUT_UNITS * 0.8
    assert shown[-1] == "</notes>"
    assert "more lines did not fit" in shown[-2]
    assert set(shown[1:-2]) == {line}


def test_a_context_of_one_endless_line_is_cut_too() -> None:
    output = render_hook_output(event("SessionStart"), "word " * 20_000, None, None)

    shown = json.loads(output)["hookSpecificOutput"]["additionalContext"]
    assert units(output) < MAX_OUTPUT_UNITS
    assert shown.startswith("word word")


def test_a_context_that_just_fits_is_whole() -> None:
    context = "x" * 8500

    output = render_hook_output(event("SessionStart"), context, None, None)

    assert json.loads(output)["hookSpecificOutput"]["additionalContext"] == context


def test_lone_surrogates_and_endless_notices_are_harmless() -> None:
    output = render_hook_output(event("SessionStart"), "a \ud800 b", "n" * 50_000 + "\udfff", None)

    assert units(output) < MAX_OUTPUT_UNITS
    assert "\ufffd" in json.loads(output)["hookSpecificOutput"]["additionalContext"]
