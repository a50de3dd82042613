import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooklore.config import store_location_at
from hooklore.index.view import View

_CJK = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=2, max_size=8)
_LATIN = st.text("bcdfghjklmnpqrtvwxz", min_size=3, max_size=10)
_DIGITS = st.text("0123456789", min_size=2, max_size=6)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> View:
    """The view of a store without an index, which analyses texts as one with an index."""
    return View(store_location_at(tmp_path_factory.mktemp("store")))


@given(before=_CJK, word=_LATIN | _DIGITS, after=_CJK)
def test_latin_letters_and_digits_beside_cjk_are_words_of_their_own(
    index: View, before: str, word: str, after: str
) -> None:
    alone = {*index.terms(before), *index.terms(word), *index.terms(after)}

    assert set(index.terms(before + word + after)) == alone


@given(text=_CJK)
def test_cjk_becomes_its_overlapping_pairs(index: View, text: str) -> None:
    pairs = {text[i : i + 2] for i in range(len(text) - 1)}

    assert set(index.terms(text)) == pairs


@given(text=_CJK, part=st.data())
def test_a_part_of_a_cjk_text_is_found_in_it(index: View, text: str, part: st.DataObject) -> None:
    start = part.draw(st.integers(0, len(text) - 2))
    end = part.draw(st.integers(start + 2, len(text)))

    assert set(index.terms(text[start:end])) <= set(index.terms(text))


@given(word=_LATIN)
def test_case_and_width_make_no_difference(index: View, word: str) -> None:
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in word)

    assert index.terms(word) == index.terms(word.upper()) == index.terms(wide)


def test_half_width_katakana_are_full_width_ones(index: View) -> None:
    assert index.terms("ｷｬｯｼｭ") == index.terms("キャッシュ")


@pytest.mark.parametrize(
    "written", ["maxRetries", "MaxRetries", "max_retries", "max-retries", "max.retries"]
)
def test_an_identifier_is_found_by_its_parts_and_whole_however_it_is_written(
    index: View, written: str
) -> None:
    assert {*index.terms("max retries"), *index.terms("maxretries")} <= set(index.terms(written))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("src/api/orders.py", "src api orders py orderspy"),
        ("--no-cache-dir", "cache nocachedir"),
        ("ERR_MODULE_NOT_FOUND", "module found errmodulenotfound"),
        ("TS2345", "ts2345"),
        ("関数getUserName()を", "関数 getusername user name"),
    ],
)
def test_paths_flags_and_error_codes_are_split_and_kept_whole(
    index: View, text: str, words: str
) -> None:
    assert set(index.terms(words)) <= set(index.terms(text))


@given(text=st.text(max_size=300))
def test_any_text_can_be_split_into_words(index: View, text: str) -> None:
    terms = index.terms(text)

    assert all(terms)
    assert len(set(terms)) == len(terms)


def test_a_very_long_word_costs_no_more_than_its_length(index: View) -> None:
    for text in ("a" * 200_000, "a/" * 100_000, "-_" * 100_000, "aB" * 100_000):
        assert isinstance(index.terms(text), list)
