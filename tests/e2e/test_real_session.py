"""The main job, in the real Claude Code: one session learns, the next is told."""

import json
import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.claude.api import ApiError, Turn, bash, say, use
from tests.claude.session import Claude, Session, hook_text, shown, spoken
from tests.conftest import wait_until
from tests.support.installed import Machine, install
from tests.support.launcher import stopped
from tests.support.scenario import ANSWER, FIX, SUBAGENT, Story, widgets
from tests.support.store_files import below

pytestmark = pytest.mark.client

OPENING = "<hooklore-notes>"
UNREADABLE = "shared memory unreadable"
RULE = "Never oil the lathe on a Monday"


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return widgets(tmp_path / "widgets")


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path, story: Story) -> Machine:
    return install(Claude(claude_binary, tmp_path / "home", story.project))


@pytest.fixture
def whole(claude_binary: Path, tmp_path: Path, story: Story) -> Machine:
    """A machine with all that the installer registers."""
    return install(Claude(claude_binary, tmp_path / "home", story.project), server=True)


def remember_rule(machine: Machine) -> None:
    """Keep a rule that every brief from now on tells."""
    machine.run("hooklore", "remember", "--kind", "constraint", RULE)


def ask(
    machine: Machine, *turns: Turn, prompt: str = "hello", args: tuple[str, ...] = ()
) -> Session:
    return machine.claude.run(prompt, turns or (say("done"),), args=args)


@pytest.mark.req("HK-05", "HK-06", "HK-07", "RF-07", "HK-13", "RF-05")
def test_what_one_session_solved_is_told_to_the_next_to_its_subagent_and_at_the_same_failure(
    whole: Machine, story: Story
) -> None:
    machine = whole
    first = story.first.play(machine.claude)
    story.unsolve()
    remember_rule(machine)
    machine.wait_for("session_end")

    second = story.second.play(machine.claude)

    assert first.rc == second.rc == 0
    assert OPENING not in shown(first.turns()[0])
    end = next(r for r in machine.records() if r["kind"] == "session_end")
    assert f'"answer": ["{ANSWER}' in json.dumps(end["body"])
    opening = hook_text(second.turns()[0], "SessionStart")
    assert opening.count(RULE) == 1
    assert opening.count(OPENING) == 1
    assert "said by the user" in opening
    at_failure = hook_text(second.turns()[1], "PostToolUseFailure", fresh=True)
    assert at_failure.count(FIX) == 1
    brief = hook_text(second.turns(SUBAGENT)[0], "SubagentStart")
    assert brief.count(RULE) == 1
    assert spoken(second.turns()[0])[0].startswith("user:")


@pytest.mark.req("HK-18")
def test_every_event_of_a_session_is_in_the_log_once(machine: Machine, story: Story) -> None:
    session = story.first.play(machine.claude)

    machine.wait_for("session_end")

    assert machine.kinds().index("access") < machine.kinds().index("tool_intent")
    kinds = [k for k in machine.kinds() if k not in ("project_alias", "access")]
    assert kinds == [
        *("session_start", "prompt", "tool_intent", "error"),
        *("tool_intent", "tool_result", "tool_intent", "tool_result"),
        *("fix", "answer", "session_end"),
    ]
    assert {r["session_id"] for r in machine.records() if r.get("session_id")} == {
        session.session_id
    }
    assert len(machine.resident_pids()) == 1


def test_a_failure_seen_for_the_first_time_recalls_nothing(machine: Machine, story: Story) -> None:
    session = story.first.play(machine.claude)

    assert hook_text(session.turns()[1], "PostToolUseFailure") == ""


@pytest.mark.req("HK-05", "HK-29")
def test_a_resumed_session_is_not_told_again_what_stands_in_its_history(
    machine: Machine, story: Story
) -> None:
    story.first.play(machine.claude)
    remember_rule(machine)
    second = ask(machine)

    resumed = ask(machine, prompt="go on", args=("--resume", second.session_id))

    assert RULE in hook_text(second.turns()[0], "SessionStart")
    assert shown(resumed.turns()[-1]).count(RULE) == 1
    starts = [r for r in machine.records() if r["kind"] == "session_start"]
    assert [json.dumps(r["body"]).count('"resume"') for r in starts] == [0, 0, 1]


