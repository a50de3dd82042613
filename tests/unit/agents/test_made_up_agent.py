"""An agent of another kind is a module and one line of the registry: `tests/support/made_up_agent.py`."""

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hooklore.agents import registry
from hooklore.agents.event import Edit, HookEvent
from hooklore.agents.registration import Places
from hooklore.agents.registry import UnknownAgent, agent_of, find_agent, get_agent
from hooklore.agents.rehearsal import Step
from hooklore.broker import Broker
from hooklore.cli.install import install, settings_path, uninstall
from hooklore.cli.install.edit import is_registered
from hooklore.cli.install.launcher import launcher_directory, read_places
from hooklore.config import Settings, store_location_at
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.parse import parse_event
from hooklore.hooks.runner import Runner
from tests.support import made_up_agent
from tests.support.agent import repository

THEIRS = (
    '# mine\ntheme: dark\nhooks:\n  - on: turn.asked\n    run: ["/bin/true"]\n    limit_ms: 10\n'
)


@pytest.fixture(autouse=True)
def tinker(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry line."""
    monkeypatch.setitem(registry.MODULES, "tinker", "tests.support.made_up_agent")


def event_of(step: Step) -> HookEvent:
    name, payload = made_up_agent.AGENT.rehearsal().payload(step)
    return parse_event("tinker", name, "d1", {}, json.dumps(payload).encode())


def test_an_agent_is_known_by_its_line_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_agent("tinker")
    monkeypatch.delitem(registry.MODULES, "tinker")

    assert found is made_up_agent.AGENT
    assert find_agent("tinker") is None
    assert agent_of("tinker").events == {}
    with pytest.raises(UnknownAgent, match="tinker"):
        get_agent("tinker")


def test_a_patch_text_names_its_files_and_its_lines(tmp_path: Path) -> None:
    patch = (
        "*** Begin Patch\n*** Update File: src/a.py\n-old = 1\n+new = 1\n+more = 2\n"
        "*** Add File: b.txt\n+text\n*** End Patch\n"
    )
    payload = {
        "kind": "step.done",
        "run": {"runId": "r1", "dir": "/p"},
        "step": {
            "ref": "1",
            "name": "apply_patch",
            "with": {"patch": patch},
            "gave": {"text": "ok"},
        },
    }

    event = parse_event("tinker", "step.done", "d1", {}, json.dumps(payload).encode())

    assert (event.event, event.session_id, event.cwd) == ("after_tool", "r1", "/p")
    assert (event.tool_class, event.paths) == ("edit", ("/p/src/a.py", "/p/b.txt"))
    assert event.call.edits == (
        Edit("/p/src/a.py", "old = 1", "new = 1\nmore = 2"),
        Edit("/p/b.txt", "", "text"),
    )


class Desk:
    """One agent at work with a broker of its own."""

    def __init__(self, home: Path) -> None:
        self.project = repository(home / "widgets")
        self.place = store_location_at(home / "store")
        self.broker = Broker(self.place, Settings(), wait=5.0)
        self.runner = Runner(self.broker, str(home), lambda: 1_790_000_000 * 10**9)
        self.numbers = itertools.count(1)

    def step(self, step: Step) -> str:
        """What a step's hook prints."""
        number = next(self.numbers)
        given = replace(step, folder=str(self.project), tool_use_id=f"t{number}")
        name, payload = made_up_agent.AGENT.rehearsal().payload(given)
        delivery = Delivery("tinker", name, f"d{number}", json.dumps(payload).encode())
        return self.runner.run(delivery).stdout.decode()

    def records(self, kind: str) -> list[dict[str, Any]]:
        found = [json.loads(line) for line in self.place.log.read_bytes().splitlines()]
        return [each for each in found if each["kind"] == kind]


def test_a_failure_is_recorded_and_its_fix_recalled_as_plain_text(home: Path) -> None:
    desk = Desk(home)
    error = "PressError: the press refuses to start without torque"
    desk.step(Step("failure", "r1", command="make press", error=error))
    desk.step(Step("after_tool", "r1", edit=Edit("press.toml", "torque = 0", "torque = 47")))
    desk.step(Step("after_tool", "r1", command="make press", output="pressed"))

    told = desk.step(Step("failure", "r2", command="make press", error=error))

    failure, result = desk.records("error")[0], desk.records("tool_result")[0]
    assert (failure["agent_id"], failure["body"]["command"]) == ("tinker", "make press")
    assert result["body"]["artifacts"] == ["press.toml"]
    assert result["body"]["detail"]["lines"] == {"added": 1, "removed": 1}
    assert desk.records("fix")[0]["agent_id"] == "tinker"
    assert "press.toml" in told
    assert not told.startswith("{")


def test_a_step_that_its_client_calls_refused_is_no_failure(home: Path) -> None:
    desk = Desk(home)
    for run in ("r1", "r2", "r3"):
        told = desk.step(Step("failure", run, command="make press", error="VETO: not today"))

    bodies = [each["body"] for each in desk.records("error")]
    assert [(b["stopped_by"], b["outcome"]) for b in bodies] == [("refused", "partial")] * 3
    assert told == ""


@pytest.mark.parametrize("before", [None, "theme: dark\n", THEIRS, THEIRS.removesuffix("\n"), ""])
def test_install_then_uninstall_leaves_the_yaml_as_it_was(home: Path, before: str | None) -> None:
    path = settings_path("user", home=home, project_dir=home, agent="tinker")
    if before is not None:
        path.parent.mkdir()
        path.write_text(before)

    install("user", home=home, project_dir=home, agent="tinker")
    between = path.read_text()
    install("user", home=home, project_dir=home, agent="tinker")
    again = path.read_text()
    uninstall(home=home, project_dir=home)

    registration = made_up_agent.AGENT.registration()
    wanted = registration.entries(home=home)
    assert is_registered(registration.format, between, wanted)
    assert again == between
    assert "limit_ms: 5000" in between
    assert (path.read_text() if path.exists() else None) == before
    assert not launcher_directory(home).exists()


def test_after_an_edit_of_theirs_only_our_entries_go(home: Path) -> None:
    path = settings_path("user", home=home, project_dir=home, agent="tinker")
    path.parent.mkdir()
    path.write_text(THEIRS)
    install("user", home=home, project_dir=home, agent="tinker")
    path.write_text(path.read_text() + "colour: blue\n")

    uninstall(home=home, project_dir=home, agent="tinker")

    assert path.read_text() == THEIRS + "colour: blue\n"


def test_the_launcher_knows_the_agents_that_are_registered(home: Path) -> None:
    client = launcher_directory(home) / "client.py"
    install("user", home=home, project_dir=home, agent="tinker")
    alone = client.read_text()
    install("user", home=home, project_dir=home)
    both = client.read_text()
    entries = sorted(p.name for p in (client.parent / "hooks" / "tinker").iterdir())
    uninstall(home=home, project_dir=home, agent="tinker")

    default = registry.default_agent()
    assert default.marks.project_dir not in alone
    assert "'run.closed': 1.2" in alone
    assert "TINKER_PROJECT" in both
    assert default.marks.project_dir in both
    assert len(entries) == len(made_up_agent.EVENTS)
    assert "TINKER_PROJECT" not in client.read_text()
    assert not (client.parent / "hooks" / "tinker").exists()
    assert read_places(home) == ["user"]


def test_another_agents_registration_lets_a_plugin_work(home: Path) -> None:
    install("user", home=home, project_dir=home, agent="tinker")

    assert read_places(home) == []


def test_a_project_of_its_own_is_a_scope(home: Path, tmp_path: Path) -> None:
    project = tmp_path / "p"
    project.mkdir()

    install("project", home=home, project_dir=project, agent="tinker")
    made = made_up_agent.AGENT.registration().settings_path("project", Places(home, project))
    assert made.is_file()
    uninstall("project", home=home, project_dir=project, agent="tinker")

    assert not made.exists()
