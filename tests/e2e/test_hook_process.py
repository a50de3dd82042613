"""Hooks as real processes: C05, C14, C15, C17–C20, bad input, and what a resident may suffer."""

import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest

from hooklore.agents.claude_code.registering import GROUPS
from hooklore.config import root_digest, runtime_directory
from hooklore.hooks.delivery import Delivery
from hooklore.resident import call
from hooklore.resident.wire import encode_frame
from tests.conftest import end_residents, slowness, wait_until
from tests.processes import is_alive, state
from tests.support.launcher import ENTRIES, Launcher, Ran, prompt, stopped, tool
from tests.support.writers import records

_SLACK = 5.0
"""Seconds that a quiet machine may be late; one that is slower may be later."""


def _latest(deadline: float) -> float:
    """Return the seconds after which a hook of this deadline has ended, on this machine as it is now."""
    return deadline + _SLACK * slowness()


@pytest.fixture
def hooks(home: Path) -> Launcher:
    """A home with the launcher in it."""
    return Launcher(home).lay_out()


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launcher]:
    """A home with the launcher and one resident, for whatever comes in."""
    home = tmp_path_factory.mktemp("living") / "home"
    home.mkdir()
    yield Launcher(home).lay_out()
    end_residents(home)


def _is_quiet(ran: Ran) -> bool:
    return ran.status == 0 and not ran.stderr


# ---- what a hook loads


def test_an_ordinary_hook_loads_no_library_that_it_does_not_need(hooks: Launcher) -> None:
    hooks.run("UserPromptSubmit", prompt("first", "s"))
    hooks.wait_for_prompts(1)
    python, *rest = hooks.command("UserPromptSubmit")

    ran = subprocess.run(
        [python, "-X", "importtime", *rest],
        env=hooks.environment({}),
        input=orjson.dumps(prompt("second", "s")),
        capture_output=True,
        timeout=60,
        check=False,
    )

    loaded = {line.rpartition("|")[2].strip() for line in ran.stderr.decode().splitlines()}
    assert {"client", "_socket"} <= loaded
    assert loaded.isdisjoint(
        {"client_trouble", "_blake2", "fcntl", "json", "socket", "os", "hooklore"}
    )
    assert hooks.wait_for_prompts(2) == ["first", "second"]


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_a_resident_keeps_no_cryptography_in_memory(hooks: Launcher) -> None:
    hooks.run("UserPromptSubmit", prompt("first", "s"))
    pid = hooks.wait_for_resident()

    mapped = Path(f"/proc/{pid}/maps").read_text()

    assert "tantivy" in mapped
    assert "libcrypto" not in mapped


# ---- many at once (C19)


def test_two_hundred_hooks_at_once_start_one_resident_and_are_all_stored(hooks: Launcher) -> None:
    started = [
        hooks.start("UserPromptSubmit", prompt(f"prompt {n:03d}", f"s{n % 4}")) for n in range(200)
    ]

    ended = [each.wait() for each in started]

    assert {ran.status for ran in ended} == {0}
    assert {ran.stderr for ran in ended} == {b""}
    assert sorted(hooks.wait_for_prompts(200)) == [f"prompt {n:03d}" for n in range(200)]
    assert len(hooks.residents()) == 1


@pytest.mark.req("HK-30")
def test_a_hook_of_a_process_that_hooklore_started_does_nothing(hooks: Launcher) -> None:
    ran = hooks.run("UserPromptSubmit", prompt("inside"), variables={"HOOKLORE_DEPTH": "1"})

    assert (ran.status, ran.stdout, ran.stderr) == (0, b"", b"")
    assert not hooks.residents()
    assert not hooks.place.directory.exists()


@pytest.mark.parametrize("off", ["1", "true"])
def test_a_switched_off_hook_does_nothing(hooks: Launcher, off: str) -> None:
    ran = hooks.run("SessionStart", prompt("off"), variables={"HOOKLORE_OFF": off})

    assert (ran.status, ran.stdout, ran.stderr) == (0, b"", b"")
    assert not hooks.residents()


