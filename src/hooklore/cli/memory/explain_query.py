"""`hooklore explain-query`: what a hook's payload asks of memory (rows RF-01, RF-02)."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hooklore.cli import output
from hooklore.cli.memory.asker import Json
from hooklore.cli.store import home, opened
from hooklore.errors import HookloreError
from hooklore.records import keys

if TYPE_CHECKING:
    from hooklore.broker import Broker
    from hooklore.hooks.runner import Pending
    from hooklore.records.draft import Principal
    from hooklore.retrieval.query import RecallQuery


def explain_query(
    payload: Annotated[
        Path, typer.Option("--payload", metavar="FILE", help="a hook's JSON; `-` reads stdin")
    ],
    *,
    event: Annotated[
        str | None,
        typer.Option(metavar="EVENT", help="the agent's name for it, if not the payload's"),
    ] = None,
    agent: Annotated[str, typer.Option(help="which agent's payload it is")] = "claude",
    as_json: Json = False,
) -> None:
    """Say what a hook with this payload asks of memory: scopes, keywords, kinds and times. Nothing is kept."""
    raw = _read(payload)
    with opened() as broker:
        found = _explained(broker, agent, event or _event_of(raw), raw)
    if as_json:
        output.json(found)
        return
    output.table((name, _told(value)) for name, value in found.items())


def _read(path: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise HookloreError(
            f"could not read the payload `{path}`: {error.strerror}",
            fix="give a file with a hook's JSON: `hooklore explain-query --payload FILE`",
        ) from None


def _event_of(raw: bytes) -> str:
    import orjson

    try:
        named = orjson.loads(raw)["hook_event_name"]
    except (ValueError, KeyError, TypeError):
        named = None
    if isinstance(named, str) and named:
        return named
    raise HookloreError(
        "could not tell the event of the payload: it has no `hook_event_name`",
        fix="name it: `hooklore explain-query --payload FILE --event PreToolUse`",
    )


def _explained(broker: "Broker", agent: str, event: str, raw: bytes) -> dict[str, object]:
    from hooklore.hooks.answers import build_query, identify_principal
    from hooklore.retrieval.explain import kinds_for_trigger, times_in_prompt

    pending = _pending(broker, agent, event, raw)
    assert pending.event is not None
    who = identify_principal(broker, pending.event, pending)
    asked = build_query(broker, pending.event, pending, who)
    return {
        "trigger": asked.trigger,
        "recalls": pending.recalls,
        "scopes": _scopes(who, broker),
        "keywords": broker.view.terms(_words(asked)),
        "kinds": list(kinds_for_trigger(asked)) if pending.recalls else [],
        "times": [[span.start, span.end] for span in times_in_prompt(broker, asked, who)],
        "command": asked.command,
        "paths": list(asked.paths),
        "signatures": list(asked.signatures),
    }


def _pending(broker: "Broker", agent: str, event: str, raw: bytes) -> "Pending":
    """As `Runner.begin` makes it, with nothing appended."""
    import time

    from hooklore.hooks.delivery import Delivery
    from hooklore.hooks.runner import Runner

    pending = Runner(broker, home(), time.time_ns).begin(Delivery(agent, event, "", raw))
    if pending.event is None:
        raise HookloreError(
            "could not read the payload: it is no hook's", fix="run `hooklore explain-query --help`"
        )
    return pending


def _words(asked: "RecallQuery") -> str:
    return "\n".join(filter(None, (asked.text, asked.command, *asked.paths, *asked.signatures)))


def _scopes(who: "Principal", broker: "Broker") -> list[str]:
    """Where the question is asked, the most specific first: session, project, agent, everybody's."""
    from hooklore.broker.fetch import list_projects

    slugs = {project.id: project.slug for project in list_projects(broker)}
    found = [keys.in_session(who.session_id)] if who.session_id else []
    found += [f"project:{slugs.get(who.project, who.project)}"] if who.project else []
    return [*found, f"agent:{who.agent_id}", f"role:{who.role}", "global"]


def _told(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(" to ".join(v) if isinstance(v, list) else str(v) for v in value) or "none"
    return {True: "yes", False: "no", None: "none"}.get(value) or str(value)
