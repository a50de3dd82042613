"""Detection of questions and statements among the sentences of a prompt."""

import pytest

from hooklore.retrieval.relevance.sentence_form import asks_for_fact, is_question, is_statement


@pytest.mark.parametrize(
    "sentence",
    [
        "how long does a token live",
        "And which region is that",
        "Can we scale the workers",
        "is the cache warm",
        "どこに置いてありますか",
        "在庫は何時に締まるの",
        "一行何文字まででしたっけ",
    ],
)
def test_a_question_without_its_mark_is_known_by_its_form(sentence: str) -> None:
    assert is_question(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The build is green",
        "Leave the layout alone",
        "isolate the worker",
        "差分は最後に見ます",
        "ここから",
    ],
)
def test_what_tells_or_orders_asks_nothing(sentence: str) -> None:
    assert not is_question(sentence)


def test_a_sentence_with_its_mark_in_the_prompt_asks() -> None:
    assert is_question("the tests pass there", "I pushed it. the tests pass there? Good.")
    assert is_question("急ぎで必要", "急ぎで必要？ならやります。")
    assert not is_question("I pushed it", "I pushed it. the tests pass there? Good.")


@pytest.mark.parametrize(
    "prompt",
    ["how do we store money", "Which is the port of staging", "金額はどう保存していますか。"],
)
def test_a_prompt_that_asks_for_a_fact_is_known_without_its_mark(prompt: str) -> None:
    assert asks_for_fact(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "do the migration of the ledger",
        "Can you rename the column",
        "when a payment fails we retry once",
        "what we agreed: integer yen",
        "how do we store money\nHere is the schema",
        "金額は整数で保存する",
    ],
)
def test_an_order_and_a_statement_ask_for_no_fact(prompt: str) -> None:
    assert not asks_for_fact(prompt)


@pytest.mark.parametrize(
    "text",
    [
        "The payment gateway Kestrel rejects amounts in float, send integer cents",
        "our staging database is wiped every Sunday",
        "I think we said that every feature gets a changeset",
        "ステージングのデータベースは毎週日曜に消えます",
        "決済の gateway は小数を受け付けない。",
    ],
)
def test_a_fact_is_a_statement(text: str) -> None:
    assert is_statement(text)


@pytest.mark.parametrize(
    "text",
    [
        "commit and push all changes",
        "Fix the failing CI actions.",
        "the tests fail:\nTraceback (most recent call last)",
        "the tests fail, why?",
        "コミットして",
        "テストが落ちるので直してください",
        "The " + "very " * 100 + "long one",
        "",
    ],
)
def test_an_order_a_question_and_what_is_pasted_are_none(text: str) -> None:
    assert not is_statement(text)
