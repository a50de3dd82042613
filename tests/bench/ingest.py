"""Measure the Python client: turns of a conversation a second over the resident, and the package's import."""

import os
import time
from typing import Final

from hooklore import Memory
from tests.bench.base import interleaved, medians, run
from tests.bench.home import Home

Figures = dict[str, float]

TURNS: Final = 10_000
_SAID: Final = (
    "I went to the new reading room yesterday, and it was worth the walk",
    "Did you see the two windows on the north side? The light there is wonderful in the morning",
    "Ok",
    (
        "We should book the large table for the third of May, eight people said that they would come. "
        "Ben brings the maps, and I ask the museum for the key"
    ),
)


def measure(home: Home, base: str, rounds: int) -> Figures:
    """Turns a second of a new conversation and of the same again, and the ratio of an import."""
    home.start()
    seconds = [ingest(home, "bench", is_known=is_known) for is_known in (False, True)]
    home.wait_until_indexed()
    return {
        "ingest_turns_s": TURNS / seconds[0],
        "ingest_again_turns_s": TURNS / seconds[1],
        **_import_figures(base, rounds),
    }


def ingest(home: Home, conversation: str, *, turns: int = TURNS, is_known: bool = False) -> float:
    """Hand in all turns of a conversation; the seconds."""
    messages = [
        {
            "author": ("Ada", "Ben")[n % 2],
            "text": f"{_SAID[n % 4]} ({n})",
            "time": 1_772_323_200 + n,
        }
        for n in range(turns)
    ]
    with Memory("chatgpt", folder=home.project, store=home.place.directory) as memory:
        started = time.perf_counter()
        done = memory.ingest(messages, conversation)
        seconds = time.perf_counter() - started
    assert (done.known if is_known else done.stored) == turns
    return seconds


def _import_figures(base: str, rounds: int) -> Figures:
    """Return the ratio of `import hooklore` to nothing, both by an interpreter without `.pth` files."""
    import hooklore

    source = os.path.dirname(os.path.dirname(hooklore.__file__))
    path = f"import sys; sys.path.insert(0, {source!r})"
    codes = {"base": path, "import": f"{path}; import hooklore"}
    tasks = {
        name: lambda code=code: run([base, "-I", "-c", code], {"PATH": "/usr/bin:/bin"}).seconds
        for name, code in codes.items()
    }
    middle = medians(interleaved(tasks, rounds))
    return {"import_x": middle["import"] / middle["base"]}
