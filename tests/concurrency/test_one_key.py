"""Eighty processes of four agents write one key at once: one winner, one conflict, on every rebuild."""

from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.broker.conflicts import open_conflicts
from hooklore.config import CuratedSettings, Settings, StoreLocation, store_location_at
from hooklore.memories.write_gate import remember
from hooklore.records.draft import PERSON, Principal
from tests.support.writers import acknowledge, acknowledged, nursery

AGENTS = ("chatgpt", "claude", "gemini", "openclaw")
EACH = 20


def say(directory: str, acks: str, agent: str, number: int) -> None:
    """One agent's word on the matter."""
    event = {
        "agent_id": agent, "scope": "global", "kind": "config", "confidence": "high",
        "dedupe_key": "config:db_engine", "content_md": f"The engine is number {number} of {agent}",
        "source": {"system": "cli"}, "run_id": f"{agent}-{number}",
    }  # fmt: skip
    many = Settings(
        curated=CuratedSettings(run_limit=EACH)
    )  # by default an agent keeps seven an hour
    broker = Broker(store_location_at(Path(directory)), many, wait=None)
    answer = remember(broker, event, Principal(agent_id=agent))
    acknowledge(acks, [f"{answer.status}:{answer.id}"])


@pytest.mark.req("CO-05", "CO-11", "CO-12")
def test_eighty_writers_of_one_key_end_with_one_winner_and_one_conflict(
    store: StoreLocation, tmp_path: Path
) -> None:
    children = [
        nursery().start(say, str(store.directory), str(tmp_path / f"{a}{n}.acks"), a, n)
        for n in range(EACH)
        for a in AGENTS
    ]

    assert [child.wait() for child in children] == [0] * len(children)

    answers = [answer.split(":") for answer in acknowledged(tmp_path)]
    assert sorted({status for status, _ in answers}) == ["conflict", "stored"]
    assert sum(status == "stored" for status, _ in answers) == 1
    newest = max(id_ for _, id_ in answers)
    broker = Broker(store)
    live = _state(broker)
    assert live[0] == [newest]
    assert [b for _, b in live[1]] == [newest]
    broker.index()
    assert _state(broker) == live
    broker.rebuild()
    assert _state(broker) == live
    assert len([r for r in broker._view.newest() if r.kind == "conflict_resolution"]) == 1
    broker.close()


def _state(broker: Broker) -> tuple[list[str], list[tuple[str, str]]]:
    """What stands, and what contradicts it."""
    broker.refresh()
    heads = broker.as_reader(Principal(agent_id="codex")).lookup("memory:global")
    found = open_conflicts(broker._view, PERSON)
    return [r.id for r in heads], [(c.id, c.b.id) for c in found]
