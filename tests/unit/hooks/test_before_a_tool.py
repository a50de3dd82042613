"""What a tool is told before it runs: rules and procedures for it, few and once, and only where it acts."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import StoreLocation
from tests.support.agent import Agent, repository

ALEMBIC = "Run alembic only against a copy of the database"
_numbers = itertools.count(1)


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
