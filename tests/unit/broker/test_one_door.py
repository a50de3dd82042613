"""Every way to read is found by inspection, and asks `may_read` of each record that it tells of."""

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

import hooklore
from hooklore.broker import Broker, broker, fetch, store_stats
from hooklore.config import StoreLocation
from hooklore.records import access
from hooklore.records.draft import Draft, Principal, ProjectKeys
from hooklore.records.record import Record
from hooklore.retrieval import browse
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.recall import Recall

KEYS = ProjectKeys(("remote:git.example/mill",), "mill", "/w/mill")
WORDS = "kestrel torque limit"

TELLS_NOTHING = {
    "append": "a receipt: id and status, which `is_repeat` and `is_same_event` guard",
    "as_reader": "a reader, whose every answer is looked at below",
    "close": "nothing",
    "index": "how many records were indexed",
    "rebuild": "how many records were indexed",
    "refresh": "nothing",
    "now": "the time",
    "needs_indexing": "whether the tail is long",
    "project_of": "the project whose folder the caller stands in",
    "stats": "counts by day, to the person alone",
    "waiting_in_spool": "how many batches wait",
    # of the functions in browse
    "measure_store": "sizes and counts of files, for the person's `hooks status`",
    "count_by_day": "counts by day, to the person alone",
    "last_hook_times": "times by hook, to the person alone",
    # of Recall
    "forget_session": "nothing",
}
"""What returns no record's content, and what it does return."""

SESSION = "the session of some record"


class Asking:
    """Counts which records the access function was asked about."""

    def __init__(self) -> None:
        self.of: list[str] = []

    def __call__(self, record: Record, who: Principal) -> bool:
        self.of.append(record.id)
        return access.may_read(record, who)


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch) -> Asking:
    found = Asking()
    for module in (broker, fetch, store_stats, browse):
        monkeypatch.setattr(module, "may_read", found)
    return found


@pytest.fixture
def full(store: StoreLocation) -> Iterator[Broker]:
    """A project with memories, a fix and a showing."""
    found = Broker(store)
    given = {"agent_id": "claude", "session_id": "s-1", "v": 1}
    said = {**given, "stream": "memory", "kind": "constraint", "basis": "user"}
    seen = {**given, "stream": "observation", "kind": "answer", "basis": "inferred"}
    fix = {**given, "stream": "synthesis", "kind": "fix", "basis": "tool"}
    made = {"text": WORDS, "signatures": ["E1"], "steps": 1, "command": "make", "key": "make"}
    ids = [
        receipt.id
        for receipt in found.append(
            [
                Draft(Record({**said, "body": {"content_md": f"{WORDS} {n}"}}), KEYS)
                for n in range(3)
            ] + [Draft(Record({**seen, "body": {"text": f"the {WORDS}"}}), KEYS)]
        )
    ]  # fmt: skip
    showing = {**given, "stream": "control", "kind": "access", "session_id": "s-2"}
    shown = {"targets": ids, "trigger": "prompt", "tokens": 1}
    found.append([Draft(Record({**fix, "body": {**made, "sources": ids[3:]}}), KEYS)])
    found.append([Draft(Record({**showing, "body": shown}), KEYS)])
    found.refresh()
    yield found
    found.close()


