"""Search by meaning, with a known encoder: one number for each of a few words, in any language."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.index import encoder, generation
from hooklore.index.vectors import NAME, VectorTable
from hooklore.maintenance.scrub import scrub_store
from hooklore.records.draft import PERSON, Draft, Principal, ProjectKeys
from hooklore.records.record import Body
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.recall import Recall
from hooklore.retrieval.semantic.availability import semantic_unavailable_reason
from hooklore.retrieval.semantic.search import SemanticSearch, SharedEncoder
from hooklore.retrieval.semantic.semantic_similarity import SemanticComparison
from hooklore.retrieval.semantic.vector_indexing import (
    VectorIndexer,
    enable_semantic_for_evaluation,
)
from tests.conftest import wait_until

np = pytest.importorskip("numpy", reason="the extra `[semantic]` is not installed")

SHOP = ProjectKeys(("dir:/shop",), "shop", "/shop")
MEANINGS = (
    ("payment", "決済"), ("retry", "再試行"), ("backup", "バックアップ"), ("deploy", "リリース"),
    ("colour", "色"), ("invoice", "請求"), ("queue", "待ち行列"), ("index", "索引"),
)  # fmt: skip
ENGLISH = "A failed card payment gets one retry a day, three in all, then the order is closed."
JAPANESE = "決済が失敗したときの再試行はいつまで？"


class Words:
    """An encoder whose vectors say which meanings a text has. A question takes `seconds`."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.passages: list[str] = []

    def passage(self, text: str) -> Any:
        self.passages.append(text)
        return self._row(text)

    def questions(self, texts: Sequence[str]) -> Any:
        time.sleep(self.seconds)
        return np.stack([self._row(text) for text in texts])

    def question(self, text: str) -> Any:
        return self.questions([text])[0]

    def limit_query_time(self, seconds: float) -> int:
        return 20

    def _row(self, text: str) -> Any:
        row = np.full(encoder.DIMENSION, 0.05, np.float32)
        for place, meaning in enumerate(MEANINGS):
            row[place] += sum(word in text.lower() for word in meaning)
        return row / np.linalg.norm(row)


@pytest.fixture
def broker(store: StoreLocation) -> Iterator[Broker]:
    made = Broker(store)
    yield made
    made.close()


def memory(text: str, **fields: object) -> Draft:
    given = {"stream": "memory", "kind": "fact", "agent_id": "claude", "basis": "user"}
    return Draft.of(SHOP, **(given | {"body": Body.of(content_md=text)} | fields))


def store_and_encode(broker: Broker, *drafts: Draft, words: Words | None = None) -> SemanticSearch:
    """Append, index and encode drafts, and return a search in which no vector is late."""
    receipts = broker.append(list(drafts))
    assert {receipt.status for receipt in receipts} == {"stored"}
    broker.index()
    broker.refresh()
    return enable_semantic_for_evaluation(broker.place, model(words or Words()))


def model(words: Words) -> SharedEncoder:
    return SharedEncoder(lambda: words)  # type: ignore[arg-type,return-value]


def told(
    broker: Broker, semantic: SemanticSearch | None, prompt: str, session: str = "s", **who: Any
) -> str:
    """Return the answer to a prompt."""
    project = broker.project_of(SHOP)
    reader = Principal(project=project.id if project else None, session_id=session, **who)
    query = RecallQuery("prompt", session_id=session, text=prompt)
    return Recall(broker, semantic).answer(query, reader).text


def found(broker: Broker, semantic: SemanticSearch | None, prompt: str, **who: Any) -> list[str]:
    """Return the ids that a prompt finds, best first."""
    project = broker.project_of(SHOP)
    reader = Principal(project=project.id if project else None, session_id="s", **who)
    query = RecallQuery("prompt", session_id="s", text=prompt)
    return [record.id for record in Recall(broker, semantic).search(query, reader, 10)]


