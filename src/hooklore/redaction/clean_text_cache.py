"""Which texts a rule has looked at and found nothing in: hooks say the same few things all day."""

_MOST = 4096


class CleanTextCache:
    """Hashes of texts, keyed anew in each process. No text is kept."""

    def __init__(self) -> None:
        self._hashes: set[int] = set()

    def __contains__(self, text: str) -> bool:
        return hash(text) in self._hashes

    def add(self, text: str) -> None:
        """Remember this text; when they are many, all earlier ones are let go of."""
        if len(self._hashes) >= _MOST:
            self._hashes.clear()
        self._hashes.add(hash(text))
