"""Rules of order that strangers wrote, with the steps at which they want to be told them."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.e2e.test_order_rules import Session
from tests.e2e.test_who_speaks import World

FIXTURES = Path(__file__).parents[1] / "fixtures" / "order_rules"
PRECISION, RECALL = 0.8, 0.6
"""The least of each file; all files together have .88 and .98. `a.jsonl` was read when the rules were written."""
KEPT = "kept by a command"
SAID = "said as a prompt"


class Situation(NamedTuple):
    """A rule, the steps of a session, the step that is about to run, and whether the rule is due there."""

    rule: str
    steps: list[dict[str, Any]]
    at: dict[str, Any]
    is_due: bool


def load(path: Path) -> list[Situation]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        Situation(each["rule"], situation["steps"], situation["at"], situation["told"])
        for each in map(json.loads, filter(None, lines))
        for situation in each["situations"]
    ]


def replay(world: World, situation: Situation, way: str) -> bool:
    """Return whether the rule is told at the step of a situation."""
    if way == KEPT:
        world.person("remember", "--kind", "constraint", situation.rule)
    else:
        Session(world, "the first").says(situation.rule)
    session = Session(world, "the second", situation.at.get("branch", "main"))
    for step in situation.steps:
        session.does(step)
    return "<hooklore-notes>" in session.begins(situation.at)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_strangers_are_told_their_rules_where_they_are_due_and_nowhere_else(
    path: Path, tmp_path: Path
) -> None:
    situations = load(path)
    told = [
        replay(new_world(tmp_path / str(n)), situation, KEPT)
        for n, situation in enumerate(situations)
    ]

    right = sum(is_told and each.is_due for is_told, each in zip(told, situations, strict=True))
    assert right >= PRECISION * sum(told)
    assert right >= RECALL * sum(each.is_due for each in situations)


def new_world(home: Path) -> World:
    home.mkdir()
    return World(home)
