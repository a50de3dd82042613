"""Classify Japanese sentences as corrections and standing instructions.

An instruction ends in a request (して, してください, しないで, に統一, 禁止 …). It also has evidence that it
outlasts this task: いつも, 今後, a contrast, a correction, a convention as its topic, or a prohibition.
"""

import re

from hooklore.instructions.evidence import Certainty, SentenceContext, classify_evidence
from hooklore.instructions.japanese.evidence_weights import (
    LEAST,
    SURE,
    weigh_japanese_evidence,
)
from hooklore.instructions.japanese.exclusions import (
    HOLDS,
    MODIFIER,
    NOTHING,
    ONE_OFF,
    PAST,
    POLITE,
    QUESTION,
    REPORT,
    TASK,
    THIS_WAS,
)
from hooklore.instructions.japanese.phrases import (
    AFTER_NO,
    ARBITRARY,
    ASK_FIRST,
    ASKS,
    BARE_NAME,
    CHOICE,
    CHOSEN,
    COMMA,
    COMPARED,
    CORRECTED,
    CORRECTION,
    CUSTOM,
    END,
    EXPLICIT,
    EXPLICIT_AFTER,
    FIRM,
    FORBIDS,
    HABIT,
    JOINED,
    LIKING,
    MARKER,
    MAY_STAND,
    NAMED,
    OF_TOPIC,
    OF_VALUE,
    PLAIN_RULE,
    REASON,
    SAID_BEFORE,
    TOPIC,
    TOPIC_NOUN,
    USE,
    WORKFLOW,
)
from hooklore.instructions.language_rules import InstructionKind, LanguageRules

_ONCE = -3
_ONE_TASK = -4
_PAST = -3
_WORDED = 4
_PLAINLY = 7
_AFTER_NO = 3
"""Weights on the scale of the table in `evidence_weights`."""

_DIALECT = (
    (
        re.compile(r"[わか]んといて|(?<=[さたらまなば])んといて"),
        lambda m: ("わ" if m[0][0] == "わ" else "か" if m[0][0] == "か" else "") + "ないで",
    ),
    (re.compile(r"せんといて|しんといて|すんな"), "しないで"),
    (re.compile(r"やのうて|やなくて|やなしに|とちゃうくて|ちゃうくて"), "じゃなくて"),
    (re.compile(r"ちゃうちゃう|ちゃうで|ちゃう(?=[、。!！]|$)"), "違う"),
    (
        re.compile(
            r"(?<=[てで])(?:や|な|なー|なあ|ちょ|けろ|つかーさい|おくれ|頂戴|"
            r"ちょうだい)(?=[、。!！]|$)"
        ),
        "",
    ),
    (
        re.compile(
            r"(?<=[てで])(?:欲しい|ほしい)(?:んだけど|んですが|んですけど|なあ?|なー)(?=[、。]|$)"
        ),
        "ほしい",
    ),
    (re.compile(r"といて"), "ておいて"),
    (re.compile(r"どいて(?=ください|ね|$|、)"), "でおいて"),
    (re.compile(r"(?<=[たくだねよす])から(?=$)"), ""),
    (re.compile(r"[wｗ笑]+$"), ""),
)


"""Dialect and hurried spellings, and the forms that the rules know."""


_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_ENGLISH = re.compile(
    r"^[^\u3040-\u309f]*\b[a-z']+ (?:[a-z']+ [^\u3040-\u309f]*)?[a-z']+ ?[^\u3040-\u309f]*$"
)
"""English words in a row without hiragana: an English sentence with a name in Japanese."""


def is_japanese(sentence: str) -> bool:
    """Return whether a sentence is Japanese."""
    return _JAPANESE.search(sentence) is not None and _ENGLISH.match(sentence) is None


def explicit(sentence: str) -> int | None:
    """Return the offset of the words to remember, or None when nobody asks for that."""
    found = EXPLICIT.match(sentence)
    if found:
        return found.end()
    after = EXPLICIT_AFTER.search(sentence)
    if (
        after
        and after.start() >= 6
        and not THIS_WAS.search(sentence)
        and not REPORT.search(sentence)
    ):
        return 0
    return None


def is_none(sentence: str, ender: str) -> bool:
    """Return whether a sentence is a question, a report or talk about others."""
    text = _bare(sentence)
    if re.fullmatch(r"[\Wq]*", text) or NOTHING.match(text):
        return True
    is_asked = "?" in ender or "？" in ender or QUESTION.search(text) is not None
    if is_asked and not POLITE.search(text):
        return True
    return REPORT.search(text) is not None and not SAID_BEFORE.search(text)


def _is_once(text: str) -> bool:
    return ONE_OFF.search(_without_no(text)) is not None and not _holds(text)


def _holds(text: str) -> bool:
    found = HOLDS.search(text)
    return found is not None and MODIFIER.search(text) is None and "まで" not in text


def _bare(sentence: str) -> str:
    text = sentence.strip(" 　、,!！~〜♪ー")
    for wording, meant in _DIALECT:
        text = wording.sub(meant, text)
    return text


def _without_no(text: str) -> str:
    """Return the text without 「それは違う」 and 「そこは」 at its beginning, which point at the mistake."""
    found = CORRECTED.match(text)
    return (
        re.sub(r"^(?:そこ|ここ|それ|これ)は(?=.{0,30}(?:使|じゃなく|ではなく))", "", found["rest"])
        if found
        else text
    )


def verdict(sentence: str, is_corrected: bool, around: SentenceContext) -> Certainty | None:
    """Return how certain a sentence instructs for longer than this task, or None when it does not."""
    return classify_evidence(evidence(sentence, is_corrected, around), LEAST, SURE)


