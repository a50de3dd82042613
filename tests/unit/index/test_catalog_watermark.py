"""The end of the indexed log, as readers beside the writer see it."""

import os
import time
from pathlib import Path

from hooklore.index.catalog import Catalog, Watermark


def test_each_commit_is_seen_at_once_however_soon_it_comes(tmp_path: Path) -> None:
    writer, reader = Catalog(tmp_path / "catalog.sqlite"), Catalog(tmp_path / "catalog.sqlite")
    seen = []
    for number in range(300):
        writer.put([(number, number)], [], Watermark(number, number, str(number)))
        seen.append(reader.watermark().pos)
        if number % 150 == 0:
            time.sleep(1.1)  # the journal counts as settled
            assert reader.watermark().pos == number
    writer.close()
    reader.close()

    assert seen == list(range(300))


def test_no_query_is_made_while_nobody_commits(tmp_path: Path) -> None:
    writer, reader = Catalog(tmp_path / "catalog.sqlite"), Catalog(tmp_path / "catalog.sqlite")
    writer.put([(1, 1)], [], Watermark(7, 1, "x"))
    journal = tmp_path / "catalog.sqlite-wal"
    earlier = time.time() - 60
    os.utime(journal, (earlier, earlier))
    first = reader.watermark()
    reader.close()

    assert first == reader.watermark() == Watermark(7, 1, "x")
    writer.close()