def test_settings_and_plugin_together_store_once(hooks: Launcher) -> None:
    (hooks.folder / "in-settings").write_text("user\n")
    for n in range(5):
        started = [
            hooks.start("UserPromptSubmit", prompt(f"prompt {n}"), *arguments)
            for arguments in ((), ("plugin",))
        ]
        assert all(_is_quiet(each.wait()) for each in started)

    assert hooks.wait_for_prompts(5) == [f"prompt {n}" for n in range(5)]


def test_a_plugin_alone_stores(hooks: Launcher) -> None:
    ran = hooks.run("UserPromptSubmit", prompt("by the plugin"), "plugin")

    assert _is_quiet(ran)
    assert hooks.wait_for_prompts(1) == ["by the plugin"]


def test_two_registrations_of_one_tool_event_store_it_once(hooks: Launcher) -> None:
    for n in range(5):
        started = [hooks.start("PostToolUse", tool(f"toolu_{n}")) for _ in range(3)]
        assert all(_is_quiet(each.wait()) for each in started)

    def results() -> int:
        return sum(r["kind"] == "tool_result" for r in records(hooks.place))

    wait_until(lambda: results() >= 5, "five results")
    assert results() == 5


# ---- a resident that is replaced, stopped, killed


def test_another_version_under_a_live_session_takes_over(hooks: Launcher) -> None:
    hooks.run("UserPromptSubmit", prompt("before"))
    first = hooks.wait_for_resident()
    link = hooks.folder / "python"
    other = hooks.folder / "python.new"
    other.symlink_to(f"{Path(os.readlink(link)).parent}/./{Path(os.readlink(link)).name}")
    other.rename(link)

    sent = 0
    while hooks.residents() in ([], [first]) and sent < 200:
        assert _is_quiet(hooks.run("UserPromptSubmit", prompt(f"during {sent}")))
        sent += 1
    second = hooks.wait_for_resident(other_than=first)

    assert _is_quiet(hooks.run("UserPromptSubmit", prompt("after")))
    found = hooks.wait_for_prompts(sent + 2)
    assert sorted(found) == sorted(["before", "after", *(f"during {n}" for n in range(sent))])
    assert hooks.residents() == [second]
    assert not is_alive(first)


def test_a_stopped_resident_holds_up_one_hook_and_is_replaced(hooks: Launcher) -> None:
    hooks.run("UserPromptSubmit", prompt("prompt 0", "earlier"))
    first = hooks.wait_for_resident()
    stopped(first)

    ran = [hooks.run("UserPromptSubmit", prompt("prompt 1"))]
    ran += [hooks.run("PostToolUse", tool("toolu_1"))]
    ran += [hooks.run("UserPromptSubmit", prompt(f"prompt {n}")) for n in (2, 3)]

    assert all(_is_quiet(each) for each in ran)
    assert ran[0].seconds < _latest(1.5)
    assert "shared memory slow" in ran[0].context
    assert not [each for each in ran[1:] if "shared memory" in each.context], "said twice"
    wait_until(lambda: not is_alive(first), "the end of the stopped one")
    assert sorted(hooks.wait_for_prompts(4)) == [f"prompt {n}" for n in range(4)]
    wait_until(lambda: any(r["kind"] == "tool_result" for r in records(hooks.place)), "the tool's")
    assert len(hooks.residents()) == 1
    assert len(hooks.prompts()) == 4


def test_after_the_mark_nobody_waits_for_a_stopped_resident(hooks: Launcher) -> None:
    """Ratio, not seconds: from the third hook on none waits as long as the first, beyond its start."""
    hooks.run("PostToolUse", tool("toolu_0"))
    stopped(hooks.wait_for_resident())

    ran, waits = [], []
    for n in range(1, 7):
        start = hooks.seconds_of_nothing()
        ran.append(hooks.run("PostToolUse", tool(f"toolu_{n}")))
        waits.append(ran[-1].seconds - start)

    assert ran[0].seconds >= 0.8
    assert sorted(waits[2:])[1] < waits[0] / 2
    assert all(_is_quiet(each) for each in ran)
    wait_until(lambda: len(_results(hooks)) >= 7, "seven results")
    assert sorted(_results(hooks)) == [f"toolu_{n}" for n in range(7)]


