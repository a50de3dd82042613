"""What belongs to one agent stands in that agent's module, and nowhere else in the package."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hooklore
from hooklore.agents import registry
from hooklore.agents.claude_code import AGENT
from hooklore.agents.claude_code.registering import REGISTRATIONS

SOURCES = Path(hooklore.__file__).parent
MODULE = SOURCES / "agents" / "claude_code"
REGISTRY_LINE = '    "claude": "hooklore.agents.claude_code",\n'

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
}
"""Names that are words, too: only a string that is such a name, or a list of names, counts."""

NAMES = {*AGENT.events, *AGENT.tools, *AGENT.roles} - {AGENT.id}
OURS = {"Stop", "Agent"}
"""Names that hooklore has, too: an event of its own frames, and a class."""

PLAIN = re.compile(
    rf"(?i:claude)|\b(?:{'|'.join(map(re.escape, sorted(NAMES - ENGLISH)))})\b|\b(?:{'|'.join(FIELDS)})\b"
)
AMBIGUOUS = re.compile(rf"(?<![\w ])(?:{'|'.join(sorted(NAMES & ENGLISH - OURS))})(?![\w ])")


def files() -> Iterator[Path]:
    """Every file of the package but the agent's own and documents."""
    for path in sorted(SOURCES.rglob("*")):
        is_text = path.is_file() and path.suffix not in (".pyc", ".md")
        if is_text and MODULE not in path.parents and path != SOURCES / "agents" / "py.typed":
            yield path


def text_of(path: Path) -> str:
    """The text of a file, of the registry without the agent's line."""
    text = path.read_text("utf-8")
    if path == Path(registry.__file__):
        assert text.count(REGISTRY_LINE) == 1
        text = text.replace(REGISTRY_LINE, "")
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


def test_the_module_describes_what_is_registered() -> None:
    assert [each.event for each in REGISTRATIONS] == list(AGENT.events)
    assert {each.timeout > AGENT.events[each.event].seconds for each in REGISTRATIONS} == {True}
