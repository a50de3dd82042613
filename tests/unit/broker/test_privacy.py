"""Private records and records limited to a role or session, from the draft to records derived from them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker, fetch
from hooklore.config import StoreLocation
from hooklore.errors import NotFound
from hooklore.log.line import encode_line
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Record
from hooklore.records.schema import RecordModel
from hooklore.retrieval import access_report, browse
from tests.support.agent import Agent, repository

ERROR = "KeyError: 'colour' in widgets.ini"


@pytest.fixture
def broker(store: StoreLocation) -> Iterator[Broker]:
    found = Broker(store)
    yield found
    found.close()


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


def said(content: str, **fields: Any) -> Draft:
    given = {"stream": "memory", "kind": "fact", "agent_id": "claude", "basis": "user"}
    return Draft(Record({**given, "body": {"content_md": content}, **fields}))


def lines(store: StoreLocation) -> list[dict[str, Any]]:
    return [json.loads(line) for line in store.log.read_bytes().splitlines()]


@pytest.mark.req("EV-26", "EV-28")
@pytest.mark.parametrize(
    ("given", "expected"), [(None, False), (1, True), ("1", True), ("yes", True), (0, False)]
)
def test_the_log_holds_true_or_false_for_any_spelling(
    broker: Broker, store: StoreLocation, given: object, expected: bool
) -> None:
    broker.append([said("x", **({} if given is None else {"is_private": given}))])

    (line,) = lines(store)
    assert line["is_private"] is expected
    assert RecordModel.model_fields["is_private"].default is False


@pytest.mark.req("EV-27", "EV-28", "MV-04")
def test_a_line_of_another_writer_is_read_by_its_meaning(
    broker: Broker, store: StoreLocation
) -> None:
    broker.append([said("old")])
    (line,) = lines(store)
    ids = ["0190a1b2-0000-7000-8000-00000000000" + str(n) for n in range(3)]
    old = {k: v for k, v in line.items() if k not in ("is_private", "hash")}
    kept = {**old, "id": ids[1], "is_private": "1"}
    role = {**old, "id": ids[2], "privacy": "private", "session_id": "s-1"}
    store.log.write_bytes(
        b"".join(encode_line(Record(r)) for r in ({**old, "id": ids[0]}, kept, role))
    )

    again = Broker(store)
    again.refresh()

    assert [r.id for r in again.as_reader(Principal()).newest()] == [ids[0]]
    assert [r.id for r in again.as_reader(Principal(session_id="s-1")).newest()] == [ids[2], ids[0]]
    assert len(list(again.as_reader(PERSON).newest())) == 3
    again.close()


@pytest.mark.req("AC-05")
def test_a_private_memory_without_a_scope_is_its_agents_own(
    broker: Broker, store: StoreLocation
) -> None:
    broker.append([said("for me alone", is_private=True)])

    (line,) = lines(store)
    assert line["scope"] == "agent:claude"
    assert line["is_private"] is True


def test_an_agent_cannot_write_into_anothers_own_scope(
    broker: Broker, store: StoreLocation
) -> None:
    (refused,) = broker.append([said("planted", scope="agent:codex")])
    (stored,) = broker.append([said("moved", scope="agent:codex", agent_id="person")])

    assert (refused.status, stored.status) == ("refused", "stored")
    assert "planted" not in str(refused.reason)


def test_a_receipt_does_not_reveal_anothers_private_memory(
    broker: Broker, store: StoreLocation
) -> None:
    first = said("the plan", scope="global", dedupe_key="plan", is_private=True)
    other = said("the plan", scope="global", dedupe_key="plan", agent_id="codex")
    hidden, told, again, own = (broker.append([d])[0] for d in (first, other, other, first))

    assert (hidden.status, told.status) == ("stored", "stored")
    assert told.id != hidden.id
    assert (again.status, again.id) == ("duplicate", told.id)
    assert (own.status, own.id) == ("duplicate", hidden.id)
    assert len(lines(store)) == 2
    another = Broker(store)  # which knows the first from the log alone
    assert another.append([first])[0].id == hidden.id
    another.close()


@pytest.mark.parametrize("agents", [("claude", "codex"), ("codex", "claude")])
def test_a_receipt_does_not_reveal_what_another_agent_said_to_its_session(
    broker: Broker, agents: tuple[str, str]
) -> None:
    first, other = (
        said("the plan", scope="global", dedupe_key="plan", agent_id=agent,
             visibility="session", session_id="s-1")
        for agent in agents
    )  # fmt: skip

    statuses = [broker.append([d])[0].status for d in (first, other)]

    assert statuses == ["stored", "stored"]


def test_a_delivery_of_the_same_name_by_another_agent_is_its_own(broker: Broker) -> None:
    first, second, again = (
        broker.append([said(text, delivery_id="1", agent_id=agent, scope="global")])[0]
        for text, agent in (("a", "claude"), ("b", "codex"), ("a", "claude"))
    )

    assert [r.status for r in (first, second, again)] == ["stored", "stored", "duplicate"]
    assert again.id == first.id


def test_a_duplicate_in_one_batch_keeps_to_its_audience(broker: Broker) -> None:
    private = said("x", dedupe_key="k", scope="global", is_private=True)
    public = said("x", dedupe_key="k", scope="global", agent_id="codex")

    receipts = broker.append([private, public])

    assert [r.status for r in receipts] == ["stored", "stored"]


def observed(agent: Agent, kind: str, text: str, **fields: Any) -> None:
    """An observation of the agent's project and session."""
    from hooklore.hooks.project import project_keys

    keys = project_keys(str(agent.project), None, str(agent.home))
    given = {"stream": "observation", "kind": kind, "agent_id": "claude", "basis": "tool"}
    body = fields.pop("body", {"text": text})
    record = Record({**given, "session_id": agent.session, "body": body, **fields})
    assert agent.broker.append([Draft(record, keys)])[0].status == "stored"


