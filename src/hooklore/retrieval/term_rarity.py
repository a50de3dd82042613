"""Tell how rare terms are in a store."""

from collections.abc import Iterable

from hooklore.broker.principal_reader import Reader
from hooklore.retrieval.relevance.gate import small_store_bonus


def term_rarities(reader: Reader, terms: Iterable[str]) -> dict[str, float]:
    """Return the idf of each term, as if the store were never small."""
    idf, documents = {term: reader.idf(term) for term in terms}, reader.documents
    bonus = small_store_bonus(documents)
    return {term: rarity + bonus for term, rarity in idf.items()}
