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
_MAX_STEPS = 8


class OrderPhrases(NamedTuple):
    """The phrases of one order.

    `first` names the step that is due and `then` the step before which it is due. Where `is_after`, the
    due step comes after `then`. `case` is the condition in front: `when you touch the API`. `is_ban` is true
    for `never Y before X`, and `is_listed` for steps of a list: A → B → C.
    """

    first: str
    then: str
    is_after: bool = False
    case: str = ""
    is_ban: bool = False
    is_listed: bool = False


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
    r"(?:never(?: ever)?|do not|don['’]?t(?: you (?:dare|ever)| bother)?|must not|mustn['’]?t|avoid|no|"
    r"nobody|no one|"
    r"(?:nothing|no code|no changes?|no branch|no pr) (?:gets?|is|goes|may be|should be|can be)|"
    r"(?:you|we|agents?) (?:must|should|may|can) (?:not|never)|(?:you|we) (?:can['’]?t|cannot)|not allowed to)"
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
    rf"with(?=\s(?:failing|broken|red|lint|type|unformatted|untested|uncommitted)\b)|"
    rf"(?:that|which|if \w+) (?:hasn['’]?t|has not|haven['’]?t|have not|isn['’]?t|is not|aren['’]?t|"
    rf"wasn['’]?t|was not)(?: been)?|"
    rf"(?:if|when|while)(?=.*\b(?:fail\w*|red|broken|not (?:been )?(?:run|pass\w*)|haven't|hasn't|"
    rf"unformatted)\b))\s+(?P<first>.+)$",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"^(?:(?:(?:you|we|agents?)\s+)?(?:(?:may|can|should|must|are allowed to)\s+)?only\s+(?P<then>.+?)|"
    r"(?P<then2>.+?),?\s+(?:but )?only)\s+"
    r"(?:after|once|when|if)\s+(?!(?:that|which)\b)(?P<first>.+)$",
    re.IGNORECASE,
)
_UNDONE = re.compile(
    rf"^(?:always\s)?{_NOT}\s+(?P<then>[a-z-]+(?:\s[a-z]+){{0,2}}?)\s+(?:any\s)?un(?P<first>formatted|"
    rf"linted|tested|built|reviewed)\b.*$",
    re.IGNORECASE,
)
_UNASKED = re.compile(
    rf"^(?:always\s)?{_NOT}\s+(?P<then>.+?)\s+(?:on your own|by yourself|yourself|unasked|unprompted|"
    rf"silently|on your own initiative)$",
    re.IGNORECASE,
)
_FIRST_SECOND = re.compile(
    r"^(?!if\b|when)(?P<first>.+?)\s+first\s*(?P<note>\([^)]*\))?\s*[,;–—-]\s*(?:and\s+|then\s+|"
    r"only\s+)*(?P<then>.+?)(?:\s+(?:second|later|next|afterwards|last|after(?:\sthat)?))?$",
    re.IGNORECASE,
)
_PRECEDED = re.compile(
    r"^(?P<then>.+?)\s+(?:(?:must|should|has to|have to|needs? to)\s+(?:always\s+)?(?:be preceded by|come "
    r"after|follow|wait for)|"
    r"(?:is|are|gets?) (?:always )?preceded by|comes? after|waits? for)\s+"
    r"(?P<first>.+)$",
    re.IGNORECASE,
)
_FIRST_THEN = re.compile(
    r"^(?!if\b|when\b|whenever\b)(?:first(?:ly)?,?\s+)?(?P<first>.+?)(?:,?\s+first)?[,;]?\s+"
    r"(?:and\s+)?(?:only\s+)?(?:then|afterwards|after (?:that|which))\s+"
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
_BEFOREHAND = re.compile(
    r"^(?:if|when(?:ever)?|every time|any time)\s+(?:you|we|i)(?:['’]re| are)?\s+(?:(?:about|going|want|"
    r"need) to\s+)?(?P<then>.+?),?\s+"
    r"(?:(?:you|we)\s+(?:always\s+|must\s+|should\s+)?)?(?P<first>(?:take|make|run|do|ask|get|have|check|"
    r"pull|create|write|back)\b.+?)"
    r",?\s+(?:first|beforehand|in advance|before that|up front)$",
    re.IGNORECASE,
)
_FIRST_DUE = (
    _BEFORE_COMMA, _BEFORE_BARE, _BEFOREHAND, _WHEN_FIRST, _X_BEFORE, _PRECEDED, _FIRST_SECOND, _FIRST_THEN,
)  # fmt: skip
_AFTER_COMMA = re.compile(
    rf"^{_DONE_TO}(?:after|once)\s+(?P<then>[^,:]+?)\s*[,:–—]\s*(?P<first>.+)$", re.IGNORECASE
)
_AFTER_BARE = re.compile(
    rf"^{_DONE_TO}(?:after|once)\s+(?P<then>[^,:]+?)\s+(?={_IMPERATIVE}\b(?! request))(?P<first>.+)$",
    re.IGNORECASE,
)
_X_AFTER = re.compile(rf"^(?P<first>.+?),?\s+{_DONE_TO}(?:after)\s+(?P<then>.+)$", re.IGNORECASE)
_CASE = re.compile(
    r"^(?P<case>(?:when(?:ever)?|if|every time|each time|after|once)\s+(?:you|we|i)(?:'ve)?\s+[^,:]{2,60}?|"
    r"(?:when(?:ever)?|if|after|once|every time)\s+(?:an?|the|any|some)\s+[^,:]{2,60}?\s(?:(?:gets?|is|"
    r"are|was|were|ha[sv]e? been)\s[a-z]+|chang(?:ed|es?))|"
    r"(?:after|on|with|for|at)\s+(?:an?|any|every|each)\s+(?:change|edit)s?\s+(?:in|of|to)\s+[^,:]{2,40}?|"
    r"(?:when|after)\s+[a-z]+ing\s[^,]{2,60}?|(?:for|in) [^,]{2,40}?(?:files?|changes|code)?)[,:]\s+(?P<rest>.+)$",
    re.IGNORECASE,
)

_JA_CASE = re.compile(
    r"^(?P<case>[^、]{2,40}?(?:(?:とき|時|場合|際|(?<=た)(?:後|あと))に?は?、|たら、?|(?<=た)(?:後|"
    r"あと)は))(?P<rest>.+)$"
)

_IN_ORDER = re.compile(
    r"\W*\b(?:always )?in (?:exactly )?(?:that|this|the following) (?:order|sequence)\b|、?(?:の|という|"
    r"この)?順(?:番|序)?(?:で|に|を|厳守|は|だ|$)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^(?:when|for|to|on)\s[a-z ]{3,24}:\s*", re.IGNORECASE)
_NEXT = re.compile(
    r"^(?:(?:and\s+)?(?:only\s+)?then|after that|afterwards|next|その後|そのあと|次に|"
    r"それから)(?:で|に)?[,、]?\s*",
    re.IGNORECASE,
)
_JA_FIRST = re.compile(r"^(?:first(?:ly)?[,:]?\s+|(?:まず|最初に|先に)は?、?)", re.IGNORECASE)
_ARROW = re.compile(r"\s*(?:→|⇒|->|=>)\s*")
_COMMA = re.compile(
    r"\s*(?:,\s*(?:and\s+)?(?:then\s+)?|、|\band then\b|\bthen\b|してから|それから|"
    r"次に)\s*",
    re.IGNORECASE,
)
_JA_TAIL = re.compile(
    r"、[^、]{2,60}?(?:ので|(?<![てで])から|んで|ため|けど|ん?だから)(?:です)?(?:ね|な|よ)?$"
)

_BANNED = (
    r"(?:し(?:ない|ては(?:いけ|だめ|ダメ|なら))|するな|禁止|[ぁ-ん]{0,3}ない(?:で|こと|でください)|"
    r"てはいけない|ません|[ぁ-ん]{0,2}ない$|[うくすつぬぶむるぐ]な(?:よ|ね)?$)"
)
_JA_UNTIL = re.compile(
    r"^(?P<first>[^、]+?)(?:し?(?:終わ)?[るうくすつぬむぶぐ](?:まで)|(?<!まで)まで)(?:は|に)?、?\s*(?P<then>.+?)"
    + _BANNED
)
_JA_WITHOUT = re.compile(
    r"^(?P<first>.+?)(?:をせずに?|せずに?|[かがさたなばまらわ]ずに?|しないで|ないまま|[てで]い?ない(?:状態|"
    r"うち|コード|変更|もの|ブランチ|まま)?(?:で|を)?(?:は|に)?|な(?:し[にで]|く)(?:は)?|しない限り|ない限り)"
    r"(?:は|の)?、?\s*(?P<then>.+?)" + _BANNED
)
_JA_UNASKED = re.compile(
    r"(?:^|、)(?:勝手に|無断で|黙って|断りなく)\s*(?P<then>[^、]+?)(?:するな|すんな|しない|しちゃ|しては|"
    r"禁止|[かがさたなばまらわ]ない)"
)
_JA_BEFORE = re.compile(
    r"^(?P<then>[^、]+?)\s*(?<!以)(?<!目の)(?<!手)(?<!寸)(?:直)?(?:前|まえ)(?:に(?:は|も|、|必ず|まず)?|は|には|、|"
    r"必ず)[、\s]*(?P<first>.+)$"
)
_JA_TOPIC = re.compile(
    r"^(?P<then>[^、]+?)(?:の|こと)?は、?\s*(?P<first>[^、]+?(?:[てで]から|[ただ](?:後|あと)))(?:に|で|ね|"
    r"だけ|の?こと|です|だ|な|、|$)"
)
_JA_TOPIC_THEN = re.compile(
    r"^(?P<then>[^、]+?)は、?\s*(?P<first>[^、]+?(?:[てで]から|[ただ](?:後|"
    r"あと)))[^、]{1,12}$"
)
_JA_THEN = re.compile(r"^(?P<first>.+?[てで])から(?:、|は|に)?\s*(?P<then>.+)$")
_JA_STEPS = re.compile(
    r"^(?:まず|最初に|先に|はじめに)は?、?\s*(?P<first>.+)(?:し|、)(?:て|、)?\s*(?:、?(?:次に|それから|"
    r"その後|そのあと|その後で))、?\s*(?P<then>.+)$"
)
_JA_AFTERWARDS = re.compile(
    r"^(?P<then>.+?)(?<![以今直最])(?<!その)(?:[ただ]|の|(?=後))(?:後|あと|のち)(?:に?は|に|で|、|"
    r"必ず)、?\s*(?P<first>.+)$"
)
_JA_WHEN_FIRST = re.compile(
    r"^(?P<then>[^、]+?)\s*(?:際|時|とき|場合|ん?なら)(?:に?は|に)?、?\s*(?:必ず|まず|最初に|先に|事前に|"
    r"あらかじめ|その前に)+、?(?P<first>.+)$"
)
_JA_ONCE = re.compile(
    r"^(?P<then>.+?)(?:したら|したらば|えたら|ったら|いたら|んだら|れたら)、?\s*(?P<first>.+)$"
)

_TAIL = re.compile(
    r"\s*(?:(?:,\s*)?\b(?:because|since|so that|otherwise|or else|else|as (?:it|the|we|they)|or (?:the|it|"
    r"else|ci))\b.*|"
    r"(?:,\s*)?\b(?:please|always|every time|each time|no exceptions|thanks)\W*)$",
    re.IGNORECASE,
)


@lru_cache(maxsize=2048)
def find_order_phrases(text: str) -> tuple[tuple[OrderPhrases, ...], ...]:
    """Return for each sentence of a rule the ways to read it as an order, the most certain way first.

    At most eight sentences in the first 600 characters are read.
    """
    parts = [each.strip() for each in _SENTENCE.split(text[:_MAX_READ])]
    sentences = [each for each in parts if each][:_MAX_SENTENCES]
    found: list[tuple[OrderPhrases, ...]] = []
    for said, following in zip(sentences, [*sentences, ""][1:], strict=True):
        listed = tuple(_read_sequence(_LEAD.sub("", said), following))
        found += [(each,) for each in listed] or [tuple(_read(_LEAD.sub("", said)))]
    return tuple(filter(None, found))


def _read_sequence(sentence: str, following: str) -> Iterator[OrderPhrases]:
    """Yield an order for each step of a list of steps: `lint, test, push, in that order`, A → B → C."""
    said, _, case = _split_case(sentence)
    is_ordered = _IN_ORDER.search(said) or _IN_ORDER.match(following)
    steps = _ARROW.split(_HEADING.sub("", said))
    if _NEXT.match(following):
        steps = [_JA_FIRST.sub("", said), _NEXT.sub("", following)]
    if len(steps) < 2 and is_ordered:
        steps = _COMMA.split(_IN_ORDER.split(_HEADING.sub("", said))[0])
    steps = [step.strip(" -–—,、") for step in steps if step and step.strip(" -–—,、")]
    for place in range(1, len(steps[:_MAX_STEPS])):
        last = _IN_ORDER.split(steps[place])[0].strip(" -–—,、の")
        yield OrderPhrases(", ".join(steps[:place]), last, case=case, is_listed=True)


def _split_case(said: str) -> tuple[str, str, str]:
    """Return what stands behind the condition of a sentence, how it is to be read, and the condition."""
    for pattern, language in ((_CASE, "en"), (_JA_CASE, "ja")):
        if found := pattern.match(said):
            return _LEAD.sub("", found["rest"]), language, found["case"]
    return said, "", ""


def _read(sentence: str) -> Iterator[OrderPhrases]:
    said = _JA_TAIL.sub("", _TAIL.sub("", sentence.rstrip(" .!")).strip())
    rest, language, case = _split_case(said)
    if case:
        behind = _read_english(rest) if language == "en" else _read_japanese(rest)
        yield from (each._replace(case=case) for each in behind)
    yield from _read_english(said)
    if not said.isascii():
        yield from _read_japanese(said)


def _read_english(said: str) -> Iterator[OrderPhrases]:
    if found := _UNASKED.match(said):
        yield OrderPhrases("ask", found["then"], is_ban=True)
        return
    if found := _UNDONE.match(said) or _BAN.match(said):
        yield OrderPhrases(found["first"], found["then"], is_ban=True)
        return
    if found := _ONLY.match(said):
        yield OrderPhrases(found["first"], found["then"] or found["then2"])
    for pattern in _FIRST_DUE:
        if found := pattern.match(said):
            note = found.groupdict().get("note") or ""
            yield OrderPhrases(f"{found['first']} {note}".rstrip(), found["then"])
    for pattern in (_AFTER_COMMA, _AFTER_BARE, _X_AFTER):
        if found := pattern.match(said):
            yield OrderPhrases(found["first"], found["then"], is_after=True)


def _read_japanese(said: str) -> Iterator[OrderPhrases]:
    if found := _JA_UNASKED.search(said):
        yield OrderPhrases("許可", found["then"], is_ban=True)
    for pattern in (_JA_UNTIL, _JA_WITHOUT):
        if found := pattern.match(said):
            yield OrderPhrases(found["first"], found["then"], is_ban=True)
            return
    if found := _JA_BEFORE.match(said):
        if re.search(_BANNED + r"(?:ください|下さい|こと|ね|よ)*$", found["first"]):
            yield OrderPhrases(found["then"], found["first"], is_ban=True)
            return
        yield OrderPhrases(found["first"], found["then"])
    for pattern in (_JA_STEPS, _JA_WHEN_FIRST, _JA_TOPIC, _JA_THEN, _JA_TOPIC_THEN):
        if found := pattern.match(said):
            yield OrderPhrases(found["first"], found["then"])
    for pattern in (_JA_AFTERWARDS, _JA_ONCE):
        if found := pattern.match(said):
            yield OrderPhrases(found["first"], found["then"], is_after=True)
