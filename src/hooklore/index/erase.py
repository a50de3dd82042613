"""Deletion of the index as a whole, because an index keeps the terms of its texts."""

import time

from hooklore.config import StoreLocation
from hooklore.errors import IndexUnusable
from hooklore.index import generation
from hooklore.index.projector import open_generation_parts
from hooklore.log import files

_ATTEMPTS = 10
_PAUSE_SECONDS = 0.02


def erase_index(place: StoreLocation) -> None:
    """Activate an empty generation and remove all others. The caller holds the writer lock.

    Readers notice the new generation and read the log again, and the projector starts over. Raise
    `IndexUnusable` if a part of the old index cannot be removed.
    """
    directory = generation.create_generation(place)
    parts = open_generation_parts(directory, is_new=True)
    parts.text.close()
    parts.catalog.close()
    generation.activate_generation(place, directory)
    remove_old_generations(place)
    files.sync_directory(generation.index_directory(place))


def republish_generation(place: StoreLocation) -> None:
    """Make every reader read the log again with the same index, because positions have changed."""
    directory = generation.current_generation(place)
    if directory is not None:
        generation.activate_generation(place, directory)


def remove_old_generations(place: StoreLocation) -> None:
    """Remove the inactive generations for certain. Raise `IndexUnusable` on failure.

    A reader that opens a generation meanwhile creates files there, so the check is repeated: on a busy
    machine tantivy's own thread puts its lock file there milliseconds after the index was opened.
    """
    for _ in range(_ATTEMPTS):
        generation.discard_old_generations(place)
        if not set(generation.list_generations(place)) - {generation.current_generation(place)}:
            return
        time.sleep(_PAUSE_SECONDS)
    raise IndexUnusable(str(generation.index_directory(place)), "an old one cannot be removed")
