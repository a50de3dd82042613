"""Shell commands without prefixes, redirections and options, so that a repeated command is recognised."""

import itertools
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from hooklore.agents.registry import transcript_paths
from hooklore.late_pattern import compile_late

_MAX_COMMAND_LENGTH = 4096
_MAX_KEY_LENGTH = 300
_MAX_WORD_LENGTH = 120

_OPERATORS = ("&&", "||", "|&", ";;", "|", ";", "&", "\n")
_REDIRECT = compile_late(r"^(?:\d*|&)(?:>>?|<<?<?|>\||>&|<&)(?:&?\d+|-)?(.*)$", re.DOTALL)
_HERE_DOCUMENT = compile_late(
    r"<<-?[ \t]*(['\"]?)(\w+)\1([^\n]*\n)(?:.*?\n)?[ \t]*\2(?=\n|$)", re.DOTALL
)
_ASSIGNMENT = compile_late(r"^[A-Za-z_]\w*\+?=")
_DURATION = compile_late(r"^\d+(?:\.\d+)?[smhd]?$")
_TEMPORARY = compile_late(r"^(?:/private)?/(?:var/)?tmp/\S+$|^/(?:private/)?var/folders/\S+$")

_PREFIXES = frozenset(
    "timeout gtimeout time env sudo nohup nice command exec stdbuf caffeinate setsid ionice builtin then do else if"
    " while ! {".split()
)
_VALUED = {"nice": ("-n",), "timeout": ("-s", "-k"), "sudo": ("-u",), "env": ("-u",)}
"""Options of a prefix that take the next word as their value."""

_RUNNERS = frozenset(
    ("uv run", "poetry run", "pipenv run", "pdm run", "rye run", "hatch run", "npx", "bunx", "pnpm exec",
     "yarn exec", "bundle exec", "doppler run", "dotenv", "direnv exec")
)  # fmt: skip
_SILENT = frozenset(
    "cd pushd popd export unset set source . true false : echo printf sleep wait exit fi done shopt ulimit umask"
    " trap clear nvm pwd date".split()
)
_FILTERS = frozenset(
    "tail head grep egrep rg cat less more tee sed awk wc sort uniq cut tr jq column fold nl ts bat xxd"
    " strings".split()
)
_TAKE_ENVIRONMENT = frozenset(("source", ".", "export", "docker", "docker-compose", "podman"))
_NO_READERS = _TAKE_ENVIRONMENT.union(
    "ls stat test [ [[ cp mv rm chmod chown touch ln mkdir direnv".split()
)
_SHOW_ENVIRONMENT = frozenset(("env", "printenv", "declare"))
_PIECES = compile_late(r"[\s()|;<>=,'\"`]+")
_GENERIC_PROGRAMS = _FILTERS.union(
    "ls cd rm mv cp mkdir touch chmod chown ln find diff which kill pkill ps xargs curl wget open type man ssh scp"
    " rsync for test [ [[ sqlite3 psql".split()
)
"""Programs whose operand is their object: another operand makes another command, not a repaired one."""
_INTERPRETER = compile_late(
    r"^(?:python[\d.]*|node|ruby|perl|bash|sh|zsh|deno|php|Rscript|tsx|ts-node)$"
)
_SCRIPT_RUNNER = compile_late(r"(?:python|node|ruby|bash|sh)[\d.]*$")
_PYTHON = compile_late(r"^python[\d.]*$")
_VERB = compile_late(r"^[a-z][a-z0-9]*(?:[:_-][a-z0-9]+)*$")
PACKAGE_MANAGERS = frozenset(("npm", "pnpm", "yarn", "bun"))
_VERBOSITY = compile_late(
    r"^(?:-[qvsx]+|-vv+|--(?:quiet|verbose|silent|exitfirst|no-header|no-color|nocapture|bail)"
    r"|--(?:tb|color|colors|reporter|durations|maxfail)(?:=.*)?|-r[A-Za-z]{1,3})$"
)
_TESTS = compile_late(
    r"""^(?:
        pytest\b | py\.test\b | unittest\b | nose2?\b | tox\b | nox\b | ctest\b | jest\b | vitest\b
      | mocha\b | ava\b | rspec\b | phpunit\b | pest\b | playwright\ test\b | cypress\ run\b
      | (?:go|cargo|dotnet|mix|deno|swift|sbt|bazel|rake|rails|just|zig|flutter|dart|lein|meson|
          composer|moon|task|ng)\ (?:\S+\ )?(?:test|tests|nextest)\b
      | (?:npm|yarn|pnpm|bun|turbo|mise|nx|make|gmake|gradlew?|mvnw?|ant|lerna)\s
          (?:\S+\ ){0,3}?(?:(?:run|exec)\ )?
          (?:\w+:)?(?:tests?|check|verify|e2e|spec)(?:[:.-]\w+)*(?:\ |$)
      | manage\.py\ test\b | run[-_]?tests?(?:\.\w+)?\b | tests?\.sh\b
    )""",
    re.VERBOSE,
)


