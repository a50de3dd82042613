"""`python -m tests.bench.meaning`: what the search by meaning adds to a prompt's hook, with the extra `[semantic]`.

Two homes with shop's 300 memories, one of which searches by words alone, answer the same prompts in turn.
"""

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from hooklore.broker import Broker
from hooklore.records.draft import Draft
from hooklore.records.record import Body
from tests.bench.base import percentile
from tests.bench.home import Home, furnished
from tests.samesubject.corpus import memories, prompts

_PROMPTS: Final = 150
_ENCODING_SECONDS: Final = 60.0
"""Seconds in which a resident encodes 300 memories on a quiet core."""

_PAUSE_SECONDS: Final = 0.02


def main() -> int:
    """Print the milliseconds of a prompt's hook by words and by meaning, and the difference."""
    with tempfile.TemporaryDirectory(prefix="hooklore-bench-") as folder:
        directory = Path(folder)
        with furnished(directory / "words") as words, furnished(directory / "meaning") as meaning:
            _fill(words, "off")
            _fill(meaning, "auto")
            figures = _measure(words, meaning)
    print(json.dumps(figures, indent=1))  # noqa: T201 - the figures are what this is for
    return 0


def _fill(home: Home, semantic: str) -> None:
    home.place.directory.mkdir(parents=True, exist_ok=True)
    home.place.config.write_text(f'[recall]\nsemantic = "{semantic}"\n')
    broker = Broker(home.place)
    broker.append([_draft(home, each.text) for each in memories("shop")])
    broker.rebuild()
    broker.close()
    home.start()


def _draft(home: Home, text: str) -> Draft:
    return Draft.of(
        home.keys, stream="memory", kind="decision", agent_id="person", basis="user",
        body=Body.of(content_md=text).to_json(),
    )  # fmt: skip


def _measure(words: Home, meaning: Home) -> dict[str, float]:
    time.sleep(_ENCODING_SECONDS)
    taken: dict[str, list[float]] = {"words": [], "meaning": []}
    for prompt in prompts("shop")[:_PROMPTS]:
        taken["words"].append(_milliseconds(words, prompt.text))
        taken["meaning"].append(_milliseconds(meaning, prompt.text))
        time.sleep(_PAUSE_SECONDS)
    figures = {f"{name}_p50_ms": statistics.median(each) for name, each in taken.items()}
    figures |= {f"{name}_p95_ms": percentile(each, 0.95) for name, each in taken.items()}
    more = {
        f"more_{at}_ms": figures[f"meaning_{at}_ms"] - figures[f"words_{at}_ms"]
        for at in ("p50", "p95")
    }
    return {name: round(value, 1) for name, value in (figures | more).items()}


def _milliseconds(home: Home, prompt: str) -> float:
    given = home.payload("UserPromptSubmit", f"prompt-{time.time_ns()}", prompt=prompt)
    return home.hook("UserPromptSubmit", given).seconds * 1e3


if __name__ == "__main__":
    sys.exit(main())
