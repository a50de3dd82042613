"""Explanations, links and questions of a time tell nobody of what is not theirs: the population of the matrix."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.retrieval.explain import explain_recall
from hooklore.retrieval.links import resolve_links
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.recall import Recall
from tests.property.test_access_matrix import Matrix, principals, seen_by


@pytest.fixture(params=[(4, False), (5, True)], ids=["tail", "indexed"])
def matrix(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Matrix]:
    seed, indexed = request.param
    found = Matrix(tmp_path / "store", seed, indexed=indexed)
    yield found
    found.broker.close()


@pytest.mark.req("AU-02", "AC-06")
@pytest.mark.parametrize(
    "text", ["kestrel", "kestrel of today", "what did we do today?", "widget7"]
)
def test_an_explanation_names_only_what_is_permitted(matrix: Matrix, text: str) -> None:
    everything = {r.id: r for r in matrix.everything}
    for who in principals(matrix.broker)[1:]:
        asked = RecallQuery("prompt", session_id=who.session_id, text=text)

        found = explain_recall(matrix.broker, asked, who, 50)

        named = {each.record.id for each in found.candidates} | set(found.found)
        named |= set(found.shown.ids)
        assert all(seen_by(everything[id_], who) for id_ in named)
        assert named.isdisjoint(matrix.ended)
        assert found.hidden <= sum(not seen_by(r, who) for r in matrix.everything)


@pytest.mark.req("RF-22", "AC-06")
def test_a_question_of_a_time_brings_only_what_is_permitted(matrix: Matrix) -> None:
    some = 0
    for who in principals(matrix.broker)[1:]:
        asked = RecallQuery("prompt", session_id="s-9", text="what did we do today?")

        found = Recall(matrix.broker).search(asked, who, 1_000)

        assert all(seen_by(r, who) and r.id not in matrix.ended for r in found)
        some += len(found)
    assert some


@pytest.mark.req("RF-18", "AC-06")
def test_a_link_leads_only_to_what_is_permitted(matrix: Matrix) -> None:
    for who in principals(matrix.broker)[1:]:
        followed = 0
        for record in matrix.everything[:150]:
            found = resolve_links(
                matrix.broker.as_reader(who), f"see {record.id} and [[{record.id}]]"
            )
            is_theirs = seen_by(record, who) and record.id not in matrix.ended
            is_theirs = is_theirs and record.stream != "control"

            assert [r.id for r in found] == [record.id] * is_theirs
            followed += len(found)
        assert followed
