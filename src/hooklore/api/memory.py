"""The Python client: `from hooklore import Memory`.

Every call is a request like an agent's own, with the same answer and the same access: over the resident by
default, in this process with `in_process=True`. A memory that may not be told does not come back at all.

>>> import tempfile
>>> from hooklore import Memory
>>> store = tempfile.TemporaryDirectory()
>>> with Memory(agent="chatgpt", store=store.name, session_id="chat-7", in_process=True) as memory:
...     known_of_the_person = memory.profile()
...     talk = [
...         {"author": "Ada", "text": "Where do we meet on Friday?", "time": "2026-03-02T09:00:00Z"},
...         {"author": "Ben", "text": "In the reading room, at ten", "time": "2026-03-02T09:01:00Z"},
...     ]
...     first, again = memory.ingest(talk), memory.ingest(talk)
...     kept = memory.remember("The reading room is closed on Mondays.", kind="todo")
...     found = memory.recall("Where is the meeting on Friday?")
>>> known_of_the_person
()
>>> first.stored, again.stored, again.known
(2, 0, 2)
>>> kept.status, kept.private
('stored', False)
>>> found.memories[0].text
'Ada: Where do we meet on Friday?'

A request that memory refuses raises `hooklore.errors.RequestRefused`, and a message that cannot be read
raises `hooklore.errors.ConversationInvalid`:

>>> Memory(agent="chatgpt", store=store.name, in_process=True).ingest("hello", session_id="chat-7")
Traceback (most recent call last):
    ...
hooklore.errors.ConversationInvalid: could not ingest `messages`: it is no list of messages
>>> store.cleanup()
"""

import copy
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, Self, TypeVar, cast

from pydantic import BaseModel

from hooklore.agents.ancestry import find_ancestors
from hooklore.agents.speaker import Speaker, identify_speaker
from hooklore.config import (
    StoreLocation,
    load_settings,
    locate_store,
    read_environment,
    store_location_at,
)
from hooklore.conversations.chunks import split_into_chunks
from hooklore.conversations.message import Message, read_messages
from hooklore.errors import HookloreError, RequestRefused, ResidentUnreachable
from hooklore.memories.agent_registry import agents_of
from hooklore.requests.request import Caller, Request, RequestInvalid
from hooklore.requests.response import Response
from hooklore.requests.results import (
    Ingested,
    Profile,
    ProfileBlock,
    Recalled,
    Remembered,
    Snapshot,
)
from hooklore.requests.verb_table import find_verb
from hooklore.requests.verbs.remember import RememberOptions

_SECONDS = 30.0


class Answers(Protocol):
    """Answers requests: the resident, or a desk of this process."""

    def answer(self, request: Request) -> Response:
        """Return the response. Raise HookloreError when there is none."""

    def close(self) -> None:
        """Let go of files."""


class _Resident:
    """Asks the resident, and starts one where none runs."""

    def __init__(self, place: StoreLocation, seconds: float) -> None:
        self._place, self._seconds = place, seconds

    def answer(self, request: Request) -> Response:
        from hooklore.resident.asking import ask_resident

        found = ask_resident(self._place, request, seconds=self._seconds)
        if found is None:
            cause = f"no answer within {self._seconds:g} s"
            raise ResidentUnreachable(str(self._place.socket), cause)
        return found

    def close(self) -> None:
        """Do nothing: each request has a connection of its own."""


_Options = ParamSpec("_Options")
_Result = TypeVar("_Result")


def signature_of(arguments: type[BaseModel]) -> Signature:
    """Return the signature of a method of a verb: required arguments may stand without their names."""
    fields = sorted(arguments.model_fields.items(), key=lambda each: not each[1].is_required())
    return Signature([
        Parameter(
            name,
            Parameter.POSITIONAL_OR_KEYWORD if each.is_required() else Parameter.KEYWORD_ONLY,
            default=Parameter.empty if each.is_required() else each.default,
            annotation=each.annotation,
        )
        for name, each in fields
    ])  # fmt: skip


def with_arguments(
    options: Callable[_Options, RememberOptions],
) -> Callable[[Callable[..., _Result]], Callable[Concatenate["Memory", str, _Options], _Result]]:
    """Give a method the keywords of a verb's arguments, to readers and type checkers alike."""
    keywords = signature_of(cast("type[RememberOptions]", options)).parameters.values()

    def decorate(
        method: Callable[..., _Result],
    ) -> Callable[Concatenate["Memory", str, _Options], _Result]:
        own = signature(method)
        fixed = [each for each in own.parameters.values() if each.kind is not each.VAR_KEYWORD]
        method.__signature__ = own.replace(parameters=[*fixed, *keywords])  # type: ignore[attr-defined]
        return method

    return decorate


