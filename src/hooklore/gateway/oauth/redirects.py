"""The addresses to which an authorization code may be sent: a short list, for whoever gets one may use it."""

from collections.abc import Sequence
from typing import Final

from pydantic import AnyUrl, TypeAdapter, ValidationError

from hooklore.agents.guests import list_connector_hosts
from hooklore.errors import HookloreError
from hooklore.requests.consent_codes import HOST

_LOOPBACK: Final = ("127.0.0.1", "[::1]", "localhost")
_URL: Final = TypeAdapter(AnyUrl)
"""It reads an address as browsers do: host in lower case, backslashes as slashes, dots of the path resolved."""


class Redirects:
    """The redirect URIs that a client may have: on loopback, at the agents' own services, and exactly `others`."""

    def __init__(self, others: Sequence[str]) -> None:
        """Raise HookloreError for one of the others that is no address of a page with TLS."""
        self._others = frozenset(map(_checked, others))
        self._known = list_connector_hosts()

    def allow(self, url: AnyUrl) -> bool:
        """Return whether a code may be sent to `url`."""
        if str(url) in self._others:
            return True
        if _has_more(url):
            return False
        if url.host in _LOOPBACK:
            return url.scheme in ("http", "https")
        return url.scheme == "https" and url.port == 443 and url.host in self._known

    def pick(self, given: Sequence[str]) -> list[AnyUrl]:
        """Return those of a client's addresses that are allowed today."""
        return [url for url in map(_URL.validate_python, given) if self.allow(url)]


def origin_of(url: AnyUrl) -> str:
    """Return an address without its path, as a policy of a page names it. None can name an IPv6 host."""
    host = str(url.host)
    return f"{url.scheme}:" if host.startswith("[") else f"{url.scheme}://{host}:{url.port}"


def _has_more(url: AnyUrl) -> bool:
    """Return whether an address has what no redirect may have (RFC 6749 section 3.1.2), or hides its host."""
    return bool(url.username or url.password or url.fragment is not None)


def _checked(given: str) -> str:
    try:
        url = _URL.validate_python(given)
    except ValidationError:
        url = None
    if url is None or url.scheme != "https" or _has_more(url) or not HOST.fullmatch(str(url.host)):
        raise HookloreError(
            "could not use `--allow-redirect`: it must be like `https://app.example.org/callback`",
            fix="give the whole address, without a name, a password or a fragment",
        )
    return str(url)
