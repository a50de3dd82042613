"""Save an entry under its key, or a new version of it (seed 004)."""

from hooklore.instructions.stated_kind import state_kind
from hooklore.records.record import Record
from hooklore.requests.arguments import SaveArguments
from hooklore.requests.asked import Asked
from hooklore.requests.response import Response
from hooklore.requests.shelf import Shelf
from hooklore.requests.verbs.remember import SOURCE, respond_written, write_as_agent


def save_entry(shelf: Shelf, asked: Asked, given: SaveArguments) -> Response:
    """Save an entry as the word of the agent, or of its user where a prompt backs it."""
    event = Record.of(
        content_md=given.content.strip(),
        dedupe_key=given.key,
        kind=state_kind(given.content, given.key),
        tags=list(given.tags) or None,
        scope="global" if shelf.name == "global" else None,
        confidence="high",
        source=SOURCE,
    )
    return respond_written(write_as_agent(asked, event), is_private=False)
