"""Show the progress of long work on stderr: a bar, a rate and the time left at a terminal, nothing in a pipe."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


@contextmanager
def progress(description: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of items done, of `total` where that is known."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    with _bar() as bar:
        task = bar.add_task(description, total=total or None, rate="")
        started = time.monotonic()

        def advance(done: int) -> None:
            bar.update(task, completed=done, rate=format_rate(done, time.monotonic() - started))

        yield advance


def _bar() -> "Progress":
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)


def format_rate(done: int, seconds: float) -> str:
    """Return how many items a second were done, `1,234/s`; nothing before there is a figure."""
    return f"{done / seconds:,.0f}/s" if done and seconds > 0 else ""
