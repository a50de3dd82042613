"""Collects the facts, each part on its own: a broken part hides nothing of another one.

Nothing changes but for the two canaries.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from hooklore import __version__
from hooklore.agents.agent import Agent
from hooklore.agents.check import shell
from hooklore.agents.diagnosis import SettingsFacts
from hooklore.agents.registration import Places
from hooklore.agents.registry import default_agent, known_agents
from hooklore.cli.doctor.canary import prove_recall, prove_store
from hooklore.cli.doctor.facts import (
    MEND_ABOVE,
    AgentFacts,
    Facts,
    LockFacts,
    RecallProof,
    ResidentFacts,
    StoreProof,
    Unknown,
)
from hooklore.cli.doctor.launcher_folder import launcher_facts
from hooklore.cli.doctor.processes import lock_holder
from hooklore.cli.doctor.registered import commands_in_force, events_of
from hooklore.cli.doctor.resident_files import resident_facts
from hooklore.cli.doctor.settings_files import settings_facts
from hooklore.cli.doctor.store_folder import store_facts
from hooklore.cli.doctor.user_settings import client_version, user_facts
from hooklore.cli.install.manifest import Manifest, described_agents, read_manifest
from hooklore.cli.protocol.placement import PlacedProtocol, find_placed
from hooklore.config import StoreLocation, load_settings
from hooklore.errors import HookloreError, LogError, LogLockTimeout
from hooklore.maintenance.health import (
    IndexHealth,
    index_health,
    log_health,
    spool_health,
    wait_for_lock,
)

T = TypeVar("T")

_SECONDS = 6.5
_CLEARING_SECONDS = 1.0
_LOCK_SECONDS = 1.0
_INDEX_SECONDS = 3.0
_INDEXED_HERE = 2_000
"""Records that this process indexes for its canary when no resident runs: more would take too long."""


class _Part(threading.Thread):
    """One part, read in a thread of its own: a file system that hangs must not hold up the other parts."""

    def __init__(self, look: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._look = look
        self.done = threading.Event()
        self.found: Any = Unknown(f"it took longer than {_SECONDS} s")
        self.start()

    def run(self) -> None:
        self.found = _guarded(self._look)
        self.done.set()


def _guarded(look: Callable[[], T]) -> T | Unknown:
    """Return what was found, or why nothing was. Catch every error: the doctor runs when all else is broken."""
    try:
        return look()
    except HookloreError as error:
        return Unknown(str(error))
    except PermissionError as error:
        return Unknown(str(error), _opening(error.filename))
    except OSError as error:
        return Unknown(str(error))
    except Exception as error:
        return Unknown(f"{type(error).__name__}: {error}", "report this line")


def _opening(path: object) -> str:
    """Return the command that opens a path which was refused: the folder above refuses it."""
    if not isinstance(path, str | bytes):
        return MEND_ABOVE
    folder = os.path.dirname(os.fsdecode(path))
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return shell("chmod", "u+rwx", folder)


def gather(
    place: StoreLocation, home: str, project_dir: str | None, *, env: Mapping[str, str]
) -> Facts:
    """Return all facts of this store, this home, and a session started in `project_dir`.

    Without `project_dir` the session starts in the home.
    """
    deadline = time.monotonic() + _SECONDS
    manifest = read_manifest(Path(home))
    agents = dict.fromkeys((default_agent(), *described_agents(manifest)))
    looks = [_AgentLook(agent, home, project_dir, env, deadline) for agent in agents]
    first, others = _first(looks, manifest)
    launcher = _Part(lambda: launcher_facts(Path(home), described_agents(manifest)))
    store = _Part(lambda: store_facts(place))
    protocol = _Part(lambda: _protocol(home, project_dir, env))
    user = _Part(lambda: user_facts(place, env, first.agent.diagnosis().program))
    lock = _Part(lambda: _lock(place))
    resident = _Part(lambda: resident_facts(place))
    life = _Life(place, lock, resident, deadline)
    cleared = deadline + _CLEARING_SECONDS
    recalls = tuple(look.recall for look in (first, *others))
    try:
        settings = (look.settings for look in looks)
        _wait((*settings, launcher, store, protocol, user, lock, resident, life), deadline)
        _wait(recalls, cleared)
    except KeyboardInterrupt:
        _wait(recalls, cleared)  # the temporary resident and its folder are to go first
        raise
    return Facts(
        home=home,
        now=time.time(),
        version=__version__,
        agent=first.agent,
        settings=first.settings.found,
        launcher=launcher.found,
        store=store.found,
        log=life.log,
        lock=lock.found,
        spool=life.spool,
        index=life.index,
        resident=resident.found,
        user=user.found,
        store_proof=life.proof,
        recall_proof=first.recall.found,
        protocol=protocol.found,
        others=tuple(look.facts(env) for look in others),
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
        self.settings = _Part(lambda: settings_facts(agent, Path(home), start, config_dir, env))
        self.recall = _Part(lambda: _recall(agent, self.settings, deadline, home, env))

    def is_registered(self) -> bool:
        """Return whether a settings file has an entry of ours, as far as that is known in time."""
        _wait((self.settings,), time.monotonic() + _SECONDS)
        found = self.settings.found
        return isinstance(found, Unknown) or any(events_of(self.agent, f) for f in found.files)

    def facts(self, env: Mapping[str, str]) -> AgentFacts:
        """Return what was found."""
        program = self.agent.diagnosis().program
        version = client_version(program, env.get("PATH"))
        return AgentFacts(self.agent, self.settings.found, self.recall.found, version)


def _first(looks: list[_AgentLook], manifest: Manifest) -> tuple[_AgentLook, list[_AgentLook]]:
    """Return the look at the first agent, and the others.

    The default agent comes first, unless only other agents are registered.
    """
    default, *others = looks
    is_noted = default.agent.id in manifest.agents
    if others and not is_noted and not default.is_registered():
        return others[0], others[1:]
    return default, others


def _wait(parts: "tuple[_Part | _Life, ...]", deadline: float) -> None:
    """Wait until each part is done. After a ^C `join` would believe that the thread has ended."""
    for part in parts:
        part.done.wait(max(0.0, deadline - time.monotonic()))


def _lock(place: StoreLocation) -> LockFacts:
    """Return whether the log's lock is free, and its holder when it is not."""
    if not os.path.isdir(place.directory):
        return LockFacts(None, None)
    try:
        wait_for_lock(place, _LOCK_SECONDS)
    except LogLockTimeout as error:
        return LockFacts(str(error), lock_holder(place.directory))
    except LogError as error:
        return LockFacts(str(error), None)
    return LockFacts(None, None)


