"""Decide before an agent runs a command of hooklore's: ask the person, refuse the command, or permit it.

Only a person may decide some commands. The client shows the question before the command runs, in every
mode that has a user, and gives the command a one-time token when the user says yes. Where nobody can be
asked the command is refused. A literal call that only reads, or that keeps the agent's own word, runs
without a question, and so does a tool of the plugin's server that does the same. Pauses and excluded projects
change none of this: it records nothing.
"""

import json
import os
from typing import TYPE_CHECKING, Final

from hooklore.agents.agent import Answer
from hooklore.agents.event import HookEvent
from hooklore.agents.json_salvage import parse_lenient_json
from hooklore.agents.program_name import PROGRAM
from hooklore.agents.registry import agent_of
from hooklore.hooks.project import project_keys
from hooklore.memories.agent_registry import agents_of
from hooklore.memories.decisions import confirmation
from hooklore.memories.decisions.authorization import may_propose
from hooklore.memories.decisions.proposals import KIND as PROPOSAL_KIND
from hooklore.records.draft import Principal
from hooklore.records.record import parse_flag
from hooklore.shell.own_command import CONFIRMED_OPTION, OwnCall, find_decision, is_free_call
from hooklore.text.unicode_cleaning import has_hidden_characters, strip_invisible

if TYPE_CHECKING:
    from hooklore.broker import Broker
    from hooklore.broker.principal_reader import Reader
    from hooklore.hooks.pending import Pending
    from hooklore.records.record import Record

_QUOTED = 1000
"""Characters of a memory that a question quotes. What is longer is not asked about: its end might say more."""

_SHOWN = 3
"""Memories that a question quotes."""

_ACTS: Final = {
    "approve": "make true and tell every agent",
    "reject": "say no to",
    "resolve": "settle a contradiction of",
    "pin": "put first in every session",
    "unpin": "no longer put first in every session",
    "promote": "tell more projects",
    "delete": "delete for good",
    "forget": "forget for good",
    "archive": "archive",
    "restore": "bring back",
    "remember": "keep as your own word",
    "scrub": "mask secrets in every file of the memory",
    "cleanup": "archive every memory that is unused or has expired",
    "consolidate": "merge repeated memories and pin useful ones",
    "uninstall": "remove hooklore and delete its whole memory",
}
"""What each verb does, as the question says it."""

_COMMAND = 120
"""Characters of a command that a refusal quotes."""

_WRITING = "remember"
_TRUST = "project"
"""The verb of `hooklore project trust`."""

_ADMITTING = "token"
"""The verb that prints what no model may read."""

_PERMITTED = "hooklore: it only reads memory, or keeps the agent's own word"
_NOT_ALONE = (
    "hooklore: only the user decides this. Run it as one plain command, `{program} {verb} …`, with nothing "
    "before, behind or around it: the user is asked then."
)
_NOT_PERMITTED = (
    "hooklore: `{agent}` is registered as a {permission}, and only an owner or an admin may propose this. "
    "The user may run it in a terminal of their own."
)
_TOO_MUCH = (
    "hooklore: only the user decides this, and must see all of what is decided: at most {shown} memories at once, "
    "of at most {quoted} characters each. For more, tell the user to run `{command}` in a terminal of their own."
)
_NOT_HERE = (
    "hooklore: only the user decides this, where no model reads the token. Tell the user to run `{command}` "
    "in a terminal of their own."
)
_NOBODY_THERE = (
    "hooklore: only the user decides this, and nobody can be asked here. Tell the user to run "
    "`{command}` in a terminal of their own."
)


def answer_own_command(broker: "Broker", pending: "Pending", now_seconds: float) -> Answer | None:
    """Return the question, or the refusal, for a command that only a person may decide; else None."""
    event = pending.event
    if event.event != "before_tool":
        return None
    command = _whole_command(event, pending.delivery.payload)
    call = find_decision(command, _own_path(command, pending))
    if call is None:
        return None
    who = agents_of(broker.settings).of_record(event.agent_id)
    if not may_propose(call.verb, who.permission):
        refusal = _NOT_PERMITTED.format(agent=who.id, permission=who.permission)
        return Answer(refusal=refusal)
    if call.verb == _ADMITTING:
        return Answer(refusal=_NOT_HERE.format(command=_shortened(event.call.command or "")))
    asking = agent_of(event.agent_id).asking
    is_somebody_there = event.is_interactive and event.permission_mode in asking.modes
    if not (is_somebody_there and pending.delivery.is_from_client):
        return Answer(refusal=_NOBODY_THERE.format(command=_shortened(event.call.command or "")))
    if not call.is_alone:
        return Answer(refusal=_NOT_ALONE.format(program=pending.program, verb=call.verb))
    return _question(broker, pending, event, call, now_seconds)


def _own_path(command: str, pending: "Pending") -> str:
    """Return the launcher's `hooklore`; the name alone for a command that names neither."""
    if PROGRAM not in command:
        return PROGRAM
    from hooklore.agents.own_program import launcher_program

    return launcher_program(pending.home)


def _whole_command(event: HookEvent, raw: bytes) -> str:
    """Return the command with its private parts, which the event has lost: the shell runs them too."""
    if not event.private_parts:
        return event.call.command or ""
    payload, _ = parse_lenient_json(raw)
    fields = payload if isinstance(payload, dict) else {}
    return agent_of(event.agent_id).read_call(fields, event.tool_class).command or ""


