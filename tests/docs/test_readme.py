import re
import subprocess
import sys
from pathlib import Path

import pytest

from hooklore.cli.main import hooklore_main, hooks_main
from hooklore.config import Settings
from tests.conftest import listed_requirements
from tests.support.readme import README, ROOT, block, commands
from tests.support.terminal import run_at_terminal
from tests.support.untried import needs_mcp

SCRIPTS = Path(sys.executable).parent
END_OF_INPUT = "\x04"
PLACEHOLDERS = {"ID", "FILE"}


@needs_mcp
def test_every_command_in_the_readme_runs(home: Path) -> None:
    project = home / "project"
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    env = {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    failed = {}

    for words in commands():
        if PLACEHOLDERS & set(words) or words[1] in ("demo", "doctor", "gateway"):
            continue  # other tests run these
        done = run_at_terminal(
            [str(SCRIPTS / words[0]), *words[1:]], env, project, typed=END_OF_INPUT
        )
        if done.returncode:
            failed[" ".join(words)] = done.stderr

    assert failed == {}


def test_every_command_in_the_readme_with_a_placeholder_has_help(
    capsys: pytest.CaptureFixture[str],
) -> None:
    programs = {"hooks": hooks_main, "hooklore": hooklore_main}
    for program, *words in commands():
        verbs = [w for w in words[:2] if w.islower() and not w.startswith("-")][:1]
        assert programs[program]([*verbs, "--help"]) == 0, words
        assert "Usage: " in capsys.readouterr().out, words


def test_ci_runs_the_commands_that_the_readme_prints() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")

    assert "command_of test" in script
    assert "pytest" in block("test")
    assert "hooks demo" in block("demo")


def test_every_setting_is_on_the_page_of_settings_and_no_other() -> None:
    page = (ROOT / ".github" / "SETTINGS.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[^|]+) \|", page, re.MULTILINE)
    named = {name.strip("`.") for row in rows for name in re.findall(r"`[\w.]+`", row)}

    schema = Settings.model_json_schema()
    expected = {"strict", "debug"}
    for group in (
        "AgentSettings",
        "CaptureSettings",
        "CuratedSettings",
        "ImportanceSettings",
        "RecallSettings",
        "ResidentSettings",
        "SessionSettings",
        "SharingSettings",
        "WakeUpSettings",
    ):
        expected |= set(schema["$defs"][group]["properties"])
    assert {name.rpartition(".")[2] for name in named} == expected


def test_every_listed_requirement_is_marked_by_a_test() -> None:
    text = "".join(p.read_text("utf-8") for p in (ROOT / "tests").rglob("test_*.py"))
    marks = " ".join(re.findall(r"mark\.req\(([^)]*)\)", text))
    marked = set(re.findall(r'"([A-Z]{2}-\d+)"', marks))

    assert listed_requirements() - marked == set()


def test_no_requirement_is_listed_twice() -> None:
    text = (ROOT / "tests" / "requirements.md").read_text("utf-8")
    rows = re.findall(r"^\| ([A-Z]{2}-\d+) \|", text, re.MULTILINE)

    assert sorted(rows) == sorted(listed_requirements())


@pytest.mark.parametrize("word", ["event", "record", "append", "recall", "fix", "scope", "basis"])
def test_the_readme_has_a_word_for_what_the_program_prints(word: str) -> None:
    assert f"**{word}**" in README


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150
