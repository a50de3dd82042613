"""A secret in the place of an id reaches no file, and what is asked for by that id is found."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.hooks.delivery import Delivery
from hooklore.log.line import encode_line
from hooklore.maintenance.scrub import scrub_store
from hooklore.memories.hook_memory import import_line
from hooklore.memories.runs import list_run_records
from hooklore.memories.write_gate import remember
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from hooklore.redaction.id_redaction import redact_id
from hooklore.retrieval.browse import RecordFilter, list_newest
from tests.redaction.cases import build_cases
from tests.redaction.draw import ALNUM, DIGITS, HEX, URLSAFE, Draw, glue
from tests.support.agent import Agent
from tests.support.store_files import holding
from tests.support.writers import draft, records

_DRAW = Draw("ids")
SECRETS = {
    "a vendor's token": glue("gh", "p_", _DRAW.mixed(36)),
    "a password": "Tr0ub4dor" + "&" + _DRAW.chars(DIGITS, 3),
    "a chosen word": _DRAW.word() + _DRAW.chars(DIGITS, 4),
    "a bare key": _DRAW.base64(30),
    "a token in small letters": _DRAW.mixed(26, URLSAFE),
    "a card": glue("4111", "1111", "1111", "1111"),
    "a web token": ".".join(("eyJ" + _DRAW.mixed(20), "eyJ" + _DRAW.mixed(40), _DRAW.mixed(43))),
    "a sentence": f"the password is {_DRAW.mixed(12)}",
    "an address": glue("mori", "@", "maple-river.net"),
}
IDS = (
    "", "s1", "run-7", "nightly-build", "job_42", "a1b2c3d", _DRAW.uuid(), _DRAW.uuid().upper(),
    _DRAW.chars(HEX, 32), _DRAW.chars(HEX, 64), "toolu_01" + _DRAW.chars(ALNUM, 22),
    "call_" + _DRAW.chars(ALNUM, 24), "agent-" + _DRAW.chars(HEX, 7), f"{_DRAW.uuid()}.access",
    f"claude|{_DRAW.uuid()}|after_tool|toolu_01{_DRAW.chars(ALNUM, 22)}", "1763800000", "behind-" + _DRAW.uuid(),
    "01J" + _DRAW.chars("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 23),
    f"import:hook-memory:{_DRAW.uuid()}#{_DRAW.chars(HEX, 16)}",
)  # fmt: skip


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path) -> Iterator[Agent]:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    one = Agent(store, project, tmp_path)
    yield one
    one.broker.close()


def each_secret() -> list[Any]:
    return [pytest.param(secret, id=name) for name, secret in SECRETS.items()]


@pytest.mark.parametrize("id_", IDS)
def test_an_id_is_kept_as_it_is(id_: str) -> None:
    assert id_ == "" or redact_id(id_) == id_


def test_a_hash_is_hashed_no_further_and_tells_two_ids_apart() -> None:
    hashes = {redact_id(secret) for secret in SECRETS.values()}

    assert len(hashes) == len(SECRETS)
    assert {redact_id(each) for each in hashes} == hashes


def test_no_token_of_any_vendor_has_an_ids_form() -> None:
    tokens = {s for case in build_cases() if case.label.startswith("vendor/") for s in case.secrets}
    plain = [each for each in tokens if redact_id(each) == each]

    assert len(tokens) >= 300
    assert [each for each in plain if set(each) - set(HEX + HEX.upper() + DIGITS + "-")] == []


@pytest.mark.parametrize("field", ["session_id", "prompt_id", "tool_use_id", "agent_id"])
@pytest.mark.parametrize("secret", each_secret())
def test_no_id_of_a_payload_brings_a_secret_to_the_disk(
    field: str, secret: str, agent: Agent
) -> None:
    ids = {"session_id": _DRAW.uuid(), "tool_use_id": "toolu_01" + _DRAW.chars(ALNUM, 22)}
    call = {
        "tool_name": "Bash",
        "tool_input": {"command": "make"},
        "tool_response": {"stdout": "ok"},
    }

    agent.hook("SessionStart", **ids | {field: secret}, source="startup")
    agent.hook("UserPromptSubmit", **ids | {field: secret}, prompt="why does the press stall?")
    agent.hook("PostToolUse", **ids | {field: secret}, **call)
    agent.broker.index()

    assert len(agent.records()) >= 3
    assert holding(agent.place, secret) == []


@pytest.mark.parametrize("secret", each_secret())
def test_no_id_of_a_delivery_brings_a_secret_to_the_disk_and_a_retry_is_one(
    secret: str, agent: Agent
) -> None:
    payload = {"session_id": "s1", "cwd": str(agent.project), "prompt": "why does it stall?"}
    delivery = Delivery("claude", "UserPromptSubmit", secret, json.dumps(payload).encode())

    for _ in range(2):
        agent.runner.run(delivery)
    agent.broker.index()

    assert holding(agent.place, secret) == []
    assert len([r for r in agent.records() if r["kind"] == "prompt"]) == 1


@pytest.mark.parametrize("secret", each_secret())
def test_what_a_session_recorded_is_found_by_the_id_that_it_gave(secret: str, agent: Agent) -> None:
    agent.hook("UserPromptSubmit", session_id=secret, prompt="why does the press stall?")
    agent.hook("UserPromptSubmit", session_id="s1", prompt="and the loom?")
    agent.broker.index()

    found = list(list_newest(agent.broker.as_reader(PERSON), RecordFilter(session=secret)))

    assert [record.kind for record in found] == ["prompt"]


@pytest.mark.parametrize("secret", each_secret())
def test_a_run_is_kept_without_the_secret_in_its_name_and_listed_by_it(
    secret: str, store: StoreLocation
) -> None:
    broker = Broker(store)
    event: dict[str, Any] = {
        "content_md": "We use postgres 15.",
        "kind": "fact",
        "run_id": secret,
        "basis": "user",
    }
    event |= {"source": {"system": "cli"}}

    result = remember(broker, event, PERSON, None)
    broker.index()

    assert result.status == "stored"
    assert holding(store, secret) == []
    assert [r.kind for r in list_run_records(broker.as_reader(PERSON), secret)] == ["fact"]
    broker.close()


@pytest.mark.parametrize("secret", each_secret())
def test_an_import_keeps_no_secret_in_an_ids_place(secret: str, store: StoreLocation) -> None:
    line: dict[str, Any] = {"id": secret, "content": "it works", "metadata": {"session_id": secret}}
    broker = Broker(store)
    imported = import_line(json.dumps(line).encode(), datetime(2026, 11, 22, tzinfo=UTC))

    broker.append([imported.draft])
    broker.append([imported.draft])
    broker.index()

    assert len(records(store)) == 1
    assert holding(store, secret) == []
    broker.close()


@pytest.mark.req("RD-10")
@pytest.mark.parametrize("field", ["session_id", "task_id", "subagent_id", "delivery_id", "run_id"])
def test_a_secret_in_an_id_behind_the_brokers_back_leaves_every_file(
    field: str, store: StoreLocation
) -> None:
    broker = Broker(store)
    broker.append([draft("one")])
    fields = records(store)[-1] | {field: SECRETS["a bare key"]}
    fields.pop("hash")
    head, _, tail = fields["id"].rpartition("-")
    fields["id"] = f"{head}-{int(tail, 16) + 1:012x}"
    with store.log.open("ab") as log:
        log.write(encode_line(Record(fields)))
    broker.index()
    assert holding(store, SECRETS["a bare key"])

    report = scrub_store(broker)

    assert holding(store, SECRETS["a bare key"]) == []
    assert (report.records, report.rules, report.ids) == (1, {"id": 1}, (fields["id"],))
    broker.close()