@pytest.mark.req("AC-06", "AC-09")
def test_a_fix_of_a_failure_limited_to_one_session_is_limited_too(agent: Agent) -> None:
    agent.starts("s1")
    failed = {
        "command": "make test", "key": "make test", "outcome": "failure", "signature": ERROR,
        "errors": [ERROR], "text": ERROR, "tool": "Bash",
    }  # fmt: skip
    observed(agent, "error", "", body=failed, visibility="session")
    agent.edits("widgets.ini", "colour = red")
    agent.passes("make test")

    (fix,) = agent.records("fix")

    assert fix["visibility"] == "session"
    assert fix["session_id"] == "s1"
    assert "colour" not in agent.starts("s2")
    assert list(
        browse.list_newest(
            agent.broker.as_reader(PERSON), browse.RecordFilter(kinds=frozenset(["fix"]))
        )
    )


@pytest.mark.req("AC-06")
def test_a_fix_of_a_private_failure_is_private(agent: Agent) -> None:
    agent.starts("s1")
    body = {
        "command": "make test", "key": "make test", "outcome": "failure", "signature": ERROR,
        "errors": [ERROR], "text": ERROR, "tool": "Bash",
    }  # fmt: skip
    observed(agent, "error", "", body=body, is_private=True)
    agent.edits("widgets.ini", "colour = red")
    agent.passes("make test")

    (fix,) = agent.records("fix")

    assert fix["is_private"] is True


@pytest.mark.req("AC-06", "AC-09")
def test_a_session_end_quotes_no_record_with_fewer_readers(agent: Agent) -> None:
    agent.starts("s1")
    steps = "\n\nNext steps:\n- Ask the {} mill\n"
    observed(agent, "answer", f"open answer{steps.format('open')}")
    observed(agent, "answer", f"private answer{steps.format('private')}", is_private=True)
    observed(agent, "answer", f"own answer{steps.format('own')}", visibility="session")
    observed(agent, "task", "a researcher's task", visibility="agent-only", role="researcher")
    agent.hook("SessionEnd", reason="other")

    (end,) = agent.records("session_end")

    said = end["body"]["agent_said"]
    assert said["answer"] == ["open answer Next steps: - Ask the open mill"]
    assert said["next_actions"] == ["Ask the open mill"]
    assert "researcher" not in json.dumps(end)
    assert end["is_private"] is False
    told = agent.starts("s2")
    assert "to do: Ask the open mill" in told
    assert [word in told for word in ("private mill", "own mill", "researcher")] == [False] * 3


