"""The positives: text with something in it that must not survive redaction."""

from dataclasses import dataclass

from tests.redaction.blocks import block_cases
from tests.redaction.carriers import carrier_cases
from tests.redaction.personal import personal_cases
from tests.redaction.vendors import vendor_cases

_SHORTEST_PART = 6


@dataclass(frozen=True)
class Case:
    """A text, what in it must not survive, and the label under which it is counted."""

    label: str
    text: str
    secrets: tuple[str, ...]

    def left_in(self, masked: str) -> str | None:
        """The first secret of which half or more still stands in one piece, or None."""
        return next((secret for secret in self.secrets if stands_in(secret, masked)), None)


def stands_in(secret: str, text: str) -> bool:
    """Whether half of the secret, and no less than six characters, stands in the text.

    Masking the tail of a token is not masking it; a secret of six or fewer stands whole or not.
    """
    size = min(len(secret), max(_SHORTEST_PART, (len(secret) + 1) // 2))
    return any(secret[at : at + size] in text for at in range(len(secret) - size + 1))


def build_cases() -> list[Case]:
    """All cases, the same on every machine; no two have the same text."""
    found: dict[str, Case] = {}
    for source in (vendor_cases, carrier_cases, block_cases, personal_cases):
        for label, text, secrets in source():
            found.setdefault(text, Case(label, text, secrets))
    return list(found.values())
