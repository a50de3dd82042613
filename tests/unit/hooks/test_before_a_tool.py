"""What a tool is told before it runs: rules and procedures for it, few and once, and only where it acts."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import StoreLocation
from tests.support.agent import Agent, repository

ALEMBIC = "Run alembic only against a copy of the database"
_numbers = itertools.count(1)


FIXTURES = Path(__file__).parents[2] / "fixtures" / "claude_code"


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    found.starts("s-0")
    yield found
    found.broker.close()


def before(agent: Agent, tool: str, **given: Any) -> str:
    """What a tool is told before it runs."""
    call = f"call-{next(_numbers)}"
    return agent.told("PreToolUse", tool_name=tool, tool_input=given, tool_use_id=call)


@pytest.mark.req("HK-08")
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("constraint", f"{ALEMBIC}, never the live one"),
        ("workflow", "Before alembic upgrade: take a dump, stop the workers, then run it"),
        ("decision", "We decided that alembic is run by the release job alone"),
        ("preference", "I like alembic revisions to be linear"),
        ("config", "alembic reads its address from deploy/alembic.ini"),
        ("deprecation", "alembic autogenerate is no longer used here"),
    ],
)
def test_a_rule_or_a_procedure_of_any_kind_comes_up_before_its_command(
    agent: Agent, kind: str, text: str
) -> None:
    agent.remembers(text, kind)

    told = agent.about_to("alembic upgrade head")
    again = agent.about_to("alembic upgrade head")

    assert text in told
    assert again == ""


@pytest.mark.req("HK-08")
@pytest.mark.parametrize("scope", [None, "global"], ids=["project", "global"])
def test_it_comes_up_for_its_task_alone(agent: Agent, scope: str | None) -> None:
    placed = {"scope": scope} if scope else {}
    agent.remembers(f"{ALEMBIC}, never the live one", **placed)
    agent.remembers("Templates are the source of gen/api.py", paths=["gen/*.py"], **placed)

    other = [
        agent.about_to("ls -la src"),
        before(agent, "Edit", file_path=str(agent.project / "src" / "api.py"), old_string="a",
               new_string="b"),
    ]  # fmt: skip
    edit = before(agent, "Edit", file_path=str(agent.project / "gen" / "api.py"), old_string="a",
                  new_string="b")  # fmt: skip
    command = agent.about_to("alembic upgrade head")

    assert other == ["", ""]
    assert ("Templates are the source" in edit, ALEMBIC in edit) == (True, False)
    assert (ALEMBIC in command, "Templates" in command) == (True, False)


@pytest.mark.req("HK-08")
def test_a_fact_is_no_rule_and_does_not_come_up_before_a_tool(agent: Agent) -> None:
    agent.remembers("alembic was written by the author of SQLAlchemy", "fact")

    assert agent.about_to("alembic upgrade head") == ""


ACTING: dict[str, dict[str, str]] = {
    "Bash": {"command": "alembic upgrade head"},
    "Edit": {"file_path": "alembic/env.py", "old_string": "a", "new_string": "b"},
    "MultiEdit": {"file_path": "alembic/env.py"},
    "Write": {"file_path": "alembic/env.py", "content": "x"},
    "NotebookEdit": {"notebook_path": "alembic/notes.ipynb", "new_source": "x"},
    "Task": {"description": "Run the alembic upgrade", "prompt": "alembic upgrade head",
             "subagent_type": "general-purpose"},
    "Agent": {"description": "Run the alembic upgrade", "prompt": "alembic upgrade head",
              "subagent_type": "general-purpose"},
    "WebFetch": {"url": "https://docs.python.org", "prompt": "How does alembic upgrade work?"},
    "WebSearch": {"query": "alembic upgrade against a copy of the database"},
}  # fmt: skip


def asked_by(agent: Agent, tool: str) -> dict[str, str]:
    """The input of a tool, its paths in the project."""
    return {
        name: str(agent.project / value) if name.endswith("_path") else value
        for name, value in ACTING[tool].items()
    }


@pytest.mark.req("HK-15")
@pytest.mark.parametrize("tool", ACTING)
def test_every_tool_that_acts_is_told(agent: Agent, tool: str) -> None:
    has_file = any(name.endswith("_path") for name in ACTING[tool])
    agent.remembers(f"{ALEMBIC}, never the live one", paths=["alembic/**"] if has_file else [])

    assert ALEMBIC in before(agent, tool, **asked_by(agent, tool))


@pytest.mark.req("HK-15")
@pytest.mark.parametrize("tool", ["Read", "Glob", "Grep", "LS", "TodoWrite", "mcp__db__query"])
def test_no_other_tool_is_told(agent: Agent, tool: str) -> None:
    agent.remembers(f"{ALEMBIC}, never the live one")
    agent.remembers("Templates are the source of alembic/env.py", paths=["alembic/**"])
    path = str(agent.project / "alembic" / "env.py")

    told = before(agent, tool, file_path=path, path=path, pattern="alembic", command="alembic upgrade",
                  query="alembic upgrade", prompt="alembic upgrade head")  # fmt: skip

    assert told == ""


@pytest.mark.req("HK-15")
@pytest.mark.parametrize("known", [4, 5, 6, 12])
def test_five_notes_are_told_at_most_and_no_fewer_when_there_are_more(
    agent: Agent, known: int
) -> None:
    for number in range(known):
        agent.remembers(f"alembic rule {number}", "constraint")

    told = agent.about_to("alembic upgrade head")

    assert told.count("\n- alembic rule ") == min(known, 5)


# ---- what is recorded before a tool


def intent_of(agent: Agent, tool: str, **given: Any) -> dict[str, Any]:
    """The body of the record that a tool leaves before it runs."""
    before(agent, tool, **given)
    found: dict[str, Any] = agent.records("tool_intent")[-1]["body"]
    return found


RECORDED = {
    "Bash": ("say hi", "Bash: echo hi"),
    "Edit": ("replace 1 line by 1 in note.txt", "Edit: /repo/note.txt"),
    "Write": ("write 2 lines to note.txt", "Write: /repo/note.txt"),
    "Agent": ("sub task", "Agent: sub task"),
}


@pytest.mark.req("HK-02")
@pytest.mark.parametrize("tool", RECORDED)
def test_a_step_is_recorded_with_its_intent_its_plan_and_the_prompt_that_asked_for_it(
    agent: Agent, tool: str
) -> None:
    intent, action = RECORDED[tool]
    payload = json.loads((FIXTURES / f"PreToolUse-{tool}.json").read_text("utf-8"))
    task = {"session_id": payload["session_id"], "prompt_id": payload["prompt_id"]}
    agent.hook("UserPromptSubmit", prompt="Put the second line right", **task)

    agent.hook("PreToolUse", **{k: v for k, v in payload.items() if k != "hook_event_name"})

    (step,), (prompt,) = agent.records("tool_intent"), agent.records("prompt")
    assert (step["body"]["intent"], step["body"]["actions"]) == (intent, [action])
    assert prompt["body"]["text"] == "Put the second line right"
    assert step["task_id"] == prompt["task_id"] == payload["prompt_id"]
    assert step["body"]["priority"] == prompt["body"]["priority"] == "high"


@pytest.mark.req("HK-02")
@pytest.mark.parametrize(
    ("tool", "given", "intent"),
    [
        ("Edit", {"old_string": "a\nb\n", "new_string": "c"}, "replace 2 lines by 1 in src/x.py"),
        ("Edit", {"old_string": "", "new_string": "a\nb"}, "put 2 lines into src/x.py"),
        ("Edit", {"old_string": "a", "new_string": ""}, "remove 1 line from src/x.py"),
        ("Edit", {}, "edit src/x.py"),
        ("MultiEdit", {"edits": [{"old_string": "a", "new_string": "b\nc"},
                                 {"old_string": "d\ne", "new_string": "f"}]},
         "replace 3 lines by 3 in src/x.py"),
        ("Write", {"content": "a\n"}, "write 1 line to src/x.py"),
        ("Write", {"content": ""}, "write 0 lines to src/x.py"),
        ("NotebookEdit", {"new_source": "a\nb"}, "put 2 lines into src/x.py"),
        ("Edit", {"old_string": "a", "new_string": "b", "description": "Mend the colour"},
         "Mend the colour"),
    ],
)  # fmt: skip
def test_an_edit_is_recorded_as_what_it_is_about_to_do_to_its_file(
    agent: Agent, tool: str, given: dict[str, Any], intent: str
) -> None:
    name = "notebook_path" if tool == "NotebookEdit" else "file_path"
    file = str(agent.project / "src" / "x.py")

    body = intent_of(agent, tool, **{name: file}, **given)

    assert (body["intent"], body["priority"]) == (intent, "high")
    assert body["actions"] == [f"{tool}: {file}"]


@pytest.mark.req("HK-02")
@pytest.mark.parametrize(
    ("tool", "given", "intent"),
    [
        ("WebFetch", {"url": "https://docs.python.org", "prompt": "How are fractions added?"},
         "How are fractions added?"),
        ("WebSearch", {"query": "python fractions"}, "python fractions"),
        ("Task", {"prompt": "Look for the slow query", "subagent_type": "Explore"},
         "Look for the slow query"),
    ],
)  # fmt: skip
def test_a_step_without_a_description_is_recorded_with_what_it_asks_for(
    agent: Agent, tool: str, given: dict[str, Any], intent: str
) -> None:
    body = intent_of(agent, tool, **given)

    assert (body["intent"], body["priority"]) == (intent, "high")


def test_of_a_file_to_keep_out_the_intent_says_nothing_but_its_path(agent: Agent) -> None:
    body = intent_of(agent, "Write", file_path=str(agent.project / ".env"), content="A=1\nB=2\n")

    assert body["intent"] == "write .env"
    assert body["detail"] == {"excluded": True}


def test_the_intent_of_an_edit_is_redacted(agent: Agent) -> None:
    secret = "gh" + "p_" + "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"
    file = str(agent.project / secret / "x.py")

    body = intent_of(agent, "Edit", file_path=file, old_string="a", new_string="b")

    assert body["intent"].startswith("replace 1 line by 1 in [")
    assert secret not in json.dumps(agent.records())
