"""Answer requests: check who asks and for what, then carry out the verb. One desk serves every way in."""

from collections.abc import Mapping
from dataclasses import replace

from hooklore.agents.speaker import is_run_by
from hooklore.broker import Broker
from hooklore.errors import Forbidden, HookloreError
from hooklore.hooks.exclusions import load_pauses, require_memory_on, without_paused
from hooklore.hooks.project import project_keys
from hooklore.memories.agent_principal import agent_principal
from hooklore.memories.agent_registry import UnregisteredAgent, agents_of
from hooklore.memories.agent_sessions import find_continued_session
from hooklore.memories.opened_scopes import named_project, open_scopes
from hooklore.records.draft import PERSON, Principal, ProjectKeys
from hooklore.requests.access_tokens import TokenFile
from hooklore.requests.arguments import EntryArguments, parse_arguments
from hooklore.requests.request import Caller, Request
from hooklore.requests.request_context import Note, RequestContext
from hooklore.requests.response import Response, name_ignored, refuse
from hooklore.requests.verb import Verb
from hooklore.requests.verb_table import all_verbs
from hooklore.retrieval.recall import Recall


def carry_out(verb: Verb, asked: RequestContext, given: Mapping[str, object]) -> Response:
    """Return the response to whoever asks. Raise HookloreError for what it may not, and for bad arguments."""
    if asked.who.permission not in verb.permissions:
        who, allowed = asked.who, " and ".join(sorted(verb.permissions))
        raise Forbidden(
            f"could not {verb.name}: `{who.agent_id}` is a {who.permission}, and {allowed} may do it",
            fix="ask the user to do it",
        )
    read, ignored = parse_arguments(verb.arguments, given)
    named = read.caller_agent_id if isinstance(read, EntryArguments) else ""
    own = asked.who.agent_id
    if named and not agents_of(asked.broker.settings).may_mean(named, own):
        raise Forbidden(
            f"could not act as another agent: `{own}` sends this request",
            fix=f"leave `caller_agent_id` out, or say `{own}`",
        )
    return name_ignored(verb.answer(asked, read), ignored)


class RequestDesk:
    """Answers requests of agents from one broker's memory."""

    def __init__(self, broker: Broker, recall: Recall, home: str, note: Note | None = None) -> None:
        """`note` takes the records of what was read. By default they are appended at once."""
        self._broker, self._recall, self._home = broker, recall, home
        self._note: Note = note or broker.append
        self._tokens = TokenFile(broker.place, home)

    def answer(self, request: Request) -> Response:
        """Return the response. An expected problem is a response without success."""
        verb = all_verbs().get(request.verb)
        if verb is None:
            cause, names = "could not answer the request: no verb has this name", all_verbs()
            return refuse(HookloreError(cause, fix=f"name one of: {', '.join(names)}"))
        try:
            asked = self._identify(request.caller)
            return carry_out(verb, replace(asked, key=request.key), request.arguments)
        except HookloreError as error:
            return refuse(error)

    def _identify(self, caller: Caller) -> RequestContext:
        """Return the context of a caller. Raise HookloreError for one that is no registered agent.

        Who has a token is the token's agent, whatever process sends the request.
        """
        self._broker.refresh()
        if caller.token is not None:
            return self._identify_by_token(caller, caller.token)
        agents = agents_of(self._broker.settings)
        if agents.find(caller.agent_id) is None:
            raise UnregisteredAgent(agents, str(self._broker.place.config))
        keys = self._folder_of(caller)
        who = agent_principal(self._broker, caller.agent_id, caller.session_id or None, keys)
        is_known = caller.process is None or is_run_by(caller.process, who.agent_id)
        who = replace(who, asks=not caller.is_group, is_self_named=not is_known)
        return self._context(who, keys)

    def _identify_by_token(self, caller: Caller, text: str) -> RequestContext:
        """Return the context of a token's agent. Raise TokenInvalid, and Forbidden for another agent's name."""
        token = self._tokens.find(text)
        agents = agents_of(self._broker.settings)
        if caller.agent_id and agents.canonical_id(caller.agent_id) != token.agent:
            raise Forbidden(
                f"could not act as another agent: the token is `{token.agent}`'s",
                fix=f"leave the agent's name out, or say `{token.agent}`",
            )
        keys = self._folder_of(caller)
        opened = open_scopes(self._broker, token.scopes, keys)
        who = agent_principal(self._broker, token.agent, caller.session_id or None, keys)
        who = replace(
            who, asks=not caller.is_group, permission=token.permission, token=token.id,
            projects=opened.projects, reads_global=opened.has_global,
            write_scopes=token.scopes or None,
        )  # fmt: skip
        return self._context(who, keys)

    def _folder_of(self, caller: Caller) -> ProjectKeys | None:
        """Return what identifies the project that a caller works in. Raise MemoryOff where it has no memory."""
        if caller.project:
            keys: ProjectKeys | None = named_project(self._broker, caller.project)
        else:
            keys = project_keys(caller.folder, None, self._home)
        require_memory_on(self._broker, keys, caller.session_id or None, caller.folder)
        return without_paused(self._broker, keys, load_pauses(self._broker.place))

    def _context(self, who: Principal, keys: ProjectKeys | None) -> RequestContext:
        if who.session_id is not None:
            owner = self._broker.as_reader(PERSON)
            session = find_continued_session(owner, who.session_id, who.project)
            who = replace(who, session_id=session)
        return RequestContext(self._broker, self._recall, who, keys, self._note)
