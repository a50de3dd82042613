"""The secrets that were masked in each session: whoever repeats one says it in words that no rule knows.

A person tells the agent a password in a sentence, and the agent runs a command with it. The values are held in
memory alone: no file has them, and only a resident that starts itself anew hands them on.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from hooklore.errors import HookloreError
from hooklore.redaction.literals import Literals
from hooklore.redaction.rules.value_forms import Form, form_of

REPEATED_RULE = "repeated"
"""The name of the rule in masks and redaction records."""

_SHORTEST, _LONGEST = 8, 200
"""Characters of a value that nothing else is spelled like."""

_OF_CODE = frozenset("/\\(){}<>,:%")
"""Signs of paths and code. A false finding of one would go on through the whole session."""

_MOST_SESSIONS, _MOST_VALUES = 64, 64


@dataclass(slots=True)
class _Session:
    values: dict[str, None] = field(default_factory=dict)
    literals: Literals = field(default_factory=lambda: Literals(()))


class SessionSecrets:
    """Values that were masked, by session; the sessions of late, and the first values of each."""

    def __init__(self, vocabulary: Iterable[str], carried: bytes = b"") -> None:
        """`vocabulary` are the words of the log's own format, which are never masked; `carried` is from `carry`."""
        self._vocabulary = frozenset(vocabulary)
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        for session, values in orjson.loads(carried or b"[]"):
            self.learn(session, values)

    def carry(self, most: int) -> bytes:
        """Return the sessions of late for the same program started anew, at most `most` bytes of them."""
        kept: list[tuple[str, list[str]]] = []
        for session, known in reversed(self._sessions.items()):
            kept.insert(0, (session, list(known.values)))
            if len(orjson.dumps(kept)) > most:
                del kept[0]
                break
        return orjson.dumps(kept)

    def learn(self, session: str, masked: Iterable[str]) -> None:
        """Remember those of the `masked` texts of a session that stand for nothing else wherever they occur."""
        new = [text for text in masked if self._is_distinct(text)]
        if not new:
            return
        known = self._sessions.setdefault(session, _Session())
        self._sessions.move_to_end(session)
        for text in new:
            if len(known.values) < _MOST_VALUES:
                known.values[text] = None
        known.literals = Literals(known.values, rule=REPEATED_RULE)
        if len(self._sessions) > _MOST_SESSIONS:
            self._sessions.popitem(last=False)

    def find_repeated(self, session: str, fields: Mapping[str, Any]) -> Literals | None:
        """Return the values of a session, or None if no text of a record's `fields` repeats one."""
        known = self._sessions.get(session)
        if known is None:
            return None
        self._sessions.move_to_end(session)
        return known.literals if known.literals.occur_in_json(fields) else None

    def _is_distinct(self, text: str) -> bool:
        if not _SHORTEST <= len(text) <= _LONGEST or not _OF_CODE.isdisjoint(text):
            return False
        if form_of(text.encode("utf-8", "replace")) < Form.WORD_AND_DIGITS:
            return False
        try:
            Literals((text,), self._vocabulary)
        except HookloreError:
            return False
        return True
