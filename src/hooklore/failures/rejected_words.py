"""Tell whether a run that passed is a failed command without what its error rejects.

An error that rejects a word (an unknown option, a script that is not there, a file that is missing) is cured by
the command without it, or with the word that was meant: one that the error proposes, that is spelt like it, or
that a help or a listing named in between. Every other change makes another command.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from hooklore.failures.command_words import CommandChange, Word, command_change, names_word
from hooklore.late_pattern import compile_late
from hooklore.records.record import Body
from hooklore.shell.command import command_stem
from hooklore.text.spelling import (
    is_copy_for_tests,
    is_spelt_alike,
    names_alike,
    names_another_place,
)

_MAX_LINES = 80
_LONGEST_LINE = 400

_REJECTING = compile_late(
    r"\b(?:unknown|unrecogni[sz]ed|invalid|unsupported|unexpected|illegal|ambiguous|no such"
    r"|bad (?:option|flag|argument)"
    r"|not (?:a |an )?(?:valid|known|supported|defined|found|recogni[sz]ed|allowed|\S{1,30} command)"
    r"|(?:do|does|did)(?: not|n't) (?:exist|match|know|contain)|not exist|takes no|did you mean|unable to find"
    r"|(?:could|can)(?: not|n't|not|'t) (?:find|open|locate|read|load|access)|failed to (?:get|find|open|load)"
    r"|missing (?:script|task|target)"
    r"|no rule|no \w+ (?:\w+ )?(?:named|called|matching)|too many arguments|extra arguments?)\b"
    r"|不明|無効|不正|未知|存在しない|存在しません|ありません|見つかりません|認識でき|認識され|もしかして|使えません|対応していません"
    r"|サポートされていません|知らない",
    re.IGNORECASE,
)
_SUPERFLUOUS = compile_late(
    r"\b(?:unexpected|unrecogni[sz]ed|too many|extra|takes no|accepts|positional)\b|余分|多すぎ",
    re.IGNORECASE,
)
"""Words of an error that calls an operand too much, where it does not only say that it is not there."""
_PROPOSING = compile_late(
    r"\b(?:did you mean|similar|perhaps|maybe|instead|possibilities|choose from|possible values|one of"
    r"|valid (?:values|options)|allowed values|suggest\w*|renamed|replaced by|use)\b"
    r"|もしかして|代わりに|のいずれか|次のコマンド",
    re.IGNORECASE,
)
_REQUIRING = compile_late(
    r"\b(?:required?|requires|must|missing|specify|provide|need(?:s|ed)?|use|add|pass|try|run|set)\b|必要|指定して|してください|必須",
    re.IGNORECASE,
)
_OVERRIDING = compile_late(
    r"\b(?:force\w*|bypass\w*|overrid\w*|overwrit\w*|administrator|privileges?|ignor\w*|skip\w*|disabl\w*|unsafe\w*"
    r"|insecure\w*|dangerous\w*|destructive|broken|are you sure|if you are sure|at your own risk|anyway)\b"
    r"|強制|無視|危険|上書き",
    re.IGNORECASE,
)
"""Words of a line that proposes how to go on without what was refused."""
_MISSING_FILE = compile_late(
    r"\b(?:no such file|not a git repository|no rule to make|not a directory|enoent|does not contain"
    r"|(?:could|can)(?: not|n't|not|'t) (?:cd|(?:find|open|locate|read)\b.{0,60}"
    r"(?:file|directory|folder|project|\.\w{2,8}))"
    r"|no (?:\S{1,40} ){0,3}(?:files?|makefile|project|manifest|in (?:this|the current) (?:directory|folder))"
    r"|(?:file|directory|folder|path|config\w*|manifest|project|makefile)\b.{0,80}"
    r"(?:not found|not exist|doesn't exist|missing))\b"
    r"|するルールがありません|(?:ファイル|ディレクトリ|フォルダ).{0,60}(?:見つかりません|ありません|存在しません)",
    re.IGNORECASE,
)
"""Words of an error of which a file or a folder is the matter."""
_SELECTING = frozenset(
    "namespace project profile context env environment region zone target package bin branch host database db"
    " workspace filter cluster stage only tag tags".split()
)
"""Options that say what a command is done to: without one of them it is done to something else."""
_LOCATING = compile_late(
    r"-C$|-f$|-c$|-{1,2}[\w-]*(?:prefix|cwd|dir|directory|file|path|config|manifest|project)$"
)
"""Options whose value says where a file or a folder is."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A command was corrected. The words `chosen` for rejected ones count where a step in between named them."""

    chosen: frozenset[str] = frozenset()


