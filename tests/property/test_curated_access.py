"""Read curated memory by every function as every principal.

No answer holds a record that its reader may not see, and all memories in force are found by everybody who
may read them. The oracle and the population are those of `test_access_matrix`.
"""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import store_location_at
from hooklore.errors import HookloreError
from hooklore.memories import archive, entries, profile, runs
from hooklore.memories.archive_files import sync_archive_files
from hooklore.memories.decisions import approval_queue, checks
from hooklore.memories.live_importance import explain_importance
from hooklore.memories.pins import list_memories, places_with_superprojects, reader_places
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.retrieval import snapshot
from tests.property.test_access_matrix import AGENTS, PROJECTS, ROLES, SESSIONS, principals, seen_by

KEYS = ("config:db", "workflow:release", "constraint:push")
_WIDGET = re.compile(r"widget\d+")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{22}")


def population(rng: random.Random) -> Iterator[Draft]:
    """Return memories of every audience: with and without key, waiting, expired, superseding others."""
    for number in range(160):
        place = rng.choice(["global", "agent", "mill", "forge", "mill"])
        keyed = rng.random() < 0.5
        yield Draft.of(
            PROJECTS.get(place),
            stream="memory",
            kind=rng.choice(["decision", "constraint", "preference", "fact", "config"]),
            agent_id=rng.choice(AGENTS),
            role=rng.choice(ROLES),
            session_id=rng.choice([*SESSIONS, None]),
            run_id=rng.choice(["run-1", "run-2", None]),
            visibility=rng.choice(["public"] * 4 + ["agent-only", "session"]),
            is_private=rng.choice([False] * 5 + [True]),
            basis=rng.choice(["user", "tool", "inferred"]),
            confidence=rng.choice(["high", "high", "med"]),
            delivery_id=f"d{number}",
            dedupe_key=rng.choice(KEYS) if keyed else None,
            expires_at="2020-01-01T00:00:00.000Z" if rng.random() < 0.1 else None,
            waits="inferred" if rng.random() < 0.1 else None,
            body=Body.of(content_md=f"kestrel widget{number} holds", tags=["birds"]),
            scope="global" if place == "global" else None,
        )


@pytest.fixture(params=[(1, False), (2, True)], ids=["tail", "indexed"])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Broker]:
    seed, indexed = request.param
    rng = random.Random(seed)
    found = Broker(store_location_at(tmp_path / "store"))
    stored = [r.id for r in found.append(list(population(rng))) if r.status == "stored"]
    assert len(stored) == 160
    for kind, count in (("archive", 8), ("tombstone", 6), ("pin", 8)):
        targets = rng.sample(stored, count)
        mark = Draft.of(stream="control", agent_id="person", scope="global", kind=kind,
                        body=Body.of(targets=targets))  # fmt: skip
        found.append([mark])
    if indexed:
        found.index()
    found.refresh()
    yield found
    found.close()


def memories_of(broker: Broker) -> list[Record]:
    """Return every memory of the log, newest first."""
    return [r for r in broker.as_reader(PERSON).newest(ended=True) if r.stream == "memory"]


def readers(broker: Broker) -> dict[str, Callable[[Principal], Any]]:
    """Return every function that reads curated memory, by a name."""
    some = [r.id for r in memories_of(broker)][::16]

    def each(read: Callable[[str, Principal], Any], names: Any) -> Callable[[Principal], Any]:
        return lambda who: [_tried(read, name, who) for name in names]

    return {
        "snapshot": lambda who: snapshot.take_snapshot(broker, who, noted=False),
        "in force": lambda who: entries.list_current_memories(broker, who),
        "memories": lambda who: list_memories(broker.as_reader(who), reader_places(who)),
        "tagged": lambda who: entries.list_tagged(broker.as_reader(who), "birds", 1_000),
        "find": each(lambda key, who: entries.locate_key(broker, key, who), [*KEYS, "config"]),
        "get": each(
            lambda key, who: entries.get_entry(broker.as_reader(who), key, versions=True),
            [*KEYS, *some],
        ),
        "pending": lambda who: approval_queue.list_pending(broker.as_reader(who)),
        "archived": lambda who: archive.list_archived(broker, who),
        "conflicts": lambda who: list(broker.as_reader(who).open_conflicts()),
        "checks": lambda who: checks.list_checks(
            broker.as_reader(who), reader_places(who), broker.now()
        ),
        "profile": lambda who: profile.build_profile(broker.as_reader(who)),
        "run": each(
            lambda run, who: runs.list_run_records(broker.as_reader(who), run), ["run-1", "run-2"]
        ),
        "why": each(lambda id_, who: explain_importance(broker, id_, who), some),
    }


def _tried(read: Callable[[str, Principal], Any], name: str, who: Principal) -> Any:
    try:
        return read(name, who)
    except HookloreError as error:
        return str(error).replace(name, "")


@pytest.mark.req("AC-04", "AC-06", "AC-08", "AC-09")
def test_nothing_that_was_decided_is_told_to_whom_it_is_not_for(broker: Broker) -> None:
    everything = memories_of(broker)
    widget = {_WIDGET.findall(str(r.body))[0]: r for r in everything if "widget" in str(r)}
    by_id = {r.id: r for r in everything}
    paths = readers(broker)

    for who in principals(broker)[1::3]:
        for name, read in paths.items():
            told = repr(read(who))
            records = [widget[w] for w in set(_WIDGET.findall(told))]
            records += [by_id[i] for i in set(_ID.findall(told)) if i in by_id]

            assert [r for r in records if not seen_by(r, who)] == [], (name, who)


@pytest.mark.req("AC-04", "AC-07", "AC-13")
def test_what_stands_is_found_by_all_whose_it_is(broker: Broker) -> None:
    standing = [r for r in memories_of(broker) if broker.as_reader(PERSON).is_in_force(r)]
    assert len(standing) > 50

    for who in principals(broker)[1::3]:
        theirs = {r.id for r in standing if seen_by(r, who)}

        assert {r.id for r in entries.list_current_memories(broker, who)} == theirs
        assert {r.id for r in entries.list_tagged(broker.as_reader(who), "birds", 1_000)} == theirs
        found = list_memories(broker.as_reader(who), places_with_superprojects(who))
        assert {r.id for r in found} == theirs
        own = {r.id for r in found if r.project not in who.around}
        assert {r.id for r in list_memories(broker.as_reader(who), reader_places(who))} == own
        told = snapshot.take_snapshot(broker, who, limit_recent=1_000, noted=False)
        assert own <= set(told.ids)


@pytest.mark.req("TT-08", "AC-04", "AC-13")
def test_a_file_of_the_archive_tells_nobody_what_is_not_for_them(broker: Broker) -> None:
    memories_ = memories_of(broker)
    archive.archive_records(
        broker, [r for r in memories_ if broker.as_reader(PERSON).is_in_force(r)], "by hand"
    )
    widget = {_WIDGET.findall(str(r.body))[0]: r for r in memories_}

    sync_archive_files(broker)

    told = {
        w
        for path in (broker.place.directory / "archive").iterdir()
        for w in _WIDGET.findall(path.read_text())
    }
    agents = [who for who in principals(broker) if not who.person]
    for record in (widget[name] for name in told):
        at_its_place = [who for who in agents if record.project in (None, who.project)]
        assert at_its_place
        assert [who for who in at_its_place if not seen_by(record, who)] == []
    kept = {r.id for r in memories_} - {widget[name].id for name in told}
    assert len(told) > 20
    assert {r.id for r in memories_ if r.is_private} <= kept
