"""The words by which a statement is read: what says nothing, what denies, what stands beside the statement."""

import re
from typing import Final

_CHANGES: Final = (
    "use run set go get make take become remain stay change move switch migrate upgrade raise lower increase "
    "decrease extend reduce shorten rename replace update adjust bump happen occur perform carry execute start "
    "begin schedule plan decide agree want prefer need require allow permit enable live sit stand reside locate "
    "find listen work call name define configure implement write do be have hold come settle pick choose adopt "
    "depend return apply serve deliver finish end close open total equal report limit provide"
)
VERBS: Final = frozenset(_CHANGES.split()) - {"end", "name", "plan", "find"} | frozenset(
    "expire keep cost print ship deploy last own lead maintain send fail time cache sign pay rotate wait retry "
    "build publish contain accept support include store log belong target limit pin review approve merge "
    "release commit push prune poll sync archive restart reply answer charge bill".split()
)
"""Stems of verbs: the subject of a clause stands before the first of these that is not its first word."""

COPULAS: Final = frozenset(
    "is are was were be been has have had does do did will shall must may might can cannot should isn't aren't "
    "won't can't don't doesn't mustn't shouldn't hasn't = :".split()
)
DROPPED: Final = frozenset(
    "a an the this that these those there of in on at to for from with by as and or our your my their its it we i "
    "you he she they all any every each per into onto via than then so under through via is are was were be been being am has have "
    "had do does did will would shall should must may might can could now currently already always usually "
    "generally normally just still please only exactly about approximately around roughly today anymore longer "
    "again actually officially henceforth forward new newly finally up max maximum limit value amount setting "
    "version us them not e.g i.e etc over out own both some more else ever once ok okay fine good size "
    "everyone everybody team people project time character char px pixel item count number".split()
) | frozenset(_CHANGES.split())
NEEDED: Final = frozenset(("required", "needed"))
BEHIND_TIME: Final = frozenset(("", "on", "every", "each", "in", "and"))
FRONT: Final = frozenset(("", "on", "at", "every", "each"))

_GROUPS: Final = (
    "expire expiry expiration timeout ttl lifetime valid validity last",
    "keep kept retain retention store preserve",
    "database db", "production prod", "development dev", "documentation doc docs", "repository repo",
    "configuration config", "release ship rollout", "authentication auth", "environment env",
    "application app", "directory folder", "person people", "colour color", "build built",
    "postgres postgresql", "pr pull-request", "send sent", "cost price", "deploy deployment",
    "invoice bill", "holiday vacation", "minimum min", "test testing",
    "デプロイ リリース 公開作業", "db データベース", "本番 プロダクション", "会議 ミーティング 打合 打ち合わせ 定例 定例会議",
    "保存 保持 保管", "期限 有効期限", "レビュー 確認者", "パスワード 暗証番号", "フォルダ フォルダー ディレクトリ",
    "サーバ サーバー", "ドキュメント 文書", "バックアップ 控え", "ステージング 検証環境",
)  # fmt: skip
SYNONYMS: Final = {word: row.split(maxsplit=1)[0] for row in _GROUPS for word in row.split()}
"""Words of one meaning, each with the one that stands for it."""

COMPOUNDS: Final = (
    (re.compile(r"\bgithub actions\b", re.IGNORECASE), "github-actions"),
    (re.compile(r"\bgitlab ci\b", re.IGNORECASE), "gitlab-ci"),
    (re.compile(r"\bcircle ci\b", re.IGNORECASE), "circleci"),
    (re.compile(r"\bvs code\b", re.IGNORECASE), "vscode"),
    (re.compile(r"\bmerge commits?\b", re.IGNORECASE), "merge-commit"),
    (re.compile(r"\bpull requests?\b", re.IGNORECASE), "pull-request"),
    (re.compile(r"\b(?:every|each|per|once an?|once per|once every)\s+hour\b", re.IGNORECASE), "hourly"),
    (re.compile(r"\b(?:every|each|per|once an?|once per|once every)\s+(?:day|night)\b", re.IGNORECASE), "daily"),
    (re.compile(r"\b(?:every|each|per|once an?|once per|once every)\s+week\b", re.IGNORECASE), "weekly"),
    (re.compile(r"\b(?:every|each|per|once an?|once per|once every)\s+month\b", re.IGNORECASE), "monthly"),
    (re.compile(r"\b(?:every|each|per|once an?|once per|once every)\s+year\b", re.IGNORECASE), "yearly"),
    (re.compile(r"\bin the (morning|afternoon|evening)\b", re.IGNORECASE), r"\1"),
    (re.compile(r"\bo['’]clock\b", re.IGNORECASE), ""),
    (re.compile(r"\bnoon\b", re.IGNORECASE), "12:00"),
    (re.compile(r"\bmidnight\b", re.IGNORECASE), "0:00"),
    (re.compile(r"\ban? (?=(?:hour|minute|second|day|week|month|year)\b)", re.IGNORECASE), "1 "),
    (re.compile(r"\bhalf 1 hour\b|\bhalf an hour\b", re.IGNORECASE), "30 minutes"),
)  # fmt: skip
"""Names and times of several words, each with the one word that stands for it."""

