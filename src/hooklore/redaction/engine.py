"""One text, all rules: the one place through which everything goes that is written down."""

import bisect
import functools
from collections.abc import Iterable, Iterator
from typing import Any

import re2

from hooklore.redaction.clean_text_cache import Seen
from hooklore.redaction.finding import MASK, Finding, Redacted, mask, masked, merged
from hooklore.redaction.pattern import Candidate, Pattern, Rule, Span, quiet
from hooklore.redaction.rules.assignments import ASSIGNED, read_on
from hooklore.redaction.rules.codes import CODES, PHRASES, RECOVERY
from hooklore.redaction.rules.commands import COMMANDS, COOKIES, FLAGS, PIPED, SCHEMES
from hooklore.redaction.rules.english import ENGLISH, ENGLISH_BACKWARDS
from hooklore.redaction.rules.hashes import HASHES
from hooklore.redaction.rules.high_entropy import DRAWN
from hooklore.redaction.rules.japanese import JAPANESE, JAPANESE_BACKWARDS, WATCHWORDS
from hooklore.redaction.rules.logins import CALLS, LOGINS, LOGINS_BEFORE, PLACES
from hooklore.redaction.rules.named_settings import NAMED
from hooklore.redaction.rules.personal_data import CARDS, EMAILS, PHONES
from hooklore.redaction.rules.postal import JAPANESE_ADDRESSES, WESTERN_ADDRESSES
from hooklore.redaction.rules.private_keys_and_urls import ADDRESSES, PRIVATE_KEYS, QUERIES
from hooklore.redaction.rules.protocols import FORMS, SENT
from hooklore.redaction.rules.scrub_command import SCRUBBED
from hooklore.redaction.rules.statements import CONFIGS, DEFAULTS, DIRECTIVES, INSERTS
from hooklore.redaction.rules.vendor_tokens import MARKED_TOKENS, VENDOR_TOKENS

RULES_VERSION = 3
"""Counts up with every change of a rule, so that what was kept under older rules can be scanned again."""

_RULES: tuple[Rule, ...] = (
    PRIVATE_KEYS,
    VENDOR_TOKENS,
    MARKED_TOKENS,
    HASHES,
    ADDRESSES,
    QUERIES,
    ASSIGNED,
    FLAGS,
    COMMANDS,
    PIPED,
    SCHEMES,
    COOKIES,
    SCRUBBED,
    CALLS,
    PLACES,
    FORMS,
    SENT,
    INSERTS,
    DEFAULTS,
    DIRECTIVES,
    CONFIGS,
    NAMED,
    ENGLISH,
    ENGLISH_BACKWARDS,
    JAPANESE,
    JAPANESE_BACKWARDS,
    WATCHWORDS,
    LOGINS,
    LOGINS_BEFORE,
    CODES,
    RECOVERY,
    PHRASES,
    EMAILS,
    PHONES,
    CARDS,
    JAPANESE_ADDRESSES,
    WESTERN_ADDRESSES,
    DRAWN,
)
_CHUNK = 64 * 1024
_OVERLAP = 4 * 1024
_ROUNDS = 6
"""Masking can bring two parts of a text together that make a new find; a text that goes on doing so
after as many rounds is made to, and is masked as a whole."""
_EXISTING = Pattern(MASK)
_RUN = Pattern(r"[A-Za-z0-9+/=_.~-]+")
_clean = Seen()
"""What is redacted before it is cut is redacted again at the choke point, and events repeat commands."""


def is_known_clean(text: str) -> bool:
    """Whether nothing was found in this very text lately: asked of every field of every event."""
    return text in _clean


def redact(text: str) -> Redacted:
    """`text` with a mask for each secret and personal detail, and where they stood.

    Redacting the result changes nothing. Time is linear in the length. Lone surrogates are kept.
    """
    if text in _clean:
        return Redacted(text, ())
    findings = _findings(text)
    if not findings:
        _clean.add(text)
        return Redacted(text, ())
    united = merged(findings)
    for _ in range(_ROUNDS):
        result = masked(text, united)
        more = _findings(result)
        if not more:
            _clean.add(result)
            return Redacted(result, tuple(united))
        united = merged((*united, *_in_original(more, united)))
    whole = (Finding(united[0].rule, 0, len(text)),)
    return Redacted(masked(text, whole), whole)


