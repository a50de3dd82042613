"""Secrets in commands: behind a program's flag, in a fixed place, piped in, written to a file, or beside a user."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.candidate_checks import (
    DIGITS,
    KNOWN_ID,
    SHORT_ID,
    count_class_changes,
    has_mixed_characters,
    is_placeholder,
    is_secret_identifier,
    remove_bytes,
)
from hooklore.redaction.rules.value_forms import Form, form_of

_REST = r"[^\r\n|;]*?"
_LOGINS = "vault|cargo|wandb|snyk|ngrok|npm|flyctl|doppler|infisical|sentry-cli|hf|huggingface-cli"
_ATTACHED, _APART, _EITHER = "", r"\s+", r"\s*"

# ---- flags and places that take a password

_PASSWORD_FLAGS = (
    (r"mysql\w*|mariadb[\w-]*", r"-p", _ATTACHED),
    (r"7z[arz]?|(?:un)?rar", r"-h?p", _ATTACHED),
    (r"(?:un)?zip|sqlcmd|bcp|tsql|ipmitool|mosquitto_\w+", r"-P", _EITHER),
    (
        r"mongo\w*|twine|cqlsh|ncftp\w*|rdesktop|racadm|altool|notarytool|(?:win)?certutil|snowsql|vsce|ovsx",
        r"-p",
        _APART,
    ),
    (r"redis-cli", r"-a", _APART),
    (r"plink|pscp|psftp", r"-pw", _APART),
    (r"kadmin|ldap\w+|security\s+add-\w+-password", r"-w", _APART),
    (r"ldappasswd", r"-[as]", _APART),
    (r"security\s+[\w-]+-keychain", r"-p", _APART),
    (r"ssh-keygen", r"-[NP]", _APART),
    (r"snmp\w+", r"-[AX]", _APART),
    (r"signtool|osslsigncode", r"[/-]p(?:ass)?", _APART),
    (r"openssl\s+(?:enc|aes\S*|des\S*)", r"-[kK]", _APART),
    (
        r"(?:docker|podman|helm|az|cf|oc|buildah|skopeo|nerdctl|crane)\s+(?:registry\s+|auth\s+)?login",
        r"-p",
        _APART,
    ),
    (r"vercel|vc|netlify|railway|wrangler|sentry-cli|heroku|doctl|influx", r"-t", _APART),
    (r"nuget\s+push", r"-k", _APART),
    (r"schtasks", r"/(?i:rp)", _APART),
    (r"xfreerdp", r"/p:", _ATTACHED),
    (r"curl", r"(?:-b|--cookie)[ =]?[\"']?[\w.-]+=", _ATTACHED),
    (
        r"curl|https?|xh|ab|siege",
        r"(?:-u|--user|--proxy-user|-a|-A)[ =]?[\"']?[^\s:\"'/]*:",
        _ATTACHED,
    ),
    (r"smbclient|rpcclient|smbmap", r"-U\s+[^\s%]+%", _ATTACHED),
    (r"lftp", r"-u\s+[\w.@-]+,", _ATTACHED),
    (r"aws\s+ssm\s+put-parameter\b[^\r\n|;]*?SecureString\b", r"--value[ =]", _ATTACHED),
)
"""Programs, the flag behind which their password stands, and whether it stands apart: a row for each."""

_PASSWORD_PLACES = (
    r"\bsshpass\s+-p\s*", r"\s-[uo]pw\s+", rf"\bmysqladmin\b{_REST}\spassword\s+", r"\bslmgr\s+[/-]ipk\s+",
    r"\bnet\s+use\s+\S+\s+\\\\\S+\s+", r"\bsnmp(?:-server)?\s+community\s+",
    r"\bcloudflared\s+service\s+install\s+",
    r"\bpass(?:in|out)?[ =][\"']?pass:", r"(?i:\b(?:setuser|user))\s+\S+\s+on\s+>",
    r"\b(?:rclone\s+obscure|encrypt_string)\s+",
    rf"\b(?:passwd|chpasswd|kinit|cryptsetup|(?:docker|helm|podman)\s+login|gh\s+auth\s+login)\b{_REST}<<<\s*",
    r"(?i:\bmachine[ \t]+\S+\s+login[ \t]+\S+\s+password[ \t]+)", r"(?i:\bpassword\s+)['\"]",
    r"(?i:\bidentified\s+(?:with\s+\S+\s+)?by\s+)['\"]", r"(?i:\bConvertTo-SecureString\s+(?:-\w+\s+)*)['\"]",
    r"(?m:^[ \t]*)stats[ \t]+auth[ \t]+[\w.@-]+:", r"\boathtool\b[^\r\n|;]*?[ \t](?:-b|--base32)[ \t]+",
    r"\b[A-Z_]*PASSPHRASE=(?:[\"'])", r"\bwpa_passphrase[ \t]+\S+[ \t]+(?:[\"'])",
    r"(?i:\bauthorization: *(?:basic|digest) +)[\w.@-]+[ :]",
    r"(?m:(?:^|[\"'])[\w.*-]+:543\d:[^:\s]+:[A-Za-z_][^:\s]*:)",
)  # fmt: skip
"""Places behind which a password stands, whatever its form."""

_MAKES_USER = r"(?:create|add|new|register)[-_:]?(?:super|admin)?[-_]?user"
_SETS_ONE = (
    r"\b(?:reset|change|set)[-_:]?passw(?:or)?d|\buser[-_:](?:create|add|new|passwd|password)"
)
_USER = r"[\"']?(?:[\w.+-]+@[\w.-]+|[A-Za-z_][\w.-]*)[\"']?"
_LIKELY_PLACES = (
    r"\bhtpasswd\s+(?:-\w+\s+)*-\w*b\w*\s+(?:[^\s-]\S*\s+)?[\w.@-]+\s+", r"\bnet\s+use\b[^\r\n|;]*?\s/user:\S+\s+",
    r"\b(?:rabbitmqctl\s+(?:add_user|change_password)|net\s+user|mc\s+alias\s+set\s+\S+\s+\S+)\s+[\w.\"'-]+\s+",
    rf"\b(?:{_LOGINS})\s+(?:login|auth|authtoken|config\s+add-authtoken)(?:[ \t]+--?[a-z][a-z-]*)*[ \t]+",
    r"\b(?:sqlplus|expdp|impdp|rman|sqlldr|sqlcl)\b[^\r\n|;]*?\s[\w$]+/", r"\bWIFI:(?:[TSH]:[^;\r\n]*;)*P:",
    r"\b(?:tmux[ \t]+send(?:-keys)?|[xy]dotool|wtype|bw[ \t]+unlock)\b[^\r\n|;\"']*[ \t](?:[\"'])",
    r"[ \t](?:-[sD]|--(?:arg|set|define|var|substitution))[ \t]+[\"']?[\w.-]*(?i:password|secret|token)[\"']?[ ]+",
    r"(?:(?m:^)|\becho[ \t]+)user[ \t]+[\w.@-]+[ \t]+", r"\badb[ \t]+shell[ \t]+input[ \t]+text[ \t]+",
    r"\bAUTH[ \t]+(?:[\w.-]+[ \t]+)?", r"\b(?:requirepass|masterauth)[ \t]+", rf"\bsnmp\w+\b{_REST}\s-c[ \t]*",
    r"/v[ ]+\w*(?i:passw|secret|token|key)\w*[ ]+/t[ ]+\w+[ ]+/d[ ]+", r"\bhttp-basic\.\S+[ \t]+\S+[ \t]+",
    r"(?:^|[\s\"'])[\w.-]+/[\w.-]+:", r"\brtmps?://[^\s/\"']+/(?:[\w.-]+/)*",
    rf"(?:\b(?:login|sign-?in|logon)|[\w:.-]*\b{_MAKES_USER}|{_SETS_ONE})[ \t]+{_USER}[ \t]+",
)  # fmt: skip
"""Places where a text with a secret's form is one."""

