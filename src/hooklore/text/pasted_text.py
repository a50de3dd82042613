"""Tell pasted text from typed text by the form of a prompt's paragraphs.

A document has headings, long paragraphs, speakers with their times, or a farewell. Of a prompt that
holds a document, only a short first and a short last paragraph count as typed. A doubtful paragraph
counts as pasted: an instruction that is missed is said again.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hooklore.text.display_width import display_width

_LONG = 200
_SENTENCES = 4
"""Columns, or sentences, of a paragraph that nobody types between other paragraphs."""

_HEADING_COLUMNS = 45
_MANY = 2
"""Headings, or lines of speakers, that make a document."""

_EMOJI = "\u2600-\u27bf\U0001f300-\U0001faff"
_PLAIN_HEADING = re.compile(
    rf"(?:\d{{1,2}}[.)．、]?\s{{0,3}})?(?:[A-Z{_EMOJI}]|[\u3040-\u9fff])[^\n]{{0,60}}(?<![.,;:!?。、，！？：…)）])\Z"
)
_JAPANESE_SPOKEN = re.compile(r"(?:[てでいたるだなよねかうくすつむ]|ます|です|こと)\Z")
_MARKED_HEADING = re.compile(rf"#{{1,6}} \S|[{_EMOJI}]")
_ITEM = re.compile(r"\s{0,8}(?:[-*+・•]|\d{1,2}[.)])\s?")
_FULL_STOP = re.compile(r"[.!?](?=\s|\Z)|[。！？]")
_STATED = re.compile(r"[.。]\Z")
_SPEAKER = re.compile(
    r"[ \t]*(?:\[?\d{1,2}:\d\d(?: ?[AP]M)?\]?\s{1,4}\S{1,20}(?: \S{1,20})?"
    r"|\S{1,20}(?: \S{1,20})?\s{1,4}\[?\d{1,2}:\d\d(?: ?[AP]M)?\]?)[ \t]*\Z"
)
_FAREWELL = re.compile(
    r"[ \t]*(?:(?:(?:best|kind|warm)(?: regards| wishes)|regards|sincerely|yours (?:truly|sincerely)|cheers)[,.!]?"
    r"|敬具|(?:以上、?)?(?:何卒)?(?:どうぞ)?(?:よろしく|宜しく)(?:お願い|御願い)(?:いた|致)します。?)[ \t]*\Z",
    re.IGNORECASE,
)
_PERSONA = re.compile(r"you are (?:an? |the )\S|あなたは[^。\n]{1,60}です", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Lines without a blank one between them; `start` is the number of the first."""

    start: int
    lines: tuple[str, ...]

    @property
    def numbers(self) -> range:
        return range(self.start, self.start + len(self.lines))

    def is_long(self) -> bool:
        """Return whether the paragraph is longer than what is typed beside others. Items of a list count singly."""
        text = " ".join(line for line in self.lines if not _ITEM.match(line))
        return display_width(text) > _LONG or len(_FULL_STOP.findall(text)) >= _SENTENCES

    def is_line(self) -> bool:
        """Return whether the paragraph is one line that somebody may have typed."""
        return len(self.lines) == 1 and display_width(self.lines[0].strip()) <= _LONG


def blank_pasted_text(text: str) -> str:
    """Return a prompt with blanks in place of what was pasted, so that offsets stay."""
    lines = text.split("\n")
    paragraphs = list(_paragraphs(lines))
    if not _holds_document(paragraphs):
        return text
    typed = {n for paragraph in _typed(paragraphs) for n in paragraph.numbers}
    return "\n".join(line if n in typed else " " * len(line) for n, line in enumerate(lines))


def _paragraphs(lines: list[str]) -> Iterator[_Paragraph]:
    start = 0
    for n, line in enumerate([*lines, ""]):
        if line.strip():
            continue
        if n > start:
            yield _Paragraph(start, tuple(lines[start:n]))
        start = n + 1


def _holds_document(paragraphs: list[_Paragraph]) -> bool:
    lines = [line for paragraph in paragraphs for line in paragraph.lines]
    if len([*filter(_SPEAKER.match, lines)]) >= _MANY or any(
        _FAREWELL.match(line) for line in lines
    ):
        return True
    if len(paragraphs) < _MANY:
        return False
    return (
        any(_MARKED_HEADING.match(line) or _PERSONA.match(line) for line in lines)
        or any(each.is_long() for each in paragraphs)
        or sum(_is_heading(lines, n) for n in range(len(lines))) >= _MANY
    )


def _typed(paragraphs: list[_Paragraph]) -> Iterator[_Paragraph]:
    """Yield the first and the last paragraph of a prompt around a document, where they were typed.

    A first one that reads as a heading is the document's own. So is a last one below a heading, or one
    that ends in a full stop, as the document's sentences do.
    """
    first, last = paragraphs[0], paragraphs[-1]
    if first.is_line() and not _begins_document(paragraphs):
        yield first
    if last is first or not last.is_line() or _STATED.search(last.lines[-1].strip()):
        return
    above = paragraphs[-2]
    if not (len(above.lines) == 1 and _reads_as_heading(above.lines[0])):
        yield last


def _begins_document(paragraphs: list[_Paragraph]) -> bool:
    line = paragraphs[0].lines[0]
    below = paragraphs[1].lines[0] if len(paragraphs) > 1 else ""
    return bool(
        _SPEAKER.match(line)
        or _MARKED_HEADING.match(line)
        or _PERSONA.match(line)
        or (_reads_as_heading(line) and not _MARKED_HEADING.match(below))
    )


def _is_heading(lines: list[str], number: int) -> bool:
    """Return whether a line is a heading: what stands below it is a list, or states something."""
    if number + 1 == len(lines) or not _reads_as_heading(lines[number]):
        return False
    below = lines[number + 1].strip()
    is_other_item = _ITEM.match(below) is not None and _ITEM.match(lines[number]) is None
    has_item_below = re.match(r"[-*・•]", below) is not None
    return is_other_item or has_item_below or _STATED.search(below) is not None


def _reads_as_heading(line: str) -> bool:
    words = line.strip()
    if display_width(words) > _HEADING_COLUMNS or not _PLAIN_HEADING.match(words):
        return False
    return _JAPANESE_SPOKEN.search(words) is None
