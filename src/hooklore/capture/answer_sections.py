"""Extract decisions, open points and next steps from an agent's final answer.

By rule, from headings and from sentences in the first person, English and Japanese: precise rather than
complete. Linear: a bounded text, one look at each line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hooklore.text.token_estimate import truncate_text

SectionName = Literal["decisions", "unresolved", "next_actions"]

_LOOKED_AT = 8_192
_MOST = 6
_LONGEST = 240
_SHORTEST = 4


@dataclass(frozen=True, slots=True)
class AnswerSections:
    """Lines of an answer, in its own words; at most six of each."""

    decisions: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    next_actions: tuple[str, ...] = ()


_HEADINGS: tuple[tuple[SectionName, str], ...] = (
    (
        "decisions",
        (
            r"(?:key |main |design )?decisions?(?: made| taken)?|what (?:i|we) decided|"
            r"decided|"
            r"(?:主な|設計上の)?(?:決定(?:事項|したこと|内容)?|決めたこと|決まったこと|"
            r"判断|採用した方針|方針)"
        ),
    ),
    (
        "unresolved",
        (
            r"(?:still |what(?:'s| is) (?:still )?)?(?:open|unresolved|unfinished|"
            r"outstanding)(?: (?:questions?|issues?|points?|problems?|items?))?|"
            r"known (?:issues?|limitations?|problems?|gaps?)|not (?:yet )?(?:done|fixed|"
            r"solved|finished)|blockers?|caveats?|"
            r"未解決(?:事項|の(?:問題|課題|点))?|残課題|(?:残って(?:いる|る)|"
            r"既知の)(?:問題|課題)|課題|未対応|未完了|保留(?:事項|中)?|できなかったこと|"
            r"懸念(?:点|事項)?"
        ),
    ),
    (
        "next_actions",
        (
            r"(?:suggested |recommended |possible )?next (?:steps?|actions?|up)|to-?do(?:s|"
            r" list)?|follow-?ups?|remaining(?: work| steps| tasks| items)?|"
            r"what(?:'s| is) (?:left|next)|still to do|left to do|action items?|"
            r"(?:次|今後|この後|このあと)(?:に|の)?(?:やること|すること|行うこと|ステップ|"
            r"アクション|作業|対応|手順|予定|タスク)|次のステップ|残り(?:の(?:作業|タスク|"
            r"対応))?|残作業|残タスク|今後の(?:予定|対応|作業)|やること|これからやること|"
            r"ネクストアクション|宿題"
        ),
    ),
)
_HEADING = tuple(
    (part, re.compile(rf"(?:{words})(?:\s?[(（][^)）]{{0,30}}[)）])?", re.IGNORECASE))
    for part, words in _HEADINGS
)
_FRAME = re.compile(r"^\s{0,3}(?:#{1,6}\s+|[-*•・]\s+)?(?:\*\*|__|【|■|◆|●|▼|\[)?\s*")
_AFTER = re.compile(r"\s*(?:\*\*|__|】|\])?\s*(?P<colon>[:：])?\s*(?:\*\*|__)?\s*(?P<rest>.*)$")
_ANY_HEADING = re.compile(
    r"^\s{0,3}(?:#{1,6}\s|\*\*[^*]{1,80}\*\*\s*[:：]?\s*$|【[^】]{1,60}】\s*$|[■◆●▼])|"
    r"^[^\s\-*•・][^\n]{0,60}[:：]\s*$"
)
_ITEM = re.compile(r"^\s*(?:[-*+•・]|\d{1,2}[.)、．]|[①-⑳])\s*(?:\[(?P<box>[ xX])\]\s*)?")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_NONE = re.compile(
    (
        r"^(?:none|nothing|n/?a|no(?:ne)? (?:open|known|outstanding|unresolved|further|"
        r"remaining|left).*|no (?:issues?|blockers?|problems?|questions?|follow-?ups?)|"
        r"all (?:done|resolved|good|fixed)|-+|(?:特に)?(?:ありません|なし|ない(?:です)?|"
        r"無し)|(?:未解決の(?:問題|課題)は)?(?:特に)?(?:ありません|なし)|特になし|"
        r"特にありません)\W*$"
    ),
    re.IGNORECASE,
)

_SENTENCES: tuple[tuple[SectionName, str], ...] = (
    (
        "decisions",
        (
            r"^(?:so,? |therefore,? |in the end,? |finally,? )?(?:(?:i|we)(?:'ve|"
            r" have)? (?:therefore |finally |deliberately |also )?(?:decided (?:to|on|"
            r"against|not to|that)|chose(?:n)? (?:to|not to)?|"
            r"settled on|opted (?:for|to|against)|went with|agreed (?:to|on))\b|"
            r"the decision (?:is|was) (?:to|that)\b|decided to\b|going with\b)"
            r"|(?:ことに(?:しました|した|決めました|決めた|決定しました)|に(?:決めました|"
            r"決定しました|決めた|決定した)|を採用しました|を選びました|を選択しました|"
            r"方針に(?:しました|決めました))$"
        ),
    ),
    (
        "unresolved",
        (
            r"^(?:however,? |but |note that |unfortunately,? )?(?:(?:i|we) (?:could not|"
            r"couldn't|was not able to|were not able to|wasn't able to|did not manage to|"
            r"have not (?:yet )?(?:been able to )?|haven't (?:yet )?)"
            r"\s*(?:get|fix|find|solve|reproduce|verify|test|run|resolve|reach|finish|"
            r"complete|figure|confirm|make|determine|check|implement|update)"
            r"|(?:this|that|it|the (?:\S+ ){1,4}|one (?:\S+ ){1,3}|(?:two|three|four|some|"
            r"several|\d+) (?:\S+ ){1,3})\s?(?:(?:is|are) still (?:failing|broken|open|"
            r"unresolved|unclear|missing|red|flaky|pending)|still (?:fails?|remains?|"
            r"needs?)|remains? (?:open|unresolved|unclear|broken)))\b"
            r"|(?:未解決(?:です|のまま(?:です)?)|(?:が|"
            r"は)まだ(?:[^。]{0,24})(?:失敗し(?:ています|ます)|残っています|通りません|"
            r"通っていません|動きません|動いていません|できていません|直っていません|"
            r"解決していません|確認できていません|未対応です|未確認です)|"
            r"(?:できませんでした|再現できていません|原因は(?:まだ)?(?:不明|"
            r"分かっていません|わかっていません)です?))$"
        ),
    ),
    (
        "next_actions",
        (
            r"^(?:the )?next(?: step(?:s)?(?: (?:is|are|would be)(?: to)?)?|,? (?:i|"
            r"we)(?:'ll| will| should| need to| have to| can)|(?: thing)? to do is)\b|"
            r"^(?:what(?:'s| is) left|remaining)(?: is)?\b(?=.{4})|^todo\s?[:：]"
            r"|^(?:次(?:は|に|の(?:ステップ|作業|手順)(?:は|として))、?|この後(?:は)?、?|"
            r"残り(?:は|の作業は)、?)[^。]{2,200}(?:ます|する予定です|してください|"
            r"が必要です|行います|予定です|です|べきです|ましょう)$|"
            r"[^。]{2,200}(?:る必要があります|が残っています)$"
        ),
    ),
)
_SENTENCE = tuple((part, re.compile(words, re.IGNORECASE)) for part, words in _SENTENCES)
_END = re.compile(r"(?<=[。！!])|(?<=[.!])\s+")
_DONE = re.compile(
    r"\b(?:no longer|now passes|already (?:done|fixed))\b|不要です$|必要はありません$",
    re.IGNORECASE,
)


def extract_answer_sections(answer: str) -> AnswerSections:
    """Return the decisions, unresolved points and next actions of an answer; empty where it names none.

    Code, quotations, questions, ticked boxes and "none" are left out.
    """
    found: dict[SectionName, dict[str, None]] = {
        "decisions": {},
        "unresolved": {},
        "next_actions": {},
    }
    for part, line in _lines(answer[:_LOOKED_AT]):
        said = _clean(line)
        if said is not None:
            found[part].setdefault(said)
    return AnswerSections(*(tuple(lines)[:_MOST] for lines in found.values()))


def _lines(text: str) -> Iterator[tuple[SectionName, str]]:
    """Yield (part, line or sentence) in order. Lines under a heading belong to the heading's part."""
    under: SectionName | None = None
    had_item = False
    for line in _prose_lines(text):
        part, rest = _heading(line)
        item = _ITEM.match(line)
        said = line[item.end() :] if item else line
        if part is not None:
            under, had_item = (None if rest else part), False
            if rest:
                yield part, rest
        elif _ANY_HEADING.match(line):
            under = None
        elif (
            under is None or not line.strip() or (item is None and had_item and not _is_more(line))
        ):
            under = under if not line.strip() else None
            yield from _classify_sentences(said)
        elif not _is_more(line) and not (item and item["box"] in ("x", "X")):
            had_item = had_item or item is not None
            yield under, said


