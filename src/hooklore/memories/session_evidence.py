"""Judge what an agent keeps by what its session shows: the user's word, a tool's, or something foreign.

An agent writes "the user said" for itself, and a page that it read may have told it to. So its write counts
as the user's word, through the agent, only where a prompt of its session carries or approves the content, and
as seen by a tool only where a tool of the project's own has printed the content. What is foreign (a page, a fetched
file, another server) may have told the agent what to keep. A paraphrase is not recognised, so the order of events
decides.
"""

from collections.abc import Collection
from typing import Final

from hooklore.agents.registry import agent_of
from hooklore.broker.principal_reader import Reader
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.shell.fetching import fetches
from hooklore.text.contradiction import is_reversed
from hooklore.text.similarity import carries

_MAX_TURNS = 200
_MAX_RECORDS = 400
_PRINTED = ("tool_result", "error")
_OWN_SERVERS: Final = ("hooklore", "plugin_hooklore_hooklore")
"""The names of our server, as registered and as the plugin brings it."""

_TOOL_NAMES: Final = (("mcp__", "__"), ("mcp_", "_"))
"""The signs before and behind the server's in the name of its tool: `mcp__SERVER__TOOL`, or `mcp_SERVER_TOOL`."""


def is_backed_by_user(owner: Reader, session: str | None, text: str) -> bool:
    """Return whether a prompt of `session` carries `text`, or approves an answer that carries it.

    Only what a person typed counts. An approval does not count for content that stands in what a web or MCP
    tool returned in the session: the agent may have taken it from there.
    """
    if not session:
        return False
    turns = owner.history(keys.turns_in(session), _MAX_TURNS)
    typed = (_typed_text(turn) for turn in turns if _is_typed(turn))
    if any(carries(said, text) and not is_reversed(said, text) for said in typed):
        return True
    if not _is_approved(turns, text):
        return False
    records = owner.history(keys.in_session(session), _MAX_RECORDS)
    return not any(carries(_output(record), text) for record in records if is_foreign(record))


def is_against_user(owner: Reader, session: str | None, text: str) -> bool:
    """Return whether a prompt of `session` says the opposite of `text`."""
    turns = owner.history(keys.turns_in(session), _MAX_TURNS) if session else []
    typed = (_typed_text(turn) for turn in turns if _is_typed(turn))
    return any(carries(said, text) and is_reversed(said, text) for said in typed)


def is_shown_by_tool(owner: Reader, session: str | None, text: str) -> bool:
    """Return whether a tool's result or error in `session` carries `text`. What is foreign shows nothing."""
    records = owner.history(keys.in_session(session), _MAX_RECORDS) if session else []
    outputs = (_output(record) for record in records if record.kind in _PRINTED)
    return any(carries(output, text) for output in outputs) and not any(
        carries(_output(record), text) for record in records if is_foreign(record)
    )


def may_be_from_foreign(owner: Reader, session: str, text: str, trusted: Collection[str]) -> bool:
    """Return whether `session` read something foreign since its last prompt, or something that carries `text`.

    `trusted` are names of MCP servers whose answers are as good as the project's own. A session of which nothing
    is recorded has read nothing that is known.
    """
    is_since = True
    for record in owner.history(keys.in_session(session), _MAX_RECORDS):
        if record.kind == "prompt" and not record.body.detail.get("headless"):
            is_since = False
        if is_foreign(record, trusted) and (is_since or carries(_output(record), text)):
            return True
    return False


def is_foreign(record: Record, trusted: Collection[str] = ()) -> bool:
    """Return whether a record is what a page, a command that fetches or a server that is not `trusted` told."""
    if record.kind not in _PRINTED:
        return False
    tool = str(record.body.tool)
    tool_class = agent_of(record.agent_id).tool_class(record.body.tool)
    if tool_class == "mcp":
        servers = (*_OWN_SERVERS, *trusted)
        prefixes = [f"{start}{name}{end}" for name in servers for start, end in _TOOL_NAMES]
        return not tool.startswith(tuple(prefixes))
    return tool_class == "web" or (tool_class == "command" and fetches(record.body.command or ""))


def _is_typed(record: Record) -> bool:
    is_prompt = record.kind == "prompt" and record.basis == "user"
    return is_prompt and not record.body.detail.get("headless")


def _typed_text(record: Record) -> str:
    """Return the user's own sentences of a prompt: what was pasted says nothing of the user's."""
    from hooklore.text.user_text import extract_user_sentences  # its patterns are for few writes

    words = agent_of(record.agent_id).typed_text(record.body.text or "")
    return "\n".join(words[each.start : each.end] for each in extract_user_sentences(words))


def _is_approved(turns: list[Record], text: str) -> bool:
    """Return whether the session's latest prompt approves an answer that carries `text`; newest turn first."""
    latest = next((n for n, turn in enumerate(turns) if turn.kind == "prompt"), None)
    if latest is None or not _is_typed(turns[latest]):
        return False
    if turns[latest].body.detail.get("signal") != "approval":
        return False
    answer = next((turn for turn in turns[latest + 1 :] if turn.kind == "answer"), None)
    return answer is not None and carries(answer.body.text or "", text)


def _output(record: Record) -> str:
    body = record.body
    return "\n".join((body.text or "", *body.errors, *body.actions))
