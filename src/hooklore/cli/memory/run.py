"""`hooklore run`: what one run recorded. (`hooks run` hands in an event.)"""

from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import text_of, with_privacy
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.store import opened


def run(
    run_id: Annotated[str, typer.Argument(metavar="RUN_ID", help="a run's id, or its beginning")],
    *,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """List everything that a run recorded and was shown, the oldest first; a session is a run."""
    from hooklore.broker.curated.runs import rows

    with opened() as broker:
        found = rows(broker, run_id, asker(broker, agent))
    for record in found:
        if as_json:
            output.json(with_privacy(record))
        else:
            output.data(output.row(record, text_of(record)))
