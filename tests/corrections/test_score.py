"""What the rules find of a user's corrections, and that the score itself can tell."""

import pytest

from hooklore.instructions.extract import extract_instructions
from hooklore.instructions.user_text import MAX_PROMPT_LENGTH
from tests.corrections.score import CORPORA, LEAST_PRECISION, LEAST_RECALL, report, score


@pytest.mark.req("HK-14")
@pytest.mark.parametrize("name", CORPORA)
def test_corrections_are_found_and_look_alikes_are_not(name: str) -> None:
    result = score(extract_instructions, *CORPORA[name])

    told = "\n".join(report({name: result}))
    assert result.precision >= LEAST_PRECISION, told
    assert result.recall >= LEAST_RECALL, told


def test_rules_that_find_nothing_have_no_recall() -> None:
    result = score(lambda _: [], *CORPORA["English"])

    assert (result.recall, result.precision) == (0.0, 0.0)


def test_rules_that_find_everything_are_not_precise() -> None:
    result = score(lambda prompt: [prompt], *CORPORA["Japanese"])

    assert result.recall == 1.0
    assert result.precision < LEAST_PRECISION


@pytest.mark.parametrize(
    "part",
    [
        "no, use uv ",
        "いつも",
        "覚えて:",
        "「",
        '"',
        "a, ",
        "always ",
        "> x\n",
        "```",
        "for all our tests, ",
        "<a>",
        "(",
        "x:\n",
    ],
)
def test_of_a_prompt_of_megabytes_only_the_beginning_is_looked_at(part: str) -> None:
    prompt = part * (4_000_000 // len(part))

    assert extract_instructions(prompt) == extract_instructions(prompt[:MAX_PROMPT_LENGTH])


@pytest.mark.parametrize("said", ["From now on, always use uv", "いつもPRは日本語にして"])
def test_what_stands_beyond_the_limit_is_not_read_and_what_ends_at_it_is(said: str) -> None:
    filler = "The press is loud today.\n" * (MAX_PROMPT_LENGTH // 25 + 1)

    within = filler[: MAX_PROMPT_LENGTH - len(said) - 2] + "\n\n" + said
    beyond = filler[: MAX_PROMPT_LENGTH - 2] + "\n\n" + said

    assert len(within) == MAX_PROMPT_LENGTH
    assert [said in found.text or found.text in said for found in extract_instructions(within)] == [
        True
    ]
    assert extract_instructions(beyond) == []
    assert extract_instructions(within + "\n" + filler) == extract_instructions(within)
