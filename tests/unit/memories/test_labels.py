"""Labels are put into form or left out, and the memory is kept."""

import pytest

from hooklore.memories.dedupe_key import MAX_KEY_LENGTH, put_into_form, validate_dedupe_key
from hooklore.memories.labels import fit_labels
from hooklore.records.record import Record

TEXT = "The quiet zone of a label is three millimetres. 綴りは二軸で読む。"


def fitted(**labels: object) -> tuple[Record, tuple[str, ...]]:
    return fit_labels(Record({"content_md": TEXT, **labels}))


@pytest.mark.parametrize(
    ("phrase", "cause"),
    [
        ("署名", None), ("綴り", "it adds no word"), ("二軸", "it adds no word"), ("鍵", "fewer than three"),
        ("ci", "fewer than three"), ("dpi", None), ("labe", None), ("quiet zone", "it adds no word"),
        ("x" * 61, "more than 60"),
        ("x" * 10_240, "more than 60"), ("zone of the quiet label", "it adds no word"), ("Δοκιμή", None),
    ],
)  # fmt: skip
def test_a_phrase_that_finds_nothing_new_is_left_out_with_its_reason(
    phrase: str, cause: str | None
) -> None:
    event, left_out = fitted(when=["where is the barcode", phrase])

    kept = ["where is the barcode", *([] if cause else [phrase])]
    assert (event.extra("when"), len(left_out)) == (kept, 1 if cause else 0)
    assert all(cause and cause in line and len(line) < 200 for line in left_out)


def test_of_a_hundred_phrases_in_three_scripts_the_first_that_fit_are_kept() -> None:
    phrases = [f"{word} {n}" for n in range(33) for word in ("barcode", "条形码", "バーコード")]

    event, left_out = fitted(when=[*phrases, "barcode 0!"])

    assert event.extra("when") == phrases[:8]
    assert len(left_out) == len(phrases) - 8 + 1


def test_phrases_of_the_same_words_and_too_long_together_are_left_out() -> None:
    long = [f"{n} " + "barcode reader " * 3 for n in range(9)]

    event, left_out = fitted(when=["late labels", "labels, late", *long])

    assert event.extra("when")[0] == "late labels"
    assert sum(map(len, event.extra("when"))) <= 320
    assert "another one has its words" in left_out[0]
    assert "all phrases have at most 320 characters" in left_out[-1]


@pytest.mark.parametrize(
    ("one", "other"),
    [("C++ style", "C# style"), ("a<b", "a>b"), ("@alice", "alice"), ("a&b", "a|b")],
)
def test_names_that_differ_in_more_than_the_signs_between_words_are_two(
    one: str, other: str
) -> None:
    assert put_into_form(one) != put_into_form(other)
    assert fitted(when=[f"{one} x", f"{other} x"])[0].extra("when") == [f"{one} x", f"{other} x"]


def test_a_title_is_cut_at_a_word_and_an_empty_one_is_none() -> None:
    event, left_out = fitted(
        title="Where the printer of the labels in the freight dock gets its paper"
    )

    assert event.extra("title") == "Where the printer of the labels in the freight…"
    assert "title: cut to “Where the printer of the labels in the freight…”" in left_out[0]
    assert fitted(title="  ")[0].extra("title") is None


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ("labels.dpi", "labels-dpi"), ("Config DB Engine", "config-db-engine"), ("decision/db", "decision-db"),
        ("todo: fix flaky test", "todo:fix-flaky-test"), ("a:b:c", "a:b-c"), (":a", "a"), ("  ", ""),
        ("ＡＰＩ", "api"), ("labels_dpi", "labels_dpi"),
    ],
)  # fmt: skip
def test_a_key_in_another_form_is_put_into_ours(given: str, key: str) -> None:
    assert put_into_form(given) == key
    assert fitted(dedupe_key=given)[0].dedupe_key == (key or None)


@pytest.mark.parametrize(
    "given",
    [
        "リリース手順",
        "decision:リリース",
        "k" * 65,
        "Ключ",
        "x y" * 200,
        "C++ style",
        "price<10",
        "🚀",
        "...",
    ],
)
def test_two_names_are_two_keys_whatever_a_key_has_no_letters_for(given: str) -> None:
    key = put_into_form(given)

    assert validate_dedupe_key(key) is None
    assert len(key) <= MAX_KEY_LENGTH
    assert put_into_form(given) == put_into_form(key) == key != put_into_form(f"{given}書")


def test_what_is_too_long_or_too_many_is_left_out_and_named() -> None:
    event, left_out = fitted(
        tags=["api", "api", "", "x" * 300, *map(str, range(40))], run_id="r" * 300,
        source={"system": "cli", "claim": "s" * 300},
    )  # fmt: skip

    assert event.extra("tags") == ["api", *map(str, range(31))]
    assert (event.run_id, event.source) == (None, {"system": "cli"})
    assert [line.split(":")[1].strip() for line in left_out] == ["tags"] * 10 + ["source", "run_id"]
