"""What redaction leaves over of the secrets that strangers to the rules wrote, and what it touches without one.

`python -m tests.redaction.strangers [FILE.tsv …]` prints the shares of the given files, by default of those in
`tests/fixtures/strangers/`, each template drawn three times. A file named for commands, outputs, configurations or
keys is read as a program prints it, any other as a person writes it.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from hooklore.redaction import redact
from tests.redaction.examples import FOLDER, Example, read_examples

_DRAWS = 3
_PERSONAL = frozenset(("email", "phone"))
"""Rules of what is no secret, and masked all the same."""

_PRINTED = ("commands", "outputs", "configurations", "keys")


def shares(examples: Iterable[Example], *, is_printed: bool) -> tuple[float, float]:
    """Return the share of secrets left over, and of texts without one in which a secret was seen."""
    told, honest = [], []
    for example in examples:
        kept, findings = redact(example.text, is_printed=is_printed)
        if example.secret is None:
            honest.append(any(found.rule not in _PERSONAL for found in findings))
        else:
            told.append(example.secret in kept)
    return sum(told) / len(told), sum(honest) / len(honest)


def is_printed(name: str) -> bool:
    """Return whether a file holds what programs print, by its name."""
    return name.startswith(_PRINTED)


def main(paths: Iterable[Path]) -> None:
    """Print a line for each file: left over, touched, name."""
    for path in paths:
        examples = read_examples(path.stem, _DRAWS, path.parent)
        left, touched = shares(examples, is_printed=is_printed(path.stem))
        sys.stdout.write(f"left over {left:.3f}  touched {touched:.4f}  {path.stem}\n")


if __name__ == "__main__":
    main(map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(FOLDER.glob("*.tsv")))
