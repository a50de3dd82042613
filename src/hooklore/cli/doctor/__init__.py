"""`hooks doctor`: proofs of life rather than of configuration, and for each failure the command that mends it."""

import time
from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.doctor import report
from hooklore.cli.doctor.checks import judge
from hooklore.cli.doctor.gather import gather
from hooklore.cli.store import folder, here, home
from hooklore.config import StoreLocation, read_environment

__all__ = ["doctor", "run"]


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="for a bug report")] = False,
) -> None:
    """Prove that the hooks are alive, check by check; each that fails names the command that mends it."""
    raise typer.Exit(run(here(), home(), folder(None), as_json=as_json))


def run(
    place: StoreLocation, home_dir: str, project_dir: str | None, *, as_json: bool = False
) -> int:
    """Print the report on this store and home. Return 0 when nothing failed, else 1."""
    started = time.monotonic()
    facts = gather(place, home_dir, project_dir, env=read_environment())
    checks = judge(facts)
    if as_json:
        output.json(report.fields(checks, time.monotonic() - started), indent=True)
    else:
        output.data(report.text(checks, home_dir))
    return 0 if report.is_healthy(checks) else 1
