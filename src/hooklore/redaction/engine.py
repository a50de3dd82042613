"""Apply all redaction rules to one text."""

import bisect
import functools
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from hooklore.redaction.encoded import decoded_pieces
from hooklore.redaction.finding import (
    MASK_PATTERN,
    CleanTextCache,
    Finding,
    Redacted,
    apply_masks,
    make_mask,
    merge_findings,
)
from hooklore.redaction.folding import FOLDABLE, fold
from hooklore.redaction.pattern import ByteSpan, Candidate, Pattern, Prefilters, Rule
from hooklore.redaction.rules.assignments import find_match_end
from hooklore.redaction.rules.table import ALL_RULES, READ_TOGETHER
from hooklore.redaction.rules.vendor_tokens import VendorRow, use_person_rows

RULES_VERSION = 12
"""Raised with every change of a rule, so that texts stored under older rules can be scanned again."""

_CHUNK = 64 * 1024
_OVERLAP = 4 * 1024
_READ_TWICE = 256 * 1024
"""A longer text, which no hook stores whole, is read once: folded if it has disguised characters, and not again
with its masks."""

_SHORTEST_TEXT = 8
"""A label with a value of four characters, or a vendor's token, has at least so many bytes."""

_MAX_ROUNDS = 6
"""Masking can join two parts of a text into a new finding, so the rules run again on the result. A text
that still yields findings after this many rounds was built to do so, and is masked as a whole."""

_MASK = Pattern(MASK_PATTERN)
_TOKEN = Pattern(r"[A-Za-z0-9+/=_.~-]+")
_clean = {is_printed: CleanTextCache() for is_printed in (False, True)}
"""Events repeat the same few commands and paths."""


def use_vendor_rows(rows: Sequence[VendorRow]) -> None:
    """Look for tokens of a person's own `rows`, too, from now on."""
    use_person_rows(rows)
    for texts in _clean.values():
        texts.clear()


def is_known_clean(text: str, *, is_printed: bool = False) -> bool:
    """Return whether `text` was redacted lately without a finding. Called for every field of every event."""
    return text in _clean[is_printed]


def find_clean(texts: Sequence[str]) -> None:
    """Remember that all of `texts`, which a program printed, are clean, if no rule finds anything in them as one.

    The texts of an event are short, and a look at each costs more than its characters do. Few have a finding,
    so that a second look is rare.
    """
    clean = _clean[True]
    unknown = [text for text in texts if text not in clean]
    if unknown and not _findings(_BETWEEN_TEXTS.join(unknown), is_printed=True):
        for text in unknown:
            clean.add(text)


_BETWEEN_TEXTS = "\n\n"
"""Ends a sentence, a value and a line, as the end of a text does."""


def redact(text: str, *, is_printed: bool = False) -> Redacted:
    """Return `text` with a mask for each secret and personal detail, and the findings.

    `is_printed` says that a program printed the text, which the rules of sentences do not read.
    Redacting the result again changes nothing, unless the text is very long. Time is linear in the length.
    Lone surrogates are kept.
    """
    clean = _clean[is_printed]
    if text in clean:
        return Redacted(text, ())
    findings = _findings(text, is_printed=is_printed)
    if not findings:
        clean.add(text)
        return Redacted(text, ())
    merged = merge_findings(findings)
    if len(text) > _READ_TWICE:
        return Redacted(apply_masks(text, merged), tuple(merged))
    for _ in range(_MAX_ROUNDS):
        result = apply_masks(text, merged)
        more = _findings(result, is_printed=is_printed)
        if not more:
            clean.add(result)
            return Redacted(result, tuple(merged))
        merged = merge_findings((*merged, *_in_original(more, merged)))
    everything = (Finding(merged[0].rule, 0, len(text)),)
    return Redacted(apply_masks(text, everything), everything)


def _findings(text: str, *, is_printed: bool) -> list[Finding]:
    """Return the findings outside of masks, with offsets in characters.

    A text with disguised characters is read twice: as it stands, and folded to what is read.
    """
    raw = text.encode("utf-8", "replace")
    if len(raw) < _SHORTEST_TEXT:
        return []
    matched = _prefilters().match(raw)
    # A lone surrogate became a question mark.
    foldable = matched[-1:] == [len(ALL_RULES)] or raw.count(b"?") > text.count("?")
    folded = fold(text) if foldable else None
    findings = _findings_of_encoded(text, raw)
    if folded is None or len(raw) <= _READ_TWICE:
        findings += _findings_of_rules(text, raw, matched, is_printed=is_printed)
    if folded is None:
        return findings
    raw = folded.text.encode("utf-8", "replace")
    matched = _prefilters().match(raw)
    for rule, first, last in _findings_of_rules(folded.text, raw, matched, is_printed=is_printed):
        findings.append(Finding(rule, *folded.original_span(first, last)))
    return findings


