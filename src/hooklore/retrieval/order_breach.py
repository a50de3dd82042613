"""Tell the rules of order that a step breaks: X is due before Y, the step is Y, and its session has not run X."""

import re
from collections.abc import Iterable, Sequence

from hooklore.records.record import Record
from hooklore.retrieval.rule_order import order_of
from hooklore.retrieval.session_steps import SessionStep
from hooklore.retrieval.step_order import StepOrder
from hooklore.shell.calls import Call, list_calls
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


def is_begun(record: Record, command: str, branch: str | None) -> bool:
    """Return whether a command is a step before which, or after which, a rule wants another."""
    calls = list_calls(command)
    return any(_find_begun(order, calls, branch) is not None for order in order_of(record))


def find_breach(
    record: Record, command: str, steps: Iterable[SessionStep], branch: str | None
) -> str | None:
    """Return since which change the step that a rule of order wants is due before a command, by the change's id.

    Return "" where no change makes the step due again, and None where the command breaks no order. `steps` are
    those of the session, the newest first.
    """
    calls = list_calls(command)
    begun = ((order, _find_begun(order, calls, branch)) for order in order_of(record))
    found = (_due(order, record, calls, at, steps) for order, at in begun if at is not None)
    return next((since for since in found if since is not None), None)


def _due(
    order: StepOrder, record: Record, calls: Sequence[Call], at: int, steps: Iterable[SessionStep]
) -> str | None:
    """Return since which change an order's step is due at one of the calls of a command, as `find_breach` does."""
    changes = (step.id for step in steps if _is_changed_for(order, record, step))
    changed_by = next(changes, "")
    if _needs_change(order, record) and not changed_by:
        return None
    around = calls[at:] if order.is_after and not order.follows_change else calls[: at + 1]
    if order.first and all(_is_done(g, order, record, around, steps) for g in order.first):
        return None
    return changed_by if order.of_files or order.follows_change else ""


def _needs_change(order: StepOrder, record: Record) -> bool:
    return order.changed is not None or bool(record.body.paths)


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
    if order.place in _BRANCHES:
        return _is_on(order.place, call, branch)
    words = [
        part
        for word in (*call.operands, *call.options, call.program)
        for part in _PARTS.split(word)
    ]
    named = {name for name, form in _ENVIRONMENTS.items() if any(map(form.fullmatch, words))}
    return not order.place or not named or order.place in named


def _is_on(place: str, call: Call, branch: str | None) -> bool:
    if call.program == "git" and call.operands[:1] == ("push",) and len(call.operands) > 2:
        return any(word.lstrip("+").rpartition(":")[2] == place for word in call.operands[2:])
    if call.program != "git" or branch is None or branch in (place, "HEAD"):
        return True
    return branch in ("main", "master") and place in ("main", "master")


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
        if any(_shows(each, step) for each in wanted):
            return True
        if counts_change and _is_changed_for(order, record, step):
            return False
    return False


def _shows(named: NamedStep, step: SessionStep) -> bool:
    return any(map(named.is_shown_by, step.calls)) or any(
        map(named.is_shown_by_change, step.changed)
    )


def _is_changed_for(order: StepOrder, record: Record, step: SessionStep) -> bool:
    """Return whether a step changed a file that an order is about."""
    globs = record.body.paths
    return any(
        (not order.changed or _is_named(path, order.changed))
        and (not globs or matches_path_glob(globs, path))
        for path in (*step.changed, *(step.locked if order.changed else ()))
    )


def _is_named(path: str, words: frozenset[str]) -> bool:
    """Return whether a path has one of the words, or the part of a path that is among them: `.proto`, `src/api`."""
    parts = (word for word in words if not word.isalnum())
    return any(part in path.lower() for part in parts) or not _wanted(words).isdisjoint(
        split_words(path)
    )


def _wanted(words: frozenset[str]) -> set[str]:
    return set(words).union(*(_NAMES_OF_FILES.get(word, ()) for word in words))
