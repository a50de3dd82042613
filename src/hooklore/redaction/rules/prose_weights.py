"""The weights of the model of prose, which `python -m tests.redaction.prose_training` writes into a file beside."""

import pkgutil
import struct
from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, get_args

from hooklore.redaction.rules.prose_features import PLACES, bit_of, hash_of
from hooklore.redaction.rules.prose_tokens import WordClass

CLASSES: Final[tuple[WordClass, ...]] = get_args(WordClass)
FILE: Final = "prose_weights.bin"
HEADER: Final = struct.Struct(f"<{len(CLASSES)}i")
"""The bias of each class, less the bar that a score must exceed. Behind it come a table for each class, a byte for
each place, and the vocabulary."""

SCALE: Final = 64
"""Steps of a weight of 1. A weight is kept as a whole number of steps, in a byte."""


def _read() -> tuple[dict[WordClass, int], dict[WordClass, Sequence[int]], bytes]:
    """Return the biases and the tables of the classes, and the vocabulary."""
    raw = pkgutil.get_data(__name__.rpartition(".")[0], FILE) or b""
    starts = [HEADER.size + number * PLACES for number in range(len(CLASSES) + 1)]
    tables: dict[WordClass, Sequence[int]] = {
        name: array("b", raw[start : start + PLACES])
        for name, start in zip(CLASSES, starts, strict=False)
    }
    return dict(zip(CLASSES, HEADER.unpack_from(raw), strict=True)), tables, raw[starts[-1] :]


BIASES, TABLES, vocabulary = _read()


@lru_cache(maxsize=1024)
def is_known(word: str) -> bool:
    """Return whether the documents of programs have a word, given in its normal form."""
    bit = bit_of(hash_of(word))
    return vocabulary[bit >> 3] >> (bit & 7) & 1 == 1
