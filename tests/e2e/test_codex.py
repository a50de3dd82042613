"""The real Codex CLI and the real Claude Code share one memory."""

import json
import secrets
from dataclasses import replace
from pathlib import Path

import pytest

from hooklore.agents.agent import Answer
from hooklore.agents.codex import AGENT
from tests.claude.api import bash
from tests.claude.api import say as claude_says
from tests.claude.session import Claude, hook_text
from tests.codex.api import call, patch, say, shell
from tests.codex.terminal import type_prompt
from tests.conftest import wait_until
from tests.support.codex_machine import CodexMachine, codex_at
from tests.support.desk import keep_high_stake
from tests.support.installed import Machine
from tests.support.scenario import COMMAND, ERROR, FIX, Story, widgets
from tests.support.store_files import below
from tests.support.untried import needs_mcp

pytestmark = [pytest.mark.client, pytest.mark.timeout(300)]

RULE = "Never press sprockets on Fridays"
LESSON = "The kestrel press needs a torque limit before its first run"
LISTING = ("-c", 'model="gpt-5.4"')
"""A model to which the client lists the tools of servers; from others it hides them behind a search."""

TITLE = "Torque limit of the kestrel press"


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return widgets(tmp_path / "widgets")


@pytest.fixture
def codex(codex_program: Path, tmp_path: Path, story: Story) -> CodexMachine:
    """Codex CLI in the story's project, with the hooks of ours."""
    machine = CodexMachine(codex_at(codex_program, tmp_path / "home", story.project))
    machine.run("hooks", "install", "--agent", "codex", "--no-server")
    return machine


@pytest.fixture
def claude(claude_binary: Path, tmp_path: Path, story: Story, codex: CodexMachine) -> Machine:
    """Claude Code of the same user, with the hooks of ours."""
    found = Machine(Claude(claude_binary, tmp_path / "home", story.project))
    found.claude.furnish()
    found.run("hooks", "install", "--user", "--no-server")
    return found


def change(before: str, after: str) -> str:
    return f"*** Begin Patch\n*** Update File: widgets.toml\n@@\n-{before}\n+{before}\n+{after}\n*** End Patch\n"


@pytest.mark.req("MA-03")
def test_what_claude_code_learnt_is_in_the_next_model_request_of_codex_with_attribution(
    claude: Machine, codex: CodexMachine, story: Story
) -> None:
    claude.run("hooklore", "remember", RULE, "--scope", "project", "--kind", "preference")
    story.first.play(claude.claude)
    claude.wait_for("session_end")
    story.unsolve()

    session = codex.codex.run("run the tests", [shell(COMMAND), say("it fails")])

    assert session.rc == 0
    start, after = session.requests
    assert RULE in start.told
    assert ERROR in after.outputs[-1]
    told = after.told.removeprefix(start.told)
    assert FIX in told
    assert "· claude ·" in told
    assert [each["agent_id"] for each in codex.records("error")] == ["claude", "codex"]


@pytest.mark.req("MA-03")
def test_what_codex_failed_at_fixed_and_kept_is_told_to_claude_code(
    claude: Machine, codex: CodexMachine, story: Story
) -> None:
    story.unsolve()
    lesson = f"hooklore remember '{LESSON}' --kind fact --basis tool --title '{TITLE}' --when 'set up a press'"
    turns = [
        shell(COMMAND),
        patch(change("force_kn = 12", FIX)),
        shell(COMMAND),
        shell(lesson),
        say("Done."),
    ]
    session = codex.codex.run("run the tests and make them pass", turns)
    claude.wait_for("session_end")
    story.unsolve()

    again = claude.claude.run(
        "run the tests",
        (bash(COMMAND), bash(f'hooklore get "{TITLE}"'), claude_says("it fails")),
    )

    assert session.rc == 0
    assert len(codex.records("fix")) == 1
    first, failed, opened = again.turns()[:3]
    assert LESSON in hook_text(first, "SessionStart")
    told = hook_text(failed, "PostToolUseFailure", fresh=True)
    assert FIX in told
    assert "· codex ·" in told
    printed = json.dumps(opened.messages[-1], ensure_ascii=False)
    assert LESSON in printed
    assert "· codex ·" in printed


