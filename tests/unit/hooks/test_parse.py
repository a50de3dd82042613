import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hooklore.agents.claude_code import AGENT as CLAUDE_CODE
from hooklore.agents.event import BackgroundTask, HookEvent, SlashCommand, ToolCall
from hooklore.hooks.parse import MAX_NAME_LENGTH, parse_event

FIXTURES = Path(__file__).parents[2] / "fixtures" / "claude_code"
RECORDED = sorted(FIXTURES.glob("*.json"))


def recorded(name: str) -> bytes:
    return (FIXTURES / f"{name}.json").read_bytes()


def parsed(
    payload: bytes | dict[str, Any],
    wire: str,
    facts: Mapping[str, str] = {},
    agent: str = "claude",
) -> HookEvent:
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return parse_event(agent, wire, "d1", facts, raw)


def event_of(name: str) -> HookEvent:
    raw = recorded(name)
    return parsed(raw, json.loads(raw)["hook_event_name"])


@pytest.mark.req("HK-01")
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_every_recorded_payload_is_understood(path: Path) -> None:
    fields = json.loads(path.read_bytes())

    event = parsed(path.read_bytes(), fields["hook_event_name"])

    assert event.problem is None
    known = CLAUDE_CODE.events.get(fields["hook_event_name"])
    assert event.event == (known.event if known else "other")
    assert event.session_id == fields["session_id"]
    assert event.cwd == fields["cwd"]
    assert event.task_id == fields.get("prompt_id")
    assert event.transcript_path == fields["transcript_path"]
    assert event.payload_event is None
    if event.event in ("before_tool", "after_tool", "failure"):
        assert (event.tool, event.tool_use_id) == (fields["tool_name"], fields["tool_use_id"])
        assert event.call.intent == fields["tool_input"].get("description")
        assert event.tool_class is not None


def test_the_recorded_payloads_cover_every_event_that_is_registered() -> None:
    names = {json.loads(path.read_bytes())["hook_event_name"] for path in RECORDED}

    missing = set(CLAUDE_CODE.events) - names

    assert missing == set()


@pytest.mark.parametrize(
    ("name", "field", "expected"),
    [
        ("UserPromptSubmit", "text", "please do the thing"),
        ("Stop", "text", "FINAL: everything done."),
        ("PostToolUseFailure-Bash", "text", "Exit code 3\noops"),
        ("PostToolUseFailure-Bash", "command", "echo oops >&2; exit 3"),
        ("PostToolUse-Bash", "duration_ms", 43),
        ("PostToolUse-Bash", "tool_class", "command"),
        ("PostToolUse-Edit", "paths", ("/repo/note.txt",)),
        ("PostToolUse-Edit", "tool_class", "edit"),
        ("PostToolUse-Write", "tool_class", "write"),
        ("PostToolUse-Read", "tool_class", "read"),
        ("PostToolUse-Grep", "tool_class", "search"),
        ("PostToolUse-Agent", "tool_class", "agent"),
        ("PostToolUse-mcp__harness__ask", "tool_class", "mcp"),
        ("PostToolUse-TaskCreate", "tool_class", "other"),
        ("PostToolUse-Bash-subagent", "subagent_id", "a805c9ae9402bbc60"),
        ("PostToolUse-Bash-subagent", "agent_type", "general-purpose"),
        ("SessionStart-resume", "source", "resume"),
        ("SessionEnd-clear", "source", "clear"),
        ("PreCompact-manual", "text", "keep the note facts"),
        ("PreCompact-auto", "text", None),
        ("PreCompact-auto", "source", "auto"),
        ("TaskCreated", "text", "Do a thing"),
        ("SubagentStop", "text", "SUBAGENT-RESULT ok"),
    ],
)
def test_fields_are_found_where_the_client_puts_them(
    name: str, field: str, expected: object
) -> None:
    event = event_of(name)

    assert getattr(event, field) == expected


def test_the_exit_status_is_read_from_the_form_of_the_error() -> None:
    assert event_of("PostToolUseFailure-Bash").exit_status == 3
    assert event_of("PostToolUseFailure-Read").exit_status is None


def test_the_summariser_of_a_compaction_is_told_from_a_subagent() -> None:
    assert event_of("SubagentStop-compactagent").is_summarizer
    assert not event_of("SubagentStop").is_summarizer


def test_a_task_notification_is_not_what_the_user_said() -> None:
    event = event_of("UserPromptSubmit-tasknotification")

    assert event.text == ""
    assert isinstance(event.notification, BackgroundTask)
    assert (event.notification.status, event.notification.task) == ("completed", "boqmzqz2j")


def test_a_pointer_below_a_notification_is_not_what_the_user_said() -> None:
    prompt = "<task-notification><status>failed</status></task-notification>\n"
    prompt += "Full transcript available at: /tmp/x.output\nand go on please"

    event = parsed({"prompt": prompt}, "UserPromptSubmit")

    assert event.text == "and go on please"


