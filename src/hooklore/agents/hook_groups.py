"""The registration of hooks as groups by event: matcher, command line and limit, of which a client's table tells.

The text is the same on every machine and never changes between versions: clients run equal commands of several
settings files once, and ask for trust again where a command is new. An installed hook is recognised by its path.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from hooklore.agents.agent import Agent, ClientEvent
from hooklore.agents.hook_dialect import CANNOT_START, CHANNEL, AnswerForm
from hooklore.agents.json_settings import HOOKS, HookSettings
from hooklore.agents.registration import LAUNCHER_PATH, Command, Entry, Registration, entry_file
from hooklore.agents.rehearsal import Rehearsal, Step

LAUNCHER = f"$HOME/{LAUNCHER_PATH}"
"""The launcher's folder as the shell of a hook sees it."""

LINE = "<run> || exit 0"
"""The command line of an event. Whatever is missing or broken exits 0: status 2 would block the user, and a
missing script makes an interpreter exit 2."""

START_LINE = "<run> || { <absent> || echo '<cannot start>'; exit 0; }"
"""The command line of a session's start: it tells of an interpreter that is gone."""

_RUN = f'"{LAUNCHER}/python" -I -S "{LAUNCHER}/hooks/<entry>"'
_ABSENT = f'[ ! -d "{LAUNCHER}" ]'


@dataclass(frozen=True)
class HookGroups:
    """The groups of one client's hooks.

    `folder` holds the entry files below the launcher's `hooks/`. `lines` are the command lines of events that
    have one of their own, `line` and `start_line` those of the others. `name` is a hook's name, where the client
    has names. A limit counts `unit` for a second. A plugin's commands carry an argument, by which the launcher's
    client leaves the work to hooks in the settings; `plugin_absent` is their test for a dead interpreter that
    is not reported, and `plugin_tools` are more tools before which they run.
    """

    events: Mapping[str, ClientEvent]
    folder: str = ""
    line: str = LINE
    start_line: str = START_LINE
    lines: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    unit: int = 1
    plugin_absent: str = ""
    plugin_tools: tuple[str, ...] = ()

    @cached_property
    def entry_files(self) -> dict[str, str]:
        """The entry file of each event, below the launcher's `hooks/`."""
        return {event: entry_file(event, self.folder) for event in self.events}

    @cached_property
    def _ours(self) -> re.Pattern[str]:
        names = "|".join(map(re.escape, self.entry_files.values()))
        return re.compile(rf"/{re.escape(LAUNCHER_PATH)}/hooks/(?:{names})(?![\w.])")

    def is_ours(self, hook: object) -> bool:
        """Return whether one entry of a group's `hooks` runs an entry file of a launcher."""
        text = hook.get("command") if isinstance(hook, dict) else None
        return isinstance(text, str) and self._ours.search(text) is not None

    def command(self, event: str, *, plugin: bool = False) -> str:
        """Return the command line of one event."""
        run = _RUN.replace("<entry>", self.entry_files[event]) + (" plugin" if plugin else "")
        absent = _ABSENT + (f" || {self.plugin_absent}" if plugin else "")
        starts = self.events[event].event == "session_start"
        line = self.lines.get(event) or (self.start_line if starts else self.line)
        line = line.replace("<run>", run).replace("<absent>", absent)
        return line.replace("<cannot start>", CANNOT_START.replace("<event>", event))

    def group(self, event: str, *, plugin: bool = False, capture_reads: bool = False) -> Entry:
        """Return the element that is put into an event's array."""
        each = self.events[event]
        hook = {
            **({"name": self.name} if self.name else {}),
            "type": "command",
            "command": self.command(event, plugin=plugin),
            "timeout": each.limit * self.unit,
        }
        matcher = each.matcher
        if each.reads and not capture_reads:
            matcher = f"^(?!(?:{each.reads})$)"
        if plugin and each.event == "before_tool":
            matcher = "|".join((matcher, *self.plugin_tools))
        return {**({"matcher": matcher} if matcher else {}), "hooks": [hook]}

    def entries(
        self, *, home: Path | None = None, plugin: bool = False, capture_reads: bool = False
    ) -> dict[str, Entry]:
        """Return the element of every event, in the order in which they are written."""
        del home  # the shell's `$HOME` expands by itself
        plugin = plugin and bool(self.plugin_absent)
        return {e: self.group(e, plugin=plugin, capture_reads=capture_reads) for e in self.events}

    def commands(self, group: Entry) -> list[Command]:
        """Return our command lines in one group."""
        return [str(hook["command"]) for hook in group.get(HOOKS, ()) if self.is_ours(hook)]

    def commands_at(
        self, settings: Mapping[str, Any], event: str, subject: str | None
    ) -> list[Command]:
        """Return the commands of ours that the settings run at an event for a tool or a source."""
        groups = settings.get(HOOKS, {}).get(event, ())
        matching = (group for group in groups if _matches(group.get("matcher"), subject))
        return [command for group in matching for command in self.commands(group)]


def hook_registration(groups: HookGroups, consequence: str, **rest: Any) -> Registration:
    """Return the registration of groups; `consequence` is that of a file which is not JSON."""
    allows_comments = rest.pop("allows_comments", False)
    return Registration(
        format=HookSettings(consequence, allows_comments, groups.is_ours),
        entry_files=groups.entry_files,
        entries=groups.entries,
        commands=groups.commands,
        **rest,
    )


def hook_rehearsal(
    groups: HookGroups,
    answers: AnswerForm,
    agent: Agent,
    tool_answer: Callable[[Step], Any],
    **rest: Any,
) -> Rehearsal:
    """Return the rehearsal of groups: `answers` are read back."""
    return Rehearsal(agent, tool_answer, answers.read_context, groups.commands_at, CHANNEL, **rest)


def _matches(matcher: str | None, subject: str | None) -> bool:
    """Return whether a matcher is for a subject: names are compared, another text is a regular expression."""
    if not matcher or subject is None:
        return True
    if re.fullmatch(r"[\w|]+", matcher):
        return subject in matcher.split("|")
    return re.search(matcher, subject) is not None