class Memory:
    """The memory of one agent, for a Python program. A context manager, and safe to share among threads."""

    _answers: Answers

    def __init__(
        self,
        agent: str | None = None,
        *,
        session_id: str | None = None,
        folder: str | os.PathLike[str] | None = None,
        store: str | os.PathLike[str] | None = None,
        in_process: bool = False,
        url: str | None = None,
        token: str | None = None,
        project: str | None = None,
        seconds: float = _SECONDS,
    ) -> None:
        """Speak as `agent`, an agent that is registered; by default as the agent that runs this process.

        `session_id` names the agent's session. `folder` is where it works, by default the working
        directory, and decides the project, unless `project` names it. `store` is the folder of a store, by
        default the user's own. `in_process` answers here instead of asking the resident, which makes this
        process's umask 077. A call waits for at most `seconds`.

        With `url` a gateway answers, as the agent of the `token`. What is kept while it is away waits here, and
        is sent once, in its order; where `agent` is named, also by a later token of this agent.

        Raise HookloreError for a process that may not act as `agent`, and without one where no agent runs
        the process: a program never speaks for the person.
        """
        if url is not None or token is not None:
            from hooklore.api.over_http import OverHttp, name_project

            if url is None or token is None or store is not None or in_process:
                raise HookloreError(_ONE_PLACE, fix='name both: `Memory(url="https://…", token=…)`')
            self._answers = OverHttp(url, token, agent or "", seconds)
            place = project or name_project(url, _folder(folder))
            self._caller = Caller(agent or "", session_id, project=place)
            return
        self._place = _place(store)
        runs = _speaker()
        name = _name_of(agent, runs, self._place)
        session = session_id or (runs.session_id if runs.agent_id == name else None)
        self._caller = Caller(name, session, _folder(folder), project=project)
        self._answers = _Resident(self._place, seconds)
        if in_process:
            from hooklore.api.own_desk import OwnDesk

            self._answers = OwnDesk(self._place, seconds)

    def in_group(self) -> Self:
        """Return this memory for a group: others read the answers, so none tells of a private memory."""
        shared = copy.copy(self)
        shared._caller = replace(self._caller, is_group=True)
        return shared

    @property
    def agent(self) -> str:
        """The agent that asks; "" where only the token says which it is."""
        return self._caller.agent_id

    def __enter__(self) -> Self:
        """Return the memory itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Let go of the store's files. A later call opens them again."""
        self._answers.close()

    # ---- verbs

    @with_arguments(RememberOptions)
    def remember(self, content: str, **options: object) -> Remembered:
        """Keep a memory as the word of this agent. What gives orders or is unsure waits for a person: `pending`.

        `title` names it in an index, `when` are phrases of somebody who needs it. `kind` is by default that of
        `key`, else the one that its words show. `scope` is `global`, `project` or `agent`, `ttl_days` its life.
        `role` and `session` (`this`) limit who is told it. What is left out of these is named in `left_out`.
        """
        return Remembered.of(self.ask("remember", content=content, **options))

    def append(self, event: Mapping[str, object]) -> Remembered:
        """Keep a memory event in the form of seed 000 §6 (`hooklore schema` prints it), as this agent's word.

        Raise RequestRefused for an event of another form, with the fields that are wrong.
        """
        return Remembered.of(self.ask("append", event=dict(event)))

    def recall(self, query: str, *, limit: int | None = None) -> Recalled:
        """Return what memory knows about a question, by default at most five memories and turns, the best first."""
        return Recalled.of(self.ask("recall", query=query, limit=limit))

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        kind: Sequence[str] = (),
        stream: str | None = None,
        session: str | None = None,
        project: str | None = None,
        since: str | None = None,
    ) -> Recalled:
        """Return the records that share words with `query`, the best match first.

        `session` is the beginning of an id, `project` a name or an id, `since` a time like `7d` or a date.
        """
        response = self.ask(
            "search_memories", query=query, limit=limit, kind=kind, stream=stream,
            session=session, project=project, since=since,
        )  # fmt: skip
        return Recalled.of(response)

    def get(self, *names: str, scope: str | None = None, versions: bool = False) -> Recalled:
        """Open memories in full by their ids, keys, titles or `topic:NAME`. A `scope` has keys and ids alone.

        Raise RequestRefused when no name leads to anything.
        """
        return Recalled.of(self.ask("get", names=list(names), scope=scope, versions=versions))

    def snapshot(
        self,
        *,
        scopes: Sequence[str] = (),
        limit_recent: int = 50,
        snapshot_id: str | None = None,
    ) -> Snapshot:
        """Return pins and recent memories, and the id under which they can be listed again: `snapshot_id`."""
        response = self.ask(
            "snapshot", scopes=scopes, limit_recent=limit_recent, snapshot_id=snapshot_id
        )
        return Snapshot.of(response)

    def profile(self, *, scope: str | None = None) -> tuple[ProfileBlock, ...]:
        """Return what memory knows of the person and the work, in blocks, those without a memory left out."""
        return Profile.of(self.ask("profile", scope=scope)).blocks

    def ingest(
        self,
        messages: Iterable[Mapping[str, object] | Message],
        session_id: str | None = None,
        *,
        private: bool = False,
    ) -> Ingested:
        """Take in the messages of a conversation, each once; the same conversation may come again, grown.

        A message has `author` (or `name`, `role`), `text` (or `content`), and a `time` (or `timestamp`,
        `date`) or an `id` (or `message_id`). Without both its place counts: then hand the conversation in
        from its beginning. `session_id` names the conversation, by default as this memory's session.

        Raise ConversationInvalid for a message that cannot be read, before anything is kept.
        """
        session = session_id if session_id is not None else self._caller.session_id
        done = Ingested(session or "", private=private)
        for chunk in split_into_chunks(read_messages(messages)):
            told = [message.to_json() for message in chunk.messages]
            response = self.ask(
                "ingest", session_id=session, messages=told, overlap=chunk.overlap, private=private
            )
            done = done.with_chunk(response)
        return done

    if (
        not TYPE_CHECKING
    ):  # a type checker shall know the verbs above alone, and refuse a name with a slip

        def __getattr__(self, name: str) -> Callable[..., object]:
            """Return the method of any other verb of the table. Raise AttributeError for another name."""
            verb = find_verb(name)
            if verb is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

            def method(*words: str, **arguments: object) -> object:
                return verb.result.of(self.ask(name, **verb.of_subject(*words), **arguments))

            method.__doc__, method.__name__ = verb.summary, name
            method.__signature__ = signature_of(verb.arguments)
            return method

    def ask(self, verb: str, **arguments: object) -> Response:
        """Return the response to any verb of `hooklore.requests`. Raise RequestRefused for a refused one."""
        request = Request(verb, arguments, self._caller)
        try:
            response = self._answers.answer(request)
        except RequestInvalid as error:
            raise RequestRefused(str(error), error.fix) from None
        except TypeError:
            raise RequestRefused(
                "could not read the request: an argument is no JSON",
                "send texts, numbers and lists",
            ) from None
        if not response.success:
            raise RequestRefused(response.problem, response.hint)
        return response


