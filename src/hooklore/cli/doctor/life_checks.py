"""Checks whether hooks, resident and canaries live: pure functions."""

import datetime as dt
from collections.abc import Sequence

from hooklore.agents.agent import Agent
from hooklore.agents.check import Check, failed, listed, noted, passed, shell
from hooklore.agents.event import EventName
from hooklore.cli.doctor.facts import Facts, ResidentFacts, Unknown, known
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
        fix = shell("chmod", "700", directory) if "mode" in found.unsafe else _away(directory)
        return failed("resident", f"hooks refuse `{directory}`: {found.unsafe}", fix)
    if found.problem is not None:
        return _silent(found)
    if found.status is None:
        return passed("resident", "none runs; the first hook starts one")
    hung = found.hung
    if hung is not None and facts.now - hung[0] < _HUNG:
        detail = f"pid {hung[1]} did not answer a hook in time {ago(facts.now - hung[0])} ago"
        return noted("resident", detail)
    started = float(found.status.get("started") or facts.now)
    served = format_count(int(found.status.get("served") or 0), "hook")
    return passed(
        "resident",
        f"pid {found.status.get('pid')}, started {ago(facts.now - started)} ago, {served} served",
    )


def _away(directory: str) -> str:
    """Return the command that moves somebody else's directory away: only the administrator can."""
    return shell("sudo", "mv", directory, f"{directory}.aside")


def _silent(found: ResidentFacts) -> Check:
    process = found.process
    if process is None:
        return failed(
            "resident", f"nobody answers at `{found.socket}`: {found.problem}", "hooks stop"
        )
    who = f"{process.name or 'the resident'} (pid {process.pid})"
    if process.state in "Tt":
        return failed("resident", f"{who} is stopped", f"kill -CONT {process.pid}")
    return failed("resident", f"{who} does not answer", f"kill -KILL {process.pid}")


def resident_version(facts: Facts) -> Check:
    """Check that the resident runs this version's code."""
    status = known(facts.resident).status
    if status is None:
        return noted("resident version", "no resident answers")
    if status.get("version") != facts.version:
        detail = f"it is {status.get('version')}, this is {facts.version}"
        return failed("resident version", detail, "hooks stop")
    if status.get("problem"):
        return failed("resident version", f"it says: {status['problem']}", "hooklore rebuild")
    return passed("resident version", f"{facts.version}, as this one")


def resident_log(facts: Facts) -> Check:
    """Check that no bug of ours has left a traceback."""
    found = known(facts.resident)
    if not found.tracebacks:
        return passed("resident log", "no traceback")
    count, since = format_count(found.tracebacks, "traceback"), ago(facts.now - found.log_time)
    detail = f"{count}, last {since} ago: {found.last_error}"
    fix = f"report it with `{found.log}`"
    started = float(found.status.get("started") or 0) if found.status else 0.0
    if started and found.log_time >= started:
        return failed("resident log", detail, fix)
    return noted("resident log", detail, fix)


def fired(facts: Facts) -> Check:
    """Tell when each hook last left a record. A hook that never did although others have is dead."""
    found = known(facts.index)
    last = _last(found)
    if not last:
        return noted(
            "fired",
            f"no hook has ever fired: start {facts.agent.name} in a project and run this again",
        )
    launcher = facts.launcher
    installed = 0.0 if isinstance(launcher, Unknown) else launcher.installed_at
    events = tuple(facts.agent.events)
    dead = [event for event in events if is_dead(facts.agent, event, found, installed)]
    told = [
        f"{event} {ago(facts.now - _seconds(last[event]))} ago" for event in events if event in last
    ]
    if dead:
        since = [f"{e} ({'last ' + last[e][:10] if e in last else 'never'})" for e in dead]
        return noted("fired", f"others fire, not {listed(since, 6)}", facts.install)
    never = [event for event in events if event not in last]
    return passed("fired", "; ".join(filter(None, (listed(told, 14), _not_yet(never)))))


def _not_yet(never: Sequence[str]) -> str:
    return f"not yet: {', '.join(never)}" if never else ""


def _last(found: IndexHealth) -> dict[str, str]:
    """Return the time of each event's last record."""
    last: dict[str, str] = {}
    for stat in found.stats:
        event = stat.name.removeprefix("hook:")
        if stat.name.startswith("hook:"):
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
    since = last[:10] + "T99" if last else _timestamp(installed)
    names = {f"hook:{name}" for other in expected[0] for name in agent.wire_events(other)}
    calls = sum(
        s.events for s in found.stats if s.name in names and _is_after(s.day, s.last, since)
    )
    return calls >= expected[1]


def _is_after(day: str, last: str, since: str) -> bool:
    return last > since if "T99" not in since else day > since[:10]