KANA: Final = re.compile("[\u3041-\u30ff]|[\u4e00-\u9fff]")
SENTENCE_END: Final = re.compile(
    r"(?<=[.!?])\s+(?=[A-Z`\"(])|,\s+(?=(?:but|the|we|it|they|this|there)\b)|(?<=[。！？])|[\n;；]|(?<=[?？])"
)
NO_STATEMENT: Final = re.compile(
    r"[?？]\s*$|\b(?:used to|previously|formerly|might|maybe|perhaps|consider(?:ing|ed)?|propos(?:e|es|ed|al)|"
    r"wonder(?:ing)?|idea)\b|\bwas\b.*\buntil\b|以前は|かつて|元々|もともと|検討|かも(?:しれ|$|。)|提案|(?:でしょう|ます|です)か。?$",
    re.IGNORECASE,
)
_LATER: Final = (
    r"(?:now|today|next \w+|this \w+|last \w+|version \S+|v\d\S*|\d{4}(?:-\d\d)*|(?:the )?(?:start|end|beginning) of \w+|"
    r"\d{1,2}(?:st|nd|rd|th)?(?: of)? \w+|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|winter)\w*(?: \d{1,4})?)"
)
SIDE_CLAUSES: Final = (
    (re.compile(r"^(?:decisions?|decided|note|update|correction|rule|fact|fyi|heads-?up|決定|更新|訂正|変更|注意|方針)"
                r"\s*[:：]\s*", re.IGNORECASE), ""),
    (re.compile(r"^(?:we|they|i|the team|the user|user|it was|it has been)\s+(?:have\s+|has\s+|had\s+)?(?:now\s+)?"
                r"(?:decided|agreed|chosen|chose|opted|settled|want|wants|prefer|prefers)\s+(?:that\s+|to\s+|on\s+|for\s+)?",
                re.IGNORECASE), ""),
    (re.compile(r"\s*,?\s*\b(?:because|so that|in order to|due to|thanks to)\b.*$|,\s*(?:as|so|which|where|whose)\b.*$",
                re.IGNORECASE), ""),
    (re.compile(rf"\b(?:as of|since|starting(?: from| on| in| with)?|effective|beginning|from) {_LATER}(?: on(?:wards?)?\b)?,?",
                re.IGNORECASE), " "),
    (re.compile(r"(?<=\w\s)since\b.*$", re.IGNORECASE), ""),
    (re.compile(r"\b(?:from now on|going forward|at the moment|for now|these days|by default|in future)\b,?", re.IGNORECASE), " "),
    (re.compile(r",?\s*\b(?:instead of|rather than|in place of)\b[^,.]*|,\s*(?:and\s+)?not\s+[^,.]*$|\binstead\b|\bno longer \w+ but\b|,\s*no longer\b.*$",
                re.IGNORECASE), " "),
    (re.compile(r"\bfrom\s+[^,]{1,40}?\s+to\b", re.IGNORECASE), "to"),
    (re.compile(r"^[^。]*(?:ため|ので|なので|だから)、"), ""),
    (re.compile(r"(?:\d{4}年)?(?:\d{1,2}月(?:\d{1,2}日)?|来週|来月|今週|今月|今日|明日|次回|今年|来年|先週|先月|本日|今|これ|今後)"
                r"(?:から|以降|より)は?、?"), ""),
    (re.compile(r"(?:今後|これから|現在|今|最近|いま|当面|原則|基本的に)は、?|もう(?=.*(?:ない|ません))|(?:原則|方針)として、?"), ""),
    (re.compile(r"(?:(?<=は)|(?<=を)|(?<=、)|^)[^は、。]*?(?:では?なく|じゃなく)(?:て)?、?"), ""),
    (re.compile(r"(?<=[は、を])[^は、。]*?から(?=[^、。]*(?:に|へ)(?:変更|移行|変わ|切|延|短縮|引|移|増|減))"), ""),
    (re.compile(r"(?:という)?(?:こと|方針)(?:に(?:した|する|なった|決ま?った|決めた|しました|なりました|決定した)|で合意した|とする|となった)"), ""),
)  # fmt: skip
"""What stands beside a statement, each with what is left in its place."""