def compare(
    broker: Broker, semantic: SemanticSearch, query: RecallQuery, text: str | None = None
) -> SemanticComparison:
    """Begin to compare a query, or one sentence of its text."""
    reader = broker.as_reader(PERSON)
    project = broker.project_of(SHOP)
    bins = {f"memory|{project.id}": 1.0} if project else {}
    comparison = semantic.compare(reader, reader.question(text or query.text), query, bins, 6)
    assert comparison is not None
    return comparison


def vectors(place: StoreLocation) -> int:
    """Return the number of vectors of the generation in force."""
    directory = generation.current_generation(place)
    assert directory is not None
    table = VectorTable(directory, Words())  # type: ignore[arg-type]
    try:
        return table.count()
    finally:
        table.close()


OTHERS = tuple(
    memory(text)
    for text in (
        "The backup is looked after by the platform team since spring.",
        "A deploy from the release branch runs each night at two, unless somebody stopped it.",
        "Colour tokens live in theme.css.",
        "Every invoice is rendered by wkhtmltopdf, for Chromium broke pages in the middle of a table.",
        "The queue of mails is drained by one worker.",
        "An index on orders is built concurrently, never in a migration that locks the table.",
    )
)


def test_a_question_in_japanese_finds_what_was_said_in_english(broker: Broker) -> None:
    semantic = store_and_encode(broker, memory(ENGLISH), *OTHERS)

    assert ENGLISH in told(broker, semantic, JAPANESE)


def test_without_vectors_the_same_question_finds_nothing(broker: Broker) -> None:
    store_and_encode(broker, memory(ENGLISH), *OTHERS)

    assert told(broker, None, JAPANESE) == ""


def test_a_question_that_is_near_nothing_is_answered_with_nothing(broker: Broker) -> None:
    semantic = store_and_encode(broker, memory(ENGLISH), *OTHERS)

    assert told(broker, semantic, "朝ごはんは何にしようか") == ""


@pytest.mark.req("EV-31")
def test_a_todo_is_found_by_its_words_and_has_no_vector(
    broker: Broker, store: StoreLocation
) -> None:
    todo, words = memory("Rewrite the payment retry", kind="todo"), Words()
    semantic = store_and_encode(broker, memory(ENGLISH), todo, words=words)

    assert vectors(store) == 1
    assert not any("Rewrite" in text for text in words.passages)
    assert len(found(broker, semantic, "rewrite the payment retry")) == 2
    assert found(broker, semantic, JAPANESE)[0] != found(broker, semantic, "rewrite")[0]


def test_what_tools_did_has_no_vector(broker: Broker, store: StoreLocation) -> None:
    step = Draft.of(
        SHOP, stream="observation", kind="tool_result", agent_id="claude", basis="tool",
        session_id="s", body=Body.of(tool="Bash", command="make payment"),
    )  # fmt: skip
    store_and_encode(broker, step, memory(ENGLISH))

    assert vectors(store) == 1


def test_what_a_reader_may_not_see_changes_nothing_of_what_it_finds(tmp_path: Path) -> None:
    hidden = [
        memory(
            f"{word} payment retry, said in private, {n}", is_private=True, visibility="agent-only",
            agent_id="codex",
        )
        for n, word in enumerate("one two three four five six seven eight".split() * 5)
    ]  # fmt: skip
    said = (memory(ENGLISH), *OTHERS)
    plain, full = (Broker(store_location_at(tmp_path / name)) for name in ("plain", "full"))
    searches = store_and_encode(plain, *said), store_and_encode(full, *said, *hidden)

    for prompt in (JAPANESE, "which payment gets a retry", "who looks after the queue"):
        (texts, notes), (texts_beside, notes_beside) = (
            (
                [_text(broker, id_) for id_ in found(broker, semantic, prompt)],
                _notes(told(broker, semantic, prompt)),
            )
            for broker, semantic in zip((plain, full), searches, strict=True)
        )
        assert texts == texts_beside != []
        assert notes == notes_beside


def _notes(text: str) -> list[str]:
    """Return notes without their ids, which are different in each run."""
    return [line.partition(" [")[0] for line in text.splitlines()]


