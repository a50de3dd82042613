"""Compare curated memory with a model after any order of writes, answers, pins and deletions."""

import os
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hooklore.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.config import CuratedSettings, Settings, store_location_at
from hooklore.errors import HookloreError
from hooklore.index import generation
from hooklore.index.catalog import Catalog
from hooklore.memories import archive, deletion, pins
from hooklore.memories.decisions import approval_queue
from hooklore.memories.decisions.conflict_resolution import resolve_conflict
from hooklore.memories.pins import select_pins
from hooklore.memories.write_gate import remember
from hooklore.records import keys
from hooklore.records.draft import Draft, Principal
from hooklore.records.record import Body, Record
from tests.support.memory_folder import memory_folder

PERSON = Principal(person=True, agent_id="person", permission="owner")
KEYS = ("config:engine", "config:port", "decision:layout")
TEXTS = ("It is red", "It is green", "It is blue", "赤にする", "青にする")


class Version(NamedTuple):
    """A version of a key. `is_users` means that the user said or confirmed the version."""

    id: str
    text: str
    is_users: bool


class Model:
    """One version line: its head, its waiting versions, and its open conflict."""

    def __init__(self) -> None:
        self.head: Version | None = None
        """The newest version, if nothing has ended it."""
        self.waiting: dict[str, str] = {}
        self.guesses: set[str] = set()
        """The waiting versions that an agent guessed: they end when a tool shows the same."""
        self.side: tuple[str, str] | None = None
        """Id and text of the version that the open conflict began with."""
        self.forgotten: set[str] = set()
        self.refused: set[str] = set()
        self.pinned: bool | None = None
        self.archived: dict[str, Version] = {}
        """The archived versions by id."""

    def guess_of(self, text: str) -> str | None:
        return next((i for i in self.guesses if self.waiting.get(i) == text), None)

    @property
    def is_contested(self) -> bool:
        if self.side is None or self.head is None:
            return False
        return self.side[0] not in self.forgotten and self.side[1] != self.head[1]


UNLIMITED = Settings(curated=CuratedSettings(run_limit=1000))
"""The limit of an hour is another test's."""


