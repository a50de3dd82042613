"""Batches: an array of messages is answered by one array.

JSON-RPC 2.0 has them. Of the revisions of the protocol that the SDK agrees on with a client, 2025-03-26 says that
a server must take them, and no later one forbids that. The SDK knows none, so each request of a batch goes to the
SDK alone, under an id that no client can know.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import uuid4

from mcp.types import JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, RequestId

from hooklore.mcp_server.envelope import Part


@dataclass(slots=True)
class _Batch:
    """The answers of one batch as JSON, and how many are still owed."""

    owed: int = 0
    answers: list[str] = field(default_factory=list)

    def line(self) -> str | None:
        """Return the array when the batch is complete; None before that, and where nobody waits."""
        return f"[{','.join(self.answers)}]" if self.answers and not self.owed else None


class Batches:
    """The batches that wait for answers."""

    def __init__(self) -> None:
        self._waiting: dict[RequestId | None, tuple[_Batch, RequestId]] = {}

    def open(self, parts: Sequence[Part]) -> tuple[list[Part], str | None]:
        """Return the messages of a batch for the SDK, and the line that answers a batch without a request."""
        batch, messages = _Batch(), list[Part]()
        for part in parts:
            if isinstance(part, JSONRPCRequest):
                messages.append(self._owe(part, batch))
            elif isinstance(part, JSONRPCNotification):
                messages.append(part)
            else:
                batch.answers.append(encode(part))
        return messages, batch.line()

    def _owe(self, request: JSONRPCRequest, batch: _Batch) -> JSONRPCRequest:
        own = uuid4().hex
        batch.owed += 1
        self._waiting[own] = batch, request.id
        return request.model_copy(update={"id": own})

    def answer(self, message: JSONRPCMessage) -> str | None:
        """Return the line that a message of the SDK completes: its own, or that of its batch."""
        own = None if isinstance(message, JSONRPCNotification) else message.id
        found = self._waiting.pop(own, None)
        if found is None:
            return encode(message)
        batch, id_ = found
        batch.owed -= 1
        batch.answers.append(encode(message.model_copy(update={"id": id_})))
        return batch.line()


def encode(message: JSONRPCMessage) -> str:
    """Return a message as JSON."""
    return message.model_dump_json(by_alias=True, exclude_unset=True)
