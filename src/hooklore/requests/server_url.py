"""The URL of a server that tokens may be sent to."""

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

PORTS: Final = {"http": 80, "https": 443}


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches `host`, a name or an address, with or without brackets."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def read_server_url(url: str) -> str:
    """Return a URL of a scheme and a host alone, without a slash at its end and in lower case.

    Raise ValueError for any other, and for one where a token could be read on its way: without TLS it must be
    on this machine.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port  # a port beyond 65535 raises
    has_more = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    is_safe = parts.scheme == "https" or is_loopback(host)
    if parts.scheme not in PORTS or not host or not is_safe or port == 0 or has_more:
        raise ValueError("it is no URL of a server that tokens may be sent to")
    return f"{parts.scheme}://{parts.netloc.lower()}"