class _Step(NamedTuple):
    """A simple command: the operator before it, its words, those without prefixes, and its program or ""."""

    operator: str
    words: list[str]
    bare: list[str]
    program: str

    @classmethod
    def of(cls, operator: str, words: list[str]) -> "_Step":
        bare = _without_prefixes(words)
        return cls(operator, words, bare, bare[0].rpartition("/")[2] if bare else "")


@lru_cache(maxsize=64)
def command_key(command: str) -> str:
    """Return a shell command without the parts that do not change its effect, at most 300 characters long.

    Removed are `cd x &&`, assignments, prefixes like `timeout 60`, and runners like `uv run`. Redirections,
    output filters (`2>&1 | tail -5`), quotes, and the verbosity options of test runners go too. Options are
    sorted behind the operands. `cd x && pytest -q tests/a.py 2>&1 | tail` and `pytest tests/a.py -q` have the
    same key.
    """
    parts = _keys(command)
    effective = [part for part in parts if part.split(" ", 1)[0] not in _SILENT] or parts
    key = " && ".join(dict.fromkeys(effective))
    return key if len(key) <= _MAX_KEY_LENGTH else key[:_MAX_KEY_LENGTH].rpartition(" ")[0]


@lru_cache(maxsize=64)
def _keys(command: str) -> tuple[str, ...]:
    """Return the key of each simple command."""
    return tuple(part for part in map(_key_of, _simple_commands(command)) if part)


def is_test_command(command: str) -> bool:
    """Return whether a part of a command runs tests."""
    return any(map(_is_test, _keys(command)))


_CHECK = compile_late(
    r"(?:lint|type-?check|build|check|compile|vet|clippy|verify|ci|tsc|mypy|pyright|ruff|eslint|golangci-lint)"
    r"(?:[:.-]\w+)*$",
    re.IGNORECASE,
)
_FIRST_WORDS = 4


def is_check_command(command: str) -> bool:
    """Return whether a part of a command checks the project: its tests, a linter, a build."""
    if is_test_command(command):
        return True
    first = (word for _, words in simple_commands(command) for word in words[:_FIRST_WORDS])
    return any(_CHECK.match(_basename(word)) for word in first)


@lru_cache(maxsize=64)
def command_stem(command: str) -> str | None:
    """Return the part of a command that a repair leaves unchanged: `gh pr create`, `git commit`.

    The stem is the program of the last step with its subcommands, or an interpreter with its script. Return
    None for tests, because a narrower run that passes has repaired nothing. Return None also for a program
    whose name says nothing of the purpose: `ls`, `python -c`.
    """
    steps = [s for s in _simple_commands(command) if s.program and s.program not in _SILENT]
    if not steps or is_test_command(command):
        return None
    bare = steps[-1].bare
    name, words = _basename(bare[0]), [_key_word(word) for word in bare[1:] if word[:1] != "-"]
    if _INTERPRETER.match(name):
        return f"{name} {_basename(words[0])}" if words and "." in words[0] else None
    verbs = list(itertools.takewhile(_VERB.match, words))[:2]
    return " ".join((name, *verbs)) if verbs and name not in _GENERIC_PROGRAMS else None


