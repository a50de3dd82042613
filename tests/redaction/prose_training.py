"""Fit the model of prose to the strangers' sentences, and write its weights.

`python -m tests.redaction.prose_training [HISTORY…]` writes `redaction/rules/prose_weights.py`. A history is a
file of hook payloads, whose prompts and answers are honest texts, as the documents of this machine are: without
any, the model takes names of programs for secrets. `--score` fits four times instead, each time without a quarter
of the templates, and prints what the model does on those. Both need scikit-learn (`pip install --group training`),
which nothing else does.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from hooklore.redaction import redact
from hooklore.redaction.rules import prose_model
from hooklore.redaction.rules.prose_features import Feature
from hooklore.redaction.rules.prose_model import find_candidates
from hooklore.redaction.rules.prose_tokens import WordClass
from tests.redaction.blind import blind_cases
from tests.redaction.blind_honest import HONEST, filled
from tests.redaction.cases import build_cases
from tests.redaction.draw import Draw
from tests.redaction.honest import paragraphs
from tests.redaction.languages import language_cases
from tests.redaction.lookalikes import lookalikes
from tests.redaction.prose_examples import FITTED, Example, read_examples
from tests.redaction.regression import (
    AnyFeature,
    Fitted,
    Row,
    by_kind,
    is_wrong,
    meet,
    meets_any,
    print_weights,
    read_payloads,
)

WEIGHTS: Final = Path(prose_model.__file__).with_name("prose_weights.py")
_DRAWS: Final = 3

_BARS: Final[dict[str, float]] = {
    "formed": 0.3,
    "hexadecimal": 0.3,
    "joined": 0.6,
    "digits": 2.0,
}
"""What a score must exceed, by class: lone digits are mostly numbers of things."""

_FOLDS: Final = 4


def examples(histories: Sequence[Path]) -> Iterator[Example]:
    """Yield the texts to learn from: the strangers', the cases that the rules were written for, honest texts."""
    for history in histories:
        yield from honest_texts(history)
    for name in FITTED:
        yield from read_examples(name, _DRAWS)
    cases = [(case.text, case.secrets) for case in build_cases()]
    cases += [(text, secrets) for _, text, secrets in (*language_cases(), *blind_cases())]
    for text, secrets in cases:
        place = text.find(secrets[0]) if secrets else -1
        if len(text) < 1500 and place >= 0:
            yield Example("case", text, (place, place + len(secrets[0])), text)
    for _, text in lookalikes():
        yield Example("lookalike", text, None, text)
    for line in HONEST.strip().split("\n"):
        yield Example("honest", filled(Draw(line), line), None, line)
    for paragraph in paragraphs():
        yield Example("document", paragraph.text, None, paragraph.text)


def honest_texts(path: Path) -> Iterator[Example]:
    """Yield the prompts and answers of a history of hook payloads, one JSON object a line, each once."""
    payloads = list(read_payloads(path))
    texts = {p.get(name) for p in payloads for name in ("prompt", "last_assistant_message")}
    for text in sorted(each for each in texts if isinstance(each, str)):
        yield Example("history", text, None, text)


def rows_of(example: Example) -> Iterator[Row]:
    """Yield the tokens of a text that the model judges: those that no rule finds."""
    found = _found_by_rules(example)
    for token, word_class, features in find_candidates(example.text):
        span = token.start, token.end
        if not meets_any(span, found):
            is_secret = example.span is not None and meet(span, example.span)
            yield Row(example, span, frozenset(_expanded(word_class, features)), is_secret)


def _found_by_rules(example: Example) -> list[tuple[int, int]]:
    return [(f.start, f.end) for f in redact(example.text, is_printed=True).findings]


def _expanded(word_class: WordClass, features: set[Feature]) -> Iterator[AnyFeature]:
    yield (word_class,)
    for feature in features:
        yield feature
        yield (word_class, *feature)


def score(histories: Sequence[Path]) -> None:
    """Print what is left over and which honest texts are touched, of templates that were not fitted to."""
    rows = [row for example in examples(histories) for row in rows_of(example)]
    templates = sorted({row.example.template for row in rows})
    folds = {name: Draw(name).number(0, _FOLDS - 1) for name in templates}
    accepted: dict[Example, list[tuple[int, int]]] = defaultdict(list)
    for fold in range(_FOLDS):
        seen = [row for row in rows if folds[row.example.template] != fold]
        unseen = [row for row in rows if folds[row.example.template] == fold]
        for row, value in zip(unseen, Fitted(seen).scores(unseen), strict=True):
            if value > _bar(row):
                accepted[row.example].append(row.span)
    strangers = [example for name in FITTED for example in read_examples(name, _DRAWS)]
    print_table(strangers, accepted)


def _bar(row: Row) -> float:
    word_class = next(name for name in _BARS if (name,) in row.features)
    return _BARS[word_class]


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
    """Fit the model to all rows, and write its weights."""
    rows = [row for example in examples(histories) for row in rows_of(example)]
    intercept, weights = Fitted(rows).weights()
    WEIGHTS.write_text("\n".join(_module(intercept, weights)), "utf-8")
    sys.stdout.write(f"{len(weights)} weights from {len(rows)} tokens: {WEIGHTS}\n")


def _module(intercept: float, weights: dict[AnyFeature, float]) -> Iterator[str]:
    """Yield the lines of the module that holds the weights."""
    yield '"""Weights of the model of prose by feature, written by `python -m tests.redaction.prose_training`."""'
    yield from ("", "from hooklore.redaction.rules.prose_tokens import WordClass", "", "# fmt: off")
    yield "BIASES: dict[WordClass, float] = {"
    for name, bar in _BARS.items():
        yield f'    "{name}": {round(intercept - bar + weights.get((name,), 0.0), 2):g},'
    yield from ("}", "", "SHARED: dict[str, dict[str, float]] = {")
    yield from print_weights(by_kind((f, w) for f, w in weights.items() if len(f) == 2), 4)
    yield from (
        "}",
        '"""Weights in all classes of tokens, to which those of its class are added."""',
        "",
    )
    yield "OF_A_CLASS: dict[WordClass, dict[str, dict[str, float]]] = {"
    for name in _BARS:
        of_it = ((f[1:], w) for f, w in weights.items() if len(f) == 3 and f[0] == name)
        yield from (f'    "{name}": {{', *print_weights(by_kind(of_it), 8), "    },")
    yield from ("}", "# fmt: on", "")


if __name__ == "__main__":
    given = [Path(word) for word in sys.argv[1:] if word != "--score"]
    (score if "--score" in sys.argv else write)(given)
