"""The steps that the words of a rule name: a command in backquotes, a program's command, or an act of the table."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from hooklore.shell.acts import ACTS, acts_shown, is_of_files, is_shown_by_change
from hooklore.shell.calls import Call, list_calls
from hooklore.shell.command import PACKAGE_MANAGERS, is_check_command

_RUNNERS = r"make|just|task|rake|invoke|nox|tox"
_PROGRAMS = (
    r"npm|pnpm|yarn|bun|npx|cargo|gh|docker(?:[ -]compose)?|terraform|tofu|kubectl|helm|poetry|uv|pip3?|"
    r"alembic|rails|"
    r"bundle|mix|dotnet|gradle|\./gradlew|mvn|pulumi|nx|turbo|hatch|prisma|composer|flutter|dart|deno|pre-commit|"
    r"ansible-playbook|php artisan|python3? manage\.py|python3? -m|manage\.py"
)
_GIT = r"git (?:commit|push|pull|fetch|rebase|merge|tag|status|diff|stash|add|switch|checkout|reset|clean|log)"
_GO = r"go (?:fmt|vet|test|build|generate|mod tidy|run)"
_NO_TARGET = (
    r"(?!(?:sure|a|an|the|it|that|this|your|our|changes?|any|certain|to|not|use|them|no|new|is|are|and|or|"
    r"be|for|before|"
    r"after|first|then|backups?|commits?|everything|all changes|every|each|i|we|you|must|has|should|"
    r"targets?|images?|containers?|files?|packages?|modules?|scripts?)\b)"
)
_KNOWN = "|".join(
    re.escape(run)
    for act in ACTS
    for run in act.runs.split("|")
    if re.fullmatch(r"[a-z][\w.-]*(?: [a-z][\w:.-]*)+", run)
)
"""The commands of the table that are more than a program."""
_SCRIPT = r"(?:\./|(?:scripts?|bin|tools|ci)/)[\w./-]*\w"
_LITERAL = re.compile(
    r"`(?P<quoted>[^`\n]{1,120})`"
    rf"|(?<![\w/.`-])(?P<plain>(?:(?:{_RUNNERS}) {_NO_TARGET}[a-z][\w:.-]*(?=\s*(?:$|[,.;:)&、。→・]|\s(?:before|"
    rf"after|prior|first|"
    rf"and|or|then|on|in|through|must|has|needs|should|passes|pass|succeeds|again|once|every|each|to|so|"
    rf"when)\b|[ぁ-ん]))"
    rf"|{_GIT}(?: --?[\w-]+)*|{_GO}|(?:{_PROGRAMS})(?: run| compose)? {_NO_TARGET}[a-z][\w:.-]*(?: "
    rf"--[\w-]+)*|(?:{_KNOWN})(?![\w:-])|{_SCRIPT}))",
    re.ASCII | re.IGNORECASE,
)
_FILE = re.compile(
    r"(?<![\w/])(?:[\w./-]+\.(?:md|txt|toml|json|ya?ml|rst|lock|cfg|sql|proto|graphql|py|ts|go|rs)|"
    r"README|LICENSE)"
    r"(?![\w/])",
    re.IGNORECASE | re.ASCII,
)
_EDITING = re.compile(
    r"\b(?:updat|edit|writ|add|bump|chang|document|record|note|regenerat|fill)(?:e|ing|s)?\b|\b(?:has|"
    r"have|entry|mention\w*|list\w*)\b|更新|追記|書|"
    r"記載|追加|変更|反映",
    re.IGNORECASE,
)
_NO_WORDS = frozenset(
    "build standard flow wire np vale pint xo x test delta nx hugo cap trunk psalm revive".split()
)
_TOOLS = frozenset(
    run for act in ACTS for run in act.runs.split("|") if re.fullmatch(r"[a-z][a-z0-9_-]{2,}", run)
) - _NO_WORDS  # fmt: skip
_TOOL = re.compile(
    rf"(?<![\w`/.-])(?:{'|'.join(sorted(map(re.escape, _TOOLS)))})(?![\w`/-]|\.\w)",
    re.ASCII | re.IGNORECASE,
)
_ACTS = tuple(
    re.compile(
        rf"(?<![\w-])(?:{act.english})(?![\w-])|(?<![A-Za-z_-])(?:{act.japanese})(?![A-Za-z_-])",
        re.ASCII | re.IGNORECASE,
    )
    for act in ACTS
)
_BRANCHES = ("main", "master", "develop", "prod", "production", "staging")
_WHOLE = "whole"
_KIND = re.compile(
    r"\b(?:unit|integration|e2e|end-to-end|smoke|regression|full|whole|entire|all)\b|全|フル|すべて",
    re.IGNORECASE,
)
_KIND_OF_CALL = re.compile(
    r"\b(?:unit|integration|e2e|end-to-end|smoke|regression)\b", re.IGNORECASE
)
_CHOOSING = frozenset(
    ("-k", "-t", "--grep", "--filter", "--lf", "--testNamePattern", "-run", "--tests")
)
_FILE_OR_TEST = re.compile(r"::|\.(?:py|[jt]sx?|rb|go|rs|java|ex|php)\b|/\w")
_USUAL_OPTIONS = frozenset(("-m", "-am", "-a", "-q", "-v", "--message", "--yes", "-y"))
_ANY_OPERAND = re.compile(r"[<\[{…].*|\.{1,3}(?:/\.{3})?|[A-Z_]{3,}|\$.*")
_PRINTING = frozenset(
    "cat ls grep rg find head tail less echo git sed awk vim cd mkdir touch rm cp mv "
    "test diff".split()
)
_PARTS = re.compile(r"[\s:._/=-]+")
_NOT_DONE = frozenset(("--dry-run", "--help", "-h", "--version"))
_ORDERLESS = frozenset("make just task rake nx turbo invoke nox tox".split())


class NamedStep(NamedTuple):
    """A step as a rule names it: by acts, of which a call must show one, by a call, or by the word of a file.

    `kind` is the kind of tests: `integration`. A step that is no act of the table is known by `words`, of which
    a program, a subcommand, a target or a script must have one.
    """

    acts: frozenset[str] = frozenset()
    call: Call | None = None
    file: str = ""
    kind: str = ""
    words: frozenset[str] = frozenset()

    @property
    def of_files(self) -> bool:
        """True where the step reads or rewrites files, so that a change makes it due again."""
        if self.call is not None:
            words = " ".join((self.call.program, *self.call.operands))
            return is_check_command(words) or any(map(is_of_files, acts_shown(self.call)))
        return any(map(is_of_files, self.acts))

    def is_shown_by(self, call: Call) -> bool:
        """Return whether a call shows the step. A run of all tests shows a run of one kind of them."""
        if self.call is not None:
            return _is_same(self.call, call)
        if self.words:
            return any(_has_word(call, word) for word in self.words)
        is_shown = not self.acts.isdisjoint(acts_shown(call))
        if self.kind == _WHOLE:
            return is_shown and not _is_part(call)
        return is_shown and (not self.kind or _kinds_of(call) in ("", self.kind))

    def is_surely_shown_by(self, call: Call) -> bool:
        """Return whether a call shows the step and no wider one."""
        return self.is_shown_by(call) and self.kind in ("", _WHOLE, _kinds_of(call))

    def is_shown_by_change(self, path: str) -> bool:
        """Return whether the change of a file shows the step."""
        if self.file:
            return self.file in path.lower()
        return any(is_shown_by_change(act, path) for act in self.acts)


class Mention(NamedTuple):
    """A place in a phrase that names a step."""

    start: int
    end: int
    step: NamedStep


@lru_cache(maxsize=4096)
def find_steps(phrase: str) -> tuple[Mention, ...]:
    """Return the steps that a phrase names, in their order: its commands, else its files, else its acts."""
    for read in (_commands, _edited_files, _acts):
        if found := sorted(read(phrase), key=lambda mention: mention[:2]):
            return tuple(found)
    return ()


def _commands(phrase: str) -> Iterator[Mention]:
    for found in _LITERAL.finditer(phrase):
        text = (found["quoted"] or found["plain"]).strip()
        is_file = " " not in text and _FILE.fullmatch(text) is not None
        if found["quoted"] and (is_file or text.startswith("-") or text in _BRANCHES):
            continue
        for call in list_calls(text):
            yield Mention(found.start(), found.end(), _step_of(call))
    for found in _TOOL.finditer(_LITERAL.sub(lambda found: " " * len(found[0]), phrase)):
        acts = acts_shown(Call(found[0].lower(), (), frozenset(), found[0]))
        yield Mention(found.start(), found.end(), NamedStep(acts))


def _step_of(call: Call) -> NamedStep:
    """Return a step by a command: one that fetches is as good as another."""
    acts = acts_shown(call)
    if call.program == "git" and "pull" in acts and call.operands[0] in ("pull", "fetch"):
        return NamedStep(frozenset(("pull",)))
    if call.program in _TOOLS and not call.operands and not call.options:
        return NamedStep(acts)
    return NamedStep(call=call)


def _edited_files(phrase: str) -> Iterator[Mention]:
    if _EDITING.search(phrase) is None:
        return
    for found in _FILE.finditer(phrase):
        yield Mention(
            found.start(), found.end(), NamedStep(file=found[0].lower().removeprefix("./"))
        )


def _acts(phrase: str) -> Iterator[Mention]:
    """Yield the acts by their words. A place names the first act of the table whose words are there."""
    taken: list[range] = []
    for act, pattern in zip(ACTS, _ACTS, strict=True):
        for found in pattern.finditer(phrase):
            if any(found.start() in span for span in taken):
                continue
            taken.append(range(found.start(), found.end()))
            kind = _KIND.search(found[0]) if act.name == "test" else None
            step = NamedStep(frozenset((act.name,)), kind=_kind(kind))
            yield Mention(found.start(), found.end(), step)


def _kinds_of(call: Call) -> str:
    return _kind(_KIND_OF_CALL.search(" ".join((call.program, *call.operands, *call.options))))


def _is_part(call: Call) -> bool:
    """Return whether a run of tests names some of them: files, names, or a pattern."""
    is_chosen = any(option.split("=")[0] in _CHOOSING for option in call.options)
    return is_chosen or any(_FILE_OR_TEST.search(word) for word in call.operands[:6])


def _kind(found: re.Match[str] | None) -> str:
    if found is None:
        return ""
    word = found[0].lower().replace("end-to-end", "e2e")
    return word if word.isascii() and word not in ("full", "whole", "entire", "all") else _WHOLE


def _is_same(named: Call, call: Call) -> bool:
    """Return whether a call is the one that a rule names, with more operands and options."""
    if named.program != call.program and not {named.program, call.program} <= PACKAGE_MANAGERS:
        return False
    needed = {option for option in named.options if option not in _USUAL_OPTIONS}
    is_dry = not call.options.isdisjoint(_NOT_DONE) or (
        call.program == "make" and "-n" in call.options
    )
    if not needed <= call.options or (not needed and is_dry):
        return False
    operands = tuple(word for word in named.operands if not _ANY_OPERAND.fullmatch(word))
    if named.program in _ORDERLESS:
        return set(operands) <= set(call.operands)
    return call.operands[: len(operands)] == operands


def _has_word(call: Call, word: str) -> bool:
    """Return whether the name of a program, a subcommand, a target or a script has a word, in another form too."""
    if call.program in _PRINTING:
        return False
    named = (call.program, *call.operands[:3])
    parts = {part.lower() for name in named for part in _PARTS.split(name)}
    stem = word[: max(4, len(word) - 3)]
    return any(part == word or (len(stem) >= 4 and part.startswith(stem)) for part in parts)
