"""The resident's main loop: take waiting requests, append them in one flush, answer.

The broker runs in the main thread, where an interval timer can end a wait for the log's lock.
"""

import contextlib
import gc
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import orjson

from hooklore import __version__
from hooklore.broker import Broker
from hooklore.broker.broker import AppendLog
from hooklore.config import Settings, StoreLocation, read_environment
from hooklore.errors import HookloreError
from hooklore.hooks import journal, marks
from hooklore.hooks.delivery import DeliveryResult
from hooklore.hooks.learning import may_teach
from hooklore.hooks.log_sanitizer import describe_error
from hooklore.hooks.pending import ACK_FACT, Pending
from hooklore.hooks.runner import Runner
from hooklore.maintenance.canary import canary_draft
from hooklore.maintenance.indexing import IndexMaintainer
from hooklore.maintenance.session_gaps import LEAST_SECONDS, compute_keep_seconds
from hooklore.records.draft import PERSON, Draft
from hooklore.redaction import redact
from hooklore.redaction.record_redactor import reserved_words
from hooklore.redaction.session_secrets import SessionSecrets
from hooklore.resident import heap
from hooklore.resident.asking import REQUEST
from hooklore.resident.later_imports import load_later_imports
from hooklore.resident.lifecycle import REPLACED, Lifecycle
from hooklore.resident.listener import Listener, WaitingDelivery
from hooklore.resident.program import Program
from hooklore.resident.request_answers import OPENING_EVENTS, RequestAnswers
from hooklore.resident.wire import CONTROL
from hooklore.retrieval.semantic.availability import (
    MEM0_BACKEND,
    semantic_unavailable_reason,
)

if TYPE_CHECKING:
    from hooklore.resident.encoding import EncodingThread
    from hooklore.retrieval.semantic.search import SemanticSearch

_BATCH = 64
_TICK_SECONDS = 1.0
_LOCK_SECONDS = 0.4
_SLOW_SECONDS = 0.015
_GATHER_SECONDS = 2.0
"""Time in which records are gathered for one commit: until then they are found in the tail. Each commit leaves a
segment, and a prompt looks each of its words up in every segment."""

_GATHER_STEP_SECONDS = 0.25
_GATHERED_BATCHES = 200
"""Batches of hooks after which a commit waits no longer, because the tail is held in memory."""

_PATIENCE_SECONDS = 0.05
_FAR_BEHIND = 1000
"""Records behind the log from which indexing no longer waits for hooks, because the tail must stay bounded."""

_RELEASE_TICKS = 2
"""Quiet seconds before the main thread gives up memory: the heap is trimmed after it."""

_REST_TICKS = 3
_JANITOR_TICKS = 60
_SCAN_PAUSE_SECONDS = 0.005
"""The pause between two stretches of a scan by new rules, because hooks come first."""

_WARMING = "password: call +81 90 0000 0000"
"""A text that passes the prefilters of redaction, so that rules are compiled before the first hook."""

_LAST_SECONDS = 0.2
_UNUSED_SECONDS = 300.0
"""Seconds without a hook after which the resident starts anew, in place, without models, tables and caches."""

_SENT_AT_ONCE = 64 * 1024
"""Bytes of an answer that a socket takes at once. A longer one waits for its reader."""

_WAITING_EVENTS = frozenset((*OPENING_EVENTS, REQUEST))

_MOST_CARRIED = 4096
"""Bytes that every system's pipe takes at once (POSIX PIPE_BUF on Linux), also where the user has many pipes."""

START_ANEW = "unused"
"""The reason for an end after which the same process serves on, as a new program."""


class Unused(NamedTuple):
    """State that a resident hands on when it starts anew: seconds since the last hook, its sessions' secrets."""

    idle_seconds: float
    secrets: bytes


