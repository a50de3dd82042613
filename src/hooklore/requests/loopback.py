"""Names of this machine itself."""

from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches `host`, a name or an address, with or without brackets."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
