"""No masked value survives in any byte under the store: not after capture, not after a scrub."""

import json
import random
import re
import string
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import orjson
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.errors import HookloreError
from hooklore.index.text import TextIndex
from hooklore.log import files
from hooklore.log.lock import LogLock
from hooklore.log.reader import LogReader
from hooklore.log.spool import Spool
from hooklore.maintenance.scrub import Scrub, scrub_store
from hooklore.memories.write_gate import remember
from hooklore.records.draft import PERSON
from hooklore.redaction import redact
from hooklore.redaction.finding import MASK_PATTERN, make_mask
from hooklore.redaction.record_redactor import reserved_words
from tests.redaction.cases import Case, build_cases, stands_in
from tests.support.agent import Agent
from tests.support.memory_folder import memory_folder
from tests.support.store_files import files_of, holding
from tests.support.writers import KEYS, clean_record, draft, records

_CASES = [case for case in build_cases() if not case.left_in(redact(case.text).text)]
"""Texts of which the rules find everything: what they miss is scored elsewhere."""

Way = Callable[[Agent, str], object]


def _decides(agent: Agent, text: str) -> None:
    """Through the gate for what is said on purpose; a text of the wrong shape is refused whole."""
    event = {
        "agent_id": "person", "kind": "decision", "confidence": "high", "scope": "global",
        "source": {"system": "cli"}, "basis": "user", "content_md": text, "tags": [text],
    }  # fmt: skip
    with suppress(HookloreError):
        remember(agent.broker, event, PERSON)


WAYS: dict[str, Way] = {
    "prompt": lambda a, text: a.asks(text),
    "command": lambda a, text: a.about_to(text),
    "output": lambda a, text: a.passes("make", text),
    "failure": lambda a, text: a.fails("make", text),
    "edit": lambda a, text: a.edits("a.py", text),
    "answer": lambda a, text: a.hook("Stop", last_assistant_message=text),
    "subagent": lambda a, text: a.hook(
        "SubagentStart", agent_id="x", agent_type="general", prompt=text
    ),
    "task": lambda a, text: a.hook("TaskCreated", task_id="1", task_subject=text),
    "mcp": lambda a, text: a.hook(
        "PostToolUse", tool_name="mcp__x__y", tool_use_id="m",
        tool_input={"deep": [{text: text}]}, tool_response=[{"type": "text", "text": text}],
    ),
    "end": lambda a, text: a.hook("SessionEnd", reason=text),
    "unknown": lambda a, text: a.hook("PostToolUse", what=text, tool_name=text, tool_input=text),
    "said": lambda a, text: a.remembers(text),
    "taught": lambda a, text: a.asks(f"remember: always use this one\n{text}"),
    "noted": lambda a, text: a.edits("MEMORY.md", f"- we agreed on this\n- {text}"),
    "decided": _decides,
}  # fmt: skip