def _findings(text: str) -> list[Finding]:
    """What the rules find in one pass, in characters, outside of masks."""
    raw = text.encode("utf-8", "replace")
    spans = [
        span for place in sorted(_gates().Match(raw) or ()) for span in _run(_RULES[place], raw)
    ]
    if not spans:
        return []
    spans = _outside_masks(raw, spans)
    if len(raw) == len(text):
        return [Finding(*span) for span in spans]
    place_of = _characters(raw, {edge for _, first, last in spans for edge in (first, last)})
    return [Finding(rule, place_of[first], place_of[last]) for rule, first, last in spans]


@functools.cache
def _gates() -> Any:
    """One pass over a text that says which rules are worth running."""
    gates = re2.Set.SearchSet(quiet())
    for rule in _RULES:
        gates.Add(rule.gate)
    gates.Compile()
    return gates


def _run(rule: Rule, raw: bytes) -> Iterator[Candidate]:
    """What one rule finds, in bytes; what reaches a window's end is read on beyond it."""
    for start, end in ((0, len(raw)),) if rule.whole or len(raw) <= _CHUNK else _windows(raw):
        for count, (name, first, last) in enumerate(rule.find(raw, start, end), 1):
            if last == end < len(raw):
                yield name, first, read_on(_RUN, raw, last)
            elif last > first:
                yield name, first, last
            if count > rule.most and not rule.whole:
                yield name, max(first, last), len(raw)
                return


def _windows(raw: bytes) -> Iterator[Span]:
    """Bounded, overlapping stretches of a long text: a secret on a border lies whole in the next."""
    start = 0
    while start + _CHUNK < len(raw):
        yield start, _character_start(raw, start + _CHUNK)
        start = _character_start(raw, start + _CHUNK - _OVERLAP)
    yield start, len(raw)


def _character_start(raw: bytes, place: int) -> int:
    """The place, or where the character begins in whose middle it lies."""
    while raw[place] & 0xC0 == 0x80:
        place -= 1
    return place


def _outside_masks(raw: bytes, spans: list[Candidate]) -> list[Candidate]:
    """The spans that are not a mask, or a part of one."""
    if b"[REDACTED:" not in raw:
        return spans
    masks = [spans[0] for spans in _EXISTING.each(raw, 0, len(raw))]
    starts = [first for first, _ in masks]

    def outside(span: Candidate) -> bool:
        place = bisect.bisect_right(starts, span[1]) - 1
        return place < 0 or span[2] > masks[place][1]

    return [span for span in spans if outside(span)]


def _characters(raw: bytes, edges: set[int]) -> dict[int, int]:
    """Byte offset to character offset, for each edge, in one walk."""
    places: dict[int, int] = {}
    before = characters = 0
    for edge in sorted(edges):
        characters += len(raw[before:edge].decode("utf-8", "replace"))
        places[edge], before = characters, edge
    return places


def _in_original(more: Iterable[Finding], united: list[Finding]) -> Iterator[Finding]:
    """Findings of the masked text, moved to where they stand in the text before masking."""
    begins: list[int] = []
    ends: list[int] = []
    shift = 0
    for rule, start, end in united:
        begins.append(start + shift)
        shift += len(mask(rule)) - (end - start)
        ends.append(end + shift)
    for rule, start, end in more:
        left = bisect.bisect_right(begins, start) - 1
        right = bisect.bisect_left(begins, end) - 1
        first = (
            united[left].start
            if left >= 0 and start < ends[left]
            else _moved(start, left, united, ends)
        )
        last = (
            united[right].end
            if right >= 0 and end <= ends[right]
            else _moved(end, right, united, ends)
        )
        yield Finding(rule, first, last)


def _moved(place: int, before: int, united: list[Finding], ends: list[int]) -> int:
    """A place outside of masks, in the original; `before` is the last mask in front of it, or -1."""
    return place if before < 0 else united[before].end + place - ends[before]
