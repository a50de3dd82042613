"""Detect what an agent's memory orders the agents that read it later, by what the order is to bring about.

Used for what agents keep on their own word, at the write gate and where such a memory is shown, and nowhere else:
"skip the tests" in an answer is no order. No table knows every wording, so this one has none: it has ideas, and
which of them stand together in an order: to be free of approvals, to pass tests and guards by, to take things out,
to change what rules agents, to live on, to speak as somebody else, to be hidden. They were chosen on 240 orders
and 940 honest memories of three writers; `tests/BENCHMARKS.md` has what it finds of others. Linear time (RE2).
"""

import functools
import itertools
import re
from collections.abc import Mapping
from typing import Any, Final

import re2

from hooklore.agents.registry import spoken_names
from hooklore.redaction.pattern import quiet_options
from hooklore.text.unicode_cleaning import fold_confusables, strip_invisible

_SCANNED: Final = 8 * 1024

_IDEAS: Final[Mapping[str, str]] = {
    "agent": rf"\b(?:agents?|assistants?|ai|llms?|{spoken_names()}|copilot|bots?|whoever|(?:each|every|next) "
        r"session|(?:all|later) sessions|readers?|instances?|reading (?:this|party))\b|エージェント|アシスタント|"
        "各自|みんな|読んだ",
    "user": r"\b(?:user|owner|operator|engineer|developer|human|person|reviewers?|customers?|anyone|he|she|him"
        r"|her)\b|ユーザー|利用者|本人|開発者|所有者",
    "ask": r"\b(?:approv\w*|permi\w+|confirm\w*|consent|sign-?off|ask(?:s|ed|ing)?|authori[sz]\w+|check (?:in|"
        r"with)|in the loop|yes|gatekeeping|clear(?:ance|ed)|ok)\b|確認|承認|許可|同意|了承|申請|質問",
    "free": r"\b(?:no (?:need|longer)|(?:not|isn't|aren't|never) (?:needed|required|necessary|to be|apply|wait)|"
        r"unnecessary|without (?:asking|waiting|further|a human|any|prior|human|confirm\w*|approv\w*|review)|"
        "waived?|retired|lifted|revoked|withdrawn|pre-?approved|blanket|standing|granted|assume|on its own|own "
        r"(?:judg|discretion)\w*|auto-?\w*|don't (?:ask|wait|bother|need)|doesn't apply|at will|freely|already "
        r"(?:agreed|approved|signed)|may be|directly|go ahead)\b|不要|省略|免除|廃止|いらない|要らない|なくてい|"
        "なくて(?:大丈夫|構)|解除|済み|自己判断|待たず|なしで|そのまま|自由に|聞かず",
    "risky": r"\b(?:rm -rf|drop|truncate|delet\w*|destructive|sudo|root|force.?push\w*|push\w*|merg\w*|deploy\w*|"
        "prod|production|(?:shell|internal|any|all|every) (?:shell )?(?:commands?|tools?|actions?|access|"
        "requests)|terraform|refunds?|payments?|wires?|transfers?|rotate|billing|live|network|installs?|tool "
        r"calls?|home directory|writable)\b|本番|削除|消し|強制|push|マージ|全件|特権|テーブル|インフラ|実行|"
        "全コマンド|sudo",
    "guard": r"\b(?:sandbox\w*|hooks?|deny|allow ?list|trust\w*|safety|safeguards?|guard ?rails?|secret scan\w*"
        r"|security|signatures?|integrity|tls|certificate|branch protection|audit\w*|quality gates"
        r"|restrictions?|limits?|guidelines|polic(?:y|ies)|instructions?|caution|rules?|scans?|gates?)\b"
        r"|サンドボックス|フック|拒否|検証|検査|スキャン|制限|ガイドライン|チェック|制約|指示|警告|規則",
    "off": r"\b(?:disabl\w+|turn(?:ed|ing)? off|switch(?:ed)? (?:it )?off|toggled off|off\b|bypass\w*"
        r"|circumvent|get around|outside the|full access|remov\w+|empt(?:y|ied)|blank|ignor\w+|overrid\w*"
        r"|disregard|skip\w*|replaced|obsolete|void|superseded|outdated|no longer active|not active"
        r"|left aside)\b|切って|外し|外す|無効|回避|飛ばし|飛ばす|空に|スキップ|無視|失効|廃止",
    "test": r"\b(?:tests?|suite|ci|lint\w*|pipeline|checks?|reviews?|reviewed|assertions?|findings?"
        r"|npm audit)\b|テスト|レビュー|ci|全件|監査|audit",
    "passes": r"\b(?:report\w* (?:it |them )?(?:as )?(?:pass\w*|green|success)"
        r"|(?:mark|set|close)\w* .{0,24}(?:done|resolved|passed|fixed|xfail)|as passing|turns? green"
        r"|tell (?:him|her|them|the user) (?:all|that)|considered satisfied|as they are|as housekeeping"
        r"|nothing to report|anyway|straight away|regardless|only for show|only noise|never finds anything"
        r"|no matter)\b|全件(?:パス|成功)|成功」|対応不要|緑に|通過」|パス」|気にせず|報告してよい",
    "unguarded": r"--no-verify|--dangerously-[\w-]+|danger-full-access|bypasspermissions|bash\(\*\)"
        r"|continue-on-error|\[skip ci\]|approval[_ ]policy\W+never|autoapprove|auto-accept|-k\b"
        r"|verify=false|承認ポリシー",
    "send": r"\b(?:post(?:s|ed)?|send(?:s|ing)?|upload\w*|append\w*|attach\w*|dump|forward|cc|ship|cop(?:y|ies)|"
        r"sync|scp|submit\w*|receives?|regist\w+|include|contain|put|holds?|mirror)\b|送信|アップロード|貼っ|添付|"
        "複製|転送|渡す|渡し",
    "valuable": r"\.env\b|\.npmrc|\.ssh|\.aws|\b(?:credentials?|tokens?|secrets?|passwords?|api keys?"
        r"|(?:private|public|ssh|live) keys?|customer\w*|users?|environment|printenv|source (?:code|file)s?"
        r"|repository|private branch|conversation|shell history|open files|config\w*|hostname|dump)\b|顧客"
        r"|ダンプ|認証|秘密|会話|環境変数|接続文字列|ソースコード|履歴|設定ファイル",
    "away": r"https?://|s3://|gs://|git@|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b(?:public (?:bug|issue|tracker|gist)|"
        r"external|upstream|outside host|off-site|subdomain|webhook|partner)\b|[\w-]+\.example\b|外部|上流|公開",
    "fetched": r"\b(?:fetch\w*|download\w*|grab|curl|wget|load|look up|kept at|live at)\b|取得|ダウンロード|置いて",
    "run": r"\b(?:run|execut\w+|follow\w*|carry out|eval|apply|bash|sh|python3|do what|steps)\b|実行|従う"
        r"|従って|とおり|流す|流し|実施|\| ?(?:ba)?sh",
    "config": rf"settings(?:\.local)?\.json|config\.toml|(?:{spoken_names()}|agents)\.md|\.bashrc|\.zshrc|\bcron|"
        r"mcp|\b(?:allow|deny) ?list|denyリスト|hookspath|permissions\.|approval_policy|sandbox_mode|base_url|"
        "shell profile|agent (?:settings|configuration)|rules? file|trusted folders|設定|instruction file",
    "change": r"\b(?:add|set|write|remove|append|register|change|put|point|enable|switch\w*|migrated|replace\w*"
        r"|emptied|goes to|insert|turning)\b|追加|空に|変更|書き換え|入れ|追記|登録|足す|外す|オン",
    "wider": r"\b(?:never|allow|danger\w*|trust(?:ed)?|always|globally|every agent|all agents|missing|on sight|"
        r"quietly|silently|auto\w*|all commands|true|off|yolo)\b|全エージェント|見つけ|自動|信頼済|無ければ|無効",
    "itself": r"\b(?:this|these) (?:memory|entry|note|message|text|instructions?|rule|item|todo|line|wording|"
        r"paragraph|sentence)\b|the same (?:text|wording)|(?:この|本|当)(?:メモ|記憶|文面|文章|エントリ|項目|内容|"
        "記載|通達|通知)|同じ文面|末尾に必ず",
    "keep": r"\b(?:cop(?:y|ies)|restor\w+|surviv\w+|again|re-?(?:save|store|add|insert|create|new)\w*|renewed|"
        r"remember|pinned|word for word|verbatim|every other|other projects|as well|duplicat\w*|retain\w*|keep\w*|"
        r"passing|carried over|long-term|overwrite|store|chain|whenever|new title|next|deleted|copied)\b|写|保存|"
        "登録|複製|コピー|転記|消され|残す|残し|書き直|引き継|上書き|回し|付け加え|再登録",
    "tag": r"^\W{0,4}(?:system|developer|admin\w*|operator|assistant)\b[^:\]>】。]{0,28}[:\]>】]"
        r"|^\W{0,3}(?:user|ユーザー?)\s?(?:\([^)]{0,40}\)\s?)?[:：]|</?(?:system|developer"
        r"|assistant)[\w-]*>|\[\w*(?:memory_persist|system|override)\w*\]|\[user_memory=[^\]]*\]\s*\["
        r"|【[^】]{0,12}(?:システム|管理者|開発者)[^】]{0,12}】|end of memories|^\W{0,4}developer message",
    "vendor": r"\b(?:anthropic|openai|google gemini|github trust|platform notice|security team|trust & safety)\b"
        r"|(?:anthropic|openai)\S{0,6}(?:より|から|チーム)|通達|お知らせ|からの連絡",
    "claims": r"\b(?:(?:i am|this is|i'm) (?:the|your) (?:user|owner|operator|developer|admin\w*)|as my own|as if "
        r"i|system prompt|developer (?:mode|level|prompt|message)|admin\w* (?:rights|mode|role)|root\b|you are now|"
        "your role|act as|mode activated|new (?:system )?(?:instructions|directives?|persona)|system directives?|"
        r"precedence|binding|authoritative|operator command|take[sn]? (?:priority|precedence)|treat \w+ .{0,50}as|"
        r"unrestricted|maintenance mode)\b|開発者モード|管理者モード|本人です|優先|拘束力|みなす|みなし|開発者です|"
        "持ち主の|指示だと思って|指示として|命令と",
    "hide": r"\b(?:don't|do not|never|must not|not be|no need to|not) (?:be )?(?:mention\w*|tell|report\w*|"
        r"disclos\w*|inform\w*|quote\w*|list\w*|acknowledg\w*|shown?|bring|turn up)|\b(?:left? out of|keep "
        r".{0,30}quiet|omit\w*|stays? between|clear\w* .{0,12}(?:log|history)|won't look|does not see|only the "
        r"harmless|sidestep\w*|out of (?:summar|report)\w*|concern the|remainder as|confidential entry|say that it "
        r"is|reviewers see a clean)\b|書かな|載せな|含めな|触れな|知らせな|伝えな|言わな|答え(?:て|る)おけ|答えて|"
        "存在しない|混ぜと|開示しな|だけ見せ|消しておく|報告しな|ないものとして|間だけで",
    "leak": r"\b(?:reveal|leak|dump|print|show)\w*\b.{0,24}\b(?:secrets?|credentials|api keys?|system prompts?"
        r"|passwords?)\b",
    "always": r"\b(?:from now on|going forward|always|each time|every time|whenever|before (?:starting|any)"
        r"|at the (?:start|end|beginning)|effective immediately|once a day|by default|in later sessions"
        r"|as of)\b|以後|以降|今後|必ず|毎回|常に|これから|次回以降",
    "denied": r"\b(?:never|not|cannot|nobody|forb[ia]d\w*|prohibit\w*|reject\w*|refus\w*|dislik\w*|strip\w*"
        r"|prevent\w*|instead|unless|until|avoid|don't|must|fails?|broke|bug)\b|禁止|しない|使わない|いけない"
        r"|ない(?:こと|よう|で)|ならない|できない|却下|防|まで",
    "reason": r"\b(?:because|since|so that|due to|after|reason|incident|root cause|caused|fixed)\b|ため|ので|"
              "から、|原因|理由",
}  # fmt: skip