def test_the_same_prompt_of_other_days_does_not_hide_a_memory(broker: Broker) -> None:
    asked_before = [
        Draft.of(
            SHOP, stream="observation", kind="prompt", agent_id="claude", basis="user",
            session_id=f"other{n}", body=Body.of(text=f"{n} {JAPANESE}"),
        )
        for n in range(59)
    ]  # fmt: skip
    semantic = store_and_encode(broker, memory(ENGLISH), *OTHERS, *asked_before)

    assert ENGLISH in told(broker, semantic, JAPANESE)


def test_what_was_forgotten_is_found_by_meaning_no_more_and_leaves_room_for_the_next(
    broker: Broker,
) -> None:
    semantic = store_and_encode(broker, memory(ENGLISH), *OTHERS)
    gone = next(id_ for id_ in found(broker, semantic, JAPANESE) if _text(broker, id_) == ENGLISH)
    tombstone = Draft.of(
        stream="control", kind="tombstone", agent_id="person", scope="global",
        body=Body.of(targets=[gone]),
    )  # fmt: skip

    night = memory("決済の再試行は夜だけにする。理由は昼の負荷。")
    semantic = store_and_encode(broker, tombstone, night)

    assert gone not in found(broker, semantic, JAPANESE)
    assert ENGLISH not in told(broker, semantic, JAPANESE)
    assert "夜だけ" in told(broker, semantic, JAPANESE)


def _text(broker: Broker, identity: str) -> str:
    return str(broker.as_reader(PERSON).get(identity).body.content_md)


def test_a_question_whose_vector_is_late_is_answered_by_its_words(broker: Broker) -> None:
    slow = Words(seconds=0.5)
    store_and_encode(broker, memory(ENGLISH), *OTHERS, words=slow)
    semantic = SemanticSearch(broker.place, model(slow))
    started = time.monotonic()

    by_words = told(broker, semantic, "A failed card payment: when is the order closed?")
    took = time.monotonic() - started

    assert ENGLISH in by_words
    assert told(broker, semantic, JAPANESE) == ""
    assert took < 0.4  # it did not wait for half a second


def test_after_a_few_late_vectors_nobody_waits_for_the_next(broker: Broker) -> None:
    slow = Words(seconds=0.1)
    store_and_encode(broker, memory(ENGLISH), *OTHERS, words=slow)
    semantic = SemanticSearch(broker.place, model(slow))
    waits = []
    for n in range(5):
        query = RecallQuery("prompt", text=f"when is payment number {n} closed")
        request = compare(broker, semantic, query)._request
        waits.append(request.deadline - time.monotonic() > 0)
        request.is_ready.wait(30.0)
        wait_until(lambda: len(semantic._timings) == min(n + 1, 3), "the worker's time")  # noqa: B023

    assert waits == [True, True, True, False, False]


def test_a_question_whose_vector_is_in_time_is_answered_by_its_meaning(broker: Broker) -> None:
    quick = Words()
    store_and_encode(broker, memory(ENGLISH), *OTHERS, words=quick)
    semantic = SemanticSearch(broker.place, model(quick), patience=30.0)

    assert ENGLISH in told(broker, semantic, JAPANESE)


def test_a_prompt_whose_vector_was_prefetched_is_encoded_once(broker: Broker) -> None:
    store_and_encode(broker, memory(ENGLISH), *OTHERS)
    encoded: list[str] = []
    semantic = SemanticSearch(broker.place, model(listening(encoded)), patience=30.0)

    semantic.prefetch(broker.as_reader(PERSON), JAPANESE)
    wait_until(lambda: len(encoded) == 1, "the prefetched vector")

    assert ENGLISH in told(broker, semantic, JAPANESE)
    assert encoded == [JAPANESE.rstrip("？")]


def test_a_prefetch_of_another_prompt_changes_no_answer(broker: Broker) -> None:
    store_and_encode(broker, memory(ENGLISH), *OTHERS)
    semantic = SemanticSearch(broker.place, model(Words()), patience=30.0)

    Recall(broker, semantic).prefetch("which index is built concurrently")

    assert ENGLISH in told(broker, semantic, JAPANESE)


