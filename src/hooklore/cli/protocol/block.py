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
    """One block of a file, with `lead` line ends before it; `is_file_made` says that no file was there before."""

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
    blocks = []
    for found in _OPENING.finditer(raw):
        closing = _END % found["agent"]
        at = raw.find(closing, found.end())
        if at < 0:
            continue
        start, end, lead = found.start(), at + len(closing), int(found["lead"] or 0)
        for _ in range(lead):
            start -= 2 if raw.endswith(b"\r\n", 0, start) else raw.endswith(b"\n", 0, start)
        end += 2 if raw.startswith(b"\r\n", end) else raw.startswith(b"\n", end)
        blocks.append(
            Block(
                agent_id=found["agent"].decode(),
                version=found["version"].decode(),
                lead=lead,
                is_file_made=bool(found["made"]),
                start=start,
                end=end,
            )
        )
    return blocks


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
        # As many line ends as make an empty line between the file's end and the block.
        ended = 1 if whole.endswith(b"\n") else 2
        lead = ended if whole else 0
        new = Block(agent_id, version, lead, raw is None)
        return whole + new.written(text, newline)
    block = replace(older[0], version=version)
    return whole[: block.start] + block.written(text, newline) + whole[block.end :]
