"""Prompts with pasted text in them, and prompts that were typed, as a client hands them over without marks.

The cases were written before the rule that tells the two apart. They are a blind test: change the rule
for a failing case, never the case. Each is a prompt and the user's own sentences that it teaches: of a
pasted text none.
"""

# ruff: noqa: E501 - a prompt stays on the line on which it was written.

Case = tuple[str, tuple[str, ...]]

ENGLISH_PASTED: dict[str, Case] = {
    "a page, with nothing beside it": (
        """Contributing to Bellows

Thanks for your interest in the project. This page describes how we work.

Setting up

Always use Node 20. Install the dependencies with pnpm and never commit the lock file of another package manager. From now on every change needs a changeset.

Code style

We prefer named exports. Never use default exports in the packages folder.""",
        (),
    ),
    "a page, asked about above": (
        """can you check whether our repo follows this

Release policy

Releases are cut on Tuesdays. Always tag the commit before you publish. Never publish from a laptop.

Hotfixes

From now on, hotfixes are cherry-picked into the release branch first.""",
        (),
    ),
    "a mail below the user's own rule": (
        """From now on, answer in short sentences.

Here is what Dana wrote, please draft a reply

Hi team,

as discussed on Monday, we always deploy from the main branch. Please never merge without two approvals. Let me know if anything is unclear.

Best regards,
Dana Ferrell
Head of Platform""",
        ("From now on, answer in short sentences",),
    ),
    "a mail without a head, ended by a question of the user's": (
        """Hello Marcus,

we noticed that the nightly job writes into the production bucket. Going forward, always write into the staging bucket. Do not use the old service account any more.

Kind regards
Ines

does that affect our exporter?""",
        (),
    ),
    "a build's log": (
        """> bellows@2.1.0 build
> vite build

vite v5.2.1 building for production...
(!) Some chunks are larger than 500 kB after minification. Consider:
- Using dynamic import() to code-split the application
- Always use build.rollupOptions.output.manualChunks to improve chunking
transforming (412) src/main.ts
Build finished in 4.21s

To suppress this warning in future sessions, always set chunkSizeWarningLimit.

is this a problem""",
        (),
    ),
    "a linter's output": (
        """src/press.py:14:1: D103 Missing docstring in public function
src/press.py:22:9: T201 Never use print, prefer the logger
src/feed.py:3:8: F401 Always remove unused imports
Found 3 errors.

fix those please""",
        (),
    ),
    "a review bot's comment": (
        """address this

⚠️ Potential issue | 🟠 Major

Never swallow the exception here.

The handler catches every exception and returns None, so callers cannot tell an empty result from a failure. Always re-raise after logging.

🤖 Prompt for AI agents

In src/feed.py around lines 40 to 52, always re-raise the exception after it was logged. Do not change the signature.""",
        (),
    ),
    "a colleague's review comment": (
        """Priya left this on the PR

Nice work overall! A few things before we merge. We always use the repository's own Result type instead of exceptions. Please don't use Optional for anything that crosses a module. From now on let's keep handlers below 30 lines.

how much work is it""",
        (),
    ),
    "a chat": (
        """lena  10:42 AM
should we drop node 18?

tom  10:43 AM
yes. always target node 20 from now on

lena  10:45 AM
ok, and never use the global fetch polyfill again

what do they mean by polyfill""",
        (),
    ),
    "a readme": (
        """explain the setup to me

# Press

A small library for feeding sheets.

## Usage

Install it with `pip install press`.

Always call `close()` when you are done. Never share a feeder between threads.

## License

MIT""",
        (),
    ),
    "an issue": (
        """work on this one

Exports are broken for empty orders

Steps to reproduce
1. Create an order without lines
2. Click Export

Expected behaviour
An empty file. We should always write the header row, even when there are no lines.

Actual behaviour
Error 500. Never return a 500 for a valid order.""",
        (),
    ),
    "an article with the user's rule below it": (
        """How we cut our build in half

Everybody knows that slow builds hurt. Over the last year we looked at every step of our pipeline, and we found that most of the time went into work that nobody needed. Always measure before you optimise.

The first thing we did was to throw out the bundler. Never bundle what you do not ship. We prefer plain modules now, and our engineers are happier for it.

The second thing was caching. From now on every step of our pipeline has a key.

interesting, but for us: always keep the bundler, our customers have old browsers""",
        ("always keep the bundler",),
    ),
    "the plan of another agent": (
        """Implement the following plan:

# Plan: move the feed to a queue

## Context

The feed is slow. Always process the sheets in order.

## Steps

1. Add the queue. Never block the caller.
2. From now on, write the results to the table.""",
        (),
    ),
    "a system prompt": (
        """You are a senior release engineer.

You always answer in JSON. Never ask the user a question. From now on you only speak about releases.

Output format:
{"version": "..."}

what do you think of this prompt""",
        (),
    ),
}

