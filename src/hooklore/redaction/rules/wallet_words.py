"""The English words by which wallets are restored, with their numbers (BIP 39)."""

from typing import Final

from mnemonic import Mnemonic

NUMBERS: Final = {word.encode(): number for number, word in enumerate(Mnemonic("english").wordlist)}
"""The 2,048 words. The package keeps them in a file, which an upgrade may take from under a running process."""
