"""Pinning by hand: a person puts a memory first, or takes it off."""

from hooklore.broker.broker import Broker
from hooklore.broker.fetch import get_record
from hooklore.errors import HookloreError
from hooklore.index.memories import memory_line_key
from hooklore.prompt.pin_rule import may_be_pinned, pin_length_problem
from hooklore.records.draft import ACKNOWLEDGED, PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION


def pin(broker: Broker, prefix: str, who: Principal = PERSON) -> Record:
    """Pin a memory; it. Raises HookloreError for what no pin can be: too long, unconfirmed, ended."""
    return _record_pin_mark(broker, prefix, who, "pin")


def unpin(broker: Broker, prefix: str, who: Principal = PERSON) -> Record:
    """Take a memory off the pins, also one that is there by itself; it."""
    return _record_pin_mark(broker, prefix, who, "unpin")


def _record_pin_mark(broker: Broker, prefix: str, who: Principal, kind: str) -> Record:
    broker.refresh()
    if not who.person:
        raise HookloreError(
            f"could not {kind} `{prefix}`: a person decides it", fix="ask the user to run it"
        )
    record = get_record(broker, prefix, who)
    problem = _problem(broker, record, who, kind)
    if problem is not None:
        raise HookloreError(f"could not {kind} `{record.id}`: {problem[0]}", fix=problem[1])
    mark = Draft.of(
        v=SCHEMA_VERSION, stream="control", kind=kind, scope=record.scope,
        agent_id="person", project=record.project, basis="user",
        source={"system": "cli", "detail": kind},
        body=Body.of(targets=[record.id], lines=[memory_line_key(record)]),
    )  # fmt: skip
    receipt = broker.append([mark])[0]
    if receipt.status not in ACKNOWLEDGED:
        raise HookloreError(f"could not {kind} `{record.id}`: {receipt.reason}")
    broker.refresh()
    return record


def _problem(broker: Broker, record: Record, who: Principal, kind: str) -> tuple[str, str] | None:
    id_ = record.id
    if record.stream != "memory":
        return f"a {record.kind} is no memory", "run `hooklore list --stream memory`"
    if kind == "unpin":
        return None
    if record.waits:
        return "it waits to be approved", f"run `hooklore approve {id_}`"
    if not broker.is_in_force(record, who):
        return "it has been replaced, forgotten, or has expired", f"run `hooklore show {id_}`"
    if not may_be_pinned(record):
        return (
            "it is not confirmed",
            f"say it again with `hooklore remember --key {record.dedupe_key or 'KEY'}`",
        )
    long = pin_length_problem(record)
    return (long, "say it in a line or two, and the rest after a blank line") if long else None
