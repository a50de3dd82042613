"""Read the sentences of a rule that say an order: `always X before Y`, `after Y, X`, Y する前に X, X してから Y.

Only the phrases are told apart here. Which steps they name is read from the table of acts, and a sentence
whose second phrase names no step says no order of steps: `before 2020`, `the line before the loop`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_MAX_READ = 600
_MAX_SENTENCES = 8


class OrderPhrases(NamedTuple):
    """The phrases of one order.

    `first` names the step that is due and `then` the step before which it is due. Where `is_after`, the
    due step comes after `then`. `case` is the condition in front: `when you touch the API`. `is_ban` is true
    for `never Y before X`.
    """

    first: str
    then: str
    is_after: bool = False
    case: str = ""
    is_ban: bool = False


_SENTENCE = re.compile(r"(?<=[.!?])\s+|[;\n。！？]+|(?<=\w)\.$")
_LEAD = re.compile(
    r"^(?:[-*•\d.)\s]+|(?:please|pls|always|remember(?: to| that)?|note|rule|important|reminder|from now "
    r"on|in this (?:repo|"
    r"project|codebase)|going forward|and|but|also|so|ok|okay|make sure (?:to|that|you)?|be sure to|"
    r"ensure(?: that)?|"
    r"(?:you|we|agents?) (?:must|should|have to|need to|always|shall)(?: always)?|do not forget to|"
    r"don['’]?t forget to|"
    r"never forget to|今後は?|これからは?|必ず|いつも|常に|毎回|絶対に?)[,:、]?(?=\s|[^\x00-\x7f]|$)\s*)+",
    re.IGNORECASE,
)
_NOT = (
    r"(?:never|do not|don['’]?t|must not|mustn['’]?t|avoid|no|(?:you|we) (?:must|should|may|can) "
    r"(?:not|never)|not allowed to)"
)
_DONE_TO = r"(?:right |just |immediately |shortly |even |only |directly )?"
_IMPERATIVE = (
    r"(?:always|please|make sure|be sure|ensure|run|do|never|ask|check|update|you (?:must|should|have|"
    r"need)|execute|confirm|"
    r"get|take|pull|fetch|rebase|format|lint|test|build|regenerate|generate|use|tell|let|notify|verify|"
    r"have|wait|i want)"
)
_BEFORE = r"(?:before|prior to|ahead of)"

_BAN = re.compile(
    rf"^(?:always\s)?{_NOT}\s+(?:ever\s)?(?P<then>.+?)\s+(?:{_BEFORE}|until|unless|without|"
    rf"(?:if|when|while)(?=.*\b(?:fail\w*|red|broken|not (?:been )?(?:run|pass\w*)|haven't|hasn't|"
    rf"unformatted)\b))\s+(?P<first>.+)$",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"^(?:only\s+(?P<then>.+?)|(?P<then2>.+?),?\s+(?:but )?only)\s+(?:after|once|when|if)\s+(?P<first>.+)$",
    re.IGNORECASE,
)
_FIRST_THEN = re.compile(
    r"^(?!if\b|when\b|"
    r"whenever\b)(?:first(?:ly)?,?\s+)?(?P<first>.+?)(?:,?\s+first)?[,;]?\s+(?:and\s+)?(?:only\s+)?(?:then|afterwards)\s+"
    r"(?:only\s+)?(?P<then>.+)$",
    re.IGNORECASE,
)
_BEFORE_COMMA = re.compile(
    rf"^{_DONE_TO}{_BEFORE}\s+(?P<then>[^,:]+?)\s*[,:–—]\s*(?P<first>.+)$", re.IGNORECASE
)
_BEFORE_BARE = re.compile(
    rf"^{_DONE_TO}{_BEFORE}\s+(?P<then>[^,:]+?)\s+(?={_IMPERATIVE}\b(?! request))(?P<first>.+)$",
    re.IGNORECASE,
)
_X_BEFORE = re.compile(rf"^(?P<first>.+?),?\s+{_DONE_TO}{_BEFORE}\s+(?P<then>.+)$", re.IGNORECASE)
_WHEN_FIRST = re.compile(
    r"^(?:when(?:ever)?|every time|each time|"
    r"if)\s+(?P<then>[^,]+?),\s*(?:always\s+)?(?P<first>.+?)\s+(?:first|beforehand)$",
    re.IGNORECASE,
)
_AFTER_COMMA = re.compile(
    rf"^{_DONE_TO}(?:after|once)\s+(?P<then>[^,:]+?)\s*[,:–—]\s*(?P<first>.+)$", re.IGNORECASE
)
_AFTER_BARE = re.compile(
    rf"^{_DONE_TO}(?:after|once)\s+(?P<then>[^,:]+?)\s+(?={_IMPERATIVE}\b(?! request))(?P<first>.+)$",
    re.IGNORECASE,
)
_X_AFTER = re.compile(rf"^(?P<first>.+?),?\s+{_DONE_TO}(?:after)\s+(?P<then>.+)$", re.IGNORECASE)
_CASE = re.compile(
    r"^(?P<case>(?:when(?:ever)?|if|every time|each time|after|once)\s+(?:you|we|i)(?:'ve)?\s+[^,]{2,60}?|"
    r"(?:when|after)\s+[a-z]+ing\s[^,]{2,60}?|(?:for|in) [^,]{2,40}?(?:files?|changes|code)?),\s+(?P<rest>.+)$",
    re.IGNORECASE,
)

_JA_CASE = re.compile(
    r"^(?P<case>[^、]{2,40}?(?:とき|時|場合|際|たら|(?<=た)(?:後|あと))に?は?)、(?P<rest>.+)$"
)

_BANNED = (
    r"(?:し(?:ない|ては(?:いけ|だめ|ダメ|なら))|するな|禁止|[ぁ-ん]{0,3}ない(?:で|こと|でください)|"
    r"てはいけない|ません)"
)
_JA_UNTIL = re.compile(
    r"^(?P<first>[^、]+?)(?:し?(?:終わ)?[るうくすつぬむぶぐ](?:まで)|(?<!まで)まで)(?:は|に)?、?\s*(?P<then>.+?)"
    + _BANNED
)
_JA_WITHOUT = re.compile(
    r"^(?P<first>.+?)(?:をせずに?|せずに?|[かがさたなばまらわ]ずに?|しないで|ないまま|[てで]いない(?:状態|"
    r"うち)で?(?:は|に)?|なし(?:に|で)(?:は)?|しない限り|ない限り)"
    r"(?:は|の)?、?\s*(?P<then>.+?)" + _BANNED
)
_JA_BEFORE = re.compile(
    r"^(?P<then>[^、]+?)\s*(?<!以)(?<!目の)(?<!手)(?<!寸)(?:直)?前(?:に(?:は|も|、|必ず|まず)?|は|には|、|"
    r"必ず)[、\s]*(?P<first>.+)$"
)
_JA_TOPIC = re.compile(
    r"^(?P<then>[^、]+?)は、?\s*(?P<first>.+?[てで])から(?:に|で|の?こと|です|だ|$)"
)
_JA_THEN = re.compile(r"^(?P<first>.+?[てで])から(?:、|は|に)?\s*(?P<then>.+)$")
_JA_STEPS = re.compile(
    r"^(?:まず|最初に|先に|はじめに)は?、?\s*(?P<first>.+?)(?:し|、)(?:て|、)?\s*(?:、?(?:次に|それから|"
    r"その後|そのあと|その後で))、?\s*(?P<then>.+)$"
)
_JA_AFTERWARDS = re.compile(
    r"^(?P<then>.+?)(?:[ただ]|の)(?:後|あと|のち)(?:に?は|に|で|、|必ず)、?\s*(?P<first>.+)$"
)
_JA_ONCE = re.compile(
    r"^(?P<then>.+?)(?:したら|したらば|えたら|ったら|いたら|んだら|れたら)、?\s*(?P<first>.+)$"
)

_TAIL = re.compile(
    r"\s*(?:\(.*\)\s*|(?:,\s*)?\b(?:because|since|so that|otherwise|as (?:it|the|we|they)|or (?:the|it|"
    r"else|ci))\b.*|"
    r"(?:,\s*)?\b(?:please|always|every time|each time|no exceptions|thanks)\W*)$",
    re.IGNORECASE,
)


@lru_cache(maxsize=2048)
def find_order_phrases(text: str) -> tuple[tuple[OrderPhrases, ...], ...]:
    """Return for each sentence of a rule the ways to read it as an order, the most certain way first.

    At most eight sentences in the first 600 characters are read.
    """
    sentences = [_LEAD.sub("", each.strip()) for each in _SENTENCE.split(text[:_MAX_READ]) if each]
    return tuple(filter(None, (tuple(_read(each)) for each in sentences[:_MAX_SENTENCES])))


def _read(sentence: str) -> Iterator[OrderPhrases]:
    said = _TAIL.sub("", sentence.rstrip(" .!")).strip()
    yield from _read_with_case(said)
    yield from _read_english(said)
    if not said.isascii():
        yield from _read_japanese(said)


def _read_with_case(said: str) -> Iterator[OrderPhrases]:
    """Yield the orders behind a condition: `when you touch the API, run X before you commit`."""
    for pattern, read in ((_CASE, _read_english), (_JA_CASE, _read_japanese)):
        if found := pattern.match(said):
            behind = read(_LEAD.sub("", found["rest"]))
            yield from (each._replace(case=found["case"]) for each in behind)


def _read_english(said: str) -> Iterator[OrderPhrases]:
    if found := _BAN.match(said):
        yield OrderPhrases(found["first"], found["then"], is_ban=True)
        return
    if found := _ONLY.match(said):
        yield OrderPhrases(found["first"], found["then"] or found["then2"])
    for pattern in (_BEFORE_COMMA, _BEFORE_BARE, _WHEN_FIRST, _X_BEFORE, _FIRST_THEN):
        if found := pattern.match(said):
            yield OrderPhrases(found["first"], found["then"])
    for pattern in (_AFTER_COMMA, _AFTER_BARE, _X_AFTER):
        if found := pattern.match(said):
            yield OrderPhrases(found["first"], found["then"], is_after=True)


def _read_japanese(said: str) -> Iterator[OrderPhrases]:
    for pattern in (_JA_UNTIL, _JA_WITHOUT):
        if found := pattern.match(said):
            yield OrderPhrases(found["first"], found["then"], is_ban=True)
            return
    if found := _JA_BEFORE.match(said):
        if re.search(_BANNED + r"(?:ください|下さい|こと|ね|よ)*$", found["first"]):
            yield OrderPhrases(found["then"], found["first"], is_ban=True)
            return
        yield OrderPhrases(found["first"], found["then"])
    for pattern in (_JA_STEPS, _JA_TOPIC, _JA_THEN):
        if found := pattern.match(said):
            yield OrderPhrases(found["first"], found["then"])
    for pattern in (_JA_AFTERWARDS, _JA_ONCE):
        if found := pattern.match(said):
            yield OrderPhrases(found["first"], found["then"], is_after=True)
