"""Secrets on command lines, in HTTP headers, SQL and credential files."""

from collections.abc import Iterator
from itertools import chain

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules import candidate_checks
from hooklore.redaction.rules.assignments import (
    SENSITIVE_NAME_PARTS,
    is_quoted_secret,
    is_unquoted_secret,
    quoted_end,
    unquoted_end,
)
from hooklore.redaction.rules.named_apart import find_piped_to_names
from hooklore.redaction.rules.names import SENSITIVE_KEYWORD, SecretKind, classify_keyword
from hooklore.redaction.rules.value_forms import Form, count_in_words, form_of

_DECLARES = r"\b(?:ENV|ARG|setx|setenv|set -[gUx]+)[ \t]+"
_FLAG = Pattern(
    rf"""(?i)(?:(?:^|[\s"'`\[(,])--?|{_DECLARES})([\w.-]*?)({SENSITIVE_KEYWORD})([\w-]*)"""
    r"""((?:["'],[ \t]*|[ \t]+<<<[ \t]*|[ \t])(["']?))[^\s"'`<>\[-][^"'`\s]{3}"""
)
_IN_QUOTES = Pattern(r"""[^"'\r\n\\]+""")
_END_OF_COMMAND = Pattern(r"""(?:["'`]|[ \t]*(?:[\r\n\\;|&>]|-|\z))""")


