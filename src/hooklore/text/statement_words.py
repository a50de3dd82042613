"""The words by which a statement is read: those that say nothing, those of one meaning, those before a name."""

import re
from typing import Final

_CHANGES: Final = (
    "use run set go get make take become remain stay change move switch migrate upgrade raise lower increase "
    "decrease extend reduce shorten rename replace update adjust bump happen occur perform carry execute start "
    "begin schedule plan decide agree want prefer need require allow permit enable live sit stand reside "
    "locate "
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
    "a an the this that these those there of in on at to for from with by as and or our your my their its it "
    "we i "
    "you he she they all any every each per into onto via than then so under through via is are was were be "
    "been being am has have "
    "had do does did will would shall should must may might can could now currently already always usually "
    "generally normally just still please only exactly about approximately around roughly today anymore longer "
    "again actually officially henceforth forward new newly finally up max maximum limit value amount setting "
    "version us them e.g i.e etc over out own both some more else ever once ok okay fine good size "
    "everyone everybody team people project time character char px pixel item count number built "
    "handled handle".split()
) | frozenset(_CHANGES.split())
IRREGULAR: Final = {
    "ran": "run", "written": "write", "chosen": "choose", "made": "make", "held": "hold", "took": "take",
    "taken": "take", "went": "go", "kept": "keep", "sent": "send",
}  # fmt: skip
"""Forms of verbs that no ending shows."""

NEEDED: Final = frozenset(("required", "needed"))
BEHIND_TIME: Final = frozenset(("", "on", "every", "each", "in", "and"))
FRONT: Final = frozenset(("", "on", "at", "every", "each"))

_GROUPS: Final = """
keep expire expiry expiration timeout ttl lifetime valid validity last kept retain retention store preserve
database db
production prod
development dev
documentation doc docs
repository repo
configuration config
release ship rollout
authentication auth
environment env
application app
directory folder
person people
colour color
pr pull-request
send sent
cost price
deploy deployment
invoice bill
holiday vacation
minimum min
test testing
デプロイ リリース
db データベース
本番 プロダクション
会議 ミーティング 打合 打ち合わせ 定例 定例会議
保存 保持 保管
期限 有効期限
パスワード 暗証番号
フォルダ フォルダー ディレクトリ
サーバ サーバー
ドキュメント 文書
バックアップ 控え
ステージング 検証環境
"""
SYNONYMS: Final = {
    word: row.split()[0] for row in _GROUPS.strip().splitlines() for word in row.split()
}
"""Words of one meaning, each with the one that stands for it."""

COMPOUNDS: Final = (
    (re.compile(r"(?<![a-z])github actions(?![a-z])", re.IGNORECASE), "github-actions"),
    (re.compile(r"(?<![a-z])gitlab ci(?![a-z])", re.IGNORECASE), "gitlab-ci"),
    (re.compile(r"(?<![a-z])circle ci(?![a-z])", re.IGNORECASE), "circleci"),
    (re.compile(r"(?<![a-z])vs code(?![a-z])", re.IGNORECASE), "vscode"),
    (re.compile(r"\bmerge commits?\b", re.IGNORECASE), "merge-commit"),
    (re.compile(r"\bpull requests?\b", re.IGNORECASE), "pull-request"),
    (re.compile(r"\b(?:every|each|per|once an?|once per|once every)\s+hour\b", re.IGNORECASE), "hourly"),
    (re.compile(r"\b(?:every|each|per|once an?|once per|once every)\s+(?:day|"
                r"night)\b", re.IGNORECASE), "daily"),
    (re.compile(r"\b(?:every|each|per|once an?|once per|once every)\s+week\b", re.IGNORECASE), "weekly"),
    (re.compile(r"\b(?:every|each|per|once an?|once per|once every)\s+month\b", re.IGNORECASE), "monthly"),
    (re.compile(r"\b(?:every|each|per|once an?|once per|once every)\s+year\b", re.IGNORECASE), "yearly"),
    (re.compile(r"\bin the (morning|afternoon|evening)\b", re.IGNORECASE), r"\1"),
    (re.compile(r"\bo['’]clock\b", re.IGNORECASE), ""),
    (re.compile(r"\bnoon\b", re.IGNORECASE), "12:00"),
    (re.compile(r"\bmidnight\b", re.IGNORECASE), "0:00"),
    (re.compile(r"\ban? (?=(?:hour|minute|day|week|month|year)\b)", re.IGNORECASE), "1 "),
    (re.compile(r"\bhalf 1 hour\b|\bhalf an hour\b", re.IGNORECASE), "30 minutes"),
)  # fmt: skip
"""Names and times of several words, each with the one word that stands for it."""

THRESHOLDS: Final = frozenset("above over below under than least most exceeding".split())
"""Words before a number that decides when a rule holds: the number is what is stated."""

GENERIC: Final = frozenset(
    "server service system job page machine environ instance box tool".split()
)
"""Stems of words that name the sort of a subject, which another statement may leave out."""

NUMBERED: Final = frozenset(
    "part step item chapter section phase page line row issue ticket bug pr task case example sprint fact "
    "rule note "
    "question lesson sample batch #".split()
)
"""Words whose number is a name."""

_SAYING: Final = "is are be was were to called named : =".split()
NAME_LINKS: Final = dict.fromkeys(_SAYING, "is") | {
    each: each for each in "by at in on from".split()
}
"""The words before the name that a statement gives, each with the one that stands for it."""

ARTICLES: Final = frozenset("the our your their its a an".split())
JAPANESE_LINKS: Final = re.compile(
    "(?:です|である|だ(?!け)|と(?:する|します|した)|さん|に|へ|から|で(?!き)|$)"
)

KANJI: Final = re.compile("[\u4e00-\u9fff]+")

JAPANESE_DROPPED: Final = frozenset(
    "使 使用 利用 採用 実施 行 実行 変 変更 移行 移 切 切替 切り替 替 今後 現在 今 新 必 常 常時 原則 設定 "
    "予定 決定 決 延長 延 短縮 縮 "
    "方針 統一 回 場合 以降 後 更新 用 全 全部 全員 際 事 時 上 中 内 側 対象 基本 基本的 運用 開始 始 起動 "
    "動 稼働 指定 必要 必須 可能 可 "
    "許可 良 推奨 徹底 引 下 増 減 増加 減少 引上 引下 時間 時刻 期間 曜日 日時 上限 最大 値 数 方法 先 番号 "
    "毎回 絶対 出 入 書 作 作成 置 "
    "番 件 人 個 回 文字 行 桁 倍 台 本 名 枚 秒 分 度 間 以内 以下 程度 約 基準 目標 提出 実 持 取 付 有効 "
    "有効化 記述 記載 統 一 "
    "プロジェクト チーム バージョン 我々 私 私達 当 うち ルール".split()
)  # fmt: skip
JAPANESE_ENDINGS: Final = re.compile(
    "(?<=..)(?:期間|時間|時刻|曜日|日時|上限|回数|人数|件数|番号|方法|先|用|時|数|日|環境|化)$"
)
"""Ends of a compound that name the sort of its value."""