def test_under_a_young_mark_nobody_waits(hooks: Launcher) -> None:
    """It is too old for a kill and too young to be forgotten: the hook leaves, its payload waits."""
    hooks.run("PostToolUse", tool("toolu_0"))
    first = hooks.wait_for_resident()
    stopped(first)
    hooks.mark.write_text(f"{time.time() - 15:.3f} {first}")

    ran = hooks.run("PostToolUse", tool("toolu_1"))
    is_spared = is_alive(first)
    os.kill(first, signal.SIGCONT)

    assert _is_quiet(ran)
    assert ran.seconds - hooks.seconds_of_nothing() < 0.8
    assert is_spared
    wait_until(lambda: sorted(_results(hooks)) == ["toolu_0", "toolu_1"], "both results")


def test_a_mark_from_the_future_is_no_mark(hooks: Launcher) -> None:
    """The clock was put back."""
    hooks.run("PostToolUse", tool("toolu_0"))
    first = hooks.wait_for_resident()
    stopped(first)
    hooks.mark.write_text(f"{time.time() + 86_400:.3f} {first}")

    ran = hooks.run("PostToolUse", tool("toolu_1"))
    os.kill(first, signal.SIGCONT)

    assert ran.seconds >= 0.8
    wait_until(lambda: sorted(_results(hooks)) == ["toolu_0", "toolu_1"], "both results")
    assert hooks.residents() == [first]


def _results(hooks: Launcher) -> list[str]:
    found = [r for r in records(hooks.place) if r["kind"] == "tool_result"]
    return [str(r.get("natural_key", "")).rpartition("|")[2] for r in found]


def test_one_lonely_hook_of_a_stopped_resident_is_stored_all_the_same(hooks: Launcher) -> None:
    hooks.run("PostToolUse", tool("toolu_0"))
    first = hooks.wait_for_resident()
    stopped(first)

    ran = hooks.run("PostToolUse", tool("toolu_1"))

    assert _is_quiet(ran)
    wait_until(lambda: len(_results(hooks)) == 2, "the second result")
    assert not is_alive(first)


@pytest.mark.req("WF-08")
def test_a_resident_that_is_killed_again_and_again_loses_and_doubles_nothing(
    hooks: Launcher,
) -> None:
    chance = random.Random(7)
    running = []
    count = 120
    for n in range(count):
        running.append(hooks.start("UserPromptSubmit", prompt(f"prompt {n:03d}")))
        if n % 10 == 9:
            for pid in hooks.residents():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        if chance.random() < 0.3:
            running.pop(0).wait()
    for each in running:
        assert each.wait().status == 0

    found = hooks.wait_for_prompts(count)

    assert sorted(found) == [f"prompt {n:03d}" for n in range(count)]
    assert len(hooks.residents()) <= 1


def test_when_no_resident_can_come_up_the_event_is_stored_alone(hooks: Launcher) -> None:
    """Its socket cannot be bound: something else has that name."""
    socket = runtime_directory() / f"{root_digest(str(hooks.place.directory))}.sock"
    runtime_directory().mkdir(0o700, exist_ok=True)
    socket.mkdir()
    try:
        ran = hooks.run("UserPromptSubmit", prompt("alone"))

        assert _is_quiet(ran)
        assert hooks.wait_for_prompts(1) == ["alone"]
        assert not hooks.residents()
    finally:
        socket.rmdir()


