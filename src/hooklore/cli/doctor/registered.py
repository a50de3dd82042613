"""The registered entries of an agent, by its settings files: pure functions over what was read."""

from collections import Counter
from pathlib import Path

from hooklore.agents.agent import Agent
from hooklore.agents.diagnosis import SettingsFacts, SettingsFile
from hooklore.agents.registration import Command


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
