"""Search by meaning, with an encoder that is known: one number for each of a few words, in any language."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.index import encoder, generation
from hooklore.index.vectors import NAME, VectorTable
from hooklore.maintenance.scrub import scrub_store
from hooklore.records.draft import Draft, Principal, ProjectKeys
from hooklore.records.record import Body
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.recall import Recall
from hooklore.retrieval.semantic import search
from hooklore.retrieval.semantic.availability import semantic_unavailable_reason
from hooklore.retrieval.semantic.search import SemanticSearch, SharedEncoder
from hooklore.retrieval.semantic.vector_indexing import VectorIndexer
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
    """An encoder whose vectors say which meanings a text has; `seconds` is how long a question takes."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.passages: list[str] = []

    def passage(self, text: str) -> Any:
        self.passages.append(text)
        return self._row(text)

    def question(self, text: str) -> Any:
        time.sleep(self.seconds)
        return self._row(text)

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


def kept(broker: Broker, *drafts: Draft, words: Words | None = None) -> Words:
    """Keep and index these, encode them, and let recall use that without waiting for anybody."""
    receipts = broker.append(list(drafts))
    assert {receipt.status for receipt in receipts} == {"stored"}
    broker.index()
    broker.refresh()
    words = words or Words()
    search.enable_semantic_for_evaluation(broker, model(words))
    return words


def model(words: Words) -> SharedEncoder:
    return SharedEncoder(lambda: words)  # type: ignore[arg-type,return-value]


def told(broker: Broker, prompt: str, session: str = "s", **who: Any) -> str:
    """What a prompt is answered with."""
    project = broker.project_of(SHOP)
    reader = Principal(project=project.id if project else None, session_id=session, **who)
    asked = RecallQuery("prompt", session_id=session, text=prompt)
    return Recall(broker).answer(asked, reader).text


def found(broker: Broker, prompt: str, **who: Any) -> list[str]:
    """The ids that a prompt finds, best first."""
    project = broker.project_of(SHOP)
    reader = Principal(project=project.id if project else None, session_id="s", **who)
    asked = RecallQuery("prompt", session_id="s", text=prompt)
    return [record.id for record in Recall(broker).search(asked, reader, 10)]


def vectors(place: StoreLocation) -> int:
    """How many vectors the generation in force has."""
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
    kept(broker, memory(ENGLISH), *OTHERS)

    assert ENGLISH in told(broker, JAPANESE)


def test_without_vectors_the_same_question_finds_nothing(broker: Broker) -> None:
    kept(broker, memory(ENGLISH), *OTHERS)
    broker.semantic = None

    assert told(broker, JAPANESE) == ""


def test_a_question_that_is_near_nothing_is_answered_with_nothing(broker: Broker) -> None:
    kept(broker, memory(ENGLISH), *OTHERS)

    assert told(broker, "朝ごはんは何にしようか") == ""


@pytest.mark.req("EV-31")
def test_a_todo_is_found_by_its_words_and_has_no_vector(
    broker: Broker, store: StoreLocation
) -> None:
    todo = memory("Rewrite the payment retry", kind="todo")
    words = kept(broker, memory(ENGLISH), todo)

    assert vectors(store) == 1
    assert not any("Rewrite" in text for text in words.passages)
    assert len(found(broker, "rewrite the payment retry")) == 2
    assert found(broker, JAPANESE)[0] != found(broker, "rewrite")[0]


def test_what_tools_did_has_no_vector(broker: Broker, store: StoreLocation) -> None:
    step = Draft.of(
        SHOP, stream="observation", kind="tool_result", agent_id="claude", basis="tool",
        session_id="s", body=Body.of(tool="Bash", command="make payment"),
    )  # fmt: skip
    kept(broker, step, memory(ENGLISH))

    assert vectors(store) == 1


