"""A reader is the only way to read: every answer of it was asked of the access function."""

import ast
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import hooklore
from hooklore.broker import Broker, conflicts, fetch, principal_reader, store_stats
from hooklore.broker.principal_reader import Reader
from hooklore.config import StoreLocation
from hooklore.records import access, keys
from hooklore.records.draft import PERSON, Draft, Principal, ProjectKeys
from hooklore.records.record import Record
from hooklore.retrieval import access_report, browse
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.recall import Recall

PROJECT = ProjectKeys(("remote:git.example/mill",), "mill", "/w/mill")
WORDS = "kestrel torque limit"
SESSION = "the session of some record"

NO_RECORDS = {
    # of the broker
    "append": "a receipt: id and status, which `may_reveal_duplicate` and `is_same_event` guard",
    "append_clean": "as `append`, of records that the caller has cleaned",
    "clean": "the caller's own draft, redacted",
    "put_aside": "receipts of what was spooled: a status and a reason",
    "as_reader": "a reader, whose every answer is looked at here",
    "distinctive_lines": "lines of a failure that the caller holds, counted over failures that it may read",
    "close": "nothing",
    "index": "how many records were indexed",
    "rebuild": "how many records were indexed",
    "refresh": "nothing",
    "prepare_search": "nothing",
    "release_memory": "nothing",
    "now": "the time",
    "needs_indexing": "whether the tail is long",
    "count_unindexed": "how many lines are behind the index",
    "project_of": "the project whose folder the caller stands in",
    "projects_around": "ids of the superprojects of the folder that the caller stands in",
    "trust_claim": "a receipt, for a person who says that a folder is a project",
    "waiting_in_spool": "how many batches wait",
    # of a reader
    "may_read": "the access function's answer",
    "is_ended": "whether something ended a record that the caller has",
    "has": "whether a key that the caller knows exists",
    "held": "which keys that the caller knows exist",
    "is_current_version": "whether a record that the caller has is the newest",
    "pin_marks": "keys of lines, without their records",
    "question": "the caller's own text",
    "terms": "the caller's own text",
    "terms_of": "the terms of a record that the caller has",
    "idf": "how rare a term is",
    "revision": "a mark of the view's state",
    "count_in": "about how many records a bin has, which the bar of a small store is chosen by",
    "stats": "counts by day, to the person alone",
    "find_contradicted": "as `superseded_by`, for a record that is about to be written",
    "find_overwritten": "as `superseded_by`, for a record that was just written",
    # of functions that take a reader
    "draft_conflicts": "drafts of the conflicts that a record which the caller has makes",
    "measure_store": "sizes and counts of files, for the person's `hooks status`",
    "count_by_day": "counts by day, to the person alone",
    "count_by_kind": "counts by kind, to the person alone",
    "last_hook_times": "times by hook, to the person alone",
}
"""Public functions that return no record's content, and what they return."""


class Asking:
    """The access function, which notes the records that it was asked about."""

    def __init__(self) -> None:
        self.ids: set[str] = set()

    def __call__(self, record: Record, who: Principal) -> bool:
        self.ids.add(record.id)
        return access.may_read(record, who)


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch) -> Asking:
    found = Asking()
    for module in (principal_reader, conflicts):
        monkeypatch.setattr(module, "may_read", found)
    return found


@pytest.fixture
def full(store: StoreLocation) -> Iterator[Broker]:
    """A project with versions of a memory, a conflict, a fix and an answer that was shown."""
    found = Broker(store)
    given = {"agent_id": "claude", "session_id": "s-1", "v": 1}
    said = {**given, "stream": "memory", "kind": "constraint", "basis": "user"}
    bodies = [{"content_md": f"{WORDS} {n}"} for n in range(3)]
    keyed = [{**said, "dedupe_key": "constraint:torque", "body": body} for body in bodies[:2]]
    memories = [*keyed, {**said, "body": bodies[2]}]
    answer = {**given, "stream": "observation", "kind": "answer", "basis": "inferred"}
    drafts = [*memories, {**answer, "body": {"text": f"the {WORDS}"}}]
    ids = [
        receipt.id for draft in drafts for receipt in found.append([Draft(Record(draft), PROJECT)])
    ]
    fix = {**given, "stream": "synthesis", "kind": "fix", "basis": "tool"}
    made = {"text": WORDS, "signatures": ["E1"], "steps": 1, "command": "make", "key": "make"}
    found.append([Draft(Record({**fix, "body": {**made, "sources": ids[3:]}}), PROJECT)])
    showing = {**given, "stream": "control", "kind": "access", "session_id": "s-2"}
    body = {"targets": ids, "trigger": "prompt", "tokens": 1}
    found.append([Draft(Record({**showing, "body": body}), PROJECT)])
    found.refresh()
    yield found
    found.close()


