"""What belongs to one agent stands in that agent's module, and nowhere else in the package."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hooklore
from hooklore.agents import registry
from hooklore.agents.agent import Agent
from hooklore.agents.claude_code import AGENT as CLAUDE
from hooklore.agents.claude_code.registering import REGISTRATIONS
from hooklore.agents.registry import MODULES, known_agents

SOURCES = Path(hooklore.__file__).parent
FOLDERS = {SOURCES / "agents" / name.rpartition(".")[2] for name in MODULES.values()}
"""The folders of the agents' own modules."""

FIELDS = (
    "hook_event_name tool_name tool_input tool_response last_assistant_message is_interrupt prompt_id "
    "stop_hook_active compact_summary custom_instructions task_subject teammate_name "
    "file_path notebook_path old_string new_string new_source subagent_type filePath structuredPatch "
    "isError exitCode isAsync backgroundTaskId totalTokens numFiles numLines startLine totalLines totalMatches "
    "hookSpecificOutput hookEventName additionalContext permissionDecision permissionDecisionReason "
    "systemMessage stopReason input_tokens output_tokens cache_creation_input_tokens "
    "cache_read_input_tokens disableAllHooks allowManagedHooksOnly enabledPlugins installPath"
).split()

ENGLISH = {
    "Edit",
    "Write",
    "Read",
    "Agent",
    "Task",
    "Stop",
    "Glob",
    "Grep",
    "LS",
    "Plan",
    "Explore",
    "replace",
    "glob",
    "default",
    "worker",
}
"""Names that are words, too: only a string that is such a name, or a list of names, counts."""

NAMES = {
    name for agent in known_agents() for name in (*agent.events, *agent.tools, *agent.roles)
} - {agent.id for agent in known_agents()}
OURS = {"Stop", "Agent", "replace", "glob", "default", "worker"}
"""Names that hooklore has, too: an event of its own frames, a class, a permission, and words of Python's."""

PLAIN = re.compile(
    rf"(?i:claude)|\b(?:{'|'.join(map(re.escape, sorted(NAMES - ENGLISH)))})\b|\b(?:{'|'.join(FIELDS)})\b"
)
AMBIGUOUS = re.compile(rf"(?<![\w ])(?:{'|'.join(sorted(NAMES & ENGLISH - OURS))})(?![\w ])")


def files() -> Iterator[Path]:
    """Every file of the package but the agents' own and documents."""
    for path in sorted(SOURCES.rglob("*")):
        is_text = path.is_file() and path.suffix not in (".pyc", ".md")
        if is_text and FOLDERS.isdisjoint(path.parents) and path != SOURCES / "agents" / "py.typed":
            yield path


def text_of(path: Path) -> str:
    """The text of a file, of the registry without a line for each agent."""
    text = path.read_text("utf-8")
    if path == Path(registry.__file__):
        for agent_id, module in MODULES.items():
            line = f'    "{agent_id}": "{module}",\n'
            assert text.count(line) == 1
            text = text.replace(line, "")
    return text


def strings(text: str) -> Iterator[str]:
    """The strings of a program that are no documentation."""
    tree = ast.parse(text)
    documents = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documents:
            yield node.value


@pytest.mark.parametrize("path", list(files()), ids=lambda path: str(path.relative_to(SOURCES)))
def test_no_other_file_names_the_agent_or_its_words(path: Path) -> None:
    text = text_of(path)

    found = {match[0] for match in PLAIN.finditer(text)}
    if path.suffix == ".py":
        found |= {match[0] for each in strings(text) for match in AMBIGUOUS.finditer(each)}

    assert found == set()


@pytest.mark.parametrize("agent", known_agents(), ids=lambda agent: agent.id)
def test_the_module_describes_what_is_registered(agent: Agent) -> None:
    registration = agent.registration()
    entries = registration.entries(home=Path("/home/u"))

    assert list(registration.entry_files) == list(entries) == list(agent.events)
    assert all(registration.commands(entry) for entry in entries.values())


def test_the_limit_in_the_settings_leaves_a_hook_the_time_that_it_may_take() -> None:
    limits = {each.event: each.timeout for each in REGISTRATIONS}

    assert all(limits[name] > event.seconds for name, event in CLAUDE.events.items())
