"""Secrets that stand in a command beside no name: what it writes to a file of secrets, replaces, or pipes on."""

from collections.abc import Iterator

from hooklore.redaction.pattern import ByteSpan, Candidate, FindCandidates, Pattern, Rule
from hooklore.redaction.rules import candidate_checks
from hooklore.redaction.rules.value_forms import Form, form_of

_PLAIN = r"""([^\s"'`$<>|;&(){}\[\]-][^\s"'`$<>|;&]+)"""
_PRODUCES = r"""\b(?:echo|printf|yes|print)[ \t]+(?:-\w+[ \t]+|["']?%s(?:\\n)?["']?[ \t]+)*"""
_TEXT = (
    r"""(?:'([^'\r\n]+)'|"([^"\r\n$`]+)\""""
    r"""|([^\s"'`$<>|;&()-][^\s"'`$<>|;&()]+))"""
)

# ---- written to a file of secrets

_FILE = r"""["']?([\w./~${}@:-]+)["']?"""
_WRITTEN = Pattern(
    rf"{_PRODUCES}{_TEXT}[ \t]*(?:>{{1,2}}[ \t]*|\|[ \t]*(?:sudo[ \t]+)?tee[ \t]+(?:-a[ \t]+)?){_FILE}"
)
_DOCUMENT = Pattern(
    rf"""\bcat[ \t]*>{{1,2}}[ \t]*{_FILE}[ \t]*<<-?[ \t]*["']?\w+["']?[ \t]*\r?\n"""
    r"[ \t]*(\S+)[ \t]*\r?\n[ \t]*\w+[ \t]*(?:\r?\n|\z)"
)
_HOLDS_SECRETS = Pattern(
    r"(?i)(?:^|[/._-])(?:[\w-]*pass(?:word|wd|phrase|code)?s?|pw|pwd|[\w-]*secrets?|[\w-]*tokens?|credentials?|creds?"
    r"|auth|api[_-]?keys?|psk|(?:master|secret|encryption|private|signing|enc|vault|db|key)[._-]?key|keyfile)"
    r"(?:[._-](?:txt|key|file|conf|cfg|secret|prod|dev|staging|local|tmp|[a-z]{2,8}))?$"
)
_PUBLISHED = Pattern(
    r"(?i)(?:public|authorized|known|example|sample|tmpl|template|dist|\.(?:pub|md|py|[jt]s|go|rb|sh))"
)
_PASSWORD_FILE = Pattern(r"(?i)pass(?:word|wd|phrase)?$")
_WORD = Pattern(r"[^\s:,]{6,}")


