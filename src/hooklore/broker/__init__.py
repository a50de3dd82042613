"""The one door: every write and every read of memory passes through `Broker`."""

from hooklore.broker.broker import Broker

__all__ = ["Broker"]
