"""A store of many events, the same at every run: a quarter Japanese, lines of 650 bytes on average.

The lines are the product's own (`encode`), written straight into segments: through the broker a
million of them would take half an hour. The mix of kinds is that of two real projects.
"""

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import accumulate, count
from typing import Final

from hooklore.broker import rules_version
from hooklore.config import StoreLocation
from hooklore.log import files
from hooklore.log.line import encode_line
from hooklore.records.draft import ProjectKeys
from hooklore.records.ids import next_id
from hooklore.records.importance import compute_importance_prior
from hooklore.records.record import Body, Record
from tests.bench.words import Vocabulary, english, japanese

_SEED: Final = 20_26
_PROJECTS: Final = 12
_SESSION_EVENTS: Final = 110
_STEP_MS: Final = 30_000
_START_MS: Final = int(datetime(2025, 1, 6, 9, tzinfo=UTC).timestamp() * 1000)

_MIX: Final = {
    "tool_intent": 0.374,
    "tool_result": 0.374,
    "prompt": 0.07,
    "answer": 0.065,
    "error": 0.045,
    "access": 0.025,
    "fix": 0.02,
    "session_start": 0.01,
    "session_end": 0.01,
    "compaction": 0.002,
    "memory": 0.005,
}
_WORDS: Final = {"prompt": 30, "answer": 36, "compaction": 250, "memory": 14, "tool_result": 16}
TOPIC: Final = "zephyrline"
"""A rare word that one memory in twenty of the first project is about."""

_STANDING: Final = ("preference", "constraint", "decision", "workflow", "fact")