def find_correction(failed: Body, after: str) -> Correction | None:
    """Return how a later command corrects what the failure rejects of its own; None where it does not."""
    change = command_change(str(failed.command or ""), after)
    if change is None or not (change.gone or change.new):
        return None
    lines = _error_lines(failed)
    if not change.gone:
        return Correction() if _is_asked_for(change, lines, after) else None
    rejecting = [line for line in lines if _REJECTING.search(line) and _is_specific(line, change)]
    rejected = [
        word for word in change.gone if any(names_word(line, word.text) for line in rejecting)
    ]
    if not rejected or not _is_explained(change, rejected):
        return None
    if _replaces_nothing(change, rejected):
        return Correction() if _may_be_dropped(change, rejected, rejecting) else None
    return _replacement(change, lines)


def lacks_file(failed: Body) -> bool:
    """Return whether a file or a folder is what a failure missed."""
    return any(map(_MISSING_FILE.search, _error_lines(failed)))


def _error_lines(failed: Body) -> list[str]:
    """Return the lines that a failure printed, as far as they are kept."""
    lines = [*map(str, failed.errors), *str(failed.text or "").splitlines()]
    return [line[:_LONGEST_LINE] for line in dict.fromkeys(lines[:_MAX_LINES])]


def _replaces_nothing(change: CommandChange, rejected: list[Word]) -> bool:
    """Return whether rejected words have none in their place; a new option takes that of a rejected one alone."""
    options = {word.text for word in change.new if word.is_option}
    is_other = all(word.is_option or word.option in options for word in change.new)
    of_values = {word.option for word in rejected}
    is_option = any(word.is_option and word.text not in of_values for word in rejected)
    return is_other and not (change.new and is_option)


def _is_specific(line: str, change: CommandChange) -> bool:
    """Return whether a line names the words that are gone rather than the whole command."""
    verbs = (command_stem(" ".join(word.text for word in change.kept)) or "").split()
    kept = [w for w in change.kept[1:] if w.text not in verbs and names_word(line, w.text)]
    return len(kept) <= sum(names_word(line, word.text) for word in change.gone)


def _is_explained(change: CommandChange, rejected: list[Word]) -> bool:
    """Return whether each word that is gone is rejected, or is the option or the value of such a one."""
    options = {word.text for word in rejected if word.is_option}
    values = {word.option for word in rejected if word.option}
    return all(
        word in rejected or word.option in options or (word.is_option and word.text in values)
        for word in change.gone
    )


def _may_be_dropped(change: CommandChange, rejected: list[Word], lines: list[str]) -> bool:
    """Return whether a command without the rejected words does the same to the same."""
    gone = {word.text for word in change.gone if word.is_option}
    rejected_options = {word.text for word in rejected if word.is_option}
    for word in rejected:
        if word.is_option or word.option in rejected_options:
            continue
        if word.option in gone:
            if not any(_is_manner(word.option, line) for line in lines):
                return False
        elif not any(_SUPERFLUOUS.search(line) and names_word(line, word.text) for line in lines):
            return False
    return True


def _is_manner(option: str, line: str) -> bool:
    """Return whether an error speaks of what an option sets, and that is not what the command is done to."""
    name = option.lstrip("-").lower()
    return name not in _SELECTING and len(name) > 2 and name in line.lower()


def _replacement(change: CommandChange, lines: list[str]) -> Correction | None:
    """Return the correction where each word that is gone has another one in its place."""
    if len(change.gone) != len(change.new):
        return None
    chosen: set[str] = set()
    for gone, new in zip(change.gone, change.new, strict=True):
        if gone.is_option != new.is_option or names_another_place(gone.text, new.text):
            return None
        is_certain = is_longer_path(gone.text, new.text) or _is_slip(gone, new)
        if is_certain or _is_proposed(gone.text, new.text, lines):
            continue
        if not _may_be_chosen(change, gone, new):
            return None
        chosen.add(new.text)
    return Correction(frozenset(chosen))


