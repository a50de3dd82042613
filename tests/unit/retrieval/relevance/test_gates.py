"""Memories that are specific enough: by words alone, and by words and meaning together."""

import math
from dataclasses import replace

from hooklore.retrieval.relevance import memory_gate, semantic_gate
from hooklore.retrieval.relevance.gate import THRESHOLD, MatchFeatures
from hooklore.retrieval.relevance.semantic_gate import SemanticSimilarity

CLEAR = MatchFeatures(
    weight=30.0, coverage=0.7, shared=("pgbouncer", "worker", "pool"), news=9, rarest=7.5, words=24
)
FAINT = MatchFeatures(weight=6.0, coverage=0.2, shared=("worker",), news=20, rarest=6.0, words=24)


def test_a_memory_that_shares_most_of_a_question_is_shown_and_one_word_is_not_enough() -> None:
    assert memory_gate.memory_confidence(CLEAR, 0.6, 1) > THRESHOLD
    assert memory_gate.memory_confidence(FAINT, 0.6, 1) < THRESHOLD


def test_what_says_nothing_beyond_the_question_is_never_shown() -> None:
    same = replace(CLEAR, news=1)

    assert memory_gate.memory_confidence(same, 1.0, 1) == -math.inf
    assert semantic_gate.semantic_confidence(same, SemanticSimilarity(4.0, 2.0), 1) == -math.inf


def test_a_long_memory_a_long_prompt_and_a_strange_name_each_ask_for_more() -> None:
    sure = memory_gate.memory_confidence(CLEAR, 0.6, 1)

    assert memory_gate.memory_confidence(replace(CLEAR, words=200), 0.6, 1) < sure
    assert memory_gate.memory_confidence(CLEAR, 0.6, 5) < sure
    assert memory_gate.memory_confidence(replace(CLEAR, unknown_names=1), 0.6, 1) < sure


def test_a_memory_without_a_shared_word_is_shown_when_it_is_far_nearer_than_any_other() -> None:
    none = MatchFeatures(weight=0.0, coverage=0.0, shared=(), news=20, words=20)

    assert (
        semantic_gate.semantic_confidence(none, SemanticSimilarity(steps=4.0, lead=4.5), 1)
        > THRESHOLD
    )
    assert (
        semantic_gate.semantic_confidence(none, SemanticSimilarity(steps=4.0, lead=0.2), 1)
        < THRESHOLD
    )


def test_shared_words_do_not_carry_a_memory_when_another_is_nearer() -> None:
    assert (
        semantic_gate.semantic_confidence(CLEAR, SemanticSimilarity(steps=3.0, lead=1.0), 1)
        > THRESHOLD
    )
    assert (
        semantic_gate.semantic_confidence(CLEAR, SemanticSimilarity(steps=1.0, lead=-2.0), 1)
        < THRESHOLD
    )


def test_one_rare_word_in_a_store_of_two_notes_is_chance() -> None:
    one = MatchFeatures(weight=7.3, coverage=0.33, shared=("tuesday",), news=8, rarest=7.3, words=9)
    two = replace(one, shared=("tuesday", "quartermast"), weight=14.6, coverage=0.66)

    assert memory_gate.memory_confidence(one, 1.0, 1) < THRESHOLD
    assert memory_gate.memory_confidence(two, 1.0, 1) > THRESHOLD
