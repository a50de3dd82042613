"""Names that a failure gives: files, symbols, packages, options, variables; and the steps that touch them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from hooklore.late_pattern import compile_late
from hooklore.records.record import Body
from hooklore.shell.command import command_programs, command_stem, simple_commands
from hooklore.shell.command_effect import installed_packages, provides_something

_MAX_TEXT = 4_096
_LAST_LINES = 6
"""Lines of an output without an error line that names are taken from."""

_SHORTEST_NAME = 3
_SHORTEST_STEM = 4

_PATH = compile_late(
    r"(?:[A-Za-z]:)?[\w@.+~-]*(?:/[\w@.+~\[\]-]+)+|(?<![\w/])[\w@+-][\w@+.-]*\.[A-Za-z]\w{0,9}\b"
)
_EXTENSION = compile_late(r"\.[A-Za-z]\w{0,9}$")
_FRAME = compile_late(r"([\w@./+~-]+\.[A-Za-z]\w{0,5})(?:[:(]\d+|\"?, line \d+)")
_SYMBOL = compile_late(
    r"(?<![\w-])(?:[A-Za-z]\w*_\w+|_\w{3,}|[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)\b"
    r"|(?<![\w-])[A-Za-z]\w+(?:[.-][A-Za-z]\w+)+"
)
_OPTION = compile_late(r"(?<![\w-])--[A-Za-z][\w-]+")
_QUOTED = compile_late(
    r"`([^`\n]{2,80})`|'([^'\n]{2,80})'|\"([^\"\n]{2,80})\"|[‘“「『]([^’”」』\n]{2,80})[’”」』]"
)
_HINT = compile_late(r"`([^`\n]{4,80})`")
_CODE_FRAME = compile_late(r"^\s*>?\s*\d+\s*[|│]")
_FAILED_TEST = compile_late(
    r"^\W*(?:FAILED|FAIL:?|--- FAIL:|\(fail\)|\[FAIL\]|not ok\b|[✗✘✕×])\s*(.+)", re.MULTILINE
)
_TEST_AFFIX = compile_late(
    r"^test_|_test$|_spec$|\.(?:test|spec|e2e|stories|d)$|^test(?=[A-Z])|(?<=[a-z])Tests?$"
)
_WORD = compile_late(r"[A-Za-z]\w{2,}")
_SET_NAME = compile_late(
    r"^[+-]?\s*(?:[a-z]+\s+){0,2}[\"'$]?([A-Za-z][\w.-]*)[\"']?\s*(?::=|[=:(])", re.MULTILINE
)
_HUMP = compile_late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_EXCEPTION = compile_late(r"(?:error|exception|warning|failure|panic)$", re.IGNORECASE)
_PROSE = compile_late(r"\.(?:mdx?|rst|txt|adoc)$", re.IGNORECASE)
_FOREIGN = compile_late(
    r"(?:node_modules|site-packages|/usr/|lib/python|/pkg/mod/|\.cargo/|node:internal)"
)
_VERSION = compile_late(r"(?<=\w)@[\d^~v].*$")
_PIECES = compile_late(r"[\s'\"`=,;()|&<>{}]+")

_CONVENTIONAL = frozenset(
    "index main mod lib init __init__ app setup conftest types utils util config common base core test tests helper"
    " helpers constants package readme default".split()
)
"""Stems that a project gives to many files. They name a file together with its folder alone."""

_PLAIN = frozenset(
    "test tests should when with that this from into does must have after before error errors fail fails failed"
    " return returns expect expected received value name names file files true false none null undefined import"
    " const function class string number self async await type default export describe spec unit case cases text"
    " data list path module line lines object index result results item items code args main info"
    " message output input".split()
)
"""Words of test titles and of code that name nothing."""

_MISSING = compile_late(
    r"\b(?:not found|no such file|cannot find|could(?: not|n't) (?:find|locate|resolve|load)|can't resolve"
    r"|no module named|not installed|missing (?:module|package|dependenc\w+|script)|unresolved import"
    r"|(?:relation|table|database|module|package|command) \S+ does not exist|(?:failed to|cannot) resolve)\b"
    r"|見つかりません",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FailureNames:
    """The names of a failure: `exact` ones, its `folders`, and the `words` of its tests.

    The command's `own` words name nothing for another command. What its errors speak of (`spoken`) is touched
    by an option of the same program, by a name that a change sets, and by a file of that name. With
    `is_missing` a module, a program or a file was not found.
    """

    exact: frozenset[str]
    folders: frozenset[str]
    words: frozenset[str]
    own: frozenset[str]
    spoken: frozenset[str]
    is_missing: bool

    def touched_by_edit(self, path: str, change: str, *, is_near: bool) -> bool:
        """Return whether an edit of `path` touches what the failure names.

        A folder or a package that the failure names is enough where the edit `is_near`, in the session of
        the failure. Of the words of a failing test the file's name has all, or file and change have two.
        """
        is_named = not self.exact.isdisjoint(_names_of_path(path))
        if is_named or _PROSE.search(path):
            return is_named
        changed = _symbols(change) | {f"name:{word.lower()}" for word in _WORD.findall(change)}
        if not self.exact.isdisjoint(changed) or (is_near and self._has_place(path)):
            return True
        stem = _hump_words(_stem(_with_slashes(path).rpartition("/")[2]))
        defined = _hump_words(" ".join(_SET_NAME.findall(change)))  # `torque_limit = 47`
        if not self.spoken.isdisjoint(defined) or (stem and stem <= self.spoken):
            return True
        if stem and stem <= self.words and max(map(len, stem)) > _SHORTEST_STEM:
            return True
        return bool(stem & self.words) and len((stem | _hump_words(change)) & self.words) > 1

    def _has_place(self, path: str) -> bool:
        """Return whether a file lies in a folder or a package that the failure names."""
        whole = f"/{_with_slashes(path).strip('/').lower()}"
        is_inside = any(f"/{folder}/" in whole for folder in self.folders)
        # A package with a scope lies in a folder of its name: `@team/core` in `core`.
        packages = {f"package:{part}" for part in whole.split("/")[:-1] if part}
        return is_inside or not self.exact.isdisjoint(packages)

    def touched_by_command(self, command: str, output: str) -> bool:
        """Return whether a command names what the failure names, or provides what the failure misses."""
        words = {name for piece in _PIECES.split(command) for name in _names_of_word(piece)}
        if provides_something(command):
            words |= {name for piece in _PIECES.split(output) for name in _names_of_word(piece)}
        named = {name for name in words & self.exact if name.partition(":")[2] not in self.own}
        if not self.own.isdisjoint(command_programs(command)):
            options = {option.lower().lstrip("-") for option in _OPTION.findall(command)}
            named |= options & self.spoken
        return bool(named) or (self.is_missing and self._provides_missing(command))

    def _provides_missing(self, command: str) -> bool:
        """Return whether a command installs what is declared, or a package that the failure names."""
        packages = [_plain(word) for word in installed_packages(command)]
        if not packages:
            return provides_something(command)
        names = {_plain(name.partition(":")[2]) for name in self.exact} | self.own | self.spoken
        known = [name for name in names if len(name) >= _SHORTEST_NAME]
        return any(name in package or package in name for package in packages for name in known)


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


def failure_names(body: Body) -> FailureNames:
    """Return the names in the errors, the frames and the command of a failure."""
    return _failure_names(
        body.command or "", "\n".join(body.errors), str(body.text or "")[:_MAX_TEXT]
    )


@lru_cache(maxsize=32)
def _failure_names(command: str, errors: str, text: str) -> FailureNames:
    errors, text = _with_slashes(errors), _with_slashes(text)
    errors = errors or "\n".join(text.splitlines()[-_LAST_LINES:])
    printed = f"{errors}\n{text}"
    own = _own_words(command)
    missing = "\n".join(line for line in text.splitlines() if _MISSING.search(line))
    found = {*_names_in_lines(f"{errors}\n{missing}"), *_names_in_hints(text)}
    words = [word for _, step in simple_commands(command) for word in step[1:]]
    found |= {name for w in words if _EXTENSION.search(w) for name in _names_of_path(w)}
    return FailureNames(
        frozenset(found),
        _folders(words, "\n".join((errors, *_FAILED_TEST.findall(printed)))),
        _hump_words(" ".join(_FAILED_TEST.findall(printed))) - own,
        own,
        _hump_words(errors) - own,
        _MISSING.search(printed) is not None,
    )


def _names_in_hints(text: str) -> set[str]:
    """Return the files of stack frames, and the words of commands that an output proposes."""
    found: set[str] = set()
    for frame in _FRAME.findall(text):
        found |= _names_of_path(frame)
    for hint in _HINT.findall(text):
        found |= {name for word in hint.split() for name in _names_of_word(word)}
    return found


def _folders(words: list[str], errors: str) -> frozenset[str]:
    """Return the folders that a command's words or an error line name, each by at most its last three parts."""
    named = [*words, *_PATH.findall(errors)]
    found = (_folder(word) for word in named if not _FOREIGN.search(word) and "=" not in word)
    return frozenset(folder for folder in found if folder)


