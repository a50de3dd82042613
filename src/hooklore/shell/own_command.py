"""Calls of hooklore's own commands in a shell command: which of them need a person, and which need nobody.

A call is found where the shell would run it: as a simple command, behind prefixes, and inside the string
of `sh -c`, `eval`, `script -c` and substitutions. Text that only mentions a command (`grep`, a commit's
message) is no call. A command that makes itself a terminal could pass for the person, so that every spelling
counts there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from hooklore.shell.command import simple_commands

CONFIRMED_OPTION = "--confirmed"
"""The option that carries the token of a confirmation. It is taken off before anything is recorded."""

_NAME = "hooklore"
_PROGRAMS = (_NAME, "hooks")
_ALWAYS = frozenset(
    "approve reject resolve pin unpin promote delete forget scrub cleanup consolidate archive restore token".split()
)
"""Verbs that change what others are told, end something, or let somebody in."""

_HARMLESS = {"scrub": ("--dry-run",)}
"""Options with which a verb changes nothing."""

_ONLY_WITH = {
    "cleanup": ("--yes",),
    "uninstall": ("--purge",),
    "remember": ("--basis=user",),
    "project": ("trust",),
    "pending": ("--let-stand", "--take-back"),
}
"""Words without which a verb needs nobody."""

_OF_MANY = {
    "forget": ("--agent", "--session", "--project"),
    "restore": ("--agent",),
    "pending": ("--let-stand", "--take-back"),
}
"""Options with which a verb decides about however many memories there are."""

_APPROVED_OPTION = "--approve"
"""With a token that the person got at a terminal, a command asks nobody."""

_NESTING = 4
_LONGEST = 4096
_LONGEST_PLAIN = 65_536
_LITERAL = re.compile(
    r"(?:[A-Za-z0-9_./:@%+=,-]++|'[^'\n]*'|\"[^\"$`\\!\n]*\")++(?:[ \t]+|$)", re.ASCII
)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_EXPANDED = re.compile(r"(?:^|[ \t])=")
"""A word that zsh replaces by a program's path."""

_READING = frozenset(("get", "recall"))
_WRITING = "remember"
_VALUED_OPTIONS = frozenset(
    "--title --when --kind --key --tag --path --supersedes --conflicts --scope --confidence --ttl-days --source"
    " --run --role --session".split()
)
_OWN_SCOPE = "project"
"""The scope that an agent writes to without a question. What it writes to the global one all projects read."""

_WRAPPERS = re.compile(
    r"^(?:(?:ba|z|da|k|fi)?sh|eval|script|su|ssh|xargs|unbuffer|expect|parallel)$"
)
_SUBSTITUTION = re.compile(r"\$\(([^()]{1,2000})\)|`([^`]{1,2000})`")
_QUOTING = str.maketrans(dict.fromkeys("\\'\""))
_TERMINAL = re.compile(
    r"(?:^|[\s;&|(`/])(?:(?:tmux|unbuffer|dtach|abduco|asciinema|rlwrap|systemd-run|zpty)\s|(?:screen|expect)\s+-"
    r"|socat\s.{0,80}\bEXEC:|n?vim\s.{0,80}\bterm|script\s*(?:$|[;&|<]|\s(?:\S+\s+)?[-/]))"
    r"|\b(?:r|win|open|fork|node-)?pty(?:process)?\b|\b(?:pexpect|ptmx)\b",
    re.MULTILINE | re.IGNORECASE,
)
"""Programs and libraries that make a terminal for what they run, in a text without quotes."""

_SPELLED = re.compile(r"[^\s,;:()\[\]{}|&<>$`]+")
_MENTIONING = frozenset(("git", "gh", "grep", "rg", "cd", "head", "tail", "wc", ""))
"""Programs that run nothing of what their words say."""

_PRINTING = ("cd", "echo", "printf", "cat", "head", "tail", "grep")
_SPELLED_WORDS = 12
_TOKEN = re.compile(rf"\s{CONFIRMED_OPTION}[= ][0-9a-f]{{8,64}}\b")


@dataclass(frozen=True, slots=True)
class OwnCall:
    """A call of hooklore that needs a person: its verb, and the words behind the program's name.

    `is_alone` says that the whole command is this call, spelled out: `hooklore VERB …`.
    """

    verb: str
    words: tuple[str, ...]
    is_alone: bool

    @property
    def is_of_many(self) -> bool:
        """True for a call that names no memory, but all of an agent, a session or a project."""
        return not _options(self.words).isdisjoint(_OF_MANY.get(self.verb, ()))


@lru_cache(maxsize=64)
def find_decision(command: str, own_path: str = _NAME) -> OwnCall | None:
    """Return the first call in a command that only a person may decide, or None.

    `own_path` is the launcher's `hooklore`, which a command may name in place of the name.
    """
    plain = command[:_LONGEST_PLAIN].translate(_QUOTING)
    if not any(name in plain for name in _PROGRAMS):
        return None
    alone = _literal_words(command)
    if alone is not None and alone[0] in (*_PROGRAMS, own_path):
        verb = verb_to_decide(alone[1:])
        return OwnCall(verb, alone[1:], is_alone=True) if verb else None
    for words in (*_calls(command[:_LONGEST], _NESTING), *_calls_at_a_terminal(command, plain)):
        verb = verb_to_decide(words)
        if verb:
            return OwnCall(verb, words, is_alone=False)
    return None


