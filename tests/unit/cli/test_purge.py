"""`hooks uninstall --purge` in a folder of the user's: what is provably ours goes, all else stays."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from hooklore.gateway.replies import Replies
from hooklore.log import files, quarantine
from hooklore.log.spool import Spool
from tests.support.writers import clean_record
from tests.unit.cli.conftest import Memory, Run, statement


@pytest.fixture
def full(memory: Memory, hooks: Run, hooklore: Run) -> Path:
    """The folder of a store in which every file that hooklore writes is there."""
    place = memory.broker.place
    (id_,) = memory.append(statement("The press is loud", dedupe_key="fact:press"))
    memory.append(statement("my own phrase"))
    assert hooklore("archive", id_).rc == 0
    assert hooklore("scrub", "--literal", "my own phrase", "--yes").rc == 0
    assert hooklore("janitor").rc == 0
    assert hooks("pause").rc == 0
    quarantine.quarantine_bytes(place, 3, b'{"v":1,"half')
    files.make_directory(files.segment_directory(place))
    shutil.copyfile(place.log, files.closed_path(place, 1))
    Spool(place).put([clean_record("d-1")])
    Replies(place)
    place.config.write_text("[capture]\nreads = true\n")
    memory.broker.close()
    return place.directory


OWN = {
    "index/my.db": b"mine", "index/g7/catalog.sqlite": b"SQLite format 3\0 of mine",
    "index/g8/notes.txt": b"mine", "index/current.md": b"mine",
    "archive/2024.zip": b"PK", "archive/letter.md": b"---\nkey: mine\n",
    "archive/0197a1b2-0000-7000-8000-000000000000.md": b"# mine\n",
    "segments/000009.jsonl": b'{"segment": 9}\n', "segments/one.csv": b"1,2\n",
    "spool/00000000000000000009-1.jsonl": b"print job\n", "spool/job.jsonl": b'{"fields":1}\n',
    "quarantine/000001-0000000009-7.bin": b"virus", "quarantine/eicar.txt": b"mine",
    "gateway/house.txt": b"mine",
    "notes/2026-01-01.md": b"mine", "my.txt": b"mine",
}  # fmt: skip
"""Files of the user's that bear a name of ours, or lie beside ours."""

IN_PLACE = {
    "rules": b"allow all\n", "reserve": b"seats 4-7\n", "audit.jsonl": b'{"event":"login"}\n',
    "paused.json": b"[]", "config.toml": b"[server]\nport = 1\n", "paused.lock": b"mine",
    "index/current": b"of the river", "index/writer.lock": b"writer: me",
    "index/janitor.json": b'{"name":"Ann"}', "index/scores.json": b'{"scores":[1]}',
    "paused.tmp": b"mine", "gateway/replies.sqlite": b"of the judge",
}  # fmt: skip
"""Files of the user's in the very place of one of ours."""


def write(folder: Path, content: dict[str, bytes]) -> None:
    for name, each in content.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(each)


def read(folder: Path, names: dict[str, bytes]) -> dict[str, bytes | None]:
    return {n: (folder / n).read_bytes() if (folder / n).exists() else None for n in names}


def test_a_purge_takes_every_file_of_ours(hooks: Run, full: Path) -> None:
    printed = hooks("uninstall", "--purge", "--yes")

    assert printed.rc == 0, printed.err
    assert not full.exists()


BUILD = """
import os, signal, sys
from pathlib import Path
from hooklore.config import store_location_at
from hooklore.index.generation import WriterLock
from hooklore.index.projector import Projector

folders = sys.argv[1:]
left = 0

def end_in_time(frame, event, what):
    global left
    if event == "c_call" and (left := left - 1) < 0:
        os.kill(os.getpid(), signal.SIGKILL)

for number, folder in enumerate(folders):
    place = store_location_at(Path(folder))
    if pid := os.fork():
        os.waitpid(pid, 0)
        continue
    WriterLock(place).take()
    left = number * 5
    sys.setprofile(end_in_time)
    Projector(place).rebuild()
    os._exit(0)
"""
"""Builds the index of each folder that is named, and is killed in each a few calls later than in the one before."""


HALF_WRITTEN = """
import os, sqlite3, sys

db = sqlite3.connect(sys.argv[1], isolation_level=None)
for each in ("PRAGMA synchronous=OFF", "VACUUM", "BEGIN IMMEDIATE", "PRAGMA user_version=7"):
    db.execute(each)
os._exit(0)
"""
"""Ends in a transaction, before a table is made."""


