"""Find the parts of a settings file that make Claude Code drop the file or an entry, as the client shows.

2.1.197 ignores a whole file for one invalid hook entry, 2.1.329 skips the entry; both ignore a file
with another setting of the wrong type. Either is silent in `-p`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

_TOP_LEVEL: dict[str, tuple[type, ...]] = {
    "env": (dict,), "permissions": (dict,), "disableAllHooks": (bool,), "model": (str,),
    "cleanupPeriodDays": (int, float), "enabledPlugins": (dict,),
}  # fmt: skip
_NEEDED = {
    "command": "command", "http": "url", "prompt": "prompt", "agent": "prompt", "mcp_tool": "server",
}  # fmt: skip
"""What an entry of each type cannot be without."""

_NAMES = {dict: "an object", str: "a string", bool: "true or false", int: "a number"}

_Problems = Iterator[str]


def dropping(document: Mapping[str, Any]) -> list[str]:
    """Return why every version of the client ignores this whole file."""
    return [
        f"`{key}` must be {_NAMES[kinds[0]]}"
        for key, kinds in _TOP_LEVEL.items()
        if key in document and not _is(document[key], kinds)
    ]


def invalid_entries(document: Mapping[str, Any]) -> list[str]:
    """Return the hook entries that older clients ignore the whole file for: `hooks.Stop[0]: …`."""
    hooks = document.get("hooks", {})
    if not isinstance(hooks, dict):
        return ["`hooks` must be an object"]
    listed = (_of_array(f"hooks.{event}", groups, _of_group) for event, groups in hooks.items())
    return [problem for problems in listed for problem in problems]


def _of_array(
    where: str, values: object, judge: Callable[[str, Mapping[str, Any]], _Problems]
) -> _Problems:
    if not isinstance(values, list):
        yield f"`{where}` must be an array"
    for number, each in enumerate(values if isinstance(values, list) else ()):
        if isinstance(each, dict):
            yield from judge(f"{where}[{number}]", each)
        else:
            yield f"`{where}[{number}]` must be an object"


def _of_group(where: str, group: Mapping[str, Any]) -> _Problems:
    if not isinstance(group.get("matcher", ""), str):
        yield f"`{where}.matcher` must be a string"
    yield from _of_array(f"{where}.hooks", group.get("hooks"), _of_entry)


def _of_entry(where: str, entry: Mapping[str, Any]) -> _Problems:
    kind, limit = entry.get("type"), entry.get("timeout", 1)
    needed = _NEEDED.get(kind) if isinstance(kind, str) else None
    if needed is None:
        yield f"`{where}.type` must be one of {', '.join(_NEEDED)}"
        return
    if not isinstance(entry.get(needed), str):
        yield f"`{where}.{needed}` must be a string"
    if not _is(limit, (int, float)) or limit <= 0:
        yield f"`{where}.timeout` must be a number above 0"


def _is(value: object, kinds: tuple[type, ...]) -> bool:
    """Return whether a value has one of these types. JSON's true is no number, though Python's is."""
    return isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))
