"""Derive the profile from the memories in force."""

from collections.abc import Iterator
from typing import Any

import pytest

from hooklore.config import StoreLocation
from hooklore.memories.profile import ProfileBlock, build_profile
from tests.support.desk import Desk

EDITOR = "preference:editor"


@pytest.fixture
def desk(store: StoreLocation) -> Iterator[Desk]:
    found = Desk(store)
    yield found
    found.broker.close()


def blocks(desk: Desk, agent: str | None = "claude") -> dict[str, ProfileBlock]:
    return {block.label: block for block in build_profile(desk.reader(agent))}


def prefers(desk: Desk, text: str, key: str = EDITOR, **more: Any) -> str:
    return str(desk.says(text, key, kind="preference", **more).id)


@pytest.mark.req("RF-09")
def test_a_changed_preference_changes_the_profile(desk: Desk) -> None:
    prefers(desk, "Edits with vim")
    before = blocks(desk)["preferences"]

    new = prefers(desk, "Edits with helix")

    after = blocks(desk)["preferences"]
    assert before.value == "- Edits with vim"
    assert (after.value, after.sources) == ("- Edits with helix", (new,))


@pytest.mark.req("RF-09")
def test_it_is_rebuilt_from_the_log(desk: Desk) -> None:
    prefers(desk, "Edits with vim")
    desk.says("The press is in room 4", kind="fact")
    desk.says("Never push to main", kind="constraint", scope=None)
    before = blocks(desk)

    desk.broker.rebuild()

    assert blocks(desk) == before
    assert before["facts"].value == "- The press is in room 4"
    assert before["rules"].value == "- Never push to main"


def test_only_what_is_confirmed_and_not_private_is_in_it(desk: Desk) -> None:
    prefers(desk, "Likes tabs", "preference:tabs", agent="codex", confidence="low")
    prefers(desk, "日記は夜に書く", "preference:diary", scope="agent:person", is_private=True)
    prefers(desk, "PRは日本語にして", "preference:language")

    assert blocks(desk, None)["preferences"].value == "- PRは日本語にして"
    assert blocks(desk)["preferences"].value == "- PRは日本語にして"


def test_another_agents_own_is_in_nobody_elses(desk: Desk) -> None:
    prefers(desk, "Likes tabs", agent="codex", scope="agent:codex")

    assert blocks(desk, "codex")["preferences"].value == "- Likes tabs"
    assert blocks(desk, "gemini")["preferences"].value == ""


@pytest.mark.req("TI-11")
def test_a_block_keeps_its_limit_by_leaving_whole_lines_out(desk: Desk) -> None:
    for number in range(30):
        prefers(desk, f"Likes colour {number:02} " + "x" * 150, f"preference:colour_{number:02}")

    found = blocks(desk)["preferences"]

    assert len(found.value) <= found.limit
    lines = found.value.split("\n")
    assert found.left_out == 30 - len(lines) > 0
    assert len(found.sources) == len(lines)
    assert lines[0].startswith("- Likes colour 29")
    assert found.problem == (
        f"could not fit {found.left_out} memories more into `preferences`: "
        f"{len(found.value):,} of 2,000 characters are used"
    )


@pytest.mark.req("TI-11")
@pytest.mark.parametrize(("room", "fits"), [(0, True), (1, False)])
def test_a_block_may_be_full_to_the_last_character(desk: Desk, room: int, *, fits: bool) -> None:
    """A line is `- `, a text, and a line end between two lines: 10 × 200 characters less 1."""
    limit = blocks(desk)["preferences"].limit
    for number in range(9):
        prefers(desk, f"{number:02} " + "x" * 194, f"preference:n{number}")
    left = limit - len(blocks(desk)["preferences"].value) - len("\n- ")

    prefers(desk, "y" * (left + room), "preference:last")

    found = blocks(desk)["preferences"]
    assert (found.used == limit, found.problem is None, found.left_out) == (
        fits, fits, 0 if fits else 1,
    )  # fmt: skip


def test_what_is_pinned_comes_first(desk: Desk) -> None:
    from hooklore.memories.pins import pin

    first = str(desk.says("The press is in room 4", kind="fact").id)
    desk.says("The forge is in room 5", kind="fact")

    pin(desk.broker, first)

    assert blocks(desk)["facts"].value.split("\n")[0] == "- The press is in room 4"
