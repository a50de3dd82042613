"""The kind of a memory that names none, on what somebody wrote who had not seen the rule."""

import json
from collections import Counter
from pathlib import Path

import pytest

from hooklore.instructions.stated_kind import state_kind

KEPT = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "labels" / "kept_by_agents.json").read_text("utf-8")
)


def test_a_kind_that_is_told_is_right_and_most_are_told() -> None:
    told = [(each["kind"], state_kind(each["text"])) for each in KEPT]
    named = [(true, said) for true, said in told if said != "fact"]

    assert sum(true == said for true, said in named) / len(named) >= 0.9
    assert sum(true == said for true, said in told) / len(told) >= 0.75
    of_decisions = Counter(said for true, said in told if true == "decision")
    assert of_decisions["decision"] / of_decisions.total() >= 0.7


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Decision: never deploy on Fridays.", "decision"), ("決定：金曜にデプロイしない。", "decision"),
        ("We decided to use `must` in errors.", "decision"), ("Not decided yet: the queue.", "fact"),
        ("The word is `deprecated` in the API.", "fact"), ("", "fact"), ("x" * 100_000, "fact"),
        ("The port is 7341. We decided so in May.", "decision"), ("Nothing was decided on the cache.", "fact"),
        ("Nobody has decided on the cache.", "fact"), ("採用するかどうかは検討中", "fact"),
        ("The decision was postponed.", "fact"), ("Should be decided by Ben.", "fact"),
        ("The user is going with his family to Rome.", "fact"),
    ],
)  # fmt: skip
def test_a_heading_goes_first_and_quoted_words_show_nothing(text: str, kind: str) -> None:
    assert state_kind(text) == kind


def test_the_kind_of_a_key_goes_before_the_words() -> None:
    assert state_kind("We decided to use uv.", "fact:uv") == "fact"
    assert state_kind("We decided to use uv.", "workflow:uv") == "workflow"
    assert state_kind("We decided to use uv.", "uv") == "decision"
    assert state_kind("The engine runs hot.", "Decision:engine") == "decision"
