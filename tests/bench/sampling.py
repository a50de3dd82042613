"""`python -m tests.bench.sampling FOLDER`: one side of a comparison. Furnishes a home below FOLDER.

Prints `{}` when that is done, then for each line on stdin, the name of a probe, the figures of one sample as a line
of JSON. It ends with stdin.
"""

import json
import sys
from pathlib import Path

from tests.bench.probes import furnished_sampler


def main(folder: str) -> int:
    """Answer until stdin ends; return the exit status."""
    with furnished_sampler(Path(folder)) as sampler:
        _print({})
        for line in sys.stdin:
            _print(sampler.take(line.strip()))
    return 0


def _print(figures: dict[str, float]) -> None:
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
