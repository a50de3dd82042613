"""From a delivery to records, and from records to the text that the model is shown.

`Runner.begin` and `Runner.finish` are the package's one boundary that catches every error: a hook never
blocks the user, and says when memory could not be read. Only what an upgrade under the process causes passes it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hooklore.agents.event import HookEvent
from hooklore.agents.registry import agent_of
from hooklore.agents.render import render_decision, render_hook_output
from hooklore.broker import Broker
from hooklore.broker.broker import format_timestamp
from hooklore.capture import composition, session_goal, session_summary
from hooklore.capture.capture import capture_event
from hooklore.config import DEPTH_VARIABLE, SessionMode
from hooklore.errors import HookloreError, StoreUnreadable
from hooklore.hooks import answers, journal, learning, marks
from hooklore.hooks.arrival import LATE_FACT, Shown, settle_answer
from hooklore.hooks.confirming import answer_own_command, permit_own_call
from hooklore.hooks.delivery import Delivery, DeliveryResult
from hooklore.hooks.left_alone import is_excluded, is_paused, without_paused
from hooklore.hooks.parse import parse_event
from hooklore.hooks.pause import PauseFile, PauseState
from hooklore.hooks.project import project_keys
from hooklore.hooks.repeated_end import is_repeated_end
from hooklore.memories.agent_registry import agents_of
from hooklore.memories.kept import kept_line
from hooklore.prompt.frame import UNREADABLE_FOR_USER, UNREADABLE_NOTICE
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, ProjectKeys, Receipt
from hooklore.records.record import Body, Record
from hooklore.redaction.id_redaction import redact_id
from hooklore.retrieval.recall import Recall

if TYPE_CHECKING:
    from hooklore.instructions.memory_folder import SeenFolders
    from hooklore.retrieval.semantic.search import SemanticSearch

_UNWRITTEN = ("lost", "spooled")
_STARTS = 64
"""Sessions of a folder among which one of a person is looked for."""

_UP_TO_DATE = ("stored", "duplicate")
"""Statuses after which the log is known up to its end."""


@dataclass(slots=True)
class Pending:
    """A delivery between its two halves: the drafts for the log, and whether it may recall.

    `shown` are the answers of memory, and `afterwards` their records, for when they have arrived.
    `owes_brief` tells that the brief of the session's start did not reach it, `brings_brief` that it is among
    them at last, `is_unreadable` that memory could not be read. `is_from_client` is asked where the event tells
    of files that are read.
    """

    delivery: Delivery
    home: str
    event: HookEvent | None = None
    keys: ProjectKeys | None = None
    drafts: list[Draft] = field(default_factory=list)
    recalls: bool = False
    receipts: list[Receipt] = field(default_factory=list)
    afterwards: list[Draft] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    owes_brief: bool = False
    brings_brief: bool = False
    is_unreadable: bool = False
    is_from_client: bool = True

    @property
    def is_late(self) -> bool:
        """True when the hook has ended: its answer would reach nobody."""
        return LATE_FACT in self.delivery.facts

    @property
    def program(self) -> str:
        """The name by which the agent's shell runs hooklore, or its path, as the installer left it."""
        from hooklore.agents.own_program import find_program

        return find_program(self.home)

    @property
    def body(self) -> Body:
        """The body of the event's record as it was recorded; empty when nothing was."""
        record = self.receipts[0].record if self.receipts else None
        return record.body if record is not None else Body({})


class BatchContext:
    """The pauses and the projects of folders, read once for all deliveries that came together."""

    def __init__(self, pauses: PauseFile, home: str) -> None:
        self.paused = pauses.current()
        self._home = home
        self._keys: dict[tuple[str | None, str | None], ProjectKeys | None] = {}

    def keys_of(self, event: HookEvent) -> ProjectKeys | None:
        """Return what identifies the project in which an event happened."""
        folders = event.cwd, event.project_dir
        if folders not in self._keys:
            self._keys[folders] = project_keys(*folders, self._home)
        return self._keys[folders]


