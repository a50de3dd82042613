"""What one way in could ask for, every way can: arguments that are left out of the tools' schemas."""

from typing import Any

import pytest

from hooklore.records.draft import Draft
from hooklore.records.record import Body
from tests.unit.requests.conftest import SESSION, Service, memories

PRICES = "All prices are stored net, in cents."
GROSS = "All prices are stored gross, in cents."


def test_recall_tells_at_most_so_many(service: Service) -> None:
    for number in range(4):
        service.people.says(
            f"The price of machine {number} is stored net, in cents of part {number}."
        )

    found = service.ask("recall", query="how are prices of machines stored?", limit=2)

    assert found.success, found
    assert len(memories(found)) == 2


def test_get_looks_in_a_scope_and_tells_earlier_versions(service: Service) -> None:
    first = service.people.says(PRICES, dedupe_key="config:prices", scope="global")
    second = service.people.says(GROSS, dedupe_key="config:prices", scope="global")

    opened = service.ask("get", names=["config:prices"], scope="global", versions=True)
    elsewhere = service.ask("get", names=["config:prices"], scope="agent:claude")

    assert [each["id"] for each in memories(opened)] == [second.id, first.id]
    assert (PRICES in opened.text, GROSS in opened.text) == (True, True)
    assert not elsewhere.success


@pytest.mark.parametrize(
    "words", [{"kind": "decision"}, {"stream": "observation"}, {"since": "2200-01-01"}]
)
def test_a_search_passes_a_filter(service: Service, words: dict[str, Any]) -> None:
    service.people.says(PRICES, kind="fact")

    assert memories(service.ask("search_memories", query="prices cents", kind="fact"))
    assert not memories(service.ask("search_memories", query="prices cents", **words))


def test_what_a_filter_cannot_mean_is_a_problem_that_names_it(service: Service) -> None:
    asked = service.ask("search_memories", query="prices", kind="prize")

    assert not asked.success
    assert asked.problem == "could not read `kind`: `prize` is no kind of record"
    assert asked.hint


def test_a_profile_is_of_a_scope(service: Service) -> None:
    service.people.says("I prefer short answers.", kind="preference", scope="global")

    assert service.ask("profile", scope="global").content
    assert not service.ask("profile", scope="agent:claude").content


def test_a_writer_names_the_basis_of_its_word(service: Service) -> None:
    guessed = service.ask("remember", content="Prices may be rounded up.", basis="inferred")
    claimed = service.ask("remember", content=PRICES, basis="user", session=SESSION)

    assert guessed.content["waits"] == "inferred"
    assert not claimed.success
    assert "leave `--basis` out" in claimed.hint


def test_a_version_that_the_user_has_forgotten_is_told_no_more(service: Service) -> None:
    first = service.people.says(PRICES, dedupe_key="config:prices", scope="global")
    second = service.people.says(GROSS, dedupe_key="config:prices", scope="global")
    tombstone = Draft.of(
        v=1, stream="control", kind="tombstone", agent_id="person", scope="global", basis="user",
        body=Body.of(targets=[first.id]),
    )  # fmt: skip
    assert service.broker.append([tombstone])[0].status == "stored"

    opened = service.ask("get", names=["config:prices"], versions=True)

    assert [each["id"] for each in memories(opened)] == [second.id]
    assert PRICES not in opened.text
