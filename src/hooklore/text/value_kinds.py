"""The values that a statement can give, by kind: two of one kind exclude each other.

A tool is no value beside a tool of another kind: a project may use redis and postgres.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from hooklore.text.tool_kinds import tool_rows

_CHOICES: Final[Mapping[str, str]] = {
    "search": "elasticsearch opensearch solr meilisearch",
    "continuous integration": "buildkite teamcity github-actions gitlab-ci",
    "cloud": "aws gcp azure heroku hetzner",
    "forge": "github gitlab bitbucket gitea",
    "language": "python java kotlin go golang rust ruby php typescript javascript scala elixir swift",
    "orchestrator": "kubernetes nomad ecs swarm",
    "web server": "nginx caddy traefik haproxy",
    "database": "oracle mssql cockroachdb dynamodb",
    "format": "json yaml toml xml csv protobuf parquet",
    "image format": "png webp jpeg jpg gif avif svg",
    "tongue": "english japanese german french spanish chinese korean 英語 日本語 中国語 韓国語",
    "license": "mit apache gpl agpl bsd mpl",
    "merge": "squash rebase merge-commit スカッシュ リベース",
    "colour": "red green blue yellow orange purple grey gray 赤 青 緑 黄 黒 白",
    "audience": "public private internal 公開 非公開",
    "manner": "manual manually automatic automatically 手動 自動 自動化",
    "frequency": "hourly daily nightly weekly biweekly monthly quarterly yearly 毎時 毎日 毎晩 毎週 隔週 "
    "毎月 毎年 日次 週次 月次 年次",
    "order": "before after 前 後",
    "bound": "least most",
    "direction": "ascending descending 昇順 降順",
    "protocol": "http https grpc rest graphql soap",
    "theme": "dark light",
    "daypart": "morning afternoon evening",
    "date": "月末 月初 月中",
    "side": "left right 左 右",
    "log level": "debug info warning error trace",
}
"""Beside the tools (`text/tool_kinds.py`): of each row a statement gives one."""

_SAME: Final[Mapping[str, str]] = {
    "postgresql": "postgres", "golang": "go", "manually": "manual", "automatically": "automatic",
    "grey": "gray", "自動化": "自動", "nightly": "daily", "毎晩": "毎日", "日次": "毎日", "週次": "毎週",
    "月次": "毎月", "年次": "毎年",
}  # fmt: skip

DAYS: Final = "monday tuesday wednesday thursday friday saturday sunday".split()
MONTHS: Final = (
    "january february march april may june july august september october november december".split()
)
_NUMBERS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
).split()
_TENS: Final = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100}

UNITS: Final[Mapping[str, tuple[str, float]]] = {
    **dict.fromkeys(("ms", "millisecond", "ミリ秒"), ("duration", 0.001)),
    **dict.fromkeys(("s", "sec", "second", "秒"), ("duration", 1)),
    **dict.fromkeys(("min", "minute", "分", "分間"), ("duration", 60)),
    **dict.fromkeys(("h", "hr", "hour", "時間"), ("duration", 3_600)),
    **dict.fromkeys(("d", "day", "日間"), ("duration", 86_400)),
    **dict.fromkeys(("week", "週間"), ("duration", 604_800)),
    **dict.fromkeys(("month", "か月", "ヶ月", "カ月", "ヵ月", "か月間", "ヶ月間"), ("duration", 2_592_000)),
    **dict.fromkeys(("year", "年間"), ("duration", 31_536_000)),
    **dict.fromkeys(("kb", "kib"), ("size", 1e3)),
    **dict.fromkeys(("mb", "mib"), ("size", 1e6)),
    **dict.fromkeys(("gb", "gib"), ("size", 1e9)),
    **dict.fromkeys(("tb", "tib"), ("size", 1e12)),
    **dict.fromkeys(("%", "percent", "パーセント"), ("share", 1)),
    **dict.fromkeys(("円", "yen", "usd", "eur", "dollar", "euro"), ("money", 1)),
    "日": ("date", 1),
    "月": ("month", 1),
    "年": ("year", 1),
}  # fmt: skip
"""Each unit with its kind and its size in the kind's first unit."""


@cache
def kinds_of_values() -> Mapping[str, tuple[str, str]]:
    """Return (kind, value) of each word that is a value by itself."""
    # A tool of two kinds is of the first that the table names.
    rows = reversed((*tool_rows().items(), *_CHOICES.items()))
    found = {word: (kind, _SAME.get(word, word)) for kind, row in rows for word in row.split()}
    days = {form: ("day", day) for day in DAYS for form in (day, day + "s", day[:3])}
    japanese = {f"{sign}曜": ("day", day) for sign, day in zip("月火水木金土日", DAYS, strict=True)}
    others = {
        "weekend": "weekend", "weekends": "weekend", "週末": "weekend", "weekday": "weekday",
        "weekdays": "weekday", "平日": "weekday",
    }  # fmt: skip
    return found | days | japanese | {word: ("day", name) for word, name in others.items()}


@cache
def number_words() -> Mapping[str, float]:
    """Return the number that each English word for one means."""
    return {word: float(number) for number, word in enumerate(_NUMBERS)} | _TENS