def reading(full: Broker) -> dict[str, Callable[[Principal], list[str]]]:
    """Each method that tells of records, called so that it does; the ids that it told."""
    project = full.project_of(KEYS)
    assert project is not None
    (fix,) = full.view.lookup(f"fix:{project.id}", 10)
    memory = full.view.lookup(f"memory:project:{project.id}", 1)[0]
    bins, asked = [f"memory|{project.id}"], RecallQuery("prompt", session_id="s-2", text=WORDS)
    brief = RecallQuery("session_start", session_id="s-3")

    def of(records: Iterable[Record]) -> list[str]:
        return [r.id for r in records]

    def some(session: str | None) -> list[str]:
        return [SESSION] if session else []

    anything = browse.RecordFilter()
    return {
        "get": lambda who: of([full.get(fix.id, who)]),
        "is_in_force": lambda who: of(r for r in [memory] if full.is_in_force(r, who)),
        "lookup": lambda who: of(full.lookup(f"memory:project:{project.id}", who)),
        "newest": lambda who: of(full.newest(who)),
        "search": lambda who: of(r for _, r in full.search(["kestrel"], bins, who, 9)),
        "browse.list_newest": lambda who: of(browse.list_newest(full, anything, who)),
        "browse.search_records": lambda who: of(
            r for _, r in browse.search_records(full, WORDS, anything, who)
        ),
        "fetch.get_record": lambda who: of([fetch.get_record(full, fix.id, who)]),
        "fetch.find_enders": lambda who: of(fetch.find_enders(full, fix, who)),
        "fetch.find_derived": lambda who: of(
            fetch.find_derived(full, full.view.find(fix.body.sources[0]), who)
        ),
        "fetch.list_projects": lambda who: of(full.view.lookup("alias"))[: len(
            fetch.list_projects(full, who)
        )],
        "fetch.require_project": lambda who: of(full.view.lookup("alias"))[: bool(
            fetch.require_project(full, "mill", who)
        )],
        "browse.newest_session": lambda who: some(browse.newest_session(full, who)),
        "browse.newest_shown_session": lambda who: some(browse.newest_shown_session(full, who)),
        "browse.list_shown": lambda who: [
            i for showing in browse.list_shown(full, "s-2", who) for i in showing.ids
        ],
        "browse.describe_access": lambda who: list(
            browse.describe_access(full, full.view.lookup("shown:s-2", 1)[0], who).ids
        ),
        "Recall.answer": lambda who: list(Recall(full).answer(brief, who).ids),
        "Recall.search": lambda who: of(Recall(full).search(asked, who, 9)),
    }  # fmt: skip


def public(of: object, prefix: str = "") -> set[str]:
    functions = inspect.getmembers(of, inspect.isfunction)
    module = of.__name__ if inspect.ismodule(of) else getattr(of, "__module__", "")
    return {
        name if name in TELLS_NOTHING else prefix + name
        for name, function in functions
        if not name.startswith("_") and function.__module__ == module
    }


@pytest.mark.req("AC-06")
def test_every_public_way_to_read_is_looked_at_here(full: Broker) -> None:
    found = (
        public(Broker)
        | public(fetch, "fetch.")
        | public(store_stats)
        | public(browse, "browse.")
        | public(Recall, "Recall.")
    )

    assert found - set(TELLS_NOTHING) == set(reading(full))


@pytest.mark.req("AC-06")
@pytest.mark.parametrize("person", [True, False])
def test_every_record_that_is_told_of_was_asked_about(
    full: Broker, asking: Asking, *, person: bool
) -> None:
    project = full.project_of(KEYS)
    assert project is not None
    who = Principal(person=person, project=project.id, session_id="s-2")
    silent = []
    for name, read in reading(full).items():
        asking.of.clear()

        told = read(who)

        known = {*asking.of, SESSION} if asking.of else set()
        assert set(told) <= known, f"{name} tells of a record that it did not ask about"
        if not told:
            silent.append(name)
    assert len(silent) <= 4, f"nothing came out, so nothing was shown: {silent}"


@pytest.mark.req("AC-06")
def test_nobody_else_looks_past_the_door() -> None:
    """Outside of `broker` nothing takes records from the view, which asks nobody."""
    past = {"lookup", "find", "newest", "oldest", "search", "record_at", "tail"}
    exempt = {"eval_adapter.py"}  # measures recall of a set that it has just stored itself
    root = Path(hooklore.__file__).parent
    found = []
    for layer in ("cli", "resident", "hooks", "capture", "agents"):
        for path in (root / layer).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                is_view = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute)
                if is_view and node.value.attr == "view" and node.attr in past:  # type: ignore[attr-defined]
                    found.append(path.name)

    assert set(found) <= exempt
