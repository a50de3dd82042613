"""Read values of a git configuration: `config`, `.gitmodules`."""

import re
from collections.abc import Iterator
from functools import cache

_CONTINUED = re.compile(r"(?<!\\)((?:\\\\)*+)\\\r?\n")
_HEADER = re.compile(r'\[[ \t]*([\w.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?[ \t]*\]')
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}
_SPECIAL = re.compile(r'["\\#;]')


def read_values(text: str, section: str, key: str) -> Iterator[tuple[str, str]]:
    """Yield (name, value) of a key in each `[section "name"]` of a text; the name of `[section]` is "".

    `section` and `key` are in lower case.
    """
    whole = _CONTINUED.sub(r"\1", text) if "\\" in text else text
    lines, variable = _patterns(key)
    name: str | None = None
    for line in lines.findall(whole):
        header = _HEADER.match(line)
        if line.startswith("["):
            is_wanted = header is not None and header[1].lower() == section
            name = _ESCAPED.sub(r"\1", header[2] or "") if header and is_wanted else None
        found = variable.match(line, header.end() if header else 0) if name is not None else None
        if found and name is not None:
            yield name, _parse_value(line[found.end() :])


@cache
def _patterns(key: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds the lines with a section or a key, and the beginning of the key's line."""
    lines = rf"^[ \t]*(\[.*|{key}[ \t]*=.*)"
    return re.compile(lines, re.MULTILINE | re.IGNORECASE), re.compile(
        rf"[ \t]*{key}[ \t]*=", re.IGNORECASE
    )


def _parse_value(raw: str) -> str:
    """Return a value without the space around it, without quotes, escapes and the comment behind it."""
    if not _SPECIAL.search(raw):
        return raw.strip()
    kept: list[str] = []
    length, is_quoted = 0, False
    characters = iter(raw.lstrip())
    for character in characters:
        if character == '"':
            is_quoted = not is_quoted
        elif character in "#;" and not is_quoted:
            break
        else:
            is_escaped = character == "\\"
            escaped = next(characters, "") if is_escaped else ""
            kept.append(_ESCAPES.get(escaped, escaped) if is_escaped else character)
            length = len(kept) if is_quoted or is_escaped or not character.isspace() else length
    return "".join(kept[:length])
