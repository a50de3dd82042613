"""Two statements contradict where one place differs and that place is the value; what only adds does not."""

import pytest

from hooklore.text.contradiction import is_contradiction

CONTRADICTING = [
    ("Deploy on Fridays.", "Do not deploy on Fridays."),
    (
        "The ssh port of the build server is 22.",
        "The ssh port of the build server is 49222 since May.",
    ),
    ("Exchange rates are cached for one day.", "Exchange rates are no longer cached."),
    ("Exchange rates are cached for one day.", "We cache exchange rates for an hour."),
    ("API tokens expire after 24 hours.", "API tokens are now valid for 12 hours."),
    ("The nightly backup starts at 02:00.", "The backup runs every night at 4 am."),
    ("Logs are kept for 30 days.", "Log retention is 90 days."),
    ("The default branch is master.", "The default branch was renamed to main."),
    ("Staging runs on Postgres 14.", "Staging uses Postgres 16 now."),
    ("The staging database is MySQL.", "The staging database is Postgres."),
    ("CI runs on GitHub Actions.", "CI has been moved to GitLab CI."),
    ("The frontend uses npm.", "The frontend switched to pnpm."),
    ("Releases go out on Thursday.", "We ship on Tuesdays now."),
    ("The maximum upload size is 10 MB.", "Uploads may be up to 25 MB."),
    ("Telemetry is enabled.", "Telemetry is disabled."),
    ("Pull requests need two approvals.", "Pull requests need one approval."),
    ("Alice is on call for payments.", "Bob is on call for payments."),
    ("The on-call lead is Alice.", "The on-call lead is Bob."),
    ("We decided to store amounts as integers.", "We decided not to store amounts as integers."),
    ("Invoices are sent in English.", "Invoices are sent in Japanese."),
    (
        "The worker retries three times.",
        "The worker retries five times because the gateway is slow.",
    ),
    ("The primary colour is blue.", "The primary colour is green."),
    ("Customer exports are encrypted.", "Customer exports are not encrypted."),
    (
        "Force pushes are allowed on feature branches.",
        "Force pushes are forbidden on feature branches.",
    ),
    ("The session timeout is 30 minutes.", "Sessions expire after one hour."),
    ("Docs live in the wiki at Confluence.", "Docs live in the wiki at Notion."),
    ("Code is merged by squash.", "Code is merged by rebase."),
    (
        "Labels are printed at 203 dpi, the dock's printer knows no other.",
        "Labels are printed at 300 dpi.",
    ),
    ("The API server listens on port 8080.", "The API server listens on port 9090."),
    ("Node 18 is required.", "Node 20 is required."),
    ("Prices include tax.", "Prices do not include tax."),
    ("Standup is at 9:30.", "Standup is at ten."),
    ("リリースは金曜にする。", "リリースは金曜にしない。"),
    ("ビルドサーバーのsshポートは22番。", "ビルドサーバーのsshポートは49222番。"),
    ("ログは30日間保存する。", "ログの保存期間は90日間です。"),
    ("本番のDBはMySQLを使っている。", "本番データベースはPostgreSQLに移行した。"),
    ("定例会議は月曜の10時から。", "定例会議は水曜の10時に変更になった。"),
    ("APIのタイムアウトは30秒。", "APIのタイムアウトは60秒に延ばした。"),
    ("デプロイは手動で行う。", "デプロイは自動化された。"),
    ("金額は整数で持つ。", "金額は整数で持たない。"),
    ("為替レートは一日キャッシュする。", "為替レートはキャッシュしない。"),
    ("決済の担当は田中さん。", "決済の担当は鈴木さん。"),
    ("田中さんが決済を担当する。", "鈴木さんが決済を担当する。"),
    ("テストはpytestで書く。", "テストはunittestで書く。"),
    ("レビューは2人必要。", "レビューは1人でよい。"),
    ("バックアップは毎日2時に取る。", "バックアップは毎日4時に取ることにした。"),
    ("mainへの直接pushは禁止。", "mainへの直接pushは許可する。"),
    ("デフォルトブランチはmaster。", "デフォルトブランチはmainに変更した。"),
    ("ドキュメントは英語で書く。", "ドキュメントは日本語で書くことに決めた。"),
    ("請求書は月末に送る。", "請求書は月末に送らない。"),
    ("アップロードの上限は10MBです。", "アップロードの上限は25MBになりました。"),
    ("ステージングはAWSで動かす。", "ステージングはGCPで動かす。"),
    ("毎週月曜にデプロイする。", "毎週木曜にデプロイする。"),
]
"""(earlier, later) of statements of which only one can hold."""

