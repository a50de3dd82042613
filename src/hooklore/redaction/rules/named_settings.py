"""Settings stated by name in a sentence: `set API_TOKEN to …`, `DB_PASSWORD は … です`."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules import candidate_checks
from hooklore.redaction.rules.assignments import (
    NAME_PREFILTER,
    is_unquoted_secret,
    unquoted_end,
)
from hooklore.redaction.rules.keyword_pattern import KeywordPattern
from hooklore.redaction.rules.names import SecretKind, classify_keyword

_NAMED = KeywordPattern(
    rb"""(?i)[\w.-]*+["'`]{0,2}+(?:[ \t]++(?:to|as|is|was|with|->|=>)[ \t]|[ \t]*+[\x80-\xff])""",
    r"([\w.-]*)[\"'`」』]{0,2}"
    r"(?:([ \t]+(?:to|as|is|was|with|->|=>|→)[ \t]+|[ 　]*(?:は|が|を|に|も|→|として)[、 　]*))"
    r"""["'`「『]{0,2}([!#-&*+./0-9=?@A-Z\\^_a-z{|}~-][!#-&*-;=?-Z\\\]^_a-z{|}~-]{5})""",
)
_BEFORE = 48
_ASSIGNING = Pattern(
    r"(?i)(?:set|export|change|update|rotate|assign|configure|put|make|store|define)[ \t]+[\"'`「]?$"
)


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while groups := _NAMED.search(raw, position, end):
        _, (first, word_end), (_, name_end), link, (place, _) = groups
        preceding = raw[max(0, first - _BEFORE) : first]
        before = preceding[len(preceding.rstrip(candidate_checks.WORDLIKE)) :]
        kind = classify_keyword(raw[first:word_end], before, raw[word_end:name_end])
        last = unquoted_end(raw, place)
        name = before + raw[first:name_end]
        found = kind is not None and _is_setting(name)
        found = found and not raw[place:last].lower().startswith(
            name.rpartition(b".")[0].lower() or name.lower()
        )
        if found and kind is not None:
            set_to = raw[slice(*link)].strip() == b"to" and _ASSIGNING.occurs_in(
                preceding[: len(preceding) - len(before)]
            )
            found = _is_value(kind, raw[place:last], certain=set_to)
        yield "assigned", place, last if found else place
        position = last if found else name_end


_WHOLE_WORD = Pattern("^(?:PASS(?:WORD|PHRASE|CODE)S?|CREDENTIALS?|AUTHORIZATION)$")


def _is_setting(name: bytes) -> bool:
    """Return whether `name` is a compound, like settings and headers: `API_TOKEN`, `Fastly-Key`, `clientSecret`."""
    if not name.isascii():
        return False  # a word of a sentence, which the rules of its language read
    stripped = name.strip(b"_-.")
    if b"_" in stripped or b"-" in stripped or b"." in stripped:
        return True
    if name.isupper():
        return len(name) > len(b"PASSPHRASE") - 1 and not _WHOLE_WORD.occurs_in(name)
    return not (name.islower() or name[1:].islower())


def _is_value(kind: SecretKind, value: bytes, *, certain: bool) -> bool:
    if (
        candidate_checks.is_variable(value)
        or candidate_checks.is_code(value)
        or candidate_checks.NUMBERED_NAME.occurs_in(value)
    ):
        return False
    if kind <= SecretKind.QUALIFIED:
        return candidate_checks.is_random(value, 20)
    if value.isalpha():
        return certain and len(value) >= 12 and is_unquoted_secret(kind, value, certain=True)
    return candidate_checks.has_letters_and_digits(value) and is_unquoted_secret(
        kind, value, certain=certain
    )


NAMED_SETTINGS = Rule(NAME_PREFILTER, _find)
