"""Cut a clause into its words and values, in English or Japanese.

Values are numbers with their units in one unit, times of day, days, tools and choices of a kind
(`text/value_kinds.py`). Words that say nothing are left out.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from hooklore.text import statement_words as words
from hooklore.text.value_kinds import MONTHS, UNITS, kinds_of_values, number_words

_HOURS = 24
_SHORTEST_STEM = 3
_NUMBERED_SUBJECT = 2
"""The first place of a verb behind a word and its number."""

_ENDINGS = (
    ("ies", "y"), ("ied", "y"), ("ss", "ss"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""),
)  # fmt: skip
_NAME_FORM = re.compile(r"(?<=.)[A-Z]|[\d./_@]")


class Token(NamedTuple):
    """One word or value of a sentence.

    `kind` is the kind of a value, empty for a word. `is_name` is true for a word in the form of a name,
    `is_predicate` for what stands behind the subject. `before` and `behind` are the words beside it, articles
    left out, and `is_indefinite` says that it has an "a".
    """

    text: str
    kind: str = ""
    is_name: bool = False
    is_predicate: bool = True
    before: str = ""
    behind: str = ""
    is_indefinite: bool = False


def _joined(text: str) -> str:
    """Return a text with its names and times of several words as one word each."""
    for pattern, made in words.COMPOUNDS:
        text = pattern.sub(made, text)
    return text


# ---- English


@cache
def _english() -> re.Pattern[str]:
    units = "|".join(sorted((unit for unit in UNITS if unit.isascii()), key=len, reverse=True))
    spelled = "|".join(sorted(number_words(), key=len, reverse=True))
    return re.compile(
        r"`(?P<quoted>[^`]+)`"
        r"|(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s?(?P<half>[ap])\.?m\b\.?|(?P<clock>\d{1,2}:\d\d)(?::\d\d)?"
        rf"|[$€£¥#]?\b(?P<number>v?\d[\d,]*(?:\.\d+)*|(?:{spelled})\b(?!\s+of\b))(?:[\s-]?(?P<unit>{units})s?(?!\w))?"
        r"|(?P<word>[^\W\d_]\w*(?:['’./@+-]\w+)*[+#]*)|(?P<mark>[:=])",
        re.IGNORECASE,
    )


def english_tokens(text: str) -> list[Token]:
    """Return the words and values of an English clause in their order."""
    found = list(_english().finditer(_joined(text)))
    said = [match.group().lower() for match in found]
    beside = [word for word in said if word not in words.ARTICLES]
    predicate = _find_predicate(said)
    tokens: list[Token] = []
    for n, match in enumerate(found):
        passed = len([word for word in said[:n] if word not in words.ARTICLES])
        before = beside[passed - 1] if passed else ""
        is_one = bool(n) and said[n - 1] in ("a", "an")
        behind = "".join(each.group() for each in found[n + 1 : n + 2])
        place = Token("", before=before, behind=behind, is_indefinite=is_one)
        token = _english_token(match, place)
        if token is not None:
            tokens.append(token._replace(is_predicate=n > predicate or token.kind == "frequency"))
    return tokens


def _find_predicate(said: list[str]) -> int:
    """Return the place of the last word before what a clause says of its subject, -1 where no word shows it."""
    if words.NEEDED.intersection(said):
        return -1
    verbs = (n for n in range(1, len(said)) if _is_predicate(said[n]) or _is_behind_number(said, n))
    found = next(verbs, -1)
    return 1 if found < 0 and said[:1] == ["the"] else found  # `the blue paint` names a thing


def _is_behind_number(said: list[str], n: int) -> bool:
    """Return whether a word is the verb of a numbered subject, with another number: `crane 3 lifts 9 tons`."""
    number, *behind = said[n - 1 :]
    if n < _NUMBERED_SUBJECT or not number.isdigit():
        return False
    # a verb before the number, or a word that says nothing: `keep 3 backups for 7 days`
    first = said[n - 2]
    is_order = _is_predicate(first) or _stem(first) in _stems(words.DROPPED)
    is_verb = said[n].isalpha() and said[n].endswith("s")
    return not is_order and is_verb and any(word[:1].isdigit() for word in behind)


def _is_predicate(word: str) -> bool:
    return word in words.COPULAS or _stem(word) in _stems(words.VERBS)


def _english_token(match: re.Match[str], place: Token) -> Token | None:
    """Return the token of a match at its place, None for a word that says nothing."""
    if match["quoted"] is not None:
        return _named(match["quoted"].lower(), place._replace(is_name=True))
    if match["hour"] or match["clock"]:
        return place._replace(text=_clock(match), kind="time")
    if match["number"]:
        return _measured(match["number"].lower(), (match["unit"] or "").lower(), place)
    return _english_word(match["word"], place) if match["word"] else None


def _clock(match: re.Match[str]) -> str:
    """Return a time of day as minutes since midnight."""
    if match["clock"]:
        hour, minute = match["clock"].split(":")
        return str(int(hour) * 60 + int(minute))
    hours = int(match["hour"]) % 12 + (12 if match["half"].lower() == "p" else 0)
    return str(hours * 60 + int(match["minute"] or 0))


def _measured(number: str, unit: str, place: Token) -> Token:
    """Return a number with its unit as a value: sizes and durations in one unit, a version by the name before."""
    spelled = number_words().get(number)
    plain = number.replace(",", "").removeprefix("v")
    kind, factor = UNITS.get(unit, ("", 1.0))
    if kind and plain.count(".") < 2:
        amount = spelled if spelled is not None else float(plain)
        return place._replace(text=f"{amount * factor:g}", kind=kind)
    if place.before in words.NUMBERED:
        return place._replace(text=number)
    is_version = (
        number.startswith("v") or place.before in kinds_of_values() or place.before == "version"
    )
    value = plain if spelled is None else f"{spelled:g}"
    if (
        place.before == "at"
        and place.behind.lower() in words.BEHIND_TIME
        and value.isdigit()
        and int(value) < _HOURS
    ):
        return place._replace(text=str(int(value) * 60), kind="time")
    return place._replace(text=value, kind="version" if is_version else "number")


def _english_word(raw: str, place: Token) -> Token | None:
    lower = re.sub(r"['’]s$", "", raw).lower()
    is_capital = raw[0].isupper() and bool(place.before)
    if lower in MONTHS and raw[0].isupper() and place.before not in ("", "we", "it"):
        return place._replace(text=lower, kind="month")
    if lower == "go" and not is_capital:
        return None
    is_name = is_capital or _NAME_FORM.search(raw) is not None
    named = place._replace(is_name=is_name)
    is_long = (
        is_capital and place.behind[:1].isupper()
    )  # a name of several words is no tool of its first
    return named._replace(text=_stem(lower)) if is_long else _named(lower, named)


def _named(word: str, place: Token) -> Token | None:
    """Return a word as a value by itself, or as a word of the subject; None for one that says nothing."""
    kind, value = kinds_of_values().get(word, ("", word))
    if kind:
        return place._replace(text=value, kind=kind)
    if not place.is_name and (word in words.DROPPED or _stem(word) in _stems(words.DROPPED)):
        return None
    return place._replace(text=_synonyms().get(_stem(word), _stem(word)))


@cache
def _stems(table: frozenset[str]) -> frozenset[str]:
    return frozenset(map(_stem, table))


@cache
def _synonyms() -> Mapping[str, str]:
    return {_stem(word): _stem(known) for word, known in words.SYNONYMS.items()}


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """Return an English word without its ending: `runs`, `running` and `run` are one."""
    word = words.IRREGULAR.get(word, word)
    for ending, made in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return _undoubled(word.removesuffix(ending) + made)
    return _undoubled(word)


def _undoubled(word: str) -> str:
    """Return a stem without a doubled consonant or a silent `e` at its end."""
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] in "pntgmr":
        return word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


# ---- Japanese


@cache
def _japanese() -> re.Pattern[str]:
    known = "|".join(
        sorted((w for w in kinds_of_values() if not w.isascii()), key=len, reverse=True)
    )
    units = "|".join(sorted(UNITS, key=len, reverse=True))
    return re.compile(
        r"`(?P<quoted>[^`]+)`"
        r"|(?P<part>午前|午後|朝|夜|夕方)?の?(?P<hour>\d{1,2})時(?!間)(?:(?P<minute>\d{1,2})分|(?P<half>半))?"
        r"|(?P<clock>\d{1,2}:\d\d)"
        rf"|[$€£¥#]?(?P<number>\d[\d,]*(?:\.\d+)*)\s?(?:(?P<unit>{units})|[番件人個回名枚台本行桁倍])?目?"
        rf"|(?P<known>{known})日?"
        r"|(?P<latin>[A-Za-z][\w./+#@-]*)"
        "|(?P<katakana>[\u30a1-\u30fa\u30fc]+)|(?P<kanji>[\u3005\u4e00-\u9fff]+)|(?P<kana>[\u3041-\u309f]+)",
        re.ASCII | re.IGNORECASE,
    )


def japanese_tokens(text: str) -> list[Token]:
    """Return the words and values of a Japanese clause in their order."""
    found = list(_japanese().finditer(_joined(text)))
    topic = next((n for n, m in enumerate(found[:-1]) if (m["kana"] or "").endswith("は")), -1)
    tokens: list[Token] = []
    for n, match in enumerate(found):
        behind = found[n + 1]["kana"] or found[n + 1].group() if n + 1 < len(found) else ""
        before = found[n - 1].group() if n else ""
        place = Token("", is_predicate=n > topic, before=before.lower(), behind=behind)
        token = _japanese_token(match, place)
        tokens += [token] if token is not None else []
    return tokens


def _japanese_token(match: re.Match[str], place: Token) -> Token | None:
    """Return the token of a match at its place, None for one that says nothing."""
    if match["quoted"] is not None:
        return _named(match["quoted"].lower(), place._replace(is_name=True))
    if match["hour"] or match["clock"]:
        if match["clock"]:
            return place._replace(text=_clock(match), kind="time")
        is_late = match["part"] in ("午後", "夜", "夕方") and int(match["hour"]) < 12
        minutes = 30 if match["half"] else int(match["minute"] or 0)
        hours = int(match["hour"]) + 12 * is_late
        return place._replace(text=str(hours * 60 + minutes), kind="time")
    if match["number"]:
        return _measured(match["number"], (match["unit"] or "").lower(), place)
    if match["known"] or match["latin"]:
        return _named((match["known"] or match["latin"]).lower(), place._replace(is_name=True))
    if match["kana"]:
        return None
    # a noun without the end that names the sort of its value
    word = match["katakana"] or match["kanji"]
    short = words.JAPANESE_ENDINGS.sub("", words.SYNONYMS.get(word, word))
    if short in words.JAPANESE_DROPPED:
        return None
    return place._replace(text=words.SYNONYMS.get(short, short), is_name=True)
