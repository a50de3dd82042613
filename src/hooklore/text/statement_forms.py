"""The forms in which a sentence denies, gives a reason, names a role, or says what it replaces."""

import re
from typing import Final

KANA: Final = re.compile("[\u3041-\u30ff]|[\u4e00-\u9fff]")
SENTENCE_END: Final = re.compile(
    r"(?<=[.!?])\s+(?=[A-Z`\"(])|,\s+(?=(?:but|the|we|it|they|this|there)\b)|(?<=[。！？])|[\n;；]|(?<=[?？])"
)
NO_STATEMENT: Final = re.compile(
    r"[?？]\s*$|\b(?:used to|previously|formerly|might|maybe|perhaps|consider(?:ing|ed)?|propos(?:e|es|ed|al)|"
    r"wonder(?:ing)?|idea)\b|\bwas\b.*\buntil\b|以前は|かつて|元々|もともと|検討|かも(?:しれ|$|。)|提案|"
    r"(?:でしょう|ます|です)か。?$",
    re.IGNORECASE,
)
_LATER: Final = (
    r"(?:now|today|next \w+|this \w+|last \w+|version \S+|v\d\S*|\d{4}(?:-\d\d)*|(?:the )?(?:start|end|"
    r"beginning) of \w+|"
    r"\d{1,2}(?:st|nd|rd|th)?(?: of)? \w+|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|winter)\w*(?: \d{1,4})?)"
)
SIDE_CLAUSES: Final = (
    (re.compile(r"^(?:decisions?|decided|note|update|correction|rule|fact|fyi|heads-?up|決定|更新|訂正|変更|"
                r"注意|方針)"
                r"\s*[:：]\s*", re.IGNORECASE), ""),
    (re.compile(r"^(?:we|they|i|the team|the user|user|it was|it has been)\s+(?:have\s+|has\s+|"
                r"had\s+)?(?:now\s+)?"
                r"(?:decided|agreed|chosen|chose|opted|settled|want|wants|prefer|prefers)\s+(?:that\s+|to\s+|"
                r"on\s+|for\s+)?",
                re.IGNORECASE), ""),
    (re.compile(r"\s*,?\s*\b(?:because|so that|in order to|due to|thanks to)\b.*$|,\s*(?:as|so|which|where|"
                r"whose)\b.*$",
                re.IGNORECASE), ""),
    (re.compile(rf"\b(?:as of|since|starting(?: from| on| in| with)?|effective|beginning|"
                rf"from) {_LATER}(?: on(?:wards?)?\b)?,?",
                re.IGNORECASE), " "),
    (re.compile(r"(?<=\w\s)since\b.*$", re.IGNORECASE), ""),
    (re.compile(r"\b(?:from now on|going forward|at the moment|for now|these days|by default|"
                r"in future)\b,?", re.IGNORECASE), " "),
    (re.compile(r",?\s*\b(?:instead of|rather than|in place of)\b[^,.]*|,\s*(?:and\s+)?not\s+[^,.]*$|"
                r"\binstead\b|\bno longer \w+ but\b|,\s*no longer\b.*$",
                re.IGNORECASE), " "),
    (re.compile(r"\bfrom\s+[^,]{1,40}?\s+to\b", re.IGNORECASE), "to"),
    (re.compile(r"^[^。]*(?:ため|ので|なので|だから)、"), ""),
    (re.compile(r"(?:\d{4}年)?(?:\d{1,2}月(?:\d{1,2}日)?|来週|来月|今週|今月|今日|明日|次回|今年|来年|先週|"
                r"先月|本日|今|これ|今後)"
                r"(?:から|以降|より)は?、?"), ""),
    (re.compile(r"(?:今後|これから|現在|今|最近|いま|当面|原則|基本的に)は、?|もう(?=.*(?:ない|ません))|"
                r"(?:原則|方針)として、?"), ""),
    (re.compile(r"(?:(?<=は)|(?<=を)|(?<=、)|^)[^は、。]*?(?:では?なく|じゃなく)(?:て)?、?"), ""),
    (re.compile(r"(?<=[は、を])[^は、。]*?から(?=[^、。]*(?:に|へ)(?:変更|移行|変わ|切|延|短縮|引き?[上下]|移|増|"
                r"減))"), ""),
    (re.compile(r"(?:という)?(?:こと|方針)(?:に(?:した|する|なった|決ま?った|決めた|しました|なりました|"
                r"決定した)|で合意した|とする|となった)"), ""),
)  # fmt: skip
"""Asides of a statement, each with what is left in its place."""

