"""Fit the model of commands to the strangers' commands, and write its weights.

`python -m tests.redaction.command_training HISTORY…` writes `redaction/rules/command_weights.py`. A history is a
file of hook payloads, whose commands are honest. `--score` fits once for each file of the strangers instead,
without that file, and prints what the model does on it. Both need scikit-learn (`pip install --group training`).
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from hooklore.redaction import redact
from hooklore.redaction.rules import command_model
from hooklore.redaction.rules.command_features import features_of
from hooklore.redaction.rules.command_words import formed_words, split_command
from tests.redaction.prose_examples import Example, read_examples
from tests.redaction.regression import (
    Fitted,
    Row,
    by_kind,
    is_wrong,
    meet,
    meets_any,
    print_weights,
    read_payloads,
)
from tests.redaction.strangers import FOLDER

WEIGHTS: Final = Path(command_model.__file__).with_name("command_weights.py")
FITTED: Final = (
    "commands",
    "commands_in_many_tools",
    "commands_of_a_working_day",
    "commands_of_many_trades",
)
_DRAWS: Final = 3
_BAR: Final = 0.5
"""What a score must exceed."""


def rows_of(example: Example) -> Iterator[Row]:
    """Yield the words of a command that the model may have to judge. Of an honest one, those that no rule masks."""
    text = example.text
    found = () if example.span else _found_by_rules(text)
    words = split_command(text)
    for place, form in formed_words(text, words):
        span = words[place].start, words[place].end
        if not meets_any(span, found):
            is_secret = example.span is not None and meet(span, example.span)
            features = frozenset(features_of(text, words, place, form))
            yield Row(example, span, features, is_secret)


def _found_by_rules(text: str) -> list[tuple[int, int]]:
    return [(found.start, found.end) for found in redact(text, is_printed=True).findings]


def honest_commands(path: Path) -> Iterator[Example]:
    """Yield the commands of a history of hook payloads, one JSON object a line, each once."""
    inputs = [payload.get("tool_input") for payload in read_payloads(path)]
    commands = {each.get("command") for each in inputs if isinstance(each, dict)}
    for text in sorted(each for each in commands if isinstance(each, str)):
        yield Example("history", text, None, text)


def _rows(histories: Sequence[Path], without: str | None = None) -> list[Row]:
    honest = (each for history in histories for each in honest_commands(history))
    strangers = (
        each for name in FITTED if name != without for each in read_examples(name, _DRAWS, FOLDER)
    )
    return [row for texts in (honest, strangers) for each in texts for row in rows_of(each)]


def score(histories: Sequence[Path]) -> None:
    """Print the shares of each file: secrets left over and honest commands touched, by rules and with the model."""
    for name in FITTED:
        fitted = Fitted(_rows(histories, without=name))
        examples = list(read_examples(name, _DRAWS, FOLDER))
        kept = {True: [0, 0, 0], False: [0, 0, 0]}
        for example in examples:
            by_rules = _found_by_rules(example.text)
            rows = list(rows_of(example))
            scores = fitted.scores(rows) if rows else []
            judged = [row.span for row, value in zip(rows, scores, strict=True) if value > _BAR]
            counts = kept[example.span is not None]
            counts[0] += 1
            counts[1] += is_wrong(example, by_rules)
            counts[2] += is_wrong(example, [*by_rules, *judged])
        left, touched = (
            f"{rules / count:.3f} > {model / count:.3f} of {count}"
            for count, rules, model in (kept[True], kept[False])
        )
        sys.stdout.write(f"left over {left}, honest touched {touched}, {name}\n")


def write(histories: Sequence[Path]) -> None:
    """Fit the model to all rows, and write its weights."""
    rows = _rows(histories)
    intercept, weights = Fitted(rows).weights()
    lines = (
        '"""Weights of the model of commands, written by `python -m tests.redaction.command_training`."""',
        "",
        "# fmt: off",
        f"BIAS = {intercept - _BAR:.2f}",
        "",
        "WEIGHTS: dict[str, dict[str, float]] = {",
        *print_weights(by_kind(weights.items()), 4),
        "}",
        "# fmt: on",
        "",
    )
    WEIGHTS.write_text("\n".join(lines), "utf-8")
    sys.stdout.write(f"{len(weights)} weights from {len(rows)} words: {WEIGHTS}\n")


if __name__ == "__main__":
    given = [Path(word) for word in sys.argv[1:] if word != "--score"]
    (score if "--score" in sys.argv else write)(given)
