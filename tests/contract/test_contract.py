"""Every surface gives the same answer and takes the same access decision, and nothing hidden crosses."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final

import pytest

from tests.conftest import end_residents
from tests.contract.callers import ASKERS, KEPT, Asker, Store, furnish
from tests.contract.surfaces import SURFACES, Call, Outcome, Surface

QUESTION: Final = "what is known about the quench basin?"
_COUNT: Final = re.compile(r"(\d+) related memor")

READS: Final = {
    "recall": Call("recall", {"query": QUESTION}),
    "search": Call("search_memories", {"query": "quench basin", "limit": 50}),
    "snapshot": Call("snapshot", {}),
    "wake_up": Call("wake_up", {}),
    "profile": Call("profile", {}),
    "pins": Call("pins", {}),
    "query": Call("query", {"limit": 200}),
    "retrieve": Call("retrieve_from_memory", {"query": "quench basin", "limit": 100}),
    "retrieve globally": Call("retrieve_from_global_memory", {"query": "basin", "limit": 100}),
    "list": Call("list_memory_entries", {}),
    "list globally": Call("list_global_memory_entries", {}),
    "summary": Call("get_memory_summary", {}),
    "archive": Call("search_memory_archive", {"query": "basin"}),
}
COMPLETE: Final = ("search", "get everything")
"""Reads that leave out nothing that may be read."""

UNASKED: Final = ("wake_up", "profile", "pins", "snapshot")
"""Reads that put something before a model which it did not ask for: never what is private."""

_SAMPLE: Final = ("fridays", "debts", "saline", "rumour")

Answers = Callable[[str, str], Mapping[str, Outcome]]
"""Gives the outcomes of the reads by the names of a surface and an asker."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store that nobody writes to but to note what was read."""
    folder = tmp_path_factory.mktemp("contract")
    home = folder / "home"
    home.mkdir()
    yield furnish(home)
    end_residents(folder)


def _reads(store: Store, surface: Surface) -> dict[str, Call]:
    """Return the reads of a surface. A command is a process, so that few memories are opened alone there."""
    words = _SAMPLE if surface.name == "command line" else [kept.word for kept in KEPT]
    alone = {f"get {word}": Call("get", {"names": [store.ids[word]]}) for word in words}
    everything = Call("get", {"names": list(store.ids.values())})
    calls = READS | alone | {"get everything": everything}
    return {name: call for name, call in calls.items() if surface.can(call)}


@pytest.fixture(scope="module")
def answers(store: Store) -> Answers:
    """The answers of a surface to an asker, asked once for all tests."""
    surfaces = {surface.name: surface for surface in SURFACES}
    askers = {asker.name: asker for asker in ASKERS}

    @cache
    def told(surface: str, asker: str) -> Mapping[str, Outcome]:
        calls = _reads(store, surfaces[surface])
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HOME", str(store.home))
            outcomes = surfaces[surface].ask(store, askers[asker], list(calls.values()))
        return dict(zip(calls, outcomes, strict=True))

    return told


surfaces = pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.name)
askers = pytest.mark.parametrize("asker", ASKERS, ids=lambda asker: asker.name)


@surfaces
@askers
def test_nothing_that_may_not_be_read_crosses_counts_included(
    surface: Surface, asker: Asker, store: Store, answers: Answers
) -> None:
    hidden = store.hidden_words(asker)

    for name, outcome in answers(surface.name, asker.name).items():
        assert set(outcome.records) <= store.readable(asker), name
        assert not [word for word in hidden if word in outcome.told], name
        counts = [int(count) for count in _COUNT.findall(outcome.told)]
        assert all(count <= len(outcome.records) for count in counts), name
        if outcome.flags:
            assert outcome.flags == tuple(map(store.is_private, outcome.records)), name
        if name in UNASKED:
            assert not any(map(store.is_private, outcome.records)), name


@surfaces
@askers
def test_nothing_that_may_be_read_is_missing(
    surface: Surface, asker: Asker, store: Store, answers: Answers
) -> None:
    found = answers(surface.name, asker.name)

    for name in COMPLETE:
        assert set(found[name].records) == store.readable(asker), name
    for kept in KEPT:
        if f"get {kept.word}" not in found:
            continue
        opened, id_ = found[f"get {kept.word}"], store.ids[kept.word]
        is_readable = asker.name in kept.readers
        assert opened.success is is_readable, kept.word
        assert opened.records == ((id_,) if is_readable else ()), kept.word
        assert (kept.word in opened.told) is is_readable


@askers
def test_a_question_about_anything_that_may_be_read_recalls_it(asker: Asker, store: Store) -> None:
    desk = next(surface for surface in SURFACES if surface.name == "desk in process")
    texts = {kept.word: kept.draft.record.body.content_md for kept in KEPT}

    told = desk.ask(store, asker, [Call("recall", {"query": text}) for text in texts.values()])

    found = {
        word for word, each in zip(texts, told, strict=True) if store.ids[word] in each.records
    }
    assert found == {kept.word for kept in KEPT if asker.name in kept.readers}


@surfaces
@askers
def test_every_surface_gives_the_answer_of_the_desk(
    surface: Surface, asker: Asker, answers: Answers
) -> None:
    desk = answers("desk in process", asker.name)

    for name, outcome in answers(surface.name, asker.name).items():
        assert (outcome.success, outcome.records) == (desk[name].success, desk[name].records), name
        assert not outcome.flags or outcome.flags == desk[name].flags, name


