"""Texts that hold a secret, and look-alikes that hold none, as strangers to the rules wrote them.

A line of `tests/fixtures/strangers/*.tsv` is a language and a text. ⟦ and ⟧
enclose the secret, ⏎ is a line break, ⇥ a tab, ❴ and ❵ are braces. Braces hold the outline of a token that is drawn
when the text is read: `a`, `A`, `0` and `x` are a small letter, a capital, a digit and a hexadecimal digit, any
other sign is itself.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.redaction.draw import Draw

FOLDER = Path(__file__).parents[1] / "fixtures" / "strangers"
_DRAWN = {
    "a": "abcdefghijklmnopqrstuvwxyz",
    "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "0": "0123456789",
    "x": "0123456789abcdef",
}
_SIGNS = str.maketrans("⏎⇥❴❵", "\n\t{}")
_OUTLINE = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True)
class Example:
    """A text of a language, the span of its secret, and the template that it was made of."""

    language: str
    text: str
    span: tuple[int, int] | None
    template: str

    @property
    def secret(self) -> str | None:
        """The secret, None in a text that tells none."""
        return None if self.span is None else self.text[slice(*self.span)]


def read_examples(name: str, draws: int = 1, folder: Path = FOLDER) -> Iterator[Example]:
    """Yield each template of a file `draws` times, with other tokens each time."""
    for number, line in enumerate((folder / f"{name}.tsv").read_text("utf-8").splitlines()):
        language, _, template = line.partition("\t")
        for draw in range(draws):
            yield draw_example(
                language, template, f"{name} {number}", Draw(f"{name} {number} {draw}")
            )


def draw_example(language: str, template: str, name: str, draw: Draw) -> Example:
    """The text of a template, with other tokens for each source of values."""
    filled = _OUTLINE.sub(lambda found: _drawn(found[1], draw), template).translate(_SIGNS)
    before, opened, rest = filled.partition("⟦")
    if not opened:
        return Example(language, filled, None, name)
    secret, _, after = rest.partition("⟧")
    span = len(before), len(before) + len(secret)
    return Example(language, before + secret + after, span, name)


def _drawn(outline: str, draw: Draw) -> str:
    return "".join(draw.chars(_DRAWN[sign], 1) if sign in _DRAWN else sign for sign in outline)
