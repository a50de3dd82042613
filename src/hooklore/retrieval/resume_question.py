"""The questions by which a person takes up earlier work: one table of their forms, in English and Japanese.

The whole prompt is such a question, or its first or last sentence. A sentence that only has its words
("continue the loop until n is 0", 続いてテストも) is none.
"""

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from hooklore.agents.registry import spoken_names
from hooklore.retrieval.query import LONGEST_ASKING

_MAX_TOPIC_WORDS = 8
_LEAST_TYPO = 4
_LONGEST_SENTENCE = 120
"""Characters of a sentence that is such a question."""


class ResumeQuestion(NamedTuple):
    """A question about earlier work: its `topic`, "" for the work of this branch.

    `goes_on` is true for words that approve the next step once a session is under way: `continue`, 続けて.
    """

    topic: str = ""
    goes_on: bool = False


_TOPIC = r"(?: (?:with|on|in|for|about|regarding|re|as to) (?P<{0}>.+))?"
_WHO = r"(?:we|i|you|things|it|that|this)"
_LAST = (
    r"(?: (?:last (?:time|session|night|week)|yesterday|before|earlier|previously|the other day"
    r"|on friday|last))?"
)
_QUESTIONS = (
    (
        rf"(?:so )?where (?:exactly )?(?:were|was|are|did|had|have) {_WHO}(?: (?:at|up to|now|again|standing"
        rf"|stuck|been))*{_LAST}" + _TOPIC
    ),
    (
        rf"where (?:did|had|have) {_WHO} (?:last )?(?:leave|left|stop(?:ped)?|get|got|gotten|end|quit|finish"
        rf"|break)"
        rf"(?: (?:off|up|to|it|this|things|at|that|with it))*{_LAST}" + _TOPIC
    ),
    r"where did (?:we|i|you) leave (?:off )?(?:the |our |my )?(?P<{0}>.+)",
    rf"where {_WHO} (?:left|stopped)(?: off)?{_LAST}" + _TOPIC,
    rf"where (?:do|does) {_WHO} stand(?: now)?" + _TOPIC,
    (
        rf"how far (?:along )?(?:did|have|are|were|had) {_WHO}(?: (?:get|got|gotten|come|along|made it|with it"
        rf"|now))*{_LAST}" + _TOPIC
    ),
    (
        r"what(?:'s| is| was| are| were| else is)? (?:still |there |now |actually )*(?:left|remaining"
        r"|outstanding|pending|unfinished|undone)"
        r"(?: over)?(?: to (?:do|be done|finish|fix|implement))?(?: still| here| now| today| then)*"
        + _TOPIC
    ),
    r"what(?:'s| is| are)? still (?:open|missing|to (?:do|be done|come))(?: here| now)?" + _TOPIC,
    r"what (?:still )?(?:remains|needs to be done|needs doing)(?: to (?:do|be done))?" + _TOPIC,
    (
        r"what (?:do|did|have) (?:we|i|you) (?:still )?(?:have |got |need )?(?:left |to do"
        r"|remaining)(?: to do)?(?: still)?" + _TOPIC
    ),
    (
        r"(?:is (?:there )?)?(?:any(?:thing)?|much|something)(?: work)? (?:still )?(?:left|remaining"
        r"|open)(?: to (?:do|be done))?" + _TOPIC
    ),
    r"how much(?: work)? is (?:still )?left(?: to do)?" + _TOPIC,
    (
        r"what(?:'s| is| was| comes| are| were)? (?:up )?(?:the |our |my |your )?next(?: (?:up|steps?|tasks?"
        r"|things?|todos?|items?|one))?"
        r"(?: (?:to do|here|now|today|then|for (?:us|me|you|today)|on (?:the|our|my|your) (?:list|plate"
        r"|agenda|plan)))*" + _TOPIC
    ),
    (
        r"what(?:'s| is)? (?:still )?on (?:the|our|my|your) (?:list|plate|agenda|to-?do(?: list)?)(?: (?:now"
        r"|today|next))?" + _TOPIC
    ),
    (
        r"what (?:do|should|shall|can|would|must|did) (?:we|i|you) (?:want to |plan to |have to "
        r"|need to )?(?:do|tackle|work on|start with)"
        r" (?:next|now|first)" + _TOPIC
    ),
    (
        rf"what (?:was|were|am|are) (?:i|we|you) (?:doing|working on|up to|going to do|in the middle of"
        rf"|about to do|busy with){_LAST or ''}" + _TOPIC
    ),
    (
        r"what (?:did|have) (?:we|i|you) (?:do|done|get done|finish|work on|achieve) (?:last (?:time|session"
        r"|week)|yesterday|previously|so far)" + _TOPIC
    ),
    r"what happened (?:last (?:time|session)|yesterday|in the last session|so far)" + _TOPIC,
    (
        r"what(?:'s| is| was)? (?:the |our )?(?:current )?(?:status|state|progress|plan"
        r"|to-?do list)(?: (?:of things|here|now|again|so far))?"
        r"(?: (?:of|with|on|in|for|about) (?P<{0}>.+))?"
    ),
    (
        r"(?:what are |list |show |give |tell )?(?:me )?(?:the |our |all )?(?:open|remaining|outstanding"
        r"|pending|unfinished|next|left ?over)"
        r" (?:points?|tasks?|items?|to-?dos?|steps?|work|things?|ones)(?: (?:again|left|here))?"
        + _TOPIC
    ),
    (
        r"(?:can you |could you |would you )?(?:catch me up|bring me up to (?:speed|date)|get me up to speed"
        r"|fill me in|refresh my memory|recap|sum up"
        r"|give me (?:a|the) (?:recap|summary|status|rundown|overview)|summari[sz]e where we (?:are|were"
        r"|left off))"
        r"(?: of (?:the last session|where we (?:are|were)|last time))?(?: (?:with|on|about) (?P<{0}>.+))?"
    ),
    (
        r"(?:can you |could you )?(?:remind|tell|show) me (?:again )?(?:where (?:we|i|you) (?:were|are"
        r"|left off|left it|stopped|left|got to)"
        r"|what(?:'s| is| was) (?:left|next|still open|open|remaining)(?: to do)?|what we (?:were"
        r"|did)(?: doing)?(?: last time| last)?"
        r"|how far we (?:got|are|were|came)|of where we (?:were|are|left off))" + _TOPIC
    ),
    (
        r"(?:are there |do we have |is there |do i have |have we got |got )?(?:any|some|which"
        r"|what) (?:more )?(?:loose ends|unfinished business|left-?overs)"
        r"(?: (?:left|open|remaining))?" + _TOPIC
    ),
    (
        r"(?:which|what|how many|are there any|do we have any|is there any|any)(?: of)?(?: the| our| my| your"
        r"| these)? (?:to-?dos?|tasks?|steps?|points?|items?|things?|work|parts?)"
        rf"(?: (?:from|of){_LAST})?(?: that)?(?: (?:have not|haven't|hasn't|are not|aren't|weren't|were not"
        rf"|isn't|are|is|were|have|do we have))?"
        r"(?: still| yet)? (?:been )?(?:done|finished|open|left|remaining|pending|unfinished|outstanding"
        r"|to do|to be done)(?: yet| still| to do)?" + _TOPIC
    ),
    (
        r"(?:what|which (?:parts?|steps?|things?)) (?:did|do|had|have|were|was) (?:we|i"
        r"|you) (?:still )?(?:want|plan|mean|intend|need|have|going|about|supposed"
        r"|planning)(?:ed)? to do(?: there| here| next| then)?" + _TOPIC
    ),
    (
        r"what (?:did|have|had) (?:we|i|you) (?:already |not )?(?:finish(?:ed)?|done|completed?|manage(?:d)?"
        r"|not finish(?:ed)?|leave (?:open|unfinished|undone))"
        r"(?: and what (?:did(?:n't)?|have(?:n't)?|had(?:n't)?|is|not)(?: (?:we|i|you|left|not|still|open))*)?"
        + _TOPIC
    ),
    (
        r"what(?:'s| is)? (?:already )?done and what (?:is|isn't|is not|'s)(?: still| not)*(?: (?:left|open"
        r"|missing|to do))?" + _TOPIC
    ),
    (
        r"what(?: else)? (?:do|does|did|is|are) (?:we|you|i)? ?(?:still )?(?:need|waiting)(?:ed)? (?:from|for"
        r"|on) me" + _TOPIC
    ),
    (
        r"(?:is )?(?:what(?:'s| is)?|any(?:thing)?|something) (?:still )?(?:waiting|pending) (?:for|on"
        r"|from) (?:me|my \w+|us)" + _TOPIC
    ),
    (
        r"do you (?:still )?(?:remember|know|recall) (?:where (?:we|you|i) (?:were|left off|stopped|left it)"
        r"|what (?:we|you|i) (?:were|was) (?:doing|working on|up to))" + _LAST + _TOPIC
    ),
    r"(?:did|have) (?:we|you|i) (?:finish(?:ed)?|complete(?:d)?|get through|done)(?: with)? (?P<{0}>.+)",
    r"how(?:'s| is| are| was) (?P<{0}>.+) (?:going|coming along|progressing|looking)",
    r"(?:what(?:'s| is)? )?(?:the |our )?(?:state of play|lay of the land)" + _TOPIC,
    (
        r"(?:let's |let us |please |can we |can you )?(?:continue|resume|carry on|go on|pick up"
        r"|proceed)(?: (?:with|on|from|at))? (?:what|whatever|wherever|where) (?:we|you|i)"
        r" (?:were|was|had been|left)(?: (?:doing|working on|at|busy with|off"
        r"|in the middle of))?(?: (?:before|when|until) .{{1,40}})?"
    ),
    (
        r"(?:let's |let us |please |can we |can you )?(?:continue|resume|pick (?:it |this "
        r"|things )?(?:back )?up|carry on|go on|start(?: again)?|take up|proceed)"
        r"(?: (?:from|at|with))? (?:where|what|wherever) (?:we|i|you) (?:left|stopped|were|had|ended|broke"
        r"|got)(?: (?:off|at|it|doing|to|up|things))*" + _LAST + _TOPIC
    ),
)
_GO_ON = (
    (
        r"(?:let's |let us |please |can we |can you |i want to |i'd like to |we )?(?:continue|resume|proceed"
        r"|go on|carry on|keep (?:on )?going|move on|get going|keep at it)"
        r"(?: (?:working|here|again|then|now|today|on|please|with it|with that))*"
        r"(?: (?:on |with )?(?:the |our |my |your |this |that |yesterday's |last session's )?(?:work|tasks?"
        r"|job|session|plan|list|rest|next steps?|remaining (?:work|steps?|tasks?|items?)|to-?dos?))?"
        r"(?: from (?:last time|yesterday|before|there|here|last session|the last session|earlier))?{1}"
    ),
    (
        r"(?:let's |please )?(?:pick (?:it|this|things) (?:back )?up(?: again)?|get back (?:to it|to work"
        r"|at it)|back (?:to (?:it|work)|at it)|next(?: steps?| task| one| up| item)?|and (?:now|next|then)"
        r"|what now|now what|(?:do|start|tackle) (?:the )?next (?:steps?|one|task|item)|status(?: report"
        r"| update)?|recap|progress|to-?dos?|remaining|left|so)"
    ),
    r"(?:let's |let us |please |can we )?(?:continue|resume) (?:the|our|my) (?P<{0}>[\w-]+ [\w-]+(?: [\w-]+)?)",
    r"(?:let's |let us |please |can we )?(?:get |go |come )?back to (?:the |our |my )?(?P<{0}>.+)",
    (
        r"(?:let's |let us |please |can we |i want to |i'd like to )?(?:continue|resume|go on|carry on"
        r"|keep going|proceed|pick (?:it )?up|keep working|continue working|continue work)"
        r" (?:with|on|working on|work on) (?P<{0}>.+)"
    ),
)
_BREAKS = re.compile(
    r"\b(?:until|till|if|because|then|so|while|unless|when|where|which|that|and|but|or|after|before"
    r"|without|as|by|from|instead|using)\b|[,;:(){}=<>`]"
)
"""Words and signs of a sentence that orders something. A topic is a noun."""