@contextmanager
def _agent() -> Iterator[Agent]:
    with memory_folder() as folder:
        project = folder / "widgets"
        (project / ".git").mkdir(parents=True)
        (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        agent = Agent(store_location_at(folder / "store"), project, folder)
        try:
            yield agent
        finally:
            agent.broker.close()


def _holding(place: StoreLocation, case: Case) -> list[str]:
    """Files in which half a secret of the case stands (of a random one; words are everywhere)."""
    found = []
    for path in files_of(place):
        text = path.read_bytes().decode("utf-8", "replace")
        parts = [text, *_strings(text)]
        if any(_stands_in(secret, part) for secret in case.secrets for part in parts):
            found.append(str(path))
    return found


def _stands_in(secret: str, text: str) -> bool:
    is_random = secret.lower() != secret != secret.upper() and any(map(str.isdigit, secret))
    if is_random and len(secret) > 15:
        return stands_in(secret, text)
    return len(secret) > 7 and not secret.isdigit() and secret in text


def _strings(text: str) -> Iterator[str]:
    """Every string in JSON lines, so that an escaped secret is seen too."""
    for line in text.split("\n"):  # a string may hold other characters that end lines
        try:
            pending: list[Any] = [orjson.loads(line)]
        except orjson.JSONDecodeError:
            continue
        while pending:
            item = pending.pop()
            if isinstance(item, str):
                yield item
            elif isinstance(item, dict):
                pending += [*item, *item.values()]
            elif isinstance(item, list):
                pending += item


def _terms_left(place: StoreLocation, text: str) -> list[str]:
    """Terms of a text that the index still has; its dictionary is packed, so bytes would not show them."""
    broker = Broker(place)
    broker.refresh()
    index = broker._view._text
    assert isinstance(index, TextIndex)
    searcher = index._index.searcher()
    left = [term for term in set(index.analyze(text)) if searcher.doc_freq("body", term)]
    broker.close()
    return left


@contextmanager
def _locked(agent: Agent, *, really: bool) -> Iterator[None]:
    """Another process holds the log: what is captured goes to the spool."""
    if not really:
        yield
        return
    lock, agent.broker._wait = LogLock(agent.place.directory), 0.001
    with lock.held(None):
        yield
    lock.close()
    agent.broker._wait = 5.0


@pytest.mark.req("RD-02")
@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(WAYS)), st.sampled_from(_CASES)), min_size=1, max_size=6
    ),
    st.booleans(),
)
def test_what_is_masked_at_capture_is_in_no_file(
    captured: list[tuple[str, Case]], is_spooled: bool
) -> None:
    with _agent() as agent:
        agent.starts("s1")
        with _locked(agent, really=is_spooled):
            for way, case in captured:
                WAYS[way](agent, case.text)
            waiting = {way: _holding(agent.place, case) for way, case in captured}
        agent.asks("and then")
        agent.broker.index()
        kept = {way: _holding(agent.place, case) for way, case in captured}

        assert not any(waiting.values()), waiting
        assert not any(kept.values()), kept


@pytest.mark.req("RD-02")
def test_every_case_leaves_no_file_with_it_through_every_way() -> None:
    with _agent() as agent:
        agent.starts("s1")
        for number, case in enumerate(_CASES[::4]):
            WAYS[sorted(WAYS)[number % len(WAYS)]](agent, case.text)
        agent.broker.index()

        text = "\n".join(
            part
            for path in files_of(agent.place)
            for whole in [path.read_bytes().decode("utf-8", "replace")]
            for part in (whole, *_strings(whole))
        )
        long = [
            (c.label, s) for c in _CASES[::4] for s in c.secrets if len(s) > 7 and not s.isdigit()
        ]
        assert len(long) > 300
        assert [label for label, secret in long if secret in text] == []


