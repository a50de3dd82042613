"""Read the clauses of a rule, in English or Japanese: what each demands, forbids, allows or leaves free.

Two clauses are about the same where the same tools, values and words are left once the grammar, the general
verbs and the reason are taken away. What is left out here is left out of both, so that the list of what says
nothing is the whole judgement.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from hooklore.text.tool_kinds import find_tools, without_tools

Polarity = Literal["demand", "forbid", "allow", "exempt", "cancel"]
"""The stand of a clause to its object: `exempt` frees from what was demanded, `allow` from what was forbidden.

`cancel` speaks of a rule itself: `the squash rule is gone`.
"""

_MAX_READ = 600


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a rule: its own words, its polarity, and what it is about.

    `values` are (sort, value) of its numbers, days and languages. `is_contrast` is true of what only sets
    off another clause: `not npm`. `ends_another` is true of `… instead`, which does not name what it ends,
    `ends_all` of `no … any more`, which ends each case of it.
    """

    words: str
    polarity: Polarity
    tools: frozenset[str]
    terms: frozenset[str]
    values: tuple[tuple[str, str], ...]
    is_contrast: bool = False
    ends_another: bool = False
    ends_all: bool = False
    is_addition: bool = False


JAPANESE: Final = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_REASON = re.compile(
    r"\b(?:because|since|so that|so (?:we|it|they|the)\b|as (?:it|they|we|the)\b|otherwise|due to|to avoid|"
    r"to keep)\b[^.;!?\n]*|,\s*(?:the|they|it|that|there)\b[^,.;!?\n]*?(?:'s|'re|\b(?:is|are|was|has|have|"
    r"breaks?|gets?))\b[^.;!?\n]*|"
    r"\bfrom (?:this|next|the) \w+ on(?:wards?)?\b|,\s*\w+ (?:does|do|handles?|takes? care)\b[^.;!?\n]*|"
    r"\([^)\n]{0,200}\)|(?:から|ので|ため)(?:です|ね)?$|"
    r"（[^）\n]{0,200}）"
)
_MARKER = (
    r"(?:always|never|do not|don'?t|use|using|prefer|run|write|avoid|stop|only|instead|please|keep|put|call|"
    r"go with|stick (?:to|with)|no|no longer|you (?:may|can|must|should|need)|we (?:may|can|must|should|use|need)|"
    r"it is|it's|[\w.-]+ (?:is|are) (?:now |again )?(?:not |n't )?(?:allowed|forbidden|banned|fine|ok|okay|"
    r"prohibited|deprecated))\b"
)
_SPLIT = re.compile(
    rf"[.;!?\n]+(?=\s|$)|\s(?:—|–|-{{1,2}})\s|,\s*(?:(?:and|but|so|then)\s+)?(?={_MARKER})|\s(?:and|"
    rf"but)\s+(?={_MARKER})"
)
_CASE = re.compile(
    r"(?:in|on|for|at|within|when|whenever|if|before|after|during|while|outside|inside|as of|starting|unless|"
    r"until|once|from|going|moving|everywhere|henceforth|ok|okay|no|actually|and|but|so)\b"
)
"""The beginning of a piece that only says where or when the next one holds."""

_TERM = r"[\w./+@#-]*\w"
_CONTRASTS: Final = (
    re.compile(
        rf"^(?P<new>.*?),?\s+(?:and\s+)?(?:not|instead of|rather than|in place of|no longer|never)\s+"
        rf"(?:use\s+|with\s+)?(?P<old>{_TERM}(?:(?:,| or|,? nor| and)\s+{_TERM}){{0,4}})(?P<rest>.*)$"
    ),
    re.compile(
        rf"^(?P<new>.*?\b(?:prefer|choose|favou?r|pick)\b.*?)\s+(?:over|to)\s+(?P<old>{_TERM})(?P<rest>.*)$"
    ),
    re.compile(
        rf"^.*?\b(?:switch|mov|migrat|"
        rf"chang)\w*\b.{{0,30}}?\bfrom\s+(?P<old>{_TERM})\s+to\s+(?P<new>{_TERM})(?P<rest>.*)$"
    ),
    re.compile(
        rf"^.*?\breplac\w*\s+(?P<old>{_TERM})\s+(?:with|by)\s+(?P<new>{_TERM})(?P<rest>.*)$"
    ),
    re.compile(
        rf"^.*?\b(?:drop|ditch|forget)\s+(?P<old>{_TERM})\s+(?:for|in favou?r of)\s+(?P<new>{_TERM})(?P<rest>.*)$"
    ),
)
"""The forms in which an English clause says that one thing takes the place of another."""