def permit_own_call(pending: "Pending") -> str | None:
    """Return why a step may run without a question: a call of ours that needs nobody; else None.

    That is one literal command, or a tool of the server that the client's plugin brings.
    """
    event = pending.event
    if event.event != "before_tool":
        return None
    if event.tool in agent_of(event.agent_id).mcp.plugin_tools.values():
        return _PERMITTED
    if not event.call.command:
        return None
    command = _unchanged_command(event, pending.delivery.payload)
    if command is None or PROGRAM not in command:
        return None
    by_name = pending.program == PROGRAM
    is_free = is_free_call(command, _own_path(command, pending), by_name=by_name)
    return _PERMITTED if is_free else None


def _unchanged_command(event: HookEvent, raw: bytes) -> str | None:
    """Return the command as the shell gets it: the event's own may have lost private parts, or a token."""
    agent = agent_of(event.agent_id)
    try:
        payload = json.loads(raw)
    except ValueError:
        return None
    if not isinstance(payload, dict) or not agent.asking.runs_plainly(payload):
        return None
    return agent.read_call(payload, event.tool_class).command


def _question(
    broker: "Broker", pending: "Pending", event: HookEvent, call: OwnCall, now_seconds: float
) -> Answer:
    broker.refresh()
    project = broker.project_of(pending.keys)
    who = Principal(person=True, agent_id="person", project=project.id if project else None)
    reader = broker.as_reader(who)
    named = confirmation.find_named(reader, call.words)
    texts = _texts_of(reader, call, named)
    if call.is_of_many or len(texts) > _SHOWN or any(len(text) > _QUOTED for text in texts):
        command = _shortened(event.call.command or "")
        return Answer(refusal=_TOO_MUCH.format(shown=_SHOWN, quoted=_QUOTED, command=command))
    ids = [record.id for record in named]
    session = event.session_id or ""
    token = confirmation.issue(broker.place, now_seconds, session, call.words, ids)
    payload, _ = parse_lenient_json(pending.delivery.payload)
    command = f"{(event.call.command or '').strip()} {CONFIRMED_OPTION} {token}"
    changed = agent_of(event.agent_id).asking.change_command(
        payload if isinstance(payload, dict) else {}, command
    )
    if call.verb == _TRUST:
        return Answer(question=_trust_sentence(broker, pending, call), changed_input=changed)
    return Answer(question=_sentence(call, texts), changed_input=changed)


def _trust_sentence(broker: "Broker", pending: "Pending", call: OwnCall) -> str:
    """Return which folder would be which project, in one sentence."""
    named = next((word for word in call.words[2:] if word[:1] != "-"), "")
    base = pending.event.cwd or "/"
    folder = os.path.normpath(os.path.join(base, named))
    keys = project_keys(folder, None, pending.home) if named else pending.keys
    claimed = broker.registry.claimed(keys) if keys else None
    place = f"`{_one_line(keys.root if keys else folder)}`"
    if claimed is None:
        return f"hooklore: the agent wants to trust {place}, which claims no other project"
    return (
        f"hooklore: the agent wants to make {place} project:{claimed.slug} too: "
        "its notes are told there, and what is learnt there is told in it"
    )


def _texts_of(reader: "Reader", call: OwnCall, named: "list[Record]") -> list[str]:
    """Return the texts that a command is about: what it writes, and each memory that it names or replaces."""
    texts = [_quote(reader, record) for record in named]
    if call.verb == _WRITING:
        replaced = f", and names {', '.join(texts)}" if texts else ""
        return [f"`{_one_line(' '.join(call.words[1:]))}`{replaced}"]
    if call.verb == "approve":  # whose place a memory takes
        for at, record in enumerate(named):
            replaced_one = confirmation.find_replaced(reader, record)
            if replaced_one is not None:
                texts[at] += f", in the place of {_quote(reader, replaced_one)}"
    return texts


def _sentence(call: OwnCall, texts: list[str]) -> str:
    """Return what the command will change, in one sentence with the texts that it is about."""
    act = _ACTS.get(call.verb, call.verb)
    said = "; ".join(texts) or f"`{_one_line(' '.join(call.words))}`"
    return f"hooklore: the agent wants to {act}: {said}"


def _quote(reader: "Reader", record: "Record") -> str:
    """Return a memory's text in quotation marks; of a private one only its id, for the model may read it."""
    if parse_flag(record.is_private):
        return f"the private {record.kind} {record.id}"
    if record.kind == PROPOSAL_KIND:
        found = [(str(id_), reader.find_by_id(str(id_))) for id_ in record.body.targets]
        targets = (id_ if target is None else _quote(reader, target) for id_, target in found)
        return f"the proposal to {record.body.extra('act')} {', '.join(targets)}"
    text = _one_line(str(record.body.content_md or record.body.text or record.kind))
    return f"“{text}”"


def _one_line(text: str) -> str:
    """Return a text as one line, and say where it has characters that nobody sees."""
    line = " ".join(strip_invisible(text).split())
    return f"{line} (and characters that nobody sees)" if has_hidden_characters(text) else line


def _shortened(text: str) -> str:
    text = _one_line(text)
    return text if len(text) <= _COMMAND else f"{text[: _COMMAND - 1]}…"
