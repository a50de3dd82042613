"""Print memories to an agent as the resident does, where none answers: framed, and recorded as opened."""

from typing import Literal

import typer

from hooklore.cli import output
from hooklore.cli.indexing import index_missing
from hooklore.cli.memory.asker import asker
from hooklore.cli.memory.semantic import semantic_search
from hooklore.cli.store import opened


def print_opened(verb: Literal["get", "recall"], words: list[str]) -> None:
    """Print the framed answer to an agent's command. Raise Exit with status 1 when nothing was found."""
    from hooklore.memories.usage import record_use
    from hooklore.retrieval.opening import open_for_question, open_named
    from hooklore.retrieval.recall import Recall

    with opened() as broker, index_missing(broker):
        who = asker(broker, None)
        if verb == "recall":
            found = open_for_question(Recall(broker, semantic_search(broker)), who, " ".join(words))
        else:
            found = open_named(broker, who, words)
        if found.ids:
            record_use(broker, list(found.ids), who, verb)
    if found.text:
        output.data(found.text.removesuffix("\n"))
    if found.problems:
        output.say(found.problems.removesuffix("\n"))
    if not found.is_found:
        raise typer.Exit(1)
