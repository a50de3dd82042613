"""The calls of functions of one package, in the order in which they happen."""

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

from tests.house.layers import height


class Function(NamedTuple):
    """One `def` of the package."""

    module: str
    name: str
    line: int


class Call(NamedTuple):
    """One call event: the function, and the function of the package that called it, if any."""

    function: Function
    caller: Function | None


class CallRecord:
    """All calls of named functions below `package`.

    Lambdas, comprehensions, class bodies and module bodies are left out. A generator counts as
    called each time it is resumed.
    """

    def __init__(self, package: Path) -> None:
        self._package = f"{package.resolve()}/"
        self.calls: list[Call] = []

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record the calls of this thread."""
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def modules(self) -> set[str]:
        """Return the distinct modules."""
        return {call.function.module for call in self.calls}

    def functions(self) -> set[Function]:
        """Return the distinct functions."""
        return {call.function for call in self.calls}

    def re_entries(self) -> int:
        """Count the calls into a higher layer than that of the call event before."""
        heights = [height(call.function.module) for call in self.calls]
        return sum(after > before for before, after in pairwise(heights))

    def upward_calls(self) -> int:
        """Count the calls into a higher layer than that of the calling function."""
        return sum(
            height(call.function.module) > height(call.caller.module)
            for call in self.calls
            if call.caller
        )

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and (function := self._function(frame.f_code)):
            self.calls.append(Call(function, self._caller(frame)))

    def _caller(self, frame: FrameType) -> Function | None:
        """Return the nearest function of the package up the stack."""
        above = frame.f_back
        while above is not None:
            if found := self._function(above.f_code):
                return found
            above = above.f_back
        return None

    def _function(self, code: CodeType) -> Function | None:
        is_def = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<")
        if not is_def or not code.co_filename.startswith(self._package):
            return None
        module = code.co_filename.removeprefix(self._package)
        return Function(module, code.co_qualname, code.co_firstlineno)
