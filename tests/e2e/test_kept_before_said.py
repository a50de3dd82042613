"""A kept memory is told before the prompt that it was kept from, however often it is asked for."""

import json
import os
from collections.abc import Sequence

import pytest

from hooklore import Memory
from tests.e2e.test_who_speaks import World

DPI = "We print labels at 203 dpi because the dock's printer knows no other resolution."
WORDINGS = (
    "Which dpi do we print labels at?",
    "At how many dpi are our labels for the dock printed?",
    "What resolution does the dock's printer know for labels?",
    "Why do we print labels at that dpi?",
    "Do the labels for the dock's printer need another dpi resolution?",
)
JAPANESE = "ラベルは203dpiで印刷する。倉庫のプリンターが他の解像度を知らないため。"
JAPANESE_WORDINGS = (
    "ラベルは何dpiで印刷する？",
    "倉庫のプリンターのラベルの解像度は？",
    "ラベル印刷の解像度はどれ？",
    "倉庫のラベルは何dpiで印刷しますか。",
    "プリンターが知っているラベルの解像度は何dpi？",
)


def asks(world: World, prompt: str) -> str:
    """What a session of its own is told at a prompt, which its agent then answers."""
    session = os.urandom(8).hex()
    told = world.hook("UserPromptSubmit", session_id=session, prompt=prompt)
    world.hook("Stop", session_id=session, last_assistant_message="203 dpi.")
    return told


def keep(world: World, text: str) -> None:
    kept = world.agent("remember", text)
    assert kept.returncode == 0, kept.stderr


def notes(told: str) -> list[str]:
    return [line for line in told.splitlines() if line.startswith("- ")]


def is_told_alone(told: str, text: str) -> bool:
    """Return whether a memory, and no prompt, was told."""
    found = notes(told)
    return len(found) == 1 and text in found[0] and found[0].endswith("trust med]")


@pytest.mark.parametrize(
    ("said", "wordings"), [(DPI, WORDINGS), (JAPANESE, JAPANESE_WORDINGS)], ids=["en", "ja"]
)
def test_what_the_user_said_and_the_agent_kept_is_told_in_five_wordings_in_five_sessions(
    world: World, said: str, wordings: Sequence[str]
) -> None:
    world.types(said)
    keep(world, said)

    told = [asks(world, each) for each in wordings]

    assert [is_told_alone(each, said) for each in told] == [True] * 5, told


def test_a_memory_stands_for_the_prompt_that_says_the_same(world: World) -> None:
    text = "Freight labels for the dock are printed at 203 dpi, the dock's printer knows no other."
    world.types(text)
    keep(world, text)

    told = asks(world, "Which dpi do freight labels for the dock need?")

    assert is_told_alone(told, text), told


def test_a_memory_stands_for_a_prompt_of_another_session_that_says_the_same(world: World) -> None:
    world.types(DPI)
    keep(world, DPI)
    world.hook("UserPromptSubmit", session_id="s1", prompt=DPI)

    told = asks(world, WORDINGS[0])

    assert is_told_alone(told, DPI), told


def test_a_memory_in_other_words_stands_for_the_prompt_that_it_was_kept_from(
    world: World,
) -> None:
    world.types(
        "The freight labels that we stick on pallets at the dock come out of the old printer there, "
        "it knows 203 dpi and no other resolution, so print freight labels for the dock at 203 dpi."
    )
    kept = "Freight labels for the dock: print at 203 dpi, the printer knows no other resolution."
    keep(world, kept)

    told = asks(world, "Which dpi do freight labels for the dock need, what resolution to print?")

    assert is_told_alone(told, kept), told


def test_questions_with_the_same_words_never_crowd_a_memory_out(world: World) -> None:
    world.types(DPI)
    keep(world, DPI)
    for number in range(12):
        world.hook(
            "UserPromptSubmit",
            session_id=f"s{number}",
            prompt=f"Which dpi do we print labels at in batch {number} of the dock's printer?",
        )

    told = asks(world, "Which dpi do we print labels at?")

    assert is_told_alone(told, DPI), told


def test_orders_with_the_same_words_never_crowd_a_memory_out(world: World) -> None:
    world.types(DPI)
    keep(world, DPI)
    for number in range(12):
        world.hook(
            "UserPromptSubmit",
            session_id=f"s{number}",
            prompt=f"Print labels at the dpi of the dock's printer, batch {number}, and print them twice.",
        )

    told = asks(world, "Which dpi do we print labels at?")

    assert DPI in (notes(told) or [""])[0], told


def test_what_was_said_and_never_kept_is_still_told(world: World) -> None:
    world.types(DPI)

    assert DPI in asks(world, "Which dpi do we print labels at?")


def test_a_told_memory_does_not_bring_its_prompt_after_it(world: World) -> None:
    world.types(DPI)
    keep(world, DPI)
    world.hook("UserPromptSubmit", session_id="s1", prompt=WORDINGS[0])

    again = world.hook("UserPromptSubmit", session_id="s1", prompt=WORDINGS[4])

    assert again == "", json.dumps(again)


def crowd(world: World) -> None:
    """Let the user say and an agent keep a fact, then be asked for it and told to use it in many sessions."""
    world.types(DPI)
    keep(world, DPI)
    for number in range(6):
        for prompt in (
            WORDINGS[0],
            f"Print the dock's labels at that dpi on the printer, {number}.",
        ):
            session = f"s{number}"
            world.hook("SessionStart", session_id=session, source="startup")
            world.hook("UserPromptSubmit", session_id=session, prompt=prompt)
            world.hook(
                "Stop", session_id=session, last_assistant_message="Labels print at 203 dpi."
            )


def kinds_in(rows: str) -> list[str]:
    """Return the kinds of printed rows, in their order."""
    return [json.loads(row)["kind"] for row in rows.splitlines()]


@pytest.mark.parametrize(
    "words", [("recall", WORDINGS[0]), ("search", WORDINGS[0]), ("list",)], ids=lambda w: w[0]
)
@pytest.mark.parametrize("limit", ["1", "5", "20"])
def test_every_list_has_memories_first(world: World, words: tuple[str, ...], limit: str) -> None:
    crowd(world)

    found = world.person(*words, "--limit", limit, "--json")

    assert kinds_in(found.stdout)[0] == "fact"


def test_a_list_ends_in_prompts_and_the_starts_of_sessions(world: World) -> None:
    crowd(world)

    kinds = kinds_in(world.person("list", "--limit", "20", "--json").stdout)

    last = [kind for kind in kinds if kind in ("prompt", "session_start")]
    assert "answer" in kinds
    assert kinds[len(kinds) - len(last) :] == last


def test_agents_and_programs_are_told_in_the_same_order(world: World) -> None:
    crowd(world)

    by_command = notes(world.agent("recall", WORDINGS[0]).stdout)
    with Memory(
        "codex", folder=world.project, store=world.broker.place.directory, in_process=True
    ) as client:
        recalled = client.recall(WORDINGS[0]).memories
        searched = client.search(WORDINGS[0]).memories

    assert DPI in by_command[0]
    assert recalled[0].kind == searched[0].kind == "fact"
