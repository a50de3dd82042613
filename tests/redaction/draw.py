"""Values drawn from a seed: tokens of a format, passwords as people choose them, names."""

import base64
import string
from collections.abc import Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")
Part = str | tuple[str, int]

UPPER = string.ascii_uppercase
LOWER = string.ascii_lowercase
LETTERS = string.ascii_letters
DIGITS = string.digits
ALNUM = LETTERS + DIGITS
LOWNUM = LOWER + DIGITS
UPNUM = UPPER + DIGITS
HEX = DIGITS + "abcdef"
UPHEX = DIGITS + "ABCDEF"
URLSAFE = ALNUM + "_-"
BASE64 = ALNUM + "+/"
BASE32 = UPPER + "234567"
BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"

_WORDS = (
    "maple", "river", "otter", "copper", "winter", "pixel", "rocket", "lemon", "harbor", "falcon",
    "violet", "tiger", "summer", "cookie", "marble", "thunder", "sakura", "tanuki", "hinata",
    "kaede", "momiji", "yuzu", "daruma", "matcha", "hotaru", "kitsune",
)  # fmt: skip
_PEOPLE = (
    "suzuki",
    "tanaka",
    "mori",
    "alice",
    "bjorn",
    "chloe",
    "dmitri",
    "emma",
    "farid",
    "grace",
)
_USERS = ("admin", "root", "deploy", "app", "postgres", "svc_batch", "mori", "alice", "operator")
_LEET = str.maketrans("aeios", "43105")


def glue(*pieces: str) -> str:
    """Pieces joined: what a scanner would take for a secret is written in two halves."""
    return "".join(pieces)


class Draw:
    """One seeded source of values; the same name gives the same values on every machine."""

    def __init__(self, name: str) -> None:
        self._random = Random(name)

    def pick(self, items: Sequence[Item]) -> Item:
        return self._random.choice(items)

    def some(self, items: Sequence[Item], count: int) -> list[Item]:
        """So many items, none twice before all were taken."""
        taken: list[Item] = []
        while len(taken) < count:
            taken += self._random.sample(items, min(len(items), count - len(taken)))
        return taken

    def number(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def chars(self, alphabet: str, count: int) -> str:
        return "".join(self._random.choices(alphabet, k=count))

    def token(self, parts: Sequence[Part]) -> str:
        """A format filled in: text stands for itself, (alphabet, n) for n characters of it."""
        return "".join(part if isinstance(part, str) else self.chars(*part) for part in parts)

    def mixed(self, count: int, alphabet: str = ALNUM) -> str:
        """Characters with at least one digit, one capital and one small letter among them."""
        while True:
            text = self.chars(alphabet, count)
            if any(map(str.isdigit, text)) and text.upper() != text != text.lower():
                return text

    def base64(self, size: int) -> str:
        return base64.b64encode(self._random.randbytes(size)).decode()

    def uuid(self) -> str:
        """A random version 4."""
        form = ((HEX, 8), "-", (HEX, 4), "-4", (HEX, 3), "-", ("89ab", 1), (HEX, 3), "-", (HEX, 12))
        return self.token(form)

    def word(self) -> str:
        return self.pick(_WORDS)

    def words(self, count: int) -> list[str]:
        return self.some(_WORDS, count)

    def user(self) -> str:
        return self.pick(_USERS)

    def person(self) -> str:
        return self.pick(_PEOPLE)

    def host(self) -> str:
        """A name inside a company's own domain, none that is reserved for examples."""
        return f"{self.pick(('db', 'cache', 'mq', 'api', 'repo'))}.{self.word()}-{self.word()}.net"

    def password(self, plain: bool = False) -> str:
        """As people choose them; `plain` also draws two words and nothing else."""
        first, second, third = self.words(3)
        styles = [
            f"{first}{self.number(2, 9999)}",
            f"{first.title()}{self.number(1970, 2026)}{self.pick('!?*')}",
            f"{first.translate(_LEET).title()}{self.pick('!*_')}{second.translate(_LEET)}",
            f"{first}-{second}-{third}-{self.number(10, 99)}",
            f"{first.title()}_{second.title()}{self.number(1, 99)}",
            self.chars(LETTERS, 1) + self.mixed(10, ALNUM + "!*_-") + self.chars(ALNUM, 1),
            self.mixed(self.number(8, 16)),
        ]
        return self.pick([*styles, first + second] if plain else styles)

    def secret(self) -> str:
        """As programs make them: letters and digits, hex, base64, base64url."""
        styles = (
            self.mixed(self.number(20, 48)),
            self.chars(HEX, self.pick((32, 40, 64))),
            self.base64(self.pick((24, 32, 48))),
            self.mixed(self.number(22, 43), URLSAFE).strip("-_"),
        )
        return self.pick(styles)
