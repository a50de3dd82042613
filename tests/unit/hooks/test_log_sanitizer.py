import ast
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
from pydantic import TypeAdapter, ValidationError

import hooklore
from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.errors import NotFound, RecordInvalid
from hooklore.hooks import journal
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.log_sanitizer import (
    PRIVATE_FIELD_MARKER,
    PRIVATE_MEMORY_MARKER,
    describe_error,
    format_append_line,
    format_traceback,
    sanitize_fields,
    sanitize_log_line,
)
from hooklore.hooks.runner import Runner
from hooklore.records.draft import Draft
from hooklore.records.record import Json, Record
from hooklore.records.schema import validate_record

WORDS = "the nightingale sleeps in the old press"

PRIVATE: dict[str, Any] = {
    "stream": "memory", "kind": "fact", "agent_id": "claude", "scope": "agent:claude", "is_private": True,
    "importance": {"score": 0.7, "factors": {"kind": 0.7}},
    "body": {"content_md": WORDS, "tags": [WORDS], "note": WORDS, "nested": {"deep": WORDS}},
}  # fmt: skip


@pytest.mark.req("RD-13", "RD-15", "RD-16", "RD-17")
def test_a_private_memory_is_logged_without_its_text() -> None:
    told = sanitize_fields(PRIVATE)

    assert "nightingale" not in repr(told)
    assert told["content_md"] == PRIVATE_MEMORY_MARKER == "[REDACTED_PRIVATE_MEMORY]"
    assert told["content_length"] == len(WORDS)
    assert (
        told["tags"]
        == told["note"]
        == told["nested"]
        == PRIVATE_FIELD_MARKER
        == "[REDACTED_PRIVATE_FIELD]"
    )
    assert (told["private"], told["kind"], told["importance"]) == (True, "fact", 0.7)


@pytest.mark.req("RD-13", "RD-15", "RD-16", "RD-17")
def test_a_tools_arguments_are_logged_as_seed_001_says() -> None:
    arguments: dict[str, Json] = {
        "content": WORDS, "secondary": WORDS, "body_state": {"calm": WORDS}, "tags": [WORDS],
        "private": True, "category": "feeling", "importance": 4,
    }  # fmt: skip

    assert sanitize_fields(arguments) == {
        "content": PRIVATE_MEMORY_MARKER, "content_length": len(WORDS), "secondary": PRIVATE_FIELD_MARKER,
        "body_state": PRIVATE_FIELD_MARKER, "tags": PRIVATE_FIELD_MARKER, "private": True,
        "category": "feeling", "importance": 4,
    }  # fmt: skip


@pytest.mark.parametrize("given", [3, "3", [WORDS]])
def test_a_length_that_the_writer_gave_is_replaced_by_the_length_of_the_content(
    given: Json,
) -> None:
    arguments: dict[str, Json] = {"content_length": given, "content": WORDS, "private": True}
    body: dict[str, Json] = {"content_length": given, "content_md": WORDS, "text": WORDS}

    assert sanitize_fields(arguments)["content_length"] == len(WORDS)
    assert sanitize_fields({"is_private": True, "body": body})["content_length"] == 2 * len(WORDS)
    assert sanitize_fields({"is_private": True, "body": dict(reversed(body.items()))}) == (
        sanitize_fields({"is_private": True, "body": body})
    )


@pytest.mark.req("RD-18")
def test_the_fields_of_a_public_memory_are_unchanged() -> None:
    arguments: dict[str, Json] = {"content": WORDS, "tags": ["a"], "private": False}
    fields = {"delivery_id": "d1", "body": {"content_md": WORDS}}

    assert sanitize_fields(arguments) is arguments
    assert format_append_line(Record(fields), "stored", "0190") == "append d1 stored 0190"


