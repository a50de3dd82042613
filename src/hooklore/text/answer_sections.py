"""Extract from an agent's final answer its decisions, and how the work stands: to do, blocked, waiting, done.

By rule, from lists under headings, boxes and sentences, English and Japanese. Linear: a bounded text, one
look at each line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

from hooklore.text.token_estimate import truncate_text
from hooklore.text.work_status import (
    WorkStatus,
    classify_clause,
    find_exception,
    refine_status,
    says_all_done,
    says_only,
    split_clauses,
    split_parts,
)

SectionName = Literal["decisions", "unresolved", "items"] | WorkStatus
_Line = tuple[SectionName, str]

_LOOKED_AT = 8_192
_MOST = 12
_LONGEST = 240
_SHORTEST = 2
_LONGEST_STATUS = 60
"""Characters of an item that says no more than how work stands."""


@dataclass(frozen=True, slots=True)
class AnswerSections:
    """Lines of an answer, in its own words; at most twelve of each.

    `negated` says what is not so, `items` are those of lists that say no status. `listed` counts the lines of lists
    of what is to do, `is_whole` tells that nothing else is. `all_done` tells that the answer says that all is done.
    """

    decisions: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    next_actions: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    ideas: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    negated: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    listed: int = 0
    is_whole: bool = False
    all_done: bool = False


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
        "waiting",
        (
            r"(?:still )?open questions?|questions?(?: for you)?|(?:needs?|waiting (?:for|on)|pending) (?:you"
            r"|your (?:\w+ )?"
            r"(?:decision|input|approval|call|answer|review|reply))s?|for you(?: to decide)?|your call|to decide|"
            r"decisions? (?:needed|for you|pending)|to (?:be )?confirm(?:ed)?|"
            r"(?:ご)?(?:確認|質問|判断|相談)(?:したい|いただきたい|が必要な)?(?:事項|点|こと|待ち)?"
            r"|お聞きしたいこと|"
            r"(?:決めて|確認して|教えて)(?:いただきたい|ほしい)(?:こと|点)|要確認"
        ),
    ),
    (
        "ideas",
        (
            r"(?:some |possible |future |other |just )?(?:ideas?|improvements?|enhancements?)(?: for later"
            r"| \(optional\))?|"
            r"nice[- ]to[- ]haves?|optional(?:ly)?(?: (?:next )?steps?| follow-ups?| improvements?)?|"
            r"(?:could|might) (?:also )?(?:do|be done|be nice)(?: later| next)?|(?:maybe|perhaps)(?: later)?|"
            r"if (?:you like|there(?:'s| is) time|wanted)|down the road|some ?day|"
            r"アイデア|改善案|(?:今後の)?案|余裕があれば|時間があれば|(?:よければ|よろしければ)|任意"
            r"|将来(?:の(?:案|改善))?|"
            r"あると(?:よい|良い|便利な)(?:もの|こと)|できれば"
        ),
    ),
    (
        "blocked",
        (
            r"blocked(?: by| on)?|blockers?|(?:still )?(?:failing|red|broken)|stuck|"
            r"ブロック(?:中|されているもの)?|(?:まだ)?失敗しているもの|止まっているもの"
        ),
    ),
    (
        "done",
        (
            r"done(?: so far| today)?|what (?:i|we) (?:did|changed|have done)"
            r"|(?:summary of )?(?:the )?changes?(?: made)?|"
            r"changed|completed|finished|what(?:'s| is) (?:done|new|in)|implemented|already done|"
            r"完了(?:したこと|した作業|済み?)?|やったこと|変更(?:点|内容)|実施(?:内容|したこと)|対応(?:内容"
            r"|したこと|済み?)|済み?|終わったこと"
        ),
    ),
    (
        "unresolved",
        (
            r"(?:still )?unresolved(?: (?:issues?|points?|problems?|items?))?|(?:still )?open (?:issues?|points?"
            r"|problems?)|"
            r"outstanding (?:issues?|problems?)|"
            r"known (?:issues?|limitations?|problems?|gaps?)|caveats?|"
            r"未解決(?:事項|の(?:問題|課題|点))?|(?:残って(?:いる|る)|"
            r"既知の)(?:問題|課題)|課題|懸念(?:点|事項)?"
        ),
    ),
    (
        "next_actions",
        (
            r"(?:suggested |recommended |possible |proposed |the |my )*next (?:steps?|actions?|up|tasks?|time)"
            r"|to-? ?do(?:s|"
            r" list| next| still)?|follow-?ups?|(?:still )?remaining(?: work| steps| tasks| items)?|"
            r"what(?:'s| is| remains)? ?(?:still )?(?:left|next|open|missing|remaining)?(?: to do)?|"
            r"(?:still|left) to do|left(?: over| for (?:later|next time|tomorrow|now))?|action items?|"
            r"(?:still )?(?:open|unfinished|outstanding|pending|missing)(?: items?| tasks?| work)?|"
            r"not (?:yet )?(?:done|started|fixed|finished|covered)(?: yet)?|(?:the |my |proposed |rough )?plan"
            r"|steps?|tasks?|backlog|"
            r"(?:次|今後|この後|このあと|次回)(?:に|の|は)?(?:やること|すること|行うこと|ステップ|"
            r"アクション|作業|対応|手順|予定|タスク)?|次のステップ|残り?(?:の(?:作業|タスク|"
            r"対応|項目))?|残作業|残タスク|残件|残課題|残っている(?:作業|こと|もの|タスク)|今後の(?:予定|対応"
            r"|作業)|"
            r"(?:これから|まだ)?(?:やる|する)こと|未(?:対応|完了|着手|実装|了)(?:の?(?:もの|こと|項目|作業))?|"
            r"保留(?:事項|中)?|できなかったこと|積み残し|計画|手順|タスク(?:一覧)?|ネクストアクション|宿題"
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
_ITEM = re.compile(
    r"^\s*(?:[-*+](?=\s)|[•・]|\d{1,2}[.)、．]|[①-⑳])\s*(?:\[(?P<box>[ xX✓✔])\]\s*)?"
)
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
            r"several|\d+) (?:\S+ ){1,3})\s?(?:(?:is|are) still (?:unresolved|unclear)|remains? (?:unresolved"
            r"|unclear)))\b"
            r"|(?:未解決(?:です|のまま(?:です)?)|(?:が|"
            r"は)まだ(?:[^。]{0,24})(?:動きません|動いていません|直っていません|解決していません)|"
            r"(?:できませんでした|再現できていません|原因は(?:まだ)?(?:不明|"
            r"分かっていません|わかっていません)です?))$"
        ),
    ),
)
_SENTENCE = tuple((part, re.compile(words, re.IGNORECASE)) for part, words in _SENTENCES)
_END = re.compile(r"(?<=[。！!？])|(?<=[.!?])\s+")
_DONE = re.compile(
    r"\b(?:no longer|now passes|already (?:done|fixed))\b|不要です$|必要はありません$",
    re.IGNORECASE,
)
_DONE_MARK = re.compile(
    r"^(?:✅|✔️?|☑|\[done\]|done\s?[:–—-])\s*|\s*(?:[-–—:(（]\s?|✅|✔)(?:done|finished|完了|済み?|✅"
    r"|✔)?[)）]?\s*$",
    re.IGNORECASE,
)
_IS_DONE = re.compile(
    r"^(?:✅|✔|☑|\[done\]|done\s?[:–—-])|(?:[-–—:(（]\s?(?:already )?(?:done|finished|完了|済み?)[)）]?|✅"
    r"|✔️?)\s*$",
    re.IGNORECASE,
)
_STRUCK = re.compile(r"^~~(.+?)~~")
_LEAD_IN = re.compile(
    r"\b(?:next steps?|to-?dos?|(?:is|are|still|what(?:'s|'re)?) (?:left|missing|open|remaining|next)"
    r"|still to do|left to do|remain(?:s|ing)?"
    r"|do next|not (?:yet )?done|(?:would|will|'d|'ll) (?:then )?(?:do|continue|go on))\b"
    r"|(?:次|残|今後|未対応|未完了|未着手|これから|やること)",
    re.IGNORECASE,
)
_ROW_STATE = re.compile(
    r"^(?P<next_actions>to ?do|open|pending|not (?:yet )?(?:started|done)|in progress|left|missing|⏳|❌|🔲|⬜"
    r"|未着手|未対応|未完了|未|まだ|残)$"
    r"|^(?P<blocked>blocked.*|failing|ブロック.*)$|^(?P<waiting>waiting.*|確認待ち|承認待ち)$"
    r"|^(?P<done>done|finished|complete[d]?|✅|✔️?|完了|済み?)$",
    re.IGNORECASE,
)
_RULE = re.compile(r"[|\s:-]+")


def extract_answer_sections(answer: str) -> AnswerSections:
    """Return the decisions of an answer, and what it says is to do, blocked, waiting, an idea, done or dropped.

    Code, quotations and "none" are left out.
    """
    found: dict[SectionName, dict[str, None]] = {}
    listed, all_done, is_whole = 0, False, False
    for part, line in _lines(answer[:_LOOKED_AT]):
        is_item = isinstance(line, _Item)
        all_done |= not is_item and says_all_done(line)
        is_whole |= isinstance(line, _Only)
        said = _clean(line)
        if said is not None:
            listed += is_item and part in ("next_actions", "blocked", "waiting")
            found.setdefault(part, {}).setdefault(said)
    lines = {part: tuple(each)[:_MOST] for part, each in found.items()}
    return AnswerSections(**lines, listed=listed, all_done=all_done, is_whole=is_whole)


class _Item(str):
    """A line of a list."""

    __slots__ = ()


class _Only(str):
    """Work of which a sentence says that it alone is left."""

    __slots__ = ()


def _lines(text: str) -> Iterator[_Line]:
    """Yield (part, line or sentence) in order. Lines under a heading belong to the heading's part.

    A quotation is somebody else's, but for the one that a sentence asks about.
    """
    under: SectionName | None = None
    had_item = asks = False
    for line in _prose_lines(text):
        if line.lstrip().startswith("|"):
            yield from _of_row(line)
            continue
        if line.startswith(">"):
            if asks:
                yield "waiting", line.lstrip("> ")
            continue
        asks = classify_clause(line).status == "waiting" if line.strip() else asks
        part, rest = _heading(line)
        item = _ITEM.match(line)
        said = line[item.end() :] if item else line
        if part is not None:
            under, had_item = (None if rest else part), False
            yield from _of_heading(part, rest) if rest else ()
        elif item and item["box"]:
            had_item = True
            yield from _of_item("next_actions" if item["box"] == " " else "done", said)
        elif _ANY_HEADING.match(line) and item is None:
            under, had_item = _lead_in(line), False
        elif (
            under is None or not line.strip() or (item is None and had_item and not _is_more(line))
        ):
            under = under if not line.strip() else None
            yield from _classify_sentences(said, is_item=item is not None)
        elif not _is_more(line):
            had_item = had_item or item is not None
            yield from _of_item(under, said)


def _lead_in(line: str) -> SectionName | None:
    """Return the part that a line opens which announces a list of what is to do."""
    said = line.strip(" *#_")
    if not said.endswith((":", "：")):
        return None
    status = classify_clause(said[:-1]).status
    return (
        "next_actions" if _LEAD_IN.search(said) or status in ("negated", "next_actions") else None
    )


def _of_heading(part: SectionName, rest: str) -> Iterator[_Line]:
    """Yield what stands behind a heading on its own line."""
    if part in ("decisions", "unresolved", "done"):
        yield part, rest
        return
    for clause in split_clauses(rest):
        closed = classify_clause(clause).status
        status = closed if closed in ("done", "dropped") and clause != rest else part
        for each in split_parts(clause.rstrip(". ")):
            yield _refined(status, each), each


def _of_item(part: SectionName, said: str) -> Iterator[_Line]:
    """Yield an item of a list, under the status that its own words or marks give it."""
    struck = _STRUCK.match(said)
    if struck:
        yield "dropped", struck[1]
    elif part != "decisions" and _IS_DONE.search(said.strip()):
        yield "done", _DONE_MARK.sub("", said.strip())
    else:
        yield _refined(part, said), _Item(said)


def _refined(part: SectionName, said: str) -> SectionName:
    return refine_status(said, part) if part in ("next_actions", "blocked") else part


def _of_row(line: str) -> Iterator[_Line]:
    """Yield the first cell of a table's row, where another cell says how it stands."""
    cells = [cell.strip(" *`") for cell in line.strip().strip("|").split("|")]
    for cell in cells[1:]:
        state = _ROW_STATE.match(cell)
        if state and cells[0]:
            yield cast("SectionName", state.lastgroup), _Item(cells[0])
            return
    if len(cells) > 1 and any(cells) and not _RULE.fullmatch(line.strip()):
        yield "items", _Item(": ".join(cells[:2]))