def _timestamp(seconds: float) -> str:
    return dt.datetime.fromtimestamp(seconds, dt.UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _seconds(ts: str) -> float:
    try:
        return dt.datetime.fromisoformat(ts).timestamp()
    except ValueError:
        return 0.0


def settings_of_store(facts: Facts) -> Check:
    """Check that `config.toml` can be used."""
    found = known(facts.user)
    if found.config_problems:
        detail = f"{listed(found.config_problems)}; the strict reading, or the default, is used"
        return failed("config", detail, f"edit `{found.config}`")
    if found.reduced:
        detail = f"{listed(found.reduced)}: less is recorded or recalled there"
        return noted("config", detail, f"edit `{found.config}`")
    return passed("config", f"`{found.config}` can be used")


def paused(facts: Facts) -> Check:
    """Check that nothing is paused."""
    found = known(facts.user)
    if found.pause_is_damaged:
        return failed("paused", "what is paused cannot be read, so everything is", "hooks resume")
    if found.paused:
        return noted(
            "paused", f"recording and recall are paused {listed(found.paused)}", "hooks resume"
        )
    return passed("paused", "nothing is")


def switched_off(facts: Facts) -> Check:
    """Check that the environment of this shell does not switch hooks off."""
    found = known(facts.user)
    if found.off is not None:
        detail = f"HOOKLORE_OFF is `{found.off}`: sessions started here are not recorded"
        return noted("switched off", detail, "unset HOOKLORE_OFF")
    if found.depth is not None:
        detail = "HOOKLORE_DEPTH is set: sessions started here count as hooklore's own"
        return noted("switched off", detail, "unset HOOKLORE_DEPTH")
    return passed("switched off", "no variable in this shell does")


def this_terminal(facts: Facts) -> Check:
    """Check that a person who works in this terminal counts as one: an agent may have started what holds it."""
    held_by = known(facts.user).held_by
    if held_by is None:
        return passed("this terminal", "no agent started what holds it")
    agent, through = held_by
    detail = f"{agent} started {through}: here you decide nothing, and your prompts teach nothing"
    return noted("this terminal", detail, f"open a terminal that {through} did not start")


def client_program(facts: Facts) -> Check:
    """Tell the version of the client that would run the hooks."""
    version, name = known(facts.user).client_version, facts.agent.name.lower()
    if version is None:
        program = facts.agent.diagnosis().program
        return noted(name, f"`{program}` is not on PATH, or does not say its version")
    return passed(name, version)


def canary_recalled(facts: Facts) -> Check:
    """Check that a lesson comes back through the registered commands where the model reads it."""
    found = known(facts.recall_proof)
    if not found.is_tried:
        return failed("canary recalled", f"it could not be sent: {found.problem}", facts.install)
    if found.problem is not None:
        return failed("canary recalled", found.problem, _mending(facts))
    if found.units >= _CAP:
        detail = (
            f"an answer has {found.units:,} UTF-16 units, above {_CAP:,}: the model gets a stub"
        )
        return failed("canary recalled", detail, "hooks stop")
    channels = " and ".join(found.channels)
    return passed(
        "canary recalled",
        f"in {facts.agent.rehearsal().channel} of {channels}, "
        f"{found.units} of {_CAP:,} units, {found.seconds:.1f} s",
    )


def _mending(facts: Facts) -> str:
    """Return the command for a lesson that did not come back: an install, or a report when all is installed."""
    launcher = facts.launcher
    if isinstance(launcher, Unknown) or launcher.probe is None or launcher.missing:
        return facts.install
    return "hooks doctor --json"


def canary_stored(facts: Facts) -> Check:
    """Check that a record which recall never shows goes through the real log and into the index."""
    found = known(facts.store_proof)
    if found.trace is None:
        detail = f"{found.via} answers `{found.status}`{': ' if found.reason else ''}{found.reason}"
        return failed("canary stored", detail, mending(facts))
    trace = found.trace
    if not trace.logged:
        detail = (
            f"{found.via} says `{found.status}`; it is not in the log: {trace.problem or 'gone'}"
        )
        return failed("canary stored", detail, mending(facts))
    if not trace.indexed:
        return _unindexed(facts)
    return passed("canary stored", f"by {found.via}, logged and indexed in {trace.seconds:.1f} s")


def _unindexed(facts: Facts) -> Check:
    found = known(facts.store_proof)
    index = facts.index
    if isinstance(index, Unknown) or index.damage is not None:
        return noted("canary stored", f"logged by {found.via}; the index cannot be used")
    detail = f"logged by {found.via}, not indexed yet: "
    detail += f"{format_count(index.lag, 'record')} {select_form(index.lag, 'waits', 'wait')}"
    if found.via == "the resident" and index.lag <= 1_000:
        return failed("canary stored", detail, "hooklore rebuild")
    return noted("canary stored", detail)
