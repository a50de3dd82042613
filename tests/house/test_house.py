"""Bounds that the code must hold. `python -m tests.house.measure --list METRIC` names each offender."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

import hooklore
from hooklore.agents.registry import MODULES
from tests.house.metrics import METRICS, Count
from tests.house.source_tree import Offender, SourceTree

MOST_STRING_KEYS: Final = 15.0
"""Reads by a constant string key for every 1,000 lines."""

MOST_ONE_WORD_FUNCTIONS: Final = 25.0
"""Per cent of the public module-level functions outside `cli/`."""

MOST_QUESTION_DOCSTRINGS: Final = 1.0
"""Per cent of all docstrings."""

MOST_BARE_DICT_PARAMETERS: Final = 2.0
"""Per cent of all parameters."""

EDGES: Final = (
    # the line in the log, and the value that wraps it
    "log/known_fields.py",
    "log/line.py",
    "records/record.py",
    "redaction/record_redactor.py",
    # what a foreign log or an evaluation sends and is sent
    "agents/rehearsal.py",
    "cli/demo.py",
    "cli/eval_adapter.py",
    "gateway/http_call.py",
    "gateway/forms.py",
    "gateway/problem.py",
    "gateway/route_descriptions.py",
    "hooks/parse.py",
    "mcp_server/input_schema.py",
    "memories/hook_memory.py",
    # JSON that a command prints, or that the resident answers our own commands with
    "agents/check.py",
    "cli/doctor/report.py",
    "maintenance/janitor.py",
    "memories/write_result.py",
    "resident/call.py",
)
"""Modules that read or write JSON of a shape that is not ours: a bare dictionary may stand there.

The module of each agent is one, too: it reads what the client sends (`is_edge`).
"""

AGENTS: Final = tuple(name.partition(".")[2].replace(".", "/") for name in MODULES.values())

_SHOWN: Final = 20


def is_edge(module: str) -> bool:
    """Return whether a bare dictionary may stand in a module of this path."""
    return module in EDGES or any(module.startswith((f"{own}/", f"{own}.py")) for own in AGENTS)


@pytest.fixture(scope="module")
def tree() -> SourceTree:
    """The installed package."""
    return SourceTree(Path(hooklore.__file__).parent)


def measured(tree: SourceTree, metric: str) -> tuple[float, str]:
    """Return the figure of a metric, and what a failing test says."""
    count: Count = METRICS[metric].counted(tree)
    return METRICS[metric].figure(count), told(METRICS[metric].text, count.offenders)


def told(text: str, offenders: Sequence[Offender]) -> str:
    """Return the first offenders, one a line, below a heading."""
    shown = [str(offender) for offender in offenders[:_SHOWN]]
    return "\n  ".join([f"{text}, {len(offenders)} offenders, the first of them:", *shown])


def test_few_values_are_read_by_a_string_key(tree: SourceTree) -> None:
    figure, offenders = measured(tree, "string-keys")

    assert figure <= MOST_STRING_KEYS, offenders


def test_most_public_functions_have_a_name_of_several_words(tree: SourceTree) -> None:
    figure, offenders = measured(tree, "one-word-functions-outside-cli")

    assert figure <= MOST_ONE_WORD_FUNCTIONS, offenders


def test_docstrings_begin_with_their_subject_or_a_verb(tree: SourceTree) -> None:
    figure, offenders = measured(tree, "question-docstrings")

    assert figure <= MOST_QUESTION_DOCSTRINGS, offenders


def test_few_parameters_are_bare_dictionaries(tree: SourceTree) -> None:
    figure, offenders = measured(tree, "bare-dict-parameters")

    assert figure <= MOST_BARE_DICT_PARAMETERS, offenders


def test_bare_dictionaries_stand_in_signatures_at_the_two_edges_only(tree: SourceTree) -> None:
    found = METRICS["bare-dict-signatures"].counted(tree).offenders
    inside = [offender for offender in found if not is_edge(offender.module)]

    assert not inside, told("functions with a bare dict in their signature", inside)


def test_every_edge_is_a_module_of_the_tree(tree: SourceTree) -> None:
    assert set(EDGES) <= {module.path for module in tree.modules}
