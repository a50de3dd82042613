"""Count which tokens of what sessions were shown are our own fixed words, and which are notes.

`python -m tests.bench.shown_words [STORE [SESSION…]]` reads the sessions of a store, by default those of an
example of its own: a start, a prompt, a failure, a step, and a second session.
"""

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.prompt.frame import FRAME_OPEN, FRAME_TAG, MORE
from hooklore.records.draft import PERSON
from hooklore.retrieval.access_report import AccessReport, list_shown
from hooklore.retrieval.topic_index import INDEX_HEADING
from hooklore.text.token_estimate import estimate_tokens
from tests.support.agent import Agent, repository

OWN: Final = ("tags", "reading rule", "headings", "keep line", "index heading", "remarks")
"""The parts that are fixed words. The others are `origins` (date, speaker, trust) and `notes`."""

_READING_RULE: Final = FRAME_OPEN.partition("\n")[2]
_HEADING: Final = re.compile(r"(?P<name>[^-(\n][^(\n]{0,80})(?P<origin> \([^()]*\))?:")
_NOTE: Final = re.compile(r"(?P<text>- .*) (?P<origin>\[[0-9a-z]{8}(?: · [^\]]*)?\])")
_FIXED: Final = (
    (re.compile(rf"</?{FRAME_TAG}>"), "tags"),
    (re.compile(re.escape(_READING_RULE)), "reading rule"),
    (re.compile(r"Keep what lasts.*"), "keep line"),
    (re.compile(re.escape(INDEX_HEADING[:20]) + ".*"), "index heading"),
    (re.compile(re.escape(MORE)), "remarks"),
    (re.compile(r"\(snapshot .*\)|hooklore: if this holds.*"), "remarks"),
)

Parts = Counter[str]


def count_parts(text: str) -> Parts:
    """Return the tokens of a shown text by part, each line with its end."""
    found: Parts = Counter()
    for line in text.splitlines():
        found.update(_parts_of(line))
    return found


def share_of_own_words(parts: Parts) -> float:
    """Return the share of fixed words among all tokens."""
    return sum(parts[name] for name in OWN) / max(sum(parts.values()), 1)


def _parts_of(line: str) -> dict[str, int]:
    fixed = next((name for pattern, name in _FIXED if pattern.fullmatch(line)), None)
    if fixed is not None:
        return {fixed: estimate_tokens(f"{line}\n")}
    for pattern, name in ((_NOTE, "notes"), (_HEADING, "headings")):
        if found := pattern.fullmatch(line):
            origin = estimate_tokens(found["origin"] or "")
            return {name: estimate_tokens(f"{line}\n") - origin, "origins": origin}
    return {"notes": estimate_tokens(f"{line}\n")}


def _sum_by_trigger(reports: Iterable[AccessReport]) -> dict[str, Parts]:
    found: dict[str, Parts] = {}
    for report in reports:
        parts = found.setdefault(report.trigger, Counter())
        parts.update(count_parts(report.text))
        parts["answers"] += 1
    return found


def _sessions_of(broker: Broker) -> list[str]:
    found = (
        r.session_id for r in broker.as_reader(PERSON).newest(ended=True) if r.kind == "access"
    )
    return list(dict.fromkeys(str(session) for session in found if session))


def measure(place: StoreLocation, sessions: Iterable[str] = ()) -> dict[str, Parts]:
    """Return the tokens by part for each trigger, of all sessions of a store or of those named."""
    broker = Broker(place)
    broker.refresh()
    reader = broker.as_reader(PERSON)
    named = tuple(sessions) or _sessions_of(broker)
    return _sum_by_trigger(report for name in named for report in list_shown(reader, name))


def render(figures: dict[str, Parts]) -> str:
    """Return a table: a row for each trigger and one for all, in tokens, and the share of fixed words."""
    total: Parts = sum(figures.values(), Counter())
    names = (*OWN, "origins", "notes")
    rows = [
        "| trigger | answers | " + " | ".join(names) + " | fixed |",
        "|" + "---|" * (len(names) + 3),
    ]
    for trigger, parts in (*figures.items(), ("all", total)):
        answers = parts.pop("answers", 0)
        counts = " | ".join(str(parts[name]) for name in names)
        rows.append(f"| {trigger} | {answers} | {counts} | {share_of_own_words(parts):.0%} |")
    return "\n".join(rows)


def _example(place: StoreLocation, folder: Path) -> None:
    """Let an agent work for two sessions: a rule and facts, a question, a failure and its fix, a step."""
    agent = Agent(place, repository(folder / "widgets"), folder)
    agent.remembers("Never use npm in this project, the lock file is that of pnpm.")
    agent.remembers("Labels are printed at 203 dpi, the dock's printer knows no other.", "fact")
    for session in ("s1", "s2"):
        agent.starts(session)
        agent.asks("Which dpi do we print labels at on the dock's printer?")
        agent.fails("make test", "KeyError: 'colour' in widgets.ini")
        agent.edits("widgets.ini", "colour")
        agent.passes("make test")
        agent.about_to("npm install left-pad")
        agent.hook("Stop", last_assistant_message="Labels are printed at 203 dpi.")
        agent.hook("SessionEnd", reason="other")
    agent.broker.close()


def _table(words: list[str]) -> str:
    """Return the table of a store, or of the example."""
    if words:
        return render(measure(store_location_at(Path(words[0])), words[1:]))
    with tempfile.TemporaryDirectory() as name:
        place = store_location_at(Path(name) / "store")
        _example(place, Path(name))
        return render(measure(place))


if __name__ == "__main__":
    print(_table(sys.argv[1:]))  # noqa: T201 - the figures are what this is for
