"""Names of secrets: keys, flags, headers and variables whose values are secret."""

from enum import IntEnum
from functools import lru_cache

from hooklore.redaction.folding import fold_name
from hooklore.redaction.pattern import Pattern
from hooklore.redaction.rules.candidate_checks import DIGITS

SENSITIVE_KEYWORD = (
    "pass(?:word|wd|wort|phrase|code)?|pwd?|contraseña|mot_?de_?passe|senha"
    "|secret(?:[_-]?(?:access|api))?(?:[_-]?key)?|token|credentials?|apikey"
    "|(?:api|access|auth|private|encrypt(?:ion)?|sign(?:ing)?|master|account|app(?:lication)?|client"
    "|service|subscription|storage|license|consumer|shared(?:access)?|session|server|deploy|webhook"
    "|hmac|ssh|admin|root|aes|jwt|rest|write|read|bot)[_. -]?key"
    "|(?:store|key|trust|db|user|root|wifi|ldap|http|proxy|s?ftp|bind|admin|smtp|imap|mail|require|mysql|redis"
    "|login|enable|master|become|pg|sql|ssh|sudo|vnc|svc|app|web|host|owner)"
    "[_-]?(?:pass(?:word|wd|phrase|code)?|pwd?)|masterauth|psk|dockerconfigjson|dockercfg"
    "|sonar[.]login|[_-]pat\\b"
    "|(?:redis|smtp|proxy|ldap|mongo|mqtt|basic|registry)[_-]?auth"
    "|authorization|cookie|auth|sig(?:nature)?|key|dsn|session(?:_?id)?|sid"
)
"""The pattern of the keyword in such a name, to be matched in either case."""


class SecretKind(IntEnum):
    """The strength of a name's claim, from a word that is only sometimes a secret's up to a password's."""

    VAGUE = 1
    SECRET = 2
    PASSWORD = 3


_PASSWORD = (b"pass", b"pw", b"contras", b"mot", b"senha", b"psk", b"masterauth")
_PASS = Pattern("pass|pwd?$")
_VAGUE = frozenset((b"auth", b"sig", b"signature", b"key", b"dsn", b"cookie", b"_pat", b"-pat"))
_SESSION = frozenset((b"session", b"sessionid", b"session_id", b"sid"))
_SHORT = (_VAGUE - {b"_pat", b"-pat"}) | _SESSION | {b"pass", b"pwd", b"pw", b"psk"}
"""Endings of other words (`bypass`, `monkey`). As keywords they must stand alone in the name."""

_PASSES = frozenset((b"pass", b"pwd", b"pw"))
"""Short words that also end the names of an environment's variables: `PGPASS`, `ROOTPW`."""

_DESCRIPTIVE = frozenset(
    b"file filename path dir type kind name id ids len length size count limit max min expires expiry expiration "
    b"expired ttl age url uri endpoint host policy policies field label hint format pattern regex regexp prompt "
    b"reset version alg algo algorithm provider manager store storage source ref reference index usage used budget "
    b"time timeout timestamp date at in error status required enabled disabled valid invalid stdin command cmd "
    b"class group scope title description help arn location strength rule rules rotation interval fn func function "
    b"callback handler input list set map mode method state changed days hours minutes seconds cost price text "
    b"rate ratio score total message placeholder s exchange ending endings strategy service helper "
    b"cache control".split()
)
"""Last words of names that describe a secret without holding one: `token_type`, `passwordFile`."""

_FURTHER = Pattern(rf"(?i)({SENSITIVE_KEYWORD})")
_PUBLIC = Pattern(
    r"(?i)(?:public|primary|foreign|sort|partition|cache|index|idempotency|composite|dedupe|gpg|pgp"
    r"|group|row|hash|map|dict|lookup|unique|natural|surrogate|object|s3|translation|i18n|storage|query)[_-]?$"
)


def classify_keyword(word: bytes, before: bytes, after: bytes) -> SecretKind | None:
    """Return the kind of secret that a name announces, or None.

    `word` matches `SENSITIVE_KEYWORD`, and `before` and `after` surround `word` in the same name: `DB_`,
    `PASSWORD`, `_PROD`. The last keyword of a name decides (`auth_token`).
    """
    if after and (further := _FURTHER.search(after, 0, len(after))):
        first, last = further[0]
        return classify_keyword(after[first:last], before + word + after[:first], after[last:])
    low = word.lower()
    if low in _SHORT and _is_one_word(before, word):
        is_constant = low in _PASSES and not after and (before + word).isupper()
        return SecretKind.SECRET if is_constant else None
    if after and (_is_one_word(word, after) or _last_word(after) in _DESCRIPTIVE):
        return None
    if low in _SESSION or (low == b"psk" and after):
        return None
    if low in _VAGUE:
        return None if _PUBLIC.occurs_in(before) else _vague(word, before)
    if low == b"pass" and not before and not after:
        return SecretKind.SECRET
    return (
        SecretKind.PASSWORD
        if low.startswith(_PASSWORD) or _PASS.occurs_in(low)
        else SecretKind.SECRET
    )


def _vague(word: bytes, before: bytes) -> SecretKind:
    """Return the kind of a vague keyword: `REDIS_AUTH` of an environment is surer than `auth` of a program."""
    constant = len(before) > 2 and before[-1:] == b"_" and word.isupper() and before.isupper()
    return SecretKind.SECRET if constant and word in (b"AUTH", b"KEY") else SecretKind.VAGUE


def _is_one_word(left: bytes, right: bytes) -> bool:
    """Return whether both are parts of one word: `by·pass`, `token·izer`, and not `db·Pass`, `token·2`."""
    if not (left[-1:].isalpha() and right[:1].isalpha()) or right.lower() == b"s":
        return False
    return not (left[-1:].islower() and right[:1].isupper())


def _last_word(name: bytes) -> bytes:
    """Return the last word of `_stdin`, `-file` or `FileName2`, in lower case."""
    word = name.rstrip(DIGITS + b"_-").replace(b"-", b"_").rpartition(b"_")[2]
    if not word.isupper():
        start = max((place for place, byte in enumerate(word) if 65 <= byte <= 90), default=0)
        word = word[start:]
    return word.lower()


_WHOLE = Pattern(rf"(?i)^([\w. -]*?)({SENSITIVE_KEYWORD})([\w-]*)$")


@lru_cache(maxsize=1024)
def classify_secret_name(name: str) -> SecretKind | None:
    """Return the kind of secret that a whole name announces (`dbPassword`, `x-api-key`), or None."""
    raw = fold_name(name).encode("utf-8", "replace")
    spans = _WHOLE.match(raw, 0, len(raw)) if len(raw) <= 128 else None
    if spans is None:
        return None
    first, last = spans[2]
    return classify_keyword(raw[first:last], raw[:first], raw[last:])
