"""`hooks install`, `uninstall` and `stop`.

They load nothing of the store: hooks must be taken out, too, where a library of the index cannot be loaded.
"""

from pathlib import Path
from typing import Annotated

import typer

from hooklore.agents.registration import Places
from hooklore.agents.registry import (
    DEFAULT_AGENT_ID,
    default_agent,
    find_agent,
    get_agent,
    known_agents,
)
from hooklore.cli import install as installation
from hooklore.cli import output
from hooklore.cli.install import InstallReport, Scope, SettingsEdit, UninstallReport
from hooklore.cli.install.launcher import read_places
from hooklore.cli.install.manifest import is_damaged, read_manifest
from hooklore.cli.install.reach import LINKS, search_path
from hooklore.cli.install.server import EXTRA, is_server_installed
from hooklore.cli.protocol import placement
from hooklore.cli.speaking import ask, speaker
from hooklore.cli.store import folder, here, home, opened
from hooklore.config import load_settings, read_environment
from hooklore.errors import HookloreError, StoreNotItsOwn
from hooklore.resident import call

_SCOPES = default_agent().registration().scope_names
User = Annotated[bool, typer.Option("--user", help=_SCOPES["user"])]
Project = Annotated[bool, typer.Option("--project", help=_SCOPES["project"])]
Local = Annotated[bool, typer.Option("--local", help=_SCOPES["local"])]
Plugin = Annotated[
    bool, typer.Option("--plugin", help="no settings: only what the plugin's commands run")
]
_HOOKS = ("register the hooks in", "registered the hooks in")
_SERVER = ("register the MCP server in", "registered the MCP server in")
_NO_SERVER = ("take the MCP server out of", "took the MCP server out of")
_PROTOCOL = ("put the protocol into", "put the protocol into")
_NO_PROTOCOL = ("take the protocol out of", "took the protocol out of")
_OUT = ("take the hooks out of", "took the hooks out of")
DryRun = Annotated[bool, typer.Option("--dry-run", help="show what would change, change nothing")]


def install(
    *,
    user: User = False,
    project: Project = False,
    local: Local = False,
    plugin: Plugin = False,
    agent: Annotated[
        str, typer.Option(metavar="NAME", help="the agent to register with")
    ] = DEFAULT_AGENT_ID,
    permissions: Annotated[
        bool,
        typer.Option(
            " /--no-permissions",
            help="no rules that let the agent read and keep without a question",
        ),
    ] = True,
    server: Annotated[
        bool, typer.Option(" /--no-server", help="do not register the MCP server")
    ] = True,
    protocol: Annotated[
        bool, typer.Option("--protocol", help="also put the protocol into the agent's instructions")
    ] = False,
    dry_run: DryRun = False,
) -> None:
    """Register the hooks with an agent (for all of your projects, unless told otherwise).

    Permission rules let the agent run `hooklore get`, `recall` and `remember` without a question. The MCP
    server is registered, too, where the extra `[mcp]` is installed.
    """
    scope = _scope(user=user, project=project, local=local, plugin=plugin) or "user"
    report = installation.install(
        scope,
        home=Path(home()),
        project_dir=Path(folder(None)),
        config_dir=_config_dir(agent),
        capture_reads=load_settings(here().config).capture.reads,
        dry_run=dry_run,
        agent=agent,
        permits=permissions,
        serves=server,
        path=search_path(read_environment()),
    )
    _print_install(report, agent, wants_server=server, wants_command=scope == "user")
    found = get_agent(agent)
    if protocol:
        edit = placement.place(found, scope, _places(_config_dir(agent)), dry_run=dry_run)
        _print_edit(edit, _PROTOCOL, dry_run=dry_run)
    if not dry_run:
        registration, edit_of_server = found.registration(), report.server_edit
        mcp = registration.server if report.server else None
        asked = mcp.to_do.get(edit_of_server.scope) if mcp and edit_of_server else None
        for to_do in filter(None, (registration.to_do, asked)):
            output.say(f"left to you: {to_do}")
        output.say("hint: run `hooks doctor` to see that they work")


