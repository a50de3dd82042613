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
from hooklore.records.draft import Draft
from hooklore.requests.request import parse_request
from hooklore.requests.request_context import Note
from hooklore.requests.response import refuse
from hooklore.resident.asking import ANSWERED
from hooklore.retrieval.opening import open_for_question, open_named
from hooklore.retrieval.recall import Recall

if TYPE_CHECKING:
    from hooklore.requests.desk import RequestDesk

GET: Final = "Get"
RECALL: Final = "Recall"
OPENING_EVENTS: Final = (GET, RECALL)
"""Events of a frame from our own command line whose answer is what the command prints."""

_OPENED, _NOT_FOUND = "opened", "not-found"
_FAILED = DeliveryResult("failed")
"""The answer upon which the command line answers in its own process, and words the error."""


class RequestAnswers:
    """Answers requests, and opens memories for agents that run a command, with the broker of the hooks.

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

    def open(self, delivery: Delivery) -> tuple[DeliveryResult, list[Draft]]:
        """Return the answer to `Get` or `Recall`, and the record of what was opened for when it has been sent.

        The answer is stdout and stderr of the command, with a NUL between them. Never raises.
        """
        try:
            return self._open(delivery)
        except HookloreError:
            return _FAILED, []
        except Exception as error:
            # As for a hook: one command of an agent's must not end the resident of all sessions.
            journal.write_error(f"hooklore: {delivery.event} failed", error)
            return _FAILED, []

    def _open(self, delivery: Delivery) -> tuple[DeliveryResult, list[Draft]]:
        folder, agent, session, *words = map(os.fsdecode, delivery.payload.split(b"\0"))
        self._broker.refresh()
        keys = project_keys(folder, None, self._home)
        require_memory_on(self._broker, keys, session or None, folder)
        who = agent_principal(self._broker, agent, session or None, keys)
        if delivery.event == RECALL:
            opened = open_for_question(self._recall, who, " ".join(words))
        else:
            opened = open_named(self._broker, who, words)
        used = [draft_use(list(opened.ids), who, delivery.event.lower())] if opened.ids else []
        printed = f"{opened.text}\0{opened.problems}".encode("utf-8", "replace")
        return DeliveryResult(_OPENED if opened.text else _NOT_FOUND, printed), used
