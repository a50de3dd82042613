"""A question that names a time: what was then comes first, and "what did we do" then is answered by it."""

from collections.abc import Iterator
from typing import Any

import pytest

from hooklore.config import StoreLocation
from hooklore.records.draft import Draft, Principal
from hooklore.records.record import Body
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.recall import Recall
from tests.support.desk import KEYS, Desk

NOW = "2026-03-05T12:00:00+09:00"
FIELDS = {"stream": "observation", "kind": "prompt", "agent_id": "claude", "basis": "user"}


@pytest.fixture
def desk(store: StoreLocation) -> Iterator[Desk]:
    found = Desk(store)
    yield found
    found.broker.close()


def said(desk: Desk, ts: str, text: str, **more: Any) -> None:
    """Append something said in the project at a time."""
    draft = Draft.of(KEYS, **FIELDS, session_id="s0", ts=ts, body=Body.of(text=text), **more)
    assert desk.broker.append([draft])[0].status == "stored"


def found(desk: Desk, text: str, who: Principal | None = None, limit: int = 10) -> list[str]:
    """Return the texts that a question finds, by the clock of this module."""
    desk.broker.refresh()
    asked = RecallQuery("prompt", session_id="s9", text=text, now=NOW)
    records = Recall(desk.broker).search(asked, who or desk.who("claude"), limit)
    return [str(record.body.text) for record in records]


@pytest.mark.req("RF-22")
@pytest.mark.parametrize(
    "question",
    ["What did we decide about the deploy keys last week?", "先週の deploy keys の決定は?"],
)
def test_what_was_said_at_the_named_time_comes_first(desk: Desk, question: str) -> None:
    said(desk, "2026-02-25T09:00:00Z", "We decided that deploy keys rotate monthly")
    said(desk, "2025-11-11T09:00:00Z", "We decided to decide about deploy keys and deploy hosts")

    first, second = found(desk, question)

    assert first == "We decided that deploy keys rotate monthly"
    assert "deploy hosts" in second
    assert found(desk, "What did we decide about the deploy keys?")[0] == second


@pytest.mark.req("RF-22")
@pytest.mark.parametrize("question", ["What did we do yesterday?", "昨日何をした"])
def test_a_question_of_nothing_but_a_time_finds_what_was_then_in_the_zone_of_the_asker(
    desk: Desk, question: str
) -> None:
    said(desk, "2026-03-03T14:59:00Z", "Two days ago in Tokyo")
    said(desk, "2026-03-03T15:00:00Z", "The first of yesterday")
    said(desk, "2026-03-04T14:59:00Z", "The last of yesterday")
    said(desk, "2026-03-04T15:00:00Z", "Already today")

    assert found(desk, question) == ["The last of yesterday", "The first of yesterday"]
    assert found(desk, question, limit=1) == ["The last of yesterday"]


@pytest.mark.req("RF-22")
def test_what_was_then_is_told_only_to_those_who_may_read_it(desk: Desk) -> None:
    said(desk, "2026-03-04T09:00:00Z", "For everybody")
    said(desk, "2026-03-04T09:01:00Z", "For one session", visibility="session")

    assert found(desk, "What did we do yesterday?") == ["For everybody"]


@pytest.mark.req("RF-22")
def test_before_a_thing_is_before_the_record_that_tells_of_it(desk: Desk) -> None:
    said(desk, "2026-01-10T09:00:00Z", "The database is mysql on the old host")
    said(desk, "2026-02-01T09:00:00Z", "The migration of the database has been done")
    said(desk, "2026-02-20T09:00:00Z", "The database is postgres, the database of the new host")

    before = found(desk, "Which database host was it before the migration?")
    after = found(desk, "Which database host is it after the migration?")
    unknown = found(desk, "Which database host was it before the earthquake?")

    assert before[0].startswith("The database is mysql")
    assert after[0].startswith("The database is postgres")
    assert unknown[0] == after[0]
