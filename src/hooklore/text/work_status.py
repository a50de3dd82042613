"""The status that a clause of an answer gives to a piece of work: to do, blocked, waiting, an idea, done.

By a table of forms in English and Japanese. A clause is what stands between semicolons and the like.
"""

import re
from typing import Literal, NamedTuple

WorkStatus = Literal["next_actions", "blocked", "waiting", "ideas", "done", "dropped", "negated"]

LEFT_STATUSES: tuple[WorkStatus, ...] = ("next_actions", "blocked", "waiting", "ideas")
"""Statuses of work that is not done, in the order in which they are told. What is only `negated` is no work."""

_MAX_PARTS = 6
_MAX_PART_WORDS = 7
_MAX_PART_CHARACTERS = 60


class Clause(NamedTuple):
    """The status of a clause, None where the clause has none, and the work that it is about."""

    status: WorkStatus | None
    subject: str


class _Form:
    """Forms of one status, and pieces of words of which a clause with any of the forms has one."""

    def __init__(self, pieces: str, *forms: str) -> None:
        self._pieces = tuple(piece.replace("_", " ") for piece in pieces.split())
        self._forms = tuple(re.compile(form, re.IGNORECASE) for form in forms)

    def search(self, said: str) -> re.Match[str] | None:
        """Return the first form that a clause has."""
        lower = said.lower()
        if not any(piece in lower for piece in self._pieces):
            return None
        return next((found for form in self._forms if (found := form.search(said))), None)


