"""Compare what is made of failures with what a reader made of them.

    python -m tests.failures.score LABELS.json FOLDER [--ablation]

LABELS.json is a list of {stream, payload, kind, lines, passed_at, fix, harmful}: the stream's file name in
FOLDER, the place of the failure's payload, `failure` or what else it is, the lines that identify it, and
the places of the steps that made it pass. A step is right if it changes a file, or runs a command, of the
reader's steps. Printed are, for each stream and for all: of how many failures
the reader and hooklore agree that they are the project's own; the share whose first line is one of the
reader's; precision and recall of the links; and the harmful fixes that a model would be told.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from hooklore.failures.common_lines import distinctive_lines
from hooklore.failures.equivalent_run import Relation, compare_runs
from hooklore.failures.error_signature import normalize_error_line
from hooklore.failures.fix_evidence import step_subject
from hooklore.failures.fix_reading import read_fix, step_ids
from hooklore.records.record import Body, Record
from tests.ablation import same_command
from tests.failures.stream import RecordedStream, recorded

_FOLLOWED: Final = 500
"""Payloads after the last label that are recorded: a fix comes later than its failure."""

_SHORTEST_PART: Final = 12
"""Characters of the shortest part of a line by which two readers mean the same line."""


def _nothing_repaired(failed: Body, passed: Body) -> Relation | None:
    found = compare_runs(failed, passed)
    return found and Relation.SAME


_EVIDENCE, _LINKS = "hooklore.failures.fix_evidence", "hooklore.failures.fix_links"
_LINES, _COUNTS = "hooklore.failures.error_signature", "hooklore.failures.common_lines"
_RULES: Final[dict[str, tuple[tuple[str, str, Any], ...]]] = {
    "everything": (),
    "lines are not counted": ((_COUNTS, "_is_common", lambda *_: False),),
    "short lines identify, too": ((_COUNTS, "_count_words", lambda _: 99),),
    "a test stands alone": ((_LINES, "_paired", lambda found: found),),
    "no frame of the project": ((_LINES, "project_frame", lambda _: None),),
    "any step is a fix": ((_EVIDENCE, "_touches", lambda *_: True),),
    "evasive steps are fixes": ((_EVIDENCE, "_is_evasive", lambda _: False),),
    "the same command alone": tuple(
        (module, "compare_runs", same_command) for module in (_EVIDENCE, _LINKS)
    ),
    "no repaired command": tuple(
        (module, "compare_runs", _nothing_repaired) for module in (_EVIDENCE, _LINKS)
    ),
    "the error may stay": ((_EVIDENCE, "_shows", lambda *_: False),),
}
"""Each rule with the (module, name, value) that are set while the rule is taken out."""


class Label(NamedTuple):
    """A reader's judgement on one failure of a stream."""

    stream: str
    payload: int
    kind: str
    lines: list[str]
    passed_at: int | None
    fix: list[int]
    harmful: bool


