"""What is marked as private leaves every text of an event, however the mark is written."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import StoreLocation
from hooklore.redaction.private_parts import without_private, without_private_in
from tests.redaction.disguises import INVISIBLE
from tests.redaction.draw import Draw
from tests.support.agent import Agent
from tests.support.store_files import holding

_DRAW = Draw("private")
SECRET = " ".join(_DRAW.words(5))
"""No rule could know it."""

_WIDE = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})


@pytest.mark.parametrize(
    ("text", "left", "count"),
    [
        ("a <private>b</private> c", "a  c", 1),
        ("<private>a</private><private>b</private>", "", 2),
        ("a <private>b", "a", 1),
        ("a", "a", 0),
        ("a </private> b", "b", 1),
        ("a <private>b</private> c </private> d <private>e</private> f", "d  f", 2),
        ("a <private>b <private>c</private> d</private> e", "a  e", 1),
        ("a <private>b <private>c</private> d", "a", 1),
        (" a \n", " a \n", 0),
    ],
)
def test_private_parts_are_taken_out(text: str, left: str, count: int) -> None:
    assert without_private(text) == (left, count)


TAGS = {
    "a blank before the end": ("<private >", "</private >"),
    "Markdown's escapes": ("\\<private\\>", "\\</private\\>"),
    "entities without an end": ("&#60private&#62", "&#60/private&#62"),
    "escaped twice": ("&amp;lt;private&amp;gt;", "&amp;lt;/private&amp;gt;"),
    "percent signs twice": ("%253Cprivate%253E", "%253C/private%253E"),
    "a blank after the beginning": ("< private>", "< /private>"),
    "a blank after the slash": ("<private>", "</ private>"),
    "a line break": ("<private\n>", "</private\n>"),
    "an attribute": ('<private reason="family" level=2>', "</private>"),
    "capitals": ("<PRIVATE>", "</Private>"),
    "full-width brackets": ("＜private＞", "＜/private＞"),
    "all full width": ("<private>".translate(_WIDE), "</private>".translate(_WIDE)),
    "other brackets": ("‹private›", "〈/private〉".replace("〈", "‹").replace("〉", "›")),
    "look-alikes": ("<рrivаte>", "</рrivаtе>"),
    "escapes of a page": ("&lt;private&gt;", "&lt;/private&gt;"),
    "escapes of JSON": (r"\u003cprivate\u003e", r"\u003c/private\u003e"),
    "a closed beginning": ("<private/>", "</private>"),
    **{f"invisible {ord(c):x}": (f"<pri{c}vate>", f"<{c}/priv{c}ate>") for c in INVISIBLE},
}


@pytest.mark.parametrize("tags", TAGS.values(), ids=TAGS)
def test_a_tag_is_one_however_it_is_written(tags: tuple[str, str]) -> None:
    begin, end = tags

    assert without_private(f"Fix it. {begin}{SECRET}{end} Then stop.") == ("Fix it.  Then stop.", 1)
    assert without_private(f"Fix it. {begin}{SECRET}") == ("Fix it.", 1)
    assert without_private(f"{SECRET}{end} Then stop.") == ("Then stop.", 1)


@pytest.mark.parametrize(
    "text",
    [
        "#include <private/qobject_p.h>\nvoid f();", "Map<PrivateKey> keys;", "List<privateer>",
        "class Box<Private extends Base> {}",
        "the private method <T> is private", "a < private_count > b", "private > public",
    ],
)  # fmt: skip
def test_code_that_says_private_is_kept(text: str) -> None:
    assert without_private(text) == (text, 0)


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path) -> Iterator[Agent]:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    one = Agent(store, project, tmp_path)
    one.starts("s1")
    yield one
    one.broker.close()


MARKED = f"shared words <private>{SECRET}</private> more words"
EVENTS: dict[str, dict[str, Any]] = {
    "UserPromptSubmit": {"prompt": MARKED},
    "Stop": {"last_assistant_message": MARKED, "stop_hook_active": False},
    "SubagentStop": {"last_assistant_message": MARKED, "agent_id": "a1", "agent_type": "Explore"},
    "PreCompact": {"trigger": "manual", "custom_instructions": MARKED},
    "PostCompact": {"trigger": "manual", "compact_summary": MARKED},
    "TaskCreated": {"task_subject": MARKED, "task_description": MARKED, "task_id": "1"},
    "TaskCompleted": {"task_subject": MARKED, "task_description": MARKED, "task_id": "1"},
    "SessionStart": {"source": "startup", "session_title": MARKED, "model": MARKED},
    "StopFailure": {"error": MARKED, "error_details": MARKED, "last_assistant_message": MARKED},
    "PostToolUse": {
        "tool_name": "Bash", "tool_use_id": "t1",
        "tool_input": {"command": f"echo '{MARKED}'", "description": MARKED},
        "tool_response": {"stdout": MARKED, "stderr": MARKED},
    },
    "PostToolUseFailure": {
        "tool_name": "Bash", "tool_use_id": "t2", "tool_input": {"command": "make"}, "error": MARKED,
        "is_interrupt": False,
    },
    "PreToolUse": {
        "tool_name": "Edit", "tool_use_id": "t3",
        "tool_input": {"file_path": "/a.py", "old_string": "x", "new_string": MARKED},
    },
}  # fmt: skip


LINES = ["<private>", SECRET, "</private>"]
SPREAD: dict[str, dict[str, Any]] = {
    "lines of the client's patch": {
        "tool_name": "Edit",
        "tool_input": {"file_path": "/a.py", "old_string": "a", "new_string": "\n".join(LINES)},
        "tool_response": {"structuredPatch": [{"lines": ["-a", *(f"+{line}" for line in LINES)]}]},
    },
    "several edits": {
        "tool_name": "MultiEdit",
        "tool_input": {
            "file_path": "/a.py",
            "edits": [{"old_string": "x", "new_string": line} for line in LINES],
        },
    },
    "blocks of an answer": {
        "tool_name": "mcp__notes__read", "tool_input": {"lines": LINES},
        "tool_response": [{"type": "text", "text": line} for line in LINES],
    },
    "names of members": {
        "tool_name": "mcp__notes__read", "tool_input": {f"<private>{SECRET}</private>": 1},
        "tool_response": {"stdout": {f"<private>{SECRET}</private>": "x"}},
    },
}  # fmt: skip


@pytest.mark.parametrize("how", SPREAD)
def test_a_private_part_is_taken_out_across_the_strings_that_a_program_made_of_its_lines(
    how: str, agent: Agent
) -> None:
    agent.hook("PreToolUse", tool_use_id="t1", **SPREAD[how])
    agent.hook("PostToolUse", tool_use_id="t1", **SPREAD[how])
    agent.broker.index()

    assert len(agent.records()) > 1
    assert holding(agent.place, SECRET) == []


def test_what_stands_beside_a_list_with_an_open_tag_is_kept(agent: Agent) -> None:
    agent.hook(
        "PostToolUse", tool_name="mcp__notes__read", tool_use_id="t1",
        tool_input={"lines": ["<private>", SECRET], "title": "the walrus list"},
    )  # fmt: skip

    assert "the walrus list" in json.dumps(agent.records()[-1])


@pytest.mark.parametrize("event", EVENTS)
def test_no_text_of_an_event_brings_what_is_private_to_the_disk(event: str, agent: Agent) -> None:
    agent.hook(event, **EVENTS[event])
    agent.asks("shared words?")
    agent.broker.index()

    assert holding(agent.place, SECRET) == []
    assert SECRET not in json.dumps(agent.records())


def test_a_prompt_says_how_many_parts_it_lost(agent: Agent) -> None:
    agent.asks(f"{MARKED} and {MARKED}")

    prompt = agent.records()[-1]

    assert prompt["body"]["detail"]["private"] == 2
    assert prompt["body"]["text"] == "shared words  more words and shared words  more words"


@pytest.mark.parametrize(
    "near", ["<private", "<private ", "</private>", "<private></private>", "&lt;private ", "＜"]
)
def test_a_mebibyte_of_near_misses_takes_less_than_half_a_second(near: str) -> None:
    text = near * ((1 << 20) // len(near.encode()))

    def seconds() -> float:
        started = time.process_time()
        without_private(text)
        return time.process_time() - started

    # A busy machine takes longer for the same work, and never less: the best of three counts.
    assert min(seconds() for _ in range(3)) < 0.5


def test_a_prompt_of_fifteen_megabytes_costs_little_more_than_its_transport(agent: Agent) -> None:
    line = "the turbine of the copper press stalls again. "

    def seconds(size: int) -> float:
        prompt = line * (size // len(line))
        json.dumps(prompt)
        started = time.process_time()
        agent.asks(prompt)
        return time.process_time() - started

    seconds(16_000)

    assert seconds(15_000_000) < seconds(16_000) + 0.4


@pytest.mark.parametrize(
    ("given", "left"),
    [
        (
            [{"path": "docs.md", "new": "hide it with <private>"}, {"path": "b.py", "new": "y"}],
            [{"path": "docs.md", "new": "hide it with"}, {"path": "b.py", "new": "y"}],
        ),
        (
            [
                {"content": "fix CI", "status": "done"},
                {"content": "</private> in docs", "status": "x"},
            ],
            [{"content": "fix CI", "status": "done"}, {"content": "in docs", "status": "x"}],
        ),
        (
            [{"type": "text", "text": "a <private>b"}, {"type": "text", "text": "c</private> d"}],
            [{"type": "text", "text": "a"}, {"type": "text", "text": "d"}],
        ),
        ([["+<private>", "+b"], ["c"]], [["+", ""], ["c"]]),
    ],
)
def test_a_tag_alone_takes_nothing_of_what_stands_elsewhere(given: Any, left: Any) -> None:
    assert without_private_in(given)[0] == left


def test_thousands_of_private_parts_in_a_list_take_no_second() -> None:
    began = time.process_time()

    kept, count = without_private_in({"content": ["<private>x</private>"] * 20_000})

    assert (set(kept["content"]), count) == ({""}, 20_000)
    assert time.process_time() - began < 1.0
