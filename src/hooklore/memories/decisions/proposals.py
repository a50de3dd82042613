"""Proposals: acts on a memory that a person decides, and that somebody else has asked for.

An agent with the permission proposes a deletion or a restoration, and the janitor proposes to share what is
old enough. A rule that a later one replaced without contradicting it is proposed to come back. Nothing happens
before a person approves the proposal.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.memories import archive, deletion, promotion
from hooklore.memories.append import append_draft
from hooklore.memories.control_draft import draft_verdict
from hooklore.memories.decisions.authorization import require_person
from hooklore.memories.decisions.replacement import is_contradicted
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Body, Record
from hooklore.records.schema import FROM_A_PROMPT, SCHEMA_VERSION
from hooklore.text.similarity import comparison_terms

Act = Literal["delete", "restore", "share", "bring back"]
KIND: Final = "proposal"
_JANITOR = "system"
_MAX_PROPOSALS = 1_000
_LOOKED_AT = 1_000
"""The newest memories of a place among which lost rules are looked for."""

_Do = Callable[[Broker, Record, Principal], Record]
_IsPossible = Callable[[Broker, Reader, Record], bool]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A waiting proposal: the act, its memory, and the agent that asked for it."""

    record: Record
    act: Act
    target: Record

    @property
    def by(self) -> str:
        """The id of the proposer."""
        return self.record.agent_id


def propose(
    broker: Broker, act: Act, target: Record, by: str, session: str | None = None
) -> Record:
    """Append the proposal of `by`, and return it. The same proposal by the same agent is one record."""
    name = f"{KIND}|{by}|{act}|{target.id}"
    draft = Draft.of(
        v=SCHEMA_VERSION, stream="control", kind=KIND, agent_id=by, session_id=session,
        scope=target.scope, project=target.project, basis="inferred", natural_key=name,
        delivery_id=name, source={"system": "other", "detail": act},
        body=Body.of(targets=[target.id], act=act),
    )  # fmt: skip
    return append_draft(broker, draft)


def propose_sharing(broker: Broker, target: Record) -> Record:
    """Append the proposal to share a memory that has become old enough, and return it."""
    return propose(broker, "share", target, _JANITOR)


def propose_lost_rules(broker: Broker, places: list[str]) -> list[Record]:
    """Append the proposals to bring back what was lost in these places, and return those that wait.

    One key for all tools of a kind made `never use yarn` replace `never use npm`.
    """
    owner = broker.as_reader(PERSON)
    rules = (r for place in places for r in owner.history(keys.memories_at(place), _LOOKED_AT))
    lost = [rule for rule in rules if is_lost(owner, rule)]
    proposed = [propose(broker, "bring back", rule, _JANITOR) for rule in lost]
    reader = broker.as_reader(PERSON)
    return [each for each in proposed if not reader.is_ended(each)]


def is_lost(owner: Reader, record: Record) -> bool:
    """Return whether a rule of a prompt was ended by a later one alone, which does not contradict it."""
    is_learnt = record.source_detail == FROM_A_PROMPT and memory_kind(record.kind).is_rule
    if not is_learnt or record.waits:
        return False
    enders = owner.history(keys.end_of(record.id), 2)
    if len(enders) != 1 or enders[0].stream != "memory" or enders[0].restores == record.id:
        return False
    text, later = str(record.body.content_md), str(enders[0].body.content_md)
    is_said_by_later = comparison_terms(text) <= comparison_terms(later)
    is_by_key = enders[0].source_detail == FROM_A_PROMPT and not is_said_by_later
    return is_by_key and not is_contradicted(owner, record, enders[0])


def list_proposals(broker: Broker, who: Principal = PERSON) -> list[Proposal]:
    """Return the proposals that wait and can still be carried out, newest first. An agent gets none."""
    if not who.person:
        return []
    reader = broker.as_reader(who)
    found = reader.history(keys.ALL_PROPOSALS, _MAX_PROPOSALS)
    read = (_read(broker, reader, record) for record in found if not reader.is_ended(record))
    return [proposal for proposal in read if proposal is not None]


def find_proposal(broker: Broker, record: Record, who: Principal = PERSON) -> Proposal | None:
    """Return the proposal that a record is, while it waits; None for another record."""
    if record.stream != "control" or record.kind != KIND:
        return None
    reader = broker.as_reader(who)
    return None if reader.is_ended(record) else _read(broker, reader, record)


def carry_out(broker: Broker, proposal: Proposal, who: Principal = PERSON) -> Record:
    """Do what a proposal asks for, and return the record that it has become or ended. Raise HookloreError."""
    require_person(who, "approve", proposal.record.id)
    carry = _ACTS[proposal.act][0]
    done = carry(broker, proposal.target, who)
    append_draft(broker, draft_verdict(proposal.record, "approve", [proposal.record.id]))
    return done


def _read(broker: Broker, reader: Reader, record: Record) -> Proposal | None:
    """Return a proposal with its memory, or None when its act has become impossible."""
    act = record.body.extra("act")
    targets = [found for id_ in record.body.targets for found in reader.find(str(id_))]
    if act not in _ACTS or not targets:
        return None
    is_possible = _ACTS[act][1]
    target = targets[0]
    return Proposal(record, act, target) if is_possible(broker, reader, target) else None


def _delete(broker: Broker, target: Record, who: Principal) -> Record:
    deletion.delete_memory(broker, deletion.plan_deletion(broker, target.id, who), who)
    return target


def _bring_back(broker: Broker, rule: Record, _who: Principal) -> Record:
    """Let a lost rule stand again, without the key that its successor has."""
    return append_draft(broker, archive.draft_restored(rule.without("dedupe_key"), broker.now()))


_ACTS: Final[Mapping[str, tuple[_Do, _IsPossible]]] = {
    "delete": (
        _delete,
        lambda broker, reader, r: reader.is_in_force(r) or archive.is_archived(broker, r),
    ),
    "restore": (
        lambda broker, r, who: archive.restore_memory(broker, r.id, who),
        lambda broker, _reader, r: archive.is_archived(broker, r),
    ),
    "share": (
        lambda broker, r, who: promotion.share(broker, r.id, who)[0],
        lambda _broker, reader, r: promotion.may_be_shared(reader, r),
    ),
    "bring back": (_bring_back, lambda _broker, reader, r: is_lost(reader, r)),
}
"""The function that carries an act out, and the one that says whether it still can be."""
