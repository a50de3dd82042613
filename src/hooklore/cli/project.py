"""Print which project a folder belongs to, and why: `hooklore project`."""

from pathlib import Path
from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.speaking import ask, speaker
from hooklore.cli.store import folder, here, home, keys_of, opened, require_acknowledged
from hooklore.errors import HookloreError
from hooklore.hooks import exclusions
from hooklore.hooks.project import explain_project_keys
from hooklore.resident import call

app = typer.Typer(
    help="Say which project a folder belongs to.", rich_markup_mode=None, no_args_is_help=True
)


Directory = Annotated[
    Path | None, typer.Argument(metavar="[DIR]", help="a folder; this one when left out")
]


@app.callback()
def project() -> None:
    """Projects of this store."""


@app.command("explain")
def explain(
    directory: Directory = None,
    as_json: Annotated[bool, typer.Option("--json", help="as one JSON object")] = False,
) -> None:
    """Say why a folder is the project that it is, and by which name memory knows it."""
    path, keys = folder(directory), keys_of(directory)
    recorded = found = claimed = None
    around: list[str] = []
    is_paused = False
    with opened() as broker:
        reasons = explain_project_keys(path, None, home())
        if keys:
            recorded = broker.project_of(keys)
            # Without a record: the project that a first one would make.
            found = recorded or broker.registry.resolve(keys)
            is_paused = exclusions.load_pauses(broker.place).covers(None, found.id)
            around = [each.slug for each in map(broker.project_of, keys.around) if each is not None]
            claimed = broker.registry.claimed(keys)
    if claimed is not None:
        reasons.append(
            f"its remote is that of project:{claimed.slug}: run `hooklore project trust` if it is that project"
        )
    if as_json:
        output.json({
            "folder": path,
            "reasons": reasons,
            "keys": list(keys.keys) if keys else [],
            "branch": keys.branch if keys else None,
            "project": found.id if found else None,
            "slug": found.slug if found else None,
            "recorded": recorded is not None,
            "paused": is_paused,
            "around": around,
        })  # fmt: skip
        return
    for reason in reasons:
        output.data(output.one_line(reason))
    if found is None:
        output.data("it is no project: nothing recorded here is told elsewhere")
        return
    known = "memory knows it as" if recorded else "nothing is recorded of it yet; it will be"
    output.data(f"{known} project:{found.slug} (id {found.id}){', paused' if is_paused else ''}")


@app.command("trust")
def trust(directory: Directory = None) -> None:
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
            question = (
                f"Are the notes of project:{claimed.slug} for `{output.one_line(keys.root)}` too?"
            )
            if speaker().kind == "person" and not ask(question, f"trust `{keys.root}`"):
                output.say("nothing was changed")
                raise typer.Exit(1)
            from hooklore.cli.memory.deciding import decider

            decider(broker, f"trust `{keys.root}`")
        require_acknowledged([broker.trust_claim(keys)], broker.place)
        slug = claimed.slug if claimed is not None else ""
    call.stop_resident(here())  # it remembers which project a folder is
    output.data(f"`{output.one_line(keys.root)}` is project:{slug} from now on")