class Server:
    """Serves one store until there is a reason to stop."""

    def __init__(
        self,
        place: StoreLocation,
        settings: Settings,
        listener: Listener,
        lifecycle: Lifecycle,
        before: Unused | None = None,
    ) -> None:
        """`before` is the state that a resident that has started anew was handed."""
        self._place = place
        self._listener = listener
        trace, log = (_log_step, journal.write_append) if settings.debug else (None, None)
        self._secrets = SessionSecrets(reserved_words(), before.secrets if before else b"")
        self._broker = Broker(
            place, settings, wait=_LOCK_SECONDS, trace=trace, log=log, secrets=self._secrets
        )
        self._is_fresh = before is not None
        self._lifecycle = lifecycle
        lifecycle.keep = self._keep_seconds
        self._lifecycle.used(before.idle_seconds if before else 0.0)
        self._indexer = IndexThread(place, lifecycle.program, log)
        self._semantic: SemanticSearch | None = None
        self._encoder = self._semantic_encoder(place, settings)
        home = read_environment().get("HOME", "/")
        self._runner = Runner(
            self._broker,
            home,
            time.time_ns,
            self._semantic,
            is_replaced=lifecycle.program.is_replaced,
        )
        self._afterwards: list[Draft] = []
        self._answers = RequestAnswers(
            self._broker,
            self._runner.recall,
            home,
            self._afterwards.extend,
            lifecycle.program.is_replaced,
        )
        self._lessons: deque[Iterator[int]] = deque()
        self._started = time.time()
        self._served = 0
        self._quiet_ticks = 0
        self._had_problem = False
        self._left_in_spool = 0

    def _semantic_encoder(
        self, place: StoreLocation, settings: Settings
    ) -> "EncodingThread | None":
        """Return the encoding thread of semantic search, or None, with nothing imported, without the extra."""
        if semantic_unavailable_reason(settings.recall.semantic) is not None:
            return None
        from hooklore.resident.encoding import EncodingThread
        from hooklore.retrieval.semantic.search import SemanticSearch, SharedEncoder

        model = SharedEncoder(mem0=settings.recall.semantic == MEM0_BACKEND)
        self._semantic = SemanticSearch(place, model)
        indexer = self._indexer
        return EncodingThread(
            place, model, self._semantic,
            may_write=lambda: indexer.is_indexing, give_way=indexer.give_way,
            warms=not self._is_fresh,
        )  # fmt: skip

    def serve(self) -> str:
        """Serve until there is a reason to stop, and return that reason."""
        self._indexer.start()
        self._indexer.wake()
        if self._encoder is not None:
            self._encoder.start()
            self._indexer.on_indexed = self._encoder.wake
        while True:
            deliveries = self._listener.take(_BATCH, _TICK_SECONDS)
            if deliveries:
                self._quiet_ticks = 0
                if not self._may_serve(deliveries):
                    return self._leave_unserved(deliveries)
            else:
                self._rest()
                self._drain_spool()
                if self._is_unused():
                    return START_ANEW
            if self._listener.is_quiet():
                self._indexer.resume_indexing()
            self._append_afterwards()
            reason = self._lifecycle.reason_to_leave()
            if reason is not None and self._listener.is_quiet() and not self._listener.awaits_word:
                self._leave()
                return reason

    def _leave_unserved(self, deliveries: list[WaitingDelivery]) -> str:
        """Leave, and have `deliveries` handed in again. Return the reason.

        A lesson whose rules are gone from the disk is lost; its prompt is in the log.
        """
        self._remove_socket()
        self._listener.turn_away(deliveries)
        self._listener.hear_words(_LAST_SECONDS)
        self._append_shown()
        for lesson in self._lessons:
            deque(lesson, maxlen=0)
        self._leave()
        return REPLACED

    def _rest(self) -> None:
        """Do in a quiet second what the next hook need not wait for, and give up memory in the second one."""
        if self._broker.unindexed_count > 0:
            with contextlib.suppress(HookloreError):
                self._broker.refresh()  # which drops what is indexed by now
        self._quiet_ticks += 1
        if self._quiet_ticks == _RELEASE_TICKS:
            gc.collect()
            self._broker.release_memory()

    def _keep_seconds(self) -> float:
        try:
            self._broker.refresh()
            most = self._broker.settings.resident.keep_minutes
            return compute_keep_seconds(self._broker.as_reader(PERSON), most)
        except HookloreError:
            return LEAST_SECONDS

    def _is_unused(self) -> bool:
        """Return whether to start anew: once after each hook, when nothing is under way."""
        if self._is_fresh or self._lifecycle.idle_for() < _UNUSED_SECONDS:
            return False
        is_working = self._indexer.is_working or (self._encoder and self._encoder.is_encoding)
        is_owing = self._afterwards or self._lessons or self._listener.is_busy
        return not (is_working or is_owing or self._lifecycle.reason_to_leave())

    def hand_on(self) -> Unused:
        """Return the state that the same process needs when it starts anew."""
        return Unused(self._lifecycle.idle_for(), self._secrets.carry(_MOST_CARRIED))

    def _drain_spool(self) -> None:
        """Append in a quiet second what hooks have spooled meanwhile. What the log refuses waits for a hook."""
        waiting = self._broker.waiting_in_spool()
        if waiting > self._left_in_spool:
            self._broker.append([])
            self._indexer.wake()
            waiting = self._broker.waiting_in_spool()
        self._left_in_spool = waiting

    def _may_serve(self, deliveries: list[WaitingDelivery]) -> bool:
        """Serve deliveries, and return True. Return False where the program that would serve them was replaced.

        What this process has not imported yet is gone then, or of another version.
        """
        left = [each for each in deliveries if not self._answer_control(each)]
        program = self._lifecycle.program
        if left and not self._indexer.has_all_imports and program.is_replaced():
            return False
        try:
            self._serve(left)
        except Exception:
            if program.is_replaced():
                return False
            raise
        return True

    def _serve(self, left: list[WaitingDelivery]) -> None:
        started = time.monotonic()
        if not left:
            return
        self._indexer.hold_for_hooks()
        self._lifecycle.used()
        if self._is_fresh and self._semantic is not None:
            self._semantic.warm()  # a resident that started anew has left it unloaded, and hooks come again
        self._is_fresh = False
        hooks = [waiting for waiting in left if not _may_wait(waiting)]
        if hooks:
            self._serve_hooks(hooks, started)
        for waiting in filter(_may_wait, left):
            if waiting.delivery.event == REQUEST:
                self._answer_request(waiting)
            else:
                self._open(waiting)

    def _answer_request(self, waiting: WaitingDelivery) -> None:
        """Answer an agent's request. A long answer is sent by a thread, so that no hook waits for a reader."""
        answer = self._answers.answer(waiting.delivery)
        if len(answer.stdout) <= _SENT_AT_ONCE:
            waiting.reply(answer)
        else:
            threading.Thread(target=waiting.reply_slowly, args=(answer,), daemon=True).start()
        self._repair_index()
        self._indexer.wake()

    def _open(self, waiting: WaitingDelivery) -> None:
        """Answer an agent that opens memories, and record that it did when no delivery waits."""
        answer, used = self._answers.open(waiting.delivery)
        if waiting.reply(answer):
            self._afterwards += used
        self._repair_index()

    def _serve_hooks(self, hooks: list[WaitingDelivery], started: float) -> None:
        """Record and answer hooks that came together."""
        pendings = self._runner.record(waiting.delivery for waiting in hooks)
        for waiting, pending in sorted(
            zip(hooks, pendings, strict=True), key=lambda item: item[1].recalls
        ):
            self._reply(waiting, pending, self._runner.answer(pending))
            if may_teach(pending):
                self._lessons.append(self._runner.learn(pending))
        self._served += len(hooks)
        self._repair_index()
        self._indexer.wake()
        if time.monotonic() - started > _SLOW_SECONDS or any(p.is_late for p in pendings):
            # A client may have marked this resident as hung, and the answer shows that it is not.
            with contextlib.suppress(OSError):
                os.unlink(str(self._place.socket).removesuffix(".sock") + ".hung")

    def _reply(self, waiting: WaitingDelivery, pending: Pending, answer: DeliveryResult) -> None:
        """Answer, and note whether the answer arrives: at once, or when a client that says so has printed it."""
        if answer.stdout and ACK_FACT in pending.delivery.facts:
            self._listener.reply_and_wait(waiting, answer, partial(self._settle, pending))
        else:
            self._settle(pending, waiting.reply(answer) and not pending.is_late)

    def _settle(self, pending: Pending, has_arrived: bool) -> None:
        self._afterwards += self._runner.settle(pending, has_arrived=has_arrived)

    def _repair_index(self) -> None:
        """Request one rebuild each time that a read finds the index damaged."""
        problem = self._broker.index_problem
        if problem and not self._had_problem:
            self._indexer.request_rebuild()
        self._had_problem = bool(problem)

    def _append_afterwards(self) -> None:
        """Record what was shown and learn from prompts while no delivery waits."""
        if self._afterwards and self._listener.is_quiet():
            self._append_shown()
            self._broker.prepare_search()
            self._indexer.wake()
        while self._lessons and self._listener.is_quiet():
            learnt = next(self._lessons[0], None)
            if learnt is None:
                self._lessons.popleft()
            elif learnt:
                self._indexer.wake()

    def _append_shown(self) -> None:
        drafts = list(self._afterwards)
        self._afterwards.clear()
        if drafts:
            self._broker.append(drafts)

    def _answer_control(self, waiting: WaitingDelivery) -> bool:
        if waiting.delivery.agent != CONTROL or _may_wait(waiting):
            return False
        if waiting.delivery.event == "Stop":
            self._lifecycle.stopping = "told to stop"
        if waiting.delivery.event == "Canary":
            receipt = self._broker.append([canary_draft(waiting.delivery.id)])[0]
            self._indexer.wake()
            waiting.reply(DeliveryResult(receipt.status, (receipt.reason or "").encode()))
            return True
        waiting.reply(DeliveryResult("ok", orjson.dumps(self._status())))
        return True

    def _status(self) -> dict[str, object]:
        encoder = self._encoder
        return {
            "pid": os.getpid(),
            "version": __version__,
            "started": self._started,
            "served": self._served,
            "store": str(self._place.directory),
            "indexing": self._indexer.is_indexing,
            "lag": self._broker.unindexed_count,
            "problem": self._broker.index_problem or self._indexer.problem,
            "vectors": encoder and ((self._semantic and self._semantic.problem) or encoder.problem),
        }

    def _remove_socket(self) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self._place.socket)

    def _leave(self) -> None:
        self._remove_socket()
        if self._encoder is not None:
            self._encoder.stop()
        self._indexer.stop()
        self._broker.close()


