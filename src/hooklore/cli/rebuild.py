"""Derive the index and the archive's files again from the log: `hooklore rebuild`."""

from hooklore.broker import Broker
from hooklore.broker.store_stats import count_by_day
from hooklore.cli import output
from hooklore.cli.progress import progress
from hooklore.cli.store import here, opened
from hooklore.errors import LogError
from hooklore.maintenance import audit
from hooklore.memories import archive_files
from hooklore.records.draft import PERSON
from hooklore.resident import call
from hooklore.text.plural import format_count

_ATTEMPTS = 5


def rebuild() -> None:
    """Make the index and the archive's files again from the log. The old index answers until the new one is whole.

    What `audit.jsonl` lacks of the log's redactions is added to it.
    """
    with opened() as broker:
        for left in reversed(range(_ATTEMPTS)):
            try:
                count = _rebuild(broker)
                break
            except LogError:  # a hook of a live session has started a resident in between
                if not left:
                    raise
        archive_files.sync_archive_files(broker)
        audit.update_audit(broker.place)
    output.data(f"rebuilt the index from {format_count(count, 'line')} of the log")


def _rebuild(broker: Broker) -> int:
    call.stop_resident(here())
    events = sum(day.events for day in count_by_day(broker.as_reader(PERSON)))
    with progress("rebuilding", events) as advance:
        return broker.rebuild(advance)
