"""Answer requests: check who asks and for what, then carry out the verb. One desk serves every way in."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from hooklore.agents.speaker import is_run_by
from hooklore.broker import Broker
from hooklore.errors import HookloreError
from hooklore.hooks.left_alone import require_memory_on, without_paused
from hooklore.hooks.pause import load_pauses
from hooklore.hooks.project import project_keys
from hooklore.memories.agent_principal import agent_principal
from hooklore.memories.agent_registry import UnregisteredAgent, agents_of
from hooklore.memories.continued_session import find_continued_session
from hooklore.records.draft import PERSON, Principal
from hooklore.requests import arguments
from hooklore.requests.arguments import Arguments, EntryArguments, parse_arguments
from hooklore.requests.asked import Asked, Note
from hooklore.requests.request import Caller, Request
from hooklore.requests.response import Response, name_ignored, refuse
from hooklore.requests.tool_answers import TOOL_ANSWERS, Answer
from hooklore.requests.tool_table import TOOLS
from hooklore.requests.verbs.append import AppendArguments, answer_append
from hooklore.requests.verbs.ingest import IngestArguments, answer_ingest
from hooklore.requests.verbs.profile import answer_pins, answer_profile
from hooklore.requests.verbs.snapshot import answer_snapshot
from hooklore.retrieval.recall import Recall


class _Verb(NamedTuple):
    """The form of a verb's arguments, and what carries it out."""

    arguments: type[Arguments]
    answer: Answer


_VERBS: Final[Mapping[str, _Verb]] = {
    **{name: _Verb(TOOLS[name].arguments, answer) for name, answer in TOOL_ANSWERS.items()},
    "snapshot": _Verb(arguments.SnapshotArguments, answer_snapshot),
    "pins": _Verb(arguments.NoArguments, answer_pins),
    "profile": _Verb(arguments.NoArguments, answer_profile),
    "ingest": _Verb(IngestArguments, answer_ingest),
    "append": _Verb(AppendArguments, answer_append),
}


class UnknownVerb(HookloreError):
    """A request names no verb of this version."""

    def __init__(self) -> None:
        super().__init__(
            "could not answer the request: no verb has this name",
            fix=f"name one of: {', '.join(_VERBS)}",
        )


class NotPermitted(HookloreError):
    """An agent has not the permission that a tool asks for."""

    def __init__(self, verb: str, who: Principal) -> None:
        allowed = " and ".join(sorted(TOOLS[verb].permissions))
        super().__init__(
            f"could not {verb}: `{who.agent_id}` is a {who.permission}, and {allowed} may do it",
            fix="ask the user to do it",
        )


def _require_permission(verb: str, who: Principal) -> None:
    if verb in TOOLS and who.permission not in TOOLS[verb].permissions:
        raise NotPermitted(verb, who)


def _is_known(caller: Caller, agent_id: str) -> bool:
    """Return whether the caller's process is run by the agent as which it acts."""
    return caller.process is None or is_run_by(caller.process, agent_id)


class RequestDesk:
    """Answers requests of agents from one broker's memory."""

    def __init__(self, broker: Broker, recall: Recall, home: str, note: Note | None = None) -> None:
        """`note` takes the records of what was read. By default they are appended at once."""
        self._broker, self._recall, self._home = broker, recall, home
        self._note: Note = note or broker.append

    def answer(self, request: Request) -> Response:
        """Return the response. An expected problem is a response without success."""
        try:
            verb = _VERBS.get(request.verb)
            if verb is None:
                raise UnknownVerb
            asked = self._identify(request.caller)
            _require_permission(request.verb, asked.who)
            given, ignored = parse_arguments(verb.arguments, request.arguments)
            self._require_own_name(given, asked.who)
            return name_ignored(verb.answer(asked, given), ignored)
        except HookloreError as error:
            return refuse(error)

    def _identify(self, caller: Caller) -> Asked:
        """Return the context of a caller. Raise HookloreError for one that is no registered agent."""
        self._broker.refresh()
        agents = agents_of(self._broker.settings)
        if agents.find(caller.agent_id) is None:
            raise UnregisteredAgent(agents, str(self._broker.place.config))
        keys = project_keys(caller.folder, None, self._home)
        require_memory_on(self._broker, keys, caller.session_id or None, caller.folder)
        keys = without_paused(self._broker, keys, load_pauses(self._broker.place))
        who = agent_principal(self._broker, caller.agent_id, caller.session_id or None, keys)
        who = replace(
            who,
            asks=not caller.is_group,
            is_self_named=not _is_known(caller, who.agent_id),
        )
        return Asked(self._broker, self._recall, self._in_session(who), keys, self._note)

    def _in_session(self, who: Principal) -> Principal:
        """Return the caller in the session that it is in now."""
        if who.session_id is None:
            return who
        owner = self._broker.as_reader(PERSON)
        return replace(who, session_id=find_continued_session(owner, who.session_id, who.project))

    def _require_own_name(self, given: Arguments, who: Principal) -> None:
        """Raise HookloreError for a caller that gives another agent's name."""
        named = given.caller_agent_id if isinstance(given, EntryArguments) else ""
        if named and not agents_of(self._broker.settings).may_mean(named, who.agent_id):
            raise HookloreError(
                f"could not act as another agent: `{who.agent_id}` sends this request",
                fix=f"leave `caller_agent_id` out, or say `{who.agent_id}`",
            )