@pytest.mark.req("WF-08")
def test_one_delivery_sent_on_every_path_is_one_record(hooks: Launcher) -> None:
    payload = orjson.dumps(prompt("once"))
    delivery = Delivery("claude", "UserPromptSubmit", "0f" * 16, payload)
    hooks.run("Stop", {"session_id": "s", "last_assistant_message": "hello"})
    hooks.wait_for_resident()
    answers = [call.send_delivery(hooks.place, delivery) for _ in range(3)]

    alone = subprocess.run(
        [sys.executable, "-I", "-m", "hooklore.resident", "--once"],
        input=encode_frame(delivery),
        env=hooks.environment({}),
        capture_output=True,
    )
    spooled = _deliver_into_the_spool(hooks, delivery)
    hooks.run("UserPromptSubmit", prompt("next"))

    assert [answer[0] for answer in answers if answer] == ["stored", "duplicate", "duplicate"]
    assert (alone.returncode, alone.stderr) == (0, b"")
    assert spooled == "spooled"
    assert hooks.wait_for_prompts(2) == ["once", "next"]
    assert not list((hooks.place.directory / "spool").glob("*.jsonl"))


def _deliver_into_the_spool(hooks: Launcher, delivery: Delivery) -> str:
    import fcntl

    fd = os.open(hooks.place.directory, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        answer = call.send_delivery(hooks.place, delivery)
    finally:
        os.close(fd)
    return answer[0] if answer else ""


# ---- signals and descriptors (C20)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_hook_that_is_told_to_end_keeps_its_payload(hooks: Launcher, number: int) -> None:
    hooks.run("UserPromptSubmit", prompt("first"))
    resident = hooks.wait_for_resident()
    stopped(resident)
    running = hooks.start("PostToolUse", tool("toolu_told"))
    wait_until(lambda: _is_asking(running.process.pid), "the question")

    running.process.send_signal(number)
    running.process.send_signal(number)
    ran = running.wait()
    os.kill(resident, signal.SIGCONT)

    assert _is_quiet(ran)
    wait_until(lambda: _results(hooks) == ["toolu_told"], "the result")


def _is_asking(pid: int) -> bool:
    """Whether a hook waits for an answer: it has a socket open and sleeps."""
    try:
        names = os.listdir(f"/proc/{pid}/fd")
        has_socket = any(os.readlink(f"/proc/{pid}/fd/{n}").startswith("socket:") for n in names)
        return has_socket and state(pid) == "S"
    except OSError:
        return False


def test_a_reader_that_has_gone_does_not_matter(hooks: Launcher) -> None:
    hooks.run("UserPromptSubmit", prompt("first"))
    reading, writing = os.pipe()
    os.close(reading)

    with tempfile.TemporaryFile() as stdin:
        stdin.write(orjson.dumps(prompt("second") | {"source": "startup"}))
        stdin.seek(0)
        done = subprocess.run(
            hooks.command("SessionStart"), env=hooks.environment({}), stdin=stdin, stdout=writing,
            stderr=subprocess.PIPE,
        )  # fmt: skip
    os.close(writing)

    assert (done.returncode, done.stderr) == (0, b"")
    wait_until(lambda: any(r["kind"] == "session_start" for r in records(hooks.place)), "the start")


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_closed_descriptors_do_not_matter(living: Launcher, closed: str) -> None:
    command = " ".join(f"'{word}'" for word in living.command("UserPromptSubmit"))
    kept = f"kept {uuid.uuid4().hex}"

    done = subprocess.run(
        ["/bin/sh", "-c", f"{command} {closed}"],
        env=living.environment({}),
        input=orjson.dumps(prompt(kept)),
        capture_output=True,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    if "0" not in closed:
        wait_until(lambda: kept in living.prompts(), "the prompt")


def test_a_writer_that_never_ends_does_not_hold_the_hook(hooks: Launcher) -> None:
    reading, writing = os.pipe()
    os.write(writing, orjson.dumps(prompt("unended")))
    started = time.monotonic()

    process = subprocess.run(
        hooks.command("UserPromptSubmit"), env=hooks.environment({}), stdin=reading,
        capture_output=True,
    )  # fmt: skip

    seconds = time.monotonic() - started
    assert process.returncode == 0
    assert seconds < _latest(1.5)
    os.close(writing)
    os.close(reading)
    assert hooks.wait_for_prompts(1) == ["unended"]


def test_of_a_prompt_of_fifteen_megabytes_the_beginning_is_handed_over(hooks: Launcher) -> None:
    line = "the turbine of the copper press stalls again. "
    text = line * (15_000_000 // len(line))

    ran = hooks.run("UserPromptSubmit", prompt(text, "s"))

    (kept,) = hooks.wait_for_prompts(1)
    (record,) = [each for each in records(hooks.place) if each["kind"] == "prompt"]
    assert _is_quiet(ran)
    assert len(kept) > 2_000
    assert text.startswith(kept.rstrip("… \n"))
    assert "of 15" in record["body"]["detail"]["problem"]


def test_a_payload_that_comes_late_is_kept_whole(hooks: Launcher) -> None:
    """Under a mark too, and though the hook ends before all of it is there."""
    hooks.run("PostToolUse", tool("toolu_0"))
    first = hooks.wait_for_resident()
    hooks.mark.write_text(f"{time.time():.3f} {first}")
    raw = orjson.dumps(tool("toolu_late"))
    reading, writing = os.pipe()
    os.write(writing, raw[:20])

    process = subprocess.run(
        hooks.command("PostToolUse"), env=hooks.environment({}), stdin=reading, capture_output=True
    )
    os.write(writing, raw[20:])
    os.close(writing)
    os.close(reading)

    assert (process.returncode, process.stderr) == (0, b"")
    wait_until(lambda: sorted(_results(hooks)) == ["toolu_0", "toolu_late"], "the late one")


# ---- what may come in


def _deep() -> bytes:
    return b'{"session_id":"s","prompt":' + b"[" * 100_000 + b"]" * 100_000 + b"}"


_ODD: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "truncated": lambda: orjson.dumps(prompt("half a pro"))[:-4],
    "no JSON": lambda: b"hello\n",
    "an array": lambda: b"[1,2]",
    "a string": lambda: b'"text"',
    "NUL bytes": lambda: b"\x00" * 4096,
    "NUL in a string": lambda: orjson.dumps(prompt("a\x00b")),
    "lone surrogates": lambda: b'{"session_id":"s","prompt":"a \\ud800 b \\udfff"}',
    "invalid UTF-8": lambda: b'{"session_id":"s","prompt":"a \xff\xfe b"}',
    "a BOM": lambda: b"\xef\xbb\xbf" + orjson.dumps(prompt("bom")),
    "separators": lambda: orjson.dumps(prompt("a\u2028b\u2029c\u0085d\r\ne")),
    "wrong types": lambda: (
        b'{"session_id":5,"prompt":{"a":1},"cwd":[],"tool_input":7,"tool_name":{}}'
    ),
    "paths upwards": lambda: orjson.dumps(
        prompt("up", "../../../../tmp/evil", cwd="../../..", transcript_path="../../../etc/passwd")
    ),
    "deep": _deep,
    "a million keys": lambda: (
        b'{"session_id":"s",' + b",".join(b'"k%d":1' % n for n in range(10**6)) + b"}"
    ),
    "a long number": lambda: b'{"session_id":"s","n":' + b"7" * 5000 + b',"prompt":"n"}',
    "NaN": lambda: b'{"session_id":"s","n":NaN,"i":-Infinity,"prompt":"n"}',
    "1 MiB": lambda: orjson.dumps(prompt("x" * (1 << 20))),
    "5 MiB": lambda: orjson.dumps(prompt("y " * (5 << 19))),
    "more than a delivery may have": lambda: orjson.dumps(prompt("z" * (17 << 20))),
}


@pytest.mark.req("HK-01")
@pytest.mark.parametrize("odd", _ODD.values(), ids=_ODD.keys())
def test_whatever_comes_in_the_hook_ends_well_and_the_resident_lives_on(
    living: Launcher, odd: Callable[[], bytes]
) -> None:
    payload, after = odd(), f"after {uuid.uuid4().hex}"
    small = len(payload) < 200_000
    events = list(ENTRIES) if small else ["UserPromptSubmit", "PostToolUse"]
    living.run("UserPromptSubmit", prompt("before"))
    resident = living.wait_for_resident()
    others = _outside(living)

    started = [living.start(event, payload) for event in events]
    ran = [each.wait() for each in started]

    assert all(_is_quiet(each) for each in ran), [each.stderr for each in ran]
    assert all(not each.stdout or orjson.loads(each.stdout) for each in ran)
    living.run("UserPromptSubmit", prompt(after))
    wait_until(lambda: after in living.prompts(), "the next prompt")
    # One that reads millions of bytes for longer than a deadline may be taken for hung.
    residents = living.residents()
    assert len(residents) == 1 if len(payload) > 2**20 else residents == [resident]
    assert _outside(living) == others
    log = runtime_directory() / f"{root_digest(str(living.place.directory))}.log"
    assert "Traceback" not in (log.read_text() if log.exists() else "")
    assert all(line.startswith(b'{"v":1') for line in living.place.log.read_bytes().splitlines())


def _outside(hooks: Launcher) -> set[str]:
    """Everything below the test's folder that is not the store."""
    top = hooks.home.parent
    return {str(p) for p in top.rglob("*") if hooks.place.directory not in (p, *p.parents)}


@pytest.mark.parametrize("variables", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "LANG": "C"}])
def test_japanese_is_kept_whatever_the_locale(
    hooks: Launcher, variables: dict[str, str | None]
) -> None:
    hooks.run("UserPromptSubmit", prompt("使い方を教えて\u2028二行目"), variables=variables)

    assert hooks.wait_for_prompts(1)[0].startswith("使い方を教えて")