_KA = r"(?:です|でした|だ|だった)?(?:っけ|かな|か|の|ん|だ|です|でし(?:ょうか|た)|たっけ|よね|ね)*"
_ASK = (
    r"(?:を|は|について)?(?:教えて|確認|知りたい|まとめて|見せて|おしえて)?"
    r"(?:ください|下さい|くれ(?:ます|る)?|もらえ(?:ます|る)?|お願い|頼む|ほしい)?"
    r"(?:します|いたします|です|か)*"
)
_DID = r"(?:(?:や|進|でき|出来|終わ|し|い|行|来|き|書|直|作|作業|完了|実装|対応)[ぁ-ん]{{0,12}})?"
_WHEN = r"(?:前回|昨日|きのう|この前|この間|さっき|先週|前|今|今日|現在|最後に?)?(?:は|の|って|、)?"
_TASKS = r"(?:作業|タスク|仕事|対応|こと|もの|ところ|部分|件|やつ|todo|課題|の)"
_JAPANESE_QUESTIONS = (
    (
        _WHEN
        + r"(?:(?P<{0}>.{{2,30}}?)(?:は|って|の(?:作業|件|実装|対応|ほう|方)?は?|、))?"
        + _WHEN
        + r"(?:どこ|どのへん|どの辺|どのくらい|どれくらい|どこら辺)まで"
        + _DID
        + _KA
    ),
    (
        _WHEN + r"(?:(?P<{0}>.{{2,30}}?)(?:は|って|の|で|について))?(?:次|つぎ)(?:は|に|って)?"
        r"(?:何|なに|なん)(?:を|から)?(?:する|やる|すれば|したら|やれば|やったら|やります|します"
        r"|すべき|やるべき|やるんだ|するんだ|やるん|するん)?(?:いい|良い|よい)?" + _KA
    ),
    (
        r"(?:(?P<{0}>.{{2,30}}?)(?:の|で|について(?:の)?))?(?:次|つぎ)(?:の|に)?(?:作業|タスク|ステップ|一手"
        r"|手順|todo|やること|すること|やるの|するの)(?:は|って)?(?:何|なに|なん)?" + _KA + _ASK
    ),
    (
        r"(?:(?P<{0}>.{{2,30}}?)(?:の|で|は|について(?:の)?))?(?:残り|のこり|残作業|残タスク|残件|やり残し"
        r"|積み残し|未完了|未対応|残って(?:い)?る"
        + _TASKS
        + r"|やり残した"
        + _TASKS
        + r"|まだ(?:やって|でき|終わって)(?:て)?(?:い)?ない"
        + _TASKS
        + r")"
        r"(?:の?"
        + _TASKS
        + r")?(?:は|って|が)?(?:あと)?(?:何|なに|なん|どれ(?:くらい|だけ)?|どのくらい|いくつ)?"
        r"(?:が)?(?:ある|あります|残って(?:い)?(?:る|ます)|残り)?" + _KA + _ASK
    ),
    (
        r"(?:(?P<{0}>.{{2,30}}?)(?:で|は|の|について))?(?:あと|まだ|後)?(?:は|、)?(?:何"
        r"|なに)が(?:まだ)?(?:残って(?:い)?(?:る|ます|た)|残り|のこってる|ある)" + _KA
    ),
    (
        r"(?:(?P<{0}>.{{2,30}}?)(?:の|は))?(?:今の|現在の|いまの)?(?:進捗|進み具合|進行状況|状況|現状"
        r"|ステータス)(?:は|って)?(?:どう|どうなって(?:い)?(?:る|ます)|どんな感じ|どの程度)?"
        + _KA
        + _ASK
    ),
    (
        r"(?:前回|昨日|この前|さっき|最後)(?:は|に|の|って)?(?:セッション)?(?:で|は|の)?(?:何|なに|どこ)(?:を"
        r"|まで|から)?(?:して|やって|し|やっ)?(?:い)?(?:た|ました|る)?(?:ところ)?" + _KA
    ),
    (
        r"(?:前回|昨日|この前|最後|前)の(?:あらすじ|まとめ|状況|作業|内容|続きの内容|セッション)(?:は|って"
        r"|の(?:内容|まとめ))?(?:何)?" + _KA + _ASK
    ),
    (
        r"(?:どこ|何)から(?:始め|再開|やれば|やったら|やる|続け|始まる)(?:る|れば|たら|すれば|したら"
        r"|する)?(?:いい|良い|よい)?" + _KA
    ),
    r"(?:何|なに)を?(?:して|やって)(?:い)?(?:た|る)(?:ところ)?(?:だ|ん)?(?:っけ|んだっけ|でしたっけ|のかな)",
    (
        r"(?:前回|昨日|この前)?(?:の)?(?:途中|やりかけ|中断|作りかけ|手を付けかけ)(?:だった"
        r"|で止まって(?:い)?た|した|して(?:い)?た|にして(?:い)?た|の)(?:作業|やつ|もの|タスク|ところ|件|仕事"
        r"|分)(?:を|から|の続き(?:を|から)?)?(?:再開|続け|片付け|や|進め|教え|おしえ|お願い"
        r"|頼)?[ぁ-ん]{{0,10}}"
    ),
    (
        r"(?:前回|昨日|この前|前)の?(?:セッション)?(?:で|の|に)?(?:積み残し|やり残し|残し)(?:た|の"
        r"|て(?:い)?た)?(?:やつ|もの|作業|タスク|件|分|こと)?(?:を|から|は)?(?:何|なに)?(?:片付け|や|進め"
        r"|終わらせ|続け|教え|お願い)?[ぁ-ん]{{0,10}}"
    ),
    (
        r"(?:今まで|これまで|ここまで)?(?:に|の|で)?(?:やったこと|終わったこと|済んだこと|完了したこと"
        r"|できたこと|やった分)(?:と|や|、)(?:まだ)?(?:やってない|やっていない|終わってない|終わっていない"
        r"|残りの|残ってる|残っている|できてない|未完了の)(?:こと|もの|分)?"
        + _ASK
        + r"[ぁ-ん]{{0,6}}"
    ),
    (
        r"(?:これまで|ここまで|今まで|前回まで)?(?:の)?(?:経緯|流れ|いきさつ|あらすじ)(?:を|は|について)?"
        r"(?:教えて|まとめて|説明して|おさらいして|確認したい)"
        r"[ぁ-ん]{{0,8}}"
    ),
    (
        r"(?:こちら|私|僕|自分|俺|うち|ユーザー)?(?:の|が)?(?:回答|確認|返事|判断|返答|承認|決める"
        r"|レビュー)(?:待ち|する)(?:になって(?:い)?る|の)?(?:項目|もの|件|やつ|こと|の|タスク)?(?:は|って"
        r"|が)?(?:何|なに)?(?:か)?(?:ある|あります|あった|ありました|残って(?:い)?る|残って(?:い)?ます)?"
        + _KA
    ),
    (
        r"(?:このブランチ|ここ|これ|(?P<{0}>.{{2,30}}?))?(?:は|って|で|、)?あと(?:は|、)?(?:何|なに"
        r"|どれ)(?:を|が)?(?:すれば|したら|やれば|やったら|必要)(?:マージ|リリース|完成|完了|終わり"
        r"|終われ)?[ぁ-んだ]{{0,14}}"
    ),
    (
        r"(?:まだ)?(?:終わって(?:い)?ない|できて(?:い)?ない|やって(?:い)?ない|未完了の|残って(?:い)?る"
        r"|手つかずの)(?:の|こと|もの|作業|タスク|やつ|ところ|件|todo)(?:って|は|が)?(?:何|なに"
        r"|どれ)?(?:か)?(?:ある|あります|あった|残って(?:い)?る)?" + _KA + _ASK
    ),
    (
        r"(?:前回|昨日|この前|前)(?:の|に)?(?:中断|止め|やめ|終わっ)(?:した|た)(?:ところ|所|場所)(?:は"
        r"|から)?(?:どこ|再開)?" + _KA + _ASK
    ),
)
_DO = (
    r"(?:して|やって|始めて|進めて|お願い|頼む|たのむ|頼みます|しよう|やろう"
    r"|いこう|行こう|行きましょう|いきましょう|しましょう|やりましょう|始めよう|始めましょう"
    r"|再開|再開して|再開しよう|やります|したい|やりたい|どうぞ|やる|する|いく)?"
)
_POLITE = (
    r"(?:ください|下さい|お願い|お願いします|お願いいたします|願います"
    r"|します|しましょう|くれ|ね|よ|いい|です|ます|か|ましょう|頼む|もらえますか)*"
)
_JAPANESE_GO_ON = (
    (
        r"(?:前回|昨日|この前|さっき|先ほど|作業|その|いつも)?の?(?:続き|つづき)(?:を|から|で|の(?:作業"
        r"|ところ)(?:を|から)?|へ)?" + _DO + _POLITE
    ),
    (
        r"(?:そのまま|作業を?|引き続き)?(?:続けて|続けよう|続行|続行して|続ける|続けましょう|つづけて|再開"
        r"|再開して|再開しよう|進めて|進めよう|進める|やっていこう)" + _POLITE
    ),
    (
        r"(?:次|つぎ)(?:は|へ|に(?:行こう|いこう|進んで|進もう|進めて)|いこう|行こう|お願い|進めて|どうぞ"
        r"|をお願い|をやって|やって)?" + _POLITE
    ),
    r"(?:残り|のこり)(?:を|の?(?:作業|タスク)を?)?" + _DO + _POLITE,
    r"(?P<{0}>[^、。]{{2,30}}?)の(?:続き|つづき)(?:を|から|は)?" + _DO + _POLITE,
)
_GREETING = (
    r"(?:hi|hiya|hey|hello|yo|ok|okay|so|um+|hmm+|well|right|alright|all right|and|morning"
    r"|good (?:morning|afternoon|evening)|welcome back"
    r"|i'm back|im back|back again|sorry|please|pls|plz|quick question|question|"
    + spoken_names()
    + r"(?: code)?|there|again|thanks|thank you|btw|just|hey there|mate|team"
    r"|おはよう(?:ございます)?|こんにちは|こんばんは|お疲れ(?:さま|様)(?:です)?|お疲れ|さて|では|じゃ"
    r"|じゃあ|えーと|えっと|すみません|すいません|ねえ|それで|で|よし|戻りました|ただいま|ところで|あの)"
)
_GREETINGS = re.compile(rf"^(?:{_GREETING}(?:[\s,、。.!！:…-]+|$))+", re.IGNORECASE)
_CLOSING = re.compile(
    r"(?:[\s,、]+(?:please|pls|plz|thanks|thank you|thx|again|btw|by the way|exactly|mate|"
    + spoken_names()
    + r"(?: code)?|then|today))+$",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[\s?!.。、，,？！…~〜:;・\-—–()（）\"'*_>]+$|^[\s\"'“‘「(（>*_#\-…]+")
_PICTURES = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]+")
_SENTENCE_END = re.compile(r"(?<=[.?!。？！…])\s*|\n+")
_WORD = re.compile(r"[a-z']+")
_SPELLINGS = (
    (re.compile(r"\bwha(?:ts|t s|t´s|t’s)\b|\bw(?:at|ht|ah?t)s\b"), "what's"), (re.compile(r"\blets\b"), "let's"),
    (re.compile(r"\bwheres\b|\bwhere's\b"), "where is"), (re.compile(r"\bu\b"), "you"),
    (re.compile(r"\bwat\b|\bwut\b"), "what"),
    (re.compile(r"\bcont(?:'d)?\b"), "continue"),
    (re.compile(r"\bteh\b|\bhte\b"), "the"), (re.compile(r"\bwhere where\b"), "where were"),
    (re.compile(r"\bwhere is (?=(?:we|i|you|things)\b)"), "where are "), (re.compile(r"\bw(?:e're)\b"), "were"),
)  # fmt: skip
_KNOWN = frozenset(
    "where were what what's left next continue remaining remains stopped stop leave last session yesterda"
    "y resume going"
    " doing working still open steps step task tasks status pick carry proceed again point points remind "
    "summary"
    " again recap unfinished outstanding pending".split()
)
_BY_LETTER = {w[0]: tuple(k for k in sorted(_KNOWN) if k[0] == w[0]) for w in _KNOWN}
_OTHER = frozenset(
    "text test list lost best rest want went here there sort loft lest life than then when other word wor"
    "k walk talk"
    " wear ware lift heft deft nest vest stay skip task tasks mask part paint print points statue setup s"
    "pick step steps top"
    " stop shop passed tests texts lists next's oven seen pen"
    " post past lasts fast cast mast east least lease weave heave slate state states pack peck sick tick "
    "kick".split()
)
"""Words of one letter's difference from a known one that mean something else."""


