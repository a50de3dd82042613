"""Prompts that are corrections, and prompts that only look like them.

The cases were written from row HK-14 alone by someone who had not read the rules, and were committed
before the rules. They are a blind test: change the rules for a failing case, never the case.
The brief for the corpus named some example prompts; those stand here too, word for word or extended.
"""

ENGLISH_CORRECTIONS: tuple[str, ...] = (
    "no, use uv instead of pip",
    "don't put comments in the tests",
    "Always run the linter before you commit.",
    "from now on answer in Japanese",
    "we never push to main here",
    "remember: staging is deployed by CI only",
    "pnpm, not npm!!",
    "Could you please stop adding emojis to commit messages? Thanks.",
    "ugh you did `git add -A` again. NEVER do that, stage files by name",
    (
        "The retry logic looks good and the tests pass on my machine. One thing though: I "
        "prefer small functions over classes for this kind of helper, so please go that way "
        "in future. Then carry on with the upload endpoint."
    ),
    "i told you already, tabs not spaces",
    ("For the record, our branch names are always feature/<ticket>-<slug>, never just the slug."),
    "nope. dont use any, use unknown",
    "In this repo we write docstrings in Google style, not NumPy style",
    "stop creating README files unless I ask for one",
    "please remember that the API base path is /v2 and anything under /v1 is frozen",
    "whenever you touch a migration, regenerate the schema dump too",
    "that's wrong, we use pytest fixtures here rather than unittest setUp",
    "keep your answers short pls, i dont need a summary of the diff every time",
    "Actually I'd rather have you ask before installing a new dependency. Every time.",
    "make sure u alwyas use absolute imports, relative ones break our bundler",
    "ok this works. going forward, squash the fixups before opening a PR",
    (
        "You keep mocking the database. Don't. Integration tests in this project go against "
        "the real Postgres container."
    ),
    "Don't ever force push, even to your own branch.",
    "our convention is snake_case for JSON keys, please stick to it",
    "use `rg` and not `grep`, its way faster on this monorepo",
    "Wrong package manager. This is a yarn workspace, so it's yarn add, not npm install.",
    (
        "hey quick note for the future: commit messages in imperative mood, max 50 chars in "
        "the subject"
    ),
    "no more default exports please. named exports only",
    "Instead of print debugging you should use the logger. always.",
    (
        "I've looked at the diff you made for the billing worker.\n"
        "\n"
        "1. The batching is fine.\n"
        "2. The timeout handling is fine too.\n"
        "3. We do not catch bare Exception in this codebase, catch the specific error.\n"
        "\n"
        "Can you redo 3 and then run the suite?"
    ),
    "By default target Python 3.11, we can't use anything newer in prod",
    "lets not use lodash anymore, native methods are fine for everything we do",
    "Never edit the files in gen/ by hand, change the .proto and run make proto",
    ("note to self and to you: terraform apply is ONLY run from the pipeline, you just do plan"),
    "no no no, dont commit for me. i do the commits myself",
    "I like early returns better than nested ifs, keep that in mind",
    ("Each new endpoint must come with an OpenAPI entry. You forgot it the last three times."),
    "dates in this project are UTC everywhere, do not use local time",
    'it\'s "sign in", not "login", in all our UI copy',
)

