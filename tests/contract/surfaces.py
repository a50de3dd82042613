"""The surfaces of memory, each asked by an agent: what comes in is one table, what goes out one type."""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol, cast
from urllib.parse import urlencode

from hooklore import Memory
from hooklore.broker import Broker
from hooklore.config import load_settings
from hooklore.errors import RequestRefused
from hooklore.records.ids import is_record_id, short_id
from hooklore.requests.desk import RequestDesk
from hooklore.requests.request import Caller, Request
from hooklore.requests.response import Response
from hooklore.requests.verb_table import tools
from hooklore.resident.asking import ask_resident
from hooklore.retrieval.recall import Recall
from tests.contract.callers import Asker, Store
from tests.support.prepared_command import run_command

_SECONDS: Final = 60.0
_COMMAND: Final = str(Path(sys.executable).parent / "hooklore")
_SHORT_ID: Final = re.compile(r"\[([0-9a-z]{8}) · ")


@dataclass(frozen=True)
class Call:
    """One call: a verb of requests with its arguments."""

    verb: str
    arguments: Mapping[str, object]


@dataclass(frozen=True)
class Outcome:
    """The answer of a surface: `records` are ids in their order, `flags` their `private` where it is told.

    `told` is everything that was said. `content` is what it says as JSON.
    """

    success: bool
    records: tuple[str, ...]
    flags: tuple[bool, ...]
    told: str
    content: Mapping[str, Any]


class Surface(Protocol):
    """A way to memory."""

    name: str

    def can(self, call: Call) -> bool:
        """Return whether the surface has such a call."""

    def ask(self, store: Store, asker: Asker, calls: Sequence[Call]) -> list[Outcome]:
        """Return the answers to calls, in their order."""


def _outcome(*, success: bool, text: str, content: Mapping[str, Any]) -> Outcome:
    listed = [
        each
        for name in ("memories", "pins", "recent", "entries", "preferences", "rules", "facts")
        for each in content.get(name) or ()
        if isinstance(each, Mapping)
    ]
    return Outcome(
        success,
        tuple(each["id"] for each in listed),
        tuple(each["private"] for each in listed),
        f"{text}\n{json.dumps(dict(content), ensure_ascii=False, default=list)}",
        content,
    )


def _of_response(response: Response) -> Outcome:
    told = response.text or f"{response.problem}\n{response.hint}"
    return _outcome(success=response.success, text=told, content=response.content)


class _Desk:
    name = "desk in process"

    def can(self, call: Call) -> bool:
        return True

    def ask(self, store: Store, asker: Asker, calls: Sequence[Call]) -> list[Outcome]:
        broker = Broker(store.place, load_settings(store.place.config))
        desk = RequestDesk(broker, Recall(broker), str(store.home))
        caller = _caller(store, asker)
        answers = [desk.answer(Request(call.verb, call.arguments, caller)) for call in calls]
        broker.close()
        return [_of_response(answer) for answer in answers]


class _Resident:
    name = "resident"

    def can(self, call: Call) -> bool:
        return True

    def ask(self, store: Store, asker: Asker, calls: Sequence[Call]) -> list[Outcome]:
        caller = _caller(store, asker)
        found = []
        for call in calls:
            request = Request(call.verb, call.arguments, caller)
            answer = ask_resident(store.place, request, seconds=_SECONDS)
            assert answer is not None
            found.append(_of_response(answer))
        return found


class _PythonClient:
    def __init__(self, *, in_process: bool) -> None:
        self._in_process = in_process
        self.name = f"Python client {'in process' if in_process else 'over the resident'}"

    def can(self, call: Call) -> bool:
        return True

    def ask(self, store: Store, asker: Asker, calls: Sequence[Call]) -> list[Outcome]:
        with Memory(
            asker.agent, session_id=asker.session, folder=store.folder(asker),
            store=store.place.directory, in_process=self._in_process,
        ) as memory:  # fmt: skip
            return [self._answer(memory, call) for call in calls]

    def _answer(self, memory: Memory, call: Call) -> Outcome:
        try:
            return _of_response(memory.ask(call.verb, **call.arguments))
        except RequestRefused as error:
            return Outcome(False, (), (), f"{error}\n{error.fix}", {})


class _PythonOverHttp(_PythonClient):
    name = "Python client over a gateway"

    def __init__(self) -> None:
        """Ask a gateway."""

    def ask(self, store: Store, asker: Asker, calls: Sequence[Call]) -> list[Outcome]:
        """Ask; the test is skipped where the extra is not installed."""
        from tests.support.gateway import running

        with running(store.home, "--rate", "0") as gateway:
            token = gateway.token(asker.agent, ["global"] if asker.folder == "." else [])
            with Memory(
                asker.agent, session_id=asker.session, folder=store.folder(asker),
                url=gateway.url, token=token,
            ) as memory:  # fmt: skip
                return [self._answer(memory, call) for call in calls]


class _Mcp:
    name = "MCP"

    def can(self, call: Call) -> bool:
        return call.verb in tools()

    def ask(self, store: Store, asker: Asker, calls: Sequence[Call]) -> list[Outcome]:
        """Ask; the test is skipped where the extra is not installed."""
        from tests.support.mcp import content_of, converse, server, text_of

        session = {"CLAUDE_CODE_SESSION_ID": asker.session} if asker.session else {}
        options = ("--agent", asker.agent, "--tools", "all")
        at = server(store.home, *options, folder=store.folder(asker), **session)

        async def talk(client: Any) -> list[Any]:
            return [await client.call_tool(c.verb, dict(c.arguments)) for c in calls]

        return [
            _outcome(success=not each.is_error, text=text_of(each), content=content_of(each))
            for each in converse(at, talk)
        ]


