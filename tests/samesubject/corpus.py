"""The two files of this folder, as values."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Language = Literal["en", "ja"]
Shape = Literal["plain", "behind1", "behind4"]
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Memory:
    """What a team or one of its people said: `kind` is one of the ten kinds of stream `memory`."""

    id: str
    kind: str
    scope: Literal["project", "global"]
    lang: Language
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is typed to an agent; `gold` is the id of the one memory that bears on it, if any.

    In the shapes `behind1` and `behind4` the question stands after that many other sentences.
    """

    id: str
    lang: Language
    text: str
    gold: str | None
    shape: Shape


def memories() -> list[Memory]:
    """All 300, in the order in which they are to be appended."""
    return [Memory(**json.loads(line)) for line in _lines("memories.jsonl")]


def prompts() -> list[Prompt]:
    """All 300: 100 with a gold memory, 200 without, mixed."""
    return [Prompt(**json.loads(line)) for line in _lines("prompts.jsonl")]


def _lines(name: str) -> list[str]:
    # not splitlines(): a memory may hold U+2028, which JSON leaves as it is
    return (_HERE / name).read_text("utf-8").rstrip("\n").split("\n")
