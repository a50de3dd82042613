"""Small files that hooks read: a pipe, a link or a folder in their place holds nobody up."""

import os
from pathlib import Path

import pytest

from hooklore.agents.claude_code.transcript import token_totals
from hooklore.config import NOTHING_KEPT, StoreLocation, load_settings, read_owned_file
from hooklore.hooks import exclusions


def spoil(path: Path, how: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if how == "pipe":
        os.mkfifo(path)
    elif how == "folder":
        path.mkdir()
    elif how == "device":
        path.symlink_to("/dev/zero")
    elif how == "large":
        path.write_bytes(b"#" * (1 << 20) + b"\n")
    elif how == "loop":
        path.symlink_to(path)


@pytest.mark.parametrize("how", ["pipe", "folder", "device", "large", "loop"])
def test_settings_that_are_no_small_file_let_nothing_be_recorded(tmp_path: Path, how: str) -> None:
    path = tmp_path / "config.toml"
    spoil(path, how)

    found = load_settings(path)

    assert found.sessions == NOTHING_KEPT
    assert len(found.problems) == 1


def test_a_link_to_settings_that_are_not_there_lets_nothing_be_recorded(tmp_path: Path) -> None:
    (tmp_path / "config.toml").symlink_to(tmp_path / "dotfiles")

    assert load_settings(tmp_path / "config.toml").sessions == NOTHING_KEPT


def test_settings_kept_elsewhere_are_followed(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").write_text("strict = true\n")
    (tmp_path / "config.toml").symlink_to(tmp_path / "dotfiles")

    assert load_settings(tmp_path / "config.toml").strict


def test_settings_of_another_user_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "config.toml"
    path.write_text("strict = true\n")
    if os.getuid() == 0:
        os.chown(path, 65_534, -1)
    else:
        monkeypatch.setattr(os, "getuid", lambda: 4_242)

    with pytest.raises(PermissionError):
        read_owned_file(path, follow=True)


@pytest.mark.parametrize("how", ["pipe", "folder", "device", "large", "loop"])
def test_pauses_that_are_no_small_file_pause_everything(store: StoreLocation, how: str) -> None:
    spoil(exclusions.pause_path(store), how)

    assert exclusions.load_pauses(store).everywhere


def test_a_link_in_place_of_the_pauses_pauses_everything(
    store: StoreLocation, tmp_path: Path
) -> None:
    (tmp_path / "other").write_text('{"everywhere": false, "projects": [], "sessions": []}')
    store.directory.mkdir(parents=True)
    exclusions.pause_path(store).symlink_to(tmp_path / "other")

    assert exclusions.load_pauses(store).everywhere


@pytest.mark.parametrize("how", ["pipe", "folder", "device", "loop"])
def test_a_transcript_that_is_no_file_tells_of_no_tokens(tmp_path: Path, how: str) -> None:
    path = tmp_path / "t.jsonl"
    spoil(path, how)

    assert token_totals(str(path)) == {}
