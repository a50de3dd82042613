"""Looks at the file of access tokens, and says whether it is safe and which tokens end soon."""

from hooklore.agents.check import Check, listed
from hooklore.cli.doctor.facts import Facts, TokenFacts, failed, known, noted, passed
from hooklore.config import StoreLocation
from hooklore.errors import StoreUnreadable
from hooklore.gateway.presence import list_running
from hooklore.requests.access_tokens import TokenFile
from hooklore.requests.token_kinds import AccessToken
from hooklore.text.plural import format_count

_SOON = 14 * 86_400.0
"""Seconds before its end from which a token is named."""


def token_facts(place: StoreLocation, home: str) -> TokenFacts:
    """Return the store's tokens, or why their file is not used."""
    file = TokenFile(place, home)
    try:
        tokens = file.list()
    except StoreUnreadable as error:
        return TokenFacts(str(file.path), problem=(error.cause, error.fix))
    is_in_store = file.path.exists() and file.is_in_store
    running = {each.url: each.answers() for each in list_running(place)}
    answering = tuple(url for url, answers in running.items() if answers)
    silent = tuple(url for url, answers in running.items() if not answers)
    return TokenFacts(str(file.path), tokens, is_in_store, answering, silent)


def access_tokens(facts: Facts) -> Check:
    """Check that the tokens' file is private and outside the store, and that no token is about to end."""
    found = known(facts.tokens)
    if found.problem is not None:
        why, fix = found.problem
        return failed(f"every token is refused: `{found.path}`: {why}", fix)
    if found.is_in_store:
        why = f"`{found.path}` lies in the store, which may be searched and copied"
        return failed(why, "set HOOKLORE_HOME to another folder, in your shell's profile")
    if found.silent:
        return failed(f"the gateway at {listed(found.silent)} does not answer", "hooklore gateway")
    if not found.tokens:
        return passed("there are none")
    answering = f"a gateway answers at {listed(found.answering)}"
    gateway = answering if found.answering else "no gateway runs"
    ending = [_end(each, facts.now) for each in found.tokens if each.is_over(facts.now + _SOON)]
    if ending:
        return noted(f"{listed(ending)}; {gateway}", "hooklore token create --help")
    count = format_count(len(found.tokens), "token")
    agents = listed(sorted({token.agent for token in found.tokens}))
    return passed(f"{count} ({agents}) in `{found.path}`, which only you may read; {gateway}")


def _end(token: AccessToken, now: float) -> str:
    verb = "ended" if token.is_over(now) else "ends"
    return f"token {token.id} of {token.agent} {verb} on {str(token.expires_at)[:10]}"
