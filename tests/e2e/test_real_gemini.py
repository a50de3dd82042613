"""The real Gemini CLI and the real Claude Code on one memory: what one learnt, the other is told."""

import json
import secrets
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.claude import api as claude_api
from tests.claude.session import Claude, hook_text
from tests.conftest import end_residents, wait_until
from tests.gemini.api import say, shell, use
from tests.gemini.session import SETTINGS, Gemini, Session
from tests.support.desk import keep_high_stake
from tests.support.installed import SCRIPTS, Machine, install
from tests.support.scenario import COMMAND, FIX, Story, widgets
from tests.support.untried import needs_mcp

pytestmark = [pytest.mark.client, pytest.mark.timeout(300)]

RULE = "The press takes whale oil alone"
NOTE = "The oil tank of the press is in room 4 and holds 12 litres."


@dataclass(frozen=True)
class Pair:
    """One user's machine with both clients and hooklore registered with both."""

    machine: Machine
    gemini: Gemini
    story: Story

    def gemini_records(self, kind: str) -> list[dict[str, object]]:
        """The records of a kind that Gemini's hooks left."""
        found = [r for r in self.machine.records() if r["agent_id"] == "gemini"]
        return [r for r in found if r["kind"] == kind]

    def body(self, kind: str) -> str:
        """The bodies of those records."""
        return json.dumps([r["body"] for r in self.gemini_records(kind)])


@pytest.fixture
def pair(claude_binary: Path, gemini_program: Path, tmp_path: Path) -> Pair:
    return installed(claude_binary, gemini_program, tmp_path, server=False)


@pytest.fixture
def served(claude_binary: Path, gemini_program: Path, tmp_path: Path) -> Pair:
    """A machine on which both clients start our server, too."""
    return installed(claude_binary, gemini_program, tmp_path, server=True)


def installed(claude_binary: Path, gemini_program: Path, tmp_path: Path, *, server: bool) -> Pair:
    story, home = widgets(tmp_path / "widgets"), tmp_path / "home"
    gemini = Gemini(gemini_program, home, story.project)
    gemini.furnish()
    machine = install(Claude(claude_binary, home, story.project), server=server)
    machine.claude.furnish()
    (home / "bin" / "hooklore").symlink_to(SCRIPTS / "hooklore")
    machine.run("hooks", "install", "--agent", "gemini", *(() if server else ("--no-server",)))
    return Pair(machine, gemini, story)


def solves(pair: Pair) -> Session:
    """Gemini meets the failure of the story and repairs it."""
    settings = str(pair.story.project / "widgets.toml")
    force = "force_kn = 12"
    return pair.gemini.run(
        "Make the widget tests pass.",
        (
            shell(COMMAND),
            use("replace", file_path=settings, old_string=force, new_string=f"{force}\n{FIX}",
                instruction="give the press its limit"),
            shell(COMMAND),
            say("The press needed its torque limit."),
        ),
    )  # fmt: skip


@pytest.mark.req("MA-03")
def test_what_claude_code_solved_reaches_geminis_next_request_with_attribution(
    pair: Pair,
) -> None:
    pair.story.first.play(pair.machine.claude)
    pair.machine.wait_for("fix")
    pair.machine.run("hooklore", "remember", "--kind", "constraint", RULE)
    pair.story.unsolve()

    session = pair.gemini.run("Run the widget tests.", (shell(COMMAND), say("done")))

    first, second = session.turns[:2]
    assert session.rc == 0, session.stderr
    assert RULE in first.text()
    assert "said by the user" in first.text()
    assert FIX in second.text(fresh=True)
    assert "hook_context" in second.text(fresh=True)


@pytest.mark.req("MA-03")
def test_a_failure_that_gemini_solved_is_told_to_claude_codes_next_session(pair: Pair) -> None:
    session = solves(pair)
    pair.machine.wait_for("fix")
    pair.story.unsolve()

    later = pair.machine.claude.run(
        "run the tests", (claude_api.bash(COMMAND), claude_api.say("done"))
    )

    assert session.rc == 0, session.stderr
    assert FIX in hook_text(later.turns()[1], "PostToolUseFailure", fresh=True)
    (failure,) = pair.gemini_records("error")
    assert failure["body"]["exit_status"] == 1  # type: ignore[index]
    assert "torque limit" in pair.body("answer")


def test_a_session_of_gemini_is_recorded_under_its_name_without_our_own_text(pair: Pair) -> None:
    pair.machine.run("hooklore", "remember", "--kind", "constraint", RULE)

    pair.gemini.run("Look at @run_tests.py please.", (shell("echo it is oiled"), say("All done.")))

    pair.machine.wait_for("session_end")
    (prompt,) = pair.gemini_records("prompt")
    assert prompt["body"]["text"] == "Look at @run_tests.py please."  # type: ignore[index]
    assert "it is oiled" in pair.body("tool_result")
    assert "untrusted_context" not in pair.body("tool_result")
    assert "All done." in pair.body("answer")
    assert pair.gemini_records("compaction") == []
    observed = [r for r in pair.machine.records() if r["stream"] == "observation"]
    assert {r["agent_id"] for r in observed} == {"gemini"}
    assert "hooklore-notes" not in json.dumps(observed)


