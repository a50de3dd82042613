"""The record of a message: a turn, which keeps its author, its time and a name of its own.

A turn is an observation that nobody verified: `inferred`, from a chat, of low trust. It teaches nothing
as a prompt would. Text in it that gives orders to agents is marked, and no model is shown it.
"""

import hashlib
from dataclasses import dataclass

from hooklore.capture.capture import expiry
from hooklore.conversations.message import Message
from hooklore.prompt.echo import strip_echo
from hooklore.records.draft import Draft, Principal, ProjectKeys
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.redaction import redact
from hooklore.redaction.id_redaction import redact_id
from hooklore.redaction.private_parts import without_private

SESSION_PREFIX = "conversation:"
"""Begins the session id of every turn, so that no conversation joins the session of an agent's client."""

_SOURCE = "conversation"
_DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True)
class TurnContext:
    """The facts that the turns of one conversation share."""

    who: Principal
    folder: ProjectKeys | None
    session: str
    is_private: bool
    now: str
    keep_days: int


def session_of_conversation(session_id: str) -> str:
    """Return the session id under which a conversation is recorded."""
    return SESSION_PREFIX + redact_id(session_id.removeprefix(SESSION_PREFIX))


def draft_turn(message: Message, text: str, ts: str, shared: TurnContext) -> Draft:
    """Return the draft of a turn. `text` is what is kept of the message, `ts` its time or the nearest known."""
    record = Record.of(
        v=SCHEMA_VERSION,
        ts=ts,
        stream="observation",
        kind="turn",
        natural_key=turn_name(message, text, shared),
        agent_id=shared.who.agent_id,
        role=shared.who.role,
        session_id=shared.session,
        run_id=shared.session,
        basis="inferred",
        confidence="med",
        is_private=shared.is_private or None,
        scope=None if shared.folder else f"agent:{shared.who.agent_id}",
        source={"system": "other", "detail": _SOURCE},
        body=Body.of(priority="medium", author=message.author, text=text),
    )
    # A turn's life begins now and not when the turn was said.
    if ends := expiry(shared.now, shared.keep_days):
        record = record.with_fields(expires_at=ends)
    return Draft(record, shared.folder)


def turn_name(message: Message, text: str, shared: TurnContext) -> str:
    """Return the natural key of a turn: the same whenever, and in whatever company, the message comes in.

    A message is known by the id that its chat gave it. Without an id it is known by its time, its author
    and its text. Without a time its place in the conversation takes the time's place. Only the redacted
    text is hashed: a hash of a short secret would tell it.
    """
    if message.id:
        parts = ["id", redact_id(message.id)]
    else:
        moment = ["at", message.time, message.repeat] if message.time else ["place", message.place]
        parts = [*map(str, moment), message.author, redact(text).text]
    parts = [shared.session, str(message.part), *parts]
    told = "\0".join(parts).encode("utf-8", "replace")
    digest = hashlib.blake2b(told, digest_size=_DIGEST_BYTES).hexdigest()
    return f"{shared.who.agent_id}|turn|{digest}"


def visible_text(message: Message) -> tuple[str, bool]:
    """Return what is kept of a text, and whether that is less than the text.

    Notes that hooklore printed are no part of the conversation, and neither is what an author marked as
    private.
    """
    public, _ = without_private(message.text)
    kept = strip_echo(public).strip()
    return kept, not kept or kept != message.text
