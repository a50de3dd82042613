"""Every test has a home of its own; every `req` mark names a row that tests/requirements.md lists."""

import os
import re
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings

from hooklore.config import StoreLocation, root_digest, runtime_directory, store_location_at

# What CI refuses must fail again for whoever looks at it; everywhere else each run tries other examples.
hypothesis_settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    hypothesis_settings.load_profile("ci")

pytest_plugins = ["tests.claude.fixtures"]

_OURS = ("HOOKLORE_HOME", "AI_MEMORY_PATH", "HOOKLORE_OFF", "HOOKLORE_DEPTH", "CLAUDE_CONFIG_DIR",
         "CLAUDE_PROJECT_DIR", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID")  # fmt: skip


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
    """An empty HOME; residents that were started for a store below it are gone afterwards."""
    path = tmp_path / "home"
    path.mkdir()
    for name in _OURS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(path))
    yield path
    end_residents(tmp_path)


@pytest.fixture
def store(tmp_path: Path) -> StoreLocation:
    """The place of an empty store."""
    return store_location_at(tmp_path / "store")


def end_residents(below: Path) -> None:
    """Kill every resident whose store lies below a folder, and remove its socket."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"hooklore.resident" not in words:
            continue
        root = words[words.index(b"--root") + 1] if b"--root" in words else b""
        if root.startswith(os.fsencode(below)):
            _kill(int(entry.name))
            digest = root_digest(os.fsdecode(root))
            for path in runtime_directory().glob(f"{digest}.*"):
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def wait_until(holds: Callable[[], object], what: str, seconds: float = 30.0) -> None:
    """Wait for something that another process does; fails by name when it does not come."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come within {seconds} s")
        time.sleep(0.01)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
