"""The five verbs that every agent has: remember, recall, get, search_memories, wake_up."""

import re

import pytest

from hooklore.memories.usage import load_usage
from hooklore.requests.verbs.remember import RememberArguments
from tests.unit.requests.conftest import Service, memories

PRICES = "All prices are stored net, in cents."


def test_what_a_person_said_comes_to_every_agent_with_its_id_and_flag(service: Service) -> None:
    kept = service.people.says(PRICES, title="Prices are net")

    for agent in ("claude", "codex", "gemini"):
        told = service.ask("recall", agent, query="how are prices stored?")

        assert told.success, told
        assert re.search(r"^1 related memory:$", told.text, re.MULTILINE)
        assert re.search(
            r"^1\. \[\d{4}-\d\d-\d\d\] .*net, in cents\..*private: false\)", told.text, re.MULTILINE
        )
        assert told.text.startswith("<hooklore-notes>")
        (memory,) = memories(told)
        assert (memory["id"], memory["private"]) == (kept.id, False)


def test_a_memory_is_opened_in_full_by_id_and_title(service: Service) -> None:
    kept = service.people.says(PRICES, title="Prices are net")

    for name in (kept.id, "prices are net"):
        opened = service.ask("get", names=[name])

        assert opened.success
        assert PRICES in opened.text
        assert [each["id"] for each in memories(opened)] == [kept.id]


def test_a_name_that_leads_nowhere_is_no_success_and_says_what_to_do(service: Service) -> None:
    opened = service.ask("get", names=["no such thing"])

    assert not opened.success
    assert opened.problem.startswith("could not find")
    assert opened.hint
    assert memories(opened) == []


@pytest.mark.req("MC-03")
def test_a_search_changes_no_count_of_readings_and_opening_does(service: Service) -> None:
    kept = service.people.says(PRICES)

    found = service.ask("search_memories", query="prices cents")
    before = load_usage(service.people.broker).last
    service.ask("get", names=[kept.id])

    assert [(each["id"], each["private"]) for each in memories(found)] == [(kept.id, False)]
    assert before == {}
    assert [*load_usage(service.people.broker).last] == [kept.id]


def test_what_an_agent_keeps_stands_as_its_word(service: Service) -> None:
    kept = service.ask("remember", "codex", content="The tests need a database on port 5433.")

    assert kept.success, kept
    assert kept.content["status"] == "stored"
    assert kept.text.startswith("stored ")
    record = service.people.get(str(kept.content["id"]))
    assert (record.agent_id, record.basis, record.waits) == ("codex", "agent", None)


@pytest.mark.req("WF-15")
@pytest.mark.req("WF-17")
def test_private_is_stored_as_such_and_the_answer_says_so(service: Service) -> None:
    public = service.ask("remember", content="The build needs Node 24 to pass.")
    private = service.ask("remember", content="The user dislikes the old logo.", private=True)

    first, private_first = (each.text.splitlines()[0] for each in (public, private))
    assert first == f"stored {public.content['id']} in project:widgets"
    assert private_first == (
        f"stored {private.content['id']} in agent:claude (kept privately: never synced)"
    )
    assert public.text.splitlines()[1:] == private.text.splitlines()[1:]
    assert (public.content["private"], private.content["private"]) == (False, True)
    records = [service.people.get(str(each.content["id"])) for each in (public, private)]
    assert [bool(each.is_private) for each in records] == [False, True]
    assert records[1].scope == "agent:claude"


def test_the_schema_has_private_exactly_as_the_seed_words_it() -> None:
    schema = RememberArguments.model_json_schema()["properties"]["private"]

    assert schema == {
        "type": "boolean",
        "default": False,
        "description": "When true, keep this memory internal and skip workspace sync.",
        "title": "Private",
    }


def test_wake_up_tells_the_brief_and_the_option(service: Service) -> None:
    service.people.says("Never push to main.", kind="constraint")

    for _ in range(2):
        told = service.ask("wake_up")

        assert "Never push to main." in told.text
        last = told.text.splitlines()[-1]
        assert "remember(private=true)" in last
        assert len(last) <= 200


def test_a_snapshot_lists_pins_and_recent_memories(service: Service) -> None:
    kept = service.people.says(PRICES)

    taken = service.ask("snapshot")

    known = [*memories(taken, "pins"), *memories(taken, "recent")]
    assert [each["id"] for each in known] == [kept.id]
    assert taken.content["ruleset_stamp"]


@pytest.mark.parametrize(
    "agent", ["person", "program", "system", "unknown", "", "Claude", "nobody"]
)
def test_only_a_registered_agent_is_answered(service: Service, agent: str) -> None:
    told = service.ask("recall", agent, query="prices")

    assert not told.success
    assert "could not act as" in told.problem
    assert "config.toml" in told.hint


def test_an_unknown_verb_is_a_problem_and_no_exception(service: Service) -> None:
    assert not service.ask("approve", id="1").success
