"""One text, all rules: the one place through which everything goes that is written down."""

import bisect
import functools
from collections.abc import Iterable, Iterator
from typing import Any

import re2

from hooklore.redaction.clean_text_cache import CleanTextCache
from hooklore.redaction.finding import (
    MASK_PATTERN,
    Finding,
    Redacted,
    apply_masks,
    make_mask,
    merge_findings,
)
from hooklore.redaction.pattern import ByteSpan, Candidate, Pattern, Rule, quiet_options
from hooklore.redaction.rules.assignments import ASSIGNMENTS, find_match_end
from hooklore.redaction.rules.codes import ACCESS_CODES, RECOVERY_CODES, SEED_PHRASES
from hooklore.redaction.rules.commands import (
    AUTH_SCHEMES,
    COMMANDS,
    COOKIES,
    FLAGS,
    PIPED_SECRETS,
)
from hooklore.redaction.rules.english import ENGLISH, ENGLISH_BACKWARDS
from hooklore.redaction.rules.hashes import HASHES
from hooklore.redaction.rules.high_entropy import HIGH_ENTROPY
from hooklore.redaction.rules.japanese import JAPANESE, JAPANESE_BACKWARDS, WATCHWORDS
from hooklore.redaction.rules.logins import (
    LOGIN_CALLS,
    LOGINS,
    LOGINS_BEFORE,
    SECRET_ARGUMENTS,
)
from hooklore.redaction.rules.named_settings import NAMED_SETTINGS
from hooklore.redaction.rules.personal_data import CARDS, EMAILS, PHONES
from hooklore.redaction.rules.postal import JAPANESE_ADDRESSES, WESTERN_ADDRESSES
from hooklore.redaction.rules.private_keys_and_urls import (
    PRIVATE_KEYS,
    URL_CREDENTIALS,
    URL_QUERIES,
)
from hooklore.redaction.rules.protocols import FORM_FIELDS, PASS_COMMANDS
from hooklore.redaction.rules.scrub_command import SCRUB_COMMANDS
from hooklore.redaction.rules.statements import (
    CONFIG_COMMANDS,
    DIRECTIVES,
    SQL_INSERTS,
    VARIABLE_DEFAULTS,
)
from hooklore.redaction.rules.vendor_tokens import MARKED_TOKENS, VENDOR_TOKENS

RULES_VERSION = 3
"""Counts up with every change of a rule, so that what was kept under older rules can be scanned again."""

_RULES: tuple[Rule, ...] = (
    PRIVATE_KEYS,
    VENDOR_TOKENS,
    MARKED_TOKENS,
    HASHES,
    URL_CREDENTIALS,
    URL_QUERIES,
    ASSIGNMENTS,
    FLAGS,
    COMMANDS,
    PIPED_SECRETS,
    AUTH_SCHEMES,
    COOKIES,
    SCRUB_COMMANDS,
    LOGIN_CALLS,
    SECRET_ARGUMENTS,
    FORM_FIELDS,
    PASS_COMMANDS,
    SQL_INSERTS,
    VARIABLE_DEFAULTS,
    DIRECTIVES,
    CONFIG_COMMANDS,
    NAMED_SETTINGS,
    ENGLISH,
    ENGLISH_BACKWARDS,
    JAPANESE,
    JAPANESE_BACKWARDS,
    WATCHWORDS,
    LOGINS,
    LOGINS_BEFORE,
    ACCESS_CODES,
    RECOVERY_CODES,
    SEED_PHRASES,
    EMAILS,
    PHONES,
    CARDS,
    JAPANESE_ADDRESSES,
    WESTERN_ADDRESSES,
    HIGH_ENTROPY,
)
_CHUNK = 64 * 1024
_OVERLAP = 4 * 1024
_ROUNDS = 6
"""Masking can bring two parts of a text together that make a new find; a text that goes on doing so
after as many rounds is made to, and is masked as a whole."""
_EXISTING = Pattern(MASK_PATTERN)
_RUN = Pattern(r"[A-Za-z0-9+/=_.~-]+")
_clean = CleanTextCache()
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
    united = merge_findings(findings)
    for _ in range(_ROUNDS):
        result = apply_masks(text, united)
        more = _findings(result)
        if not more:
            _clean.add(result)
            return Redacted(result, tuple(united))
        united = merge_findings((*united, *_in_original(more, united)))
    whole = (Finding(united[0].rule, 0, len(text)),)
    return Redacted(apply_masks(text, whole), whole)


def _findings(text: str) -> list[Finding]:
    """What the rules find in one pass, in characters, outside of masks."""
    raw = text.encode("utf-8", "replace")
    spans = [
        span
        for place in sorted(_prefilters().Match(raw) or ())
        for span in _run(_RULES[place], raw)
    ]
    if not spans:
        return []
    spans = _outside_masks(raw, spans)
    if len(raw) == len(text):
        return [Finding(*span) for span in spans]
    place_of = _characters(raw, {edge for _, first, last in spans for edge in (first, last)})
    return [Finding(rule, place_of[first], place_of[last]) for rule, first, last in spans]


@functools.cache
def _prefilters() -> Any:
    """One pass over a text that says which rules are worth running."""
    gates = re2.Set.SearchSet(quiet_options())
    for rule in _RULES:
        gates.Add(rule.prefilter)
    gates.Compile()
    return gates


def _run(rule: Rule, raw: bytes) -> Iterator[Candidate]:
    """What one rule finds, in bytes; what reaches a window's end is read on beyond it."""
    for start, end in (
        ((0, len(raw)),) if rule.needs_whole_text or len(raw) <= _CHUNK else _windows(raw)
    ):
        for count, (name, first, last) in enumerate(rule.find(raw, start, end), 1):
            if last == end < len(raw):
                yield name, first, find_match_end(_RUN, raw, last)
            elif last > first:
                yield name, first, last
            if count > rule.most and not rule.needs_whole_text:
                yield name, max(first, last), len(raw)
                return


def _windows(raw: bytes) -> Iterator[ByteSpan]:
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
        shift += len(make_mask(rule)) - (end - start)
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
