import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hooklore.agents.event import HookEvent
from hooklore.capture.capture import capture_event
from hooklore.capture.excluded_folders import covers_any
from hooklore.config import CaptureSettings, Settings
from hooklore.hooks.parse import parse_event
from hooklore.records.draft import Draft
from hooklore.records.record import Record
from hooklore.records.schema import validate_record

FIXTURES = Path(__file__).parents[2] / "fixtures" / "claude_code"
RECORDED = sorted(FIXTURES.glob("*.json"))
TS = "2026-01-02T03:04:05.678Z"
DEFAULT = Settings()
WITH_READS = Settings(capture=CaptureSettings(reads=True))


def event(wire: str, **fields: Any) -> HookEvent:
    fields = {"session_id": "s1", "cwd": "/repo", "prompt_id": "p1"} | fields
    return parse_event("claude", wire, "d1", {}, json.dumps(fields).encode())


def recorded(name: str) -> HookEvent:
    raw = (FIXTURES / f"{name}.json").read_bytes()
    return parse_event("claude", json.loads(raw)["hook_event_name"], "d1", {}, raw)


def drafts(what: HookEvent | str, settings: Settings = DEFAULT) -> list[Draft]:
    found = capture_event(recorded(what) if isinstance(what, str) else what, settings, TS)
    return [] if found is None else [Draft(found.composition.compose(found.record))]


def fields(what: HookEvent | str, settings: Settings = DEFAULT) -> dict[str, Any]:
    (draft,) = drafts(what, settings)
    return draft.record.to_json()


def body(what: HookEvent | str, settings: Settings = DEFAULT) -> dict[str, Any]:
    found: dict[str, Any] = fields(what, settings)["body"]
    return found


def bash(response: object, command: str = "make", **more: Any) -> HookEvent:
    given = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1"}
    return event("PostToolUse", tool_response=response, **given, **more)


def failed(error: str, command: str = "make", **more: Any) -> HookEvent:
    given = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1"}
    return event("PostToolUseFailure", error=error, **given, **more)


@pytest.mark.req("WF-02")
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_what_is_recorded_of_a_real_payload_is_a_valid_record(path: Path) -> None:
    for draft in drafts(path.stem, WITH_READS):
        record = validate_record(
            draft.record.with_fields(id="0190a0a0-0000-7000-8000-000000000000", scope="global")
        )

        assert (record.v, record.ts, record.stream) == (1, TS, "observation")
        assert (record.agent_id, record.delivery_id) == ("claude", "d1")
        assert record.session_id == record.run_id is not None
        assert record.source.detail == "hook"


KINDS = {
    "SessionStart-startup": "session_start",
    "SessionStart-resume": "session_start",
    "SessionStart-compact": "session_start",
    "UserPromptSubmit": "prompt",
    "UserPromptSubmit-slash": "prompt",
    "UserPromptSubmit-tasknotification": "task",
    "PreToolUse-Bash": "tool_intent",
    "PreToolUse-Edit": "tool_intent",
    "PreToolUse-Write": "tool_intent",
    "PreToolUse-Agent": "tool_intent",
    "PostToolUse-Bash": "tool_result",
    "PostToolUse-Edit": "tool_result",
    "PostToolUse-TaskCreate": "tool_result",
    "PostToolUse-mcp__harness__remember": "tool_result",
    "PostToolUseFailure-Bash": "error",
    "PostToolUseFailure-Read": "error",
    "Stop": "answer",
    "StopFailure": "error",
    "SubagentStart": "subagent_start",
    "SubagentStop": "subagent_stop",
    "TaskCreated": "task",
    "TaskCompleted": "task",
    "PreCompact-manual": "compaction",
    "PostCompact-manual": "compaction",
    "SessionEnd-other": "session_end",
}

LEFT_OUT = [
    "PreToolUse-Read", "PreToolUse-Glob", "PreToolUse-Grep", "PreToolUse-TaskCreate",
    "PreToolUse-mcp__harness__ask", "PostToolUse-Read", "PostToolUse-Glob", "PostToolUse-Grep",
    "SubagentStop-compactagent", "UserPromptExpansion", "Notification-elicitation_response",
    "PostToolBatch", "MessageDisplay", "InstructionsLoaded-include", "WorktreeCreate",
]  # fmt: skip


