"""Eight checks of each turn of a conversation (seed 002 §4: who, when, and support in fact).

Cloudflare's service verifies by a model what a model extracted. A turn is kept as it was said, so that the
checks say what a reader must know of it. No check refuses a turn.
"""

from collections import Counter

from hooklore.conversations.message import Message
from hooklore.records.record import Record
from hooklore.records.schema import UNTRUSTED

CHECKS = {
    "role_as_author": "the author is a role, not a name",
    "renamed_author": "an author is spelled in more than one way",
    "unknown_time": "the time is unknown, and that of the turn before counts",
    "earlier_time": "the time is before that of the turn before",
    "future_time": "the time has not come yet",
    "repeated_id": "two messages have one id, and the first of them counts",
    "left_out": "our own notes, private parts or an empty text were left out",
    "masked": "a secret was taken out, or orders to agents keep the text from models",
}
"""The name of each check: two of the author, three of the time, three of the text."""

_ROLES = frozenset(("user", "assistant", "system", "tool", "human", "ai", "model", "bot"))


class TurnChecks:
    """Counts, of each check, the turns that it found. `counts` has the checks that found any."""

    def __init__(self, now: str) -> None:
        self._now = now
        self._spellings: dict[str, str] = {}
        self._texts: dict[tuple[str, int], str] = {}
        self.counts: Counter[str] = Counter()

    def check_message(self, message: Message, before: str, *, is_shortened: bool) -> None:
        """Check what a message says of itself. `before` is the time of the message before, or ""."""
        author = message.author
        spelling = self._spellings.setdefault(author.casefold(), author)
        text = self._texts.setdefault((message.id, message.part), message.text)
        self._count({
            "role_as_author": author.casefold() in _ROLES,
            "renamed_author": spelling != author,
            "unknown_time": not message.time,
            "earlier_time": bool(message.time and before and message.time < before),
            "future_time": message.time > self._now,
            "repeated_id": bool(message.id) and text != message.text,
            "left_out": is_shortened,
        })  # fmt: skip

    def check_record(self, message: Message, record: Record | None) -> None:
        """Check the record of a message as it was redacted."""
        is_found = record and (record.trust == UNTRUSTED or record.body.extra("redacted"))
        self._count({"masked": message.is_masked or bool(is_found)})

    def _count(self, found: dict[str, bool]) -> None:
        self.counts.update(name for name, is_found in found.items() if is_found)