def test_an_encoder_that_fails_leaves_the_words(broker: Broker) -> None:
    store_and_encode(broker, memory(ENGLISH), *OTHERS)

    def broken() -> Any:
        raise RuntimeError("the model is damaged")

    semantic = SemanticSearch(broker.place, SharedEncoder(broken), patience=30.0)

    assert ENGLISH in told(broker, semantic, "A failed card payment: when is the order closed?")
    assert semantic.problem == "RuntimeError: the model is damaged"


def listening(encoded: list[str]) -> Words:
    """Return an encoder that notes the questions it encodes."""
    words = Words()
    answer = words.questions

    def questions(texts: Sequence[str]) -> Any:
        encoded.extend(texts)
        return answer(texts)

    words.questions = questions  # type: ignore[method-assign]
    return words


def test_all_sentences_of_a_prompt_are_encoded_at_once_the_question_first(broker: Broker) -> None:
    store_and_encode(broker, memory(ENGLISH), *OTHERS)
    encoded: list[str] = []
    semantic = SemanticSearch(broker.place, model(listening(encoded)), patience=None)

    told(broker, semantic, f"Good. I just had a coffee. theme.css is fine. {JAPANESE}")

    assert encoded[0] == JAPANESE.rstrip("？")
    assert set(encoded[1:]) == {
        "I just had a coffee",
        "theme.css is fine",
    }  # one word has no meaning


def test_any_sentence_of_a_prompt_can_find_a_memory_by_its_meaning(broker: Broker) -> None:
    semantic = store_and_encode(broker, memory(ENGLISH), *OTHERS)
    behind = "決済が失敗したら再試行する。Now tell me which breakfast is best?"

    assert ENGLISH in told(broker, semantic, behind)


def test_sentences_for_which_there_is_no_time_are_answered_by_their_words(broker: Broker) -> None:
    store_and_encode(broker, memory(ENGLISH), *OTHERS)
    hurried = Words()
    answer = hurried.questions
    hurried.questions = lambda texts: answer(texts[:1])  # type: ignore[method-assign]
    semantic = SemanticSearch(broker.place, model(hurried), patience=None)
    query = RecallQuery("prompt", text="Is breakfast ready? When is a failed card payment closed?")
    comparisons = [
        compare(broker, semantic, query, text.rstrip("?")) for text in query.text.split("? ")
    ]

    assert sorted(bool(each.merge_hits([], None)) for each in comparisons) == [False, True]


def test_a_prompt_that_is_looked_up_as_a_whole_is_as_near_as_its_nearest_sentence(
    broker: Broker,
) -> None:
    semantic = store_and_encode(broker, memory(ENGLISH), *OTHERS)
    query = RecallQuery("prompt", text="The build is green again. When is a payment tried again?")

    part = compare(broker, semantic, query, "When is a payment tried again")
    whole = compare(broker, semantic, query)

    assert whole._weight == part._weight
    assert _scores(whole)[ENGLISH] >= _scores(part)[ENGLISH] > 0


def _scores(comparison: SemanticComparison) -> dict[str, float]:
    return {str(r.body.content_md): score for score, r in comparison.merge_hits([], None)}


def test_two_memories_with_the_same_phrases_are_not_one(broker: Broker) -> None:
    phrases = ["card payment fails again", "retry a declined card", "how often do we try the bank"]
    one, other = (
        memory(text, body=Body.of(content_md=text, when=phrases))
        for text in ("Three tries, then close it.", "Ask the bank desk for refunds.")
    )
    store_and_encode(broker, one, other)

    shown = told(broker, None, "how often do we try the bank when a card payment fails")

    assert "Three tries" in shown
    assert "refunds" in shown
    assert "and 1 more" not in shown
    assert "declined" not in shown


