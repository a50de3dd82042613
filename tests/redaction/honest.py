"""Paragraphs that people wrote, found on the machine when the tests run.

Package metadata, readmes, changelogs and licences of this environment; the system's copyright files
and changelogs; the docstrings of Python's own library. Nothing is left out for what it says.
"""

import ast
import contextlib
import gettext
import gzip
import re
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from random import Random
from typing import Any

MOST_OF_A_SOURCE = 2_500
MOST_OF_A_FILE = 60

_WRITTEN = re.compile(
    r"(METADATA|README|CHANGE|HISTORY|NEWS|LICEN[CS]E|AUTHORS|NOTICE|COPYING)", re.IGNORECASE
)
_SYSTEM_DOCS = Path("/usr/share/doc")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_SHORTEST, _LONGEST = 40, 4_000
_LARGEST_FILE = 2_000_000


@dataclass(frozen=True)
class Paragraph:
    """Text between two blank lines, and the file that it stands in."""

    source: str
    text: str


def paragraphs() -> list[Paragraph]:
    """Paragraphs of 40 to 4,000 characters, no two alike; at most 60 of a file, 2,500 of a kind."""
    seen: set[str] = set()
    kinds = (_metadata_texts(), _system_texts(), _docstrings())
    return [paragraph for texts in kinds for paragraph in _of_kind(texts, seen)]


LANGUAGES = tuple("de es fr it ja ko nl pl pt pt_BR ru tr zh_CN zh_TW".split())


def translations() -> Iterator[list[str]]:
    """Yield the messages of the machine's programs, those of a language at once: English first."""
    catalogs = {name: list(_catalogs(name)) for name in LANGUAGES}
    yield sorted({key for one in catalogs["de"] for key in one if _is_message(key)})
    for each in catalogs.values():
        yield sorted({text for one in each for text in one.values() if _is_message(text)})


def _is_message(text: object) -> bool:
    return isinstance(text, str) and _SHORTEST_MESSAGE < len(text) < _LONGEST_MESSAGE


_SHORTEST_MESSAGE, _LONGEST_MESSAGE = 20, 600


def _catalogs(language: str) -> Iterator[dict[Any, str]]:
    """Yield the catalogs of a language: a message in English, and its translation."""
    for path in sorted(Path(f"/usr/share/locale/{language}/LC_MESSAGES").glob("*.mo")):
        if path.name.startswith("iso_"):
            continue  # names of countries and languages
        with path.open("rb") as file, contextlib.suppress(OSError, UnicodeDecodeError):
            yield gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]


def _of_kind(texts: Iterable[tuple[str, str]], seen: set[str]) -> list[Paragraph]:
    found: list[Paragraph] = []
    for source, text in texts:
        found += [Paragraph(source, part) for part in _new_parts(text, seen)]
        if len(found) >= MOST_OF_A_SOURCE:
            break
    return found[:MOST_OF_A_SOURCE]


def _new_parts(text: str, seen: set[str]) -> list[str]:
    """Spread over the whole file, so that its head does not stand for it."""
    parts: list[str] = []
    for part in _BLANK_LINE.split(text):
        words = " ".join(part.split())
        if _SHORTEST <= len(words) <= _LONGEST and words not in seen:
            seen.add(words)
            parts.append(part.strip("\r\n"))
    return parts[:: len(parts) // MOST_OF_A_FILE + 1]


def _shuffled(paths: Iterable[Path]) -> list[Path]:
    """In an order that is the same each time and mixes the packages."""
    ordered = sorted(set(paths))
    Random("honest").shuffle(ordered)
    return ordered


def _metadata_texts() -> Iterator[tuple[str, str]]:
    files = (
        Path(str(file.locate()))
        for distribution in metadata.distributions()
        for file in distribution.files or ()
        if _WRITTEN.match(file.name) and file.suffix not in {".py", ".pyc"}
    )
    return _texts(files)


def _system_texts() -> Iterator[tuple[str, str]]:
    if not _SYSTEM_DOCS.is_dir():
        return iter(())
    names = ("copyright", "changelog*", "NEWS*", "README*")
    return _texts(path for name in names for path in _SYSTEM_DOCS.glob(f"*/{name}"))


def _texts(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for path in _shuffled(paths):
        text = _read(path)
        if text is not None:
            yield f"{path.parent.name}/{path.name}", text


def _read(path: Path) -> str | None:
    """The text of a file, compressed or not; None when it cannot be read as text."""
    try:
        raw = path.read_bytes() if path.stat().st_size <= _LARGEST_FILE else b""
        return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    except (OSError, EOFError, UnicodeDecodeError):
        return None


def _docstrings() -> Iterator[tuple[str, str]]:
    root = Path(sysconfig.get_path("stdlib"))
    skipped = {"test", "tests", "idle_test", "site-packages", "dist-packages", "lib2to3"}
    files = (path for path in root.rglob("*.py") if skipped.isdisjoint(path.parts))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for source, text in _texts(files):
        nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, documented))
        yield source, "\n\n".join(filter(None, map(ast.get_docstring, nodes)))
