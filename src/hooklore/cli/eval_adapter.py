"""`hooklore eval-adapter`: recall, measured from outside, through the code that hooks use.

JSON lines in, one line out for each: `reset`, `index`, `search`, `inject`.
"""

import re
import sys
import tempfile
import uuid
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Final

import orjson
import typer

from hooklore.agents.event import Edit, HookEvent
from hooklore.agents.registry import default_agent
from hooklore.agents.rehearsal import Step
from hooklore.broker import Broker
from hooklore.capture.capture import capture_event
from hooklore.config import Settings, store_location_at
from hooklore.conversations.chunks import split_into_chunks
from hooklore.conversations.ingestion import ingest_messages
from hooklore.conversations.message import read_messages
from hooklore.errors import HookloreError, VectorsMissing
from hooklore.failures.fix_reading import step_ids
from hooklore.hooks.answers import build_query
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.parse import parse_event
from hooklore.hooks.pending import Pending, identify_principal
from hooklore.records.draft import PERSON, Draft, Principal, ProjectKeys, Receipt
from hooklore.records.record import Body, Record
from hooklore.records.schema import KINDS
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.recall import Recall
from hooklore.retrieval.semantic.availability import semantic_unavailable_reason
from hooklore.retrieval.semantic.search import SemanticSearch, SharedEncoder
from hooklore.retrieval.semantic.vector_indexing import enable_semantic_for_evaluation

Json = dict[str, Any]
"""A line of the evaluation, in or out; a document in it; a hook's payload."""

KEYS: Final = ProjectKeys(("dir:/evaluation",), "evaluation", "/evaluation")
_BATCH: Final = 4_000
_STEPS: Final = 3
"""Of a fix: the last two steps, and what passed then."""
_AGENT: Final = default_agent()
_SHELL: Final = _AGENT.tool_names("command")[0]
_FAILED: Final = re.compile(rf"{_SHELL} failed:\s*(.*?)(?:\n(?=Exit code )|\Z)", re.DOTALL)
_COMMAND: Final = re.compile(rf"{_SHELL}(?: failed)?:[ \t]*")
_EDIT: Final = re.compile(rf"({'|'.join(_AGENT.tool_names('edit', 'write'))}) ([^\n]+)\n?")


class Vectors(StrEnum):
    """Return whether an evaluation searches by meaning, too."""

    ON = "on"
    OFF = "off"
    AUTO = "auto"


def eval_adapter(
    vectors: Annotated[
        Vectors, typer.Option(help="search by meaning, too (auto: where the extra is installed)")
    ] = Vectors.AUTO,
) -> None:
    """Answer an evaluation: JSON lines on stdin, one line each on stdout; a store of its own."""
    model = _model(vectors)
    with tempfile.TemporaryDirectory(prefix="hooklore-eval-") as folder:
        adapter = Adapter(Path(folder), model)
        try:
            for line in sys.stdin.buffer:
                if line.strip():
                    sys.stdout.buffer.write(orjson.dumps(_answered(adapter, line)) + b"\n")
                    sys.stdout.buffer.flush()
        finally:
            adapter.close()


def _model(vectors: Vectors) -> SharedEncoder | None:
    """The encoder that is wanted; None where words do. Raises VectorsMissing when there is none."""
    why = semantic_unavailable_reason("off" if vectors is Vectors.OFF else "auto")
    if why is not None and vectors is Vectors.ON:
        raise VectorsMissing(why)
    return SharedEncoder() if why is None else None


def _answered(adapter: "Adapter", line: bytes) -> Json:
    try:
        asked = orjson.loads(line)
        return adapter.operations[asked["op"]](asked)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return {"error": f"could not read this line: {type(error).__name__}: {error}"}
    except HookloreError as error:
        return {"error": str(error)}


