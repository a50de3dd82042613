"""Answer requests that come over the socket, after every hook that waits."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from hooklore.broker import Broker
from hooklore.errors import HookloreError
from hooklore.hooks import journal
from hooklore.hooks.delivery import Delivery, DeliveryResult
from hooklore.requests.asked import Note
from hooklore.requests.request import parse_request
from hooklore.requests.response import refuse
from hooklore.resident.asking import ANSWERED
from hooklore.retrieval.recall import Recall

if TYPE_CHECKING:
    from hooklore.requests.desk import RequestDesk

_FAILED = DeliveryResult("failed")


class RequestAnswers:
    """Answers requests with the broker of the hooks.

    `note` takes the records of what was read. `is_replaced` returns whether an upgrade has replaced the program.
    """

    def __init__(
        self, broker: Broker, recall: Recall, home: str, note: Note, is_replaced: Callable[[], bool]
    ) -> None:
        self._broker, self._recall, self._home, self._note = broker, recall, home, note
        self._is_replaced = is_replaced

    def answer(self, delivery: Delivery) -> DeliveryResult:
        """Return the response as bytes.

        Raises only where the program was replaced under this process: the request is sent again.
        """
        try:
            response = self._desk.answer(parse_request(delivery.payload, delivery.process))
        except HookloreError as error:
            response = refuse(error)
        except Exception as error:
            if self._is_replaced():
                raise
            # As for a hook: one request must not end the resident of all sessions.
            journal.write_error("hooklore: Request failed", error)
            return _FAILED
        return DeliveryResult(ANSWERED, response.to_json())

    @cached_property
    def _desk(self) -> "RequestDesk":
        """The desk, imported by the first request: 3 MB that a resident of hooks alone never takes."""
        from hooklore.requests.desk import RequestDesk

        return RequestDesk(self._broker, self._recall, self._home, self._note)
