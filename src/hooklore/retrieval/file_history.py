"""Tell before an edit what the user said to last about the file, or about a name that the edit touches.

Only memories count. A prompt that binds is a memory already: of 1,516 real prompts one sentence in an
explicit form named a file or a symbol, and of 21 sentences with a correction that did 19 were orders of
their day.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from hooklore.prompt.frame import fit_section
from hooklore.records.draft import Principal
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Body, Record
from hooklore.records.standing import standing_of
from hooklore.retrieval.applicability import has_matching_path
from hooklore.retrieval.notes import quote_record
from hooklore.retrieval.query import RecallQuery
from hooklore.shell.command import command_programs
from hooklore.text.code_identifiers import find_identifiers
from hooklore.text.path_globs import extract_file_paths

MAX_TOKENS = 60
"""Tokens of all notes about a file and its names."""

_WORD = re.compile(r"\w[\w.+-]*(?<!\.)", re.ASCII)
_NOTE_TOKENS = MAX_TOKENS - 1
"""Tokens of one note: its line ends in one more."""


def select_file_history(records: Iterable[Record], query: RecallQuery) -> list[Record]:
    """Return those of the user's memories that bind the edit of a file, the most exact first.

    First come those that are kept for the file, then those that name it, then those that name a symbol of
    the edit. A step without a file has none.
    """
    if not query.paths or query.command:
        return []
    symbols = frozenset(query.text.split())
    ranked = [
        (rank, record)
        for record in records
        if memory_kind(record.kind).binds_files
        and (rank := _exactness(record, query.paths_in(record.project), symbols))
    ]
    return [record for _, record in sorted(ranked, key=lambda each: each[0])]


def may_be_told_at(record: Record, query: RecallQuery) -> bool:
    """Return whether a step may be told a memory, by whose word it is."""
    at_step = standing_of(record).at_step
    if at_step != "named":
        return at_step != "never"
    # A decision or a rule that names the step's file, a symbol of its edit, or a program that it runs.
    if not memory_kind(record.kind).binds_files:
        return False
    if not query.command:
        symbols = frozenset(query.text.split())
        return _exactness(record, query.paths_in(record.project), symbols) > 0
    words = frozenset(_WORD.findall(record.body.content_md.casefold()))
    return any(program.casefold() in words for program in command_programs(query.command))


def is_about_other_files(record: Record, query: RecallQuery) -> bool:
    """Return whether a memory names files by their paths, and none of those that a step edits."""
    if not query.paths or query.command:
        return False
    files, _ = _named(record.body.content_md)
    is_placed = any("/" in file for file in files)
    paths = query.paths_in(record.project)
    return is_placed and not any(_is_named(path, file) for path in paths for file in files)


def render_file_history(records: list[Record], who: Principal) -> list[tuple[str, str]]:
    """Return the notes of a file's history for a reader, as many as fit into its tokens."""
    notes = [(r.id, quote_record(r, who, token_limit=_NOTE_TOKENS)) for r in records]
    return fit_section(("", notes), MAX_TOKENS)[0][1]


def render_again(
    records: list[Record], answer: Body, who: Principal, token_limit: int | None
) -> list[tuple[str, str]]:
    """Return the notes of an answer as a reader was told them; `answer` is the body of its access record.

    A note has at most `token_limit` tokens, one of a file's history as many as it had there.
    """
    counts = answer.extra("parts") if answer.trigger == "before_tool" else None
    history: set[str] = set()
    if isinstance(counts, list) and len(counts) == 2:
        history.update(answer.targets[counts[0] : counts[0] + counts[1]])
    limits = (_NOTE_TOKENS if record.id in history else token_limit for record in records)
    return [
        (record.id, quote_record(record, who, token_limit=limit))
        for record, limit in zip(records, limits, strict=True)
    ]


def _exactness(record: Record, paths: tuple[str, ...], symbols: Collection[str]) -> int:
    """Return 1 for a memory that is kept for a file, 2 for its name, 3 for a symbol, 0 for any other."""
    if has_matching_path(record, paths):
        return 1
    files, names = _named(record.body.content_md)
    if any(_is_named(path, file) for path in paths for file in files):
        return 2
    return 3 if not names.isdisjoint(symbols) else 0


@lru_cache(maxsize=4096)
def _named(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the files and folders, and the symbols, that a memory names. `and/or` is neither."""
    found = (name.removeprefix("./").strip("/") for name in extract_file_paths(text))
    files = (name for name in found if "." in name.rpartition("/")[2] or f"{name}/" in text)
    return tuple(filter(None, files)), frozenset(find_identifiers(text))


def _is_named(path: str, file: str) -> bool:
    """Return whether a path of the project is the named file, or lies in the named folder."""
    if path == file or path.endswith(f"/{file}"):
        return True
    return "/" in file and path.startswith(f"{file}/")
