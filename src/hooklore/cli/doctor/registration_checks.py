"""Checks whether an agent that is started here runs the hooks: pure functions."""

from pathlib import Path

from hooklore.agents.check import Check, failed, listed, noted, passed
from hooklore.agents.diagnosis import SettingsFile
from hooklore.cli.doctor.facts import Facts, Unknown, known
from hooklore.cli.doctor.registered import differences, events_of, hidden, runs
from hooklore.text.plural import format_count

_ENVIRONMENT = ("HOOKLORE_HOME", "AI_MEMORY_PATH", "HOOKLORE_OFF", "HOOKLORE_DEPTH")


def registration(facts: Facts) -> Check:
    """Check that every event is registered in a file that the client loads here."""
    settings, agent = known(facts.settings), facts.agent
    places = [f"`{file.path}`" for file in settings.loaded if events_of(agent, file)]
    found = {event for file in settings.loaded for event in events_of(agent, file)}
    absent = [event for event in agent.events if event not in found]
    if not found:
        return agent.diagnosis().unregistered(settings)
    if absent:
        return failed("registration", f"not registered: {listed(absent, 5)}", facts.install)
    return passed("registration", f"{format_count(len(agent.events), 'event')} in {listed(places)}")


def runs_once(facts: Facts) -> Check:
    """Check that each event runs us once: a plugin's command counts beside that of a settings file."""
    settings = known(facts.settings)
    counts = runs(facts.agent, settings)
    more = [f"{event} {count} times" for event, count in counts.items() if count > 1]
    if not counts:
        return noted("runs once", "nothing is registered")
    if not more:
        return passed("runs once", f"{format_count(len(counts), 'event')}, one command each")
    paths = [f"`{file.path}`" for file in settings.loaded if events_of(facts.agent, file)]
    return failed("runs once", f"{listed(more)}, from {listed(paths)}", facts.install)


def registered_text(facts: Facts) -> Check:
    """Check that the entries are those of this version: older ones may miss an event or a limit."""
    files = [file for file in known(facts.settings).loaded if file.groups]
    for file in files:
        problem = _text_problem(facts, file)
        if problem is not None:
            return problem
    if not files:
        return noted("registered text", "nothing is registered")
    return passed("registered text", f"as {facts.version} writes it")


def _text_problem(facts: Facts, file: SettingsFile) -> Check | None:
    reads = False if isinstance(facts.user, Unknown) else facts.user.capture_reads
    different = differences(facts.agent, file, Path(facts.home), capture_reads=reads)
    if different:
        detail = f"`{file.path}` differs in {listed(different)} from what this version writes"
        return failed("registered text", detail, facts.agent.diagnosis().repair(file))
    if hidden(file):
        detail = f"`{file.path}` has a second key that hides {hidden(file)} of our entries"
        return failed("registered text", detail, f"correct `{file.path}`")
    return None


def session_environment(facts: Facts) -> Check:
    """Check that sessions write to the store that this command reads: settings may set variables of ours."""
    for file in known(facts.settings).loaded:
        named = facts.agent.diagnosis().variables(file.document or {})
        ours = [name for name in _ENVIRONMENT if name in named]
        if ours:
            return noted(
                "session environment",
                f"`env` in `{file.path}` sets {listed(ours)}: sessions may use another store than this one",
                f"remove {listed(ours)} from `env` in `{file.path}`",
            )
    return passed("session environment", "no settings file sets a variable of ours")
