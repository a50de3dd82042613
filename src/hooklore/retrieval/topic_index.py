"""The index of titles by topic: what an agent may open, in the fewest words."""

from functools import lru_cache

from hooklore.agents.program_name import PROGRAM, name_program
from hooklore.prompt.frame import sanitize_for_prompt
from hooklore.prompt.memory_part import gives_orders
from hooklore.prompt.title import fold_title, title_of, topic_of
from hooklore.records.record import Record
from hooklore.records.standing import rung_of
from hooklore.text.token_estimate import estimate_tokens

INDEX_HEADING = 'Known, by topic. Open what may bear on a step: `hooklore get "title"`.'
_MORE = "More titles, by `hooklore get topic:X`: "
_LEAST_TITLES = 2
"""Titles of a topic that are worth a line of it."""

AGENTS_NOTE = "In brackets: the agent that kept it, where the user did not."


def make_index(records: list[Record], limit: int, program: str = PROGRAM) -> tuple[list[str], int]:
    """Return the lines of the index of memories in at most `limit` tokens, and how many titles they stand for.

    `records` are in the order of their use: the first topics have their titles. Topics for which there is no room
    shrink to their counts, the last ones first; `program` opens them.
    """
    topics = _by_topic([r for r in records if not gives_orders(r)])
    if not topics or limit <= 0:
        return [], 0
    heading, more = name_program(INDEX_HEADING, program), name_program(_MORE, program)
    if not all(map(_is_the_users, records)):
        heading += f" {AGENTS_NOTE}"
    lines = _fit(topics, limit - estimate_tokens(heading), more)
    return ([heading, *lines], sum(map(len, topics.values()))) if lines else ([], 0)


def _by_topic(records: list[Record]) -> dict[str, list[str]]:
    """Return the titles of each topic. A topic stands where its first record does."""
    found: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    for record in records:
        title, topic = _plain(title_of(record)), _plain(topic_of(record))
        if title and topic:
            if not _is_the_users(record):
                by = " and ".join(map(str, (record.agent_id, *record.also_said_by)))
                title = f"{title} ({_plain(by)})"
            name = names.setdefault(fold_title(topic), topic)
            found.setdefault(name, []).append(title)
    return {topic: list(dict.fromkeys(titles)) for topic, titles in found.items()}


def _is_the_users(record: Record) -> bool:
    return rung_of(record) == "user"


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """Return a text that cannot be taken for two titles, or for a topic."""
    return sanitize_for_prompt(text).replace(";", ",").replace(": ", " – ")


def _fit(topics: dict[str, list[str]], room: int, more: str) -> list[str]:
    """Return a line for each topic while there is room, the last one cut, and one line of counts for the others."""
    lines: list[str] = []
    names = list(topics)
    for place, name in enumerate(names):
        counts = _counts({other: len(topics[other]) for other in names[place + 1 :]}, more)
        left = room - _cost(lines) - (_cost([counts]) if counts else 0)
        line = _topic_line(name, topics[name], left)
        if line is None:
            rest = _counts({other: len(topics[other]) for other in names[place:]}, more)
            return [*lines, rest] if _cost([*lines, rest]) <= room else lines
        lines.append(line)
    return lines


def _topic_line(name: str, titles: list[str], room: int) -> str | None:
    """Return as many titles as `room` tokens hold, and how many are left out; None when fewer than two fit."""
    for shown in range(len(titles), 0, -1):
        more = f" (+{len(titles) - shown})" if shown < len(titles) else ""
        line = f"{name}: {'; '.join(titles[:shown])}{more}"
        if _cost([line]) <= room:
            return line if shown >= min(_LEAST_TITLES, len(titles)) else None
    return None


def _counts(left: dict[str, int], more: str) -> str:
    told = ", ".join(f"{name} {count}" for name, count in left.items())
    return f"{more}{told}" if told else ""


def _cost(lines: list[str]) -> int:
    return sum(estimate_tokens(line) + 1 for line in lines)
