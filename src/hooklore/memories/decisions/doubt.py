"""Decide why a memory waits for a person: by what it says, by who says it, and by what its session read before.

Those that stand and say more than their record shows are doubtful: before a claim was checked on every way in, a
program that named an agent could write as the user.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from hooklore.broker.broker import Broker
from hooklore.memories import content_lint
from hooklore.memories.agent_sessions import list_recent_sessions
from hooklore.memories.entries import list_current_memories
from hooklore.memories.session_evidence import (
    is_against_user,
    may_be_from_foreign,
)
from hooklore.prompt.injection import is_prompt_injection
from hooklore.prompt.planted_orders import gives_planted_order
from hooklore.records import keys
from hooklore.records.draft import PERSON, Principal
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Record, is_from_memory_file
from hooklore.records.schema import FROM_A_PROMPT, FROM_A_TERMINAL
from hooklore.records.standing import LADDER, is_confirmed, rung_of
from hooklore.text.unicode_cleaning import has_hidden_characters

_MAX_RECORDS_OF_RUN = 200
_LIMITED_HOURS = 1
"""Hours in which an agent whose prompts are not recorded may keep as many memories as at one prompt."""

_OF_A_PERSONS_ACT = (".stands", ".restored", ".again", ".approved")
"""The endings of the delivery ids of versions that a person's act made."""

_PERSONS = ("approves", "approved_by", "promoted_by", "resolves")
"""Fields that a version has which a person let stand."""


def find_waiting_reason(
    broker: Broker, event: Record, who: Principal, *, is_typed: bool
) -> str | None:
    """Return why a person must approve an event first, or None (seed 000 §5).

    With `is_typed` its words are those of the user's prompt, who may order.
    """
    is_by_person = who.person and event.agent_id == "person"
    text = str(event.extra("content_md"))
    reason = find_doubt(
        event, text, is_by_person=is_by_person, labels=_labels_of(event), may_order=is_typed
    )
    if reason is not None or is_by_person:
        return reason
    if rung_of(event) in ("tool", "agent", "inferred"):
        reason = find_unbacked_reason(broker, event, who)
    if reason is None and not is_from_memory_file(event) and _is_over_limit(broker, event):
        return "run_limit"
    return reason


def find_doubt(
    event: Record,
    text: str,
    *,
    is_by_person: bool,
    labels: Iterable[str] = (),
    may_order: bool = False,
) -> str | None:
    """Return what in a memory itself asks for a person's approval, or None.

    `text` are its words, `labels` its title, emotion, phrases and tags. With `may_order` the words are the
    user's, who may give orders.
    """
    kind = memory_kind(event.kind)
    if event.extra("stake") == "high" and kind.high_stake:
        return "high_stake"
    reason = None if is_by_person else _find_fault(event, text, labels, may_order=may_order)
    if reason is not None or (kind.provisional and rung_of(event) != "agent"):
        return reason
    if event.basis == "inferred" and LADDER["inferred"].waits:
        return "inferred"  # also of what is imported
    least = ("high", "med") if rung_of(event) in ("through", "agent") else ("high",)
    return None if event.confidence in least else "unconfirmed"


def _find_fault(event: Record, text: str, labels: Iterable[str], *, may_order: bool) -> str | None:
    """Return what is wrong with the words that somebody else than the person keeps, or None."""
    worth = content_lint.find_rejection_reason(text)
    if worth == "chat_log":
        return worth
    if is_from_memory_file(event):
        worth = None  # its client's rules say what is worth a file
    hazards = (_find_hazard(event, each) for each in (text, *labels))
    found = (each for each in hazards if each and (each != "gives_orders" or not may_order))
    return next(found, worth)


def _find_hazard(event: Record, text: str) -> str | None:
    """Return what makes a text unsafe to put before a model: orders, or characters that nobody sees."""
    if has_hidden_characters(text):
        return "hidden_characters"
    may_plant = event.basis in ("agent", "tool", "inferred")  # the user may order what they like
    is_order = is_prompt_injection(text) or (may_plant and gives_planted_order(text))
    return "gives_orders" if is_order else None


def has_hazard(event: Record) -> bool:
    """Return whether a title, an emotion, a phrase or a tag of an event gives orders, or hides characters."""
    return any(_find_hazard(event, each) for each in _labels_of(event))


