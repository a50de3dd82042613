"""Secrets that prose tells: a model of what stands around a token, beside the rules of sentences.

The rules of sentences know labels and links, and people tell secrets in more ways than a list has: "oh and
restic wants …", "… ← これがstagingのパス". They also take a test's name for a password where a label stands
near. So each token of prose that may be a secret is judged by its form and the words around it, a finding of
those rules being one more feature. `prose_weights.py` has the weights of a logistic regression. Plain words
that no rule found are not judged: each is as likely a secret as its neighbour.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from hooklore.redaction.finding import Finding
from hooklore.redaction.pattern import TextPattern
from hooklore.redaction.rules.prose_features import Feature, features_of
from hooklore.redaction.rules.prose_tokens import Token, WordClass, classify_word, split_prose

_SPOKEN = "spoken"
"""The rule name of what the rules of sentences find."""

TOLD = "told"
"""The rule name of what the model alone finds."""

RULED: Feature = ("ruled", "")
"""The feature of a token that the rules of sentences found."""

_LONGEST = 16 * 1024
"""Characters of a text that are judged: what one record keeps of a text."""

_MOST_JUDGED = 200
"""Tokens that are judged in one text, at ten microseconds each."""

_FEWEST_WORDS = 2
"""Plain words that a sentence has beside a token, or it is no prose: a command, a path, a row of values."""

_FEWEST_WORDS_RULED = 4
"""The same beside what a rule found: a label with its value is no sentence that could say otherwise."""

_PUBLIC = TextPattern(r"(?i)\b(?:public|publishable|search|site)[ _-]?key[^.!?\n]{0,12}\Z")
_LONGEST_LABEL = 32
"""Characters before a token that may call it public."""

Span = tuple[int, int]


class Judged(NamedTuple):
    """A token of prose that may be a secret, and its features."""

    token: Token
    word_class: WordClass
    features: set[Feature]


def judge_findings(text: str, findings: list[Finding]) -> list[Finding]:
    """Return the findings of a text without those of sentences that the model rejects, and with its own.

    Offsets count in characters. What other rules found stays.
    """
    sure = [found for found in findings if found.rule != _SPOKEN]
    ruled = sorted((found.start, found.end) for found in findings if found.rule == _SPOKEN)
    accepted: list[Span] = []
    rejected: list[Span] = []
    for judged in find_candidates(text, ruled, [(found.start, found.end) for found in sure]):
        span = judged.token.start, judged.token.end
        (accepted if _is_secret(judged) else rejected).append(span)
    kept = [span for span in ruled if _meets(span, accepted) or not _meets(span, rejected)]
    told = [span for span in accepted if not _meets(span, kept)]
    return [
        *sure,
        *(Finding(_SPOKEN, *span) for span in kept),
        *(Finding(TOLD, *span) for span in told),
    ]


def find_candidates(text: str, ruled: Sequence[Span], sure: Sequence[Span]) -> Iterator[Judged]:
    """Yield the tokens of prose that may be secrets, with their features.

    `ruled` are the spans that the rules of sentences found, `sure` those of all other rules, which are not
    judged.
    """
    tokens = split_prose(text[:_LONGEST])
    classes = [classify_word(token.text) for token in tokens]
    words = _count_words(tokens, classes)
    count = 0
    for place, token in enumerate(tokens):
        span = token.start, token.end
        is_ruled = bool(ruled) and _meets(span, ruled)
        word_class = classes[place]
        fewest = _FEWEST_WORDS_RULED if is_ruled else _FEWEST_WORDS
        if word_class is None or words.get(token.sentence, 0) < fewest or _meets(span, sure):
            continue
        if _PUBLIC.search(text, max(0, token.start - _LONGEST_LABEL), token.start):
            continue
        features = features_of(tokens, place, word_class)
        if is_ruled:
            features.add(RULED)
        yield Judged(token, word_class, features)
        count += 1
        if count == _MOST_JUDGED:
            return


def _count_words(tokens: Sequence[Token], classes: Sequence[WordClass | None]) -> dict[int, int]:
    """Return the number of plain words of each sentence."""
    words: dict[int, int] = {}
    for token, word_class in zip(tokens, classes, strict=True):
        if word_class is None and len(token.text) > 1 and token.text[0].isalpha():
            words[token.sentence] = words.get(token.sentence, 0) + 1
    return words


def _meets(span: Span, others: Sequence[Span]) -> bool:
    return any(first < span[1] and span[0] < last for first, last in others)


def _is_secret(judged: Judged) -> bool:
    model = _model()[judged.word_class]
    return model.bias + sum(model.weights.get(feature, 0.0) for feature in judged.features) > 0


class _Model(NamedTuple):
    """The model of one class of tokens."""

    bias: float
    weights: dict[Feature, float]


@cache
def _model() -> dict[WordClass, _Model]:
    from hooklore.redaction.rules.prose_weights import BIASES, OF_A_CLASS, SHARED

    shared = dict(_by_feature(SHARED))
    found: dict[WordClass, _Model] = {}
    for word_class, bias in BIASES.items():
        own = dict(_by_feature(OF_A_CLASS[word_class]))
        weights = {each: shared.get(each, 0.0) + own.get(each, 0.0) for each in (*shared, *own)}
        found[word_class] = _Model(bias, weights)
    return found


def _by_feature(weights: dict[str, dict[str, float]]) -> Iterator[tuple[Feature, float]]:
    for told, by_word in weights.items():
        for word, weight in by_word.items():
            yield (told, word), weight