@pytest.mark.req("RF-27")
def test_what_a_reader_may_not_see_changes_nothing_of_what_it_finds(tmp_path: Path) -> None:
    plain, full = (
        Broker(store_location_at(tmp_path / "plain")),
        Broker(store_location_at(tmp_path / "full")),
    )
    hidden = [
        memory(
            f"{word} payment retry, said in private, {n}", is_private=True, visibility="agent-only",
            agent_id="codex",
        )
        for n, word in enumerate("one two three four five six seven eight".split() * 5)
    ]  # fmt: skip
    said = (memory(ENGLISH), *OTHERS)

    kept(plain, *said)
    kept(full, *said, *hidden)

    for prompt in (JAPANESE, "which payment gets a retry", "who looks after the queue"):
        texts = [
            [broker.get(id_).body.content_md for id_ in found(broker, prompt)]
            for broker in (plain, full)
        ]
        assert texts[0] == texts[1] != []
        assert _notes(told(plain, prompt)) == _notes(told(full, prompt))


def _notes(text: str) -> list[str]:
    """Notes without what is another at each run: ids."""
    return [line.partition(" [")[0] for line in text.splitlines()]


def test_the_same_prompt_of_other_days_does_not_hide_that_two_memories_are_as_near(
    broker: Broker,
) -> None:
    asked_before = [
        Draft.of(
            SHOP, stream="observation", kind="prompt", agent_id="claude", basis="user",
            session_id=f"other{n}", body=Body.of(text=f"{n} {JAPANESE}"),
        )
        for n in range(59)
    ]  # fmt: skip
    rival = memory("Payment retry jobs are named after the bank, which nobody likes.")
    kept(broker, memory(ENGLISH), rival, *OTHERS, *asked_before)

    assert told(broker, JAPANESE) == ""


def test_what_was_forgotten_is_found_by_meaning_no_more_and_leaves_room_for_the_next(
    broker: Broker,
) -> None:
    kept(broker, memory(ENGLISH), *OTHERS)
    gone = next(id_ for id_ in found(broker, JAPANESE) if _text(broker, id_) == ENGLISH)
    tombstone = Draft.of(
        stream="control", kind="tombstone", agent_id="person", scope="global",
        body=Body.of(targets=[gone]),
    )  # fmt: skip

    kept(broker, tombstone, memory("決済の再試行は夜だけにする。理由は昼の負荷。"))

    assert gone not in found(broker, JAPANESE)
    assert ENGLISH not in told(broker, JAPANESE)
    assert "夜だけ" in told(broker, JAPANESE)


def _text(broker: Broker, identity: str) -> str:
    return str(broker.get(identity).body.content_md)


def test_a_question_whose_vector_is_late_is_answered_by_its_words(broker: Broker) -> None:
    slow = Words(seconds=0.5)
    kept(broker, memory(ENGLISH), *OTHERS, words=slow)
    broker.semantic = SemanticSearch(broker.place, model(slow))
    started = time.monotonic()

    by_words = told(broker, "A failed card payment: when is the order closed?")
    took = time.monotonic() - started

    assert ENGLISH in by_words
    assert told(broker, JAPANESE) == ""
    assert took < 0.4  # it did not wait for half a second


def test_after_a_few_late_vectors_nobody_waits_for_the_next(broker: Broker) -> None:
    slow = Words(seconds=0.1)
    kept(broker, memory(ENGLISH), *OTHERS, words=slow)
    broker.semantic = SemanticSearch(broker.place, model(slow))
    waits = []
    for n in range(5):
        question = broker.view.question(f"when is payment number {n} closed")
        asked = RecallQuery("prompt", text=question.text)
        near = broker.semantic.begin(broker, question, asked, {}, 6)
        assert near is not None
        waits.append(near._ticket.until - time.monotonic() > 0)
        near._ticket.is_ready.wait(30.0)
        wait_until(lambda: len(broker.semantic._took) == min(n + 1, 3), "the worker's time")  # type: ignore[union-attr]  # noqa: B023

    assert waits == [True, True, True, False, False]


def test_a_question_whose_vector_is_in_time_is_answered_by_its_meaning(broker: Broker) -> None:
    quick = kept(broker, memory(ENGLISH), *OTHERS)
    broker.semantic = SemanticSearch(broker.place, model(quick), patience=30.0)

    assert ENGLISH in told(broker, JAPANESE)