def ids_of(records: object) -> list[str]:
    return [r.id for r in records if r is not None]  # type: ignore[attr-defined]


def reading(full: Broker, who: Principal) -> dict[str, Callable[[], list[str]]]:
    """Each function that tells of records, called so that it does; the ids that it told."""
    project = full.project_of(PROJECT)
    assert project is not None
    mine, owner = full.as_reader(who), full.as_reader(PERSON)
    (fix,) = owner.lookup(keys.of_kind("fix", project.id), 10)
    places = keys.memories_at(f"project:{project.id}")
    newer = owner.lookup(places, 9)[-1]
    (older,) = owner.earlier_versions(newer)
    line = f"key:project:{project.id}|constraint:torque"
    conflict = next(each for each in owner.open_conflicts() if each.key)
    bins = [f"memory|{project.id}"]
    query = RecallQuery("prompt", session_id="s-2", text=WORDS)
    brief = RecallQuery("session_start", session_id="s-3")
    anything = browse.RecordFilter()
    aliases = ids_of(owner.history(keys.ALL_ALIASES))
    (shown,) = owner.history(keys.shown_in("s-2"), 1)
    found = conflict.id

    def sides(each: object) -> list[str]:
        return [] if each is None else [each.a.id, each.b.id]  # type: ignore[attr-defined]

    return {
        "Reader.get": lambda: ids_of([mine.get(fix.id)]),
        "Reader.is_in_force": lambda: ids_of(r for r in [newer] if mine.is_in_force(r)),
        "Reader.select_in_force": lambda: ids_of(mine.select_in_force([newer, older])),
        "Reader.lookup": lambda: ids_of(mine.lookup(places)),
        "Reader.lookup_among": lambda: ids_of(mine.lookup_among(places, 100)),
        "Reader.derive": lambda: mine.derive("ids", lambda reader: ids_of(reader.lookup(places))),
        "Reader.history": lambda: ids_of(mine.history(line)),
        "Reader.find": lambda: ids_of(mine.find(older.id)),
        "Reader.find_by_id": lambda: ids_of([mine.find_by_id(older.id)]),
        "Reader.newest": lambda: ids_of(mine.newest()),
        "Reader.record_at": lambda: ids_of([mine.record_at(0)]),
        "Reader.search": lambda: ids_of(r for _, r in mine.search(["kestrel"], bins, 9)),
        "Reader.latest_active_version": lambda: ids_of([mine.latest_active_version(line)]),
        "Reader.earlier_versions": lambda: ids_of(mine.earlier_versions(newer)),
        "Reader.previous_version": lambda: ids_of([mine.previous_version(newer)]),
        "Reader.unindexed_at": lambda: ids_of(r for _, r in mine.unindexed_at()),
        "Reader.superseded_by": lambda: ids_of([mine.superseded_by(older)]),
        "Reader.open_conflicts": lambda: [i for c in mine.open_conflicts() for i in sides(c)],
        "Reader.load_conflict": lambda: sides(mine.load_conflict(owner.get(found))),
        "Reader.open_conflict_on_line": lambda: sides(mine.open_conflict_on_line(line)),
        "fetch.get_record": lambda: ids_of([fetch.get_record(mine, fix.id)]),
        "fetch.find_enders": lambda: ids_of(fetch.find_enders(mine, older)),
        "fetch.find_derived": lambda: ids_of(
            fetch.find_derived(mine, owner.find(fix.body.sources[0]))
        ),
        "fetch.list_projects": lambda: aliases[: len(fetch.list_projects(mine))],
        "fetch.require_project": lambda: aliases[: bool(fetch.require_project(mine, "mill"))],
        "browse.list_newest": lambda: ids_of(browse.list_newest(mine, anything)),
        "browse.list_for_reading": lambda: ids_of(browse.list_for_reading(mine, anything, 20)),
        "browse.search_records": lambda: ids_of(
            r for _, r in browse.search_records(mine, WORDS, anything)
        ),
        "browse.search_memories_at": lambda: ids_of(
            browse.search_memories_at(mine, WORDS, f"project:{project.id}", 10, bool)
        ),
        "browse.newest_session": lambda: [SESSION] if browse.newest_session(mine) else [],
        "access_report.newest_shown_session": lambda: (
            [SESSION] if access_report.newest_shown_session(mine) else []
        ),
        "access_report.list_shown": lambda: [
            i for report in access_report.list_shown(mine, "s-2") for i in report.ids
        ],
        "access_report.describe_access": lambda: list(access_report.describe_access(mine, shown).ids),
        "Recall.answer": lambda: list(Recall(full).answer(brief, who).ids),
        "Recall.search": lambda: ids_of(Recall(full).search(query, who, 9)),
    }  # fmt: skip


