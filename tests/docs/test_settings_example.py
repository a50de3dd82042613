import json
import re
from pathlib import Path

import pytest

from hooklore.agents.claude_code import PLUGIN_TOOLS
from hooklore.agents.claude_code.registering import (
    GROUPS,
)
from hooklore.cli.install.launcher import entry_directory
from tests.support.written_settings import plugin_hooks, settings_example

ROOT = Path(__file__).parents[2]


def test_the_example_holds_what_install_writes() -> None:
    assert (ROOT / "settings.example.json").read_text("utf-8") == settings_example()


def test_the_plugin_registers_the_same_events() -> None:
    text = (ROOT / "hooks" / "hooks.json").read_text("utf-8")

    assert text == plugin_hooks()
    plugin = json.loads(text)["hooks"]
    plain = json.loads(settings_example())["hooks"]
    assert list(plugin) == list(plain)
    matchers = {event: found[0].get("matcher") for event, found in plugin.items()}
    steps = matchers["PreToolUse"].removesuffix("|" + "|".join(PLUGIN_TOOLS.values()))
    assert steps != matchers["PreToolUse"]
    assert matchers | {"PreToolUse": steps} == {
        event: found[0].get("matcher") for event, found in plain.items()
    }


def test_every_entry_file_is_registered_and_calls_the_client_with_its_own_event() -> None:
    found = {path.name for path in (ROOT / "hooks").glob("*.py")}

    assert found == set(GROUPS.entry_files.values())
    assert entry_directory() == ROOT / "hooks"
    for event, entry in GROUPS.entry_files.items():
        text = (ROOT / "hooks" / entry).read_text("utf-8")
        assert text.startswith(f'"""{event}: ')
        assert text.endswith(f'client.main("{event}", sys.argv[1:])\n')


def test_the_plugin_has_the_version_of_the_package() -> None:
    plugin = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    project = (ROOT / "pyproject.toml").read_text("utf-8")

    assert f'\nversion = "{plugin["version"]}"\n' in project


READS = ("Read", "Glob", "Grep")
OTHERS = ("Bash", "Write", "TaskCreate", "Agent", "mcp__notes__Read", "Reader", "GlobMatch")


@pytest.mark.req("HK-15")
def test_before_a_tool_only_the_tools_that_recall_are_matched() -> None:
    names = GROUPS.entries()["PreToolUse"]["matcher"].split("|")

    assert not set(names) & set(READS)
    assert {"Bash", "Edit", "Write", "Task", "WebFetch", "WebSearch"} <= set(names)


def test_after_a_tool_everything_but_reads_is_matched_unless_reads_are_captured() -> None:
    matcher = GROUPS.entries()["PostToolUse"]["matcher"]

    assert not [name for name in READS if re.search(matcher, name)]
    assert all(re.search(matcher, name) for name in OTHERS)
    assert "matcher" not in GROUPS.entries(capture_reads=True)["PostToolUse"]
    assert "matcher" in GROUPS.entries(capture_reads=True)["PreToolUse"]
