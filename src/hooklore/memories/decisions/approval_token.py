"""Issue and verify approval tokens, by which a person approves an act in advance.

A person gets a token at a terminal and gives it to a program without one. The token allows one act on
exactly the records that the person was shown. The log keeps only its digest.
"""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.memories.append import append_or_raise
from hooklore.memories.control_draft import draft_control
from hooklore.records import keys
from hooklore.records.draft import PERSON
from hooklore.records.record import Body

TOKEN_LIFETIME_HOURS = 24
"""Hours for which a token is valid."""


def issue_approval_token(broker: Broker, act: str, ids: Iterable[str]) -> str:
    """Return a new token for `act` on the records `ids`. Raise StoreError when the log does not keep it."""
    token = secrets.token_hex(6)
    until = datetime.fromisoformat(broker.now()) + timedelta(hours=TOKEN_LIFETIME_HOURS)
    body = Body.of(
        targets=[],
        verdict="grant",
        act=act,
        of=_digest(act, *sorted(ids)),
        grant=_digest(token),
        until=until.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
    )
    append_or_raise(broker, [draft_control("approval", "global", body, detail=act)])
    return token


def verify_approval_token(broker: Broker, token: str, act: str, ids: Iterable[str]) -> None:
    """Raise HookloreError unless a person has approved `act` on exactly the records `ids`."""
    problem = _token_problem(broker.as_reader(PERSON), broker.now(), token, act, ids)
    if problem is not None:
        raise HookloreError(
            f"could not {act}: {problem}",
            fix="ask the user to run it with `--token` at a terminal, for a new one",
        )


def _token_problem(
    reader: Reader, now: str, token: str, act: str, ids: Iterable[str]
) -> str | None:
    found = reader.history(keys.grant_digest(_digest(token.strip())), 1)
    grant = found[0].body if found else None
    if grant is None or grant.extra("act") != act:
        return "no such approval token"
    if (grant.extra("until") or "") < now:
        return f"the approval token is older than {TOKEN_LIFETIME_HOURS} hours"
    if grant.extra("of") != _digest(act, *sorted(ids)):
        return "the approval token was given for other records than there are now"
    return None


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\n".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()
