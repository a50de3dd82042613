"""The features by which a word of a command is judged: its form, the words beside it, and the program."""

from collections.abc import Iterator, Sequence

from hooklore.redaction.pattern import TextPattern
from hooklore.redaction.rules.candidate_checks import count_class_changes
from hooklore.redaction.rules.command_words import Word
from hooklore.redaction.rules.value_forms import Form

Feature = tuple[str, str]
"""The kind of a feature (`"1<"`: the word before), and its value."""

_MOST_BEFORE = 12
"""Words before a word that are features."""

_NEAR = 48
"""Characters before a word in which a name of a secret is looked for."""

_ANNOUNCES = TextPattern(
    r"(?i)pass|pwd?\b|secret|token|key|cred|auth|login|user|パス|鍵|トークン|密|암호|비밀"
)
_HEX = TextPattern("[0-9a-fA-F-]+")
_CHOSEN = frozenset("!#%^*~+?$")
_MARKS = "-_."
_BEGINS = frozenset(";|&(\n")
"""First signs of what stands before a program's name."""

_FARTHEST = 64
"""Words before a word among which its program is looked for."""

_NO_PROGRAM = frozenset(("sudo", "env", "time", "nohup", "exec"))


def features_of(text: str, words: Sequence[Word], place: int, form: Form) -> set[Feature]:
    """Return the features of the word at `place`, which has the `form` of a secret."""
    found = {*_beside(words, place, form), *_of_form(words[place].text, form)}
    found.add(("program", _program(words, place)))
    start = words[place].start
    found.add(("announced", str(_ANNOUNCES.search(text, max(0, start - _NEAR), start) is not None)))
    return found


def _beside(words: Sequence[Word], place: int, form: Form) -> Iterator[Feature]:
    """Yield the three words before a word, the one behind it, and all that are near before it."""
    before, after = _word(words, place - 1), _word(words, place + 1)
    if place and words[place - 1].end == words[place].start:
        before += "·"
    if place + 1 < len(words) and words[place + 1].start == words[place].end:
        after = "·" + after
    yield "1<", before
    yield "1>", after
    yield "form 1<", f"{form.name} {before}"
    yield "form 1>", f"{form.name} {after}"
    yield "2<", _word(words, place - 2)
    yield "3<", _word(words, place - 3)
    for word in words[max(0, place - _MOST_BEFORE) : place]:
        yield "near", word.normal_form()


def _word(words: Sequence[Word], place: int) -> str:
    return words[place].normal_form() if 0 <= place < len(words) else "^"


def _program(words: Sequence[Word], place: int) -> str:
    """Return the name of the program whose argument a word is: the first word behind a sign of the shell."""
    name = "^"
    for other in range(place - 1, max(-1, place - _FARTHEST), -1):
        text = words[other].text
        if text[0] in _BEGINS:
            break
        is_set = words[other + 1].text == "="
        if text[0].isalpha() and not is_set and text.lower() not in _NO_PROGRAM:
            name = words[other].normal_form()
    return name


def _of_form(word: str, form: Form) -> Iterator[Feature]:
    """Yield the features of the form of a word."""
    yield "form", form.name
    yield "size", str(min(len(word) // 3, 10))
    yield "digits", str(min(4, sum(map(str.isdigit, word))))
    yield "changes", str(min(6, count_class_changes(word.encode("utf-8", "replace"))))
    yield from (("has", mark) for mark in _MARKS if mark in word)
    if not _CHOSEN.isdisjoint(word):
        yield "has", "sign"
    if word[0].isupper():
        yield "capital", str(word.isupper())
    if _HEX.fullmatch(word):
        yield "like", "hex"