def _print_install(
    report: InstallReport, agent: str, *, wants_server: bool, wants_command: bool
) -> None:
    found = get_agent(agent)
    output.data(f"{_done(report, 'lay out', 'laid out')} `{report.launcher}`")
    if report.edit is not None:
        _print_edit(report.edit, _HOOKS, dry_run=report.dry_run)
    _say_reach(report)
    if found.registration().server is not None:
        _say_server(report, is_wanted=wants_server)
    if report.rules:
        rules = ", ".join(f"`{rule}`" for rule in report.rules)
        allowed = f"{_done(report, 'allow', 'allowed')} without a question"
        output.data(f"{allowed}: {rules} (`--no-permissions` leaves them out)")
    named = found.registration().user_command
    if named is not None and report.command is not None:
        laid_out = f"{_done(report, 'lay out', 'laid out')} `{report.command}`"
        output.data(f"{laid_out}: `{named.usage}` in {found.name}")
    elif named is not None and wants_command:
        name = named.usage.partition(" ")[0]
        output.say(f"left out `{name}`: what lies there is not hooklore's")


def _done(report: InstallReport | UninstallReport, will: str, did: str) -> str:
    return f"would {will}" if report.dry_run else did


def _places(config_dir: Path | None = None) -> Places:
    return Places(Path(home()), Path(folder(None)), config_dir)


def _say_server(report: InstallReport, *, is_wanted: bool) -> None:
    if report.server_edit is not None and (report.server or report.server_edit.changed):
        words = _SERVER if report.server else _NO_SERVER
        _print_edit(report.server_edit, words, dry_run=report.dry_run)
    elif report.server is not None:
        registered = _done(report, "register", "registered")
        output.data(f"{registered} the MCP server in `{report.server}`")
    if report.server is not None and report.serves_freely:
        allowed = f"{_done(report, 'allow', 'allowed')} without a question"
        output.data(f"{allowed}: the server's tools (`--no-permissions` asks)")
    if is_wanted and not is_server_installed():
        output.data(
            f"left out the MCP server: `pip install '{EXTRA}'` brings it, then install again"
        )


def _say_reach(report: InstallReport) -> None:
    """Say how agents' shells reach `hooklore`, where an install has to do something for it."""
    reach = report.reach
    if reach is None or reach.way == "path":
        return
    if reach.way == "link":
        linked = _done(report, "link", "linked")
        output.data(f"{linked} `{reach.program}`: shells find `hooklore` there")
        return
    cause = f"`~/{LINKS}` is not on PATH"
    if reach.obstacle is not None:
        cause = f"`{output.one_line(str(reach.obstacle))}` is another program"
    output.data(f"agents {_done(report, 'be told', 'are told')} to run `{reach.program}`: {cause}")