JAPANESE_CORRECTIONS: tuple[str, ...] = (
    "PRは日本語にして",
    "pipではなくuvを使って",
    "毎回テストを回してからコミットして",
    "覚えて: ステージングへのデプロイはCIからだけ",
    "今後は確認なしでファイルを消さないでください",
    "コミットメッセージは英語で",
    "違う、npmじゃなくてpnpm",
    "勝手にpushしないで",
    "いつもruffかけてから出してね",
    "これからは敬語なしでいいよ",
    "変数名にローマ字の日本語を使わないでほしいです。英単語でお願いします。",
    "常に型ヒントを付けること",
    "コメントは要らないって前も言ったよね。コードだけ書いて",
    "記憶して:本番DBは読み取り専用ユーザーで接続する",
    (
        "恐れ入りますが、今後テストコードにはモックを使用せず、実際のコンテナに接続する形でお"
        "願いいたします。"
    ),
    "classより関数で書く方がいい",
    "mainに直接コミットするのは禁止です。必ずブランチ切ってください",
    "いや、そこはaxios使わんといて。うちはfetchで統一してるから",
    (
        "ありがとう、ページングの実装はこれで問題なさそうです。ただ、エラーメッセージはユーザ"
        "ー向けなので毎回日本語で書くようにしてください。それが直ったら次は検索APIの方に進ん"
        "でもらえますか。"
    ),
    "インデントはスペース2つで統一。タブは使うな",
    "ＪＳＯＮのキーは、キャメルケースではなくスネークケースにしてください",
    "説明が長い。次からは結論だけ先に言って",
    "依存ライブラリを追加するときは必ず事前に聞いて",
    "このリポジトリではyarnを使ってます。npm installはしないでください",
    "ちゃうちゃう、テストはjestやなくてvitestで書いてや",
    "ﾃｽﾄ名は日本語でお願い",
    "絵文字つけるのやめて",
    (
        "レビューありがとうございます。以下だけ修正お願いします。\n"
        "\n"
        "・リトライ回数は3回でOK\n"
        "・日付は全部UTCで扱う(ローカル時刻は今後も使わない)\n"
        "・ログの文言はそのままで大丈夫"
    ),
    "違います。うちのプロジェクトではdevelopからブランチを切るルールです",
    "覚えといて、gen配下は自動生成だから手で編集しちゃダメ",
    "anyは絶対禁止な",
    "PRのタイトルには毎回チケット番号を入れるようにしてもらえますか",
    "基本的にearly returnで書いてほしい、ネスト深いの嫌い",
    "docker-composeじゃなくて docker compose の方使って",
    "force pushは二度としないで",
    "原則としてSQLは直書きせずORM経由でお願いします",
    "質問には日本語で答えて。英語で返さないで",
    "printデバッグよりloggerの方が好きなので、そっちで統一して",
    "マイグレーションいじったら毎回schemaも更新しといて",
    "あ、それと一つ。README勝手に作るのやめてください、頼んだ時だけでいいです",
)

ENGLISH_LOOKALIKES: tuple[str, ...] = (
    "should we always use uv?",
    "use the staging DB for this one test",
    "fix the typo, don't touch anything else for now",
    'why does eslint complain about this: "// always use strict mode"',
    "error: variable 'cfg' is never used. whats going on here",
    "no, it still fails",
    "the test always fails on CI but passes locally",
    "never mind, found it",
    'the "remember me" checkbox is broken on Safari, can you look into it',
    "no, the other file",
    "add an 'always on top' option to the window menu",
    "no problem, take your time. what's the status of the refactor?",
    "Do you remember which branch we put the retry fix on?",
    "what would happen if we used poetry instead of pip here?",
    "My coworker prefers tabs over spaces, is there any technical reason for that?",
    (
        "```python\n"
        "# never use this in production\n"
        "# always call close() instead of relying on gc\n"
        "def open_unsafe(path): ...\n"
        "```\n"
        "what does this function do"
    ),
    (
        "Here's the mail from the vendor:\n"
        "\n"
        "> Hi team,\n"
        "> Please remember to always rotate your keys every 90 days. From now on, use the "
        "new portal instead of the old one.\n"
        "> Best regards\n"
        "\n"
        "Can you summarize it in two lines?"
    ),
    "it never gets to the else branch, why",
    (
        'Change the error toast from "Don\'t use spaces in your username" to "Usernames can\'t '
        'contain spaces".'
    ),
    "if we never pushed to main, would the release workflow still trigger?",
    (
        'implement a setting that lets users choose "always ask", "never ask" or "remember '
        'my choice"'
    ),
    "Undo that last edit please, and try the second approach instead",
    "no I meant line 42, not line 24",
    (
        "2024-05-11T09:12:44Z WARN  pool: do not use connection after close; use acquire() "
        "instead\n"
        "2024-05-11T09:12:44Z ERROR worker: remember token missing\n"
        "where in our code does this come from?"
    ),
    'the docs say "prefer composition over inheritance". where do we break that the most?',
    "you don't have to always agree with me lol. what do you really think of this design",
    "don't worry about the failing snapshot right now, just get the build green",
    "Is it true that Go programmers never use getters?",
    'grep for every "TODO: remember to remove" and list them with the file names',
    "no, that's not the cause, the cache is disabled in this env",
    "skip the linter just this once, I need to get the hotfix out",
    "I'm not saying we should always use Redis, I'm only asking how much faster it'd be",
    "rename getUser to fetchUser in api/client.ts",
    (
        "From now on the staging cluster costs us twice as much according to the finance "
        "dashboard, can you see which pods use most memory?"
    ),
    (
        'The old team used to say "no ORMs, raw SQL only". Can you find out from git history '
        "when that changed?"
    ),
    'write a regex which matches sentences like "always use X" or "use X instead of Y"',
    "instead of returning null this returns undefined, how come?",
    ('translate this README section into Japanese: "We never store passwords. Always enable 2FA."'),
    'suppose a user types "remember: buy milk" into the chat box, which handler gets it?',
    "wait, don't run it yet, let me check the port first",
)

