"""Texts that hold a secret, and look-alikes that hold none, as strangers to the rules wrote them.

A line of `tests/fixtures/prose/*.tsv` and `tests/fixtures/strangers/*.tsv` is a language and a text. ⟦ and ⟧
enclose the secret, ⏎ is a line break, ⇥ a tab, ❴ and ❵ are braces. Braces hold the outline of a token that is drawn
when the text is read: `a`, `A`, `0` and `x` are a small letter, a capital, a digit and a hexadecimal digit, any
other sign is itself.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.redaction.draw import Draw

FOLDER = Path(__file__).parents[1] / "fixtures" / "prose"
FITTED = (
    "chats_of_asia_and_the_east",
    "chats_of_four_languages",
    "chats_of_six_languages",
    "english",
    "german_french_spanish",
    "japanese",
    "mails_of_six_languages",
    "messages_among_people",
    "prompts",
    "prompts_and_chats_of_asia_and_the_east",
    "prompts_and_chats_of_seven_languages",
    "prompts_and_chats_of_two_languages",
    "prompts_and_mails_in_japanese_and_others",
    "prompts_to_agents",
    "short_sentences",
    "tickets_and_pages_of_five_languages",
)
"""The files that the weights were fitted to. Strangers to the rules wrote all but `short_sentences`."""

UNSEEN = "unseen"
"""The file by a stranger that the weights were never fitted to, and never shall be."""

UNSEEN_LATER = (
    "unseen_everyday",
    "unseen_english",
    "unseen_in_eight_languages",
    "unseen_in_five_languages",
    "unseen_japanese",
)
"""Files by further strangers that no weights were fitted to. The first and the third have secrets and look-alikes
in the proportions in which people who write programs tell them."""

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
            yield _example(language, template, f"{name} {number}", Draw(f"{name} {number} {draw}"))


def _example(language: str, template: str, name: str, draw: Draw) -> Example:
    filled = _OUTLINE.sub(lambda found: _drawn(found[1], draw), template).translate(_SIGNS)
    before, opened, rest = filled.partition("⟦")
    if not opened:
        return Example(language, filled, None, name)
    secret, _, after = rest.partition("⟧")
    span = len(before), len(before) + len(secret)
    return Example(language, before + secret + after, span, name)


def _drawn(outline: str, draw: Draw) -> str:
    return "".join(draw.chars(_DRAWN[sign], 1) if sign in _DRAWN else sign for sign in outline)
