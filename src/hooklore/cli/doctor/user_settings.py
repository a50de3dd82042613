"""Reads the user's settings: `config.toml`, pauses, switches in the environment, the client in use."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
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
    off, pauses = env.get("HOOKLORE_OFF"), exclusions.load_pauses(place)
    paused = (
        "everywhere" if pauses.everywhere else "",
        f"in {format_count(len(pauses.projects), 'project')}" if pauses.projects else "",
        f"in {format_count(len(pauses.sessions), 'session')}" if pauses.sessions else "",
    )
    is_damaged = False
    try:
        orjson.loads(exclusions.pause_path(place).read_bytes())
    except FileNotFoundError:
        pass
    except (OSError, ValueError):
        is_damaged = True  # everything is paused, then
    return UserFacts(
        config=str(place.config),
        config_problems=tuple(str(problem) for problem in settings.problems),
        capture_reads=settings.capture.reads,
        reduced=tuple(
            f"`sessions.{kind}` is `{sharing}`"
            for kind, sharing in settings.sessions.model_dump().items()
            if sharing != "full"
        ),
        paused=tuple(filter(None, paused)),
        pause_is_damaged=is_damaged,
        off=off if off not in (None, "", "0") else None,
        depth=env.get(DEPTH_VARIABLE) or None,
        client_version=client_version(program, env.get("PATH")),
        command=_command(env),
        no_vectors=semantic_unavailable_reason(settings.recall.semantic),
        held_by=(runs.agent_id, runs.through) if runs.through and is_at_terminal() else None,
    )


def _command(env: Mapping[str, str]) -> CommandFacts:
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


def client_version(program: str, path: str | None) -> str | None:
    """Return the answer of the program to `--version`; None when there is no such program."""
    found = shutil.which(program, path=path)
    with suppress(OSError, subprocess.TimeoutExpired):
        done = run_in_group([found, "--version"], _SECONDS) if found else None
        return done.stdout.decode("utf-8", "replace").strip()[:100] or None if done else None
    return None
