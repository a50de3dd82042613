"""Reads the launcher's folder, and asks its interpreter for its versions."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hooklore.agents.agent import Agent
from hooklore.cli.doctor.facts import LauncherFacts, Probe
from hooklore.cli.doctor.part import unless_refused
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
_MASK = 0xFFFFFFFF

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
    target = os.path.realpath(python)
    probe, problem = _ask(python, client) if os.path.exists(python) else (None, None)
    compiled = folder / "__pycache__" / f"client.{probe.cache_tag if probe else ''}.pyc"
    is_ours, name = _client_state(folder, agents, home)
    found = unless_refused(client.stat, None)
    entries = _wanted(agents)
    times = [unless_refused((folder / "hooks" / name).stat, None) for name in entries]
    there = {name: _content(folder / "hooks" / name) for name in entries}
    return LauncherFacts(
        directory=str(folder),
        exists=True,
        link=_link(python),
        target=target,
        target_exists=os.path.exists(python),
        head=_head(target),  # a script's first bytes say that it is one
        probe=probe,
        probe_problem=problem,
        client_is_ours=is_ours,
        client_file=name,
        client_stamp=(int(found.st_mtime) & _MASK, found.st_size & _MASK) if found else (0, 0),
        compiled=_head(str(compiled))[:16] if probe and os.path.isfile(compiled) else None,
        missing=tuple(name for name, raw in there.items() if raw is None),
        changed=tuple(
            name
            for name, wanted in entries.items()
            if wanted is not None and there[name] not in (None, wanted)
        ),
        # The oldest entry file says when hooks were laid out: a second install leaves it alone.
        installed_at=min((each.st_mtime for each in times if each), default=0.0),
    )


def _link(path: Path) -> str | None:
    return unless_refused(lambda: os.readlink(path), None)


def _head(path: str) -> bytes:
    def read() -> bytes:
        with open(path, "rb") as stream:
            return stream.read(_HEAD)

    return unless_refused(read, b"")


def _content(path: Path) -> bytes | None:
    return unless_refused(lambda: read_regular(path), None)


def _ask(link: Path, client: Path) -> tuple[Probe | None, str | None]:
    """Return the interpreter's answer, or why there is none. The link is followed one step, as the client does."""
    try:
        words = [_link(link) or str(link), "-I", "-c", _QUESTION, str(client)]
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
        found, source = (
            _content(folder / name),
            unless_refused(client_source(name).read_bytes, None),
        )
        if found is None or source is None:
            return None, name
        if found != fill_in(source, agents, home):
            return False, name
    return True, CLIENT


def _wanted(agents: Sequence[Agent]) -> dict[str, bytes | None]:
    """Return the entry files by name; None for the bytes of one that this version does not bring."""
    found: dict[str, bytes | None] = {}
    for agent in agents:
        try:
            found |= entry_files(agent)
        except (InstallError, OSError):
            found |= dict.fromkeys(agent.registration().entry_files.values())
    return found
