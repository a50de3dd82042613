"""Tell the questions by which a person takes up earlier work: two tables of words, English and Japanese.

A question is known by its words and not by its form: what is left of it without words about how work stands,
words of going on, of earlier days and of grammar is nothing, or the topic that it names. A topic counts only
where an earlier session was about it, which whoever asks memory finds out.
"""

import re
import unicodedata
from typing import NamedTuple

from hooklore.retrieval.query import LONGEST_ASKING

_MAX_TOPIC_WORDS = 4
_LONGEST_SENTENCE = 120
_BARE_WORDS, _BARE_CHARACTERS = 3, 8
"""Words and Japanese characters of a prompt that asks without a word that asks: `open items`, 残り."""

_LEAST_TYPO = 5


class ResumeQuestion(NamedTuple):
    """A question about earlier work: its `topic`, "" for the work of this branch.

    `goes_on` is true for words that approve the next step once a session is under way: `continue`, 続けて.
    `is_past` is true for one that names an earlier time.
    """

    topic: str = ""
    goes_on: bool = False
    is_past: bool = False


_ASKS = frozenset(
    "what whats what's which where wheres where's how how's any anything something there tell show list give"
    " remind recap sum summarise summarize summary summaries catch fill bring refresh overview rundown remember"
    " recall update did".split()
)
_STANDS = frozenset(
    "left leftover leftovers remain remains remaining rest open pending unfinished outstanding missing undone"
    " incomplete todo todos to-do to-dos done finish finished complete completed next progress status state stand"
    " standing loose halfway waiting wait waits blocked stuck further far stop stopped".split()
)
_GOES_ON = frozenset("continue resume proceed carry go pick get take keep back restart on".split())
_RESUMES = re.compile(
    r"\b(?:continue|resume|proceed|(?:carry|go|keep|move) (?:on|going)|pick (?:it |this |things )?(?:back )?up"
    r"|(?:get|go|come)? ?back to|take (?:it |this )?up(?: again)?|where .{0,30}\bleft (?:off|it))\b"
)
_LEFT_PHRASE = re.compile(
    r"\bwhere (?:were|we (?:are|left|stopped|stand))\b|\b(?:still|had|left|wanted) to do\b"
    r"|\b(?:did not|didn't) get to\b|\bwhat(?:'?s| is) next (?:on|for|with|in|about)\b"
)
_LEFT = frozenset(
    "left leftover leftovers remain remains remaining open pending unfinished outstanding undone incomplete todo"
    " todos to-do to-dos progress status state loose halfway blocked".split()
)
"""Words that say of a topic that its work is not done. `next`, `far` and `stopped` are said of much else."""
_BEGINS = re.compile(
    r"\W*(?:(?:ok|okay|so|now|then|let'?s|please|pls|can|could|shall|i|we|you|want|like|would|to|where|back)\W+)*"
    r"(?:continue|resume|proceed|carry|go|keep|move|pick|get|come|take|did)\b(?!\s*,)"
)
"""The beginning of a sentence that goes on with what it names."""
_PAST = frozenset(
    "were was had did been last yesterday earlier previous previously before ago away off stopped died crashed"
    " monday tuesday wednesday thursday friday saturday sunday weekend holiday holidays week weeks morning night"
    " time session".split()
)
_GRAMMAR = frozenset(
    "a an the this that these those it its i i'm im i've we we're we've you your our my me us he she they things"
    " thing is are am be do does don't haven't hadn't hasn't didn't isn't aren't have has having get got getting"
    " gotten can could would will shall should must need needs want wanted and or but so then than if before"
    " when while with on of in for from at about to up by as into again still now yet here also just please pls"
    " plz thanks thank hi hey hello ok okay well right good afternoon evening day days today back new first"
    " second one ones whatever wherever off out some more else already all only exactly let let's lets me start"
    " starting started begin work working worked works task tasks item items point points step steps ends"
    " end up-to-date speed date branch project repo doing over leave leaving made make making come came through"
    " both not no much many two few decision decisions answer answers input laptop computer machine context whole"
    " quick sorry long there's ever"
    " round chat thread had off finally".split()
)
_APPROVES = re.compile(
    r"(?:yes|yep|yeah|sure|fine|perfect|great|nice|cool|agreed|exactly|correct|sounds|looks|lgtm"
    r"|(?:ok|okay)[,.]? (?:continue|proceed|go|carry|do)"
    r"|はい|うん|ええ|いいね|いいよ|了解|承知|その|それで|ok[、。]|おk|オーケー)"
    r"(?![a-z])",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"\b(?:until|till|if|because|unless|instead|while|without|rather)\b|[`{}「」()\[\]=;<>|/\\@#$%]|\w\.\w|\w_\w"
    r"|\bleft of\b"
)
"""Words and signs of a sentence about code, or one that says how to do something."""