def test_a_purge_takes_an_index_whose_first_build_was_killed_at_any_step(
    hooks: Run, full: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(full / "index")
    stores = [shutil.copytree(full, tmp_path / f"store-{number}") for number in range(40)]
    subprocess.run([sys.executable, "-c", BUILD, *map(str, stores)], check=True, timeout=60)
    built = {frozenset(each.name for each in store.glob("index/g1/*")) for store in stores}
    assert frozenset() in built
    assert any("text" in names for names in built)
    assert not all((store / "index" / "current").exists() for store in stores)

    for store in stores:
        monkeypatch.setenv("HOOKLORE_HOME", str(store))
        printed = hooks("uninstall", "--purge", "--yes")
        assert printed.rc == 0, printed.err

    assert [store.name for store in stores if store.exists()] == []


def test_a_purge_takes_a_catalog_beside_the_journal_of_a_killed_process(
    hooks: Run, full: Path
) -> None:
    catalog = full / "index" / "g9" / "catalog.sqlite"
    files.make_directory(catalog.parent)
    subprocess.run([sys.executable, "-c", HALF_WRITTEN, str(catalog)], check=True, timeout=60)
    assert catalog.with_name("catalog.sqlite-journal").stat().st_size

    assert hooks("uninstall", "--purge", "--yes").rc == 0

    assert not full.exists()


def test_a_purge_leaves_the_users_files_of_our_names_and_says_so(hooks: Run, full: Path) -> None:
    write(full, OWN)

    printed = hooks("uninstall", "--purge", "--yes")

    assert printed.rc == 0, printed.err
    assert read(full, OWN) == OWN
    assert {path for path in full.rglob("*") if path.is_file()} == {full / name for name in OWN}
    for name in ("archive/2024.zip", "index/g7", "spool/job.jsonl", "my.txt", "notes"):
        assert f"left `{full / name}`: it is not hooklore's" in printed.lines


def test_a_purge_leaves_the_users_database_of_our_name(hooks: Run, full: Path) -> None:
    files.make_directory(full / "index" / "g9")
    theirs = full / "index" / "g9" / "catalog.sqlite"
    with closing(sqlite3.connect(theirs)) as db:
        db.execute("CREATE TABLE songs (name TEXT)")
    before = theirs.read_bytes()

    printed = hooks("uninstall", "--purge", "--yes")

    assert printed.rc == 0, printed.err
    assert theirs.read_bytes() == before
    assert f"left `{theirs.parent}`: it is not hooklore's" in printed.lines


def test_a_purge_leaves_a_folder_in_which_nothing_is_ours(
    hooks: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = home / "shared"
    write(folder, OWN | IN_PLACE | {"events.jsonl": b"", "segments/000001.jsonl": b""})
    (folder / "index" / "g9").mkdir()
    before = sorted(folder.rglob("*"))
    monkeypatch.setenv("HOOKLORE_HOME", str(folder))

    printed = hooks("uninstall", "--purge", "--yes")

    assert printed.rc == 0, printed.err
    assert sorted(folder.rglob("*")) == before
    assert read(folder, OWN | IN_PLACE) == OWN | IN_PLACE


def test_a_purge_follows_no_link(hooks: Run, full: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    shutil.move(full / "archive", elsewhere)
    (full / "archive").symlink_to(elsewhere)
    (full / "rules").unlink()
    (tmp_path / "rules").write_text("3\n")
    (full / "rules").symlink_to(tmp_path / "rules")

    assert hooks("uninstall", "--purge", "--yes").rc == 0

    assert list(elsewhere.iterdir())
    assert (tmp_path / "rules").exists()
    assert sorted(path.name for path in full.iterdir()) == ["archive", "rules"]


@pytest.mark.parametrize("name", ["/", "", "home", "link", "repository", "repository/inner/memory"])
def test_a_purge_refuses_a_folder_of_more_than_memory(
    hooks: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    assert hooks("install").rc == 0
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    (tmp_path / "link").symlink_to(home)
    store = {"/": Path("/"), "": home, "home": home}.get(name, tmp_path / name)
    monkeypatch.setenv("HOOKLORE_HOME", str(store) if name else "~/")
    settings = home / ".claude" / "settings.json"
    before = settings.read_bytes()

    printed = hooks("uninstall", "--purge", "--yes")

    assert printed.rc == 1
    is_work_tree = name.startswith("repository")
    assert ("nothing in it is deleted" if is_work_tree else "holds more than memory") in printed.err
    assert settings.read_bytes() == before


def test_a_store_without_hooklore_files_of_any_kind_is_no_error(
    hooks: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOOKLORE_HOME", str(home / "none"))

    assert hooks("uninstall", "--purge", "--yes").rc == 0


def test_a_record_of_another_program_is_none_of_ours(full: Path, hooks: Run) -> None:
    (full / "segments" / "000002.jsonl").write_bytes(b'{"version":1}\n')

    hooks("uninstall", "--purge", "--yes")

    assert [path.name for path in (full / "segments").iterdir()] == ["000002.jsonl"]
