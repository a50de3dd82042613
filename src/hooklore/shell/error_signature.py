"""Error signatures: the part of an error that is the same on another day."""

import re
from functools import lru_cache

from hooklore.records.record import Body

MAX_ERROR_LINES = 5
MAX_SIGNATURE_LENGTH = 200
_WINDOW_LENGTH = 32 * 1024
_MAX_LINE_LENGTH = 400

_DECORATION = re.compile(
    r"^(?:[\s>|│┃╎•·●○■□◆◇▪▸►→⎯─━=~*#^-]+|E {2,}|\[[\w:.@/ -]{1,60}\] (?=\$|[^\[]))+"
)
_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\-_])")

_NOISE = re.compile(
    r"""^\s*(?:
        exit\ code\ \d+ | exit\ status\ \d+ | \$\ | \^+$ | at\ [^:]{0,80}[(:] | in\ <module>
      | fail(?:ed|ures?)?:?$ | errors?:?$ | traceback\ \(most
      | short\ test\ summary | failures | errors
      | command\ failed\ with\ exit | process\ completed\ with | (?:error:\ )?(?:script|command)\ "
      | npm\ err!\ (?:code|errno|path|a\ complete|lifecycle|command|syscall) | elifecycle
      | .{0,40}\berror\ task\ failed | make(?:\[\d+\])?:\ \*\*\* | error:\ process\ completed
      | \d+\s+(?:pass|fail|error|skip|problem|issue|test|warning)\w*\b
      | found\ \d+\ (?:error|problem)
      | (?:tests?|test\ suites?|test\ files|snapshots?)[:\ ]+\d | ran\ \d+\ | test\ result:
      | (?:error:\ )?test\ failed,\ to\ rerun | .{0,60}\b(?:no|0)\ (?:errors?|failures?|failed)\b
      | fail\s+[\w./-]+\s+(?:\(cached\)|[\d.]+m?s)\s*$ | (?:i|✔|✓|ok|\(pass\)|.{0,40}:\ \(pass\))\s
    )""",
    re.IGNORECASE | re.VERBOSE,
)

