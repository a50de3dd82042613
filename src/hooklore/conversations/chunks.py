"""Split a conversation into chunks, the unit in which it is handed to the store (seed 002 §4).

The service of the seed gives each chunk to a model and verifies what the model made of it. Here every message is
kept as it is, and a chunk only bounds how long hooks wait for the store. Chunks follow one another, because a turn
is also found by the two turns before it in the log. Each begins with the last two messages of the chunk before,
which are not kept again: a chunk whose neighbour was lost has its context all the same.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hooklore.conversations.message import Message

CHUNK_CHARACTERS = 10_000
CHUNK_MESSAGES = 200
OVERLAP_MESSAGES = 2

TURN_CHARACTERS = 2_500
"""Characters of one turn. A longer message becomes several turns, three of which fit into a chunk."""

_ENDS = tuple(map(re.compile, (r"\n\s*\n", r"\n", r"[。！？]|[.!?](?=\s)", r"\s")))
"""The places where a long message is cut, the best first."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """At most 10,000 characters and 200 messages. The first `overlap` are the last ones of the chunk before."""

    messages: tuple[Message, ...]
    overlap: int

    @property
    def size(self) -> int:
        """The characters of the chunk."""
        return sum(len(message.text) for message in self.messages)


def split_into_chunks(messages: Sequence[Message]) -> Iterator[Chunk]:
    """Yield the chunks of a conversation, none for no messages."""
    turns = [part for message in messages for part in split_message(message)]
    taken: list[Message] = []
    overlap = size = 0
    for turn in turns:
        is_full = size + len(turn.text) > CHUNK_CHARACTERS or len(taken) == CHUNK_MESSAGES
        if taken and is_full:
            yield Chunk(tuple(taken), overlap)
            taken = taken[-OVERLAP_MESSAGES:]
            overlap, size = len(taken), sum(len(each.text) for each in taken)
        taken.append(turn)
        size += len(turn.text)
    if taken:
        yield Chunk(tuple(taken), overlap)


def split_message(message: Message) -> list[Message]:
    """Return the message, or its parts where it is longer than a turn.

    A long message is redacted first, and loses what its author marked as private, so that neither is cut in two.
    """
    if len(message.text) <= TURN_CHARACTERS:
        return [message]
    from hooklore.redaction import redact
    from hooklore.redaction.private_parts import without_private

    public, private_parts = without_private(message.text)
    redacted = redact(public)
    is_masked = message.is_masked or bool(redacted.findings or private_parts)
    return [
        replace(message, text=text, part=part, is_masked=is_masked)
        for part, text in enumerate(_split_text(redacted.text), message.part)
    ]


def _split_text(text: str) -> Iterator[str]:
    while len(text) > TURN_CHARACTERS:
        # at the last end of a paragraph, line, sentence or word in the second half
        half = text[:TURN_CHARACTERS]
        found = ([m.end() for m in end.finditer(half, len(half) // 2)] for end in _ENDS)
        at = next(filter(None, found), [len(half)])[-1]
        head, text = text[:at].strip(), text[at:].strip()
        if head:
            yield head
    if text:
        yield text
