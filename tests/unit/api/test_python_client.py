"""The Python client as a program uses it: in its own process, over a resident, and over a gateway."""

import doctest
import inspect
import json
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import hooklore
from hooklore import Memory
from hooklore.api import memory as client
from hooklore.config import locate_store, read_environment, store_location_at
from hooklore.conversations.message import Message
from hooklore.errors import ConversationInvalid, HookloreError, RequestRefused
from hooklore.records.draft import PERSON
from hooklore.requests.results import Ingested
from hooklore.requests.verbs.remember import RememberOptions
from tests import processes
from tests.conftest import end_residents
from tests.support.agent import repository
from tests.support.desk import Desk

Open = Callable[..., Memory]


@pytest.fixture
def folder(home: Path) -> Path:
    return repository(home / "widgets")


@pytest.fixture(params=["in process", "over the resident", "over a gateway"])
def opened(home: Path, folder: Path, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Open a memory of an agent in the project, in each of the three ways."""
    with ExitStack() as held:
        held.callback(end_residents, home)
        place = _place_of(request.param, home, held)

        def open_memory(agent: str = "chatgpt", **more: Any) -> Memory:
            given = {"folder": folder, "session_id": "chat-1", **place(agent), **more}
            return held.enter_context(Memory(agent, **given))

        yield open_memory


def _place_of(way: str, home: Path, held: ExitStack) -> Callable[[str], dict[str, Any]]:
    """Return what opens a memory for an agent in that way."""
    if way != "over a gateway":
        return lambda _: {"in_process": way == "in process"}
    from tests.support.gateway import running  # which skips where the extra is not installed

    gateway = held.enter_context(running(home, "--rate", "0"))
    return lambda agent: {"url": gateway.url, "token": gateway.token(agent)}


@pytest.fixture(scope="module", params=["in process", "over the resident"])
def refusing(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Open]:
    """Open a memory of an agent for calls that are refused: none changes the store that they share."""
    base = tmp_path_factory.mktemp("refusing")
    folder = repository(base / "widgets")

    def open_memory(agent: str = "chatgpt") -> Memory:
        return Memory(
            agent, folder=folder, session_id="chat-1", store=base / "store",
            in_process=request.param == "in process",
        )  # fmt: skip

    yield open_memory
    end_residents(base)


def talk(count: int, name: str = "mill") -> list[dict[str, object]]:
    return [
        {"author": ("Ada", "Ben")[n % 2], "text": f"The {name} stone {n} was dressed", "id": n}
        for n in range(count)
    ]


@pytest.mark.req("WF-21")
def test_the_example_of_the_documentation_runs() -> None:
    assert doctest.testmod(client) == doctest.TestResults(failed=0, attempted=10)


@pytest.mark.req("WF-21")
def test_what_a_program_keeps_comes_back_with_its_id_and_flag(opened: Open) -> None:
    memory = opened()

    kept = memory.remember("The press needs a torque of 47.", kind="todo", title="Torque")
    taken = memory.snapshot()

    assert (kept.status, kept.private, kept.waits) == ("stored", False, None)
    for found in (memory.recall("Which torque does the press need?"), memory.search("torque")):
        assert [(each.id, each.private) for each in found] == [(kept.id, False)]
        assert found.text.startswith("<hooklore-notes>")
    (whole,) = memory.get("Torque")
    assert (whole.text, whole.agent_id) == ("The press needs a torque of 47.", "chatgpt")
    assert [each.id for each in taken.recent] == [kept.id]
    assert memory.profile() == ()


@pytest.mark.req("WF-21")
def test_a_program_has_the_profile_its_session_and_a_conversation_of_its_own(opened: Open) -> None:
    people = Desk(locate_store(read_environment()))
    said = people.says("Answer in Japanese.", "preference:language", kind="preference")
    memory = opened(session_id="chat-7")

    kept = memory.remember("The press needs a torque of 47.", kind="todo")
    done = memory.ingest(talk(3), "talk-9")
    blocks = memory.profile()
    found = memory.recall("Which torque does the press need?")

    assert [(each.label, [m.id for m in each.memories]) for each in blocks] == [
        ("preferences", [said.id])
    ]
    assert people.get(str(kept.id)).session_id == "chat-7"
    assert {people.get(id_).session_id for id_ in done.ids} == {"conversation:talk-9"}
    assert (done.session_id, done.stored) == ("conversation:talk-9", 3)
    assert [each.id for each in found] == [kept.id]
    people.broker.close()


@pytest.mark.req("WF-10")
def test_of_twelve_todos_without_a_session_five_wait(opened: Open) -> None:
    memory = opened(session_id=None)

    kept = [memory.remember(f"Grease the press {n * 17}.", kind="todo") for n in range(12)]

    assert [each.waits for each in kept] == [None] * 7 + ["run_limit"] * 5
    assert len(memory.snapshot().recent) == 7


@pytest.mark.parametrize(
    ("key", "kind"), [("todo:mill_stone", "todo"), ("mill:stone", "fact"), ("", "fact")]
)
def test_a_memory_without_a_kind_has_the_one_that_its_key_begins_with(
    opened: Open, key: str, kind: str
) -> None:
    memory = opened()

    kept = memory.remember("The stone is to be dressed.", key=key)

    lines = locate_store(read_environment()).log.read_text().splitlines()
    found = list(map(json.loads, lines))
    assert [each["kind"] for each in found if each["id"] == kept.id] == [kind]


def test_what_the_client_takes_is_what_the_verb_takes() -> None:
    taken = list(inspect.signature(Memory.remember).parameters.values())

    assert [each.name for each in taken] == ["self", "content", *RememberOptions.model_fields]
    assert all(each.kind is each.KEYWORD_ONLY for each in taken[2:])


def test_each_argument_of_the_verb_is_kept(opened: Open) -> None:
    kept = opened().remember(
        "The stone is dressed.", title="Stone", when=("dull edge",), kind="bug", key="Mill.Stone",
        confidence="low", ttl_days=3, tags=["mill"], source="ticket 7", run="r-7", paths=["mill/*"],
        no_such_argument=1,  # type: ignore[call-arg]
    )  # fmt: skip

    (found,) = (r for r in _records() if r["id"] == kept.id)
    assert kept.left_out == (
        "no_such_argument: there is no such argument", "changed: key “Mill.Stone”: kept as `mill-stone`",
    )  # fmt: skip
    expected = {
        "kind": "bug", "dedupe_key": "mill-stone", "confidence": "low", "ttl_days": 3, "run_id": "r-7",
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert found["source"]["claim"] == "ticket 7"
    body = {"title": "Stone", "when": ["dull edge"], "tags": ["mill"], "paths": ["mill/*"]}
    assert {name: found["body"][name] for name in body} == body


def _records() -> list[dict[str, Any]]:
    lines = locate_store(read_environment()).log.read_text("utf-8").splitlines()
    return list(map(json.loads, lines))


def test_a_conversation_comes_in_whole_and_is_found_by_any_agent_of_the_project(
    opened: Open,
) -> None:
    memory = opened()

    first = memory.ingest(talk(700))
    again = memory.ingest(talk(701))
    found = opened("codex").recall("What did Ben say about the mill stone 347?")

    assert (first.stored, first.known, again.stored, again.known) == (700, 0, 1, 700)
    assert first.chunks > 2
    assert first.ids == again.ids[:700]
    assert first.session_id == "conversation:chat-1"
    assert found.memories[0].text == "Ben: The mill stone 347 was dressed"
    assert found.memories[0].kind == "turn"


def test_what_an_author_marked_as_private_is_not_kept_however_long_it_is(opened: Open) -> None:
    private = "\n".join(f"The walrus sings verse {number}." for number in range(400))
    text = f"We meet on Friday.\n<private>\n{private}\n</private>\nBring the mill stone."

    opened().ingest([{"author": "Ada <private>Walrus</private>", "text": text}])

    log = locate_store(read_environment()).log.read_text()
    assert "We meet on Friday." in log
    assert "Bring the mill stone." in log
    assert "alrus" not in log


@pytest.mark.parametrize(
    "messages",
    [
        [{"author": "Ada", "text": "b" * 30_000, "time": "2026-03-01T00:00:00Z"}],
        [{"author": "Ada", "text": "The mill turns. " * 2_000}],
        [{"author": "Ada", "text": "yes"}] * 500,
        [{"author": "Ada", "text": "yes", "time": "2026-03-01T00:00:00Z"}] * 500,
        [Message("Ada", "yes")] * 500,
    ],
    ids=["one word", "one phrase", "no time", "one time", "values"],
)
def test_each_part_of_a_conversation_of_equal_words_is_stored_once(
    opened: Open, messages: list[Any]
) -> None:
    memory = opened()

    first, again = memory.ingest(messages), memory.ingest(messages)

    turns = locate_store(read_environment()).log.read_text().count('"kind":"turn"')
    assert first.chunks > 1
    assert first.stored == turns == len(set(first.ids))
    assert (again.stored, again.known) == (0, turns)


def test_a_private_conversation_comes_to_nobody_else(opened: Open) -> None:
    done = opened().ingest(talk(3), private=True)

    assert done.private is True
    other = opened("codex")
    assert len(other.search("mill stone dressed", limit=50)) == 0
    with pytest.raises(RequestRefused):
        other.get(done.ids[0])


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.recall(None),
        lambda memory: memory.recall(""),
        lambda memory: memory.recall("x" * (1 << 20)),
        lambda memory: memory.recall("x" * (17 << 20)),
        lambda memory: memory.recall("\ud800"),
        lambda memory: memory.search("x", limit="many"),
        lambda memory: memory.search("x", limit=0),
        lambda memory: memory.search("x", limit=1 << 70),
        lambda memory: memory.get(),
        lambda memory: memory.get(b"x"),
        lambda memory: memory.get({"a": 1}),
        lambda memory: memory.remember(None),
        lambda memory: memory.remember("x", private="perhaps"),
        lambda memory: memory.remember("x", kind="idea"),
        lambda memory: memory.remember("x", ttl_days="soon"),
        lambda memory: memory.remember("x", kind=object()),
        lambda memory: memory.snapshot(limit_recent=-1),
        lambda memory: memory.snapshot(scopes={"global"}),
        lambda memory: memory.ingest(talk(1), session_id={}),
        lambda memory: memory.ingest(talk(1), private="perhaps"),
        lambda memory: memory.ask("approve", id="1"),
        lambda memory: memory.ask("recall", nothing="x"),
    ],
)
def test_an_argument_of_the_wrong_type_is_refused_with_a_cause_and_a_next_step(
    refusing: Open, call: Callable[[Memory], object]
) -> None:
    with refusing() as memory:
        begin = time.monotonic()
        with pytest.raises(RequestRefused) as refused:
            call(memory)
    assert time.monotonic() - begin < 20, "it is not sent again and again"

    assert str(refused.value).startswith("could not ")
    assert refused.value.fix


def test_an_overlap_beyond_the_messages_leaves_no_count_below_zero(opened: Open) -> None:
    told = opened().ask("ingest", session_id="chat-1", messages=talk(2), overlap=9).content

    assert (told["stored"], told["left_out"], told["ids"]) in ((0, 0, []), (0, 0, ()))


def test_half_a_character_is_left_out_of_a_turn(opened: Open) -> None:
    memory = opened()

    assert memory.ingest([{"author": "Ada", "text": "The mill \ud800 turns"}]).stored == 1
    assert memory.recall("mill turns").memories[0].text == "Ada: The mill  turns"


def test_a_message_that_cannot_be_read_is_refused_before_anything_is_kept(opened: Open) -> None:
    memory = opened()

    with pytest.raises(ConversationInvalid) as refused:
        memory.ingest([*talk(500), {"author": "Ada"}])

    assert refused.value.field == "messages[500].text"
    assert memory.ingest(talk(500)).stored == 500


def test_a_project_may_be_named_where_no_folder_says_it(opened: Open) -> None:
    kept = opened(folder="/", project="mill").remember("The mill runs on Mondays.", kind="fact")

    assert kept.scope == "project:mill"
    found = opened("codex", folder="/", project="mill").recall("mill Mondays")
    assert [each.id for each in found] == [kept.id]
    with pytest.raises(RequestRefused, match="could not read `project`"):
        opened(project="../mill").recall("mill")


def test_a_conversation_without_a_name_is_refused(opened: Open) -> None:
    with pytest.raises(RequestRefused, match="session_id"):
        opened(session_id=None).ingest(talk(1))


@pytest.mark.parametrize("agent", ["nobody", "person", "program", "", "Claude", 7])
def test_only_a_registered_agent_has_a_memory(refusing: Open, agent: Any) -> None:
    with (
        pytest.raises(HookloreError, match=r"could not (act as|tell which)"),
        refusing(agent) as memory,
    ):
        memory.recall("anything")


def test_a_program_that_an_agent_runs_is_that_agent_and_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "3f1f7bb0-6f0e-4d0c-9d4e-1f2a3b4c5d6e")

    assert Memory(folder=folder).agent == "claude"
    assert Memory("claude-code", folder=folder).agent == "claude"
    with pytest.raises(HookloreError, match="`claude` runs this program"):
        Memory("codex", folder=folder)


def test_a_program_at_a_terminal_is_not_the_person(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for stream in ("stdin", "stderr"):
        monkeypatch.setattr(getattr(sys, stream), "isatty", lambda: True, raising=False)

    with pytest.raises(HookloreError, match="could not tell which agent"):
        Memory(folder=folder)


def test_sixteen_threads_share_a_memory(opened: Open) -> None:
    memory = opened()

    def work(number: int) -> Ingested:
        done = memory.ingest(talk(120, f"mill{number % 4}"), session_id=f"chat-{number % 4}")
        memory.recall(f"mill{number % 4} stone {number}")
        return done

    with ThreadPoolExecutor(16) as pool:
        done = list(pool.map(work, range(16)))

    assert sum(each.stored for each in done) == 4 * 120
    assert sum(each.known for each in done) == 12 * 120


def test_a_resident_that_is_killed_during_an_ingest_loses_no_turn_and_doubles_none(
    home: Path, folder: Path
) -> None:
    memory = Memory("chatgpt", folder=folder, session_id="chat-1", seconds=120.0)
    memory.ingest(talk(100))

    with ThreadPoolExecutor(1) as pool:
        going_on = pool.submit(memory.ingest, talk(3_000))
        for each in processes.naming(home):
            if each.is_resident:
                each.kill()
        done = going_on.result()

    assert done.stored + done.known == 3_000
    assert memory.ingest(talk(3_000)).known == 3_000
    assert len(set(done.ids)) == 3_000
    end_residents(home)


def _work_in_a_process(folder: Path, number: int, in_process: bool) -> None:
    with Memory("chatgpt", folder=folder, in_process=in_process) as memory:
        done = memory.ingest(talk(300), session_id="chat-1")
        assert done.stored + done.known == 300
        memory.remember(f"Process {number} dressed its stone.", kind="todo")


@pytest.mark.parametrize("in_process", [True, False])
@pytest.mark.parametrize("way", ["spawn", "fork"])
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_four_processes_write_at_once(home: Path, folder: Path, way: str, in_process: bool) -> None:
    memory = Memory("chatgpt", folder=folder, in_process=True)
    memory.recall("a store that is open before the processes begin")
    context: Any = multiprocessing.get_context(way)
    workers = [
        context.Process(target=_work_in_a_process, args=(folder, number, in_process))
        for number in range(4)
    ]
    for each in workers:
        each.start()
    for each in workers:
        each.join()

    assert [each.exitcode for each in workers] == [0] * 4
    assert len(memory.search("process dressed its stone", limit=50)) >= 4
    assert memory.ingest(talk(300), session_id="chat-1").known == 300
    memory.close()
    end_residents(home)


def test_a_store_may_lie_anywhere_and_a_closed_memory_opens_it_again(
    tmp_path: Path, folder: Path, home: Path
) -> None:
    store = tmp_path / "elsewhere"

    with Memory("chatgpt", store=store, folder=folder, in_process=True) as memory:
        kept = memory.remember("The press needs a torque of 47.", kind="todo")
    with Memory("codex", store=str(store), folder=folder) as other:
        assert [each.id for each in other.recall("torque of the press")] == [kept.id]
    assert [each.id for each in memory.recall("torque of the press")] == [kept.id]
    memory.close()

    assert store_location_at(store).log.exists()
    assert not (home / ".config").exists()
    end_residents(tmp_path)


def test_the_import_of_the_package_loads_nothing_and_its_names_are_typed() -> None:
    told = "sorted(set(sys.modules) - before), *dir(hooklore)"
    code = f"import sys; before = set(sys.modules); import hooklore; print({told})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout

    assert loaded.startswith("['hooklore'] ")
    assert "Memory" in loaded
    assert get_type_hints(Memory.ingest)["return"] is Ingested
    assert PERSON.person
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = hooklore.Nothing  # type: ignore[attr-defined]
