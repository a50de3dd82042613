"""One step of work that a session named, and how far words are about it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hooklore.late_pattern import compile_late
from hooklore.text.similarity import comparison_terms, has_cjk

if TYPE_CHECKING:
    from hooklore.text.work_status import WorkStatus

COVERED = 0.6
"""Share of a step's words from which words are about the step."""

_COMMON_WEIGHT = 0.3
_LEAST_PREFIX, _MOST_ENDING = 4, 5
_LEADING_WORDS, _LEADING_CHARACTERS = 6, 24
_STATUS = frozenset(
    "still left next todo remain yet not done finish complet also then will have i ll ve we you our my yo"
    "ur can could would if"
    " they them there so just only all one please need later tomorrow now do get be been into out up what"
    " which when ok go"
    " should must may might before after until more some any first second third no instead than too each "
    "both do n't t s re".split()
)
_COMMON = frozenset(
    "add writ write fix updat update implement mak make run check cod code fil file function new support "
    "handl handle build built"
    " creat create remov remove chang change improv improve step work us use put set tool way case part t"
    "hing mov move read"
    " 追加 修正 対応 実装 作成 更新 確認 調整 作業 変更 整理 改善 処理 機能 設定 移行 削除 導入 完了 件 "
    "時".split()
)
APPROVING_TERMS = _COMMON | frozenset(
    "yes yep yeah sure fine start begin continue proceed go great good nice perfect thanks thank plea let sound"
    " look all three two four everyth 願 頼 進 了解 承知 承 全部 全 始 続 良 大丈夫 賛成 方針 問題 順番 順".split()
)
"""Words of a prompt that approves what was proposed and names nothing else."""

_RUN = compile_late("[\u4e00-\u9fff\u3400-\u4dbf々〆]+|[\u30a0-\u30ff]{2,}|[0-9]+")
_PLURAL = compile_late(r"(?<=[a-z]{3})i$")
"""The end of a stem whose word ends in `ies` or `ied`."""

_AFTER_HEAD = compile_late(
    r"\s(?:for|of|on|in|to|with|from|at|by|into|so|when|because|that|via|using|instead|as)\s|[,(（:：…—]"
    r"|\s[-–]\s"
)
"""The end of the noun that an English step begins with."""

_COMMAND = compile_late(r"`([^`\n]{2,120})`")
_PATH = compile_late(r"[\w./-]*\w\.[A-Za-z]{1,5}\b|(?:[\w.-]+/)+[\w.*-]+")


class Words:
    """The words of what somebody said: all of them, and those that it begins with."""

    def __init__(self, text: str) -> None:
        self.terms = content_terms(text)
        is_cjk = has_cjk(text)
        beginning = (
            text[:_LEADING_CHARACTERS] if is_cjk else " ".join(text.split()[:_LEADING_WORDS])
        )
        self.leading = content_terms(beginning)


@dataclass
class WorkStep:
    """A step: its words, its status, and the id of the record that says so.

    `is_listed` is true for one that stands in a list, `by_tool` for one of the agent's task list, `is_soft` for
    one of a list that nobody took up yet. `is_asked` tells that the user named it since, `is_approved` that the
    user approved the whole list, `is_put_off` that it is to wait, `is_closed` that it is done or dropped, `is_sure`
    that words, a command or an edit about this very step say so.
    """

    text: str
    status: "WorkStatus"
    said_at: str
    is_listed: bool = False
    by_tool: bool = False
    is_soft: bool = False
    is_asked: bool = False
    is_approved: bool = False
    is_put_off: bool = False
    is_closed: bool = False
    is_sure: bool = False
    common: frozenset[str] = frozenset()

    def close(self) -> None:
        """Note that the step is surely done or dropped."""
        self.is_closed = self.is_sure = True

    @cached_property
    def terms(self) -> frozenset[str]:
        """The words that tell the step from others; all of its words where none does."""
        return content_terms(self.text)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The commands, tests and other names that stand in back quotes."""
        return tuple(_COMMAND.findall(self.text))

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The files that the step names."""
        return tuple(p for found in _PATH.findall(self.text) if (p := found.strip("./")))

    @cached_property
    def _head(self) -> frozenset[str]:
        """The words of the noun that the step is about, without what it is for."""
        if has_cjk(self.text):
            main = re.split(r"[(（…]", self.text, maxsplit=1)[0]
            return content_terms(main.rsplit("の", 1)[-1]) - _COMMON
        return content_terms(_AFTER_HEAD.split(self.text, maxsplit=1)[0]) - _COMMON

    def coverage(self, terms: frozenset[str]) -> float:
        """Return the share of the step's words that `terms` have, common words counting less."""
        weights = {term: self._weight(term) for term in self.terms}
        whole = sum(weights.values())
        return (
            sum(w for term, w in weights.items() if has_term(terms, term)) / whole if whole else 0
        )

    def is_named_by(self, words: Words) -> bool:
        """Return whether words name the step: most of its words, or the noun it is about at their beginning."""
        if self.coverage(words.terms) >= COVERED:
            return True
        if words.terms <= _COMMON:
            return any(term in self.terms and term not in self.common for term in words.terms)
        return any(has_term(words.leading, term) for term in self._head - self.common)

    def is_hinted_at(self, terms: Iterable[str]) -> bool:
        """Return whether words have one that no other step of the list has."""
        own = {term for term in self.terms if term not in _COMMON and term not in self.common}
        return any(has_term(frozenset(terms), term) for term in own)

    def rare_matches(self, terms: frozenset[str]) -> int:
        """Return how many of the step's rare words `terms` have."""
        return sum(self._weight(t) >= 1 and has_term(terms, t) for t in self.terms)

    def names_file(self, path: str) -> bool:
        """Return whether the step names a file by its path, or by the end of its path."""
        return any(path == name or path.endswith(f"/{name}") for name in self.paths)

    def _weight(self, term: str) -> float:
        if term in _COMMON or term in self.common:
            return _COMMON_WEIGHT
        return len(term) / 3 if has_cjk(term[:1]) else 1.0


def content_terms(text: str) -> frozenset[str]:
    """Return the words of a text without those that only say how work stands.

    Of Japanese these are the runs of one script, as verbs and grammar are written in hiragana.
    """
    latin = frozenset(_PLURAL.sub("y", t) for t in comparison_terms(text) if not has_cjk(t))
    found = latin - _STATUS | frozenset(_RUN.findall(text))
    return frozenset(term for term in found if len(term) > 1 or has_cjk(term[:1])) or found


def has_term(terms: frozenset[str], term: str) -> bool:
    """Return whether a term is among `terms`, whatever its ending or the compound that it stands in."""
    return term in terms or any(_is_same_word(term, each) for each in terms)


def _is_same_word(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if has_cjk(short[:1]):
        return len(short) > 1 and short in long
    is_near = len(long) - len(short) <= (_MOST_ENDING if len(short) > _LEAST_PREFIX else 2)
    return len(short) >= _LEAST_PREFIX and is_near and long.startswith(short)
