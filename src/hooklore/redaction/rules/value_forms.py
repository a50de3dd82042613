"""The form of a value in prose: how much it looks like a secret that a person chose or a program drew."""

import itertools
import re
from enum import IntEnum
from functools import lru_cache

from hooklore.agents.registry import spoken_names
from hooklore.redaction.pattern import Pattern
from hooklore.redaction.rules.candidate_checks import (
    DIGITS,
    LETTERS,
    SECRET_IDENTIFIER,
    SHORT_ID,
    UUID,
    count_class_changes,
    is_placeholder,
    is_random,
    is_secret_identifier,
    remove_bytes,
)


class Form(IntEnum):
    """Forms from none of a secret's up to a key that needs no further sign."""

    NONE = 0
    DIGITS = 1
    JOINED = 2
    WORD_AND_DIGITS = 3
    CHOSEN = 4
    KEY = 5


_SIGNS = b"!#$%&*+?=@^~;<>]{['\""
_NOT = Pattern(
    r"(?i)://|^[\w.+-]+@[\w-]+\.(?:[\w-]+\.)*(?-i:[a-z]{2,24})$|^[~./\\$%<>(){}\[\]|&=:-]*$|^(?:--?[a-z]|[~.]?/"
    r"|\.\w"
    r"|\$\{?\w+\}?$|%\w+%$|\{\{|<[/!a-z])"
    r"|(?-i:^[a-z_-]+=[\w.-]*$)|^(?:strg|ctrl|cmd|alt|shift|umschalt|win|meta)\+|[\"'],[\"']|[\"']:[\"'\[{0-9]"
    r"|'@'|/.*/|\(\)|\)\.|^[^(]*\([^)]*\)"
    r"|^[a-z_]\w*\[|\w=\w*[\"'(]|::|->|=>|[<>=!]=|&&|\|\||^@[\w./-]+$|^#[0-9a-f]{3,8}$|^#\d+$"
    r"|(?-i:^[A-Z]{2,8}-\d{1,6}(?:-\d{1,6})?$)|^v?\d+(?:\.\d+)+"
    r"|^\d{1,4}[-/:.]\d{1,2}[-/:.]\d{1,4}|^\d+[a-z]{1,2}$|^\d{1,3}%$"
    r"|^\d+(?:\.\d+)?[-_]?(?:ms|secs?|mins?|hrs?|days?|bits?|bytes?|[kmgt]i?b|px|rem|em|chars?|x\d+|k|m)$"
    r"|(?-i:^[A-Z][A-Z0-9_]*=$|^[A-Z][A-Z0-9]*_[A-Z0-9_]*=)|;[^;]*;|(?-i:^[A-Z]?[a-z]+\?$)|^\d+;[a-z]|,\w+,"
    r"|^[a-z]\w{0,9}>[a-z]"
    r"|^(?:fix|feat|feature|bugfix|hotfix|chore|docs|refactor|release|test|ci|perf|origin|refs|dependabot"
    r"|renovate)/"
    r"|(?-i:^[a-z_][a-z0-9_.-]*@[a-z][a-z0-9]*[.-][a-z0-9.-]+$)|\.(?:[cm]?[jt]sx?|py[ciw]?|rb|go|rs|java|kt|swift"
    r"|c|h|cc|cpp|hpp|cs|php|sh|zsh|bash|ps1"
    r"|sql|json5?|ya?ml|toml|ini|cfg"
    r"|conf|env|lock|md|rst|txt|log|html?|css|s[ac]ss|xml|csv|tsv|pdf|png|jpe?g|gif|svg|zip|t?gz"
    r"|tar|jar|war|exe|dll|so|pem"
    r"|crt|key|p12|pfx|jks|db|sqlite3?|proto|tf|vue|svelte|ipynb|local|internal|com|org|net|io"
    r"|dev|jp|co|ai|app|tmpl|tpl|template|dist|bak|orig|j2|erb|hcl|bicep|gradle|properties|plist|lua|exs?|kts"
    r"|scala|dart|docx?|xlsx?|pptx?|webp|woff2?|map|wasm|deb|rpm|dmg|iso|img|apk|tfvars|tfstate|sock|pid|service)"
    r"(?:[:#]L?\d[\d:-]*)?$"
    r"|^(?:1password|7-?zip|bcrypt|lastpass|keepass\w*|wordpress|bitlocker|veracrypt|powershell"
    r"|sha-?\d+.*|aws4-.*|rs256|base64.*|x-[\w-]+|k8s|i18n"
    r"|l10n|a11y|e2e|b2b|p2p|o365|m365|h2o|c\+\+\d*"
    r"|wpa[23](?:-\w+)*|web3|auth0|log4j2?|boto3|s3|ec2|neo4j|d3|three\.js|es6|u2f|webauthn|fido2"
    r"|2fa|4xx|5xx|x86_64|amd64|arm64)$"
    r"|(?-i:^[a-z]+(?:[A-Z][a-z]+)+\d?$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$)"
    r"|^(?:en|wl|ww)[pso]\d+(?:[spfu]\d+)*$|^[a-z_.][\w.]*\(|^\w+=\d+$|^\w+(?:\.\w+)*\.(?-i:[A-Z][a-z]+[A-Z])\w*$"
    r"|(?-i:^[a-z]+(?:_[a-z]+)+_\d+[a-z]$)|^[a-z]+(?:_[a-z]+)*_(?:id|key|token|password|secret|name|hash|\d)$"
)
"""What stands in sentences about secrets without being one: addresses, files, versions, products, code."""

