"""The explicit forms in which a user states what lasts, in English and Japanese alike.

One table. A sentence in none of its forms is left to the agent, which can read. Every pattern is searched
in one sentence of at most 320 characters, in lower case, with quotations blanked and the names of tools marked.
"""

import re
from typing import Literal, NamedTuple

from hooklore.text.tool_kinds import LIBRARY_MARK, TOOL_MARK

InstructionKind = Literal["constraint", "decision", "preference", "fact"]

_VERB = (
    r"(?:(?:ever|again|just|only|also|first|explicitly|directly|manually|automatically)\s+){0,2}"
    r"(?P<verb>[a-z][a-z-]+|q+)\b"
)
"""A verb, which `is_base_form` tells from `fails`, `worked` and `nice`."""

_START = (
    r"(?:^|[,:;(–—]\s*|\s-+\s)"
    r"(?:(?:and|but|so|then|also|please|pls|just|ok|okay|no|yes|hey|reminder|rule|important)[,:]?\s+){0,3}"
)
"""The beginning of a clause that speaks to the agent."""

_SCOPED = (
    r"^(?:(?:and|but|so|also|please)\s+)?(?:in|for|on|at|within|during|before|after|when|whenever|"
    r"everywhere|outside|inside)\b(?:\s[^\s,:;]+){0,7},?\s(?:please\s)?"
)
"""`In this repo`, `When you touch a migration`: the case that a rule is for."""

_FROM_NOW = (
    r"(?:from now on(?:wards?)?|from here on(?: out)?|from today on(?:wards)?|as of (?:now|today)|"
    r"(?:going|moving) forward(?! (?:through|to|into|from|with)\b)|henceforth|"
    r"from this point on|starting (?:today|now)|for all future (?:sessions|work|tasks))"
)
_CASE = r"(?:(?:when|if|for|in|on|before|after|whenever|unless|during|with)\b[^,:]{1,60}[,:]\s*)?"
_LETS = (
    r"(?:(?:can|could|would|will) you )?(?:(?:please|pls|just|also)\s)?(?:let'?s not |let'?s |let us |"
    r"(?:we|you)(?:'ll| will| should| must)? |i(?:'d like| want) you to )?"
    r"(?:always |never |don'?t |do not |no longer )?"
)
_WE = r"(?:^|[,:;(]\s*|\b(?:that|because|since|so|but|and|here|lead|team|project|repo|codebase)\s+)"
_HUMAN = (
    r"(?:commit|push|merge|rebase|squash|deploy|release|ship|publish|review|name|tag|branch|format|lint|"
    r"document|test|write|use|prefer|store|log|import|mock|hardcode|bump|sign|pin|vendor|keep|put|edit)"
)
_MUST = r"(?:should|must|shall|need to|have to|has to|ought to|are to|want to)"
_SUBJECT = (
    r"(?:all |every |each |any |our |your |the |"
    r"new )?(?:[a-z'-]+\s){0,2}(?:tests?|commits?|messages?|comments?|prs?|"
    r"pull requests?|branch(?:es)?|docs?|docstrings?|changelogs?|migrations?|names?|handlers?|controllers?|"
    r"components?|modules?|files?|code|secrets?|tokens?|passwords?|dependenc(?:y|ies)|"
    r"imports?|exports?|releases?|deploys?|"
    r"deployments?|logs?|endpoints?|quer(?:y|ies)|"
    r"prices?|amounts?|dates?|timestamps?)\s(?:[^\s,:;]+\s){0,5}"
)
_TERM = (
    r"(?!(?:it|that|this|these|those|them|one)\b)(?:[\w./:@+#-]+)"
    r"(?:\s(?!use\b|not\b|instead\b|over\b)[\w./:@+#-]+){0,4}"
)
_BECAUSE = (
    r".{1,200}?(?:\b(?:because|since|so that|due to|as (?:it|they|we|the)|to avoid|to keep)\b)"
)

_LATER = (
    r"(?:以後、|(?:これ)?以降(?:は|、)|これ以降(?!の)|[本今]日(?:より|から)は?、?|今後(?:は|も|、|"
    r"[^の、]{1,16}?[はもで])|これからは|以後は|次(?:回)?からは?、?|今日からは?|"
    r"今度からは?|今後(?!の|使|必要|予定|追加|対応|拡張|増|変更|どう))"
)
_TOLD = (
    r"(?:(?:て|[んい]で|語で)(?:ください|下さい|くださいね|ね|よ|よね|"
    r"ほしい(?:です)?|欲しい(?:です)?|おいて(?:ください|ね)?|くれ|いい(?:です)?(?:よ|"
    r"よね)?|もらえますか|くれますか|いただけますか|もらえると助かります|もらえる)?"
    r"|(?:お願い|おねがい)(?:します|いたします|致します|ね|しますね)?|(?:こと|とする|ものとする|"
    r"でいい(?:です)?(?:よ|よね)?)"
    r"|(?:こと|ように)(?:にして(?:ください|ね)?|で(?:お願いします)?)|"
    r"[るくすうむつぐ]ように(?:して(?:ください|ね)?)?$|禁止(?:です|で|とする|ね|な|よ)?|しろ|せよ|"
    r"しなさい)(?:、.{1,50}(?:から|ので|ため)(?:です|ね)?)?$"
)
_NO_TASK = (
    r"(?!.*(?:できるように|(?:[うくすつぬぶむる]|[たん])(?:の|[一-龥ァ-ヶa-z]).{0,30}|ので|か)(?:を|も|"
    r"、)?[^、]{0,8}(?:直して|調べて|教えて|確認して|書いて|追加して|修正して|速くして|見て|探して|作って|実装して|"
    r"説明して|やめて)(?:ください|ね|ほしい|おいて)?$)(?!.*できるように|.*(?:内容|感じ|風)で$)"
)
"""No work on what happens always: `いつも失敗するテストを直して`."""

