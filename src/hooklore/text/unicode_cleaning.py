"""What of a text a reader sees: without what is invisible, moves a cursor, or only looks like a letter."""

import re
import unicodedata

_SEQUENCE = re.compile(
    # ESC or its one-character forms: strings (OSC, DCS, APC, PM, SOS) with what they hold, then CSI,
    # then the short ones.
    "(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]{0,4096}(?:\x07|\x1b\\\\|\x9c)?"
    "|(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|\x1b[ -/]*[0-~]"
)
_LINE = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_UNSEEN = (
    (0x00, 0x08), (0x0E, 0x1F), (0x7F, 0x84), (0x86, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F),
    (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
    (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xD800, 0xDFFF), (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFC), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)  # fmt: skip
"""C0 and C1, soft hyphens, fillers, zero-width and bidi characters, variation selectors, tags."""

_INVISIBLE = re.compile("[" + "".join(f"{chr(a)}-{chr(b)}" for a, b in _UNSEEN) + "]")

_LOOK = str.maketrans(
    {
        # Cyrillic, Greek, Armenian and Latin letters that are drawn like another Latin one
        **dict(
            zip("аɑαاеёєοоօсϲруүхіїıјѕԛԝһնոացⅼӏ", "aaaaeeeoooccpyyxiiijsqwhnnwgll", strict=True)
        ),
        **dict(zip("АВЕКМНОРСТУХІЅЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "abekmhopctyxisjabezhikmnoptyx", strict=True)),
        **dict(zip("мткԁɡνκτѵυ", "mtkdgvktvu", strict=True)),
        # brackets, bars and hyphens
        **dict(zip("‹〈⟨❮❰˂ᐸ⧼", "<" * 8, strict=True)),
        **dict(zip("›〉⟩❯❱˃ᐳ⧽", ">" * 8, strict=True)),
        **dict(zip("∣ǀ│❘", "|" * 4, strict=True)),
        **dict(zip("⁄∕╱⧸", "/" * 4, strict=True)),
        **dict(zip("‐‑‒–—−﹘\u2581", "-------_", strict=True)),
    }
)


def strip_invisible(text: str) -> str:
    """A text without terminal sequences, control and invisible characters; every line ends in a newline."""
    if text.isascii() and text.isprintable():
        return text
    return _INVISIBLE.sub("", _SEQUENCE.sub("", _LINE.sub("\n", text)))


def fold_confusables(text: str) -> str:
    """A text as it looks, in lower-case Latin where it looks like that; as long as `text`.

    Character by character: an offset in one is the same offset in the other.
    """
    if text.isascii():
        return text.lower()
    return text.translate(_LOOKS)


def _as_it_looks(char: str) -> str:
    if char.isascii():
        return char.lower()
    plain = char.translate(_LOOK)
    if plain == char:
        plain = unicodedata.normalize("NFKC", char).translate(_LOOK)
        if len(plain) != 1:
            plain = unicodedata.normalize("NFD", char)[:1].translate(_LOOK)
    lower = plain.lower()
    return lower if len(lower) == 1 else char


class _ConfusableMap(dict[int, str]):
    """How each character looks, found out when it is first met."""

    def __missing__(self, code: int) -> str:
        look = _as_it_looks(chr(code))
        if len(self) < _HELD:
            self[code] = look
        return look


_HELD = 16_384
_LOOKS = _ConfusableMap()