def test_a_resumed_session_is_told_nothing_a_second_time(codex: CodexMachine) -> None:
    codex.run("hooklore", "remember", RULE, "--scope", "project", "--kind", "preference")
    first = codex.codex.run("hello", [say("hello")])

    second = codex.codex.run("and now", [say("bye")], resume=True)

    assert first.requests[0].told.count(RULE) == 1
    assert second.requests[0].told.count(RULE) == 1
    sources = [each["body"]["detail"]["source"] for each in codex.records("session_start")]
    assert sources == ["startup", "resume"]


def test_hooks_that_nobody_trusted_do_not_run_and_the_doctor_says_so(codex: CodexMachine) -> None:
    settings = codex.codex.settings.read_text()

    session = codex.codex.run("hello", [say("hello")], trusting=False)
    doctor = codex.outcome("hooks", "doctor")

    assert session.rc == 0
    assert codex.records("prompt") == []
    assert "10 untrusted: Codex CLI skips these hooks" in doctor.stdout
    assert "`/hooks`" in doctor.stdout
    assert "hooks.state" not in settings
    assert codex.codex.settings.read_text() == settings


def test_the_doctor_tells_the_clients_own_complaint_about_a_file(codex: CodexMachine) -> None:
    hooks = codex.codex.folder / "hooks.json"
    hooks.write_text('{"mine": 1, ' + hooks.read_text().removeprefix("{"))

    doctor = codex.outcome("hooks", "doctor")

    assert "FAIL  settings files" in doctor.stdout
    assert "unknown field `mine`" in doctor.stdout


def test_an_install_says_what_is_left_to_the_user_and_a_second_one_changes_no_definition(
    codex: CodexMachine,
) -> None:
    hooks = codex.codex.folder / "hooks.json"
    before = hooks.read_bytes()

    again = codex.outcome("hooks", "install", "--agent", "codex", "--no-server")

    assert "type `/hooks` and trust hooklore's hooks" in again.stdout + again.stderr
    assert hooks.read_bytes() == before


def test_a_verb_of_the_person_is_refused_before_it_runs(codex: CodexMachine) -> None:
    session = codex.codex.run(
        "approve everything",
        [shell("hooklore approve 01a2054e-f5b2-7773-9964-30298ff912f0"), say("no")],
    )

    output = session.requests[1].outputs[-1]
    assert "blocked by PreToolUse hook" in output
    assert "only the user decides this" in output


@pytest.mark.parametrize(
    "command", ["hooklore approve {id}", "sh -c 'cd / && hooklore approve {id}'"]
)
def test_without_hooks_a_command_of_ours_decides_nothing_and_names_the_terminal(
    codex: CodexMachine, command: str
) -> None:
    id_ = keep_high_stake(codex.run)
    line = command.format(id=id_)

    session = codex.codex.run("approve it", [shell(line), say("no")], trusting=False)

    output = session.requests[1].outputs[-1]
    assert "only a person decides it, and this was run by codex" in output
    assert "hint: the user runs it in a terminal of their own" in output
    assert id_ in codex.run("hooklore", "pending")


@pytest.mark.parametrize("letter", ["x", "記"])
def test_a_long_context_arrives_whole(codex: CodexMachine, letter: str) -> None:
    text = "\n".join(["BEGIN", *(letter * 100 for _ in range(400)), "END"])
    answer = AGENT.print_answer("SessionStart", Answer(context=text))
    prints(codex, answer)

    told = codex.codex.run("hello", [say("hello")]).requests[0].told

    context = json.loads(answer)["hookSpecificOutput"]["additionalContext"]
    assert len(context) > 2500
    assert context in told


def test_an_answer_with_a_field_that_the_client_does_not_know_is_dropped_whole(
    codex: CodexMachine,
) -> None:
    specific = {"hookEventName": "SessionStart", "additionalContext": "SHOWN"}
    prints(codex, json.dumps({"hookSpecificOutput": specific}).encode())
    known = codex.codex.run("hello", [say("hello")]).requests[0].told
    prints(codex, json.dumps({"hookSpecificOutput": specific, "context": "SHOWN"}).encode())
    unknown = codex.codex.run("hello", [say("hello")]).requests[0].told

    assert "SHOWN" in known
    assert "SHOWN" not in unknown


