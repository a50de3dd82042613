"""Passwords that are plain words, found by the place in a sentence where only a password can stand.

No form tells such a word from another one. Four places do: behind "the password is", after an order to type
it, between "is" and "still the password", and as the answer to a security question.
"""

import re
from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule, TextPattern
from hooklore.redaction.rules.candidate_checks import PLACEHOLDER_WORDS

_LETTER = r"[^\W\d_]"
_NAME = rf"{_LETTER}[\w'’-]*"
_SCOPE = (
    r"(?:[ ](?:for|of|on|to|at|from|von|vom|für|zum|zur|beim|de|del|da|do|des|du|di|per|para|pour|della"
    r"|dell['’])(?:[ ](?:the|our|my|der|dem|den|die|das|la|le|el|il|o|a|al))?(?:[ ][\w@.'-]{2,24}){1,3}?)?"
)
_ADVERB = (
    r"(?:[ ](?:just|still|now|currently|simply|only|always|literally|probably|jetzt|noch|immer|einfach"
    r"|aktuell|toujours|encore|maintenant|simplement|ahora|todavía|aún|ainda|agora|ancora|ora|adesso"
    r"|sempre)){0,2}"
)
_COPULA = (
    r"(?:['’]s|[ ](?:is|was|ist|war|lautet|bleibt|est|c['’]est|était|es|sigue siendo|era|é|è"
    r"|continua sendo|will be|should be))"
)
_OPEN = r"[\"'`“„« ]{0,2}"
_WORD = rf"{_OPEN}({_LETTER}{{1,2}}(?:{_LETTER}|['’]){{2,23}}|{_LETTER}{{3}})"
_CLOSE = r"[\"'`”“»]?"
_END = (
    rf"{_CLOSE}(?:[ ]?[.,;!?)]{{1,3}}(?:\s|\Z)|\s*(?:\n|\Z)"
    r"|[ ](?:and|und|et|y|e|but|aber|mais|for now|lol|btw|haha|ein|please|[-–—(])(?!\w))"
)
_THE = "(?:the|our|my|your|das|unser|mein|le|notre|mon|la|nuestra|mi|tu|nostra|mia|a|nossa|minha)"
_SAID = TextPattern(
    rf"(?:{_SCOPE}{_ADVERB}{_COPULA}{_ADVERB}|[ ](?:for|für|pour|para"
    rf"|per)[ ][\w@.'-]{{2,24}}[ ]?[:=])[ ]{_WORD}{_END}",
    re.IGNORECASE,
)
_ASKED = TextPattern(
    rf"{_SCOPE}[ ](?:still|noch|immer noch|toujours|encore|ancora|ainda|todavía)[ ]{_WORD}{_CLOSE}[ ]?[?,]",
    re.IGNORECASE,
)
_OTHER = TextPattern(
    rf"[ ](?:one|eine|autre|otra|altra|outra)[ ](?:is|ist|est|es|è|é)[ ]{_WORD}{_END}",
    re.IGNORECASE,
)
_ASKS = TextPattern(
    r"prompt|\basks?\b|wants|fragt|demande|\bpid[ea]|chied[ea]|pedir|\bped[ei]|pergunt",
    re.IGNORECASE,
)
_TYPED = TextPattern(
    r"[^.\n]{0,56}?[ ,](?:type|enter|say|put|use|give|gib|tippe?|nimm|mets|tapez?|entre|saisis"
    r"|utilise|pon|escribe|escreve"
    rf"|usa|mete|metti|digit[ae]|inserisci|scrivi|coloca|põe)[ ]{_WORD}{_END}",
    re.IGNORECASE,
)
_BEFORE = TextPattern(
    r"(?:(?<!\w)(?:is|ist|was|war|c['’](?:est|était)|est|es|è|é)(?:[ ](?:toujours|encore|bien"
    r"|ancora|sempre|ainda))?[ ]"
    rf"{_WORD}{_CLOSE}[ ](?:(?:still|really|actually|even|noch|immer noch|wirklich|jetzt)[ ])?{_THE}"
    rf"|[¿¡]{_WORD}{_CLOSE}[ ](?:sigue siendo|todavía es|aún es|es)[ ]{_THE}"
    rf"|[\"'`“„«]({_LETTER}[\w'’]{{2,23}})[\"'`”“»][ ](?:is|was|ist|est|es|è|é)[ ](?:still )?{_THE}"
    rf"|(?<!\w)(?:use|using|put|choose|picked?|gib|nimm|utilise|usa|mets"
    rf"|metti)[ ](?:(?:just|simply|einfach|simplement)[ ])?{_WORD}{_CLOSE}"
    rf"[ ](?:as|als|comme|como|come)(?:[ ]{_THE})?)"
    r"(?:[ ][\w-]{2,16}){0,3}?(?:[ ]|[ ]\w{2,16}-)\Z",
    re.IGNORECASE,
)
_AS = TextPattern(r"[ ](?:as|als|comme|como|come)[ ]")
_ALONE = TextPattern(r"\s*(?:[.,;!?)]|\Z|\n|for\b|please)", re.IGNORECASE)
_ASCII_WORD = r"([a-z]{4,24}|[A-Z][a-z]{3,23})"
_ASIAN = TextPattern(
    rf"[^。\n!-~]{{0,16}}{_ASCII_WORD}"
    r"[ 　」』]{0,2}(?:です|でした|だ|って|と(?:打|入|答|いう|し|設定)|を(?:入|打|使)|に(?:し|変|戻|設定)"
    r"|で(?:お願い|ログイン|入)|[ね。、]|맞|이(?:에|야|고|라)|예요|입니|야|인데|吗|嗎|吧|嘛|[，,。?？]|\s*(?:\n|\Z))"
)
_ASIAN_LINK = TextPattern(
    r"[^!-~]*?(?:は|が|って|聞か|訊か|아직도?|여전히|[은는이가]|是|为|為|改成|：|:|ね|な)[^!-~]*"
)
_BEFORE_ASIAN = TextPattern(
    rf"(?<![\w./-]){_ASCII_WORD}[ 　]?(?:って|が)[^。\n!-~]{{0,6}}[\w-]{{0,12}}の?\Z", re.ASCII
)
_ASIAN_ALONE = TextPattern(r"(?:です|でした|だ|か|[?？。]|\s*(?:\n|\Z))")
_ANSWER = Pattern(
    r"(?i)(?:(?:security|secret) answer|(?:security|secret) question|maiden name|sicherheitsfrage|geheime frage"
    r"|question secrète|domanda segreta"
    r"|pregunta (?:secreta|de seguridad)|pergunta secreta)[^\r\n.]{0,48}?"
    r"(?:answer(?:ed)?|say|is|:|antworte?|réponse|réponds|respuesta|responde|risposta|rispondi|resposta)"
    r"(?:[ ](?:is|with|as|ist|est|es|è|é))?[ ]"
    r"[\"'`“„«]?((?-i:[A-ZÀ-Þ][A-Za-z\x{C0}-\x{1FFF}'’]{2,23}))[\"'`”“»]?(?:[.,;!)]|\s*(?:\r?\n|\z))"
)
_STOP = (PLACEHOLDER_WORDS - {b"cookie", b"login"}) | frozenset(
    # what a password is, and how it stands
    b"absent anything blank broken clear correct cookies current different encoded equal fine given gone good bad "
    b"here hidden identical incomplete insecure known unknown leaked lost long mandatory mine needed okay "
    b"out outdated plaintext present public private ready right safe same secure sensitive shared short shown "
    b"similar simple something nothing stale strong there trivial unique unsafe up visible weak whatever "
    b"yours ours his hers theirs it its that these those what which who where when why how one ones two not also "
    b"already always being either neither both too very much more less least longer part per like about only in at "
    b"by to for with and but your our his her their an a is was be been has have yes enter return "
    b"bcrypt argon scrypt vault "
    # the same in other languages
    b"alt anders da dasselbe falsch gleich hier kein keine korrekt kurz lang leer neu nicht nur schon schwach sehr "
    b"sicher stark unsicher weg wie richtig zu der die das ein eine dein mein im bei "
    b"bien correct correcte court courte ancien dans faux fausse long longue le la les un une ma ta sa mon ton son "
    b"nouveau nouvelle nul nulle pas plus requis trop vide "
    b"corta correcta correcto demasiado el en fuerte"
    b"  incorrecta incorrecto larga mala muy nueva segura su tu un una "
    b"vieja escrita lo los las errada certa certo errado curta fraca forte longa nova"
    b" nunca muito na no velha vazia "
    b"uma um o os as debole giusta corretta lunga nuova quella sicura sbagliata troppo vecchia vuota scritta una "
    b"il lo gli molto nel nella non sempre".split()
).union(
    word.encode()
    for word in ("gültig", "nötig", "vacía", "débil", "déjà", "più", "já", "não", "così", "für")
)
"""Words that say how a password is, and words of the sentence's grammar."""

