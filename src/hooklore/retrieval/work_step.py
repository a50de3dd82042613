"""One step of work that a session named, and how far a text is about it."""

import re
from dataclasses import dataclass
from functools import cached_property

from hooklore.text.similarity import comparison_terms
from hooklore.text.work_status import WorkStatus

COVERED = 0.6
"""Share of a step's words from which a text is about the step."""

_COMMON_WEIGHT = 0.3
_LEAST_PREFIX = 4
_MOST_ENDING = 3
_STATUS = frozenset(
    "still left next todo remain yet not done finish complet also then will have i ll ve you we our my your can could would if"
    " they them there so just only all one please need later tomorrow now do get be been into out up what which when"
    " should must may might before after until more some any first second third".split()
)
_COMMON = frozenset(
    "add writ write fix updat update implement mak make run check cod code fil file function new support handl handle"
    " creat create remov remove chang change improv improve step work us use put set tool way case part thing"
    " 追加 修正 対応 実装 作成 更新 確認 調整 作業 変更 整理 改善 処理 機能".split()
)
_AFTER_HEAD = re.compile(
    r"\s(?:for|of|on|in|to|with|from|at|by|into|so|when|because|that|via|using)\s|[,(:]"
)
"""The end of the noun that an English step begins with."""

_GRAMMAR = re.compile("[\u3040-\u309f]")
_COMMAND = re.compile(r"`([^`\n]{2,120})`")
_PATH = re.compile(r"[\w./-]*\w\.[A-Za-z]{1,5}\b|(?:[\w.-]+/)+[\w.-]+")


@dataclass
class WorkStep:
    """A step: its words, its status, and the id of the record that says so.

    `is_listed` is true for one that stands in a list, `by_tool` for one of the agent's task list. `is_asked`
    tells that the user asked for it since, `is_closed` that it is done or dropped.
    """

    text: str
    status: WorkStatus
    said_at: str
    is_listed: bool = False
    by_tool: bool = False
    is_asked: bool = False
    is_closed: bool = False
    common: frozenset[str] = frozenset()

    @cached_property
    def terms(self) -> frozenset[str]:
        """The words that tell the step from others; all of its words where none does."""
        return content_terms(self.text)

    @cached_property
    def commands(self) -> tuple[str, ...]:
        """The commands and other terms that the step names in back quotes."""
        return tuple(_COMMAND.findall(self.text))

    def coverage(self, terms: frozenset[str]) -> float:
        """Return the share of the step's words that `terms` have, common words counting less."""
        weights = {term: self._weight(term) for term in self.terms}
        whole = sum(weights.values())
        return (
            sum(w for term, w in weights.items() if has_term(terms, term)) / whole if whole else 0
        )

    def is_named_by(self, terms: frozenset[str]) -> bool:
        """Return whether words name the step: most of its words, or its head and nothing else of weight."""
        if self.coverage(terms) >= COVERED:
            return True
        rare = {term for term in terms if term not in _COMMON}
        head = content_terms(_AFTER_HEAD.split(self.text, maxsplit=1)[0]) - _COMMON - self.common
        is_about_it = bool(rare and head) and all(has_term(self.terms, term) for term in rare)
        return is_about_it and all(has_term(terms, term) for term in head)

    def rare_matches(self, terms: frozenset[str]) -> int:
        """Return how many of the step's rare words `terms` have."""
        return sum(self._weight(t) == 1 and has_term(terms, t) for t in self.terms)

    def names_file(self, path: str) -> bool:
        """Return whether the step names a file by its path, or by the end of its path."""
        names = (found.strip("./") for found in _PATH.findall(self.text))
        return any(name and (path == name or path.endswith(f"/{name}")) for name in names)

    def _weight(self, term: str) -> float:
        return _COMMON_WEIGHT if term in _COMMON or term in self.common else 1.0


def content_terms(text: str) -> frozenset[str]:
    """Return the words of a text without those that only say how work stands."""
    found = comparison_terms(text)
    said = frozenset(t for t in found - _STATUS if not _GRAMMAR.search(t))
    return said or found - _STATUS


def has_term(terms: frozenset[str], term: str) -> bool:
    """Return whether a term is among `terms`, whatever its ending."""
    if term in terms:
        return True
    return any(_is_same_word(term, each) for each in terms)


def _is_same_word(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    is_near = len(long) - len(short) <= _MOST_ENDING
    return len(short) >= _LEAST_PREFIX and is_near and long.startswith(short)
