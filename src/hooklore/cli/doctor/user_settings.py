"""Reads the user's settings: `config.toml`, pauses, switches in the environment, the client in use."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping

import orjson

from hooklore.cli.doctor.facts import UserFacts
from hooklore.config import DEPTH_VARIABLE, Settings, StoreLocation, load_settings
from hooklore.hooks import pause
from hooklore.retrieval.semantic.availability import semantic_unavailable_reason

_SECONDS = 3.0


def user_facts(place: StoreLocation, env: Mapping[str, str], program: str) -> UserFacts:
    """Return the settings that steer hooklore, and the version of the agent's `program`."""
    settings = load_settings(place.config)
    off = env.get("HOOKLORE_OFF")
    return UserFacts(
        config=str(place.config),
        config_problems=tuple(str(problem) for problem in settings.problems),
        capture_reads=settings.capture.reads,
        reduced=tuple(_reduced(settings)),
        paused=tuple(_paused(place)),
        pause_is_damaged=_is_damaged(place),
        off=off if off not in (None, "", "0") else None,
        depth=env.get(DEPTH_VARIABLE) or None,
        client_version=client_version(program, env.get("PATH")),
        no_vectors=semantic_unavailable_reason(settings.recall.semantic),
    )


def _reduced(settings: Settings) -> Iterator[str]:
    for kind, sharing in settings.sessions.model_dump().items():
        if sharing != "full":
            yield f"`sessions.{kind}` is `{sharing}`"


def _paused(place: StoreLocation) -> Iterator[str]:
    found = pause.load_pauses(place)
    if found.everywhere:
        yield "everywhere"
    if found.projects:
        yield f"in {len(found.projects)} project(s)"
    if found.sessions:
        yield f"in {len(found.sessions)} session(s)"


def _is_damaged(place: StoreLocation) -> bool:
    """Return whether the pause file cannot be read: it then pauses everything."""
    try:
        orjson.loads(pause.pause_path(place).read_bytes())
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
        done = subprocess.run(
            [found, "--version"],
            check=False,
            capture_output=True,
            timeout=_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace").strip()[:100] or None
