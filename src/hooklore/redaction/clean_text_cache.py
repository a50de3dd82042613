"""A cache of texts without findings, because hooks repeat the same few texts all day."""

_MAX_HASHES = 4096


class CleanTextCache:
    """Hashes of texts, with a new hash key in each process. No text is stored."""

    def __init__(self) -> None:
        self._hashes: set[int] = set()

    def __contains__(self, text: str) -> bool:
        return hash(text) in self._hashes

    def add(self, text: str) -> None:
        """Remember `text`. A full cache is emptied first."""
        if len(self._hashes) >= _MAX_HASHES:
            self._hashes.clear()
        self._hashes.add(hash(text))

    def clear(self) -> None:
        """Forget all texts."""
        self._hashes.clear()