@pytest.mark.req("HK-01")
@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_each_event_is_recorded_as_its_kind(name: str, kind: str) -> None:
    assert fields(name)["kind"] == kind


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_a_rule_leaves_out_is_not_recorded(name: str) -> None:
    assert drafts(name) == []


def test_an_intent_says_what_is_to_be_done_and_why() -> None:
    found = body("PreToolUse-Bash")

    assert found["intent"] == "say hi"
    assert found["command"] == "echo hi"
    assert found["actions"] == ["Bash: echo hi"]
    assert found["priority"] == "high"


@pytest.mark.req("HK-03", "EV-22")
def test_a_result_has_outcome_artifacts_and_cost() -> None:
    found = body("PostToolUse-Edit")

    assert found["outcome"] == "success"
    assert found["artifacts"] == ["/repo/note.txt"]
    assert found["cost"] == {"time_ms": 6, "tokens": 0}
    assert found["detail"]["lines"] == {"added": 1, "removed": 1}
    assert found["text"] == "-line two\n+line 2"
    assert found["priority"] == "high"


@pytest.mark.req("HK-07", "EV-21")
def test_a_failure_has_cause_signature_and_how_to_see_it_again() -> None:
    found = body("PostToolUseFailure-Bash")

    assert found["outcome"] == "failure"
    assert found["priority"] == "critical"
    assert found["exit_status"] == 3
    assert found["errors"] == ["oops"]
    assert found["signature"] == "oops"
    assert found["command"] == "echo oops >&2; exit 3"
    assert found["key"]
    assert found["detail"]["reproduce"] == {"cwd": "/repo", "tool": "Bash"}


@pytest.mark.req("EV-21")
@pytest.mark.parametrize(
    "stopped", [{"is_interrupt": True}, {"error": "Sibling tool call errored"}]
)
def test_a_tool_that_was_stopped_is_partial_and_has_no_signature(stopped: dict[str, Any]) -> None:
    found = body(failed(**({"error": "Exit code 137\nError: killed"} | stopped)))

    assert found["outcome"] == "partial"
    assert "signature" not in found


@pytest.mark.req("HK-16", "EV-21")
@pytest.mark.parametrize(
    ("response", "command", "outcome"),
    [
        ({"stdout": "12 passed, 0 failed", "stderr": ""}, "pytest", "success"),
        ({"stdout": "Error: failed fatally", "stderr": "ERROR"}, "cat log", "success"),
        ({"stdout": "12 passed, 0 failed", "stderr": ""}, "pytest | tail -1", "success"),
        ({"stdout": "1 failed, 11 passed", "stderr": ""}, "pytest | tail -1", "failure"),
        ({"stdout": "no counts here", "stderr": ""}, "pytest | tail -1", "unknown"),
        ({"stdout": "x", "interrupted": True}, "make", "partial"),
        ({"stdout": "", "backgroundTaskId": "b1"}, "make", "unknown"),
        ({"stdout": "", "stderr": ""}, "make", "success"),
        ({}, "make", "unknown"),
        (None, "make", "unknown"),
        ("", "make", "unknown"),
        ([], "make", "unknown"),
    ],
)
def test_an_outcome_is_read_from_structure(response: object, command: str, outcome: str) -> None:
    assert body(bash(response, command))["outcome"] == outcome


def test_a_failure_that_a_pipe_hid_is_an_error_with_its_signature() -> None:
    output = "FAILED tests/a.py::test_x - KeyError: 'a'\n1 failed, 11 passed"

    found = fields(bash({"stdout": output, "stderr": ""}, "pytest 2>&1 | tail -5"))

    assert found["kind"] == "error"
    assert found["body"]["signature"] == "failed a.py::test_x - keyerror: 'a'"


@pytest.mark.parametrize(
    ("tool", "response", "outcome"),
    [
        ("WebFetch", {"url": "https://e.example", "code": 404, "result": "x"}, "failure"),
        ("WebFetch", {"url": "https://e.example", "code": 200, "result": "x"}, "success"),
        ("mcp__a__b", {"isError": True, "content": [{"type": "text", "text": "no"}]}, "failure"),
        ("mcp__a__b", {"code": 200, "content": [{"type": "text", "text": "ok"}]}, "success"),
        ("Skill", {"success": False}, "failure"),
        ("Agent", {"isAsync": True, "status": "async_launched", "prompt": "x"}, "unknown"),
    ],
)
def test_other_tools_say_their_outcome_in_fields(
    tool: str, response: dict[str, Any], outcome: str
) -> None:
    found = body(event("PostToolUse", tool_name=tool, tool_input={}, tool_response=response))

    assert found["outcome"] == outcome