_BLOCKED = _Form(
    "block stuck held can't cannot can_not couldn't could_not won't unable until once when"
    " after soon wait still keep fail is_red are_red ブロック まで 待ち 失敗 落ち 通 エラー"
    " 進め 止ま 詰ま",
    r"\bblock(?:ed|ers?)\b|\bblocks (?:the|this|us|it|me)\b|\bstuck (?:on|at)\b|\bheld up by\b"
    r"|\b(?:can ?not|can't|couldn't|could not|won't|unable to)\b.{1,80}\b(?:until|before|while|as long as"
    r"|because)\b"
    r"|\b(?:until|once|when|after|as soon as)\b.{1,60}\b(?:pass(?:es)?|succeeds?|works?(?: again)?"
    r"|(?:is|are) (?:green|fixed|up|back|released|merged|available|published))\b"
    r"|\bwait(?:s|ing)? (?:for|on) (?:the )?(?:\w+ )?(?:ci|build|pipeline|tests?|release|upstream|deploy\w*)\b"
    r"|\bstill (?:\w+ )?(?:fail(?:s|ing)?|red|broken|crash(?:es|ing)?|flaky)\b|\bkeeps? (?:failing|crashing)\b"
    r"|\b(?:is|are) (?:failing|red)\b|\bfails? (?:with|on|because|in)\b"
    r"|ブロック|(?:通る|直る|終わる|できる|済む|緑になる)まで|(?:CI|ビルド|テスト|リリース)待ち"
    r"|(?:失敗し(?:ています|ている|たまま|ます)|落ち(?:ています|ている|たまま)"
    r"|通(?:りません|らない|っていません|らず)|エラーの?まま)"
    r"|進め(?:られ)?ま?せん|進められない|止まってい(?:ます|る)|詰まってい(?:ます|る)",
)
_IDEA = _Form(
    "could might may if nice would option idea improvement extension perhaps consider day"
    " eventual down_the some worth in_the_ ば ご希望 なら 将来 いずれ そのうち ゆくゆく も"
    " かもし アイデア 案 任意 たら すると あると",
    r"\b(?:could|might|may) (?:also|later|even|optionally|eventually|additionally)\b|\b(?:you|we|one"
    r"|i) (?:could|might)\b"
    r"|\b(?:could|might) be (?:\w+ )?(?:nice|useful|worth|good|added|improved|sped|helpful)"
    r"|\bif you(?:'d| would)? (?:like|want|wish|prefer|ever|care)\b|\bif (?:wanted|desired|time (?:allows"
    r"|permits))\b"
    r"|\bif there(?:'s| is) time\b|\bnice[- ]to[- ]haves?\b|\bwould be (?:nice|good|great|useful|worth"
    r"|cool|helpful)\b"
    r"|\boptional(?:ly)?\b|\b(?:an?|one|another|possible|just an) (?:idea|improvement|extension"
    r"|follow-up idea)s?\b"
    r"|^ideas?\b|\bmaybe\b|\bperhaps\b|\bconsider (?:\w+ing|an?|the)\b|\bsome ?day\b|\bone day\b|\beventually\b"
    r"|\bdown the (?:road|line)\b|\bat some point\b|\bworth (?:considering|a look|doing|adding|trying"
    r"|thinking)\b"
    r"|\bin the (?:long run|long term|distant future)\b"
    r"|よければ|よろしければ|良ければ|ご希望(?:で|が)|必要(?:であれば|でしたら|なら)|(?:余裕|余力|時間)があれば"
    r"|将来|いずれ|そのうち|ゆくゆく|[てで]も(?:いい|よい|良い)(?:かも|です|と思|でしょう)"
    r"|かもしれ(?:ません|ない)"
    r"|アイデア|案として|任意|できれば|(?:れば|たら|すると|あると)(?:便利|良さそう|よさそう|嬉しい"
    r"|うれしい|良い|よい|いい)",
)
_WAITING = _Form(
    "need wait pending requires subject up_to depend please kindly let_me tell_me you question"
    " decided confirmed know ご 知らせ 教え 決め 選ん 確認 判断 指示 聞か 待 どう か 未定 決ま",
    r"\b(?:needs?|wait(?:s|ing)? (?:for|on)|await(?:s|ing)?|pending|requires?|subject to|up to"
    r"|depends? on)\b.{0,40}"
    r"\b(?:you|your|decision|approval|sign-?off|confirmation|go-?ahead|reply|answer|call)\b"
    r"|\b(?:please|kindly)\b.{0,24}\b(?:confirm|decide|check|choose|pick|tell|say|let me know|review"
    r"|approve|send|provide)\b"
    r"|\blet me know (?!if (?:you (?:have|need|run)|anything|there))|\btell me (?:which|whether|if|how"
    r"|what|where)\b"
    r"|\b(?:for you to|you(?:'ll)? (?:need|have) to|you (?:should|must)) (?:decide|confirm|choose|approve"
    r"|pick|say)\b"
    r"|\bwait(?:s|ing)? (?:for|on) \w|\b(?:your|an open|open) (?:call|question)\b|\bquestion for \w"
    r"|\bun?decided\b.{0,12}$|\bto be (?:decided|confirmed)\b|\bdo(?:es)?n't know (?:which|whether|if)\b"
    r"|\b(?:once|after|before|until|when) you(?:'ve| have|r)?\b|\bneed (?:to know|you)\b"
    r"|ご(?:確認|判断|決定|指示|意見|検討|承認|回答|返答|連絡|返信|希望)(?:を|が|い|く|お|待|の|後|次第)"
    r"|(?:お知らせ|教えて|決めて|選んで|確認して|判断して|指示して|お聞かせ)(?:いただ|下さ|くださ|ほし"
    r"|欲し|もら)"
    r"|(?:確認|判断|決定|検討|承認)(?:を|の)?お願い|(?:確認|返事|返答|回答|承認|判断|レビュー|指示|決定"
    r"|連絡|許可)待ち|待っています|お待ちし"
    r"|どうしますか|(?:よい|いい|良い|よろしい|でしょう|ます|です|ません)か$|未定|決まってい(?:ません|ない)",
)
_NOT_LEFT = _Form(
    "nothing none no left no_longer 残",
    r"\b(?:nothing|none|no (?:work|steps?|tasks?|issues?|todos?|items?))\b.{0,24}\b(?:left|open|remains?"
    r"|remaining|missing|to do)\b"
    r"|\bleft (?:it|them|untouched|unchanged|as|alone|out|in place)\b|\bno longer\b|\bleft[- ](?:hand"
    r"|side|aligned?)\b"
    r"|残ってい(?:ません|ない)|残りは?(?:特に)?(?:ありません|ない|なし)|残(?:作業|タスク"
    r"|件)は?(?:特に)?(?:ありません|なし)",
)
_STATE = (
    r"(?:left|open|missing|outstanding|pending|remaining|unfinished|undone|untested|unwritten|to ?do"
    r"|to be done|to come"
    r"|next|up next|untouched|unstarted|not (?:yet )?(?:done|started|finished|begun|written|there|in"
    r"|complete|tested|ready))"
)
_FOR = r"(?: to do| yet| for (?:now|later|next time|tomorrow|another day|the next session|someone else))?"
_THINGS = r"(?:thing|things|step|steps|part|parts|piece|pieces|item|items|work|task|tasks|point|points|bit)"
_LEADING = (
    rf"^(?:what(?:'s|'re| is| are)?(?: still)? {_STATE}{_FOR}(?: is| are|:)?"
    rf"|what (?:still )?remains(?: is|:)?"
    rf"|(?:the |all |only |just )*(?:one|two|three|last|only|other|remaining)? ?{_THINGS}? ?(?:that(?:'s"
    rf"| is| are) )?(?:still )?"
    rf"(?:left|remaining|missing|outstanding|open){_FOR}(?: (?:is|are)\b|\s?:)"
    rf"|(?:all )?that(?:'s| is) left(?: to do)?(?: is|:)"
    rf"|the remaining {_THINGS}(?: (?:is|are)|:)"
    rf"|(?:still )?(?:left|to ?do|to-do|open|remaining|outstanding|pending|missing|next(?: up| steps?"
    rf"| time)?|follow-?ups?)"
    rf"(?: for (?:now|later|next time|tomorrow))?\s?(?::|[–—]|-\s)"
    rf"|still (?:to do|to come|open|missing|left|pending|outstanding)(?:\s?:| (?:is|are)\b)?"
    rf"|not (?:yet )?(?:done|started|finished|covered|included)(?: yet)?\s?:"
    rf"|(?:the )?next (?:step|thing|up|task|one)?s? ?(?:is|are|would be|will be)(?: to)?\b|next (?:comes"
    rf"|up|on)\b"
    rf"|(?:next|then|tomorrow|next time|after that|later),? (?:i|we)(?:'ll| will| need to| should| have to"
    rf"| want to| can|'d)\b"
    rf"|next,? )"
    r"\s*(?P<work>\S.+)$"
)
_TRAILING = (
    rf"^(?:of .{{2,40}} )?(?P<work6>.+?) (?:is|are) (?:the (?:only|one|last) (?:thing|one|ones|step|steps"
    rf"|item|part)s?)(?: (?:that (?:is|are) )?(?:still )?{_STATE})?{_FOR}$"
    rf"|^(?:only |just |but |now )*(?P<work>.+?),? (?:(?:is|are|still|all|only|just|remains?|stays?|now"
    rf"|now the) )+{_STATE}{_FOR}$"
    r"|^(?:only |just )?(?P<work2>.+?) (?:still )?(?:remains?|is up next|comes? next|goes next|(?:can"
    r"|must|will) wait|follows? next|will follow)(?: for .+| until .+)?$"
    rf"|^(?:only |just )(?P<work3>.+?) {_STATE}{_FOR}$"
    r"|^.+? (?:still needs?|needs? to be|has to be|have to be|must (?:still )?be|still ha(?:s|ve) to)\b.+$"
    r"|^.+? needs? (?:\w+ing|work|tests?|a (?:test|review|fix|look))\b.*$"
    r"|^(?P<work4>.+?)[,:]? (?:tomorrow|next time|(?:for|in) the next session|for later)$"
    r"|^(?P<work5>.+?)(?<!the) (?:left|remaining)$"
    r"|^(?P<work7>.+?) (?:(?:is|are|stays?|remains?|still) )*(?:unchanged|untouched|as (?:it|they) (?:was"
    r"|were))(?: (?:so far|for now|yet))?$"
)
_WHOLE = (
    r"\b(?:isn't|is not|aren't|are not|hasn't|has not|haven't|have not|wasn't|was not|weren't)\b.{1,60}\byet\b"
    r"|\bnot yet\b|^(?:there(?:'s| is| are) )?(?:still )?no .{2,60} yet$"
    r"|\b(?:hasn't|haven't|has not|have not) been (?:\w+ )?(?:done|started|written|tested|implemented"
    r"|updated|\w+ed)\b"
    r"|^(?:i|we) (?:haven't|have not|still (?:need|have) to|need to|have to|must still|did(?:n't"
    r"| not) (?:get to|manage|finish|start|have time))\b"
    r"|^(?:i|we)(?:'ve| have)? (?:left|leave|am leaving|are leaving|postponed|deferred|parked)\b.+(?:for"
    r"|until|to)\b"
    r"|^(?:i|we)(?:'ll| will| plan to| intend to|'m going to| am going to)\b.+\b(?:next|tomorrow|later"
    r"|then|after that|next time)\b"
    r"|\b(?:is|are) (?:for|left for|planned for|due) (?:tomorrow|next time|later|the next session)\b"
    r"|\bto ?do\b\s?:|^todo\b"
)
_JAPANESE = (
    r"(?:残って(?:い|お)?(?:ます|る|ります)|残りです|残ります|残っ(?:たまま|てい)|残し(?:て(?:い"
    r"|お)(?:ます|きます)|てあります))"
    r"|(?:未着手|未対応|未実装|未完了|未完|未作成|未テスト|未確認|未検証|未修正|手つかず|途中|これから"
    r"|後回し|持ち越し|宿題|次回)"
    r"(?:のまま)?(?:です|だ|になります|にします|となります|にしました|に回します)?$"
    r"|まだ(?:です|だ)?$|まだ.{1,40}(?:ません|ない|いない)(?:です)?$"
    r"|(?:できて|やって|終わって|して|済んで|書いて|書けて|付けて|つけて|着手して|対応して"
    r"|直って)い(?:ません|ない)$"
    r"|(?:が|は)必要です$|(?:する|べき)?必要があります$|必要がある$|(?:する|行う|進める"
    r"|やる)予定(?:です)?$|べきです$"
    r"|^(?:残り|残作業|残タスク|残件|未対応|未完了|未着手|積み残し|やること|TODO|ToDo)(?:の(?:作業|タスク"
    r"|ステップ|項目))?(?:は|[:：]|、)"
    r"|^(?:次|次回|今後|この後|このあと|明日|続いて)(?:の(?:作業|ステップ|手順))?(?:は|に|[:：]|、|として).+"
    r"(?:ます|予定です|です|ましょう|ください|る|追加|修正|対応|作成|更新|実装|移行|確認)$"
    r"|^(?:次|次回|今後|明日)(?:の(?:作業|ステップ))?(?:は|[:：]|、).{2,}|^あとは.{2,}(?:です|だけ|のみ"
    r"|ます)$"
)
_LEFT = _Form(
    "left open missing outstanding pending remain un to_do todo to-do to_be to_come next not"
    " n't need to must tomorrow later still wait follow plan 'll will intend going postponed"
    " deferred parked leave due yet no_ 残 未 まだ 手つかず 途中 これから 後回し 持ち越 宿題 次"
    " ません ない 必要 予定 べき やること 今後 この 明日 続い あと だけ のみ",
    _LEADING,
    _TRAILING,
    _WHOLE,
    _JAPANESE,
)
_JAPANESE_LEAD = re.compile(
    r"^(?:あと|残り|残作業|残タスク|残件|未対応|未完了|未着手|積み残し|やること|TODO|ToDo|次回|次|今後"
    r"|この後|このあと|明日|続いて)"
    r"(?:の(?:作業|タスク|ステップ|項目|手順))?(?:として)?(?:には|は|に|[:：]|、)、?\s*(?=.{2})"
)
_JAPANESE_TAIL = re.compile(
    r"(?:だけ|のみ)?(?:が|は|も|を)?(?:まだ|現在)?(?:残って(?:い|お)?(?:ます|る|ります)|残りです|残ります"
    r"|(?:未着手|未対応|未実装|手つかず|これから)(?:のまま)?(?:です)?|まだです|(?:だけ|のみ)です)$"
)
_DROPPED = _Form(
    "drop skip forget mind cancel no_ not_ unnecessary scope obsolete against leave left_out"
    " won't don't do_not 不要 やめ 見送 取りやめ 中止 対象外 いりま 要りま いらない 要らない"
    " なしで 必要",
    r"\b(?:drop(?:ped|s)?|skip(?:ped|s)?|forget|never ?mind|cancel(?:l?ed)?|no longer (?:needed|necessary"
    r"|required|wanted)"
    r"|not needed|unnecessary|out of scope|obsolete|decided against|leave out|left out|no need (?:for|to)"
    r"|won't (?:need|do))\b"
    r"|\b(?:don't|do not) (?:do|need|want|bother|add|write|build)\b"
    r"|不要|やめ(?:ました|ます|る|て|よう|た)|見送|取りやめ|中止|対象外|(?:いり|要り)ません|いらない"
    r"|要らない|なしで|必要(?:は)?(?:ない|ありません)",
)
_DONE = re.compile(
    r"\b(?:done|finished|complete|in place|ready|pass(?:es)?|passing|green|works?|working|written|built"
    r"|made|set up"
    r"|(?:is|are|went|goes) (?:in|out|gone)|now (?:has|have|is|are|use[sd]?|uses|\w+s)"
    r"|(?!need)\w{2,}ed)\b|✅|✔|☑"
    r"|(?:まし(?:た|て)|済み?(?:です)?|完了(?:です|した)?|終わり(?:です)?|通ってい(?:ます|る)|通ります"
    r"|できています|OK(?:です)?|ずみ)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|without|nothing|no)\b|n't\b|まだ|(?:ません|ない)(?:でした|です)?$",
    re.IGNORECASE,
)
_REASON = re.compile(r"\s(?:because|since|as|so that)\s|(?:ため|ので|から)、")
_ALL_DONE = re.compile(
    r"^(?:that's |that is |this is )?(?:all|everything|every one|each)\b(?: (?:of )?(?:it|them|that|the"
    r"|these|those|your|"
    r"(?:two|three|four|five|six|\d+)|steps?|items?|tasks?|points?|todos?|on|list)){0,5}(?: (?:is|are"
    r"|has been|have been|now))*"
    r" (?:done|finished|complete[d]?|in place|ticked off|implemented)\b|\bnothing (?:else |more )?(?:is "
    r"|was )?(?:left|open|remains|to do)\b"
    r"|^(?:これで|以上で)?(?:、)?(?:[^、。]{0,16}(?:作業|タスク|項目|ステップ|手順|予定)(?:は|が"
    r"|を)?)?(?:全部|全て|すべて)"
    r"(?:の(?:作業|タスク|項目|ステップ|手順))?(?:が|は|を|、)?(?:無事)?(?:終わ|完了|対応し|済み|できま)"
    r"|残(?:り|作業|タスク|件)は?(?:特に)?(?:ありません|なし)",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"\b(?:except|but|apart from|other than|besides|save|only)(?: for)?\b\s+(?P<work>.+)$"
    r"|(?P<work2>.+?)(?:以外|を除)",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"\s*[;；]\s*|,?\s+(?:but|while|whereas|though|although)\s+|,\s+(?:and|so|only|yet)\s+|\s+[–—-]{1,2}\s+"
    r"|(?<=[ぁ-ん])が、|(?<=し)、|(?<=て)、|(?<=了)、|(?<=み)、|(?<=です)、|(?<=した)。"
)
_COMMA = re.compile(r",\s+|、")
_PART_END = re.compile(
    r"\s*(?:,|、|・|;|；|\bas well as\b)\s*(?:and |&\s)?|\s+(?:and|plus|&)\s+"
    r"|(?<=[^\W\d_a-zA-Zぁ-ん])と(?=[^\W\d_ぁ-ん]|\w)"
)
_COPULA = re.compile(r"(?<=.)(?:です|だ)$")
_FILLER = re.compile(
    r"^(?:(?:but|and|so|also|however|now|that said|for now|note that|unfortunately)\b,?\s+|(?:ただし|なお"
    r"|また|しかし|そして)、?)+",
    re.IGNORECASE,
)