@pytest.mark.parametrize("umask", ["000", "077"])
def test_modes_are_ours_whatever_the_umask(hooks: Launcher, umask: str) -> None:
    prefix = ["/bin/sh", "-c", f'umask {umask}; exec "$@"', "sh"]
    hooks.run("UserPromptSubmit", prompt("one"), prefix=prefix)
    hooks.wait_for_prompts(1)
    index = hooks.place.directory / "index"
    wait_until(lambda: list(index.rglob("catalog.sqlite-wal")), "the index")
    wait_until((index / "current").exists, "the index in force")

    modes = _modes(hooks.place.directory.rglob("*"))
    digest = root_digest(str(hooks.place.directory))
    beside = _modes(runtime_directory().glob(f"{digest}.*"))
    assert {mode for p, mode in modes.items() if p.is_dir()} == {0o700}
    assert {mode for p, mode in modes.items() if p.is_file()} == {0o600}
    assert set(beside.values()) == {0o600}
    assert stat.S_IMODE(runtime_directory().stat().st_mode) == 0o700


def _modes(paths: Iterable[Path]) -> dict[Path, int]:
    """Return the mode of each file; what the resident has removed since it was listed has none."""
    found = {}
    for path in paths:
        with suppress(FileNotFoundError):
            found[path] = stat.S_IMODE(path.lstat().st_mode)
    return found


