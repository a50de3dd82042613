"""The calls of programs in a command, with those inside what runs a command elsewhere: `docker exec`, `bash -c`."""

import re
import shlex
from collections.abc import Iterator
from functools import lru_cache
from itertools import dropwhile
from typing import NamedTuple

from hooklore.shell.command import PACKAGE_MANAGERS, simple_commands

_LONGEST = 4_096
_NESTING = 3

_SHELL = re.compile(r"(?:ba|z|da|k|fi)?sh$")
_SHELL_TEXT = re.compile(r"-[a-z]*c$|--(?:command|run)$")
_INTERPRETER = re.compile(
    r"(?:python[\d.]*|node|ruby|perl|php|deno|bun|tsx|ts-node|(?:ba|z|da|k)?sh)$"
)
_SCRIPT = re.compile(
    r"[\w./~@+-]+\.(?:py|[mc]?[jt]s|rb|pl|php|sh|bash)$|(?:\./)?(?:bin/)?(?:artisan|console)$"
)
_CONTAINERS = frozenset(("docker", "podman", "nerdctl", "docker-compose"))
_AFTER_DASHES = frozenset(
    "kubectl mise op aws-vault dotenv direnv nix devbox oc env-cmd infisical".split()
)
_DASHES = ("--", "--command", "-c")
_TAKES_COMMAND = frozenset(("xargs", "watch", "entr", "xvfb-run", "retry", "dotenvx", "chronic"))
_VALUED = frozenset(
    "-C -c -f -n -p -w -F -e -u -v -i --prefix --workspace --filter --file --namespace --context --manifest-path"
    " --project-name --profile --env --user --workdir --name --network --entrypoint --volume --directory --git-dir"
    " --work-tree --project-directory --cwd --config --chdir --env-file --kubeconfig --kube-context --platform"
    " --max-args --replace --max-procs -P -I".split()
)
"""Options before a subcommand that take the next word as their value."""

_FLAGS_OF = {
    "make": frozenset(("-n", "-i", "-p", "-w")),
    "git": frozenset(("-p", "-n")),
    **dict.fromkeys(("psql", "mysql", "mariadb", "sqlcmd", "mongosh"), frozenset(("-c", "-e"))),
}
"""Options of a program that are no valued ones there, or whose value is an operand: the query of a database."""

_SAME = {
    "gradlew": "gradle", "mvnw": "mvn", "gmake": "make", "py.test": "pytest", "inv": "invoke",
    "--cached": "--staged", "--all-files": "-a",
}  # fmt: skip
"""Programs and options with another name."""


class Call(NamedTuple):
    """A call of a program: its name, its operands, its options, and the word that named it."""

    program: str
    operands: tuple[str, ...]
    options: frozenset[str]
    named: str

    @property
    def prefixes(self) -> Iterator[str]:
        """The program with its first operands: a star stands for any operand, a dot for none."""
        words = [self.program]
        for operand in self.operands[:4]:
            yield " ".join(words)
            yield " ".join((*words, "*"))
            words.append(operand.lower())
        yield " ".join(words)
        yield from (f"{self.program} {option}" for option in self.options)
        if not self.operands:
            yield f"{self.program} ."


@lru_cache(maxsize=256)
def list_calls(command: str) -> tuple[Call, ...]:
    """Return the calls in a command in their order, those that a container or a shell runs in place of it."""
    return tuple(_calls(command[:_LONGEST], _NESTING))


def _calls(command: str, depth: int) -> Iterator[Call]:
    for program, words in simple_commands(command):
        inner = _inner(program, words[1:]) if depth else None
        if inner:
            yield from _calls(inner, depth - 1)
        elif program:
            yield _call(program, words)


def _inner(program: str, words: list[str]) -> str | None:
    """Return the command that a call runs in a shell, a container or on another machine, or None."""
    if _SHELL.match(program) or program in ("su", "nix-shell", "vagrant"):
        behind = list(dropwhile(lambda word: not _SHELL_TEXT.match(word), words))
        return behind[1] if len(behind) > 1 else None
    if program in _CONTAINERS:  # `docker exec <options> <container> …`, with `compose` before too
        found = _operands(words)
        behind = _operands(found[1:]) if found[:1] == ["compose"] else found
        is_inside = behind[:1] in (["exec"], ["run"])
        return shlex.join(_operands(behind[1:])[1:]) if is_inside else None
    if program in _AFTER_DASHES:
        behind = list(dropwhile(lambda word: word not in _DASHES, words))
        return shlex.join(behind[1:])
    if program in _TAKES_COMMAND:
        return shlex.join(_operands(words))
    return " ".join(_operands(words)[1:]) if program == "ssh" else None


def _operands(words: list[str], flags: frozenset[str] = frozenset()) -> list[str]:
    """Return the words behind the options and their values. `flags` are options without one in this program."""
    while words and words[0].startswith("-"):
        words = words[2 if words[0] in _VALUED and words[0] not in flags else 1 :]
    return words


def _call(program: str, words: list[str]) -> Call:
    """Return a call by its words. A script is the program of the interpreter that runs it."""
    first, rest = words[0], _operands(words[1:], _FLAGS_OF.get(program, frozenset()))
    if _INTERPRETER.match(program) and rest and _SCRIPT.match(rest[0]):
        first, rest = rest[0], rest[1:]
    name = first.rpartition("/")[2].lower()
    name = _SAME.get(name, name)
    operands = [word for word in rest if word and word[0] != "-" and not word.isdigit()]
    if name in PACKAGE_MANAGERS:
        operands = operands[2:] if operands[:1] in (["workspace"], ["workspaces"]) else operands
        operands = operands[1:] if operands[:1] in (["run"], ["run-script"]) else operands
    if name == "docker-compose":
        name, operands = "docker", ["compose", *operands]
    options = frozenset(_SAME.get(word, word) for word in words[1:] if word.startswith("-"))
    return Call(name, tuple(operands), options, first)