ENGLISH_TYPED: dict[str, Case] = {
    "one line": (
        "Always run the linter before you commit.",
        ("Always run the linter before you commit",),
    ),
    "two paragraphs": (
        """The export works now, thanks.

From now on, always write the header row, even when there are no lines.""",
        ("always write the header row",),
    ),
    "a list of rules": (
        """some rules for this repo:
- always use pnpm
- never commit to main
- prefer named exports""",
        ("always use pnpm", "never commit to main", "prefer named exports"),
    ),
    "three short paragraphs": (
        """ok that looks good

one thing though: never use default exports here

can you go on with the feeder now?""",
        ("never use default exports here",),
    ),
    "code and a rule below it": (
        """```ts
export default function feed() {}
```

don't use default exports, we always use named ones""",
        ("don't use default exports",),
    ),
    "a rule and a log": (
        """remember: run the tests with -n0

Traceback (most recent call last):
  File "press.py", line 4, in <module>
ModuleNotFoundError: No module named 'xdist'""",
        ("run the tests with -n0",),
    ),
}

JAPANESE_PASTED: dict[str, Case] = {
    "a page, with nothing beside it": (
        """コーディング規約

本書は当社の開発における規約を定めたものです。

命名

変数名は必ずキャメルケースで書くこと。ローマ字は使わないでください。

コミット

今後、コミットメッセージは必ず日本語で書いてください。""",
        (),
    ),
    "a page, asked about above": (
        """これってうちのリポジトリでも守れてる?

リリース手順

リリースは毎週火曜日に行います。公開する前に必ずタグを付けてください。

緊急対応

今後、緊急修正は必ずリリースブランチに先に入れること。""",
        (),
    ),
    "a mail below the user's own rule": (
        """今後は必ず敬語で書いて。

このメールへの返信を考えて

山田様

お世話になっております。株式会社サンプルの佐藤です。

先日の件ですが、今後は必ず本番環境ではなく検証環境をお使いください。古いアカウントは使わないでください。

よろしくお願いいたします。

佐藤""",
        ("今後は必ず敬語で書いて",),
    ),
    "minutes of a meeting": (
        """要点をまとめて

定例会議 議事録
日時 11月20日 10時
出席者 田中、鈴木、佐藤

1. 決定事項
・デプロイは必ずCIから行うこと
・今後、mainへの直接pushは禁止とする

2. 次回
・12月4日""",
        (),
    ),
    "a chat": (
        """田中  10:42
node 18 はもうやめますか

鈴木  10:43
はい、今後は必ず node 20 を使ってください

田中  10:45
了解です。polyfill は二度と使わないでください

どういう話?""",
        (),
    ),
    "a review comment": (
        """レビューでこう言われた

全体的に良いと思います。いくつか気になった点があります。例外は使わずに必ず Result 型を返してください。今後、ハンドラは30行以内でお願いします。Optional は使わないでください。

どのくらいかかりそう?""",
        (),
    ),
    "an article with the user's rule below it": (
        """ビルド時間を半分にした話

遅いビルドは誰にとってもつらいものです。私たちはこの一年、パイプラインのすべての段階を見直しました。その結果、時間のほとんどは誰も必要としていない処理に使われていることが分かりました。最適化の前には必ず計測してください。

最初にやったのはバンドラを捨てることでした。出荷しないものは絶対にバンドルしないでください。

次はキャッシュです。今後はすべての段階にキーを付けてください。

面白いけど、うちではバンドラは必ず残して""",
        ("うちではバンドラは必ず残して",),
    ),
    "a readme": (
        """使い方を教えて

# プレス機ライブラリ

用紙を送るための小さなライブラリです。

## 使い方

使い終わったら必ず `close()` を呼んでください。スレッド間で共有しないでください。

## ライセンス

MIT""",
        (),
    ),
}

JAPANESE_TYPED: dict[str, Case] = {
    "one line": ("今後PRは必ず日本語で書いて", ("今後PRは必ず日本語で書いて",)),
    "two paragraphs": (
        """出力は直りました、ありがとう。

今後は明細が無くても必ずヘッダー行を書いてください。""",
        ("必ずヘッダー行を書いてください",),
    ),
    "a list of rules": (
        """このリポジトリのルール:
・必ずpnpmを使う
・mainに直接pushしない""",
        ("必ずpnpmを使う", "mainに直接pushしない"),
    ),
    "three short paragraphs": (
        """いい感じ

一つだけ。default exportは二度と使わないで

じゃあ次は給紙の方をお願い""",
        ("default exportは二度と使わないで",),
    ),
}
