"""The secrets that were masked in each session: whoever repeats one says it in words that no rule knows.

A person tells the agent a password in a sentence, and the agent runs a command with it. The values are held in
memory alone: no file has them, and only a resident that starts itself anew hands them on.
"""

import re
import unicodedata
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from hooklore.redaction.literals import Literals
from hooklore.redaction.rules.candidate_checks import is_high_entropy
from hooklore.redaction.rules.value_forms import Form, form_of

REPEATED_RULE = "repeated"
"""The name of the rule in masks and redaction records."""

_SHORTEST, _LONGEST = 8, 160
"""Characters of a value that nothing else is spelled like."""

_OF_CODE = frozenset("/\\(){}<>,:%")
"""Signs of paths and code. A false finding of one would go on through the whole session."""

_SHORTEST_DRAWN = 30
"""Characters of a drawn value, which may have such signs."""

_PHRASE = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){3,}")
"""Four plain words or more in a row, which nobody writes again by chance. Their parts alone would be anything: of
128,938 texts of three projects (2026-11-26) none holds such a phrase that is masked."""

_BETWEEN = re.compile(r"[\s<>,:\"'`;]+")
"""Signs between a value and a name, a tag or a user that was masked with it."""

_MOST_SESSIONS, _MOST_VALUES = 64, 128


@dataclass(slots=True)
class _Session:
    values: OrderedDict[str, None] = field(default_factory=OrderedDict)
    literals: Literals | None = None
    """The literals of all values; None until a record is searched for them."""


class SessionSecrets:
    """Values that were masked, by session: the sessions and the values of late."""

    def __init__(self, vocabulary: Iterable[str], carried: bytes = b"") -> None:
        """`vocabulary` are the words of the log's own format, which are never masked; `carried` is from `carry`.

        Damaged bytes carry nothing.
        """
        self._vocabulary = "\n".join(vocabulary)
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        try:
            for session, values in orjson.loads(carried or b"[]"):
                self.learn(str(session), [str(value) for value in values])
        except (ValueError, TypeError):
            self._sessions.clear()

    def carry(self, most: int) -> bytes:
        """Return the sessions of late for the same program started anew, at most `most` bytes of them."""
        kept: list[tuple[str, list[str]]] = []
        for session, known in reversed(self._sessions.items()):
            kept.insert(0, (session, list(known.values)))
            if len(orjson.dumps(kept)) > most:
                del kept[0]
                break
        return orjson.dumps(kept)

    def learn(self, session: str, masked: Sequence[str], names: Iterable[str] = ()) -> None:
        """Remember those of the `masked` texts of a session that stand for nothing else wherever they occur.

        `names` are those of its project, whose paths must stay.
        """
        known = self._sessions.get(session) or _Session()
        parts = [part for text in masked[-_MOST_VALUES:] for part in _parts(text)]
        new = [part for part in parts if part not in known.values and self._is_distinct(part)]
        new = [part for part in new if not any(part in name for name in names)]
        if not new:
            return
        known.values.update(dict.fromkeys(new))
        while len(known.values) > _MOST_VALUES:
            known.values.popitem(last=False)
        known.literals = None
        self._sessions[session] = known
        self._sessions.move_to_end(session)
        if len(self._sessions) > _MOST_SESSIONS:
            self._sessions.popitem(last=False)

    def find_repeated(self, session: str, fields: Mapping[str, Any]) -> Literals | None:
        """Return the values of a session, or None if no text of a record's `fields` repeats one."""
        known = self._sessions.get(session)
        if known is None:
            return None
        self._sessions.move_to_end(session)
        if known.literals is None:
            known.literals = Literals(known.values, rule=REPEATED_RULE)
        return known.literals if known.literals.occur_in_json(fields) else None

    def _is_distinct(self, text: str) -> bool:
        if not _SHORTEST <= len(text) <= _LONGEST or text in self._vocabulary:
            return False
        try:
            text.encode()
        except UnicodeEncodeError:
            return False
        plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore")
        if _PHRASE.fullmatch(text):
            return True
        if not _OF_CODE.isdisjoint(text):
            return is_high_entropy(plain, _SHORTEST_DRAWN)
        return form_of(plain) >= Form.WORD_AND_DIGITS


def _parts(text: str) -> Iterable[str]:
    """Return a masked text, or its parts where more than the value was masked."""
    is_whole = len(text) > _LONGEST or not _BETWEEN.search(text) or _PHRASE.fullmatch(text)
    return [text] if is_whole else _BETWEEN.split(text)
