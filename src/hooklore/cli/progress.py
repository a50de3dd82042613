"""Progress of long work, on stderr: a bar at a terminal, nothing in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A function to be told how many are done, of `total` (None or 0: nobody knows)."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total or None)
        yield lambda done: bar.update(task, completed=done)
