"""Tell failures and what made them pass in words."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from hooklore.failures.changed_line import changed_line
from hooklore.failures.equivalent_run import describe_repair, folder_of
from hooklore.failures.failure_names import failure_names
from hooklore.prompt.error_line import quotable_error_line, quotable_test_name
from hooklore.prompt.injection import is_prompt_injection
from hooklore.records.record import Body
from hooklore.text.token_estimate import estimate_tokens, truncate_text

MAX_FIX_TOKENS = 58
"""Tokens of the sentence that tells a fix: with its origin a note has at most 80."""

_CAUSE_OF_LESSON = 160
_LONGEST_REPAIR = 64
_LONGEST_TEST = 60


@dataclass(frozen=True, slots=True)
class _Size:
    """Characters of the parts of a sentence."""

    command: int
    error: int
    change: int
    repair: int
    path: int


_SIZES = (
    _Size(64, 110, 60, 90, 56), _Size(48, 80, 60, 80, 56), _Size(40, 60, 50, 64, 40),
    _Size(36, 40, 44, 56, 32), _Size(30, 0, 40, 48, 32), _Size(24, 0, 0, 40, 32),
)  # fmt: skip
"""Attempts to keep the sentence short."""

_PATH = re.compile(r"(?<![\w.:/-])(?:[A-Za-z]:|~)?(?:[\\/][\w.@+~\[\]-]+){2,}")
_DEEP_PATH = re.compile(r"(?<![\w@/.-])(?:[\w@.+~-]+/){2,}([\w@.+~-]+/[\w.+~-]+)")
_ENTERED = re.compile(r"^\s*cd\s+(\"[^\"]*\"|'[^']*'|\S+)\s*(?:&&|;)\s*")
_FILTERED = re.compile(r"\s*(?:2>&1\s*)?(?:\|\s*(?:tail|head)\b[^|;&]*)?$")
_TEST = re.compile(
    r"(?:FAILED|FAIL:?)\s+(?:[\w./\\-]{1,80}::([\w\[\]:.-]{3,100})|([Tt]est[\w/.-]{2,100}))"
    r"|(?:^|[\s:.])(test_\w{2,60})\b"
)
_FAILED_TEST = re.compile(r"^\W*(?:FAILED|FAIL\b|\(fail\)|not ok\b|[✗✘✕×])")


@dataclass(frozen=True, slots=True)
class FixSentence:
    """The sentence that tells a fix. `tells_error` says that it names the error, or the test that failed."""

    text: str
    tells_error: bool


def fix_sentence(failure: Body, steps: list[Body], in_vain: list[Body]) -> FixSentence:
    """Return one short sentence: the error, what made it pass, what had not helped."""
    return _fitting(
        failure, lambda size: " and ".join(_step(step, failure, size) for step in steps), in_vain
    )


def repair_sentence(failure: Body, passed: Body, in_vain: list[Body]) -> FixSentence:
    """Return one short sentence: the error, the command that passed instead, what had not helped."""
    told = describe_repair(failure, passed)
    plain = _plain_command(passed, folder_of(failure))
    done = f"the same {told}" if told and len(plain) > _LONGEST_REPAIR else ""
    if plain == _plain_command(failure, folder_of(failure)):
        done = f"the same {_other_folder(failure, passed)}"
    return _fitting(
        failure, lambda size: done or command_text(passed, size.repair, folder_of(failure)), in_vain,
        verb="passed instead was",
    )  # fmt: skip


def _fitting(
    failure: Body,
    done: Callable[["_Size"], str],
    in_vain: list[Body],
    verb: str = "made it pass was",
) -> FixSentence:
    """Return the sentence with the longest parts that fit."""
    sentence = FixSentence("", tells_error=False)
    for size in _SIZES:
        vain = " and ".join(_step(step, failure, replace(size, change=0)) for step in in_vain)
        tried = f"; {vain} had not helped" if vain and size.change else ""
        failed = _failed(failure, size)
        sentence = replace(failed, text=f"{failed.text}: what {verb} {done(size)}{tried}.")
        if estimate_tokens(sentence.text) <= MAX_FIX_TOKENS:
            break
    return sentence


def ended_sentence(failure: Body) -> FixSentence:
    """Return one sentence for a failure that passed later, without a step that explains it."""
    failed = _failed(failure, _SIZES[0])
    return replace(failed, text=f"{failed.text}: it passed on a later run.")


def _failed(failure: Body, size: "_Size") -> FixSentence:
    """Return in words what failed, in which test, and with which error a model may be shown."""
    folder = folder_of(failure)
    line = _DEEP_PATH.sub(r"\1", relative_text(quotable_error_line(failure), folder))
    tests = _TEST.findall("\n".join(failure.errors))
    named = (name for names in tests for name in names)
    test = next(filter(None, named), quotable_test_name(failure)) if size.error else ""
    said = line.partition(" - ")[2] if _FAILED_TEST.match(line) and test else line
    said = truncate_text(said, size.error).replace(". ", "; ").strip(" .:;") if size.error else ""
    what = command_text(failure, size.command, folder) if failure.command else failure_text(failure)
    name = truncate_text(test, _LONGEST_TEST)
    name = f"'{name}'" if " " in name else name
    where = f" in {name}" if test and test not in said else ""
    text = f"{what} failed{where}" + (f" with {said}" if said else "")
    return FixSentence(text, tells_error=bool(where or said))


def named_test(lines: Iterable[str]) -> str:
    """Return the name of the first failed test that the error lines name as code does, "" for none."""
    found = _TEST.search("\n".join(lines))
    return next(filter(None, found.groups()), "") if found else ""


def _step(step: Body, failure: Body, size: "_Size") -> str:
    """Return one step of a fix in words. A step without a command is an edit, whatever its client calls it."""
    if step.command:
        return command_text(step, size.repair, folder_of(failure))
    path = relative_text(", ".join(step.artifacts) or "a file", folder_of(failure))
    words = failure_names(failure).spoken
    line = changed_line(str(step.change or step.text or ""), words) if size.change else ""
    said = f" (`{truncate_text(line.replace('`', chr(39)), size.change)}`)" if line else ""
    return f"the edit of {short_path(path, size.path)}{said}"


def short_path(path: str, length: int) -> str:
    """Return a path, or its last two parts where it has more than `length` characters."""
    whole = path.replace("\\", "/")
    return whole if len(whole) <= length else "…/" + "/".join(whole.split("/")[-2:])


def command_text(body: Body, length: int, folder: str = "") -> str:
    """Return a command in back quotes on one line, without the folder it is run in and the cut of its output."""
    return f"`{truncate_text(_plain_command(body, folder), length)}`"


def _plain_command(body: Body, folder: str) -> str:
    plain = _FILTERED.sub("", _ENTERED.sub("", str(body.command))) or str(body.command)
    return relative_text(" ".join(plain.split()), folder).replace("`", "'")


def relative_text(text: str, folder: str) -> str:
    """Return a text in which paths below `folder` are relative, and others are cut to their last two parts."""
    base = folder.rstrip("/\\")
    if base:
        text = text.replace(f"{base}/", "").replace(f"{base}\\", "")
    return _PATH.sub(lambda found: _last_parts(found[0]), text)


def _last_parts(path: str) -> str:
    parts = path.replace("\\", "/").rstrip("/").split("/")
    return path if len(parts) < 4 else "…/" + "/".join(parts[-2:])


def _other_folder(failure: Body, passed: Body) -> str:
    """Return in words the folder that a command enters first, or the `cd` that it does without."""
    folder, left = _entered(passed), _entered(failure)
    if not folder and left:
        return f"without `cd {left}`"
    return f"in `{folder}`" if folder else "in the folder it starts in"


def _entered(body: Body) -> str:
    found = _ENTERED.match(str(body.command))
    return relative_text(found[1].strip("'\""), folder_of(body)) if found else ""


def format_lesson(failure: Body, steps: list[Body]) -> str:
    """Return the cause of a failure and the steps that made it pass, on one line."""
    done = " ".join("; then ".join(step_text(step) for step in steps).split())
    cause = _cause(failure)
    if is_prompt_injection(cause):  # or the whole record would be kept from every model
        cause = quotable_error_line(failure) or failure_text(failure)
    return f"{truncate_text(cause, _CAUSE_OF_LESSON)} → {done}"


def _cause(body: Body) -> str:
    """Return the first line of a failure that says something. It is kept, and no model is shown it."""
    lines = [str(line) for line in body.errors] or str(body.text or "").splitlines()
    return truncate_text(next((line.strip() for line in lines if line.strip()), "unknown"), 240)


def failure_text(body: Body) -> str:
    """Return in words what failed, and the line that says why, where a model may be shown that line."""
    what = body.command or ", ".join(body.paths) or body.tool or "a step"
    line = quotable_error_line(body)
    return f"`{truncate_text(str(what), 160)}` failed" + (f": {line}" if line else "")


def failing_text(body: Body) -> str:
    """Return in words what fails until it is mended, and the line that says why."""
    what = body.command or ", ".join(body.artifacts) or body.tool or "?"
    line = quotable_error_line(body)
    return f"`{truncate_text(str(what), 120)}` fails" + (f": {line}" if line else "")


def step_text(body: Body) -> str:
    """Return one step in words: the command, or the file and its change."""
    if body.command:
        return f"ran `{truncate_text(str(body.command), 160)}`"
    path = ", ".join(body.artifacts) or "a file"
    change = body.change or body.text
    return f"edit of {path}" + (f" ({truncate_text(str(change), 240)})" if change else "")