class Adapter:
    """One store at a time, in a folder below `directory`: `broker` is that of the store now open."""

    def __init__(self, directory: Path, model: SharedEncoder | None = None) -> None:
        """`model` is what encodes where search by meaning is wanted."""
        self._directory = directory
        self._model = model
        self._stores = self._asked = 0
        self.operations: dict[str, Callable[[Json], Json]] = {
            "reset": self._reset,
            "index": self._index,
            "search": self._search,
            "inject": self._inject,
        }
        self._open()

    def close(self) -> None:
        """Let the store's files go."""
        self.broker.close()

    def _open(self) -> None:
        self._stores += 1
        self.broker = Broker(store_location_at(self._directory / f"store{self._stores}"))
        self._semantic: SemanticSearch | None = None
        self._recall = Recall(self.broker)
        self._names: dict[str, str] = {}
        self._moments: list[tuple[str, int, str]] = []

    def _reset(self, _: Json) -> Json:
        self.broker.close()
        self._open()
        return {"ok": True}

    def _index(self, asked: Json) -> Json:
        """Documents in the order of their times: a log has no other."""
        docs = sorted(asked["docs"], key=lambda doc: _time(doc.get("timestamp")) or "")
        for session, found in groupby(docs, _conversation_of):
            if session is not None:
                self._ingest(session, list(found))
                continue
            for batch in _batches(list(found)):
                self._append(batch)
        self.broker.index()
        self.broker.refresh()
        if self._model is not None:
            self._encode(self._model)
        return {"ok": True}

    def _encode(self, model: SharedEncoder) -> None:
        semantic = enable_semantic_for_evaluation(self.broker.place, model)
        if self._semantic is None:
            self._semantic = semantic
            self._recall = Recall(self.broker, semantic)

    def _ingest(self, session: str, docs: list[Json]) -> None:
        messages = read_messages([_message(doc) for doc in docs])
        who = Principal(agent_id=_AGENT.id)
        for chunk in split_into_chunks(messages):
            new = chunk.messages[chunk.overlap :]
            done = ingest_messages(
                self.broker, who, KEYS, session, chunk.messages, overlap=chunk.overlap
            )
            for message, id_ in zip(new, done.ids, strict=True):
                self._names[str(id_)] = message.id
            self._follow()

    def _append(self, batch: list[tuple[Json, Draft]]) -> None:
        receipts = self.broker.append([draft for _, draft in batch])
        for (doc, _), receipt in zip(batch, receipts, strict=True):
            if receipt.id is not None:
                self._names[receipt.id] = doc["id"]
        self._follow()

    def _follow(self) -> None:
        """Note the positions of the records that are new, and index them when they are many."""
        known = self._moments[-1][1] if self._moments else -1
        reader = self.broker.as_reader(PERSON)
        newer = [(p, r) for p, r in reader.unindexed_at() if p > known]
        for pos, record in sorted(newer, key=lambda pair: pair[0]):
            self._moments.append((record.ts, pos, record.id))
        if self.broker.needs_indexing():
            self.broker.index()
            self.broker.refresh()

    def _search(self, asked: Json) -> Json:
        limit = int(asked.get("k") or 10)
        who, question = self._question(asked, "")
        found = self._recall.search(question, who, limit)
        names = (name for record in found for name in self._made_of(record))
        return {"ids": list(dict.fromkeys(names))[:limit]}

    def _inject(self, asked: Json) -> Json:
        self._asked += 1
        who, question = self._question(asked, f"session-{self._asked}")
        shown = self._recall.answer(question, who)
        reader = self.broker.as_reader(PERSON)
        records = (r for id_ in shown.ids for r in reader.find(id_)[:1])
        names = (name for record in records for name in self._told_by(record))
        return {"ids": list(dict.fromkeys(names)), "text": shown.text}

    def _told_by(self, record: Record) -> list[str]:
        """The documents that a note tells of: a fix's begins with the failure, and names no run that passed
        but a repaired one, which is its step.
        """
        ids = (
            [*record.body.failures[:1], *step_ids(record)] if record.kind == "fix" else [record.id]
        )
        return [self._names[id_] for id_ in ids if id_ in self._names]

    def _made_of(self, record: Record) -> list[str]:
        """The documents that a record is, or is made of: of a fix what was done, and what passed then."""
        if record.id in self._names:
            return [self._names[record.id]]
        others = {*record.body.failures, *record.body.in_vain}
        # The steps that no model is told are found, too: `why` tells them to the person who asks.
        linked = [*record.body.evasive, *record.body.sources]
        steps = [source for source in linked if source not in others]
        return [self._names[source] for source in steps[-_STEPS:] if source in self._names]

    def _question(self, asked: Json, session: str) -> tuple[Principal, RecallQuery]:
        trigger = asked.get("trigger") or "prompt"
        step = _step_of_query(trigger, str(asked["query"]))
        event = _event(replace(step, session=session or "evaluation"))
        pending = Pending(Delivery(_AGENT.id, event.wire_event, "evaluation", b""), "", event, KEYS)
        drafts = _drafts(event, "2000-01-01T00:00:00Z")
        if drafts:
            pending.receipt = Receipt("stored", record=drafts[0].record)
        who = identify_principal(self.broker, pending)
        before = self._before(asked.get("timestamp"), is_step=trigger != "prompt")
        now = _time(asked.get("timestamp"))
        query = build_query(self.broker.as_reader(who), event, pending)
        return who, replace(query, before=before, now=now)

    def _before(self, timestamp: str | None, *, is_step: bool) -> tuple[int, str] | None:
        """Return the log's position at this time. A step's own record of the same moment is not before it."""
        moment = _time(timestamp)
        if moment is None:
            return None
        bisect = bisect_left if is_step else bisect_right
        place = bisect(self._moments, moment, key=lambda each: each[0])
        return self._moments[place][1:] if place < len(self._moments) else None


