"""The index's one writer, as the resident holds it."""

import threading

from hooklore.config import Place
from hooklore.index.generation import WriterLock
from hooklore.index.projector import Projector


class Indexing:
    """Takes the index's writer lock when it can, and keeps the index up to date while it has it."""

    def __init__(self, place: Place) -> None:
        self._lock = WriterLock(place)
        self._projector = Projector(place)
        self._busy = threading.Lock()
        self.is_ours = False

    def advance(self) -> bool:
        """Index what is new; False when another process holds the lock. Raises HookloreError."""
        with self._busy:
            self.is_ours = self._lock.take()
            if self.is_ours:
                self._projector.advance()
            return self.is_ours

    def rest(self) -> None:
        """Give memory back until there is more."""
        with self._busy:
            self._projector.rest()

    def close(self) -> None:
        """Let another process index."""
        with self._busy:
            self._projector.close()
            self._lock.give_back()
            self.is_ours = False
