"""Tell a damaged catalog from one that another process holds locked."""

import sqlite3
import time
from pathlib import Path

from hooklore.maintenance.index_health import _damaged_catalog


def test_a_catalog_that_another_process_locks_is_not_damaged(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE t (x)")
    other.execute("BEGIN EXCLUSIVE")

    problem = _damaged_catalog(path, time.monotonic() + 60)

    other.close()
    assert problem is None


def test_a_file_that_is_no_catalog_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    path.write_bytes(b"x" * 4_096)

    assert "not a database" in str(_damaged_catalog(path, time.monotonic() + 60))


def test_a_missing_catalog_is_damaged_and_not_locked(tmp_path: Path) -> None:
    assert _damaged_catalog(tmp_path / "gone.sqlite", time.monotonic() + 60)
