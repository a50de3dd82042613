"""Prohibitions without `never`, rules with a condition and reasons, beside one-off and quoted orders."""

# ruff: noqa: E501 - a prompt stays on the line on which it was written.

STANDING: tuple[str, ...] = (
    # English
    "Whenever you add an endpoint, always write its OpenAPI entry.",
    "When you touch the billing module, never round with floats.",
    "Don't ever push straight to the release branch.",
    "If you edit a Terraform file, always run terraform fmt on it.",
    "Before you open a PR, always rebase onto develop.",
    "Never hand-edit files under generated/.",
    "For database changes, always add a down migration.",
    "When writing tests, use pytest fixtures, not setUp methods.",
    "We decided to keep sessions in Redis. That is because the load balancer is not sticky.",
    "Do not log customer names, log their ids; use the audit helper.",
    # Japanese
    "main に直接 push するな",
    "本番DBに対して migrate を直接実行しないこと",
    "生成された proto ファイルを手で編集するな。",
    "テストで time.sleep を使うな",
    "secrets を .env 以外に書かないこと",
    "勝手に依存パッケージを追加しないでください",
    "API を変更するときは必ず openapi.yaml も更新して",
    "マイグレーションを書く場合は、必ず down も用意してください。",
    "ログ基盤は Loki にすることに決めました。Elasticsearch は運用が重いからです。",
    "develop には直接コミットしないで",
    "本番のログに個人情報を書き込むな",
    "terraform の state ファイルを手で書き換えるな",
    "Slack に勝手に通知を送らないで",
)  # fmt: skip
"""Prompts that state what lasts."""

PASSING: tuple[str, ...] = (
    # English
    "Don't commit yet, I want to look at the diff.",
    "Fix the crash in the parser and don't touch the tests.",
    "When you are done with the parser, run the tests.",
    "don't delete that file, I still need it",
    'The README says "never run this as root", is that true?',
    "If the build fails again, tell me.",
    "When I click save, the page always reloads. Please fix it.",
    "do not restart the server while I'm debugging",
    "The linter complains: `never use bare except`. Fix it.",
    "Don't worry about the warnings.",
    # Japanese
    "まだコミットしないで",
    "ログイン画面のバグを直して。テストは変更しないで。",
    "そのファイルは消さないで",
    "今は main に push するな",
    "READMEに「mainに直接pushするな」と書いてあるけど、本当？",
    "ボタンを押したときに必ずクラッシュするので直して",
    "今回は新しいライブラリを追加しないでください",
    "このPRではリファクタリングしないこと",
    "config.py の12行目は触らないで、次の関数だけ直して",
    "気にしないで。続けて。",
    "ファイル名を変えないで関数だけ分割して",
    "この行を直接編集しないで",
    "値が変わらないことを確認してください",
    "Don't run it manually, I already did.",
)  # fmt: skip
"""Prompts with an order of the moment, a report or a quotation."""

REASONED: tuple[tuple[str, str], ...] = (
    ("キャッシュは Redis を使うことにしました。セッションを共有したいからです。", "セッションを共有したいから"),
    ("日付はUTCで保存することに決めた。夏時間で二度ずれたため。", "夏時間で二度ずれたため"),
    ("キューは SQS に決まりました。運用の手間が少ないので。", "運用の手間が少ないので"),
    ("CIは GitHub Actions に決定しました。Jenkins は保守できる人がいないためです。次の作業に進んでください。", "保守できる人がいないため"),
    ("金額は整数で持つことにしました。端数の誤差が出たからね。", "端数の誤差が出たから"),
)  # fmt: skip
"""Japanese decisions whose reason is the next sentence, with words of the reason."""

UNREASONED: tuple[tuple[str, str], ...] = (
    ("キャッシュは Redis を使うことにしました。まずローカルで起動してください。", "ローカル"),
    ("日付はUTCで保存することに決めた。テストが落ちているので直して。", "テスト"),
    ("キューは SQS に決まりました。ところで、CIが遅いのはなぜですか？", "CI"),
    ("金額は整数で持つことにしました。次は時間があるからレビューもお願いします。", "レビュー"),
)  # fmt: skip
"""Japanese decisions whose next sentence is no reason of theirs, with words of that sentence."""
