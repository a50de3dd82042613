"""What sessions derive from the same memories is made once, and always is what each of them may read now."""

from collections.abc import Iterator

import pytest

from hooklore.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.config import StoreLocation
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Record

GLOBAL = keys.memories_at("global")
START_NS = 1_800_000_000_000_000_000
HOUR_NS = 3_600_000_000_000


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = START_NS

    def __call__(self) -> int:
        return self.now


class Shelf:
    """A store of memories, and the texts that a session derives from them."""

    def __init__(self, place: StoreLocation) -> None:
        self.clock = Clock()
        self.broker = Broker(place, now_ns=self.clock)
        self.made = 0

    def keep(self, text: str, **fields: object) -> str:
        given = {
            "v": 1,
            "agent_id": "claude",
            "stream": "memory",
            "kind": "fact",
            "basis": "user",
            "scope": "global",
            "body": {"content_md": text},
            **fields,
        }
        (receipt,) = self.broker.append([Draft(Record(given))])
        assert receipt.status == "stored"
        assert receipt.id is not None
        return receipt.id

    def end(self, id_: str) -> None:
        given = {"v": 1, "agent_id": "person", "stream": "control", "kind": "tombstone"}
        self.broker.append([Draft(Record({**given, "body": {"targets": [id_]}}))])

    def texts(self, session: str | None = "s-1", who: Principal | None = None) -> list[str]:
        reader = self.broker.as_reader(who or Principal(session_id=session))
        derived = reader.derive("texts", self._read)
        assert derived == [r.body.content_md for r in reader.lookup(GLOBAL)]
        return derived

    def _read(self, reader: Reader) -> list[str]:
        self.made += 1
        return [record.body.content_md for record in reader.lookup(GLOBAL)]


@pytest.fixture
def shelf(store: StoreLocation) -> Iterator[Shelf]:
    found = Shelf(store)
    yield found
    found.broker.close()


def test_sessions_share_what_is_made_once(shelf: Shelf) -> None:
    shelf.keep("the parser is slow")

    told = [shelf.texts("s-1"), shelf.texts("s-2"), shelf.texts(None)]

    assert told == [["the parser is slow"]] * 3
    assert shelf.made == 1


def test_a_new_memory_and_an_ended_one_are_seen_at_once(shelf: Shelf) -> None:
    first = shelf.keep("the parser is slow")
    assert shelf.texts() == ["the parser is slow"]

    shelf.keep("the lexer is fast")
    assert shelf.texts() == ["the lexer is fast", "the parser is slow"]

    shelf.end(first)
    assert shelf.texts() == ["the lexer is fast"]


def test_a_memory_of_one_session_is_derived_for_that_session_alone(shelf: Shelf) -> None:
    shelf.keep("for everybody")
    shelf.keep("for one session", visibility="session", session_id="s-1")

    assert shelf.texts("s-2") == ["for everybody"]
    assert shelf.texts("s-1") == ["for one session", "for everybody"]
    assert shelf.texts("s-2") == ["for everybody"]
    assert shelf.texts(None) == ["for everybody"]


def test_a_memory_leaves_when_it_expires(shelf: Shelf) -> None:
    shelf.keep("for a while", expires_at="2027-01-15T09:00:00.000Z")
    assert shelf.texts() == ["for a while"]

    shelf.clock.now += 2 * HOUR_NS

    assert shelf.texts() == []


def test_readers_with_other_rights_share_nothing(shelf: Shelf) -> None:
    shelf.keep("of the person", is_private=True)

    assert shelf.texts(who=PERSON) == ["of the person"]
    assert shelf.texts() == []
    assert shelf.texts(who=Principal(agent_id="codex")) == []
    assert shelf.texts(who=PERSON) == ["of the person"]


def test_what_another_process_appends_is_seen_after_a_refresh(
    shelf: Shelf, store: StoreLocation
) -> None:
    assert shelf.texts() == []
    other = Shelf(store)
    other.clock.now += HOUR_NS
    other.keep("from elsewhere")
    other.broker.close()

    shelf.broker.refresh()

    assert shelf.texts() == ["from elsewhere"]


def test_released_memory_is_read_again(shelf: Shelf) -> None:
    shelf.keep("the parser is slow")
    shelf.broker.index()
    shelf.broker.refresh()

    shelf.broker.release_memory()
    shelf.broker.release_memory()

    assert shelf.texts() == ["the parser is slow"]
    shelf.keep("the lexer is fast")
    assert shelf.texts() == ["the lexer is fast", "the parser is slow"]