_AUXILIARY = re.compile(
    r"(?:^|\b(?:do|does|did|must|may|shall|should|can|could|will|would|is|are|be|we|you|agents?|please|and|but|need|"
    r"ought|rather|better|so|,))\s*$"
)
"""The end of what stands before a `not` or `never` that denies a verb, and contrasts nothing."""

_JAPANESE_CONTRASTS: Final = (
    re.compile(
        r"^(?P<rest>(?:[^、。]{1,30}?[はにで](?![は、]))??)(?P<old>[^、。はにで]{1,40}?)"
        r"(?:では?なく(?:て)?|じゃなく(?:て)?|の代わりに|[をは]やめて|[をは]使わずに?|[をは]使わないで|"
        r"[をは]使うのをやめて)、?(?P<new>.+)$"
    ),
    re.compile(
        r"^(?P<rest>(?:[^、。]{1,30}?[はにで](?![は、]))??)(?P<old>[^、。はにで]{1,40}?)"
        r"より(?:も|は)?、?(?P<new>[^、。]{1,40}(?:がいい|が良い|が好き|を優先|を使).*)$"
    ),
    re.compile(
        r"^(?P<rest>(?:[^、。]{1,30}?[は])??)(?P<old>[^、。は]{1,40}?)から(?P<new>[^、。]{1,40}?)[にへ](?:変更|"
        r"移行|切り替|乗り換|変え|替え).*$"
    ),
)
_JAPANESE_SPLIT = re.compile(
    r"[。！？!?\n;；]+|(?<=禁止)、|(?<=こと)、|(?<=ない)、|(?<=ないで)、|(?<=使って)、|(?<=ください)、|"
    r"(?<=いい)、|(?<=よ)、|(?<=ね)、|"
    r"(?<=です)、|(?<=ます)、|(?<=やめて)、"
)

_CANCEL = re.compile(
    r"\b(?:forget|scrap|drop|ignore|lift|cancel|remove)\b.{0,60}\brules?\b"
    r"|\b(?:rule|ban|restriction)\b.{0,60}\b(?:gone|off|lifted|no longer|cancel|over|void|dropped|obsolete)"
    r"|(?:ルール|決まり|制限)(?:は|を)?、?(?:もう)?(?:廃止|撤廃|なし|無し|やめ|終了|取り消)"
)
_EXEMPT = re.compile(
    r"\b(?:no longer|not|never|don'?t|doesn'?t|do not|does not) (?:need|have|required?|necessary)\b"
    r"|\bneed(?: not|n'?t)\b|"
    r"\bno need\b|\boptional\b|なくて(?:も)?(?:いい|良い|よい|大丈夫|構わ)|不要|必要(?:は|が)?(?:ない|ありません)"
)
_FORBID = re.compile(
    r"\b(?:never|do ?n[o']t|dont|(?:must|may|shall|should|can|could|will|would)(?: ?not|n'?t)|avoid|stop(?:ped)?|"
    r"no longer(?! than)|forbidden|banned|prohibited|not allowed|disallowed|off[- ]limits|no more|refrain|quit|"
    r"not (?:to )?(?:use|run)|drop|ditch|deprecated)\b|^no\b"
    r"|ないで|ないこと|ないよう|ません|禁止|てはいけ|ては(?:だめ|ダメ|駄目)|やめ|せずに|は違う|ない(?:で|$)|"
    r"(?:する|使う|書く|触る|入れる|消す|置く|出す|作る|送る|上げる|込む)な(?:よ|ね)?$|ない$|NG"
)
_NO_PROHIBITION = re.compile(
    r"\b(?:don'?t|do not|never) (?:forget|hesitate|skip|omit|leave out)\b|忘れ(?:ないで|るな|ず)"
)
_ALLOW = re.compile(
    r"\b(?:may|can|allowed|fine|ok|okay|permitted|free to|acceptable|all right|alright|go ahead)\b|"
    r"(?:て|で)(?:も)?(?:いい|良い|よい|大丈夫|構わ|OK|ok)|許可|解禁|可(?:能|とする)?$"
)
_AGAIN = re.compile(
    r"\b(?:also|too|as well|additionally|in addition|besides)\b"
    r"|(?<!で)(?<!て)も(?:使|書|付|お願い|追加)|併用|併せて|加えて"
)
_ANY_MORE = re.compile(
    r"\b(?:stop(?:ped)?|any ?more|any longer|no longer(?! than)|no more)\b|もう|やめ|廃止|終わり"
)
_INSTEAD = re.compile(r"\binstead\b(?! of)|代わりに(?!し)|の方(?:が|で|を)")

