"""A program's request at `/authorize`, sealed into the address of the page where a person consents."""

import base64
import hmac
import secrets

from mcp.server.auth.provider import AuthorizationParams
from pydantic import BaseModel


class ConsentRequest(BaseModel):
    """The client that asks, and the parameters that the SDK has checked."""

    client_id: str
    params: AuthorizationParams


class Seal:
    """Makes a text of a request that nobody else can make: so a page needs no place in memory.

    Its key is the process's: after a restart a program asks again.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def close(self, request: ConsentRequest) -> str:
        """Return a request as a text for an address."""
        raw = request.model_dump_json().encode()
        return base64.urlsafe_b64encode(self._mark(raw) + raw).decode()

    def open(self, text: str) -> ConsentRequest | None:
        """Return the request of a text, or None for a text that this process did not make."""
        try:
            whole = base64.urlsafe_b64decode(text)
        except ValueError:
            return None
        mark, raw = whole[:32], whole[32:]
        if not hmac.compare_digest(mark, self._mark(raw)):
            return None
        return ConsentRequest.model_validate_json(raw)

    def _mark(self, raw: bytes) -> bytes:
        return hmac.digest(self._key, raw, "sha256")