_PLAIN = (
    r"(?:を使う|使用する|で書く|を書く|を実行する|を通す|を付ける|をつける|に従う|に合わせる|を確認する|"
    r"にする|とする|にします|とします|を使います|で書きます|"
    r"[をでに](?:行う|作る|置く|返す|付ける|入れる|揃える|統一する|する))$"
)
_NOT_DONE = (
    r"(?:なくて(?:いい|良い|よい|大丈夫)(?:です)?(?:よ|よね)?|ないで(?:ください|下さい|くださいね|ね|よ|"
    r"ほしい(?:です)?|欲しい(?:です)?|おいて)?|ないこと|ないように(?:して(?:ください|ね)?)?|"
    r"(?:する|使う|書く|触る|入れる|消す|変える|やる|くる)な|なよ|禁止(?:です|で|とする|ね|な|"
    r"よ)?|てはいけない|てはいけません|ては(?:だめ|ダメ|駄目)(?:です)?|"
    r"(?:し|使わ|書か|入れ|触ら|変え|消さ)(?:ない|ません))$"
)
_MANNER_ENGLISH = r"(?:directly|straight(?! away)|by hand|manually)"
_MANNER = r"(?:直接|じかに|直に|手で|手動で|手作業で|勝手に|無断で|黙って|なし[でに]|[らかさわりけえめれせ]ずに)"
_UNDONE = r"(?:し|見|出|[かがさたなばまらわけせてねべめげえ]|(?<!さ)れ|(?<!で)き)ない"
"""A verb that is not to be done: neither `がない` nor `されない`, which tell how things are."""

_ORDERED_NOT = (
    r"(?:する|使う|書く|触る|入れる|消す|変える|やる|置く|呼ぶ|足す|混ぜる|残す|出す|作る|送る|いじる|渡す|返す|"
    r"載せる|持つ|上げる|込む|換える|替える|回す|飛ばす|戻す|増やす|減らす|外す|切る|貼る)な(?:よ|ね)?"
)


_TOOL = f"{TOOL_MARK}+"
_TOOLS = rf"{_TOOL}(?:(?:,| or|,? and|や|と|、) ?{_TOOL}){{0,4}}"
_HERE = (
    r"(?:in (?:this|our) (?:whole |entire )?(?:project|repo|repository|codebase|code ?base)|"
    r"for (?:this|our) (?:project|repo|repository)|everywhere|anywhere|here|any ?more|ever again)"
)
_FOR_ALL = r"(?:for (?!this\b|that\b|it\b|now\b|the\b)[^,;]{2,40}|by default|in general)"
_BEHIND = (
    rf"(?:,? (?:please|{_HERE}|{_FOR_ALL}|instead)){{0,3}}(?:,? (?:because|since|as) .{{2,120}})?$"
)
"""The end of a plain order that lasts: a place that is the whole project, or a purpose in general."""

_OURS = (
    r"(?:all |our |your |my |new |every |each )?(?:git )?(?:commits?(?: messages?| titles?| subjects?)?|"
    r"(?:pr|pull request|merge request)s?(?: descriptions?| titles?| bodies)?|code comments?|comments|docs|"
    r"documentation|"
    r"docstrings|doc comments|changelog entries|changelogs?|release notes|branch(?:es| names)|test names|"
    r"log messages|error messages|answers|replies|responses|explanations|summaries|variable names|file names)"
)
"""Things that a project writes again and again, without the article that means the one at hand."""

_FREED = (
    r"(?:(?:ok|okay|so|actually|and|but),? ){0,2}(?:(?:you|we|agents?|everybody|everyone)(?:'re| are)? (?:now )?"
    r"(?:may|can|allowed to|free to|permitted to)|it'?s (?:now )?(?:fine|ok|okay|allowed) to) "
)
"""The beginning of a clause that allows something."""

_WRITTEN = (
    r"(?:コミット(?:メッセージ)?|pr(?:の(?:説明|タイトル|本文))?|プルリク(?:エスト)?(?:の(?:説明|タイトル|"
    r"本文))?|コメント|"
    r"ドキュメント|docstring|返事|返答|回答|返信|説明|ブランチ名|変更履歴|リリースノート|コードコメント|要約)"
)
_ANY_TOOL = f"[{TOOL_MARK}{LIBRARY_MARK}]+"
_GENERAL = (
    r"(?!(?:it|this|that|these|those|them|anything yet|everything|my|your|its|a|an|any of)\b)"
    r"(?!.*\b(?:it|this|that|these|those|them|yet|still|while|already|just|now|for me|next|worry|bother|again|"
    r"too|here)\b)"
)
"""An object that the sentence names by itself: neither a thing at hand, nor at this moment."""

_DEICTIC = (
    r"(?:この|その|あの|これ|それ|あれ|ここ|まだ|今は|今回|いま|一旦|とりあえず|さっき|先に|\d+行目|気に|"
    r"心配)"
)
_NOW_ONLY = r"(?:後|あと|先|明日|今|別|次|中止|キャンセル|ここ|このまま|そのまま|一つ前|元|q)"
_ENDED = (
    r"(?:ください|下さい|くださいね|ね|よ|よね|ほしい(?:です)?|欲しい(?:です)?|お願い(?:します)?)?"
)
_WHY = r"(?:[、。]?[^、。]{1,60}(?:から|ので|ため)(?:です|ね)?)?"
_OUR_PROJECT = (
    r"(?:(?:この|うちの|当)(?:プロジェクト|リポジトリ|レポ|リポ|repo|コードベース)|うち)"
    r"(?:で|に|の)?は?、?"
)


class Form(NamedTuple):
    """One form: its name, the kind of memory that it makes, and its patterns in both languages.

    A `plain` form looks like an order, so that it lasts only where no other sentence asks for work. One that
    `answers` an earlier rule is kept only where it ends or marks such a rule.
    """

    name: str
    kind: InstructionKind
    english: str
    japanese: str
    plain: bool = False
    answers: bool = False


