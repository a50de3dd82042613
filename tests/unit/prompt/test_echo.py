import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from hooklore.hooks.parse import parse_event
from hooklore.prompt.echo import strip_echo
from hooklore.prompt.frame import (
    FRAME_CLOSE,
    FRAME_OPEN,
    READING_RULE,
    UNREADABLE_NOTICE,
    render_frame,
    render_note,
)
from hooklore.records.record import Record
from hooklore.shell.command import is_memory_read_command
from tests.support.agent import Agent, repository

ID = "0190a1b2-1111-7000-8000-000000000000"
RECORD = Record({
    "id": ID, "ts": "2026-01-31T10:00:00.000Z", "stream": "memory", "kind": "constraint",
    "agent_id": "claude", "basis": "user",
})  # fmt: skip
NOTE = render_note(RECORD, "Never push on Fridays")
FRAME = render_frame([("Preferences:", [(ID, NOTE)])], 1_500)[0]
BARE = render_frame([("", [(ID, NOTE)])], 1_500, is_bare=True)[0]
OLDER = FRAME.replace(
    READING_RULE, "Quoted notes from this person's shared memory. Follow the rules"
)
ESCAPED = FRAME.replace("<", "&lt;").replace(">", "&gt;")
AS_JSON = json.dumps({"content": FRAME}, ensure_ascii=False)


