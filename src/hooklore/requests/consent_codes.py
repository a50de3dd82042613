"""Codes by which a person at a terminal opens memory to a program elsewhere: drawn there, typed into its page.

A code has 60 bits, ten minutes, five tries and one use, and opens memory to one host alone.
"""

import hmac
import re
import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pydantic import AnyHttpUrl, ValidationError

from hooklore.agents.agent import AgentPermission
from hooklore.errors import ArgumentInvalid
from hooklore.requests.access_tokens import Changes, TokenFile, new_id
from hooklore.requests.token_kinds import AccessToken, ConsentCode, digest_of, rfc3339

MINUTES: Final = 10
HOST: Final = re.compile(r"[a-z0-9.-]+|\[[0-9a-f:]+\]")
_TRIES: Final = 5
_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: five bits each
_ALIKE: Final = str.maketrans("OIL", "011")
_LONGEST: Final = 100


def create_code(
    tokens: TokenFile,
    agent: str,
    host: str,
    *,
    scopes: Sequence[str],
    permission: AgentPermission,
    days: int,
    now: float,
) -> tuple[ConsentCode, str]:
    """Add a code for a host, whose grant lives for `days`. Return it, and its text, which nothing keeps."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(12))
    code = ConsentCode(
        id=new_id(), agent=agent, digest=digest_of(letters), store=tokens.store, scopes=tuple(scopes),
        permission=permission, created_at=rfc3339(now), expires_at=rfc3339(now + MINUTES * 60),
        host=host, days=days, tries=_TRIES,
    )  # fmt: skip
    tokens.change(now, lambda _: {code.id: code})
    return code, f"{letters[:4]}-{letters[4:8]}-{letters[8:]}"


def take_code(tokens: TokenFile, host: str, typed: str, now: float) -> ConsentCode | None:
    """Return the code that a person typed for a host, and remove it. Return None for a wrong one.

    A wrong one takes a try from every code that waits: nobody knows which one was meant. All is counted in the
    file, under its lock. Raise StoreError where that cannot be written.
    """
    digest, taken = digest_of(_letters(typed)), None

    def decide(found: tuple[AccessToken, ...]) -> Changes:
        nonlocal taken
        waiting = [each for each in found if isinstance(each, ConsentCode)]
        for each in waiting:
            if hmac.compare_digest(each.digest, digest) and each.host == host:
                taken = each
        if taken is not None:
            return {taken.id: None}
        return {each.id: _without_a_try(each) for each in waiting}

    if any(isinstance(each, ConsentCode) for each in tokens.entries()):
        tokens.change(now, decide)
    return taken


def host_of(text: str) -> str:
    """Return a host in the form in which a redirect names it. Raise ArgumentInvalid for what is no host alone."""
    try:
        url = AnyHttpUrl(f"https://{text}/")
    except ValidationError:
        url = None
    if url is None or str(url) != f"https://{url.host}/" or not HOST.fullmatch(str(url.host)):
        raise ArgumentInvalid("oauth", "must be the host that the page names, like `chatgpt.com`")
    return str(url.host)


def _without_a_try(code: ConsentCode) -> ConsentCode | None:
    return replace(code, tries=code.tries - 1) if code.tries > 1 else None


def _letters(typed: str) -> str:
    """Return what a person typed as a code has it: whatever the case, the width, the dashes, O for 0, I for 1."""
    wide = unicodedata.normalize("NFKC", typed[:_LONGEST]).upper()
    return "".join(char for char in wide if char.isalnum()).translate(_ALIKE)