def _folder(path: str) -> str:
    parts = [
        part for part in _with_slashes(path).split("/") if part not in ("", ".", "..", "...", "~")
    ]
    if len(parts) < 2 or _EXTENSION.search(parts[-1]) or parts[0][:1] in "-@$":
        return ""
    return "/".join(parts[-3:]).lower()


def _names_in_lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if _CODE_FRAME.match(line) or _FOREIGN.search(line):
            continue
        for path in _PATH.findall(line):
            yield from _names_of_path(path)
            yield from _names_of_word(path) if path[:1] == "@" else ()
        yield from _symbols(line)
        yield from (f"name:{option.lower()}" for option in _OPTION.findall(line))
        for groups in _QUOTED.findall(line):
            quoted = next(filter(None, groups))
            if " " not in quoted.strip():
                yield from _names_of_word(quoted)


def _own_words(command: str) -> frozenset[str]:
    """Return the words of a command that say nothing of its failure: its programs and its subcommands."""
    words = {*command_programs(command), *(command_stem(command) or "").split()}
    for program, rest in simple_commands(command):
        verbs = (word for word in rest[1:3] if word.isalpha())
        words |= {program, *verbs}
    lower = {word.lower() for word in words}
    return frozenset(lower | {_stem(word) for word in lower})


def _names_of_word(word: str) -> set[str]:
    plain = _VERSION.sub("", _with_slashes(word).strip(".,:;!?[]"))
    if len(plain) < _SHORTEST_NAME or plain.isdigit() or plain.lower() in _PLAIN:
        return set()
    found = {f"name:{plain.lower()}"}
    if plain[:1] == "@" and plain.count("/") == 1:
        return found | {f"package:{plain.lower().partition('/')[2]}"}
    if "/" in plain or _EXTENSION.search(plain):
        found |= _names_of_path(plain)
    return found


