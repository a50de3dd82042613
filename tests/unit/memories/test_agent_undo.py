"""One step takes back what an agent kept, and one brings it back: nothing of anybody else's is touched."""

import time

import pytest

from hooklore.config import CuratedSettings, Settings
from hooklore.memories.agent_undo import (
    AgentWrites,
    bring_back,
    list_confirmed,
    list_taken_back,
    list_writes,
    take_back_writes,
)
from hooklore.memories.decisions.approval_queue import approve
from hooklore.memories.decisions.let_stand import let_stand, list_letting_stand
from hooklore.prompt.frame import describe_basis, trust_level
from hooklore.records.draft import PERSON, Principal
from hooklore.records.record import Record
from tests.support.agent import Agent
from tests.support.agents_words import Writers

MONEY = "Decision: amounts are integer yen, the kestrel gateway refuses fractions."
KEY = "config:db"


def forget(writers: Writers, agent_id: str) -> list[str]:
    """Take back what an agent kept, and return the texts that stand again."""
    broker, writes = writers.agent.broker, AgentWrites(agent_id)
    again = take_back_writes(broker, writes, list_writes(broker, writes))
    return [str(record.body.content_md) for record in again]


def restore(writers: Writers, agent_id: str) -> tuple[list[Record], list[Record]]:
    broker, writes = writers.agent.broker, AgentWrites(agent_id)
    return bring_back(broker, writes, list_taken_back(broker, writes))


def standing(writers: Writers) -> list[tuple[str, str]]:
    """By whom and how each memory in force is told."""
    broker = writers.agent.broker
    broker.refresh()
    owner = broker.as_reader(PERSON)
    found = [r for r in owner.newest() if r.stream == "memory" and owner.is_in_force(r)]
    return [(describe_basis(r), str(r.body.content_md)) for r in found]


def test_taken_back_a_second_agent_takes_its_name_along_and_the_first_ones_word_stands(
    writers: Writers,
) -> None:
    writers.keeps(MONEY, by="codex", session="c-1")
    writers.keeps(MONEY, by="gemini", session="g-1")

    forget(writers, "gemini")
    assert standing(writers) == [("said by codex", MONEY)]
    forget(writers, "codex")
    assert standing(writers) == []


def test_the_first_agents_name_goes_and_comes_back_with_its_trust(writers: Writers) -> None:
    writers.keeps(MONEY, by="codex", session="c-1")
    writers.keeps(MONEY, by="gemini", session="g-1")
    confirmed = list_confirmed(writers.agent.broker, AgentWrites("codex"))

    forget(writers, "codex")
    without = standing(writers)
    restore(writers, "codex")

    assert [trust_level(record) for record in confirmed] == ["med"]
    assert without == [("said by gemini", MONEY)]
    assert standing(writers) == [("said by gemini and codex", MONEY)]


def test_of_a_session_the_name_goes_by_where_its_agent_said_it(writers: Writers) -> None:
    writers.keeps(MONEY, by="codex", session="c-1")
    writers.keeps(MONEY, by="gemini", session="g-1")
    broker = writers.agent.broker

    assert list_confirmed(broker, AgentWrites("codex", session="c-2")) == []
    assert len(list_confirmed(broker, AgentWrites("codex", session="c-1"))) == 1


def test_what_waits_beside_the_users_memory_goes_and_comes_back_without_it(
    agent: Agent, writers: Writers
) -> None:
    agent.remembers("We use postgres.", dedupe_key=KEY)
    waiting = writers.keeps("We use sqlite.", dedupe_key=KEY)
    writers.keeps(MONEY)

    again = forget(writers, "gemini")
    left = standing(writers)
    restored, not_restored = restore(writers, "gemini")

    assert waiting.waits == "over_the_user"
    assert again == []
    assert left == [("said by the user", "We use postgres.")]
    assert (len(restored), not_restored) == (2, [])
    assert set(standing(writers)) == {*left, ("said by gemini", MONEY)}


def test_what_the_person_put_under_the_key_since_stays(agent: Agent, writers: Writers) -> None:
    writers.keeps("We use sqlite.", dedupe_key=KEY)
    forget(writers, "gemini")
    agent.remembers("We use postgres.", dedupe_key=KEY)

    restored, left = restore(writers, "gemini")

    assert (restored, [str(r.body.content_md) for r in left]) == ([], ["We use sqlite."])
    assert standing(writers) == [("said by the user", "We use postgres.")]


def test_one_after_the_other_taken_back_the_first_word_stands_again(writers: Writers) -> None:
    for by, text in (
        ("codex", "We use sqlite."),
        ("gemini", "We use mysql."),
        ("claude", "We use redis."),
    ):
        writers.keeps(text, by=by, dedupe_key=KEY)

    assert forget(writers, "claude") == ["We use mysql."]
    assert forget(writers, "gemini") == ["We use sqlite."]
    assert standing(writers) == [("said by codex", "We use sqlite.")]