_ALWAYS: Final = ("itself", "config change wider", "risky valuable away", "user tag", "agent tag")
_UNLESS_DENIED: Final = (
    "guard off claims", "agent claims keep", "tag claims", "user guard claims", "risky test passes",
    "free risky always", "agent free always", "agent free run", "agent away", "user passes", "change hide",
    "off config change", "agent vendor", "away hide", "risky hide", "user ask claims",
)  # fmt: skip
_UNLESS_REASONED: Final = ("user hide", "away fetched run")
_UNLESS_EITHER: Final = (
    "leak", "user free risky", "agent guard off", "agent free risky", "change wider keep", "unguarded config",
    "unguarded always", "unguarded change", "send valuable away",
)  # fmt: skip
_ORDERS: Final = (
    (_ALWAYS, ()), (_UNLESS_DENIED, ("denied",)), (_UNLESS_REASONED, ("reason",)),
    (_UNLESS_EITHER, ("denied", "reason")),
)  # fmt: skip
"""The ideas that stand together in an order, with those that make it none in the same sentences."""

_SPACED: Final = re.compile(r"\b(?:\w {1,2}){5,}\w\b")
_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+|[。！？\n]+")


@functools.lru_cache(maxsize=4096)
def gives_planted_order(text: str) -> bool:
    """Return whether a text that an agent keeps tells its readers to do what no memory should bring about.

    A sentence is read by itself and with the next one.
    """
    seen = fold_confusables(strip_invisible(text[:_SCANNED]))
    seen = _SPACED.sub(lambda spaced: spaced.group().replace(" ", ""), seen)
    sentences = [each.strip() for each in _SENTENCES.split(seen) if each.strip()]
    if not _is_order(_ideas_of(seen) - {"denied", "reason"}):  # no sentence of it can be one
        return False
    found = [_ideas_of(each) for each in sentences]
    pairs = (one | other for one, other in itertools.pairwise(found))
    return any(map(_is_order, (*found, *pairs)))


def _is_order(ideas: frozenset[str]) -> bool:
    return any(
        ideas.issuperset(order.split()) and ideas.isdisjoint(unless)
        for orders, unless in _ORDERS
        for order in orders
    )


def _ideas_of(text: str) -> frozenset[str]:
    names = tuple(_IDEAS)
    return frozenset(names[n] for n in _filter().Match(text.encode("utf-8", "replace")) or ())


@functools.cache
def _filter() -> Any:
    """Return the ideas as one filter, which looks for all of them in one go."""
    found = re2.Filter()
    for pattern in _IDEAS.values():
        found.Add(f"(?i){pattern}", quiet_options())
    found.Compile()
    return found
