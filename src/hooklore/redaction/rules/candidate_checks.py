"""Checks of a candidate: whether a value is a secret, or a word in the place of one."""

import base64
import binascii

from hooklore.redaction.pattern import Pattern

DIGITS = b"0123456789"
LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
WORDLIKE = LETTERS + DIGITS + b"_-."

PLACEHOLDER = Pattern(
    r"(?i)^(?:[$]{1,2}[A-Za-z_{(]|[<\[{(]|%\w+%$|\\?$)"
    r"|(?:^|[^a-z0-9])%[sdrv](?:$|[^a-z0-9])|\{[\w.]*\}|[.*]{3}|…|•"
    r"|(?:^|[^a-z0-9])your[-_ ]?[a-z]|^my[-_ ][a-z_ -]+$|^my-?pass(?:word|wd)?$"
    r"|example|placeholder|change.?me|redacted|dummy|replace.?me|goes.?here|[_-]here$"
    r"|^%\{|[вb][аa]ш[_ -]|[àa][-_ ](?:remplir|changer|définir)|rellenar|ausf(?:ü|ue)llen|eintragen"
    r"|cambi(?:ar|ame)|changez"
    r"|(?:^|[^a-z])(?:votre|dein|ihr|tu|su|il_tuo|seu|sua)[-_][a-z]|ここに|入力|してください|あなたの"
    r"|^(?:x|\*|\.|-|_|#|\?|0)+$"
)
"""A text in the place of a value: a variable, a command, dots, `your-…`, `example`."""

PLACEHOLDER_WORDS = frozenset(
    b"any args array auth authorization basic bearer bool boolean bytes char config const cookie data default "
    b"digest disabled empty enabled env false file float foobar foo from header hidden id input int integer "
    b"invalid kwargs key keyring list login missing name negotiate never new nil no none not ntlm null number "
    b"object off ok old on optional options output param pass passed passphrase passwd password path plain "
    b"prompt pwd random readonly redis required result return role root secret self set some str string table "
    b"test text the this token true type unchanged undefined unknown unset url user username uuid val value "
    b"values varchar void yes bcrypt scrypt argon2 argon2id pbkdf2 base64 base32 base58 utf8 utf-8 utf-16 "
    b"latin1 ascii ansi jwt oauth oauth2 oauth1 saml saml2 sha1 sha256 sha384 sha512 sha-1 sha-256 sha-512 md5 "
    b"hs256 rs256 es256 ed25519 rsa rsa2048 rsa4096 aes aes128 aes256 pkcs1 pkcs8 pkcs12 x509 ipv4 ipv6 "
    b"1password http1 http2 int32 int64 uint8 uint32 uint64 char32 totp hotp base64url must should will can may "
    b"hashed encrypted masked secured confirmed "
    b"need needs incorrect wrong rejected accepted valid expired forgotten reset changed deprecated".split()
)
"""Words that follow a key's name in code and prose without being a secret."""

SECRET_IDENTIFIER = Pattern(
    r"(?i)password|passwd|passphrase|secret|token|credential|(?:api|access|auth|private|public)[_-]?key"
    r"|(?:^|[_. -])(?:key|pass|pwd|pw|auth|cred|str|string|type)s?(?:$|[_. -])"
)
"""Parts of an identifier that names a secret without being one."""

CODE = Pattern(
    r"^[&*@!]*[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.|!\.)[A-Za-z_]\w*)*[!?]?[(\[{]"
    r"|^(?:self|this|cls|process|os)\.|^[&*@!]*[A-Za-z_$][\w$]{0,15}(?:(?:\.|->|::|\?\.|!\.)[A-Za-z_]\w{0,23})+$"
)
"""A call, an index, or a path of identifiers: `get_token(`, `os.environ[`, `self.token`."""