FORMS: tuple[Form, ...] = (
    Form(
        "never", "constraint",
        rf"{_START}(?:please\s)?(?:never|do(?:\s?n[o']?t| not) ever|under no circumstances)\s+{_VERB}"
        rf"|{_START}(?:please\s)?(?:don'?t|do not)\s{_VERB}\s[^;]{{1,100}}?,? ever\b"
        rf"|\b(?:we|you|agents?|the assistant)\smust(?: not|n't)\s{_VERB}|^{_SUBJECT}must(?: not|"
        rf"n't)\s{_VERB}"
        rf"|{_START}i never want (?:you )?(?:to )?{_VERB}"
        rf"|{_SCOPED}never\s+{_VERB}"
        rf"|{_WE}we\snever\s(?={_HUMAN}\b){_VERB}"
        rf"|\b(?:we|you|agents?|the assistant)\s(?:{_MUST}|can|may)\snever\s+{_VERB}"
        rf"|^{_SUBJECT}{_MUST}\snever\s+{_VERB}"
        rf"|\b(?:make sure|be sure)(?: that)?(?: to| you| we)? never(?: to)?\s+{_VERB}",
        rf"(?:絶対に?|決して|けっして|二度と|どんな場合も|何があっても).{{1,120}}{_NOT_DONE}"
        r"|^.{2,80}(?:(?:は|を)[^、はを]{0,12}禁止|の[^、はを]{0,12}禁止(?=.))"
        r"(?:です|とする|とします|にします|ね|な|よ)?$",
    ),
    Form(
        "do not X, use Y", "constraint",
        rf"(?:{_START}|{_SCOPED}|{_WE}we\s)(?:(?:do not|don'?t|dont|avoid)\s+{_VERB}|(?:avoid|"
        rf"stop)\s[a-z]+ing\b)[^;]{{1,90}}?"
        r"(?:,|;|\s-+|\s[–—]|\.)\s*(?:but |and |please |always |instead,? |rather )?(?:we )?(?:use|"
        r"prefer|call|run|open|write|go through|stick to)\s+\S",
        r"(?:使わずに?|使わないで、?|使うのはやめて、?)[^、]{0,12}?\S{1,40}(?:を|で).{1,40}" + _TOLD,
    ),
    Form(
        "do not", "constraint",
        rf"^(?:please\s)?(?:do not|don'?t)\s{_VERB}\s(?:[^,;]{{1,80}}\s)?{_MANNER_ENGLISH}\b[^,;]{{0,60}}$",
        rf"^(?!.*が)(?:.{{2,100}}[をにへ]\s?[^をにへは、]{{0,16}}(?:{_ORDERED_NOT}|{_UNDONE}こと)"
        rf"|(?=.*{_MANNER}).{{2,120}}{_UNDONE}で(?:ください|下さい|くださいね|ね|よ|ほしい(?:です)?|"
        rf"欲しい(?:です)?)?)$",
    ),
    Form(
        "decision", "decision",
        r"\bwe(?:'ve| have)?(?: now| finally| just| all)? (?:decided|agreed|"
        r"settled)(?: not)? (?:to|on|that|against|upon|for)\s\S"
        r"|\bi(?:'ve| have)? decided (?:on|that|against|"
        r"to (?:use|go with|stick with|keep|drop|store|switch|move))\s\S"
        r"|^(?:the |our |final )*decision\s?(?:is\b|was\b|:|-)\s*\S|\bit (?:was|is) decided (?:to|that)\s"
        rf"|(?:{_START}|\bi think )(?:(?:let'?s|let us|we'?ll|we will|we'?re going to|we are going to) "
        rf"(?:go with|use|stick with|stay with|keep)|we(?:'re| are) (?:going|sticking|"
        rf"staying) with)\s(?!(?:it|that|this|these|those|"
        rf"option \w+|the (?:first|second|last|other))\b){_BECAUSE}",
        r"(?:に決めました|に決めた|と決めました|と決めた|に決まりました|に決まった|に決定(?:しました|"
        r"した(?!の)|です|$)|ことにしました|ことにした|"
        r"ことになりました|ことに決めました|ことに決めた|を採用しました|を採用することに(?:した|"
        r"しました))(?:ので|から)?[、。]?(?:.{0,60})$"
        r"|^(?:決定(?:事項)?|決まったこと)\s?[:：]\s?\S"
        r"|(?:ので|ため|から)、?.{1,60}(?:で(?:いきます|行きます|いきましょう|行きましょう|いこう|"
        r"行こう)|にしましょう|を採用します|を採用しましょう)$",
    ),
    Form(
        "always", "preference",
        rf"{_START}always\s+{_VERB}|{_START}{_VERB}\s.{{2,100}}, (?:always|every time)$|"
        rf"{_SCOPED}always\s+{_VERB}"
        rf"|{_WE}we\salways\s(?={_HUMAN}\b){_VERB}"
        rf"|\b(?:we|you|agents?|the assistant)\s{_MUST}\salways\s+{_VERB}|"
        rf"^{_SUBJECT}{_MUST}\salways\s+{_VERB}"
        rf"|\b(?:make sure|be sure|remember)(?: that)?(?: to| you| we)? always\s+{_VERB}"
        rf"|{_START}i always want (?!to\b)\S|\bi (?:want|need|would like|'d like) you to always\s+{_VERB}",
        rf"(?<!_)(?:いつも(?!の)|必ず|毎回|(?:常に|つねに)(?!.*ように)|"
        rf"毎度){_NO_TASK}.{{1,120}}(?:{_TOLD}|[一-龥ァ-ヶa-z)]で$)|必ず.{{0,80}}{_PLAIN}",
    ),
    Form(
        "from now on", "preference",
        rf"^(?:so |and |ok )?{_FROM_NOW}\s?:\s*\S|\b{_FROM_NOW},?\s+{_CASE}{_LETS}{_VERB}"
        rf"|\b{_FROM_NOW}[,:]?\s+(?:i (?:want|need|expect|prefer)\b|(?:all|every|each)\s|"
        rf"(?:[^\s,]+\s){{1,6}}(?:should|must|needs? to|ha(?:s|ve) to|shall|are to)\b)"
        rf"|{_START}{_LETS}{_VERB}\s.{{2,120}}\b{_FROM_NOW}"
        rf"|^(?:please |always |never |don'?t |do not ).{{3,120}}\bin (?:the )?future$"
        rf"|^(?:in (?:the )?future(?: sessions)?(?: too)?|next time|"
        rf"for the future)[,:]?\s+{_CASE}{_LETS}{_VERB}",
        rf"{_LATER}.{{1,120}}(?:{_TOLD}|{_NOT_DONE}|{_PLAIN})",
    ),
    Form(
        "use Y, not X", "preference",
        rf"(?:{_START}|{_SCOPED}|{_WE}we\s)(?:always )?use {_TERM}(?:,? (?:and )?not|,? instead of|"
        rf",? rather than|,? never)\s{_TERM}\s*(?:[,;:(].*|because .*|since .*)?$"
        rf"|(?:{_START}|{_SCOPED})use {_TERM} (?:for|in) (?:all|every|everything|tests|this (?:project|"
        rf"repo))\b[^,]{{0,40}},? (?:not|instead of|rather than)\s{_TERM}\W*$",
        r"^(?!.*方を).{0,40}?(?:ではなく|じゃなく)(?:て|、)?\s?[^、]{1,30}(?:を?使って|を使用して|"
        r"を利用して|を使う(?:こと|ように(?:して)?)|で書いて)(?:ください|下さい|ね|ほしい(?:です)?)?$",
    ),
    Form(
        "remember", "fact",
        r"^(?:(?:and|but|also|ok|okay|please|pls|so|hey|just|good)[,:]?\s+){0,3}(?:(?:can|could|would|"
        r"will) you (?:please )?|you (?:should|must|need to) |we (?:should|must|need to) |i (?:want|"
        r"need) you to |i'd like you to )?(?:always )?"
        r"(?:remember|keep in mind|bear in mind|don'?t forget|do not forget|make a note|take a note|"
        r"memori[sz]e)(?:\s(?:that|this|of|for (?:later|the future|next time|"
        r"future sessions))\b\s?[,:–—-]?|\s?[,:–—-])\s*(?P<rest>.*)$"
        r"|^(?:hey |please |just )?(?:(?:a |one )?(?:quick )?note|remember|reminder|fyi) (?:for|"
        r"to) (?:later|the future|the record|future reference|future sessions|next time|yourself|"
        r"self)\b\s?[,:–—-]?\s*(?P<rest2>.*)$"
        r"|^(?:please )?(?:save|add|put|write|store|commit) (?:(?:this|that|the following) )?(?:to|in|"
        r"into) (?:your |the )?memory\s?[,:–—-]?\s*(?P<rest>.*)$"
        r"|^(?:just )?for (?:future reference|the record|later reference)\s?[,:–—-]\s*(?P<rest3>.*)$"
        r"|^(?:also |and )?please remember (?=the |our |we |i )(?P<rest4>.*\b(?:is|are|has|have|must|"
        r"needs?|runs?)\b.*)$"
        rf"|^(?:(?:and|but|also|please|just)\s+){{0,2}}remember to (?!(?:also|now|"
        rf"then)\b){_VERB}.{{1,120}}\b(?:before|after|when|whenever|every|each|always|if|unless)\b",
        r"^(?P<rest>.*?)(?:(?:という?)?(?:こと|の|点)?[をはも]?、?)(?:しっかり|"
        r"ちゃんと)?(?:覚えて(?:おいて|おけ|いて)|覚えといて|記憶して(?:おいて|ください)|忘れないで|"
        r"(?<!に)(?:メモ|記録)して?(?:おいて|といて))"
        r"(?:ください|下さい|ね|ほしい(?:です)?|くださいね|(?:もらえ|くれ|いただけ)ますか)?$"
        r"|^覚えて(?:おいて|いて)?(?:ほしい|欲しい|もらいたい)(?:んだ|の|ん)?(?:けど|ですが|だけど|"
        r"です)、?\s*(?P<rest>.*)$"
        r"|^(?:これ(?:を|は)?|次(?:のこと)?を|以下を)?(?:覚えて(?:おいて|いて)|覚えといて|覚えて|忘れないで|"
        r"記憶して(?:おいて)?|メモ(?:して(?:おいて)?)?|メモリに(?:残して|保存して|"
        r"入れて)(?:おいて)?)(?:ください|下さい|ね)?\s?[:：、]\s*(?P<rest2>.*)$",
    ),
    Form(
        "not here", "constraint",
        rf"{_START}(?:please\s)?(?:do not|don'?t|dont|stop|avoid)\s(?:{_VERB}\s|"
        rf"(?:[a-z]+ing)\s)[^,;]{{1,80}}?\s{_HERE}(?:,.{{2,60}})?$"
        rf"|{_START}(?:please\s)?(?:do not|don'?t)\s{_VERB}\s[^,;]{{2,80}}\bwithout asking\b.{{0,30}}$",
        rf"^{_OUR_PROJECT}.{{2,80}}(?:{_NOT_DONE}|使わない|しない)$",
    ),
    Form(
        "not that tool", "constraint",
        rf"^(?:please |no,? |and |also ){{0,2}}(?:(?:do not|don'?t|dont|never) (?:use|run|install|add)|(?:stop|"
        rf"avoid|quit) using) {_TOOLS}{_BEHIND}|^(?:please )?no (?:more )?{_TOOLS}{_BEHIND}"
        rf"|^{_TOOLS} (?:is|are) (?:forbidden|banned|not allowed|prohibited|off limits|out){_BEHIND}",
        rf"^(?:いや、?)?{_TOOLS}(?:は|を)(?:絶対に?)?(?:使わないで|使わない|使用しないで|使用禁止|入れないで|"
        rf"使うのはやめて){_ENDED}{_WHY}$"
        rf"|^{_TOOLS}は(?:禁止|なし|使用禁止)(?:で|です)?{_WHY}$",
        plain=True,
    ),
    Form(
        "that tool", "preference",
        rf"^(?:please |no,? |nope,? |wrong,? |ok,? |actually,? ){{0,2}}(?:use|prefer|stick (?:with|to)|go with|"
        rf"switch to|"
        rf"only use|let's use|we (?:only )?use|we'?re (?:on|using)|i prefer|this (?:project|repo) (?:uses|is on)) "
        rf"{_TOOLS}(?: only)?{_BEHIND}"
        rf"|^(?:no,? )?(?:use|prefer|i prefer|we prefer) {_TOOLS} (?:over|to) {_TOOL}{_BEHIND}"
        rf"|^(?:we|the (?:team|project))(?:'ve| have| has)? (?:now )?(?:switched|moved|migrated|"
        rf"changed) (?:from \S+ )?(?:over )?to {_TOOLS}{_BEHIND}"
        rf"|^(?:please )?(?:indent|format|install|test|lint|type-?check|build) (?:with|using|"
        rf"through) {_TOOLS}{_BEHIND}"
        rf"|^not {_TOOL}[,.;]? ?(?:use )?{_TOOL}{_BEHIND}|^{_TOOLS},? not {_TOOLS}{_BEHIND}",
        rf"^(?:いや、?|{_OUR_PROJECT}|[^、。をが]{{1,16}}(?:は|には|では)、?)?{_TOOLS}(?:だけ)?(?:を使って|"
        rf"を使用して|を使う(?:こと|ように(?:して)?)?|"
        rf"でお願い|にして|を使おう|を使ってます|を使います){_ENDED}{_WHY}$"
        rf"|^(?:いや、?|[^、。]{{1,20}}は)?{_TOOL}より(?:も|は)?、?{_TOOL}(?:の(?:方|ほう))?(?:がいい|が良い|"
        rf"が好き|を優先|を使って)(?:です|な|ね|よ|かな)?{_ENDED}{_WHY}$"
        rf"|^(?:いや、?)?{_TOOL}(?:は違う|じゃない|ではない)(?:です|よ|ので|から)?、.{{0,30}}{_TOOL}.{{0,20}}$"
        rf"|^{_TOOL}(?:ではなく(?:て)?|じゃなく(?:て)?|をやめて|はやめて|の代わりに)、?{_TOOL}.{{0,20}}$",
        plain=True,
    ),
    Form(
        "our writing", "preference",
        rf"^(?:please |no,? ){{0,2}}(?:write |keep |make |put )?{_OURS}(?: (?:should be|must be|are|is|stay|go))?"
        rf" (?:always )?(?:(?:written )?(?:only )?in (?!the\b|this\b|that\b|a\b)|(?:under|below|within|at most|"
        rf"no longer than|"
        rf"up to) (?:\d|one|two|three)|(?:short|small|brief|concise|terse|lowercase)\b)[^,;]{{0,60}}$"
        rf"|^(?:please |no,? ){{0,2}}(?:answer|reply|respond|explain|talk)(?: to me| me| things|"
        rf" everything)? (?:only )?in [a-z]+(?: please| only)?$"
        rf"|^(?:please )?(?:stop|quit|no more) (?:adding|writing|using|putting|making) [^,;]{{0,30}}(?:comments|"
        rf"docstrings|emojis?|tests|mocks|summaries|docs|em dashes)\b[^,;]{{0,60}}$"
        rf"|^(?:i )?prefer (?:small|short|atomic|conventional|draft|squashed|signed) (?:commits|prs|functions|"
        rf"answers)\b.{{0,60}}$",
        rf"^(?:いや、?|今後)?{_WRITTEN}は、?(?!{_NOW_ONLY})[^をがqは]{{1,30}}(?:にして|に統一(?:して)?|"
        rf"で書いて|から書いて|でお願い|で統一(?:して)?|く(?:して|まとめて)|"
        rf"で書く(?:こと|ように(?:して)?)|に(?:すること|してほしい)){_ENDED}(?:[、。].{{0,60}})?$"
        rf"|^{_WRITTEN}(?:に|で|の中で)は?、?(?!{_NOW_ONLY})[^、がq]{{1,24}}(?:を使わないで|を入れないで|"
        rf"を書かないで|は使わないで|は入れないで|は書かないで){_ENDED}$"
        rf"|^絵文字(?:は|を)使わないで{_ENDED}.{{0,30}}$",
        plain=True,
    ),
    Form(
        "do not ship", "constraint",
        r"^(?:please |and |also ){0,2}(?:do not|don'?t|dont) (?:ever )?(?:commit|push|merge|force[- ]push|"
        r"deploy|release|publish|rebase|amend|squash|log|hard-?code|check in)"
        r" (?!(?:it|this|that|these|those|them|anything|everything|the|my|yet|now|again|any|"
        r"until)\b)[^,;]{2,80}$",
        rf"^(?:main|master|develop|本番|リリースブランチ|生成(?:された|した)?(?:ファイル|コード)|秘密(?:情報|鍵)|"
        rf"依存パッケージ|\.env)"
        rf"(?:に|へ|を|は|の)[^、。]{{0,20}}(?:push|プッシュ|コミット|commit|デプロイ|マージ|追加|編集|ログに出|"
        rf"出力)(?:は|を)?し?ないで{_ENDED}{_WHY}$",
        plain=True,
    ),
    Form(
        "limit", "preference",
        r"^(?:please |so |and )?(?:keep|limit|cap|wrap|indent|target|aim for) (?!(?:it|this|that|these|those|"
        r"them|going|the)\b)[^,;]{2,60}?(?:\d+)[^,;]{0,40}$"
        r"|^(?:the |our |max(?:imum)? |min(?:imum)? )*(?:line|column|function|method|file|class|commit subject|"
        r"subject line|title|"
        r"test coverage|coverage|indent(?:ation)?|tab)s?(?: lines?)?(?: length| width| size| limit| height|"
        r" depth){0,2}"
        r"(?: (?:is|are|of|should be|must be|stays?|has to be|may be|at most|up to|under|below|at least|now|"
        r":))*:? ?\d+[^,;]{0,30}$",
        r"^(?:1?行|一行|関数|メソッド|ファイル|クラス|カバレッジ|インデント|タブ幅|"
        r"件名)[^、。を]{0,16}\d+[^、。]{0,14}(?:以内|以下|以上|まで|幅|文字|行|にして|で|とする|にする)"
        rf"(?:にして|でお願い|とする|にする|で|に収めて|に抑えて|です)?{_ENDED}$",
        plain=True,
    ),
    Form(
        "every", "preference",
        r"^(?:every|all|each|new) (?!(?:of|the|this|these|those|that)\b)[^,;]{2,40}? (?:must|should|needs? to|"
        r"ha(?:s|ve) to|goes?|go|gets?) "
        r"(?!(?:pass|work|fail|succeed|compile|build|return|look|show|now|already|probably|not be (?:there|"
        r"shown))\b)[^,;]{3,100}$",
        r"^(?:すべての|全ての|全)(?!部)[^、。]{1,24}(?:は|に|には)[^、。]{2,60}(?:こと|必須(?:です)?|付けて|"
        r"つけて|書いて)(?:ください)?$",
        plain=True,
    ),
    Form(
        "general prohibition", "constraint",
        rf"^(?:please |pls |and |also ){{0,2}}(?:do not|don'?t|dont) (?:ever )?(?:touch|edit|modify|change|"
        rf"write to|write|add|"
        rf"remove|delete|use|call|import|rename|run|bump|upgrade|skip|mock|disable|bypass|store|put|leave|open|"
        rf"create|introduce|access|query|reformat|hand-?edit) {_GENERAL}[^;]{{2,120}}$"
        rf"|^no (?:more )?(?!need\b|idea\b|luck\b|problems?\b|errors?\b|changes?\b|worries\b|one\b|thanks\b|"
        rf"way\b|wait\b|"
        rf"difference\b|results?\b|output\b|matter\b|files?\b|matches\b)[a-z][\w.-]*(?: [a-z][\w.-]*)?,? (?:in|"
        rf"inside|within|outside|without|on|during|under) (?!this\b|that\b|my\b|it\b|here\b)[^,;]{{2,60}}$"
        rf"|^nothing (?:gets?|goes|is|may be|should be|is to be) [^,;]{{3,80}}$",
        rf"^(?!ただし|でも|、)(?!.*{_DEICTIC}).{{2,80}}[をはも](?:[^、。]{{0,12}})(?:使わ|入れ|書か|残さ|触ら|"
        rf"取ら|上げ|呼ば|混ぜ|置か|"
        rf"(?:追加|変更|編集|削除|更新|出力|導入|修正|インストール|ハードコード|プッシュ|push|デプロイ|マージ|"
        rf"skip|スキップ|コミット|commit)し)(?:ないで|ない(?:こと)?){_ENDED}{_WHY}$"
        rf"|^(?!.*{_DEICTIC}).{{2,80}}(?:使う|入れる|書く|残す|触る|取る|置く|出す|する)?(?:の|の?は)(?:避けて|"
        rf"やめて|厳禁|絶対だめ|絶対に?だめ|不可|ng)(?:で|です)?{_ENDED}{_WHY}$",
        plain=True,
    ),
    Form(
        "in a case", "preference",
        r"^(?:after|before|when|whenever|if|for|on) (?:an? (?!few\b|bit\b|while\b)|any |every |each |all |new |"
        r"you (?:add|touch|change|edit|write|create|open|"
        r"merge|deploy|introduce|rename|delete|commit|push|release|cut|bump) (?!(?:the|this|that|it|these|those|"
        r"them|my)\b))"
        r"[^,;]{2,60}, (?:please |also |first |then )?(?!i\b|it\b|the\b|we\b|there\b|you\b|this\b|that\b|"
        r"they\b)(?P<verb>[a-z][a-z-]{1,12})\b[^;]{3,120}$"
        r"|^(?:please )?(?!i\b|it\b|we\b|the\b|this\b|that\b|there\b|why\b|how\b|what\b|for\b|in\b|on\b)"
        r"(?P<verb>[a-z][a-z-]{1,12})\b [^,;]{2,60}? (?:before|after|on|in|for|to|with) (?:every|each) "
        r"(?:commit|pr|pull request|release|deploy|merge|push|migration|endpoint|module|component|feature|"
        r"session)\b.{0,60}$"
        r"|^[a-z]+s (?:happen|go out|go live|are (?:cut|made|done|merged|released)) (?:only )?(?:on|in|at|every|"
        r"after|before) [^,;]{2,60}$"
        r"|^(?:every|all|each) (?!(?:of|the|this|these|those|that|tests? (?:pass|"
        r"fail))\b)(?:new )?[^,;]{2,40}? (?:needs?|has|have|gets?|goes|go|requires?) "
        r"(?:an? |its own |to |through |into |at least |\d |one |two |three )[^,;]{3,80}$"
        r"|^(?:squash|sign|tag|rebase|review|document|test|name|format|lint|prefix|wrap|log|cover|mention|"
        r"link) (?:every|each|all|any) (?!of\b|the\b|these\b|this\b)[^;]{3,80}$",
        r"^(?!.*(?:その|あの|ログイン後|パスワード|ヘッダー|って(?:入れ|打|つけ)|[押打]|このバグ|エラー|落ち|"
        r"直して|調べて|教えて|失敗|ので)).{2,40}(?:(?:[るくすうつむぐぬぶ]|の)(?:とき|時|際|場合|たび)(?:に?は|"
        r"に|、)|[るくすうつむぐぬぶ]前に(?:は|、)?|[たん]ら(?:、|必ず)|した後(?:は|に)、?)"
        r".{2,80}(?:て|で)(?:ください|下さい|おいて|ね|ほしい|からにして)*(?:ね|ください)?$",
        plain=True,
    ),
    Form(
        "what for", "preference",
        rf"^(?:please |pls |no,? ){{0,2}}(?:use|prefer|stick to|stick with) {_ANY_TOOL} (?:for|in|on|when|"
        rf"to manage) {_GENERAL}[^;]{{2,60}}$"
        rf"|^(?:please |pls )?(?:format|lint|type-?check|do|manage|deploy|bundle|build|write|run|test|log|handle|"
        rf"style) {_GENERAL}[^,;]{{2,50}} (?:with|using|through|via|in) "
        rf"{_ANY_TOOL}(?: please)?(?:,? not [^,;]{{2,30}})?$"
        rf"|^run {_ANY_TOOL}(?: [a-z-]+)? (?:on|over|before|after) (?:all|every|each|any) [^,;]{{2,60}}$"
        rf"|^{_ANY_TOOL} (?:instead of|over|rather than|, not|not) \S[^;]{{2,100}}$"
        rf"|^(?:all |our |the )?[a-z][\w-]+(?: [a-z][\w-]+)? (?:files?|code|tests|configs?|scripts|sources|"
        rf"modules|deploys|releases|branches|commits|components|secrets) "
        rf"(?:gets?|goes? (?:through|to|in|into|via)|lives? in|stays? in|belongs? in|uses?) [^;]{{3,80}}$",
        rf"^(?!.*{_DEICTIC})[^、。をが]{{1,20}}(?:は|には|では|も)、?(?:必ず)?(?!.*qqq)(?!(?:json|csv|html|pdf|"
        rf"png|md|text|txt)\b)[a-z][\w./ +-]{{0,30}}(?:だけ)?(?:を?使って|を?使う(?:こと|ように(?:して)?)?|"
        rf"(?:に|で)(?:残す(?:こと|ように(?:して)?)|残して|書いて|出して|作って|管理して|統一(?:して)?|お願い)|"
        rf"を?使用する(?:こと)?){_ENDED}{_WHY}$"
        rf"|^[^、。をが]{{1,20}}(?:は|には|では)、?{_ANY_TOOL}(?:で|で書く|を使う|にする|でいく|で書きます|"
        rf"を使います|にします){_ENDED}$"
        rf"|^(?!.*{_DEICTIC})[^、。]{{2,40}}(?:で|に)統一(?:して|する|です|で)?{_ENDED}$"
        rf"|^(?!.*{_DEICTIC}).{{2,40}}[るくすうつむぐぬぶ](?:とき|時|場合|際)は?、?{_ANY_TOOL}(?:を)?(?:使って|"
        rf"使う(?:こと)?){_ENDED}$",
        plain=True,
    ),
    Form(
        "free again", "preference",
        rf"^{_FREED}.{{2,120}}\b(?:again|from now on|after all|any ?more)(?:,.{{2,60}})?$|"
        rf"^{_FREED}.{{0,60}}{_TOOL}.{{0,60}}$"
        r"|^(?:please |you can )?(?:forget|scrap|drop|ignore|lift|cancel) (?:about )?(?:the |that |"
        r"our )?.{0,60}\brules?\b.{0,60}$"
        r"|^(?:the|our) .{2,60}\b(?:rule|ban|restriction) .{0,30}\b(?:gone|off|lifted|no longer \w+|cancell?ed|"
        r"over|void|dropped|obsolete)\b.{0,40}$"
        r"|^(?:we|our|[a-z]+s) [^;]{3,60} now(?:,? not [^;]{2,40})?$"
        r"|^[^,;]{3,80} (?:is|are) (?:now )?(?:fine|ok|okay|allowed|permitted|acceptable)(?: again| now)?$"
        r"|^(?:it'?s|it is)(?=.*\b(?:now|again|from now on)\b) (?:now )?(?:fine|ok|okay|allowed|permitted|"
        r"acceptable)(?: now| again)? to .{3,100}$"
        r"|^(?:(?:we|you)(?:'ve| have)? (?:now )?stopped|stop|quit|drop(?:ped)?) .{3,80}$|"
        r"^[^;]{2,60}\bno (?:more )?[^,;]{2,40} any ?(?:more|longer)$"
        r"|\bno longer (?:need|have|required?|necessary|use|want)\b.{2,120}$"
        r"|^(?:you|we|agents?) (?:don'?t|do not|needn'?t) (?:(?:need|have) to )?.{2,100}\b(?:any ?more|"
        r"any longer|from now on)$"
        r"|^(?:there'?s |there is )?no (?:need|longer any need) to .{2,100}\b(?:any ?more|any longer|from now on)$"
        r"|^[^,;]{3,80} (?:is|are) (?:now )?(?:optional|no longer (?:required|needed|necessary))(?: now)?$"
        r"|^(?:the |our )?[a-z ]{3,40}(?:is|are) now .{1,40}$|^[^,;]{3,80}\bmay (?:now )?be (?:up to|at most|"
        r"as long as) \d.{0,40}$",
        r".{2,100}(?:(?:て|で)も(?:いい|良い|よい|大丈夫|構わない|ok)|(?:て|で)ok(?:に(?:する|します|した|"
        r"しました))?|(?:は|を)?解禁|許可(?:します|する)?)(?:です|ことに(?:する|します|した|しました)|よ|ね)*$"
        r"|^.{2,60}(?:に|へ)(?:変更|変え|切り替え|移行|統一)(?:します|する|しました|した|ます)$"
        r"|.{2,60}(?:て|で)(?:も)?いい(?:です)?ことに(?:する|します|した|しました)$"
        r"|(?:もう|今後は|これからは).{0,80}(?:なくて(?:も)?(?:いい|良い|よい|大丈夫)|不要|必要(?:は)?(?:ない|"
        r"ありません))(?:です|よ|ね)*(?:、.{1,40})?$"
        r"|(?:やっぱり?|また|もう|これからは|今は).{2,60}(?:て|で)(?:も)?(?:いい|良い|よい|大丈夫|ok)(?:です|よ|"
        r"ね)*(?:、.{1,40})?$"
        rf"|^{_TOOLS}(?:は|も|を)?(?:また)?使って(?:も)?(?:いい|良い|よい|大丈夫|ok)(?:です|よ|ね)*$"
        r"|^.{2,60}(?:ルール|決まり|制限)(?:は|を)?、?(?:もう)?(?:廃止|撤廃|なし|無し|やめ|終了|取り消).{0,20}$"
        r"|^[^、。]{2,60}(?:は不要に(?:なりました|なった|する|します)|のはやめ(?:る|ます|よう))$",
        answers=True,
    ),
)  # fmt: skip
"""The table. A sentence is kept by its first form, which gives the memory its kind."""