def _symbols(text: str) -> set[str]:
    names = (name.lower() for name in _SYMBOL.findall(text))
    return {f"name:{name}" for name in names if not _EXCEPTION.search(name)}


def _names_of_path(path: str) -> set[str]:
    """Return the file that a path names, and its stem."""
    path = _with_slashes(path).strip("'\"`,;:()")
    parts = [part for part in path.split("/") if part not in ("", ".", "..", "~")]
    if not parts or _FOREIGN.search(path) or not _EXTENSION.search(parts[-1]):
        return set()
    # A conventional name says which file it is with its folder alone.
    is_plain = _stem(parts[-1].lower()) in _CONVENTIONAL
    found = {f"file:{'/'.join(parts[-2:] if is_plain else parts[-1:]).lower()}"}
    stem = _stem(parts[-1]).lower()
    if stem in _CONVENTIONAL or len(stem) < _SHORTEST_STEM:
        return found | ({f"stem:{parts[-2].lower()}/{stem}"} if len(parts) > 1 else set())
    return found | {f"stem:{stem}"}


def _stem(name: str) -> str:
    stem = name[: name.rfind(".")] if "." in name[1:] else name
    while (shorter := _TEST_AFFIX.sub("", stem)) != stem and shorter:
        stem = shorter
    return stem


def _hump_words(text: str) -> frozenset[str]:
    words = (word.lower() for word in _HUMP.findall(text) if len(word) >= _SHORTEST_STEM)
    return frozenset(word for word in words if word not in _PLAIN)


def _with_slashes(text: str) -> str:
    """Return a text in which the paths of every system are divided by a slash."""
    return text.replace("\\\\", "/").replace("\\", "/")
