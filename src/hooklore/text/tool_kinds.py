"""The kinds of tools and styles of which a project mostly uses one: two of one kind are a choice.

A name of two kinds stands in both. Words of the language (`make`, `go`, `got`) are left out: they would make
a choice of sentences that speak of none.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

_KINDS: Final[Mapping[str, str]] = {
    "python packages": "uv pip pip3 pipenv poetry pdm conda mamba rye hatch",
    "javascript packages": "npm pnpm yarn bun",
    "javascript runtime": "node node.js nodejs deno bun",
    "jvm build": "maven mvn gradle bazel sbt",
    "python tests": "pytest unittest nose nose2",
    "javascript tests": "jest vitest mocha jasmine ava",
    "browser tests": "cypress playwright selenium puppeteer webdriverio testcafe",
    "ruby tests": "rspec minitest",
    "python format": "black ruff yapf autopep8",
    "python lint": "ruff flake8 pylint pycodestyle",
    "python types": "mypy pyright pyre pytype",
    "javascript format": "prettier biome dprint",
    "javascript lint": "eslint biome oxlint tslint jshint",
    "python http": "httpx requests aiohttp urllib3 urllib",
    "javascript http": "axios fetch ky superagent undici",
    "python web": "django flask fastapi",
    "javascript interface": "react vue svelte angular solidjs preact",
    "javascript state": "redux zustand mobx jotai recoil",
    "bundler": "webpack vite rollup esbuild parcel turbopack",
    "dates": "moment moment.js dayjs luxon date-fns",
    "object mapping": "sqlalchemy peewee prisma drizzle typeorm sequelize knex",
    "data frames": "pandas polars",
    "shell": "bash zsh fish powershell pwsh nushell",
    "version control": "git hg mercurial svn subversion jj",
    "database": "postgres postgresql mysql mariadb sqlite sqlite3 mongodb mongo",
    "cache": "redis memcached valkey",
    "queue": "rabbitmq kafka nats sqs",
    "containers": "docker podman",
    "infrastructure": "terraform pulumi opentofu cloudformation",
    "continuous integration": "jenkins circleci travis github-actions gitlab-ci buildkite",
    "native build": "cmake meson ninja autotools",
    "javascript server": "express fastify koa hono nestjs",
    "validation": "zod yup joi pydantic marshmallow",
    "styling": "tailwind bootstrap sass scss styled-components emotion",
    "charts": "recharts d3 plotly matplotlib seaborn chart.js",
    "documentation": "sphinx mkdocs docusaurus",
    "markup": "markdown asciidoc restructuredtext",
    "configuration": "yaml toml json",
    "monorepo": "nx turborepo lerna",
    "game engine": "unity unreal godot",
    "orchestration": "kubernetes nomad ecs",
    "python environment": "venv virtualenv pyenv",
    "node versions": "nvm volta fnm",
    "issues": "jira trello asana youtrack",
    "wiki": "notion confluence",
    "messages": "slack discord mattermost",
    "errors": "sentry rollbar bugsnag",
    "metrics": "datadog grafana prometheus",
    "search": "elasticsearch opensearch meilisearch algolia",
    "debugger": "gdb lldb",
    "editor": "vim neovim emacs vscode",
    "go logging": "zap slog zerolog logrus",
    "javascript logging": "winston pino bunyan log4js",
    "python logging": "structlog loguru",
    "load tests": "k6 locust gatling jmeter",
    "indentation": "tab tabs space spaces タブ スペース",
    "naming": "snake_case camelcase pascalcase kebab-case スネークケース キャメルケース",
    "quotes": "single-quotes double-quotes シングルクォート ダブルクォート",
}

_PURPOSE: Final[Mapping[str, str]] = {
    "packages": "package dependency install installation manager library パッケージ 依存 管理 依存関係",
    "tests": "test unit testing runner テスト",
    "format": "format formatting formatter code フォーマッタ フォーマッター フォーマット 整形",
    "lint": "lint linting linter code リンター リンタ",
    "types": "type check checking checker 型 型チェック",
    "dates": "date handling format 日付",
    "state": "state management store toolkit 状態管理",
    "infrastructure": "infra infrastructure change cloud インフラ",
    "logging": "log logging logger output ログ 出力 出",
    "integration": "ci pipeline",
    "messages": "message notify notification 通知",
    "mapping": "orm query database db",
    "frames": "dataframe data frame analysis",
    "http": "http request client call",
    "database": "database db データベース",
    "containers": "container コンテナ",
    "indentation": "indent indentation インデント 字下げ",
    "quotes": "quote string クォート 文字列",
}
"""The words that say of a tool of a kind what it is for anyway, by the last word of the kind's name."""


