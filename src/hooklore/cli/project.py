"""Print which project a folder belongs to, and why: `hooklore project`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.consent import ask
from hooklore.cli.memory.deciding import decider
from hooklore.cli.speaking import speaker
from hooklore.cli.store import folder, here, home, keys_of, opened, require_acknowledged
from hooklore.errors import HookloreError
from hooklore.hooks import exclusions
from hooklore.hooks.project import explain_project_keys
from hooklore.records.draft import ProjectKeys
from hooklore.resident import call

app = typer.Typer(
    help="Say which project a folder belongs to.", rich_markup_mode=None, no_args_is_help=True
)


@dataclass(frozen=True, slots=True)
class ProjectStatus:
    """The id and slug of a folder's project. Memory may have records of the project, and may be paused there."""

    id: str
    slug: str
    is_recorded: bool
    is_paused: bool


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
    path = folder(directory)
    keys = keys_of(directory)
    with opened() as broker:
        reasons = explain_project_keys(path, None, home())
        found = _project_status(broker, keys) if keys else None
        outer = map(broker.project_of, keys.around) if keys else ()
        around = [project.slug for project in outer if project is not None]
        claimed = broker.registry.claimed(keys) if keys else None
    if claimed is not None:
        reasons.append(
            f"its remote is that of project:{claimed.slug}: run `hooklore project trust` if it is that project"
        )
    if as_json:
        _print_json(path, reasons, keys, found, around)
        return
    for reason in reasons:
        output.data(output.one_line(reason))
    output.data(_sentence(found))


@app.command("trust")
def trust(
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="a folder; this one when left out")
    ] = None,
) -> None:
    """Say that a folder is the project whose remote it names: a second clone, or one that was moved.

    A remote alone proves nothing, because anybody can write it into an archive. Only a person
    can trust it. What was recorded here before stays in the folder's own project.
    """
    keys = keys_of(directory)
    if keys is None:
        raise HookloreError(
            f"could not trust `{folder(directory)}`: it is no project",
            fix="run `hooklore project explain`",
        )
    with opened() as broker:
        claimed = broker.registry.claimed(keys)
        if claimed is not None:
            _require_agreement(broker, keys.root, claimed.slug)
        require_acknowledged([broker.trust_claim(keys)], broker.place)
        slug = claimed.slug if claimed is not None else ""
    call.stop_resident(here())  # it remembers which project a folder is
    output.data(f"`{output.one_line(keys.root)}` is project:{slug} from now on")


def _require_agreement(broker: Broker, root: str, slug: str) -> None:
    """End the command unless a person says that a folder is the project with this slug.

    Where no person runs it, the decision is asked for in the agent's client, or refused.
    """
    question = f"Are the notes of project:{slug} for `{output.one_line(root)}` too?"
    if speaker().kind == "person" and not ask(question, f"trust `{root}`"):
        output.say("nothing was changed")
        raise typer.Exit(1)
    decider(broker, f"trust `{root}`")


def _project_status(broker: Broker, keys: ProjectKeys) -> ProjectStatus:
    """Return the project with these keys: the recorded one, else the one that a first record would make."""
    recorded = broker.project_of(keys)
    found = recorded or broker.registry.resolve(keys)
    is_paused = exclusions.load_pauses(broker.place).covers(None, found.id)
    return ProjectStatus(found.id, found.slug, recorded is not None, is_paused)


def _print_json(
    path: str,
    reasons: list[str],
    keys: ProjectKeys | None,
    found: ProjectStatus | None,
    around: list[str],
) -> None:
    output.json({
        "folder": path,
        "reasons": reasons,
        "keys": list(keys.keys) if keys else [],
        "branch": keys.branch if keys else None,
        "project": found.id if found else None,
        "slug": found.slug if found else None,
        "recorded": found is not None and found.is_recorded,
        "paused": found is not None and found.is_paused,
        "around": around,
    })  # fmt: skip


def _sentence(found: ProjectStatus | None) -> str:
    if found is None:
        return "it is no project: nothing recorded here is told elsewhere"
    name = f"project:{found.slug} (id {found.id})"
    state = ", paused" if found.is_paused else ""
    if found.is_recorded:
        return f"memory knows it as {name}{state}"
    return f"nothing is recorded of it yet; it will be {name}{state}"
