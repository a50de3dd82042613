"""The protocol's text in a file of the user's: a block between two marks, put in and taken out byte for byte.

The opening mark says how many line ends were put before the block, and whether the file was made for it. So
the block is taken out again without a note of it elsewhere.
"""

import re
from dataclasses import dataclass, replace

_OPENING = re.compile(
    rb"<!-- hooklore protocol (?P<version>[\w.]{1,20}) for (?P<agent>[a-z][a-z0-9_-]{0,31})"
    rb"(?: \+(?P<lead>[012]))?(?P<made> new)? -->\r?\n"
)
_END = b"<!-- end of hooklore protocol for %s -->"


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a file: its agent and version, and its span with the `lead` line ends before it.

    `is_file_made` says that there was no file before the block.
    """

    agent_id: str
    version: str
    lead: int
    is_file_made: bool
    start: int = 0
    end: int = 0

    def written(self, text: str, newline: bytes) -> bytes:
        """Return the block's bytes with a text."""
        made = " new" if self.is_file_made else ""
        opening = (
            f"<!-- hooklore protocol {self.version} for {self.agent_id} +{self.lead}{made} -->\n"
        )
        closing = _END % self.agent_id.encode() + b"\n"
        block = b"\n" * self.lead + opening.encode() + text.encode() + closing
        return block.replace(b"\n", newline)


def find_blocks(raw: bytes) -> list[Block]:
    """Return the blocks of a file. An opening mark without its end is no block."""
    return [block for found in _OPENING.finditer(raw) if (block := _block(raw, found))]


def _block(raw: bytes, found: re.Match[bytes]) -> Block | None:
    closing = _END % found["agent"]
    at = raw.find(closing, found.end())
    if at < 0:
        return None
    start, lead = found.start(), int(found["lead"] or 0)
    for _ in range(lead):
        start = _before_newline(raw, start)
    return Block(
        agent_id=found["agent"].decode(),
        version=found["version"].decode(),
        lead=lead,
        is_file_made=bool(found["made"]),
        start=start,
        end=_after_newline(raw, at + len(closing)),
    )


def without_block(raw: bytes, agent_id: str) -> bytes | None:
    """Return a file without the block of an agent; None when the file was made for the block alone."""
    for block in reversed(find_blocks(raw)):
        if block.agent_id == agent_id:
            raw = raw[: block.start] + raw[block.end :]
            if block.is_file_made and not raw:
                return None
    return raw


def with_block(raw: bytes | None, agent_id: str, version: str, text: str) -> bytes:
    """Return a file with one block for an agent: in the place of an older one, else at its end."""
    whole = raw or b""
    newline = b"\r\n" if b"\r\n" in whole else b"\n"
    older = [block for block in find_blocks(whole) if block.agent_id == agent_id]
    if not older:
        new = Block(agent_id, version, _lead(whole), raw is None)
        return whole + new.written(text, newline)
    block = replace(older[0], version=version)
    return whole[: block.start] + block.written(text, newline) + whole[block.end :]


def _lead(raw: bytes) -> int:
    """Return how many line ends make an empty line between the file's end and the block."""
    if not raw:
        return 0
    return 1 if raw.endswith(b"\n") else 2


def _after_newline(raw: bytes, at: int) -> int:
    for newline in (b"\r\n", b"\n"):
        if raw.startswith(newline, at):
            return at + len(newline)
    return at


def _before_newline(raw: bytes, at: int) -> int:
    for newline in (b"\r\n", b"\n"):
        if raw.endswith(newline, 0, at):
            return at - len(newline)
    return at
