"""Fit the model of prose to the strangers' sentences, and write its weights.

`python -m tests.redaction.prose_training [HISTORY…]` writes `redaction/rules/prose_weights.bin`. A history is a
file of hook payloads, whose prompts and answers are honest texts, as the documents of this machine are: without
any, the model takes names of programs for secrets. `--score` fits four times instead, each time without a quarter
of the templates, and prints what the model does on those. Both need scikit-learn (`pip install --group training`),
which nothing else does.
"""

import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, Final

from hooklore.redaction import redact
from hooklore.redaction.rules import prose_weights
from hooklore.redaction.rules.prose_features import (
    PLACES,
    SIDES,
    VOCABULARY_BITS,
    Prose,
    bit_of,
    context_class,
    hash_of,
    place_of,
)
from hooklore.redaction.rules.prose_model import find_candidates
from hooklore.redaction.rules.prose_tokens import WordClass, split_prose
from hooklore.redaction.rules.prose_weights import CLASSES, HEADER, SCALE
from tests.redaction import languages
from tests.redaction.blind import blind_cases
from tests.redaction.blind_honest import HONEST, filled
from tests.redaction.cases import build_cases
from tests.redaction.draw import Draw
from tests.redaction.honest import paragraphs, translations
from tests.redaction.lookalikes import lookalikes
from tests.redaction.prose_examples import FITTED, Example, read_examples
from tests.redaction.regression import is_wrong, meet, meets_any, read_payloads

WEIGHTS: Final = Path(prose_weights.__file__).with_name(prose_weights.FILE)
_DRAWS: Final = 2
_FOLDS: Final = 4
_FREEDOM: Final = 0.5
"""The inverse strength of the regularization (L2): many words weigh a little, and none decides alone. With L1, and
the few weights that it leaves, a third more of the secrets of `unseen.tsv` are left over."""

_BARS: Final[dict[WordClass, float]] = {
    "formed": -0.1,
    "joined": 0.0,
    "digits": 0.2,
    "hexadecimal": 0.7,
    "plain": 1.0,
}
"""What a score must exceed, by class: set so that one in a thousand prompts and answers is touched, and five in a
thousand messages between people, who say more words that no program prints (the model is fitted to neither)."""

_SHARED: Final = len(CLASSES)
"""Behind the tables of the classes lies one that is added to each of them."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word to learn from, its places in the tables, and whether it is of a secret."""

    example: Example
    span: tuple[int, int]
    word_class: WordClass
    places: "array[int]"
    is_secret: bool


def examples(histories: Sequence[Path]) -> Iterator[Example]:
    """Yield the texts to learn from: the strangers', the cases that the rules were written for, honest texts."""
    for history in histories:
        yield from honest_texts(history)
    for name in FITTED:
        yield from read_examples(name, _DRAWS)
    cases = [(case.text, case.secrets) for case in build_cases()]
    cases += [(text, secrets) for _, text, secrets in (*languages.language_cases(), *blind_cases())]
    for text, secrets in cases:
        place = text.find(secrets[0]) if secrets else -1
        if len(text) < 1500 and place >= 0:
            yield Example("case", text, (place, place + len(secrets[0])), text)
    for _, text in lookalikes():
        yield Example("lookalike", text, None, text)
    for text in languages.HONEST:
        yield Example("lookalike", text, None, text)
    for line in HONEST.strip().split("\n"):
        yield Example("honest", filled(Draw(line), line), None, line)
    for text in _honest_documents():
        yield Example("document", text, None, text)


_MOST_OF_A_LANGUAGE: Final = 700


def _honest_documents() -> Iterator[str]:
    """Yield paragraphs of this machine's documents, and messages of its programs in many languages."""
    yield from (paragraph.text for paragraph in paragraphs())
    for messages in translations():
        yield from Random(len(messages)).sample(messages, min(len(messages), _MOST_OF_A_LANGUAGE))


_FEWEST_DOCUMENTS: Final = 3
"""Documents and messages that must have a word, or it is not of the vocabulary."""


def use_vocabulary(bits: bytes) -> None:
    """Let the model read with another vocabulary."""
    prose_weights.vocabulary = bits
    prose_weights.is_known.cache_clear()


def make_vocabulary(histories: Sequence[Path]) -> bytes:
    """Return a bit for each word that the documents and programs of this machine, or the histories, have."""
    counts: Counter[str] = Counter()
    texts = [paragraph.text for paragraph in paragraphs()]
    texts += [example.text for path in histories for example in honest_texts(path)]
    for text in chain(texts, *translations()):
        words = {token.normal_form for token in split_prose(text)}
        counts.update(word for word in words if word[0].isalpha())
    bits = bytearray(1 << (VOCABULARY_BITS - 3))
    for word, count in counts.items():
        if count >= _FEWEST_DOCUMENTS:
            bit = bit_of(hash_of(word))
            bits[bit >> 3] |= 1 << (bit & 7)
    return bytes(bits)


def honest_texts(path: Path) -> Iterator[Example]:
    """Yield the prompts and answers of a history of hook payloads, one JSON object a line, each once."""
    payloads = list(read_payloads(path))
    texts = {p.get(name) for p in payloads for name in ("prompt", "last_assistant_message")}
    for text in sorted(each for each in texts if isinstance(each, str)):
        yield Example("history", text, None, text)


