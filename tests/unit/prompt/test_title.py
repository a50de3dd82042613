"""The title of a memory, given or made of its text."""

import pytest

from hooklore.prompt.title import MAX_TITLE_LENGTH, title_from_text, title_of
from hooklore.records.record import Record


def test_a_given_title_is_the_title() -> None:
    record = Record({"body": {"content_md": "Deploys go out on Tuesday.", "title": "deploy  day"}})

    assert title_of(record) == "deploy day"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Use pnpm in this repository; npm breaks the lock file.", "Use pnpm in this repository"),
        ("- **Deploys** go out on Tuesday, never on Friday.", "Deploys go out on Tuesday"),
        ("No, the port is 8443.", "No, the port is 8443"),
        ("金額は整数の円で持つ。小数は使わない。", "金額は整数の円で持つ"),
        ("Please remember that the release branch is stable", "the release branch is stable"),
        ("remember this please, the price is in cents", "the price is in cents"),
        ("覚えておいて: デプロイは毎週水曜日の午前中に行う", "デプロイは毎週水曜日の午前中に行う"),
        ("Notes are kept in docs", "Notes are kept in docs"),
        ("The import runs at 03:15 (was 02:30)", "The import runs at 03:15"),
        (
            "'libzint.so.2.13: cannot open it': run `sudo ldconfig`.",
            "'libzint.so.2.13: cannot open it'",
        ),
        ("覚えておいてください", "覚えておいてください"),
        ("", ""),
    ],
)
def test_without_a_title_the_first_clause_of_the_text_is_the_title(text: str, title: str) -> None:
    assert title_from_text(text) == title


def test_a_title_has_at_most_fifty_characters() -> None:
    assert len(title_from_text("word " * 40)) <= MAX_TITLE_LENGTH
    assert len(title_from_text("あ" * 400)) <= MAX_TITLE_LENGTH
