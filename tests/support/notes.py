"""Read what a model was shown: notes, and the origin of each, which a heading says for several."""

import re
from collections.abc import Iterator

_HEADING = re.compile(r"^[A-Z][^\[]*\((\d{4}-.*)\):$")
_NOTE = re.compile(r"^- (.*) \[((?:[0-9a-z]{8}|[0-9a-f-]{36})(?: · .*)?)\]$")


def line_with(told: str, words: str) -> str:
    """The one line of an answer that has these words."""
    (line,) = [line for line in told.splitlines() if words in line]
    return line


def origin_of(told: str, words: str) -> str:
    """The origin of the one note with these words: its own, and what its heading says beside it."""
    (note,) = [note for note in whole_notes(told) if words in note]
    return note[note.rindex("[") + 1 : -1]


def ids_of_notes(told: str) -> list[str]:
    """The short ids of an answer's notes, in their order, each once."""
    found = (_NOTE.match(line) for line in told.splitlines())
    return list(dict.fromkeys(note[2].split(" · ")[0] for note in found if note))


def whole_notes(told: str) -> list[str]:
    """The lines of an answer that quote a record, each with all of its origin."""
    return list(_whole_notes(told))


def _whole_notes(told: str) -> Iterator[str]:
    common: list[str] = []
    for line in told.splitlines():
        note = _NOTE.match(line)
        if note:
            id_, *own = note[2].split(" · ")
            yield f"- {note[1]} [{' · '.join([id_, *_merged(common, own)])}]"
        elif not line.startswith("- "):
            heading = _HEADING.match(line)
            common = heading[1].split(" · ") if heading else []


def _merged(common: list[str], own: list[str]) -> list[str]:
    """Date, agent, basis and trust of a heading, with those that a note says of itself in their place."""
    if len(common) == 3 and common[-1].startswith("trust ") and own:
        common = [common[0], "", *common[1:]]  # notes of several agents
    if len(common) != 4:
        return [*common, *own]
    day, agent, *basis = common
    if any(part.startswith("trust ") for part in own):
        *own, said, trust = own
        basis = [said, trust]
    for part in own:
        day, agent = (part, agent) if part[:2] == "20" else (day, part)
    return [day, agent, *basis]