NO_NEGATIONS: Final = (
    (re.compile(r"\b(?:no|not) (?:more|longer|later|greater|higher) than\b", re.IGNORECASE), "at most"),
    (re.compile(r"\b(?:no|not) (?:less|fewer|earlier|lower) than\b", re.IGNORECASE), "at least"),
    (re.compile(r"\bnot only\b|\bno\.(?=\s*\d)|\bnot just\b", re.IGNORECASE), " "),
    (re.compile(r"な(?:ければ|くては|いと)(?:なら|いけ)(?:ない|ません)|な(?:ければ|くては|いと)だめ|しか(?=[^。]*(?:ない|ません))"), "必須"),
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
    r"(?:ては|では|ちゃ)?(?:いけ|なら)(?:ない|ません)|ない|ません|なし|無し|不要|禁止|不可|やめ(?:る|た|て|ます|ました)?|廃止|"
    r"せず|ずに|無効(?:化)?|避け|任意|中止|見送"
)
SOFT_NOT: Final = re.compile(
    r"\b(?:dropped|removed|cancell?ed|revoked|abandoned|discontinued|retired|scrapped|withdrawn|gone|over)\b|取りやめ|撤回|撤廃|終了",
    re.IGNORECASE,
)
"""Words that deny where nothing else is stated: what is removed after a day is kept that long."""

UNIQUE: Final = re.compile(
    r"\b(?:default|main|primary|only|official|preferred|standard|canonical|name|branch|colou?r|language|encoding|"
    r"license|host|hostname|url|domain|region|time ?zone|currency|owner|lead|leader|maintainer|contact|engine|"
    r"framework|provider|registry|channel|prefix|suffix|separator|delimiter|extension|quotes?|style|unit|mode|"
    r"strategy|model|path|folder|directory|format|theme|bucket|place|room|office|codename|deadline)\b"
    r"|既定|デフォルト|標準|公式|名|ブランチ|色|言語|形式|文字コード|ライセンス|ホスト|ドメイン|リージョン|担当|責任者|窓口|場所|保存先|"
    r"置き場|単位|方式|通貨|フレームワーク|エンジン|リーダー|オーナー|頻度|タイムゾーン|テーマ|締め切り|締切|会場",
    re.IGNORECASE,
)
ROLE: Final = re.compile(
    r"\b(?:own(?:s|ed)?|owner|leads?|led|maintain(?:s|ed|er)?|responsible|on[- ]call|in charge|contact|approve[sd]?)\b|担当|責任|窓口|リーダー|当番",
    re.IGNORECASE,
)
ASIDE: Final = re.compile(r"\(([^)]*)\)|（([^）]*)）")
"""What stands in parentheses: it names the subject once more."""

CLEFT: Final = re.compile(
    r"(?:の|ん)は(?=[^、。]{1,30}$)|^(?:what|the \w+) (?:we|i|they|it) \w+ (?:is|are)\b",
    re.IGNORECASE,
)
"""The form that says what alone is so."""

NUMBERED: Final = frozenset(
    "part step item chapter section phase page line row issue ticket bug pr task case example sprint fact rule note "
    "question lesson sample batch #".split()
)
"""Words whose number is a name."""

ADDITIVE: Final = re.compile(
    r"\b(?:also|too|as well|additionally|another|besides|in addition)\b|さらに|加えて|(?<=[\u4e00-\u9fff\u30a1-\u30ffA-Za-z0-9])"
    r"(?:に|で)?も(?!う|の|っ|し|ら)|併用|追加で|別に",
    re.IGNORECASE,
)
ONE_OF_SEVERAL: Final = re.compile(
    r"\b(?:support|accept|includ|contain|provid|offer|understand|export|import|e\.g|such as|for example)\w*\b|対応|含|例えば|など",
    re.IGNORECASE,
)
"""Words by which a name or a version is one of several."""

_SAYING: Final = "is are be was were to called named : =".split()
NAME_LINKS: Final = dict.fromkeys(_SAYING, "is") | {
    each: each for each in "by at in on from".split()
}
"""The words before the name that a statement gives, each with the one that stands for it."""

ARTICLES: Final = frozenset("the our your their its a an".split())
JAPANESE_LINKS: Final = re.compile("(?:です|だ|である|と(?:する|します|した)|さん|に|へ|で|が|$)")

JAPANESE_DROPPED: Final = frozenset(
    "使 使用 利用 採用 実施 行 実行 変 変更 移行 移 切 切替 切り替 替 今後 現在 今 新 必 常 常時 原則 設定 予定 決定 決 延長 延 短縮 縮 "
    "方針 統一 回 場合 以降 後 更新 用 全 全部 全員 際 事 時 上 中 内 側 対象 基本 基本的 運用 開始 始 起動 動 稼働 指定 必要 必須 可能 可 "
    "許可 良 推奨 徹底 引 下 増 減 増加 減少 引上 引下 時間 時刻 期間 曜日 日時 上限 最大 値 数 方法 先 番号 毎回 絶対 出 入 書 作 作成 置 "
    "番 件 人 個 回 文字 行 桁 倍 台 本 名 枚 秒 分 度 間 以内 以下 程度 約 基準 目標 実 持 取 付 有効 有効化 記述 記載 統 一 "
    "プロジェクト チーム バージョン 我々 私 私達 当 うち ルール".split()
)  # fmt: skip
JAPANESE_ENDINGS: Final = re.compile(
    "(?<=..)(?:期間|時間|時刻|曜日|日時|上限|回数|人数|件数|番号|方法|先|用|時|数|日|環境|化)$"
)
"""Ends of a compound that name the sort of its value."""