def find_resume_question(prompt: str) -> ResumeQuestion | None:
    """Return the question about earlier work that a prompt is, or begins or ends with; None for any other."""
    if not 1 < len(prompt) <= LONGEST_ASKING:
        return None
    sentences = [said for each in _SENTENCE_END.split(prompt) if (said := _normalize(each))]
    if len(sentences) < 2:
        return _match(_normalize(prompt)) or _match_clauses(prompt)
    found = (_match(each) or _match_clauses(each) for each in (sentences[0], sentences[-1]))
    return next((each for each in found if each is not None and not each.goes_on), None)


_CLAUSE_END = re.compile(r"\s*[,:;、：]\s*|\s+[–—-]+\s+|(?<=なので)|(?<=けど)")
_BACKGROUND = re.compile(
    r"(?:before (?:i|we)|i(?:'m| am| was|'ve| have)|it's been|it has been|since|after (?:the|my|a)|sorry"
    r"|coming back|as i|we(?:'re| are) back|long time"
    r"|let's|back)\b|.*(?:なので|ぶり|けど|から|忘れた)$"
)
_ASKS = re.compile(r"(?:and |so )?(?:what|where|which|how|any)\b|.*(?:何|どこ|どれ|なに)")


def _match_clauses(sentence: str) -> ResumeQuestion | None:
    """Return the question of a sentence of two clauses, of which one is it and the other leads to it."""
    clauses = [said for each in _CLAUSE_END.split(sentence) if (said := _normalize(each))]
    if len(clauses) != 2:
        return None
    first, last = map(_match, clauses)
    if first is not None and (last is not None or _ASKS.match(clauses[1])):
        return ResumeQuestion(
            first.topic or (last.topic if last else ""), first.goes_on and last is None
        )
    is_lead = last is not None and not last.goes_on and _BACKGROUND.match(clauses[0])
    return last if is_lead else None


