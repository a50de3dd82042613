"""Write the archive as files that are readable without us, one for each archived memory."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.errors import StoreError
from hooklore.maintenance.scrub import scrub_store
from hooklore.memories import archive, deletion
from hooklore.memories.archive_files import (
    archive_file_name,
    sync_archive_files,
)
from hooklore.records.draft import Draft
from hooklore.records.record import Body
from tests.support.desk import Desk
from tests.support.store_files import holding
from tests.support.writers import draft

KEY = "config:db_engine"


@pytest.fixture
def desk(store: StoreLocation) -> Iterator[Desk]:
    found = Desk(store)
    yield found
    found.broker.close()


def aside(desk: Desk, text: str, key: str | None = KEY, **said: Any) -> str:
    """Write a memory, archive it, and return its id."""
    id_ = str(desk.says(text, key, **said).id)
    archive.archive_memory(desk.broker, id_, desk.who())
    sync_archive_files(desk.broker)
    return id_


def files_of(desk: Desk) -> dict[str, bytes]:
    place = desk.broker.place.directory / "archive"
    return {p.name: p.read_bytes() for p in place.iterdir()} if place.is_dir() else {}


def parsed(file: bytes) -> tuple[dict[str, Any], str]:
    """Return front matter and text, split as the readers of seed 004 do it."""
    opening, front, text = file.decode().split("---\n", 2)
    assert opening == ""
    pairs = (line.partition(": ") for line in front.splitlines())
    return {name: json.loads(value) for name, _, value in pairs}, text


@pytest.mark.req("TT-08")
@pytest.mark.parametrize(
    "text", ["We use sqlite\n\n---\nkey: none\n", "データベースは sqlite 🦀\r\n"]
)
def test_an_archived_entry_is_a_file_in_the_form_of_a_live_one(
    desk: Desk, store: StoreLocation, text: str
) -> None:
    id_ = aside(desk, text, tags=["db", "記憶"])

    file = store.directory / "archive" / f"config_db_engine.{id_}.md"

    record = desk.get(id_)
    assert parsed(file.read_bytes()) == (
        {
            "key": KEY,
            "tags": ["db", "記憶"],
            "created_at": record.ts,
            "updated_at": record.ts,
        },
        record.body.content_md,
    )
    assert record.body.content_md.strip() == text.strip()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.req("TT-08")
def test_a_second_archive_of_one_key_does_not_overwrite_the_first(desk: Desk) -> None:
    first, second = aside(desk, "We use sqlite"), aside(desk, "We use postgres")

    found = {name: parsed(content) for name, content in files_of(desk).items()}

    assert {name: text for name, (_, text) in found.items()} == {
        f"config_db_engine.{first}.md": "We use sqlite",
        f"config_db_engine.{second}.md": "We use postgres",
    }
    assert {front["key"] for front, _ in found.values()} == {KEY}


@pytest.mark.req("TT-08")
def test_no_two_keys_share_a_file_and_none_leaves_the_folder(desk: Desk) -> None:
    """A log of an older program may have keys of another form."""
    keys = ["a/b", "a:b", "a_b", "A_B", "x---y", "README", "readme", "..", "../up", ".hidden", "記憶",
            "k" * 200, "nul\0", "a\nb", "a.b", "con"]  # fmt: skip
    drafts = [
        draft(f"d{n}", stream="memory", kind="fact", scope="global", dedupe_key=key,
              body={"content_md": f"the text of {n}"})
        for n, key in enumerate(keys)
    ]  # fmt: skip
    ids = [receipt.id for receipt in desk.broker.append(drafts)]
    desk.broker.refresh()
    archive.archive_records(desk.broker, [desk.get(str(id_)) for id_ in ids], "by hand")

    sync_archive_files(desk.broker)

    found = files_of(desk)
    assert {(front["key"], text) for front, text in map(parsed, found.values())} == {
        (key, f"the text of {n}") for n, key in enumerate(keys)
    }
    assert len({name.lower() for name in found}) == len(keys)
    assert not any(name.startswith(".") for name in found)


@pytest.mark.parametrize(
    "said",
    [
        {"is_private": True},
        {"visibility": "session", "session_id": "s-1"},
        {"visibility": "agent-only"},
        {"agent": "codex", "scope": "agent:codex"},
        {"is_private": True, "scope": "agent:person"},
    ],
)
@pytest.mark.req("TT-08", "AC-13")
def test_what_is_kept_from_some_readers_is_in_no_file(desk: Desk, said: dict[str, Any]) -> None:
    aside(desk, "for all", "config:for_all")

    id_ = aside(desk, "kestrel nests here", "config:nest", **said)

    assert id_ in [each.record.id for each in archive.list_archived(desk.broker)]
    assert [parsed(content)[1] for content in files_of(desk).values()] == ["for all"]


@pytest.mark.parametrize("end", ["restore", "delete", "forget"])
def test_what_leaves_the_archive_leaves_its_folder(desk: Desk, end: str) -> None:
    id_ = aside(desk, "We use sqlite")
    stays = aside(desk, "We listen on 8080", "config:port")
    if end == "restore":
        archive.restore_memory(desk.broker, id_, desk.who())
    elif end == "delete":
        deletion.delete_memory(
            desk.broker, deletion.plan_deletion(desk.broker, id_, desk.who()), desk.who()
        )
    else:
        gone = Draft.of(
            stream="control", kind="tombstone", agent_id="person", scope="global",
            body=Body.of(targets=[id_]),
        )  # fmt: skip
        desk.broker.append([gone])

    changed = sync_archive_files(desk.broker)

    assert changed == 1
    assert list(files_of(desk)) == [f"config_port.{stays}.md"]


def test_files_of_others_stay_and_ours_are_made_again(desk: Desk, tmp_path: Path) -> None:
    edited, linked, lost = (aside(desk, f"text {n}", f"config:n{n}") for n in range(3))
    before, place = files_of(desk), desk.broker.place.directory / "archive"
    (place / "notes.md").write_text("mine")
    (place / archive_file_name(desk.get(edited))).write_text("what somebody made of it")
    target = tmp_path / "elsewhere.md"
    target.write_text("not ours")
    (place / archive_file_name(desk.get(linked))).unlink()
    (place / archive_file_name(desk.get(linked))).symlink_to(target)
    (place / archive_file_name(desk.get(lost))).unlink()

    assert sync_archive_files(desk.broker) == 3
    assert sync_archive_files(desk.broker) == 0

    assert files_of(desk) == {**before, "notes.md": b"mine"}
    assert target.read_text() == "not ours"
    assert not any(path.is_symlink() for path in place.iterdir())


def test_a_word_that_is_scrubbed_is_in_no_file_and_in_no_name(
    desk: Desk, store: StoreLocation
) -> None:
    aside(desk, "the kestrel nests here", "config:kestrel_nest", tags=["kestrel"])
    desk.broker.index()
    assert len(holding(store, "kestrel")) > 1

    scrub_store(desk.broker, ["kestrel"])
    sync_archive_files(desk.broker)

    assert holding(store, "kestrel") == []
    assert len(files_of(desk)) == 1


def test_what_a_killed_process_left_half_written_goes_and_what_another_writes_now_stays(
    desk: Desk, store: StoreLocation
) -> None:
    name = archive_file_name(desk.get(aside(desk, "We use sqlite")))
    old, new = (store.directory / "archive" / f"{name}.{pid}.tmp" for pid in (1, 2))
    for path in (old, new):
        path.write_text("half")
    os.utime(old, (0, 0))

    sync_archive_files(desk.broker)

    assert set(files_of(desk)) == {name, new.name}


def test_a_folder_that_cannot_be_made_is_named(desk: Desk, store: StoreLocation) -> None:
    id_ = str(desk.says("We use sqlite", KEY).id)
    (store.directory / "archive").write_text("no folder")
    archive.archive_memory(desk.broker, id_, desk.who())

    with pytest.raises(StoreError, match="archive"):
        sync_archive_files(desk.broker)

    assert [each.record.id for each in archive.list_archived(desk.broker)] == [id_]


def test_an_empty_archive_makes_no_folder(desk: Desk, store: StoreLocation) -> None:
    desk.says("We use sqlite", KEY)

    assert sync_archive_files(desk.broker) == 0
    assert not (store.directory / "archive").exists()


def test_another_process_makes_the_same_files(desk: Desk, store: StoreLocation) -> None:
    aside(desk, "We use sqlite", tags=["db"])
    before = files_of(desk)
    for path in (store.directory / "archive").iterdir():
        path.unlink()
    other = Broker(store)

    sync_archive_files(other)
    other.close()

    assert files_of(desk) == before
