"""Times named in a question, by a fixed clock: Thursday, 2026-03-05, noon in Tokyo."""

import re
import time
from datetime import UTC, datetime, timedelta, timezone

import pytest

from hooklore.retrieval.time import expressions
from hooklore.retrieval.time.prefilter import may_contain_time

TOKYO = timezone(timedelta(hours=9))
NOW = datetime(2026, 3, 5, 12, 0, tzinfo=TOKYO)
MIDNIGHT = "T00:00:00.000Z"
FIRST, LAST = "0001-01-01", "9999-12-31T23:59:59.999Z"

NAMED = [
    ("昨日", "2026-03-04", "2026-03-05"),
    ("昨日の作業", "2026-03-04", "2026-03-05"),
    ("一昨日何をした", "2026-03-03", "2026-03-04"),
    ("今日のタスク", "2026-03-05", "2026-03-06"),
    ("先週", "2026-02-23", "2026-03-02"),
    ("先々週", "2026-02-16", "2026-02-23"),
    ("今週", "2026-03-02", "2026-03-09"),
    ("先週の月曜日", "2026-02-23", "2026-02-24"),
    ("先月", "2026-02-01", "2026-03-01"),
    ("去年", "2025-01-01", "2026-01-01"),
    ("3日前", "2026-03-02", "2026-03-03"),
    ("三日前に", "2026-03-02", "2026-03-03"),
    ("２週間前", "2026-02-16", "2026-02-23"),
    ("3か月前", "2025-12-01", "2026-01-01"),
    ("2年前", "2024-01-01", "2025-01-01"),
    ("3月5日の変更", "2026-03-05", "2026-03-06"),
    ("12月24日", "2025-12-24", "2025-12-25"),
    ("2026年2月", "2026-02-01", "2026-03-01"),
    ("2026年2月3日", "2026-02-03", "2026-02-04"),
    ("2025年に", "2025-01-01", "2026-01-01"),
    ("yesterday", "2026-03-04", "2026-03-05"),
    ("What broke yesterday?", "2026-03-04", "2026-03-05"),
    ("the day before yesterday", "2026-03-03", "2026-03-04"),
    ("today", "2026-03-05", "2026-03-06"),
    ("last week", "2026-02-23", "2026-03-02"),
    ("Last  Week", "2026-02-23", "2026-03-02"),
    ("last month", "2026-02-01", "2026-03-01"),
    ("last year", "2025-01-01", "2026-01-01"),
    ("3 days ago", "2026-03-02", "2026-03-03"),
    ("two weeks ago", "2026-02-16", "2026-02-23"),
    ("a month ago", "2026-02-01", "2026-03-01"),
    ("in the past 2 weeks", "2026-02-19", "2026-03-06"),
    ("last Monday", "2026-03-02", "2026-03-03"),
    ("last Thursday", "2026-02-26", "2026-02-27"),
    ("last weekend", "2026-02-28", "2026-03-02"),
    ("on 2026-02-03", "2026-02-03", "2026-02-04"),
    ("2026/2/3", "2026-02-03", "2026-02-04"),
    ("2026-02", "2026-02-01", "2026-03-01"),
    ("in February 2026", "2026-02-01", "2026-03-01"),
    ("on 3 Feb, 2026", "2026-02-03", "2026-02-04"),
    ("February 3rd, 2026", "2026-02-03", "2026-02-04"),
    ("on May 3", "2025-05-03", "2025-05-04"),
    ("in December", "2025-12-01", "2026-01-01"),
    ("in 2025", "2025-01-01", "2026-01-01"),
    ("before February 2026", FIRST, "2026-02-01"),
    ("since last week", "2026-02-23", LAST),
    ("until 2026-02-03", FIRST, "2026-02-04"),
    ("after 2026-02-03", "2026-02-04", LAST),
    ("先週以降", "2026-02-23", LAST),
    ("2026年2月より前", FIRST, "2026-02-01"),
    ("the week before 2026-02-10", "2026-02-03", "2026-02-10"),
    ("two weeks before February 15, 2026", "2026-02-01", "2026-02-15"),
]


def days(text: str) -> list[tuple[str, str]]:
    """Return the ranges that a text names, as days where they begin and end with a day."""
    found = expressions.find_time_ranges(text, NOW.replace(tzinfo=UTC))
    return [
        (s.start.replace("T00:00:00.000Z", ""), s.end.replace("T00:00:00.000Z", "")) for s in found
    ]


