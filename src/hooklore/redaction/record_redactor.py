"""Redact a record, a draft or a damaged piece of the log, by rules and by literals that a person named.

`Broker.append` calls `redact_record` and `redact_project_keys` for every draft before a disk has it.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, get_args

from pydantic import BaseModel

from hooklore.records.draft import ProjectKeys
from hooklore.records.record import Record, normalize_privacy
from hooklore.records.schema import BODIES, KINDS, Cost, Importance, RecordModel, Source
from hooklore.redaction import redact
from hooklore.redaction.engine import is_known_clean
from hooklore.redaction.finding import Finding, make_mask
from hooklore.redaction.id_redaction import redact_ids
from hooklore.redaction.json_redaction import redact_named_value
from hooklore.redaction.literals import LITERAL_RULE, Literals
from hooklore.redaction.session_secrets import SessionSecrets
from hooklore.redaction.urls import redact_body_urls

Fields = dict[str, Any]
"""The JSON object of a record."""

_OF_THE_LOG = ("v", "id", "ts", "stream", "kind", "hash", "importance")
"""Envelope fields that the log's writer makes."""

_KEPT = frozenset((
    *_OF_THE_LOG, "role", "scope", "visibility", "is_private", "basis", "confidence", "expires_at",
    "project", "ttl_days", "created_at", "waits", "through", "self_named", "also_said_by",
)) - {"id"}  # fmt: skip
"""Envelope fields whose form the schema checks."""

_IDS = frozenset((
    "id", "delivery_id", "natural_key", "subagent_id", "session_id", "run_id", "task_id",
    "supersedes", "contradicts", "approves", "resolves", "restores", "promoted_from",
))  # fmt: skip
"""Envelope fields that hold ids, which are kept only in an id's form."""

_SPOKEN = frozenset(("prompt", "turn", "answer", "subagent_start", "subagent_stop", "task"))
"""Kinds of observations in the words of a person or a model. All others hold commands and what programs printed,
or repeat it: a fix, the end of a session."""

_NO_TEXTS = _KEPT | _IDS | {"agent_id", *_OF_THE_LOG}
"""Envelope fields by which records are found, which no one writes in words."""

_ID_RULE = "id"

_SHORT = frozenset(("source", "branch", "agent_type", "agent_id"))
"""Fields whose values repeat from event to event."""

_OF_A_SOURCE = frozenset(Source.model_fields)

_COUNTS = ("exit_status", "tokens", "time_ms")
"""Fields that the schema keeps as numbers."""

_SLUG = "redacted"
"""The mask of a literal where the schema allows neither capitals nor brackets."""

