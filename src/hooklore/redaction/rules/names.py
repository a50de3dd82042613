"""Names of secrets: keys, flags, headers and variables whose values are secret."""

import bisect
from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from hooklore.redaction.folding import fold_name
from hooklore.redaction.pattern import Pattern, TextPattern
from hooklore.redaction.rules.candidate_checks import DIGITS, WORDLIKE

SENSITIVE_KEYWORD = (
    "pass(?:word|wd|wort|ord|phrase|code)?|pwd?|contrase[ñn]a|mot_?de_?passe|senha|kennwort|wachtwoord|l[öo]senord"
    "|adgangskode|has[łl]o|heslo|salasana|[şs]ifre|jelsz[óo]|clave|parola"
    "|(?:netzwerk|wlan|sicherheits|zugangs)[_ -]?schl(?:ü|ue)ssel|anshou?(?:bangou?)?|pasuwado"
    "|パスワード|パスフレーズ|暗証番号|密[码碼]|口令|비밀번호|암호|пароль"
    "|secret(?:[_-]?(?:access|api))?(?:[_-]?key)?|token|credentials?|apikey"
    "|(?:api|access|auth|private|encrypt(?:ion)?|sign(?:ing)?|master|account|app(?:lication)?|client"
    "|service|subscription|storage|license|consumer|shared(?:access)?|session|server|deploy|webhook"
    "|hmac|join|enrol?l?ment|ssh|admin|root|aes|jwt|rest|write|read|bot|unseal|recovery|wi-?fi|wep|wpa2?|network"
    "|security)[_. -]?key"
    "|key[_ ]?material|key[_ ]content|unseal[ ]key[ ]#?[0-9]"
    "|(?:store|key|trust|db|user|root|wifi|ldap|http|proxy|s?ftp|bind|admin|smtp|imap|mail|require|mysql|redis"
    "|login|enable|master|become|pg|sql|ssh|sudo|vnc|svc|app|web|host|owner)"
    "[_-]?(?:pass(?:word|wd|phrase|code)?|pwd?)|masterauth|psk|dockerconfigjson|dockercfg"
    "|sonar[.]login|[_-]pat\\b"
    "|(?:redis|smtp|proxy|ldap|mongo|mqtt|basic|registry)[_-]?auth|authtok\\b"
    "|(?:recovery|backup|activation|access|verification|security|licen[cs]e|pairing|unlock|reset|device"
    "|confirmation|one_?time|mfa)[_-]?codes?"
    "|authorization|cookie|auth|sig(?:nature)?|seed_?hex|key|dsn|session(?:_?id)?|sid|pepper|salt|seed"
)
"""The pattern of the keyword in such a name, to be matched in either case."""

KEYWORD = Pattern(f"(?i)(?:{SENSITIVE_KEYWORD})")


class SecretKind(IntEnum):
    """The strength of a name's claim, from a word that is only sometimes a secret's up to a password's."""

    VAGUE = 1
    QUALIFIED = 2
    """A vague word that another one qualifies: `routingKey`, `totp_seed`."""
    SECRET = 3
    PASSWORD = 4


_PASSWORD = (
    *(
        b"pass",
        b"pw",
        b"contras",
        b"mot",
        b"senha",
        b"kenn",
        b"wacht",
        b"adgang",
        b"has",
        b"heslo",
        b"salasana",
        b"jels",
        b"ansho",
        b"netzwerk",
        b"wlan",
        b"pasuwado",
        b"psk",
        b"masterauth",
        b"shared",
        b"wifi",
        b"wi-fi",
    ),
    *(b"wep", b"wpa", b"network", b"security", b"key content", b"key_content"),
)
_PASS = Pattern("pass|pwd?$")
_VAGUE = frozenset(
    (b"auth", b"sig", b"signature", b"key", b"dsn", b"cookie", b"_pat", b"-pat", b"salt", b"seed")
)
_QUALIFIABLE = frozenset((b"key", b"salt", b"seed"))
_FOREIGN = frozenset((b"clave", b"parola", b"sifre", b"heslo", b"haslo", b"passord"))
"""Words for a password that also end other words (`enclave`). `clave` and `parola` mean key and word, too."""

