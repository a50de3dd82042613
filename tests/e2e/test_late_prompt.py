"""A prompt that reaches a busy resident late is the user's all the same, and teaches as it would in time."""

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import end_residents, wait_until
from tests.support.agent import repository
from tests.support.launcher import Launcher
from tests.support.writers import records

CLIENT = {"CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli"}
RULE = "from now on always use uv instead of pip in this project"


@pytest.fixture
def hooks(home: Path) -> Iterator[Launcher]:
    yield Launcher(home, dict(CLIENT)).lay_out()
    end_residents(home)


@pytest.mark.req("HK-02")
@pytest.mark.parametrize("seconds", [0.3, 1.0, 3.0])
def test_a_prompt_that_waited_for_the_resident_is_the_users_and_teaches(
    hooks: Launcher, seconds: float
) -> None:
    project = repository(hooks.home / "widgets")
    hooks.variables["CLAUDE_PROJECT_DIR"] = str(project)
    payload = {"session_id": "s1", "cwd": str(project), "hook_event_name": "UserPromptSubmit"}
    hooks.run("UserPromptSubmit", {**payload, "prompt": "hello there"})
    resident = hooks.wait_for_resident()

    os.kill(resident, signal.SIGSTOP)
    started = hooks.start("UserPromptSubmit", {**payload, "prompt": RULE})
    time.sleep(seconds)
    os.kill(resident, signal.SIGCONT)
    started.wait()

    wait_until(lambda: RULE in hooks.prompts(), "the prompt in the log")
    wait_until(lambda: "preference" in kinds(hooks), "what the prompt taught")
    prompt = next(r for r in records(hooks.place) if RULE in json.dumps(r))
    assert "headless" not in prompt["body"]["detail"]


def kinds(hooks: Launcher) -> list[str]:
    return [record["kind"] for record in records(hooks.place)]