_NUMBERS = {
    n: str(k)
    for k, n in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBERS)})\b")
_VALUE = re.compile(
    r"(?P<number>(?<![a-z0-9_.-])v?\d+(?:[.:]\d+)*)"
    r"|(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|weekends?\b|[月火水木金土日]曜日?|週末)"
    r"|(?P<language>\b(?:english|japanese|chinese|korean|french|german|spanish|italian|portuguese)\b|"
    r"日本語|和文|英語|英文|中国語|韓国語|フランス語|ドイツ語|スペイン語)"
)  # fmt: skip
_UNIT = re.compile(
    r"\s?-?(?:%|percent|(?:char|column|col|line|space|word|token|sentence|point|minute|min|second|sec|hour|day|"
    r"week|month|retr|time|"
    r"commit|approval|review|reviewer|level|step|kb|mb|gb|ms|px|am|pm)(?:acter)?(?:s|ies|y)?\b|文字|行|分|秒|日|"
    r"時|件|回|個|字|桁|人|名|スペース|"
    r"以内|以下|以上|未満|まで|を超え)",
)
_MEASURED = re.compile(
    r"(?:\b(?:under|below|above|over|most|least|max|maximum|min|minimum|limit|length|width|size|depth|coverage|"
    r"timeout|within|"
    r"than|exceed|exceeds|up to|port|version|python|node|node\.js|java|go|ruby|php|rust|typescript|react|"
    r"postgres|django)"
    r"(?: limit)?(?: (?:is|of|at|to|are|now|be|should be|must be))*[:=]?"
    r"|長さ|幅|上限|最大|以下|カバレッジ|"
    r"ポート|バージョン|は)\s*$"
)
"""The words before a number that is a measure. Any other number is a name: `endpoint 3`, `rule 12`."""

_SAME_VALUES = {"日本語": "japanese", "和文": "japanese", "英語": "english", "英文": "english",
                "中国語": "chinese", "韓国語": "korean", "フランス語": "french", "ドイツ語": "german",
                "スペイン語": "spanish"}  # fmt: skip
_SUBJECTS: Final = (
    (re.compile(r"\b(?:pull|merge) requests?\b|\b[pm]rs?\b|プルリク(?:エスト)?"), " pr "),
    (re.compile(r"\bcommits?(?: messages?)?\b|コミット(?:メッセージ)?"), " commit "),
    (re.compile(r"\bcomments?\b|コメント"), " comment "),
    (re.compile(r"\b(?:docs|documentation)\b|ドキュメント"), " docs "),
    (re.compile(r"\b(?:answer|reply|replies|respond|response|talk|speak)(?:s|es|ing)?\b(?: to me)?"
                r"|返答|回答|返事|返信|答え|応答"),
     " answer "),
    (re.compile(r"\btests?\b|テスト"), " test "),
    (re.compile(r"\bbranch(?:es)?(?: names?)?\b|ブランチ(?:名)?"), " branch "),
    (re.compile(r"\bgithub actions\b"), " github-actions "),
    (re.compile(r"\bgitlab ci\b"), " gitlab-ci "),
    (re.compile(r"\bsingle[- ]quot(?:es|ed strings?)\b"), " single-quotes "),
    (re.compile(r"\bdouble[- ]quot(?:es|ed strings?)\b"), " double-quotes "),
)  # fmt: skip
"""Names of one thing, in both languages."""

