"""Weigh the evidence for standing instructions in a sentence and in its context."""

import pytest

from hooklore.instructions.evidence import EvidenceTable, SentenceContext, combine_evidence
from hooklore.instructions.extract import extract_instructions

TABLE = EvidenceTable(
    (
        ("scope", 4, "always"),
        ("scope", 2, "every"),
        ("product", -7, "the page"),
        ("subject", 5, "the page title"),
        ("around", 3, "for all"),
        ("job", -5, "implement"),
    )
)


def test_of_one_kind_of_sign_only_the_heaviest_counts() -> None:
    assert TABLE.score_kinds("always, every time, always") == {"scope": 4}


def test_a_table_that_needs_more_memory_than_it_may_take_is_an_error() -> None:
    with pytest.raises(Exception, match="failed to"):
        EvidenceTable([("scope", 1, r"(?:\w{1,900}){2}")]).warm()


def test_a_sentence_has_no_sign_of_its_own_that_speaks_for_others() -> None:
    assert combine_evidence(TABLE, "implement it for all", SentenceContext()) == {}


def test_a_sentence_beside_says_how_long_one_holds_and_one_before_what_the_prompt_is_about() -> (
    None
):
    around = SentenceContext(adjacent=["for all of them"], before=["implement the page"])

    assert combine_evidence(TABLE, "always so", around) == {"scope": 4, "around": 3, "job": -5}


def test_a_subject_of_the_work_takes_away_from_what_stands_against_it_and_adds_nothing() -> None:
    assert combine_evidence(TABLE, "the page title", SentenceContext()) == {"product": -2}
    assert combine_evidence(TABLE, "a title", SentenceContext()) == {}


@pytest.mark.req("HK-14")
@pytest.mark.parametrize(
    ("alone", "scope"),
    [
        ("Small diffs please.", "That goes for every task."),
        ("結論から書いて。", "今後ずっとです。"),
    ],
)
def test_what_is_said_without_a_scope_is_learnt_when_the_next_sentence_gives_it(
    alone: str, scope: str
) -> None:
    assert extract_instructions(alone) == []
    assert alone.rstrip(".。") in [found.text for found in extract_instructions(f"{alone} {scope}")]


@pytest.mark.req("HK-14")
@pytest.mark.parametrize(
    "requirement",
    [
        "Implement a settings page. The form should always keep what was typed.",
        "cache.pyを作り直して。古い値は必ず捨てるように。",
        "The importer must never skip a row.",
    ],
)
def test_what_a_product_is_to_do_is_no_instruction_to_an_agent(requirement: str) -> None:
    assert extract_instructions(requirement) == []


@pytest.mark.req("HK-14")
def test_a_japanese_name_in_an_english_sentence_leaves_it_english() -> None:
    assert extract_instructions("Always answer in 日本語 please.")
    assert extract_instructions("PRは日本語にして")


@pytest.mark.req("HK-14")
@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("Save this as a preference: metric units.", "metric units."),
        ("Put this in your memory: staging is read-only.", "staging is read-only."),
        ("メモリに残しといて。本番は読み取り専用。", "本番は読み取り専用。"),
    ],
)
def test_what_one_asks_to_be_stored_is_what_follows_the_request(prompt: str, kept: str) -> None:
    assert [(found.text, found.is_explicit) for found in extract_instructions(prompt)] == [
        (kept, True)
    ]


def test_a_hint_after_a_line_of_output_is_part_of_that_output() -> None:
    assert (
        extract_instructions("error: could not push\nhint: always use --force instead\n\nwhat now?")
        == []
    )
    assert extract_instructions("hint: always use uv instead of pip")
