"""Reading what a rule forbids takes no longer for an odd text than for a plain one."""

import time

import pytest

from hooklore.text.prohibition import find_prohibitions

_WORDS = " ".join(f"{a}{b}lantern" for a in "bdfgk" for b in "aeiou")

ODD = {
    "many plain words": _WORDS * 3,
    "one long word": "a" * 600,
    "blanks": "a" + " " * 598,
    "alternatives": "never a, b or c, " * 40,
    "Japanese between letters": "aの" * 300,
    "quoted letters": "`a`" * 200,
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_an_odd_text_is_read_quickly(text: str) -> None:
    begun = time.process_time()

    find_prohibitions(text)

    assert time.process_time() - begun < 0.1