@lru_cache(maxsize=64)
def is_free_call(command: str, own_path: str = _NAME, *, by_name: bool = True) -> bool:
    """Return whether a command is one literal call that an agent may make without a question.

    It reads memory by plain arguments, or keeps a memory as the agent's own word. Whatever a shell would
    expand, join or redirect makes it another command. So does a path that is not `own_path`, the launcher's
    `hooklore`, and without `by_name` the name: any program may have it.
    """
    if len(command) > _LONGEST or _EXPANDED.search(command):
        return False
    words = _literal_words(command)
    names = (_NAME, own_path) if by_name else (own_path,)
    if words is None or len(words) < 3 or words[0] not in names:
        return False
    verb, given = words[1], words[2:]
    if verb in _READING:
        return not any(word.startswith("-") for word in given)
    if verb != _WRITING:
        return False
    texts, rest = 0, iter(given)  # one text, and options of the short list
    for word in rest:
        name, is_joined, value = word.partition("=")
        if not word.startswith("-"):
            texts += 1
        elif name in _VALUED_OPTIONS:
            value = value if is_joined else next(rest, "-")
            if value.startswith("-") or (name == "--scope" and value != _OWN_SCOPE):
                return False
        elif word != "--private":
            return False
    return texts == 1


def verb_to_decide(words: tuple[str, ...]) -> str | None:
    """Return the verb of a call's words when a person decides it, None when nobody need."""
    rest = words[1:] if words[:1] == ("memory",) else words
    verb = next((word for word in rest if word[:1] != "-"), "")
    options = _options(rest)
    if _APPROVED_OPTION in options:
        return None
    if verb in _ONLY_WITH:
        needed = _ONLY_WITH[verb]
        return verb if options.intersection(needed) or set(rest[1:]).intersection(needed) else None
    if verb not in _ALWAYS or options.intersection(_HARMLESS.get(verb, ())):
        return None
    if verb == "archive" and not [word for word in rest[1:] if word[:1] != "-"]:
        return None  # without a name it lists the archive
    return verb


def is_own_command(command: str) -> bool:
    """Return whether a command runs hooklore, and beside it nothing but what prints and shells."""
    if _NAME not in command or next(_calls(command[:_LONGEST], _NESTING), None) is None:
        return False
    programs = {program for program, _ in simple_commands(command[:_LONGEST])}
    return all(map(_WRAPPERS.match, programs - {_NAME, *_PRINTING}))


def reads_memory(command: str) -> bool:
    """Return whether a command may print memories: it runs a verb of ours beside `remember`."""
    if not any(name in command for name in _PROGRAMS):
        return False
    return any(words[:1] != (_WRITING,) for words in _calls(command[:_LONGEST], _NESTING))


def without_token(command: str) -> str:
    """Return a command without the token of a confirmation."""
    return _TOKEN.sub("", command) if CONFIRMED_OPTION in command else command


def _options(words: tuple[str, ...]) -> set[str]:
    """Return the options, each without its value and with it: `--basis user` as `--basis=user` too."""
    found: set[str] = set()
    for word, following in zip(words, (*words[1:], ""), strict=False):
        if word.startswith("-"):
            found |= {word, word.partition("=")[0], f"{word}={following}"}
    return found


def _literal_words(command: str) -> tuple[str, ...] | None:
    """Return the words of one simple command without expansions, or None for anything else."""
    text, at, words = command.strip(), 0, []
    while at < len(text):
        found = _LITERAL.match(text, at)
        if found is None:
            return None
        words.append(_QUOTED.sub(lambda quoted: quoted[0][1:-1], found[0].rstrip()))
        at = found.end()
    return tuple(words) or None


def _calls(command: str, depth: int) -> Iterator[tuple[str, ...]]:
    """Yield the words behind our program's name of every call in a command, nested ones too."""
    for program, words in simple_commands(command):
        if program in _PROGRAMS:
            yield tuple(words[1:])
        elif depth and _WRAPPERS.match(program):
            yield from _inside(words[1:], depth - 1)
    if depth:
        for inner in _SUBSTITUTION.finditer(command):
            yield from _calls(inner[1] or inner[2], depth - 1)


def _calls_at_a_terminal(command: str, plain: str) -> Iterator[tuple[str, ...]]:
    """Yield what may be our calls in a command that makes a terminal. `plain` is the command without quotes."""
    if _TERMINAL.search(plain) is None:
        return
    if len(command) <= _LONGEST and {name for name, _ in simple_commands(command)} <= _MENTIONING:
        return
    words = _SPELLED.findall(plain)
    for place, word in enumerate(words):
        if word.rsplit("/", 1)[-1] in _PROGRAMS:
            yield tuple(words[place + 1 : place + 1 + _SPELLED_WORDS])


def _inside(words: list[str], depth: int) -> Iterator[tuple[str, ...]]:
    """Yield the calls in what a wrapper runs: each word as a command of its own, and all together."""
    for word in words:
        if any(name in word for name in _PROGRAMS) and (" " in word or "\n" in word):
            yield from _calls(word, depth)
    for place, word in enumerate(words):
        if word.rsplit("/", 1)[-1] in _PROGRAMS:
            yield tuple(words[place + 1 :])
