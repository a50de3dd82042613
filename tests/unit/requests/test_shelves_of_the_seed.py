"""The entries of a project and of all projects by the tools of seed 004, for each permission."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hooklore.memories.archive import archive_memory
from hooklore.memories.decisions.proposals import carry_out, list_proposals
from hooklore.requests.response import Response
from tests.unit.requests.conftest import Service, memories
from tests.unit.requests.test_tools_of_the_seed import AGENTS, DECIDING, SETTINGS

PRESS = {
    "config:press-oil": "The press takes whale oil.",
    "config:press-torque": "The press has a torque of 47, and whale oil.",
    "config:mill-speed": "The mill turns at 90.",
}
ARCHIVED = {
    "config:press-paint": "The press is painted red.",
    "config:press-belt": "The press has a leather belt, painted red.",
}


@dataclass(frozen=True)
class Shelf:
    """One of the two places of seed 004, as an agent of some permission finds it."""

    service: Service
    name: str
    agent: str

    @property
    def is_global(self) -> bool:
        return bool(self.name)

    def keep(self, key: str, text: str, *tags: str) -> None:
        """Keep an entry here as the person."""
        scope = "global" if self.is_global else "project:widgets"
        self.service.people.says(text, key, tags=list(tags), scope=scope)

    def archive(self, key: str) -> None:
        place = "global" if self.is_global else f"project:{self.service.project_id}"
        archive_memory(self.service.broker, key, self.service.people.who(), [place])

    def ask(self, verb: str, folder: Path | None = None, **given: Any) -> Response:
        """Call the tool of this shelf whose name has `{}` where the shelf's name stands."""
        tool = verb.format(self.name)
        return self.service.ask(tool, self.agent, folder=folder, **given)

    def keys(self, verb: str, folder: Path | None = None, **given: Any) -> list[str]:
        told = self.ask(verb, folder, **given)
        assert told.success, told
        return [str(each["key"]) for each in memories(told, "entries")]

    def approve_all(self) -> None:
        for each in list_proposals(self.service.broker):
            carry_out(self.service.broker, each)


MakeShelf = Callable[[str], Shelf]


@pytest.fixture(params=AGENTS)
def make_shelf(home: Path, request: pytest.FixtureRequest) -> MakeShelf:
    """Make a shelf with entries, some of them archived, beside the other shelf, which has its own."""

    def made(name: str) -> Shelf:
        service = Service(home, SETTINGS)
        service.says("claude", "claude-1", "The project begins.")
        here, other = (
            Shelf(service, each, AGENTS[request.param])
            for each in (name, "" if name else "global_")
        )
        for key, text in PRESS.items():
            here.keep(key, text, "api", key.rpartition("-")[2])
        for key, text in ARCHIVED.items():
            here.keep(key, text, "old")
            here.archive(key)
        other.keep(
            "config:elsewhere", "The press of elsewhere takes whale oil, painted red.", "far"
        )
        other.keep("config:gone", "The gone press takes whale oil, painted red.", "far")
        other.archive("config:gone")
        return here

    return made


PROJECT, GLOBAL = "", "global_"
SHELVES = [pytest.param(PROJECT, id="project"), pytest.param(GLOBAL, id="global")]


# ---- saved


@pytest.mark.req("MC-05", "MC-15")
@pytest.mark.parametrize("name", SHELVES)
def test_what_is_saved_is_there_found_and_seen_where_it_should(
    make_shelf: MakeShelf, name: str
) -> None:
    shelf = make_shelf(name)
    gears = shelf.service.make_project("gears")
    text = "Certificates are rotated by `make certs` in May."

    saved = shelf.ask("save_to_{}memory", key="api-certs", content=text, tags=["ops"])

    record = shelf.service.people.get(str(saved.content["id"]))
    assert (saved.success, saved.content["status"]) == (True, "stored")
    assert saved.text.startswith("stored ")
    assert (record.body.content_md, record.waits, record.agent_id) == (text, None, shelf.agent)
    assert shelf.keys("list_{}memory_entries") == ["api-certs", *reversed(PRESS)]
    assert shelf.keys("retrieve_from_{}memory", query="certificates rotated") == ["api-certs"]
    assert shelf.keys("retrieve_from_{}memory", query="rotated", tags=["ops"]) == ["api-certs"]
    for agent in AGENTS.values():
        there = shelf.service.ask(
            "recall", agent, folder=gears, query="certificates rotated in May"
        )
        assert [each["key"] for each in memories(there)] == ["api-certs"] * shelf.is_global
    listed = shelf.keys("list_{}memory_entries", gears)
    assert ("api-certs" in listed) is shelf.is_global