def _speaker() -> Speaker:
    is_at_terminal = all(each and each.isatty() for each in (sys.stdin, sys.stderr))
    return identify_speaker(
        read_environment(), is_at_terminal=is_at_terminal, above=find_ancestors(os.getpid())
    )


def _name_of(agent: str | None, runs: Speaker, place: StoreLocation) -> str:
    """Return the agent that speaks. Raise HookloreError for one that this process is not."""
    if agent is not None and not isinstance(agent, str):
        raise HookloreError("could not act as that agent: its name is no text", fix=_NAME_IT)
    if runs.kind != "agent":
        if not agent:
            raise HookloreError("could not tell which agent this program is", fix=_NAME_IT)
        return agent
    if agent is None or agents_of(load_settings(place.config)).canonical_id(agent) == runs.agent_id:
        return runs.agent_id
    raise HookloreError(
        f"could not act as that agent: `{runs.agent_id}` runs this program, and acts as itself",
        fix="leave `agent` out",
    )


_ONE_PLACE = "could not open the memory: a gateway has a `url` and a `token`, and no other store"
_NAME_IT = 'name a registered agent: `Memory(agent="chatgpt")`'


def _folder(folder: str | os.PathLike[str] | None) -> str:
    try:
        return os.path.abspath(os.fspath(folder)) if folder is not None else os.getcwd()
    except OSError as error:
        raise HookloreError(
            f"could not find the working directory: {error.strerror}", fix="name a `folder`"
        ) from None


def _place(store: str | os.PathLike[str] | None) -> StoreLocation:
    if store is None:
        return locate_store(read_environment())
    return store_location_at(Path(os.path.abspath(os.fspath(store))))
