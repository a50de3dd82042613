"""Read what a rule forbids: commands, names and places, in English and Japanese.

Only plain forms are read: never X, do not use X, use Y and not X, Y instead of X, X ではなく Y, X は使わない.
A rule in other words forbids nothing here: a note at the wrong step is noise.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from hooklore.late_pattern import compile_late

_TERM = r"(?>`[^`\n]{1,80}`|(?<![A-Za-z0-9_])[A-Za-z](?a:[\w.@+-]*(?:/[\w.@+-]+)*/?))"
"""A term is whole or none, so that the time of a search grows with the text alone."""
_MORE = r"-{1,2}(?a:[\w-]+)|\d(?a:[\w.]*)|\.(?=\s|$)"
_TERMS = rf"(?:{_TERM})(?:\s+(?:{_TERM}|{_MORE})){{0,5}}"
_OR = rf"{_TERMS}(?:\s*(?:,|,? or|/)\s*(?:{_TERMS})){{0,4}}"
_ENGLISH = (
    compile_late(
        rf"\b(?:never|do not|don['’]?t|must not|mustn['’]?t|no longer|avoid)\s+(?:ever\s+)?(?P<told>{_OR})",
        re.IGNORECASE,
    ),
    compile_late(
        rf"\b(?:instead of|rather than|,\s*not|,?\s+and not|,\s*never)\s+(?P<told>{_OR})",
        re.IGNORECASE,
    ),
    compile_late(
        rf"(?P<told>{_TERMS})\s+(?:is|are)\s+"
        r"(?:forbidden|banned|not allowed|prohibited|deprecated|off[ -]limits)\b",
        re.IGNORECASE,
    ),
)
_JAPANESE = (
    compile_late(
        rf"(?P<told>{_TERMS})\s*+(?:コマンド|関数|ライブラリ)?\s*+(?:では?なく|じゃなく|の代わりに|より)"
    ),
    compile_late(
        rf"(?P<told>{_TERMS})\s*+(?:コマンド|関数|ライブラリ)?\s*+(?:は|を|も)?\s*+(?:絶対に|決して|もう)?\s*+"
        r"(?:使わ(?:ない|ず)|使用しない|使うな|使用禁止|禁止|実行しない|呼ばない|入れない|避け)"
    ),
    compile_late(
        rf"(?P<told>{_TERM}(?:[^。\n、]{{0,12}}?(?:{_TERM})){{1,2}})[^。\n]{{0,6}}?"
        r"(?:しない|するな|禁止|してはいけない|しないで)"
    ),
)
_JAPANESE_PLACE = compile_late(
    rf"(?P<told>{_TERM})[^。、\nA-Za-z]{{0,14}}?"
    r"(?:(?:編集|変更|修正)(?:しない|しては|するな|は?禁止)|触(?:らない|るな)|書き換え(?:ない|るな|禁止))"
)
_SPLIT = compile_late(
    r",?\s+and\s+(?=(?:use|run|call|always|prefer|keep|write|make)\b)|\s*(?:,|,? or|\bor\b)\s*",
    re.IGNORECASE,
)
_WORD = compile_late(r"[A-Za-z0-9][\w.@+=-]*|--?[A-Za-z][\w-]*|(?<=\s)\.(?=\s|$)", re.ASCII)
_EDITING = frozenset("edit touch change modify".split())
_CHANGING = _EDITING | frozenset("write delete remove rename commit".split())
_WRITING = (["write", "to"], ["write", "into"])
_QUOTED = compile_late(r"`[^`]+`")
_VERBS = frozenset("use used using run running call calling import importing install installing add adding execute "
                   "executing".split())  # fmt: skip
_OTHERWISE = frozenset("always prefer only please keep write do make take they we it you i".split())
"""Words with which a part of a sentence says what to do, or why, and forbids nothing."""
_USE = compile_late(
    r"\b(?:us(?:e|ing|ed)|prefer|run|call|import|install|forbidden|banned|not allowed|prohibited|deprecated)\b"
    r"|使|用|禁止|実行|呼|入れ|避け|優先",
    re.IGNORECASE,
)
_EMPTY = frozenset(
    "you we they the a an in to on of for with from into any it this that these those by at as is are be our "
    "your my directly ever again again code file files folder directory here there anything something command "
    "commands and plain raw bare project repo repository".split()
)
_TIMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays "
    "saturdays sundays weekend weekends night nights morning mornings evening evenings today tomorrow".split()
)
_CUT = compile_late(
    r"\b(?:because|since|unless|except|but|for|when|while|if|so|as it|which|who|without|before|until)\b"
    r"|[.!?;]\s",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Prohibition:
    """A command, a name or places that one part of a rule forbids.

    `words` are the words that a command must all have. `is_name` is true where they are one name, which is
    forbidden as a program, an option or a name in code. `places` are files or folders that are not to be
    changed.
    """

    words: tuple[str, ...]
    is_name: bool = False
    places: tuple[str, ...] = ()


@lru_cache(maxsize=2048)
def find_prohibitions(text: str) -> tuple[Prohibition, ...]:
    """Return what a rule of at most 600 characters forbids, empty for a text that forbids nothing plainly."""
    found: dict[Prohibition, None] = {}
    text = text.replace("()", "")[:600]
    for pattern in (*_ENGLISH, *_JAPANESE):
        for match in pattern.finditer(text):
            for part in _forbidden_parts(match["told"]):
                made = _prohibition(part, is_used="`" in part or _USE.search(text) is not None)
                if made is not None:
                    found[made] = None
    for match in _JAPANESE_PLACE.finditer(text):
        if _is_place(match["told"], match["told"]):
            found[Prohibition((), places=(match["told"].strip("`").rstrip("/"),))] = None
    return tuple(found)


def names_time(text: str) -> bool:
    """Return whether a text names a day or a time of the day, which no step shows."""
    return not _TIMES.isdisjoint(re.findall(r"[a-z]+", text[:600].lower()))


def _forbidden_parts(told: str) -> list[str]:
    """Return the alternatives of a list, up to one that says what to do: `don't use X, use Y` forbids X."""
    first, *others = _SPLIT.split(told)
    verb = first.split(" ")[0].lower()
    ends = _VERBS | _OTHERWISE | {verb}
    kept = takewhile(lambda part: part.split(" ")[0].lower() not in ends, others)
    return [first, *(f"{verb} {part}" if _takes(verb, part) else part for part in kept)]


def _takes(verb: str, part: str) -> bool:
    """Return whether a part goes with the verb of the part before it: `touch a.yaml or b.yaml`."""
    return verb in _EDITING and part.split(" ", maxsplit=1)[0].lower() not in _CHANGING


def _prohibition(part: str, *, is_used: bool) -> Prohibition | None:
    """Return what a part forbids. One word alone is a name only where something is used: not in `never shrinks`.

    Return None for what is forbidden at some times: no step says when it runs, and none obeys it by its words.
    """
    told = _CUT.split(part)[0].replace("`", " ")
    words = [word.strip(".").lower() or word for word in _WORD.findall(told)]
    if words and (words[0] in _EDITING or words[:2] in _WRITING):
        places = tuple(w.rstrip("/") for w in told.split()[1:] if _is_place(w, told))
        if places:
            return Prohibition((), places=places)
    quoted = {word.lower() for span in _QUOTED.findall(part) for word in _WORD.findall(span)}
    # A verb of use says nothing, but behind a name it is its subcommand: `npm install`.
    named = (
        word
        for last, word in zip(["the", *words], words, strict=False)
        if word not in _VERBS or last not in _EMPTY | _VERBS
    )
    content = [word for word in named if word not in _EMPTY - quoted]
    if not content or not _TIMES.isdisjoint(content):
        return None
    if len(content) == 1 and (content[0] in _CHANGING or not is_used):
        return None
    return Prohibition(tuple(content), is_name=len(content) == 1)


def _is_place(word: str, told: str) -> bool:
    """Return whether a word names a file or a folder: by its form, or by the word behind it."""
    is_path = "/" in word.strip("`") or re.fullmatch(r"[\w-]+\.[a-z]{1,5}", word) is not None
    named = rf"{re.escape(word)}\s+(?:folder|directory|files?)\b"
    return is_path or re.search(named, told, re.IGNORECASE) is not None
