"""Error signatures: the lines of an output that are the same when a command fails that way on another day."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from hooklore.failures.stack_frames import project_frame
from hooklore.late_pattern import compile_late
from hooklore.records.record import Body
from hooklore.shell.output_lines import MAX_LINE_LENGTH, output_lines

MAX_ERROR_LINES = 8
MAX_SIGNATURE_LENGTH = 200
_MIN_LETTERS = 3
_MAX_PLAIN_LINES = 6
"""Lines of an output that are taken though none of them reports an error. A longer one may say anything."""

_DECORATION = compile_late(
    r"^(?:[\s>|│┃╎•·●○■□◆◇▪▸►→❯⎯─━=~*#^-]+|E {2,}|\[[\w:.@/ -]{1,60}\] (?=\$|[^\[])"
    r"|@?[A-Za-z][\w./-]{0,60}:[A-Za-z][\w.-]{0,40}: (?=\S))+"
)
_TRAILING_BOX = compile_late(r"[\s│┃╎╮╯⎯─━═]+$")

_NOISE = compile_late(
    r"""^\s*(?:
        exit\ code\ \d+ | exit\ status\ \d+ | \$\ | \^+$ | at\ [^:]{0,80}[(:] | in\ <module>
      | fail(?:ed|ures?)?:?$ | errors?:?$ | traceback\ \(most
      | short\ test\ summary | failures | errors | =+\ (?:failures|errors|short)
      | command\ failed\ with\ exit | process\ completed\ with | (?:error:\ )?(?:script|command)\ "
      | npm\ (?:err!|error)\ (?:code|errno|path|a\ complete|lifecycle|command|syscall|note|usage|options|\[)
      | npm\ (?:err!|error)(?:\ \d+)?\s*$ | elifecycle
      | .{0,40}\berror\ task\ failed | make(?:\[\d+\])?:\ \*\*\*\ \[ | error:\ process\ completed
      | (?:.{0,80}:\ )?(?:error:?\s+)?(?:run\ failed:\ )?command\s.{0,200}\bexited\b
      | .{0,80}\bcommand\ finished\ with\ error | failed:\s+\S+\#\S+\s*$ | exited\ with\ code
      | fail\s+\S+\s+\[(?:build|setup)\ failed\]
      | failed\ \((?:failures|errors)= | failure:\ build\ failed | [✖✗×]\s+\d+\ problems?
      | error:\ (?:failed\ to\ solve:\ )?process\ " | \[error\]\s+(?:compilation\ error|->|\[help)
      | \d+\s+(?:pass|fail|error|skip|problem|issue|test|warning)\w*\b
      | found\ \d+\ (?:error|problem) | >?\s*\d+\s+(?:\d+\s+)?[|│]
      | (?:tests?|test\ suites?|test\ files|snapshots?)[:\ ]+\d | ran\ \d+\ | test\ result:
      | (?:error:\ )?test\ failed,\ to\ rerun | .{0,60}\b(?:no|0)\ (?:errors?|failures?|failed)\b
      | fail\s+[\w./-]+\s+(?:\(cached\)|[\d.]+m?s)\s*$ | (?:i|✔|✓|ok|\(pass\)|.{0,40}:\ \(pass\))\s
      | \S{1,250}\.go:\d+\ \+0x | \S{1,250}\.py:\d+:\ in\ \S | hint:\ (?:disable|use|see)\b
      | \S{1,120}:\ too\ many\ errors
    )""",
    re.IGNORECASE | re.VERBOSE,
)

_NAMED = compile_late(
    r"""(?:
        [A-Za-z](?:Error|Exception|Failure|Panic)\b(?:\s\[\w+\])?\s*[:(]
      | ^E\ {2,}assert\b | ^\s*expect\(received\) | ^\s*failed\ asserting
      | ^\s*npm\ (?:err!|error)\s+[a-z`]
      | ^\s*(?:npm\ err!|fatal|panic|error|err|failed|failure|e|bug)\b[\w\s\[\]()<>#.-]{0,40}?:\s*\S
      | ^\W*\[(?:error|err|fatal)\]\s*\S | ^\s*caused\ by:\s*\S | ^(?:[a-z_]\w*\.)+[A-Z]\w+:\s
      | \berror(?:\[\w+\]|\s+[A-Z]{1,6}\d+)?:\s*\S
      | ^\s*[\w./@\\+-]+\.\w{1,5}(?:[:(]\d+){1,2}(?:[,:]\d+)?\)?:?\s+(?!:)\S
      | ^[A-Za-z]:[\w./@\\+-]+\.\w{1,5}(?:[:(]\d+){1,2}(?:[,:]\d+)?\)?:?\s+\S
      | ^\s*[\w./-]+\.rb:\d+:in\ | \bpanicked\ at\b
      | \b(?:command\ not\ found|no\ such\ file|permission\ denied|cannot\ find|not\ found)\b
      | \b(?:operation\ not\ permitted|connection\ refused|undefined\ reference|is\ not\ defined)\b
      | \bis\ not\ recognized\ as\b
      | (?:エラー|例外|致命的)[::]|見つかりません|許可がありません|拒否されました
      | ディレクトリはありません|認識されていません
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_ADVICE = compile_late(r"^\s*(?:warning|hint|note|help|info|usage|debug)\b", re.IGNORECASE)
"""Beginnings of lines that say something beside the error."""

_SOURCE = compile_late(
    r"^\s*(?:raise|throw|except|catch)\b|^\s*[\w./\\-]+:\d+: \w*(?:Error|Exception)\s*$"
)
"""A line of a traceback that names an error which the output states in full elsewhere."""

_FAILED_TEST = compile_late(
    r"^\s*(?:FAILED\s+\S|FAIL:?\s+\S|ERROR\s+\S+::|--- FAIL: |\(fail\) |✗ |✘ |✕ |not ok \d|× |not ok\b|\[FAIL\]"
    r"|● .{1,200} › |---- \S.{0,200} stdout ----|test \S{1,200} \.\.\. FAILED|rspec \./|\d+\) [\w\\]+::\w)"
    r"|^\S.{0,200} FAILED$"
)
_NAMED_TEST = compile_late(r"^(?:FAILED|ERROR) \S+::|^(?:ERROR|FAIL): \w+ \(")
"""Failed tests whose line reads like an error."""

_GO_TEST = "--- FAIL: "
_GO_LOG = compile_late(r"^\s*\w+\.go:\d+:\s")
_COMPARES = compile_late(
    r"\b(?:want\w*|expect\w*|should|unexpected|fail\w*|errors?|mismatch|missing|must|not|nil)\b",
    re.IGNORECASE,
)
_WEAK = compile_late(r"^(?!.*\b(?:error|fatal|exception)\b).*\bnot found\b", re.IGNORECASE)
"""Words that many a log has, beside the error of the command."""
_HINT = compile_late(
    r"\b(?:error|errors|fails?|failed|failure|cannot|can't|could not|couldn't|unable|invalid|denied|"
    r"fatal|panic|unexpected|undefined|unknown(?! address\])|missing|mismatch|timed? ?out|abort\w*|rejected|"
    r"illegal|unrecognized|unsupported|conflict|not allowed|must|unused|refused|not supported|"
    r"did not|didn't|does not|doesn't|already exists|"
    r"no matches|no [\w .-]{1,60} found|ambiguous|is ignored|are ignored|not in the)\b"
    r"|エラー|失敗|例外|できません|ありません|存在しません",
    re.IGNORECASE,
)
_SUSPECTED = (
    "error", "exception", "fail", "fatal", "panic", "denied", "refused", "not found", "cannot find",
    "no such", "bug:", "エラー", "例外", "失敗", "致命的", "見つかりません", "ありません",
)  # fmt: skip
"""Words of which a line that reports an error has one, in lower case. Most outputs that pass have none."""

_MAX_SUSPECTS = 64

_MESSAGE = compile_late(r"^\s*[\w()./-]{1,40}: \S")
"""The form in which programs speak: the name, then the message."""

_GENERIC = compile_late(
    r"expect\(received\)|^\W*(?:error:\s*)?assert\w*(?:ion)?(?:error)?\b[\s:]*$|were emitted while|"
    r"(?:script|command|task) .{1,80}(?:exited|failed)|exited with|would have printed|exit code|"
    r"^\s*error:\s+(?:not equal|should \w+ \w+):?\s*$",
    re.IGNORECASE,
)
"""Lines that report an error without its cause. The name of the test says more."""

_ANNOUNCED = compile_late(r"\bpanicked at \S+:\s*$")
"""The end of a line whose error stands on the next one."""

_ERROR, _TEST, _VAGUE, _HINTED, _MESSAGED, _PLAIN = range(6)


class _Line(NamedTuple):
    """One line of an output: its number, its rank (the lower, the more telling), and its text."""

    place: int
    rank: int
    text: str


_STATUS_CODE = compile_late(
    r"\b(status(?: code)?|http|exit code|errno|signal)[ :=#]{1,3}(\d{1,3})\b"
)
_STEPS = tuple(
    (compile_late(source), replacement)
    for source, replacement in (
        (r"[‘’`´“”\"]", "'"),
        (
            r"\b\d{4}[-/]\d\d[-/]\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?",
            "",
        ),
        (r"\b\d\d?:\d\d:\d\d(?:[.,]\d+)?\b", ""),
        (r"[\[(]\s*\d+(?:\.\d+)?\s*(?:ns|µs|us|ms|s|sec|seconds|m|min)\s*[\])]", ""),
        (r"\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|sec|seconds)\b", "#"),
        (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "#"),
        (r"\b0x[0-9a-f]+\b", "#"),
        (r"\b(?:https?|ssh|git|file)://(?:[^\s/@'\"]+@)?", ""),
        (
            r"(?:[a-z]:)?(?<![\w.@~+:-])[\w.@~+:-]*(?:[/\\][\w.@~+=-]+)*[/\\]([\w.@+=-]+)",
            r"\1",
        ),
        (r"(?:\?[\w=&%.-]+)", ""),
        (r"\btmp[\w]{6,12}\b", "tmp#"),
        (r"(?<![\w+/=])(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])[\w+=-]{12,}", "#"),
        (r"\b(?=[a-f]*\d)[0-9a-f]{7,}\b", "#"),
        (r"(?<![a-z])\d+(?:[.,]\d+)*", "#"),
        (r"(?<=[a-z])\d{6,}", "#"),
        (r"#(?:[:,.x/-]?\s?#)+", "#"),
        (r"(?<=\w)[:(]#\)?:?(?=\s|$)", ":"),
        (r"\s+", " "),
    )
)
"""Replacements in order: longer and more certain patterns come first."""


def extract_error_lines(text: str) -> dict[str, str]:
    """Return at most eight lines that name the failure, by their normalised form, the most telling first.

    A key has at most 200 characters in lower case. The same failure gives an equal key on another day, line,
    machine or temporary path. A failed test comes with its error, and the first exception with its frame in
    the project. A short output without such lines gives its own lines. `text` must be redacted already,
    because a normalised secret would no longer look like one.
    """
    lines = output_lines(text)
    found = list(_ranked(lines))
    telling = [line for line in found if line.rank <= _VAGUE]
    chosen = _paired(telling) if telling else _of_short_output(found)
    frame = project_frame(lines) if telling else None
    texts = [line.text for line in chosen]
    if frame is not None:
        texts.insert(MAX_ERROR_LINES - 1, frame)
    return _normalized(texts)


def extract_passing_errors(text: str) -> list[str]:
    """Return at most eight lines of a command that passed in which a failure would be looked for.

    Tests log errors that they expect. The same lines say nothing of a run that fails.
    """
    if not _is_suspect(text):
        return []
    suspects = islice(filter(_is_suspect, text.splitlines()), _MAX_SUSPECTS)
    lines = output_lines("\n".join(suspects))
    telling = (line.text for line in _ranked(lines) if line.rank <= _VAGUE)
    return list(_normalized(telling).values())


def _is_suspect(text: str) -> bool:
    """Return whether a text has a word of errors, beside counts of a run in which nothing was wrong."""
    lowered = f" {text.lower()}"
    for word in _SUSPECTED:  # a generator would take twice as long
        if word in lowered:
            harmless = lowered.count(f" 0 {word}") + lowered.count(f" no {word}")
            if lowered.count(word) > harmless:
                return True
    return False


def _normalized(texts: Iterable[str]) -> dict[str, str]:
    """Return the first eight distinct lines by their normalised forms."""
    found: dict[str, str] = {}
    for text in texts:
        clean = normalize_error_line(text)
        if _has_words(clean):
            found.setdefault(clean, text.strip()[:MAX_SIGNATURE_LENGTH])
        if len(found) == MAX_ERROR_LINES:
            break
    return found


def _has_words(line: str) -> bool:
    return sum(c.isalpha() for c in line) >= _MIN_LETTERS


def _ranked(lines: list[str]) -> Iterator[_Line]:
    """Yield the lines that say something, with their ranks, in their order."""
    before = ""
    for place, text in enumerate(lines):
        if not _NOISE.match(text) and _has_words(text):
            is_message = _ANNOUNCED.search(before) is not None
            yield _Line(place, _ERROR if is_message else _rank(text), text)
        before = text


def _rank(text: str) -> int:
    if _SOURCE.match(text) or _ANNOUNCED.search(text):
        return _HINTED
    if _NAMED_TEST.match(text):
        return _TEST
    if _NAMED.search(text) and not _ADVICE.match(text):
        return _VAGUE if _GENERIC.search(text) else _ERROR
    if _FAILED_TEST.match(text):
        return _TEST
    if _HINT.search(text):
        return _HINTED
    return _MESSAGED if _MESSAGE.match(text) else _PLAIN


def _of_short_output(found: list[_Line]) -> list[_Line]:
    """Return the lines that hint at an error, else those of an output that says nothing but a few words."""
    hinted = [line for line in found if line.rank == _HINTED]
    if hinted or len({line.text for line in found}) > _MAX_PLAIN_LINES:
        return hinted
    return sorted(found, key=lambda line: (line.rank, -line.place))


def _paired(lines: list[_Line]) -> list[_Line]:
    """Return the lines with each failed test beside its error, those tests first whose error is known.

    A vague error comes behind its test, any other before it. Errors of no test follow.
    """
    pairs = _pairs(lines)
    told = [line for test, error in pairs if error for line in _in_order(test, error)]
    bare = [test for test, error in pairs if error is None]
    rest = [line for line in lines if line.rank == _ERROR]
    if pairs:
        return [*told, *bare, *(line for line in rest if not _GO_LOG.match(line.text))]
    return sorted(rest, key=lambda line: _WEAK.search(line.text) is not None) or lines


def _in_order(test: _Line, error: _Line) -> tuple[_Line, _Line]:
    return (test, error) if error.rank == _VAGUE else (error, test)


def _pairs(lines: list[_Line]) -> list[tuple[_Line, _Line | None]]:
    """Return each failed test with its error, or None.

    A runner prints errors above their tests, or below: the last line tells which.
    """
    if not lines or lines[-1].rank == _TEST:
        return [pair for tests, errors in _groups(lines) for pair in _share_out(tests, errors)]
    pairs = [
        pair
        for tests, errors in _groups(lines[::-1])
        for pair in ((tests[0], _nearest(tests[0], errors)), *((test, None) for test in tests[1:]))
    ]
    return pairs[::-1]


def _groups(lines: list[_Line]) -> Iterator[tuple[list[_Line], list[_Line]]]:
    """Yield (tests, errors) for each run of tests, with the errors between it and the run before."""
    tests: list[_Line] = []
    errors: list[_Line] = []
    for line in lines:
        if line.rank == _TEST:
            tests.append(line)
            continue
        if tests:
            yield tests, errors
            tests, errors = [], []
        errors.append(line)
    if tests:
        yield tests, errors


def _share_out(tests: list[_Line], errors: list[_Line]) -> Iterator[tuple[_Line, _Line | None]]:
    """Yield the tests of a summary, each with its part of the errors above: of one test the nearest."""
    if len(tests) == 1:
        yield tests[0], _nearest(tests[0], errors)
        return
    for number, test in enumerate(tests):
        yield test, errors[number * len(errors) // len(tests)] if errors else None


def _nearest(test: _Line, errors: list[_Line]) -> _Line | None:
    """Return the last of `errors`, which stands beside its test.

    Go prints the log of a test in the form of its errors: what compares values is the error.
    """
    if _GO_TEST in test.text:
        logged = [line for line in errors if _GO_LOG.match(line.text)]
        logged.sort(key=lambda line: line.place)
        compared = [line for line in logged if _COMPARES.search(line.text)]
        return next(iter((compared or logged or errors)[-1:]), None)
    return next(iter(errors[-1:]), None)


def candidate_lines(body: Body) -> list[str]:
    """Return the normalised error lines of a failure's body, the most specific first.

    The recorded lines are normalised again, so that lines of older versions equal those of today.
    """
    return list(candidate_texts(body))


def candidate_texts(body: Body) -> dict[str, str]:
    """Return the recorded error lines of a failure's body by their normalised forms."""
    found: dict[str, str] = {}
    for text in body.errors or filter(None, (body.signature,)):
        found.setdefault(normalize_known_line(text), text)
    found.pop("", None)
    return found


def reports_error(text: str) -> bool:
    """Return whether a line reports an error by its form or its words."""
    return _rank(text) <= _HINTED


def normalize_error_line(line: str) -> str:
    """Return a line without paths, numbers, times, ids and addresses, in lower case, at most 200 characters."""
    line = _TRAILING_BOX.sub("", _DECORATION.sub("", line[:MAX_LINE_LENGTH])).lower()
    line = _STATUS_CODE.sub(lambda m: f"{m[1]} {m[2].translate(_PROTECTED_DIGITS)}", line)
    for pattern, replacement in _STEPS:
        line = pattern.sub(replacement, line)
    return line.translate(_RESTORED_DIGITS).strip(" .,:;-")[:MAX_SIGNATURE_LENGTH].strip()


@lru_cache(maxsize=4096)
def normalize_known_line(line: str) -> str:
    """Return a line as `normalize_error_line` does, for lines that are compared again and again."""
    return normalize_error_line(line)


_PROTECTED_DIGITS = {ord("0") + i: 0xE000 + i for i in range(10)}
"""Digits of an HTTP status or an errno are moved to the private use area during the replacements."""
_RESTORED_DIGITS = {0xE000 + i: ord("0") + i for i in range(10)}
