"""A run's rows: everything that one run recorded, and was shown (seed 000 §6, row EV-03)."""

from typing import Any

from hooklore.broker.broker import Broker
from hooklore.errors import HookloreError
from hooklore.model.draft import PERSON, Principal
from hooklore.policy.access import may_read

Fields = dict[str, Any]

_MOST = 10_000
_SHORTEST = 4


def rows(broker: Broker, run: str, who: Principal = PERSON) -> list[Fields]:
    """Every record of a run that `who` may see, oldest first, ended ones and what waits too.

    `run` is a run's id, or its beginning (four characters or more); a session's run has the
    session's id. Raises HookloreError for one that nothing is recorded of, or several begin with.
    """
    broker.refresh()
    found = _of(broker, run, who)
    if found:
        return found
    named = _beginning_with(broker, run, who) if len(run) >= _SHORTEST else []
    if len(named) > 1:
        raise HookloreError(
            f"could not choose a run: the ids of several begin with `{run}`",
            fix=f"give the id in full: `hooklore run {named[0]}`",
        )
    if not named:
        raise HookloreError(
            f"could not find run `{run}`: nothing is recorded of it",
            fix="run `hooklore list --kind session_start --json` for the ids",
        )
    return _of(broker, named[0], who)


def _of(broker: Broker, run: str, who: Principal) -> list[Fields]:
    tags = (f"session:{run}", f"run:{run}", "waits")
    records = (r for tag in tags for r in broker.view.lookup(tag, _MOST))
    found = {r["id"]: r for r in records if r.get("run_id") == run and may_read(r, who)}
    return [found[id_] for id_ in sorted(found)]


def _beginning_with(broker: Broker, prefix: str, who: Principal) -> list[str]:
    """At most two runs whose ids begin so, the newest first."""
    found: dict[str, None] = {}
    for record in broker.newest(who, ended=True):
        run = record.get("run_id")
        if isinstance(run, str) and run.startswith(prefix):
            found.setdefault(run)
            if len(found) > 1:
                break
    return list(found)
