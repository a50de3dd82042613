"""Words that are spellings of one, and words that are not."""

import pytest

from hooklore.text.spelling import is_spelt_alike, names_alike


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("--noEmti", "--noEmit"),
        ("-varfile", "-var-file"),
        ("route:lst", "route:list"),
        ("shop_devlopment", "shop_development"),
        ("reqeusts", "requests"),
        ("values-staging.yaml", "values-staging.yml"),
        ("--環鏡", "--環境"),
        ("tset", "test"),
    ],
)
def test_a_slip_of_a_letter_or_a_mark_is_spelt_alike(wrong: str, right: str) -> None:
    assert is_spelt_alike(wrong, right)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("cache-01", "cache-02"),
        ("sales_2024-06.csv", "sales_2024-05.csv"),
        ("a.py", "b.py"),
        ("tests/test_press.py::test_x", "tests/test_press.py::test_y"),
        ("cart", "card"),
        ("deploy:prod", "deploy:dev"),
        ("route:list", "route:clear"),
        ("web", "api"),
    ],
)
def test_another_number_place_or_short_word_is_no_slip(word: str, other: str) -> None:
    assert not is_spelt_alike(word, other)
    assert not names_alike(word, other)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("test:unit", "unit"),
        ("checks", "statusCheckRollup"),
        ("検査", "点検"),
        ("orders", "orders-api"),
    ],
)
def test_a_longer_and_a_shorter_name_of_one_thing_are_alike(word: str, other: str) -> None:
    assert names_alike(word, other)


def test_one_ideograph_of_two_is_wrong_in_an_option_alone() -> None:
    assert not is_spelt_alike("受注", "発注")


def test_a_name_with_a_place_is_not_the_name_without() -> None:
    assert not names_alike("values", "values-prod")
