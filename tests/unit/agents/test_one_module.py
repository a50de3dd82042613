"""What belongs to one agent stands in that agent's module, and nowhere else in the package."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import get_args

import pytest

import hooklore
from hooklore.agents import registry
from hooklore.agents.agent import Agent
from hooklore.agents.claude_code import AGENT as CLAUDE
from hooklore.agents.event import EventName
from hooklore.agents.registry import MODULES, known_agents
from hooklore.records.schema import KINDS

SOURCES = Path(hooklore.__file__).parent
OWN = [SOURCES.joinpath(*name.split(".")[1:]) for name in MODULES.values()]
"""The agents' own modules, each a folder or, with a suffix, a file."""

FIELDS = (
    "hook_event_name tool_name tool_input tool_response last_assistant_message is_interrupt prompt_id "
    "stop_hook_active compact_summary custom_instructions task_subject teammate_name "
    "file_path notebook_path old_string new_string new_source subagent_type filePath structuredPatch "
    "isError exitCode isAsync backgroundTaskId totalTokens numFiles numLines startLine totalLines totalMatches "
    "hookSpecificOutput hookEventName additionalContext permissionDecision permissionDecisionReason "
    "systemMessage stopReason input_tokens output_tokens cache_creation_input_tokens "
    "cache_read_input_tokens disableAllHooks allowManagedHooksOnly enabledPlugins installPath"
).split()

WORDS = ("Bash", "Edit", "Write", "Read", "Task", "Glob", "Grep", "LS", "Plan", "Explore")
"""Names of tools and roles that are words, too: a string that is such a name, or a list of names, counts."""

OURS = {*get_args(EventName), *(kind for kinds in KINDS.values() for kind in kinds)}
"""Names that hooklore gives to events itself."""

NAMES = {
    name for agent in known_agents() for name in (*agent.events, *agent.tools, *agent.roles)
} - {agent.id for agent in known_agents()}


def is_distinctive(name: str) -> bool:
    """Return whether a name is no word of a language: `browse` may stand anywhere, `PreToolUse` may not."""
    return name not in OURS and re.fullmatch(r"[A-Z]?[a-z]+|[A-Z]+", name) is None


def is_identifier_of_python(name: str) -> bool:
    """Return whether a function of ours might be called so: such a name counts in strings alone."""
    return re.fullmatch(r"[a-z0-9_]+", name) is not None


def one_of(names: Iterable[str]) -> str:
    """Return a regular expression for any of `names`."""
    return "|".join(map(re.escape, sorted(names)))


DISTINCTIVE = {name for name in NAMES if is_distinctive(name)}
ANYWHERE = re.compile(
    rf"(?i:claude)|\b(?:{one_of(n for n in DISTINCTIVE if not is_identifier_of_python(n))})\b"
    rf"|\b(?:{one_of(FIELDS)})\b"
)
IN_STRINGS = re.compile(
    rf"\b(?:{one_of(n for n in DISTINCTIVE if is_identifier_of_python(n))})\b"
    rf"|(?<![\w ])(?:{one_of(WORDS)})(?![\w ])"
)


SHARED = SOURCES / "agents" / "hook_dialect.py"
"""The words that several clients share. No client's name and no tool's stands there either."""


def files() -> Iterator[Path]:
    """Every text of the package but the agents' own and documents."""
    for path in sorted(SOURCES.rglob("*")):
        is_text = path.is_file() and path.suffix not in (".pyc", ".md", ".bin")
        is_own = not {path.with_suffix(""), *path.parents}.isdisjoint(OWN)
        if is_text and not is_own:
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

    found = {match[0] for match in ANYWHERE.finditer(text)}
    found -= set(FIELDS) if path == SHARED else set()
    texts = strings(text) if path.suffix == ".py" else (text,)
    found |= {match[0] for each in texts for match in IN_STRINGS.finditer(each)}

    assert found == set()


@pytest.mark.parametrize("agent", known_agents(), ids=lambda agent: agent.id)
def test_the_module_describes_what_is_registered(agent: Agent) -> None:
    registration = agent.registration()
    entries = registration.entries(home=Path("/home/u"))

    assert list(registration.entry_files) == list(entries) == list(agent.events)
    assert all(registration.commands(entry) for entry in entries.values())


def test_the_limit_in_the_settings_leaves_a_hook_the_time_that_it_may_take() -> None:
    assert all(event.limit > event.seconds for event in CLAUDE.events.values())


def test_the_search_finds_names_of_agents_and_passes_words_of_a_language() -> None:
    assert ANYWHERE.search("at a PreToolUse")
    assert IN_STRINGS.search("run_shell_command")
    assert IN_STRINGS.search("Edit|Write")
    assert not IN_STRINGS.search("Edit a file")
    assert not any(map(is_distinctive, ("browse", "shell", "Shell", "session_start", "LS")))