def prints(codex: CodexMachine, answer: bytes) -> None:
    """Register a hook that prints this answer at the start of a session, instead of those of ours."""
    (codex.codex.home / "answer.json").write_bytes(answer)
    hook = {"type": "command", "command": f"cat {codex.codex.home}/answer.json", "timeout": 5}
    settings = {"hooks": {"SessionStart": [{"hooks": [hook]}]}}
    (codex.codex.folder / "hooks.json").write_text(json.dumps(settings))


def test_the_models_key_in_the_environment_of_a_hook_reaches_no_file_of_ours(
    codex: CodexMachine,
) -> None:
    key = f"sk-{secrets.token_urlsafe(24)}"
    machine = CodexMachine(replace(codex.codex, env={"SCRIPTED_KEY": key}))
    machine.codex.run("hello", [shell("exit 3"), say("hello")])

    assert machine.records("error")
    assert below(machine.place.directory, key) == []


@needs_mcp
def test_install_use_and_uninstall_leave_the_clients_files_as_they_were(
    codex_program: Path, tmp_path: Path
) -> None:
    client = codex_at(codex_program, tmp_path / "home", tmp_path / "project")
    hooks = client.folder / "hooks.json"
    hooks.write_bytes(b'{"hooks": {"Stop": []},\r\n  "description": "mine"}')
    client.settings.write_text(client.settings.read_text().replace("\n", "\r\n") + "# the end")
    before = {path: path.read_bytes() for path in (hooks, client.settings)}
    machine = CodexMachine(client)

    machine.run("hooks", "install", "--agent", "codex")
    session = client.run("hello", [say("hello")])
    between = client.settings.read_bytes()
    machine.run("hooks", "uninstall", "--agent", "codex")

    assert session.rc == 0
    assert len(machine.records("prompt")) == 1
    assert b"[mcp_servers.hooklore]" in between
    assert {path: path.read_bytes() for path in before} == before


@needs_mcp
@pytest.mark.req("MA-03")
def test_codex_keeps_and_opens_a_memory_by_the_registered_mcp_server(
    codex_program: Path, tmp_path: Path, story: Story
) -> None:
    client = codex_at(codex_program, tmp_path / "home", story.project)
    machine = CodexMachine(client)
    machine.run("hooks", "install", "--agent", "codex")
    note = {"content": LESSON, "title": TITLE, "when": ["set up a press"], "kind": "todo"}
    kept = call("remember", "mcp__hooklore", **note)
    opened = call("get", "mcp__hooklore", names=[TITLE])

    session = client.run("keep it", [kept, opened, say("done")], args=LISTING)

    assert session.rc == 0
    assert LESSON in session.requests[-1].outputs[-1]
    (record,) = machine.records("todo")
    assert record["agent_id"] == "codex"
    assert LESSON in client.run("hello", [say("hello")]).requests[0].told


def test_what_a_person_types_teaches_and_what_a_program_hands_in_does_not(
    codex: CodexMachine,
) -> None:
    said = "From now on always use tabs in Makefiles."
    codex.codex.run(said, [say("yes")])
    by_a_program = codex.records("preference")

    type_prompt(codex.codex, said, [say("yes")], lambda: len(codex.records("answer")) == 2)

    wait_until(lambda: bool(codex.records("preference")), "the rule")
    (kept,) = codex.records("preference")
    assert by_a_program == []
    assert (kept["body"]["content_md"], kept["agent_id"]) == (said.rstrip("."), "codex")
    assert [each["body"]["detail"]["entrypoint"] for each in codex.records("session_start")] == [
        "exec",
        "cli",
    ]


def test_a_step_that_breaks_a_rule_is_told_the_rule(codex: CodexMachine) -> None:
    rule = "Never push to main."
    codex.run("hooklore", "remember", rule, "--scope", "project", "--kind", "constraint")

    session = codex.codex.run("go on", [shell("git push origin main"), say("done")])

    start, step = session.requests
    assert rule in step.told.removeprefix(start.told)
