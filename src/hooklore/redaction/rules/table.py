"""All rules in the order in which they are read, and which of their prefilters one automaton holds.

`rules.toml` says of each what announces a value, what the value must be, and has a text of either kind.
"""

from hooklore.redaction.folding import FOLDABLE
from hooklore.redaction.pattern import Rule
from hooklore.redaction.rules import (
    commands,
    containers,
    headers,
    keys_and_urls,
    personal_data,
    stated,
)
from hooklore.redaction.rules.assignments import ASSIGNMENTS
from hooklore.redaction.rules.high_entropy import HIGH_ENTROPY
from hooklore.redaction.rules.vendor_tokens import VENDOR_TOKENS

RULES: dict[str, tuple[Rule, int]] = {
    "PRIVATE_KEYS": (keys_and_urls.PRIVATE_KEYS, 4),
    "VENDOR_TOKENS": (VENDOR_TOKENS, 0),
    "HASHES": (keys_and_urls.HASHES, 4),
    "URL_CREDENTIALS": (keys_and_urls.URL_CREDENTIALS, 7),
    "URL_QUERIES": (keys_and_urls.URL_QUERIES, 1),
    "ASSIGNMENTS": (ASSIGNMENTS, 2),
    "COMMANDS": (commands.COMMANDS, 5),
    "COMMAND_FLAGS": (commands.COMMAND_FLAGS, 6),
    "PIPED_SECRETS": (commands.PIPED_SECRETS, 5),
    "AUTH_SCHEMES": (headers.AUTH_SCHEMES, 4),
    "COOKIES": (headers.COOKIES, 2),
    "SCRUB_COMMANDS": (commands.SCRUB_COMMANDS, 4),
    "TABLES": (containers.TABLES, 3),
    "ELEMENTS": (containers.ELEMENTS, 1),
    "JAPANESE": (stated.JAPANESE, 2),
    "STATED": (stated.STATED, 2),
    "CITIZEN_NUMBERS": (personal_data.CITIZEN_NUMBERS, 2),
    "EMAILS": (personal_data.EMAILS, 6),
    "PHONES": (personal_data.PHONES, 5),
    "CARDS": (personal_data.CARDS, 5),
    "JAPANESE_ADDRESSES": (personal_data.JAPANESE_ADDRESSES, 2),
    "WESTERN_ADDRESSES": (personal_data.WESTERN_ADDRESSES, 6),
    "HIGH_ENTROPY": (HIGH_ENTROPY, 0),
}
"""Each rule by its name, with the set of prefilters that its own is read in, 0 for a rule that is always read."""

ALL_RULES: tuple[Rule, ...] = tuple(rule for rule, _ in RULES.values())

_SETS = sorted({number for _, number in RULES.values()} - {0})
READ_TOGETHER: tuple[tuple[str, ...], ...] = (
    *(tuple(rule.prefilter for rule, its in RULES.values() if its == number) for number in _SETS),
    (FOLDABLE,),
)
"""The prefilters in a few sets, each read in one pass. States of words add up, those of repetitions multiply."""
