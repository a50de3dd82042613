"""Cases of every rule in disguise: invisible characters, terminal colours, full width, look-alikes.

The disguised text reads the same to a person and to a model. A secret counts as left over when half
of it stands in the masked text after the disguise is taken off.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator

from tests.redaction.cases import Case

INVISIBLE = tuple(
    chr(code)
    for code in (
        0x200B, 0x200C, 0x200D, 0x200E, 0x2060, 0x2062, 0x2063, 0xFEFF, 0x00AD, 0x034F, 0x061C,
        0x180E, 0x202E, 0x2069, 0xFE0F, 0x115F, 0x0007, 0x0000, 0xD83D, 0xE0041, 0x2800, 0x20D0,
        0x1AB0, 0x1DC4, 0xFE20,
    )
)  # fmt: skip
"""Characters that a terminal and a page show as nothing."""

COLOUR = "\x1b[1;32m"
_LOOKS = dict(zip("aceiopsxyABCEHIKMOPTX", "асеіорѕхуАВСЕНІКМОРТХ", strict=True))
_WORD = re.compile(r"[A-Za-z]{3,}")


def wide(text: str) -> str:
    """The text in full width."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def _looking_alike(text: str) -> str:
    """Every second letter that has a look-alike is one: no word is of one alphabet."""
    seen = 0
    made: list[str] = []
    for char in text:
        seen += char in _LOOKS
        made.append(_LOOKS[char] if char in _LOOKS and seen % 2 else char)
    return "".join(made)


def _with_inside(mark: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        half = len(text) // 2
        return text[:half] + mark + text[half:]

    return change


def in_value(case: Case, change: Callable[[str], str]) -> str:
    """The text with its secrets changed."""
    text = case.text
    for secret in sorted(case.secrets, key=len, reverse=True):
        text = text.replace(secret, change(secret))
    return text


def in_label(case: Case, change: Callable[[str], str]) -> str:
    """The text with the words around its secrets changed."""
    ends = "|".join(map(re.escape, sorted(case.secrets, key=len, reverse=True)))
    parts = re.split(f"({ends})", case.text)
    return "".join(
        part if part in case.secrets else _WORD.sub(lambda found: change(found[0]), part)
        for part in parts
    )


def disguises(case: Case, number: int) -> Iterator[tuple[str, str]]:
    """Each disguise by name. `number` chooses the invisible character."""
    hidden = _with_inside(INVISIBLE[number % len(INVISIBLE)])
    coloured = _with_inside(COLOUR)
    yield "invisible in the value", in_value(case, hidden)
    yield "invisible in the label", in_label(case, hidden)
    yield "invisible everywhere", hidden("").join(case.text)
    yield "coloured value", in_value(case, coloured)
    yield "coloured label", in_label(case, coloured)
    yield "full width", wide(case.text)
    yield "full-width value", in_value(case, wide)
    yield "full-width label", in_label(case, wide)
    yield "look-alike value", in_value(case, _looking_alike)
    yield "look-alike label", in_label(case, _looking_alike)


_BACK = {ord(fake): true for true, fake in _LOOKS.items()}
_HIDDEN = re.compile("\x1b\\[[0-9;]*m|[" + "".join(map(re.escape, INVISIBLE)) + "]")


def undisguised(text: str) -> str:
    """The text as it is read."""
    return unicodedata.normalize("NFKC", _HIDDEN.sub("", text).translate(_BACK))