_SESSION = frozenset((b"session", b"sessionid", b"session_id", b"sid"))
_SHORT = (_VAGUE - {b"_pat", b"-pat"}) | _SESSION | {b"pass", b"pwd", b"pw", b"psk"} | _FOREIGN
"""Endings of other words (`bypass`, `monkey`). As keywords they must stand alone in the name."""

_PASSES = frozenset((b"pass", b"pwd", b"pw", b"psk"))
"""Short words that also end the names of an environment's variables: `PGPASS`, `ROOTPW`, `TLSPSK`."""

_DESCRIPTIVE = frozenset(
    b"file filename path dir type kind name id ids len length size count limit max min expires expiry expiration "
    b"expired ttl age url uri endpoint host policy policies field label hint format pattern regex regexp prompt "
    b"reset version alg algo algorithm provider manager store storage source ref reference index usage used budget "
    b"time timeout timestamp date at in error status required enabled disabled valid invalid stdin command cmd "
    b"class group scope title description help arn location strength rule rules rotation interval fn func function "
    b"callback handler input list set map mode method state changed days hours minutes seconds cost price text "
    b"rate ratio score total message placeholder s exchange ending endings strategy service helper "
    b"subentry digest fingerprint checksum "
    b"cache control mgmt management saving encryption certificate certificates cert certs chain".split()
)
"""Last words of names that describe a secret without holding one: `token_type`, `passwordFile`."""

_PUBLIC = Pattern(
    r"(?i)(?:public|publishable|primary|foreign|sort|partition|cache|index|idempotency|composite|dedupe|gpg|pgp"
    r"|group|row|hash|map|dict|lookup|unique|natural|surrogate|object|s3|translation|i18n|storage|query)[_-]?$"
)
_PUBLISHED = Pattern(r"(?i)publi(?:c|shable)[_-]?(?:key[_-]?)?$|^user[.]$|^sonar[.]project$")
"""A word before a keyword that makes it public: `user.signingkey` is a key's id, `sonar.projectKey` a project's."""

_ORDINARY = Pattern(
    r"(?i)(?:store|react|list|items?|field|prop|property|config|option|setting|meta|metadata|feature|flag|locale"
    r"|message|event|entity|record|parent|node|tree|path|route|url|page|screen|menu|tab|hot|short|arrow|enter"
    r"|modifier|first|last|next|prev|previous|new|old|current|selected|default|range|start|end|etag|files?|image"
    r"|video|upload|bucket|blob|asset|document|doc|thread|chat|conversation|lock|queue|job|task|batch|topic"
    r"|channel|shard|tag|label|theme|style|color|sample|test|fixture|mock|invalid|some|any|each|every|same|other"
    r"|unknown|missing|json|data|state|context|registry|module|package|component|import|export|issue"
    r"|ticket|space|board|jira|users?|member|org|team|tenant|customer|order|product|sku|price|commit|build"
    r"|artifact|dependency|dep|version|release|branch|ref|repo|model|prompt|tool|agent|plugin|skill|command|rate"
    r"|limit|metric|stat|log|trace|span|correlation|request|fingerprint|content|checksum|digest|sha\d*|md5|uuid"
    r"|guid|id|num|number|int|str|string|byte|char|binary|text|word|line|column|col|cell|table|schema|type|kind"
    r"|class|enum|const|variable|var|arg|argument|param|parameter|header|attr|attribute|element|target|source|src"
    r"|dest|destination|input|output|result|value|name|title|display|known|host|random|the|a|by|to|of|random_"
    r"|torch|numpy|manual|base|noise|map|world|global|train|shuffle|faker?|data_?set|snapshot|run|rng)[_-]?$"
)
"""Words that make `…Key` or `…Seed` the name of a place, and of no secret."""


def classify_keyword(word: bytes, before: bytes, after: bytes) -> SecretKind | None:
    """Return the kind of secret that a name announces, or None.

    `word` matches `SENSITIVE_KEYWORD`, and `before` and `after` surround `word` in the same name: `DB_`,
    `PASSWORD`, `_PROD`. The last keyword of a name decides (`auth_token`).
    """
    if len(before) + len(after) <= _LONGEST_KNOWN:
        return _classify_known(word, before, after)
    return _classify(word, before, after)


