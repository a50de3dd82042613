"""Open memories for an agent: the framed answers to `hooklore get` and `hooklore recall`.

The resident gives them to the thin client, and the command line gives the same where no resident runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hooklore.broker import Broker
from hooklore.broker.leading import lead
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.memories.entries import get_entry
from hooklore.memories.named_memory import NamedMemories, NoSuchMemory, parse_topic
from hooklore.prompt.frame import (
    is_blocked,
    make_excerpt,
    max_note_tokens,
    render_frame,
    sanitize_for_prompt,
)
from hooklore.prompt.title import title_of, topic_of
from hooklore.records import keys
from hooklore.records.draft import PERSON, Principal
from hooklore.records.ids import short_id
from hooklore.records.record import Record
from hooklore.retrieval.links import parse_sole_link, resolve_link
from hooklore.retrieval.notes import quotable_text, quote_excerpt, render_counted_notes
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.recall import Recall
from hooklore.text.unicode_cleaning import strip_invisible

MOST_NAMES = 20
"""Names that one command opens."""

_GET_TOKENS = 6_000
_TOPIC_TOKENS = 800
_RECALL_TOKENS = 400
_RECALLED_NOTES = 5
_RECALLED_NOTE_TOKENS = 110
_LONGEST_TEXT = 16 * 1024
_LONGEST_QUESTION = 16 * 1024


@dataclass(frozen=True, slots=True)
class Opened:
    """The answer to an agent: `text` is framed, `problems` tell which names led nowhere.

    `ids` are the `records` whose text was given. A listed title is no opening.
    """

    text: str = ""
    problems: str = ""
    ids: tuple[str, ...] = ()
    records: tuple[Record, ...] = ()


def open_named(
    broker: Broker,
    who: Principal,
    names: Sequence[str],
    places: list[str] | None = None,
    *,
    versions: bool = False,
) -> Opened:
    """Return the memories that `names` lead to, each once, and the titles of the topics among the names.

    With `places` a name is a key or an id there. With `versions` each has its earlier versions behind it.
    """
    found = _Found(broker, who, places)
    for name in dict.fromkeys(map(strip_invisible, names[:MOST_NAMES])):
        found.open(name)
    if len(names) > MOST_NAMES:
        some = f"the first {MOST_NAMES} of {len(names)} names"
        found.problems.append(f"error: only {some} were opened\n")
    limit = max_note_tokens(_GET_TOKENS)
    reader = broker.as_reader(who)
    led = lead(reader, found.records.values())
    if versions:
        led = [each for record in led for each in (record, *_replaced(broker, reader, record))]
    notes = [(record.id, quote_in_full(record, who, limit)) for record in led]
    text, ids = render_frame([("", notes)], _GET_TOKENS)
    given = tuple(record for record in led if record.id in ids)
    return Opened(_joined([text, *found.topics]), "".join(found.problems), tuple(ids), given)


def _replaced(broker: Broker, reader: Reader, record: Record) -> list[Record]:
    """Return the versions before a memory that nothing but a later version ended: none that was forgotten."""
    owner = broker.as_reader(PERSON)
    return [
        each
        for each in reader.earlier_versions(record)
        if not each.waits
        and all(ender.stream == "memory" for ender in owner.history(keys.end_of(each.id)))
    ]


class _Found:
    """Everything that names led to: records by id, titles of topics, and problems of the other names."""

    def __init__(self, broker: Broker, who: Principal, places: list[str] | None) -> None:
        self._reader, self._places = broker.as_reader(who), places
        self._memories = NamedMemories(broker, self._reader)
        self.records: dict[str, Record] = {}
        self.topics: list[str] = []
        self.problems: list[str] = []

    def open(self, name: str) -> None:
        """Follow a name."""
        try:
            topic = parse_topic(name)
            if topic is not None:
                listed = self._memories.list_topic(topic)
                head = sanitize_for_prompt(topic_of(listed[0]))
                head = f'{head}: {len(listed)} (`hooklore get "title"` or an id opens one)'
                titles = ((r.id, sanitize_for_prompt(title_of(r))) for r in listed)
                lines = [(id_, f"- {title} [{short_id(id_)}]") for id_, title in titles]
                self.topics.append(render_frame([(head, lines)], _TOPIC_TOKENS)[0])
            elif self._places is not None:
                found = get_entry(self._reader, name, self._places).record
                self.records[found.id] = found
            else:
                key = parse_sole_link(name) if len(name) <= _LONGEST_QUESTION else None
                linked = resolve_link(self._reader, key) if key is not None else None
                named = name if key is None else key
                opened = [linked] if linked is not None else self._memories.find(named)
                self.records |= {record.id: record for record in opened}
        except HookloreError as error:
            # As the command line prints it.
            hint = error.fix if isinstance(error, NoSuchMemory) else sanitize_for_prompt(error.fix)
            self.problems.append(f"error: {error}\nhint: {hint}\n")


def open_for_question(recall: Recall, who: Principal, question: str) -> Opened:
    """Return the notes that a question brings, by the ranking of the hooks, at most five."""
    if not strip_invisible(question[:_LONGEST_QUESTION]).strip():
        return Opened(problems="error: the question is empty\nhint: ask with some words\n")
    found = find_for_question(recall, who, question)
    notes = render_counted_notes([(r, 1) for r in found], who, _RECALLED_NOTE_TOKENS)
    framed, ids = render_frame([("", notes)], _RECALL_TOKENS)
    if not ids:
        return Opened(
            problems="error: nothing in memory answers that\nhint: ask with other words\n"
        )
    return Opened(_joined([framed]), "", tuple(ids))


def find_for_question(
    recall: Recall, who: Principal, question: str, limit: int | None = None
) -> list[Record]:
    """Return the records with a text that a question brings, ranked as for hooks, at most five by default."""
    asked = strip_invisible(question[:_LONGEST_QUESTION])
    query = RecallQuery("prompt", session_id="no session", text=asked)
    found = recall.search(query, who, limit or _RECALLED_NOTES) if asked.strip() else []
    return [record for record in found if quotable_text(record)]


def quote_in_full(record: Record, who: Principal, limit: int) -> str:
    """Return a whole record as a note of at most `limit` tokens for a reader, behind its title."""
    text = quotable_text(record)
    titled = f"{record.body.title}: {text}" if record.body.title else text
    if is_blocked(record, text):
        titled = text
    return quote_excerpt(record, make_excerpt(titled, _LONGEST_TEXT), who, limit)


def _joined(texts: Sequence[str]) -> str:
    return "".join(f"{text}\n" for text in texts if text)
