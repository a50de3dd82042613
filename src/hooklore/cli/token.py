"""Give a program outside of this machine's sessions a token for the memory, and take it back: `hooklore token`."""

import re
import time
from typing import Annotated

import typer

from hooklore.agents.agent import AgentPermission
from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.memory.asker import Json
from hooklore.cli.memory.deciding import record_decision
from hooklore.cli.speaking import speaker
from hooklore.cli.store import here, home, opened
from hooklore.errors import ArgumentInvalid, HookloreError
from hooklore.memories.agent_registry import RegisteredAgent, UnregisteredAgent, agents_of
from hooklore.memories.scope import find_project_id
from hooklore.records.schema import SCOPE_PATTERN
from hooklore.requests.access_tokens import TokenFile
from hooklore.requests.consent_codes import MINUTES, create_code, host_of
from hooklore.requests.token_kinds import AccessToken, ConsentCode, Grant
from hooklore.text.plural import format_count

_DAYS = 90

app = typer.Typer(
    help="Give programs elsewhere a token for this memory, and take it back.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

_OAuthHost = Annotated[
    str | None,
    typer.Option(
        "--oauth",
        metavar="HOST",
        help="print a code instead, for the page of `hooklore gateway --oauth` that names HOST",
    ),
]


@app.callback()
def token() -> None:
    """Tokens of this store, for the gateway."""


@app.command("create")
def create(
    agent: Annotated[
        str, typer.Option("--agent", metavar="NAME", help="the agent that its holder is")
    ],
    scope: Annotated[
        list[str] | None,
        typer.Option(
            "--scope",
            metavar="SCOPE",
            help="`global` or `project:<slug>`, more than once for several; "
            "global and every project when left out",
        ),
    ] = None,
    permission: Annotated[
        AgentPermission | None,
        typer.Option("--permission", help="what it may propose; the agent's own when left out"),
    ] = None,
    days: Annotated[
        int, typer.Option("--days", min=0, max=36_500, help="days until it ends; 0: never")
    ] = _DAYS,
    oauth: _OAuthHost = None,
) -> None:
    """Make a token and print it, once: only its digest is kept.

    Whoever holds the token reads and writes as that agent. Only a person makes one, at a terminal.
    """
    _require_person("create a token")
    scopes = tuple(dict.fromkeys(map(_checked_scope, scope or ())))
    host = host_of(oauth) if oauth is not None else None
    with opened() as broker:
        who = _registered(broker, agent)
        _note_unknown_projects(broker, scopes)
        found, text = _make(who.id, host, scopes, permission or who.permission, days)
        what = f"a code of OAuth at {host}" if host else "a token"
        record_decision(broker, f"create {what} for {who.id}", "terminal")
    _tell_code(found) if isinstance(found, ConsentCode) else _tell_token(found)
    output.data(text)


def _make(
    agent: str, host: str | None, scopes: tuple[str, ...], permission: AgentPermission, days: int
) -> tuple[AccessToken, str]:
    """Make a token, or with a host a code for it. Return it and its text."""
    file, now = TokenFile(here(), home()), time.time()
    if host is None:
        return file.create(agent, scopes, permission, days, now)
    return create_code(file, agent, host, scopes=scopes, permission=permission, days=days, now=now)


def _tell_token(found: AccessToken) -> None:
    output.say(f"token {found.id} for {found.agent} ({found.permission})")
    output.say(f"it reads {_reach(found)}, and ends {_end(found)} (`--days` says otherwise)")
    output.say("send it as `Authorization: Bearer TOKEN`; it is shown once, and this is it:")


def _tell_code(found: ConsentCode) -> None:
    days = f"for {format_count(found.days, 'day')}" if found.days else "until you revoke it"
    output.say(f"code {found.id} for {found.agent} ({found.permission}), at {found.host} alone")
    output.say(f"it opens {_reach(found)}, {days} (`--days` says otherwise)")
    output.say(
        f"type it within {MINUTES} minutes, once, into the page that {found.host} led you to:"
    )


@app.command("list")
def list_tokens(as_json: Json = False) -> None:
    """List the tokens of this store, never their texts: what each may do, and when it was last used."""
    _require_person("list the tokens")
    file = TokenFile(here(), home())
    found = [(each, file.last_used(each.id)) for each in file.list()]
    if as_json:
        output.json([
            {
                "id": each.id, "kind": each.kind, "host": _host(each), "agent": each.agent,
                "scopes": each.scopes, "permission": each.permission,
                "created_at": each.created_at, "expires_at": each.expires_at, "last_used_at": used,
            }
            for each, used in found
        ])  # fmt: skip
        return
    heads = ("id", "agent", "by", "reads", "permission", "created", "ends", "last used")
    output.table([heads, *(_row(*each) for each in found)] if found else [])
    if not found:
        output.say("there is no token")


@app.command("revoke")
def revoke(
    id_: Annotated[
        str, typer.Argument(metavar="ID", help="its id, as `hooklore token list` has it")
    ],
) -> None:
    """End a token, or a grant of OAuth with all its tokens: the next request with one is refused."""
    _require_person("revoke a token")
    found = TokenFile(here(), home()).revoke(id_)
    output.data(f"revoked {found.id} of {found.agent}")
    with opened() as broker:
        record_decision(broker, f"revoke a token of {found.agent}", "terminal")


def _require_person(act: str) -> None:
    """Raise HookloreError for an agent and a program, which no client's question lets do it.

    What an agent prints its model reads, and its transcript keeps.
    """
    runs = speaker()
    if runs.kind != "person":
        who = "a program" if runs.kind == "program" else runs.agent_id
        raise HookloreError(
            f"could not {act}: only a person does that, and this was run by {who}",
            fix="the user runs it in a terminal of their own, which no agent started",
        )


def _registered(broker: Broker, name: str) -> RegisteredAgent:
    agents = agents_of(broker.settings)
    found = agents.find(name)
    if found is None:
        raise UnregisteredAgent(agents, str(broker.place.config))
    return found


def _checked_scope(scope: str) -> str:
    if scope.startswith("agent:"):
        why = "the memories of an agent are its own: a token reads those of its agent anyway"
        raise ArgumentInvalid("scope", why)
    if scope != "global" and not (
        scope.startswith("project:") and re.fullmatch(SCOPE_PATTERN, scope)
    ):
        raise ArgumentInvalid("scope", "must be `global` or `project:<slug>`")
    return scope


def _note_unknown_projects(broker: Broker, scopes: tuple[str, ...]) -> None:
    for scope in scopes:
        slug = scope.removeprefix("project:")
        if scope != slug and find_project_id(broker, slug) is None:
            output.say(f"note: nothing is recorded of {scope} yet")


def _reach(found: AccessToken) -> str:
    return " and ".join(found.scopes) or "global and every project"


def _host(found: AccessToken) -> str | None:
    return found.host if isinstance(found, Grant) else None


def _end(found: AccessToken) -> str:
    return f"on {found.expires_at[:10]}" if found.expires_at else "never"


def _row(found: AccessToken, used: str | None) -> tuple[str, ...]:
    end = output.local(found.expires_at) if found.expires_at else "never"
    if found.is_over(time.time()):
        end = f"ended {end}"
    last = output.local(used) if used else "never"
    created = output.local(found.created_at)
    way = f"OAuth at {_host(found)}" if isinstance(found, Grant) else "token"
    return found.id, found.agent, way, _reach(found), found.permission, created, end, last
