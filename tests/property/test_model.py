"""C24: a store against a list in memory, equal after every step."""

import fcntl
import os
import shutil
from contextlib import ExitStack
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.log import files
from hooklore.records.draft import PERSON
from tests.property.test_rebuild import contents, rebuilt
from tests.support.memory_folder import memory_folder
from tests.support.writers import KEYS, draft, records

_TEXTS = st.sampled_from(["alpha beta", "共有記憶", "", "KeyError: colour", "x" * 900])


class StoreMachine(RuleBasedStateMachine):
    """Two brokers of one store, as two processes have them, and what they must hold."""

    events = Bundle("events")

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        folder = self.stack.enter_context(memory_folder())
        self.place: StoreLocation = store_location_at(folder / "store")
        self.brokers = [Broker(self.place, wait=0.005) for _ in range(2)]
        self.segment = files.SEGMENT_BYTES
        self.log: list[str] = []
        self.waiting: list[str] = []
        self.ids: dict[str, str] = {}
        self.gone: set[str] = set()
        self.bytes = b""

    @initialize(segment=st.sampled_from([300, 1_500, 1 << 25]))
    def begin(self, segment: int) -> None:
        files.SEGMENT_BYTES = segment

    def teardown(self) -> None:
        files.SEGMENT_BYTES = self.segment
        for broker in self.brokers:
            broker.close()
        self.stack.close()

    def _drained(self) -> None:
        for name in self.waiting:
            if name not in self.log:
                self.log.append(name)
        self.waiting = []

    @rule(target=events, which=st.integers(0, 1), text=_TEXTS, number=st.integers(0, 10**6))
    def append(self, which: int, text: str, number: int) -> str:
        name = f"e{number}"
        is_new = name not in self.log and name not in self.waiting

        receipt = self.brokers[which].append([draft(name, text, keys=KEYS)])[0]

        self._drained()
        assert receipt.status == ("stored" if is_new else "duplicate")
        if is_new:
            self.log.append(name)
        assert receipt.id
        assert self.ids.setdefault(name, receipt.id) == receipt.id
        return name

    @rule(which=st.integers(0, 1), name=events)
    def deliver_again(self, which: int, name: str) -> None:
        receipt = self.brokers[which].append([draft(name, "again", keys=KEYS)])[0]

        self._drained()
        assert receipt.status == "duplicate"
        assert receipt.delivery_id == name

    @rule(target=events, which=st.integers(0, 1), numbers=st.lists(st.integers(0, 50), max_size=4))
    def append_several(self, which: int, numbers: list[int]) -> str:
        names = ["first", *(f"b{n}" for n in numbers)]
        expected: list[str] = []
        for name in names:
            known = name in self.log or name in self.waiting or name in names[: len(expected)]
            expected.append("duplicate" if known else "stored")

        receipts = self.brokers[which].append([draft(name) for name in names])

        self._drained()
        assert [r.status for r in receipts] == expected
        self.log += [n for n, status in zip(names, expected, strict=True) if status == "stored"]
        return names[-1]

    @rule(which=st.integers(0, 1), number=st.integers(0, 99))
    def append_while_the_log_is_held(self, which: int, number: int) -> None:
        if not self.place.directory.exists():
            return
        fd = os.open(self.place.directory, os.O_RDONLY)
        fcntl.flock(fd, fcntl.LOCK_EX)
        try:
            receipt = self.brokers[which].append([draft(f"s{number}")])[0]
        finally:
            os.close(fd)
        assert receipt.status == "spooled"
        self.waiting.append(f"s{number}")

    @rule(which=st.integers(0, 1), name=events)
    def forget(self, which: int, name: str) -> None:
        broker = self.brokers[which]
        broker.refresh()
        found = next(
            r for r in broker.as_reader(PERSON).newest(ended=True) if r.delivery_id == name
        )
        body = {"targets": [found.id]}
        delivery = f"forget.{name}"

        broker.append([draft(delivery, stream="control", kind="tombstone", body=body)])

        self._drained()
        if delivery not in self.log:
            self.log.append(delivery)
        self.gone.add(name)

    @rule(which=st.integers(0, 1))
    def index(self, which: int) -> None:
        self.brokers[which].index()

    @rule(which=st.integers(0, 1))
    def rebuild(self, which: int) -> None:
        self.brokers[which].rebuild()

    @rule()
    def delete_the_index(self) -> None:
        shutil.rmtree(self.place.directory / "index", ignore_errors=True)

    @rule(which=st.integers(0, 1))
    def reopen(self, which: int) -> None:
        self.brokers[which].close()
        self.brokers[which] = Broker(self.place, wait=0.005)

    @rule()
    def tear_the_tail(self) -> None:
        if self.place.log.exists():
            with self.place.log.open("ab") as log:
                log.write(b'{"v":1,"torn')

    @invariant()
    def the_log_holds_what_was_acknowledged(self) -> None:
        found = [r["delivery_id"] for r in records(self.place) if r.get("delivery_id")]

        assert found == self.log

    @invariant()
    def the_log_only_grows(self) -> None:
        segments = [files.closed_path(self.place, n) for n in files.closed_segments(self.place)]
        now = b"".join(path.read_bytes() for path in segments)
        now += self.place.log.read_bytes() if self.place.log.exists() else b""
        whole = now[: now.rfind(b"\n") + 1]

        assert whole.startswith(self.bytes)
        self.bytes = whole

    @invariant()
    def both_brokers_see_it(self) -> None:
        for broker in self.brokers:
            broker.refresh()
            seen = [
                r.delivery_id for r in broker.as_reader(PERSON).newest(ended=True) if r.delivery_id
            ]
            living = [r.delivery_id for r in broker.as_reader(PERSON).newest() if r.delivery_id]
            known = {name for name in self.log if broker._view.lookup(f"event:{name}")}
            assert seen == self.log[::-1]
            assert living == [name for name in self.log[::-1] if name not in self.gone]
            assert known == set(self.log)
            assert all(broker.as_reader(PERSON).get(id_).id == id_ for id_ in self.ids.values())

    @rule()
    def compare_with_a_fresh_index(self) -> None:
        broker: Any = self.brokers[0]
        if not self.log:
            return
        broker.index()
        live = contents(self.place)

        assert live == rebuilt(self.place)


StoreMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=25)
TestStore = StoreMachine.TestCase