JAPANESE_LOOKALIKES: tuple[str, ...] = (
    "いつもどうしてる？",
    "毎回落ちる",
    "覚えてる？昨日のブランチ名",
    "いつもありがとう！助かってます",
    "違う、もう一個の方のファイル",
    "pipとuvってどっちを使うべき？",
    "まだ動かないです。違うエラーが出ました",
    "このテストだけstagingのDBを使って",
    "とりあえず今回はlint無視していいから先にビルド通して",
    "「常に手前に表示」オプションを追加して",
    "ログイン画面の「次回から記憶する」のチェックが効かない",
    (
        "// 常にstrictモードを使うこと\n"
        "ってコメントがあるんだけど、これいつ入ったか git blame で調べて"
    ),
    "もし毎回キャッシュを消したらどれくらい遅くなりますか？",
    "先輩はタブ派らしいんだけど、何かメリットあるの",
    "テストが10回中3回くらい失敗する。常にではない",
    "なぜここはMapではなくObjectを使っているのでしょうか",
    (
        "以下のメールを要約してください。\n"
        "\n"
        "> お世話になっております。\n"
        "> 今後は旧ポータルではなく新ポータルをご利用ください。\n"
        "> パスワードは使い回さないようお願いいたします。"
    ),
    "42行目じゃなくて24行目のこと言ってる",
    ("エラー文言を「半角スペースは使わないでください」から「スペースは使用できません」に変えて"),
    "ボタンの色を青にして",
    "やっぱりさっきの変更戻して",
    (
        "```ts\n"
        "// 覚えて: ここは毎回 dispose() を呼ぶ\n"
        "export function attach(el: HTMLElement) {}\n"
        "```\n"
        "この関数の役割を教えて"
    ),
    ("[WARN] 非推奨のAPIです。今後は fetchV2 を使ってください\nこの警告どこから出てる？"),
    "え、前に使ったコマンド何だっけ、覚えてない",
    "想定とは違う挙動だけど、これは仕様ですか？",
    "ユーザーが「覚えて: 牛乳」って入力したら返事するbotを作りたい",
    "READMEの「必ずNode 20を使ってください」って部分、まだ正しいか確認して",
    "まだコミットしないで、先に差分見せて",
    "毎回同じ値が返ってくるのはキャッシュのせいかな",
    "いや、原因はそこじゃない。ポートの方",
    "ReactよりVueの方がいいって言う人もいるけど実際どうなん",
    "別に毎回テスト回せって意味じゃなくて、今の所要時間が知りたいだけ",
    "この関数をasyncにして、呼び出し元も直して",
    "常時接続と都度接続の違いを教えてください",
    "いつも通りデプロイしたら502になった、ログ見てくれる？",
    "「〜ではなく〜」という言い回しを検出する正規表現を書いて",
    "仮にyarnじゃなくてpnpmにした場合、CIのどこを直すことになりますか",
    "次の文を英訳して：「本番では絶対にデバッグモードを使わないこと。」",
    "ドキュメントには「原則ORMを使う」と書いてあるのに生SQLが残ってる箇所を一覧にして",
    "ＯＫ、違いは分かった。じゃあ続きお願い",
)
