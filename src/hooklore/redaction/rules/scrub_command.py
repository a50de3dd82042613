"""What commands of our own hold: the text that `scrub --literal` removes, and the token of a confirmation."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule

_COMMAND = r"\bhook(?:lore|s)[ \t]+scrub\b[^\r\n;|&]*?--literal"
_ARGUMENT = Pattern(rf"""{_COMMAND}(?:=|[ \t]+)(?:"([^"\r\n]+)"|'([^'\r\n]+)'|([^\s"'<>|;&`]+))""")
_NEXT = Pattern(r"""--literal(?:=|[ \t]+)(?:"([^"\r\n]+)"|'([^'\r\n]+)'|([^\s"'<>|;&`]+))""")
_PIPED = Pattern(rf"""\b(?:echo|printf)((?:[ \t]+-\w+)*[ \t]+[^\r\n|]+)\|[^\r\n;|&]*?{_COMMAND}""")
_HERE = Pattern(rf"""{_COMMAND}[^\r\n;|&]*?<<-?""")
_CONFIRMED = Pattern(r"--confirmed[=\s'\"]{1,4}([0-9a-f]{16,64})\b")
_NO_TEXT = (b"-", b"TEXT", b"\xe2\x80\xa6", b"...")


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield tokens, arguments, piped texts, and all text after `<<` or `<<<`."""
    for _, (first, last) in _CONFIRMED.each(raw, start, end):
        yield "confirmation", first, last
    position = start
    while groups := _ARGUMENT.search(raw, position, end):
        line_end = raw.find(b"\n", groups[0][1], end)
        position = end if line_end < 0 else line_end
        for _, *forms in _NEXT.each(raw, groups[0][0], position):
            first, last = next(form for form in forms if form[0] >= 0)
            is_text = raw[first:last] not in _NO_TEXT
            yield "literal", first, last if is_text else first
    for _, (first, last) in _PIPED.each(raw, start, end):
        yield "literal", first + 1, last
    here = _HERE.search(raw, start, end)
    if here is not None and here[0][1] < end:
        yield "literal", here[0][1], end


SCRUB_COMMANDS = Rule("--(?:literal|confirmed)", _find)