@pytest.mark.parametrize("kind", ["fifo", "device", "link", "directory"])
def test_a_transcript_that_is_no_file_is_not_waited_for(hooks: Launcher, kind: str) -> None:
    path = hooks.home / "transcript.jsonl"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero" if kind == "device" else "/etc/hostname")
    common: dict[str, Any] = {"session_id": "s", "transcript_path": str(path), "cwd": "/nowhere"}
    hooks.run("SessionStart", common | {"source": "startup"})
    resident = hooks.wait_for_resident()

    ran = [hooks.run(event, common | {"reason": "other"}) for event in ("SessionEnd", "Stop")]

    assert all(_is_quiet(each) for each in ran)
    wait_until(lambda: any(r["kind"] == "session_end" for r in records(hooks.place)), "the end")
    assert hooks.residents() == [resident]


# ---- a store or an environment that cannot be used (C05)


def test_without_a_home_a_hook_is_silent(hooks: Launcher) -> None:
    ran = hooks.run("SessionStart", prompt("homeless"), variables={"HOME": None})

    assert (ran.status, ran.stdout, ran.stderr) == (0, b"", b"")


def _log_is_a_directory(hooks: Launcher) -> None:
    hooks.place.log.mkdir(parents=True)


def _store_is_a_file(hooks: Launcher) -> None:
    hooks.place.directory.parent.mkdir(parents=True)
    hooks.place.directory.write_bytes(b"")


