"""Find the parts of a settings file that make Claude Code drop the file or an entry, as the client shows.

2.1.197 ignores a whole file for one invalid hook entry, 2.1.329 skips the entry; both ignore a file
with another setting of the wrong type. Either is silent in `-p`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

_TOP_LEVEL: dict[str, tuple[type, ...]] = {
    "hooks": (dict,),
    "env": (dict,),
    "permissions": (dict,),
    "disableAllHooks": (bool,),
    "model": (str,),
    "cleanupPeriodDays": (int, float),
    "enabledPlugins": (dict,),
}
_NEEDED = {
    "command": "command",
    "http": "url",
    "prompt": "prompt",
    "agent": "prompt",
    "mcp_tool": "server",
}
"""What an entry of each type cannot be without."""

_NAMES = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
}


def dropping(document: Mapping[str, Any]) -> list[str]:
    """Yield why every version of the client ignores this whole file."""
    return [
        f"`{key}` must be {_NAMES[kinds[0]]}"
        for key, kinds in _TOP_LEVEL.items()
        if key != "hooks" and key in document and not _is(document[key], kinds)
    ]


def invalid_entries(document: Mapping[str, Any]) -> list[str]:
    """Hook entries that older clients ignore the whole file for: `hooks.Stop[0]: …`."""
    hooks = document.get("hooks", {})
    if not isinstance(hooks, dict):
        return ["`hooks` must be an object"]
    return [problem for event, groups in hooks.items() for problem in _of_event(event, groups)]


def _of_event(event: str, groups: object) -> Iterator[str]:
    if not isinstance(groups, list):
        yield f"`hooks.{event}` must be an array"
        return
    for number, group in enumerate(groups):
        yield from _of_group(f"hooks.{event}[{number}]", group)


def _of_group(where: str, group: object) -> Iterator[str]:
    if not isinstance(group, dict):
        yield f"`{where}` must be an object"
        return
    if not isinstance(group.get("matcher", ""), str):
        yield f"`{where}.matcher` must be a string"
    entries = group.get("hooks")
    if not isinstance(entries, list):
        yield f"`{where}.hooks` must be an array"
        return
    for number, entry in enumerate(entries):
        yield from _of_entry(f"{where}.hooks[{number}]", entry)


def _of_entry(where: str, entry: object) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield f"`{where}` must be an object"
        return
    kind = entry.get("type")
    if not isinstance(kind, str) or kind not in _NEEDED:
        yield f"`{where}.type` must be one of {', '.join(_NEEDED)}"
        return
    if not isinstance(entry.get(_NEEDED[kind]), str):
        yield f"`{where}.{_NEEDED[kind]}` must be a string"
    limit = entry.get("timeout", 1)
    if not _is(limit, (int, float)) or limit <= 0:
        yield f"`{where}.timeout` must be a number above 0"


def _is(value: object, kinds: tuple[type, ...]) -> bool:
    """JSON's true is no number, though Python's is."""
    return isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))
