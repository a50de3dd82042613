"""What redaction leaves over of the secrets that strangers to the rules wrote into commands and tools' output.

`python -m tests.redaction.strangers [FILE.tsv …]` prints the shares of the given files, by default of those in
`tests/fixtures/strangers/`, each template drawn three times.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from hooklore.redaction import redact
from hooklore.redaction.finding import Finding, apply_masks
from hooklore.redaction.rules.command_model import find_in_command
from tests.redaction.prose_examples import Example, read_examples

FOLDER = Path(__file__).parents[1] / "fixtures" / "strangers"
_DRAWS = 3
_PERSONAL = frozenset(("email", "phone"))
"""Rules of what is no secret, and masked all the same."""


def shares(examples: Iterable[Example], *, are_commands: bool) -> tuple[float, float]:
    """Return the share of secrets left over, and of texts without one in which a secret was seen."""
    told, honest = [], []
    for example in examples:
        kept, findings = read(example.text, is_command=are_commands)
        if example.secret is None:
            honest.append(any(found.rule not in _PERSONAL for found in findings))
        else:
            told.append(example.secret in kept)
    return sum(told) / len(told), sum(honest) / len(honest)


def read(text: str, *, is_command: bool) -> tuple[str, list[Finding]]:
    """Return what a record keeps of a command, or of a tool's output, and the findings."""
    kept, findings = redact(text, is_printed=True)
    judged = find_in_command(kept) if is_command else []
    return apply_masks(kept, judged), [*findings, *judged]


def has_commands(name: str) -> bool:
    """Return whether a file holds commands, and no output, by its name."""
    return name.startswith("commands")


def main(paths: Iterable[Path]) -> None:
    """Print a line for each file: left over, touched, name."""
    for path in paths:
        examples = read_examples(path.stem, _DRAWS, path.parent)
        left, touched = shares(examples, are_commands=has_commands(path.stem))
        sys.stdout.write(f"left over {left:.3f}  touched {touched:.4f}  {path.stem}\n")


if __name__ == "__main__":
    main(map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(FOLDER.glob("*.tsv")))
