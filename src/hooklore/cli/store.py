"""Open the user's store for one command."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hooklore.config import StoreLocation, load_settings, locate_store, read_environment
from hooklore.errors import ConfigError, HookloreError, LogError
from hooklore.records.draft import ACKNOWLEDGED, ProjectKeys, Receipt

if TYPE_CHECKING:
    from hooklore.broker import Broker
    from hooklore.broker.broker import WriteTracer

_LOCK_SECONDS = 10.0
T = TypeVar("T")


def here() -> StoreLocation:
    """Return where the user's store lies. Raise ConfigError."""
    return locate_store(read_environment())


def home() -> str:
    """Return the user's home directory. Raise ConfigError when the environment does not name one."""
    found = read_environment().get("HOME")
    if not found:
        raise ConfigError("environment", "HOME", "it is not set")
    return found


def folder(path: Path | None) -> str:
    """Return `path`, or the working directory, as an absolute path. Raise HookloreError when the latter is gone."""
    try:
        return os.path.abspath(path) if path is not None else os.getcwd()
    except OSError as error:
        raise HookloreError(
            f"could not find this folder: {error.strerror}", fix="change into one that exists"
        ) from None


def keys_of(path: Path | None) -> ProjectKeys | None:
    """Return the keys of the project around a folder, or None when there is no project."""
    from hooklore.hooks.project import project_keys

    return project_keys(folder(path), None, home())


@contextmanager
def opened(trace: "WriteTracer | None" = None) -> Iterator["Broker"]:
    """Yield the broker of the user's store, up to date with its log. `trace` gets each step of a write."""
    from hooklore.broker import Broker
    from hooklore.cli import output

    at = here()
    settings = load_settings(at.config)
    for problem in settings.problems:
        output.say(f"note: {output.one_line(str(problem))}")
    broker = Broker(at, settings, wait=_LOCK_SECONDS, trace=trace)
    try:
        broker.refresh()
        yield broker
    finally:
        broker.close()


def require_acknowledged(receipts: list[Receipt], at: StoreLocation) -> None:
    """Raise LogError unless the log or the spool keeps every draft: the command line fails closed."""
    for receipt in receipts:
        if receipt.status not in ACKNOWLEDGED:
            raise LogError(str(at.log), receipt.reason or receipt.status)


def without_resident(work: Callable[[], T], attempts: int) -> T:
    """Stop the resident and do `work`, again where a hook has started one in between."""
    from hooklore.resident import call

    call.stop_resident(here())
    try:
        return work()
    except LogError:
        if attempts == 1:
            raise
    return without_resident(work, attempts - 1)