@pytest.mark.req("MC-05", "MC-15")
@pytest.mark.parametrize("name", SHELVES)
def test_what_waits_is_no_entry_and_its_answer_says_that_it_waits(
    make_shelf: MakeShelf, name: str
) -> None:
    shelf = make_shelf(name)
    given: Any = {"key": "api-guess", "content": "Probably the certificates are rotated in May."}

    saved, again = (shelf.ask("save_to_{}memory", **given) for _ in range(2))

    assert (saved.content["status"], again.content["status"]) == ("pending", "duplicate")
    for told in (saved, again):
        assert told.content["waits"] == "guess"
        assert "warning: guess: " in told.text
        assert f"hint: a person decides: `hooklore approve {saved.content['id']}`" in told.text
    assert shelf.keys("list_{}memory_entries") == [*reversed(PRESS)]
    assert shelf.keys("retrieve_from_{}memory", query="certificates") == []


# ---- searched and listed


@pytest.mark.req("MC-06", "MC-16")
@pytest.mark.parametrize("name", SHELVES)
def test_a_search_has_the_entries_that_share_its_words_the_best_first(
    make_shelf: MakeShelf, name: str
) -> None:
    shelf = make_shelf(name)

    found = shelf.ask("retrieve_from_{}memory", query="torque of the press")

    assert [each["key"] for each in memories(found, "entries")] == [
        "config:press-torque", "config:press-oil",
    ]  # fmt: skip
    assert PRESS["config:press-torque"] in found.text
    assert shelf.keys("retrieve_from_{}memory", query="mill") == ["config:mill-speed"]
    assert shelf.keys("retrieve_from_{}memory", query="submarine") == []
    assert shelf.keys("retrieve_from_{}memory", query="torque press", limit=1) == [
        "config:press-torque"
    ]
    assert shelf.keys("retrieve_from_{}memory", query="whale oil", tags=["oil", "api"]) == [
        "config:press-oil"
    ]


@pytest.mark.req("MC-08", "MC-17")
@pytest.mark.parametrize("name", SHELVES)
def test_a_list_has_every_entry_the_newest_first_up_to_its_limit(
    make_shelf: MakeShelf, name: str
) -> None:
    shelf = make_shelf(name)

    listed = shelf.ask("list_{}memory_entries", limit=2)

    assert [each["key"] for each in memories(listed, "entries")] == [
        "config:mill-speed", "config:press-torque",
    ]  # fmt: skip
    assert listed.content["count"] == 3
    assert all(PRESS[str(each["key"])] in listed.text for each in memories(listed, "entries"))
    assert shelf.keys("list_{}memory_entries", tags=["torque"]) == ["config:press-torque"]
    assert shelf.keys("list_{}memory_entries") == [*reversed(PRESS)]


@pytest.mark.req("MC-07")
def test_an_entry_is_opened_whole_by_its_key(make_shelf: MakeShelf) -> None:
    shelf = make_shelf(PROJECT)

    opened = shelf.ask("get_memory_entry", key="config:press-oil")

    assert (opened.success, opened.content["key"]) == (True, "config:press-oil")
    assert PRESS["config:press-oil"] in opened.text
    assert not shelf.ask("get_memory_entry", key="config:press-paint").success  # archived


@pytest.mark.req("MC-10", "MC-18")
@pytest.mark.parametrize("name", SHELVES)
def test_a_summary_counts_its_own_entries_and_says_how_old_they_are(
    make_shelf: MakeShelf, name: str
) -> None:
    shelf = make_shelf(name)

    assert_summary(shelf, "get_{}memory_summary", PRESS)


