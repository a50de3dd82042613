"""Read the text of an agent's own memory file: one memory a file, or one a heading of a file."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hooklore.prompt.title import MAX_TITLE_LENGTH, title_from_text
from hooklore.text.display_width import display_width
from hooklore.text.token_estimate import truncate_text

_HEADING = re.compile(r"(?P<marks>#{1,6})[ \t]+(?P<words>[^\n]{1,200}?)[ \t#]*$")
_BULLET = re.compile(r"\s*(?:[-*+・•]|\d{1,2}[.)])\s+")
_LEFT_OUT = re.compile(r"[ \t]*(?:---|===|\||<!--|@)")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_FIELD = re.compile(
    r"[ \t]*(?P<name>description|name|type):[ \t]*[\"']?(?P<words>[^\n]{1,400}?)[\"']?[ \t]*$"
)
_POINTER = re.compile(
    r"(?:\[[^\]\n]{0,200}\]\(|[`\[<]{0,2})[^\s()\[\]`]{1,200}\.md\b", re.IGNORECASE
)
"""The beginning of an item that points to another file: as a link, or by the file's name."""

_SEE = re.compile(
    r"(?:see|→|->|参照:?)[ \t]*[`\[(]*[^\s()\[\]`]{1,200}\.md[`\])]*\.?$", re.IGNORECASE
)
"""The end of an item that does."""

_SLUG_DASHES = re.compile(r"[-_.]+")
MAX_CHARACTERS = 16 * 1024
"""Characters of a file that are read."""

_SHORTEST = 12
_NAMING = 24
"""Columns of a heading that names what it is about. A shorter one (`Errors`) has its file's before it."""

_LONGEST = 1_200
_MAX_PHRASE = 60
MAX_SECTIONS = 20
"""Sections of one file that are read."""

_CUT = "(cut here: the rest stands in {name})"

Parts = Iterable[tuple[str, str]]
"""Headings, each with the text below it."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a memory file: the `heading` that names it, "" for a whole file, its title and its text.

    `phrases` are other words for it, and `type` is the client's word for its sort of memory, "" without one.
    """

    heading: str
    title: str
    text: str
    phrases: tuple[str, ...] = ()
    type: str = ""

    @property
    def digest(self) -> str:
        """A short hash that changes with any of it."""
        told = "\0".join((self.title, self.text, self.type, *self.phrases))
        return f"text-{hashlib.blake2b(told.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"


def read_sections(text: str, name: str, parts: Parts | None = None) -> list[Section]:
    """Return the sections of the memory file `name`, at most 20, in their order.

    A file whose front matter names it is one section. Any other file is cut at its headings, or is the `parts`
    into which its client's module cut it. The lines of a paragraph are joined. Code, tables, what is too short
    to mean anything, and lists of links to other files are left out. A section that is too long is cut after a
    paragraph, and says so.
    """
    head, body = _front_matter(text[:MAX_CHARACTERS])
    described, named = head.get("description", ""), _words_of(head.get("name", ""))
    if parts is not None:
        cut = [(heading, title_from_text(heading), part) for heading, part in parts]
    elif described or head.get("name"):
        # The description says more than a name, which may be a slug.
        cut = [("", title_from_text(described or named), body)]
    else:
        below = list(_cut_at_headings(body.split("\n")))
        subject = next((heading for heading, _ in below if heading), "") or _words_of(name)
        cut = [(heading, _title(heading, subject), part) for heading, part in below]
    sections: dict[str, Section] = {}
    for heading, titled, part in cut:
        told = _without_pointers(list(_paragraphs(part.split("\n"))))
        if display_width("".join(told)) >= _SHORTEST and heading not in sections:
            title = titled or title_from_text(told[0])
            others = [each for each in (named, described) if each not in ("", title)]
            phrases = tuple(truncate_text(each, _MAX_PHRASE - 1) for each in others)
            kind = head.get("type", "").lower()
            sections[heading] = Section(heading, title, _bounded(told, name), phrases, kind)
    return list(sections.values())[:MAX_SECTIONS]


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    """Return the fields of a file's front matter that name it, by their first lines, and the text below it."""
    head, _, rest = text.partition("\n")
    if head.strip() != "---":
        return {}, text
    fields: dict[str, str] = {}
    lines = rest.split("\n")
    for number, line in enumerate(lines):
        if line.strip() == "---":
            return fields, "\n".join(lines[number + 1 :])
        found = _FIELD.match(line)
        if found:
            fields.setdefault(found["name"], found["words"])
    return {}, text


def _words_of(name: str) -> str:
    """Return the words of a file's name or of a slug."""
    return " ".join(_SLUG_DASHES.sub(" ", name.removesuffix(".md")).split())


def _title(heading: str, subject: str) -> str:
    """Return the title of a section by its heading, after the file's first one where it says little."""
    if not heading or heading == subject or display_width(heading) >= _NAMING:
        return title_from_text(heading) if heading else ""
    return truncate_text(f"{title_from_text(subject)}: {heading}", MAX_TITLE_LENGTH - 1)


def _cut_at_headings(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each heading with the text below it, first the one above any heading."""
    heading, part, in_code = "", list[str](), False
    for line in lines:
        in_code ^= _FENCE.match(line) is not None
        found = None if in_code else _HEADING.match(line)
        if found is None:
            part.append(line)
            continue
        yield heading, "\n".join(part)
        heading, part = found["words"], []
    yield heading, "\n".join(part)


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


def _without_pointers(paragraphs: list[str]) -> list[str]:
    """Return the paragraphs that say something themselves; none where most of them point to files."""
    telling = [each for each in paragraphs if not _is_pointer(each)]
    if 2 * len(telling) <= len(paragraphs):
        return []
    return telling if len(telling) > 1 else [_BULLET.sub("", telling[0], count=1)]


def _is_pointer(paragraph: str) -> bool:
    item = _BULLET.match(paragraph)
    if item is None:
        return False
    is_link = _POINTER.match(paragraph, item.end()) is not None
    return is_link or _SEE.search(paragraph) is not None


def _bounded(paragraphs: list[str], name: str) -> str:
    kept, room = list[str](), _LONGEST
    for paragraph in paragraphs:
        if len(paragraph) > room:
            cut = paragraph[:_LONGEST].rpartition(" ")[0] or paragraph[:_LONGEST]
            return "\n".join([*(kept or [cut]), _CUT.format(name=name)])
        kept.append(paragraph)
        room -= len(paragraph) + 1
    return "\n".join(kept)
