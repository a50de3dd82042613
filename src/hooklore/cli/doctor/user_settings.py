"""Reads the user's settings: `config.toml`, pauses, switches in the environment, the client in use."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import orjson

from hooklore.agents.own_program import find_program, launcher_program
from hooklore.agents.program_name import PROGRAM
from hooklore.cli.doctor.facts import CommandFacts, UserFacts
from hooklore.cli.install.manifest import read_manifest
from hooklore.cli.install.reach import find_link, search_path, starts_hooklore
from hooklore.cli.process_group import run_in_group
from hooklore.cli.speaking import is_at_terminal, speaker
from hooklore.config import DEPTH_VARIABLE, StoreLocation, load_settings
from hooklore.hooks import exclusions
from hooklore.retrieval.semantic.availability import semantic_unavailable_reason
from hooklore.text.plural import format_count

_SECONDS = 3.0


def user_facts(place: StoreLocation, env: Mapping[str, str], program: str) -> UserFacts:
    """Return the settings that steer hooklore, and the version of the agent's `program`."""
    settings, runs = load_settings(place.config), speaker()
    off = env.get("HOOKLORE_OFF")
    return UserFacts(
        config=str(place.config),
        config_problems=tuple(str(problem) for problem in settings.problems),
        capture_reads=settings.capture.reads,
        reduced=tuple(
            f"`sessions.{kind}` is `{sharing}`"
            for kind, sharing in settings.sessions.model_dump().items()
            if sharing != "full"
        ),
        paused=tuple(_paused(place)),
        pause_is_damaged=_is_damaged(place),
        off=off if off not in (None, "", "0") else None,
        depth=env.get(DEPTH_VARIABLE) or None,
        client_version=client_version(program, env.get("PATH")),
        command=_command(env),
        no_vectors=semantic_unavailable_reason(settings.recall.semantic),
        held_by=(runs.agent_id, runs.through) if runs.through and is_at_terminal() else None,
    )


def _command(env: Mapping[str, str]) -> CommandFacts:
    """Return where shells find the command, and what agents are told to run."""
    home = Path(env.get("HOME", ""))
    found = shutil.which(PROGRAM, path=search_path(env))
    own, launched = Path(sys.executable).parent / PROGRAM, Path(launcher_program(str(home)))
    link = find_link(home, read_manifest(home).link)
    return CommandFacts(
        found=found,
        launched=str(launched),
        is_named=find_program(str(home)) == PROGRAM,
        is_ours=found is not None and starts_hooklore(Path(found)),
        is_same=found is not None
        and any(each.exists() and os.path.samefile(found, each) for each in (own, launched)),
        runs=os.access(launched, os.X_OK),
        link=link.path if link else None,
    )


def _paused(place: StoreLocation) -> Iterator[str]:
    found = exclusions.load_pauses(place)
    if found.everywhere:
        yield "everywhere"
    if found.projects:
        yield f"in {format_count(len(found.projects), 'project')}"
    if found.sessions:
        yield f"in {format_count(len(found.sessions), 'session')}"


def _is_damaged(place: StoreLocation) -> bool:
    """Return whether the pause file cannot be read: it then pauses everything."""
    try:
        orjson.loads(exclusions.pause_path(place).read_bytes())
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True
    return False


def client_version(program: str, path: str | None) -> str | None:
    """Return the answer of the program to `--version`; None when there is no such program."""
    found = shutil.which(program, path=path)
    if found is None:
        return None
    try:
        done = run_in_group([found, "--version"], _SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace").strip()[:100] or None
