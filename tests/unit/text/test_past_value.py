"""A statement that names an earlier one's value as past contradicts it, whatever else it says."""

import pytest

from hooklore.text.opposite_statements import is_contradiction

PAST = [
    (
        "The queue limit is 200 jobs, then 429.",
        "The queue limit is 500 jobs (was 200), since mornings are busy.",
    ),
    (
        "The feed is cached in BoltDB, a file a year.",
        "The feed is cached in SQLite, one file, not in BoltDB.",
    ),
    (
        "The printers print at 203 dpi (render.py).",
        "All printers print at 300 dpi; 203 dpi is no longer supported.",
    ),
    (
        "Pages come from HTML by Chromium, the designers know it.",
        "Pages come as ZPL now; Chromium/HTML is dropped.",
    ),
    ("ラベルはHTMLから作る、デザイナーの都合。", "ラベルはZPLで直接作る。HTMLは廃止、遅かった。"),
]
BESIDE = [
    (
        "The scanner daemon listens on port 8088.",
        "The label service listens on port 8190 (was 8088).",
    ),
    ("The designers know only HTML.", "Labels are rendered as ZPL; HTML is dropped."),
    ("The queue is SQLite, not Redis.", "The session cache is Redis, not SQLite."),
    ("Labels carry a QR code of 20 mm.", "Labels are rendered as ZPL, not by Chromium."),
    ("The feed is cached in SQLite, not in BoltDB.", "The feed is parsed each night, not at noon."),
]


@pytest.mark.parametrize(("earlier", "later"), PAST)
def test_a_statement_that_names_the_value_as_past_contradicts(earlier: str, later: str) -> None:
    assert is_contradiction(earlier, later)


@pytest.mark.parametrize(("earlier", "later"), BESIDE)
def test_what_is_past_of_another_topic_contradicts_nothing(earlier: str, later: str) -> None:
    assert not is_contradiction(earlier, later)
