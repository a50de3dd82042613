"""Notes that bear on a sentence: by the words that they share with it, and by meaning where that is known."""

import math
from dataclasses import replace

from hooklore.retrieval.relevance.gate import THRESHOLD, MatchFeatures, compute_match_features
from hooklore.retrieval.relevance.lexical_threshold import (
    SemanticSimilarity,
    confidence_by_meaning,
    confidence_by_words,
)

CLEAR = MatchFeatures(
    weight=30.0,
    bounded_weight=20.0,
    coverage=0.7,
    shared=("pgbouncer", "worker", "pool", "checkout"),
    news=9,
    words=24,
)
FAINT = MatchFeatures(
    weight=6.0, bounded_weight=5.0, coverage=0.2, shared=("worker",), news=20, words=24
)
NONE = MatchFeatures(weight=0.0, bounded_weight=0.0, coverage=0.0, shared=(), news=20, words=20)


def test_a_note_that_shares_four_rare_words_is_shown_and_one_word_is_not_enough() -> None:
    assert confidence_by_words(CLEAR) > THRESHOLD
    assert confidence_by_words(FAINT) < THRESHOLD
    assert confidence_by_words(NONE) == -math.inf


def test_two_words_are_enough_where_they_are_nearly_all_of_the_question() -> None:
    two = replace(FAINT, weight=10.0, bounded_weight=10.0, coverage=1.0, shared=("store", "money"))

    assert confidence_by_words(two) > THRESHOLD
    assert confidence_by_words(replace(two, coverage=0.5)) < THRESHOLD
    assert confidence_by_words(replace(FAINT, coverage=1.0)) < THRESHOLD


def test_what_says_nothing_beyond_the_question_is_never_shown() -> None:
    same = replace(CLEAR, news=1)

    assert confidence_by_words(same) == -math.inf
    assert confidence_by_meaning(same, SemanticSimilarity(4.0), has_phrases=False) == -math.inf


def test_weak_evidence_and_a_long_note_ask_for_more_words() -> None:
    sure = confidence_by_words(CLEAR)

    assert confidence_by_words(CLEAR, 0.5) < THRESHOLD < sure
    assert confidence_by_words(CLEAR, 0.0) == -math.inf
    assert confidence_by_words(replace(CLEAR, words=300)) < THRESHOLD


def test_one_rare_name_counts_no_more_than_a_word_that_is_nearly_as_rare() -> None:
    weights = {"koseki": 9.0, "move": 5.0, "where": 4.0}

    features = compute_match_features(weights, {"koseki", "move", "plot", "row"})

    assert features.weight == 14.0
    assert features.bounded_weight == 10.0


def test_phrases_help_to_find_a_memory_and_are_no_news_to_the_reader() -> None:
    weights = {"store": 5.0, "money": 5.0}
    text = {"yen", "integer"}

    features = compute_match_features(weights, {*text, "store", "money", "amount"}, text)

    assert features.shared == ("store", "money")
    assert (features.news, features.words) == (2, 2)


def test_a_near_memory_is_shown_without_any_shared_word_and_a_far_one_only_with_words() -> None:
    assert confidence_by_meaning(NONE, SemanticSimilarity(4.0), has_phrases=False) > THRESHOLD
    assert confidence_by_meaning(NONE, SemanticSimilarity(2.7), has_phrases=False) < THRESHOLD
    assert confidence_by_meaning(CLEAR, SemanticSimilarity(2.7), has_phrases=False) > THRESHOLD
    assert confidence_by_meaning(CLEAR, SemanticSimilarity(1.0), has_phrases=False) < THRESHOLD


def test_a_memory_with_phrases_must_be_a_little_nearer() -> None:
    plain = confidence_by_meaning(NONE, SemanticSimilarity(3.4), has_phrases=False)

    assert (
        confidence_by_meaning(NONE, SemanticSimilarity(3.4), has_phrases=True) < THRESHOLD < plain
    )


def test_between_two_scripts_the_lead_stands_in_for_shared_words() -> None:
    ahead = SemanticSimilarity(1.5, lead=2.5)
    among_others = SemanticSimilarity(1.5, lead=0.2)

    assert confidence_by_meaning(NONE, ahead, has_phrases=False) > THRESHOLD
    assert confidence_by_meaning(NONE, among_others, has_phrases=False) < THRESHOLD
