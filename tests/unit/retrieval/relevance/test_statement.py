"""Detection of statements among instructions."""

import pytest

from hooklore.retrieval.relevance.statement import is_statement


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
