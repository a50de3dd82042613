"""Read what a sentence states: its subject words, its values by kind, and whether it denies.

Two statements are compared by these (`text/opposite_statements.py`). Words without a subject (articles, verbs that
say "is", adverbs of the present) are left out, so that another order or a politer form changes nothing.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from hooklore.text import statement_forms as forms
from hooklore.text.statement_tokens import Token, english_tokens, japanese_tokens
from hooklore.text.statement_words import FRONT, THRESHOLDS

_READ = 1_200
_MAX_SENTENCES = 8
_MAX_TOKENS = 80


@dataclass(frozen=True, slots=True)
class Statement:
    """The subject words of a sentence, its values by kind, and whether it denies.

    `is_unique` says that its subject has one value alone, `is_role` that one person has it. With `is_additive`
    it names one more, with `is_one_of_several` a name or a version is one of several, with `is_cleft` the only
    one, with `is_change` a new one. `beside` are the words in parentheses, and `denied` those of what it says is
    replaced.
    """

    subject: Mapping[str, Token]
    values: Mapping[str, frozenset[str]]
    is_negated: bool
    is_unique: bool
    is_role: bool
    is_additive: bool
    is_one_of_several: bool
    is_cleft: bool
    is_change: bool
    beside: frozenset[str]
    denied: frozenset[str]


@lru_cache(maxsize=512)
def read_statements(text: str) -> tuple[Statement, ...]:
    """Return what the first sentences of a text state. A question, or a tale of what was, states nothing."""
    plain = unicodedata.normalize("NFKC", text[:_READ])
    parts = [part.strip(" .。!") for part in forms.SENTENCE_END.split(plain)]
    stated = [part for part in parts if part and not forms.NO_STATEMENT.search(part)]
    found = (_read(part) for part in stated[:_MAX_SENTENCES])
    return tuple(each for each in found if each.subject or each.values)


def _read(sentence: str) -> Statement:
    aside = " ".join(part for found in forms.ASIDE.findall(sentence) for part in found if part)
    whole = forms.ASIDE.sub(" ", sentence)
    main = _main_clause(whole)
    is_japanese = forms.KANA.search(main) is not None
    denied, rest = _without_negations(main, is_japanese=is_japanese)
    read = japanese_tokens if is_japanese else english_tokens
    tokens = read(rest)
    subject, values = _parted(tokens[:_MAX_TOKENS])
    denied += 0 if values else len(forms.SOFT_NOT.findall(main))
    kinds = {each.kind for each in values}
    return Statement(
        {each.text: each for each in subject if not forms.SOFT_NOT.fullmatch(each.text)},
        {kind: frozenset(each.text for each in values if each.kind == kind) for kind in kinds},
        denied % 2 == 1,
        forms.UNIQUE.search(main) is not None,
        forms.ROLE.search(main) is not None,
        forms.ADDITIVE.search(main) is not None,
        forms.ONE_OF_SEVERAL.search(main) is not None,
        forms.CLEFT.search(main) is not None,
        forms.CHANGE.search(whole) is not None,
        frozenset(each.text for each in read(aside)),
        frozenset(each.text for each in read(whole)) - {each.text for each in tokens},
    )


def _main_clause(sentence: str) -> str:
    """Return a sentence without its reason, the moment it began at, and what it says is replaced."""
    for pattern, made in forms.SIDE_CLAUSES:
        shorter = pattern.sub(made, sentence).strip(" ,、")
        sentence = shorter or sentence
    return sentence


def _without_negations(text: str, *, is_japanese: bool) -> tuple[int, str]:
    """Return how often a clause denies, and the clause without the words that do."""
    for pattern, made in forms.NO_NEGATIONS:
        text = pattern.sub(made, text)
    pattern = forms.JAPANESE_NOT if is_japanese else forms.NOT
    return len(pattern.findall(text)), pattern.sub(" ", text)


def _parted(tokens: list[Token]) -> tuple[list[Token], list[Token]]:
    """Return the subject words and the values of a clause.

    A value before the predicate names the subject (`room 3 has …`), unless nothing else is a value.
    """
    values = [each for each in tokens if each.kind and each.is_predicate]
    early = [each for each in tokens if each.kind and not each.is_predicate]
    last = early[-1] if early and not values else None
    # a number that decides when a rule holds, or a day in front, but none that is the topic
    if last and (
        last.before in THRESHOLDS
        or (last.kind in ("day", "time") and last.before in FRONT and last.behind != "は")
    ):
        values, early = early[-1:], early[:-1]
    return [*(each for each in tokens if not each.kind), *early], values
