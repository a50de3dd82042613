"""Index what the index lacks, for a command: little before its answer, much after it and with a bar."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.progress import progress


@contextmanager
def index_missing(broker: Broker) -> Iterator[None]:
    """Index the records that the index lacks, unless a resident does: few before the block, many behind it."""
    if not broker.needs_indexing():
        if broker.unindexed_count and broker.index():
            broker.refresh()
        yield
        return
    count = f"{broker.unindexed_count:,} records or more"
    output.say(
        f"note: {count} are not indexed yet; this answer is of the index and the newest records"
    )
    if not sys.stderr.isatty():
        output.say("hint: run `hooklore rebuild`")
    yield
    if sys.stderr.isatty():
        sys.stdout.flush()
        index_with_progress(broker)


def index_with_progress(broker: Broker) -> int:
    """Index the records that the index lacks, and return their number; 0 while another process does."""
    broker.refresh()
    if not broker.unindexed_count:
        return 0
    with progress("indexing", broker.count_unindexed()) as advance:
        return broker.index(advance)
