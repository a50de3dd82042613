"""Remember which records a context was shown, so that none is shown twice, and which sessions used none of one."""

from collections.abc import Iterable
from dataclasses import replace

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.index.lookup_cache import evict_oldest
from hooklore.records import keys
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from hooklore.retrieval.near_duplicates import text_terms
from hooklore.retrieval.query import GUARD, READING, RecallQuery, context_key

_MAX_ACCESSES = 200

UNUSED_PENALTY = 0.15
"""Taken off a note's confidence for each session that did not use the note. A note just above its bar is
silent after one such session. A note whose shared words are a quarter stronger stays after three."""

_MAX_SESSIONS = 3
_MIN_SHARED_TERMS = 2
"""Terms of the note, beyond those of the prompt, that an answer contains when it used the note."""
_MAX_TURNS = 60


class ShownHistory:
    """The ids that each context of a session was shown: from memory, else from the log's access records.

    Agents may not read access records, so the log is read as its owner.
    """

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._shown: dict[str, dict[str, set[str]]] = {}

    def of(self, query: RecallQuery) -> set[str]:
        """Return the ids that the context of `query` was shown."""
        session = query.session_id or ""
        if session not in self._shown:
            self._shown[session] = self._read_log(query.session_id)
        return self._shown[session].setdefault(context_key(query), set())

    def add(self, query: RecallQuery, ids: Iterable[str]) -> None:
        """Note that the context of `query` is shown `ids` now."""
        self.of(query).update(ids)
        evict_oldest(self._shown)

    def withdraw(self, query: RecallQuery, ids: Iterable[str]) -> None:
        """Note that `ids` did not reach the context of `query`."""
        self.of(query).difference_update(ids)

    def forget(self, query: RecallQuery) -> None:
        """Forget the context of `query`: after a compaction the model has none of its notes before it."""
        self.of(query).clear()

    def list_tellings(self, query: RecallQuery) -> dict[str, list[str]]:
        """Return what a session was told before steps: by record, the ids of the answers, newest first."""
        told = self._broker.as_reader(PERSON).history(
            keys.shown_in(query.session_id), _MAX_ACCESSES
        )
        contexts = {context_key(query), context_key(replace(query, trigger=GUARD))}
        found: dict[str, list[str]] = {}
        for access in told:
            if access.body.trigger == query.trigger and access.body.extra("context") in contexts:
                for id_ in access.body.targets:
                    found.setdefault(id_, []).append(access.id)
        return found

    def knows_reading_rule(self, query: RecallQuery) -> bool:
        """Return whether the context of `query` was told how to read notes."""
        return bool(self.of(replace(query, trigger=READING)))

    def learn_reading_rule(self, query: RecallQuery, *, is_known: bool = True) -> None:
        """Note whether the context of `query` was told how to read notes."""
        of_rule = self.of(replace(query, trigger=READING))
        of_rule.update((READING,)) if is_known else of_rule.clear()

    def _read_log(self, session_id: str | None) -> dict[str, set[str]]:
        """Return the ids by context that the log has of a session: one look-up for all of its contexts."""
        found: dict[str, set[str]] = {}
        forgotten: set[str] = set()
        owner = self._broker.as_reader(PERSON)
        for access in owner.history(keys.shown_in(session_id), _MAX_ACCESSES):
            context = str(access.body.extra("context"))
            rule = f"{context.rpartition('|')[0]}|{READING}"
            if context not in forgotten:
                found.setdefault(context, set()).update(access.body.targets)
            # An answer that had a text, and arrived, told its context how to read notes.
            was_framed = access.body.tokens and access.body.extra("delivered") is not False
            if rule not in forgotten and was_framed:
                found.setdefault(rule, set()).add(READING)
            if access.body.extra("fresh"):  # a compaction took away what was shown before
                forgotten |= {context, rule}
        return found


def count_unused_showings(owner: Reader, record: Record, session_id: str | None) -> int:
    """Return how many of the last three other sessions that were shown `record` did not use it.

    `owner` reads as the store's owner: agents may not read the records of what was shown. The answer after a
    showing uses nothing of a note whose terms it lacks; a showing without an answer does not count. An answer of
    one term beyond the prompt ("203 dpi.") uses the note by that term.
    """
    unused = 0
    for access in owner.history(keys.recalls_of(record.id), _MAX_SESSIONS):
        if access.session_id == session_id:
            continue
        turns = owner.history(keys.turns_in(access.session_id), _MAX_TURNS)
        later = [turn for turn in turns if turn.kind == "answer" and turn.id > access.id]
        asked = (turn for turn in turns if turn.kind == "prompt" and turn.id < access.id)
        prompt = next(asked, None)
        if later:
            said = owner.terms_of(later[-1]) - (owner.terms_of(prompt) if prompt else set())
            used = len(said & text_terms(owner, record))
            unused += used < min(_MIN_SHARED_TERMS, max(len(said), 1))
    return unused