def test_a_session_end_quotes_no_record_of_another_project(agent: Agent, tmp_path: Path) -> None:
    agent.starts("s1")
    there = Agent(agent.place, repository(tmp_path / "forge"), agent.home)
    there.hook("Stop", last_assistant_message="said in the forge")
    there.broker.close()
    agent.hook("Stop", last_assistant_message="said among widgets")
    agent.hook("SessionEnd", reason="other")

    (end,) = agent.records("session_end")

    assert end["body"]["agent_said"]["answer"] == ["said among widgets"]


@pytest.mark.req("AC-09")
def test_a_record_limited_to_a_session_is_shown_after_resume_and_compaction_too(
    agent: Agent,
) -> None:
    agent.starts("s1")
    agent.remembers("Only for now: use the old press", visibility="session", session_id="s1")

    elsewhere = agent.starts("s2")
    resumed = agent.starts("s1", "resume")
    compacted = agent.starts("s1", "compact")

    assert "old press" not in elsewhere
    assert "old press" in resumed
    assert "old press" in compacted


@pytest.mark.req("AC-08")
def test_a_record_limited_to_a_role_is_shown_to_an_agent_of_that_role(agent: Agent) -> None:
    agent.starts("s1")
    agent.remembers("Cite the paper by its id", visibility="agent-only", role="researcher")

    briefs = [
        agent.told("SubagentStart", agent_id=f"a{n}", agent_type=kind)
        for n, kind in enumerate(("Explore", "general-purpose"))
    ]

    assert "Cite the paper" in briefs[0]
    assert "Cite the paper" not in briefs[1]
    assert "Cite the paper" not in agent.starts("s2")


@pytest.mark.req("AC-13")
def test_a_private_memory_is_found_by_the_person_and_shown_to_no_model(agent: Agent) -> None:
    agent.starts("s1")
    agent.remembers("Never tell of the kestrel valve", scope="global", is_private=True)

    told = [agent.starts("s2"), agent.asks("what about the kestrel valve?")]
    told.append(agent.about_to("open kestrel valve"))
    found = browse.search_records(
        agent.broker.as_reader(PERSON), "kestrel valve", browse.RecordFilter()
    )

    assert told[0].count("kestrel") == told[1].count("kestrel") == told[2].count("kestrel") == 0
    assert any("kestrel valve" in r.body.content_md for _, r in found)


def test_a_showing_names_to_an_agent_only_records_that_it_may_read(agent: Agent) -> None:
    agent.starts("s1")
    agent.remembers("Never push on Fridays")
    agent.starts("s2")
    project = agent.records("constraint")[0]["project"]

    own = access_report.list_shown(
        agent.broker.as_reader(Principal(project=project, session_id="s2")), "s2"
    )
    person = access_report.list_shown(agent.broker.as_reader(PERSON), "s2")

    assert own == []
    assert len(person) == 1
    with pytest.raises(NotFound):
        fetch.get_record(
            agent.broker.as_reader(Principal(project=project)), agent.records("access")[0]["id"]
        )


@pytest.mark.req("CO-27")
def test_a_synthesis_is_no_evidence_for_another_of_its_kind(broker: Broker) -> None:
    given = Draft.of(stream="synthesis", kind="summary", agent_id="claude", scope="global")
    fact = broker.append([said("x", scope="global")])[0].id
    first = broker.append([given.with_fields(body={"text": "a", "sources": [fact]})])[0]
    second = broker.append([given.with_fields(body={"text": "b", "sources": [first.id]})])[0]
    other = given.with_fields(kind="proposal", body={"text": "c", "sources": [first.id]})
    third = broker.append([other])[0]

    assert [r.status for r in (first, second, third)] == ["stored", "refused", "stored"]
