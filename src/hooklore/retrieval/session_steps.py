"""The steps of a session that a rule of order asks about: the commands that passed, and the files that changed."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from hooklore.broker.principal_reader import Reader
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.shell.acts import acts_shown
from hooklore.shell.calls import Call, list_calls
from hooklore.shell.command import find_written_file

_READ = (40, 300)
"""Records of a session, the newest, among which its steps are looked for: most are found among the first."""

_IN_PLACE = re.compile(r"(?:^|[;&|]\s*)(?:sed|perl)\s+(?:\S+\s+)*?-\w*i\w*(?:\s|$)")
_NO_SOURCE = re.compile(
    r"^(?:/|~|&|\$)|\.(?:log|txt|out|tmp|json|csv|html|xml|diff|patch|bak|sql|dump|gz)$|^[^.]*$"
)


class SessionStep(NamedTuple):
    """A step that went well: its calls, the files that it surely changed, and the lock files that it rewrote."""

    id: str
    calls: tuple[Call, ...] = ()
    changed: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()


_LOCKED_BY = {
    "npm": "package-lock.json", "pnpm": "pnpm-lock.yaml", "yarn": "yarn.lock", "bun": "bun.lock", "uv": "uv.lock",
    "poetry": "poetry.lock", "cargo": "Cargo.lock", "go": "go.sum", "bundle": "Gemfile.lock",
    "composer": "composer.lock",
}  # fmt: skip


class SessionSteps:
    """The last steps of a session that went well, the newest first, read as far as they are asked for."""

    def __init__(self, reader: Reader, session: str | None) -> None:
        self._reader, self._session = reader, session
        self._known: list[SessionStep] = []
        self._sizes = list(_READ if session else ())
        self._oldest = ""

    def __iter__(self) -> Iterator[SessionStep]:
        """Yield the steps."""
        given = 0
        while given < len(self._known) or self._read_more():
            yield from self._known[given:]
            given = len(self._known)

    def _read_more(self) -> bool:
        """Read further back until there is another step, and return whether there is."""
        before = len(self._known)
        while self._sizes and len(self._known) == before:
            key, most = keys.in_session(self._session), self._sizes.pop(0)
            found = self._reader.lookup_among(key, most)
            self._known += _read([r for r in found if not self._oldest or r.id < self._oldest])
            self._oldest = found[-1].id if found else ""
        return len(self._known) > before


def _read(records: list[Record]) -> Iterator[SessionStep]:
    for record in records:
        body = record.body
        if record.kind != "tool_result" or body.outcome in ("failure", "partial"):
            continue
        if body.artifacts:
            yield SessionStep(record.id, changed=tuple(p for p in body.artifacts if p[:1] != "/"))
        elif body.command:
            yield _read_command(record.id, body.command)


def _read_command(id_: str, command: str) -> SessionStep:
    calls = list_calls(command)
    locked = (
        _LOCKED_BY.get(each.program, "") for each in calls if "add a dependency" in acts_shown(each)
    )
    return SessionStep(id_, calls, tuple(_written(command)), tuple(filter(None, locked)))


def _written(command: str) -> Iterator[str]:
    """Yield the files that a command surely rewrites: `sed -i`, `> src/x.py`."""
    written = find_written_file(command, _is_source)
    if written:
        yield written
    if _IN_PLACE.search(command):
        yield from (
            call.operands[-1]
            for call in list_calls(command)
            if call.operands and call.program in ("sed", "perl")
        )


def _is_source(path: str) -> bool:
    return _NO_SOURCE.search(path) is None