def words_of(example: Example) -> Iterator[Word]:
    """Yield the words of a text that the model judges: those that no rule finds."""
    found = _found_by_rules(example)
    prose = Prose(split_prose(example.text))
    for place, word_class in find_candidates(prose, example.text):
        token = prose.tokens[place]
        span = token.start, token.end
        if not meets_any(span, found):
            is_secret = example.span is not None and meet(span, example.span)
            yield Word(example, span, word_class, _places(prose, place, word_class), is_secret)


def _found_by_rules(example: Example) -> list[tuple[int, int]]:
    return [(f.start, f.end) for f in redact(example.text, is_printed=True).findings]


def _places(prose: Prose, place: int, word_class: WordClass) -> "array[int]":
    """Return the places of a word's features in the tables of its class, laid one behind the other."""
    near = CLASSES.index(word_class) * PLACES
    far = CLASSES.index(context_class(word_class)) * PLACES
    found = array("i", (near + each for each in prose.places(place, word_class)))
    borders = iter(prose.sides(place))
    for salt, first, last in zip(SIDES, borders, borders, strict=True):
        found.extend(far + place_of(salt, word) for word in prose.words[first:last])
    return found


class Fitted:
    """A regression fitted to words."""

    def __init__(self, words: Sequence[Word]) -> None:
        from sklearn.linear_model import LogisticRegression

        self._model = LogisticRegression(C=_FREEDOM, solver="liblinear", max_iter=300)
        self._model.fit(_matrix(words), [word.is_secret for word in words])

    def scores(self, words: Sequence[Word]) -> list[float]:
        """Return the score of each word."""
        return list(self._model.decision_function(_matrix(words)))

    def tables(self) -> tuple[float, Any]:
        """Return the intercept, and the weights of each class by their places."""
        weights = self._model.coef_[0].reshape(_SHARED + 1, PLACES)
        return float(self._model.intercept_[0]), weights[:_SHARED] + weights[_SHARED]


def _matrix(words: Sequence[Word]) -> Any:
    import numpy as np
    from scipy.sparse import csr_matrix

    sizes = np.array([len(word.places) for word in words])
    own = np.concatenate([np.frombuffer(word.places, dtype=np.int32) for word in words])
    rows = np.repeat(np.arange(len(words)), sizes)
    shared = own % PLACES + _SHARED * PLACES
    ones = np.ones(2 * len(own), dtype=np.float32)
    cells = np.concatenate([rows, rows]), np.concatenate([own, shared])
    return csr_matrix((ones, cells), (len(words), (_SHARED + 1) * PLACES))


def score(histories: Sequence[Path]) -> None:
    """Print what is left over and which honest texts are touched, of templates that were not fitted to."""
    use_vocabulary(make_vocabulary(histories))
    words = [word for example in examples(histories) for word in words_of(example)]
    templates = sorted({word.example.template for word in words})
    folds = {name: Draw(name).number(0, _FOLDS - 1) for name in templates}
    accepted: dict[Example, list[tuple[int, int]]] = defaultdict(list)
    for fold in range(_FOLDS):
        seen = [word for word in words if folds[word.example.template] != fold]
        unseen = [word for word in words if folds[word.example.template] == fold]
        for word, value in zip(unseen, Fitted(seen).scores(unseen), strict=True):
            if value > _BARS[word.word_class]:
                accepted[word.example].append(word.span)
    strangers = [example for name in FITTED for example in read_examples(name, _DRAWS)]
    print_table(strangers, accepted)


def print_table(texts: Sequence[Example], accepted: dict[Example, list[tuple[int, int]]]) -> None:
    """Print the shares by language: secrets left over and honest texts touched, by the rules, with the model."""
    shares: dict[tuple[str, bool], list[int]] = defaultdict(lambda: [0, 0, 0])
    for example in texts:
        found = _found_by_rules(example)
        for language in (example.language, "all"):
            share = shares[language, example.span is None]
            share[0] += 1
            share[1] += is_wrong(example, found)
            share[2] += is_wrong(example, [*found, *accepted[example]])
    for (language, is_honest), (count, before, now) in sorted(shares.items()):
        what = "honest texts touched" if is_honest else "secrets left over"
        sys.stdout.write(
            f"{language:4} {what:20} {before / count:.3f} > {now / count:.3f} of {count}\n"
        )


def write(histories: Sequence[Path]) -> None:
    """Fit the model to all words, and write its weights."""
    use_vocabulary(make_vocabulary(histories))
    words = [word for example in examples(histories) for word in words_of(example)]
    intercept, tables = Fitted(words).tables()
    biases = [round((intercept - _BARS[name]) * SCALE) for name in CLASSES]
    steps = (tables * SCALE).round().clip(-127, 127).astype("int8")
    WEIGHTS.write_bytes(HEADER.pack(*biases) + steps.tobytes() + prose_weights.vocabulary)
    sys.stdout.write(f"{int((steps != 0).sum())} weights from {len(words)} words: {WEIGHTS}\n")


if __name__ == "__main__":
    given = [Path(word) for word in sys.argv[1:] if word != "--score"]
    (score if "--score" in sys.argv else write)(given)