def _find_written(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield what `echo` and a here-document write to a file that is named for secrets."""
    for _, *texts, path in _WRITTEN.each(raw, start, end):
        yield from _find_word(raw, max(texts), path)
    for _, path, text in _DOCUMENT.each(raw, start, end):
        yield from _find_word(raw, text, path)


def _find_word(raw: bytes, text: ByteSpan, path: ByteSpan) -> Iterator[Candidate]:
    """Yield the last word of `text` with a secret's form, where `path` names a file of secrets."""
    yield "assigned", text[1], text[1]
    name = raw[slice(*path)]
    if not _HOLDS_SECRETS.occurs_in(name) or _PUBLISHED.occurs_in(name):
        return
    least = Form.JOINED if _PASSWORD_FILE.occurs_in(name) else Form.WORD_AND_DIGITS
    words = [span for (span,) in _WORD.each(raw.replace(b"\\n", b"  "), *text)]
    for first, last in reversed(words):
        if b"=" not in raw[first : last - 2] and form_of(raw[first:last]) >= least:
            yield "assigned", first, last
            return


# ---- piped into what asks for a password

_FEEDS = Pattern(
    rf"{_PRODUCES}{_TEXT}[ \t]*(?:(?:;|&&)[^|)\r\n]*)?\)?[ \t]*(?:\|[ \t]*(?:head|tail|tr|sed)\b[^|\r\n]*)?"
    r"\|[ \t]*(?:sudo[ \t]+)?(?:\S*/)?(?:smbpasswd|saslpasswd2|vncpasswd|chpasswd|passwd|cryptsetup|kinit|su"
    r"|ldappasswd|htpasswd|veracrypt|ecryptfs[\w-]*|gocryptfs|encfs|pass[ \t]+insert|ssh-add)\b"
)


def _find_fed(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, *texts in _FEEDS.each(raw, start, end):
        first, last = max(texts)
        value = raw[first:last].rpartition(b":")[2]
        first = last - len(value)
        found = form_of(value) >= Form.WORD_AND_DIGITS and not candidate_checks.is_placeholder(
            value
        )
        yield "assigned", first, last if found else first


# ---- put in the place of a gap

_REPLACES = Pattern(
    r"""(?:^|[\s"'{;])s[/|#,@~!]([\w@%{}<>$ .-]*?(?i:pass|pwd|secret|token|key|cred)[\w@%{}<>. -]*?)[/|#,@~!]"""
    r"""([^\s/|#,@~!"'$&\\]+)[/|#,@~!]"""
)
_GAP = Pattern(r"^[^a-z]+$|^(?:__|@@|%%|\{\{|<)")


def _find_replacing(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the new text of `s/DB_PASSWORD_HERE/…/`."""
    for _, gap, (first, last) in _REPLACES.each(raw, start, end):
        least = Form.WORD_AND_DIGITS if _GAP.occurs_in(raw[slice(*gap)]) else Form.KEY
        yield "assigned", first, last if form_of(raw[first:last]) >= least else first


# ---- behind a user

_BEHIND_USER = Pattern(
    r"(?:\b(?:login|signin|sign-in|logon)|[\w:.-]*\b(?:create|add|new|register)[-_:]?(?:super|admin)?[-_]?user"
    r"|\buser[-_:](?:create|add|new|register|passwd|password)|\b(?:reset|change|set)[-_:]?passw(?:or)?d)"
    rf"""[ \t]+["']?(?:[\w.+-]+@[\w.-]+|[A-Za-z_][\w.-]*)["']?[ \t]+["']?{_PLAIN}["']?(?:[ \t\r\n;|&)]|\z)"""
)


def _find_behind_users(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the password of `login alice …` and `create-user alice@host …`."""
    for _, (first, last) in _BEHIND_USER.each(raw, start, end):
        form = form_of(raw[first:last])
        found = form >= Form.CHOSEN and b"/" not in raw[first:last] and b"=" not in raw[first:last]
        yield "assigned", first, last if found else first


# ---- fixed places

_CHARS = r"""[^\s"'$<>|;&()]"""
_ARGUMENT = rf"""["']?({_CHARS}+)"""
_REST = r"[^\r\n|;]*?[ \t]"
_FIXED = Pattern(
    "|".join(
        (
            rf"""\boathtool\b{_REST}["']?((?:[A-Z2-7]{{4}} )+[A-Z2-7]+|[A-Z2-7]{{16}}[A-Z2-7]*)\b""",
            rf"""\bsteamcmd\b{_REST}\+login[ \t]+\S+[ \t]+["']?([^\s"'+$]+)""",
            rf"\bradtest[ \t]+\S+[ \t]+{_ARGUMENT}",
            r"""\bcreateUser[ \t]+\S+[ \t]+(?:MD5|SHA[0-9-]*)[ \t]+["']?([^\s"'$]+)""",
            r"""--?(?:token-code|mfa-code|otp|totp|one-time-password)[ \t=]+["']?([0-9]{6,8})\b""",
            r"""\bwpa_passphrase[ \t]+(?:"[^"\r\n]+"|'[^'\r\n]+'|\S+)[ \t]+["']([^"'$\r\n]{8,63})["']""",
            r"""\b[A-Z_]*PASSPHRASE=["']([A-Za-z]+(?: [A-Za-z]+){3,})["']""",
            r"""\baccounts["']?[ \t]*[:=][ \t]*\[\s*["'](0x[0-9a-fA-F]{8}[0-9a-fA-F]+)["']""",
            r"""\bWIFI:(?:[TSH]:[^;\r\n]*;)*P:([^;\r\n]+);""",
            (
                rf"""\b(?:nxc|cme|crackmapexec|evil-winrm|impacket-\w+|\w+exec\.py)\b{_REST}-(?:H|hashes)[ \t]+"""
                r"""["']?([0-9a-fA-F:]{32}[0-9a-fA-F:]*)"""
            ),
            r"""\bAUTH[ \t]+(?:[\w.-]+[ \t]+)?([^\s"'\\]+)(?:\\r|\\n|["']|[ \t]*\r?\n|\z)""",
            r"""\brtmps?://[^\s/"']+/[\w/.-]*?([\w-]+(?:\?[^\s"']*)?)(?:["'\s]|\z)""",
            rf"\badb[ \t]+shell[ \t]+input[ \t]+text[ \t]+{_ARGUMENT}",
            rf"""\bbw[ \t]+unlock\b{_REST}["']?([^\s"'$-]{_CHARS}+)""",
            rf"\b(?:tmux[ \t]+send(?:-keys)?|[xy]dotool|wtype)\b[^\r\n|;]*[ \t]['\"]({_CHARS}+)['\"]",
            rf"(?m:^)user[ \t]+\S+[ \t]+({_CHARS}+)[ \t]*\r?\n(?:bin|cd|ascii|passive|lcd|m?put|m?get|prompt)",
            rf"\bcodecov\b{_REST}-t[ \t]+{_ARGUMENT}",
            rf"\bmosquitto_passwd[ \t]+-\w*b\w*[ \t]+\S+[ \t]+\S+[ \t]+{_ARGUMENT}",
            r"(?m:^)\S+:[0-9]+ \([\w.-]+\) ([0-9A-Fa-f]{32})\b",
            r"""\ba[0-9]+="-(?:w|p|P|pw|pass|-password)"[ ]a[0-9]+="([^"\s]+)\"""",
            r"""\ba[0-9]+="-[uU]"[ ]a[0-9]+="[^"\s%:]+[%:]([^"\s]+)\"""",
            r"(?m:^)\[?[\w.-]+\]?(?::[0-9]+)?[ \t]+[\w.+-]+@[\w.-]+:(\S+)[ \t]*(?m:\r?$)",
            rf"\bsnmp\w+\b{_REST}-c[ \t]*{_ARGUMENT}",
            r"""\b(?:requirepass|masterauth)[ \t]+["']?([^\s"'/.*$<]+)""",
            r"""\b(?:GetBytes|b64encode|btoa|Base64\w*)\([bf]?["'][^"':\r\n]{0,40}:([^"'\s]+)["']""",
            r"""/v[ \t]+\w*(?i:passw|secret|token|key)\w*[ \t]+/t[ \t]+\w+[ \t]+/d[ \t]+["']?([^\s"'%]+)""",
            rf"\bhttp-basic\.\S+[ \t]+\S+[ \t]+{_ARGUMENT}",
            rf"\b(?:github-oauth|gitlab-token)\.\S+[ \t]+{_ARGUMENT}",
            (
                r"""(?:^|[\s"'=])[\w.-]+/([A-Z0-9a-z!#$%&*+]*(?:[0-9][A-Z][0-9A-Z]*[a-z]|[a-z][A-Z0-9][a-z0-9]*[A-Z]|[!#$%&*+])"""
                r"""[A-Z0-9a-z!#$%&*+]*)@[\w.-]+(?:["'\s:/]|\z)"""
            ),
            r"""(?:^|[\s"'])[\w.-]+/[\w.-]+:([^\s"':/]+)@[\w.-]+(?:["'\s]|\z)""",
            r"""(?:^|[\s"'(:])([^\s"'=:()]+)==>""",
            r"""\becho[ \t]+user[ \t]+[\w.@-]+[ \t]+([^\s"'$;|&)]+)[ \t]*(?:[;&|)>\r\n]|\z)""",
            (
                r"""[ \t](?:-[sD]|--(?:arg|set|define|var|substitution))[ \t]+["']?[\w.-]*"""
                rf"""(?i:passw(?:or)?d|secret|token)["']?[ \t]+{_ARGUMENT}"""
            ),
            (
                r"""\b(?:cargo|wandb|snyk|ngrok|npm|flyctl|doppler|infisical|sentry-cli|hf|huggingface-cli)[ \t]+"""
                rf"""(?:login|auth)(?:[ \t]+--?[a-z][a-z-]*)+[ \t]+{_ARGUMENT}"""
            ),
            r"""\.(?:Workbooks|Documents)\.Open\(["'][^"']*["'](?:,[^,"')]*)+,[ \t]*["']([^"'\s]+)["']""",
            r"""\[\+\][ \t]+[\w.-]+\\[^\s:\\]+:([^\s:]+)[ \t]*(?:\(|\r?\n|\z)""",
            r"""\$krb5[a-z]+\$\S*:([^\s:$]+)[ \t]*(?:\r?\n|\z)""",
            (
                r"""\bprintf[ \t]+["'][^"'%\r\n]*(?i:pass|pwd|secret|token|key|cred)[^"'%\r\n]*"""
                rf"""%s[^"'\r\n]*["'][ \t]+{_ARGUMENT}"""
            ),
            (
                r"""["']username["'][ \t]*:[ \t]*["'][^"']*["'][ \t]*,[ \t]*["'](?:key|secret)["'][ \t]*:[ \t]*"""
                r"""["']([^"'\s]+)"""
            ),
        )
    )
)
_FILTERED = Pattern(r"""["']([^"'\r\n]+)["'][ \t]*\|[ \t]*password_hash\b""")
"""The argument of a template's filter. It may begin at any quote: in `_FIXED` it takes a third of the memory."""

_SURE = 10
"""The first so many of these say by themselves that a secret follows, whatever its form."""

_SHORTEST = 4
"""Bytes of such a secret. No pattern here counts: each count copies a class of characters, in each alternative."""


def _find_fixed(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the arguments that are always a secret, where they have a secret's form."""
    for _, *places in _FIXED.each(raw, start, end):
        first, last = max(places)
        is_sure = (first, last) in places[:_SURE] and last - first >= _SHORTEST
        yield _argument(raw, first, last, is_sure=is_sure)
    for _, (first, last) in _FILTERED.each(raw, start, end) if b"password_hash" in raw else ():
        yield _argument(raw, first, last, is_sure=False)


def _argument(raw: bytes, first: int, last: int, *, is_sure: bool) -> Candidate:
    found = is_sure or form_of(raw[first:last]) >= Form.WORD_AND_DIGITS
    found = found and raw[first:last] != b"123456"  # of every manual
    found = found and not candidate_checks.is_placeholder(raw[first:last])
    return "assigned", first, last if found else first


# ---- in a header of one's own

_HEADER = Pattern(
    r"""(?:^|[\s"'])(?:-H|--?(?:rpc-)?header)[ \t=]*["']([A-Za-z][\w-]*):[ \t]*"""
    r"""([\w.~+/=-]+)["']"""
)
_ORDINARY_HEADER = Pattern(
    r"(?i)(?:id|trace\w*|correlation|match|digest|checksum|sha\w*|md5|tag|type|version|agent|commit|cursor|hash"
    r"|accept|language|encoding|range|modified|since|host|origin|referer|length|revision|ref|parent|state|baggage)$"
)
_LONG = 16
_OPENS = Pattern(r"(?i)auth\w*$|sesame|passw|secret|token|key$|cred")


def _find_headers(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the value of a header with an odd name that opens something: `-H 'X-Acme-Sesame: …'`."""
    for _, name, (first, last) in _HEADER.each(raw, start, end):
        opens = _OPENS.occurs_in(raw[slice(*name)])
        value = raw[first:last]
        least = Form.WORD_AND_DIGITS if opens else Form.KEY
        found = len(value) >= _LONG and form_of(value) >= least
        found = found and (opens or not _ORDINARY_HEADER.occurs_in(raw[slice(*name)]))
        found = found and (opens or not candidate_checks.UUID.occurs_in(value))
        yield "assigned", first, last if found else first


_FINDERS: tuple[FindCandidates, ...] = (
    _find_written,
    _find_fed,
    _find_replacing,
    _find_behind_users,
    _find_fixed,
    _find_headers,
)


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for find in _FINDERS:
        yield from find(raw, start, end)


COMMAND_ARGUMENTS = Rule(
    r"""(?i:echo|printf|yes|print)[ \t][^\n]*[|>]|\bcat[ \t]*>|[\s"'{;]s[/|#,@~!]|(?:login|sign-?in|logon) """
    r"""|(?:create|add|new|register)[-_:]?(?:super|admin)?[-_]?user|user[-_:][canrp]"""
    r"""|(?:user|reset|change|set)[-_:]?passw(?:or)?d[ \t]"""
    r"""|oathtool|codecov|steamcmd|radtest|createUser|mosquitto_passwd|snmp|wpa_passphrase|PASSPHRASE="""
    r"""|\ba[0-9]+="-[a-zA-Z-]+"|[0-9] \([\w.-]+\) [0-9A-Fa-f]|[ \t][\w.+-]+@[\w.-]+:[^\s]"""
    r"""|--?(?:token-code|mfa-code|t?otp|one-time-p)"""
    r"""|[|][ \t]*password_hash|\bAUTH[ \t]|rtmps?://|WIFI:|accounts["']?[ \t]*[:=]|adb[ \t]+shell"""
    r"""|bw[ \t]+unlock|["']username["'][ \t]*:|http-basic[.]|github-oauth[.]|gitlab-token[.]"""
    r"""|[\w.-]/[\w.-]+:[^\s"'@:/]+@|/[A-Za-z0-9!#$%&*+]+@|send-keys|dotool|wtype|requirepass|masterauth|GetBytes|b64encode|btoa|Base64"""
    r"""|==>|[ \t](?:-[sD]|--(?:arg|set|define|var|substitution))[ \t]+["']?[\w.-]*(?i:passw|secret|token)"""
    r"""|\.Open\(|\[\+\][ \t]|\$krb5|(?:login|auth)[ \t]+--?[a-z]"""
    r"""|/v[ \t]|(?m:^)user[ \t]|hashes[ \t]|[ \t]-H[ \t]|%s|-(?:H|header)[ \t='"]""",
    _find,
)
