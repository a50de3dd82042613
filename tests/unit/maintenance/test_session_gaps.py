"""A resident stays about as long as the next session takes to begin."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.config import Settings, StoreLocation
from hooklore.hooks.project import project_keys
from hooklore.maintenance.session_gaps import compute_keep_seconds
from hooklore.records.draft import PERSON, Draft
from hooklore.records.record import Record
from hooklore.resident.lifecycle import Lifecycle
from hooklore.resident.listener import Listener, bind_socket
from hooklore.resident.server import Server
from tests.support.agent import repository

_BEGIN = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


class History:
    """Sessions of one hour each, in two projects by turns, with gaps of some minutes between them."""

    def __init__(self, broker: Broker, home: Path) -> None:
        self._broker = broker
        self._keys = [
            project_keys(str(repository(home / name)), None, str(home)) for name in ("a", "b")
        ]

    def write(self, gaps: list[int]) -> None:
        """Append one session more than there are gaps."""
        now, drafts = _BEGIN, []
        for number, gap in enumerate([*gaps, 0]):
            for kind in ("session_start", "session_end"):
                drafts.append(self._draft(kind, number, now))
                now += timedelta(hours=1) if kind == "session_start" else timedelta(minutes=gap)
        self._broker.append(drafts)

    def _draft(self, kind: str, number: int, now: datetime) -> Draft:
        ts = now.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        record = Record({
            "stream": "observation", "kind": kind, "agent_id": "claude", "ts": ts,
            "session_id": f"s{number}", "delivery_id": f"{kind}-{number}", "body": {},
        })  # fmt: skip
        return Draft(record, self._keys[number % 2])


@pytest.fixture
def broker(store: StoreLocation) -> Broker:
    return Broker(store)


@pytest.mark.parametrize(
    ("gaps", "most", "minutes"),
    [
        ([], 60, 15),
        ([20, 30, 40], 60, 30),
        ([1, 2, 3], 60, 15),
        ([90, 100, 110], 60, 60),
        ([90, 100, 110], 95, 95),
        ([20, 30, 40], 20, 20),
        ([20, 30, 40], 5, 15),
        ([20, 30, 40], 0, 15),
        ([600] * 20 + [25] * 9, 60, 25),
    ],
)
def test_it_is_the_median_gap_of_the_last_ten_sessions_within_its_bounds(
    broker: Broker, home: Path, gaps: list[int], most: int, minutes: int
) -> None:
    History(broker, home).write(gaps)

    assert compute_keep_seconds(broker.as_reader(PERSON), most) == minutes * 60


@pytest.mark.parametrize("value", ["-1", "1441", "'an hour'"])
def test_another_value_of_the_setting_is_refused(store: StoreLocation, value: str) -> None:
    from hooklore.config import load_settings

    store.directory.mkdir()
    store.config.write_text(f"[resident]\nkeep_minutes = {value}\n")

    settings = load_settings(store.config)

    assert "resident.keep_minutes" in str(settings.problems[0])
    assert settings.resident == type(settings.resident)()


def test_by_default_it_is_at_most_an_hour() -> None:
    assert Settings().resident.keep_minutes == 60


def test_a_resident_asks_once_how_long_to_stay_and_leaves_then(store: StoreLocation) -> None:
    now, asked = [0.0], []

    def keep() -> float:
        asked.append(now[0])
        return 1800.0

    lifecycle = Lifecycle(store, None, now=lambda: now[0], keep=keep)
    reasons = {}
    for minute in (*range(1, 20), 29, 30, 31):
        now[0] = minute * 60.0 + 1.0
        reasons[minute] = lifecycle.reason_to_leave()

    assert asked == [15 * 60.0 + 1.0]
    assert {minute for minute, reason in reasons.items() if reason == "idle"} == {30, 31}


def test_a_hook_begins_the_time_anew(store: StoreLocation) -> None:
    now, asked = [0.0], []

    def keep() -> float:
        asked.append(now[0])
        return 1000.0

    lifecycle = Lifecycle(store, None, now=lambda: now[0], keep=keep)
    now[0] = 950.0
    before = lifecycle.reason_to_leave()
    lifecycle.used()
    now[0] = 1900.0
    after = lifecycle.reason_to_leave()

    assert (before, after) == (None, None)
    assert asked == [950.0, 1900.0]


def test_a_resident_stays_by_its_own_store_and_setting(
    store: StoreLocation, home: Path, tmp_path: Path
) -> None:
    broker = Broker(store)
    History(broker, home).write([20, 30, 40])
    broker.close()
    listening = bind_socket(tmp_path / "run" / "x.sock")

    server = Server(store, Settings(), Listener(listening), Lifecycle(store, None))
    keep = server._lifecycle.keep

    assert keep is not None
    assert keep() == 30 * 60
    listening.close()