def test_an_encoder_that_fails_leaves_the_words(broker: Broker) -> None:
    kept(broker, memory(ENGLISH), *OTHERS)

    def broken() -> Any:
        raise RuntimeError("the model is damaged")

    broker.semantic = SemanticSearch(broker.place, SharedEncoder(broken), patience=30.0)

    assert ENGLISH in told(broker, "A failed card payment: when is the order closed?")
    assert broker.semantic.problem == "RuntimeError: the model is damaged"


def test_of_a_long_prompt_one_sentence_is_encoded(broker: Broker) -> None:
    kept(broker, memory(ENGLISH), *OTHERS)
    asked: list[str] = []
    words = Words()
    words.question = lambda text: asked.append(text) or words._row(text)  # type: ignore[method-assign,func-returns-value]
    broker.semantic = SemanticSearch(broker.place, model(words), patience=None)

    told(broker, f"Good morning. I just had a coffee. {JAPANESE}")

    assert asked == [JAPANESE.rstrip("？")]


def test_of_a_long_prompt_the_question_is_encoded_before_sentences_with_rarer_words(
    broker: Broker,
) -> None:
    kept(broker, memory(ENGLISH), *OTHERS)
    asked: list[str] = []
    words = Words()
    words.question = lambda text: asked.append(text) or words._row(text)  # type: ignore[method-assign,func-returns-value]
    broker.semantic = SemanticSearch(broker.place, model(words), patience=None)

    told(broker, "Chromium and wkhtmltopdf disagree about theme.css. when is a payment tried again")

    assert asked == ["when is a payment tried again"]


def test_one_sentence_of_a_prompt_that_is_looked_up_as_a_whole_counts_for_its_share(
    broker: Broker,
) -> None:
    kept(broker, memory(ENGLISH), *OTHERS)
    assert broker.semantic is not None
    asked = RecallQuery("prompt", text="The build is green again. When is a payment tried again?")

    part = broker.semantic.begin(
        broker, broker.view.question("When is a payment tried again"), asked, {}, 6
    )
    whole = broker.semantic.begin(broker, broker.view.question(asked.text), asked, {}, 6)

    assert part is not None
    assert whole is not None
    assert whole._weight == pytest.approx(part._weight * 29 / 56)


def test_one_prompt_waits_for_its_vector_once_however_often_it_is_looked_up(broker: Broker) -> None:
    slow = Words(seconds=0.1)
    kept(broker, memory(ENGLISH), *OTHERS, words=slow)
    broker.semantic = SemanticSearch(broker.place, model(slow))
    asked = RecallQuery("prompt", text="when is payment number 1 closed")

    tickets = []
    for _ in range(3):
        near = broker.semantic.begin(broker, broker.view.question(asked.text), asked, {}, 6)
        assert near is not None
        tickets.append(near._ticket.until)
        time.sleep(0.001)

    assert len(set(tickets)) == 1


def test_a_scrub_takes_the_vectors_away_with_the_index(
    broker: Broker, store: StoreLocation
) -> None:
    kept(broker, memory(ENGLISH), *OTHERS)
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
    words = kept(broker, memory(ENGLISH), *OTHERS)
    first = len(words.passages)
    broker.rebuild()
    broker.refresh()

    search.enable_semantic_for_evaluation(broker, model(words))

    assert len(words.passages) == 2 * first
    assert vectors(store) == first
    assert ENGLISH in told(broker, JAPANESE)


def test_what_is_appended_later_gets_a_vector_and_what_has_one_is_left_alone(
    broker: Broker, store: StoreLocation
) -> None:
    words = kept(broker, *OTHERS)

    kept(broker, memory(ENGLISH), words=words)

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

    search.enable_semantic_for_evaluation(broker, SharedEncoder(lambda: words, mem0=True))  # type: ignore[arg-type,return-value]

    assert found(broker, JAPANESE)[0] == receipts[0].id
    directory = generation.current_generation(store)
    assert directory is not None
    assert (directory / "mem0" / "vectors").is_dir()
    scrub_store(broker, ["order is closed"])
    assert not directory.exists()