def _recall(
    agent: Agent, settings: _Part, deadline: float, home: str, env: Mapping[str, str]
) -> RecallProof | Unknown:
    _wait((settings,), deadline)
    found: SettingsFacts | Unknown = settings.found
    if isinstance(found, Unknown):
        return found
    commands, path = commands_in_force(agent, found), env.get("PATH", "/usr/bin:/bin")
    return prove_recall(agent, commands, home, path, seconds=deadline - time.monotonic())


class _Life(threading.Thread):
    """The log, the index, then the canary that passes through both and changes them."""

    def __init__(self, place: StoreLocation, lock: _Part, resident: _Part, deadline: float) -> None:
        super().__init__(daemon=True)
        self._place, self._lock, self._resident = place, lock, resident
        self._deadline = deadline
        self.done = threading.Event()
        late = Unknown(f"it took longer than {_SECONDS} s")
        self.log: Any = late
        self.index: Any = late
        self.spool: Any = late
        self.proof: StoreProof | Unknown = late
        self.start()

    def run(self) -> None:
        self._follow()
        self.done.set()

    def _follow(self) -> None:
        place = self._place
        self.spool = _guarded(lambda: spool_health(place))
        self.log = _guarded(lambda: log_health(place))
        self.index = _guarded(lambda: index_health(place))
        _wait((self._lock, self._resident), self._deadline)
        self.proof = _guarded(self._prove)
        if isinstance(self.proof, StoreProof) and self.proof.trace is not None:
            # The canary's writer drained the spool and followed the log: look again.
            self.spool = _guarded(lambda: spool_health(place))
            if isinstance(self.index, IndexHealth) and self.index.damage is None:
                self.index = _guarded(lambda: index_health(place, 0.0))

    def _prove(self) -> StoreProof | Unknown:
        lock, resident = self._lock.found, self._resident.found
        if isinstance(lock, LockFacts) and lock.problem:
            return Unknown("the log's lock is held")
        if isinstance(resident, ResidentFacts) and resident.problem:
            return Unknown("the resident does not answer")
        is_resident = isinstance(resident, ResidentFacts) and resident.status is not None
        return prove_store(
            self._place,
            load_settings(self._place.config),
            is_resident=is_resident,
            index=_may_index(self.index, is_resident=is_resident),
            seconds=_INDEX_SECONDS,
        )


def _may_index(index: IndexHealth | Unknown, *, is_resident: bool) -> bool:
    """Return whether the canary is to reach the index: a broken index is for `hooklore rebuild`."""
    if isinstance(index, Unknown) or index.damage is not None:
        return False
    return is_resident or index.lag <= _INDEXED_HERE
