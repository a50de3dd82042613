"""Regular expressions compiled at their first use: a hook may wait for the start of a resident, and needs few."""

import re
from collections.abc import Callable
from typing import Any, Final, cast


class _LatePattern:
    """Stands for a pattern until one of its methods is used."""

    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags
        self._compiled: re.Pattern[str] | None = None

    def compile(self) -> re.Pattern[str]:
        """Return the compiled pattern, which is made once."""
        self._compiled = self._compiled or re.compile(self._source, self._flags)
        return self._compiled

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the compiled pattern, which the next use finds here."""
        found = getattr(self.compile(), name)
        self.__dict__[name] = found
        return found


_WAITING: Final[list[_LatePattern]] = []


def compile_late(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what acts as `re.compile(source, flags)`. An error in `source` is raised at the first use."""
    pattern = _LatePattern(source, flags)
    _WAITING.append(pattern)
    return cast("re.Pattern[str]", pattern)


def compile_waiting(give_way: Callable[[], None]) -> None:
    """Compile what no hook has used yet. `give_way` waits a moment while hooks are served."""
    while _WAITING:
        give_way()
        _WAITING.pop().compile()
