"""Issue and redeem the one-time tokens by which a person confirms, in the client, what an agent runs.

A hook puts a token into the command that it makes the client ask about. The command gets it only after
the person said yes. The store keeps a digest, for two minutes, in a file that the first use removes.
"""

import hashlib
import os
import secrets
from collections.abc import Sequence
from typing import Final

from hooklore.broker.principal_reader import Reader
from hooklore.config import StoreLocation
from hooklore.errors import HookloreError
from hooklore.index.record_keys import version_line_key
from hooklore.memories.entries import find_current
from hooklore.memories.pins import reader_places
from hooklore.records.ids import is_record_id
from hooklore.records.record import Record

TOKEN_SECONDS: Final = 120
"""Seconds for which a token can be used."""

_FOLDER = "confirmations"
_NAMED = 20
"""Records that the words of one command may name."""


class NotConfirmed(HookloreError):
    """No person has confirmed an act. `verb` is the command's."""

    def __init__(self, verb: str, cause: str) -> None:
        super().__init__(
            f"could not {verb} it: {cause}",
            fix="the user runs it in a terminal of their own, or says yes when the client asks",
        )


def issue(
    place: StoreLocation, now_seconds: float, session: str, words: Sequence[str], ids: Sequence[str]
) -> str:
    """Return a new token for one run of a command in a session. Tokens that nobody used are removed.

    The token fits these `words` and the records `ids` that they name now. Raise OSError.
    """
    folder = place.directory / _FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for old in folder.iterdir():
        try:
            if float(old.read_text().partition(" ")[0]) < now_seconds:
                old.unlink()
        except (OSError, ValueError):
            old.unlink(missing_ok=True)
    token = secrets.token_hex(12)
    path = folder / _digest(token)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(f"{now_seconds + TOKEN_SECONDS:.0f} {_digest(session, *words, '', *ids)}")
    return token


def redeem(
    place: StoreLocation,
    now_seconds: float,
    token: str,
    act: tuple[str, Sequence[str], Sequence[str]],
) -> None:
    """Use a token up. Raise NotConfirmed unless it was issued for this act, lately, and never used.

    `act` is the session, the words of the command and the ids of the records that they name.
    """
    session, words, ids = act
    verb = words[0] if words else "do"
    path = place.directory / _FOLDER / _digest(token)
    try:
        until, issued_for = path.read_text().split(" ")
        path.unlink()
    except (OSError, ValueError):
        raise NotConfirmed(verb, "the confirmation is unknown, or was used before") from None
    if now_seconds > float(until):
        raise NotConfirmed(verb, f"the confirmation is older than {TOKEN_SECONDS // 60} minutes")
    if issued_for != _digest(session, *words, "", *ids):
        raise NotConfirmed(verb, "the confirmation was given for another command")


def find_named(reader: Reader, words: Sequence[str]) -> list[Record]:
    """Return the records that the words of a command name, by id or by key, at most twenty."""
    found: dict[str, Record] = {}
    for word in words[1:]:
        if word and not word.startswith("-"):
            named = reader.find(word.lower()) if is_record_id(word) else []
            current = find_current(reader, word, reader_places(reader.principal))
            found |= {record.id: record for record in named or filter(None, [current])}
    return list(found.values())[:_NAMED]


def find_replaced(reader: Reader, waiting: Record) -> Record | None:
    """Return the memory whose place a waiting one takes when it is approved."""
    return reader.latest_active_version(version_line_key(waiting))


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()
