"""One contract for every index behind the interface: words, vectors, mem0."""

import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.index.backend import Backend, IndexEntry, LexicalBackend
from hooklore.retrieval.semantic.availability import semantic_unavailable_reason

HERE, THERE = "memory|here", "memory|there"
DEPLOY = IndexEntry(10, "0" * 32, "Deploy with make ship, never from a laptop", HERE)
RETRY = IndexEntry(20, "1" * 32, "A failed payment is tried again three times", HERE)
COLOUR = IndexEntry(30, "2" * 32, "Colours of the theme live in theme.css", HERE)
SECRET = IndexEntry(40, "3" * 32, "Deploy of the other project needs two people", THERE)
ALL = [DEPLOY, RETRY, COLOUR, SECRET]


@pytest.fixture(scope="module")
def encoder() -> Any:
    from hooklore.index.encoder import Encoder

    return Encoder()


def _words(directory: Path, _: Callable[[], Any]) -> Backend:
    return LexicalBackend(directory / "words")


def _vectors(directory: Path, encoder: Callable[[], Any]) -> Backend:
    from hooklore.index.vectors import VectorTable

    return VectorTable(directory, encoder())


def _mem0(directory: Path, encoder: Callable[[], Any]) -> Backend:
    from hooklore.index.mem0_index import Mem0Index

    return Mem0Index(directory, encoder())


def _lacks(extra: str) -> str | None:
    why = semantic_unavailable_reason("auto") if extra != "words" else None
    if why is None and extra == "mem0" and importlib.util.find_spec("mem0") is None:
        return "mem0ai is not installed"
    return why


OPENED = {"words": _words, "vectors": _vectors, "mem0": _mem0}

# The libraries that mem0 imports warn about themselves.
pytestmark = [
    pytest.mark.req("RF-08"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(params=OPENED)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Backend]]:
    """Opens the index, again and again."""
    why = _lacks(request.param)
    if why is not None:
        pytest.skip(why)
    found: list[Backend] = []

    def open_() -> Backend:
        for other in found:
            other.close()
        made = OPENED[request.param](tmp_path, lambda: request.getfixturevalue("encoder"))
        found[:] = [made]
        return made

    yield open_
    for other in found:
        other.close()


@pytest.fixture
def index(opened: Callable[[], Backend]) -> Backend:
    made = opened()
    made.add(ALL)
    return made


def positions(index: Backend, text: str, *bins: str, **more: Any) -> list[int]:
    return [pos for _, pos in index.search(text, bins, more.pop("limit", 5), **more)]


def test_relevant_entries_come_first(index: Backend) -> None:
    assert positions(index, "how to deploy", HERE)[0] == DEPLOY.pos
    assert positions(index, "failed payment", HERE)[0] == RETRY.pos


def test_scores_descend(index: Backend) -> None:
    scores = [score for score, _ in index.search("deploy a failed theme", [HERE], 5)]

    assert scores == sorted(scores, reverse=True)
    assert len(scores) > 1


def test_only_the_requested_bins_are_searched(index: Backend) -> None:
    assert SECRET.pos not in positions(index, "deploy", HERE)
    assert positions(index, "deploy", THERE) == [SECRET.pos]
    assert positions(index, "deploy") == []


def test_no_more_than_the_limit_is_found(index: Backend) -> None:
    assert len(positions(index, "deploy a failed theme", HERE, limit=1)) == 1


def test_later_positions_can_be_excluded(index: Backend) -> None:
    found = positions(index, "deploy a failed payment of the theme", HERE, before=RETRY.pos)

    assert found == [DEPLOY.pos]


def test_the_same_position_again_replaces_the_earlier_entry(index: Backend) -> None:
    index.add([IndexEntry(DEPLOY.pos, DEPLOY.id, "Backups are kept for thirty days", HERE)])

    found = positions(index, "backups kept thirty days", HERE)
    assert found[0] == DEPLOY.pos
    assert found.count(DEPLOY.pos) == 1


def test_all_entries_are_there_after_a_reopening(
    index: Backend, opened: Callable[[], Backend]
) -> None:
    again = opened()

    assert positions(again, "failed payment", HERE)[0] == RETRY.pos


@pytest.mark.skipif(_lacks("mem0") is not None, reason=str(_lacks("mem0")))
def test_mem0_uses_no_network_and_writes_nowhere_else(
    tmp_path: Path, home: Path, encoder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    reached: list[object] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *to, **_: reached.append(to))
    monkeypatch.setattr(socket.socket, "connect", lambda _, to: reached.append(to))
    index = _mem0(tmp_path, lambda: encoder)

    index.add([DEPLOY])
    index.search("deploy", [HERE], 3)
    index.close()

    assert reached == []
    assert list(home.iterdir()) == []
    assert os.environ["MEM0_TELEMETRY"] == "False"
