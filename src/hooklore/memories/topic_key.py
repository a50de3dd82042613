"""Derive the stable key of an instruction from its topic, so that a later one replaces an earlier one."""

import re

_WORD = "(?<![a-z0-9_-])(?:{})(?![a-z0-9_-])"
_CHOICES: tuple[tuple[str, str], ...] = (
    ("python-package-manager", "uv|pip|pip3|pipenv|poetry|pdm|conda|rye|hatch"),
    ("js-package-manager", "npm|pnpm|yarn|bun"),
    ("python-test-runner", "pytest|unittest|nose2?"),
    ("js-test-runner", "jest|vitest|mocha|jasmine|ava"),
    ("python-http-client", "httpx|requests|aiohttp|urllib3?"),
    ("js-http-client", "axios|fetch|got|ky|superagent"),
    ("python-formatter", "black|ruff|yapf|autopep8"),
    ("js-formatter", "prettier|biome|dprint"),
    ("indentation", "tabs?|spaces?|タブ|スペース"),
)
"""Tools of which a project uses one of each row. A text with a tool of a row settles the row's topic."""

_COMPILED = tuple((name, re.compile(_WORD.format(words))) for name, words in _CHOICES)
_LANGUAGE = re.compile(
    "日本語|英語|英文|和文|中国語|韓国語|フランス語|ドイツ語|"
    + _WORD.format("english|japanese|chinese|korean|french|german|spanish|italian|portuguese")
)
_SUBJECTS: tuple[tuple[str, str], ...] = (
    ("commit-message", "コミット|commits?(?: messages?)?"),
    ("pr", "プルリク|prs?|pull requests?|merge requests?|mr"),
    ("comment", "コメント|comments?"),
    ("docs", "ドキュメント|readme|docs?|docstrings?|documentation"),
    ("error-message", "エラーメッセージ|エラー文|error messages?"),
    ("log", "ログ|logs?|log messages?"),
    ("branch-name", "ブランチ|branch(?: names?)?"),
    ("ui-text", "ui|画面|文言"),
)
_OF = tuple(
    (
        name,
        re.compile("|".join(w if not w.isascii() else _WORD.format(w) for w in words.split("|"))),
    )
    for name, words in _SUBJECTS
)

_TONGUE = r"(?:english|japanese|chinese|korean|french|german|spanish|italian|portuguese)"
_ANSWERS = re.compile(
    r"\b(?:answer|reply|respond|talk|speak|write back|explain (?:things|everything))\s(?:to )?(?:me\b|us\b|"
    rf"in (?:{_TONGUE}|short|one|a few|plain|simple|bullet)|short|brief|concise|polite|formal|casual|with short|"
    r"with brief|without)|\b(?:your|the) (?:answers?|replies|responses?|tone|explanations?|summaries)\b(?! of)|"
    r"\b(?:call|address) me\b|\bbe (?:more )?(?:concise|brief|terse|polite|formal)\b|"
    rf"^(?:from now on|going forward|always|please|[,\s])*(?:use |write |talk )?(?:in )?{_TONGUE}"
    r"(?: please| only| with me)?$|"
    r"^(?:今後|これから|いつも|必ず|常に|毎回|次から|は|も|、)*(?:(?:お)?(?:返答|回答|返事|返信|答え|説明|口調)[はをも]|"
    r"(?:日本語|英語|中国語|韓国語)(?:で|を使って)(?:$|お願い|ください|答え|話し|返|回答|説明|応答))|敬語|タメ口"
)


def is_about_answers(text: str) -> bool:
    """Return whether a rule says how to answer the user, which holds for the user in every project."""
    return _ANSWERS.search(text.lower()) is not None


def topic_key(text: str) -> str | None:
    """Return `preference:<topic>` for a text that settles a known topic, or None for any other.

    A guessed topic would let two unrelated instructions replace each other.
    """
    words = text.lower()
    if _LANGUAGE.search(words):
        subject = next((name for name, pattern in _OF if pattern.search(words)), None)
        if subject is None and is_about_answers(words):
            subject = "reply"
        return f"preference:{subject}-language" if subject else None
    for name, pattern in _COMPILED:
        if pattern.search(words):
            return f"preference:{name}"
    return None