def _prose_lines(text: str) -> Iterator[str]:
    """Yield the lines that are no code, the sentence that announces a list on a line of its own."""
    in_code = False
    for line in text.split("\n"):
        is_fence = _FENCE.match(line) is not None
        in_code ^= is_fence
        if in_code or is_fence:
            continue
        at = 0
        if line.rstrip(" *_").endswith((":", "：")) and not _ITEM.match(line):
            ends = [found.end() for found in _END.finditer(line) if line[found.end() :].strip()]
            at = ends[-1] if ends else 0
        yield from (line[:at], line[at:].lstrip()) if at else (line,)


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


def _classify_sentences(line: str, *, is_item: bool) -> Iterator[_Line]:
    """Yield the sentences of a line that say what was decided, or how work stands."""
    for sentence in _END.split(line.replace("**", "").replace("__", "").strip()):
        said = (sentence or "").strip()
        part = next(
            (p for p, form in _SENTENCE if said and form.search(said.rstrip("。.!！"))), None
        )
        if part is not None:
            yield part, said.rstrip("。.!！")
        elif said:
            yield from _of_clauses(said, is_item=is_item)


def _of_clauses(sentence: str, *, is_item: bool) -> Iterator[_Line]:
    """Yield the clauses of a sentence by their status. An item that says no status tells of what was done."""
    if says_all_done(sentence):
        yield "done", sentence
        yield from (
            ("next_actions", each) for each in split_parts(find_exception(sentence)) if each
        )
        return
    for clause in split_clauses(sentence):
        status, subject = classify_clause(clause)
        is_long = len(sentence) > _LONGEST_STATUS
        if is_item and (
            status in (None, "done", "negated") or (status == "next_actions" and is_long)
        ):
            yield "items", sentence
            return
        if status == "next_actions":
            kind = _Only if says_only(sentence) else str
            yield from ((status, kind(each)) for each in split_parts(subject))
        elif status is not None:
            yield status, subject


def _clean(line: str) -> str | None:
    """Return one line of plain words; None for a line that says nothing."""
    said = " ".join(line.replace("**", "").replace("__", "").split()).rstrip("。")
    if (
        len(said) < _SHORTEST
        or said.endswith((":", "："))
        or _NONE.match(said)
        or _DONE.search(said)
    ):
        return None
    return truncate_text(said, _LONGEST)
