"""An agent that another package brings: recorded, recalled, installed, checked and taken away by real processes."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import hooklore
from hooklore.agents.event import Edit
from hooklore.agents.rehearsal import Step
from hooklore.config import store_location_at
from tests.conftest import end_residents, wait_until
from tests.support import made_up_agent
from tests.support.agent import repository

pytestmark = pytest.mark.timeout(180)

ENTRY_POINT = "[hooklore.agents]\ntinker = made_up_agent:AGENT\n"


@dataclass(frozen=True)
class Machine:
    """An environment with hooklore and the agent's package in it, and the home of its user."""

    python: Path
    home: Path
    project: Path

    @property
    def settings(self) -> Path:
        return self.home / ".tinker" / "settings.yaml"

    @property
    def scripts(self) -> Path:
        """A folder of PATH in which a shell finds the command."""
        return Path(sys.executable).parent

    def hooks(self, *words: str, rc: int = 0) -> str:
        """What a command of the suite prints."""
        program = "import sys; from hooklore.cli.main import hooks_main; sys.exit(hooks_main())"
        done = subprocess.run(
            [str(self.python), "-c", program, *words],
            env={"HOME": str(self.home), "PATH": f"{self.scripts}:/usr/bin:/bin"},
            cwd=self.project,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == rc, (done.stdout, done.stderr)
        return done.stdout

    def memory(self, *words: str, **marks: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the memory as a process with these marks does."""
        program = (
            "import sys; from hooklore.cli.main import hooklore_main; sys.exit(hooklore_main())"
        )
        return subprocess.run(
            [str(self.python), "-c", program, *words],
            env={"HOME": str(self.home), "PATH": f"{self.scripts}:/usr/bin:/bin", **marks},
            cwd=self.project,
            capture_output=True,
            text=True,
            timeout=60,
        )

    def step(self, step: Step) -> str:
        """Run what the settings register for a step, as the agent does; what it prints."""
        name, payload = made_up_agent.AGENT.rehearsal().payload(step)
        rehearsal = made_up_agent.AGENT.rehearsal()
        form = made_up_agent.AGENT.registration().format
        (words,) = rehearsal.commands(form.read(self.settings.read_text()), payload)
        assert isinstance(words, tuple)
        done = subprocess.run(
            words,
            input=json.dumps(payload).encode(),
            env={"HOME": str(self.home), **rehearsal.environment(self.project)},
            cwd=self.project,
            capture_output=True,
            timeout=30,
        )
        assert (done.returncode, done.stderr) == (0, b""), name
        return done.stdout.decode()

    def records(self, kind: str) -> list[dict[str, Any]]:
        log = store_location_at(self.home / ".config" / "ai" / "memory").log
        lines = log.read_bytes().splitlines() if log.exists() else []
        return [each for each in map(json.loads, lines) if each["kind"] == kind]


@pytest.fixture
def machine(home: Path, tmp_path: Path) -> Iterator[Machine]:
    folder = tmp_path / "env"
    venv.create(folder, symlinks=True, with_pip=False)
    site = next((folder / "lib").glob("python*")) / "site-packages"
    ours = [sysconfig.get_paths()["purelib"], os.fspath(Path(hooklore.__file__).parents[1])]
    (site / "others.pth").write_text("".join(f"{each}\n" for each in ours))
    (site / "made_up_agent.py").write_bytes(Path(made_up_agent.__file__).read_bytes())
    info = site / "made_up_agent-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: made-up-agent\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINT)
    yield Machine(folder / "bin" / "python", home, repository(home / "widgets"))
    end_residents(home)


def test_record_recall_install_doctor_and_uninstall_work_for_it(machine: Machine) -> None:
    printed = machine.hooks("install", "--agent", "tinker")
    folder, error = str(machine.project), "PressError: it refuses to start without torque"
    failing = Step("failure", "r1", folder, command="make press", error=error, tool_use_id="1")

    machine.step(Step("prompt", "r1", folder, prompt="make the press run"))
    machine.step(failing)
    wait_until(lambda: bool(machine.records("error")), "the failure")
    edit = Edit(f"{folder}/press.toml", "torque = 0", "torque = 47")
    machine.step(Step("after_tool", "r1", folder, edit=edit, tool_use_id="2"))
    wait_until(lambda: bool(machine.records("tool_result")), "the edit")
    machine.step(
        Step("after_tool", "r1", folder, command="make press", output="ok", tool_use_id="3")
    )
    wait_until(lambda: bool(machine.records("fix")), "the fix")
    told = machine.step(
        Step("failure", "r2", folder, command="make press", error=error, tool_use_id="4")
    )
    report = json.loads(machine.hooks("doctor", "--json"))
    gone = machine.hooks("uninstall")

    assert f"registered the hooks in `{machine.settings}`" in printed
    assert "/hooklore:memory" not in printed
    assert machine.records("prompt")[0]["agent_id"] == "tinker"
    assert "press.toml" in told
    assert not told.startswith("{")
    checks = {each["name"]: each for each in report["checks"]}
    assert [name for name, each in checks.items() if each["ok"] is False] == []
    assert checks["registration"]["detail"] == f"7 events in `{machine.settings}`"
    assert "run.opened and step.broken and turn.asked" in checks["canary recalled"]["detail"]
    assert f"took the hooks out of `{machine.settings}`" in gone
    assert not machine.settings.exists()
    assert not (machine.home / ".local" / "share" / "hooklore").exists()


def test_two_agents_share_one_memory_and_doctor_checks_both(machine: Machine) -> None:
    machine.hooks("install")
    machine.hooks("install", "--agent", "tinker")
    folder, error = str(machine.project), "PressError: it refuses to start without torque"
    for step in (
        Step("failure", "r1", folder, command="make press", error=error, tool_use_id="1"),
        Step("after_tool", "r1", folder, command="make press", output="ok", tool_use_id="2"),
    ):
        machine.step(step)

    report = json.loads(machine.hooks("doctor", "--json"))
    one = machine.hooks("uninstall", "--agent", "tinker")
    left = json.loads(machine.hooks("doctor", "--json"))

    checks = {each["name"]: each for each in report["checks"]}
    assert [name for name, each in checks.items() if each["ok"] is False] == []
    assert checks["registration"]["detail"].startswith("14 events")
    assert checks["Tinker: registration"]["detail"].startswith("7 events")
    assert checks["Tinker: canary recalled"]["ok"]
    assert f"took the hooks out of `{machine.settings}`" in one
    assert not [each for each in left["checks"] if each["name"].startswith("Tinker")]
    assert [each["name"] for each in left["checks"] if each["ok"] is False] == []


def test_a_command_that_it_runs_speaks_as_this_agent_and_decides_nothing(machine: Machine) -> None:
    kept = machine.memory("remember", "the press takes 47 newton metres", TINKER_RUN="r1")
    (memory,) = machine.records("fact")
    decided = machine.memory("forget", memory["id"], TINKER_RUN="r1")
    machine.memory("remember", "the press is painted green")

    assert kept.returncode == 0, kept.stderr
    assert [each["agent_id"] for each in machine.records("fact")] == ["tinker", "program"]
    assert (memory["session_id"], decided.returncode) == ("r1", 1), decided.stderr
    assert machine.records("tombstone") == []


def test_an_agent_that_nobody_describes_is_an_error_with_a_hint(machine: Machine) -> None:
    done = subprocess.run(
        [str(machine.python), "-c", "import sys; from hooklore.cli.main import hooks_main; sys.exit(hooks_main())",
         "install", "--agent", "nobody"],
        env={"HOME": str(machine.home), "PATH": "/usr/bin:/bin"}, cwd=machine.project,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert done.returncode == 1
    assert done.stderr.startswith("error: could not find the agent `nobody`")
    assert "hint: name one of: " in done.stderr
