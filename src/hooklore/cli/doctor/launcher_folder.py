"""Reads the launcher's folder, and asks its interpreter for its versions."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hooklore.agents.agent import Agent
from hooklore.cli.doctor.facts import LauncherFacts, Probe
from hooklore.cli.install.client_table import fill_in
from hooklore.cli.install.files import read_regular
from hooklore.cli.install.launcher import (
    CLIENT,
    TROUBLE,
    client_source,
    entry_files,
    launcher_directory,
)
from hooklore.cli.process_group import run_in_group
from hooklore.errors import InstallError

_SECONDS = 4.0
_HEAD = 64

_QUESTION = """
import importlib.util, json, sys
found = {"python": sys.version.split()[0], "cache_tag": sys.implementation.cache_tag or "",
         "magic": importlib.util.MAGIC_NUMBER.hex(), "hooklore": None, "client_hash": ""}
try:
    with open(sys.argv[1], "rb") as source:
        found["client_hash"] = importlib.util.source_hash(source.read()).hex()
except OSError:
    pass
try:
    import hooklore
    found["hooklore"] = hooklore.__version__
except ImportError:
    pass
print(json.dumps(found))
"""


def launcher_facts(home: Path, agents: Sequence[Agent]) -> LauncherFacts:
    """Return the state of the launcher's folder. `agents` are those that the launcher is for."""
    folder = launcher_directory(home)
    if not os.path.isdir(folder):
        return LauncherFacts(str(folder), exists=False)
    python, client = folder / "python", folder / CLIENT
    link = _link(python)
    target = os.path.realpath(python)
    probe, problem = _ask(folder, client) if os.path.exists(python) else (None, None)
    is_ours, name = _client_state(folder, agents, home)
    missing, changed = _entries(folder / "hooks", agents)
    return LauncherFacts(
        directory=str(folder),
        exists=True,
        link=link,
        target=target,
        target_exists=os.path.exists(python),
        head=_head(target),
        probe=probe,
        probe_problem=problem,
        client_is_ours=is_ours,
        client_file=name,
        client_stamp=_stamp(client),
        compiled=_compiled(folder, probe),
        missing=missing,
        changed=changed,
        installed_at=_installed_at(folder, agents),
    )


def _link(path: Path) -> str | None:
    try:
        return os.readlink(path)
    except OSError:
        return None


def _head(path: str) -> bytes:
    """Return the first bytes of a file: those of a script say so."""
    try:
        with open(path, "rb") as stream:
            return stream.read(_HEAD)
    except OSError:
        return b""


def _ask(folder: Path, client: Path) -> tuple[Probe | None, str | None]:
    """Return the interpreter's answer, or why there is none. The link is followed one step, as the client does."""
    try:
        python = _link(folder / "python") or str(folder / "python")
        words = [python, "-I", "-c", _QUESTION, str(client)]
        done = run_in_group(words, _SECONDS, folder=Path("/"))
    except subprocess.TimeoutExpired:
        return None, f"it did not answer in {_SECONDS:.0f} s"
    except OSError as error:
        return None, error.strerror or str(error)
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        return None, f"it ended with {done.returncode}: {' '.join(last)[:200]}"
    try:
        return Probe(**json.loads(done.stdout)), None
    except (ValueError, TypeError):
        return None, "it is no Python"


def _client_state(folder: Path, agents: Sequence[Agent], home: Path) -> tuple[bool | None, str]:
    """Return whether the client is the one that an install would write now, None when it is not there.

    Beside that the name of its file that is not, by default the first one.
    """
    for name in (CLIENT, TROUBLE):
        try:
            found, source = read_regular(folder / name), client_source(name).read_bytes()
        except OSError:
            return None, name
        if found is None or found != fill_in(source, agents, home):
            return None if found is None else False, name
    return True, CLIENT


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return int(found.st_mtime) & 0xFFFFFFFF, found.st_size & 0xFFFFFFFF


def _compiled(folder: Path, probe: Probe | None) -> bytes | None:
    """Return the head of the compiled client that the launcher's interpreter looks for."""
    if probe is None:
        return None
    path = folder / "__pycache__" / f"client.{probe.cache_tag}.pyc"
    return _head(str(path))[:16] if os.path.isfile(path) else None


def _entries(folder: Path, agents: Sequence[Agent]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of entry files that are not there, and of those that are not this version's."""
    missing, changed = [], []
    for name, wanted in _wanted(agents).items():
        found = _content(folder / name)
        if found is None:
            missing.append(name)
        elif wanted is not None and found != wanted:
            changed.append(name)
    return tuple(missing), tuple(changed)


def _wanted(agents: Sequence[Agent]) -> dict[str, bytes | None]:
    """Return the entry files by name; None for the bytes of one that this version does not bring."""
    found: dict[str, bytes | None] = {}
    for agent in agents:
        try:
            found |= entry_files(agent)
        except (InstallError, OSError):
            found |= dict.fromkeys(agent.registration().entry_files.values())
    return found


def _content(path: Path) -> bytes | None:
    try:
        return read_regular(path)
    except OSError:
        return None


def _installed_at(folder: Path, agents: Sequence[Agent]) -> float:
    """Return when the hooks were laid out: the oldest entry file, which a second install leaves alone."""
    times = []
    for name in _wanted(agents):
        try:
            times.append((folder / "hooks" / name).stat().st_mtime)
        except OSError:
            continue
    return min(times, default=0.0)
