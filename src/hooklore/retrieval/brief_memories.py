"""The memories that a brief is made of, in its order: read once for all sessions that may read the same."""

from dataclasses import dataclass
from itertools import accumulate, takewhile

from hooklore.broker.leading import lead
from hooklore.broker.principal_reader import Reader
from hooklore.memories.live_scores import LiveScores
from hooklore.memories.pins import (
    PIN_SCAN_LIMIT,
    list_memories,
    places_with_superprojects,
    select_by_hand,
    select_pins,
)
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Record, is_from_memory_file
from hooklore.records.standing import is_confirmed, rung_of, standing_of
from hooklore.retrieval.applicability import is_for_agent_type
from hooklore.retrieval.near_duplicates import (
    drop_overridden,
    drop_overridden_by_words,
    drop_restatements,
)
from hooklore.text.token_estimate import estimate_tokens

_SHORTEST = 12
"""Tokens of the shortest rule with its id: there is room for no more rules than of this length."""

_ROOM_COMPARED = 1.5
"""Times the tokens of a brief that rules may have which are compared with each other. The first hook of a resident
waits for that, and those behind them are told by title."""

_MAX_KEPT = 8
"""Decisions and rules of agents, the best first, of which a brief tells those that fit."""

_MAX_INDEXED = 1_000
"""Memories of one place, the newest, that an index has."""


@dataclass(frozen=True, slots=True)
class BriefMemories:
    """The memories that apply to a reader, in the order of a brief.

    `pinned` are what a person pinned. `rules` are what is pinned by itself, then the user's own that no pin
    says already. `todos` are of those who do not only name themselves. `by_id` are the memories that an index
    may name: one that is for some files waits until a step or a prompt names a file. `around` are the rules and
    decisions of superprojects that the user said, those that are pinned there first. `kept` are the decisions
    and rules that are the word of agents. `from_files` are the ids of those that come from the memory files of
    an agent, by its id and the project.
    """

    pinned: list[Record]
    rules: list[Record]
    todos: list[Record]
    by_id: dict[str, Record]
    around: list[Record]
    kept: list[Record]
    from_files: dict[tuple[str, str | None], set[str]]


def list_brief_memories(reader: Reader, scores: LiveScores, tokens: int) -> BriefMemories:
    """Return the memories for a brief of at most `tokens` tokens."""

    def read(shared: Reader) -> BriefMemories:
        return _read(shared, scores, tokens)

    return reader.derive(f"brief {scores.saved_at}", read)


def list_applicable_memories(reader: Reader, limit: int = PIN_SCAN_LIMIT) -> list[Record]:
    """Return the memories in force for the reader's type of agent, of each of its places the newest `limit`."""
    memories = list_memories(reader, places_with_superprojects(reader.principal), limit)
    return [r for r in memories if is_for_agent_type(r, reader.principal.agent_type)]


def _read(reader: Reader, scores: LiveScores, tokens: int) -> BriefMemories:
    most_rules = tokens // _SHORTEST
    applicable, outer = list_applicable_memories(reader, _MAX_INDEXED), reader.principal.around
    in_force = scores.order(drop_overridden(applicable))
    here = [r for r in in_force if r.project not in outer]
    said = (record.body.content_md for record in here if memory_kind(record.kind).is_rule)
    costs = accumulate(map(estimate_tokens, said))
    compared = sum(1 for _ in takewhile(lambda cost: cost <= _ROOM_COMPARED * tokens, costs))
    memories = drop_overridden_by_words(here, compared)
    leading = select_pins(reader, memories).records
    by_hand = select_by_hand(reader, leading)
    pinned_ids = {record.id for record in leading}
    placeless = [record for record in memories if not record.body.paths]
    free = [record for record in placeless if record.id not in pinned_ids]
    rules = [r for r in free if memory_kind(r.kind).told_in_brief and standing_of(r).leads_brief]
    rules = [record for record in lead(reader, rules) if record.id not in pinned_ids]
    rules = drop_restatements(reader, list(leading), rules[:most_rules])
    kept = [r for r in free if memory_kind(r.kind).high_stake and rung_of(r) == "agent"]
    # No memory of a submodule overrides one around it, not even under the same key.
    around = scores.order([record for record in applicable if record.project in outer])
    outermost = _select_leading(reader, around)[:most_rules]
    return BriefMemories(
        by_hand,
        [*(record for record in leading if record not in by_hand), *rules],
        [r for r in free if memory_kind(r.kind).open_item and not r.self_named],
        # Behind an older word of the user's a newer memory is named, too.
        {r.id: r for r in lead(reader, placeless) if r.id >= (r.contradicted_by or "")},
        drop_restatements(reader, [*leading, *rules], outermost) if outermost else [],
        lead(reader, kept)[:_MAX_KEPT],
        _group_by_files(placeless),
    )


def _select_leading(reader: Reader, around: list[Record]) -> list[Record]:
    """Return the memories of superprojects that a brief tells: the pins, then all else that leads a brief."""
    placeless = [record for record in around if not record.body.paths]
    pinned = select_pins(reader, placeless).records if placeless else ()
    ids = {record.id for record in pinned}
    others = (r for r in placeless if r.id not in ids and standing_of(r).leads_brief)
    return lead(reader, [*pinned, *others])


def _group_by_files(memories: list[Record]) -> dict[tuple[str, str | None], set[str]]:
    """Return the ids of unapproved memories from agents' own files by agent and project."""
    found: dict[tuple[str, str | None], set[str]] = {}
    for record in memories:
        if is_from_memory_file(record) and not is_confirmed(record):
            found.setdefault((record.agent_id, record.project), set()).add(record.id)
    return found
