"""Collects the facts, each part on its own: a broken part hides nothing of another one.

Nothing changes but for the two canaries.
"""

import os
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from hooklore import __version__
from hooklore.agents.agent import Agent
from hooklore.agents.diagnosis import SettingsFacts
from hooklore.agents.registration import Places
from hooklore.agents.registry import default_agent, known_agents
from hooklore.cli.doctor.access_tokens_check import token_facts
from hooklore.cli.doctor.facts import Facts, RecallProof, Unknown, UserFacts
from hooklore.cli.doctor.launcher_folder import launcher_facts
from hooklore.cli.doctor.memory_files import count_memory_files
from hooklore.cli.doctor.outbox_check import outbox_states
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
    """Return all facts of this store, this home, and a session started in `project_dir`, else in the home."""
    deadline = time.monotonic() + LOOK_SECONDS
    start = Path(os.path.realpath(project_dir or home))
    manifest = read_manifest(Path(home))
    described = described_agents(manifest)
    agents = dict.fromkeys((default_agent(), *described))
    looks = [_AgentLook(agent, home, start, env, deadline) for agent in agents]
    first, others = _first_look(looks, manifest)
    program = first.agent.diagnosis().program
    parts = {
        "launcher": Part(lambda: launcher_facts(Path(home), described)),
        "store": Part(lambda: store_facts(place)),
        "protocol": Part(lambda: _protocol(home, start, env)),
        "user": Part(lambda: user_facts(place, env, program)),
        "tokens": Part(lambda: token_facts(place, home)),
        "outboxes": Part(lambda: outbox_states(home)),
        "memory_files": Part(lambda: count_memory_files(place)),
        "lock": Part(lambda: lock_facts(place)),
        "resident": Part(lambda: resident_facts(place)),
    }
    life = StoreLook(place, parts["lock"], parts["resident"], deadline)
    recalls = [look.recall for look in (first, *others)]
    try:
        wait_for((*(look.settings for look in looks), *parts.values(), life), deadline)
        wait_for(recalls, deadline + _CLEARING_SECONDS)
    except KeyboardInterrupt:
        wait_for(
            recalls, deadline + _CLEARING_SECONDS
        )  # a temporary resident and its folder go first
        raise
    facts = Facts(
        home=home,
        now=time.time(),
        version=__version__,
        agent=first.agent,
        settings=first.settings.found,
        recall_proof=first.recall.found,
        log=life.log,
        spool=life.spool,
        index=life.index,
        store_proof=life.proof,
        **{name: part.found for name, part in parts.items()},
    )
    return replace(facts, others=tuple(look.of(facts, env) for look in others))


class _AgentLook:
    def __init__(
        self, agent: Agent, home: str, start: Path, env: Mapping[str, str], deadline: float
    ) -> None:
        self.agent = agent
        config_dir = env.get(agent.registration().config_variable) or None
        self.settings = Part(lambda: settings_facts(agent, Path(home), start, config_dir, env))
        self.recall = Part(lambda: _recall(agent, self.settings, deadline, home, env))

    def is_registered(self) -> bool:
        """Return whether a settings file has an entry of ours, as far as that is known in time."""
        wait_for((self.settings,), time.monotonic() + LOOK_SECONDS)
        found = self.settings.found
        return isinstance(found, Unknown) or any(events_of(self.agent, f) for f in found.files)

    def of(self, facts: Facts, env: Mapping[str, str]) -> Facts:
        """Return the facts of this machine with those of this agent."""
        user, settings, proof = facts.user, self.settings.found, self.recall.found
        if isinstance(user, UserFacts):
            version = client_version(self.agent.diagnosis().program, env.get("PATH"))
            user = replace(user, client_version=version)
        return replace(facts, agent=self.agent, settings=settings, recall_proof=proof, user=user)


def _first_look(looks: list[_AgentLook], manifest: Manifest) -> tuple[_AgentLook, list[_AgentLook]]:
    """Return the look at the first agent (the default one, unless only others are registered), and the others."""
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


def _protocol(home: str, start: Path, env: Mapping[str, str]) -> tuple[PlacedProtocol, ...]:
    """Return the protocol's texts that sessions here read, those of agents without hooks included."""
    agents = list(known_agents())
    moved = {each.id: env.get(each.registration().config_variable) for each in agents}
    folders = {name: Path(value) for name, value in moved.items() if value}
    return tuple(find_placed(agents, Places(Path(home), start), folders))