@surfaces
def test_a_memory_that_may_not_be_read_is_answered_as_one_that_is_not_there(
    surface: Surface, store: Store, answers: Answers
) -> None:
    (asker,) = (each for each in ASKERS if each.name == "codex in widgets")
    missing = store.ids["fridays"][:-4] + "0000"
    (nothing,) = surface.ask(store, asker, [Call("get", {"names": [missing]})])

    for kept in KEPT:
        hidden = answers(surface.name, asker.name).get(f"get {kept.word}")
        if hidden and asker.name not in kept.readers and kept.is_in_force:
            id_ = store.ids[kept.word]
            assert hidden.told.replace(id_, "ID") == nothing.told.replace(missing, "ID")


# ---- writes

WRITES: Final[dict[str, dict[str, object]]] = {
    "a guess waits": {"content": "The {} bench stands level"},
    "a task is kept": {"content": "The {} bench needs oil", "kind": "todo"},
    "a private word is the writer's own": {"content": "The {} bench was a gift", "private": True},
    "for everybody": {"content": "A {} bench outlives its maker", "scope": "global"},
    "a kind that is not known": {"content": "The {} bench is old", "kind": "opinion"},
    "too long": {"content": "The {} bench " + "x" * 9_000},
}
_WOODS: Final = ("alder", "birch", "cedar", "ebony", "hazel", "maple", "olive", "rowan")
_DECIDED: Final = ("status", "scope", "waits")


def _writes(wood: str) -> list[Call]:
    calls = [
        Call("remember", given | {"content": str(given["content"]).format(wood)})
        for given in WRITES.values()
    ]
    mail = f"{wood}@" + "joiners.example.org"
    return [*calls, Call("remember", {"content": f"The {wood} bench is sold by {mail}"})]


@pytest.mark.parametrize("asker", ASKERS[:2], ids=lambda asker: asker.name)
def test_every_surface_decides_alike_about_a_write(
    asker: Asker,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path_factory.mktemp("writes")
    request.addfinalizer(lambda: end_residents(folder))
    (folder / "home").mkdir()
    store = furnish(folder / "home")
    monkeypatch.setenv("HOME", str(store.home))
    decided: dict[str, list[tuple[Any, ...]]] = {}
    for surface, wood in zip(SURFACES, _WOODS, strict=True):
        told = surface.ask(store, asker, _writes(wood))
        decided[surface.name] = [
            (each.success, *((each.content.get(name) for name in _DECIDED) if each.success else ()))
            for each in told
        ]
        assert f"{wood}@" not in "".join(each.told for each in told)

    desk = decided["desk in process"]
    assert [each[0] for each in desk] == [True, True, True, True, False, False, False]
    for name, found in decided.items():
        assert found == desk, name


# ---- wrong arguments, and callers that are nobody

_NO_TEXTS: Final[tuple[object, ...]] = (None, True, [], {}, "", " ", "x" * (1 << 20))
_NO_LISTS: Final[tuple[object, ...]] = (None, [], [None], [["a"]], [""], {"a": 1}, "")
_NO_LIMITS: Final[tuple[object, ...]] = ("many", 0, -1, 51, 2.5, {})
_NO_FLAGS: Final[tuple[object, ...]] = ("perhaps", 2, {}, [])

WRONG: Final = (
    *(Call("recall", {"query": value}) for value in _NO_TEXTS),
    Call("recall", {}),
    *(Call("get", {"names": value}) for value in _NO_LISTS),
    Call("get", {"names": ["a"] * 21}),
    *(Call("search_memories", {"query": "basin", "limit": v}) for v in _NO_LIMITS),
    *(Call("remember", {"content": value}) for value in _NO_TEXTS),
    *(Call("remember", {"content": "basin", "private": value}) for value in _NO_FLAGS),
    Call("remember", {"content": "basin", "scope": "agent:claude"}),
    Call("remember", {"content": "basin", "visibility": "nobody"}),
    Call("remember", {"content": "basin", "role": "executor", "session": "this"}),
    Call("remember", {"content": "basin", "ttl_days": True}),
    Call("save_to_memory", {"content": "basin", "key": "todo:basin", "private": True}),
)  # fmt: skip


def test_an_argument_of_a_wrong_type_is_refused_alike_and_writes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(store.home))
    before = _memories(store)
    told = {
        surface.name: surface.ask(store, ASKERS[1], WRONG)
        for surface in SURFACES
        if surface.name != "command line"  # whose arguments are words
    }

    for name, outcomes in told.items():
        for call, outcome, at_desk in zip(WRONG, outcomes, told["desk in process"], strict=True):
            assert not outcome.success, (name, call)
            assert _first_problem(outcome) == _first_problem(at_desk), (name, call)
    assert _memories(store) == before


def _first_problem(outcome: Outcome) -> str:
    return outcome.told.partition("\n")[0].removeprefix("error: ")


def _memories(store: Store) -> int:
    return store.place.log.read_bytes().count(b'"stream":"memory"')


@pytest.mark.parametrize(
    "surface", [s for s in SURFACES if s.name != "command line"], ids=lambda surface: surface.name
)  # the command line knows who runs it, and takes no such name
@pytest.mark.parametrize("agent", ["nobody", "person", "program", "system"])
def test_a_caller_that_is_no_registered_agent_is_told_nothing(
    surface: Surface, agent: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(store.home))
    stranger = Asker(agent, agent, "widgets")

    try:
        (told,) = surface.ask(store, stranger, [READS["search"]])
    except Exception as refused:
        assert "could not" in str(refused) or "onnection" in str(refused)  # noqa: PT017
        return
    assert not told.success
    assert told.records == ()
    assert not [kept.word for kept in KEPT if kept.word in told.told]
