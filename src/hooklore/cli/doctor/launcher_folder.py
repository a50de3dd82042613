"""Reads the launcher's folder, and asks its interpreter who it is."""

import json
import os
import subprocess
from pathlib import Path

from hooklore.cli.doctor.facts import LauncherFacts, Probe
from hooklore.cli.install.files import read_regular
from hooklore.cli.install.launcher import launcher_directory
from hooklore.cli.install.registration import REGISTRATIONS, client_source, entry_directory
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


def launcher_facts(home: Path) -> LauncherFacts:
    """What lies in the launcher's folder."""
    folder = launcher_directory(home)
    if not os.path.isdir(folder):
        return LauncherFacts(str(folder), exists=False)
    python, client = folder / "python", folder / "client.py"
    link = _link(python)
    target = os.path.realpath(python)
    probe, problem = _ask(folder, client) if os.path.exists(python) else (None, None)
    missing, changed = _entries(folder / "hooks")
    return LauncherFacts(
        directory=str(folder),
        exists=True,
        link=link,
        target=target,
        target_exists=os.path.exists(python),
        head=_head(target),
        probe=probe,
        probe_problem=problem,
        client_is_ours=_is_ours(client),
        client_stamp=_stamp(client),
        compiled=_compiled(folder, probe),
        missing=missing,
        changed=changed,
        installed_at=_installed_at(folder),
    )


def _link(path: Path) -> str | None:
    try:
        return os.readlink(path)
    except OSError:
        return None


def _head(path: str) -> bytes:
    """The first bytes of a file: a script's say so."""
    try:
        with open(path, "rb") as stream:
            return stream.read(_HEAD)
    except OSError:
        return b""


def _ask(folder: Path, client: Path) -> tuple[Probe | None, str | None]:
    """What the interpreter says, or why it said nothing. The link is followed one step, as the client does."""
    python = _link(folder / "python") or str(folder / "python")
    try:
        done = subprocess.run(
            [python, "-I", "-c", _QUESTION, str(client)],
            check=False,
            capture_output=True,
            timeout=_SECONDS,
            cwd="/",
            stdin=subprocess.DEVNULL,
        )
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


def _is_ours(client: Path) -> bool | None:
    """Whether the client is the packaged one; None when it is not there."""
    try:
        found = read_regular(client)
        return None if found is None else found == client_source().read_bytes()
    except OSError:
        return None


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return int(found.st_mtime) & 0xFFFFFFFF, found.st_size & 0xFFFFFFFF


def _compiled(folder: Path, probe: Probe | None) -> bytes | None:
    """The head of the compiled client that the launcher's interpreter looks for."""
    if probe is None:
        return None
    path = folder / "__pycache__" / f"client.{probe.cache_tag}.pyc"
    return _head(str(path))[:16] if os.path.isfile(path) else None


def _entries(folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of entry files that are not there, and of those that are not this version's."""
    missing, changed = [], []
    try:
        packaged: Path | None = entry_directory()
    except InstallError:
        packaged = None
    for name in (each.entry for each in REGISTRATIONS):
        found = _content(folder / name)
        if found is None:
            missing.append(name)
        elif packaged is not None and found != _content(packaged / name):
            changed.append(name)
    return tuple(missing), tuple(changed)


def _content(path: Path) -> bytes | None:
    try:
        return read_regular(path)
    except OSError:
        return None


def _installed_at(folder: Path) -> float:
    """When the hooks were laid out: the oldest entry file, which a second install leaves alone."""
    times = []
    for each in REGISTRATIONS:
        try:
            times.append((folder / "hooks" / each.entry).stat().st_mtime)
        except OSError:
            continue
    return min(times, default=0.0)
