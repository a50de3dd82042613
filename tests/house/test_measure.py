"""The measuring program on a small package that was written for it."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.house import measure
from tests.house.commits import Commits, commits
from tests.house.metrics import METRICS
from tests.house.source_tree import SourceTree

RECORDS = '''"""What a record is; more."""

from typing import Any

Fields = dict[str, Any]
Rows = list[Fields]


class Box:
    """A box."""

    content: Fields

    def get(self, name: str) -> str:
        """Return it; at once."""
        return name
'''

READER = '''"""Read records."""

from typing import TYPE_CHECKING

from box import records
from box.records import Rows

if TYPE_CHECKING:
    from box.records import Fields as Body


def first(rows: Rows, *others: "Body") -> str:
    """How the first is read."""
    return rows[0]["name"] + others[0].get("name", "") + others[0].get(str(rows))


def rest_of(rows: records.Fields, size: dict[str, int], box: records.Box) -> dict:
    """Return the rest."""
    rows["name"] = size
    return {}


def _hidden(x: int) -> None:
    def inner(y: int) -> None: ...
'''


@pytest.fixture
def tree(tmp_path: Path) -> SourceTree:
    """A package of two modules and a command."""
    folder = tmp_path / "box"
    (folder / "cli").mkdir(parents=True)
    (folder / "records.py").write_text(RECORDS)
    (folder / "reader.py").write_text(READER)
    (folder / "cli" / "reader.py").write_text("def show() -> None: ...\n")
    return SourceTree(folder)


def offenders(tree: SourceTree, metric: str) -> list[str]:
    return [str(each) for each in METRICS[metric].counted(tree).offenders]


def test_reads_by_a_constant_string_are_found_and_writes_are_not(tree: SourceTree) -> None:
    assert offenders(tree, "string-keys") == [
        "reader.py:14 others[0].get('name', '')",
        "reader.py:14 rows[0]['name']",
    ]


def test_bare_dictionaries_are_found_through_aliases_and_imports(tree: SourceTree) -> None:
    assert offenders(tree, "bare-dict-parameters") == [
        "reader.py:12 first(others)",
        "reader.py:12 first(rows)",
        "reader.py:17 rest_of(rows)",
    ]
    assert METRICS["bare-dict-parameters"].counted(tree).population == 8
    assert offenders(tree, "bare-dict-results") == ["reader.py:17 rest_of()"]
    assert offenders(tree, "bare-dict-fields") == ["records.py:12 Box.content"]
    assert offenders(tree, "bare-dict-signatures") == ["reader.py:12 first", "reader.py:17 rest_of"]


def test_functions_of_one_word_are_counted_with_and_without_commands(tree: SourceTree) -> None:
    assert offenders(tree, "one-word-functions") == ["cli/reader.py:1 show", "reader.py:12 first"]
    assert offenders(tree, "one-word-functions-outside-cli") == ["reader.py:12 first"]
    assert METRICS["one-word-functions-outside-cli"].counted(tree).population == 2


def test_docstrings_are_judged_by_their_first_line(tree: SourceTree) -> None:
    assert offenders(tree, "question-docstrings") == [
        "reader.py:12 How the first is read.",
        "records.py:1 What a record is; more.",
    ]
    assert len(offenders(tree, "semicolon-docstrings")) == 2


def test_a_file_name_that_occurs_twice_is_one_name_and_two_offenders(tree: SourceTree) -> None:
    assert offenders(tree, "repeated-names") == [
        "cli/reader.py:1 reader.py",
        "reader.py:1 reader.py",
    ]
    assert METRICS["repeated-names"].counted(tree).population == 1
    assert offenders(tree, "repeated-names-outside") == []


def test_the_table_the_json_and_the_list_tell_the_same(
    tree: SourceTree, capsys: pytest.CaptureFixture[str]
) -> None:
    measure.main([str(tree.folder)])
    table = capsys.readouterr().out
    measure.main([str(tree.folder), "--json"])
    figures = json.loads(capsys.readouterr().out)
    measure.main([str(tree.folder), "--list", "long-functions"])

    assert re.search(r"^modules / lines +2 / 41$", table, re.MULTILINE)
    assert figures["lines"] == 41
    assert figures["bare-dict-parameters"] == 37.5
    assert capsys.readouterr().out == ""


def test_commits_are_counted_since_a_revision(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        identity = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        subprocess.run(["git", "-C", str(tmp_path), *identity, *words], check=True)

    assert commits(tmp_path, None) is None
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    git("commit", "-q", "--allow-empty", "-m", "x" * 73, "-m", "a body\n\nof two paragraphs")

    assert commits(tmp_path, None) == Commits(2, 1, 1)
    assert commits(tmp_path, "HEAD~1") == Commits(1, 1, 1)
