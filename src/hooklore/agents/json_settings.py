"""JSON settings of an agent, with comments where the client takes them: bytes, text and document."""

import json
from collections.abc import Mapping
from typing import Any

from hooklore.agents import json_text
from hooklore.agents.json_text import blank_comments, is_blank, root


class JsonSettings:
    """The part of a `SettingsFormat` that every form of JSON settings has.

    `consequence` says what the client does with a file that is not JSON. `allows_comments` says that the
    client takes comments in it.
    """

    __slots__ = ()

    consequence: str
    allows_comments: bool

    def decode(self, raw: bytes, path: str) -> tuple[bytes, str]:
        """Return the byte order mark or b"", and the text. Raise SettingsError."""
        return json_text.decode(raw, path)

    def encode(self, text: str) -> bytes:
        """Return the bytes that `decode` came from."""
        return json_text.encode(text)

    def is_blank(self, text: str) -> bool:
        """Return whether the file says nothing at all."""
        return is_blank(text)

    def check(self, text: str, path: str) -> None:
        """Raise SettingsError unless the client would read this text."""
        json_text.check(text, path, self.consequence, allows_comments=self.allows_comments)

    def read(self, text: str) -> Mapping[str, Any]:
        """Return the settings of a checked text. Numbers become floats, however many digits they have."""
        plain = blank_comments(text)
        document: Mapping[str, Any] = {} if is_blank(text) else json.loads(plain, parse_int=float)
        return document

    def is_empty(self, text: str) -> bool:
        """Return whether a checked text holds no setting."""
        return not root(text).children
