"""The last use of each token, to the minute: a person looks at it before taking one back."""

import math
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from pydantic import BaseModel

from hooklore.config import read_owned_file
from hooklore.requests.private_file import replace_private_file
from hooklore.requests.token_kinds import rfc3339

_SECONDS_BETWEEN_MARKS = 60.0


class _Uses(BaseModel):
    """The last use of each token, by its id."""

    last_used: Mapping[str, str] = {}


class TokenUses:
    """The last uses of tokens, in a file beside theirs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._marked: dict[str, float] = {}

    def is_due(self, id_: str, now: float) -> bool:
        """Return whether a use is to be noted: at most once a minute."""
        if abs(now - self._marked.get(id_, -math.inf)) < _SECONDS_BETWEEN_MARKS:
            return False
        self._marked[id_] = now
        return True

    def note(
        self,
        id_: str,
        now: float,
        ids: Collection[str],
        lock: Callable[[], AbstractContextManager[None]],
    ) -> None:
        """Note a use, and forget those of tokens that are not among `ids`. Raise OSError."""
        with lock():
            used = {**self._read(), id_: rfc3339(now)}
            kept = _Uses(last_used={each: at for each, at in used.items() if each in ids})
            replace_private_file(self.path, kept.model_dump_json(indent=2).encode())

    def last(self, id_: str) -> str | None:
        """Return when a token was last used, or None."""
        return self._read().get(id_)

    def _read(self) -> Mapping[str, str]:
        try:
            raw = read_owned_file(self.path, follow=False)
            return _Uses.model_validate_json(raw).last_used
        except (OSError, ValueError):
            return {}
