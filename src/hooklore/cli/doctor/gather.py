"""Collects the facts, each part on its own: a broken part hides nothing of another one.

Nothing changes but for the two canaries.
"""

import os
import time
from collections.abc import Mapping
from pathlib import Path

from hooklore import __version__
from hooklore.agents.agent import Agent
from hooklore.agents.diagnosis import SettingsFacts
from hooklore.agents.registration import Places
from hooklore.agents.registry import default_agent, known_agents
from hooklore.cli.doctor.facts import AgentFacts, Facts, RecallProof, Unknown
from hooklore.cli.doctor.launcher_folder import launcher_facts
from hooklore.cli.doctor.memory_files import count_memory_files
from hooklore.cli.doctor.part import LOOK_SECONDS, Part, wait_for
from hooklore.cli.doctor.recall_proof import prove_recall
from hooklore.cli.doctor.resident_files import resident_facts
from hooklore.cli.doctor.settings_files import commands_in_force, events_of, settings_facts
from hooklore.cli.doctor.store_folder import store_facts
from hooklore.cli.doctor.store_look import StoreLook, lock_facts
from hooklore.cli.doctor.user_settings import client_version, user_facts
from hooklore.cli.install.manifest import Manifest, described_agents, read_manifest
from hooklore.cli.protocol.placement import PlacedProtocol, find_placed
from hooklore.config import StoreLocation

_CLEARING_SECONDS = 1.0


def gather(
    place: StoreLocation, home: str, project_dir: str | None, *, env: Mapping[str, str]
) -> Facts:
    """Return all facts of this store, this home, and a session started in `project_dir`.

    Without `project_dir` the session starts in the home.
    """
    looks = _Looks(place, home, project_dir, env)
    looks.wait()
    return looks.facts()


class _AgentLook:
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


def _first_look(looks: list[_AgentLook], manifest: Manifest) -> tuple[_AgentLook, list[_AgentLook]]:
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


class _Looks:
    """Every part of the facts. All of them begin at once, and have the same time."""

    def __init__(
        self, place: StoreLocation, home: str, project_dir: str | None, env: Mapping[str, str]
    ) -> None:
        self._home, self._env = home, env
        self._deadline = time.monotonic() + LOOK_SECONDS
        self._look_at_agents(project_dir)
        self._store = Part(lambda: store_facts(place))
        self._protocol = Part(lambda: _protocol(home, project_dir, env))
        self._user = Part(lambda: user_facts(place, env, self._program()))
        self._memory_files = Part(lambda: count_memory_files(place))
        self._lock = Part(lambda: lock_facts(place))
        self._resident = Part(lambda: resident_facts(place))
        self._life = StoreLook(place, self._lock, self._resident, self._deadline)

    def _look_at_agents(self, project_dir: str | None) -> None:
        """Begin to look at each agent that is registered, the default one included, and at their launcher."""
        manifest = read_manifest(Path(self._home))
        described = described_agents(manifest)
        agents = dict.fromkeys((default_agent(), *described))
        self._agents = [
            _AgentLook(agent, self._home, project_dir, self._env, self._deadline)
            for agent in agents
        ]
        self._first, self._others = _first_look(self._agents, manifest)
        self._launcher = Part(lambda: launcher_facts(Path(self._home), described))

    def _program(self) -> str:
        return self._first.agent.diagnosis().program

    def wait(self) -> None:
        """Wait until all is found or the time is over."""
        try:
            settings = (look.settings for look in self._agents)
            alone = (*(self._launcher, self._store, self._protocol, self._user), self._memory_files)
            life = (self._lock, self._resident, self._life)
            wait_for((*settings, *alone, *life), self._deadline)
            self._wait_for_recalls()
        except KeyboardInterrupt:
            self._wait_for_recalls()  # the temporary resident and its folder are to go first
            raise

    def _wait_for_recalls(self) -> None:
        recalls = (look.recall for look in (self._first, *self._others))
        wait_for(recalls, self._deadline + _CLEARING_SECONDS)

    def facts(self) -> Facts:
        """Return what was found."""
        return Facts(
            home=self._home,
            now=time.time(),
            version=__version__,
            agent=self._first.agent,
            settings=self._first.settings.found,
            launcher=self._launcher.found,
            store=self._store.found,
            log=self._life.log,
            lock=self._lock.found,
            spool=self._life.spool,
            index=self._life.index,
            resident=self._resident.found,
            user=self._user.found,
            store_proof=self._life.proof,
            recall_proof=self._first.recall.found,
            protocol=self._protocol.found,
            memory_files=self._memory_files.found,
            others=tuple(look.facts(self._env) for look in self._others),
        )


def _protocol(
    home: str, project_dir: str | None, env: Mapping[str, str]
) -> tuple[PlacedProtocol, ...]:
    """Return the protocol's texts that sessions here read, those of agents without hooks included."""
    agents = list(known_agents())
    moved = {each.id: env.get(each.registration().config_variable) for each in agents}
    folders = {name: Path(value) for name, value in moved.items() if value}
    start = Path(os.path.realpath(project_dir or home))
    return tuple(find_placed(agents, Places(Path(home), start), folders))
