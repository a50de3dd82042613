"""Every test has a home of its own; every `req` mark names a row that tests/requirements.md lists."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis_settings

from hooklore.config import (
    StoreLocation,
    root_digest,
    runtime_directory,
    store_location_at,
    store_root,
)
from tests import processes

# An example's seconds are those of a machine that other tests share: pytest's own limit ends one that hangs.
# Everybody tries the same examples, so that a change fails for all or for nobody. A failing one is not shrunk,
# which takes minutes where an example is a store: `--hypothesis-profile=explore` draws others, and shrinks.
hypothesis_settings.register_profile(
    "explore", deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
hypothesis_settings.register_profile(
    "same", hypothesis_settings.get_profile("explore"), derandomize=True, database=None,
    phases=[Phase.explicit, Phase.generate],
)  # fmt: skip
hypothesis_settings.load_profile("same")

# Tests give it on to what they start; under `env -i` there is none.
os.environ.setdefault("PATH", os.defpath)

pytest_plugins = ["tests.support.untried", "tests.support.client_fixtures"]

_OURS = ("HOOKLORE_HOME", "AI_MEMORY_PATH", "HOOKLORE_OFF", "HOOKLORE_DEPTH", "CLAUDE_CONFIG_DIR",
         "CLAUDE_PROJECT_DIR", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID")  # fmt: skip


_starts = processes.StartCounter()

_QUICK_START = 0.02
"""Seconds in which a quiet machine starts an interpreter."""


def listed_requirements() -> set[str]:
    """The ids in tests/requirements.md."""
    text = (Path(__file__).parent / "requirements.md").read_text("utf-8")
    return set(re.findall(r"^\| ([A-Z]{2}-\d+) \|", text, re.MULTILINE))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    listed = listed_requirements()
    for item in items:
        for mark in item.iter_markers("req"):
            unknown = set(mark.args) - listed
            if unknown:
                message = f"{item.nodeid}: {sorted(unknown)} not in tests/requirements.md"
                raise pytest.UsageError(message)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty HOME; no process that was started for it, or for a store beside it, is left afterwards."""
    path = tmp_path / "home"
    path.mkdir()
    for name in _OURS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(path))
    before = _starts.started
    yield path
    # Most tests start no process, and a look at all of the machine's takes longer than they do.
    if _starts.started > before:
        end_hooks(tmp_path)
        assert_left_alone(tmp_path)
    _forget_socket(store_root({"HOME": str(path)}) or "")


@pytest.fixture(autouse=True, scope="session")
def _run_leaves_no_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No process stays that works below the folder of all tests, those of modules included."""
    yield
    assert_left_alone(tmp_path_factory.getbasetemp())


@pytest.fixture
def store(tmp_path: Path) -> StoreLocation:
    """The place of an empty store."""
    return store_location_at(tmp_path / "store")


def slowness() -> float:
    """Return how many times longer than a quiet machine this one takes, now, to start a process; at least 1.

    A deadline of the product is held to as many times its seconds.
    """
    taken = []
    for _ in range(3):
        started = time.monotonic()
        subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)
        taken.append(time.monotonic() - started)
    return max(1.0, max(taken) / _QUICK_START)


def end_residents(below: Path) -> None:
    """Kill every resident that works below a folder, once no hook is left that would start another."""
    wait_until(
        lambda: not any(each.is_hook for each in processes.naming(below)), "the end of the hooks"
    )
    end_hooks(below)


def end_hooks(below: Path) -> None:
    """Kill every hook and resident that works below a folder, and remove the residents' sockets.

    A hook whose resident is killed goes on in a child of its own, and starts another resident: hooks
    are killed with the residents, again and again until none is found.
    """
    roots: set[str] = set()

    def are_gone() -> bool:
        found = [each for each in processes.naming(below) if each.is_hook or each.is_resident]
        for each in sorted(found, key=lambda each: each.is_resident):
            each.kill()
        roots.update(each.root for each in found if each.is_resident)
        return not found

    wait_until(are_gone, "the end of the hooks and residents")
    for root in roots - {""}:
        _forget_socket(root)


def assert_left_alone(folder: Path) -> None:
    """Fail when a process still names a folder; it is killed."""
    try:
        wait_until(lambda: not processes.naming(folder), "the end of every process", seconds=10.0)
    except AssertionError:
        left = processes.naming(folder)
        for each in left:
            each.kill()
        lines = [b" ".join(each.words).decode(errors="replace") for each in left]
        assert lines == [], f"processes are left that work below {folder}"


def _forget_socket(root: str) -> None:
    """Remove what residents and hooks of a store leave beside its socket."""
    directory, digest = runtime_directory(), root_digest(root)
    names = os.listdir(directory) if directory.is_dir() else ()
    for path in [directory / name for name in names if name.startswith(f"{digest}.")]:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def wait_until(holds: Callable[[], object], what: str, seconds: float = 60.0) -> None:
    """Wait for something that another process does; fails by name when it does not come."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come within {seconds} s")
        time.sleep(0.01)