def _labels_of(event: Record) -> list[str]:
    """Return the words beside an event's text that a model may be shown, or that find it."""
    given = (event.extra(name) or () for name in ("when", "tags"))
    single = (event.extra(name) or "" for name in ("title", "emotion"))
    return [*single, *(str(each) for words in given for each in words)]


def find_unbacked_reason(broker: Broker, event: Record, who: Principal) -> str | None:
    """Return why what `who` keeps and no prompt backs waits though its text is fine, or None."""
    if broker.settings.curated.agents_word == "waits" and rung_of(event) != "tool":
        return "agents_word"
    owner, text = broker.as_reader(PERSON), str(event.extra("content_md"))
    trusted = broker.settings.curated.trusted_servers
    for session in _sessions_of(broker, event, who):
        if is_against_user(owner, session, text):
            return "over_the_user"
        if may_be_from_foreign(owner, session, text, trusted):
            return "after_foreign"
    return None


def _sessions_of(broker: Broker, event: Record, who: Principal) -> list[str]:
    """Return the session that an event names, and its agent's latest one where the named one has no prompt.

    A caller names what it likes, and its client may tell it nothing.
    """
    named = event.session_id or event.run_id
    owner = broker.as_reader(PERSON)
    of_named = owner.history(keys.in_session(named), _MAX_RECORDS_OF_RUN)
    is_known = any(_is_asked(record, event) for record in of_named)
    latest = [] if is_known or event.self_named else list_recent_sessions(owner, who)[:1]
    return [*([named] if named else []), *latest]


def _is_asked(record: Record, event: Record) -> bool:
    """Return whether a record is a prompt to the agent of an event."""
    return record.kind == "prompt" and record.agent_id == event.agent_id


def _is_over_limit(broker: Broker, event: Record) -> bool:
    """Return whether agents have reached the run's limit since its last prompt, or, without one, in the last hour.

    Seed 000 §5 limits a task. A session of a week is one run, so that each prompt begins a task. Who only names
    itself may name any session, so that no prompt counts for it.
    """
    owner, run = broker.as_reader(PERSON), event.session_id or event.run_id
    session = owner.history(keys.in_session(run), _MAX_RECORDS_OF_RUN) if run else []
    last_prompt = next((record.id for record in session if _is_asked(record, event)), None)
    of_run = owner.history(keys.in_run(run), _MAX_RECORDS_OF_RUN) if run else []
    if (last_prompt is None or event.self_named) and event.imported_from is None:
        of_agent = owner.history(keys.kept_by(event.agent_id), _MAX_RECORDS_OF_RUN)
        begun = datetime.fromisoformat(broker.now()) - timedelta(hours=_LIMITED_HOURS)
        since = begun.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        kept = {r.id for r in (*session, *of_run, *of_agent) if _is_kept(r) and r.ts > since}
    else:
        kept = {r.id for r in (*session, *of_run) if _is_kept(r) and r.id > (last_prompt or "")}
    return len(kept) >= broker.settings.curated.run_limit


def _is_kept(record: Record) -> bool:
    """Return whether a record is what an agent kept, and no later version of it that a person asked for.

    Its memory files do not count: a look takes them, no act of the agent in this run.
    """
    is_by_agent = record.stream == "memory" and record.agent_id != "person"
    if is_from_memory_file(record):
        return False
    delivery = str(record.extra("delivery_id") or "")
    return is_by_agent and not is_confirmed(record) and not delivery.endswith(_OF_A_PERSONS_ACT)


def list_doubtful(broker: Broker) -> list[Record]:
    """Return the memories in force whose record does not show what it claims, newest first."""
    broker.refresh()
    found = {r.id: r for r in list_current_memories(broker) if is_doubtful(r)}
    return [found[id_] for id_ in sorted(found, reverse=True)]


def is_doubtful(record: Record) -> bool:
    """Return whether an agent's memory stands as the user's own word, or as seen by a tool of no session."""
    if record.agent_id == "person" or record.imported_from is not None:
        return False
    if any(record.extra(name) for name in _PERSONS) or record.source_detail == FROM_A_TERMINAL:
        return False
    if record.is_by_user:
        return record.source_detail != FROM_A_PROMPT
    return record.basis == "tool" and record.session_id is None