def test_a_resumed_session_has_every_note_in_its_context_once(pair: Pair) -> None:
    pair.machine.run("hooklore", "remember", "--kind", "constraint", RULE)
    first = pair.gemini.run("Hello.", (say("Hello."),))

    again = pair.gemini.run("And again.", (say("Yes."),), args=("--resume", "latest"))

    assert (first.rc, again.rc) == (0, 0), again.stderr
    assert first.turns[0].text().count(RULE) == 1
    assert again.turns[0].text().count(RULE) == 1
    assert len({r["session_id"] for r in pair.gemini_records("prompt")}) == 1


@pytest.mark.parametrize("is_strict", [False, True])
def test_an_unreadable_store_is_said_once_and_in_strict_mode_stops_the_turn(
    pair: Pair, is_strict: bool
) -> None:
    end_residents(pair.gemini.home)
    pair.machine.place.log.unlink(missing_ok=True)
    pair.machine.place.log.mkdir(parents=True)
    pair.machine.place.config.write_text(f"strict = {str(is_strict).lower()}\n")

    session = pair.gemini.run("Which oil?", (say("sunflower"),))

    assert session.rc == 0, session.stderr
    assert bool(session.turns) is not is_strict
    if session.turns:
        assert session.turns[0].text().count("shared memory unreadable") == 1


def test_the_key_in_a_hooks_environment_is_nowhere_in_the_store(pair: Pair) -> None:
    key = secrets.token_urlsafe(30)
    gemini = Gemini(
        pair.gemini.program, pair.gemini.home, pair.gemini.project, {"GEMINI_API_KEY": key}
    )

    session = gemini.run("Show the key.", (shell("env"), say("done")))

    pair.machine.wait_for("session_end")
    end_residents(gemini.home)
    assert key in session.turns[1].text(fresh=True), "the command printed it"
    kept = [p for p in pair.machine.place.directory.rglob("*") if p.is_file()]
    assert kept
    assert not [p for p in kept if key.encode() in p.read_bytes()]


@needs_mcp
@pytest.mark.req("MA-03")
def test_gemini_keeps_and_opens_a_memory_by_mcp_under_its_own_name(served: Pair) -> None:
    session = served.gemini.run(
        "Keep a note for later.",
        (
            use("mcp_hooklore_remember", content=NOTE, title="oil tank", kind="todo"),
            use("mcp_hooklore_get", names=["oil tank"]),
            say("kept"),
        ),
    )
    later = served.machine.claude.run("hello", (claude_api.say("done"),))

    assert "stored " in session.turns[1].text(fresh=True)
    assert NOTE in session.turns[2].text(fresh=True)
    (memory,) = [r for r in served.machine.records() if r["stream"] == "memory"]
    assert memory["agent_id"] == "gemini"
    assert NOTE in hook_text(later.turns()[0], "SessionStart")


def test_a_command_of_ours_that_gemini_runs_acts_as_gemini_and_decides_nothing(
    pair: Pair,
) -> None:
    pair.machine.run("hooklore", "remember", "--kind", "constraint", RULE)
    session = pair.gemini.run(
        "Keep a note, and look something up.",
        (
            shell(f"hooklore remember --kind decision '{NOTE}'"),
            shell("hooklore recall 'which oil does the press take?'"),
            shell("hooklore approve all"),
            say("done"),
        ),
    )

    assert session.rc == 0, session.stderr
    (kept,) = [r for r in pair.gemini_records("decision") if r["stream"] == "memory"]
    assert (kept["agent_id"], kept["basis"]) == ("gemini", "agent")
    assert RULE in session.turns[2].text(fresh=True)
    assert "only the user decides this" in session.turns[3].text(fresh=True)


def test_without_hooks_a_command_of_ours_decides_nothing_and_names_the_terminal(
    pair: Pair,
) -> None:
    id_ = keep_high_stake(pair.machine.run)
    pair.machine.run("hooks", "uninstall", "--agent", "gemini")

    session = pair.gemini.run("Approve it.", (shell(f"hooklore approve {id_}"), say("no")))

    told = session.turns[1].text(fresh=True)
    assert "only a person decides it, and this was run by gemini" in told
    assert "hint: the user runs it in a terminal of their own" in told
    assert id_ in pair.machine.run("hooklore", "pending")


def test_doctor_passes_and_an_uninstall_leaves_the_settings_as_they_were(served: Pair) -> None:
    solves(served)
    report = json.loads(served.machine.run("hooks", "doctor", "--json"))

    printed = served.machine.run("hooks", "uninstall")

    checks = {each["name"]: each for each in report["checks"]}
    assert [name for name, each in checks.items() if each["ok"] is False] == []
    assert checks["Gemini CLI: registration"]["detail"].startswith("7 events")
    assert "AfterTool" in checks["Gemini CLI: canary recalled"]["detail"]
    assert str(served.gemini.settings) in printed
    assert served.gemini.settings.read_text() == SETTINGS
    wait_until(lambda: not served.machine.resident_pids(), "the end of the resident")
