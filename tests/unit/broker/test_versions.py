"""Which version of a memory stands: decided from records in memory, without a log."""

from collections.abc import Iterable
from typing import Any, cast

import pytest

from hooklore.broker import versions
from hooklore.errors import RecordInvalid
from hooklore.index.record_keys import record_keys, version_line_key
from hooklore.index.view import View
from hooklore.records.record import Record
from hooklore.records.standing import is_confirmed

KEY = "config:db_engine"
MOMENTS = [f"2026-01-0{n}T00:00:00.000Z" for n in range(1, 10)]


class Shelf:
    """Records in memory, found by their exact keys as in the log."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._records = list(records)

    def lookup(self, tag: str, limit: int = 100) -> list[Record]:
        assert tag, "an empty key is not looked up"
        return [r for r in reversed(self._records) if tag in record_keys(r)][:limit]

    def has(self, tag: str) -> bool:
        return bool(self.lookup(tag, 1))

    def held(self, tags: Iterable[str]) -> set[str]:
        return set(filter(self.has, tags))

    def view(self) -> View:
        return cast("View", self)


def memory(number: int, text: str = "We use sqlite", **fields: Any) -> Record:
    """Return the memory with a number, said at the moment of that number."""
    given = {
        "id": f"id-{number}", "ts": MOMENTS[number - 1], "stream": "memory", "kind": "config",
        "agent_id": "claude", "scope": "global", "basis": "tool", "dedupe_key": KEY,
        "body": {"content_md": text},
    }  # fmt: skip
    return Record({n: v for n, v in (given | fields).items() if v is not None})


def tombstone(number: int, target: Record) -> Record:
    body = {"targets": [target.id]}
    fields = {"stream": "control", "kind": "tombstone", "agent_id": "person", "scope": "global"}
    return Record({"id": f"id-{number}", "ts": MOMENTS[number - 1], "body": body, **fields})


def pins(number: int, kind: str, *lines: str) -> Record:
    fields = {"stream": "control", "kind": kind, "agent_id": "person", "scope": "global"}
    body = {"targets": [], "lines": list(lines)}
    return Record({"id": f"id-{number}", "ts": MOMENTS[number - 1], "body": body, **fields})


LINE = version_line_key(memory(1))


# ---- what is current


def test_the_newest_that_does_not_wait_is_current() -> None:
    old, new = memory(1), memory(2)
    waiting = memory(3, waits="inferred")
    shelf = Shelf([old, new, waiting])

    assert not versions.is_current_version(shelf, old)
    assert versions.is_current_version(shelf, new)
    assert not versions.is_current_version(shelf, waiting)
    assert versions.is_current_version(shelf, memory(4))
    assert versions.is_current_version(Shelf(), memory(1))
    assert versions.is_current_version(shelf, memory(1, dedupe_key=None))
    assert not versions.is_current_version(shelf, memory(9, dedupe_key=None, waits="inferred"))


def test_a_line_has_no_active_version_once_its_newest_has_ended() -> None:
    old, new = memory(1), memory(2)

    assert versions.latest_active_version(Shelf([old, new]), LINE) == new
    assert versions.latest_active_version(Shelf([old, new, tombstone(3, new)]), LINE) is None
    assert versions.latest_active_version(Shelf([old, tombstone(2, old), new]), LINE) == new
    assert versions.latest_active_version(Shelf([old]), "") is None
    assert versions.latest_active_version(Shelf(), LINE) is None


def test_a_memory_is_found_by_its_whole_id() -> None:
    one = memory(1)

    assert versions.find_by_id(Shelf([one, memory(2)]), "id-1") == one
    assert versions.find_by_id(Shelf([one]), "id-") is None


# ---- what stood before


def test_the_previous_version_is_that_which_stood_at_the_time() -> None:
    one, two, three = memory(1), memory(2), memory(3)
    view = Shelf([one, two, three]).view()

    assert versions.previous_version(view, three) == two
    assert versions.previous_version(view, two) == one
    assert versions.previous_version(view, one) is None
    assert versions.previous_version(view, memory(1, dedupe_key=None)) is None
    assert versions.previous_version(Shelf().view(), one) is None
    assert versions.previous_version(Shelf([one]).view(), one) is None


def test_what_had_ended_or_expired_by_then_did_not_stand() -> None:
    one, two = memory(1), memory(3)
    expired = memory(1, expires_at=MOMENTS[1])
    until_then = memory(1, expires_at=MOMENTS[2])

    def before(*records: Record) -> Record | None:
        return versions.previous_version(Shelf(records).view(), two)

    assert before(one, tombstone(2, one), two) is None
    assert before(one, two, tombstone(4, one)) == one
    assert before(expired, two) is None
    assert before(until_then, two) == until_then
    assert before(memory(1, expires_at=None), two) == one


def test_earlier_versions_are_those_of_the_line_and_those_named() -> None:
    other = memory(1, dedupe_key=None)
    foreign = memory(2, dedupe_key=None, supersedes=other.id)
    one, two, three = memory(3), memory(4, supersedes=foreign.id), memory(5)
    view = Shelf([other, foreign, one, two, three]).view()

    assert versions.earlier_versions(view, three) == [two, one]
    assert versions.earlier_versions(view, two) == [one, foreign, other]
    assert versions.earlier_versions(view, two, 2) == [foreign]
    assert versions.earlier_versions(view, three, 2) == [two]
    assert versions.earlier_versions(view, two, 1) == []
    assert versions.earlier_versions(view, foreign) == [other]
    assert versions.earlier_versions(view, other) == []


def test_a_name_that_leads_nowhere_ends_the_chain() -> None:
    one = memory(1, dedupe_key=None, supersedes="id-9")
    two = memory(2, dedupe_key=None, supersedes=one.id)
    circle = memory(3, dedupe_key=None, supersedes="id-3")
    listed = memory(4, dedupe_key=None, supersedes=["id-1"])
    view = Shelf([one, two, circle, listed]).view()

    assert versions.earlier_versions(view, two) == [one]
    assert versions.earlier_versions(view, circle) == []
    assert versions.earlier_versions(view, listed) == []


def test_a_memory_is_superseded_by_what_names_it_or_by_the_newest_of_its_line() -> None:
    one, two, three = memory(1), memory(2), memory(3)
    plain = memory(4, dedupe_key=None)
    named = memory(5, dedupe_key=None, supersedes=plain.id)
    shelf = Shelf([one, two, three, plain, named, tombstone(6, named)])
    view = shelf.view()

    assert versions.superseded_by(view, one) == three
    assert versions.superseded_by(view, three) is None
    assert versions.superseded_by(view, memory(1, waits="inferred")) is None
    assert versions.superseded_by(view, plain) == named
    assert versions.superseded_by(view, named) is None  # a tombstone replaces nothing


# ---- the last word on pins


def test_of_pins_the_last_word_counts() -> None:
    view = Shelf([pins(1, "pin", "a", "b"), pins(2, "unpin", "a"), pins(3, "pin", "c")]).view()

    assert versions.pin_marks(view) == {"a": False, "b": True, "c": True}


# ---- who may replace what


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        ("low", "low", None),
        ("low", "med", None),
        ("low", "high", "low_over_high"),
        ("med", "high", "low_over_high"),
        ("med", "low", None),
        ("high", "high", None),
        (None, "high", None),
        ("high", None, None),
        ("low", None, "low_over_high"),
        ("med", None, "low_over_high"),
        ("odd", "high", None),
        ("low", "odd", "low_over_high"),
    ],
)
def test_what_is_less_sure_does_not_replace_what_is_sure(
    new: str | None, old: str | None, expected: str | None
) -> None:
    """A memory that says nothing of its confidence is sure."""
    first, second = memory(1, confidence=old), memory(2, "We use postgres", confidence=new)

    assert versions.weaker_reason(second, first) == expected
    assert versions.assign_version(second, Shelf([first])).waits == expected


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        ({}, {"basis": "user"}, "over_the_user"),
        ({}, {"approved_by": "person"}, "over_the_user"),
        ({}, {"promoted_by": "person"}, "over_the_user"),
        ({}, {"approves": "id-9"}, "over_the_user"),
        ({}, {"through": "codex", "basis": "user"}, None),
        ({"basis": "agent"}, {"through": "codex", "basis": "user"}, "over_the_user"),
        ({"basis": "agent"}, {"basis": "tool"}, None),
        ({"basis": "user"}, {"basis": "user"}, None),
        ({"approved_by": "person"}, {"basis": "user"}, None),
        ({"agent_id": "person"}, {"basis": "user"}, None),
        ({}, {"basis": "inferred"}, None),
    ],
)
def test_what_an_agent_saw_does_not_replace_what_the_user_confirmed(
    new: dict[str, Any], old: dict[str, Any], expected: str | None
) -> None:
    assert versions.weaker_reason(memory(2, **new), memory(1, **old)) == expected
    assert is_confirmed(memory(1, **old)) is (
        not {"approved_by", "promoted_by", "approves"}.isdisjoint(old)
    )


# ---- a memory joins its line


def joined(record: Record, *there: Record) -> tuple[Any, Any, Any]:
    """Return what a memory waits for, its warnings, and since when its line is."""
    found = versions.assign_version(record, Shelf(there))
    return found.waits, found.extra("warnings"), found.created_at


def test_a_line_keeps_since_when_it_is() -> None:
    first = memory(1)
    second = memory(2, created_at=MOMENTS[0])

    assert joined(memory(2), first) == (None, None, MOMENTS[0])
    assert joined(memory(3), second) == (None, None, MOMENTS[0])
    assert joined(memory(1)) == (None, None, None)


def test_what_is_replaced_by_name_alone_gives_no_date() -> None:
    other = memory(1, dedupe_key=None)
    elsewhere = memory(1, dedupe_key="config:other")

    assert joined(memory(2, dedupe_key=None, supersedes="id-1"), other) == (None, None, None)
    assert joined(memory(2, supersedes="id-1"), elsewhere) == (None, None, None)
    sure = memory(1, dedupe_key=None, basis="user")
    assert joined(memory(2, dedupe_key=None, supersedes="id-1"), sure)[0] == "over_the_user"
    assert joined(memory(2, dedupe_key=None, supersedes="id-7"), sure)[0] is None
    newer = memory(2, dedupe_key="config:other")
    assert joined(memory(3, dedupe_key=None, supersedes="id-1", confidence="low"),
                  elsewhere, newer)[0] is None  # fmt: skip


def test_a_key_is_before_a_name() -> None:
    mine = memory(1, confidence="low")
    other = memory(2, dedupe_key=None)

    assert joined(memory(3, supersedes="id-2"), mine, other) == (
        None, ["high_overwrites_low"], MOMENTS[0],
    )  # fmt: skip


def test_what_the_user_said_is_not_ended_by_name_beside_a_key() -> None:
    mine = memory(1, confidence="low")
    theirs = memory(2, dedupe_key=None, basis="user")

    assert joined(memory(3, supersedes="id-2"), mine, theirs)[0] == "over_the_user"


def test_what_has_ended_or_expired_is_not_replaced() -> None:
    said = memory(1, basis="user")
    expired = memory(1, basis="user", expires_at=MOMENTS[1])
    plain = memory(1, basis="user", dedupe_key=None)
    by_name = memory(3, dedupe_key=None, supersedes="id-1")

    assert joined(memory(3), said)[0] == "over_the_user"
    assert joined(memory(3), said, tombstone(2, said))[0] is None
    assert joined(memory(3), expired)[0] is None
    assert joined(memory(2), expired)[0] == "over_the_user"
    assert joined(by_name, plain)[0] == "over_the_user"
    assert joined(by_name, plain, tombstone(2, plain))[0] is None
    assert joined(by_name, plain.with_fields(waits="inferred"))[0] is None
    assert joined(by_name, plain.with_fields(expires_at=MOMENTS[1]))[0] is None


def test_what_waits_joins_no_line_and_is_weaker_than_nothing() -> None:
    waiting = memory(2, waits="inferred")

    assert versions.assign_version(waiting, Shelf([memory(1, basis="user")])) is waiting
    assert versions.assign_version(waiting, Shelf()) is waiting


def test_what_is_weaker_waits_with_a_warning_and_gets_no_date() -> None:
    assert joined(memory(2, confidence="low"), memory(1)) == (
        "low_over_high", ["low_over_high"], None,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["approves", "resolves"])
def test_what_a_person_confirmed_replaces_anything_without_a_warning(name: str) -> None:
    said = memory(1, basis="user")

    assert joined(memory(2, confidence="low", **{name: "id-9"}), said) == (None, None, MOMENTS[0])
    assert joined(memory(2, **{name: "id-9"}), memory(1, confidence="low"))[1] is None


def test_sure_over_unsure_is_warned_of_and_as_sure_is_not() -> None:
    unsure = memory(1, confidence="low")

    assert joined(memory(2), unsure) == (None, ["high_overwrites_low"], MOMENTS[0])
    assert joined(memory(2, confidence="med"), unsure)[1] == ["high_overwrites_low"]
    assert joined(memory(2, confidence="low"), unsure)[1] is None
    assert joined(memory(2, confidence=None), memory(1, confidence="high"))[1] is None
    assert joined(memory(2, confidence="high"), memory(1, confidence=None))[1] is None
    assert joined(memory(2, confidence="odd"), memory(1, confidence="high"))[1] is None


def test_a_restored_memory_needs_a_free_key() -> None:
    back = memory(2, restores="id-1")

    with pytest.raises(RecordInvalid, match="restores: an active entry has its key"):
        versions.assign_version(back, Shelf([memory(1)]))
    waiting = back.with_fields(waits="inferred")
    assert versions.assign_version(waiting, Shelf([memory(1)])) is waiting
    assert versions.assign_version(back, Shelf()) is back


def test_sure_over_what_waits_is_warned_of_where_it_differs() -> None:
    guess = memory(1, "Perhaps postgres", confidence="low", waits="unconfirmed")
    sure = guess.with_fields(confidence="high")

    assert joined(memory(2), guess) == (None, ["high_overwrites_low"], None)
    assert joined(memory(2), sure)[1] is None
    assert joined(memory(2, "perhaps POSTGRES."), guess)[1] is None
    assert joined(memory(3), guess, tombstone(2, guess))[1] is None
    assert joined(memory(2, approves="id-1"), guess)[1] is None
    assert joined(memory(2, dedupe_key=None), guess)[1] is None


def test_texts_differ_beyond_case_and_punctuation() -> None:
    assert versions.has_different_content(memory(1), memory(2, "We use postgres"))
    assert not versions.has_different_content(memory(1), memory(2, "we use SQLite!"))