_WORD = re.compile(
    r"[a-z_][\w.+/@#-]*\w|[a-z]\b|[/~.][\w./-]*\w|[ァ-ヶー]{2,}|[一-龥々]|[\u3041-\u3096]{2,}",
    re.ASCII,
)
_EMPTY: Final = frozenset(
    "a an the this that these those it its in on at to for of from by with into onto as and or but so then than "
    "i we you they me us our my your their he she who which there here "
    "be is are was been being am do does did doing have has had having will would shall should must may might can "
    "could need needs ought want wants like let lets let's please pls just really only ever even still yet "
    "always never not no nor don't dont don doesn't cannot n't "
    "use uses used using run runs running call calls go goes went pick choose take takes make prefer prefers keep "
    "keeps set write writes written writing put stick work works "
    "new existing add adds adding added include includes rule rules ban restriction gone lifted scrap "
    "forget ignore cancel void obsolete sprint "
    "project projects repo repository codebase everywhere anywhere all every any each everything team agent agents "
    "session sessions now today onward onwards again anymore more longer moving going forward henceforth future "
    "directly straight instead rather also too rule rules policy convention default explicitly absolutely "
    "strictly ok okay fine allowed permitted acceptable forbidden banned prohibited disallowed deprecated avoid "
    "stop stopped quit drop refrain optional required necessary required free ahead over switch switched move "
    "moved migrate migrated change changed replace replaced actually remember that's from "
    "max maximum most up limit limits limited below under within less exceed exceeds length characters character "
    "chars char columns column cols long wide width at about".split()
)
_JAPANESE_EMPTY = re.compile(
    r"今後|以降|以後|常に|必ず|必要|毎回|毎度|毎日|絶対|決して|二度|使用|利用|使|書[いくか]|禁止|厳禁|不要|不可|"
    r"廃止|代わ|下さい|願い|優先|許可|"
    r"解禁|可能|変更|移行|切り替え?|直接|乗り換え?|変え|替え|全部|全て|全|違う|行[うっわ]|以内|以下|最大|"
    r"(?<!絵)文字|幅|"
    r"今日|次回|今度|本当|上限|勝手|撤廃|終了|制限|ルール|決まり|"
    r"統一|済み|時|際|場合|度"
)
"""Words that say nothing of what a rule is about."""

_ALIKE = dict.fromkeys(("touch", "modify", "alter"), "edit")
_OF_A_PATH = frozenset(("fil", "folder", "directory"))
"""Words that a path beside them makes needless."""

_HIRAGANA = re.compile("[\u3041-\u3096]+")
_DENIED = re.compile(r"\b\w+n't\b|'\w+\b", re.ASCII)
_JAPANESE_GRAMMAR = re.compile(
    r"(?:して|で|て)?(?:ください|くださいね|ほしい|おいて|おく)|しないで|しない(?:こと)?|すること|するな|する|"
    r"して|した|します|しま|"
    r"できる|ように|よう|こと|には|では|とは|から|まで|ので|ため|だけ|もの|です|ます|ません|ないで|ない|なくて|"
    r"いつも|これ|それ|その|この|いい|よい|また|もう|という|など|について|つねに|かならず|なく|じゃ|ずに|やめ|さい|"
    r"のみ|より|って|たび|ところ|(?<![a-z])ok(?![a-z])|ほう|おねが|いけ|だめ|ても|でも|にも|とも|くて|れて"
)


@lru_cache(maxsize=2048)
def read_clauses(rule: str) -> tuple[Clause, ...]:
    """Return the clauses of a rule of at most 600 characters, in their order."""
    text = unicodedata.normalize("NFKC", rule[:_MAX_READ]).lower().replace("’", "'")
    text = _REASON.sub(" ", text)
    is_japanese = JAPANESE.search(text) is not None
    pieces = (
        filter(None, map(str.strip, _JAPANESE_SPLIT.split(text))) if is_japanese else _joined(text)
    )
    clauses: list[Clause] = []
    for piece in pieces:
        forms = _JAPANESE_CONTRASTS if is_japanese else _CONTRASTS
        found = next(filter(None, (each.match(piece) for each in forms)), None)
        if found and not is_japanese and (_EXEMPT.search(piece) or _AUXILIARY.search(found["new"])):
            found = None
        clauses += _contrasted(found) if found else [_clause(piece, piece)]
    return tuple(clauses)


def _joined(text: str) -> Iterator[str]:
    """Yield the pieces of a text, each with the case before it in which it holds. The last may be a case alone."""
    case = ""
    for piece in filter(None, (part.strip(" ,:-") for part in _SPLIT.split(text))):
        if _CASE.match(piece) and not re.search(_MARKER, piece):
            case = f"{case} {piece}"
            continue
        yield f"{case} {piece}".strip()
        case = ""
    if case:
        yield case.strip()