@pytest.mark.parametrize(
    ("prompt", "name", "arguments"),
    [
        ("/foo some args", "foo", "some args"),
        ("/kitchen:open", "kitchen:open", ""),
        ("/compact keep\nthe facts", "compact", "keep\nthe facts"),
        (
            (
                "<command-message>a:b</command-message>\n<command-name>/a:b</command-name>\n"
                "<command-args>x y</command-args>"
            ),
            "a:b",
            "x y",
        ),
    ],
)
def test_a_slash_command_is_told_from_words(prompt: str, name: str, arguments: str) -> None:
    event = parsed({"prompt": prompt}, "UserPromptSubmit")

    assert event.slash == SlashCommand(name, arguments)
    assert event.text == ""


@pytest.mark.parametrize("prompt", ["/etc/hosts is wrong", "a / b", "see /foo", "テスト /foo"])
def test_a_prompt_that_only_mentions_a_path_is_words(prompt: str) -> None:
    event = parsed({"prompt": prompt}, "UserPromptSubmit")

    assert event.text == prompt
    assert event.slash is None


def test_text_that_hooks_put_in_is_not_what_the_user_said() -> None:
    prompt = (
        "<hooklore-notes>\n- use tabs\n</hooklore-notes>\nfix it"
        "<system-reminder>be brief</system-reminder>"
    )

    event = parsed({"prompt": prompt}, "UserPromptSubmit")

    assert event.text == "fix it"


def test_the_registration_names_the_event_and_the_payload_is_remembered() -> None:
    event = parsed(recorded("PostToolUse-Bash"), "PreToolUse")

    assert event.event == "before_tool"
    assert event.payload_event == "PostToolUse"


def test_an_unknown_event_passes_as_other() -> None:
    event = parsed({"session_id": "s", "brand_new": 1}, "BrandNew")

    assert (event.event, event.wire_event, event.session_id) == ("other", "BrandNew", "s")


def test_an_unknown_agent_has_only_other_events() -> None:
    event = parsed(recorded("PostToolUse-Bash"), "PostToolUse", agent="somebody")

    assert (event.event, event.agent_id) == ("other", "somebody")


@pytest.mark.parametrize("agent", ["", "../x", "UPPER", "a" * 40, "ü"])
def test_a_name_that_no_record_may_carry_is_unknown(agent: str) -> None:
    assert parsed({}, "Stop", agent=agent).agent_id == "unknown"


def test_the_clients_facts_are_kept() -> None:
    facts = {
        "CLAUDE_PROJECT_DIR": "/p",
        "CLAUDE_CODE_ENTRYPOINT": "sdk-cli",
        "CLAUDE_CODE_CHILD_SESSION": "1",
        "HOOKLORE_DEPTH": "1",
        "HOME": "/h",
    }

    event = parsed({}, "Stop", facts)

    assert (event.project_dir, event.entrypoint) == ("/p", "sdk-cli")


@pytest.mark.parametrize(
    ("fields", "stopped_by"),
    [
        ({"error": "Sibling tool call errored"}, "cancelled"),
        ({"error": "[Request interrupted by user]"}, "interrupted"),
        ({"error": "Exit code 137", "is_interrupt": True}, "interrupted"),
        ({"error": "Exit code 137"}, None),
        ({}, None),
    ],
)
def test_a_tool_that_somebody_stopped_did_not_fail_by_itself(
    fields: dict[str, Any], stopped_by: str | None
) -> None:
    event = parsed({"tool_name": "Bash", **fields}, "PostToolUseFailure")

    assert event.stopped_by == stopped_by


PREFIX = b'{"session_id": "s-1", "cwd": "/repo", "tool_name": "Bash", "tool_use_id": "t1", '


@pytest.mark.parametrize(
    "payload",
    [
        PREFIX + b'"tool_input": {"command": "make \\ud800 x"}}',
        PREFIX + b'"duration_ms": NaN, "tool_input": {"command": "make"}}',
        PREFIX + b'"big": ' + b"9" * 5000 + b', "tool_input": {"command": "make"}}',
        PREFIX + b'"nul": "a\x00b", "tool_input": {"command": "make"}}',
        PREFIX + b'"bad": "\xff\xfe", "tool_input": {"command": "make"}}',
        b"\xef\xbb\xbf" + PREFIX + b'"tool_input": {"command": "make"}}',
        PREFIX + b'"tool_input": {"command": "make"}}' + b"\x00" * 64,
        PREFIX + b'"tool_input": {"command": "make"}}\nand a line of a log',
        PREFIX + b'"inf": [Infinity, -Infinity], "tool_input": {"command": "make"}}',
    ],
    ids=["surrogate", "nan", "digits", "nul", "utf8", "bom", "padding", "trailing", "infinity"],
)
def test_damage_that_can_be_mended_costs_no_field(payload: bytes) -> None:
    event = parsed(payload, "PostToolUse")

    assert event.problem is None
    assert (event.session_id, event.tool, event.tool_use_id) == ("s-1", "Bash", "t1")
    assert event.command is not None
    assert event.command.startswith("make")
    assert event.command.encode()