def _may_wait(waiting: WaitingDelivery) -> bool:
    """Return whether no hook sent this: an agent opens memories by a command, or sends a request."""
    return waiting.delivery.agent == CONTROL and waiting.delivery.event in _WAITING_EVENTS


def _log_step(step: str, delivery_id: str) -> None:
    journal.write_line(f"trace {delivery_id} {step}")


class IndexThread(threading.Thread):
    """Keeps the index up to date, off the path of every hook."""

    def __init__(
        self, place: StoreLocation, program: Program, log: AppendLog | None = None
    ) -> None:
        super().__init__(name="indexer", daemon=True)
        self._program = program
        self.has_all_imports = False
        self._is_advancing = False
        self._batches = 0
        self._place = place
        self._indexing = IndexMaintainer(place, self.give_way, log)
        self._is_free = threading.Event()
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._is_damaged = False
        self.problem: str | None = None
        self.on_indexed: Callable[[], None] = lambda: None

    @property
    def is_indexing(self) -> bool:
        """True while this process holds the index's writer lock."""
        return self._indexing.holds_lock

    @property
    def is_working(self) -> bool:
        """True while records are indexed, or the janitor runs, or that is about to begin."""
        return self._is_advancing or self._wanted.is_set()

    def wake(self) -> None:
        """Report new records in the log."""
        self._batches += 1
        self._wanted.set()

    def hold_for_hooks(self) -> None:
        """Pause indexing while hooks are served, because both threads share one interpreter."""
        self._is_free.clear()

    def resume_indexing(self) -> None:
        """Report that no hook waits."""
        self._is_free.set()

    def give_way(self, left: int = 0) -> None:
        """Wait a moment while hooks are being served, unless `left` records wait that are too many."""
        if left < _FAR_BEHIND and not self._stopping.is_set():
            self._is_free.wait(_PATIENCE_SECONDS)

    def _pause_scan(self) -> bool:
        """Pause between two stretches of a scan, and return whether the scan must end."""
        self.give_way()
        return self._stopping.wait(_SCAN_PAUSE_SECONDS)

    def request_rebuild(self) -> None:
        """Request a rebuild of an index that cannot be used."""
        self._is_damaged = True

    def stop(self) -> None:
        """Index the remaining records if they are few, because hooks wait for the next resident meanwhile."""
        self._stopping.set()
        self._wanted.set()
        self.join(timeout=_LAST_SECONDS)

    def run(self) -> None:
        """Index when woken, and release memory when idle."""
        marks.remove_old_marks(self._place)
        self._load_imports()
        quiet = 0
        while not self._stopping.is_set():
            if not self._wanted.wait(_TICK_SECONDS):
                quiet += 1
                if quiet == 1 and not self.has_all_imports:
                    self._load_imports()
                if quiet == _REST_TICKS:
                    self._indexing.rest()
                    heap.trim_heap()
                elif quiet == _JANITOR_TICKS:
                    self._run_janitor()
                continue
            quiet = 0
            self._is_advancing = True
            self._gather()
            self._wanted.clear()
            self._advance()
            self._is_advancing = False
        self._advance()
        self._indexing.close()

    def _load_imports(self) -> None:
        """Compile rules, and load modules when the first hooks are answered, before others need them."""
        try:
            redact(_WARMING)
            self._is_free.wait(_TICK_SECONDS)
            load_later_imports(self.give_way)
            self.has_all_imports = not self._program.is_replaced()
        except Exception as error:
            journal.write_error("hooklore: could not load what hooks need later", error)

    def _gather(self) -> None:
        """Wait until records have been gathered for one commit: for some seconds, or until many batches came."""
        end = time.monotonic() + _GATHER_SECONDS
        while self._batches < _GATHERED_BATCHES and (left := end - time.monotonic()) > 0:
            if self._stopping.wait(min(left, _GATHER_STEP_SECONDS)):
                break
        self._batches = 0

    def _run_janitor(self) -> None:
        """Run the janitor after a session's end, else daily. New records end its run until the next rest."""
        self._is_advancing = True
        try:
            self._indexing.run_janitor(lambda: self._wanted.is_set() or self._pause_scan())
        except Exception as error:
            journal.write_error("hooklore: could not look through memory", error)
        self._is_advancing = False
        heap.trim_heap()

    def _advance(self) -> None:
        try:
            is_damaged, self._is_damaged = self._is_damaged, False
            is_mine = self._indexing.advance(is_damaged=is_damaged)
            self.problem = None if is_mine else "another process indexes"
            self.on_indexed()
            self._indexing.rescan(self._pause_scan)
        except Exception as error:
            self.problem = describe_error(error)
            journal.write_error("hooklore: could not index", error)
            self._stopping.wait(_TICK_SECONDS)
            self._wanted.set()