def _parent_is_a_file(hooks: Launcher) -> None:
    (hooks.home / ".config").write_bytes(b"")


def _log_is_a_link(hooks: Launcher) -> None:
    hooks.place.directory.mkdir(parents=True)
    hooks.place.log.symlink_to("/nowhere/at/all")


_UNUSABLE = [_log_is_a_directory, _store_is_a_file, _parent_is_a_file, _log_is_a_link]


@pytest.fixture
def _no_spool_left(home: Path) -> Iterator[None]:
    yield
    beside = runtime_directory() / f"{root_digest(str(Launcher(home).place.directory))}.spool"
    for path in beside.glob("*"):
        path.unlink()
    if beside.exists():
        beside.rmdir()


@pytest.mark.usefixtures("_no_spool_left")
@pytest.mark.req("RF-13", "RF-14", "WF-14")
@pytest.mark.parametrize("spoil", _UNUSABLE)
def test_an_unusable_store_is_said_once_and_nothing_is_lost(
    home: Path, spoil: Callable[[Launcher], None]
) -> None:
    # a hook that leaves at its deadline says that memory is slow, which hides what is asked here
    hooks = Launcher(home).lay_out(is_patient=True)
    spoil(hooks)
    session = f"session-{spoil.__name__}-{os.getpid()}-{time.time_ns()}"
    start = {"session_id": session, "cwd": "/nowhere", "source": "startup"}

    ran = [hooks.run("SessionStart", start)]
    ran += [hooks.run("UserPromptSubmit", prompt(f"prompt {n}", session)) for n in range(2)]
    ran += [hooks.run("PostToolUse", tool("toolu_1", session=session))]

    assert all(_is_quiet(each) for each in ran)
    told = "".join(each.stdout.decode() for each in ran)
    assert told.count("unreadable") + told.count("could not write to memory") >= 1
    assert told.count("shared memory unreadable") <= 1
    _mend(hooks)
    hooks.run("UserPromptSubmit", prompt("mended", session))
    assert hooks.wait_for_prompts(3) == ["prompt 0", "prompt 1", "mended"]


def _mend(hooks: Launcher) -> None:
    for path in (hooks.place.log, hooks.place.directory, hooks.home / ".config"):
        if path.is_symlink() or path.is_file():
            path.unlink()
        elif path == hooks.place.log and path.is_dir():
            path.rmdir()


def test_the_launcher_gone_under_a_session_is_harmless(hooks: Launcher) -> None:
    hooks.run("UserPromptSubmit", prompt("before"))
    registered = GROUPS.command("UserPromptSubmit")

    def run() -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            ["/bin/sh", "-c", registered], env=hooks.environment({}), capture_output=True,
            input=orjson.dumps(prompt("during")),
        )  # fmt: skip

    (hooks.folder / "client.py").unlink()
    without_client = run()
    (hooks.folder / "python").unlink()
    without_python = run()
    shutil.rmtree(hooks.folder)
    without_all = run()

    assert [r.returncode for r in (without_client, without_python, without_all)] == [0, 0, 0]
    assert [r.stdout for r in (without_client, without_python, without_all)] == [b"", b"", b""]
