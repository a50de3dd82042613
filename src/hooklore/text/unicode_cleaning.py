"""Text without invisible characters, cursor movements and letters that imitate others."""

import re
import unicodedata

_SEQUENCE = re.compile(
    # ESC or its one-character forms: strings (OSC, DCS, APC, PM, SOS) with their contents, then CSI,
    # then the short sequences.
    "(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]{0,4096}(?:\x07|\x1b\\\\|\x9c)?"
    "|(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|\x1b[ -/]*[0-~]"
)
_LINE = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_INVISIBLE_RANGES = (
    (0x00, 0x08), (0x0E, 0x1F), (0x7F, 0x84), (0x86, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F),
    (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
    (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xD800, 0xDFFF), (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFC), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)  # fmt: skip
"""C0 and C1, soft hyphens, fillers, zero-width and bidi characters, variation selectors, tags."""

_INVISIBLE = re.compile("[" + "".join(f"{chr(a)}-{chr(b)}" for a, b in _INVISIBLE_RANGES) + "]")
_REMOVED = re.compile(f"{_INVISIBLE.pattern}|{_LINE.pattern}")
"""The beginnings of all matches of the three patterns. Few texts have any of them."""

_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u2800"
"""Combining marks, and the pattern of Braille without a dot."""

HIDDEN = f"{_SEQUENCE.pattern}|[{_MARKS}]+|(?:{_INVISIBLE.pattern})+"
"""A pattern of terminal sequences, invisible characters, and marks that stand on the letter before them."""

HIDDEN_STARTS = f"{_INVISIBLE.pattern[:-1]}{_MARKS}]"
"""The class of the characters that `HIDDEN` begins with."""

_EMOJI = "\u2190-\u2bff\U0001f000-\U0001faff"
_JOINING_SCRIPTS = "\u0600-\u0dff\u1000-\u109f\u1780-\u18af"
_AT_HOME = re.compile(
    # variants of emoji, signs and ideographs
    "(?<=[^\\s\x00-\x7f])[\ufe00-\ufe0f\U000e0100-\U000e01ef]|(?<=[#*0-9])\ufe0f"
    # joined emoji, letters of Arabic and Indic scripts, the flags of countries' parts, a BOM
    f"|(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])"
    f"|(?<=[{_JOINING_SCRIPTS}])[\u180b-\u180f\u200c\u200d](?=[{_JOINING_SCRIPTS}]|\\s|\\Z)"
    "|(?<=\U0001f3f4)[\U000e0061-\U000e007f]+|\\A\ufeff|\r\n"
)
"""Invisible characters where a keyboard puts them: they change how their neighbours look."""

_LATIN_LOOKALIKES = str.maketrans(
    {
        # Cyrillic, Greek, Armenian and Latin letters that look like another Latin letter
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


def is_plain_ascii(text: str) -> bool:
    """Return whether a text is ASCII without control characters, tabs and line feeds apart: most texts are."""
    return text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()


def has_hidden_characters(text: str) -> bool:
    """Return whether a text holds invisible characters, or terminal sequences, that no keyboard puts there."""
    return not is_plain_ascii(text) and _INVISIBLE.search(_AT_HOME.sub("", text)) is not None


def strip_invisible(text: str) -> str:
    """Return `text` without terminal sequences and invisible characters, every line ended by a newline."""
    if is_plain_ascii(text) or _REMOVED.search(text) is None:
        return text
    return _INVISIBLE.sub("", _SEQUENCE.sub("", _LINE.sub("\n", text)))


def fold_confusables(text: str) -> str:
    """Return `text` in lower case, with each letter that looks Latin as that Latin letter.

    The text is folded character by character, so an offset in the result is the same offset in `text`.
    """
    if text.isascii():
        return text.lower()
    return text.translate(_CONFUSABLES)


def latin_lookalikes(text: str) -> str:
    """Return `text` with each character that looks like an ASCII one as that one, case kept.

    The text is folded character by character, so an offset in the result is the same offset in `text`.
    """
    return text if text.isascii() else _FOREIGN.sub(_same_case, text)


def _lookalike(char: str) -> str:
    if char.isascii():
        return char.lower()
    plain = char.translate(_LATIN_LOOKALIKES)
    if plain == char:
        plain = unicodedata.normalize("NFKC", char).translate(_LATIN_LOOKALIKES)
        if len(plain) != 1:
            plain = unicodedata.normalize("NFD", char)[:1].translate(_LATIN_LOOKALIKES)
    lower = plain.lower()
    return lower if len(lower) == 1 else char


class _ConfusableMap(dict[int, str]):
    """The Latin lookalike of each character, computed when a character first occurs."""

    def __missing__(self, code: int) -> str:
        look = _lookalike(chr(code))
        if len(self) < _MAX_CACHED:
            self[code] = look
        return look


_MAX_CACHED = 16_384
_CONFUSABLES = _ConfusableMap()


_FOREIGN = re.compile("[^\x00-\x7f]+")
"""Runs of other characters: `translate` looks each character up, and most of a text may be ASCII."""


def _same_case(run: re.Match[str]) -> str:
    return run[0].translate(_SAME_CASE)


class _SameCaseMap(dict[int, str]):
    """The ASCII lookalike of each character in the same case, computed when a character first occurs."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        look = char if char.isascii() else _lookalike(char)
        look = look.upper() if char.isupper() else look
        look = look if look.isascii() else char
        if len(self) < _MAX_CACHED:
            self[code] = look
        return look


_SAME_CASE = _SameCaseMap()
