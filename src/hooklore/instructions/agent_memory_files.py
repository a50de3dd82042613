"""Read an agent's own memory files: one memory a file, or one a heading of a file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hooklore.agents.registry import memory_file_paths
from hooklore.prompt.title import title_from_text
from hooklore.text.display_width import display_width

_FILE = re.compile(
    (
        rf"{memory_file_paths()}"
        r"|(?:^|/)(?:agents(?:\.override)?|memory|qwen|copilot-instructions)\.md$"
        r"|/\.(?:cursor|windsurf)/rules/.{1,200}\.mdc?$"
    ),
    re.IGNORECASE,
)
_HEADING = re.compile(r"#{1,6}[ \t]+(?P<words>[^\n]{1,200}?)[ \t#]*$")
_BULLET = re.compile(r"\s*(?:[-*+・•]|\d{1,2}[.)])\s+")
_LEFT_OUT = re.compile(r"[ \t]*(?:---|===|\||<!--|@)")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_FIELD = re.compile(r"(?P<name>description|name):[ \t]*[\"']?(?P<words>[^\n]{1,300}?)[\"']?[ \t]*$")
_LOOKED_AT = 64 * 1024
_SHORTEST = 12
_LONGEST = 1_200
_MAX_HEADING = 200
MAX_SECTIONS = 20
"""Sections of one file that are read."""

_CUT = "(cut here: the rest stands in {name})"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a memory file: the `heading` that names it, "" for a whole file, its title and its text."""

    heading: str
    title: str
    text: str


def is_agent_memory_file(path: str) -> bool:
    """Return whether a file is an agent's own memory."""
    return path[-3:].lower() in (".md", "mdc") and _FILE.search(path) is not None


def read_sections(text: str, name: str) -> list[Section]:
    """Return the sections of the memory file `name`, at most 20, in their order.

    A file whose front matter describes it is one section. Any other file is cut at its headings. The lines
    of a paragraph are joined. Code, tables and what is too short to mean anything are left out. A section
    that is too long is cut after a paragraph, and says so.
    """
    text = text[:_LOOKED_AT]
    described, body = _front_matter(text)
    parts = [("", body.split("\n"))] if described else list(_parts(body.split("\n")))
    sections: dict[str, Section] = {}
    for heading, lines in parts:
        paragraphs = list(_paragraphs(lines))
        if display_width("".join(paragraphs)) >= _SHORTEST and heading not in sections:
            title = title_from_text(described or heading or paragraphs[0])
            sections[heading] = Section(heading, title, _bounded(paragraphs, name))
    return list(sections.values())[:MAX_SECTIONS]


def _front_matter(text: str) -> tuple[str, str]:
    """Return the description, or the name, that a file's front matter gives, and the text below it."""
    head, _, rest = text.partition("\n")
    if head.strip() != "---":
        return "", text
    fields: dict[str, str] = {}
    lines = rest.split("\n")
    for number, line in enumerate(lines):
        if line.strip() == "---":
            found = fields.get("description") or fields.get("name") or ""
            return found, "\n".join(lines[number + 1 :])
        field = _FIELD.match(line)
        if field:
            fields.setdefault(field["name"], field["words"])
    return "", text


def _parts(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each heading with the lines below it, first those above any heading."""
    heading, part, in_code = "", list[str](), False
    for line in lines:
        in_code ^= _FENCE.match(line) is not None
        found = None if in_code else _HEADING.match(line)
        if found is None:
            part.append(line)
            continue
        yield heading, part
        heading, part = found["words"][:_MAX_HEADING], []
    yield heading, part


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """Yield the paragraphs and the items of lists, each on one line, without code and tables."""
    current: list[str] = []
    in_code = False
    for line in [*lines, ""]:
        is_fence = _FENCE.match(line) is not None
        in_code ^= is_fence
        is_over = not line.strip() or is_fence or in_code or _LEFT_OUT.match(line) is not None
        if current and (is_over or _BULLET.match(line) or _HEADING.match(line)):
            yield " ".join(current)
            current = []
        if not is_over:
            heading = _HEADING.match(line)
            current.append(heading["words"] if heading else line.strip())


def _bounded(paragraphs: list[str], name: str) -> str:
    kept, room = list[str](), _LONGEST
    for paragraph in paragraphs:
        if len(paragraph) > room:
            cut = paragraph[:_LONGEST].rpartition(" ")[0] or paragraph[:_LONGEST]
            return "\n".join([*(kept or [cut]), _CUT.format(name=name)])
        kept.append(paragraph)
        room -= len(paragraph) + 1
    return "\n".join(kept)
