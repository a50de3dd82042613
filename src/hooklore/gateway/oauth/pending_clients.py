"""Clients that registered themselves and have no grant yet: few, for an hour, in memory alone.

A flood of them grows nothing, and a restart forgets them: a program then registers again.
"""

import math
import time
from http import HTTPStatus
from typing import Final

from hooklore.gateway.problem import Problem
from hooklore.requests.token_kinds import OAuthClient

_MOST: Final = 100
_SECONDS: Final = 3_600.0


class PendingClients:
    """At most 100 clients, each for an hour from its registration on."""

    def __init__(self) -> None:
        self._clients: dict[str, tuple[OAuthClient, float]] = {}

    def add(self, client: OAuthClient) -> None:
        """Add a client. Raise Problem where there are too many: none is put out for a newer one."""
        now = time.monotonic()
        ended = [id_ for id_, (_, end) in self._clients.items() if end <= now]
        for id_ in ended:
            del self._clients[id_]
        if len(self._clients) >= _MOST:
            first = min(end for _, end in self._clients.values())
            raise _too_many(math.ceil(first - now))
        self._clients[client.id] = (client, now + _SECONDS)

    def find(self, id_: str) -> OAuthClient | None:
        """Return a client that waits."""
        client, end = self._clients.get(id_, (None, 0.0))
        return client if end > time.monotonic() else None

    def remove(self, id_: str) -> None:
        """Remove a client, which has a grant now."""
        self._clients.pop(id_, None)


def _too_many(seconds: int) -> Problem:
    return Problem(
        HTTPStatus.TOO_MANY_REQUESTS, f"{_MOST} programs have registered and wait for their user",
        f"register again in {-(-seconds // 60)} minutes", headers={"Retry-After": str(seconds)},
    )  # fmt: skip
