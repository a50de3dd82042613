"""Tell whether two words are spellings of one, or name one thing in a longer and a shorter way."""

from hooklore.late_pattern import compile_late
from hooklore.text.similarity import has_cjk

_LONGEST = 64
_SHORTEST_TYPO = 4
"""Letters from which a letter too much or too few is a slip; another letter is one in a longer word alone."""
_SHORTEST_WITH_TWO = 8
_DIGITS = compile_late(r"\d+")
_PART = compile_late(r"\d+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_ENVIRONMENT = {
    word: group
    for group in ("prod production prd live", "staging stage stg", "dev develop development", "qa", "uat")
    for word in group.split()
}  # fmt: skip
"""The places that software is run in, with their short forms. Two of them are never spellings of one."""
_COPIES = frozenset("test tmp temp backup bak old copy".split())


def is_spelt_alike(wrong: str, right: str) -> bool:
    """Return whether one word is a slip of another: few letters or marks differ, and no number does."""
    if max(len(wrong), len(right)) > _LONGEST or _DIGITS.findall(wrong) != _DIGITS.findall(right):
        return False
    parts, others = _PART.findall(wrong), _PART.findall(right)
    whole, other = ("".join(each).lower() for each in (parts, others))
    if whole == other:
        return whole != ""
    if names_another_place(wrong, right):
        return False
    if len(parts) != len(others):
        return _is_slip(whole, other, wrong)
    pairs = zip(parts, others, strict=True)
    return all(a == b or _is_slip(a.lower(), b.lower(), wrong) for a, b in pairs)


def _is_slip(part: str, other: str, word: str) -> bool:
    """Return whether few enough letters differ between a part of `word` and another one.

    Of two ideographs one may be wrong in an option, whose name is no free choice.
    """
    longer = max(len(part), len(other))
    if has_cjk(part):
        return longer > 2 - (word[:1] == "-") and _count_slips(part, other) == 1
    is_swapped = sorted(part) == sorted(other)
    if longer == len(part) == len(other) <= _SHORTEST_TYPO:
        return is_swapped and longer > 2 and _count_slips(part, other) == 1
    allowed = int(longer >= _SHORTEST_TYPO) + int(longer >= _SHORTEST_WITH_TWO)
    return _count_slips(part, other) <= allowed


def names_alike(word: str, other: str) -> bool:
    """Return whether all parts of one name stand in another: `unit` and `test:unit`, `checks` and `statusCheck`.

    Names in ideographs have one in common: 検査 and 点検.
    """
    numbers = [found for each in (word, other) if (found := _DIGITS.findall(each))]
    if _places(word) != _places(other) or numbers[1:] not in ([], numbers[:1]):
        return False
    parts, others = _parts(word), _parts(other)
    shared = parts & others
    return bool(shared) and (shared in (parts, others) or any(map(has_cjk, shared)))


def names_another_place(word: str, other: str) -> bool:
    """Return whether two words name two places that software is run in: `deploy:prod` and `deploy:dev`."""
    places = _places(word), _places(other)
    return all(places) and places[0] != places[1]


def is_copy_for_tests(tail: str) -> bool:
    """Return whether what stands behind a name makes another thing of it: `shop_test` beside `shop`."""
    return not _COPIES.isdisjoint(_parts(tail))


def _parts(word: str) -> frozenset[str]:
    """Return the parts of a name in lower case, without a plural's `s`; of ideographs each is one."""
    found: set[str] = set()
    for part in _PART.findall(word):
        found |= set(part) if has_cjk(part[0]) else {part.lower().removesuffix("s") or part.lower()}
    return frozenset(found)


def _places(word: str) -> frozenset[str]:
    return frozenset(
        _ENVIRONMENT[p] for part in _PART.findall(word) if (p := part.lower()) in _ENVIRONMENT
    )


def _count_slips(word: str, other: str) -> int:
    """Return how many letters must be put in, left out, changed, or swapped with the next one."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        row = [i]
        for j, wanted in enumerate(other, 1):
            best = min(last[j] + 1, row[-1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == wanted:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, last = last, row
    return last[-1]