_NAMED = re.compile(
    r"""(?:
        [A-Za-z](?:Error|Exception|Failure|Panic)\b\s*[:(]
      | ^\s*(?:npm\ err!|fatal|panic|error|err|failed|failure|e)\b[\w\s\[\]()<>#.-]{0,40}?:\s*\S
      | \berror(?:\[\w+\]|\s+[A-Z]{1,6}\d+)?:\s*\S
      | ^[\w./@\\+-]+\.\w{1,5}(?:[:(]\d+){1,2}(?:[,:]\d+)?\)?:?\s+\S
      | \b(?:command\ not\ found|no\ such\ file|permission\ denied|cannot\ find|not\ found)\b
      | \b(?:operation\ not\ permitted|connection\ refused|undefined\ reference|is\ not\ defined)\b
      | エラー[::]|例外[::]|見つかりません|許可がありません
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SOURCE = re.compile(r"^\s*(?:raise|throw|except|catch)\b")
"""A source line in a traceback, which names an error that the output states in full elsewhere."""

_FAILED_TEST = re.compile(
    r"^\s*(?:FAILED\s+\S|FAIL:?\s+\S|--- FAIL: |\(fail\) |✗ |✘ |✕ |not ok \d|× |not ok\b|\[FAIL\])"
)
_HINT = re.compile(
    r"\b(?:error|errors|failed|failure|cannot|can't|could not|couldn't|unable|invalid|denied|"
    r"fatal|panic|unexpected|undefined|unknown|missing|mismatch|timed? ?out|abort\w*|rejected|"
    r"conflict|not allowed|must|unused|refused)\b|エラー|失敗|例外|できません",
    re.IGNORECASE,
)

_GENERIC = re.compile(
    r"expect\(received\)|^\W*(?:error:\s*)?assert\w*(?:ion)?(?:error)?\b[\s:]*$|were emitted while|"
    r"(?:script|command|task) .{1,80}(?:exited|failed)|exited with|would have printed|exit code",
    re.IGNORECASE,
)
"""Lines that report an error without its cause. The name of the test says more."""

_STATUS_CODE = re.compile(r"\b(status(?: code)?|http|exit code|errno|signal)[ :=#]{1,3}(\d{1,3})\b")
_STEPS = (
    (re.compile(r"[‘’`´“”\"]"), "'"),
    (
        re.compile(
            r"\b\d{4}[-/]\d\d[-/]\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?"
        ),
        "",
    ),
    (re.compile(r"\b\d\d?:\d\d:\d\d(?:[.,]\d+)?\b"), ""),
    (re.compile(r"[\[(]\s*\d+(?:\.\d+)?\s*(?:ns|µs|us|ms|s|sec|seconds|m|min)\s*[\])]"), ""),
    (re.compile(r"\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|sec|seconds)\b"), "#"),
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"), "#"),
    (re.compile(r"\b0x[0-9a-f]+\b"), "#"),
    (re.compile(r"\b(?:https?|ssh|git|file)://(?:[^\s/@'\"]+@)?"), ""),
    (
        re.compile(r"(?:[a-z]:)?(?<![\w.@~+:-])[\w.@~+:-]*(?:[/\\][\w.@~+=-]+)*[/\\]([\w.@+=-]+)"),
        r"\1",
    ),
    (re.compile(r"(?:\?[\w=&%.-]+)"), ""),
    (re.compile(r"\btmp[\w]{6,12}\b"), "tmp#"),
    (re.compile(r"(?<![\w+/=])(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])[\w+=-]{12,}"), "#"),
    (re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{7,}\b"), "#"),
    (re.compile(r"(?<![a-z])\d+(?:[.,]\d+)*"), "#"),
    (re.compile(r"(?<=[a-z])\d{6,}"), "#"),
    (re.compile(r"#(?:[:,.x/-]?\s?#)+"), "#"),
    (re.compile(r"(?<=\w)[:(]#\)?:?(?=\s|$)"), ":"),
    (re.compile(r"\s+"), " "),
)
"""Replacements in order: longer and more certain patterns come first."""


def extract_error_lines(text: str) -> dict[str, str]:
    """Return at most five lines that name the failure, by their normalised form, the most specific first.

    A key has at most 200 characters in lower case. The same failure gives an equal key on another day, line,
    machine or temporary path. The result is empty for an output without such a line. `text` must be redacted
    already, because a normalised secret would no longer look like one.
    """
    ranked = _ranked(text)
    best = min((rank for rank, _, _ in ranked), default=0)
    found: dict[str, str] = {}
    for rank, clean, line in sorted(ranked, key=lambda each: each[0]):
        if len(found) == MAX_ERROR_LINES or rank > best + 1:
            break
        found.setdefault(clean, line)
    return found


def candidate_lines(body: Body) -> list[str]:
    """Return the normalised error lines of a failure's body, the most specific first.

    The recorded lines are normalised again, so that lines of older versions equal those of today.
    """
    recorded = body.errors or filter(None, (body.signature,))
    return [line for line in dict.fromkeys(map(_normalize_cached, recorded)) if line]


def _ranked(text: str) -> list[tuple[int, str, str]]:
    """Return (rank, normalised, original) for each line that reports an error, or for the last line."""
    found, last = [], None
    for raw in _ANSI.sub("", _window(text)).splitlines():
        line = raw[:_MAX_LINE_LENGTH]
        if not line.strip() or _NOISE.match(line):
            continue
        clean = normalize_error_line(line)
        if sum(c.isalpha() for c in clean) < 3:
            continue
        rank = _rank(line)
        last = (4, clean, line.strip()[:MAX_SIGNATURE_LENGTH])
        if rank is not None:
            found.append((rank, clean, last[2]))
    return found or ([last] if last else [])


def _rank(line: str) -> int | None:
    if _SOURCE.match(line):
        return 3
    if _NAMED.search(line):
        return 2 if _GENERIC.search(line) else 0
    if _FAILED_TEST.match(line):
        return 1
    return 3 if _HINT.search(line) else None


def _window(text: str) -> str:
    """Return the part of a long output that is read: its beginning, where compilers complain, and its end."""
    if len(text) <= 2 * _WINDOW_LENGTH:
        return text
    return text[:_WINDOW_LENGTH] + "\n" + text[-_WINDOW_LENGTH:]


def normalize_error_line(line: str) -> str:
    """Return a line without paths, numbers, times, ids and addresses, in lower case, at most 200 characters."""
    line = _DECORATION.sub("", line[:_MAX_LINE_LENGTH]).lower()
    line = _STATUS_CODE.sub(lambda m: f"{m[1]} {m[2].translate(_PROTECTED_DIGITS)}", line)
    for pattern, replacement in _STEPS:
        line = pattern.sub(replacement, line)
    return line.translate(_RESTORED_DIGITS).strip(" .,:;-")[:MAX_SIGNATURE_LENGTH].strip()


@lru_cache(maxsize=4096)
def _normalize_cached(line: str) -> str:
    return normalize_error_line(line)


_PROTECTED_DIGITS = {ord("0") + i: 0xE000 + i for i in range(10)}
"""Digits of an HTTP status or an errno are moved to the private use area during the replacements."""
_RESTORED_DIGITS = {0xE000 + i: ord("0") + i for i in range(10)}
