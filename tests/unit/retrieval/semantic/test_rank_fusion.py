"""Reciprocal rank fusion by hand: 1/61 = .016393, 1/62 = .016129, 1/63 = .015873 (k = 60)."""

from hooklore.retrieval.semantic.rank_fusion import fuse_rankings


def test_ranks_are_those_of_sums_by_hand() -> None:
    # a: 1/61 + 1/63 = .032266   b: 1/62 + 1/61 = .032522   c: 1/63 = .015873   d: 1/62 = .016129
    assert fuse_rankings([["a", "b", "c"], ["b", "d", "a"]]) == ["b", "a", "d", "c"]


def test_two_middling_places_beat_one_first_place() -> None:
    # b: 2/62 = .032258 is more than a: 1/61 and c: 1/61
    assert fuse_rankings([["a", "b"], ["c", "b"]]) == ["b", "c", "a"]


def test_a_small_k_lets_the_first_place_win() -> None:
    # k = 0: a 1/1 = 1, b 1/2 + 1/3 = .833, x 1/1 = 1, y 1/2
    assert fuse_rankings([["a", "b"], ["x", "y", "b"]], k=0) == ["x", "a", "b", "y"]


def test_what_an_exact_key_found_goes_first() -> None:
    assert fuse_rankings([["a", "b"], ["a", "b"]], exact=["z", "b"]) == ["z", "b", "a"]


def test_of_equal_sums_the_newer_goes_first() -> None:
    assert fuse_rankings([["01", "02"], ["02", "01"]]) == ["02", "01"]


def test_an_id_that_a_list_repeats_counts_once() -> None:
    assert fuse_rankings([["a", "b", "b", "b"], ["a"]]) == ["a", "b"]


def test_of_nothing_comes_nothing() -> None:
    assert fuse_rankings([]) == fuse_rankings([[], []]) == []