@pytest.mark.req("RD-13", "RD-15", "RD-17")
def test_the_debug_line_of_a_private_append_holds_the_placeholder_and_the_length() -> None:
    line = format_append_line(Record(PRIVATE | {"delivery_id": "d1"}), "stored", "0190")

    told = orjson.loads(line.partition("{")[1] + line.partition("{")[2])
    assert line.startswith("append d1 stored 0190 {")
    assert told["content_md"] == PRIVATE_MEMORY_MARKER
    assert told["content_length"] == len(WORDS)
    assert "nightingale" not in line


def raised(work: Any) -> BaseException:
    try:
        work()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def chained() -> None:
    try:
        {}[WORDS]  # type: ignore[index]
    except KeyError as error:
        raise ValueError(WORDS) from error


@pytest.mark.req("RD-14")
@pytest.mark.parametrize(
    "work",
    [
        lambda: dict[str, int]()[WORDS],
        lambda: int(WORDS),
        lambda: orjson.loads(WORDS),
        lambda: orjson.dumps({WORDS: object()}),
        lambda: TypeAdapter(int).validate_python(WORDS),
        lambda: WORDS.encode("ascii", "strict").decode("utf-16").encode("ascii"),
        lambda: exec(f"{WORDS} ="),
        chained,
        lambda: Path(f"/nonexistent/{WORDS}").read_bytes(),
    ],
)  # fmt: skip
def test_a_traceback_names_the_place_and_never_a_value(work: Any) -> None:
    error = raised(work)

    told = format_traceback(error)

    assert "nightingale" not in told
    assert "Traceback (most recent call last):" in told
    assert f'File "{__file__}", line' in told
    assert type(error).__qualname__ in told.splitlines()[-1]


@pytest.mark.req("RD-14")
def test_a_validation_error_names_fields_and_no_value() -> None:
    base = {
        "v": 1, "id": "0190a1b2-0000-7000-8000-000000000000", "ts": "2026-01-01T00:00:00Z",
        "stream": "memory", "kind": "fact", "agent_id": "claude", "scope": "global",
    }  # fmt: skip
    odd: list[dict[str, Any]] = [
        {"body": {"content_md": [WORDS]}}, {"body": {"content_md": "x", "tags": WORDS}}, {"body": WORDS},
        {"kind": WORDS}, {"scope": WORDS}, {"role": WORDS}, {"source": {WORDS: {WORDS: 1}, "system": WORDS}},
        {"importance": {"score": 0.5, "factors": {WORDS: WORDS}}}, {"supersedes": [WORDS]},
    ]  # fmt: skip

    for fields in odd:
        invalid = Record({**base, "body": {"content_md": "x"}, **fields})
        error = raised(lambda record=invalid: validate_record(record))
        assert isinstance(error, RecordInvalid)
        assert "nightingale" not in str(error)
        assert "nightingale" not in format_traceback(error)


def test_our_own_error_keeps_its_message_and_a_disk_error_its_cause() -> None:
    assert describe_error(NotFound("0190")) == "could not find `0190`: no such record"
    assert (
        describe_error(OSError(28, "No space left on device")) == "OSError: No space left on device"
    )
    assert describe_error(ValueError()) == "ValueError"
    assert describe_error(ValueError("abc")) == f"ValueError: {PRIVATE_FIELD_MARKER} (3 characters)"
    validation = raised(lambda: TypeAdapter(int).validate_python("x"))
    assert isinstance(validation, ValidationError)
    assert describe_error(validation).startswith("ValidationError: [REDACTED")


def test_a_line_is_one_line_without_secrets_or_terminal_sequences() -> None:
    secret = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    line = sanitize_log_line(f"one\ntwo \x1b[31mred\x1b[0m {secret} \x07\u202e" + "x" * 10_000)

    assert "\n" not in line
    assert secret not in line
    assert line.startswith("one two red ")
    assert len(line) <= 4_000