REFERENCE = Pattern(
    r"(?i)^(?:(?:~|\.{1,2}|[A-Za-z]:)[/\\]|(?-i:/(?:[a-z_.-][a-z0-9_.-]*/)+[a-z0-9_.-]*$)"
    r"|/(?:run|etc|var|home|Users|root|tmp|opt|usr|mnt)/|https?://|op://|arn:|vault:"
    r"|[\w./-]+/[\w./-]+#\w+$|secret://|file:|!\w+$|env[:.]|ref\+|projects/|data:|[dq]word:"
    r"|hex(?:\(\d\))?:[0-9a-f]{2},|(?:[a-z]+:){1,4}[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-"
    r"|ssh-(?:rsa|ed25519|dss)|(?-i:Ag[A-D][A-Za-z0-9+/]{60,})|sha\d+[-:]|md5:|pk_(?:live|test)_|sb_publishable_"
    r"|(?:user|session|tenant|org|account|customer|member|job|uid|device|client)s?:\d+$)"
)
"""The location of a secret instead of the secret: a path, a URL, a vault's reference, a key of a cache. Public
hashes and keys too, and what Bitnami's sealed-secrets encrypts."""

ALGORITHM = Pattern(
    r"(?i)^(?:#[0-9a-f]{3,8}$|base\d|utf|sha-?\d|md5|aes|rsa|hmac|oauth|rfc"
    r"|(?-i:[A-Z]{2,6}-[0-9]{1,5}(?:-[0-9]{1,6})?$)|iso|http/?\d|pkcs|pbkdf|argon|x\.?509|p-?\d+$|ed25519"
    r"|v?\d+(?:\.\d+)+|\d+[-_]?(?:bits?|bytes?|chars?|characters?|days?|hours?|minutes?|seconds?|ms|kb|mb|gb|px"
    r"|x\d+)\b)"
)
"""Names and measures that mix letters with digits."""

SHORT_ID = Pattern(
    r"(?i)^(?:[0-9a-f]{7,12}|\d{4}-?\d{2}-?\d{2}(?:[t ]?[\d:.]+)?(?:z|[+-]\d{2}:?\d{2})?|v?\d+(?:\.\d+)+\S*)$"
)
"""Short commits, timestamps, versions."""

KNOWN_ID = Pattern(
    r"(?i)^(?:[0-9a-f]{7,12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128}"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|\d{4}-?\d{2}-?\d{2}(?:[t ]?[\d:.]+)?(?:z|[+-]\d{2}:?\d{2})?|v?\d+(?:\.\d+)+\S*)$"
)
"""Ids and hashes that are common in development: commits, digests, UUIDs, timestamps, versions."""


UUID = Pattern(r"(?i)^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$")


def remove_bytes(value: bytes, removed: bytes) -> bytes:
    """Return `value` without all bytes of `removed`."""
    return value.translate(None, removed)


VARIABLE = Pattern(
    r"^(?:\$\{[^{}]*\}|\$\([^()]*\)|\$[A-Za-z_]\w*|%\w+%|<[^<>]*>|\{\{[^{}]*\}\}|\[REDACTED[^\]]*\]|[*.#?xX_-]+)$"
)
"""A value that is only a variable, a gap to fill in, or a mask."""


def is_placeholder(value: bytes) -> bool:
    """Return whether the value is a placeholder."""
    low = value.lower()
    if low in PLACEHOLDER_WORDS or b"xxxxx" in low:
        return True
    return PLACEHOLDER.occurs_in(value)


def has_mixed_characters(value: bytes, shortest: int) -> bool:
    """Return whether letters occur together with digits or symbols, as in a chosen or random secret."""
    if len(value) < shortest:
        return False
    rest = len(remove_bytes(value, LETTERS))
    return 0 < rest < len(value) and len(remove_bytes(value, LETTERS + b"_-.:/,;")) > 0


def has_letters_and_digits(value: bytes) -> bool:
    """Return whether `value` has both letters and digits."""
    return len(remove_bytes(value, DIGITS)) < len(value) > len(remove_bytes(value, LETTERS))


def is_random(value: bytes, shortest: int) -> bool:
    """Return whether the value looks random: long, one word, letters mixed with digits, no known id."""
    if len(value) < shortest or remove_bytes(value, WORDLIKE + b"+/=~"):
        return False
    digits = len(value) - len(remove_bytes(value, DIGITS))
    letters = len(value) - len(remove_bytes(value, LETTERS))
    if value.count(b"_") + value.count(b".") >= 2 and digits * 4 < len(value):
        return is_high_entropy(value, shortest)
    if KNOWN_ID.occurs_in(value) or _SEQUENCE.occurs_in(value):
        return False
    return digits >= 2 and letters >= 4


