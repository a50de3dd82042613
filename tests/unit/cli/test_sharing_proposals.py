"""What is old enough is proposed to be shared: a person decides, and time alone shares nothing."""

import pytest

from hooklore.broker import Broker
from hooklore.records.draft import Draft, Principal
from hooklore.records.record import Body
from tests.unit.cli.conftest import Memory, Run

OLD = "2026-01-01T00:00:00.000Z"


def limited(text: str, **fields: object) -> Draft:
    """The draft of a memory that only its own session reads, unless `fields` say otherwise."""
    given: dict[str, object] = {
        "v": 1, "stream": "memory", "kind": "fact", "agent_id": "claude", "basis": "user", "ts": OLD,
        "visibility": "session", "session_id": "s-1", "body": Body.of(content_md=text),
    }  # fmt: skip
    return Draft.of(None, **(given | fields))


@pytest.fixture
def sharing(memory: Memory) -> Memory:
    memory.broker.place.config.parent.mkdir(parents=True, exist_ok=True)
    memory.broker.place.config.write_text("[sharing]\nshare_after_days = 7\n")
    return memory


def stranger(memory: Memory) -> list[str]:
    """The texts that a session of another agent in the project reads."""
    broker = Broker(memory.broker.place)
    broker.refresh()
    (alias,) = memory.of("project_alias")
    who = Principal(agent_id="codex", session_id="s-2", project=alias["project"])
    return [r.body.content_md for r in broker.as_reader(who).newest() if r.stream == "memory"]


@pytest.mark.req("AC-10")
def test_an_old_memory_of_a_session_is_proposed_and_shared_when_approved(
    hooklore: Run, sharing: Memory
) -> None:
    sharing.append(limited("The gate opens at nine."))

    assert "to share: 1" in hooklore("janitor").out
    hooklore("janitor")
    (waiting,) = hooklore("pending", "--json").records
    assert (waiting["act"], waiting["by"]) == ("share", "system")
    assert stranger(sharing) == []

    assert hooklore("approve", waiting["id"]).rc == 0
    assert stranger(sharing) == ["The gate opens at nine."]
    hooklore("janitor")
    assert hooklore("pending").out == ""


@pytest.mark.req("AC-10")
def test_what_is_private_an_agents_own_young_or_public_is_never_proposed(
    hooklore: Run, sharing: Memory
) -> None:
    sharing.append(
        limited("The spare key lies under the mat.", is_private=True),
        limited("The mill turns in May.", ts=None),
        limited("The press needs torque.", visibility="public"),
    )
    sharing.append(limited("My own view of the owl.", scope="agent:claude"), in_project=False)

    hooklore("janitor")

    assert hooklore("pending").out == ""
    assert not sharing.of("proposal")


@pytest.mark.req("AC-10")
def test_without_the_setting_nothing_is_proposed(hooklore: Run, memory: Memory) -> None:
    memory.append(limited("The gate opens at nine."))

    assert "to share" not in hooklore("janitor").out
    assert not memory.of("proposal")


def test_a_proposal_that_was_rejected_does_not_come_back(hooklore: Run, sharing: Memory) -> None:
    sharing.append(limited("The gate opens at nine."))
    hooklore("janitor")
    (waiting,) = hooklore("pending", "--json").records

    hooklore("reject", waiting["id"])
    hooklore("janitor")

    assert hooklore("pending").out == ""
    assert stranger(sharing) == []
