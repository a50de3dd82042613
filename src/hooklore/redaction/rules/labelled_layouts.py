"""Secrets of a fixed layout that other text can have too, told by the label before them."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.value_forms import Form, form_of, is_wordless

_SHOWN_BY_GOOGLE = (
    r"app(?:lication)?[ -]?pass(?:word|code|wort)|アプリ ?パスワード|парол[ьяею] приложени[яйе]"
    r"|contraseña de (?:la )?(?:aplicaci[óo]n|app)|mot de passe d['’]application"
    r"|senha de (?:aplicativo|app)|password per (?:le )?app|hasł[oa] (?:do )?aplikacji|wachtwoord voor app"
)
# Google shows an app password as four groups of four letters.
# A bootstrap token: kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/#token-format
_LAYOUT = Pattern(
    rf"""(?i:{_SHOWN_BY_GOOGLE})[ \t]*(?:is|was|は|[:=：])?[ \t]*["'`「]?"""
    r"""([a-z]{4} [a-z]{4} [a-z]{4} [a-z]{4}|[a-z]{16})\b"""
    r"""|(?i:key|secret|code)(?i: manually)?[ \t]*:[ \t]*(?:\r?\n[ \t]*)?((?:[a-z2-7]{4} ){3,15}[a-z2-7]{4}"""
    r"""|(?:[A-Z2-7]{4} ){3,15}[A-Z2-7]{4})\b"""
    r"""|(?i:token)[ \t=:"'`]{1,4}([a-z0-9]{6}\.[a-z0-9]{16})\b"""
)
_ENGLISH = frozenset(
    b"also been code data does down each even ever file form from give good have here into just keep know "
    b"last left like live long look made mail make many menu more most much must name need next once only "
    b"open over page part same sent site some such sure take test text than that them then they this time "
    b"type used user uses very want were what when will with work your".split()
)
"""Words of four letters. Four groups of a sentence have one of them, four drawn groups hardly ever."""

_DIGIT = Pattern("[0-9].*[0-9]")


_NETWORK_KEY = Pattern(
    r"(?i)(?:\bssid|\bwpa[23]?)\b[^\r\n]*\r?\n(?:[^\r\n]{0,60}\r?\n)?[ \t]*"
    r"(?:key|schlüssel|clé|chave|clave|chiave|鍵|キー)[ \t]*[:：=][ \t]*([!-~]{8,63})[ \t]*(?:\r?\n|\z)"
    r"|(?:\b(?:snmp|read|write|trap)[^\r\n]{0,24}community(?:[ ](?:name|string))?|社区名|团体名|コミュニティ名)"
    r"[ \t]*[:：=][ \t]*[\"']?([!-~]{4,63})"
)


def _find_of_networks(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the key of a radio network below its name, and the community that opens a device."""
    for _, *spans in _NETWORK_KEY.each(raw, start, end):
        first, last = max(spans)
        value = raw[first:last].rstrip(b"\"',;")
        found = form_of(value) >= Form.WORD_AND_DIGITS
        yield "assigned", first, first + len(value) if found else first


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    yield from _find_of_networks(raw, start, end)
    for _, app, seed, token in _LAYOUT.each(raw, start, end):
        if token[0] >= 0:
            value = raw[token[0] + 7 : token[1]]
            found = _DIGIT.occurs_in(value) and raw[token[1] : token[1] + 1] not in (
                b".",
                b"(",
                b"-",
            )
            yield "kubernetes", token[0], token[1] if found else token[0]
        else:
            password = max(app, seed)
            groups = raw[slice(*password)].lower().split()
            found = _ENGLISH.isdisjoint(groups) if len(groups) > 1 else is_wordless(groups[0])
            yield "app-password", password[0], password[1] if found else password[0]


LABELLED_LAYOUTS = Rule(
    "[Aa]pp[ -]?[Pp]ass"
    "|(?i:парол. прил|contraseña de|mot de passe d|senha de a|password per|hasł[oa] |wachtwoord voor)"
    "|(?:key|secret|code|manually): *\r?\n?[ \t]*(?:[a-z2-7]{4}|[A-Z2-7]{4}) "
    "|(?i:ssid|wpa[23]?\\b|community)|社区名|团体名|コミュニティ名"
    "|アプリ|kubeadm|[Bb]ootstrap",
    _find,
)
