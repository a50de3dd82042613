"""The index deleted, not patched: an index keeps the terms of what it has read."""

from hooklore.config import StoreLocation
from hooklore.errors import IndexUnusable
from hooklore.index import generation
from hooklore.index.projector import _open_parts
from hooklore.log import files

_ATTEMPTS = 5


def erase_index(place: StoreLocation) -> None:
    """Put an empty generation in force and remove every other. The writer lock is held.

    Readers see another pointer and read the log anew; the projector goes on from its beginning.
    Raises IndexUnusable when something of it cannot be removed.
    """
    directory = generation.create_generation(place)
    parts = _open_parts(directory, is_new=True)
    parts.text.close()
    parts.catalog.close()
    generation.activate_generation(place, directory)
    remove_old_generations(place)
    files.sync_directory(generation.index_directory(place))


def republish_generation(place: StoreLocation) -> None:
    """Let every reader read the log anew, though the index is the same: positions have moved."""
    directory = generation.current_generation(place)
    if directory is not None:
        generation.activate_generation(place, directory)


def remove_old_generations(place: StoreLocation) -> None:
    """Remove the generations that are not in force, for certain. Raises IndexUnusable.

    A reader that opens one meanwhile makes files in it: so look again.
    """
    for _ in range(_ATTEMPTS):
        generation.discard_old_generations(place)
        if not set(generation._generations(place)) - {generation.current_generation(place)}:
            return
    raise IndexUnusable(str(generation.index_directory(place)), "an old one cannot be removed")
