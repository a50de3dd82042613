"""Read the settings files of an agent that bear on a session started in a folder, and our entries in them."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from hooklore.agents.agent import Agent
from hooklore.agents.diagnosis import ServerFile, SettingsFacts, SettingsFile, SettingsScope
from hooklore.agents.registration import Command, Places, SettingsFormat
from hooklore.cli.doctor.part import unless_refused
from hooklore.cli.install.files import read_regular
from hooklore.cli.install.launcher import read_places
from hooklore.errors import SettingsError


def settings_facts(
    agent: Agent, home: Path, start: Path, config_dir: str | None, environment: Mapping[str, str]
) -> SettingsFacts:
    """Return every settings file that a session started in `start` loads, and those it may seem to load."""
    places = Places(home, start, Path(config_dir) if config_dir else None)
    top = repository_top(start)
    form = agent.registration().format

    found = SettingsFacts(
        start=str(start),
        top=str(top) if top else None,
        config_dir=config_dir,
        files=tuple(agent.diagnosis().find_settings(partial(_read, form), places, top)),
        in_settings=tuple(unless_refused(lambda: read_places(home), [])),
        servers=tuple(_servers(agent, places)),
    )
    return replace(found, told=agent.diagnosis().ask_client(found, environment))


def _read(
    form: SettingsFormat, scope: SettingsScope, path: Path, *, is_loaded: bool
) -> SettingsFile:
    try:
        raw = read_regular(path)
    except NotADirectoryError:
        raw = None
    except OSError as error:
        reason = error.strerror or str(error)
        return SettingsFile(scope, str(path), is_loaded, problem=f"it cannot be read: {reason}")
    if raw is None:
        return SettingsFile(scope, str(path), is_loaded)
    try:
        _, text = form.decode(raw, str(path))
        if form.is_blank(text):
            return SettingsFile(scope, str(path), is_loaded, document={})
        form.check(text, str(path))
    except SettingsError as error:
        return SettingsFile(scope, str(path), is_loaded, problem=error.cause)
    document, groups = form.read(text), tuple(form.registered(text))
    return SettingsFile(scope, str(path), is_loaded, document, None, groups)


def _servers(agent: Agent, places: Places) -> Iterator[ServerFile]:
    registration = agent.registration()
    server = registration.server
    for scope in registration.scopes if server else ():
        path = server.settings_path(scope, places) if server else None
        if path is not None and server is not None:
            read = _read(server.format, "user", path, is_loaded=True)
            entry = next((entry for _, entry in read.groups), None)
            yield ServerFile(str(path), entry, read.problem)


def repository_top(start: Path) -> Path | None:
    """Return the nearest folder, this one or one above, that has a `.git`."""
    for folder in (start, *start.parents):
        if os.path.lexists(folder / ".git"):
            return folder
    return None


def events_of(agent: Agent, file: SettingsFile) -> set[str]:
    """Return the events of the agent that a file registers for us."""
    return {event for event, _ in file.groups} & set(agent.events)


def commands_in_force(agent: Agent, settings: SettingsFacts) -> dict[str, Command]:
    """Return the command that runs for each event; of several the first in order of the files."""
    found: dict[str, Command] = {}
    for file in settings.loaded:
        for event, entry in file.groups:
            for command in agent.registration().commands(entry)[:1]:
                if event in agent.events:
                    found.setdefault(event, command)
    return found


def runs(agent: Agent, settings: SettingsFacts) -> dict[str, int]:
    """Return how often each event runs us: equal commands of settings files count once.

    The commands of a plugin count by themselves, and end at once where `in-settings` names the user or
    this project.
    """
    commands: dict[str, set[tuple[str, Command]]] = {}
    stands_down = {"user", settings.start} & set(settings.in_settings)
    for file in settings.loaded:
        if file.scope == "plugin" and stands_down:
            continue
        source = file.path if file.scope == "plugin" else ""
        for event, entry in file.groups:
            for command in agent.registration().commands(entry):
                commands.setdefault(event, set()).add((source, command))
    return {event: len(found) for event, found in commands.items() if event in agent.events}


def differences(agent: Agent, file: SettingsFile, home: Path, *, capture_reads: bool) -> list[str]:
    """Return the events whose entry in this file is not the one that this version writes."""
    wanted = agent.registration().entries(
        home=home, plugin=file.scope == "plugin", capture_reads=capture_reads
    )
    return sorted({event for event, entry in file.groups if event and entry != wanted.get(event)})


def hidden(file: SettingsFile) -> int:
    """Return how many of our entries a later key of the same name hides."""
    return Counter(event for event, _ in file.groups)[""]
