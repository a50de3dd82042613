"""Pairs of statements by strangers: which of them `remember` finds to contradict each other."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import store_location_at
from hooklore.memories.deliberate_write import write_as
from hooklore.memories.write_result import WriteResult
from hooklore.requests.arguments import parse_arguments
from hooklore.requests.verbs.remember import RememberArguments
from tests.support.desk import PERSON

_FILES = sorted((Path(__file__).parent.parent / "fixtures" / "statement_pairs").glob("*.jsonl"))
LEAST_PRECISION, LEAST_RECALL = 0.9, 0.45
"""What the judge must reach. Half of the strangers' contradictions share hardly a word."""


def remembered(broker: Broker, text: str) -> WriteResult:
    """What `hooklore remember` answers the person outside of a project."""
    given = parse_arguments(RememberArguments, {"content": text}).arguments
    return write_as(broker, given.to_event({"system": "cli"}), PERSON, None)


def says_otherwise(folder: Path, pair: dict[str, Any]) -> bool:
    """Whether the answer to the second statement names the first as contradicted, or as replaced."""
    broker = Broker(store_location_at(folder))
    first, second = (remembered(broker, pair[name]) for name in ("first", "second"))
    broker.close()
    return first.id in [each.id for each in (*second.beside, *second.replaces)]


@pytest.mark.skipif(not _FILES, reason="no pairs are kept here")
def test_what_contradicts_is_found_and_what_only_adds_is_not(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    pairs = [json.loads(line) for file in _FILES for line in file.read_text().splitlines()]

    found = [says_otherwise(tmp_path / str(n), pair) for n, pair in enumerate(pairs)]

    right = sum(said and pair["contradict"] for said, pair in zip(found, pairs, strict=True))
    precision = right / max(sum(found), 1)
    recall = right / max(sum(pair["contradict"] for pair in pairs), 1)
    figures = f"{len(pairs)} pairs: precision {precision:.3f}, recall {recall:.3f}"
    record_property("statement pairs", figures)
    assert precision >= LEAST_PRECISION, figures
    assert recall >= LEAST_RECALL, figures
