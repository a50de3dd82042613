"""The resources of the server: what every session may read without a tool, by the same access rules."""

from collections.abc import Mapping
from typing import Final

from mcp.types import Resource, TextResourceContents

PINS: Final = "hooklore://pins"
PROFILE: Final = "hooklore://profile"

_TEXT = "text/plain"

RESOURCES: Final[Mapping[str, Resource]] = {
    PINS: Resource(
        uri=PINS,
        name="pins",
        description="The pinned memories, which every session reads first.",
        mime_type=_TEXT,
    ),
    PROFILE: Resource(
        uri=PROFILE,
        name="profile",
        description="The user's preferences, rules and facts that memories hold now.",
        mime_type=_TEXT,
    ),
}

VERBS: Final[Mapping[str, str]] = {PINS: "pins", PROFILE: "profile"}
"""The verb of the request that answers for each resource."""


def contents_of(uri: str, text: str) -> TextResourceContents:
    """Return the text of a resource."""
    return TextResourceContents(uri=uri, text=text, mime_type=_TEXT)