def _findings_of_encoded(text: str, raw: bytes) -> list[Finding]:
    """Return the encoded pieces of the text in which a rule finds something once they are decoded."""
    pieces = list(decoded_pieces(raw))
    if not pieces:
        return []
    decoded = _BETWEEN_PIECES.join(said for _, said in pieces)
    begins = [0]
    for _, said in pieces:
        begins.append(begins[-1] + len(said) + len(_BETWEEN_PIECES))
    found: set[int] = set()
    for index in _prefilters().match(decoded):
        if index == len(ALL_RULES) or len(found) == len(pieces):
            break
        for _, first, last in _run(ALL_RULES[index], decoded):
            if first < last:
                found.update(
                    range(bisect.bisect_right(begins, first) - 1, bisect.bisect_left(begins, last))
                )
    spans = [("encoded", *pieces[place][0]) for place in sorted(found)]
    return _in_characters(text, raw, _drop_masked(raw, spans))


_BETWEEN_PIECES = b"\n\n; \n\n"


def _findings_of_rules(
    text: str, raw: bytes, matched: list[int], *, is_printed: bool
) -> list[Finding]:
    """Return the findings of the rules whose prefilters matched, with offsets in characters."""
    run = _run_once if len(raw) <= _CHUNK else _run
    spans: list[Candidate] = []
    for index in matched:
        rule = ALL_RULES[index] if index < len(ALL_RULES) else None
        if rule and not (rule.in_prose_only if is_printed else rule.in_print_only):
            spans += run(rule, raw)
    return _in_characters(text, raw, _drop_masked(raw, spans)) if spans else []


def _in_characters(text: str, raw: bytes, spans: list[Candidate]) -> list[Finding]:
    """Return findings with the offsets of `spans` in characters."""
    if len(raw) == len(text):
        return [Finding(*span) for span in spans]
    characters = _character_offsets(
        raw, {edge for _, first, last in spans for edge in (first, last)}
    )
    return [Finding(rule, characters[first], characters[last]) for rule, first, last in spans]


@functools.cache
def _prefilters() -> Prefilters:
    """Return the prefilters of all rules. The last one tells whether the text is worth folding."""
    return Prefilters([*(rule.prefilter for rule in ALL_RULES), FOLDABLE], READ_TOGETHER)


def _run_once(rule: Rule, raw: bytes) -> Iterable[Candidate]:
    """Return the candidates of one rule in a text of one window, as `_run` yields them, and sooner."""
    found = list(islice(rule.find(raw, 0, len(raw)), rule.max_candidates + 1))
    if len(found) > rule.max_candidates:
        return _run(rule, raw)
    return [each for each in found if each[1] < each[2]] if found else found


def _run(rule: Rule, raw: bytes) -> Iterator[Candidate]:
    """Yield the candidates of one rule, in bytes. A candidate at a window's end is extended past the window."""
    for start, end in (
        ((0, len(raw)),) if rule.needs_whole_text or len(raw) <= _CHUNK else _windows(raw)
    ):
        for count, (name, first, last) in enumerate(rule.find(raw, start, end), 1):
            if last == end < len(raw):
                yield name, first, find_match_end(_TOKEN, raw, last)
            elif last > first:
                yield name, first, last
            if count > rule.max_candidates and not rule.needs_whole_text:
                yield name, max(first, last), len(raw)
                return


def _windows(raw: bytes) -> Iterator[ByteSpan]:
    """Yield bounded, overlapping windows of a long text. A secret at a border lies whole in the next window."""
    start = 0
    while start + _CHUNK < len(raw):
        yield start, _character_start(raw, start + _CHUNK)
        start = _character_start(raw, start + _CHUNK - _OVERLAP)
    yield start, len(raw)


def _character_start(raw: bytes, place: int) -> int:
    """Return the start of the character that contains the byte at `place`."""
    while raw[place] & 0xC0 == 0x80:
        place -= 1
    return place


def _drop_masked(raw: bytes, spans: list[Candidate]) -> list[Candidate]:
    """Return the spans that are neither a mask nor a part of one."""
    if b"[REDACTED:" not in raw:
        return spans
    masks = [spans[0] for spans in _MASK.each(raw, 0, len(raw))]
    starts = [first for first, _ in masks]

    def is_outside(span: Candidate) -> bool:
        place = bisect.bisect_right(starts, span[1]) - 1
        return place < 0 or span[2] > masks[place][1]

    return [span for span in spans if is_outside(span)]


def _character_offsets(raw: bytes, edges: set[int]) -> dict[int, int]:
    """Return the character offset of each byte offset in `edges`, in one walk over `raw`."""
    places: dict[int, int] = {}
    before = characters = 0
    for edge in sorted(edges):
        characters += len(raw[before:edge].decode("utf-8", "replace"))
        places[edge], before = characters, edge
    return places


def _in_original(more: Iterable[Finding], merged: list[Finding]) -> Iterator[Finding]:
    """Yield findings of the masked text with their offsets in the text before masking."""
    edges: list[tuple[int, int]] = []
    """The offsets of both ends of each mask, in the masked text and before."""
    shift = 0
    for rule, start, end in merged:
        edges.append((start + shift, start))
        shift += len(make_mask(rule)) - (end - start)
        edges.append((end + shift, end))

    def original(place: int, beyond: int) -> int:
        """Return the offset of a place; one within a mask is the mask's start, or its end for a `beyond` of 1."""
        at = bisect.bisect_right(edges, (place, len(edges) and edges[-1][1])) - 1
        if at < 0:
            return place
        masked, before = edges[at]
        is_within = at % 2 == 0 and place > masked
        return edges[at + beyond][1] if is_within else before + place - masked

    for rule, start, end in more:
        yield Finding(rule, original(start, 0), original(end, 1))
