"""The limit of requests of a token: so many a second, and some at once."""

import time
from collections.abc import Callable
from typing import Final

_BURST_SECONDS: Final = 5
_MOST_CALLERS: Final = 4_096


class RateLimit:
    """A bucket for each caller, filled at `rate` a second. A rate of 0 limits nobody."""

    def __init__(self, rate: float, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._most = rate, max(rate * _BURST_SECONDS, 1.0)
        self._now = now
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, caller: str) -> float:
        """Return the seconds until the caller may send again: 0 for now, and then one request is taken."""
        if not self._rate:
            return 0.0
        now = self._now()
        left, since = self._left.pop(caller, (self._most, now))
        left = min(self._most, left + (now - since) * self._rate)
        wait = 0.0 if left >= 1 else (1 - left) / self._rate
        self._left[caller] = (left if wait else left - 1, now)
        if len(self._left) > _MOST_CALLERS:
            del self._left[next(iter(self._left))]
        return wait
