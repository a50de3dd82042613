"""The addresses of a gateway: where it listens, and by which names it may be asked."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from hooklore.errors import HookloreError
from hooklore.requests.server_url import PORTS, is_loopback, read_server_url

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
WILDCARDS = ("0.0.0.0", "::")  # noqa: S104 - they are refused where nothing protects them


@dataclass(frozen=True, slots=True)
class Addresses:
    """A gateway's own addresses: `url` leads to it, `hosts` are the allowed values of the header `Host`."""

    url: str
    hosts: frozenset[str]
    origins: frozenset[str]


def addresses_of(host: str, port: int, public_url: str | None, *, has_tls: bool) -> Addresses:
    """Return the addresses of a gateway. Raise HookloreError for a host that nothing protects.

    Behind a public URL stands somebody's own tunnel or proxy, which ends TLS.
    """
    if not is_loopback(host) and not has_tls and not public_url:
        raise HookloreError(
            f"could not serve on `{host}`: others could read the tokens on the way",
            fix="add `--tls-cert` and `--tls-key`, or `--public-url` of the proxy before it",
        )
    if host in WILDCARDS and not public_url:
        raise HookloreError(
            f"could not serve on `{host}`: nothing says by which name it may be asked",
            fix="add `--public-url https://NAME`",
        )
    scheme = "https" if has_tls else "http"
    named = f"[{host}]" if ":" in host else host
    names = _LOOPBACK if is_loopback(host) else (*_LOOPBACK, named)
    hosts = [each for name in names for each in _host_values(scheme, name, port)]
    origins = [f"{scheme}://{each}" for each in hosts]
    url = f"{scheme}://{named}:{port}"
    if public_url:
        public, parts = _public(public_url), urlsplit(public_url)
        url = public
        own = _host_values(parts.scheme, _host_of(public), parts.port or PORTS[parts.scheme])
        hosts += own
        origins += [f"{parts.scheme}://{each}" for each in own]
    return Addresses(url, frozenset(hosts), frozenset(origins))


def _public(url: str) -> str:
    """Return a public URL without a slash at its end. Raise HookloreError for one that is not usable."""
    try:
        return read_server_url(url)
    except ValueError:
        raise HookloreError(
            "could not use `--public-url`: it must be like `https://memory.example.org`",
            fix="give the scheme and the host alone",
        ) from None


def _host_of(url: str) -> str:
    name = urlsplit(url).hostname or ""
    return f"[{name}]" if ":" in name else name


def _host_values(scheme: str, name: str, port: int) -> list[str]:
    """Return the values of `Host` that a client sends: without the port where this is the scheme's own."""
    return [f"{name}:{port}", *([name] if port == PORTS[scheme] else [])]