def _contrasted(found: re.Match[str]) -> Iterator[Clause]:
    """Yield what takes another thing's place, then that thing, both with the words beside them."""
    new, old, rest = found["new"], found["old"], found["rest"]
    rest = rest.split(",", maxsplit=1)[0]
    demanded = _clause(f"{new} {rest}", f"{new} {rest}".strip())
    yield demanded
    beside = f"{new} {rest}" if find_tools(old) else ""
    about = _clause(beside, old)
    own = _clause(old, old)
    opposite: Polarity = "forbid" if demanded.polarity in ("demand", "allow") else "demand"
    yield Clause(
        found[0] if not old else f"not {old.strip()}", opposite, own.tools,
        (about.terms if own.tools else own.terms), own.values, is_contrast=True,
    )  # fmt: skip


def _clause(text: str, words: str) -> Clause:
    alike = text
    for pattern, name in _SUBJECTS:
        alike = pattern.sub(name, alike)
    named, values = _take_values(_NUMBER_WORD.sub(lambda found: _NUMBERS[found[0]], alike))
    numbers = frozenset(each[0] for each in _VALUE.finditer(named))
    return Clause(
        " ".join(words.split()),
        _polarity(text),
        frozenset(find_tools(named)),
        find_terms(without_tools(named)) | numbers,
        values,
        ends_another=_INSTEAD.search(text) is not None,
        ends_all=_ANY_MORE.search(text) is not None,
        is_addition=_AGAIN.search(text) is not None,
    )


def _take_values(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return a text without its values, and the values with their sorts."""
    found = [each for each in _VALUE.finditer(text) if _is_value(text, each)]
    values: list[tuple[str, str]] = []
    for each in found:
        # a day without its plural, a language by its English name
        value = each[0].removeprefix("v").removesuffix("s").removesuffix("日")
        values.append((str(each.lastgroup), _SAME_VALUES.get(value, value)))
    for each in reversed(found):
        text = f"{text[: each.start()]} {text[each.end() :]}"
    return text, tuple(values)


def _is_value(text: str, found: re.Match[str]) -> bool:
    """Return whether a day, a language or a number is a value. A number is one with a unit, or as a measure."""
    if found.lastgroup != "number":
        return True
    return bool(_UNIT.match(text, found.end()) or _MEASURED.search(text[: found.start()]))


def _polarity(text: str) -> Polarity:
    if _CANCEL.search(text):
        return "cancel"
    if _EXEMPT.search(text):
        return "exempt"
    if _ALLOW.search(text) and not re.search(
        r"not (?:allowed|fine|ok)|can'?t|cannot|may not|can not", text
    ):
        return "allow"
    if _FORBID.search(text) and not _NO_PROHIBITION.search(text):
        return "forbid"
    return "demand"


def find_terms(text: str) -> frozenset[str]:
    """Return the words by which a clause says what it is about, without their endings."""
    plain = _JAPANESE_GRAMMAR.sub(" ", _JAPANESE_EMPTY.sub(" ", _DENIED.sub(" ", text)))
    words = (word.strip("./-+") for word in _WORD.findall(plain.replace("-", " ")))
    if not JAPANESE.search(text):  # there a word in Latin letters is a name
        words = (word for word in words if word not in _EMPTY and _stem(word) not in _EMPTY_STEMS)
    found = frozenset(_ALIKE.get(stem, stem) for stem in map(_stem, words) if stem)
    if "/" in text:
        found -= _OF_A_PATH
    written = frozenset(word for word in found if not _HIRAGANA.fullmatch(word))
    # Beside two words of the subject, what is left in hiragana is grammar.
    return written if len(written) > 1 else found


def _stem(word: str) -> str:
    """Return a word without its ending, so that the forms of one word are compared as one."""
    if not word.isascii():
        return word[:-1] if re.fullmatch("[\u3041-\u3096]{3,}[てでりい]", word) else word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    is_doubled = len(word) > 4 and word[-1] == word[-2] and word[-1] in "tnpgmrdb"
    return word[:-1] if is_doubled else word.rstrip("e") if len(word) > 3 else word


_EMPTY_STEMS = frozenset(_stem(word) for word in _EMPTY)