PROHIBITION = re.compile(
    r"\b(?:never|don'?t|dont|do not|must not|mustn'?t|no longer|stop|avoid)\b(?! forget)|"
    r"(?<!忘れ)ないで|ないこと|禁止|てはいけ|(?:する|使う|書く)な$|やめて"
)
"""The words that make a constraint of a sentence whose form says `from now on` or `remember`."""

MOMENT = re.compile(
    r"\b(?:this time|for now|for the moment|right now|at the moment|just (?:this )?once|for today|"
    r"(?<!starting )today(?! on)|"
    r"tonight|temporarily|(?:in|on|for) this (?:pr|commit|branch|file|task|session|function|change|case|"
    r"step|"
    r"test|diff|plan|chat|conversation|ticket|issue|page)|until (?:i|we|then)|yet|so i can|maybe|perhaps|probably|"
    r"i guess|i wonder|wondering|not sure|might want|what if)\b|^(?:why|how|what|when should)\b|"
    r"今回|とりあえず|ひとまず|いったん|一旦|今だけ|今日だけ|間だけ|ここでは|後に戻|一度だけ|一回だけ|暫定|かも|"
    r"と思う|と思い|たぶん|多分|"
    r"なぜ|どうして|この(?:pr|コミット|ブランチ|ファイル|タスク|関数|変更|件|会話|ケース|場合)"
)
"""Words of this task, and of doubt: what the sentence says is not to last."""