@lru_cache(maxsize=512)
def command_programs(command: str) -> frozenset[str]:
    """Return the programs that a command runs, without `cd`, `echo` and the filters behind a pipe."""
    programs = (step.program for step in _simple_commands(command))
    return frozenset(name for name in programs if name and name not in _SILENT)


CLIENTS = frozenset("curl wget http https xh lynx w3m links nc ncat telnet".split())
"""Programs that print what another machine answers."""

_PRINTERS = CLIENTS.union(
    _FILTERS,
    "ssh gh glab diff find man type which yq od hexdump ag ack fzf git-lfs pbpaste".split(),
)
"""Programs that print what they read or fetch."""

_PRINTING_VERBS = frozenset(("show", "diff", "log", "blame", "grep", "cat-file"))
"""Commands of git that print what they read."""


@lru_cache(maxsize=512)
def is_project_command(command: str) -> bool:
    """Return whether what a command prints is its own: no part of it prints what it fetched, or a file."""
    steps = [step for step in _simple_commands(command) if step.program]
    programs = {step.program for step in steps if step.program not in _SILENT}
    verbs = {step.bare[1] for step in steps if step.program == "git" and len(step.bare) > 1}
    return bool(programs) and programs.isdisjoint(_PRINTERS) and verbs.isdisjoint(_PRINTING_VERBS)


def has_hidden_exit_status(command: str) -> bool:
    """Return whether the exit status is hidden by a filter, by `|| true` or `echo` behind, or by `&`.

    `set -o pipefail` shows the status of a pipe again.
    """
    steps = [step for step in _steps(command) if step.words]
    if "pipefail" in command:
        steps = [step for step in steps if step.operator not in ("|", "|&")]
    if any(step.operator == "&" for step in _steps(command)):
        return True
    if len(steps) < 2:
        return False
    pairs = [(step.operator, step.program) for step in steps]
    if any(operator in ("|", "|&") and name in _FILTERS for operator, name in pairs):
        return True
    operator, name = pairs[-1]
    return operator == "||" or (operator in (";", "\n") and name in _SILENT)


def may_print_file(command: str, is_match: Callable[[str], bool]) -> bool:
    """Return whether a part of a command may print a file for which `is_match` holds."""
    return any(map(is_match, _pieces(command)))


@lru_cache(maxsize=64)
def _pieces(command: str) -> tuple[str, ...]:
    """Return the pieces of the arguments of each step that may read what they name, here-documents included.

    Programs that copy, move or mount a file print nothing, and `source` and containers only where the command
    shows the environment, too.
    """
    found: dict[str, None] = {}
    steps = list(_steps(command))
    shows_environment = any(_SHOW_ENVIRONMENT.intersection(step.words) for step in steps)
    for step in steps:
        silent = _NO_READERS - _TAKE_ENVIRONMENT if shows_environment else _NO_READERS
        if step.program not in silent:
            for word in step.words[1:] or step.words:
                found.update(dict.fromkeys(_PIECES.split(word)))
    return tuple(found)


def is_memory_read_command(command: str) -> bool:
    """Return whether a part of a command prints records of hooklore, so that the output is nothing new."""
    for step in _steps(command):
        name, first = step.program, next((w for w in step.bare[1:] if w[:1] != "-"), "")
        if name.partition(".")[0] == "hooklore" or (name == "hooks" and first in _HOOKS_COMMANDS):
            return True
    return may_print_file(command, lambda word: _MEMORY.search(word) is not None)


def is_private_memory_command(command: str) -> bool:
    """Return whether a part of a command keeps a private memory: `hooklore remember … --private`."""
    return "--private" in command and any(
        step.program.partition(".")[0] == "hooklore" and "--private" in step.words
        for step in _steps(command)
    )


