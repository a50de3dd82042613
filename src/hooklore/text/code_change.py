"""A change of one file, as an edit makes it."""

from typing import NamedTuple


class CodeChange(NamedTuple):
    """A file, the text that an edit takes out of it, and the text that the edit puts there."""

    path: str
    before: str
    after: str