@pytest.mark.req("RF-22")
@pytest.mark.parametrize(("text", "start", "end"), NAMED)
def test_a_named_time_is_a_range_of_days(text: str, start: str, end: str) -> None:
    assert days(text) == [(start, end)]


@pytest.mark.req("RF-22")
def test_a_day_begins_at_midnight_where_the_asker_is() -> None:
    (span,) = expressions.find_time_ranges("昨日", NOW)

    assert span == expressions.TimeRange("2026-03-03T15:00:00.000Z", "2026-03-04T15:00:00.000Z")
    assert span.has("2026-03-03T15:00:00.000Z")
    assert span.has("2026-03-04T14:59:59.999Z")
    assert not span.has("2026-03-03T14:59:59.999Z")
    assert not span.has("2026-03-04T15:00:00.000Z")


@pytest.mark.req("RF-22")
@pytest.mark.parametrize(
    "text",
    [
        "run the tests", "february 30, 2026", "2026-13-01", "10.0.2026-02", "日本",
        "version 2026.2.3", "port 2025", "0 1 2 3", "the last 3 lines", "march on", "1時間前に",
    ],
)  # fmt: skip
def test_what_names_no_day_is_no_time(text: str) -> None:
    assert days(text) == []


def test_several_times_stand_in_their_order() -> None:
    named = days("昨日と先週の違い")

    assert named == [("2026-03-04", "2026-03-05"), ("2026-02-23", "2026-03-02")]


@pytest.mark.req("RF-22")
@pytest.mark.parametrize(
    ("text", "words", "is_before"),
    [
        ("Which database did we use before the migration?", "migration", True),
        ("移行の前は何を使っていた?", "移行", True),
        ("what changed after the migration to postgres?", "migration to postgres", False),
    ],
)
def test_a_thing_can_name_a_time(text: str, words: str, is_before: bool) -> None:
    assert expressions.find_event_reference(text) == (words, is_before)


@pytest.mark.parametrize(
    "text", ["run the linter before the commit", "名前の前に書く", "before 2026-02-03?"]
)
def test_an_order_names_no_time_by_a_thing(text: str) -> None:
    assert expressions.find_event_reference(text) is None


@pytest.mark.req("RF-22")
@pytest.mark.parametrize(
    "text",
    ["What did we do yesterday?", "昨日何をした", "昨日は何をしましたか？", "先週の作業をまとめて",
     "what happened on 2026-02-03", "what have you been working on last week", "昨日やったこと教えて"],
)  # fmt: skip
def test_a_question_of_nothing_but_a_time_is_known(text: str) -> None:
    assert expressions.is_time_only_query(text)


@pytest.mark.parametrize(
    "text", ["What did we decide about jwt yesterday?", "昨日の認証の変更", "what did we do"]
)
def test_a_question_of_more_than_a_time_is_not(text: str) -> None:
    assert not expressions.is_time_only_query(text)


@pytest.mark.parametrize(
    "piece", ["the ", "1", "last ", "2026-", "前", "before the ", "a.", "月の", "三", "  "]
)
def test_a_hostile_text_takes_no_longer_than_its_length(piece: str) -> None:
    """Compare with the processor time of as many honest words, which other programs do not change."""
    honest, hostile = "we met yesterday and " * 100, (piece * 2_000)[:200_000] + "?"

    def seconds(text: str) -> float:
        begun = time.process_time()
        for _ in range(5):
            expressions.find_time_ranges(text, NOW)
            expressions.find_event_reference(text)
            expressions.is_time_only_query(text)
        return time.process_time() - begun

    seconds(honest)
    assert re.fullmatch(r"[\s\S]+", hostile)
    assert seconds(hostile) < 50 * seconds(honest) + 0.5


@pytest.mark.parametrize(
    "text",
    [text for text, _, _ in NAMED]
    + ["Which one was it before the migration?", "移行の前は何を使っていた?"],
)
def test_no_text_that_names_a_time_is_passed_over(text: str) -> None:
    assert may_contain_time(text)


@pytest.mark.parametrize(
    "text",
    ["Please fix the failing test and run it before you commit", "this is the last line", "テストを直して",
     "may I use port 20234", "the past participle of go", "add 2 tests"],
)  # fmt: skip
def test_most_texts_are_passed_over_at_once(text: str) -> None:
    assert not may_contain_time(text)