_NUMBERED = Pattern(
    r"(?i)^(?:base|utf|sha|md|aes|rsa|dsa|ec|ecdsa|ed|hs|rs|es|ps|x|p|pkcs|hmac|pbkdf|bcrypt"
    r"|scrypt|argon|blake|crc|oauth|saml|jwt|otp|totp|mfa|fa"
    r"|tls|ssl|http|https|ipv|ip|rfc|iso|cve|cwe|ecma|es|php|python|py|node|java|jdk|go|ruby|rust"
    r"|perl|lua|gcc|clang|win|windows|macos|ios"
    r"|ubuntu|debian|centos|rhel|arch|arm|aarch|amd|x86_|i|int|uint|float|double|char|varchar"
    r"|log4j|s|k|h|n|v|w|t|c|q|e|f|m|d"
    r"|redis|mysql|mariadb|postgres|postgresql|pg|mongo|mongodb|oracle|sqlite|neo4j|kafka|nginx"
    r"|apache|tomcat|spring|angular|vue|react"
    r"|bootstrap|rails|django|flask|laravel|line|row|col|step|page|test|case|issue|pr|ticket|port"
    r"|code|error|status|phase|stage|part|level"
    r"|type|class|rule|option|sample|example|field|section|chapter|figure|table|item|user|role"
    r"|group|node|host|server|db|web|app|box|team"
    r"|sprint|version|release|build|beta|alpha|rc|gpt|"
    + spoken_names()
    + r"|llama|opus|sonnet|haiku"
    r"|windows|office|exchange|sharepoint|iphone)"
    r"[-_.]?v?\d{1,5}[a-z]{0,2}(?:[-_./](?:\d{1,3}|[a-z]{1,6}|with\w*|sha\d+)|with\w*){0,3}$"
)
"""Names that people number: standards, products, parts of a text."""

_HEX = Pattern(r"^(?:0x)?[0-9a-fA-F]{24}[0-9a-fA-F]*$")
_PARTS = Pattern(r"^[A-Za-z]{1,5}[-_](?:[a-z]{2,8}[-_])?[A-Za-z0-9]{8}[A-Za-z0-9_-]*$")
_JOINED = Pattern(r"^[A-Z][a-z]{2,}(?:[-_.&]?[A-Z][a-z]{2,})+$|^[a-z]{3,}(?:[.&_-][a-z]{3,})+$")
_CAMEL = Pattern(r"^[a-z]*(?:[A-Z][a-z]+)*[0-9]+(?:[A-Z][a-z]+)*$|[a-z][A-Z][a-z]{3}")
_WORD_WITH_DIGIT = Pattern(r"^[a-z]{4,}[0-9][a-z]?$|^[0-9][a-z]{5,}$|^[A-Z][a-z]{4,}[0-9]$")
_FOUR_WORDS = Pattern(r"^[a-z]{3,}(?:-[a-z]{3,}){3,}$|^[a-z]{3,}(?:[.][a-z]{3,}){3,}$")
_PASSABLE = LETTERS + DIGITS + b"_-.,:/()" + _SIGNS