NO_NEGATIONS: Final = (
    (re.compile(r"\b(?:no|not) (?:more|longer|later|greater|higher) than\b", re.IGNORECASE), "at most"),
    (re.compile(r"\b(?:no|not) (?:less|fewer|earlier|lower) than\b", re.IGNORECASE), "at least"),
    (re.compile(r"\bnot only\b|\bno\.(?=\s*\d)|\bnot just\b", re.IGNORECASE), " "),
    (re.compile(r"な(?:ければ|くては|いと)(?:なら|いけ)(?:ない|ません)|な(?:ければ|くては|いと)だめ|"
                r"しか(?=[^。]*(?:ない|ません))"), "必須"),
    (re.compile(r"必須(?P<kept>[^。]*?)(?:ない|ません)"), r"\g<kept>"),
    (re.compile(r"(?<=ない)、(?:禁止|不可|NG)|(?<=ません)、(?:禁止|不可|NG)"), ""),
    (re.compile(r"少ない|危ない|だけ(?:では?)?なく"), " "),
)  # fmt: skip
"""Words that only look as if they deny, each with what is left in their place."""

NOT: Final = re.compile(
    r"\b(?:no longer|not|never|no|nobody|none|cannot|without|avoid(?:s|ed|ing)?|\w+n['’]t|disabled?|"
    r"forbid(?:s|den)?|prohibit(?:s|ed)?|banned|disallow(?:s|ed)?|optional|unnecessary|stop(?:s|ped|ping)?|"
    r"(?:turned|switched|is|are) off)\b",
    re.IGNORECASE,
)
JAPANESE_NOT: Final = re.compile(
    r"(?:ては|では|ちゃ)?(?:いけ|なら)(?:ない|ません)|ない|ません|なし|無し|不要|禁止|不可|やめ(?:る|た|て|"
    r"ます|ました)?|廃止|"
    r"せず|ずに|無効(?:化)?|避け|任意|中止|見送"
)
SOFT_NOT: Final = re.compile(
    r"\b(?:dropped|removed|cancell?ed|revoked|abandoned|discontinued|retired|scrapped|withdrawn|gone|over)\b|"
    r"取りやめ|撤回|撤廃|終了",
    re.IGNORECASE,
)
"""Words that deny where nothing else is stated: what is removed after a day is kept that long."""

UNIQUE: Final = re.compile(
    r"\b(?:default|main|primary|official|preferred|standard|canonical|name|branch|colou?r|language|"
    r"encoding|"
    r"license|host|hostname|url|domain|region|time ?zone|currency|owner|lead|leader|maintainer|contact|engine|"
    r"framework|provider|registry|channel|prefix|suffix|separator|delimiter|extension|quotes?|style|unit|mode|"
    r"strategy|model|path|folder|directory|format|theme|bucket|place|room|office|codename|deadline)\b"
    r"|既定|デフォルト|標準|公式|名|ブランチ|色|言語|形式|文字コード|ライセンス|ホスト|ドメイン|リージョン|"
    r"担当|責任者|窓口|場所|保存先|"
    r"置き場|単位|方式|通貨|フレームワーク|エンジン|リーダー|オーナー|頻度|タイムゾーン|テーマ|締め切り|締切|"
    r"会場",
    re.IGNORECASE,
)
ROLE: Final = re.compile(
    r"\b(?:own(?:s|ed)?|owner|leads?|led|maintain(?:s|ed|er)?|responsible|on[- ]call|in charge|contact|"
    r"approve[sd]?)\b|担当|責任|窓口|リーダー|当番",
    re.IGNORECASE,
)
ASIDE: Final = re.compile(r"\(([^)]*)\)|（([^）]*)）")
"""What stands in parentheses: it names the subject once more."""

CHANGE: Final = re.compile(
    r"\b(?:moved|switched|migrated|changed|renamed|replaced|upgraded)\b|移行|変更|切り?替|移した|替えた|変えた|交代|になった|になりました",
    re.IGNORECASE,
)
"""Words that say that a new value takes the place of another, in whatever words."""

CLEFT: Final = re.compile(
    r"(?:の|ん)は(?=[^、。]{1,30}$)|^(?:what|the \w+) (?:we|i|they|it) \w+ (?:is|are)\b",
    re.IGNORECASE,
)
"""The form that says what alone is so."""

ADDITIVE: Final = re.compile(
    r"\b(?:also|too|as well|additionally|another|besides|in addition)\b|さらに|加えて|"
    r"(?<=[\u4e00-\u9fff\u30a1-\u30ffA-Za-z0-9])"
    r"(?:に|で)?も(?!う|の|っ|し|ら)|併用|追加で|別に",
    re.IGNORECASE,
)
ONE_OF_SEVERAL: Final = re.compile(
    r"\b(?:support|accept|includ|contain|provid|offer|understand|export|import|e\.g|such as|"
    r"for example)\w*\b|対応|含|例えば|など",
    re.IGNORECASE,
)
"""Words by which a name or a version is one of several."""