def assert_summary(shelf: Shelf, verb: str, entries: Mapping[str, str]) -> None:
    told = shelf.ask(verb)
    known = [r for r in shelf.service.people.records() if r.dedupe_key in entries]
    tags = Counter(str(tag) for record in known for tag in record.body.tags)
    days = (known[0].ts, known[-1].ts)
    assert told.success
    assert told.content["count"] == len(entries)
    assert told.content["tags"] == tags
    assert (told.content["oldest"], told.content["newest"]) == days
    assert told.content["limits"] == {"content": 8_000, "run": 7, "unused_days": 90}
    assert told.text.splitlines()[:2] == [
        f"entries: {len(entries)}", f"oldest: {days[0]}, newest: {days[1]}",
    ]  # fmt: skip
    assert all(f"{tag} ({count})" in told.text for tag, count in tags.items())


# ---- the archive


@pytest.mark.req("MC-11", "MC-20")
@pytest.mark.parametrize("name", SHELVES)
def test_a_search_of_the_archive_has_archived_entries_alone_the_best_first(
    make_shelf: MakeShelf, name: str
) -> None:
    shelf = make_shelf(name)

    assert shelf.keys("search_{}memory_archive", query="red leather press") == [
        "config:press-belt", "config:press-paint",
    ]  # fmt: skip
    assert shelf.keys("search_{}memory_archive", query="painted", limit=1) == ["config:press-belt"]
    assert shelf.keys("search_{}memory_archive", query="leather") == ["config:press-belt"]
    assert shelf.keys("search_{}memory_archive", query="whale oil") == []
    assert shelf.keys("search_{}memory_archive", query="painted", tags=["api"]) == []


@pytest.mark.req("MC-12", "MC-21")
@pytest.mark.parametrize("name", SHELVES)
def test_a_list_of_the_archive_has_archived_entries_alone_the_last_archived_first(
    make_shelf: MakeShelf, name: str
) -> None:
    shelf = make_shelf(name)

    listed = shelf.ask("list_{}memory_archive", limit=1)

    assert [each["key"] for each in memories(listed, "entries")] == ["config:press-belt"]
    assert listed.content["count"] == 2
    assert shelf.keys("list_{}memory_archive") == [*reversed(ARCHIVED)]
    assert shelf.keys("list_{}memory_archive", tags=["api"]) == []


@pytest.mark.req("MC-14", "MC-23")
@pytest.mark.parametrize("name", SHELVES)
def test_a_summary_of_the_archive_counts_archived_entries_alone(
    make_shelf: MakeShelf, name: str
) -> None:
    assert_summary(make_shelf(name), "get_{}memory_archive_summary", ARCHIVED)


# ---- what a person decides


@pytest.mark.req("MC-09", "MC-19")
@pytest.mark.parametrize("name", SHELVES)
def test_a_deletion_waits_for_a_person_and_then_leaves_no_archived_entry(
    make_shelf: MakeShelf, name: str
) -> None:
    shelf = make_shelf(name)

    told = shelf.ask("delete_{}memory_entry", key="config:press-oil")

    assert_decided(shelf, told, "delete")
    assert "config:press-oil" in shelf.keys("list_{}memory_entries")
    shelf.approve_all()
    is_gone = "config:press-oil" not in shelf.keys("list_{}memory_entries")
    assert is_gone is told.success
    assert shelf.keys("list_{}memory_archive") == [*reversed(ARCHIVED)]


@pytest.mark.req("MC-13", "MC-22")
@pytest.mark.parametrize("name", SHELVES)
def test_a_restoration_waits_for_a_person_and_then_the_entry_is_there_again(
    make_shelf: MakeShelf, name: str
) -> None:
    shelf = make_shelf(name)

    told = shelf.ask("restore_from_{}memory_archive", key="config:press-paint")

    assert_decided(shelf, told, "restore")
    assert "config:press-paint" in shelf.keys("list_{}memory_archive")
    shelf.approve_all()
    is_back = "config:press-paint" in shelf.keys("list_{}memory_entries")
    assert is_back is told.success
    assert ("config:press-paint" in shelf.keys("list_{}memory_archive")) is not told.success


def assert_decided(shelf: Shelf, told: Response, act: str) -> None:
    """Assert that an act is proposed and waits, or, to a worker, is refused and waits nowhere."""
    may = shelf.agent in {AGENTS[permission] for permission in DECIDING}
    proposals = list_proposals(shelf.service.broker)
    assert told.success is may
    assert [each.act for each in proposals] == [act] * may
    if may:
        assert (told.content["status"], told.content["act"]) == ("proposed", act)
        assert "a person decides: `hooklore approve " in told.text
    else:
        assert told.problem.endswith("admin and owner may do it")