def _prose_lines(text: str) -> Iterator[str]:
    """Yield the lines that are neither code, nor a quotation, nor a table."""
    in_code = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            in_code = not in_code
        elif not in_code and not line.lstrip().startswith((">", "|")):
            yield line


def _is_more(line: str) -> bool:
    """Return whether a line continues the item above it."""
    return line.startswith(("  ", "\t")) and _ITEM.match(line) is None


def _heading(line: str) -> tuple[SectionName | None, str]:
    """Return the part that a heading opens, and the text on its line after a colon."""
    frame = _FRAME.match(line)
    start = frame.end() if frame else 0
    is_marked = bool(line[:start].strip(" -*•・")) or "**" in line[:start]
    for part, pattern in _HEADING:
        found = pattern.match(line, start)
        if found is None:
            continue
        after = _AFTER.match(line, found.end())
        if after is None or (after["rest"] and not after["colon"]):
            continue
        if after["colon"] or is_marked:
            return part, after["rest"]
    return None, ""


def _classify_sentences(line: str) -> Iterator[tuple[SectionName, str]]:
    for sentence in _END.split(line.strip()):
        said = (sentence or "").strip().rstrip("。.!！")
        for part, pattern in _SENTENCE:
            if said and pattern.search(said):
                yield part, said
                break


def _clean(line: str) -> str | None:
    """Return one line of plain words; None for a line that says nothing, or asks."""
    said = " ".join(line.replace("**", "").replace("__", "").split()).rstrip("。")
    if (
        len(said) < _SHORTEST
        or said.endswith(("?", "？", ":", "："))
        or _NONE.match(said)
        or _DONE.search(said)
    ):
        return None
    if said.endswith(("ますか", "ですか", "しょうか", "ませんか")):
        return None
    return truncate_text(said, _LONGEST)