def uninstall(
    *,
    user: User = False,
    project: Project = False,
    local: Local = False,
    plugin: Plugin = False,
    agent: Annotated[str | None, typer.Option(metavar="NAME", help="only this agent's")] = None,
    dry_run: DryRun = False,
    purge: Annotated[bool, typer.Option("--purge", help="delete the memory too")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask before deleting")] = False,
) -> None:
    """Take the hooks out of every settings file that has them (or only of those named).

    A file that nobody touched since is byte for byte what it was. Memory stays, unless `--purge`.
    """
    scope = _scope(user=user, project=project, local=local, plugin=plugin)
    forgotten: list[str] = []
    if is_damaged(Path(home())):
        # The other projects that registered the hooks, which the manifest no longer names.
        here_or_user = ("user", folder(None))
        forgotten = [each for each in read_places(Path(home())) if each not in here_or_user]
    if purge and not dry_run:
        if forgotten:
            raise HookloreError(
                "could not delete the memory: the list of what is installed is damaged, and "
                f"{len(forgotten)} more of its projects may register the hooks",
                fix=f"run `hooks uninstall` in `{output.one_line(forgotten[0])}` first",
            )
        _agree_to_purge(scope, agent, yes=yes)
    agents = [get_agent(agent)] if agent else list(known_agents())
    edits = placement.take_away(agents, scope, _places(), _config_dirs(), dry_run=dry_run)
    for edit in edits:
        _print_edit(edit, _NO_PROTOCOL, dry_run=dry_run)
    report = _uninstall(scope, agent, dry_run=dry_run)
    _print_uninstall(report)
    for path in forgotten:
        output.say(
            f"note: `{output.one_line(path)}` may still register the hooks: run `hooks uninstall` there"
        )
    if not dry_run:
        _leave_store(report, purge=purge)
    elif purge:
        output.data(f"would delete the memory in `{here().directory}`")


def _print_uninstall(report: UninstallReport) -> None:
    for edit in report.edits:
        if edit.changed:
            words = _NO_SERVER if edit.path in report.server_files else _OUT
            _print_edit(edit, words, dry_run=report.dry_run)
    if not any(edit.changed for edit in report.edits):
        output.data("no settings file has the hooks")
    has_launcher = report.launcher_removed and report.had_launcher
    for path in (report.command, report.link, report.launcher if has_launcher else None):
        if path is not None:
            output.data(f"{_done(report, 'remove', 'removed')} `{path}`")


def _uninstall(scope: Scope | None, agent: str | None, *, dry_run: bool) -> UninstallReport:
    return installation.uninstall(
        scope,
        home=Path(home()),
        project_dir=Path(folder(None)),
        config_dirs=_config_dirs(),
        dry_run=dry_run,
        agent=agent,
    )


def _agree_to_purge(scope: Scope | None, agent: str | None, *, yes: bool) -> None:
    """Raise HookloreError, before anything changes, unless the memory may be deleted and the person says so."""
    from hooklore.api.queued_texts import queued_files
    from hooklore.cli.memory.deciding import require_decider
    from hooklore.cli.purge import require_removable
    from hooklore.text.plural import format_count

    at = here()
    require_removable(at)
    if not _uninstall(scope, agent, dry_run=True).launcher_removed:
        raise HookloreError(
            f"could not delete `{at.directory}`: the hooks stay registered elsewhere",
            fix="run `hooks uninstall --purge` without a scope",
        )
    if speaker().kind == "person":
        waiting = len(queued_files(home()))
        queued = f", and {format_count(waiting, 'write')} for a gateway," if waiting else ""
        question = f"Delete the memory in `{at.directory}`{queued} for good?"
        if not yes and not ask(question, f"delete `{at.directory}`", word="delete"):
            raise HookloreError(
                "could not uninstall: deleting the memory was not confirmed",
                fix="run `hooks uninstall` to keep it",
            )
        return
    with opened() as broker:
        require_decider(broker, "delete the memory")


def _leave_store(report: UninstallReport, *, purge: bool) -> None:
    """End the resident when nothing is registered any more. Say where the memory is, or delete the memory."""
    try:
        at = here()
    except StoreNotItsOwn as error:
        output.say(f"note: {output.one_line(str(error))}")
        return
    # A resident that outlives its store makes it again.
    if (report.launcher_removed or purge) and call.stop_resident(at):
        output.data("stopped the resident broker")
    if not purge:
        output.data(f"memory stays in `{at.directory}`")
        return
    from hooklore.api.queued_texts import remove_outboxes
    from hooklore.cli.purge import purge as delete
    from hooklore.requests.access_tokens import TokenFile
    from hooklore.text.plural import format_count

    # A store that is made here later must not be open to them.
    if revoked := TokenFile(at, home()).revoke_all():
        output.data(f"revoked {format_count(revoked, 'token')}")
    if removed := remove_outboxes(home()):
        output.data(f"deleted {format_count(removed, 'write')} that waited for a gateway")
    left = delete(at)
    output.data(f"deleted the memory in `{at.directory}`")
    for path in left:
        output.data(f"left `{output.one_line(str(path))}`: it is not hooklore's")


def stop() -> None:
    """End the resident broker; the next hook starts it again."""
    stopped = call.stop_resident(here())
    output.data("stopped the resident broker" if stopped else "no resident broker runs")


def _scope(*, user: bool, project: bool, local: bool, plugin: bool) -> Scope | None:
    flags: dict[Scope, bool] = {"user": user, "project": project, "local": local, "plugin": plugin}
    named = [scope for scope, is_given in flags.items() if is_given]
    if len(named) > 1:
        raise typer.BadParameter("give only one of `--user`, `--project`, `--local` and `--plugin`")
    return named[0] if named else None


def _config_dir(agent: str) -> Path | None:
    named = read_environment().get(get_agent(agent).registration().config_variable)
    return Path(named) if named else None


def _config_dirs() -> dict[str, Path]:
    names = dict.fromkeys(each.id for each in known_agents())
    names |= dict.fromkeys(read_manifest(Path(home())).agents)
    found = {name: _config_dir(name) for name in names if find_agent(name) is not None}
    return {name: path for name, path in found.items() if path is not None}


def _print_edit(edit: SettingsEdit, words: tuple[str, str], *, dry_run: bool) -> None:
    """Print an edit. `words` say what it does, as an infinitive and in the past."""
    path = output.one_line(str(edit.path))  # a folder's name may hold what a terminal obeys
    if not edit.changed:
        output.data(f"`{path}` has {'it' if words in (_SERVER, _PROTOCOL) else 'them'} already")
    elif dry_run:
        output.data(f"would {words[0]} `{path}`:")
        output.data(output.plain(edit.diff))
    else:
        output.data(f"{words[1]} `{path}`")
