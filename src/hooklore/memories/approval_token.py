"""Approval in advance: a token that a person gets at a terminal and gives to what has none.

It says yes to one act on exactly the records that the person was shown; the log keeps its digest.
"""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from hooklore.broker.broker import Broker
from hooklore.errors import HookloreError
from hooklore.memories.archive import append_or_raise
from hooklore.records import keys
from hooklore.records.draft import Draft
from hooklore.records.record import Body
from hooklore.records.schema import SCHEMA_VERSION

TOKEN_LIFETIME_HOURS = 24
"""How long a token holds."""


def issue_approval_token(broker: Broker, act: str, ids: Iterable[str]) -> str:
    """A token for this act on these records. Raises StoreError when the log does not take it."""
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
    append_or_raise(broker, [Draft.of(
        v=SCHEMA_VERSION, stream="control", kind="approval", agent_id="person",
        scope="global", basis="user", source={"system": "cli", "detail": act}, body=body,
    )])  # fmt: skip
    return token


def verify_approval_token(broker: Broker, token: str, act: str, ids: Iterable[str]) -> None:
    """Raises HookloreError unless a person has said yes to this act on exactly these records."""
    problem = _problem(broker, token, act, ids)
    if problem is not None:
        raise HookloreError(
            f"could not {act}: {problem}",
            fix="ask the user to run it with `--token` at a terminal, for a new one",
        )


def _problem(broker: Broker, token: str, act: str, ids: Iterable[str]) -> str | None:
    found = broker.view.lookup(keys.grant_digest(_digest(token.strip())), 1)
    given = found[0].body if found else None
    if given is None or given.extra("act") != act:
        return "no such approval token"
    if (given.extra("until") or "") < broker.now():
        return f"the approval token is older than {TOKEN_LIFETIME_HOURS} hours"
    if given.extra("of") != _digest(act, *sorted(ids)):
        return "the approval token was given for other records than there are now"
    return None


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\n".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()
