"""The version of the redaction rules is raised with every change of a rule: old stores are scanned again by it."""

import shutil
from pathlib import Path

import pytest

from hooklore.redaction import RULES_VERSION
from tests.redaction import rules_digest
from tests.redaction.rules_digest import code_lines, digest_rules, line_of_today, main

TOKENS = "redaction/rules/commands.py"
ROW = "_PASSWORD_FLAGS = (\n"


def test_the_rules_of_a_version_are_those_that_were_noted_with_it() -> None:
    assert rules_digest.noted() == line_of_today(), (
        "raise RULES_VERSION in src/hooklore/redaction/engine.py, then run "
        "`python -m tests.redaction.rules_digest`"
    )


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the rules, with a note of its own."""
    for name in ("redaction", "text"):
        shutil.copytree(rules_digest.SOURCES / name, tmp_path / name)
    monkeypatch.setattr(rules_digest, "SOURCES", tmp_path)
    monkeypatch.setattr(rules_digest, "NOTE", tmp_path / "note.txt")
    rules_digest.NOTE.write_text(line_of_today())
    return tmp_path


def add_row(sources: Path) -> None:
    text = (sources / TOKENS).read_text()
    assert ROW in text
    (sources / TOKENS).write_text(text.replace(ROW, f'{ROW}    ("acme", "-p", _APART),\n'))


def test_a_new_row_of_a_rule_is_no_longer_what_was_noted(sources: Path) -> None:
    add_row(sources)

    assert rules_digest.noted() != line_of_today()


def test_a_rule_that_changed_is_not_noted_under_the_version_that_it_had(
    sources: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add_row(sources)

    assert main([]) == 1
    assert "RULES_VERSION still is" in capsys.readouterr().err
    assert main(["--keep-version"]) == 0
    assert rules_digest.noted() == line_of_today()


def test_a_raised_version_is_noted_with_its_rules(
    sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_digest, "RULES_VERSION", RULES_VERSION + 1)
    add_row(sources)

    assert main([]) == 0
    assert rules_digest.noted() == line_of_today()


def test_comments_docstrings_and_the_version_itself_change_no_rule(sources: Path) -> None:
    before = digest_rules()
    for path in (sources / "redaction").rglob("*.py"):
        path.write_text(f'"""Another docstring."""\n\n# a remark\n{path.read_text()}\n# the end\n')

    assert digest_rules() == before
    assert code_lines("RULES_VERSION = 41\n") == []
    assert code_lines('A = "# no remark"  # a remark\n') == ['A = "# no remark"']
