"""Measure how often the title of the memory that a prompt needs stands where an agent can see it.

    python -m tests.samesubject.titles

The titles and topics of shop's memories were given by somebody who saw the memories alone. Printed: how many
of the 100 gold titles stand in the index of a store of 60 memories, and in what `hooklore get topic:X` prints
of a store of 300.
"""

import json
import sys
import tempfile
from pathlib import Path

from hooklore.broker import Broker
from hooklore.config import Settings, store_location_at
from hooklore.prompt.title import title_of
from hooklore.records.draft import Draft, Principal
from hooklore.records.record import Record
from hooklore.retrieval.opening import open_named
from hooklore.retrieval.topic_index import make_index
from tests.samesubject.corpus import Memory, memories, prompts

_STORE, _TOKENS = 60, 800
_GIVEN = Path(__file__).parent / "shop" / "titles.json"
_WHO = Principal(agent_id="claude", session_id="s1")


def titled(memory: Memory) -> Record:
    """Return a memory as the user's, with the title and the topic that it was given."""
    given = json.loads(_GIVEN.read_text("utf-8"))[memory.id]
    body = {"content_md": memory.text, "title": given["title"], "tags": [given["topic"]]}
    return Record({
        "stream": "memory", "kind": memory.kind, "agent_id": "person", "basis": "user", "scope": "global",
        "body": body,
    })  # fmt: skip


def in_index() -> float:
    """Return the share of gold titles that the index of a store of 60 memories holds."""
    known = {memory.id: memory for memory in memories()}
    gold = [prompt.gold for prompt in prompts() if prompt.gold]
    others = [id_ for id_ in known if id_ not in gold]
    found = 0
    for start in range(0, len(gold), _STORE):
        part = gold[start : start + _STORE]
        records = [titled(known[id_]) for id_ in (*part, *others)][:_STORE]
        index = "\n".join(make_index(records, _TOKENS)[0])
        found += sum(title_of(titled(known[id_])) in index for id_ in part)
    return found / len(gold)


def in_topic() -> float:
    """Return the share of gold titles that opening their topic prints, in a store of 300 memories."""
    known = {memory.id: memory for memory in memories()}
    gold = [prompt.gold for prompt in prompts() if prompt.gold]
    with tempfile.TemporaryDirectory() as folder:
        broker = Broker(store_location_at(Path(folder)), Settings())
        broker.append([Draft(titled(memory)) for memory in known.values()])
        broker.refresh()
        found = sum(_is_listed(broker, titled(known[id_])) for id_ in gold)
        broker.close()
    return found / len(gold)


def _is_listed(broker: Broker, record: Record) -> bool:
    return title_of(record) in open_named(broker, _WHO, [f"topic:{record.body.tags[0]}"]).text


if __name__ == "__main__":
    sys.stdout.write(
        f"in the index of 60: {in_index():.2f}\nin their topic of 300: {in_topic():.2f}\n"
    )
