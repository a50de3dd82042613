"""The look at one agent: its settings, and the lesson through its registered commands."""

import os
import time
from collections.abc import Mapping
from pathlib import Path

from hooklore.agents.agent import Agent
from hooklore.agents.diagnosis import SettingsFacts
from hooklore.cli.doctor.facts import AgentFacts, RecallProof, Unknown
from hooklore.cli.doctor.part import LOOK_SECONDS, Part, wait_for
from hooklore.cli.doctor.recall_proof import prove_recall
from hooklore.cli.doctor.registered import commands_in_force, events_of
from hooklore.cli.doctor.settings_files import settings_facts
from hooklore.cli.doctor.user_settings import client_version
from hooklore.cli.install.manifest import Manifest


class AgentLook:
    """The look at one agent: its settings, and the lesson through its registered commands."""

    def __init__(
        self,
        agent: Agent,
        home: str,
        project_dir: str | None,
        env: Mapping[str, str],
        deadline: float,
    ) -> None:
        self.agent = agent
        start = Path(os.path.realpath(project_dir or home))
        config_dir = env.get(agent.registration().config_variable) or None
        self.settings = Part(lambda: settings_facts(agent, Path(home), start, config_dir, env))
        self.recall = Part(lambda: _recall(agent, self.settings, deadline, home, env))

    def is_registered(self) -> bool:
        """Return whether a settings file has an entry of ours, as far as that is known in time."""
        wait_for((self.settings,), time.monotonic() + LOOK_SECONDS)
        found = self.settings.found
        return isinstance(found, Unknown) or any(events_of(self.agent, f) for f in found.files)

    def facts(self, env: Mapping[str, str]) -> AgentFacts:
        """Return what was found."""
        program = self.agent.diagnosis().program
        version = client_version(program, env.get("PATH"))
        return AgentFacts(self.agent, self.settings.found, self.recall.found, version)


def first_look(looks: list[AgentLook], manifest: Manifest) -> tuple[AgentLook, list[AgentLook]]:
    """Return the look at the first agent, and the others.

    The default agent comes first, unless only other agents are registered.
    """
    default, *others = looks
    is_noted = default.agent.id in manifest.agents
    if others and not is_noted and not default.is_registered():
        return others[0], others[1:]
    return default, others


def _recall(
    agent: Agent, settings: Part, deadline: float, home: str, env: Mapping[str, str]
) -> RecallProof | Unknown:
    wait_for((settings,), deadline)
    found: SettingsFacts | Unknown = settings.found
    if isinstance(found, Unknown):
        return found
    commands, path = commands_in_force(agent, found), env.get("PATH", "/usr/bin:/bin")
    return prove_recall(agent, commands, home, path, seconds=deadline - time.monotonic())