@pytest.mark.parametrize(
    ("payload", "problem"),
    [
        (b"", "empty"),
        (b" \n\x00", "empty"),
        (b"hello", "not JSON"),
        (b"[1, 2]", "not an object"),
        (b"3", "not an object"),
        (b"null", "not an object"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"\x80\x81\x82", "not JSON"),
    ],
)
def test_what_is_no_object_is_an_event_with_a_problem(payload: bytes, problem: str) -> None:
    event = parsed(payload, "Stop")

    assert event.event == "answer"
    assert event.problem == problem


def test_the_head_of_a_truncated_payload_is_kept() -> None:
    whole = PREFIX + b'"tool_input": {"command": "make all", "file": "' + b"x" * 200_000 + b'"}}'
    facts = {"TRUE_SIZE": str(len(whole))}

    event = parsed(whole[:65536], "PreToolUse", facts)

    assert event.problem == f"only 65536 of {len(whole)} bytes came"
    assert (event.session_id, event.cwd, event.tool) == ("s-1", "/repo", "Bash")
    assert event.command == "make all"


def test_a_deep_payload_keeps_what_its_head_shows() -> None:
    event = parsed(
        PREFIX + b'"tool_input": {"command": "make", "x": ' + b"[" * 100_000, "PreToolUse"
    )

    assert event.problem == "nested too deeply"
    assert (event.session_id, event.command) == ("s-1", "make")


def test_a_string_cut_by_the_end_loses_its_last_word() -> None:
    event = parsed(b'{"session_id": "s", "prompt": "use the key abcdef12', "UserPromptSubmit")

    assert event.text == "use the key"


def test_a_string_inside_a_string_is_not_taken_for_a_field() -> None:
    event = parsed(
        b'{"prompt": "\\"session_id\\": \\"no\\"", "session_id": "yes", ', "UserPromptSubmit"
    )

    assert event.session_id == "yes"


@pytest.mark.parametrize("wrong", [1, 1.5, True, None, [], {}, [{"a": 1}]])
def test_a_field_of_the_wrong_type_is_left_out_and_the_rest_kept(wrong: object) -> None:
    fields = dict.fromkeys(
        ("session_id", "cwd", "transcript_path", "prompt_id", "agent_id", "agent_type", "error"),
        wrong,
    )

    event = parsed(
        fields | {"tool_name": "Bash", "tool_use_id": wrong, "tool_input": [wrong]},
        "PostToolUseFailure",
    )

    assert event.tool == "Bash"
    assert event.session_id is event.cwd is event.tool_use_id is event.text is None
    assert event.call == ToolCall()
    assert event.problem is None


@pytest.mark.parametrize("wrong", ["x", True, -1, None, [], 1e300])
def test_a_duration_of_the_wrong_kind_is_none(wrong: object) -> None:
    payload = {"tool_name": "Bash", "duration_ms": wrong, "is_interrupt": "yes"}

    event = parsed(payload, "PostToolUseFailure")

    assert event.duration_ms == 0
    assert event.stopped_by is None


def test_ids_hold_no_path_and_no_control_character() -> None:
    event = parsed({"session_id": "../../etc\x00\n/passwd", "cwd": "/a\x00b\n"}, "Stop")

    assert event.session_id is not None
    assert "/" not in event.session_id
    assert event.session_id.isprintable()
    assert event.cwd == "/ab"


def test_two_long_ids_stay_two() -> None:
    one = parsed({"session_id": "a" * 5000 + "1"}, "Stop").session_id
    two = parsed({"session_id": "a" * 5000 + "2"}, "Stop").session_id

    assert one is not None
    assert len(one) <= MAX_NAME_LENGTH
    assert one != two


def test_the_roles_of_built_in_agents_are_known() -> None:
    roles = {
        kind: parsed({"agent_id": "a", "agent_type": kind}, "SubagentStart").role
        for kind in ("Explore", "Plan", "general-purpose", "my-own")
    }

    assert roles == {
        "Explore": "researcher",
        "Plan": "reasoner",
        "general-purpose": "executor",
        "my-own": "general",
    }


def test_a_prompt_of_megabytes_full_of_tags_is_no_trouble() -> None:
    prompt = "<command-name>" * 80_000 + "<task-notification>" * 80_000

    event = parsed({"prompt": prompt}, "UserPromptSubmit")

    assert event.problem is None
