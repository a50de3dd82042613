import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.cli.eval_adapter import KEYS, Adapter
from hooklore.hooks import runner
from hooklore.hooks.delivery import Delivery

ERROR = "KeyError: 'colour' in widgets.ini"


def doc(number: int, role: str, text: str, session: str = "s1", day: int = 1) -> dict[str, Any]:
    return {
        "id": f"d{number}", "role": role, "text": text, "session": session, "scope": "x",
        "timestamp": f"2026-01-{day:02d}T00:00:{number:02d}Z",
    }  # fmt: skip


DOCS = [
    doc(1, "user", "The payment gateway Kestrel rejects amounts in float, send integer cents"),
    doc(2, "failure", f"Bash failed: make test\nExit code 1\n{ERROR}"),
    doc(3, "edit", "Edit widgets.ini\n- colour =\n+ colour = red"),
    doc(4, "command", "Bash: make test\n12 passed"),
    doc(5, "user", "Deploys to the Osprey cluster need the frozen manifest file", "s2", day=9),
]
PROMPT = "Why does the Kestrel payment gateway reject our float amounts?"
FAILURE = f"Bash failed: make test\nExit code 1\n{ERROR}"


@pytest.fixture
def adapter(tmp_path: Path) -> Iterator[Adapter]:
    found = Adapter(tmp_path)
    found.operations["index"]({"docs": DOCS})
    yield found
    found.close()


def ask(adapter: Adapter, op: str, query: str, **more: Any) -> dict[str, Any]:
    return adapter.operations[op]({"query": query, "k": 5} | more)


@pytest.mark.parametrize(
    ("trigger", "query", "event", "payload"),
    [
        ("prompt", PROMPT, "UserPromptSubmit", {"prompt": PROMPT}),
        (
            "failure",
            FAILURE,
            "PostToolUseFailure",
            {
                "tool_name": "Bash", "tool_input": {"command": "make test"},
                "error": f"Exit code 1\n{ERROR}", "tool_use_id": "t1",
            },
        ),
        ("prompt", "Please refactor the parser", "UserPromptSubmit", {"prompt": "Please refactor"}),
    ],
)  # fmt: skip
def test_what_is_injected_is_what_the_hook_prints_for_the_same_store_and_prompt(
    adapter: Adapter,
    monkeypatch: pytest.MonkeyPatch,
    trigger: str,
    query: str,
    event: str,
    payload: dict[str, Any],
) -> None:
    monkeypatch.setattr(runner, "project_keys", lambda *_: KEYS)

    injected = ask(adapter, "inject", query, trigger=trigger)
    hook = runner.Runner(adapter.broker, "/nowhere", lambda: 1_800_000_000 * 10**9)
    raw = json.dumps({"session_id": "new", "hook_event_name": event} | payload).encode()
    printed = hook.run(Delivery("claude", event, "delivery", raw)).stdout

    context = json.loads(printed)["hookSpecificOutput"]["additionalContext"] if printed else ""
    assert context == injected["text"]
    assert bool(context) == bool(injected["ids"]) == ("refactor" not in query)


def test_a_failure_finds_itself_and_the_steps_that_made_it_pass(adapter: Adapter) -> None:
    assert ask(adapter, "search", FAILURE, trigger="failure")["ids"] == ["d2", "d3", "d4"]


def test_a_command_finds_its_earlier_failure(adapter: Adapter) -> None:
    found = ask(adapter, "search", "Bash: make test 2>&1 | tail -5", trigger="before_tool")

    assert found["ids"] == ["d2"]


def test_documents_of_a_later_time_are_no_candidates(adapter: Adapter) -> None:
    query = "What do deploys to the Osprey cluster need?"

    early = ask(adapter, "search", query, timestamp="2026-01-08T00:00:00Z")
    late = ask(adapter, "search", query, timestamp="2026-01-09T00:00:05Z")

    assert "d5" not in early["ids"]
    assert late["ids"][0] == "d5"
    assert not ask(adapter, "inject", FAILURE, trigger="failure", timestamp="2025-01-01")["ids"]


def test_a_turn_is_found_by_the_turns_before_it(adapter: Adapter) -> None:
    talk = [
        doc(1, "Ada", "Ada: What did you think of the Vesuvius exhibition?", "t"),
        doc(2, "Ben", "Ben: Wonderful, I went twice", "t"),
        doc(3, "Ada", "Ada: Nothing else to report", "u"),
    ]
    adapter.operations["reset"]({})
    adapter.operations["index"]({"docs": talk})

    assert ask(adapter, "search", "Vesuvius exhibition")["ids"] == ["d1", "d2"]


def test_a_memory_is_found_by_its_title_and_by_the_phrases_that_say_when_it_matters(
    adapter: Adapter,
) -> None:
    told = {
        "role": "decision", "title": "Whole yen", "when": ["round a price", "端数の処理"],
        "text": "Amounts are integers; floats lost money in March.",
    }  # fmt: skip
    adapter.operations["index"]({"docs": [doc(9, "decision", "", "s3", day=9) | told]})

    by_phrase, by_title = (
        ask(adapter, "search", query)["ids"][:1] for query in ("端数の処理は？", "whole yen")
    )
    shown = ask(adapter, "inject", "How do we round a price?")

    assert by_phrase == by_title == ["d9"]
    assert shown["ids"] == ["d9"]
    assert "floats lost money" in shown["text"]
    assert "round a price" not in shown["text"]


def test_the_command_answers_line_by_line_and_says_what_it_cannot_read() -> None:
    lines = [
        json.dumps({"op": "reset"}),
        json.dumps({"op": "index", "docs": DOCS}),
        json.dumps({"op": "search", "query": PROMPT, "k": 1, "timestamp": None, "trigger": None}),
        "{",
        json.dumps({"op": "fly"}),
        json.dumps({"op": "inject", "query": "hello"}),
    ]

    done = subprocess.run(
        [sys.executable, "-c", "from hooklore.cli.main import hooklore_main as m; m(['eval-adapter'])"],
        input="\n".join(lines).encode(), capture_output=True, check=True,
    )  # fmt: skip

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers[:3] == [{"ok": True}, {"ok": True}, {"ids": ["d1"]}]
    assert all("error" in answer for answer in answers[3:5])
    assert answers[5] == {"ids": [], "text": ""}