_STATE = TextPattern(
    r"(?i)(?:[^u]ed|ing|[ai]ble|ive|ous|less|ful|[aio]ry|[^f]ly)$"
    r"|^(?:ge|ver|be|ent|zer|ab|ein|aus)[^\W\d_]{3,}(?:t|en)$|(?:ig|lich|bar|los|iert)$"
    r"|(?:é|ée|és|ées|aire|oire|ique|elle)$|(?:[aáiíu]d[oa]|at[oa]|ut[oa]|ór?i[oa]|ori[oa]|bile|vel|ente)$"
)
"""Endings of participles and adjectives."""

_IDENTIFIER = TextPattern(r"[a-z]+[A-Z]|[A-Z][a-z]+[A-Z]|[A-Z]{2}")
MAY_SAY = Pattern(
    r"(?i)['’]s |\b(?:is|was|ist|war|lautet|bleibt|est|es|era|will|should)[ ]|\b(?:for|für|pour"
    r"|para|per)[ ]|type|enter|say"
    r"|put|us[ei]|give|gib|tipp|nimm|mets|tape|entre|sais|util|pon|escr|usa|mete|mett|digit|ins|scri|sigue|[^\x00-\x7f]"
)
"""Text around a label that states a plain word as its value."""


def words_after(text: str, before: str, *, is_ascii: bool) -> Iterator[tuple[int, int]]:
    """Yield the spans of the plain words that stand as passwords behind a label, in the text behind the label."""
    if not is_ascii:
        found = _ASIAN.match(text)
        if found and _ASIAN_LINK.fullmatch(text[: found.start(1)]) and _is_word(found[1]):
            yield found.span(1)
        return
    said = _SAID.match(text) or _ASKED.match(text)
    if (said is None and " is " in text) or " one " in text:
        said = _OTHER.search(text)
    if said is None and (_ASKS.search(before[-48:]) or _ASKS.search(text[:48])):
        said = _TYPED.match(text)
    if said and _is_word(said[1]):
        yield said.span(1)


def words_before(text: str, after: str, *, is_ascii: bool) -> Iterator[tuple[int, int]]:
    """Yield the spans of the plain words that stand as passwords before a label, in the text before the label."""
    found = (_BEFORE if is_ascii else _BEFORE_ASIAN).search(text, max(0, len(text) - 96))
    if found is None or not (found.lastindex and _is_word(found[found.lastindex])):
        return
    needs_end = not is_ascii or _AS.search(found[0])
    if not needs_end or (_ALONE if is_ascii else _ASIAN_ALONE).match(after):
        yield found.span(found.lastindex)


def _is_word(value: str) -> bool:
    """Return whether a plain word can be a password: no state, no word of grammar, no identifier."""
    low = value.lower()
    if low.encode() in _STOP or low.partition("'")[0].encode() in _STOP:
        return False
    return not _IDENTIFIER.match(value) and not _STATE.search(low)


def _find_answers(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, (first, last) in _ANSWER.each(raw, start, end):
        yield "spoken", first, last


SECRET_ANSWERS = Rule(
    "(?i)(?:security|secret) (?:question|answer)|maiden|sicherheitsf|geheime f"
    "|question secr|domanda seg|pregunta|pergunta",
    _find_answers,
)
