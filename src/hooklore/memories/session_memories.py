"""Find what a session kept: the memories written in it, and those of them that wait for the user."""

from collections import Counter

from hooklore.broker.principal_reader import Reader
from hooklore.index.record_keys import scope_key
from hooklore.memories.decisions.approval_queue import list_pending
from hooklore.memories.decisions.replacement import find_related, list_ended_by
from hooklore.prompt.frame import sanitize_for_prompt
from hooklore.records import keys
from hooklore.records.ids import short_id
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Record, is_from_memory_file
from hooklore.records.schema import FROM_A_PROMPT
from hooklore.records.standing import rung_of
from hooklore.text.plural import format_count, select_form
from hooklore.text.token_estimate import truncate_text

_TOLD = 3
"""Rules that the line at an answer's end tells with their words. More are counted."""

_LONGEST = 80
_READ = 50
_READ_WAITING = 200


def list_kept(owner: Reader, session_id: str, since: str = "") -> tuple[list[Record], list[Record]]:
    """Return the memories of a session that stand, and those that wait, newer than the id `since`.

    Those of an agent's memory files are left out: the client shows what it writes. `owner` reads as the store's
    owner.
    """
    written = reversed(owner.lookup(keys.in_run(session_id), _READ))
    told = (r for r in written if r.stream == "memory" and not is_from_memory_file(r))
    standing = [r for r in told if r.id > since]
    waiting = [r for r in list_told_pending(owner, _READ_WAITING) if r.run_id == session_id]
    return standing, [r for r in waiting if r.id > since]


def list_told_pending(owner: Reader, limit: int = _READ_WAITING) -> list[Record]:
    """Return the waiting memories that the user is told of, newest first.

    Those of an agent's memory files wait in silence: the client reads these files anyway.
    """
    pending = list_pending(owner, limit)
    return [r for r in pending if not is_from_memory_file(r)]


def kept_line(owner: Reader, session_id: str) -> str | None:
    """Return the line that tells the user what was kept since the session's answer before the last, or None."""
    answers = [r for r in owner.lookup(keys.turns_in(session_id), _READ) if r.kind == "answer"]
    since = answers[1].id if len(answers) > 1 else ""
    standing, waiting = list_kept(owner, session_id, since)
    if not standing and not waiting:
        return None
    told = [r for r in standing if r.source_detail == FROM_A_PROMPT][:_TOLD]
    learnt = [_learnt_line(owner, record) for record in told]
    others = [record for record in standing if record not in told]
    kept = f"kept: {_count_by_speaker(others)}" if others else ""
    last = "hooklore last" if standing else ""
    return " · ".join(filter(None, (*learnt, kept, last, waiting_line(len(waiting)))))


def _learnt_line(owner: Reader, record: Record) -> str:
    """Return what a prompt taught, what that replaced or stands beside, and how it is taken back."""
    replaced = list_ended_by(owner, record)
    beside = [each.record for each in find_related(owner, record, scope_key(record))]
    parts = [f"learnt: {_words(record)}"]
    parts += [f"replaces: {', '.join(map(_words, replaced[:_TOLD]))}"] if replaced else []
    parts += [f"stands beside: {', '.join(map(_words, beside[:_TOLD]))}"] if beside else []
    return f"{'; '.join(parts)} (take back: `hooklore archive {short_id(record.id)}`)"


def _words(record: Record) -> str:
    text = sanitize_for_prompt(str(record.body.content_md))
    return f"“{truncate_text(text, _LONGEST)}”"


def _count_by_speaker(records: list[Record]) -> str:
    """Return how many memories of each sort the user said, then what each agent keeps on its own word."""
    by: dict[str, list[Record]] = {}
    for record in records:
        by.setdefault(str(record.agent_id) if rung_of(record) == "agent" else "", []).append(record)
    own = [count_kinds(by[""])] if "" in by else []
    return ", ".join([*own, *(f"{count_kinds(by[name])} by {name} itself" for name in by if name)])


def count_kinds(records: list[Record]) -> str:
    """Return how many memories of each sort there are, like `2 rules, 1 decision`."""
    counts = Counter(memory_kind(record.kind).name_for_user for record in records)
    return ", ".join(format_count(n, name) for name, n in counts.items())


def waiting_line(count: int) -> str:
    """Return the line that tells the user how many memories wait, empty for none."""
    if not count:
        return ""
    return f"{count} {select_form(count, 'waits', 'wait')} for you: hooklore pending"
