"""The files of this folder, as values: of each project its memories and its prompts."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Language = Literal["en", "ja"]
Shape = Literal["plain", "behind1", "behind4"]
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Memory:
    """A statement of a team or of one of its people: `kind` is one of the ten kinds of stream `memory`.

    `title` and `topic` are given in one project only.
    """

    id: str
    kind: str
    scope: Literal["project", "global"]
    lang: Language
    text: str
    title: str | None = None
    topic: str | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt to an agent. `gold` is the id of the one memory that bears on the prompt, if any.

    In the shapes `behind1` and `behind4` the question stands after that many other sentences.
    """

    id: str
    lang: Language
    text: str
    gold: str | None
    shape: Shape


PROJECTS = ("shop", "lab3", "clinic")
"""The bar was set on the first and tried on the second, whose authors knew neither it nor each other. The
third was written by strangers, too, and measured once."""


def memories(project: str = "shop") -> list[Memory]:
    """Return all memories, in the order in which they are to be appended."""
    return [Memory(**json.loads(line)) for line in _lines(project, "memories.jsonl")]


def prompts(project: str = "shop") -> list[Prompt]:
    """Return all prompts: a third with a gold memory, two thirds without, mixed."""
    return [Prompt(**json.loads(line)) for line in _lines(project, "prompts.jsonl")]


def phrases(project: str = "shop") -> dict[str, list[str]]:
    """Return by memory the phrases that say when it matters."""
    found: dict[str, list[str]] = json.loads((_HERE / project / "when.json").read_text("utf-8"))
    return found


def _lines(project: str, name: str) -> list[str]:
    # not splitlines(): a memory may hold U+2028, which JSON leaves as it is
    return (_HERE / project / name).read_text("utf-8").rstrip("\n").split("\n")
