"""What each redaction rule is worth: secrets that are left over, and texts that are touched no more, without it.

`python -m tests.redaction.ablation [FOLDER]` switches each rule off, one by one, on the files of strangers (of
`tests/fixtures/strangers` or FOLDER), on the project's own corpus of formats and on its honest paragraphs.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from hooklore.redaction import engine, redact
from hooklore.redaction.pattern import Candidate, Rule
from hooklore.redaction.rules.table import ALL_RULES, RULES
from tests.redaction.cases import build_cases
from tests.redaction.examples import FOLDER, read_examples
from tests.redaction.honest import paragraphs
from tests.redaction.strangers import is_printed


class Text(NamedTuple):
    """A text, the secrets in it, whether a program printed it, and the set that it belongs to."""

    text: str
    secrets: tuple[str, ...]
    is_printed: bool
    of: str


Outcome = tuple[frozenset[int], frozenset[int]]
"""The places of the texts with a secret left over, and of those without one that were touched."""


def texts(folder: Path) -> Iterator[Text]:
    """The texts of strangers by the first word of their file's name, the own corpus, and honest paragraphs."""
    for path in sorted(folder.glob("*.tsv")):
        for each in read_examples(path.stem, folder=folder):
            secrets = () if each.secret is None else (each.secret,)
            yield Text(each.text, secrets, is_printed(path.stem), path.stem.partition("_")[0])
    for case in build_cases():
        yield Text(case.text, case.secrets, False, "own")
    for number, paragraph in enumerate(paragraphs()):
        if number % 3 == 0:
            yield Text(paragraph.text, (), True, "honest")


def outcome(some: Iterable[Text]) -> Outcome:
    """Redact all texts with the rules that are on."""
    engine.use_vendor_rows(())  # forgets what was clean with other rules
    left, touched = set(), set()
    for place, each in enumerate(some):
        kept = redact(each.text, is_printed=each.is_printed).text
        if any(secret in kept for secret in each.secrets):
            left.add(place)
        elif not each.secrets and kept != each.text:
            touched.add(place)
    return frozenset(left), frozenset(touched)


def without(rule: Rule, measure: Callable[[], Outcome]) -> Outcome:
    """The outcome of `measure` while a rule finds nothing."""
    with pytest.MonkeyPatch.context() as patch:
        fewer = tuple(r._replace(find=_nothing) if r is rule else r for r in ALL_RULES)
        patch.setattr(engine, "ALL_RULES", fewer)
        return measure()


def _nothing(_raw: bytes, _start: int, _end: int) -> Iterator[Candidate]:
    return iter(())


def main(folder: Path) -> None:
    """Print a row of a table for each rule."""
    some = list(texts(folder))
    sets = list(dict.fromkeys(each.of for each in some))
    left, touched = outcome(some)
    sys.stdout.write(
        f"| rule | {' | '.join(sets)} | touched no more |\n|{'---|' * (len(sets) + 2)}\n"
    )
    for name, (rule, _) in RULES.items():
        more, fewer = without(rule, lambda: outcome(some))
        counts = [sum(some[place].of == each for place in more - left) for each in sets]
        cells = " | ".join(str(count or "") for count in counts)
        sys.stdout.write(f"| {name} | {cells} | {len(touched - fewer) or ''} |\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
