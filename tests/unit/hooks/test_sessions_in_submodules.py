"""What a session in a submodule reads of its superprojects, and what it leaves alone there."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hooklore.broker import principal_reader
from hooklore.config import RecallSettings, Settings, StoreLocation
from hooklore.errors import HookloreError
from hooklore.hooks.exclusions import PauseState, save_pauses
from hooklore.hooks.project import project_keys
from hooklore.memories.archive import archive_memory
from hooklore.memories.entries import get_entry
from hooklore.records.access import may_read
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Record
from hooklore.requests.desk import RequestDesk
from hooklore.requests.request import Caller, Request
from hooklore.requests.response import Response
from hooklore.retrieval.access_report import list_shown
from hooklore.retrieval.recall import Recall
from hooklore.text.token_estimate import estimate_tokens
from tests.support.agent import Agent
from tests.support.submodules import add_submodule, committed_repository

HEADING = "Rules and decisions of the superproject"
RULE = "Never push to main."

_numbers = itertools.count(1)


class Nest:
    """A superproject, its submodule and the submodule of that, each with an agent that works there."""

    def __init__(self, place: StoreLocation, folder: Path, home: Path, settings: Settings) -> None:
        outer = committed_repository(folder / "outer")
        middle = add_submodule(outer, "libs/middle")
        inner = add_submodule(middle, "inner")
        self.outer_keys = project_keys(str(outer), None, str(home))
        self.middle_keys = project_keys(str(middle), None, str(home))
        self.outer, self.middle, self.inner = (
            Agent(place, each, home, settings) for each in (outer, middle, inner)
        )

    def close(self) -> None:
        for agent in (self.outer, self.middle, self.inner):
            agent.broker.close()


@pytest.fixture
def nest(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Nest]:
    found = Nest(store, tmp_path, home, Settings())
    yield found
    found.close()


def starts(agent: Agent) -> str:
    return agent.starts(f"s-{next(_numbers)}")


def about_to_edit(agent: Agent, path: Path) -> str:
    agent.session = f"s-{next(_numbers)}"
    return agent.told(
        "PreToolUse", tool_name="Edit", tool_use_id=f"edit-{next(_numbers)}",
        tool_input={"file_path": str(path), "old_string": "a", "new_string": "b"},
    )  # fmt: skip


def request(agent: Agent, verb: str, **arguments: object) -> Response:
    desk = RequestDesk(agent.broker, Recall(agent.broker), str(agent.home))
    return desk.answer(Request(verb, arguments, Caller("claude", "", str(agent.project))))


@pytest.mark.req("AC-18")
def test_a_nested_submodule_reads_the_whole_chain_and_each_note_names_its_project(
    nest: Nest,
) -> None:
    nest.outer.remembers("Outer rule: the lathe is oiled.")
    nest.middle.remembers("Middle rule: the press is not.")
    nest.inner.remembers("Inner rule: nobody whistles.")

    inner, middle, outer = starts(nest.inner), starts(nest.middle), starts(nest.outer)

    own, _, around = inner.partition(HEADING)
    assert "Inner rule" in own
    assert around.index("Middle rule") < around.index("Outer rule")
    assert "project:middle" in around
    assert "project:outer" in around
    assert ("Outer rule" in middle, "Inner rule" in middle) == (True, False)
    assert ("Middle rule" in outer, "Inner rule" in outer) == (False, False)


@pytest.mark.req("AC-18")
@pytest.mark.parametrize(
    "kept",
    [
        {"kind": "fact"},
        {"kind": "config"},
        {"kind": "todo"},
        {"is_private": True},
        {"visibility": "session", "session_id": "s-own"},
        {"visibility": "agent-only", "role": "general"},
        {"basis": "inferred", "waits": "inferred"},
    ],
)
def test_nothing_else_is_read_of_the_superproject(nest: Nest, kept: dict[str, object]) -> None:
    text = "The lathe of hall seven is oiled with rapeseed."
    nest.outer.remembers(text, **{"kind": "constraint", "dedupe_key": "constraint:oil", **kept})  # type: ignore[arg-type]

    told = [
        starts(nest.middle),
        nest.middle.asks("How is the lathe of hall seven oiled, and with what?"),
        nest.middle.about_to("oil --lathe --hall seven"),
        request(nest.middle, "recall", query="lathe of hall seven oiled").text,
        request(nest.middle, "search_memories", query="lathe hall seven oiled").text,
        request(nest.middle, "get", names=["constraint:oil"]).text,
    ]

    assert not [each for each in told if "rapeseed" in each]


@pytest.mark.req("AC-18")
def test_what_happened_in_the_superproject_is_told_to_no_session_in_a_submodule(
    nest: Nest,
) -> None:
    nest.outer.starts("s-outer")
    nest.outer.asks("We oil the lathe with rapeseed, and the hall smells of it.")
    nest.outer.fails("make lathe", "KeyError: 'oil' in lathe.ini")
    nest.outer.edits("lathe.ini", "oil = rapeseed")
    nest.outer.passes("make lathe")

    told = [
        starts(nest.middle),
        nest.middle.asks("Which oil for the lathe, and why does the hall smell?"),
        nest.middle.about_to("make lathe"),
        nest.middle.fails("make lathe", "KeyError: 'oil' in lathe.ini"),
        request(nest.middle, "search_memories", query="lathe oil hall make").text,
    ]

    assert not [each for each in told if "rapeseed" in each or "lathe.ini was" in each]


def test_every_way_to_ask_finds_a_rule_of_the_superproject_and_names_it(nest: Nest) -> None:
    nest.outer.remembers(RULE, dedupe_key="constraint:push")

    recalled = request(nest.middle, "recall", query="may I push to main")
    searched = request(nest.middle, "search_memories", query="push main")
    opened = request(nest.middle, "get", names=["constraint:push"])
    step = nest.middle.about_to("git push origin main")

    for text in (recalled.text, searched.text, opened.text, step):
        assert RULE in text
        assert "of project:outer" in text


@pytest.mark.parametrize(
    ("globs", "file", "is_told"),
    [
        (["libs/middle/src/**"], "src/saw.py", True),
        (["src/**"], "src/saw.py", False),
        (["libs/other/**"], "src/saw.py", False),
        (["docs/**"], "../../docs/saw.md", True),
    ],
)
def test_a_rule_for_some_files_names_them_from_the_superprojects_top(
    nest: Nest, globs: list[str], file: str, is_told: bool
) -> None:
    rule = "Frames stay little-endian: the old meters read them so."
    nest.outer.remembers(rule, paths=globs)

    edited = about_to_edit(nest.middle, (nest.middle.project / file).resolve())

    assert (rule in edited) is is_told
    assert rule not in starts(nest.middle)


def test_a_rule_that_forbids_a_folder_of_the_superproject_holds_in_its_submodule(
    nest: Nest,
) -> None:
    rule = "Never edit files in libs/middle/generated/."
    nest.outer.remembers(rule)

    assert rule in about_to_edit(nest.middle, nest.middle.project / "generated" / "a.c")
    assert rule not in about_to_edit(nest.middle, nest.middle.project / "src" / "a.c")


@pytest.mark.req("AC-18")
def test_a_rule_of_the_superproject_is_never_overridden_by_one_of_the_same_key(
    nest: Nest,
) -> None:
    key = "constraint:push"
    nest.outer.remembers(RULE, dedupe_key=key)
    nest.outer.remembers("Push where you like, everywhere.", scope="global", dedupe_key=key)
    nest.middle.remembers("Push to main on Fridays alone.", dedupe_key=key)

    own, _, around = starts(nest.middle).partition(HEADING)
    opened = request(nest.middle, "get", names=[key]).text

    assert "Push to main on Fridays alone." in own
    assert RULE in around
    assert "Push where you like" not in own + around
    assert "on Fridays alone" in opened
    assert RULE in starts(nest.outer)
    assert not [
        r for r in nest.outer.records() if r["kind"] in ("supersede", "conflict_resolution")
    ]


@pytest.mark.req("AC-18")
def test_an_agent_in_a_submodule_replaces_and_ends_nothing_of_the_superproject(nest: Nest) -> None:
    kept = nest.outer.remembers(RULE, dedupe_key="constraint:push", confidence="high")
    nest.middle.remembers("The saw is blue.", kind="fact")

    said = request(
        nest.middle, "remember", content="Push to main as you like.", kind="constraint",
        supersedes=kept.id,
    )  # fmt: skip
    deletion = request(nest.middle, "delete_memory_entry", key=kept.id)
    same = request(nest.middle, "remember", content=RULE, kind="constraint", key="constraint:push")

    assert "it is in another scope" in said.problem
    assert "it is kept by the superproject" in deletion.problem
    assert same.content["scope"] == "project:middle"
    assert RULE in starts(nest.outer)
    places = {r.get("project") for r in nest.outer.records() if r["stream"] == "memory"}
    assert len(places) == 2


def test_the_user_archives_by_its_key_what_the_folder_itself_keeps_alone(nest: Nest) -> None:
    nest.outer.remembers(RULE, dedupe_key="constraint:push")
    nest.middle.remembers("The saw is blue.", dedupe_key="constraint:saw")
    broker = nest.middle.broker
    own = broker.project_of(nest.middle_keys)
    assert own is not None
    person = replace(PERSON, project=own.id, around=broker.projects_around(nest.middle_keys))

    archive_memory(broker, "constraint:saw", person)
    with pytest.raises(HookloreError, match="no memory with this key here"):
        archive_memory(broker, "constraint:push", person)

    assert get_entry(broker.as_reader(person), "constraint:push").record.body.content_md == RULE


@pytest.mark.parametrize("tokens", [300, 600, 1_500])
def test_the_budget_of_a_brief_holds_and_leaves_room_for_both_projects(
    store: StoreLocation, tmp_path: Path, home: Path, tokens: int
) -> None:
    recall = RecallSettings(brief_tokens=tokens, index_tokens=0)
    nest = Nest(store, tmp_path, home, Settings(recall=recall))
    for number in range(60):
        nest.outer.remembers(f"Outer {number}: lathe {number * 17} is oiled by its own hand")
        nest.middle.remembers(f"Own {number}: press {number * 13} is cleaned by its own hand")

    brief = starts(nest.middle)
    nest.close()

    assert estimate_tokens(brief) <= tokens
    own, around = (brief.count(f"is {how} by its own hand") for how in ("cleaned", "oiled"))
    assert own > around
    assert around > 0 or tokens == 300
    assert brief.count("(there is more than fits here:") == 1


def test_rules_of_the_superproject_get_all_the_room_that_is_left(nest: Nest) -> None:
    for number in range(12):
        nest.outer.remembers(f"Outer {number}: lathe {number * 17} is oiled by its own hand")

    assert starts(nest.middle).count("is oiled by its own hand") == 12


def test_thousands_of_facts_around_a_submodule_are_not_read_for_a_few_rules(
    nest: Nest, monkeypatch: pytest.MonkeyPatch
) -> None:
    nest.outer.broker.append(
        [Draft.of(nest.outer_keys, stream="memory", kind="fact", agent_id="claude", basis="user",
                  body={"content_md": f"The lathe {n} of the hall is oiled"}) for n in range(3_000)]
    )  # fmt: skip
    nest.outer.remembers("The lathe of the hall is oiled by hand alone.")
    nest.middle.remembers("The saw is blue.")
    looked_at: list[str] = []

    def note(record: Record, who: Principal) -> bool:
        looked_at.append(record.id)
        return may_read(record, who)

    nest.middle.broker.refresh()
    monkeypatch.setattr(principal_reader, "may_read", note)
    brief, after_brief = starts(nest.middle), len(looked_at)
    nest.middle.asks("How is the lathe of the hall oiled, by hand?")

    assert "by hand alone" in brief
    assert after_brief < 1_500
    assert len(looked_at) - after_brief < 1_500


def test_a_rule_that_both_projects_keep_is_told_once(nest: Nest) -> None:
    nest.outer.remembers(RULE)
    nest.middle.remembers(RULE)

    assert starts(nest.middle).count(RULE) == 1


def test_the_user_sees_again_what_a_session_in_a_submodule_was_shown(nest: Nest) -> None:
    nest.outer.remembers(RULE)
    told = starts(nest.middle)
    step = nest.middle.about_to("git push origin main")
    shown = list_shown(nest.middle.broker.as_reader(PERSON), nest.middle.session)

    assert (RULE in told, RULE in step) == (True, True)
    assert [each.text for each in shown] == [told, step]


def test_a_superproject_that_is_paused_tells_nothing_in_its_submodule(nest: Nest) -> None:
    nest.outer.remembers(RULE)
    assert RULE in starts(nest.middle)
    (outer,) = {r["project"] for r in nest.outer.records() if r["stream"] == "memory"}

    save_pauses(nest.outer.place, PauseState(projects=frozenset((outer,))))
    told = starts(nest.middle)
    caller = Caller("claude", None, str(nest.middle.project))
    desk = RequestDesk(nest.middle.broker, Recall(nest.middle.broker), str(nest.middle.home))
    found = desk.answer(Request("search_memories", {"query": "push main"}, caller))

    assert RULE not in told
    assert RULE not in found.text
    save_pauses(nest.outer.place, PauseState())
    assert RULE in starts(nest.middle)