def test_one_prompt_waits_for_its_vector_once_however_often_it_is_looked_up(broker: Broker) -> None:
    slow = Words(seconds=0.1)
    store_and_encode(broker, memory(ENGLISH), *OTHERS, words=slow)
    semantic = SemanticSearch(broker.place, model(slow))
    query = RecallQuery("prompt", text="when is payment number 1 closed")

    deadlines = []
    for _ in range(3):
        deadlines.append(compare(broker, semantic, query)._request.deadline)
        time.sleep(0.001)

    assert len(set(deadlines)) == 1


def test_a_scrub_takes_the_vectors_away_with_the_index(
    broker: Broker, store: StoreLocation
) -> None:
    store_and_encode(broker, memory(ENGLISH), *OTHERS)
    before = generation.current_generation(store)

    scrub_store(broker, ["order is closed"])

    after = generation.current_generation(store)
    assert before is not None
    assert after is not None
    assert not before.exists()
    assert not (after / NAME).exists()


def test_a_rebuild_begins_without_vectors_and_all_come_back(
    broker: Broker, store: StoreLocation
) -> None:
    words = Words()
    store_and_encode(broker, memory(ENGLISH), *OTHERS, words=words)
    first = len(words.passages)
    broker.rebuild()
    broker.refresh()

    semantic = enable_semantic_for_evaluation(store, model(words))

    assert len(words.passages) == 2 * first
    assert vectors(store) == first
    assert ENGLISH in told(broker, semantic, JAPANESE)


def test_what_is_appended_later_gets_a_vector_and_what_has_one_is_left_alone(
    broker: Broker, store: StoreLocation
) -> None:
    words = Words()
    store_and_encode(broker, *OTHERS, words=words)

    store_and_encode(broker, memory(ENGLISH), words=words)

    assert len(words.passages) == vectors(store) == len(OTHERS) + 1
    assert words.passages[-1] == ENGLISH


def test_only_so_many_are_kept_and_what_was_said_on_purpose_always(
    broker: Broker, store: StoreLocation
) -> None:
    prompts = [
        Draft.of(
            SHOP, stream="observation", kind="prompt", agent_id="claude", basis="user",
            session_id=f"s{n}", body=Body.of(text=f"look at queue number {n}"),
        )
        for n in range(30)
    ]  # fmt: skip
    broker.append([memory(ENGLISH), *prompts])
    broker.index()
    broker.refresh()
    words = Words()

    encoding = VectorIndexer(store, model(words), most=10)
    encoding.all()
    encoding.close()

    assert vectors(store) == 10
    assert words.passages[0] == ENGLISH
    assert {text.split()[-1] for text in words.passages[1:]} == {str(n) for n in range(21, 30)}


def test_encoding_lets_hooks_go_first_between_two_texts(
    broker: Broker, store: StoreLocation
) -> None:
    broker.append(list(OTHERS))
    broker.index()
    waits: list[int] = []
    words = Words()
    encoding = VectorIndexer(store, model(words))

    while encoding.step(lambda: waits.append(len(words.passages))):
        pass
    encoding.close()

    assert waits == list(range(len(OTHERS)))


@pytest.mark.skipif(
    semantic_unavailable_reason("mem0") is not None, reason=str(semantic_unavailable_reason("mem0"))
)
@pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::UserWarning", "ignore::ResourceWarning"
)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_where_the_user_wants_it_mem0_finds_what_words_do_not(
    broker: Broker, store: StoreLocation
) -> None:
    receipts = broker.append([memory(ENGLISH), *OTHERS])
    broker.index()
    broker.refresh()
    words = Words()
    mem0 = SharedEncoder(lambda: words, mem0=True)  # type: ignore[arg-type,return-value]

    semantic = enable_semantic_for_evaluation(store, mem0)

    assert found(broker, semantic, JAPANESE)[0] == receipts[0].id
    directory = generation.current_generation(store)
    assert directory is not None
    assert (directory / "mem0" / "vectors").is_dir()
    scrub_store(broker, ["order is closed"])
    assert not directory.exists()