class Corpus:
    """Draws the events of one person's year. The first project is that of `keys`."""

    def __init__(self, keys: ProjectKeys) -> None:
        self._source = random.Random(_SEED)
        self._english = english(self._source)
        self._japanese = japanese(self._source)
        self._keys = keys
        self._last: str | None = None
        self._clock = _START_MS
        self._failures: dict[str, Record] = {}
        self._said: list[list[str]] = []
        self._session = ""
        self._project = 0
        self._is_japanese = False

    # ---- events

    def records(self, size: int) -> Iterator[Record]:
        """That many records, in the order of a log."""
        for number in range(_PROJECTS):
            yield self._finished(self._alias(number))
        kinds, weights = list(_MIX), list(accumulate(_MIX.values()))
        for number in range(size - _PROJECTS):
            if number % _SESSION_EVENTS == 0:
                self._begin_session()
            (kind,) = self._source.choices(kinds, cum_weights=weights)
            yield self._finished(self._of_kind(kind))

    def prompts(self, count: int, words: int, sentences: int = 1) -> list[str]:
        """Prompts of that many words, a quarter of them Japanese."""
        made = []
        for number in range(count):
            vocabulary = self._japanese if number % 4 == 3 else self._english
            end = "。" if number % 4 == 3 else ". "
            parts = (vocabulary.text(self._source, words // sentences) for _ in range(sentences))
            made.append(end.join(parts))
        return made

    def bearing_prompts(self, count: int, words: int) -> list[str]:
        """Prompts of that many words that bear on a memory of the first project: two thirds are its own."""
        made = []
        for number in range(count):
            own = self._said[-1 - number % len(self._said)][: words * 2 // 3]
            made.append(" ".join(own + self._draw(words - len(own))))
        return made

    def _begin_session(self) -> None:
        self._session = self._hex(36)
        self._project = min(int(self._source.expovariate(0.6)), _PROJECTS - 1)
        self._is_japanese = self._source.random() < 0.25

    def _of_kind(self, kind: str) -> Record:
        if kind == "memory":
            return self._memory()
        if kind == "fix":
            return self._fix()
        if kind == "access":
            return self._access()
        body = getattr(self, f"_{kind}")()
        basis = {"prompt": "user", "answer": "inferred"}.get(kind, "tool")
        return self._record("observation", kind, body, basis)

    def _finished(self, record: Record) -> Record:
        self._clock += self._source.randrange(_STEP_MS)
        self._last = next_id(self._last, self._clock, self._source.getrandbits(80))
        moment = datetime.fromtimestamp(self._clock / 1000, UTC)
        ts = f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
        finished = record.with_fields(id=self._last, ts=ts)
        if finished.kind == "error":
            self._failures[str(finished.project)] = finished
        return finished

    # ---- records by kind

    def _record(self, stream: str, kind: str, body: Body, basis: str = "tool") -> Record:
        record = Record.of(
            v=1,
            id="",
            ts="",
            stream=stream,
            kind=kind,
            delivery_id=self._hex(32),
            agent_id="claude",
            role="general",
            session_id=self._session,
            run_id=self._session,
            basis=basis,
            source={"system": "cli", "detail": "hook:bench"},
            body=body,
            project=self._project_id(self._project),
            scope=f"project:{self._slug(self._project)}",
            branch="main",
        )
        return record.with_fields(importance=compute_importance_prior(record))

    def _alias(self, number: int) -> Record:
        key = self._keys.keys[-1] if number == 0 else f"remote:example.org/{self._slug(number)}"
        self._project = number
        slug = self._slug(number)
        body = Body.of(key=key, slug=slug, name=slug, targets=[])
        return self._record("control", "project_alias", body)

    def _memory(self) -> Record:
        text = self._text("memory")
        if self._project == 0 and not self._is_japanese:
            self._said.append(text.split())
        if self._source.random() < 0.05:
            text = f"{TOPIC}: {text}"
        body = Body.of(content_md=text, tags=self._draw(2))
        record = self._record("memory", self._source.choice(_STANDING), body, "user")
        if self._source.random() < 0.05:
            return record.without("project").with_fields(scope="global")
        return record

    def _fix(self) -> Record:
        failure = self._failures.get(self._project_id(self._project))
        if failure is None:
            return self._record("observation", "tool_result", self._tool_result())
        command, signature = failure.body.command, failure.body.signature
        body = Body.of(
            text=f"`{command}` failed: {signature}. What made it pass: edit of {self._path()}",
            sources=[failure.id],
            failures=[failure.id],
            signatures=[signature],
            key=failure.body.key,
            command=command,
            fix_kind="edit",
        )
        return self._record("synthesis", "fix", body)

    def _access(self) -> Record:
        body = Body.of(
            targets=[self._last],
            tokens=90,
            trigger="prompt",
            context=f"{self._session}||notes",
            delivery=self._hex(32),
        )
        return self._record("control", "access", body)

    def _session_start(self) -> Body:
        return Body.of(priority="medium", detail={"source": "startup"})

    def _session_end(self) -> Body:
        return Body.of(priority="high", sections={"results": [self._text("answer")]})

    def _prompt(self) -> Body:
        return Body.of(priority="high", text=self._text("prompt"))

    def _answer(self) -> Body:
        return Body.of(priority="high", text=self._text("answer"))

    def _compaction(self) -> Body:
        return Body.of(priority="medium", text=self._text("compaction"))

    def _tool_intent(self) -> Body:
        command = self._command()
        return Body.of(priority="high", tool="Bash", command=command, key=f"cmd:{command}")

    def _tool_result(self) -> Body:
        return self._tool_intent().with_fields(outcome="success", text=self._text("tool_result"))

    def _error(self) -> Body:
        signature = f"{self._draw(1)[0]}error: {' '.join(self._draw(3))}"
        return self._tool_intent().with_fields(
            outcome="failure",
            errors=[signature],
            signature=signature,
            text=self._text("tool_result"),
        )

    # ---- parts

    def _text(self, kind: str) -> str:
        """Words of a text of this kind: from a third to about double its usual length."""
        words = max(2, int(_WORDS[kind] * self._source.uniform(0.35, 1.65)))
        return self._vocabulary.text(self._source, words)

    @property
    def _vocabulary(self) -> Vocabulary:
        return self._japanese if self._is_japanese else self._english

    def _draw(self, count: int) -> list[str]:
        return self._english.draw(self._source, count)

    def _command(self) -> str:
        program, argument = self._draw(2)
        return f"{program} --{argument} {self._path()}"

    def _path(self) -> str:
        return "/".join(("src", *self._draw(2))) + ".py"

    def _hex(self, length: int) -> str:
        return f"{self._source.getrandbits(4 * length):0{length}x}"

    def _project_id(self, number: int) -> str:
        return f"{0xB00C0000 + number:016x}"

    def _slug(self, number: int) -> str:
        return f"widgets-{number}"


def write(place: StoreLocation, corpus: Corpus, size: int) -> int:
    """Write a log of that many records; its bytes. Only for a store that has none yet."""
    files.make_directory(files.segment_directory(place))
    paths = (files.closed_path(place, number) for number in count(1))
    written = 0
    segment: list[bytes] = []
    held = 0
    for record in corpus.records(size):
        line = encode_line(record)
        segment.append(line)
        held += len(line)
        if held >= files.SEGMENT_BYTES:
            next(paths).write_bytes(b"".join(segment))
            written, segment, held = written + held, [], 0
    place.log.write_bytes(b"".join(segment))
    rules_version.write_rules_version(
        place
    )  # written as the broker writes: there is nothing to scan again
    return written + held