def _batches(docs: list[Json]) -> Iterator[list[tuple[Json, Draft]]]:
    """Documents with their drafts, many at once; a success after a failure of the session or of the same
    command ends a batch, because links are made when the success is the last that is known.
    """
    batch: list[tuple[Json, Draft]] = []
    failing: set[str] = set()
    for doc in docs:
        for draft in _drafts_of(doc):
            batch.append((doc, draft))
            kind, body = draft.record.kind, draft.record.body
            known_by = {f"command {body.key}", f"session {draft.record.session_id}"}
            if kind == "error":
                failing |= known_by
            elif len(batch) >= _BATCH or (
                kind == "tool_result" and body.command and not failing.isdisjoint(known_by)
            ):
                yield batch
                batch = []
    if batch:
        yield batch


def _drafts_of(doc: Json) -> list[Draft]:
    """Return a document as records: a step and a failure as their hooks record them."""
    role, text = str(doc.get("role") or "user"), str(doc["text"])
    ts = _time(doc.get("timestamp")) or "2000-01-01T00:00:00Z"
    session = doc.get("session")
    if role not in ("user", "assistant", *_TOOLS):
        return [_statement(doc, role, text, ts)]
    step = _TOOLS[role](text) if role in _TOOLS else _said(role, text)
    return _drafts(_event(replace(step, session=str(session) if session else None)), ts)


def _conversation_of(doc: Json) -> str | None:
    """Return the session of a turn between people, whose role is a name: with a capital letter, or none at all."""
    role = str(doc.get("role") or "user")
    is_name = role != role.lower() or not role.isascii()
    return str(doc.get("session") or "evaluation") if is_name else None


def _message(doc: Json) -> Json:
    """Return a turn as a chat has it: without the speaker's name before the text."""
    author = str(doc["role"])
    text = str(doc["text"]).removeprefix(f"{author}: ")
    return {"author": author, "text": text, "time": doc.get("timestamp"), "id": doc["id"]}


def _statement(doc: Json, role: str, text: str, ts: str) -> Draft:
    """Return a document that stands by itself as a memory of the kind that its role names."""
    kind = role if role in KINDS["memory"] else "fact"
    body = Body.of(content_md=text, title=doc.get("title"), when=doc.get("when") or [])
    return Draft.of(
        KEYS, stream="memory", kind=kind, agent_id=_AGENT.id, basis="user", ts=ts, body=body
    )


def _said(role: str, text: str) -> Step:
    if role == "assistant":
        return Step("answer", None, answer=text)
    return Step("prompt", None, prompt=text)


def _failure(text: str) -> Step:
    found = _FAILED.match(text)
    if found and found.end() < len(text):
        command, rest = found.group(1), text[found.end() :]
    else:
        command, _, rest = _COMMAND.sub("", text, count=1).partition("\n")
    return Step("failure", None, command=command, error=rest)


def _command(text: str) -> Step:
    command, _, output = _COMMAND.sub("", text, count=1).partition("\n")
    return Step("after_tool", None, command=command, output=output)


def _edit(text: str) -> Step:
    found = _EDIT.match(text)
    tool, path, change = (found[1], found[2], text[found.end() :]) if found else (None, "", text)
    old, _, new = change.rpartition("\n+ ")
    return Step("after_tool", None, tool=tool, edit=Edit(path, old.removeprefix("- "), new))


_TOOLS: Final[dict[str, Callable[[str], Step]]] = {
    "failure": _failure,
    "command": _command,
    "edit": _edit,
}


def _step_of_query(trigger: str, text: str) -> Step:
    if trigger == "failure":
        return _failure(text)
    if trigger == "before_tool":
        return replace((_edit if _EDIT.match(text) else _command)(text), event="before_tool")
    return Step("prompt", None, prompt=text)


def _event(step: Step) -> HookEvent:
    wire, payload = _AGENT.rehearsal().payload(step)
    return parse_event(_AGENT.id, wire, "", {}, orjson.dumps(payload))


def _drafts(event: HookEvent, ts: str) -> list[Draft]:
    """As the hook records it; every one is a delivery of its own: two documents that are alike are two."""
    taken = capture_event(event, Settings(), ts)
    if taken is None:
        return []
    record = taken.composition.compose(taken.record)
    return [Draft(record.with_fields(delivery_id=uuid.uuid4().hex), KEYS)]


def _time(timestamp: object) -> str | None:
    """RFC 3339 in UTC with milliseconds, whatever the precision of what was given; None of no time."""
    if not isinstance(timestamp, str) or not timestamp:
        return None
    try:
        moment = datetime.fromisoformat(timestamp)
    except ValueError:
        return None
    moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