def test_brought_back_it_can_be_approved(writers: Writers) -> None:
    writers.keeps(MONEY, dedupe_key="decision:money")
    forget(writers, "gemini")
    ((record,), _) = restore(writers, "gemini")

    approve(writers.agent.broker, str(record.id))

    assert standing(writers) == [("confirmed by the user", MONEY)]


@pytest.mark.parametrize("through", [False, True])
def test_what_the_user_said_through_an_agent_goes_only_where_it_is_named(
    agent: Agent, writers: Writers, through: bool
) -> None:
    agent.asks("the mill grinds rye on mondays only, note that")
    writers.keeps("The mill grinds rye on Mondays only.", by="claude", session="s1")

    found = list_writes(agent.broker, AgentWrites("claude", through=through))

    assert [record.through for record in found] == (["claude"] if through else [])


def test_a_private_memory_that_is_let_stand_stays_its_agents_own(writers: Writers) -> None:
    writers.agent.broker.settings = Settings(curated=CuratedSettings(agents_word="waits"))
    writers.keeps("The vault lies below gate five.", by="codex", is_private=True)
    broker = writers.agent.broker
    broker.settings = Settings()
    let_stand(broker, list_letting_stand(broker))

    program = Principal(agent_id="codex", asks=True, is_self_named=True)
    kept = [r for r in broker.as_reader(PERSON).newest() if r.stream == "memory"]

    assert [broker.as_reader(program).may_read(r) for r in kept] == [False] * len(kept)


# ---- what stands again


def key_words(writers: Writers) -> None:
    """Let two agents keep another value of one key each, Codex first."""
    writers.keeps("We use sqlite.", by="codex", session="c-1", dedupe_key=KEY)
    writers.keeps("We use mysql.", session="g-1", dedupe_key=KEY)


def test_the_word_of_an_agent_that_was_taken_back_does_not_stand_again(writers: Writers) -> None:
    key_words(writers)

    assert forget(writers, "codex") == []
    assert forget(writers, "gemini") == []
    restore(writers, "codex")

    assert standing(writers) == [("said by codex", "We use sqlite.")]


def test_however_often_it_is_taken_back_and_brought_the_others_word_stands_again(
    writers: Writers,
) -> None:
    key_words(writers)

    for _ in range(3):
        assert forget(writers, "gemini") == ["We use sqlite."]
        assert standing(writers) == [("said by codex", "We use sqlite.")]
        restore(writers, "gemini")
        assert standing(writers) == [("said by gemini", "We use mysql.")]


def test_what_had_expired_does_not_stand_again(writers: Writers) -> None:
    writers.keeps("We use sqlite.", by="codex", dedupe_key=KEY, expires_at="2020-01-01T00:00:00Z")
    writers.keeps("We use mysql.", dedupe_key=KEY)

    assert forget(writers, "gemini") == []
    assert standing(writers) == []


def test_all_that_a_memory_had_replaced_stands_again_and_makes_room(writers: Writers) -> None:
    rye = writers.keeps("The mill grinds rye on Mondays.", by="codex", kind="fact")
    writers.keeps("The mill grinds barley only now.", kind="fact", supersedes=rye.id)

    assert forget(writers, "gemini") == ["The mill grinds rye on Mondays."]
    restore(writers, "gemini")

    assert standing(writers) == [("said by gemini", "The mill grinds barley only now.")]


def test_of_two_that_were_taken_back_the_newer_comes_back_and_what_was_said_anew_stays(
    writers: Writers,
) -> None:
    writers.keeps("We use sqlite.", dedupe_key=KEY)
    forget(writers, "gemini")
    writers.keeps("We use mysql.", dedupe_key=KEY)
    forget(writers, "gemini")
    writers.keeps(MONEY)
    forget(writers, "gemini")
    writers.keeps(MONEY)

    _, left = restore(writers, "gemini")

    assert sorted(standing(writers)) == [
        ("said by gemini", MONEY),
        ("said by gemini", "We use mysql."),
    ]
    assert [record.body.content_md for record in left] == [MONEY]


def test_since_a_moment_it_is_taken_back_as_often_as_it_was_brought(writers: Writers) -> None:
    writers.keeps("We use sqlite.", dedupe_key=KEY)
    time.sleep(0.05)  # a later millisecond than that of the first record
    broker, since = writers.agent.broker, writers.agent.broker.now()
    writers.keeps("We use mysql.", dedupe_key=KEY)
    writes = AgentWrites("gemini", since)

    for _ in range(2):
        take_back_writes(broker, writes, list_writes(broker, writes))
        assert standing(writers) == [("said by gemini", "We use sqlite.")]
        bring_back(broker, writes, list_taken_back(broker, writes))
        assert standing(writers) == [("said by gemini", "We use mysql.")]