_WORDS_OF_BODIES = (
    "detail", "targets", "trigger", "tokens", "delivery", "redacted", "failures", "signatures",
    "slug", "name", "lines", "about", "subject", "verdict", "snapshot_id", "pinned", "checked",
    "keep", "problem", "imported", "rules", "actor", "places", "agent", "person",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RedactedBytes:
    """Redacted bytes, and the rules that found something. `id` is set for a record."""

    raw: bytes
    rules: frozenset[str]
    id: str | None = None


class RecordRedactor:
    """Mask the findings of today's rules (`rules`) and the literals that a person named."""

    def __init__(self, literals: Literals, *, rules: bool = True) -> None:
        self._literals = literals
        self._by_rules = rules

    def may_change(self, raw: bytes) -> bool:
        """Return whether a piece of the log is worth decoding: rules, or a literal, may find something."""
        return self._by_rules or self._literals.may_occur_in(raw)

    def bytes(self, raw: bytes) -> RedactedBytes | None:
        """Return bytes of any kind redacted; None when nothing was found."""
        text = raw.decode("utf-8", "surrogateescape")
        masked, rules = self._text(text)
        if not rules:
            return None
        return RedactedBytes(masked.encode("utf-8", "surrogateescape"), rules)

    def fields(
        self, before: Mapping[str, Any], masked: list[str] | None = None
    ) -> tuple[Fields, frozenset[str]]:
        """Return the fields of a record redacted, and the rules that found something.

        `masked` gains the texts that rules masked.
        """
        found: set[str] = set()
        after = self._without_literals(before, found) if self._literals else dict(before)
        if self._by_rules:
            after = _by_current_rules(after, found, masked)
        if found and self._literals:
            after = self._without_literals(after, found)  # a mask may have ended between two parts
        body = after.get("body")
        if found and isinstance(body, dict):
            after["body"] = {**body, "redacted": sorted(found | _texts_of(body.get("redacted")))}
        return after, frozenset(found)

    def keys(self, before: ProjectKeys) -> tuple[ProjectKeys, frozenset[str]]:
        """Return a project's keys redacted, and the rules that found something.

        Two keys of which the same is left are told apart by a digest, or two projects became one.
        """
        found: set[str] = set()

        def change(text: str, *, is_key: bool = False) -> str:
            masked, rules = self._text(text)
            found.update(rules)
            return f"{masked}#{_digest(text)}" if rules and is_key else masked

        keys = tuple(change(key, is_key=True) for key in before.keys)
        branch = None if before.branch is None else change(before.branch)
        return ProjectKeys(keys, change(before.name), change(before.root), branch), frozenset(found)

    def _text(self, text: str) -> tuple[str, frozenset[str]]:
        masked = self._literals.masked(text)
        found = {self._literals.rule} if masked != text else set()
        if self._by_rules:
            result = redact(masked, is_printed=True)
            masked = self._literals.masked(result.text)
            found |= {finding.rule for finding in result.findings}
        return masked, frozenset(found)

    def _without_literals(self, before: Mapping[str, Any], found: set[str]) -> Fields:
        def change(text: str, stands_for: str | None = None) -> str:
            masked = self._literals.masked(text, stands_for)
            if masked != text:
                found.add(self._literals.rule)
            return masked

        is_alias = before.get("kind") == "project_alias"
        after: Fields = {}
        for name, value in _with_keys(before, change).items():
            if name in _OF_THE_LOG:
                after[name] = value
            elif name in ("scope", "agent_id") and isinstance(value, str):
                after[name] = change(value, _SLUG)
            elif name == "body" and is_alias:
                slug = change(str(value.get("slug")), _SLUG)
                after[name] = {**self._mapped(value, change), "slug": slug}
            else:
                after[name] = self._mapped(value, change)
        return after

    def _mapped(self, value: Any, change: Callable[[str], str]) -> Any:
        """Return a copy of a JSON value with every string and key changed, without recursion."""
        root = [value]
        pending: list[tuple[Any, Any]] = [(root, 0)]
        while pending:
            holder, slot = pending.pop()
            item = holder[slot]
            if isinstance(item, dict):
                holder[slot] = copy = _with_keys(item, change)
                pending += [(copy, name) for name in copy]
            elif isinstance(item, list):
                holder[slot] = list(item)
                pending += [(holder[slot], place) for place in range(len(item))]
            elif isinstance(item, str):
                holder[slot] = change(item)
            elif self._is_named_number(item) and slot not in _COUNTS:
                holder[slot] = change(str(item))
        return root[0]

    def _is_named_number(self, item: Any) -> bool:
        is_number = isinstance(item, int | float) and not isinstance(item, bool)
        return is_number and self._literals.is_one_of(str(item))


def _by_current_rules(
    before: Mapping[str, Any], found: set[str], masked: list[str] | None = None
) -> Fields:
    is_printed = not _is_prose(before)
    is_alias = before.get("kind") == "project_alias"
    redact_one = _redact_alias_field if is_alias else redact_named_value
    after: Fields = {}
    for name, value in before.items():
        if name in _KEPT or (name in _SHORT and _is_plain(value)):
            after[name] = value
            continue
        if name in _IDS or name == "agent_id":
            after[name] = redact_ids(value)
            if after[name] != value:
                found.add(_ID_RULE)
            continue
        clean, findings = redact_one(name, value, is_printed=is_printed, masked=masked)
        after[redact(name).text if findings else name] = clean
        found.update(finding.rule for finding in findings)
    return after


def _is_prose(fields: Mapping[str, Any]) -> bool:
    """Return whether a record is in the words of a person or a model, as a task is that an agent is given."""
    kind, body = str(fields.get("kind")), fields.get("body")
    is_task = kind == "tool_intent" and "command" not in _texts_of_event(body)
    return is_task or kind in _SPOKEN or fields.get("stream") == "memory"


_PARTS = "parts"
"""The field of a draft's body that holds the texts of its event until they are cut."""


def _texts_of_event(body: object) -> Mapping[str, Any]:
    """Return the texts of an event's body by their names, of a draft or of a record."""
    parts = body.get(_PARTS, body) if isinstance(body, dict) else None
    return parts if isinstance(parts, dict) else {}


def _is_plain(value: Any) -> bool:
    """Return whether the rules find nothing in a short field, which repeats from hook to hook."""
    if isinstance(value, dict):
        is_known = value.keys() <= _OF_A_SOURCE
        return is_known and all(isinstance(v, str) and _is_plain(v) for v in value.values())
    return isinstance(value, str) and (is_known_clean(value) or not redact(value).findings)


def _redact_alias_field(
    name: str, value: object, *, is_printed: bool, masked: list[str] | None
) -> tuple[object, tuple[Finding, ...]]:
    """Return a field of a project alias redacted, and its findings.

    A project's keys are looked up by their text: they are masked as text, whatever their names, as
    `ProjectRegistry` masks a key before it looks.
    """
    if name != "body" or not isinstance(value, dict):
        return redact_named_value(name, value, is_printed=is_printed, masked=masked)
    results = {k: redact(v) for k, v in value.items() if isinstance(v, str)}
    after = {k: results[k].text if k in results else v for k, v in value.items()}
    if "key" in results and results["key"].findings:
        after["key"] = f"{after['key']}#{_digest(value['key'])}"
    return after, tuple(finding for result in results.values() for finding in result.findings)


_CURRENT_RULES = RecordRedactor(Literals(()))


def redact_record(
    record: Record, known: SessionSecrets | None = None, names: Iterable[str] = ()
) -> Record:
    """Return the record of a draft as a disk may have it: no secrets, no private URLs, its body first.

    `known` are the secrets of its session, which it adds to, and `names` those of its project, which are none. A
    control record keeps its URLs: it names records, projects and lines by their exact text.
    """
    masked: list[str] = []
    fields, _ = _CURRENT_RULES.fields({"body": {}, **record.to_json()}, masked)
    if fields.get("stream") != "control":
        session = fields.get("session_id")
        if known is not None and session and isinstance(session, str):
            if masked:
                known.learn(session, masked, names)
            fields = _without_repeated(fields, session, known)
        fields["body"] = redact_body_urls(fields["body"])
    return normalize_privacy(Record(fields))


def _without_repeated(fields: Fields, session: str, known: SessionSecrets) -> Fields:
    """Return the fields without what was masked before in their session. Ids stay: records are found by them."""
    texts = {name: value for name, value in fields.items() if name not in _NO_TEXTS}
    repeated = known.find_repeated(session, texts)
    if repeated is None:
        return fields
    return fields | RecordRedactor(repeated, rules=False).fields(texts)[0]


@lru_cache(maxsize=256)
def redact_project_keys(keys: ProjectKeys) -> ProjectKeys:
    """Return a project's keys as the log may know them: a folder's name can be an address."""
    return _CURRENT_RULES.keys(keys)[0]


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=4).hexdigest()


@cache
def reserved_words() -> frozenset[str]:
    """Return every word of the log's own format: no literal may be part of one."""
    models: list[type[BaseModel]] = [RecordModel, Cost, Importance, Source, *BODIES.values()]
    words = {name for model in models for name in model.model_fields}
    for model in models:
        for field in model.model_fields.values():
            words.update(word for word in get_args(field.annotation) if isinstance(word, str))
    words.update(KINDS, (kind for kinds in KINDS.values() for kind in kinds))
    words.update(_WORDS_OF_BODIES, (make_mask(LITERAL_RULE), _SLUG, "true", "false", "null"))
    return frozenset(words)


def _with_keys(item: Mapping[str, Any], change: Callable[[str], str]) -> Fields:
    """Return a copy with its keys changed. A number tells keys apart that became the same."""
    copy: Fields = {}
    for name, held in item.items():
        unused, count = change(name), 2
        while unused in copy:
            unused, count = f"{change(name)} {count}", count + 1
        copy[unused] = held
    return copy


def _texts_of(value: object) -> set[str]:
    return {each for each in value if isinstance(each, str)} if isinstance(value, list) else set()