def evidence(sentence: str, is_corrected: bool, around: SentenceContext) -> dict[str, int]:
    """Return the weight of each kind of evidence. Phrases are searched only where they can decide."""
    text = _bare(sentence)
    found = weigh_japanese_evidence(text, around)
    if is_corrected:
        found["no"] = _AFTER_NO
    if sum(found.values()) + _PLAINLY < LEAST:
        return found
    if TASK.search(text):
        found["task"] = min(found.get("task", 0), _ONE_TASK)
    if _is_once(text):
        found["once"] = min(found.get("once", 0), _ONCE)
    else:
        found["worded"] = _worded(text, is_corrected)
    if PAST.search(text) and not found.get("worded"):
        found["past"] = min(found.get("past", 0), _PAST)
    return found


def _worded(text: str, is_corrected: bool) -> int:
    """Return the weight of a phrase that is known for an instruction, or 0 without one."""
    if PAST.search(text) and not (
        _is_custom(text) or LIKING.search(text) or SAID_BEFORE.search(text)
    ):
        return 0
    found = CORRECTED.match(text)
    words = found["rest"] if found else text
    if (found or is_corrected) and (AFTER_NO.search(words) or FORBIDS.search(words)):
        return _PLAINLY
    if SAID_BEFORE.search(text) and _asks_before_it(text):
        return _PLAINLY
    if any(rule(part) for part in _clauses(words) for rule in _RULES):
        return _WORDED
    return _WORDED if USE.match(words) and not TASK.search(words) else 0


def _asks_before_it(text: str) -> bool:
    """Return whether a sentence asks for something, before or after a 「前にも言った」."""
    before = re.split(r"(?:って|と)(?=[^、。]{0,12}(?:言|伝え|頼|お願い))", text, maxsplit=1)[0]
    return ASKS.search(text) is not None or (before != text and ASKS.search(before) is not None)


def _clauses(text: str) -> list[str]:
    """Return a sentence and its independent parts: up to a request, or after a 「…ので、」."""
    found = [text]
    for comma in list(COMMA.finditer(text))[:6]:
        if FIRM.search(text, 0, comma.start()):
            found.append(text[: comma.start()])
        if JOINED.search(text, 0, comma.start()):
            found.append(text[comma.end() :])
    return found


def _is_standing(text: str) -> bool:
    text = REASON.sub("", text)
    if HOLDS.match(text) and MAY_STAND.search(text):
        return True
    if MODIFIER.search(text) or TASK.search(text) or MARKER.search(text) is None:
        return False
    return ASKS.search(text) is not None or (
        HOLDS.search(text) is not None
        and re.search(rf"[^\s](?:で|に|のみ|だけ){END}", text) is not None
    )


def _is_choice(text: str) -> bool:
    found = CHOICE.search(text)
    if not found or TASK.search(text):
        return False
    if OF_TOPIC.search(text) and BARE_NAME.fullmatch(found["rest"]):
        return True
    return (
        CHOSEN.search(found["rest"]) is not None
        or re.search(rf"[^\s](?:で){END}", found["rest"]) is not None
    )


def _is_topic(text: str) -> bool:
    found = TOPIC.match(text)
    if not found or TASK.search(text):
        return False
    rest = found["rest"]
    if NAMED.search(text):
        return False
    return (
        ASKS.search(rest) is not None or re.search(rf"[^\s](?:で|のみ|だけ){END}", rest) is not None
    )


def _is_plain_rule(text: str) -> bool:
    """Return whether a sentence is a convention in the plain form of lists: 「日付は全部UTCで扱う」."""
    return (
        TOPIC.match(text) is not None
        and PLAIN_RULE.search(text) is not None
        and not MODIFIER.search(text)
    )


def _is_forbidden(text: str) -> bool:
    if TASK.search(text) or re.search(r"ません", text[-6:]):
        return False
    if re.search(
        (
            r"(?:いらない|要らない|不要|必要ない|必要ありません|いりません|だめ|ダメ|ng|"
            r"なし|無し|たくない|たくありません)"
        ),
        text[-8:],
    ):
        return (
            re.search(rf"{TOPIC_NOUN}|は(?:不要|いらない|なし|禁止)|て(?:は|も)", text) is not None
            and "特に" not in text
        )
    return (FORBIDS.search(text) is not None and "ように" not in text[-10:]) or (
        FORBIDS.search(text) is not None and re.search(TOPIC_NOUN, text) is not None
    )


def _is_custom(text: str) -> bool:
    return (
        HABIT.search(text) is not None
        and CUSTOM.search(text) is not None
        and re.search(r"(?:ています|てます|ている|です)$", text) is None
    )


def _is_liking(text: str) -> bool:
    return LIKING.search(text) is not None and COMPARED.search(text) is not None


_RULES = (
    _is_standing,
    _is_choice,
    _is_topic,
    _is_forbidden,
    _is_custom,
    _is_plain_rule,
    _is_liking,
    lambda text: OF_VALUE.search(text) is not None,
    lambda text: ARBITRARY.search(text) is not None,
    lambda text: ASK_FIRST.search(text) is not None,
)


def kind(sentence: str) -> InstructionKind:
    """Return the kind of memory: a constraint forbids, a workflow says when, a preference does neither."""
    text = _bare(sentence)
    if FORBIDS.search(text) or ARBITRARY.search(text):
        return "constraint"
    return "workflow" if WORKFLOW.search(text) else "preference"


def is_correction(sentence: str) -> bool:
    """Return whether a sentence only says that the answer before was wrong."""
    return CORRECTION.match(_bare(sentence)) is not None


JAPANESE = LanguageRules(explicit, is_none, verdict, kind, is_correction)