@pytest.mark.req("HK-27")
def test_after_a_compaction_the_brief_stands_there_again_with_what_was_saved_before(
    machine: Machine, story: Story
) -> None:
    story.first.play(machine.claude)
    remember_rule(machine)
    answer = "hi\n\nDecision: keep the torque\n\nNext steps:\n- Oil the press\n"

    session = machine.claude.run(
        ["hello", "/compact", "go on"], [say(answer), say("yes"), say("done")]
    )

    opening = hook_text(session.turns()[-1], "SessionStart")
    assert opening.count(RULE) == 1
    assert "next actions: Oil the press. decisions: keep the torque" in opening
    machine.wait_for("session_end", 2)
    assert machine.kinds().count("compaction") == 2
    assert machine.kinds().count("subagent_stop") == 0


def test_a_cleared_session_is_a_new_one_with_a_brief_of_its_own(
    machine: Machine, story: Story
) -> None:
    story.first.play(machine.claude)
    remember_rule(machine)

    session = machine.claude.run(["hello", "/clear", "go on"], [say("hi"), say("yes"), say("done")])

    assert len(session.session_ids) >= 2
    assert hook_text(session.turns()[-1], "SessionStart").count(RULE) == 1
    machine.wait_for("session_end", 3)


def test_with_the_broker_killed_again_and_again_the_session_goes_on_and_everything_is_kept(
    machine: Machine, story: Story
) -> None:
    def kill() -> None:
        for pid in machine.resident_pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    turns = [bash(f"echo step {n}") for n in range(6)]
    killed = [Turn(t.text, t.tool_use, t.usage, t.error, kill) for t in turns]
    session = ask(machine, *killed, say("done"))

    machine.wait_for("session_end")
    assert session.results == ("done",)
    assert machine.kinds().count("tool_result") == 6
    assert machine.kinds().count("tool_intent") == 6


def quiet(claude: Claude, story: Story) -> Session:
    """The same session on a machine that never had hooklore."""
    bare = Claude(claude.binary, claude.home.parent / "bare", claude.project)
    session = story.first.play(bare)
    story.unsolve()
    return session


def conversations(session: Session) -> list[tuple[str, ...]]:
    return [spoken(request) for request in session.turns()]


def test_with_the_launcher_folder_deleted_the_session_is_as_without_hooks(
    machine: Machine, story: Story
) -> None:
    without = quiet(machine.claude, story)
    shutil.rmtree(machine.claude.home / ".local" / "share" / "hooklore")

    session = story.first.play(machine.claude)

    assert conversations(session) == conversations(without)
    assert UNREADABLE not in shown(session.turns()[-1])
    assert {run["exit_code"] for run in session.hook_runs} == {0}


def test_with_the_environment_gone_the_session_says_so_and_goes_on(
    machine: Machine, story: Story
) -> None:
    without = quiet(machine.claude, story)
    link = machine.claude.home / ".local" / "share" / "hooklore" / "python"
    link.unlink()
    link.symlink_to("/nonexistent/python")

    session = story.first.play(machine.claude)

    assert conversations(session) == conversations(without)
    assert UNREADABLE in hook_text(session.turns()[0], "SessionStart")


@pytest.mark.req("RF-13", "RF-14")
def test_an_unreadable_store_is_said_once_in_the_request_and_the_session_goes_on(
    machine: Machine, story: Story
) -> None:
    without = quiet(machine.claude, story)
    machine.place.directory.mkdir(parents=True)
    machine.place.log.mkdir()

    session = story.first.play(machine.claude)

    assert conversations(session) == conversations(without)
    told = hook_text(session.turns()[-1], "SessionStart")
    assert UNREADABLE in told
    assert "check gateway, permission, endpoint" in told
    assert shown(session.turns()[-1]).count(UNREADABLE) == 1