def _is_slip(gone: Word, new: Word) -> bool:
    """Return whether a word is one that was spelt wrong, or whose end is lacking: `zeppelin` for `zeppelin-v2`."""
    if is_spelt_alike(gone.text, new.text):
        return True
    short, long = sorted((gone.text.lstrip("-"), new.text.lstrip("-")), key=len)
    if gone.is_option:
        return long.startswith(short) and len(short) != len(long)
    tail = long.removeprefix(short)
    is_lengthened = long == new.text != tail and not tail[:1].isalnum()
    return (
        is_lengthened
        and not (_is_path(short) or is_copy_for_tests(tail))
        and names_alike(short, long)
    )


def is_longer_path(path: str, other: str) -> bool:
    """Return whether two paths are one, of which only one says the folders above."""
    plain = sorted((each.replace("\\", "/").removeprefix("./") for each in (path, other)), key=len)
    return plain[1].endswith(f"/{plain[0].lstrip('/')}") and len(plain[0]) > 1


def _is_proposed(gone: str, new: str, lines: Iterable[str]) -> bool:
    """Return whether an error proposes a word in the place of another, or lists it as a like one."""
    naming = [line for line in lines if names_word(line, new)]
    if naming and names_alike(gone, new) and not _is_path(gone):
        return True
    return any(_PROPOSING.search(line) and not _OVERRIDING.search(line) for line in naming)


def _may_be_chosen(change: CommandChange, gone: Word, new: Word) -> bool:
    """Return whether a word that a listing names may be what was meant.

    Of two options, of two names for one thing, and of two values where the command still names its object.
    """
    if _is_path(gone.text):
        names = {w.text.replace("\\", "/").rstrip("/").rpartition("/")[2] for w in (gone, new)}
        return len(names) == 1
    short, long = sorted((gone.text, new.text), key=len)
    begins_like = len(short) > 2 and long.startswith(short)
    if gone.is_option or begins_like or names_alike(gone.text, new.text):
        return True
    # An operand that no subcommand looks like has a digit, a slash or a dot.
    operands = (w.text for w in change.kept[1:] if not (w.is_option or w.option))
    return bool(gone.option) and not all(text.replace("-", "").isalpha() for text in operands)


def _is_path(word: str) -> bool:
    return "/" in word or "\\" in word or _EXTENSION.search(word) is not None


_EXTENSION = compile_late(r"\.[A-Za-z]\w{0,9}$")


def _is_asked_for(change: CommandChange, lines: list[str], after: str) -> bool:
    """Return whether a failure asks for the words that were added, or they say where the missing file is."""
    whole = " ".join(after.split())
    if any(whole in " ".join(line.split()) for line in lines if len(whole) > 1):
        return not any(_OVERRIDING.search(line) for line in lines)
    begin = " ".join(after.split()[:2])
    asking = [
        line for line in lines if not _OVERRIDING.search(line)
        and (begin in line or (_REQUIRING.search(line) and _is_specific(line, change)))
    ]  # fmt: skip
    is_missing = any(map(_MISSING_FILE.search, lines))
    asked = {w.text for w in change.new if any(_asks_for(line, w) for line in asking)}
    located = {w.option for w in change.new if is_missing and _LOCATING.match(w.option)}
    explained = asked | located
    return all(word.text in explained or word.option in explained for word in change.new)


def _asks_for(line: str, word: Word) -> bool:
    """Return whether a line names a word, or the long form of a short option: `--set-upstream` for `-u`."""
    if names_word(line, word.text):
        return True
    is_short = word.is_option and len(word.text) == 2
    return is_short and re.search(rf"--(?:\w+-)?{re.escape(word.text[1])}", line) is not None


def is_listed(words: Iterable[str], outputs: Iterable[str]) -> bool:
    """Return whether each of the words stands in one of the outputs by itself."""
    printed = list(outputs)
    return all(any(names_word(text, word) for text in printed) for word in words)
