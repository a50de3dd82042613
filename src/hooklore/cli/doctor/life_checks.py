"""Checks whether hooks, resident and canaries live: pure functions."""

import datetime as dt
import sys

from hooklore.agents.agent import Agent
from hooklore.agents.check import Check, listed, shell
from hooklore.agents.event import EventName
from hooklore.cli.doctor.facts import (
    LESSON_EVENTS,
    Facts,
    FactsCheck,
    Unknown,
    failed,
    known,
    noted,
    passed,
)
from hooklore.cli.doctor.store_checks import mending
from hooklore.cli.output import ago
from hooklore.maintenance.index_health import IndexHealth
from hooklore.text.plural import format_count, select_form

_HUNG = 30.0
_CAP = 9_000
_EXPECTED: dict[EventName, tuple[tuple[EventName, ...], int]] = {
    "session_start": (("prompt", "before_tool", "after_tool", "answer", "session_end"), 3),
    "prompt": (("answer", "after_tool"), 5),
    "before_tool": (("after_tool",), 10),
    "after_tool": (("before_tool",), 10),
    "answer": (("prompt",), 5),
    "session_end": (("session_start",), 5),
}
"""Events, and after how many calls of which others an event that was not called is dead. Others are rare."""


def resident(facts: Facts) -> Check:
    """Check that the resident answers, where one runs."""
    found = known(facts.resident)
    if found.unsafe is not None:
        directory = found.directory or found.socket.rpartition("/")[0]
        # Somebody else's directory only the administrator can move away.
        away = shell("sudo", "mv", directory, f"{directory}.aside")
        fix = shell("chmod", "700", directory) if "mode" in found.unsafe else away
        return failed(f"hooks refuse `{directory}`: {found.unsafe}", fix)
    process = found.process
    if found.problem is not None and process is None:
        return failed(f"nobody answers at `{found.socket}`: {found.problem}", "hooks stop")
    if found.problem is not None and process is not None:
        who = f"{process.name or 'the resident'} (pid {process.pid})"
        if process.is_stopped:
            return failed(f"{who} is stopped", f"kill -CONT {process.pid}")
        return failed(f"{who} does not answer", f"kill -KILL {process.pid}")
    if found.status is None:
        return passed("none runs; the first hook starts one")
    hung = found.hung
    if hung is not None and facts.now - hung[0] < _HUNG:
        when = f"{ago(facts.now - hung[0])} ago"
        return noted(f"pid {hung[1]} did not answer a hook in time {when}")
    started = ago(facts.now - float(found.status.get("started") or facts.now))
    served = format_count(int(found.status.get("served") or 0), "hook")
    return passed(f"pid {found.status.get('pid')}, started {started} ago, {served} served")


def resident_version(facts: Facts) -> Check:
    """Check that the resident runs this version's code."""
    status = known(facts.resident).status
    if status is None:
        return noted("no resident answers")
    if status.get("version") != facts.version:
        detail = f"it is {status.get('version')}, this is {facts.version}"
        return failed(detail, "hooks stop")
    if status.get("problem"):
        return failed(f"it says: {status['problem']}", "hooklore rebuild")
    return passed(f"{facts.version}, as this one")


def resident_log(facts: Facts) -> Check:
    """Check that no bug of ours has left a traceback."""
    found = known(facts.resident)
    if not found.tracebacks:
        return passed("no traceback")
    count, since = format_count(found.tracebacks, "traceback"), ago(facts.now - found.log_time)
    detail = f"{count}, last {since} ago: {found.last_error}"
    fix = f"report it with `{found.log}`"
    started = float(found.status.get("started") or 0) if found.status else 0.0
    if started and found.log_time >= started:
        return failed(detail, fix)
    return noted(detail, fix)


def config(facts: Facts) -> Check:
    """Check that `config.toml` can be used."""
    found = known(facts.user)
    if found.config_problems:
        detail = f"{listed(found.config_problems)}; the strict reading, or the default, is used"
        return failed(detail, f"edit `{found.config}`")
    if found.reduced:
        detail = f"{listed(found.reduced)}: less is recorded or recalled there"
        return noted(detail, f"edit `{found.config}`")
    return passed(f"`{found.config}` can be used")


def meaning(facts: Facts) -> Check:
    """Check that search by meaning is on, or say what it lacks. Words are searched in any case."""
    why = known(facts.user).no_vectors
    if why is not None:
        pip = shell(sys.executable, "-m", "pip", "install", f"hooklore[{why.extra}]")
        return noted(f"words alone: {why}", pip if why.extra else None)
    status = None if isinstance(facts.resident, Unknown) else facts.resident.status
    problem = (status or {}).get("vectors")
    if problem:
        return failed(f"words alone: {problem}", "hooks stop")
    return passed("memory is searched by meaning, too")


def paused(facts: Facts) -> Check:
    """Check that nothing is paused."""
    found = known(facts.user)
    if found.pause_is_damaged:
        return failed("what is paused cannot be read, so everything is", "hooks resume")
    if found.paused:
        return noted(f"recording and recall are paused {listed(found.paused)}", "hooks resume")
    return passed("nothing is")


def switched_off(facts: Facts) -> Check:
    """Check that the environment of this shell does not switch hooks off."""
    found = known(facts.user)
    if found.off is not None:
        detail = f"HOOKLORE_OFF is `{found.off}`: sessions started here are not recorded"
        return noted(detail, "unset HOOKLORE_OFF")
    if found.depth is not None:
        detail = "HOOKLORE_DEPTH is set: sessions started here count as hooklore's own"
        return noted(detail, "unset HOOKLORE_DEPTH")
    return passed("no variable in this shell does")