_JAPANESE_STANDS = re.compile(
    r"残り|のこり|残って|のこって|残した|残作業|残タスク|残件|積み残し|やり残し|保留(?!中の)|手つかず|どこで(?:終|止)|まだ.{0,6}(?:ない|なかった)|終わって(?:い)?ない|できて(?:い)?ない"
    r"|や(?:って|れて)(?:い)?ない|未完了?|未着手|未対応|途中(?!経過|参加)|やりかけ|中断(?!され)|どこまで|進捗|進み具合|進行状況|状況|現状|経緯|待ち|やること"
    r"|やったこと|次(?:は|に|の)?(?:何|なに|なん|やる|する|どう|作業|タスク|ステップ|手)|あと(?:は)?(?:何|なに)|何が(?:まだ)?残|todo|ToDo"
)
_JAPANESE_RESUMES = re.compile(
    r"続き(?!を読|番号|ボタン)|つづき|続けて|続けよう|続行|再開|引き続き|引き継"
)
_JAPANESE_PAST = re.compile(
    r"前回|昨日|昨夜|きのう|先週|先日|この前|こないだ|この間|さっき|[月火水木金土日]曜(?:日)?|セッション|(?:週間|日|年)?ぶり|っけ"
    r"|だった|てた|ていた|落ちた"
)
_JAPANESE_ASKS = re.compile(
    r"[?？]|か$|っけ|何|なに|なん|どこ|どれ|教え|おしえ|まとめ|出して|見せ|知り|一覧|整理|報告|片付け|頼|たの|願|お願|おねが|進め|再開"
    r"|から(?:$|、?(?:お願|頼|進|始|再開|やって|いこ|行こ))|よろしく"
)
_JAPANESE_WORD = re.compile("[一-龥々]+|[ァ-ヶー]{2,}|[a-z0-9]{2,}")
_JAPANESE_GRAMMAR = re.compile(
    r"一覧|[一二三四五0-9]+(?=週|日|年|か|ヶ|個|つ|\s)|教|知|見|出|願|頼|進|始|片付|整理|報告|確認|今日|今週|今朝|今|何|自分|私|件|方|所|事|物|分|作業|項目|仕事|部分|話"
    r"|回答|返事|判断|承認|決|必要|全部|全体|早|終|残|思|忘|前|中|後|日|週|次|手|状態|感じ|続|済|ブランチ|マージ|タスク|リスト|ステップ"
    r"|プロジェクト|リポジトリ|セッション|ところ|やつ|おはよ|todo|ok"
)
_SENTENCE_END = re.compile(r"(?<=[.?!…])\s+|(?<=[。？！])\s*|\n+")
_WORD = re.compile(r"[\w'’-]+")
_CJK = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


def find_resume_question(prompt: str) -> ResumeQuestion | None:
    """Return the question about earlier work that a prompt is, or begins or ends with; None for any other."""
    said = unicodedata.normalize("NFKC", prompt).strip().lower().replace("’", "'")
    if not 1 < len(said) <= LONGEST_ASKING or _APPROVES.match(said):
        return None
    sentences = [each for each in _SENTENCE_END.split(said) if _WORD.search(each)]
    read = (
        _read_japanese(each) if _CJK.search(each) else _read_english(each)
        for each in (*sentences[:1], *sentences[-1:])
        if len(each) <= _LONGEST_SENTENCE
    )
    found = [each for each in read if each is not None]
    return min(found, key=lambda each: bool(each.topic), default=None)


def _read_english(sentence: str) -> ResumeQuestion | None:
    words = [_spell(word) for word in _WORD.findall(sentence)]
    resumes = _RESUMES.search(" ".join(words)) is not None
    says_left = _LEFT_PHRASE.search(sentence) is not None
    stands = says_left or not _STANDS.isdisjoint(words)
    known = _ASKS | _STANDS | _PAST | _GRAMMAR | (_GOES_ON if resumes else frozenset())
    others = [word for word in words if word not in known]
    if _ORDERS.search(sentence) or len(others) > _MAX_TOPIC_WORDS:
        return None
    asks = not _ASKS.isdisjoint(words) or sentence.rstrip().endswith("?")
    if not (resumes or (stands and (asks or len(words) <= _BARE_WORDS))):
        return None
    is_left = says_left or not _LEFT.isdisjoint(words)
    if others and not (is_left or (resumes and _BEGINS.match(sentence))):
        return None
    is_past = not _PAST.isdisjoint(words)
    goes_on = not others and not is_past and (resumes or not asks)
    return ResumeQuestion(" ".join(others), goes_on, is_past)


def _read_japanese(sentence: str) -> ResumeQuestion | None:
    """Return the question of a Japanese sentence: what is no cue and no hiragana is its topic."""
    said = "".join(sentence.split())
    resumes, stands = _JAPANESE_RESUMES.search(said), _JAPANESE_STANDS.search(said)
    asks = _JAPANESE_ASKS.search(said) or len(said) <= _BARE_CHARACTERS
    if _ORDERS.search(sentence) or not (resumes or stands) or not asks:
        return None
    rest = said
    for cue in (_JAPANESE_STANDS, _JAPANESE_RESUMES, _JAPANESE_PAST, _JAPANESE_GRAMMAR):
        rest = cue.sub(" ", rest)
    topic = _JAPANESE_WORD.findall(rest)
    if len(topic) > _MAX_TOPIC_WORDS:
        return None
    is_past = _JAPANESE_PAST.search(said) is not None
    return ResumeQuestion(" ".join(topic), not topic and not is_past and bool(resumes), is_past)


def _spell(word: str) -> str:
    """Return the known word that a word is with two letters exchanged, else the word."""
    known = _ASKS | _STANDS | _GOES_ON | _PAST | _GRAMMAR
    if (len(word) < _LEAST_TYPO and word != "teh") or word in known:
        return word
    letters = sorted(word)
    return next((k for k in known if k[0] == word[0] and sorted(k) == letters), word)