def test_an_error_of_a_file_tool_is_the_harness_own_and_has_no_signature() -> None:
    error = "String to replace not found in file.\nString: x"
    given = {"tool_name": "Edit", "tool_input": {"file_path": "/repo/src/a.py"}, "error": error}

    found = body(event("PostToolUseFailure", **given))

    assert (found["stopped_by"], found["outcome"]) == ("harness", "partial")
    assert "signature" not in found
    assert "errors" not in found
    assert found["text"] == error


@pytest.mark.parametrize(
    "tool_event", ["PreToolUse-Bash", "PostToolUse-Bash", "PostToolUseFailure-Bash"]
)
def test_only_tool_events_have_a_key_of_their_own(tool_event: str) -> None:
    what = recorded(tool_event)

    key = fields(what)["natural_key"]

    assert key == f"claude|{what.session_id}|{what.event}|{what.tool_use_id}"
    assert "natural_key" not in fields("TaskCreated")
    assert "natural_key" not in fields("SubagentStart")


@pytest.mark.req("WF-02")
def test_who_did_it_is_filled_in() -> None:
    sub, main = fields("PostToolUse-Bash-subagent"), fields("PostToolUse-Bash")

    assert (sub["role"], sub["agent_type"]) == ("executor", "general-purpose")
    assert sub["subagent_id"] == "a805c9ae9402bbc60"
    assert (main["role"], main["agent_id"]) == ("general", "claude")
    assert main["task_id"] == recorded("PostToolUse-Bash").task_id


def test_a_prompt_is_the_users_word_with_high_priority() -> None:
    found = fields("UserPromptSubmit")

    assert (found["kind"], found["basis"]) == ("prompt", "user")
    assert found["body"]["text"] == "please do the thing"
    assert found["body"]["priority"] == "high"


def test_an_approval_is_marked_at_the_prompt_and_the_answer_is_kept() -> None:
    approval = body(event("UserPromptSubmit", prompt="yes, go ahead"))
    answer = fields("Stop")

    assert approval["detail"]["signal"] == "approval"
    assert (answer["kind"], answer["basis"]) == ("answer", "inferred")
    assert answer["body"]["text"] == "FINAL: everything done."


@pytest.mark.parametrize(
    "prompt", ["", "   \n", "<private>all</private>", "<hooklore-notes>x</hooklore-notes>"]
)
def test_a_prompt_without_words_of_the_user_is_not_recorded(prompt: str) -> None:
    assert drafts(event("UserPromptSubmit", prompt=prompt)) == []


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("fix <private>for Bob</private> it", "fix  it"),
        ("fix it <PRIVATE>for\nBob</private>", "fix it"),
        ("fix it <private>for Bob and never closed", "fix it"),
    ],
)
def test_private_parts_of_a_prompt_are_not_recorded(prompt: str, kept: str) -> None:
    found = fields(event("UserPromptSubmit", prompt=prompt))

    assert found["body"]["text"] == kept
    assert "Bob" not in json.dumps(found)


def test_a_slash_command_is_an_action_and_not_the_users_words() -> None:
    found = fields("UserPromptSubmit-slash")

    assert found["basis"] == "tool"
    assert found["body"]["actions"] == ["/foo some args"]
    assert "text" not in found["body"]


def test_private_arguments_of_a_slash_command_are_not_recorded() -> None:
    found = fields(event("UserPromptSubmit", prompt="/foo a <private>Bob</private>"))

    assert found["body"]["actions"] == ["/foo a"]


def test_the_end_of_a_background_task_is_a_task() -> None:
    found = fields("UserPromptSubmit-tasknotification")

    assert (found["kind"], found["basis"]) == ("task", "tool")
    assert found["body"]["outcome"] == "success"
    assert found["body"]["task"] == "boqmzqz2j"


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_a_start_of_a_session_is_recorded_as_what_it_is(source: str) -> None:
    found = fields(f"SessionStart-{source}")

    assert found["kind"] == "session_start"
    assert found["body"]["detail"]["source"] == source
    assert found["body"]["agents"] == ["claude"]


