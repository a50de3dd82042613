"""From a delivery to a record, and from records to the text that the model is shown.

`Runner.record` and `Runner.answer` are the package's one boundary that catches every error: a hook never
blocks the user, and says when memory could not be read. Only what an upgrade under the process causes passes it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from hooklore.agents.event import HookEvent
from hooklore.agents.registry import agent_of
from hooklore.agents.render import render_decision, render_hook_output
from hooklore.broker import Broker
from hooklore.broker.broker import format_timestamp
from hooklore.capture import session_goal, session_summary
from hooklore.capture.capture import capture_event
from hooklore.capture.composition import Composition, without_texts
from hooklore.config import DEPTH_VARIABLE
from hooklore.errors import HookloreError, StoreUnreadable
from hooklore.hooks import answers, journal, learning, marks
from hooklore.hooks.answers import settle_answer
from hooklore.hooks.confirming import answer_own_command, permit_own_call
from hooklore.hooks.delivery import Delivery, DeliveryResult
from hooklore.hooks.exclusions import (
    PauseState,
    is_excluded,
    is_paused,
    is_repeated_end,
    load_pauses,
    without_paused,
)
from hooklore.hooks.parse import parse_event
from hooklore.hooks.pending import UNREAD, Pending
from hooklore.hooks.project import project_keys
from hooklore.memories.agent_registry import agents_of
from hooklore.memories.session_memories import kept_line
from hooklore.prompt.frame import UNREADABLE_FOR_USER, UNREADABLE_NOTICE
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, ProjectKeys, Receipt
from hooklore.records.record import Record
from hooklore.redaction.clean import CleanRecord
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

FolderKeys = dict[tuple[str | None, str | None], ProjectKeys | None]
"""The projects of folders, looked up once for all deliveries that came together."""

AppendClean = Callable[[list[CleanRecord]], list[Receipt]]


class Runner:
    """Handles hook calls for one broker: `record` many at once, `answer` each, then `settle` and `learn`."""

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
        self._trouble: dict[str, str] = {}
        self._seen_folders: SeenFolders = {}

    @property
    def recall(self) -> Recall:
        """The recall that answers this runner's hooks."""
        return self._recall

    def run(self, delivery: Delivery) -> DeliveryResult:
        """Handle one whole call, in a process of its own."""
        (pending,) = self.record([delivery])
        answer = self.answer(pending)
        afterwards = self.settle(pending, has_arrived=not pending.is_late)
        if afterwards:
            self._broker.append(afterwards)
        for _ in self.learn(pending):
            pass
        return answer

    def record(
        self,
        deliveries: Iterable[Delivery],
        append: AppendClean | None = None,
        *,
        when_read: Callable[[], None] = lambda: None,
    ) -> list[Pending]:
        """Read deliveries that came together, clean and compose what may be kept of them, and append it at once.

        Nothing is cut before it is clean, so that no secret is cut in two. `append` is the broker's by default.
        Raises only where the program was replaced under this process: the deliveries are handed in again.
        """
        paused = load_pauses(self._broker.place)
        folders: FolderKeys = {}
        pending = [self.read(each, paused, folders) for each in deliveries]
        when_read()
        kept = [(each, each.capture) for each in pending if each.capture is not None]
        clean = [self._broker.clean(Draft(taken.record, each.keys)) for each, taken in kept]
        composed = [
            self._compose(each, taken.composition, record)
            for (each, taken), record in zip(kept, clean, strict=True)
        ]
        receipts = (append or self._broker.append_clean)(composed) if composed else []
        for (each, _), receipt in zip(kept, receipts, strict=True):
            each.receipt = receipt
        return pending

    def read(
        self,
        delivery: Delivery,
        paused: PauseState | None = None,
        folders: FolderKeys | None = None,
    ) -> Pending:
        """Parse a delivery and take what may be kept of it. Raises no more than `record`."""
        known = redact_id(delivery.id)
        delivery = delivery if known == delivery.id else replace(delivery, id=known)
        pending = Pending(delivery, self._home)
        try:
            paused = paused or load_pauses(self._broker.place)
            self._read(pending, paused, {} if folders is None else folders)
        except Exception as error:
            self._report(delivery, error)
            pending.capture, pending.recalls = None, False
        return pending

    def _read(self, pending: Pending, paused: PauseState, folders: FolderKeys) -> None:
        delivery, settings = pending.delivery, self._broker.settings
        if delivery.facts.get(DEPTH_VARIABLE):
            return
        event = parse_event(
            delivery.agent, delivery.event, delivery.id, delivery.facts, delivery.payload,
            registry=agents_of(settings),
        )  # fmt: skip
        if event.event == "prompt" and event.is_interactive and not delivery.is_from_client:
            event = replace(event, is_interactive=False, is_unproven=True)
        if event.event in learning.LOOKED_AT:
            pending.is_from_client = delivery.is_from_client
        pending.event = event
        named = event.cwd, event.project_dir
        if named not in folders:
            folders[named] = project_keys(*named, self._home)
        keys = pending.keys = without_paused(self._broker, folders[named], paused)
        sessions = settings.sessions
        sharing = sessions.headless if event.is_headless else sessions.interactive
        sharing = sessions.subagents if event.subagent_id else sharing
        if sharing == "off" or is_excluded(self._broker, keys, event.cwd, event.project_dir):
            return
        if is_paused(self._broker, paused, event.session_id, keys):
            return
        pending.recalls = sharing == "full" and answers.may_recall(event)
        if pending.recalls and event.event == "prompt" and not pending.is_late:
            self._recall.prefetch((event.text or "")[: answers.LONGEST_QUESTION])
        if not is_repeated_end(self._broker, event):
            source = {"system": "cli", "detail": f"hook:{delivery.event}"}
            ts = format_timestamp(self._now_ns())
            pending.capture = capture_event(event, settings, ts, source)

    def _compose(
        self, pending: Pending, composition: Composition, clean: CleanRecord
    ) -> CleanRecord:
        """Return what is appended of an event: its texts cut, and with what its session's other records say.

        It raises no more than `read`: others wait, too.
        """
        try:
            record = composition.compose(clean.record)
            if record.kind == "prompt":
                record = session_goal.with_goal(self._broker, record)
            elif pending.event.event in ("session_end", "before_compaction"):
                record = session_summary.with_summary_sections(self._broker, record, pending.keys)
        except Exception as error:
            self._report(pending.delivery, error)
            record = without_texts(clean.record, "its texts could not be read")
        return clean.made_into(record)

    def _report(self, delivery: Delivery, error: Exception) -> None:
        """Write a bug of hooklore's to the journal. Raise it again where the program was replaced.

        A module was gone, then, or of another version. An empty record would cost the delivery its text.
        """
        if self._is_replaced():
            raise error
        _report(delivery, error)

    def settle(self, pending: Pending, *, has_arrived: bool) -> list[Draft]:
        """Return the records to append now that an answer has, or has not, been printed. Never raises."""
        if not pending.recalls or pending.is_unreadable or pending.is_other_delivery:
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

    def answer(self, pending: Pending) -> DeliveryResult:
        """Return the bytes to print, now that the event is recorded. Never raises."""
        try:
            return DeliveryResult(pending.status, self._answer(pending))
        except StoreUnreadable as error:
            reason = error.cause
        except HookloreError as error:
            reason = str(error)
        except Exception as error:
            _report(pending.delivery, error)
            reason = type(error).__name__
        return DeliveryResult(pending.status, self._unreadable(pending, reason))

    def _answer(self, pending: Pending) -> bytes:
        event = pending.event
        self._note_trouble(pending)
        if event is UNREAD or pending.is_late:
            return b""
        decision = answer_own_command(self._broker, pending, self._now_ns() / 1e9)
        if decision is not None:
            return render_decision(event, decision)
        permission = permit_own_call(pending)
        if pending.is_other_delivery:
            return b""
        if event.event == "prompt":
            pending.owes_brief = marks.owes_brief(self._broker.place, event.session_id)
        notices = [self._settings_notice(event), self._claim_notice(pending)]
        if event.event == "answer" and event.session_id and event.is_interactive:
            notices.append(kept_line(self._broker.as_reader(PERSON), event.session_id))
        told = list(filter(None, notices))
        if not pending.recalls:
            return render_hook_output(event, None, " · ".join(told), None, permission=permission)
        if pending.status not in _UP_TO_DATE:
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

    def _claim_notice(self, pending: Pending) -> str | None:
        """Return the line about a folder that claims a known project, once to a person.

        It comes at the start of the first session there, or with the brief of that start where it came late.
        """
        event, folder = pending.event, pending.keys
        if folder is None or pending.capture is None or event.is_headless:
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

    def _note_trouble(self, pending: Pending) -> None:
        """Remember that events could not be written: the session's next hook that can speak says so once."""
        got, status = pending.receipt, pending.status
        if got is None or status not in _UNWRITTEN:
            return
        what = (
            "could not write to memory: what happens now is lost"
            if status == "lost"
            else "could not write to memory: events wait in the spool and are appended by the next writer"
        )
        session = pending.event.session_id or ""
        if marks.claim_notice(self._broker.place, f"{session}|{status}"):
            self._trouble[session] = f"hooklore {what} ({got.reason}); run `hooks doctor`"

    def _unreadable(self, pending: Pending, reason: str) -> bytes:
        event, pending.is_unreadable = pending.event, True
        if event.event not in ("session_start", "prompt"):
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


def _report(delivery: Delivery, error: Exception) -> None:
    """Write a bug of hooklore's as one block on stderr, the resident's log. The session goes on."""
    journal.write_error(f"hooklore: {delivery.event} failed", error)
