"""The time that a resident stays without a hook: about as long as the next session takes to begin."""

from datetime import datetime

from hooklore.broker.fetch import list_projects
from hooklore.broker.principal_reader import Reader
from hooklore.records import keys

LEAST_SECONDS = 15 * 60.0
_SESSIONS = 10
_READ = 4 * _SESSIONS
"""Records of each project: sessions that run beside each other begin before the last ten ends."""

_NO_PROJECT = "-"


def compute_keep_seconds(reader: Reader, most_minutes: int) -> float:
    """Return the median gap between the end of each of the last ten sessions and the next session's start.

    The result lies between 15 minutes and `most_minutes`. Without a gap, or with a bound of 0, it is 15
    minutes.
    """
    gaps = _gaps_in_seconds(reader) if most_minutes else []
    longest = max(LEAST_SECONDS, most_minutes * 60.0)
    return min(max(_median(gaps), LEAST_SECONDS), longest) if gaps else LEAST_SECONDS


def _median(gaps: list[float]) -> float:
    """Return the median of one or more gaps, without `statistics`, which a resident would keep for this alone."""
    ordered, half = sorted(gaps), len(gaps) // 2
    return (ordered[half] + ordered[~half]) / 2


def _gaps_in_seconds(reader: Reader) -> list[float]:
    starts = _newest_times(reader, "session_start")
    ends = _newest_times(reader, "session_end")[-_SESSIONS:]
    nexts = ((end, next((s for s in starts if s > end), None)) for end in ends)
    return [
        (datetime.fromisoformat(start) - datetime.fromisoformat(end)).total_seconds()
        for end, start in nexts
        if start is not None
    ]


def _newest_times(reader: Reader, kind: str) -> list[str]:
    """Return the times of the newest records of a kind in all projects, oldest first."""
    places = [_NO_PROJECT, *(project.id for project in list_projects(reader))]
    found = (r for place in places for r in reader.lookup(keys.of_kind(kind, place), _READ))
    return sorted(record.ts for record in found)
