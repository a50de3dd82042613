"""The client and `config` must name the same store, or there would be two residents."""

import os
from pathlib import Path

import pytest

from hooklore import config
from hooklore.resident import client
from tests.support.client_trouble import client_trouble

_VALUES = (None, "", "/home/me", "/home/me/", "/", "/home/記憶", "/home/\udcff", "relative", "a b")
_STORES = (None, "", "/data/store", "/data/store/", "/", "~/store", "store", "./store/", "~", "~/")


@pytest.mark.parametrize("home", _VALUES)
@pytest.mark.parametrize("moved", _STORES)
@pytest.mark.parametrize("log", [None, "", "/data/events.jsonl", "~/events.jsonl"])
def test_client_and_config_name_the_same_store(
    home: str | None, moved: str | None, log: str | None
) -> None:
    named = {"HOME": home, "HOOKLORE_HOME": moved, "AI_MEMORY_PATH": log}
    env = {name: value for name, value in named.items() if value is not None}
    raw = {name.encode(): value.encode("utf-8", "surrogateescape") for name, value in env.items()}

    ours, theirs = config.store_root(env), client.store_root(raw)

    assert theirs == (None if ours is None else ours.encode("utf-8", "surrogateescape"))
    if ours is not None:
        assert client._digest(theirs or b"").decode() == config.root_digest(ours)
        assert ours.startswith("/")


def test_client_and_config_keep_the_same_of_an_environment() -> None:
    kept = tuple(name.decode() for name in client_trouble._RESIDENT_ENVIRONMENT)

    assert kept == config.RESIDENT_ENVIRONMENT


@pytest.mark.parametrize("squatted", [False, True])
@pytest.mark.parametrize("moved", [None, "/data/store", "~/store"])
@pytest.mark.parametrize("log", [None, "/data/events.jsonl", "~/events.jsonl"])
def test_client_and_config_use_the_same_directory_for_the_socket(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    moved: str | None,
    log: str | None,
    squatted: bool,
) -> None:
    shared = tmp_path / f"shared-{os.getuid()}"
    if squatted:
        shared.write_bytes(b"")
    monkeypatch.setattr(config, "runtime_directory", lambda: shared)
    monkeypatch.setattr(client, "_SHARED", os.fsencode(tmp_path) + b"/shared-%d")
    named = {"HOME": str(tmp_path), "HOOKLORE_HOME": moved, "AI_MEMORY_PATH": log}
    env = {name: value for name, value in named.items() if value is not None}
    raw = {name.encode(): value.encode() for name, value in env.items()}

    ours = config.locate_store(env).runtime
    theirs = client.runtime_directory(client.store_root(raw) or b"", raw)

    assert os.fsdecode(theirs) == str(ours)
    assert (ours == shared) is not squatted
