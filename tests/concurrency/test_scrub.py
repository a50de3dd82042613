"""A scrub that is killed at each step, and hooks that arrive while one runs."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.errors import LogError
from hooklore.log import files, quarantine, rewrite
from hooklore.log.spool import Spool
from hooklore.maintenance import audit
from hooklore.maintenance.scrub import scrub_store
from tests.bench.home import Home, furnished
from tests.conftest import wait_until
from tests.support.store_files import holding
from tests.support.terminal import run_at_terminal
from tests.support.writers import (
    KEYS,
    acknowledged,
    clean_record,
    deliveries,
    draft,
    nursery,
    records,
    write_many,
)

NAMED = "kobayashi-" + "maru"
_STEPS = ("rename", "unlink", "fsync", "fdatasync", "truncate")
_NAMES = [f"n{number:02d}" for number in range(12)]


def scrub_and_die(directory: str, nth: int) -> None:
    """Scrub, and be killed before the nth call that changes names on the disk, or flushes."""
    broker = Broker(store_location_at(Path(directory)))
    broker.refresh()
    left = nth

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*arguments: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **named)

        return instead

    for step in _STEPS:
        setattr(os, step, counted(getattr(os, step)))
    scrub_store(broker, [NAMED])


def _filled(folder: Path) -> StoreLocation:
    """A store of two closed segments and an open one, indexed, with a spool and something damaged."""
    store = store_location_at(folder)
    broker = Broker(store)
    for name in _NAMES:
        text = f"turbine {name} {NAMED if name in ('n01', 'n06', 'n11') else ''}"
        broker.append([draft(name, text, keys=KEYS)])
    broker.index()
    broker.close()
    quarantine.quarantine_bytes(store, 7, b"torn " + NAMED.encode())
    Spool(store).put([clean_record("spooled", NAMED)])
    return store


def _lines(store: StoreLocation) -> list[bytes]:
    paths = [rewrite.segment_path(store, n) for n in (*files.closed_segments(store), 10**6)]
    return [line for path in paths for line in path.read_bytes().splitlines()]


def test_a_kill_at_any_step_loses_nothing_and_the_next_scrub_finishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SEGMENT_BYTES", 1_500)
    template = _filled(tmp_path / "template")
    assert len(files.closed_segments(template)) >= 2
    untouched = {line for line in _lines(template) if NAMED.encode() not in line}
    ids = [record["id"] for record in records(template)]

    step, rc = 0, -signal.SIGKILL
    while rc == -signal.SIGKILL:
        step += 1
        folder = tmp_path / f"step{step}"
        shutil.copytree(template.directory, folder)
        rc = nursery().run(scrub_and_die, str(folder), step)
        _check(store_location_at(folder), ids, untouched, step)
        shutil.rmtree(folder)

    assert rc == 0
    assert step > 20


def _check(store: StoreLocation, ids: list[str], untouched: set[bytes], step: int) -> None:
    """After the kill everything reads whole; after another scrub nothing is left of it."""
    found = [record["id"] for record in records(store)]
    assert found[: len(ids)] == ids, step
    assert untouched <= set(_lines(store)), step
    broker = Broker(store)
    known = broker.append([draft(name, keys=KEYS) for name in _NAMES])
    assert {receipt.status for receipt in known} == {"duplicate"}, step
    assert broker.append([draft("next")])[0].status == "stored"

    scrub_store(broker, [NAMED])

    broker.close()
    assert holding(store, NAMED) == [], step
    assert untouched <= set(_lines(store)), step
    assert sorted(deliveries(store)) == sorted([*_NAMES, "next", "spooled"]), step
    audited = {
        json.loads(line)["event_id"] for line in audit.audit_path(store).read_text().splitlines()
    }
    changed = {r["id"] for r in records(store) if "redacted" in r["body"]}
    assert changed <= audited, step
    reader = Broker(store)
    reader.refresh()
    assert reader.index_problem is None
    assert {r.status for r in reader.append([draft("n01", keys=KEYS)])} == {"duplicate"}
    reader.close()


def test_what_writers_append_during_scrubs_is_all_kept_in_their_order(
    store: StoreLocation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker = Broker(store)
    broker.append([draft("first", NAMED, keys=KEYS)])
    writers = [
        nursery().start(
            write_many, str(store.directory), f"w{n}", str(tmp_path / f"w{n}.acks"), 300, 3, 0.4
        )
        for n in range(4)
    ]

    for number in range(12):
        broker.append([draft(f"again{number}", f"{NAMED} {number}")])
        scrub_store(broker, [NAMED, f"text {1000 + number}"])
    for writer in writers:
        assert writer.wait() == 0
    broker.append([draft("last")])
    broker.close()

    found = deliveries(store)
    assert len(found) == len(set(found)), "written twice"
    kept = acknowledged(tmp_path)
    assert len(kept) == 1_200
    assert set(kept) <= set(found), "acknowledged and lost"
    for n in range(4):
        own = [name for name in found if name.startswith(f"w{n}.")]
        assert own == sorted(own)
    assert holding(store, NAMED) == []


def _hook(home: Home, number: int, text: str) -> int:
    return home.begin(
        "UserPromptSubmit", home.payload("UserPromptSubmit", f"s{number}", prompt=text)
    )


def _hooklore(home: Home, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "hooklore"), *words]
    return run_at_terminal(command, home.environment, home.project)


def _prompts(home: Home) -> list[str]:
    return [str(r["body"]["text"]) for r in records(home.place) if r["kind"] == "prompt"]


def test_hooks_that_arrive_during_a_scrub_are_all_stored_and_the_residents_memory_is_new(
    tmp_path: Path,
) -> None:
    with furnished(tmp_path / "home") as home:
        home.start()
        home.hook("UserPromptSubmit", home.payload("UserPromptSubmit", "s0", prompt=f"say {NAMED}"))
        before = home.residents()
        pids = [_hook(home, n, f"hello number {n}") for n in range(1, 21)]
        scrubbing = _hooklore(home, "scrub", "--literal", NAMED, "--yes")
        pids += [_hook(home, n, f"hello number {n}") for n in range(21, 31)]
        for pid in pids:
            assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        wait_until(lambda: len(_prompts(home)) >= 31, "31 prompts")
        home.stop()

        assert scrubbing.returncode == 0, scrubbing.stderr
        assert NAMED not in scrubbing.stdout + scrubbing.stderr
        assert sorted(_prompts(home)) == sorted(
            ["say [REDACTED:literal]", *(f"hello number {n}" for n in range(1, 31))]
        )
        assert not set(before) & set(home.residents())
        assert holding(home.place, NAMED) == []


def test_a_resident_scans_again_by_itself_when_the_rules_changed(tmp_path: Path) -> None:
    secret = "gh" + "p_" + "k7Qm2ZpX9sLr4TvB" * 2 + "a1B2"
    with furnished(tmp_path / "home") as home:
        home.hook("UserPromptSubmit", home.payload("UserPromptSubmit", "s0", prompt="the turbine"))
        home.stop()
        raw = home.place.log.read_bytes().replace(b"the turbine", f"use {secret}".encode())
        lines = [line.partition(b',"hash"')[0] + b"}" for line in raw.splitlines()]
        home.place.log.write_bytes(b"\n".join(lines) + b"\n")
        (home.place.directory / "rules").write_text("0\n")

        home.hook("UserPromptSubmit", home.payload("UserPromptSubmit", "s1", prompt="good morning"))
        wait_until(lambda: not holding(home.place, secret), "the scan")
        wait_until(lambda: (home.place.directory / "rules").read_text() != "0\n", "its end")
        answered = home.hook(
            "UserPromptSubmit", home.payload("UserPromptSubmit", "s2", prompt="good evening")
        )
        wait_until(lambda: len(_prompts(home)) == 3, "the next prompt")

        assert answered.status == 0
        assert _prompts(home) == ["use [REDACTED:github]", "good morning", "good evening"]
        told = [json.loads(line) for line in audit.audit_path(home.place).read_text().splitlines()]
        assert [line["actor"] for line in told] == ["resident"]


def test_two_scrubs_at_once_are_one_after_the_other(store: StoreLocation) -> None:
    broker = Broker(store)
    broker.append([draft(f"n{n}", NAMED) for n in range(30)])
    broker.close()

    first = nursery().start(scrub_patiently, str(store.directory))
    second = nursery().start(scrub_patiently, str(store.directory))

    assert (first.wait(), second.wait()) == (0, 0)
    assert holding(store, NAMED) == []
    assert deliveries(store) == [f"n{n}" for n in range(30)]


def scrub_patiently(directory: str) -> None:
    """Scrub as soon as nobody else does."""
    broker = Broker(store_location_at(Path(directory)))

    def done() -> bool:
        try:
            scrub_store(broker, [NAMED])
        except LogError:
            return False
        return True

    wait_until(done, "the other scrub's end")