class Curated(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.stack = ExitStack()
        self.place = store_location_at(self.stack.enter_context(memory_folder()) / "store")
        self.broker = Broker(self.place, UNLIMITED)
        self.lines = {key: Model() for key in KEYS}

    def teardown(self) -> None:
        if hasattr(self, "broker"):
            self.broker.close()
            self.stack.close()

    # ---- what is said

    def _event(self, key: str, text: str, agent: str, **more: Any) -> dict[str, Any]:
        return {
            "agent_id": agent, "kind": key.partition(":")[0], "confidence": "high", "scope": "global",
            "content_md": text, "source": {"system": "cli"}, "dedupe_key": key, "basis": "user", **more,
        }  # fmt: skip

    @rule(key=st.sampled_from(KEYS), text=st.sampled_from(TEXTS))
    def the_person_says(self, key: str, text: str) -> None:
        line = self.lines[key]

        answer = remember(self.broker, self._event(key, text, "person"), PERSON)

        assert answer.id
        if line.head and line.head.text == text and line.head.is_users:
            assert (answer.status, answer.id) == ("duplicate", line.head.id)
            return
        assert answer.status == ("updated" if line.head else "stored"), answer
        line.head = Version(answer.id, text, is_users=True)

    @rule(
        key=st.sampled_from(KEYS), text=st.sampled_from(TEXTS),
        agent=st.sampled_from(["claude", "codex"]), knows=st.booleans(),
    )  # fmt: skip
    def an_agent_says(self, key: str, text: str, agent: str, *, knows: bool) -> None:
        line = self.lines[key]
        more = {"supersedes": line.head[0]} if knows and line.head else {}
        event = self._event(key, text, agent, basis="tool", **more)

        answer = remember(self.broker, event, Principal(agent_id=agent))

        if line.head and line.head[1] == text:
            assert answer.status == "duplicate"
            return
        if answer.status == "duplicate":
            assert answer.id in line.forgotten | line.refused | set(line.waiting)
            return
        assert answer.id
        if line.head and line.head.is_users:
            assert (answer.status, answer.waits) == ("pending", "over_the_user")
            line.waiting[answer.id] = text
            return
        made = Version(answer.id, text, is_users=False)
        guess = None if line.head and knows else line.guess_of(text)
        line.waiting.pop(str(guess), None)
        if not line.head:
            assert answer.status == ("updated" if guess else "stored")
        elif knows:
            assert answer.status == "updated"
        else:
            assert answer.status == "conflict"
            if not self._contested_with(line, made):
                line.side = (line.head[0], line.head[1])
        line.head = made

    @staticmethod
    def _contested_with(line: Model, head: Version) -> bool:
        """Return whether the open conflict still is one with this version at the head."""
        old, line.head = line.head, head
        found = line.is_contested
        line.head = old
        return found

    @rule(key=st.sampled_from(KEYS), text=st.sampled_from(TEXTS))
    def an_agent_guesses(self, key: str, text: str) -> None:
        line = self.lines[key]
        event = self._event(key, text, "claude", basis="inferred", confidence="low")

        answer = remember(self.broker, event, Principal(agent_id="claude"))

        if answer.status == "duplicate":
            return
        assert answer.status == "pending"
        assert answer.id
        line.waiting[answer.id] = text
        line.guesses.add(answer.id)

    @rule(key=st.sampled_from(KEYS), said=st.sampled_from(TEXTS), seen=st.sampled_from(TEXTS))
    def one_batch_has_what_the_user_says_and_what_an_agent_saw(
        self, key: str, said: str, seen: str
    ) -> None:
        """Append two versions at once, as a drained spool does. The second knows of the first."""
        line = self.lines[key]
        common = Record.of(stream="memory", kind=key.partition(":")[0], scope="global", dedupe_key=key,
                           source={"system": "cli", "detail": "hook:spool"})  # fmt: skip
        replacing = common.with_fields(supersedes=line.head.id) if line.head else common
        batch = [
            Draft(replacing.with_fields(agent_id="person", basis="user", body=Body.of(content_md=said),
                                        delivery_id=os.urandom(16).hex())),
            Draft(common.with_fields(agent_id="codex", basis="tool", body=Body.of(content_md=seen),
                                     delivery_id=os.urandom(16).hex())),
        ]  # fmt: skip

        first, second = self.broker.append(batch)

        assert first.id
        assert second.id
        line.head = Version(first.id, said, is_users=True)
        line.waiting[second.id] = seen

    # ---- what a person decides

    def _waiting(self) -> list[tuple[str, str]]:
        return [(key, id_) for key, line in self.lines.items() for id_ in line.waiting]

    @precondition(lambda self: self._waiting())
    @rule(data=st.data())
    def the_person_approves(self, data: st.DataObject) -> None:
        key, id_ = data.draw(st.sampled_from(self._waiting()))
        line = self.lines[key]

        made = approval_queue.approve(self.broker, id_, PERSON)

        line.head = Version(made.id, line.waiting.pop(id_), is_users=True)

    @precondition(lambda self: self._waiting())
    @rule(data=st.data())
    def the_person_rejects(self, data: st.DataObject) -> None:
        key, id_ = data.draw(st.sampled_from(self._waiting()))

        approval_queue.reject(self.broker, id_, PERSON)

        self.lines[key].waiting.pop(id_)
        self.lines[key].refused.add(id_)

    @precondition(lambda self: any(line.is_contested for line in self.lines.values()))
    @rule(data=st.data(), keep=st.sampled_from(["A", "B", "both"]))
    def the_person_resolves(self, data: st.DataObject, keep: Any) -> None:
        contested = [key for key, line in self.lines.items() if line.is_contested]
        key = data.draw(st.sampled_from(contested))
        line = self.lines[key]
        (conflict,) = [c for c in self._conflicts() if c.key == key]

        made = resolve_conflict(self.broker, conflict.id, keep, PERSON)

        if keep != "both":
            assert line.side
            assert line.head
            text = line.side[1] if keep == "A" else line.head.text
            line.head = Version(made[0].id, text, is_users=True)
        line.side = None

    @precondition(lambda self: any(line.head for line in self.lines.values()))
    @rule(data=st.data())
    def the_person_forgets(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from([key for key, line in self.lines.items() if line.head]))
        line = self.lines[key]
        assert line.head
        gone = Draft.of(stream="control", kind="tombstone", agent_id="person", scope="global",
                        body=Body.of(targets=[line.head.id]))  # fmt: skip

        self.broker.append([gone])

        line.forgotten.add(line.head[0])
        line.head = None

    @precondition(lambda self: any(line.head for line in self.lines.values()))
    @rule(data=st.data())
    def the_person_archives(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from([key for key, line in self.lines.items() if line.head]))
        line = self.lines[key]
        assert line.head

        archive.archive_memory(self.broker, line.head[0], PERSON)

        line.archived[line.head.id] = line.head
        line.head = None

    @precondition(lambda self: any(line.archived for line in self.lines.values()))
    @rule(data=st.data())
    def the_person_restores(self, data: st.DataObject) -> None:
        aside = [(key, id_) for key, line in self.lines.items() for id_ in line.archived]
        key, id_ = data.draw(st.sampled_from(aside))
        line = self.lines[key]

        if line.head:
            with pytest.raises(HookloreError, match="an active entry has this key"):
                archive.restore_memory(self.broker, id_, PERSON)
            return
        made = archive.restore_memory(self.broker, id_, PERSON)

        line.head = line.archived.pop(id_)._replace(id=made.id)

    @precondition(lambda self: any(line.archived for line in self.lines.values()))
    @rule(data=st.data())
    def the_person_deletes_what_is_archived(self, data: st.DataObject) -> None:
        aside = [(key, id_) for key, line in self.lines.items() for id_ in line.archived]
        key, id_ = data.draw(st.sampled_from(aside))

        deletion.delete_memory(
            self.broker, deletion.plan_deletion(self.broker, id_, PERSON), PERSON
        )

        self.lines[key].archived.pop(id_)
        self.lines[key].forgotten.add(id_)

    @precondition(lambda self: any(line.head for line in self.lines.values()))
    @rule(data=st.data(), kind=st.sampled_from(["pin", "unpin"]))
    def the_person_pins(self, data: st.DataObject, kind: str) -> None:
        key = data.draw(st.sampled_from([key for key, line in self.lines.items() if line.head]))
        line = self.lines[key]
        assert line.head

        getattr(pins, kind)(self.broker, line.head[0], PERSON)

        line.pinned = kind == "pin"

    # ---- what changes nothing

    @rule()
    def the_index_follows(self) -> None:
        self.broker.index()

    @rule()
    def everything_is_made_anew(self) -> None:
        self.broker.rebuild()

    @rule()
    def another_process_takes_over(self) -> None:
        self.broker.close()
        self.broker = Broker(self.place, UNLIMITED)

    # ---- what must hold after every step

    def reader(self) -> Reader:
        return self.broker.as_reader(PERSON)

    def _conflicts(self) -> list[Any]:
        self.broker.refresh()
        return list(self.reader().open_conflicts())

    @invariant()
    def what_stands_is_what_the_model_says(self) -> None:
        self.broker.refresh()
        found = self.broker.as_reader(Principal(agent_id="gemini")).lookup(
            keys.memories_at("global")
        )

        said = {r.dedupe_key: (r.id, r.body.content_md) for r in found}

        assert len(said) == len(found)
        assert said == {k: line.head[:2] for k, line in self.lines.items() if line.head}

    @invariant()
    def what_waits_is_what_the_model_says(self) -> None:
        self.broker.refresh()

        waiting = {r.id for r in approval_queue.list_pending(self.reader())}

        assert waiting == {id_ for line in self.lines.values() for id_ in line.waiting}

    @invariant()
    def what_is_archived_is_what_the_model_says(self) -> None:
        found = archive.list_archived(self.broker, PERSON)

        said = {each.record.id: each.record.body.content_md for each in found}

        assert said == {
            i: version.text for line in self.lines.values() for i, version in line.archived.items()
        }

    @invariant()
    def each_contested_key_is_one_conflict(self) -> None:
        found = [(c.key, c.a.body.content_md, c.b.id) for c in self._conflicts()]

        expected = [
            (key, line.side[1], line.head[0])
            for key, line in self.lines.items()
            if line.side and line.head and line.is_contested
        ]
        assert sorted(found) == sorted(expected)

    @invariant()
    def the_table_of_pins_says_what_a_reader_sees(self) -> None:
        self.broker.refresh()
        found = self.reader().lookup(keys.memories_at("global"))
        pinned = {r.id for r in select_pins(self.reader(), found).records}

        expected = {
            line.head[0] for line in self.lines.values() if line.head and line.pinned is not False
        }
        assert pinned == expected
        if self.broker.unindexed_count == 0 and (
            directory := generation.current_generation(self.place)
        ):
            catalog = Catalog(directory / "catalog.sqlite")
            rows = catalog._query("SELECT event_id FROM memory_pins", ())
            catalog.close()
            assert {row[0] for row in rows} == expected


Curated.TestCase.settings = settings(max_examples=80, stateful_step_count=40)
TestCurated = pytest.mark.req("CO-01", "CO-04", "CO-05", "CO-07", "CO-08", "EV-12", "WF-09")(
    Curated.TestCase
)
