"""Answer requests, and the thin client of `hooklore get` and `hooklore recall`, after every hook that waits."""

import os
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hooklore.broker import Broker
from hooklore.errors import HookloreError
from hooklore.hooks import journal
from hooklore.hooks.delivery import Delivery, DeliveryResult
from hooklore.hooks.exclusions import require_memory_on
from hooklore.hooks.project import project_keys
from hooklore.memories.agent_principal import agent_principal
from hooklore.memories.usage import draft_use
from hooklore.records.draft import Draft, Principal
from hooklore.requests.request import parse_request
from hooklore.requests.request_context import Note
from hooklore.requests.response import refuse
from hooklore.resident.asking import ANSWERED
from hooklore.retrieval.opening import Opened, open_for_question, open_named
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


GET: Final = "Get"
RECALL: Final = "Recall"
OPENING_EVENTS: Final = (GET, RECALL)
"""Events of a frame from our own command line whose answer is what the command prints."""

_OPENED = "opened"
_NOT_FOUND = "not-found"
_NOT_ANSWERED = "failed"
"""The status upon which the command line answers in its own process, and words the error."""


class OpeningDesk:
    """Opens memories for agents that run a command, with the broker of the hooks."""

    def __init__(self, broker: Broker, recall: Recall, home: str) -> None:
        self._broker, self._recall, self._home = broker, recall, home

    def answer(self, delivery: Delivery) -> tuple[DeliveryResult, list[Draft]]:
        """Return the answer, and the record of what was opened for when it has been sent. Never raises."""
        try:
            return self._answer(delivery)
        except HookloreError:
            return DeliveryResult(_NOT_ANSWERED), []
        except Exception as error:
            # As for a hook: one command of an agent's must not end the resident of all sessions.
            journal.write_error(f"hooklore: {delivery.event} failed", error)
            return DeliveryResult(_NOT_ANSWERED), []

    def _answer(self, delivery: Delivery) -> tuple[DeliveryResult, list[Draft]]:
        folder, agent, session, *words = [
            os.fsdecode(word) for word in delivery.payload.split(b"\0")
        ]
        self._broker.refresh()
        keys = project_keys(folder, None, self._home)
        require_memory_on(self._broker, keys, session or None, folder)
        who = agent_principal(self._broker, agent, session or None, keys)
        opened = self._open(delivery.event, who, words)
        used = [draft_use(list(opened.ids), who, delivery.event.lower())] if opened.ids else []
        return _result(opened), used

    def _open(self, event: str, who: Principal, words: list[str]) -> Opened:
        if event == RECALL:
            return open_for_question(self._recall, who, " ".join(words))
        return open_named(self._broker, who, words)


def _result(opened: Opened) -> DeliveryResult:
    """Return stdout and stderr of the command, with a NUL between them."""
    printed = f"{opened.text}\0{opened.problems}".encode("utf-8", "replace")
    return DeliveryResult(_OPENED if opened.is_found else _NOT_FOUND, printed)