_HOOKS_COMMANDS = "install uninstall doctor status pause resume stop run demo".split()
_MEMORY = compile_late(rf"(?:^|/)(?:events\.jsonl|\.config/ai/memory)(?:/|$)|{transcript_paths()}")


def simple_commands(command: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the program and the words of each simple command, without prefixes such as `env` and `timeout`."""
    for step in _steps(command):
        yield step.program, step.bare


def find_written_file(command: str, is_match: Callable[[str], bool]) -> str | None:
    """Return the first file with `is_match` that a command writes (`>`, `>>`, `tee`), or None."""
    return next(filter(is_match, written_files(command)), None)


def written_files(command: str) -> list[str]:
    """Return the files that a command writes by `>`, `>>` and `tee`."""
    found: list[str] = []
    for step in _steps(command):
        found += step.words[1:] if step.program == "tee" else _split_redirections(step.words)[1]
    return found


def _simple_commands(command: str) -> Iterator[_Step]:
    """Yield each simple command except the filters behind a pipe."""
    for step in _steps(command):
        if step.operator not in ("|", "|&") or step.program not in _FILTERS:
            yield step


def _key_of(step: _Step) -> str:
    bare = step.bare
    if not bare:
        return ""
    name, rest = step.program, [_key_word(word) for word in bare[1:]]
    if name == "git" and rest[:1] == ["-C"]:
        rest = rest[2:]
    if name in PACKAGE_MANAGERS and rest[:1] == ["run"]:
        rest = rest[1:]
    operands = [word for word in rest if not word.startswith("-")]
    options = sorted(word for word in rest if word.startswith("-") and word != "--")
    plain = " ".join((name, *operands))
    if _is_test(plain):
        options = [option for option in options if not _VERBOSITY.match(option)]
    return " ".join((plain, *options))


def _is_test(key: str) -> bool:
    interpreter, _, script = key.partition(" ")
    if _SCRIPT_RUNNER.match(interpreter):
        return bool(_TESTS.match(_basename(script)))
    return bool(_TESTS.match(key))


def _key_word(word: str) -> str:
    """Return a word as a key has it: long words shortened, absolute paths by their last two parts."""
    if "\n" in word or len(word) > _MAX_WORD_LENGTH:
        return "…"
    if word[:1] not in ("/", "~", "."):  # as most words are
        return word
    if _TEMPORARY.match(word):
        return "…tmp"
    if word.startswith(("/", "~/")) and word.count("/") > 2:
        return "…/" + "/".join(word.rstrip("/").split("/")[-2:])
    return word if word.startswith("./...") else word.removeprefix("./")


def _basename(word: str) -> str:
    """Return a word, or several, with the first reduced to the last part of its path."""
    if "/" not in word:
        return word
    first, blank, rest = word.partition(" ")
    return first.rsplit("/", 1)[-1] + blank + rest


def _without_prefixes(words: list[str]) -> list[str]:
    """Return the words without redirections, assignments, prefixes and runners."""
    words, _ = _split_redirections(words)
    while words:
        name = _basename(words[0])
        if _ASSIGNMENT.match(words[0]) or name in ("(", ")", "}"):
            words = words[1:]
        elif name in _PREFIXES:
            words = _after_options(name, words[1:])
        elif name in _RUNNERS or " ".join((name, *words[1:2])) in _RUNNERS:
            words = _after_runner(name, words)
        elif len(words) > 2 and words[1] == "-m" and _PYTHON.match(name):
            words = words[2:]
        else:
            return words
    return words


def _after_options(name: str, words: list[str]) -> list[str]:
    while words and (words[0].startswith("-") or _DURATION.match(words[0])):
        words = words[2:] if words[0] in _VALUED.get(name, ()) else words[1:]
    return words


def _after_runner(name: str, words: list[str]) -> list[str]:
    """Return the command that a runner runs: the words after `--`, or after the runner's own options."""
    if "--" in words:
        return words[words.index("--") + 1 :]
    rest = words[1:] if name in _RUNNERS else words[2:]
    return list(itertools.dropwhile(lambda word: word.startswith("-"), rest))


def _split_redirections(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the words without redirections, and the files that they write."""
    others, written, skip = [], [], False
    for word, following in zip(words, [*words[1:], ""], strict=False):
        match = _REDIRECT.match(word) if "<" in word or ">" in word else None
        if match and ">" in word:
            written.append(match[1] or following)
        if match is None and not skip:
            others.append(word)
        # the name of a file behind a blank is no word of the command
        skip = not skip and match is not None and not match[1] and word[-1] in "<>"
    return others, written


_PLAIN = compile_late(r"[\w./:@%+,~^-][\w./:@%+=,~^-]*(?: [\w./:@%+=,~^-]+){0,40}")
"""One simple command without quotes and operators, as most are: its words are what blanks divide."""


@lru_cache(maxsize=64)
def _steps(command: str) -> tuple[_Step, ...]:
    """Return each simple command at the top level. Never raise an error."""
    if _PLAIN.fullmatch(command):
        return (_Step.of("", command.split(" ")),)
    steps: list[_Step] = []
    operator, words = "", []
    for is_word, token in _tokens(_HERE_DOCUMENT.sub(r"\3", command[:_MAX_COMMAND_LENGTH])):
        if is_word:
            words.append(token)
        else:
            steps.append(_Step.of(operator, words))
            operator, words = token, []
    steps.append(_Step.of(operator, words))
    return tuple(step for step in steps if step.words or step.operator == "&")


_ENDS = "&|;\n \t\r()"


def _tokens(text: str) -> Iterator[tuple[bool, str]]:
    """Yield (is a word, words without quotes and operators). `$(…)` and backquotes stay inside one word."""
    at, size, word, started = 0, len(text), [], False
    while at < size:
        char = text[at]
        if char in "'\"`" or text.startswith("$(", at):
            end, inner = _quoted(text, at)
            word.append(inner)
            started, at = True, end
        elif char == "\\" and at + 1 < size:
            word.append("" if text[at + 1] == "\n" else text[at + 1])
            started, at = started or text[at + 1] != "\n", at + 2
        elif char in _ENDS and ((operator := _operator(text, at, word)) or char in " \t\r()"):
            if started:
                yield True, "".join(word)
            word, started = [], False
            if operator:
                yield False, operator
            at += len(operator) or 1
        elif char == "#" and not started:
            newline = text.find("\n", at)
            at = size if newline < 0 else newline
        else:
            word.append(char)
            started, at = True, at + 1
    if started:
        yield True, "".join(word)


def _operator(text: str, at: int, word: list[str]) -> str:
    """Return the operator at `at`, or an empty text. The `&` of `2>&1` and `&>file` is no operator."""
    if text[at] not in "&|;\n":
        return ""
    found = next((op for op in _OPERATORS if text.startswith(op, at)), "")
    if found == "&" and (word[-1:] in (["<"], [">"]) or text[at + 1 : at + 2] == ">"):
        return ""
    return found


def _quoted(text: str, at: int) -> tuple[int, str]:
    """Return (end index, contents) of the quoted or substituted text at `at`."""
    if text[at] in "'`":
        end = text.find(text[at], at + 1)
        return (len(text), text[at + 1 :]) if end < 0 else (end + 1, text[at + 1 : end])
    if text[at] == '"':
        end = at + 1
        while end < len(text) and text[end] != '"':
            end += 2 if text[end] == "\\" else 1
        end = min(end, len(text))
        return end + 1, text[at + 1 : end]
    depth, end = 0, at + 1
    while end < len(text):
        depth += (text[end] == "(") - (text[end] == ")")
        end += 1
        if depth == 0:
            break
    return end, text[at:end]
