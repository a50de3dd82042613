"""The params of `initialize`, filled in: a client that says nothing of itself is served like any other."""

from collections.abc import Mapping

from mcp.types.version import LATEST_HANDSHAKE_VERSION

_UNNAMED = {"name": "", "version": ""}


def fill_in_handshake(params: Mapping[str, object]) -> Mapping[str, object]:
    """Return params with the newest version, no capabilities and no name where the client tells none."""
    info = params.get("clientInfo", {})
    if isinstance(info, dict):
        info = _UNNAMED | {name: each for name, each in info.items() if each is not None}
    lacking = {"protocolVersion": LATEST_HANDSHAKE_VERSION, "capabilities": {}}
    return {**lacking, **params, "clientInfo": info}
