"""A prompt that only approves, declines, answers or goes on is told nothing, whatever words memory shares."""

import json
from pathlib import Path

import pytest

from tests.e2e.test_order_rules import Session
from tests.e2e.test_who_speaks import World

FIXTURES = Path(__file__).parents[1] / "fixtures" / "prompts_without_subject"
SILENT = sorted(path for path in FIXTURES.glob("*.txt") if "_with_subject" not in path.stem)
EARLIER = [
    "yes, that is fine, but the second option looks good only with the wide label ribbon",
    "no, wait: undo that and ship the first option again, please, as before",
    "looks good, thank you, go on with all of them and try the shorter one again",
    "はい、それで大丈夫です。2番でお願いします。ラベルの余白は全部そのままで",
    "いいえ、もう一度。前と同じで、少し短くしてください",
]


def load(path: Path) -> list[str]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Return a world with earlier prompts and memories that share words with approvals."""
    world = World(tmp_path)
    for number, prompt in enumerate(EARLIER):
        Session(world, f"earlier {number}").says(prompt)
        world.person("remember", "--kind", "fact", prompt)
    return world


@pytest.mark.parametrize("path", SILENT, ids=lambda path: path.stem)
def test_a_prompt_without_a_subject_is_told_nothing(world: World, path: Path) -> None:
    told = [
        prompt
        for number, prompt in enumerate(load(path))
        if "<hooklore-notes>" in Session(world, f"now {number}").says(prompt)
    ]

    assert told == []


@pytest.mark.parametrize("path", SILENT, ids=lambda path: path.stem)
def test_a_prompt_that_has_a_subject_is_told_what_matches_it(world: World, path: Path) -> None:
    prompts = load(path.with_name(f"{path.stem}_with_subject.txt"))
    for prompt in prompts:
        world.person(
            "remember", "--kind", "fact", f"{prompt} (agreed with the printer team in May)"
        )
    told = [
        prompt
        for number, prompt in enumerate(prompts)
        if "printer team" in Session(world, f"now {number}").says(prompt)
    ]

    assert len(told) >= FLOOR * len(prompts)


FLOOR = 0.8
"""The least share that is told: the other gates of a prompt stay as they are."""


@pytest.mark.parametrize("prompt", ["🦊", "👍" * 50_000, "no " * 5_000, "", "\u200d"])
def test_an_odd_prompt_is_told_nothing_and_raises_nothing(world: World, prompt: str) -> None:
    assert Session(world, "now").says(prompt) == ""
