"""The JSON Schema of a tool's arguments, in the fewest tokens: every session of every agent carries it."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

Schema = dict[str, Any]
"""A JSON Schema, or a part of one."""

_TITLE = frozenset(("title",))
_LIMITS = frozenset(("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"))
_NOTHING: tuple[object, ...] = (None, "", [])


def input_schema(arguments: type[BaseModel], *, has_limits: bool = False) -> Schema:
    """Return the schema of a tool's arguments, the required ones first.

    Titles repeat the names of fields. An argument that may be null, or is empty by default, may as well be
    left out. Limits are told by the error of whoever exceeds them, unless `has_limits`. All else stands as in
    the model.
    """
    whole = arguments.model_json_schema()
    left_out = _TITLE if has_limits else _TITLE | _LIMITS
    required = whole.get("required", ())
    named = sorted(whole.get("properties", {}).items(), key=lambda each: each[0] not in required)
    schema: Schema = {"type": "object", "properties": _shorten_all(dict(named), left_out)}
    if whole.get("required"):
        schema["required"] = whole["required"]
    if "$defs" in whole:
        schema["$defs"] = _shorten_all(whole["$defs"], left_out)
    return schema


def _shorten_all(parts: Mapping[str, Schema], left_out: frozenset[str]) -> Mapping[str, Schema]:
    return {name: _shorten(part, left_out) for name, part in parts.items()}


def _shorten(part: Schema, left_out: frozenset[str]) -> Schema:
    """Return one property without what is left out, and without null or nothing as its default."""
    kept = {name: value for name, value in part.items() if name not in left_out}
    if kept.get("default", ...) in _NOTHING:
        del kept["default"]
    if "enum" in kept:
        kept["enum"] = [each for each in kept["enum"] if each not in _NOTHING]
    choices = [
        _shorten(each, left_out) for each in kept.pop("anyOf", ()) if each != {"type": "null"}
    ]
    if len(choices) == 1:
        return choices[0] | kept
    if choices:
        kept["anyOf"] = choices
    if "items" in kept:
        kept["items"] = _shorten(kept["items"], left_out)
    if "properties" in kept:
        kept["properties"] = _shorten_all(kept["properties"], left_out)
    return kept
