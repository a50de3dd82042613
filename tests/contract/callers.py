"""The callers of the contract, and the store that they ask."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from hooklore.agents.speaker import identify_speaker
from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.conversations.ingestion import ingest_messages
from hooklore.conversations.message import read_messages
from hooklore.hooks.project import project_keys
from hooklore.records.draft import Draft, Principal, ProjectKeys
from hooklore.records.record import Body
from tests.support.agent import repository

_FORGOTTEN: Final = "seagull"
_TICK: Final = 0.005
"""Seconds between two records: those of one millisecond would share a short id."""

SESSION: Final = "3f1f7bb0-6f0e-4d0c-9d4e-1f2a3b4c5d6e"
_MARKS: Final = ("CLAUDECODE", "CODEX_THREAD_ID", "CODEX_SANDBOX", "GEMINI_CLI", "COPILOT_CLI")


@dataclass(frozen=True)
class Asker:
    """An agent that asks in a folder of the home, in a session where its client tells one."""

    name: str
    agent: str
    folder: str
    session: str | None = None

    @property
    def marks(self) -> dict[str, str]:
        """The variables that the agent's client sets for the commands of its agent."""
        own = (
            n
            for n in _MARKS
            if identify_speaker({n: "1"}, is_at_terminal=False).agent_id == self.agent
        )
        found = dict.fromkeys(own, "1")
        return found | ({"CLAUDE_CODE_SESSION_ID": self.session} if self.session else {})


ASKERS: Final = (
    Asker("claude in widgets", "claude", "widgets", SESSION),
    Asker("codex in widgets", "codex", "widgets"),
    Asker("gemini in gears", "gemini", "gears"),
    Asker("codex in no project", "codex", "."),
)

EVERYBODY: Final = frozenset(asker.name for asker in ASKERS)
_IN_WIDGETS: Final = frozenset(("claude in widgets", "codex in widgets"))
_CODEX: Final = frozenset(("codex in widgets", "codex in no project"))
_GEMINI: Final = frozenset(("gemini in gears",))
_CLAUDE: Final = frozenset(("claude in widgets",))
_NOBODY: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True)
class Kept:
    """A memory or a turn in the store: the one word that only its text has, and who may read it."""

    word: str
    readers: frozenset[str]
    draft: Draft
    project: str | None = None
    is_turn: bool = False
    replaces: str = ""

    @property
    def is_in_force(self) -> bool:
        """False for what waits, was replaced, or was forgotten: its readers may know that it is there."""
        return self.word not in ("rumour", "chalk", _FORGOTTEN)


def _memory(text: str, **fields: object) -> Draft:
    given: dict[str, object] = {"v": 1, "stream": "memory", "kind": "fact", "agent_id": "person"}
    body = Body.of(content_md=f"The quench basin {text}")
    return Draft.of(None, **(given | {"basis": "user", "body": body} | fields))


KEPT: Final = (
    Kept("fridays", _IN_WIDGETS, _memory("is drained on fridays"), "widgets"),
    Kept("copper", EVERYBODY, _memory("needs a lid of copper", scope="global")),
    Kept("gauge", _CLAUDE, _memory("has a gauge on the left", scope="agent:claude", agent_id="claude")),
    Kept("ladder", _CODEX, _memory("is reached by a ladder", scope="agent:codex", agent_id="codex")),
    Kept("saline", _GEMINI, _memory("holds saline water since spring"), "gears"),
    Kept("debts", _NOBODY, _memory("cost more than all debts", is_private=True), "widgets"),
    Kept("quarrel", _NOBODY, _memory("began a quarrel", is_private=True, scope="global")),
    Kept(
        # self-named, for these tests' own process asks in Codex's name by Python, the resident and MCP
        "grudge", _CODEX,
        _memory(
            "is why a grudge is borne", is_private=True, scope="agent:codex", agent_id="codex", self_named=True,
        ),
    ),
    Kept("tonight", _CLAUDE, _memory("is hot tonight", visibility="session", session_id=SESSION), "widgets"),
    Kept("another", _NOBODY, _memory("was another one's", visibility="session", session_id="s-other"), "widgets"),
    Kept("survey", _NOBODY, _memory("awaits a survey", visibility="agent-only", role="researcher"), "widgets"),
    Kept("rumour", _NOBODY, _memory("leaks by a rumour", waits="inferred", agent_id="codex"), "widgets"),
    Kept("chalk", _NOBODY, _memory("was cleaned with chalk", dedupe_key="fact:basin"), "widgets"),
    Kept(
        "soda", _IN_WIDGETS, _memory("is cleaned with soda", dedupe_key="fact:basin"), "widgets",
        replaces="chalk",
    ),
    Kept("seagull", _NOBODY, _memory("was bathed in by a seagull"), "widgets"),
    Kept("pumped", _IN_WIDGETS, _memory("was pumped dry"), "widgets", is_turn=True),
    Kept("secretly", _NOBODY, _memory("was filled secretly", is_private=True), "widgets", is_turn=True),
    Kept("rusty", _GEMINI, _memory("is rusty at its rim"), "gears", is_turn=True),
)  # fmt: skip
"""Everything that the store holds about the quench basin. Only the first part is for each reader."""


