"""The type of a JSON value, for functions that walk one of any shape."""

from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