def tool_rows() -> Mapping[str, str]:
    """Return the names of the tools of each kind."""
    return _KINDS


@cache
def kinds_of(name: str) -> frozenset[str]:
    """Return the kinds of the tool with this name in lower case, empty for another word."""
    return frozenset(kind for kind, names in _KINDS.items() if name in names.split())


@cache
def purposes_of(kind: str) -> frozenset[str]:
    """Return the words that name the purpose of a kind."""
    return frozenset(_PURPOSE.get(kind.rpartition(" ")[2], "").split())


_WHOLE_PROJECT: Final = (
    "packages", "build", "tests", "format", "lint", "types", "bundler", "control", "monorepo",
    "indentation", "naming", "quotes",
)  # fmt: skip
"""Last words of the kinds that a project chooses once. Of the others (a database, a library) it may use two."""


_SCRIPT: Final = "\u3041-\u30ff\u4e00-\u9fff、。"
_NO_REQUESTS: Final = re.compile(r"(?<!(?:pull|erge|ture|http) )(?<!api )")
"""A place in front of which nothing makes a plain word of `requests`: `pull requests`, `feature requests`."""

TOOL_MARK, LIBRARY_MARK = "\ue000", "\ue001"
"""Characters for a tool that a project chooses once, and for any other of the table (Unicode: private use)."""

_SPACED: Final = re.compile(
    rf"(?:(?<=[{_SCRIPT}]) )?([{TOOL_MARK}{LIBRARY_MARK}])\1*(?: (?=[{_SCRIPT}]))?"
)


def mark_tools(text: str) -> str:
    """Return a text in lower case, of the same length, in which marks stand for the names of tools.

    A pattern with one mark in place of 200 names takes a hundredth of the memory. The space that Japanese writers
    put between a name and their own script belongs to the name: `pnpm を使って`.
    """
    return _SPACED.sub(lambda found: found[1] * len(found[0]), _name_pattern().sub(_marks, text))


def _marks(found: re.Match[str]) -> str:
    return len(found[0]) * _mark_of().get(found[0], "") or found[0]


@cache
def _mark_of() -> Mapping[str, str]:
    """Return the mark of each name."""
    marks: dict[str, str] = {}
    for kind, names in _KINDS.items():
        is_once = kind.rpartition(" ")[2] in _WHOLE_PROJECT
        for name in names.split():
            marks[name] = TOOL_MARK if is_once else marks.get(name, LIBRARY_MARK)
    return marks


@cache
def _name_pattern() -> re.Pattern[str]:
    """Return the pattern of what may be a name: a word, with an extension too, or a name in Japanese."""
    japanese = "|".join(sorted((n for n in _mark_of() if not n.isascii()), key=len, reverse=True))
    return re.compile(
        rf"(?<![a-z0-9_./-])(?:[a-z0-9_-]+(?:\.[a-z][a-z0-9_-]*)*|(?:{japanese})(?![a-z0-9_-]|\.[a-z]))"
    )


def find_tools(text: str) -> list[str]:
    """Return the names of tools in a text in lower case, in their order."""
    return [found[0] for found in _name_pattern().finditer(text) if _is_tool(found)]


def without_tools(text: str) -> str:
    """Return a text in lower case without the names of tools."""
    return _name_pattern().sub(lambda found: " " if _is_tool(found) else found[0], text)


def _is_tool(found: re.Match[str]) -> bool:
    is_known = found[0] in _mark_of()
    return is_known and _NO_REQUESTS.match(found.string, found.start()) is not None
