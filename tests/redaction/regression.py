"""The fitting of a redaction model: tokens to learn from, a logistic regression, and the Python of its weights."""

import gzip
import json
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.redaction.prose_examples import Example

_FEWEST: Final = 3
"""Tokens that must have a feature, or it has no weight."""

_FREEDOM: Final = 0.7
"""The inverse strength of the regularization (L1), which leaves most features without a weight."""

_WIDTH: Final = 115

AnyFeature = tuple[str, ...]
"""A feature of all classes, the same one of one class (with the class before it), or the class alone."""


@dataclass(frozen=True)
class Row:
    """A token to learn from: the template of its text, its features, and whether it is of a secret."""

    example: Example
    span: tuple[int, int]
    features: frozenset[AnyFeature]
    is_secret: bool


def read_payloads(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the hook payloads of a history, one JSON object a line."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two spans have a character in common."""
    return one[0] < other[1] and other[0] < one[1]


def meets_any(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    """Return whether a span has a character in common with one of `others`."""
    return any(meet(span, other) for other in others)


def is_wrong(example: Example, masked: Sequence[tuple[int, int]]) -> bool:
    """Return whether an honest text is touched, or four characters of a secret in a row stay."""
    if example.span is None:
        return bool(masked)
    first, last = example.span
    stays = "".join(
        " " if any(a <= place < b for a, b in masked) else "x" for place in range(first, last)
    )
    return any(len(run) >= min(4, last - first) for run in stays.split())


class Fitted:
    """A regression fitted to rows."""

    def __init__(self, rows: Sequence[Row]) -> None:
        from sklearn.linear_model import LogisticRegression

        counts = Counter(feature for row in rows for feature in row.features)
        known = sorted(feature for feature, count in counts.items() if count >= _FEWEST)
        self._places = {feature: place for place, feature in enumerate(known)}
        self._model = LogisticRegression(
            C=_FREEDOM,
            l1_ratio=1,
            solver="liblinear",
            max_iter=300,
            intercept_scaling=10,
            random_state=0,
        )
        self._model.fit(self._matrix(rows), [row.is_secret for row in rows])

    def _matrix(self, rows: Sequence[Row]) -> Any:
        from scipy.sparse import csr_matrix

        cells = [
            (number, self._places[feature])
            for number, row in enumerate(rows)
            for feature in row.features
            if feature in self._places
        ]
        numbers, places = zip(*cells, strict=True)
        return csr_matrix(([1.0] * len(cells), (numbers, places)), (len(rows), len(self._places)))

    def scores(self, rows: Sequence[Row]) -> list[float]:
        """Return the score of each row; a token above its bar is masked."""
        return list(self._model.decision_function(self._matrix(rows)))

    def weights(self) -> tuple[float, dict[AnyFeature, float]]:
        """Return the intercept, and the weight of each feature that has one."""
        found = zip(self._places, self._model.coef_[0], strict=True)
        return float(self._model.intercept_[0]), {
            feature: round(float(weight), 2) for feature, weight in found if abs(weight) >= 0.02
        }


def by_kind(weights: Iterable[tuple[AnyFeature, float]]) -> dict[str, dict[str, float]]:
    """Return the weights of features of two words, by the first and the second."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for (kind, word), weight in sorted(weights):
        found[kind][word] = weight
    return found


def print_weights(weights: dict[str, dict[str, float]], indent: int) -> Iterator[str]:
    """Yield the lines of the entries of a dictionary, behind `indent` blanks."""
    blank = " " * indent
    for kind, by_word in weights.items():
        yield f'{blank}"{kind}": {{'
        line = f"{blank}   "
        for word, weight in by_word.items():
            entry = f" {_literal(word)}: {weight:g},"
            if _width(line + entry) > _WIDTH:
                yield line
                line = f"{blank}   "
            line += entry
        yield line
        yield f"{blank}}},"


def _literal(word: str) -> str:
    plain = '"' not in word or "'" in word
    return json.dumps(word, ensure_ascii=False) if plain else f"'{word}'"


def _width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in line)
