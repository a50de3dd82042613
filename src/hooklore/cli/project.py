"""`hooklore project`: which project a folder belongs to."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hooklore.cli import output
from hooklore.cli.store import folder, home, keys_of, opened

if TYPE_CHECKING:
    from hooklore.broker import Broker
    from hooklore.records.draft import ProjectKeys

app = typer.Typer(
    help="Say which project a folder belongs to.", rich_markup_mode=None, no_args_is_help=True
)


@app.callback()
def project() -> None:
    """Projects of this store."""


@app.command("explain")
def explain(
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="a folder; this one when left out")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="as one JSON object")] = False,
) -> None:
    """Say why a folder is the project that it is, and by which name memory knows it."""
    from hooklore.hooks.project import explain_project_keys as reasons

    where = folder(directory)
    keys = keys_of(directory)
    with opened() as broker:
        found: dict[str, Any] = {
            "folder": where,
            "reasons": reasons(where, None, home()),
            "keys": list(keys.keys) if keys else [],
            "branch": keys.branch if keys else None,
            **_known(broker, keys),
        }
    if as_json:
        output.json(found)
        return
    for reason in found["reasons"]:
        output.data(output.one_line(reason))
    output.data(_sentence(found))


def _known(broker: "Broker", keys: "ProjectKeys | None") -> dict[str, object]:
    from hooklore.hooks import pause

    if keys is None:
        return {"project": None, "slug": None, "recorded": False, "paused": False}
    known = broker.project_of(keys)
    meant = known or broker.registry.resolve(keys)
    return {
        "project": meant.id,
        "slug": meant.slug,
        "recorded": known is not None,
        "paused": pause.load_pauses(broker.place).covers(None, meant.id),
    }


def _sentence(found: dict[str, Any]) -> str:
    if found["project"] is None:
        return "it is no project: nothing recorded here is told elsewhere"
    name = f"project:{found['slug']} (id {found['project']})"
    state = ", paused" if found["paused"] else ""
    if found["recorded"]:
        return f"memory knows it as {name}{state}"
    return f"nothing is recorded of it yet; it will be {name}{state}"