def public(owner: type | ModuleType) -> set[str]:
    functions = inspect.getmembers(owner, inspect.isfunction)
    module = owner.__name__ if inspect.ismodule(owner) else owner.__module__
    prefix = owner.__name__.rpartition(".")[2]
    # What a reader asks of the index without a way of its own is a field that its class declares.
    names = [name for name, function in functions if function.__module__ == module]
    names += inspect.get_annotations(owner) if inspect.isclass(owner) else []
    return {
        name if name in NO_RECORDS else f"{prefix}.{name}"
        for name in names
        if not name.startswith("_")
    }


@pytest.mark.req("AC-06")
def test_every_public_way_to_read_is_looked_at_here(full: Broker) -> None:
    owners: tuple[type | ModuleType, ...] = (
        Broker,
        Reader,
        fetch,
        store_stats,
        browse,
        access_report,
    )
    found = set().union(*(public(owner) for owner in owners)) - set(NO_RECORDS)

    expected = {name for name in reading(full, PERSON) if not name.startswith("Recall.")}
    assert found == expected


@pytest.mark.req("AC-06")
@pytest.mark.parametrize("person", [True, False])
def test_every_record_that_is_told_of_was_asked_about(
    full: Broker, asking: Asking, *, person: bool
) -> None:
    project = full.project_of(PROJECT)
    assert project is not None
    who = Principal(person=person, project=project.id, session_id="s-2")
    ways = reading(full, who)
    silent = []
    for name, read in ways.items():
        asking.ids.clear()

        told = read()

        known = {*asking.ids, SESSION} if asking.ids else set()
        assert set(told) <= known, f"{name} tells of a record that it did not ask about"
        if not told:
            silent.append(name)
    assert len(silent) <= 4, f"nothing came out, so nothing was shown: {silent}"


SOURCES = Path(hooklore.__file__).parent
BELOW = (SOURCES / "broker", SOURCES / "index")


@pytest.mark.req("AC-06")
def test_only_the_broker_holds_the_log_and_its_index() -> None:
    """A reader's or a broker's `_view` is touched in the broker's package alone (`index` defines it)."""
    found = [
        f"{path.name}:{node.lineno}"
        for path in SOURCES.rglob("*.py")
        if not any(package in path.parents for package in BELOW)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in ("view", "_view")
        and not (isinstance(node.value, ast.Name) and node.value.id == "self")
    ]

    assert found == []


@pytest.mark.req("AC-06")
@pytest.mark.parametrize(
    "module", [fetch, browse, access_report], ids=["fetch", "browse", "access_report"]
)
def test_a_function_that_reads_takes_a_reader(module: ModuleType) -> None:
    functions = inspect.getmembers(module, inspect.isfunction)
    own = [(n, f) for n, f in functions if f.__module__ == module.__name__ and n[0] != "_"]

    first = {name: next(iter(inspect.signature(f).parameters)) for name, f in own}

    assert set(first.values()) == {"reader"}
