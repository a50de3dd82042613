"""Explain the query that a hook makes of a payload: `hooklore explain-query`."""

import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, cast

import orjson
import typer

from hooklore.agents.agent import Agent
from hooklore.agents.registry import DEFAULT_AGENT_ID, get_agent
from hooklore.broker import Broker
from hooklore.broker.fetch import list_projects
from hooklore.cli import output
from hooklore.cli.memory.asker import Json
from hooklore.cli.store import home, opened
from hooklore.errors import HookloreError
from hooklore.hooks.answers import build_query
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.pending import UNREAD, identify_principal
from hooklore.hooks.runner import Runner
from hooklore.records import keys
from hooklore.records.draft import PERSON, Principal
from hooklore.retrieval.explain import kinds_for_trigger, times_in_prompt


def explain_query(
    payload: Annotated[
        Path, typer.Option("--payload", metavar="FILE", help="a hook's JSON; `-` reads stdin")
    ],
    *,
    event: Annotated[
        str | None,
        typer.Option(metavar="EVENT", help="the agent's name for it, if not the payload's"),
    ] = None,
    agent: Annotated[str, typer.Option(help="which agent's payload it is")] = DEFAULT_AGENT_ID,
    as_json: Json = False,
) -> None:
    """Say what a hook with this payload asks of memory: scopes, keywords, kinds and times. Nothing is kept."""
    try:
        raw = sys.stdin.buffer.read() if str(payload) == "-" else payload.read_bytes()
    except OSError as error:
        raise HookloreError(
            f"could not read the payload `{payload}`: {error.strerror}",
            fix="give a file with a hook's JSON: `hooklore explain-query --payload FILE`",
        ) from None
    with opened() as broker:
        found = _explain(broker, agent, event or _event_of(get_agent(agent), raw), raw)
    if as_json:
        output.json(found)
    else:
        output.table((name, _in_words(name, value)) for name, value in found.items())


def _event_of(agent: Agent, raw: bytes) -> str:
    with suppress(ValueError, AttributeError):
        if name := agent.rehearsal().event_name(orjson.loads(raw)):
            return name
    example = agent.wire_events("before_tool")[0]
    raise HookloreError(
        f"could not tell the event of the payload: it has no `{agent.wire.event_name[-1]}`",
        fix=f"name it: `hooklore explain-query --payload FILE --event {example}`",
    )


def _explain(broker: Broker, agent: str, event: str, raw: bytes) -> Mapping[str, object]:
    """Return a hook's query in parts; `times` are the ranges, from and to, that the words name."""
    delivery = Delivery(agent, event, "", raw)
    pending = Runner(broker, home(), time.time_ns).read(delivery)  # nothing of it is appended
    if pending.event is UNREAD:
        raise HookloreError(
            "could not read the payload: it is no hook's", fix="run `hooklore explain-query --help`"
        )
    who = identify_principal(broker, pending)
    reader = broker.as_reader(who)
    query = build_query(reader, pending.event, pending)
    words = "\n".join(filter(None, (query.text, query.command, *query.paths, *query.signatures)))
    return {
        "trigger": query.trigger,
        "recalls": pending.recalls,
        "scopes": _scopes(broker, who),
        "keywords": list(reader.terms(words)),
        "kinds": list(kinds_for_trigger(query)) if pending.recalls else [],
        "times": [(span.start, span.end) for span in times_in_prompt(broker, query, who)],
        "command": query.command,
        "paths": query.paths,
        "signatures": query.signatures,
    }


def _scopes(broker: Broker, who: Principal) -> list[str]:
    """Return the scopes that are searched, most specific first: session, project, agent, role, global."""
    slugs = {project.id: project.slug for project in list_projects(broker.as_reader(PERSON))}
    found = [keys.in_session(who.session_id)] if who.session_id else []
    projects = (*([who.project] if who.project else ()), *who.around)
    found += [f"project:{slugs.get(each, each)}" for each in projects]
    return [*found, f"agent:{who.agent_id}", f"role:{who.role}", "global"]


def _in_words(name: str, value: object) -> str:
    if name == "times":
        value = [" to ".join(time) for time in cast("Iterable[tuple[str, str]]", value)]
    if isinstance(value, bool):
        return "yes" if value else "no"
    listed = ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
    return "none" if listed is None or value in ((), []) else str(listed)
