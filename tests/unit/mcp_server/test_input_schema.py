"""The JSON Schema of a tool's arguments."""

from typing import Literal

from pydantic import BaseModel, Field

from hooklore.mcp_server.input_schema import input_schema


class _Inner(BaseModel):
    name: str = Field(min_length=1)


class _Arguments(BaseModel):
    """Arguments of every form that a schema shortens."""

    content: str = Field(min_length=1, max_length=10, description="Said once.")
    key: str = ""
    tags: list[str] = []
    limit: int = Field(default=10, ge=1, le=50)
    private: bool = Field(default=False, description="Kept internal.")
    since: str | None = None
    size: int | str | None = None
    kind: Literal["", "fact", "rule"] = ""
    inner: list[_Inner] = []


def test_a_schema_tells_types_and_defaults_and_neither_titles_nor_lengths_nor_null() -> None:
    assert input_schema(_Arguments) == {
        "type": "object",
        "properties": {
            "content": {"type": "string", "description": "Said once."},
            "key": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "limit": {"type": "integer", "default": 10},
            "private": {"type": "boolean", "default": False, "description": "Kept internal."},
            "since": {"type": "string"},
            "size": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "kind": {"type": "string", "enum": ["fact", "rule"]},
            "inner": {"type": "array", "items": {"$ref": "#/$defs/_Inner"}},
        },
        "required": ["content"],
        "$defs": {
            "_Inner": {
                "type": "object",
                "properties": {"name": {"type": "string"}},
                "required": ["name"],
            }
        },
    }
