"""Check that an agent that is started here runs the hooks and finds the MCP server: pure functions."""

from importlib.util import find_spec
from pathlib import Path

from hooklore.agents.check import Check, listed
from hooklore.agents.diagnosis import ServerFile
from hooklore.cli.doctor.facts import Facts, FactsCheck, Unknown, failed, known, noted, passed
from hooklore.cli.doctor.settings_files import differences, events_of, hidden, runs
from hooklore.cli.install.server import EXTRA
from hooklore.text.plural import format_count

_ENVIRONMENT = ("HOOKLORE_HOME", "AI_MEMORY_PATH", "HOOKLORE_OFF", "HOOKLORE_DEPTH")
_INSTEAD = "agents read and keep with `hooklore`"


def registration(facts: Facts) -> Check:
    """Check that every event is registered in a file that the client loads here."""
    settings, agent = known(facts.settings), facts.agent
    places = [f"`{file.path}`" for file in settings.loaded if events_of(agent, file)]
    found = {event for file in settings.loaded for event in events_of(agent, file)}
    absent = [event for event in agent.events if event not in found]
    if not found:
        return agent.diagnosis().unregistered(settings)
    if absent:
        return failed(f"not registered: {listed(absent, 5)}", facts.install)
    return passed(f"{format_count(len(agent.events), 'event')} in {listed(places)}")


def runs_once(facts: Facts) -> Check:
    """Check that each event runs us once: a plugin's command counts beside that of a settings file."""
    settings = known(facts.settings)
    counts = runs(facts.agent, settings)
    more = [f"{event} {count} times" for event, count in counts.items() if count > 1]
    if not counts:
        return noted("nothing is registered")
    if not more:
        return passed(f"{format_count(len(counts), 'event')}, one command each")
    paths = [f"`{file.path}`" for file in settings.loaded if events_of(facts.agent, file)]
    return failed(f"{listed(more)}, from {listed(paths)}", facts.install)


def registered_text(facts: Facts) -> Check:
    """Check that the entries are those of this version: older ones may miss an event or a limit."""
    files = [file for file in known(facts.settings).loaded if file.groups]
    reads = False if isinstance(facts.user, Unknown) else facts.user.capture_reads
    for file in files:
        different = differences(facts.agent, file, Path(facts.home), capture_reads=reads)
        if different:
            detail = f"`{file.path}` differs in {listed(different)} from what this version writes"
            return failed(detail, facts.agent.diagnosis().repair(file))
        if hidden(file):
            detail = f"`{file.path}` has a second key that hides {hidden(file)} of our entries"
            return failed(detail, f"correct `{file.path}`")
    return passed(f"as {facts.version} writes it") if files else noted("nothing is registered")


def session_environment(facts: Facts) -> Check:
    """Check that sessions write to the store that this command reads: settings may set variables of ours."""
    for file in known(facts.settings).loaded:
        named = facts.agent.diagnosis().variables(file.document or {})
        ours = listed([name for name in _ENVIRONMENT if name in named])
        if ours:
            set_there = f"`env` in `{file.path}` sets {ours}"
            detail = f"{set_there}: sessions may use another store than this one"
            return noted(detail, f"remove {ours} from `env` in `{file.path}`")
    return passed("no settings file sets a variable of ours")


def server(facts: Facts) -> Check:
    """Check that the MCP server is registered as this version registers it, where the server is installed."""
    settings = known(facts.settings)
    for file in settings.servers:
        if file.problem is not None:
            return failed(f"`{file.path}`: {file.problem}", f"correct `{file.path}`")
    ours = [file for file in settings.servers if file.entry is not None]
    other = [file for file in ours if not _is_current(facts, file)]
    is_installed = find_spec("mcp") is not None
    if other:
        return failed(f"`{other[0].path}` differs from what this version writes", facts.install)
    if not ours and any(file.scope == "plugin" and file.groups for file in settings.loaded):
        return passed("the plugin brings it")
    if not ours and not is_installed:
        return noted(f"not installed: {_INSTEAD}", f"pip install '{EXTRA}'")
    if not ours:
        return noted(f"not registered: {_INSTEAD}", facts.install)
    place = f"registered in {listed([f'`{file.path}`' for file in ours])}"
    if not is_installed:
        detail = f"{place}, and not installed: the agent cannot start the server"
        return failed(detail, f"pip install '{EXTRA}'")
    answers = (facts.agent.diagnosis().server_answer(settings, file) for file in ours)
    return next(filter(None, answers), None) or passed(place)


def _is_current(facts: Facts, file: ServerFile) -> bool:
    wanted = facts.agent.registration().server
    if wanted is None:
        return False
    home = Path(facts.home)
    entry, found = wanted.entry(home), wanted.without_added(file.entry, home)
    return found in (entry, entry | wanted.permitted)


CHECKS: tuple[FactsCheck, ...] = (runs_once, registered_text, session_environment)
"""In the order of the report."""