@pytest.mark.req("RD-14", "RD-19")
def test_a_bug_on_the_hook_path_logs_no_word_of_the_payload(
    store: StoreLocation,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    broker = Broker(store)
    runner = Runner(broker, str(home), lambda: 1_790_000_000 * 10**9)
    for name in ("capture_event", "project_keys", "parse_event", "answers.answer_event"):
        with monkeypatch.context() as patch:
            patch.setattr(f"hooklore.hooks.runner.{name}", broken)
            for event in ("UserPromptSubmit", "PostToolUse", "SessionStart"):
                payload = orjson.dumps({"session_id": WORDS, "prompt": WORDS, "cwd": f"/{WORDS}"})
                runner.run(Delivery("claude", event, "d", payload, {"ANTHROPIC_API_KEY": WORDS}))

    said = capfd.readouterr().err
    broker.close()
    assert said.count("Traceback (most recent call last):") >= 4
    assert "nightingale" not in said


def broken(*values: object, **_: object) -> None:
    raise ValueError(f"could not digest {values!r}")


@pytest.mark.req("RD-14", "RD-19")
def test_an_uncaught_error_passes_the_sanitiser_too(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("excepthook", "unraisablehook"):
        monkeypatch.setattr(sys, name, getattr(sys, name))
    monkeypatch.setattr("threading.excepthook", __import__("threading").excepthook)
    journal.install_error_hooks()
    error = raised(lambda: int(WORDS))

    sys.excepthook(type(error), error, error.__traceback__)

    said = capfd.readouterr().err
    assert "ValueError: [REDACTED_PRIVATE_FIELD]" in said
    assert "nightingale" not in said


WRITES = {
    "hooks/journal.py": "the one place that writes a log of ours",
    "cli/output.py": "what a command says to the person who ran it",
    "cli/main.py": "the command line's boundary: its report comes from the sanitiser",
    "cli/speaking.py": "a question to the person, and whether stderr is a terminal",
    "cli/scrub.py": "a question to the person, whose answer is not shown",
    "cli/progress.py": "a bar at a terminal",
    "api/memory.py": "nothing: it asks whether stderr is a terminal",
    "gateway/web_server.py": "nothing: it switches the logs of its libraries off",
    "mcp_server/serving.py": "nothing: it switches the log of its library off",
    "cli/indexing.py": "nothing: it asks whether stderr is a terminal",
}


@pytest.mark.req("RD-19")
def test_no_line_bypasses_the_sanitiser() -> None:
    """Nothing else of ours writes to stderr, prints, logs, or formats a traceback."""
    root = Path(hooklore.__file__).parent
    found = set()
    for path in root.rglob("*.py"):
        name = str(path.relative_to(root))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            is_log = isinstance(node, ast.Import) and any(
                a.name in ("logging", "warnings") for a in node.names
            )
            is_stderr = isinstance(node, ast.Attribute) and node.attr in (
                "stderr", "format_exc", "print_exc", "format_exception", "print_exception",
            ) and isinstance(node.value, ast.Name) and node.value.id in ("sys", "traceback")  # fmt: skip
            is_print = isinstance(node, ast.Name) and node.id == "print"
            if is_log or is_stderr or is_print:
                found.add(name)

    assert found <= set(WRITES)


@pytest.mark.req("RD-13", "RD-20")
def test_the_debug_log_of_a_private_write_and_of_its_recall_holds_neither_it_nor_the_query(
    store: StoreLocation, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    steps: list[str] = []
    broker = Broker(
        store,
        trace=lambda step, delivery: steps.append(f"{step} {delivery}"),
        log=journal.write_append,
    )
    broker.append([Draft(Record(PRIVATE))])
    runner = Runner(broker, str(home), lambda: 1_790_000_000 * 10**9)
    payload = orjson.dumps({"session_id": "s", "prompt": f"where does {WORDS}?", "cwd": "/"})

    answer = runner.run(Delivery("claude", "UserPromptSubmit", "d", payload))

    said = capfd.readouterr().err + "\n".join(steps)
    broker.close()
    assert "nightingale" not in said
    assert PRIVATE_MEMORY_MARKER in said
    assert answer.stdout == b""
