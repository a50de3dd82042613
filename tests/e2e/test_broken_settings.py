"""A broken `config.toml` at the hooks: what may have been excluded is not recorded, and the user is told."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import load_settings, store_location_at
from hooklore.hooks.delivery import Delivery
from tests.conftest import wait_until
from tests.support.agent import Agent, repository
from tests.support.launcher import Launcher

TEXT = "The press in hall seven is loud"


def agent_with(config: str, tmp_path: Path, home: Path) -> Agent:
    """An agent in the project `secret`, with these settings."""
    place = store_location_at(home / ".config" / "ai" / "memory")
    place.directory.mkdir(parents=True)
    place.config.write_text(config)
    project = repository(tmp_path / "secret")
    return Agent(place, project, home, load_settings(place.config))


def printed(agent: Agent, event: str, delivery: str, **payload: Any) -> dict[str, Any]:
    full = {"session_id": "s-1", "cwd": str(agent.project), "hook_event_name": event, **payload}
    found = agent.runner.run(Delivery("claude", event, delivery, json.dumps(full).encode()))
    return dict(json.loads(found.stdout)) if found.stdout else {}


@pytest.mark.parametrize(
    "config",
    [
        'unknown = 1\ncapture.exclude_projects = ["{0}"]',
        'capture.exclude_projects = "{0}"',
        'capture.exclude_project = ["{0}"]',
        "[capture\n",
        "capture.exclude_projects = 1\nunknown = 1",
        '[sessions]\ninteractive = "no"',
    ],
)
def test_a_project_that_may_be_excluded_is_not_recorded_and_the_user_is_told_once(
    config: str, tmp_path: Path, home: Path
) -> None:
    agent = agent_with(config.format(tmp_path / "secret"), tmp_path, home)

    first = printed(agent, "SessionStart", "d-1", source="startup")
    second = printed(agent, "UserPromptSubmit", "d-2", prompt=TEXT)
    third = printed(agent, "SessionStart", "d-3", source="resume")
    agent.broker.close()

    assert not agent.place.log.exists()
    assert set(first) == {"systemMessage"}
    assert "config.toml" in first["systemMessage"]
    assert "hooks doctor" in first["systemMessage"]
    assert "\n" not in first["systemMessage"]
    assert (second, third) == ({}, {})


def test_one_unknown_key_leaves_recording_and_the_brief_as_they_are(
    tmp_path: Path, home: Path
) -> None:
    agent = agent_with("unknown = 1\n[recall]\nbrief_tokens = 300\n", tmp_path, home)
    agent.remembers("Always run the colour linter before a commit.")

    first = printed(agent, "SessionStart", "d-1", source="startup")
    printed(agent, "UserPromptSubmit", "d-2", prompt=TEXT)
    agent.broker.close()

    assert "unknown" in first["systemMessage"]
    assert "colour linter" in json.dumps(first["hookSpecificOutput"])
    assert TEXT in agent.place.log.read_text()
    assert agent.broker.settings.recall.brief_tokens == 300


def test_a_resident_tells_it_through_a_real_hook(home: Path, tmp_path: Path) -> None:
    hooks = Launcher(home).lay_out()
    hooks.place.directory.mkdir(parents=True)
    hooks.place.config.write_text("[capture\n")
    project = repository(tmp_path / "secret")

    hooks.run("UserPromptSubmit", payload("UserPromptSubmit", project, prompt=TEXT))
    wait_until(hooks.residents, "a resident")
    ran = hooks.run("SessionStart", payload("SessionStart", project, source="startup"))

    assert "config.toml" in json.loads(ran.stdout)["systemMessage"]
    assert not hooks.place.log.exists()


def payload(event: str, project: Path, **more: str) -> Mapping[str, str]:
    return {"session_id": "s-1", "cwd": str(project), "hook_event_name": event, **more}