@pytest.mark.req("RF-13")
def test_in_strict_mode_an_unreadable_store_stops_the_turn_and_no_hook_fails(
    machine: Machine, story: Story
) -> None:
    machine.place.directory.mkdir(parents=True)
    machine.place.log.mkdir()
    machine.place.config.write_text("strict = true\n")

    session = ask(machine)

    assert session.turns() == ()
    assert {run["exit_code"] for run in session.hook_runs} == {0}


def test_a_stopped_broker_costs_the_session_its_memory_and_nothing_else(
    machine: Machine, story: Story
) -> None:
    without = quiet(machine.claude, story)
    machine.run("hooks", "run", "Notification", stdin="{}")
    ask(machine)
    for pid in machine.resident_pids():
        stopped(pid)

    session = story.first.play(machine.claude)

    assert conversations(session) == conversations(without)
    wait_until(lambda: machine.kinds().count("session_end") >= 2, "the second session's end")
    kinds = machine.kinds()
    assert kinds.count("prompt") == 2
    assert kinds.count("tool_result") == 2
    assert kinds.count("error") == 1


@pytest.mark.req("HK-30")
def test_a_session_that_a_hook_started_records_and_recalls_nothing(
    machine: Machine, story: Story
) -> None:
    own = Claude(
        machine.claude.binary, machine.claude.home, machine.claude.project, {"HOOKLORE_DEPTH": "1"}
    )

    session = story.first.play(own)

    assert session.rc == 0
    assert machine.records() == []


def test_a_plugin_and_the_settings_together_record_everything_once(
    machine: Machine, story: Story
) -> None:
    plugin = Path(__file__).parents[2]

    session = story.first.play(machine.claude, args=("--plugin-dir", str(plugin)))

    machine.wait_for("session_end")
    assert session.rc == 0
    kinds = machine.kinds()
    assert [kinds.count(k) for k in ("session_start", "prompt", "error", "answer")] == [1, 1, 1, 1]


def test_the_plugin_alone_does_the_main_job(machine: Machine, story: Story) -> None:
    machine.run("hooks", "uninstall", "--user")
    machine.run("hooks", "install", "--plugin")
    plugin = ("--plugin-dir", str(Path(__file__).parents[2]))

    story.first.play(machine.claude, args=plugin)
    story.unsolve()
    remember_rule(machine)
    second = story.second.play(machine.claude, args=plugin)

    assert hook_text(second.turns()[0], "SessionStart").count(RULE) == 1
    assert hook_text(second.turns()[1], "PostToolUseFailure", fresh=True).count(FIX) == 1


def test_an_api_error_is_recorded_as_the_answer_that_did_not_come(
    machine: Machine, story: Story
) -> None:
    # As the last thing in a session it would not do: the client that leaves ends this hook some 20 ms
    # after its start.
    refused = Turn(error=ApiError(400, "scripted failure"))
    goes_on = Turn("fine", meanwhile=lambda: machine.wait_for("error"))

    machine.claude.run(["hello", "again"], [refused, goes_on])

    machine.wait_for("session_end")
    assert machine.kinds().count("error") == 1
    assert machine.kinds().count("answer") == 1


def test_tasks_are_recorded(machine: Machine, story: Story) -> None:
    ask(machine, use("TaskCreate", subject="Oil the press", description="with fish oil"), say("ok"))

    machine.wait_for("session_end")
    assert any(
        "Oil the press" in json.dumps(r["body"]) for r in machine.records() if r["kind"] == "task"
    )


def test_nothing_of_the_environment_is_in_the_store(machine: Machine, story: Story) -> None:
    secret = "marker-of-environment"
    claude = Claude(
        machine.claude.binary, machine.claude.home, machine.claude.project, {"MY_TOKEN": secret}
    )

    story.first.play(claude)

    machine.wait_for("session_end")
    assert below(machine.place.directory, secret) == []


def test_a_japanese_session_is_told_in_japanese(machine: Machine, story: Story) -> None:
    ask(
        machine,
        bash("false"),
        bash("true"),
        say("トルク上限を直しました。\n\n次のステップ:\n- 設定ファイルのトルク上限を確認する\n"),
        prompt="テストを直して",
    )

    session = ask(machine, prompt="続きをやって")

    assert "設定ファイルのトルク上限を確認する" in hook_text(session.turns()[0], "SessionStart")
