"""What a hook hands in, and what it gets back."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Delivery:
    """One hook call as it came in: `event` is the agent's name for it, `payload` its raw bytes."""

    agent: str
    event: str
    id: str
    payload: bytes
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """What goes back: the status (`stored`, `left-out`, …) and the bytes to print."""

    status: str
    stdout: bytes = b""
