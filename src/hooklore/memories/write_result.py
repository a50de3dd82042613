"""What became of a memory that somebody said on purpose."""

from dataclasses import dataclass
from typing import Any, Literal

WriteStatus = Literal[
    "stored", "duplicate", "updated", "conflict", "pending", "refused", "spooled", "lost"
]


@dataclass(frozen=True, slots=True)
class SimilarMemory:
    """A memory that says nearly the same: its id, key and beginning; `likeness` from 0 to 1."""

    id: str
    key: str | None
    text: str
    likeness: float


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The answer to an append (seed 000 §5).

    `status`: stored, duplicate (`id` is the earlier one's), updated (it took the place of
    `supersedes`), conflict (it did so without naming it: `conflict` is the record of that), pending
    (it waits for a person; `waits` says why), refused (`reason`), spooled, lost. `similar` are
    candidates to supersede; `key` and `scope` as stored.
    """

    status: WriteStatus
    id: str | None = None
    key: str | None = None
    scope: str | None = None
    warnings: tuple[str, ...] = ()
    similar: tuple[SimilarMemory, ...] = ()
    supersedes: str | None = None
    conflict: str | None = None
    waits: str | None = None
    reason: str | None = None
    hint: str | None = None

    def as_fields(self) -> dict[str, Any]:
        """The same for JSON; empty fields are left out but for the lists."""
        found = {name: getattr(self, name) for name in self.__slots__}
        found["similar"] = [
            {name: getattr(each, name) for name in each.__slots__} for each in self.similar
        ]
        return {name: value for name, value in found.items() if value is not None}