@pytest.mark.req("EV-22")
def test_the_end_of_a_session_has_three_sections_and_its_tokens(tmp_path: Path) -> None:
    usage = {"input_tokens": 3, "output_tokens": 4, "cache_read_input_tokens": 50}
    line = json.dumps({"message": {"id": "m1", "usage": usage}})
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(f"{line}\n{line}\n")

    found = body(event("SessionEnd", reason="clear", transcript_path=str(transcript)))

    assert found["sections"] == {"results": [], "unresolved": [], "next_actions": []}
    assert found["tokens"] == {"input": 3, "output": 4, "cache_creation": 0, "cache_read": 50}
    assert found["cost"] == {"tokens": 7, "time_ms": 0}


def test_a_task_says_its_state() -> None:
    created, completed = body("TaskCreated"), body("TaskCompleted")

    assert (created["task"], created["text"]) == ("1", "Do a thing\ndesc of thing")
    assert "outcome" not in created
    assert completed["outcome"] == "success"


def test_a_compaction_keeps_its_summary_and_the_users_instructions() -> None:
    before, after = fields("PreCompact-manual"), fields("PostCompact-manual")

    assert (before["basis"], before["body"]["text"]) == ("user", "keep the note facts")
    assert (after["basis"], after["body"]["detail"]["phase"]) == ("inferred", "after")
    assert "FAKE-SUMMARY" in after["body"]["text"]


def test_reads_keep_path_and_counts_and_never_the_content() -> None:
    read = fields("PostToolUse-Read", WITH_READS)
    grep = fields("PostToolUse-Grep", WITH_READS)

    assert read["body"]["paths"] == ["/repo/note.txt"]
    assert read["body"]["detail"] == {"numLines": 3, "startLine": 1, "totalLines": 3}
    assert "line one" not in json.dumps(read)
    assert grep["body"]["detail"]["pattern"] == "line"


WORDS = "0123456789 " * 20_000


@pytest.mark.parametrize(
    ("what", "field", "limit"),
    [
        (event("UserPromptSubmit", prompt=WORDS), "text", 8192),
        (event("Stop", last_assistant_message=WORDS), "text", 8192),
        (event("PostCompact", compact_summary=WORDS), "text", 8192),
        (bash({"stdout": "x"}, WORDS), "command", 1024),
        (bash({"stdout": WORDS}), "text", 512),
        (bash({"stdout": "", "stderr": WORDS}), "text", 1024),
        (failed(WORDS), "text", 1024),
        (
            event(
                "PostToolUse", tool_name="Write", tool_input={"content": WORDS}, tool_response="ok"
            ),
            "text",
            400,
        ),
        (event("PostToolUse", tool_name="mcp__a__b", tool_response=[WORDS]), "text", 512),
        (event("PostToolUse", tool_name="WebFetch", tool_response={"result": WORDS}), "text", 512),
        (event("SubagentStop", agent_type="x", last_assistant_message=WORDS), "text", 8192),
    ],
)
def test_what_is_long_is_cut_and_says_by_how_much(what: HookEvent, field: str, limit: int) -> None:
    found = body(what)

    size = len(found[field].encode())
    assert limit - 11 <= size <= limit
    assert len(WORDS) - 11 - size <= max(found["cut"].values()) <= len(WORDS) - size
    assert set(found[field].split()) == {"0123456789"}


def test_the_end_of_an_output_is_kept_not_its_beginning() -> None:
    found = body(bash({"stdout": "first " + "line " * 5000 + "last"}))

    assert found["text"].endswith("last")
    assert "first" not in found["text"]


@pytest.mark.parametrize("size", range(8150, 8230, 7))
def test_no_cut_halves_a_word(size: int) -> None:
    word = "Zq" * 20
    prompt = ("a " * 10_000)[:size] + f" {word} tail " + "b " * 5000

    text = body(event("UserPromptSubmit", prompt=prompt))["text"]

    assert text.endswith((word, "a", "tail", "b"))


def test_japanese_is_cut_between_letters() -> None:
    found = body(event("UserPromptSubmit", prompt="記憶" * 8000))

    assert 8188 <= len(found["text"].encode()) <= 8192
    assert set(found["text"]) == {"記", "憶"}


def test_a_secret_is_masked_before_a_cut_could_halve_it() -> None:
    secret = "open" + "-" + "sesame and more words"

    def masked(record: Record) -> Record:
        return Record(json.loads(json.dumps(record.to_json()).replace(secret, "MASK")))

    for size in range(480, 530):
        what = bash({"stdout": secret + " " + ("x " * 300)[:size]})
        taken = capture_event(what, DEFAULT, TS)

        assert taken is not None
        assert "sesame" not in json.dumps(taken.composition.compose(masked(taken.record)).to_json())