def _find_flags(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while groups := _FLAG.search(raw, position, end):
        _, before, word, after, (_, place), quote = groups
        quoted = quote[0] < quote[1]
        kind = classify_keyword(raw[slice(*word)], b"-" + raw[slice(*before)], raw[slice(*after)])
        last = quoted_end(_IN_QUOTES, raw, place) if quoted else unquoted_end(raw, place)
        found = kind is not None and _is_argument(raw, kind, place, last, quoted=quoted)
        yield "assigned", place, last if found else place
        # the next flag may begin at the blank that ended this one
        position = last if found else after[1]


def _is_argument(raw: bytes, kind: SecretKind, place: int, last: int, *, quoted: bool) -> bool:
    """Return whether a flag's value is a secret, and neither the next flag nor a help text's placeholder."""
    value = raw[place:last]
    if kind is SecretKind.VAGUE and _TOKEN_NAME.occurs_in(raw[max(0, place - 8) : place]):
        return form_of(value) is Form.KEY
    if kind is SecretKind.VAGUE or (value.isupper() and value.isalpha()):
        return False
    if quoted:
        return is_quoted_secret(kind, value)
    certain = _END_OF_COMMAND.match(raw, last, min(len(raw), last + 64)) is not None
    return is_unquoted_secret(kind, value, certain=certain)


_TOKEN_NAME = Pattern(r"""[_-]pat\W*$""")
"""The end of a flag for a personal access token."""

_REST = r"[^\r\n|;]*?"
_ARGUMENT = r"""(?:["']?([^\s"'`\[$][^\s"'`]+)|'(\$[^\s"'`]+))"""
_COMMAND = Pattern(
    rf"""(?:\b(?:mysql\w*|mariadb[\w-]*)\b{_REST}\s-p|\bsshpass\s+-p\s*|\b(?:7z[arz]?|"""
    rf"""(?:un)?rar)\b{_REST}\s-h?p"""
    rf"""|\b(?:redis-cli\b{_REST}\s-a|(?:mongo\w*|twine|cqlsh|ncftp\w*|rdesktop)\b{_REST}\s-p|"""
    rf"""(?:plink|pscp|psftp)\b{_REST}\s-pw)\s+"""
    rf"""|\b(?:(?:un)?zip|sqlcmd|bcp|tsql|ipmitool|mosquitto_\w+)\b{_REST}\s-P\s*"""
    rf"""|\s-[uo]pw\s+|\bracadm\b{_REST}\s-p\s+|\bkadmin\b{_REST}\s-w\s+|\bsnmp\w+\b{_REST}\s-[AX]\s+|\bnuget\s+push\b{_REST}\s-k\s+|\bschtasks\b{_REST}\s/(?i:rp)\s+"""
    rf"""|\b(?:ldap\w+\b{_REST}\s-w|ldappasswd\b{_REST}\s-[as]"""
    rf"""|security\s+add-\w+-password\b{_REST}\s-w|ssh-keygen\b{_REST}\s-[NP]"""
    rf"""|security\s+[\w-]+-keychain\b{_REST}\s-p|\b(?:altool|notarytool|certutil|wincertutil)\b{_REST}\s-p"""
    rf"""|\b(?:signtool|osslsigncode)\b{_REST}\s[/-]p(?:ass)?)\s+"""
    rf"""|\b(?:docker|podman|helm|az|cf|oc|buildah|skopeo|nerdctl|crane)\s+(?:registry\s+"""
    rf"""|auth\s+)?login\b{_REST}\s-p\s+"""
    rf"""|\bmysqladmin\b{_REST}\spassword\s+|\bxfreerdp\b{_REST}\s/p:|\bpass(?:in|out)?[ =]["']?pass:"""
    rf"""|\b(?:smbclient|rpcclient|smbmap)\b{_REST}\s-U\s+[^\s%]+%|\blftp\b{_REST}\s-u\s+[\w.@-]+,"""
    rf"""|\b(?:curl|https?|xh|ab|siege)\b{_REST}\s(?:-u|--user|--proxy-user|-a|-A)[ =]?["']?[^\s:"'/]*:"""
    r"""|\b(?:vercel|vc|netlify|railway|wrangler|sentry-cli|heroku|doctl|npx vercel)\b[^\r\n|;]*?\s-t\s+"""
    r"""|\baws\s+ssm\s+put-parameter\b[^\r\n|;]*?SecureString\b[^\r\n|;]*?--value[ =]"""
    r"""|\bopenssl\s+(?:enc|aes\S*|des\S*)\b[^\r\n|;]*?\s-[kK]\s+|\bsnowsql\b[^\r\n|;]*?\s-p\s+"""
    r"""|\bnet\s+use\s+\S+\s+\\\\\S+\s+|\bsnmp(?:-server)?\s+community\s+|(?i:\b(?:setuser|user))\s+\S+\s+on\s+>"""
    r"""|\bcurl\b[^\r\n|;]*?\s(?:-b|--cookie)[ =]?["']?[\w.-]+="""
    r"""|\bcloudflared\s+service\s+install\s+|\bslmgr\s+[/-]ipk\s+"""
    r"""|\b(?:passwd|chpasswd|kinit|cryptsetup|(?:docker|helm|podman)\s+login|gh\s+auth\s+login)\b[^\r\n|;]*?<<<\s*"""
    r"""|(?i:\bmachine[ \t]+\S+\s+login[ \t]+\S+\s+password[ \t]+)"""
    r"""|(?i:\bidentified\s+(?:with\s+\S+\s+)?by\s+|\bpassword\s+)['"]|"""
    r"""(?i:\bConvertTo-SecureString\s+(?:-\w+\s+)*)['"]"""
    r"""|\b(?:vsce|ovsx)\s+\w+\b[^\r\n|;]*?\s-p\s+"""
    r"""|\binflux\b[^\r\n|;]*?\s-t\s+|\brclone\s+obscure\s+"""
    r"""|(?m:^[ \t]*)stats[ \t]+auth[ \t]+[\w.@-]+:|(?i:\bauthorization: *(?:basic|digest) +)[\w.@-]+[ :])"""
    rf"""{_ARGUMENT}"""
)
_PASSWORD_FILE = Pattern(
    rf"(?m:(?:^|[\"'])[\w.*-]+:(?:543\d|\*):[^:\s]+:[A-Za-z_][^:\s]*:){_ARGUMENT}"
)
"""A line of `.pgpass`. It begins with any name, so that beside the commands it takes a third of their memory."""

_KEY_AS_USER = Pattern(
    rf"""\b(?:curl|https?|xh)\b{_REST}\s(?:-u|--user|-a|--auth)[ =]?["']?([^\s:"'/$@\[]{{16,}}):[xX]?["'\s]"""
)
"""A key in the place of a user's name, with no password beside it, as many services take it."""

_POSITIONAL = Pattern(
    r"""(?:\bhtpasswd\s+(?:-\w+\s+)*-\w*b\w*\s+(?:[^\s-]\S*\s+)?[\w.@-]+\s+"""
    r"""|\b(?:rabbitmqctl\s+(?:add_user|change_password)|net\s+user|wpa_passphrase"""
    r"""|mc\s+alias\s+set\s+\S+\s+\S+)\s+(?:"[^"\r\n]+"|'[^'\r\n]+'|[\w."'-]+)\s+|\bnet\s+use\b[^\r\n|;]*?\s/user:\S+\s+"""
    r"""|\b(?:vault|cargo|wandb|snyk|ngrok|npm|flyctl|doppler|infisical|sentry-cli)\s+(?:login"""
    r"""|auth|authtoken|config\s+add-authtoken)\s+"""
    r"""|\b(?:sqlplus|expdp|impdp|rman|sqlldr|sqlcl)\b[^\r\n|;]*?\s[\w$]+/)["']?([^\s"'`\[/-][^\s"'`@]{3,})"""
)
_PROMPT = Pattern(r"""[ \t][^"'\r\n]*[:?][ \t]?["']""")
"""The rest of a quoted text that asks for a password: `--ask-password "Enter passphrase:"`."""

_COMMAND_PREFILTER = (
    "<<<|nuget push|schtasks|vercel|vc |netlify|railway|wrangler|heroku|doctl|ssm put|openssl|snowsql|"
    "mysql|mariadb|sshpass|7z|rar |redis-cli|mongo|twine|cqlsh|ncftp|rdesktop|tsql|ipmitool|plink"
    "|pscp|psftp|zip |sqlcmd|bcp |mosquitto|-keychain|altool|notarytool|certutil|signtool|signcode"
    "|vsce |ovsx |codecov"
    "|[uo]pw |racadm|kadmin"
    "|snmp|ldap|add-[a-z]+-password|ssh-keygen|(?:docker|podman|helm|az|cf|oc|buildah|skopeo|nerdctl|crane|vault"
    "|cargo|wandb|auth|registry)[ \t]+(?:login|auth)|htpasswd|rabbitmqctl|net use|on >|cloudflared|slmgr"
    "|wpa_pass|mc alias|influx |rclone obscure|stats[ \t]+auth|(?i:authorization: *(?:basic|digest))"
    "|snyk|ngrok|npm |flyctl|doppler"
    "|infisical|sentry-cli|xfreerdp|pass:|smbclient|rpcclient|smbmap|sqlplus|expdp|impdp|rman |sqlldr|sqlcl|lftp"
    "|(?:curl|https?|xh|ab|siege)[ \t][^\r\n]*-(?:u|-user|-proxy-user|a|A|b|-cookie)[ =]|:543|:[*]:"
    """|(?i:machine|identified|password[ \t\r\n]+['"]|securestring)"""
)


def _find_commands(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    is_password_file = b":543" in raw or b":*:" in raw
    for _, *places in chain(
        _COMMAND.each(raw, start, end),
        _PASSWORD_FILE.each(raw, start, end) if is_password_file else (),
    ):
        first, last = max(places)
        value = raw[first:last]
        found = not candidate_checks.is_placeholder(
            value
        ) and not candidate_checks.is_secret_identifier(value)
        found = found and last - first > 3 and not value.startswith((b"--", b"/"))
        found = found and _PROMPT.match(raw, last, min(len(raw), last + 64)) is None
        yield "assigned", first, last if found else first
    for _, (first, last) in _KEY_AS_USER.each(raw, start, end):
        value = raw[first:last]
        found = form_of(value) is Form.KEY or candidate_checks.is_random(value, 16)
        yield "assigned", first, last if found else first
    for _, (first, last) in _POSITIONAL.each(raw, start, end):
        value = raw[first:last].rstrip(b"?!.,;:")
        found = candidate_checks.has_mixed_characters(value, 6)
        found = found or form_of(value) >= Form.WORD_AND_DIGITS
        found = (
            found
            and not candidate_checks.is_placeholder(value)
            and not candidate_checks.is_secret_identifier(value)
            and not candidate_checks.SHORT_ID.occurs_in(value)
        )
        yield "assigned", first, last if found else first


_INTO = (
    r"""\|[ \t]*(?:sudo[ \t]+)?(?:[^\r\n|;]*?(?:-stdin\b|--with-token|--passphrase-fd"""
    r"""|sudo[ \t]+-S|-S[ \t])|(?:\S*/)?(?:chpasswd|passwd|kinit|cryptsetup)\b)"""
)
_PIPED = Pattern(
    r"""\b(?:echo|printf)(?:[ \t]+-\w+)*[ \t]+(?:["']?%s(?:\\n)?["']?[ \t]+)?(?:["']?([^\s"'"""
    rf"""|$`<>\[][^\s"'|]{{3}}[^\s"'|]*)["']?|["']([^"'\r\n|$`]{{6,}})["'])[ \t]*{_INTO}"""
)


def _find_piped(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield secrets that `echo` pipes into a command, `docker login --password-stdin` or `chpasswd` for example."""
    yield from find_piped_to_names(raw, start, end)
    for (_, stop), *spans in _PIPED.each(raw, start, end):
        first, last = max(spans)
        _, colon, secret = raw[first:last].partition(b":")
        value = secret if colon and secret else raw[first:last]
        is_asked_for = _ASKS.search(raw, last, stop) is not None and b" " not in value
        found = is_asked_for or candidate_checks.has_mixed_characters(value, 6)
        found = found and not candidate_checks.is_placeholder(value)
        yield "assigned", last - len(value) if found else first, last if found else first


_ASKS = Pattern(r"sudo[ \t]+-S|passwd|kinit|cryptsetup")
"""Programs that read nothing but a password there, a plain word too."""

_SCHEME = Pattern(
    r"(?i)(?:(\bauthorization(?::|[\"'][ \t]*[,:=][ \t]*[\"']))[ \t]*[a-z][\w-]*"
    r"|\b(?:bearer|ssws|geniekey|splunk|klaviyo-api-key|(basic"
    r"|auth(?:enticate)?[ \t]+(?:plain|login|xoauth2))))"
    r"""(?:[ \t]+|["']?[ \t]*[:=][ \t]*["'])([A-Za-z0-9+/=._~-]{8,})"""
)


_DIGEST = Pattern("^[0-9a-f]{32}[0-9a-f]*$")


def _find_schemes(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield credentials behind `Bearer` or `Basic`, in a header or not."""
    for _, header, basic, (first, last) in _SCHEME.each(raw, start, end):
        value = raw[first:last].rstrip(b".")
        found = candidate_checks.is_random(value, 16) or _DIGEST.occurs_in(value)
        found = found or (basic[0] >= 0 and candidate_checks.is_basic_credential(value))
        is_sent = (
            header[0] >= 0 and _ENDS_HEADER.match(raw, last, min(len(raw), last + 8)) is not None
        )
        found = found or (is_sent and _is_sent(value))
        found = found and not candidate_checks.is_placeholder(value)
        yield "assigned", first, first + len(value) if found else first


_ENDS_HEADER = Pattern(r"""["'`\\,;)}\]]|[ \t]*(?:\r?\n|\z)""")
"""The end of a header: a quote, a sign or the end of the line. In a sentence of a log a word follows."""


def _is_sent(value: bytes) -> bool:
    """Return whether a value behind the scheme of a header is a credential, which may be a UUID or of one class."""
    if candidate_checks.UUID.occurs_in(value):
        return True
    return len(value) >= 16 and value.isalnum() and count_in_words(value) * 2 <= len(value)


_COOKIE = Pattern(
    r"""(?i)\b(?:set-)?cookie["']?[ \t]*[:=][ \t]*["'`]?([^\r\n"'`=;:\s\\]+=[^\r\n"'`\\]{4,})"""
)


_KEPT_COOKIE = Pattern(
    r"(?m)^\S+\t(?:TRUE|FALSE)\t\S+\t(?:TRUE|FALSE)\t[0-9]+\t\S+\t(\S{8,})[ \t]*\r?$"
    r"""|(?i)"name"\s*:\s*"[\w.-]*(?:sess|sid|auth|token|csrf|xsrf|remember|jwt)[\w.-]*"\s*,\s*"value"\s*:\s*"([^"\s]{8,})\""""
)
"""A line of the file in which curl and browsers keep cookies, and a cookie of a session as a browser exports it."""


def _find_kept_cookies(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, *spans in _KEPT_COOKIE.each(raw, start, end):
        first, last = max(spans)
        value = raw[first:last]
        found = candidate_checks.is_random(value, 16) or form_of(value) >= Form.KEY
        yield "assigned", first, last if found else first


def _find_cookies(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    yield from _find_kept_cookies(raw, start, end)
    for _, (first, last) in _COOKIE.each(raw, start, end):
        pairs = [pair.strip().partition(b"=") for pair in raw[first:last].split(b";", 16)]
        found = any(
            candidate_checks.has_mixed_characters(value, 8)
            and not candidate_checks.is_placeholder(value)
            for _, _, value in pairs
        )
        yield "assigned", first, last if found else first


FLAGS = Rule(
    rf"(?i)(?:-|\b(?:env|arg|setx|setenv|set -[gux]+)[ \t]+)[\w.-]*(?:{SENSITIVE_NAME_PARTS})",
    _find_flags,
)
COMMANDS = Rule(_COMMAND_PREFILTER, _find_commands)
PIPED_SECRETS = Rule(r"(?:echo|printf)[ \t]", _find_piped)
AUTH_SCHEMES = Rule(
    r"(?i)\bauthorization(?::|[\"'][ \t]*[,:=][ \t]*[\"'])[ \t]*[a-z][\w-]*[ \t]"
    r"|\b(?:bearer|basic|ssws|geniekey|splunk|klaviyo-api-key"
    r"""|auth(?:enticate)?[ \t]+(?:plain|login|xoauth2))[ \t"':=]""",
    _find_schemes,
)
COOKIES = Rule("(?i)cookie|httponly|\t(?:TRUE|FALSE)\t", _find_cookies)
