"""Ranking by age and importance, as the user has set it: by default neither counts."""

from pathlib import Path
from typing import Any

import pytest

from hooklore.config import RecallSettings, Settings, StoreLocation
from hooklore.records.draft import Draft
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.recall import Recall
from tests.support.desk import KEYS, Desk

NOW = "2026-03-31T12:00:00.000Z"
OLD, NEW = "2025-12-01T12:00:00.000Z", "2026-03-30T12:00:00.000Z"
LONGER = "deploy keys deploy hosts: rotate the deploy keys monthly"
SHORTER = "deploy keys are on the shelf, beside the spare fuses and the lamp"


def order(
    place: StoreLocation, *said: tuple[str, str, dict[str, Any]], **settings: float
) -> list[str]:
    """Return the beginning of each record that a question finds, in order."""
    desk = Desk(place, Settings(recall=RecallSettings(**settings)))  # type: ignore[arg-type]
    for ts, text, more in said:
        name = "content_md" if more.get("stream") == "memory" else "text"
        fields = {
            "stream": "observation", "kind": "prompt", "agent_id": "claude", "basis": "user",
            "session_id": "s0", "ts": ts, "body": {name: text},
        }  # fmt: skip
        desk.broker.append([Draft.of(KEYS, **(fields | more))])
    desk.broker.refresh()
    asked = RecallQuery("prompt", session_id="s9", text="rotate the deploy keys", now=NOW)
    found = Recall(desk.broker).search(asked, desk.who("claude"), 10)
    desk.broker.close()
    bodies = [record.body for record in found]
    return [str(body.text or body.content_md)[:11] for body in bodies]


@pytest.mark.req("RF-24")
def test_by_default_what_is_old_keeps_its_place(store: StoreLocation) -> None:
    found = order(store, (OLD, "A " + LONGER, {}), (NEW, "B " + SHORTER, {}))

    assert [text[0] for text in found] == ["A", "B"]


@pytest.mark.req("RF-24")
def test_with_a_half_life_what_is_old_falls_behind(store: StoreLocation) -> None:
    found = order(store, (OLD, "A " + LONGER, {}), (NEW, "B " + SHORTER, {}), half_life_days=30)

    assert [text[0] for text in found] == ["B", "A"]


@pytest.mark.req("RF-24")
def test_what_was_kept_on_purpose_does_not_fade(store: StoreLocation) -> None:
    kept = {"stream": "memory", "kind": "fact"}

    found = order(store, (OLD, "A " + LONGER, kept), (NEW, "B " + SHORTER, {}), half_life_days=30)

    assert [text[0] for text in found] == ["A", "B"]


@pytest.mark.req("RF-03")
def test_what_is_old_and_matters_little_goes_behind_what_is_new_or_matters(
    store: StoreLocation,
) -> None:
    said = (
        (OLD, "A " + LONGER, {"importance": {"score": 0.05, "factors": {}}}),
        (OLD, "B " + SHORTER, {"importance": {"score": 0.6, "factors": {}}}),
        (NEW, "C " + SHORTER, {"importance": {"score": 0.05, "factors": {}}}),
    )

    found = order(store, *said, importance_floor=0.2)

    assert found[-1][0] == "A"
    assert len(found) == 3


@pytest.mark.req("RF-03")
def test_the_floor_is_the_users_to_set(store: StoreLocation, tmp_path: Path) -> None:
    said = (
        (OLD, "A " + LONGER, {"importance": {"score": 0.05, "factors": {}}}),
        (NEW, "B " + SHORTER, {"importance": {"score": 0.6, "factors": {}}}),
    )

    assert order(store, *said)[0][0] == "A"
    elsewhere = StoreLocation(str(tmp_path / "e"), tmp_path / "e" / "events.jsonl", tmp_path / "e")
    assert order(elsewhere, *said, importance_floor=0.04)[0][0] == "A"


@pytest.mark.req("RF-03")
def test_of_two_that_are_alike_the_more_important_goes_first_then_the_newer(
    store: StoreLocation,
) -> None:
    said = [
        (NEW, LONGER, {"importance": {"score": 0.6, "factors": {}}, "delivery_id": "a"}),
        (NEW, LONGER, {"importance": {"score": 0.1, "factors": {}}, "delivery_id": "b"}),
        (NEW, LONGER, {"importance": {"score": 0.1, "factors": {}}, "delivery_id": "c"}),
    ]
    order(store, *said)
    desk = Desk(store)
    desk.broker.refresh()
    asked = RecallQuery("prompt", session_id="s9", text="rotate the deploy keys", now=NOW)

    found = Recall(desk.broker).search(asked, desk.who("claude"), 10)

    assert [record.delivery_id for record in found] == ["a", "c", "b"]
    desk.broker.close()