@dataclass
class Score:
    """Counts of what was compared."""

    labels: int = 0
    same_kind: int = 0
    with_line: int = 0
    right_line: int = 0
    links: int = 0
    right_links: int = 0
    fixes: int = 0
    found_fixes: int = 0
    harmful_told: int = 0

    def add(self, other: "Score") -> None:
        """Add another's counts."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def __str__(self) -> str:
        return (
            f"kind {_share(self.same_kind, self.labels)} line {_share(self.right_line, self.with_line)} "
            f"links: precision {_share(self.right_links, self.links)} "
            f"recall {_share(self.found_fixes, self.fixes)} harmful told {self.harmful_told}"
        )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f} ({part}/{whole})" if whole else f"- ({part}/0)"


def main() -> int:
    """Print the scores."""
    parser = argparse.ArgumentParser(prog="python -m tests.failures.score", description=__doc__)
    parser.add_argument("labels", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ablation", action="store_true", help="without one rule each, too")
    parser.add_argument("--misses", action="store_true", help="print where the two differ")
    options = parser.parse_args()
    labels = [Label(**each) for each in json.loads(options.labels.read_text())]
    rules = _RULES if options.ablation else {"everything": ()}
    for rule, changes in rules.items():
        whole = Score()
        with _without(changes):
            for stream in sorted({label.stream for label in labels}):
                of_stream = [label for label in labels if label.stream == stream]
                found = _compare(options.folder / stream, of_stream, misses=options.misses)
                _print(f"{rule:<32} {stream:<28} {found}")
                whole.add(found)
        _print(f"{rule:<32} {'all':<28} {whole}")
    return 0


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@contextmanager
def _without(changes: tuple[tuple[str, str, Any], ...]) -> Iterator[None]:
    """Set each (module, name, value), and set them back afterwards."""
    modules = [(import_module(module), name, value) for module, name, value in changes]
    kept = [getattr(module, name) for module, name, _ in modules]
    for module, name, value in modules:
        setattr(module, name, value)
    try:
        yield
    finally:
        for (module, name, _), value in zip(modules, kept, strict=True):
            setattr(module, name, value)


def _compare(file: Path, labels: list[Label], *, misses: bool) -> Score:
    whole = Score()
    report: Callable[[str], None] = _print if misses else lambda _line: None
    last = max(label.payload for label in labels) + _FOLLOWED
    with tempfile.TemporaryDirectory() as folder, recorded(file, last, Path(folder)) as stream:
        for label in labels:
            whole.add(_judge(stream, label, report))
    return whole


def _judge(stream: RecordedStream, label: Label, report: Callable[[str], None]) -> Score:
    score = Score(labels=1)
    record = stream.record_at(label.payload)
    is_failure = (
        record is not None and record.body.outcome == "failure" and not record.body.stopped_by
    )
    # A probe that found nothing fails like any command: the two are one here.
    score.same_kind = is_failure == (label.kind in ("failure", "exploration"))
    if not score.same_kind:
        report(f"  {label.stream} {label.payload}: a reader says {label.kind}")
    if record is None or label.kind != "failure":
        return score
    _judge_line(stream, record, label, score, report)
    _judge_links(stream, record, label, score, report)
    return score


def _judge_line(
    stream: RecordedStream,
    record: Record,
    label: Label,
    score: Score,
    report: Callable[[str], None],
) -> None:
    accepted = {normalize_error_line(line) for line in label.lines}
    if not accepted:
        return
    lines = distinctive_lines(stream.view, record)
    score.with_line = 1
    score.right_line = bool(lines) and any(_is_same(lines[0], line) for line in accepted)
    if not score.right_line:
        report(f"  {label.stream} {label.payload}: lines {lines} are not {sorted(accepted)}")


def _is_same(ours: str, theirs: str) -> bool:
    """Return whether two normalised lines are one: a reader may have quoted a part, or more."""
    is_part = ours in theirs or theirs in ours
    return ours == theirs or (is_part and min(len(ours), len(theirs)) >= _SHORTEST_PART)


def _judge_links(
    stream: RecordedStream,
    record: Record,
    label: Label,
    score: Score,
    report: Callable[[str], None],
) -> None:
    places = (stream.record_at(place) for place in label.fix)
    steps = {step_subject(step) for step in places if step is not None}
    read = (read_fix(stream.reader, fix) for fix in stream.fixes_of(record))
    told = [fix for fix in read if fix is not None and fix.body.steps]
    touched = {
        step_subject(step)
        for fix in told
        for id_ in step_ids(fix)
        for step in stream.reader.find(id_)[:1]
    }
    is_right = not steps.isdisjoint(touched)
    score.fixes = int(bool(steps) and not label.harmful)
    score.found_fixes = int(bool(score.fixes) and is_right)
    score.links = int(bool(told))
    score.right_links = int(bool(told) and is_right and not label.harmful)
    score.harmful_told = int(bool(told) and label.harmful and is_right)
    if (score.links and not score.right_links) or (score.fixes and not score.found_fixes):
        report(f"  {label.stream} {label.payload}: fix {label.fix} passed {label.passed_at}; told:")
        for fix in told:
            report(f"      {fix.body.text}")


if __name__ == "__main__":
    sys.exit(main())