def test_colours_and_control_characters_are_left_out() -> None:
    found = body(bash({"stdout": "\x1b[31mred\x1b[0m\r\nnext\x00\x07\x1b]0;title\x07 end"}))

    assert found["text"] == "red\nnext end"


SECRET_FILE = "/repo/config/.env.local"


@pytest.mark.parametrize(
    "what",
    [
        event("PostToolUse", tool_name="Write", tool_use_id="t",
              tool_input={"file_path": SECRET_FILE, "content": "hunter"}, tool_response={"content": "hunter"}),
        event("PreToolUse", tool_name="Edit", tool_input={"file_path": SECRET_FILE, "new_string": "hunter"}),
        event("PostToolUseFailure", tool_name="Edit", tool_input={"file_path": SECRET_FILE},
              error="String to replace not found in file.\nString: hunter"),
        bash({"stdout": "hunter"}, "cat config/.env.local"),
        bash({"stdout": "hunter"}, "grep KEY < key.pem | head -1"),
        failed("Error: hunter", "cat .env"),
        bash({"stdout": ""}, "echo hunter > .env"),
        bash({"stdout": ""}, "cat <<EOF | tee .env\nhunter\nEOF"),
    ],
)  # fmt: skip
def test_of_a_file_that_is_excluded_only_the_path_is_kept(what: HookEvent) -> None:
    found = json.dumps(fields(what))

    assert "hunter" not in found
    assert ".env" in found or ".pem" in found


def test_programs_below_an_excluded_folder_are_recorded_as_usual() -> None:
    found = body(bash({"stdout": "built"}, "node node_modules/.bin/tsc"))

    assert found["text"] == "built"


@pytest.mark.parametrize(
    ("folder", "excluded"),
    [("/home/u/secret", True), ("/home/u/secret/sub/dir", True), ("/home/u/other", False)],
)
def test_a_folder_below_an_excluded_one_is_excluded(folder: str, excluded: bool) -> None:
    settings = Settings(capture=CaptureSettings(exclude_projects=("/home/*/secret",)))

    assert covers_any(settings, (None, folder)) is excluded


@pytest.mark.parametrize(
    ("wire", "kind"),
    [
        ("SessionStart", "session_start"), ("UserPromptSubmit", "prompt"),
        ("PreToolUse", "tool_intent"), ("PostToolUse", "tool_result"),
        ("PostToolUseFailure", "error"), ("Stop", "answer"), ("StopFailure", "error"),
        ("SubagentStart", "subagent_start"), ("SubagentStop", "subagent_stop"),
        ("TaskCreated", "task"), ("TaskCompleted", "task"), ("PreCompact", "compaction"),
        ("PostCompact", "compaction"), ("SessionEnd", "session_end"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "payload", [b"", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"session_id": "s-9", ']
)
def test_what_cannot_be_parsed_is_one_record_of_its_kind(
    wire: str, kind: str, payload: bytes
) -> None:
    found = fields(parse_event("claude", wire, "d1", {}, payload))

    assert found["kind"] == kind
    assert found["body"]["detail"]["problem"]
    assert found.get("session_id") == ("s-9" if b"s-9" in payload else None)
    validate_record(
        Record(found).with_fields(id="0190a0a0-0000-7000-8000-000000000000", scope="global")
    )


def test_a_read_that_came_in_part_is_left_out_like_any_read() -> None:
    payload = b'{"session_id": "s", "tool_name": "Read", "tool_response": "'

    assert (
        drafts(parse_event("claude", "PostToolUse", "d1", {"TRUE_SIZE": "99999999"}, payload)) == []
    )


def test_an_unknown_event_is_not_recorded() -> None:
    assert drafts(event("BrandNew")) == []
    assert drafts(replace(event("BrandNew"), problem="not JSON")) == []


def test_other_agents_are_recorded_as_another_system() -> None:
    other = replace(event("UserPromptSubmit", prompt="hello"), agent_id="copilot")

    assert fields(other)["source"] == {"system": "other", "detail": "hook"}


def test_deep_tool_input_is_no_trouble() -> None:
    deep: Any = "x"
    for _ in range(900):
        deep = [deep]

    found = body(
        event("PostToolUse", tool_name="mcp__a__b", tool_input={"a": deep}, tool_response=deep)
    )

    assert found["outcome"] == "success"