_CLASSES = bytes(
    97 if 97 <= byte <= 122 else 65 if 65 <= byte <= 90 else 48 if 48 <= byte <= 57 else 45
    for byte in range(256)
)
"""A translation of each byte to its class: `a` small, `A` capital, `0` digit, `-` all others."""

_CLASS_CHANGES = (b"aA", b"Aa", b"a0", b"0a", b"A0", b"0A")
_WORD = Pattern(r"(?:^|-)(?:A?a{4,}|A{5,})(?:-|$)")
_SMALL = bytes(97 if byte == 97 else 32 for byte in range(256))
"""A translation that leaves only the small letters of a string of classes."""

_SEQUENCE = Pattern("(?i)0123456789|123456789|abcdefghij")
_DIGEST = Pattern(r"(?:^|[_/+-])[0-9a-f]{20,}(?:$|[_/+-])")
_HEXADECIMAL = b"0123456789abcdefABCDEF"


def count_class_changes(value: bytes) -> int:
    """Return how often small letters, capitals and digits follow one another."""
    shape = value.translate(_CLASSES)
    return sum(map(shape.count, _CLASS_CHANGES))


def is_high_entropy(value: bytes, shortest: int) -> bool:
    """Return whether the value looks like base64 of random bytes.

    Small letters, capitals and digits must alternate nearly as often as there: in .62 of all steps, against
    .3 in `camelCaseV2Names`. Three values are refused: one with a word between two separators, a hash, and
    base64 of readable text.
    """
    body = value.rstrip(b"=")
    if len(body) < shortest:
        return False
    shape = body.translate(_CLASSES)
    size = len(shape) - 2 * shape.count(b"-")
    if sum(map(shape.count, _CLASS_CHANGES)) * 100 < 36 * size or size * 3 < 2 * len(shape):
        return False
    if shape.count(b"A") < 3 or shape.count(b"a") < 3 or b"0" not in shape:
        return False
    if len(set(body)) * 2 < min(len(body), 36):
        return False
    if b"-" in shape and b"+" not in body and _WORD.occurs_in(shape):
        return False
    small = shape.translate(_SMALL).split()
    in_words = sum(len(run) + 1 for run in small if len(run) >= 3)
    if in_words * 20 > len(body) * 11 or _SEQUENCE.occurs_in(body) or _DIGEST.occurs_in(body):
        return False
    return not (is_base64_text(value) or not remove_bytes(body.removeprefix(b"0x"), _HEXADECIMAL))


def is_base64_text(value: bytes) -> bool:
    """Return whether the value is base64, of either alphabet, of readable text."""
    body = value.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
    try:
        decoded = base64.b64decode(body[: len(body) // 4 * 4], validate=True).decode()
    except (binascii.Error, ValueError):
        return False
    return all(character.isprintable() or character in "\t\r\n" for character in decoded)


def is_secret_identifier(value: bytes) -> bool:
    """Return whether the value is an identifier about a secret: `user_token_2`, `dbPassword`."""
    others = remove_bytes(value, LETTERS)
    if others.strip(b"_-. ") and (remove_bytes(others, DIGITS + b"_-. ") or b"_" not in value):
        return False
    if not others and (value.islower() or value.isupper()):
        return False
    return SECRET_IDENTIFIER.occurs_in(value)


def is_basic_credential(value: bytes) -> bool:
    """Return whether the value is base64 of `user:password`, or of SASL's NUL, user, NUL, password."""
    try:
        decoded = base64.b64decode(value + b"=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return False
    text = decoded.replace("\0", ":").replace("\1", ":")
    return ":" in text and text.isprintable()


def is_luhn_valid(digits: bytes) -> bool:
    """Return whether the last digit is the check digit of the others (ISO/IEC 7812-1, annex B)."""
    values = digits[-1::-2] + digits[-2::-2].translate(_DOUBLED)
    return (sum(values) - 48 * len(values)) % 10 == 0


_DOUBLED = bytes.maketrans(b"0123456789", b"0246813579")
"""A translation of each digit to the digit sum of its double."""


def is_phone_number(candidate: str, region: str | None) -> bool:
    """Return whether the numbering plan of `region`, or of the number's country code, has this number."""
    import phonenumbers  # 25 ms, and most texts hold no candidate

    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(candidate, region))
    except phonenumbers.NumberParseException:
        return False
