"""Find and list the archived entries of a shelf (seed 004)."""

from hooklore.memories.archive import ArchivedMemory
from hooklore.requests.arguments import FindArguments, ListArguments
from hooklore.requests.asked import Asked
from hooklore.requests.response import Response
from hooklore.requests.shelf import Shelf
from hooklore.requests.verbs.find_entries import respond_listed
from hooklore.text.similarity import comparison_terms


def search_archive(shelf: Shelf, asked: Asked, given: FindArguments) -> Response:
    """Return the archived entries that share words with the query, those that share most first."""
    wanted = comparison_terms(given.query)
    scored = [(len(wanted & _terms(each)), each) for each in shelf.archived(asked, given.tags)]
    found = [each for score, each in sorted(scored, key=lambda item: -item[0]) if score]
    return respond_listed(asked, [each.record for each in found[: given.limit]], len(found))


def list_archive(shelf: Shelf, asked: Asked, given: ListArguments) -> Response:
    """Return the archived entries, the one archived last first, and how many there are."""
    found = shelf.archived(asked, given.tags)
    return respond_listed(asked, [each.record for each in found[: given.limit]], len(found))


def _terms(archived: ArchivedMemory) -> frozenset[str]:
    body, key = archived.record.body, archived.record.dedupe_key or ""
    words = (key.replace("-", " ").replace("_", " ").replace(":", " "), *map(str, body.tags))
    return comparison_terms(" ".join((body.title or "", body.content_md, *words)))