_QUESTION = ("?", "？")
_OFFER = re.compile(
    r"^(?:shall|should|do you want|would you like|want me|may|can) (?:i|me|we)\b|^(?:want"
    r"|would you like)\b|しましょうか$",
    re.IGNORECASE,
)


def classify_clause(text: str) -> Clause:
    """Return the status of a clause, and its subject: the clause itself, or the work that it names."""
    said = _FILLER.sub("", text.strip()).rstrip(".。!！ ")
    status = _find_open_status(said)
    if status is not None:
        return Clause(status, said)
    if not said or _NOT_LEFT.search(said):
        return Clause(None, said)
    if found := _LEFT.search(said):
        named = next((text.strip() for text in found.groupdict().values() if text), "")
        plain = _JAPANESE_TAIL.sub("", _JAPANESE_LEAD.sub("", said)).strip("、 ")
        return Clause("next_actions", named.rsplit(": ", 1)[-1] or plain or said)
    if _DROPPED.search(said):
        return Clause("dropped", said)
    if _NEGATED.search(_REASON.split(said, maxsplit=1)[0]):
        return Clause("negated", said)
    return Clause("done" if _DONE.search(said) else None, said)


def refine_status(item: str, status: WorkStatus) -> WorkStatus:
    """Return the status that the words of a listed item give it, else `status`, which its list has."""
    return _find_open_status(item.strip().rstrip(".。!！ ")) or status