_ARGUMENT = r"""(?:["']?([^\s"'`\[$][^\s"'`]+)|'(\$[^\s"'`]+))"""
_SURE = Pattern(
    "(?:"
    + "|".join(
        (
            *(rf"\b(?:{who})\b{_REST}\s{flag}{gap}" for who, flag, gap in _PASSWORD_FLAGS),
            *_PASSWORD_PLACES,
        )
    )
    + f"){_ARGUMENT}"
)
_LIKELY = Pattern(
    rf"""(?:{"|".join(_LIKELY_PLACES)})["']?([^\s"'`\[/$<>|;&()-][^\s"'`@;|<>&()]{{3,}})"""
)
_LOGS_IN = r"(?:connect\w*|login|sign_?in|auth\w*|pdo|credentials?|__construct|provider|client)"
_LOGIN_CALL = Pattern(
    rf"""(?i){_LOGS_IN}[ ]?(?:\(|[ ]:\w+,)\s*"""
    r"""(?:["'][^"'\r\n]*["']\s*,\s*){1,2}["']([^"'\s]{6,})["']"""
)
"""A call that logs in: its second or third argument, beside a user."""

_CODES = Pattern(
    r"""--?(?:token-code|mfa-code|otp|totp|one-time-password)[ \t=]+["']?([0-9]{6,8})\b"""
)
_PROMPT = Pattern(r"""[ \t][^"'\r\n]*[:?][ \t]?["']""")
"""The rest of a quoted text that asks for a password: `--ask-password "Enter passphrase:"`."""