def _match(sentence: str) -> ResumeQuestion | None:
    """Return the question that a sentence is, from its first word to its last."""
    if not 1 < len(sentence) <= _LONGEST_SENTENCE:
        return None
    is_cjk = not sentence.isascii()
    said = re.sub(r"\s+", "", sentence) if is_cjk else sentence
    for goes_on, forms in _forms(is_cjk=is_cjk):
        for form in forms:
            found = form.fullmatch(said)
            if found and (topic := _topic_of(found)) is not None:
                return ResumeQuestion(topic, goes_on)
    return None


def _topic_of(found: re.Match[str]) -> str | None:
    """Return the topic of a question, "" for none or for the place itself; None where it is no topic."""
    topic = next((text for text in found.groupdict().values() if text), "").strip()
    if _HERE.fullmatch(topic):
        return ""
    is_long = len(topic.split()) > _MAX_TOPIC_WORDS
    return None if is_long or _BREAKS.search(topic) else _ARTICLE.sub("", topic)


_HERE = re.compile(
    r"(?:(?:this|the|our|my|that|it|these|current|whole)? ?(?:branch|project|repo(?:sitory)?|code ?base"
    r"|session|work|task|feature|list|todo list|it|this|that|here|plan|us|now|today|me)?"
    r"|last (?:time|session)|この(?:ブランチ|プロジェクト|作業|リポジトリ)|これ|ここ|今日|作業|前回|昨日"
    r"|それ|全体|この前|さっき|前|いま|今)"
)
_ARTICLE = re.compile(r"^(?:the|our|my|your|that|this|those|these)\s+")