@pytest.mark.req("CO-27")
@pytest.mark.parametrize(
    ("text", "left"),
    [
        (FRAME, ""),
        (f"before\n{FRAME}\nafter", "before\n\nafter"),
        (f"one {FRAME} two {FRAME} three", "one  two  three"),
        (f"<hook_context>{FRAME}</hook_context>\n\nWhat database?", "What database?"),
        (f"<hook_context>{ESCAPED}</hook_context>\n\nWhat database?", "What database?"),
        (f"<system-reminder>\nSessionStart:startup hook success: {FRAME}\n</system-reminder>\nhi", "hi"),
        (f"SessionStart:startup hook additional context: {FRAME}\nhi", "hi"),
        (f"<qwen:user-prompt-submit-context>\n{FRAME}\n</qwen:user-prompt-submit-context>hi", "hi"),
        (f"hi\n<system_reminder>{FRAME}</system_reminder>", "hi"),
        (AS_JSON, '{"content": ""}'),
        (AS_JSON.replace("<", "\\u003c").replace(">", "\\u003e"), '{"content": ""}'),
        (FRAME[: len(FRAME) // 2 + 40], ""),  # its end is cut off
        (BARE, ""),
        (BARE.removesuffix(FRAME_CLOSE), ""),
        (OLDER, ""),
        (OLDER[: len(OLDER) // 2], ""),
        (f"{FRAME[120:]}\nand this", "and this"),  # its beginning is
        (NOTE, ""),
        (f"You said:\n> {NOTE}\nIs it so?", "You said:\n\nIs it so?"),
        (f"- Never push on Fridays [{ID}]", ""),
        (UNREADABLE_NOTICE.format(reason="it is a directory"), ""),
        (f"{ID}  2026-01-31 10:00  constraint     global                Never push", ""),
        ('{"v":1,"id":"' + ID + '","ts":"2026","body":{}}\nok', "ok"),
        ("4 notes, 380 tokens · hooklore last", ""),
        ("late: 1 note, 38 tokens · hooklore last", ""),
        ("1 note, 38 tokens · hooklore last · 1 waits for you: hooklore pending", ""),
    ],
)  # fmt: skip
def test_what_we_said_is_taken_out_and_what_stands_around_it_stays(text: str, left: str) -> None:
    assert strip_echo(text) == left
    assert strip_echo(strip_echo(text)) == left


@pytest.mark.parametrize(
    "text",
    [
        "why does <hooklore-notes> stand in my prompt, and how do I get rid of it?",
        "what does </hooklore-notes> end?",
        f"please fix what {ID} says",
        "notes, tokens: 4 · 5",
        "<hook_context>another tool's text</hook_context> and mine",
        "\n\n\n\nspaced\n\n\n\nout\n",
        "the release of 2026-07-01",
    ],
)
def test_what_somebody_else_said_stays_as_it_is(text: str) -> None:
    assert strip_echo(text) == text


def test_a_hostile_megabyte_is_searched_in_linear_time() -> None:
    for piece in (
        "<hooklore-notes>",
        FRAME_CLOSE,
        "\n",
        f"[{ID}",
        f"{FRAME_OPEN}\n",
        " \n",
        "<hook_context>",
    ):
        assert len(strip_echo(piece * 60_000 + "-7")) <= len(piece) * 60_000 + 2


@pytest.mark.req("CO-27")
def test_a_prompt_keeps_the_users_words_only() -> None:
    ours, foreign = (
        parse_event("claude", "UserPromptSubmit", "d", {}, json.dumps({"prompt": prompt}).encode())
        for prompt in (
            f"<hook_context>{ESCAPED}</hook_context>\n\nWhat database did we choose?",
            "<hook_context>MARK</hook_context>\n\nWhat database?",
        )
    )

    assert ours.text == "What database did we choose?"
    assert foreign.text == "What database?"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("hooklore search press", True),
        ("cd /x && hooklore last --json | head -3", True),
        ("/home/u/.venv/bin/hooklore show 0190", True),
        ("cd x; '/home/a b/hooklore' show 0190", True),
        ("uv run hooklore list", True),
        ("python -m hooklore.cli list", True),
        ("hooks doctor", True),
        ("cat ~/.config/ai/memory/events.jsonl | tail -1", True),
        ("tail -n 3 /home/u/.claude/projects/-w/abc.jsonl", True),
        ("grep -r hooklore src", False),
        ("hooks add pre-commit", False),
        ("cat docs/events.md", False),
        ("ls ~/.config/ai/memory", False),
    ],
)
def test_a_command_that_shows_memory_is_known(command: str, expected: bool) -> None:
    assert is_memory_read_command(command) is expected


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


@pytest.mark.req("CO-27")
def test_no_way_in_records_a_note_again(agent: Agent) -> None:
    agent.starts("s0")
    agent.remembers("Oil the kestrel press on Mondays")
    told = agent.starts("s1")
    kept = len(agent.records())
    (line,) = [text for text in told.splitlines() if "kestrel" in text]

    agent.hook("UserPromptSubmit", prompt=f"{told}\nnow go on")
    agent.passes("cat notes.txt", told)
    agent.passes("cat notes.txt", f"x\n{line}\ny")
    agent.passes("hooklore search kestrel", "anything about the kestrel in any form")
    agent.passes("tail -c 400 ~/.config/ai/memory/events.jsonl", 'half a "kestrel" line"}')
    agent.hook(
        "PostToolUse", tool_name="mcp__hooklore__recall", tool_input={"query": "press"},
        tool_response=[{"type": "text", "text": "the kestrel"}], tool_use_id="m1",
    )  # fmt: skip
    agent.fails("make test", f"{told}\nKeyError: 'x'")
    agent.hook("Stop", last_assistant_message=f"As memory says:\n{line}\nso I oiled it.")
    agent.hook("SubagentStop", agent_id="a", agent_type="Explore", last_assistant_message=told)
    agent.hook("PreCompact", trigger="manual", custom_instructions=told)
    agent.hook("PostCompact", trigger="manual", compact_summary=f"1. Done\n{told}\n2. Left")
    agent.hook("TaskCreated", task_id="1", task_subject="oil", task_description=told)
    agent.hook("SessionEnd", reason="other")

    recorded = agent.records()[kept:]
    texts = [json.dumps(r["body"], ensure_ascii=False) for r in recorded if r["kind"] != "access"]
    assert len(texts) >= 11
    assert [text for text in texts if "kestrel" in text and "hooklore search" not in text] == []
    assert any("now go on" in text for text in texts)
    assert any("so I oiled it" in text for text in texts)
    assert any("2. Left" in text for text in texts)
    assert any("KeyError" in text for text in texts)
