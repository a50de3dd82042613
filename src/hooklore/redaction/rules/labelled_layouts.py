"""Secrets of a fixed layout that other text can have too, told by the label before them."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.value_forms import is_wordless

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


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
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
    "|アプリ|kubeadm|[Bb]ootstrap",
    _find,
)
