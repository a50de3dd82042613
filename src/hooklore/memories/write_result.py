"""Describe the result of writing a memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

WriteStatus = Literal[
    "stored", "duplicate", "updated", "conflict", "pending", "refused", "spooled", "lost"
]


@dataclass(frozen=True, slots=True)
class SimilarMemory:
    """A memory that says nearly the same, with its beginning and its `likeness` from 0 to 1."""

    id: str
    key: str | None
    text: str
    likeness: float
    private: bool = False


@dataclass(frozen=True, slots=True)
class NearMemory:
    """A standing memory that is among the nearest to a new one, by its words."""

    id: str
    key: str | None
    title: str
    private: bool = False


@dataclass(frozen=True, slots=True)
class RelatedMemory:
    """A memory that a new one ends or stands against; of a rule with the words of both that show it."""

    id: str
    text: str
    earlier: str = ""
    later: str = ""
    private: bool = False


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The answer to an append (seed 000 §5).

    A `duplicate` has the `id` of the earlier memory. An `updated` memory took the place of
    `supersedes`. A `conflict` took a place without naming the memory there, as the record `conflict`
    says. A `pending` memory waits for a person, for the reason `waits`. Refused, spooled and lost ones
    have a `reason`. One that holds a secret has a `refusal`: the `field`, the `rule`, and where in
    the field, from `start` to `end`. `similar` are candidates to supersede, and `near` the three nearest memories.
    `replaces` are rules that ended by this one's words, and `beside` are memories that stand and say otherwise.
    `no_when` says how to add phrases to a memory that has none. `left_out` says which labels were changed or
    left out. `key` and `scope` are those that were stored.
    """

    status: WriteStatus
    id: str | None = None
    key: str | None = None
    scope: str | None = None
    warnings: tuple[str, ...] = ()
    similar: tuple[SimilarMemory, ...] = ()
    near: tuple[NearMemory, ...] = ()
    replaces: tuple[RelatedMemory, ...] = ()
    beside: tuple[RelatedMemory, ...] = ()
    supersedes: str | None = None
    conflict: str | None = None
    waits: str | None = None
    reason: str | None = None
    refusal: Mapping[str, object] | None = None
    hint: str | None = None
    no_when: str | None = None
    left_out: tuple[str, ...] = ()

    @property
    def is_accepted(self) -> bool:
        """True when the memory is kept: in force, waiting, or there already."""
        return self.status not in ("refused", "lost")

    def as_fields(self) -> dict[str, Any]:
        """Return the fields for JSON, without those that are None."""
        found = {name: getattr(self, name) for name in self.__slots__}
        for name in ("similar", "near", "replaces", "beside"):
            found[name] = [
                {field: getattr(each, field) for field in each.__slots__} for each in found[name]
            ]
        return {name: value for name, value in found.items() if value is not None}
