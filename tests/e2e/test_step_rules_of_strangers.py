"""Rules that strangers wrote are told at the steps that break them, and at no others."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.test_order_rules import Session
from tests.e2e.test_who_speaks import World

FIXTURES = Path(__file__).parents[1] / "fixtures" / "step_rules"
PRECISION, RECALL = 0.9, 0.5
"""The least of each file. `a.json` was read when the rules were written."""


def told_rules(world: World, rules: list[dict[str, str]], step: dict[str, Any]) -> set[str]:
    """Return the ids of the rules that are told before a step, in a session of its own."""
    payload = json.loads(json.dumps(step["input"]).replace("/srv/app", str(world.project)))
    session = Session(world, f"session {step['id']}")
    text = session.hook("PreToolUse", tool_name=step["tool"], tool_input=payload, tool_use_id="t")
    told = _plain(text)
    return {rule["id"] for rule in rules if _plain(rule["text"])[:40] in told}


def _plain(text: str) -> str:
    return re.sub(r"\W+", "", text)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
def test_strangers_are_told_a_rule_at_the_step_that_breaks_it_and_nowhere_else(
    path: Path, tmp_path: Path
) -> None:
    given = json.loads(path.read_text(encoding="utf-8"))
    world = World(tmp_path)
    for rule in given["rules"]:
        world.person("remember", "--kind", "constraint", rule["text"])
    told = {
        (s["id"], rule) for s in given["steps"] for rule in told_rules(world, given["rules"], s)
    }
    broken = {(step["id"], rule) for step in given["steps"] for rule in step["breaks"]}

    assert len(told & broken) >= PRECISION * len(told), sorted(told - broken)
    assert len(told & broken) >= RECALL * len(broken), sorted(broken - told)
