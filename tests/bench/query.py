"""How long the broker takes to answer a prompt: search, filters, gate, frame; no socket, no process."""

import time
from collections.abc import Callable
from typing import Final

from hooklore.broker import Broker
from hooklore.records.draft import Principal
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.recall import Recall
from tests.bench.base import percentile
from tests.bench.corpus import Corpus
from tests.bench.home import Home

Figures = dict[str, float]
Clock = Callable[[], float]

_PROMPTS: Final = 400
_WARM: Final = 20


def measure(
    home: Home, corpus: Corpus, count: int = _PROMPTS, clock: Clock = time.perf_counter
) -> Figures:
    """p50 and p95 in ms of `count` prompts of 12 words, and of a quarter as many of 40 words in four sentences.

    Half of the short ones bear on a memory; the words of the others have the frequencies of the
    corpus, so that most are common ones: the dearest to search for.
    """
    bearing = corpus.bearing_prompts(count // 2, 12)
    common = corpus.prompts(count // 2, 12)
    mixed = [prompt for pair in zip(bearing, common, strict=True) for prompt in pair]
    with home.broker() as broker:
        short, shown = _answer(home, broker, mixed, clock)
        long, _ = _answer(home, broker, corpus.prompts(count // 4, 40, sentences=4), clock)
    assert shown >= count // 8, f"only {shown} prompts were answered"
    return {
        "query_p50_ms": percentile(short, 0.5) * 1e3,
        "query_p95_ms": percentile(short, 0.95) * 1e3,
        "query_40_words_p50_ms": percentile(long, 0.5) * 1e3,
        "query_40_words_p95_ms": percentile(long, 0.95) * 1e3,
        "query_shown": shown / len(mixed),
    }


def _answer(
    home: Home, broker: Broker, prompts: list[str], clock: Clock
) -> tuple[list[float], int]:
    """Seconds of each prompt, asked in a session of its own; how many had an answer."""
    broker.refresh()
    project = broker.project_of(home.keys)
    assert project is not None
    recall, times, shown = Recall(broker), [], 0
    for number, prompt in enumerate(prompts[:_WARM] + prompts):
        session = f"query-{number}"
        who = Principal(session_id=session, project=project.id, branch="main")
        started = clock()
        broker.refresh()
        answer = recall.answer(RecallQuery("prompt", session_id=session, text=prompt), who)
        times.append(clock() - started)
        shown += bool(answer.ids)
    return times[_WARM:], shown
