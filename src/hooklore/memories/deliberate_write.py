"""Write a memory as the word of whoever says it: the one way of commands and requests."""

import uuid
from dataclasses import replace
from typing import cast

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.errors import Forbidden, HookloreError
from hooklore.memories.agent_sessions import list_recent_sessions
from hooklore.memories.claims import WORDS, Claim, ClaimRefused, writer_of
from hooklore.memories.labels import fit_labels
from hooklore.memories.session_evidence import is_backed_by_user
from hooklore.memories.write_gate import refuse_secrets, remember
from hooklore.memories.write_result import WriteResult
from hooklore.records import keys
from hooklore.records.draft import PERSON, Principal, ProjectKeys
from hooklore.records.record import Record
from hooklore.records.schema import FROM_A_TERMINAL
from hooklore.redaction.private_parts import without_private_in

_IMPORTED = "import"


class NoSuchSession(HookloreError):
    """A memory is to be for one session, and its writer is in none, or in another one."""

    def __init__(self, cause: str, fix: str) -> None:
        super().__init__(f"could not keep it for that session: {cause}", fix=fix)


def write_as(
    broker: Broker,
    event: Record,
    who: Principal,
    folder: ProjectKeys | None,
    *,
    is_strict: bool = False,
) -> WriteResult:
    """Write an event of `who`, who works in `folder`. The event's basis, if any, is the writer's claim.

    Its labels are put into form once nothing secret is in them, but with `is_strict`, as seed 000 has it.
    Raise RecordInvalid for an event of another form, ClaimRefused for a claim that its writer may not make,
    Forbidden for a scope, and NoSuchSession for a session that is not the writer's.
    """
    event, owner = Record(without_private_in(dict(event.to_json()))[0]), broker.as_reader(PERSON)
    left_out: tuple[str, ...] = ()
    if not is_strict:
        # First, for a key in our form, or a title that is cut, hides what it was.
        refused = refuse_secrets(event)
        if refused is not None:
            return refused
        if event.scope == "agent":
            event = event.with_fields(scope=f"agent:{'person' if who.person else who.agent_id}")
        event, left_out = fit_labels(event)
    event = _limit_readers(owner, event, who)
    claim = cast("Claim", event.basis if isinstance(event.basis, str) else "")
    word = WORDS[writer_of(who)].get(claim, "inferred")  # another basis is the schema's to refuse
    if word == "refused":
        raise ClaimRefused(claim, who)
    if who.session_id is None and not who.person:
        # A server or a command that a client starts may be told no session. The write is in the latest one here,
        # and backed by the latest one that says so.
        sessions, text = list_recent_sessions(owner, who), str(event.extra("content_md"))
        if word == "relayed":
            backing = (each for each in sessions if is_backed_by_user(owner, each, text))
            who = replace(who, session_id=next(backing, None))
        if who.session_id is None and not who.is_self_named and sessions:
            event = event.with_fields(run_id=sessions[0])
    if event.scope == "project":
        event = event.without("scope")
    elif "scope" not in event and event.is_private:
        folder = None  # its writer's own, which belongs to no project
    said = _as_said_by(who, event).to_json()
    return replace(remember(broker, said, who, folder, word=word), left_out=left_out)


def _as_said_by(who: Principal, event: Record) -> Record:
    """Return the event as the word of its writer. Raise Forbidden for a scope that is not the writer's.

    The writes of an agent are counted in its session, whatever run they name. A program's event is an import:
    it tells other projects nothing by itself.
    """
    if who.person:
        return event.with_fields(agent_id="person", run_id=event.run_id or str(uuid.uuid4()))
    scope = str(event.scope or "")  # the schema refuses what is no text
    is_of_others = scope.startswith("agent:") and scope != f"agent:{who.agent_id}"
    if is_of_others or (who.program and scope.startswith("global")):
        raise Forbidden(
            f"could not keep it for `{scope}`: `{who.agent_id}` writes it",
            fix="leave `--scope` out: it is kept for this project",
        )
    if who.program or who.confirmed:
        # What its writer says of the source stands beside the way by which it came.
        way = FROM_A_TERMINAL if who.confirmed else _IMPORTED
        event = event.with_fields(source={**event.source, "system": "cli", "detail": way})
    return event.with_fields(
        agent_id=who.agent_id,
        role=event.extra("role") or who.role,
        session_id=who.session_id,
        run_id=event.run_id or who.session_id or str(uuid.uuid4()),
    )


def _limit_readers(owner: Reader, event: Record, who: Principal) -> Record:
    """Return the event with the session that it is for (seed 003). A session without an id is the writer's own.

    Raise NoSuchSession for one that is not the agent's that writes, or of which `owner` has no record.
    """
    if event.visibility != "session":
        return event
    named = event.session_id
    if who.person:
        if named is None:
            raise NoSuchSession("you are in none", "name it: `--session ID`")
        if not owner.history(keys.in_session(named), 1):
            fix = "run `hooklore list --kind session_start --json` for the ids"
            raise NoSuchSession("nothing is recorded of it", fix)
        return event
    if who.session_id is None:
        raise NoSuchSession(
            "no session of this agent is known", "leave it out, or keep it with `private`"
        )
    if named not in (None, who.session_id):
        raise NoSuchSession("it is another one", "say `this`")
    return event.with_fields(session_id=who.session_id)
