"""Derive the index and the archive's files again from the log: `hooklore rebuild`."""

from hooklore.broker import Broker
from hooklore.broker.store_stats import count_by_day
from hooklore.cli import output
from hooklore.cli.progress import progress
from hooklore.cli.store import opened, without_resident
from hooklore.maintenance import audit
from hooklore.memories import archive_files
from hooklore.records.draft import PERSON
from hooklore.text.plural import format_count

_ATTEMPTS = 5


def rebuild() -> None:
    """Make the index and the archive's files again from the log. The old index answers until the new one is whole.

    What `audit.jsonl` lacks of the log's redactions is added to it.
    """
    with opened() as broker:
        count = without_resident(lambda: _rebuild(broker), _ATTEMPTS)
        archive_files.sync_archive_files(broker)
        audit.update_audit(broker.place)
    output.data(f"rebuilt the index from {format_count(count, 'line')} of the log")


def _rebuild(broker: Broker) -> int:
    events = sum(day.events for day in count_by_day(broker.as_reader(PERSON)))
    with progress("rebuilding", events) as advance:
        return broker.rebuild(advance)