@lru_cache(maxsize=512)
def form_of(value: bytes) -> Form:
    """Return the form of a value without the quotes and the punctuation around it."""
    size = len(value)
    if not 3 <= size <= 160 or remove_bytes(value, _PASSABLE):
        return Form.NONE
    letters = size - len(remove_bytes(value, LETTERS))
    digits = size - len(remove_bytes(value, DIGITS))
    signs = size - len(remove_bytes(value, _SIGNS))
    if not letters:
        return (
            Form.DIGITS if digits == size or (digits >= 3 and signs + digits == size) else Form.NONE
        )
    if not digits and not signs:
        is_joined = _JOINED.occurs_in(value) and not _NOT.occurs_in(value)
        is_joined = is_joined and not SECRET_IDENTIFIER.occurs_in(value)
        if is_joined and value.islower() and _FOUR_WORDS.occurs_in(value):
            return Form.WORD_AND_DIGITS
        if is_drawn(value) and not is_placeholder(value):
            return Form.CHOSEN
        return Form.JOINED if is_joined and size >= 7 else Form.NONE
    if size < 6 or is_placeholder(value.strip(b"$*_.:!?")):
        return Form.NONE
    if digits and _is_key(value):
        return Form.KEY
    if _NOT.occurs_in(value):
        return Form.NONE
    if _NUMBERED.occurs_in(value) and count_class_changes(value) < 5:
        return Form.NONE
    if SHORT_ID.occurs_in(value) or is_secret_identifier(value):
        return Form.NONE
    if signs:
        if (digits and letters >= 2) or is_drawn(value):
            return Form.CHOSEN
        return Form.JOINED if letters >= 4 and size >= 7 else Form.NONE
    if digits == 1 and is_drawn(value):
        return Form.CHOSEN
    if (
        digits == 1
        and size >= 9
        and not _CAMEL.occurs_in(value)
        and count_class_changes(value) >= 3
    ):
        return Form.CHOSEN
    if digits == 1 and size >= 7 and _WORD_WITH_DIGIT.occurs_in(value):
        return Form.WORD_AND_DIGITS
    mixes = count_class_changes(value) >= _FEWEST_CHANGES
    if digits < _FEWEST_DIGITS and not mixes:
        return Form.NONE
    return Form.CHOSEN if mixes else Form.WORD_AND_DIGITS


_FEWEST_CHANGES, _FEWEST_DIGITS = 4, 2
"""Changes of case and kind in a value that a person or a program mixed, and digits in a word with some."""


_WORDLIKE = re.compile(rb"[A-Z]?[a-z]*[aeiouy][a-z]*")


def is_drawn(value: bytes) -> bool:
    """Return whether letters of both cases follow one another as in a drawn text, and not as in `camelCase`."""
    size = len(value)
    if size < 9 or value.count(b"%") > 1:
        return False
    shape = value.translate(_CASES)
    switches = shape.count(b"aA") + shape.count(b"Aa")
    if switches < 3 or size - shape.count(b"a") - shape.count(b"A") > size // 2:
        return False
    breaks = sum(left != right for left, right in itertools.pairwise(shape))
    return count_in_words(value) * 2 <= size and breaks * 5 >= 2 * (size - 1)


_CASES = bytes(97 if 97 <= byte <= 122 else 65 if 65 <= byte <= 90 else 45 for byte in range(256))
"""A translation of each byte to small letter, capital or neither."""


def count_in_words(value: bytes) -> int:
    """Return the number of bytes of a value that lie in what could be words: three letters with a vowel or more."""
    return sum(len(part) for part in _WORDLIKE.findall(value) if len(part) > 2)


def _is_key(value: bytes) -> bool:
    if _HEX.occurs_in(value) or UUID.occurs_in(value):
        return True
    if is_random(value, 16) and count_class_changes(value) * 5 >= len(value):
        return True
    return len(value) >= 16 and _PARTS.occurs_in(value) and count_class_changes(value) >= 6
