"""A hook call as it comes in, and the answer that goes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hooklore.agents.ancestry import is_from_client


@dataclass(frozen=True, slots=True)
class Delivery:
    """One hook call: `event` is the agent's name for it, `payload` its raw bytes.

    `facts` are environment variables that the launcher's client saw. `process` handed it in, 0 for one that is
    not asked who started it. `is_by_hand` says that a command handed it in (`hooks run`).
    """

    agent: str
    event: str
    id: str
    payload: bytes
    facts: Mapping[str, str] = field(default_factory=dict)
    process: int = 0
    is_by_hand: bool = False

    @property
    def is_from_client(self) -> bool:
        """True unless a command handed it in, as if it were a hook of the client."""
        return not self.is_by_hand and (not self.process or is_from_client(self.process))


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """The status of a delivery (`stored`, `left-out`, …) and the bytes to print."""

    status: str
    stdout: bytes = b""