def _find_commands(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, *places in _SURE.each(raw, start, end):
        first, last = max(places)
        value = raw[first:last]
        found = last - first > 3 and not (is_placeholder(value) or is_secret_identifier(value))
        found = found and not value.startswith((b"--", b"/"))
        found = found and _PROMPT.match(raw, last, min(len(raw), last + 64)) is None
        yield "assigned", first, last if found else first
    for _, (first, last) in _LIKELY.each(raw, start, end):
        value = raw[first:last].rstrip(b"?!.,;:/")
        is_quoted = raw[first - 1 : first] in (b"'", b'"') and has_mixed_characters(value, 6)
        found = is_quoted or form_of(value) >= Form.WORD_AND_DIGITS
        found = found and not (
            is_placeholder(value) or is_secret_identifier(value) or SHORT_ID.occurs_in(value)
        )
        yield "assigned", first, first + len(value) if found else first
    for _, (first, last) in _LOGIN_CALL.each(raw, start, end):
        yield "assigned", first, last if _is_formed(raw, first, last) else first
    for _, code in _CODES.each(raw, start, end):
        yield "assigned", *code


COMMANDS = Rule(
    "<<<|mysql|mariadb|sshpass|7z|rar |redis-cli|mongo|twine|cqlsh|ncftp|rdesktop|tsql|ipmitool|plink|pscp|psftp"
    "|zip "
    "|sqlcmd|bcp |mosquitto|keychain|altool|notarytool|certutil|signtool|signcode|vsce |ovsx |[uo]pw |racadm"
    "|kadmin|snmp"
    "|ldap|add-[a-z]+-password|ssh-keygen|(?:docker|podman|helm|az|cf|oc|buildah|skopeo|nerdctl|crane|vault|cargo"
    "|wandb"
    "|auth|registry|hf|cli)[ \t]+(?:login|auth)|htpasswd|rabbitmqctl|net use|net user|on >|cloudflared|slmgr"
    "|wpa_pass"
    "|mc alias|influx |rclone obscure|encrypt_string|stats[ \t]+auth|(?i:authorization: *(?:basic|digest))"
    "|snyk|ngrok|npm "
    "|flyctl|doppler"
    "|infisical|sentry-cli|xfreerdp|pass:|smbclient|rpcclient|smbmap|sqlplus|expdp|impdp|rman |sqlldr|sqlcl|lftp"
    "|nuget push|schtasks|vercel|vc |netlify|railway|wrangler|heroku|doctl|ssm put|openssl|snowsql|steamcmd"
    "|send-keys"
    "|dotool|wtype|input text|AUTH[ \t]|requirepass|masterauth|WIFI:|/v[ \t]|adb |bw unlock|radtest|createUser"
    "|[ \t]-H[ \t]|hashes |PASSPHRASE=|(?:(?m:^)|echo )user |[ \t](?:-[sD]|--(?:arg|set|define|var|subs))"
    "|http-basic|github-oauth|gitlab-token"
    "|[\\w.-]/[\\w.-]+:[^\\s\"'@:/]+@|oathtool|rtmps?://|(?:login|sign-?in|logon) |user[-_:][canrp]"
    "|(?:create|add|new|register)[-_:]?(?:super|admin)?[-_]?user|(?:reset|change|set)[-_:]?passw|-(?:token"
    "|mfa)-code"
    "|-t?otp|-one-time|(?:curl|https?|xh|ab|siege)[ \t][^\r\n]*-(?:u|-user|-proxy-user|a|A|b|-cookie)[ =]|:543"
    rf"""|(?i:{_LOGS_IN}[ ]?(?:\(|[ ]:)\s*\w*,?[ ]?["'])"""
    """|(?i:machine|identified|password[ \t\r\n]+['"]|securestring)""",
    _find_commands,
)

# ---- short flags of any program, told by the form of their value

_VALUE = r"""["']?([^\s"'`$<>|;&(){}\[\]/-][^\s"'`<>|;&(){}\[\]/]{5}[^\s"'`<>|;&(){}\[\]/]*)"""
_PASSWORD_FLAG = Pattern(rf"[ \t][-/](?:p|P|pw|pwd|pass|w|W)(?:[ \t]+|=|:)?{_VALUE}")
_USER_FLAG = Pattern(
    r"[ \t](?:-u|-U|-l|-L|-D|--user(?:name)?|--login|--uid|--account|--email|/u|/user)(?:[ \t]+"
    r"|[=:])?[\"']?[A-Za-z_]"
)
_PAIR_FLAG = Pattern(
    r"[ \t](?:-u|-U|-a|-A|--?[a-z-]*user(?:name|pass)?|--?[a-z-]*auth|--?creds?|--?credentials?"
    r"|--?login)(?:[ \t]+|=)"
    r"""["']?[A-Za-z_][\w.@+-]{0,63}[:%,]([^\s"'`$<>|;&(){}\[\]/:][^\s"'`<>|;&]{3}[^\s"'`<>|;&]*)"""
)


def _find_short_flags(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for pattern, is_secret in (
        (_PASSWORD_FLAG, _is_password),
        (_PAIR_FLAG, _is_formed),
    ):
        for _, (first, last) in pattern.each(raw, start, end):
            yield "assigned", first, last if is_secret(raw, first, last) else first


def _is_formed(raw: bytes, first: int, last: int) -> bool:
    return form_of(raw[first:last]) >= Form.WORD_AND_DIGITS and not is_placeholder(raw[first:last])


def _is_token(raw: bytes, first: int, last: int) -> bool:
    """Return whether a value is a key of both cases and digits, as ids in hexadecimal digits have not."""
    value = raw[first:last]
    has_digits = len(remove_bytes(value, DIGITS)) < len(value)
    is_mixed = has_digits and not value.islower() and not value.isupper() and b"." not in value
    return is_mixed and form_of(value) is Form.KEY


def _is_password(raw: bytes, first: int, last: int) -> bool:
    """Return whether the argument of `-p` is a password, and no port, folder or package."""
    value = raw[first:last]
    form = form_of(value)
    if form < Form.WORD_AND_DIGITS or b"=" in value[:-1]:
        return False
    if _is_token(raw, first, last) and not KNOWN_ID.occurs_in(value):
        return raw[last : last + 1] != b"/"  # else the beginning of a public key in base64
    if form is Form.CHOSEN and (count_class_changes(value) >= 5 or b"!" in value or b"#" in value):
        return True
    line = raw.rfind(b"\n", 0, first) + 1
    stop = raw.find(b"\n", last, last + 256)
    begin, stop = max(line, first - 256), stop if stop >= 0 else min(len(raw), last + 256)
    return _USER_FLAG.search(raw, begin, stop) is not None


COMMAND_FLAGS = Rule(
    r"""[ \t][-/](?:p|P|pw|pwd|pass|w|W)(?:[ \t]+|=|:)?["']?[^\s"'`$<>|;&(){}\[\]/-]"""
    r"""[^\s"'`<>|;&(){}\[\]/]*(?:[^\sA-Za-z_./"'`<>|;&(){}\[\]-]|[a-z][A-Z])"""
    r"""|[ \t](?:-[abckKsStTx]|--?(?:auth|body|value|data|content|text|string|literal))(?:[ \t]+"""
    r"""|=)["']?[^\s"'`]*[0-9]"""
    r"""|[ \t](?:-[uUaA]|--?[a-z-]*user(?:name|pass)?|--?[a-z-]*auth|--?creds?|--?credentials?"""
    r"""|--?login)(?:[ \t]+|=)"""
    r"""["']?[A-Za-z_][\w.@+-]*[:%,]|<<<""",
    _find_short_flags,
)

# ---- written to a file of secrets, piped into what asks for a password, put in the place of a gap

_PRODUCES = r"""\b(?:echo|printf|yes|print)[ \t]+(?:-\w+[ \t]+|["']?%s(?:\\n)?["']?[ \t]+)*"""
_TEXT = r"""(?:'([^'\r\n]+)'|"([^"\r\n$`]+)\"|([^\s"'`$<>|;&()-][^\s"'`$<>|;&()]+))"""
_FILE = r"""["']?([\w./~${}@:-]+)["']?"""
_WRITTEN = Pattern(
    rf"{_PRODUCES}{_TEXT}[ \t]*(?:>{{1,2}}[ \t]*|\|[ \t]*(?:sudo[ \t]+)?tee[ \t]+(?:-a[ \t]+)?){_FILE}"
)
_HOLDS_SECRETS = Pattern(
    r"(?i)(?:^|[/._-])(?:[\w-]*pass(?:word|wd|phrase|code)?s?|pw|pwd|[\w-]*secrets?|[\w-]*tokens?|credentials?"
    r"|creds?"
    r"|auth|api[_-]?keys?|psk|(?:master|secret|encryption|private|signing|enc|vault|db|key)[._-]?key|keyfile)"
    r"(?:[._-](?:txt|key|file|conf|cfg|secret|prod|dev|staging|local|tmp|[a-z]{2,8}))?$"
)
_PUBLISHED = Pattern(
    r"(?i)(?:public|authorized|known|example|sample|tmpl|template|dist|\.(?:pub|md|py|[jt]s|go|rb|sh))"
)
_PIPED = Pattern(
    rf"{_PRODUCES}{_TEXT}[ \t]*(?:(?:;|&&)[^|)\r\n]*)?\)?[ \t]*(?:\|[ \t]*(?:head|tail|tr|sed)\b[^|\r\n]*)?"
    r"\|[ \t]*(?:sudo[ \t]+)?(?:[^\r\n|;]*?(?:-stdin\b|--with-token|--passphrase-fd|-S[ \t])"
    r"|(?:\S*/)?(?:(?:smb|vnc|ch|ldap|ht)?passwd|saslpasswd2|cryptsetup|kinit|su|veracrypt|gocryptfs|encfs"
    r"|pass[ \t]+insert"
    r"|ssh-add)\b)"
)


def _find_piped(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield secrets that `echo` pipes into a command, or writes to a file that is named for secrets."""
    for _, *texts, path in _WRITTEN.each(raw, start, end):
        first, last = max(texts)
        name, value = (
            raw[slice(*path)],
            raw[first:last].rstrip(b" *\"'").rpartition(b" ")[2].strip(b"\"'"),
        )
        found = (
            _HOLDS_SECRETS.occurs_in(name)
            and not _PUBLISHED.occurs_in(name)
            and b"=" not in value[:-2]
        )
        begin = raw.rfind(value, first, last)
        yield (
            "assigned",
            begin,
            begin + len(value) if found and _is_formed(value, 0, len(value)) else begin,
        )
    for (_, stop), *spans in _PIPED.each(raw, start, end):
        first, last = max(spans)
        _, colon, secret = raw[first:last].partition(b":")
        value = secret if colon and secret else raw[first:last]
        is_asked_for = _ASKS.search(raw, last, stop) is not None and b" " not in value
        found = (
            (is_asked_for or has_mixed_characters(value, 6))
            and len(value) > 3
            and not is_placeholder(value)
        )
        yield "assigned", last - len(value) if found else first, last if found else first


_ASKS = Pattern(r"sudo[ \t]+-S|passwd|kinit|cryptsetup")
"""Programs that read nothing but a password there, a plain word too."""

PIPED_SECRETS = Rule(r"(?:echo|printf|yes|print)[ \t]", _find_piped)

# ---- our own commands

_SCRUB = r"\bhook(?:lore|s)[ \t]+scrub\b[^\r\n;|&]*?--literal"
_WORD = r"""(?:"([^"\r\n]+)"|'([^'\r\n]+)'|([^\s"'<>|;&`]+))"""
_LITERAL = Pattern(rf"{_SCRUB}(?:=|[ \t]+){_WORD}")
_NEXT_LITERAL = Pattern(rf"--literal(?:=|[ \t]+){_WORD}")
_PIPED_LITERAL = Pattern(
    rf"""\b(?:echo|printf)((?:[ \t]+-\w+)*[ \t]+[^\r\n|]+)\|[^\r\n;|&]*?{_SCRUB}"""
)
_HERE_LITERAL = Pattern(rf"""{_SCRUB}[^\r\n;|&]*?<<-?""")
_CONFIRMED = Pattern(r"--confirmed[=\s'\"]{1,4}([0-9a-f]{16,64})\b")
_NO_TEXT = (b"-", b"TEXT", b"\xe2\x80\xa6", b"...")


def _find_own(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield tokens of confirmations, and what `scrub --literal` removes: arguments, piped texts, here-documents."""
    for _, (first, last) in _CONFIRMED.each(raw, start, end):
        yield "confirmation", first, last
    position = start
    while groups := _LITERAL.search(raw, position, end):
        line_end = raw.find(b"\n", groups[0][1], end)
        position = end if line_end < 0 else line_end
        for _, *forms in _NEXT_LITERAL.each(raw, groups[0][0], position):
            first, last = max(forms)
            yield "literal", first, first if raw[first:last] in _NO_TEXT else last
    for _, (first, last) in _PIPED_LITERAL.each(raw, start, end):
        yield "literal", first + 1, last
    here = _HERE_LITERAL.search(raw, start, end)
    if here is not None and here[0][1] < end:
        yield "literal", here[0][1], end


SCRUB_COMMANDS = Rule("--(?:literal|confirmed)", _find_own)