@cache
def _forms(*, is_cjk: bool) -> tuple[tuple[bool, tuple[re.Pattern[str], ...]], ...]:
    """Return the compiled questions, then the words to go on by."""
    tables = (_JAPANESE_QUESTIONS, _JAPANESE_GO_ON) if is_cjk else (_QUESTIONS, _GO_ON)
    return tuple(
        (
            goes_on,
            tuple(
                re.compile(
                    form.replace("{1}", "")
                    .replace("{0}", "topic")
                    .replace("{{", "{")
                    .replace("}}", "}")
                )
                for form in forms
            ),
        )
        for goes_on, forms in zip((False, True), tables, strict=True)
    )


def _normalize(sentence: str) -> str:
    """Return a sentence in lower case without greetings, polite words and marks around it."""
    said = unicodedata.normalize("NFKC", _PICTURES.sub(" ", sentence)).lower().replace("’", "'")
    said = " ".join(said.split())
    said = _spell(said) if said.isascii() and len(said) <= _LONGEST_SENTENCE else said
    for _ in range(2):
        said = _ENDS.sub("", _ENDS.sub("", said))
        said = _CLOSING.sub("", _GREETINGS.sub("", said) or said)
    return "" if re.fullmatch(_GREETING, said) else said


def _spell(sentence: str) -> str:
    """Return an English sentence with the known words that it misspells by one letter."""
    for pattern, word in _SPELLINGS:
        sentence = pattern.sub(word, sentence)
    return _WORD.sub(lambda found: _nearest(found[0]), sentence)


def _nearest(word: str) -> str:
    if len(word) < _LEAST_TYPO or word in _KNOWN or word in _OTHER:
        return word
    return next((known for known in _BY_LETTER.get(word[0], ()) if _is_typo(word, known)), word)


def _is_typo(word: str, known: str) -> bool:
    """Return whether a word is a known one with a letter missing, too many, wrong, or two exchanged."""
    if abs(len(word) - len(known)) > 1 or len(known) < _LEAST_TYPO:
        return False
    start = next(
        (i for i, (a, b) in enumerate(zip(word, known, strict=False)) if a != b),
        min(len(word), len(known)),
    )
    a, b = word[start:], known[start:]
    is_swapped = len(a) > 1 and len(b) > 1 and (a[1], a[0], a[2:]) == (b[0], b[1], b[2:])
    return is_swapped or a[1:] == b[1:] or a[1:] == b or a == b[1:]