@dataclass(frozen=True)
class Store:
    """The store of a home with two projects. `ids` has the record of each word."""

    home: Path
    place: StoreLocation
    ids: dict[str, str]

    def folder(self, asker: Asker) -> Path:
        """Return where an agent works."""
        return self.home / asker.folder

    def readable(self, asker: Asker) -> set[str]:
        """Return the ids of everything that an agent may read."""
        return {self.ids[kept.word] for kept in KEPT if asker.name in kept.readers}

    def is_private(self, id_: str) -> bool:
        """Return whether a record is private: its writer alone is told it, and with the flag."""
        return any(self.ids[kept.word] == id_ and kept.draft.record.is_private for kept in KEPT)

    def hidden_words(self, asker: Asker) -> set[str]:
        """Return the words that no answer to an agent may hold."""
        return {kept.word for kept in KEPT if asker.name not in kept.readers}


def furnish(home: Path) -> Store:
    """Return a new store with everything in `KEPT`."""
    place = store_location_at(home / ".config" / "ai" / "memory")
    place.directory.mkdir(parents=True)
    place.config.write_text("[curated]\nrun_limit = 100\n")
    broker = Broker(place)
    ids: dict[str, str] = {}
    for name in ("widgets", "gears"):
        repository(home / name)
    for kept in KEPT:
        time.sleep(_TICK)
        keys = _keys(home, kept.project)
        ids[kept.word] = (
            _ingest(broker, kept, keys) if kept.is_turn else _append(broker, kept, keys, ids)
        )
    tombstone = Body.of(targets=[ids[_FORGOTTEN]])
    _append_draft(
        broker,
        Draft.of(
            None,
            v=1,
            stream="control",
            kind="tombstone",
            agent_id="person",
            scope="global",
            body=tombstone,
        ),
    )
    broker.index()
    broker.close()
    return Store(home, place, ids)


def _keys(home: Path, project: str | None) -> ProjectKeys | None:
    return project_keys(str(home / project), None, str(home)) if project else None


def _append(broker: Broker, kept: Kept, keys: ProjectKeys | None, ids: Mapping[str, str]) -> str:
    draft = replace(kept.draft, keys=keys)
    return _append_draft(
        broker, draft.with_fields(supersedes=ids[kept.replaces]) if kept.replaces else draft
    )


def _append_draft(broker: Broker, draft: Draft) -> str:
    (receipt,) = broker.append([draft])
    assert receipt.id is not None, receipt
    return receipt.id


def _ingest(broker: Broker, kept: Kept, keys: ProjectKeys | None) -> str:
    text = kept.draft.record.body.content_md
    messages = read_messages([{"author": "Ada", "text": text}])
    done = ingest_messages(
        broker, Principal(agent_id="chatgpt"), keys, f"chat-{kept.word}", messages,
        is_private=bool(kept.draft.record.is_private),
    )  # fmt: skip
    return str(done.ids[0])