COMPATIBLE = [
    ("The build server's port is 22.", "The web server's port is 80."),
    ("Deploy on Fridays.", "Deploy on Fridays after ten."),
    ("Do not deploy on Fridays.", "Deploy on Fridays after ten if the on-call engineer agrees."),
    ("Deploy on Fridays.", "Announce the deploy on Fridays."),
    ("Logs are kept for 30 days.", "Audit logs are kept for one year."),
    ("The timeout is 30 seconds.", "The timeout for uploads is 300 seconds."),
    ("API tokens expire after 24 hours.", "Refresh tokens expire after 30 days."),
    ("The backup starts at 02:00.", "The backup takes two hours."),
    ("The maximum upload is 10 MB.", "The minimum upload is 1 KB."),
    ("We use Redis for caching.", "We use Postgres for storage."),
    ("We use Redis for the queue.", "We use Redis for the cache."),
    ("CI runs on GitHub Actions.", "CI runs on every pull request."),
    ("The printer is slow.", "The printer is loud."),
    ("Python 3.11 is supported.", "Python 3.12 is supported."),
    ("Alice reviews the payments code.", "Alice reviews the search code."),
    ("Alice works from Berlin.", "Bob works from Berlin."),
    (
        "The label printer in room 3 prints at 203 dpi.",
        "The label printer in room 4 prints at 203 dpi.",
    ),
    (
        "The label printer in room 3 prints at 203 dpi.",
        "The label printer in room 4 prints at 300 dpi.",
    ),
    ("Port 22 is open.", "Port 443 is open."),
    ("Run make fmt before you commit.", "Run make lint before you commit."),
    ("Never use npm in this project.", "Never use yarn in this project."),
    ("Never use pip.", "Don't use conda."),
    ("Sessions last 60 minutes.", "Sessions expire after one hour."),
    ("The team has a wiki.", "The team has a chat room."),
    ("Staging runs in Frankfurt.", "Production runs in Dublin."),
    ("The API accepts JSON.", "The API accepts XML."),
    ("Invoices are numbered without gaps.", "Invoices are sent by e-mail."),
    ("Do not commit generated files.", "Commit lock files."),
    ("Tests run in parallel.", "Integration tests do not run in parallel."),
    ("Is the port 22?", "The port is 49222."),
    ("The port was 22 until May.", "The port is 49222."),
    ("Exports are written as CSV.", "Exports are written to the archive bucket."),
    ("Step 3 takes 10 minutes.", "Step 4 takes 10 minutes."),
    ("Bob leads the mobile team.", "Bob leads the web team."),
    ("Deploys need one approval.", "Deploys to production need two approvals."),
    ("The customer list has an owner column.", "The customer list has a region column."),
    ("リリースは金曜にする。", "リリースノートは金曜に書く。"),
    ("ビルドサーバーのポートは22番。", "ウェブサーバーのポートは80番。"),
    ("金曜はリリースしない。", "木曜はリリースしない。"),
    ("リリースは金曜にする。", "リリースは金曜の10時以降にする。"),
    ("ログは30日間保存する。", "監査ログは1年間保存する。"),
    ("APIのタイムアウトは30秒。", "アップロードのタイムアウトは300秒。"),
    ("キャッシュにRedisを使う。", "キューにRedisを使う。"),
    ("APIは認証を使う。", "APIはキャッシュを使う。"),
    ("プリンタは遅い。", "プリンタはうるさい。"),
    ("テストはpytestで書く。", "テストは必ず書く。"),
    ("mainに直接pushしない。", "生成ファイルをコミットしない。"),
    ("npmは使わない。", "yarnは使わない。"),
    ("レビューは必ず受けなければならない。", "レビューを受ける。"),
    ("田中さんが決済を担当する。", "田中さんが検索を担当する。"),
    ("ポートは22番だった？", "ポートは49222番。"),
    ("決済APIは日本円に対応している。", "決済APIはドルに対応している。"),
    ("請求書は月末に送る。", "見積書は月末に送らない。"),
    ("ステージングの担当は田中さん。", "本番の担当は鈴木さん。"),
    ("デプロイは金曜も行う。", "デプロイは木曜に行う。"),
]
"""(earlier, later) of statements that may hold together: another subject, a narrower case, one thing more."""


@pytest.mark.parametrize(("earlier", "later"), CONTRADICTING)
def test_statements_that_differ_in_one_value_contradict_each_other(
    earlier: str, later: str
) -> None:
    assert is_contradiction(earlier, later)


@pytest.mark.parametrize(("earlier", "later"), COMPATIBLE)
def test_what_adds_or_has_another_subject_contradicts_nothing(earlier: str, later: str) -> None:
    assert not is_contradiction(earlier, later)
