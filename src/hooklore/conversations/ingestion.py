"""Take the messages of a conversation into the store, each once."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hooklore.broker import Broker
from hooklore.conversations.message import Message
from hooklore.conversations.turn_checks import CHECKS, TurnChecks
from hooklore.conversations.turn_draft import (
    TurnContext,
    draft_turn,
    session_of_conversation,
    visible_text,
)
from hooklore.errors import ConversationInvalid, StoreError
from hooklore.hooks.exclusions import is_excluded, load_pauses
from hooklore.records.draft import ACKNOWLEDGED, Draft, Principal, ProjectKeys, Receipt

_MOST_SESSION = 256


@dataclass(frozen=True, slots=True)
class IngestedTurns:
    """The outcome for the messages of a chunk, those that were handed in before left out.

    `ids` has the record of each message, None where there is none (yet). `stored` messages are new, `known`
    ones were there before, `spooled` ones are kept and have no record yet, `left_out` ones had nothing to
    keep, and `refused` ones do not fit the log. `checks` counts findings, by the names in `CHECKS`.
    """

    session_id: str
    ids: tuple[str | None, ...] = ()
    stored: int = 0
    known: int = 0
    spooled: int = 0
    refused: int = 0
    left_out: int = 0
    checks: dict[str, int] = field(default_factory=dict)


_Turn = tuple[Message, Draft]


def ingest_messages(
    broker: Broker,
    who: Principal,
    folder: ProjectKeys | None,
    session_id: str,
    messages: Sequence[Message],
    *,
    overlap: int = 0,
    is_private: bool = False,
) -> IngestedTurns:
    """Append the turns of a conversation that are not known yet, in one flush.

    The first `overlap` messages were handed in before and are not counted. Raise ConversationInvalid where
    nothing may be recorded, and StoreError when the log keeps nothing.
    """
    known, new = messages[:overlap], messages[overlap:]
    shared = _context(broker, who, folder, session_id, is_private=is_private)
    checks = TurnChecks(shared.now)
    before = list(_draft_turns(known, shared, TurnChecks(shared.now)))
    last = next((m.time for m in reversed(known) if m.time), "")
    turns = list(_draft_turns(new, shared, checks, last))
    receipts = _append(broker, _drafts_apart([*before, *turns]))[len(before) :]
    for (message, _), receipt in zip(turns, receipts, strict=True):
        checks.check_record(message, receipt.record)
    counts = Counter(receipt.status for receipt in receipts)
    found = {id(message): got.id for (message, _), got in zip(turns, receipts, strict=True)}
    return IngestedTurns(
        session_id=shared.session,
        ids=tuple(found.get(id(message)) for message in new),
        stored=counts["stored"],
        known=counts["duplicate"],
        spooled=counts["spooled"],
        refused=counts["refused"],
        left_out=len(new) - len(turns),
        checks={name: checks.counts[name] for name in CHECKS if checks.counts[name]},
    )


def _context(
    broker: Broker,
    who: Principal,
    folder: ProjectKeys | None,
    session_id: object,
    *,
    is_private: bool,
) -> TurnContext:
    """Return what the turns share. Raise ConversationInvalid for a bad name, or where nothing is recorded."""
    if not isinstance(session_id, str):
        raise ConversationInvalid("session_id", "it is no text")
    name = session_id.strip()
    if not name.isprintable() or not 0 < len(name) <= _MOST_SESSION:
        raise ConversationInvalid("session_id", f"it has not 1 to {_MOST_SESSION} plain characters")
    session = session_of_conversation(name)
    if load_pauses(broker.place).covers(session, who.project):
        raise ConversationInvalid("messages", "recording is paused: see `hooks resume`")
    if is_excluded(broker, folder):
        raise ConversationInvalid("messages", "nothing is recorded in this folder")
    keep_days = broker.settings.capture.keep_days
    return TurnContext(who, folder, session, is_private, broker.now(), keep_days)


def _draft_turns(
    messages: Sequence[Message], shared: TurnContext, checks: TurnChecks, last: str = ""
) -> Iterator[_Turn]:
    """Yield the turns of the messages that have something to keep. `last` is the time of the turn before."""
    for message in messages:
        text, is_shortened = visible_text(message)
        checks.check_message(message, last, is_shortened=is_shortened)
        last = message.time or last
        if text:
            yield message, draft_turn(message, text, last or shared.now, shared)


def _drafts_apart(turns: list[_Turn]) -> Iterator[Draft]:
    """Yield the drafts, those without an id that differ in a secret alone under names of their own."""
    texts: dict[str, dict[str, int]] = {}
    for message, draft in turns:
        name = str(draft.record.natural_key)
        known = texts.setdefault(name, {})
        number = known.setdefault(message.text, len(known))
        is_alone = message.id or number == 0
        yield draft if is_alone else draft.with_fields(natural_key=f"{name}|{number}")


def _append(broker: Broker, turns: Iterator[Draft]) -> list[Receipt]:
    """Append drafts and return their receipts. Raise StoreError when one is lost."""
    drafts = list(turns)
    receipts = broker.append(drafts) if drafts else []
    for receipt in receipts:
        if receipt.status not in (*ACKNOWLEDGED, "refused"):
            raise StoreError(str(broker.place.log), receipt.reason or receipt.status)
    return receipts