class _Gateway:
    """The routes of seed 000 where one has the verb, else the route of the verb itself."""

    name = "gateway"

    def can(self, call: Call) -> bool:
        return True

    def ask(self, store: Store, asker: Asker, calls: Sequence[Call]) -> list[Outcome]:
        """Ask; the test is skipped where the extra is not installed."""
        from tests.support.gateway import running

        project = asker.folder if asker.folder != "." else ""
        place = {"project": project} if project else {}
        session = {"session_id": asker.session} if asker.session else {}
        with running(store.home, "--rate", "0") as gateway:
            token = gateway.token(asker.agent, [] if project else ["global"])
            return [self._ask(gateway, token, call, {**place, **session}) for call in calls]

    def _ask(self, gateway: Any, token: str, call: Call, caller: dict[str, str]) -> Outcome:
        given = dict(call.arguments)
        if call.verb == "snapshot":
            query = urlencode({**given, **caller})
            answer = gateway.ask("GET", f"/v1/memory/snapshot?{query}", token)
        elif call.verb == "recall":
            answer = gateway.ask("POST", f"/v1/memory/recall?{urlencode(caller)}", token, given)
        elif call.verb == "get" and _is_one_id(given.get("names")):
            id_ = cast("list[str]", given["names"])[0]
            answer = gateway.ask("GET", f"/v1/memory/events/{id_}?{urlencode(caller)}", token)
        else:
            answer = gateway.ask("POST", f"/v1/verbs/{call.verb}?{urlencode(caller)}", token, given)
        return self._outcome(answer)

    def _outcome(self, answer: Any) -> Outcome:
        content = answer.json()
        if not answer.is_success:
            return Outcome(False, (), (), f"{content['detail']}\n{content['action']}", content)
        events = [content] if "event_id" in content else content.get("events", [])
        events = [*events, *content.get("pinned_events", ()), *content.get("recent_events", ())]
        if not events:
            return _outcome(success=True, text=content.get("text", ""), content=content)
        own_names = {
            "event_id": "id",
            "dedupe_key": "key",
            "content_md": "text",
            "created_at": "ts",
        }
        records = [{own_names.get(n, n): v for n, v in each.items()} for each in events]
        told = _outcome(success=True, text=content.get("text", ""), content={"memories": records})
        return replace(told, told=f"{told.told}\n{json.dumps(content, ensure_ascii=False)}")


def _is_one_id(names: object) -> bool:
    return isinstance(names, list) and len(names) == 1 and is_record_id(str(names[0]))


class _CommandLine:
    name = "command line"

    def can(self, call: Call) -> bool:
        """Return whether a command says the same: words alone, and no brief or profile of an agent."""
        texts = all(_is_word(value) for value in call.arguments.values())
        return texts and call.verb in ("remember", "recall", "get", "search_memories", "snapshot")

    def ask(self, store: Store, asker: Asker, calls: Sequence[Call]) -> list[Outcome]:
        return [self._run(store, asker, call) for call in calls]

    def _run(self, store: Store, asker: Asker, call: Call) -> Outcome:
        env = {"HOME": str(store.home), "PATH": "/usr/bin:/bin", **asker.marks}
        done = run_command([_COMMAND, *_words(call)], env, store.folder(asker))
        told = done.stdout + done.stderr
        if call.verb == "get":
            ids = tuple(_full_id(call, short) for short in _SHORT_ID.findall(done.stdout))
            return Outcome(done.returncode == 0, ids, (), told, {})
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        return self._listed(done.returncode == 0, told, lines)

    def _listed(self, success: bool, told: str, lines: list[dict[str, Any]]) -> Outcome:
        content = lines[0] if len(lines) == 1 else {}
        found = [*content.get("pins", ()), *content.get("recent_events", ())] or [
            line for line in lines if "stream" in line
        ]
        ids = tuple(each["id"] for each in found)
        return Outcome(success, ids, tuple(each["private"] for each in found), told, content)


def _words(call: Call) -> list[str]:
    """Return the command that makes a call."""
    given: dict[str, Any] = dict(call.arguments)
    if call.verb == "remember":
        options = [f"--kind={given['kind']}"] if "kind" in given else []
        options += [f"--scope={given['scope']}"] if "scope" in given else []
        options += [f"--emotion={given['emotion']}"] if "emotion" in given else []
        options += ["--private"] if given.get("private") else []
        return ["remember", *options, "--json", "--", given["content"]]
    if call.verb == "recall":
        return ["recall", "--limit=5", "--json", "--", given["query"]]
    if call.verb == "search_memories":
        return ["search", f"--limit={given['limit']}", "--json", "--", given["query"]]
    return ["get", *given["names"]] if call.verb == "get" else ["snapshot", "--json"]


def _is_word(value: object) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(isinstance(each, str | bool | int) and each != "" for each in items)


def _full_id(call: Call, short: str) -> str:
    """Return the id of a call that a short id stands for."""
    names = call.arguments["names"]
    asked = names if isinstance(names, list) else []
    return next((name for name in asked if short_id(name) == short), short)


def _caller(store: Store, asker: Asker) -> Caller:
    return Caller(asker.agent, asker.session, str(store.folder(asker)))


SURFACES: Final[tuple[Surface, ...]] = (
    _Desk(),
    _Resident(),
    _PythonClient(in_process=True),
    _PythonClient(in_process=False),
    _Mcp(),
    _Gateway(),
    _PythonOverHttp(),
    _CommandLine(),
)
