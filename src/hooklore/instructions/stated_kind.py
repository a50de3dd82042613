"""The kind of a memory that its words show, for one that names no kind.

An agent words what it keeps in the third person, so that the forms of a prompt (`forms.py`) do not find it.
"""

import re
from typing import Final, NamedTuple

from hooklore.late_pattern import compile_late
from hooklore.memories.dedupe_key import put_into_form
from hooklore.records.memory_kind import MEMORY_KINDS

OTHER_KIND: Final = "fact"
"""The kind of a memory that shows none."""


class _Words(NamedTuple):
    kind: str
    heading: str
    english: str
    japanese: str


_NOT_YET: Final = (
    r"(?<!not )(?<!n't )(?<!yet )(?<!if we )(?<!until we )(?<!nobody has )(?<!nobody )(?<!never )"
    r"(?<!nothing was )(?<!be )"
)
_TABLE: Final = (
    _Words(
        "decision", "decision|decided|agreed|決定|決定事項|方針|合意",
        rf"{_NOT_YET}\b(?:decided|agreed)\b(?! (?:yet|later))"
        r"|(?:^|\b(?:we|user|team|project|they|i)(?:'ve| have| has)? )(?:settled|opted|chose|picked)\b"
        r"|\bdecision (?:is|was) (?!post|pend|open|not)"
        r"|(?<!nothing )\b(?:is|are|was|were) (?:decided|agreed|chosen|selected)\b"
        r"|(?:^|\b(?:we|team|project)(?:'re| are| is)? )(?:going|went|sticking|staying) with\b"
        r"|\b(?:we|team|project|user) (?:switched|migrated|moved) (?:to|from)\b"
        r"|\b(?:in favou?r of|adopted|chosen over)\b",
        r"(?:に|と|を|で)(?:決めた|決めて|決まった|決まり|決定|決着|合意)|こと(?:に|で)(?:した|しました|する|します|決|なった|合意)"
        r"|を採用(?!するか)|(?:採用|選択|選定)(?:した|しました|する(?!か)|を決)|に(?:した|しました)(?=[。、(（]|$)|方針(?:とする|とした|になった)"
        r"|(?:に|へ)(?:統一|移行|変更|切り替え)(?:した|しました|する(?:ことに|方針)?|る|た)|見送(?:った|る|り)",
    ),
    _Words(
        "todo", r"to-?do|next(?: steps?)?|open(?: item)?|follow-?up|未対応|残件|次(?:の作業)?|やること",
        r"\b(?:todo|not (?:yet )?(?:implemented|done|written|migrated|covered|handled|started)"
        r"|still (?:needs?|missing"
        r"|to (?:be|do)|open|has to|have to)|remains? to|left to do|follow-?up|next,? (?:step|session|add"
        r"|write|fix))\b"
        r"|\bneeds? to be (?:done|added|written|fixed|migrated|updated|removed|replaced)\b",
        r"未(?:対応|実装|着手|完了|移行|作成)|まだ(?:.{0,20}(?:ない|いない|残))|残って(?:いる|る)|TODO|やり残|次に(?:やる|対応|実装|着手)"
        r"|今後(?:対応|実装|追加)|(?:する|直す|書く|消す)必要がある|別途対応",
    ),
    _Words(
        "bug", r"(?:known )?(?:bug|issue)s?|gotcha|不具合|バグ|既知の(?:不具合|問題|バグ)",
        r"\b(?:known (?:bug|issue|problem)|bug\b|crash(?:es|ed)?|hangs|segfaults?|deadlocks?|race condition"
        r"|regression"
        r"|workaround|flak(?:y|es)|leaks|corrupts|(?:fails|breaks|errors)(?: \w+)? (?:when|if|with|on|after"
        r"|because))\b",
        r"不具合|バグ|クラッシュ|落ちる|ハングする|固まる|既知の問題|回避策|再現|文字化け|(?:失敗|エラーに)(?:する|なる)",
    ),
    _Words(
        "deprecation", r"deprecat(?:ed|ion)|obsolete|非推奨|廃止",
        r"\b(?:deprecated|obsolete|no longer (?:used|supported|maintained)|superseded by|sunset)\b",
        r"非推奨|廃止|(?:もう|今は)使(?:わない|っていない|われていない)",
    ),
    _Words(
        "preference", r"preferences?|style|好み|希望|スタイル",
        r"\b(?:prefers?|preferred|(?:user|she|he|they|team|we) (?:wants?|likes?|dislikes?|hates?"
        r"|asked (?:for|me|that|to)"
        r"|would (?:like|rather))|likes? (?:to|it)\b|rather than)\b",
        r"希望|好(?:み|む|き|まない)|(?:して|で|が)(?:ほしい|欲しい)|嫌(?:い|う|が)|(?:と|を)(?:望|求め)|方がいい|派(?:。|$|で)",
    ),
    _Words(
        "constraint", r"rules?|constraints?|important|warning|policy|ルール|規則|制約|注意|重要|禁止",
        r"\b(?:never|must(?:n't)?|do not|don'?t|may not|cannot be|not allowed|forbidden|prohibited|required to"
        r"|always|only (?:\w+ ){1,4}(?:may|can)|has to|have to|at (?:most|least) \w+|no \w+ (?:may|without))\b",
        r"禁止|厳禁|(?:て|で)は(?:いけ|なら|だめ|ダメ|駄目)|ないこと|(?:する|通す|使う|書く|入れる|付ける|とる|取る|残す)こと(?:。|$|[、(（])"
        r"|必ず|必須|絶対に|常に|なければならない|(?:以内|以下|以上)(?:に|で|と)",
    ),
    _Words(
        "workflow",
        r"(?:how to|steps|procedure|workflow|runbook|recipe)\b.{0,40}|(?:.{1,20}の)?手順|やり方|流れ"
        r"|.{1,20}するには",
        r"^(?:to|when|before|after|for)\b[^.]{2,80}[,:]\s*(?:\w+ )?(?:run|first|start|use|call|open|edit"
        r"|set|copy|bump|create|execute|stop)\b"
        r"|\b(?:run|first|start|open|edit|set|copy|bump|create|stop)\b.{1,120}\b(?:then|afterwards|and run"
        r"|after that)\b",
        r"手順|(?:する|した)(?:ときは|場合は|には|後は).{1,60}(?:実行|叩|起動|走らせ|流す)|(?:して|た後|した後|てから).{1,60}(?:実行|起動|する。|する$|デプロイ)"
        r"|(?:実行|起動)し(?:て)?、",
    ),
)  # fmt: skip

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？\n])")
_READ: Final = 1_000
_QUOTED: Final = re.compile(r"`[^`\n]{1,200}`|\"[^\"\n]{1,200}\"|「[^」\n]{1,200}」")

_KINDS: Final = [
    (
        kind,
        compile_late(rf"(?:{heading})\s*[:：\-–—]", re.IGNORECASE),
        compile_late(f"{english}|{japanese}", re.IGNORECASE),
    )
    for kind, heading, english, japanese in _TABLE
]


def state_kind(text: str, key: str = "") -> str:
    """Return the kind of a memory without one: that of its key, else that of the first words that show one.

    A heading (`Decision: …`) goes before the words of a sentence, and an earlier sentence before a later one,
    which gives reasons. Words in quotation marks show nothing.
    """
    prefix, colon, _ = put_into_form(key).partition(":")
    if prefix in MEMORY_KINDS and (colon or prefix != OTHER_KIND):
        return prefix
    plain = _QUOTED.sub("``", text[:_READ].strip())
    headed = next((kind for kind, heading, _ in _KINDS if heading.match(plain)), None)
    if headed is not None:
        return headed
    shown = (
        kind for part in _SENTENCE.split(plain) for kind, _, word in _KINDS if word.search(part)
    )
    return next(shown, OTHER_KIND)
