"""Remove our own text where it comes back, so that it is never recorded again as something new.

Our text comes back in prompts: Gemini's hold the wrapper of what hooks said. Tools that read a
transcript, our log or a command of ours print our text. Answers quote our notes, and summaries of a
compaction do.
"""

import re

from hooklore.late_pattern import compile_late
from hooklore.prompt.frame import FRAME_TAG, READING_RULE
from hooklore.records.ids import SHORT_ID_PATTERN

_MARK = compile_late(
    rf"(?:<|&lt;|\\+u003c)(?P<end>/?){FRAME_TAG}(?:>|&gt;|\\+u003e)", re.IGNORECASE
)
"""Our tag, plain or as JSON and HTML escape it (Gemini escapes the tag inside its own wrapper)."""

_SENTENCES = (READING_RULE[:40], "Quoted notes from this person's shared m")
"""The beginning of the reading rule, and of an older one that transcripts still have."""
_ID = r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"
_LINE = compile_late(
    # a note with its source, a title with its id
    rf"^[^\n]{{0,4000}}\[{_ID}(?: · [^\n\]]{{1,300}})?\][ \t]*$"
    rf"|^[^\n]{{0,4000}}\[{SHORT_ID_PATTERN} · [^\n\]]{{1,300}}\][ \t]*$"
    rf"|^[>\s]{{0,8}}- [^\n]{{1,4000}}\[{SHORT_ID_PATTERN}\][ \t]*$"
    # a row of `hooklore list`, a record as JSON, ours or the log's own
    rf"|^[ \t]*{_ID}[ \t]{{1,4}}\d{{4}}-\d\d-\d\d[^\n]*$"
    rf'|^[^\n]{{0,40}}"v":\s?\d{{1,3}},\s?"id":\s?"{_ID}"[^\n]*$'
    # notices that stand beside notes
    r"|^[^\n]{0,200}shared memory (?:unreadable|slow): [^\n]*$"
    r"|^[^\n]{0,200}hooklore: captures had stopped[^\n]*$"
    r"|^[ \t]*(?:late: )?\d+ notes?, \d+ tokens? · hooklore last"
    r"(?: · \d+ waits? for you: hooklore pending)?[ \t]*$"
    rf"|^[^\n]{{0,80}}(?:{'|'.join(map(re.escape, _SENTENCES))})[^\n]*$",
    re.MULTILINE,
)
_MARKS = (
    FRAME_TAG, "-7", "shared memory unreadable", "shared memory slow", "captures had stopped", "hooklore last",
    *_SENTENCES,
)  # fmt: skip
"""One of these, or the end of a note, stands in everything that is removed."""
_NOTE_END = compile_late(rf"\[{SHORT_ID_PATTERN}(?:\]| · )")
_WRAPPER = compile_late(
    # the wrapper that an agent puts around a hook's text, once the wrapper is empty
    r"<(hook_context|untrusted_context|system[-_]reminder|system|qwen:user-prompt-submit-context)>"
    r"\s*(?:[A-Z][A-Za-z]{2,30}(?::[\w.-]{1,60})? hook (?:additional context|success):?\s*)?</\1>\s*"
    r"|^[A-Z][A-Za-z]{2,30}(?::[\w.-]{1,60})? hook (?:additional context|success):?[ \t]*$\n?",
    re.MULTILINE,
)
_FRAME_BEGIN = 700
"""Characters in which a frame has its reading rule or the end of its first note."""

_GAP = compile_late(r"\n{3,}")


def strip_echo(text: str) -> str:
    """Return a text without the parts that hooklore put into it. Linear in the length of the text."""
    for mark in _MARKS:  # asked for every text of every event: a generator would take twice as long
        if mark in text:
            break
    else:
        if not _NOTE_END.search(text):
            return text
    left = _LINE.sub("", _without_frames(text))
    if left == text:
        return text
    return _GAP.sub("\n\n", _WRAPPER.sub("", left)).strip()


def _without_frames(text: str) -> str:
    """Return a text without frames: whole ones, and one that the beginning or end of the text cuts."""
    kept: list[str] = []
    at, inside, is_first = 0, -1, True
    for mark in _MARK.finditer(text):
        if mark["end"] and inside >= 0:
            kept.append(text[at:inside])
            at, inside = mark.end(), -1
        elif mark["end"] and is_first and _LINE.search(text, 0, mark.start()):
            at = mark.end()
        elif not mark["end"] and inside < 0:
            inside = mark.start()
        is_first = False
    # a tag begins a frame that was cut off: what has neither the rule nor a note is a mention
    begin = text[inside : inside + _FRAME_BEGIN] if inside >= 0 else ""
    is_frame = any(each in begin for each in _SENTENCES) or _NOTE_END.search(begin)
    return "".join((*kept, text[at:inside] if is_frame else text[at:]))
