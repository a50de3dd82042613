"""`hooks pause` and `hooks resume`: nothing is recorded or recalled between them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from filelock import FileLock

from hooklore.cli import output
from hooklore.cli.store import folder, here, keys_of, opened
from hooklore.errors import HookloreError
from hooklore.hooks import exclusions as pauses
from hooklore.hooks.exclusions import PauseState
from hooklore.text.plural import format_count

Session = Annotated[
    str | None, typer.Option("--session", metavar="ID", help="only this session (its id in full)")
]
ProjectOf = Annotated[
    Path | None,
    typer.Option("--project", metavar="DIR", help="the project of this folder instead of this one"),
]


def pause(
    session: Session = None,
    project: ProjectOf = None,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="every session, in every project")
    ] = False,
) -> None:
    """Stop recording and recall, here: in the project of this folder, until `hooks resume`."""
    _one_at_most(session, project, everywhere=everywhere)
    if everywhere:
        _change(lambda paused: replace(paused, everywhere=True))
        output.data("paused everywhere")
    elif session:
        _change(lambda paused: replace(paused, sessions=paused.sessions | _session(session)))
        output.data(f"paused session {session}")
    else:
        id_, slug = _project(project, "pause")
        _change(lambda paused: replace(paused, projects=paused.projects | {id_}))
        output.data(f"paused project {slug}")


def resume(
    session: Session = None,
    project: ProjectOf = None,
    everywhere: Annotated[bool, typer.Option("--everywhere", help="end every pause")] = False,
) -> None:
    """Record and recall again: end what pauses this folder, a pause everywhere included."""
    _one_at_most(session, project, everywhere=everywhere)
    if everywhere:
        _change(lambda paused: replace(paused, everywhere=False, projects=_NONE, sessions=_NONE))
        output.data("resumed everywhere")
    elif session:
        _change(lambda paused: replace(paused, sessions=paused.sessions - _session(session)))
        output.data(f"resumed session {session}")
    else:
        _resume_here(project)


_NONE: frozenset[str] = frozenset()


def _resume_here(directory: Path | None) -> None:
    """End the pause of one project, or every pause that covers this folder when none is named."""
    is_project = keys_of(directory) is not None or directory is not None
    ids = {_project(directory, "resume")[0]} if is_project else set()

    def without(paused: PauseState) -> PauseState:
        stays = paused.everywhere and directory is not None
        return replace(paused, everywhere=stays, projects=paused.projects - ids)

    before, after = _change(without)
    output.data("nothing was paused here" if before == after else "resumed")
    if after.everywhere:
        output.say("everything is still paused")
    elif after.projects or after.sessions:
        projects = format_count(len(after.projects), "project")
        output.say(f"still paused: {projects}, {format_count(len(after.sessions), 'session')}")
    else:
        return
    output.say("hint: run `hooks resume --everywhere` to end every pause")


def _one_at_most(session: str | None, project: Path | None, *, everywhere: bool) -> None:
    if sum((session is not None, project is not None, everywhere)) > 1:
        raise typer.BadParameter("give only one of `--session`, `--project` and `--everywhere`")
    if session is not None and not session.strip():
        raise typer.BadParameter("`--session` wants an id")


def _project(directory: Path | None, verb: str) -> tuple[str, str]:
    keys = keys_of(directory)
    if keys is None:
        raise HookloreError(
            f"could not {verb} this project: `{folder(directory)}` belongs to none",
            fix=f"run `hooks {verb} --everywhere`",
        )
    with opened() as broker:
        found = broker.registry.resolve(keys)
    return found.id, found.slug


def _change(change: Callable[[PauseState], PauseState]) -> tuple[PauseState, PauseState]:
    """Change the pauses under a lock and return (before, after)."""
    at = here()
    at.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with FileLock(pauses.pause_path(at).with_suffix(".lock"), mode=0o600, timeout=10):
        before = pauses.load_pauses(at)
        after = change(before)
        pauses.save_pauses(at, after)
    return before, after


def _session(id_: str) -> frozenset[str]:
    from hooklore.redaction.id_redaction import redact_id  # a pause of a folder needs no rules

    return frozenset({redact_id(id_)})