REPORT = re.compile(
    r"\b(?:said|says|saying|told (?:me|us)|(?:system )?prompt|bot|(?:he|she|they|docs?|documentation|"
    r"linter|compiler|readme|error|warning|reviewer|bot|copilot|"
    r"someone|somebody|users?|customers?|it|page|article) (?:says?|said|tells?|told|claims?|complains?|"
    r"wants?|asks?|asked|reads?|suggests?|suggested|mentioned|wrote)|according to|supposed to|"
    r"we used to|in (?:19|20)\d\d|it seems|looks like|keeps? \w+ing)\b|"
    r"らしい|ようです|みたい|と書いて(?:ある|あった|あり)|と言って(?:いた|る)|と言われ|そうです$|"
    r"失敗して|落ちて|なって|しまって|しまう|出て|エラーに|される|されて|困って"
)
"""Words of what others say and of what happens: no instruction, unless the user asks to remember it."""

OPAQUE = re.compile(
    r"\s*(?:it|that|this|these|those|them|so|one|the same|like (?:this|that)|option \w+|the (?:first|"
    r"second|third|last|other)(?: one)?)"
    r"(?=\s*(?:$|[,;:.!]|\b(?:before|after|when|if|from|as|and|or|instead|every|each|again|way|too|"
    r"there|now|"
    r"with|without|like|please|whenever|unless|until|because|since|first|always|never|in|on|for|to)\b))"
    r"|^(?:(?:今後|これから|いつも|必ず|毎回|常に|絶対に?|二度と|次から)は?、?)?"
    r"(?:それ|これ|あれ|そう|こう|こちら|そちら|あちら|そっち|こっち|その|この)(?:は|を|も|に|で|が|と|"
    r"し|やり方|ように|よう)"
)
"""An object that only the sentences before say: of `always do that` nothing can be learnt."""

