"""Note which redaction rules a version stands for, so that no rule changes without its version.

`python -m tests.redaction.rules_digest` notes the rules of today beside `RULES_VERSION`. It refuses when the
rules changed and the version did not. With `--keep-version` it notes them all the same: for a change that
finds exactly what was found before, or of a version that no release has.
"""

import ast
import hashlib
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import hooklore
from hooklore.redaction import RULES_VERSION

NOTE = Path(__file__).with_name("rules_digest.txt")
"""One line: the version and the digest of its rules."""

SOURCES = Path(hooklore.__file__).parent
_PACKAGES = ("redaction", "text")
"""Packages whose modules a rule is made of."""

_VERSION_LINE = re.compile(r"^RULES_VERSION = \d+$")


def noted() -> str:
    """Return the line of the note."""
    return NOTE.read_text("utf-8")


def line_of_today() -> str:
    """Return the line that the note has when it is up to date."""
    return f"{RULES_VERSION} {digest_rules()}\n"


def digest_rules() -> str:
    """Return a digest of the code of every module that decides what is a secret, and of the tables beside it."""
    found = hashlib.blake2b(digest_size=16)
    for path in rule_modules():
        name = path.relative_to(SOURCES).as_posix()
        found.update("\n".join((name, *code_lines(path.read_text("utf-8")), "")).encode())
    for path in sorted((SOURCES / "redaction" / "rules").glob("*.toml")):
        found.update(path.read_bytes())
    return found.hexdigest()


def rule_modules() -> list[Path]:
    """Return the engine and the modules of which its rules are made, by name."""
    found, waiting = set[Path](), [SOURCES / "redaction" / "engine.py"]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path)
    return sorted(found)


def code_lines(source: str) -> list[str]:
    """Return the lines of a module without comments, docstrings, blank lines and the version itself."""
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for first, last in _documents(source):
        lines[first - 1 : last] = [""] * (last - first + 1)
    code = (line.rstrip() for line in lines)
    return [line for line in code if line and not _VERSION_LINE.match(line)]


def _documents(source: str) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each docstring."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.lineno, node.end_lineno or node.lineno


def _imported(path: Path) -> Iterator[Path]:
    """Yield the modules that a module imports from."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom):
            continue
        parts = str(node.module).split(".")
        if parts[:1] == ["hooklore"] and parts[1:2] and parts[1] in _PACKAGES:
            place = SOURCES.joinpath(*parts[1:])
            modules = [place, *(place / each.name for each in node.names)]
            yield from (m for m in (each.with_suffix(".py") for each in modules) if m.is_file())


def main(words: list[str]) -> int:
    """Note the rules of today. Return 1 when their version was not raised."""
    version, _, digest = noted().partition(" ")
    is_changed = digest.strip() != digest_rules()
    if is_changed and int(version) == RULES_VERSION and "--keep-version" not in words:
        sys.stderr.write(
            f"error: could not note the rules: they changed, and RULES_VERSION still is {version}\n"
            "hint: raise it in src/hooklore/redaction/engine.py; or, where the rules find the same as "
            "before, python -m tests.redaction.rules_digest --keep-version\n"
        )
        return 1
    NOTE.write_text(line_of_today(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
