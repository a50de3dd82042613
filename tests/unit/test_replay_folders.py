"""A stream of payloads, moved into the folder of another project."""

import gzip
import json
from pathlib import Path

import pytest

from tests.replay import play as replay


def _payload(cwd: str, **fields: object) -> replay.Payload:
    return {"session_id": "one", "cwd": cwd, "hook_event_name": "PostToolUse", **fields}


def test_folders_that_share_only_the_root_are_moved_and_no_other_slash(tmp_path: Path) -> None:
    text = "see /srv/mill/notes.md, https://mill.example/srv/mill and 1/2 of /etc/hosts"
    stream = [_payload("/srv/mill", tool_input={"text": text}), _payload("/home/u/widgets")]

    first, second = replay.relocate(stream, tmp_path)

    assert first["cwd"] == f"{tmp_path}/srv/mill"
    assert second["cwd"] == f"{tmp_path}/home/u/widgets"
    assert first["tool_input"] == {"text": text.replace("see /srv", f"see {tmp_path}/srv")}
    assert Path(first["cwd"]).is_dir()
    assert Path(second["cwd"]).is_dir()


def test_a_session_in_the_root_folder_is_moved_and_its_texts_stay(tmp_path: Path) -> None:
    stream = [_payload("/", error="cat: /etc/mill: No such file"), _payload("/srv/mill")]

    first, second = replay.relocate(stream, tmp_path)

    assert (first["cwd"], first["error"]) == (str(tmp_path), "cat: /etc/mill: No such file")
    assert second["cwd"] == f"{tmp_path}/srv/mill"


@pytest.mark.parametrize(
    ("said", "moved"),
    [
        ("/srv/mill", "{}"),
        ("/srv/mill/a.py:3", "{}/a.py:3"),
        ("in /srv/mill.", "in {}."),
        ("file:///srv/mill/a.py", "file://{}/a.py"),
        ("/srv/mill-old and /srv/mill.bak", "/srv/mill-old and /srv/mill.bak"),
        ("/backup/srv/mill", "/backup/srv/mill"),
    ],
)
def test_only_the_project_itself_is_moved_where_a_text_names_it(
    tmp_path: Path, said: str, moved: str
) -> None:
    stream = [_payload("/srv/mill", tool_input={"files": [{"name": said}]})]

    (found,) = replay.relocate(stream, tmp_path)

    assert found["tool_input"] == {"files": [{"name": moved.format(tmp_path)}]}


def test_a_compressed_stream_is_read_like_a_plain_one(tmp_path: Path) -> None:
    plain, packed = tmp_path / "stream.jsonl", tmp_path / "stream.jsonl.gz"
    plain.write_text(json.dumps(_payload("/srv/mill")) + "\n")
    packed.write_bytes(gzip.compress(plain.read_bytes()))

    assert replay.read(packed) == replay.read(plain) == [_payload("/srv/mill")]
