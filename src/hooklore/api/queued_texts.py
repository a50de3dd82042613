"""Reach the writes that wait on this machine, when a person forgets, hides or deletes what they say."""

import contextlib
import shutil
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from hooklore.api.outbox import QueuedWrite, list_outboxes, outbox_folder

_Change = Callable[[QueuedWrite], QueuedWrite | None]
"""Returns a write as it is to wait on: itself, another, or None for one that is to go."""


def forget_queued(home: str, texts: Collection[str]) -> int:
    """Remove what waits with one of these texts, and return how many writes changed. A message is a text, too."""
    wanted = {text.strip() for text in texts} - {""}
    return _change_all(home, lambda write: _without(write, wanted)) if wanted else 0


def make_queued_private(home: str, texts: Collection[str]) -> int:
    """Make private what waits with one of these texts, and return how many writes changed."""
    wanted = {text.strip() for text in texts} - {""}
    return _change_all(home, lambda write: _private(write, wanted)) if wanted else 0


def queued_files(home: str) -> list[Path]:
    """Return the files of all outboxes, those of refused writes included."""
    return [path for box in list_outboxes(home) for path in (*box.paths(), *box.refused())]


@contextlib.contextmanager
def sending_nothing(home: str) -> Iterator[None]:
    """Keep all outboxes as they are during the block, but those that another process sends from just now."""
    with contextlib.ExitStack() as stack:
        for box in list_outboxes(home):
            stack.enter_context(box.sending())
        yield


def remove_outboxes(home: str) -> int:
    """Remove all outboxes, and return how many writes were there. Raise OSError."""
    count = len(queued_files(home))
    folder = outbox_folder(home)
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)
        with contextlib.suppress(OSError):  # tokens of other stores may lie beside it
            folder.parent.rmdir()
    return count


def _change_all(home: str, change: _Change) -> int:
    count = 0
    with sending_nothing(home):
        for box in list_outboxes(home):
            for path in (*box.paths(), *box.refused()):
                write = box.read(path)
                changed = change(write) if write is not None else None
                if write is not None and changed is not write:
                    box.replace(path, changed)
                    count += 1
    return count


def _without(write: QueuedWrite, texts: Collection[str]) -> QueuedWrite | None:
    messages = write.arguments.get("messages")
    if not isinstance(messages, list):
        return None if _text_of(write) in texts else write
    left = [each for each in messages if str(each.get("text", "")).strip() not in texts]
    if len(left) == len(messages):
        return write
    return replace(write, arguments={**write.arguments, "messages": left}) if left else None


def _private(write: QueuedWrite, texts: Collection[str]) -> QueuedWrite | None:
    if _text_of(write) not in texts:
        return write
    event = write.arguments.get("event")
    if isinstance(event, dict):
        return replace(write, arguments={"event": {**event, "is_private": True}})
    return replace(write, arguments={**write.arguments, "private": True})


def _text_of(write: QueuedWrite) -> str:
    event: Any = write.arguments.get("event")
    given = event.get("content_md") if isinstance(event, dict) else write.arguments.get("content")
    return given.strip() if isinstance(given, str) else ""