LOCAL = re.compile(
    r"\b(?:in|for|on|at|inside|within) (?:the|this|that|my|these)\b(?! (?:repo|project|codebase|"
    r"tests?|whole|docs))|"
    r"\bline \d|\b[\w/-]+\.(?:[jt]sx?|py|go|rs|rb|java|kt|c|cpp|h|md|ya?ml|json|toml|sh|css|html)\b|"
    r"ここ|その|あの|この(?!プロジェクト|リポジトリ|レポ)"
)
"""One place of the code: `use Y, not X` there is no choice for the whole project."""

TEMPORARY = re.compile(
    r"まだ|今は|いまは|今すぐ|これ以上|さっき|先ほど|まで(?!も)|間は|明日|心配|気に|慌て|焦ら|"
    r"ここ|そこ|その|あの|この(?!プロジェクト|リポジトリ|レポ|repo)|"
    r"\b(?:still|while|before|after|when|this(?! (?:repo|project|codebase))|that|these|those)\b"
)
"""Words that bind a plain prohibition to a moment or to a thing at hand, or make a comfort of it."""

MANNER = re.compile(_MANNER + "|" + _MANNER_ENGLISH)
"""The manner that a plain prohibition forbids, in whatever file."""

_TONGUE = r"(?:english|japanese|chinese|korean|french|german|spanish|italian|portuguese)"
ABOUT_ANSWERS = re.compile(
    r"\b(?:answer|reply|respond|talk|speak|write back|explain (?:things|everything))\s(?:to )?(?:me\b|us\b|"
    rf"in (?:{_TONGUE}|short|one|a few|plain|simple|bullet)|short|brief|concise|polite|formal|casual|with short|"
    r"with brief|without)|\b(?:your|the) (?:answers?|replies|responses?|tone|explanations?|summaries)\b(?! of)|"
    r"\b(?:call|address) me\b|\bbe (?:more )?(?:concise|brief|terse|polite|formal)\b|"
    rf"^(?:from now on|going forward|always|please|[,\s])*(?:use |write |talk )?(?:in )?{_TONGUE}"
    r"(?: please| only| with me)?$|"
    r"^(?:今後|これから|いつも|必ず|常に|毎回|次から|は|も|、)*(?:(?:お)?(?:返答|回答|返事|返信|答え|説明|口調)[はをも]|"
    r"(?:日本語|英語|中国語|韓国語)(?:で|を使って)(?:$|お願い|ください|答え|話し|返|回答|説明|応答))|敬語|タメ口"
)
"""Rules that say how to answer the user, which hold for the user in every project; searched in lower case."""

_ENDINGS = ("ss", "ocus", "ias", "anvas", "discuss")
_BASES = frozenset(
    "feed seed need embed speed exceed proceed succeed shed wed shred bring ping string ring sing add reply"
    " apply comply rely supply multiply ass pass bus bias focus alias canvas process access address".split()
)
_NO_VERBS = frozenset(
    "mind the a an in on at to with when so too very it they he she i we there this that these those one been"
    " ever had seen got gone done was were is are knew thought said told heard made worked happened did has have"
    " full up down out calm say nice good great fun happy sure true false here ready possible green red empty"
    " null none zero nothing closed available required visible enabled disabled present correct right"
    " wrong again before better more less as of for from by if because where who what how fail crash broke hang"
    " happen returns"
    " seem appear work works forget forgot wonder wanted know knows get gets see sees would could should may can"
    " will not also and or but only saw came went found felt understood my your his her their its our".split()
)


def is_base_form(word: str) -> bool:
    """Return whether a word may be a verb that tells somebody to do something."""
    if word in _BASES or word.startswith("q"):
        return True
    if word in _NO_VERBS or word.endswith(("ed", "ing", "ly")):
        return False
    return not word.endswith("s") or word.endswith(_ENDINGS)
