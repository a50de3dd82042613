"""Tell the rules of order that a step breaks: X is due before Y, the step is Y, and its session has not run X."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from hooklore.broker.principal_reader import Reader
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.retrieval.applicability import is_before_cutoff, is_loaded_by_client
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.standing_memories import is_rule, order_of
from hooklore.retrieval.step_order import StepOrder
from hooklore.shell.acts import acts_shown
from hooklore.shell.calls import Call, list_calls
from hooklore.shell.command import find_written_file
from hooklore.shell.named_step import NamedStep
from hooklore.text.condition import split_words
from hooklore.text.path_globs import matches_path_glob

_ENVIRONMENTS = {
    "production": re.compile(r"prod(?:uction)?|live", re.IGNORECASE),
    "staging": re.compile(r"stag(?:e|ing)|stg", re.IGNORECASE),
    "another": re.compile(
        r"dev(?:elopment)?|preview|qa|sandbox|test|local(?:host)?|127", re.IGNORECASE
    ),
}
_BRANCHES = frozenset(("main", "master", "develop", "trunk"))
_PARTS = re.compile(r"[\s/:=.,_-]+")
_NAMES_OF_FILES = {
    _word: frozenset(split_words(_names))
    for _words, _names in (
        ("python", "py"), ("typescript", "ts tsx"), ("javascript", "js jsx"), ("rust", "rs"), ("golang", "go"),
        ("markdown docs documentation", "md rst docs"), ("protobuf proto", "proto"),
        ("styles stylesheet", "css scss"),
        ("terraform", "tf"), ("kotlin", "kt"), ("ruby", "rb"), ("frontend ui", "tsx jsx vue svelte"),
        ("dependencies dependency deps lockfile", "package pyproject requirements cargo gemfile go.mod lock"),
        ("translations i18n", "locale locales i18n po"),
    )
    for _word in split_words(_words)
}  # fmt: skip
"""The words of paths by which files of a kind are known."""

_READ = (40, 300)
"""Records of a session, the newest, among which its steps are looked for: most are found among the first."""

_MAX_ORDERS = 64
"""Rules of order about one step that are compared with its session."""
_MAX_TELLINGS = 2
"""Tellings of one rule of order at the steps of a session."""

_IN_PLACE = re.compile(r"(?:^|[;&|]\s*)(?:sed|perl)\s+(?:\S+\s+)*?-\w*i\w*(?:\s|$)")
_NO_SOURCE = re.compile(
    r"^(?:/|~|&|\$)|\.(?:log|txt|out|tmp|json|csv|html|xml|diff|patch|bak|sql|dump|gz)$|^[^.]*$"
)

_LOCKED_BY = {
    "npm": "package-lock.json", "pnpm": "pnpm-lock.yaml", "yarn": "yarn.lock", "bun": "bun.lock", "uv": "uv.lock",
    "poetry": "poetry.lock", "cargo": "Cargo.lock", "go": "go.sum", "bundle": "Gemfile.lock",
    "composer": "composer.lock",
}  # fmt: skip


class SessionStep(NamedTuple):
    """A step that went well: its calls, the files that it surely changed, and the lock files that it rewrote."""

    id: str
    calls: tuple[Call, ...] = ()
    changed: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()


class SessionSteps:
    """The last steps of a session that went well, the newest first, read as far as they are asked for."""

    def __init__(self, reader: Reader, session: str | None) -> None:
        self._reader, self._session = reader, session
        self._known: list[SessionStep] = []
        self._sizes = list(_READ if session else ())
        self._oldest = ""

    def __iter__(self) -> Iterator[SessionStep]:
        """Yield the steps; those behind the known ones are read when they are asked for."""
        given = 0
        while given < len(self._known) or self._sizes:
            if given < len(self._known):
                yield from self._known[given:]
                given = len(self._known)
            else:
                key, most = keys.in_session(self._session), self._sizes.pop(0)
                found = self._reader.lookup_among(key, most)
                new = (r for r in found if not self._oldest or r.id < self._oldest)
                self._known += [step for r in new if (step := _read_step(r)) is not None]
                self._oldest = found[-1].id if found else ""


def _read_step(record: Record) -> SessionStep | None:
    """Return what a record says of a step that went well, None for any other record."""
    body = record.body
    if record.kind != "tool_result" or body.outcome in ("failure", "partial"):
        return None
    if body.artifacts:
        return SessionStep(record.id, changed=tuple(p for p in body.artifacts if p[:1] != "/"))
    if not body.command:
        return None
    calls = list_calls(body.command)
    locked = (_LOCKED_BY.get(c.program, "") for c in calls if "add a dependency" in acts_shown(c))
    # Files that a command surely rewrites: `sed -i`, `> src/x.py`.
    written = find_written_file(body.command, lambda path: _NO_SOURCE.search(path) is None)
    changed = [written] if written else []
    if _IN_PLACE.search(body.command):
        changed += [c.operands[-1] for c in calls if c.operands and c.program in ("sed", "perl")]
    return SessionStep(record.id, calls, tuple(changed), tuple(filter(None, locked)))


def find_broken_orders(
    reader: Reader,
    query: RecallQuery,
    ordering: list[Record],
    list_tellings: Callable[[RecallQuery], dict[str, list[str]]],
) -> Iterator[Record]:
    """Yield the rules of order that a command breaks, each once a session, and once more after a change.

    Neither the session nor what it was told is read where no rule wants another step before, or after, this one.
    """
    calls, branch = list_calls(query.command or ""), reader.principal.branch
    begun: list[tuple[Record, list[tuple[StepOrder, int]]]] = []
    for record in ordering:
        places = ((order, _find_begun(order, calls, branch)) for order in order_of(record))
        orders = [(order, at) for order, at in places if at is not None]
        begun += [(record, orders)] if orders else []
    told = list_tellings(query) if begun else {}
    steps = SessionSteps(reader, query.session_id)
    open_ = (each for each in begun if len(told.get(each[0].id, ())) < _MAX_TELLINGS)
    for record, orders in islice(open_, _MAX_ORDERS):
        # A user's own rule may be told though the client has it in a file, too.
        is_known = is_loaded_by_client(record, query) and not is_rule(record)
        if is_known or not is_before_cutoff(record, query):
            continue
        due = (_due(order, record, calls, at, steps) for order, at in orders)
        since = next((change for change in due if change is not None), None)
        # Since the change that made the step due the session was not told.
        if since is not None and (record.id not in told or told[record.id][0] < since):
            yield record


def _due(
    order: StepOrder, record: Record, calls: Sequence[Call], at: int, steps: Iterable[SessionStep]
) -> str | None:
    """Return since which change an order's step is due at one of the calls of a command, by the change's id.

    Return "" where no change makes the step due again, and None where the command does not break the order. `steps`
    are those of the session, the newest first.
    """
    changes = (step.id for step in steps if _is_changed_for(order, record, step))
    changed_by = next(changes, "")
    if (order.changed is not None or record.body.paths) and not changed_by:
        return None
    around = calls[at:] if order.is_after and not order.follows_change else calls[: at + 1]
    if order.first and all(_is_done(g, order, record, around, steps) for g in order.first):
        return None
    return changed_by if order.of_files or order.follows_change else ""


def _find_begun(order: StepOrder, calls: Sequence[Call], branch: str | None) -> int | None:
    """Return the place of the first call that is the step of an order, None without one."""
    for place, call in enumerate(calls):
        if any(step.is_surely_shown_by(call) for step in order.then) and _is_at(
            order, call, branch
        ):
            return place
    return None


def _is_at(order: StepOrder, call: Call, branch: str | None) -> bool:
    """Return whether a call may be for the branch, or the environment, that an order is for."""
    place = order.place
    if place in _BRANCHES:
        if call.program == "git" and call.operands[:1] == ("push",) and len(call.operands) > 2:
            return any(word.lstrip("+").rpartition(":")[2] == place for word in call.operands[2:])
        if call.program != "git" or branch is None or branch in (place, "HEAD"):
            return True
        return branch in ("main", "master") and place in ("main", "master")
    words = [
        part
        for word in (*call.operands, *call.options, call.program)
        for part in _PARTS.split(word)
    ]
    named = {name for name, form in _ENVIRONMENTS.items() if any(map(form.fullmatch, words))}
    return not place or not named or place in named


def _is_done(
    group: Iterable[NamedStep],
    order: StepOrder,
    record: Record,
    around: Iterable[Call],
    steps: Iterable[SessionStep],
) -> bool:
    """Return whether a command, or the session since the last change that counts, ran a step of a group."""
    wanted = tuple(group)
    if any(step.is_shown_by(call) for step in wanted if not step.words for call in around):
        return True
    counts_change = order.follows_change or any(step.of_files for step in wanted)
    for step in steps:
        if any(
            any(map(each.is_shown_by, step.calls))
            or any(map(each.is_shown_by_change, step.changed))
            for each in wanted
        ):
            return True
        if counts_change and _is_changed_for(order, record, step):
            return False
    return False


def _is_changed_for(order: StepOrder, record: Record, step: SessionStep) -> bool:
    globs = record.body.paths
    return any(
        (not order.changed or _is_named(path, order.changed))
        and (not globs or matches_path_glob(globs, path))
        for path in (*step.changed, *(step.locked if order.changed else ()))
    )


def _is_named(path: str, words: frozenset[str]) -> bool:
    """Return whether a path has one of the words, or the part of a path that is among them: `.proto`, `src/api`."""
    if any(word in path.lower() for word in words if not word.isalnum()):
        return True
    wanted = words.union(*(_NAMES_OF_FILES.get(word, ()) for word in words))
    return not wanted.isdisjoint(split_words(path))
