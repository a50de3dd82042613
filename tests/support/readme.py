"""The commands that the README prints, as it prints them."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def block(name: str) -> str:
    """The command under the comment `<!-- name -->`."""
    found = re.search(rf"<!-- {name} -->\n```sh\n(.*?)\n```", README, re.DOTALL)
    assert found is not None, name
    return found[1]


def commands() -> Iterator[list[str]]:
    """Every command of ours in a block of shell, and every one quoted in a sentence."""
    for body in re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL):
        for line in body.splitlines():
            words = shlex.split(line)
            if words and words[0] in ("hooks", "hooklore"):
                yield words
    for quoted in re.findall(r"`((?:hooks|hooklore) [^`…]+)`", README):
        yield shlex.split(quoted)
