"""The table of forms finds rules and leaves the rest alone, and the score itself can tell."""

import pytest

from hooklore.instructions.extract import extract_instructions
from hooklore.text.user_text import MAX_PROMPT_LENGTH
from tests.corrections.forms import FORMS
from tests.corrections.plain_orders import REASONED, UNREASONED
from tests.corrections.score import CORPORA, LEAST_PRECISION, LEAST_RECALL, report, score


@pytest.mark.parametrize("name", CORPORA)
def test_what_only_looks_like_a_rule_is_left_alone(name: str) -> None:
    result = score(extract_instructions, *CORPORA[name])

    assert result.precision >= LEAST_PRECISION, "\n".join(report({name: result}))


@pytest.mark.parametrize("name", FORMS)
def test_sentences_in_an_explicit_form_are_kept(name: str) -> None:
    result = score(extract_instructions, FORMS[name], ())

    assert result.recall >= LEAST_RECALL, "\n".join(report({name: result}))


def test_rules_without_never_and_rules_with_a_condition_are_kept() -> None:
    result = score(extract_instructions, *CORPORA["plain orders"])

    assert result.recall >= LEAST_RECALL, "\n".join(report({"plain orders": result}))
    assert result.mistaken == []


@pytest.mark.parametrize(("prompt", "reason"), REASONED)
def test_a_decision_is_kept_with_the_sentence_that_says_why(prompt: str, reason: str) -> None:
    assert [reason in found.text for found in extract_instructions(prompt)] == [True]


@pytest.mark.parametrize(("prompt", "other"), UNREASONED)
def test_a_decision_is_kept_without_a_sentence_about_something_else(
    prompt: str, other: str
) -> None:
    assert [other in found.text for found in extract_instructions(prompt)] == [False]


def test_rules_that_find_nothing_have_no_recall() -> None:
    result = score(lambda _: [], *CORPORA["forms"])

    assert (result.recall, result.precision) == (0.0, 0.0)


def test_rules_that_find_everything_are_not_precise() -> None:
    result = score(lambda prompt: [prompt], *CORPORA["Japanese, forty"])

    assert result.recall == 1.0
    assert result.precision < LEAST_PRECISION


@pytest.mark.parametrize(
    "part",
    [
        "no, use uv ",
        "don't a ",
        "from now on ",
        "in a ",
        "いつも",
        "今後",
        "必ずのを",
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


@pytest.mark.parametrize(
    "said", ["From now on, always use uv", "今後、PRは必ず日本語で書いてください"]
)
def test_what_stands_beyond_the_limit_is_not_read_and_what_ends_at_it_is(said: str) -> None:
    filler = "The press is loud today.\n" * (MAX_PROMPT_LENGTH // 25 + 1)

    within = filler[: MAX_PROMPT_LENGTH - len(said) - 2] + "\n\n" + said
    beyond = filler[: MAX_PROMPT_LENGTH - 2] + "\n\n" + said

    assert len(within) == MAX_PROMPT_LENGTH
    assert [found.text for found in extract_instructions(within)] == [said]
    assert extract_instructions(beyond) == []
    assert extract_instructions(within + "\n" + filler) == extract_instructions(within)
