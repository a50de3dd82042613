"""Pin and unpin memories for a person."""

from hooklore.broker.broker import Broker
from hooklore.broker.fetch import get_record
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.index.memories import memory_line_key
from hooklore.memories.append import append_all
from hooklore.memories.decisions.authorization import require_person
from hooklore.prompt.pin_rule import may_be_pinned, pin_length_problem
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION


def pin(broker: Broker, prefix: str, who: Principal = PERSON) -> Record:
    """Pin a memory and return it. Raise HookloreError if it is too long, unconfirmed or ended."""
    return _record_pin_mark(broker, prefix, who, "pin")


def unpin(broker: Broker, prefix: str, who: Principal = PERSON) -> Record:
    """Take a memory off the pins and return it, also one that nobody pinned by hand."""
    return _record_pin_mark(broker, prefix, who, "unpin")


def _record_pin_mark(broker: Broker, prefix: str, who: Principal, kind: str) -> Record:
    broker.refresh()
    require_person(who, kind, prefix)
    reader = broker.as_reader(who)
    record = get_record(reader, prefix)
    problem = _pin_problem(reader, record, kind)
    if problem is not None:
        raise HookloreError(f"could not {kind} `{record.id}`: {problem[0]}", fix=problem[1])
    append_all(
        broker,
        [_draft_mark(record, kind)],
        lambda reason: HookloreError(f"could not {kind} `{record.id}`: {reason}"),
    )
    broker.refresh()
    return record


def _draft_mark(record: Record, kind: str) -> Draft:
    return Draft.of(
        v=SCHEMA_VERSION, stream="control", kind=kind, scope=record.scope,
        agent_id="person", project=record.project, basis="user",
        source={"system": "cli", "detail": kind},
        body=Body.of(targets=[record.id], lines=[memory_line_key(record)]),
    )  # fmt: skip


def _pin_problem(reader: Reader, record: Record, kind: str) -> tuple[str, str] | None:
    """Return (problem, fix) of a record that cannot be pinned or unpinned, or None when it can."""
    id_ = record.id
    if record.stream != "memory":
        return f"a {record.kind} is no memory", "run `hooklore list --stream memory`"
    if kind == "unpin":
        return None
    if record.waits:
        return "it waits to be approved", f"run `hooklore approve {id_}`"
    if not reader.is_in_force(record):
        return "it has been replaced, forgotten, or has expired", f"run `hooklore show {id_}`"
    if not may_be_pinned(record):
        return (
            "it is not confirmed",
            f"say it again with `hooklore remember --key {record.dedupe_key or 'KEY'}`",
        )
    long = pin_length_problem(record)
    return (long, "say it in a line or two, and the rest after a blank line") if long else None
