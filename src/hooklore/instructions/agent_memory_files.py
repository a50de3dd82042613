"""Read an agent's own memory files."""

import re

from hooklore.agents.registry import memory_file_paths

_FILE = re.compile(
    (
        rf"{memory_file_paths()}"
        r"|(?:^|/)(?:agents(?:\.override)?|gemini|memory|qwen|copilot-instructions)\.md$"
        r"|/\.(?:cursor|windsurf)/rules/.{1,200}\.mdc?$"
    ),
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*+・•]|\d{1,2}[.)])\s+")
_LEFT_OUT = re.compile(r"\s*(?:#|```|~~~|---|===|\||<!--|@|>)|\s*$")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)")
_LOOKED_AT = 16 * 1024
_SHORTEST = 12
_LONGEST = 400
_MOST = 20


def is_agent_memory_file(path: str) -> bool:
    """Return whether a file is an agent's own memory."""
    return path[-3:].lower() in (".md", "mdc") and _FILE.search(path) is not None


def extract_new_statements(new: str, old: str = "") -> list[str]:
    """Return the statements, one for each line, that a file's new text has and its old text lacks.

    Headings, code, tables and what is too short to mean anything are left out; at most 20.
    """
    known = {_bare(line) for line in old[:_LOOKED_AT].split("\n")}
    found: dict[str, None] = {}
    in_code = in_header = False
    for number, line in enumerate(new[:_LOOKED_AT].split("\n")):
        if line.strip() == "---" and (number == 0 or in_header):
            in_header = not in_header
        if _FENCE.match(line):
            in_code = not in_code
        said = _bare(line)
        if in_code or in_header or _LEFT_OUT.match(line) or said in known:
            continue
        if len(said) * (1 if said.isascii() else 2) >= _SHORTEST and len(said) <= _LONGEST:
            found[said] = None
    return list(found)[:_MOST]


def _bare(line: str) -> str:
    return _BULLET.sub("", line).strip()
