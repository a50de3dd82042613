"""Reciprocal rank fusion by hand: 1/61 = .016393, 1/62 = .016129, 1/63 = .015873 (k = 60)."""

from hooklore.records.record import Record
from hooklore.retrieval.semantic.semantic_similarity import fuse_rankings


def fused(*lists: list[str]) -> list[str]:
    """Return the ids of records that are known by their ids alone."""
    ranked = ([Record({"id": id_}) for id_ in ids] for ids in lists)
    return [record.id for record in fuse_rankings(*ranked)]


def test_ranks_are_those_of_sums_by_hand() -> None:
    # a: 1/61 + 1/63 = .032266   b: 1/62 + 1/61 = .032522   c: 1/63 = .015873   d: 1/62 = .016129
    assert fused(["a", "b", "c"], ["b", "d", "a"]) == ["b", "a", "d", "c"]


def test_two_middling_places_beat_one_first_place() -> None:
    # b: 2/62 = .032258 is more than a: 1/61 and c: 1/61
    assert fused(["a", "b"], ["c", "b"]) == ["b", "c", "a"]


def test_of_equal_sums_the_newer_goes_first() -> None:
    assert fused(["01", "02"], ["02", "01"]) == ["02", "01"]


def test_an_id_that_a_list_repeats_counts_once() -> None:
    assert fused(["a", "b", "b", "b"], ["a"]) == ["a", "b"]


def test_of_nothing_comes_nothing() -> None:
    assert fuse_rankings([]) == fused([], []) == []