def this_terminal(facts: Facts) -> Check:
    """Check that a person who works in this terminal counts as one: an agent may have started what holds it."""
    held_by = known(facts.user).held_by
    if held_by is None:
        return passed("no agent started what holds it")
    agent, through = held_by
    detail = f"{agent} started {through}: here you decide nothing, and your prompts teach nothing"
    return noted(detail, f"open a terminal that {through} did not start")


def client_program(facts: Facts) -> Check:
    """Tell the version of the client that would run the hooks."""
    version, program = known(facts.user).client_version, facts.agent.diagnosis().program
    if version is None:
        return noted(f"`{program}` is not on PATH, or does not say its version")
    return passed(version)


def fired(facts: Facts) -> Check:
    """Tell when each hook last left a record. A hook that never did although others have is dead."""
    found = known(facts.index)
    last = _last(found)
    if not last:
        agent = facts.agent.name
        return noted(f"no hook has ever fired: start {agent} in a project and run this again")
    launcher = facts.launcher
    installed = 0.0 if isinstance(launcher, Unknown) else launcher.installed_at
    events = tuple(facts.agent.events)
    dead = [event for event in events if is_dead(facts.agent, event, found, installed)]
    if dead:
        since = [f"{e} ({'last ' + last[e][:10] if e in last else 'never'})" for e in dead]
        return noted(f"others fire, not {listed(since, 6)}", facts.install)
    told = [f"{e} {_since(facts.now, last[e])}" for e in events if e in last]
    never = ", ".join(event for event in events if event not in last)
    return passed("; ".join(filter(None, (listed(told, 14), never and f"not yet: {never}"))))


def _last(found: IndexHealth) -> dict[str, str]:
    last: dict[str, str] = {}
    for stat in found.stats:
        if stat.name.startswith("hook:"):
            event = stat.name.removeprefix("hook:")
            last[event] = max(last.get(event, ""), stat.last)
    return last


def is_dead(agent: Agent, event: str, found: IndexHealth, installed: float) -> bool:
    """Return whether a hook has been silent since its last record, while the hooks that go with it fired.

    A hook without a record is silent since it was `installed`. Counts are by day: after the last record
    only later days count.
    """
    expected = _EXPECTED.get(agent.events[event].event)
    if expected is None:
        return False
    last = _last(found).get(event)
    laid_out = dt.datetime.fromtimestamp(installed, dt.UTC).strftime("%Y-%m-%dT%H:%M:%S")
    since = last[:10] if last else laid_out
    names = {f"hook:{name}" for other in expected[0] for name in agent.wire_events(other)}
    after = (s for s in found.stats if s.name in names and (s.day if last else s.last) > since)
    return sum(s.events for s in after) >= expected[1]


def _since(now: float, ts: str) -> str:
    try:
        return f"{ago(now - dt.datetime.fromisoformat(ts).timestamp())} ago"
    except ValueError:
        return f"{ago(now)} ago"


def canary_recalled(facts: Facts) -> Check:
    """Check that a lesson comes back through the registered commands where the model reads it."""
    found = known(facts.recall_proof)
    if not found.is_tried:
        for event in LESSON_EVENTS:
            if not facts.agent.wire_events(event):
                return noted(f"it cannot be sent: {facts.agent.name} has no event for `{event}`")
        return failed(f"it could not be sent: {found.problem}", facts.install)
    if found.problem is not None:
        launcher = facts.launcher
        is_whole = not isinstance(launcher, Unknown) and launcher.probe and not launcher.missing
        return failed(found.problem, "hooks doctor --json" if is_whole else facts.install)
    if found.units >= _CAP:
        units = f"{found.units:,} UTF-16 units, above {_CAP:,}"
        return failed(f"an answer has {units}: the model gets a stub", "hooks stop")
    place = f"in {facts.agent.rehearsal().channel} of {' and '.join(found.channels)}"
    return passed(f"{place}, {found.units} of {_CAP:,} units, {found.seconds:.1f} s")


def canary_stored(facts: Facts) -> Check:
    """Check that a record which recall never shows goes through the real log and into the index."""
    found = known(facts.store_proof)
    if found.trace is None:
        detail = f"{found.via} answers `{found.status}`{': ' if found.reason else ''}{found.reason}"
        return failed(detail, mending(facts))
    trace = found.trace
    if not trace.logged:
        lost = f"it is not in the log: {trace.problem or 'gone'}"
        return failed(f"{found.via} says `{found.status}`; {lost}", mending(facts))
    if trace.indexed:
        return passed(f"by {found.via}, logged and indexed in {trace.seconds:.1f} s")
    index = facts.index
    if isinstance(index, Unknown) or index.damage is not None:
        return noted(f"logged by {found.via}; the index cannot be used")
    waits = f"{format_count(index.lag, 'record')} {select_form(index.lag, 'waits', 'wait')}"
    detail = f"logged by {found.via}, not indexed yet: {waits}"
    if found.via == "the resident" and index.lag <= 1_000:
        return failed(detail, "hooklore rebuild")
    return noted(detail)


CHECKS: tuple[FactsCheck, ...] = (
    resident, resident_version, resident_log, config, meaning, paused, switched_off,
    this_terminal,
)  # fmt: skip
"""In the order of the report."""
