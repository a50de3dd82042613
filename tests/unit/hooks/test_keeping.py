"""A person's session is asked to keep what lasts, and its user is told what was kept."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.agents.own_program import BY_PATH, quoted_program
from hooklore.agents.program_name import name_program
from hooklore.agents.registration import LAUNCHER_PATH
from hooklore.agents.server_marks import server_marks_path
from hooklore.config import StoreLocation
from hooklore.hooks.keep_reminder import PROMPTS_BETWEEN, REMINDER, TOOL_REMINDER, remind
from hooklore.retrieval.brief_text import KEEP_LINE, KEEP_TOOL_LINE, keep_line
from hooklore.retrieval.topic_index import INDEX_HEADING
from hooklore.text.token_estimate import estimate_tokens
from tests.support.agent import Agent, repository

MARKED = "We decided to keep the press red, because blue paint peels off."


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


def notice(agent: Agent, event: str, **payload: object) -> str:
    return str(agent.hook(event, **payload).get("systemMessage", ""))


def test_a_persons_session_is_asked_to_keep_what_lasts_and_again_after_a_compaction(
    agent: Agent,
) -> None:
    assert KEEP_LINE in agent.starts("s1")
    assert KEEP_LINE not in agent.starts("s1", "resume")
    assert KEEP_LINE in agent.starts("s1", "compact")


def test_a_headless_session_and_a_subagent_are_not_asked(agent: Agent) -> None:
    agent.remembers("Never touch the legacy folder")
    subagent = agent.told("SubagentStart", agent_id="a1", agent_type="Explore")
    agent.entrypoint = "sdk-cli"

    assert KEEP_LINE not in subagent
    assert KEEP_LINE not in agent.starts("s2")
    assert REMINDER not in agent.asks(MARKED)


def test_a_prompt_with_a_strong_mark_is_reminded_of_once_in_ten_prompts(agent: Agent) -> None:
    agent.starts("s1")

    reminded = [REMINDER in agent.asks(f"{MARKED} {n}") for n in range(3)]
    plain = [REMINDER in agent.asks(f"Fix test number {n}") for n in range(PROMPTS_BETWEEN)]
    again = REMINDER in agent.asks(f"{MARKED} again")

    assert reminded == [True, False, False]
    assert not any(plain)
    assert again
    assert estimate_tokens(REMINDER) <= 25


def test_a_long_paste_with_a_mark_is_no_reason_to_remind(agent: Agent) -> None:
    agent.starts("s1")

    assert REMINDER not in agent.asks(MARKED + "\npasted" * 400)


def test_the_end_of_an_answer_tells_the_user_what_was_kept_since_the_answer_before(
    agent: Agent,
) -> None:
    agent.starts("s1")
    agent.remembers("The press is red", "decision", run_id="s1", session_id="s1")
    agent.remembers("Never paint it blue", run_id="s1", session_id="s1")
    agent.remembers("Perhaps it is loud", "fact", run_id="s1", session_id="s1", waits="inferred")

    first = notice(agent, "Stop", last_assistant_message="Done.")
    second = notice(agent, "Stop", last_assistant_message="Done again.")

    assert "1 decision" in first
    assert "1 rule" in first
    assert "hooklore last" in first
    assert "1 waits for you: hooklore pending" in first
    assert second == ""


def test_a_headless_sessions_answer_prints_nothing(agent: Agent) -> None:
    agent.entrypoint = "sdk-cli"
    agent.starts("s1")
    agent.remembers("The press is red", "decision", run_id="s1", session_id="s1")

    assert agent.hook("Stop", last_assistant_message="Done.") == {}


def test_a_session_begins_with_telling_the_user_what_waits(agent: Agent) -> None:
    for text in ("The press may be loud", "The lathe may be slow"):
        agent.remembers(text, "fact", waits="inferred")
    from_file = {"system": "cli", "detail": "native:CLAUDE.md"}
    agent.remembers("The press is in room 4", "fact", waits="inferred", source=from_file)
    agent.session = "s1"

    assert "2 wait for you: hooklore pending" in notice(agent, "SessionStart", source="startup")


def register_server(home: Path, place: str, agent: str = "claude") -> None:
    path = server_marks_path(home)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{agent} {place}\n")


def answer_client(agent: Agent, **settings: object) -> None:
    """Let the user's answer about a project's server stand where the client keeps it."""
    path = agent.project / ".claude" / "settings.local.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(settings))


@pytest.mark.parametrize("is_for_the_project", [False, True])
def test_an_agent_with_the_server_is_asked_to_keep_by_the_tool(
    agent: Agent, home: Path, is_for_the_project: bool
) -> None:
    register_server(home, str(agent.project) if is_for_the_project else "user")
    answer_client(agent, enabledMcpjsonServers=["hooklore"])

    brief = agent.starts("s1")
    reminded = agent.asks(MARKED)

    assert KEEP_TOOL_LINE in brief
    assert KEEP_LINE not in brief
    assert TOOL_REMINDER in reminded
    assert estimate_tokens(KEEP_TOOL_LINE) <= 30
    assert estimate_tokens(TOOL_REMINDER) <= 25
    assert [r["body"]["keep_line"] for r in agent.records("access")][:1] == ["tool"]


PLUGIN_TOOL = "mcp__plugin_hooklore_hooklore__remember"


def test_an_agent_with_the_plugins_server_is_asked_by_the_name_that_its_client_gives_the_tool(
    agent: Agent, home: Path
) -> None:
    register_server(home, "plugin")

    brief = agent.starts("s1")
    reminded = agent.asks(MARKED)

    assert keep_line(PLUGIN_TOOL) in brief
    assert f"call `{PLUGIN_TOOL}` (" in brief
    assert f"keep it with `{PLUGIN_TOOL}`." in reminded
    assert estimate_tokens(keep_line(PLUGIN_TOOL)) <= 30
    assert estimate_tokens(remind(PLUGIN_TOOL)) <= 25
    assert [r["body"]["keep_line"] for r in agent.records("access")][:1] == [PLUGIN_TOOL]


def test_where_settings_and_plugin_bring_the_server_that_of_the_settings_is_meant(
    agent: Agent, home: Path
) -> None:
    register_server(home, "plugin\nclaude user")

    assert KEEP_TOOL_LINE in agent.starts("s1")


ANSWERS = [
    ({}, False),
    ({"enabledMcpjsonServers": ["other"]}, False),
    ({"enabledMcpjsonServers": "hooklore"}, False),
    ({"enabledMcpjsonServers": ["hooklore"]}, True),
    ({"enableAllProjectMcpServers": True}, True),
    ({"enableAllProjectMcpServers": True, "disabledMcpjsonServers": ["hooklore"]}, False),
]


@pytest.mark.parametrize(("answer", "is_there"), ANSWERS)
def test_a_projects_server_is_named_only_where_the_user_lets_the_client_start_it(
    agent: Agent, home: Path, answer: dict[str, object], is_there: bool
) -> None:
    register_server(home, f"user\nclaude {agent.project}")
    answer_client(agent, **answer)

    brief = agent.starts("s1")

    assert (KEEP_TOOL_LINE in brief, KEEP_LINE in brief) == (is_there, not is_there)


def test_where_the_user_refuses_a_projects_server_that_of_the_plugin_is_meant(
    agent: Agent, home: Path
) -> None:
    register_server(home, f"plugin\nclaude {agent.project}")
    answer_client(agent, disabledMcpjsonServers=["hooklore"])

    assert keep_line(PLUGIN_TOOL) in agent.starts("s1")


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, "\x00"])
def test_an_answer_that_cannot_be_read_is_none(agent: Agent, home: Path, text: str) -> None:
    register_server(home, str(agent.project))
    answer_client(agent)
    (agent.project / ".claude" / "settings.local.json").write_text(text)

    assert KEEP_LINE in agent.starts("s1")


@pytest.mark.parametrize(
    ("place", "of"), [("plugin", "codex"), ("user", "codex"), ("/elsewhere", "claude")]
)
def test_a_server_of_another_agent_or_project_is_not_named(
    agent: Agent, home: Path, place: str, of: str
) -> None:
    register_server(home, place, of)

    assert KEEP_LINE in agent.starts("s1")
    assert REMINDER in agent.asks(MARKED)


def test_where_no_shell_finds_the_command_every_line_names_the_launchers_path(
    agent: Agent, home: Path
) -> None:
    for room in range(30):
        agent.remembers(f"The press of hall {room} is in room {room + 4}", "fact", basis="agent")
    own = quoted_program(str(home))
    mark_by_path(home)

    brief, reminded = agent.starts("s1"), agent.asks(MARKED)

    assert name_program(KEEP_LINE, own) in brief
    assert name_program(INDEX_HEADING, own) in brief
    assert name_program(REMINDER, own) in reminded
    assert "`hooklore " not in brief + reminded


def mark_by_path(home: Path) -> None:
    mark = home / LAUNCHER_PATH / BY_PATH
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
