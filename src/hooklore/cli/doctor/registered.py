"""What is registered, by the settings files: pure functions over what was read."""

from collections import Counter
from collections.abc import Iterator

from hooklore.cli.doctor.facts import SettingsFacts, SettingsFile
from hooklore.cli.install.registration import REGISTRATIONS, Group, groups, is_ours

EVENTS = tuple(each.event for each in REGISTRATIONS)


def loaded(settings: SettingsFacts) -> Iterator[SettingsFile]:
    """The files that a session started here loads, plugins last."""
    return (file for file in settings.files if file.is_loaded and file.document is not None)


def events_of(file: SettingsFile) -> set[str]:
    """The events that a file registers for us, of those that there are."""
    return {event for event, _ in file.groups} & set(EVENTS)


def commands_of(group: Group) -> list[str]:
    """Our command lines in one group."""
    return [str(hook["command"]) for hook in group.get("hooks", ()) if is_ours(hook)]


def commands_in_force(settings: SettingsFacts) -> dict[str, str]:
    """Event to the command line that runs; of several the first in order of the files."""
    found: dict[str, str] = {}
    for file in loaded(settings):
        for event, group in file.groups:
            for command in commands_of(group)[:1]:
                if event in EVENTS:
                    found.setdefault(event, command)
    return found


def runs(settings: SettingsFacts) -> dict[str, int]:
    """How often one event runs us: equal texts of settings files count once, a plugin's by themselves.

    A plugin's commands end at once where `in-settings` names the user or this project.
    """
    texts: dict[str, set[tuple[str, str]]] = {}
    stands_down = {"user", settings.start} & set(settings.in_settings)
    for file in loaded(settings):
        if file.scope == "plugin" and stands_down:
            continue
        source = file.path if file.scope == "plugin" else ""
        for event, group in file.groups:
            for command in commands_of(group):
                texts.setdefault(event, set()).add((source, command))
    return {event: len(found) for event, found in texts.items() if event in EVENTS}


def differences(file: SettingsFile, *, capture_reads: bool) -> list[str]:
    """Events whose entry in this file is not the one that this version writes."""
    wanted = groups(plugin=file.scope == "plugin", capture_reads=capture_reads)
    return sorted({event for event, group in file.groups if event and group != wanted.get(event)})


def hidden(file: SettingsFile) -> int:
    """How many of our entries a later key of the same name hides."""
    return Counter(event for event, _ in file.groups)[""]