@pytest.mark.req("RD-02")
@pytest.mark.parametrize("where", ["folder", "branch", "remote"])
def test_a_secret_in_the_projects_name_is_in_no_file(where: str) -> None:
    secret = "gh" + "p_" + "".join(random.Random(7).choices(string.ascii_letters, k=33)) + "a1b"
    with _agent() as agent:
        if where == "folder":
            agent.project = agent.home / f"token={secret}" / "w"
        git = agent.project / ".git"
        git.mkdir(parents=True, exist_ok=True)
        branch = f"fix/{secret}" if where == "branch" else "main"
        (git / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
        if where == "remote":
            url = f"https://{secret}@example.org/{secret}/w.git"
            (git / "config").write_text(f'[remote "origin"]\n\turl = {url}\n')
        agent.starts("s1")
        agent.asks("the turbine spins")
        with _locked(agent, really=True):
            agent.asks("it waits")
        agent.starts("s2")
        agent.edits("src/a.py", "x = 1")
        agent.broker.index()

        assert holding(agent.place, secret) == []
        projects = {r["project"] for r in agent.records() if r.get("project")}
        assert len(projects) == 1
        assert Scrub(agent.broker).look().is_clean


_LITERALS = st.text(
    st.sampled_from('aZ09é日本パ゚"\\/\n\t\x07 😀%+&=.[]{}:,-') | st.characters(codec="utf-8"),
    min_size=4,
    max_size=24,
).filter(lambda text: len(text.strip()) >= 4)
_CARRIERS: list[Callable[[str], Any]] = [
    lambda text: {"text": f"before {text} after"},
    lambda text: {"text": text * 3},
    lambda text: {"text": json.dumps({"said": text})},
    lambda text: {"text": json.dumps(json.dumps([text], ensure_ascii=False))},
    lambda text: {"text": "x", "detail": {text: [text, {"deep": text}]}},
    lambda text: {"text": "x", "artifacts": [text], "command": f"echo '{text}'"},
]


@settings(max_examples=30)
@given(
    _LITERALS,
    st.lists(st.integers(0, len(_CARRIERS) - 1), min_size=1, max_size=4),
    st.integers(0, 3),
    st.sampled_from([1 << 25, 700]),
)
@example("][RE", [0, 1], 1, 700)
@example("0000", [0], 0, 1 << 25)
@example('a"\\\\', [2, 3], 1, 700)
@example("0000\x1f\x85", [3], 1, 700)
def test_what_a_person_names_is_in_no_file_and_everything_else_is_as_it_was(
    literal: str, carriers: list[int], extra: int, segment: int
) -> None:
    before_segment, files.SEGMENT_BYTES = files.SEGMENT_BYTES, segment
    with memory_folder() as folder:
        broker = Broker(store_location_at(folder))
        try:
            _scrub_and_check(broker, literal, carriers, extra)
        finally:
            files.SEGMENT_BYTES = before_segment
            broker.close()


def _scrub_and_check(broker: Broker, literal: str, carriers: list[int], extra: int) -> None:
    place = broker.place
    broker.append([draft(f"plain{n}", "quartz", keys=KEYS) for n in range(extra + 1)])
    for number, carrier in enumerate(carriers):
        broker.append([draft(f"n{number}", body=_CARRIERS[carrier](literal), keys=KEYS)])
    broker.append([draft("branch", "quartz", branch=literal, agent_type=literal)])
    broker.index()
    Spool(place).put([clean_record("waits", literal, keys=KEYS)])
    before = [r for r in records(place) if not _said(r, literal)]
    lines = {r["id"]: line for r, line in zip(records(place), _log(place), strict=True)}
    try:
        work = Scrub(broker, [literal])
    except HookloreError:
        assert (
            any(literal in word for word in reserved_words()) or literal in make_mask("literal") * 2
        )
        return
    del work

    scrub_store(broker, [literal])

    after = {r["id"]: line for r, line in zip(records(place), _log(place), strict=True)}
    assert {id_: after[id_] for id_ in (r["id"] for r in before)} == {
        r["id"]: lines[r["id"]] for r in before
    }
    assert [r["id"] for r in records(place) if _said(r, literal)] == []
    assert scrub_store(broker, [literal]).is_clean
    assert broker.append([draft("plain0", keys=KEYS)])[0].status == "duplicate"


def _log(place: StoreLocation) -> list[bytes]:
    reader = LogReader(place)
    found = [line.raw for line in reader.lines()]
    reader.close()
    return found


_MADE = ("v", "id", "ts", "stream", "kind", "hash", "importance")


def _said(record: dict[str, Any], literal: str) -> bool:
    """Whether a string of a record that is not the log's own says it, in either Unicode form."""
    said = {name: value for name, value in record.items() if name not in _MADE}
    forms = {literal, *(unicodedata.normalize(form, literal) for form in ("NFC", "NFD"))}
    strings = list(_strings(json.dumps(said)))
    for _ in range(2):
        strings += [part for text in strings for part in _strings(text)]
    plain = [re.sub(MASK_PATTERN, "\0", text) for text in strings]
    return any(form in text for text in plain for form in forms)


def test_the_index_keeps_no_term_of_what_a_person_named() -> None:
    word = "kobayashi" + "maru"
    with _agent() as agent:
        agent.starts("s1")
        agent.asks(f"the {word} test, 山桜吹雪 too")
        agent.broker.index()
        assert _terms_left(agent.place, f"{word} 山桜吹雪")

        scrub_store(agent.broker, [word, "山桜吹雪"])

        assert _terms_left(agent.place, f"{word} 山桜吹雪") == []
        assert holding(agent.place, word) == holding(agent.place, "山桜吹雪") == []
