"""Replace rules by the words of a later one: find what it replaces or marks, end that, and tell of it.

A memory with a key replaces the version with its key, and one that names another replaces that. Here the words of
two rules of one audience decide (`text/rule_relation.py`). A control record ends the earlier rule and names the
later one, so that the pair is found from both sides.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.broker.versions import weaker_reason
from hooklore.index.record_keys import audience, scope_key
from hooklore.memories.append import append_or_raise
from hooklore.memories.control_draft import draft_control
from hooklore.records import keys
from hooklore.records.ids import short_id
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Body, Record
from hooklore.records.standing import rung_of
from hooklore.redaction import redact
from hooklore.text.similarity import is_same_text
from hooklore.text.token_estimate import truncate_text

if TYPE_CHECKING:
    from hooklore.text.rule_relation import RelatedRules, RuleRelation

BY_WORDS = "replaced"
"""The reason, and the source, of a control record that ends a rule by the words of a later one."""

_LOOKED_AT = 300
"""The newest rules of a place among which those are looked for that a rule replaces."""

_MAX_TOLD = 20
_QUOTED = 120


@dataclass(frozen=True, slots=True)
class RelatedRule:
    """A standing rule to which a later one does not only add, with the words of both that show it."""

    record: Record
    relation: "RuleRelation"
    earlier: str
    later: str


def find_related(
    owner: Reader, record: Record, place: str, more: Iterable[Record] = ()
) -> list[RelatedRule]:
    """Return the standing rules of a place that a rule replaces or marks, newest first.

    `more` are looked at beside the newest rules of the place: those that share its rare words.
    """
    if not place or not memory_kind(record.kind).is_rule:
        return []
    text = redact(str(record.body.content_md)).text
    found = []
    for each in _standing_rules(owner, record, place, more):
        words = str(each.body.content_md)
        related = _relate(words, text)
        if related.relation != "adds" and not is_same_text(words, text):
            found.append(RelatedRule(each, *related))
    return found


def _relate(earlier: str, later: str) -> "RelatedRules":
    from hooklore.text.rule_relation import explain_relation  # its expressions are for rules alone

    return explain_relation(earlier, later)


def _standing_rules(
    owner: Reader, record: Record, place: str, more: Iterable[Record]
) -> Iterator[Record]:
    """Yield the earlier rules of a place for the same readers, the newest first, but the one that is named."""
    newest = owner.lookup_among(keys.memories_at(place), _LOOKED_AT)
    known = {each.id: each for each in (*newest, *owner.select_in_force(more))}
    for id_ in sorted(known, reverse=True):
        each = known[id_]
        if each.stream != "memory" or each.waits or not memory_kind(each.kind).is_rule:
            continue
        is_earlier = id_ != record.supersedes and (not record.id or id_ < record.id)
        is_beside = scope_key(each) == place and audience(each) == audience(record)
        if is_earlier and is_beside:
            yield each


def is_contradicted(owner: Reader, rule: Record, ender: Record) -> bool:
    """Return whether the words of what ended a rule, or of a later rule that stands, speak against it."""
    words = str(rule.body.content_md)
    standing = owner.lookup_among(keys.memories_at(scope_key(rule)), _LOOKED_AT)
    later = [each for each in standing if each.id > rule.id and memory_kind(each.kind).is_rule]
    texts = (str(each.body.content_md) for each in (ender, *later))
    return any(_relate(words, text).relation != "adds" for text in texts)


def select_replaced(record: Record, related: Iterable[RelatedRule]) -> list[RelatedRule]:
    """Return those of the related rules that a rule replaces: a person any, an agent its own."""
    rung, found = rung_of(record), list[RelatedRule]()
    for each in related:
        # The words of two agents contradict each other.
        is_own = (record.agent_id, rung) == (each.record.agent_id, rung_of(each.record))
        may_end = (is_own or rung == "user") and weaker_reason(record, each.record) is None
        if each.relation == "replaces" and may_end:
            found.append(each)
    return found


def end_replaced(broker: Broker, record: Record, replaced: Iterable[Record]) -> None:
    """End the rules that a rule replaces. Raise StoreError when the log does not keep it."""
    drafts = [
        draft_control(
            "supersede",
            rule.scope,
            Body({"targets": [rule.id], "reason": BY_WORDS, "by": record.id}),
            detail=BY_WORDS, project=rule.project, basis=record.basis or "user",
        )
        for rule in replaced
    ]  # fmt: skip
    if drafts:
        append_or_raise(broker, drafts)


def list_ended_by(owner: Reader, record: Record) -> list[Record]:
    """Return the rules that a rule has ended by its words, newest first."""
    marks = owner.history(keys.ended_by(record.id), _MAX_TOLD)
    found = (owner.find_by_id(str(id_)) for mark in marks for id_ in mark.body.targets)
    return [rule for rule in found if rule is not None]


def is_ended_by_words_alone(owner: Reader, rule: Record) -> bool:
    """Return whether nothing but the words of a later rule has ended a rule."""
    enders = owner.history(keys.end_of(rule.id), 2)
    return len(enders) == 1 and enders[0].body.reason == BY_WORDS


def describe_chain(owner: Reader, record: Record) -> Iterator[str]:
    """Yield lines that say what a memory replaced, then what replaced it, and by which words."""
    replaced = {r.id: r for r in (*list_ended_by(owner, record), *owner.earlier_versions(record))}
    for rule in list(replaced.values())[:_MAX_TOLD]:
        yield f"replaced {_quote(rule)}: {_how(rule, record)}"
    seen, later = {record.id}, owner.superseded_by(record)
    while later is not None and later.id not in seen and len(seen) <= _MAX_TOLD:
        yield f"replaced by {_quote(later)}: {_how(record, later)}"
        seen.add(later.id)
        record, later = later, owner.superseded_by(later)


def _quote(rule: Record) -> str:
    text = truncate_text(str(rule.body.content_md), _QUOTED)
    return f"{short_id(rule.id)} “{text}” ({rule.ts[:10]})"


def _how(earlier: Record, later: Record) -> str:
    """Return by which words, or by which name, a memory took the place of an earlier one."""
    if later.supersedes == earlier.id:
        return "by its id"
    related = _relate(str(earlier.body.content_md), str(later.body.content_md))
    if related.relation == "adds":
        return "under the same key"
    return f"“{related.later}” against “{related.earlier}”"
