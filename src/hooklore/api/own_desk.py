"""Requests that are answered in the program's own process, with a broker of its own."""

import os
import threading

from hooklore.broker import Broker
from hooklore.config import StoreLocation, load_settings, read_environment
from hooklore.errors import ConfigError
from hooklore.requests.desk import RequestDesk
from hooklore.requests.request import Request, parse_request
from hooklore.requests.response import Response
from hooklore.retrieval.semantic.availability import own_recall


class OwnDesk:
    """A desk for the threads of one process. A process that was forked opens the store for itself."""

    def __init__(self, place: StoreLocation, seconds: float) -> None:
        """`seconds` is how long a write waits for the log's lock."""
        self._place, self._seconds = place, seconds
        self._opened: tuple[Broker, RequestDesk] | None = None
        self._begin()

    def answer(self, request: Request) -> Response:
        """Return the response, as the resident would give it. Raise TypeError for what JSON cannot hold."""
        asked = parse_request(request.to_json(), os.getpid())
        if self._pid != os.getpid():
            self._begin()
        with self._lock:
            broker, desk = self._opened or self._open()
            response = desk.answer(asked)
            if broker.needs_indexing():
                broker.index()
                broker.refresh()
        return response

    def close(self) -> None:
        """Close the store's files. The next request opens them again."""
        with self._lock:
            if self._opened is not None and self._pid == os.getpid():
                self._opened[0].close()
            self._opened = None

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._opened = None

    def _open(self) -> tuple[Broker, RequestDesk]:
        home = read_environment().get("HOME")
        if not home:
            raise ConfigError("environment", "HOME", "it is not set")
        broker = Broker(self._place, load_settings(self._place.config), wait=self._seconds)
        self._opened = broker, RequestDesk(broker, own_recall(broker), home)
        return self._opened
