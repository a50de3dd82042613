"""The fields of a line that this version understands: lines of a newer version, and of other writers.

A line is understood if its stream and kind are known and it has what nothing can stand for: an id, whom it
is for, and a body with its content. A field of an unknown type is left out, as if the line lacked that
field. A field that limits readers is never left out, because the record would then be told more widely:
such a line is not understood. The log keeps every line as it is.
"""

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, cast, get_args

from hooklore.records.ids import unpack_id
from hooklore.records.record import Body, Record, field_types
from hooklore.records.schema import KINDS, SCOPE_PATTERN, Basis, Confidence, Role, Visibility

Fields = dict[str, Any]
Types = dict[str, frozenset[type]]

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_KNOWN = frozenset((stream, kind) for stream, kinds in KINDS.items() for kind in kinds)
_CONTENT = {"memory": "content_md", "synthesis": "text"}
"""The field of a body without which a record of the stream says nothing."""

_LIMITING = ("role", "visibility", "privacy", "expires_at", "waits", "trust")
"""Fields that limit who is told a record, for how long and as what, beside `scope`."""

_SCOPE = re.compile(SCOPE_PATTERN)
_ROLES = frozenset(get_args(Role))
_VISIBILITIES = frozenset((*get_args(Visibility), "private"))  # `normalize_privacy` reads `private`
_UNSURE = {
    "basis": (frozenset((*get_args(Basis), None)), "inferred"),
    "confidence": (frozenset((*get_args(Confidence), None)), "low"),
}

_TYPES = field_types(Record) | {
    "v": frozenset((int,)),
    "body": frozenset((dict,)),
    "privacy": frozenset((str, type(None))),
}
del _TYPES[
    "is_private"
]  # `normalize_privacy` reads it by its meaning, and an unknown value as true
_BODY_TYPES = field_types(Body)


_STRING = frozenset((str,))
_MAX_SHAPES = 4096


class _Shapes:
    """A check that the fields of an object, given as names and types, are of the types that they may have."""

    def __init__(self, types: Types) -> None:
        self._types = types
        self._known: dict[tuple[object, ...], tuple[bool, tuple[str, ...]]] = {}

    def fit(self, fields: Fields) -> bool:
        """Return whether every field is of a type that it may have. A log has few shapes in many lines."""
        shape = (*fields, *map(type, fields.values()))
        is_fit, lists = self._known.get(shape) or self._learn(shape, fields)
        if is_fit and lists:
            return all(self.fits(name, fields[name]) for name in lists)
        return is_fit

    def _learn(self, shape: tuple[object, ...], fields: Fields) -> tuple[bool, tuple[str, ...]]:
        types = self._types
        is_fit = all(type(v) in types[n] for n, v in fields.items() if n in types)
        lists = (name for name, value in fields.items() if type(value) is list)
        known = is_fit, tuple(name for name in lists if name in types)
        if len(self._known) < _MAX_SHAPES:
            self._known[shape] = known
        return known

    def fits(self, name: str, value: object) -> bool:
        """Return whether the field `name` may have `value`."""
        types = self._types.get(name)
        if types is None:
            return True
        if type(value) is list:
            return list in types and _STRING.issuperset(map(type, cast("list[object]", value)))
        return type(value) in types

    def fitting(self, fields: Fields) -> Fields:
        """Return the fields that are of a type that they may have."""
        return {name: value for name, value in fields.items() if self.fits(name, value)}


_SHAPES = _Shapes(_TYPES)
_BODY_SHAPES = _Shapes(_BODY_TYPES)


def find_known_fields(fields: Fields) -> Fields | None:
    """Return those fields of a whole line that this version understands, or None if it is no record to it."""
    return fields if _is_plain(fields) else _known_fields(fields)


def _is_plain(fields: Fields) -> bool:
    """Return whether every field is as this version writes it: a quick test for a million lines."""
    get = fields.get
    return (
        _SHAPES.fit(fields)
        and _is_known_form(
            get("v"), get("stream"), get("kind"), get("scope"), get("role", "general"),
            get("visibility", "public"), get("basis"), get("confidence"),
        )
        and is_record_id(get("id"))
        and _is_time(get("ts"))
        and "body" in fields
        and _BODY_SHAPES.fit(fields["body"])
        and _has_content(fields)
    )  # fmt: skip


def _known_fields(fields: Fields) -> Fields | None:
    if not _has_envelope(fields) or not _has_content(fields):
        return None
    if not all(type(fields.get(name)) in (str, type(None)) for name in _LIMITING):
        return None
    known = {**_SHAPES.fitting(fields), "body": _BODY_SHAPES.fitting(fields["body"])}
    for name, (values, unsure) in _UNSURE.items():
        if (name in fields and name not in known) or known.get(name) not in values:
            known[name] = unsure
    return known if _is_time(known.get("ts")) else _with_time_of_id(known)


def is_record_id(value: object) -> bool:
    """Return whether `value` is an id as every version writes it."""
    return type(value) is str and _ID.fullmatch(value) is not None


def _has_envelope(fields: Fields) -> bool:
    """Return whether a line says what it is, and for whom, in words of this version."""
    form = [fields.get(name) for name in ("v", "stream", "kind", "scope")]
    audience = (fields.get("role", "general"), fields.get("visibility", "public"))
    return (
        type(form[0]) is int
        and all(type(value) is str for value in (*form[1:], *audience))
        and is_record_id(fields.get("id"))
        and type(fields.get("body")) is dict
        and _is_known_form(*form, *audience, None, None)
    )


@lru_cache(maxsize=4096)
def _is_known_form(*form: Any) -> bool:
    """Return whether version, stream, kind, scope, role, visibility, basis and confidence are known ones."""
    v, stream, kind, scope, role, visibility, basis, confidence = form
    is_known = (stream, kind) in _KNOWN and role in _ROLES and visibility in _VISIBILITIES
    is_sure = basis in _UNSURE["basis"][0] and confidence in _UNSURE["confidence"][0]
    has_place = scope is not None and _SCOPE.fullmatch(scope) is not None
    return is_known and is_sure and has_place and v is not None and v > 0


def _has_content(fields: Fields) -> bool:
    name = _CONTENT.get(fields["stream"])
    return name is None or type(fields["body"].get(name)) is str


def _is_time(value: object) -> bool:
    if type(value) is not str or value[10:11] != "T" or not value.endswith("Z"):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _with_time_of_id(fields: Fields) -> Fields | None:
    """Return the fields with the time in the record's id, for a line that names no time."""
    try:
        moment = datetime.fromtimestamp(unpack_id(fields["id"])[0] / 1000, UTC)
    except (ValueError, OverflowError):
        return None
    ts = moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
    return {**fields, "ts": ts}
