"""A hook call as it comes in, and the answer that goes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Delivery:
    """One hook call: `event` is the agent's name for it, `payload` its raw bytes.

    `facts` are environment variables that the launcher's client saw.
    """

    agent: str
    event: str
    id: str
    payload: bytes
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """The status of a delivery (`stored`, `left-out`, …) and the bytes to print."""

    status: str
    stdout: bytes = b""
