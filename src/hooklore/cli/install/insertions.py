"""Insertions into the text of a settings file: put in at once, or one set after another."""

from collections.abc import Mapping

from hooklore.agents.registration import Entry, Insertion, SettingsFormat


def apply_insertions(text: str, insertions: list[Insertion]) -> str:
    """Return the text with all insertions put in."""
    pieces, at = [], 0
    for each in insertions:
        pieces += [text[at : each.at], each.text]
        at = each.at
    return "".join([*pieces, text[at:]])


def compose_insertions(first: list[Insertion], then: list[Insertion]) -> list[Insertion]:
    """Return the insertions that do at once what `first` does, and `then` to the text after it."""
    done = list(first)
    for each in then:
        done = _with_insertion(done, each)
    return done


def _with_insertion(done: list[Insertion], each: Insertion) -> list[Insertion]:
    """Return `done` with one more insertion, whose offset counts in the text after `done`."""
    shift = 0
    for index, earlier in enumerate(done):
        inside = each.at - earlier.at - shift
        if inside < 0:
            return [*done[:index], Insertion(each.at - shift, each.text), *done[index:]]
        if inside <= len(earlier.text):
            text = earlier.text[:inside] + each.text + earlier.text[inside:]
            return [*done[:index], Insertion(earlier.at, text), *done[index + 1 :]]
        shift += len(earlier.text)
    return [*done, Insertion(each.at - shift, each.text)]


def is_registered(format_: SettingsFormat, text: str, wanted: Mapping[str, Entry]) -> bool:
    """Return whether the text already holds exactly the entries of `wanted`, each once."""
    found = format_.registered(text)
    return len(found) == len(wanted) and dict(found) == dict(wanted)
