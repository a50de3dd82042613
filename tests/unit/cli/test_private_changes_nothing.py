"""The private feature takes nothing from recall: the same questions find the same ids before and after it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.log.line import encode_line
from hooklore.records.draft import Draft
from hooklore.records.record import Body, Record
from hooklore.retrieval.semantic.availability import semantic_unavailable_reason
from tests.samesubject.corpus import Memory, Prompt, memories, prompts
from tests.unit.cli.conftest import Run

Change = Callable[[int, dict[str, Any]], None]
"""Changes the fields of the line with a number."""

MEMORIES = 120
QUESTIONS = 40
QUESTIONS_BY_MEANING = 8
"""Each command loads the model."""


def kept() -> list[Memory]:
    """Return memories of the bench, those first that a question bears on."""
    gold = {prompt.gold for prompt in asked()}
    return sorted(memories(), key=lambda memory: memory.id not in gold)[:MEMORIES]


def asked() -> list[Prompt]:
    """Return questions of the bench, in both languages, that one memory each answers."""
    return [prompt for prompt in prompts() if prompt.gold][:QUESTIONS]


@pytest.fixture
def place(home: Path, monkeypatch: pytest.MonkeyPatch) -> StoreLocation:
    """Return the store that commands read, with the memories of the bench."""
    found = store_location_at(home / "store")
    monkeypatch.setenv("HOOKLORE_HOME", found.root)
    broker = Broker(found)
    receipts = broker.append([_draft(memory) for memory in kept()])
    broker.close()
    assert {receipt.status for receipt in receipts} == {"stored"}
    return found


def _draft(memory: Memory) -> Draft:
    return Draft.of(
        None, stream="memory", kind=memory.kind, agent_id="person", basis="user", scope="global",
        body=Body.of(content_md=memory.text),
    )  # fmt: skip


def rewrite(place: StoreLocation, change: Change, hooklore: Run) -> None:
    """Write the log anew with changed fields and valid hashes, and index it again."""
    lines = []
    for number, line in enumerate(place.log.read_bytes().splitlines()):
        fields = json.loads(line)
        del fields["hash"]
        change(number, fields)
        lines.append(encode_line(Record(fields)))
    place.log.write_bytes(b"".join(lines))
    shutil.rmtree(place.directory / "index", ignore_errors=True)
    assert hooklore("rebuild").rc == 0


def without_the_feature(_: int, fields: dict[str, Any]) -> None:
    """Write a line as a version wrote it that knew nothing of privacy."""
    fields.pop("is_private", None)


def with_the_feature(_: int, fields: dict[str, Any]) -> None:
    """Write a line as today's version does."""
    fields["is_private"] = False


def with_private_memories(number: int, fields: dict[str, Any]) -> None:
    """Mark every third memory as private."""
    fields["is_private"] = number % 3 == 0


def found(hooklore: Run, questions: list[str], command: str) -> list[list[str]]:
    """Return the ids that each question finds by a command, best first."""
    return [[r["id"] for r in hooklore(command, text, "--json").records] for text in questions]


@pytest.mark.req("RF-27")
@pytest.mark.parametrize("command", ["recall", "search"])
def test_every_question_finds_the_ids_that_it_found_before_the_private_feature(
    hooklore: Run, place: StoreLocation, command: str
) -> None:
    questions = [prompt.text for prompt in asked()]

    rewrite(place, without_the_feature, hooklore)
    before = found(hooklore, questions, command)
    rewrite(place, with_the_feature, hooklore)
    after = found(hooklore, questions, command)

    assert after == before
    assert sum(bool(ids) for ids in before) >= 0.9 * QUESTIONS


@pytest.mark.req("RF-27")
def test_their_owner_finds_the_same_ids_when_memories_become_private(
    hooklore: Run, place: StoreLocation
) -> None:
    questions = [prompt.text for prompt in asked()]

    rewrite(place, with_the_feature, hooklore)
    before = found(hooklore, questions, "search")
    rewrite(place, with_private_memories, hooklore)
    after = found(hooklore, questions, "search")

    hidden = [r["id"] for r in hooklore("list", "--json", "--limit", "500").records if r["private"]]
    assert len(hidden) == MEMORIES // 3
    assert after == before
    assert not set(hidden).isdisjoint(id_ for ids in after for id_ in ids)


@pytest.mark.req("RF-27")
@pytest.mark.skipif(
    semantic_unavailable_reason("auto") is not None,
    reason=str(semantic_unavailable_reason("auto")),
)
def test_by_meaning_too_every_question_finds_the_ids_that_it_found_before(
    hooklore: Run, place: StoreLocation
) -> None:
    questions = [prompt.text for prompt in asked()][:QUESTIONS_BY_MEANING]
    by_words = found(hooklore, questions, "recall")

    rewrite(place, without_the_feature, hooklore)
    encode(place)
    before = found(hooklore, questions, "recall")
    rewrite(place, with_the_feature, hooklore)
    encode(place)
    after = found(hooklore, questions, "recall")

    assert after == before
    assert before != by_words


def encode(place: StoreLocation) -> None:
    """Give every memory its vector."""
    from hooklore.retrieval.semantic.search import SharedEncoder
    from hooklore.retrieval.semantic.vector_indexing import enable_semantic_for_evaluation

    enable_semantic_for_evaluation(place, SharedEncoder())