class Runner:
    """Handles hook calls for one broker: `begin` many, append their drafts at once, `finish` each."""

    def __init__(
        self,
        broker: Broker,
        home: str,
        now_ns: Callable[[], int],
        semantic: "SemanticSearch | None" = None,
        is_replaced: Callable[[], bool] = lambda: False,
    ) -> None:
        """`semantic` adds the search by meaning, where the extra is installed.

        `is_replaced` returns whether an upgrade has replaced the program under this process.
        """
        self._broker = broker
        self._recall = Recall(broker, semantic)
        self._home = home
        self._now_ns = now_ns
        self._is_replaced = is_replaced
        self._pauses = PauseFile(broker.place)
        self._trouble: dict[str, str] = {}
        self._seen_folders: SeenFolders = {}

    @property
    def recall(self) -> Recall:
        """The recall that answers this runner's hooks."""
        return self._recall

    def run(self, delivery: Delivery) -> DeliveryResult:
        """Handle one whole call, in a process of its own."""
        pending = self.begin(delivery)
        receipts = self._broker.append(pending.drafts) if pending.drafts else []
        answer = self.finish(pending, receipts)
        afterwards = self.settle(pending, has_arrived=not pending.is_late)
        if afterwards:
            self._broker.append(afterwards)
        for _ in self.learn(pending):
            pass
        return answer

    def settle(self, pending: Pending, *, has_arrived: bool) -> list[Draft]:
        """Return the records to append now that an answer has, or has not, been printed. Never raises."""
        if not pending.recalls or pending.is_unreadable or self._is_other_delivery(pending):
            return []
        try:
            return settle_answer(self._broker, self._recall, pending, has_arrived=has_arrived)
        except Exception as error:
            _report(pending.delivery, error)
            return []

    def learn(self, pending: Pending) -> Iterator[int]:
        """Offer the lessons of a call to the write gate, after its answer, and yield after each step how many.

        Other calls may be answered between two steps. Never raises.
        """
        try:
            yield from learning.learn_from_call(self._broker, pending, self._seen_folders)
        except Exception as error:
            _report(pending.delivery, error)

    def begin_all(self, deliveries: Iterable[Delivery]) -> list[Pending]:
        """Begin deliveries that came together."""
        context = BatchContext(self._pauses, self._home)
        return [self.begin(delivery, context) for delivery in deliveries]

    def begin(self, delivery: Delivery, context: BatchContext | None = None) -> Pending:
        """Parse a delivery and draft the records that may be kept of it.

        Raises only where the program was replaced under this process: the delivery is handed in again.
        """
        known = redact_id(delivery.id)
        delivery = delivery if known == delivery.id else replace(delivery, id=known)
        pending = Pending(delivery, self._home)
        try:
            self._begin(pending, context or BatchContext(self._pauses, self._home))
        except Exception as error:
            self._report(delivery, error)
            pending.drafts, pending.recalls = [], False
        return pending

    def _begin(self, pending: Pending, context: BatchContext) -> None:
        delivery = pending.delivery
        if delivery.facts.get(DEPTH_VARIABLE):
            return
        event = parse_event(
            delivery.agent, delivery.event, delivery.id, delivery.facts, delivery.payload,
            registry=agents_of(self._broker.settings),
        )  # fmt: skip
        if event.event == "prompt" and event.is_interactive and not delivery.is_from_client:
            event = replace(event, is_interactive=False, is_unproven=True)
        if event.event in learning.LOOKED_AT:
            pending.is_from_client = delivery.is_from_client
        pending.event = event
        pending.keys = without_paused(self._broker, context.keys_of(event), context.paused)
        sharing = self._sharing(event)
        if sharing == "off" or self._is_left_alone(event, pending.keys, context.paused):
            return
        pending.recalls = sharing == "full" and answers.may_recall(event)
        if pending.recalls and event.event == "prompt" and not pending.is_late:
            self._recall.prefetch((event.text or "")[: answers.LONGEST_QUESTION])
        if is_repeated_end(self._broker, event):
            return
        drafts = capture_event(event, self._broker.settings, format_timestamp(self._now_ns()))
        source = {"system": "cli", "detail": f"hook:{delivery.event}"}
        pending.drafts = [
            Draft(
                draft.record.with_fields(source=source),
                pending.keys,
                self._finisher(delivery, event.event, pending.keys, draft.finish),
            )
            for draft in drafts
        ]

    def _finisher(
        self,
        delivery: Delivery,
        event: str,
        keys: ProjectKeys | None,
        compose: Callable[[Record], Record],
    ) -> Callable[[Record], Record]:
        """Return what the broker calls with the redacted record. It raises no more than `begin`: others wait, too.

        It holds no `Pending`, which holds the drafts: a circle would wait for the garbage collector.
        """

        def finish(record: Record) -> Record:
            try:
                return self._with_session(event, keys, compose(record))
            except Exception as error:
                self._report(delivery, error)
                return composition.without_texts(record, "its texts could not be read")

        return finish

    def _with_session(self, event: str, keys: ProjectKeys | None, record: Record) -> Record:
        """Return the record with what the session's other records say: a goal, or a summary."""
        if record.kind == "prompt":
            return session_goal.with_goal(self._broker, record)
        if event in ("session_end", "before_compaction"):
            return session_summary.with_summary_sections(self._broker, record, keys)
        return record

    def _report(self, delivery: Delivery, error: Exception) -> None:
        """Write a bug of hooklore's to the journal. Raise it again where the program was replaced.

        A module was gone, then, or of another version. An empty record would cost the delivery its text.
        """
        if self._is_replaced():
            raise error
        _report(delivery, error)

    def _sharing(self, event: HookEvent) -> SessionMode:
        sessions = self._broker.settings.sessions
        if event.subagent_id:
            return sessions.subagents
        return sessions.headless if event.is_headless else sessions.interactive

    def _is_left_alone(
        self, event: HookEvent, keys: ProjectKeys | None, paused: PauseState
    ) -> bool:
        """Return whether an event is paused, or happened in a directory that the user has excluded."""
        if is_excluded(self._broker, keys, event.cwd, event.project_dir):
            return True
        return is_paused(self._broker, paused, event.session_id, keys)

    def finish(self, pending: Pending, receipts: list[Receipt]) -> DeliveryResult:
        """Return the bytes to print, now that the drafts have receipts. Never raises."""
        pending.receipts = receipts
        status = _status(receipts)
        try:
            return DeliveryResult(status, self._finish(pending, status))
        except StoreUnreadable as error:
            return DeliveryResult(status, self._unreadable(pending, error.cause))
        except HookloreError as error:
            return DeliveryResult(status, self._unreadable(pending, str(error)))
        except Exception as error:
            _report(pending.delivery, error)
            return DeliveryResult(status, self._unreadable(pending, type(error).__name__))

    def _finish(self, pending: Pending, status: str) -> bytes:
        event = pending.event
        self._note_trouble(pending, status)
        if event is None or pending.is_late:
            return b""
        decision = answer_own_command(self._broker, pending, self._now_ns() / 1e9)
        if decision is not None:
            return render_decision(event, decision)
        permission = permit_own_call(pending)
        if self._is_other_delivery(pending):
            return b""
        if event.event == "prompt":
            pending.owes_brief = marks.owes_brief(self._broker.place, event.session_id)
        notices = (
            self._settings_notice(event),
            self._claim_notice(pending),
            self._kept_notice(event),
        )
        told = list(filter(None, notices))
        if not pending.recalls:
            return render_hook_output(event, None, " · ".join(told), None, permission=permission)
        if status not in _UP_TO_DATE:
            self._broker.refresh()
        reply = answers.answer_event(self._broker, self._recall, pending)
        trouble = self._trouble.pop(event.session_id or "", None)
        notice = " · ".join(filter(None, (*told, trouble or reply.notice)))
        return render_hook_output(
            event, reply.context, notice or None, None, reply.refusal, permission=permission
        )

    def _settings_notice(self, event: HookEvent) -> str | None:
        """Return the line about keys of `config.toml` that are not used, once a session, at its start."""
        problems = self._broker.settings.problems
        if not problems or event.event != "session_start":
            return None
        if not marks.claim_notice(self._broker.place, f"{event.session_id}|settings"):
            return None
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        return f"hooklore {problems[0]}{more}; run `hooks doctor`"

    def _kept_notice(self, event: HookEvent) -> str | None:
        """Return the line about what a session kept since its last answer, where a person reads it."""
        if event.event != "answer" or not event.session_id or not event.is_interactive:
            return None
        return kept_line(self._broker.as_reader(PERSON), event.session_id)

    def _claim_notice(self, pending: Pending) -> str | None:
        """Return the line about a folder that claims a known project, once to a person.

        It comes at the start of the first session there, or with the brief of that start where it came late.
        """
        event, folder = pending.event, pending.keys
        if event is None or folder is None or not pending.drafts or event.is_headless:
            return None
        if event.event != "session_start" and not pending.owes_brief:
            return None
        claimed = self._broker.registry.claimed(folder)
        if claimed is None:
            return None
        own = self._broker.project_of(folder)
        starts = keys.of_kind("session_start", own.id if own else "-")
        begun = self._broker.as_reader(PERSON).lookup(starts, _STARTS) if own is not None else []
        if sum(map(_was_for_a_person, begun)) > 1:
            return None
        return (
            f"hooklore: this folder names the remote of project:{claimed.slug}; if it is that project, "
            "run `hooklore project trust`; until then it is a project of its own"
        )

    def _is_other_delivery(self, pending: Pending) -> bool:
        """Return whether another registration has delivered this event before: it has been answered."""
        return any(
            r.status == "duplicate" and r.delivery_id != pending.delivery.id
            for r in pending.receipts
        )

    def _note_trouble(self, pending: Pending, status: str) -> None:
        """Remember that events could not be written: the session's next hook that can speak says so once."""
        if status not in _UNWRITTEN or pending.event is None:
            return
        reason = next((r.reason for r in pending.receipts if r.status == status), None)
        what = (
            "could not write to memory: what happens now is lost"
            if status == "lost"
            else "could not write to memory: events wait in the spool and are appended by the next writer"
        )
        session = pending.event.session_id or ""
        if marks.claim_notice(self._broker.place, f"{session}|{status}"):
            self._trouble[session] = f"hooklore {what} ({reason}); run `hooks doctor`"

    def _unreadable(self, pending: Pending, reason: str) -> bytes:
        event, pending.is_unreadable = pending.event, True
        if event is None or event.event not in ("session_start", "prompt"):
            return b""
        if event.event == "session_start":
            marks.owe_brief(self._broker.place, event.session_id)
        text = UNREADABLE_NOTICE.format(reason=reason)
        if self._broker.settings.strict:
            return render_hook_output(event, None, None, text)
        trouble = self._trouble.pop(event.session_id or "", None)
        context = text if marks.claim_notice(self._broker.place, event.session_id) else None
        notice = trouble or (UNREADABLE_FOR_USER if context else None)
        return render_hook_output(event, context, notice, None) if context or notice else b""


def _was_for_a_person(start: Record) -> bool:
    """Return whether a person could read what a session was told at its start."""
    entrypoint = start.body.detail.get("entrypoint")
    return entrypoint is None or entrypoint in agent_of(str(start.agent_id)).marks.interactive


def _status(receipts: list[Receipt]) -> str:
    """Return the worst status of the receipts; `left-out` without any: a rule kept nothing."""
    order = ("lost", "refused", "spooled", "stored", "duplicate")
    found = {receipt.status for receipt in receipts}
    return next((status for status in order if status in found), "left-out")


def _report(delivery: Delivery, error: Exception) -> None:
    """Write a bug of hooklore's as one block on stderr, the resident's log. The session goes on."""
    journal.write_error(f"hooklore: {delivery.event} failed", error)