def says_all_done(text: str) -> bool:
    """Return whether a sentence says that everything is done, with or without an exception."""
    return _ALL_DONE.search(text.strip()) is not None


_ONLY = re.compile(
    r"\b(?:only|just|the (?:one|last) (?:thing|one|step|item|part)|all that(?:'s| is) left|what(?:'s"
    r"| is) left|remaining)\b"
    r"|だけ|のみ|^残り|^あと|以外",
    re.IGNORECASE,
)


def says_only(sentence: str) -> bool:
    """Return whether a sentence that says what is left says that nothing else is."""
    return _ONLY.search(sentence.strip()) is not None


def find_exception(text: str) -> str:
    """Return the work that a sentence about everything excepts, "" for none."""
    found = _EXCEPT.search(text.strip().rstrip(".。!！ "))
    return (found["work"] or found["work2"] or "").strip() if found else ""


def split_clauses(sentence: str) -> list[str]:
    """Return the clauses of a sentence. A comma ends one only where both sides say how work stands."""
    clauses = [each for each in _CLAUSE_END.split(sentence) if each and each.strip()]
    return [part for clause in clauses for part in _split_at_commas(clause)]


def split_parts(subject: str) -> list[str]:
    """Return the parts of an enumeration of short parts, else the subject alone."""
    parts = [_COPULA.sub("", each.strip()) for each in _PART_END.split(subject) if each.strip()]
    are_short = all(
        len(part) <= _MAX_PART_CHARACTERS and len(part.split()) <= _MAX_PART_WORDS for part in parts
    )
    is_list = 1 < len(parts) <= _MAX_PARTS and are_short
    return parts if is_list else [_COPULA.sub("", subject)]


def _split_at_commas(clause: str) -> list[str]:
    parts = _COMMA.split(clause)
    if len(parts) == 1 or len(parts) > _MAX_PARTS:
        return [clause]
    statuses = [classify_clause(part).status for part in parts]
    if "done" not in statuses or not any(each in LEFT_STATUSES for each in statuses):
        return [clause]
    joined: list[str] = []
    held: list[str] = []
    for part, status in zip(parts, statuses, strict=True):
        held.append(part)
        if status is not None:  # a part without a status belongs to the next one that has a status
            joined.append(", ".join(held))
            held = []
    return [*joined, *([", ".join(held)] if held else [])]


def _find_open_status(said: str) -> WorkStatus | None:
    """Return the status of a clause that is an idea, a question, or waits for something."""
    if _IDEA.search(said):
        return "ideas"
    if said.endswith(_QUESTION):
        return "ideas" if _OFFER.match(said) and re.search(r"\balso\b", said) else "waiting"
    if _BLOCKED.search(said):
        return "blocked"
    return "waiting" if _WAITING.search(said) else None
