"""Play recorded streams again, and read what they showed.

python -m tests.replay FILE [--sessions-at-once N]
python -m tests.replay FILE… --read N [--seed S] > LABELS
python -m tests.replay --score LABELS

The first prints a report as JSON, and ends with 1 when a payload is not accounted for. `--read` prints N of the
shown items with what followed, drawn from all the files. A reader fills in their labels, and `--score` counts.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tests.conftest import end_hooks
from tests.replay.labels import LabelsInvalidError, count, read_labels
from tests.replay.play import Payload, Report, install, read, relocate, replay
from tests.replay.reading import INTRODUCTION, Item, draw, list_items, name_of, render


def main() -> int:
    """Replay, read or score, as the options say."""
    parser = argparse.ArgumentParser(prog="python -m tests.replay")
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE")
    parser.add_argument("--sessions-at-once", type=int, default=1)
    parser.add_argument("--read", type=int, metavar="N", help="print N of the shown items")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--score", type=Path, metavar="LABELS", help="count a reader's labels")
    options = parser.parse_args()
    if options.score:
        return _score(options.score)
    if not options.files or (len(options.files) > 1 and options.read is None):
        parser.error("one FILE to report on, or several with --read")
    if options.read is not None:
        return _read(options.files, options.read, options.seed)
    _, report = _play(options.files[0], options.sessions_at_once)
    sys.stdout.write(report.as_json() + os.linesep)
    return 1 if report.missing or report.doubled or report.failed or report.late else 0


def _score(labels: Path) -> int:
    try:
        sys.stdout.write(count(read_labels(labels)) + os.linesep)
    except (LabelsInvalidError, OSError) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


def _read(files: list[Path], number: int, seed: int) -> int:
    """Print items of all the files, as many of each as of another where they have them."""
    streams: dict[str, list[Payload]] = {}
    drawn: list[Item] = []
    for left, file in zip(range(len(files), 0, -1), files, strict=True):
        payloads, report = _play(file)
        streams[name_of(file)] = payloads
        items = list_items(name_of(file), payloads, report)
        drawn += draw(items, (number - len(drawn)) // left, seed)
    sys.stdout.write(INTRODUCTION)
    for item in drawn:
        sys.stdout.write(f"\n{render(item, streams[item.stream])}")
    return 0


def _play(file: Path, at_once: int = 1) -> tuple[list[Payload], Report]:
    """Play a file on a new machine."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        install(home)
        try:
            payloads = relocate(read(file), home / "project")
            return payloads, replay(payloads, home, at_once)
        finally:
            end_hooks(Path(folder))


if __name__ == "__main__":
    sys.exit(main())
