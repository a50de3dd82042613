"""Agents × roles × sessions × projects × read paths over a random population: nobody is told of what is
not theirs, everybody finds all that is. The oracle is written from design §5 and seed 003, not from the code.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest

from hooklore.broker import Broker, fetch, store_stats
from hooklore.config import store_location_at
from hooklore.errors import NotFound
from hooklore.index import words
from hooklore.index.record_keys import record_keys
from hooklore.records.draft import PERSON, Draft, Principal, ProjectKeys
from hooklore.records.record import Record
from hooklore.records.schema import KINDS
from hooklore.retrieval import access_report, browse
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.recall import Recall

AGENTS, ROLES, SESSIONS = ("claude", "codex"), ("general", "researcher"), ("s-1", "s-2")
PROJECTS = {
    name: ProjectKeys((f"remote:git.example/{name}",), name, f"/w/{name}")
    for name in ("mill", "forge")
}
POPULATION = 220
RULES_AND_DECISIONS = ("constraint", "decision", "preference", "workflow", "deprecation")


def population(rng: random.Random) -> Iterator[Draft]:
    """Records of every stream, scope, visibility and degree of privacy; all hold the word kestrel."""
    for number in range(POPULATION):
        stream = rng.choice(["memory", "memory", "observation", "observation", "synthesis"])
        kind = rng.choice([k for k in KINDS[stream] if k != "fix"])
        text = f"kestrel widget{number}"
        fields: dict[str, object] = {
            "stream": stream,
            "kind": kind,
            "agent_id": rng.choice(AGENTS),
            "role": rng.choice(ROLES),
            "session_id": rng.choice([*SESSIONS, None]),
            "visibility": rng.choice(["public"] * 4 + ["agent-only", "session"]),
            "is_private": rng.choice([False] * 5 + [True, 1, "true", 0, "false"]),
            "basis": rng.choice(["user", "tool", "inferred"]),
            "delivery_id": f"d{number}",
            "body": {"content_md" if stream == "memory" else "text": text},
        }
        place = rng.choice(["global", "agent", "mill", "forge", "mill"])
        if place == "global" and stream == "observation":
            place = "agent"
        if place == "global":
            fields["scope"] = "global"
        yield Draft.of(PROJECTS.get(place), **fields)


def seen_by(record: Record, who: Principal) -> bool:
    """The oracle: six sentences of the design, one after the other."""
    if who.person:
        return True
    if record.is_private is not False:  # never to an agent
        return False
    if record.stream == "control" and record.kind != "project_alias":  # names hidden records
        return False
    audience = {
        "public": True,
        "agent-only": record.role == who.role,
        "session": "session_id" in record and record.session_id == who.session_id,
    }
    where, _, whose = record.scope.partition(":")
    place = {
        "global": True,
        "project": "project" in record and record.project == who.project,
        "agent": whose == who.agent_id and (record.stream == "memory" or not who.project),
    }
    is_rule = record.stream == "memory" and record.kind in RULES_AND_DECISIONS
    of_superproject = "project" in record and record.project in who.around
    if where == "project" and of_superproject and is_rule and record.visibility == "public":
        return True
    return audience[record.visibility] and place[where]


def principals(broker: Broker) -> list[Principal]:
    found = [broker.project_of(keys) for keys in PROJECTS.values()]
    ids = [project.id for project in found if project] + [None]
    agents = [
        Principal(agent_id=agent, role=role, session_id=session, project=project)
        for agent in AGENTS
        for role in ROLES
        for session in (*SESSIONS, None)
        for project in ids
    ]
    mill, forge = ids[0], str(ids[1])
    inside = [
        Principal(agent_id=agent, session_id=session, project=project, around=(forge,))
        for agent in AGENTS
        for session in (*SESSIONS, None)
        for project in (mill, None)
    ]
    return [PERSON, *agents, *inside]


class Matrix:
    """One store, what is in it, and whether it is indexed."""

    def __init__(self, folder: Path, seed: int, *, indexed: bool) -> None:
        rng = random.Random(seed)
        self.broker = Broker(store_location_at(folder))
        receipts = self.broker.append(list(population(rng)))
        assert {r.status for r in receipts} == {"stored"}
        self._end_some([r.id for r in receipts if r.id], rng)
        if indexed:
            self.broker.index()
        self.broker.refresh()
        self.everything = list(self.broker._view.newest())
        ended = (target for r in self.everything for target in self._targets(r))
        self.ended = set(ended)

    def _end_some(self, ids: list[str], rng: random.Random) -> None:
        given = Draft.of(stream="control", agent_id="person", scope="global")
        gone, shown = rng.sample(ids, 8), rng.sample(ids, 40)
        self.broker.append([given.with_fields(kind="tombstone", body={"targets": gone})])
        said = {"targets": shown, "trigger": "prompt", "tokens": 9, "context": "s-1||notes"}
        for session in SESSIONS:
            self.broker.append([given.with_fields(kind="access", session_id=session, body=said)])

    @staticmethod
    def _targets(record: Record) -> list[str]:
        return list(record.body.targets) if record.kind == "tombstone" else []

    def theirs(self, who: Principal, *, ended: bool = False) -> list[Record]:
        return [r for r in self.everything if seen_by(r, who) and (ended or r.id not in self.ended)]


def ids(records: Iterable[Record]) -> set[str]:
    found = [r.id for r in records]
    assert len(found) == len(set(found))
    return set(found)


@pytest.fixture(
    scope="module", params=[(1, False), (2, True), (3, True)], ids=["tail", "indexed", "another"]
)
def matrix(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Matrix]:
    """One store for all tests of this file: they only read."""
    seed, indexed = request.param
    found = Matrix(tmp_path_factory.mktemp("matrix") / "store", seed, indexed=indexed)
    yield found
    found.broker.close()


def test_the_population_has_somebody_hidden_and_somebody_seen_for_every_agent(
    matrix: Matrix,
) -> None:
    for who in principals(matrix.broker)[1:]:
        assert 10 < len(matrix.theirs(who)) < len(matrix.everything) - 100


@pytest.mark.req("AC-04", "AC-07", "AC-08", "AC-09", "AC-13")
def test_lists_hold_what_is_permitted_and_nothing_else(matrix: Matrix) -> None:
    broker = matrix.broker
    for who in principals(broker):
        reader = broker.as_reader(who)
        theirs = ids(matrix.theirs(who))

        assert ids(reader.newest()) == theirs
        assert ids(reader.newest(ended=True)) == ids(matrix.theirs(who, ended=True))
        assert (
            ids(
                r
                for stream in KINDS
                for r in browse.list_newest(reader, browse.RecordFilter(stream=stream))
            )
            == theirs
        )
        for session in SESSIONS:
            told = browse.list_newest(reader, browse.RecordFilter(session=session))
            assert ids(told) == ids(
                r for r in matrix.theirs(who) if r.session_id == session and r.stream != "control"
            )


@pytest.mark.req("AC-04", "AC-08", "AC-09")
def test_exact_keys_lead_to_what_is_permitted_however_short_the_list(matrix: Matrix) -> None:
    broker = matrix.broker
    tags = {tag for record in matrix.everything for tag in record_keys(record)}
    keys = sorted(tag for tag in tags if "event:" not in tag)
    for number, who in enumerate(principals(broker)):
        reader = broker.as_reader(who)
        for key in keys[number % 3 :: 3]:
            expected = [r.id for r in matrix.theirs(who) if key in record_keys(r)]

            assert [r.id for r in reader.lookup(key, 1_000)] == expected, key
            assert [r.id for r in reader.lookup(key, 2)] == expected[:2], key


@pytest.mark.req("AC-04", "AC-08", "AC-09", "AC-13")
def test_a_search_finds_all_that_is_permitted_and_nothing_else(matrix: Matrix) -> None:
    broker = matrix.broker
    for who in principals(broker):
        reader = broker.as_reader(who)
        theirs = ids(r for r in matrix.theirs(who) if words.search_group(r) is not None)

        hits = browse.search_records(reader, "kestrel", browse.RecordFilter(), limit=1_000)
        short = browse.search_records(reader, "kestrel", browse.RecordFilter(), limit=3)

        assert ids(r for _, r in hits) == theirs
        assert ids(r for _, r in short) <= theirs
        assert len(short) == min(3, len(theirs))


def opens(read: Callable[[str], Record], id_: str) -> str | None:
    try:
        return str(read(id_).id)
    except NotFound:
        return None


@pytest.mark.req("AC-04", "AC-08", "AC-09")
def test_an_id_opens_only_what_is_permitted(matrix: Matrix) -> None:
    broker = matrix.broker
    for who in principals(broker)[::3]:
        reader = broker.as_reader(who)
        theirs = ids(matrix.theirs(who, ended=who.person))
        for record in matrix.everything[::2]:
            opened = {
                opens(read, record.id) for read in (reader.get, partial(fetch.get_record, reader))
            }

            assert opened == {record.id if record.id in theirs else None}


@pytest.mark.req("AC-04")
def test_counts_projects_and_what_others_were_shown_tell_nothing_more(matrix: Matrix) -> None:
    broker = matrix.broker
    for who in principals(broker):
        reader = broker.as_reader(who)
        theirs, named = ids(matrix.theirs(who, ended=True)), fetch.list_projects(reader)

        assert {p.id for p in named} == {
            r.project for r in matrix.theirs(who) if r.kind == "project_alias"
        }
        assert bool(store_stats.count_by_day(reader)) == who.person
        assert bool(list(reader.stats())) <= who.person
        for session in SESSIONS:
            for showing in access_report.list_shown(reader, session):
                assert set(showing.ids) <= theirs
                assert who.person
        for record in matrix.everything[::9]:
            assert ids(fetch.find_enders(reader, record)) <= theirs
        made = fetch.find_derived(reader, matrix.everything[:30])
        assert ids(made) <= theirs


@pytest.mark.req("AC-07", "AC-08", "AC-09")
def test_what_is_put_before_a_model_is_permitted(matrix: Matrix) -> None:
    broker = matrix.broker
    for who in principals(broker)[1:]:
        theirs = ids(matrix.theirs(who))
        for trigger in ("session_start", "agent_start", "prompt", "before_tool"):
            recall = Recall(broker)
            asked = RecallQuery(
                trigger, session_id=who.session_id or "s-9", text="the kestrel widget7",
                command="kestrel widget7",
            )  # fmt: skip

            shown = recall.answer(asked, who)

            assert set(shown.ids) <= theirs
            assert ids(recall.search(asked, who, 500)) <= theirs


def test_a_brief_tells_every_permitted_title_while_there_is_room(tmp_path: Path) -> None:
    """Private and foreign memories do not crowd out one that may be told, however many they are."""
    broker = Broker(store_location_at(tmp_path / "store"))
    given = Draft.of(stream="memory", kind="constraint", agent_id="claude", scope="global")
    hidden = [
        given.with_fields(is_private=True, body={"content_md": f"hidden {n}"}) for n in range(450)
    ]
    broker.append([given.with_fields(body={"content_md": "Never push on Fridays"}), *hidden])

    shown = Recall(broker).answer(RecallQuery("session_start", session_id="s"), Principal())

    assert "Never push on Fridays" in shown.text
    assert "hidden" not in shown.text
    broker.close()


@pytest.mark.req("AC-15", "AC-17")
def test_with_every_flag_flipped_the_person_finds_the_same_in_the_same_order(
    tmp_path: Path,
) -> None:
    orders = []
    for flip in (False, True):
        rng = random.Random(5)
        broker = Broker(
            store_location_at(tmp_path / str(flip)), now_ns=lambda: 1_790_000_000 * 10**9
        )
        drafts = [
            Draft(Record(
                {
                    "stream": "memory", "kind": "fact", "agent_id": "claude", "scope": "global",
                    "is_private": (rng.random() < 0.4) != flip,
                    "body": {"content_md": f"kestrel {'wing ' * rng.randrange(5)} number{n}"},
                }
            ))
            for n in range(80)
        ]  # fmt: skip
        broker.append(drafts)
        broker.index()
        broker.refresh()
        hits = browse.search_records(
            broker.as_reader(PERSON), "kestrel wing", browse.RecordFilter(), limit=40
        )
        orders.append([(round(s, 6), r.body.content_md) for s, r in hits])
        broker.close()

    assert len(orders[0]) == 40
    assert orders[0] == orders[1]