def _classify(word: bytes, before: bytes, after: bytes) -> SecretKind | None:
    if after and (further := KEYWORD.search(after, 0, len(after))):
        first, last = further[0]
        return classify_keyword(after[first:last], before + word + after[:first], after[last:])
    low = word.lower()
    if _PUBLISHED.occurs_in(before):
        return None
    if low in _SHORT and is_one_word(before, word):
        is_constant = low in _PASSES and not after and (before + word).isupper()
        return SecretKind.SECRET if is_constant else None
    if after and (is_one_word(word, after) or _last_word(after) in _DESCRIPTIVE):
        return None
    if low in _SESSION or (low == b"psk" and after):
        return None
    if low in _VAGUE:
        return None if _PUBLIC.occurs_in(before) else _vague(word, before)
    if low == b"pass" and not before and not after:
        return SecretKind.SECRET
    is_password = low.startswith(_PASSWORD) or _PASS.occurs_in(low)
    return SecretKind.PASSWORD if is_password else SecretKind.SECRET


_LONGEST_KNOWN = 48
"""Bytes around the keyword of a name that is remembered: the names of a program repeat."""

_classify_known = lru_cache(maxsize=2048)(_classify)


def _vague(word: bytes, before: bytes) -> SecretKind:
    """Return the kind of a vague keyword: `REDIS_AUTH` of an environment is surer than `auth` of a program."""
    constant = len(before) > 2 and before[-1:] == b"_" and word.isupper() and before.isupper()
    if constant and word in (b"AUTH", b"KEY"):
        return SecretKind.SECRET
    is_qualified = before.rpartition(b".")[2].strip(b"_-") != b"" and not _ORDINARY.occurs_in(
        before
    )
    if is_qualified and word.lower() in _QUALIFIABLE:
        return SecretKind.QUALIFIED
    return SecretKind.VAGUE


def is_one_word(left: bytes, right: bytes) -> bool:
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


_WHOLE = Pattern(rf"(?i)^([\w. \p{{L}}-]*?)({SENSITIVE_KEYWORD})([\w-]*)$")


@lru_cache(maxsize=1024)
def classify_secret_name(name: str) -> SecretKind | None:
    """Return the kind of secret that a whole name announces (`dbPassword`, `x-api-key`), or None."""
    raw = fold_name(name).encode("utf-8", "replace")
    spans = _WHOLE.match(raw, 0, len(raw)) if len(raw) <= 128 else None
    if spans is None:
        return None
    first, last = spans[2]
    return classify_keyword(raw[first:last], raw[:first], raw[last:])


class SecretName(NamedTuple):
    """The name of a secret in a text: its start, its keyword, its end, in bytes, and the kind of secret."""

    first: int
    word: tuple[int, int]
    last: int
    kind: SecretKind
    is_plural: bool
    """The name is of several secrets, which only a list holds: `tokens`."""


def secret_names(raw: bytes, start: int, end: int) -> Iterable[SecretName]:
    """Return the names of secrets between two offsets, in order. Those of a short text are found once."""
    if len(raw) > _REMEMBERED:
        return _read_names(raw, start, end)
    names = _names_of(raw)
    return names[bisect.bisect_left(names, (start,)) :] if start else names


_REMEMBERED = 64 * 1024
_MAX_NAME_BEFORE, _MAX_NAME_AFTER = 64, 256
_NAME_GOES_ON = TextPattern(rb"[\w-]*+")


@lru_cache(maxsize=2)
def _names_of(raw: bytes) -> list[SecretName]:
    return list(_read_names(raw, 0, len(raw)))


def _read_names(raw: bytes, start: int, end: int) -> Iterator[SecretName]:
    goes_on = _NAME_GOES_ON.match
    while found := KEYWORD.search(raw, start, end):
        first, last = found[0]
        start = goes_on(raw, last).end()
        if start - last > _MAX_NAME_AFTER:
            continue  # a keyword in encoded content stands there by chance
        after = raw[last:start]
        if after and is_one_word(raw[last - 1 : last], after) and after[:1] not in b"sS":
            start = last  # of a longer word: `passed`, `author`
            continue
        preceding = raw[max(0, first - _MAX_NAME_BEFORE) : first]
        before = preceding[len(preceding.rstrip(WORDLIKE)) :]
        is_plural = after in (b"s", b"S")
        kind = classify_keyword(raw[first:last], before, b"" if is_plural else after)
        if kind is not None:
            yield SecretName(first - len(before), (first, last), start, kind, is_plural)
