"""A rule of order is told at the step that breaks it, and nowhere else."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import RecallSettings, Settings, store_location_at
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from tests.e2e.test_who_speaks import World

FMT = "Always run `make fmt` before you commit."


class Session:
    """A session of an agent in a world: its prompts, its edits and its commands."""

    def __init__(self, world: World, name: str, branch: str = "main") -> None:
        self.world, self.name = world, name
        (world.project / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n")

    def hook(self, event: str, **fields: object) -> str:
        payload = {
            "session_id": self.name, "cwd": str(self.world.project), "hook_event_name": event,
            "permission_mode": "default",
        } | fields  # fmt: skip
        clock = lambda: int(self.world.now * 1e9)
        facts = {"CLAUDE_CODE_ENTRYPOINT": "cli"}
        delivery = Delivery(
            "claude", event, os.urandom(8).hex(), json.dumps(payload).encode(), facts
        )
        answer = Runner(self.world.broker, str(self.world.home), clock).run(delivery).stdout
        return str(json.loads(answer).get("hookSpecificOutput", {})) if answer else ""

    def says(self, prompt: str) -> str:
        return self.hook("UserPromptSubmit", prompt=prompt)

    def ran(self, command: str, output: str = "ok") -> None:
        response = {"stdout": output, "stderr": "", "interrupted": False}
        self.hook(
            "PostToolUse", tool_name="Bash", tool_use_id=os.urandom(4).hex(),
            tool_input={"command": command}, tool_response=response,
        )  # fmt: skip

    def failed(self, command: str) -> None:
        self.hook(
            "PostToolUseFailure", tool_name="Bash", tool_use_id=os.urandom(4).hex(),
            tool_input={"command": command}, error="Exit code 1\nE501 line too long",
        )  # fmt: skip

    def edited(self, path: str = "src/labels.py", tool: str = "Edit") -> None:
        change = {"file_path": str(self.world.project / path), "old_string": "a", "new_string": "b"}
        self.hook(
            "PostToolUse", tool_name=tool, tool_use_id=os.urandom(4).hex(), tool_input=change,
            tool_response={"filePath": change["file_path"], "structuredPatch": []},
        )  # fmt: skip

    def before(self, command: str) -> str:
        return self.hook(
            "PreToolUse", tool_name="Bash", tool_use_id=os.urandom(4).hex(), tool_input={"command": command}
        )  # fmt: skip

    def before_edit(self, path: str) -> str:
        change = {"file_path": str(self.world.project / path), "old_string": "a", "new_string": "b"}
        return self.hook(
            "PreToolUse", tool_name="Edit", tool_use_id=os.urandom(4).hex(), tool_input=change
        )

    def does(self, step: dict[str, Any]) -> None:
        """Let a step of a fixture have been done."""
        if "prompt" in step:
            self.says(step["prompt"])
        elif "command" not in step:
            self.edited(step["file"], step["tool"])
        elif step.get("ok", True):
            self.ran(step["command"], step.get("output", "ok"))
        else:
            self.failed(step["command"])

    def begins(self, step: dict[str, Any]) -> str:
        """What is told before a step of a fixture."""
        return self.before(step["command"]) if "command" in step else self.before_edit(step["file"])


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def session_with(world: World, rule: str, branch: str = "main") -> Session:
    """Return a session that begins when the user said a rule in another one."""
    Session(world, "the first").says(rule)
    return Session(world, "the second", branch)


def test_a_rule_of_order_is_told_at_a_commit_without_what_it_wants(world: World) -> None:
    session = session_with(world, FMT)
    session.edited()

    assert "make fmt" in session.before("git commit -m 'Add margins'")


@pytest.mark.parametrize(
    "done",
    [
        "make fmt",
        "cd app && make fmt",
        "docker compose exec app make fmt",
        "bash -c 'cd app && make fmt'",
        "make -C app fmt",
        "make fmt lint",
    ],
)
def test_a_rule_of_order_that_was_obeyed_is_not_told(world: World, done: str) -> None:
    session = session_with(world, FMT)
    session.edited()
    session.ran(done)

    assert session.before("git commit -m 'Add margins'") == ""


def test_a_rule_of_order_that_the_command_obeys_itself_is_not_told(world: World) -> None:
    session = session_with(world, FMT)

    assert session.before("make fmt && git add -A && git commit -m 'Add margins'") == ""
    assert "make fmt" in session.before("git commit -m 'Add margins' && make fmt")


def test_an_edit_makes_a_check_due_again_and_nothing_is_told_thrice(world: World) -> None:
    session = session_with(world, FMT)
    told = []
    for _ in range(4):
        session.edited()
        told.append("make fmt" in session.before("git commit -am x"))
        told.append("make fmt" in session.before("git commit -am x"))

    assert told == [True, False, True, False, False, False, False, False]


def test_a_check_that_was_obeyed_is_told_after_the_next_edit(world: World) -> None:
    session = session_with(world, FMT)
    session.edited()
    session.ran("make fmt")
    assert session.before("git commit -am x") == ""
    session.edited()

    assert "make fmt" in session.before("git commit -am y")


def test_a_check_that_failed_was_not_run(world: World) -> None:
    session = session_with(world, "Never push without running the tests.")
    session.failed("pytest -q")

    assert "running the tests" in session.before("git push")


def test_a_pull_is_enough_once_a_session(world: World) -> None:
    session = session_with(world, "Always pull before you push.")
    session.ran("git pull --rebase")
    session.edited()

    assert session.before("git push") == ""


@pytest.mark.parametrize(
    ("rule", "step"),
    [
        ("Always ask me before you deploy.", "make deploy"),
        ("デプロイする前に必ず私に聞いてください。", "npm run deploy"),
    ],
)
def test_what_no_step_can_show_is_told_once_a_session(world: World, rule: str, step: str) -> None:
    session = session_with(world, rule)
    told = [session.before(step) != "" for _ in range(3)]

    assert told == [True, False, False]


@pytest.mark.parametrize(
    "step",
    [
        "git commit --dry-run",
        "git commit-graph write",
        "git log --grep commit",
        "echo commit",
        "grep -rn commit src",
        "git status",
        "make test",
    ],
)
def test_a_rule_of_order_is_not_told_at_another_step(world: World, step: str) -> None:
    session = session_with(world, FMT)
    session.edited()

    assert session.before(step) == ""
    assert session.before_edit("src/commit.py") == ""


@pytest.mark.parametrize(
    ("rule", "step"),
    [
        ("コミット前に必ず lint を通してください。", "cd app && git add . && git commit -m x"),
        ("必ずテストを通してからプッシュしてください。", "git -C app push origin main"),
        ("Always run the tests before opening a PR.", "gh pr create --fill"),
        ("Always back up the database before running migrations.", "python manage.py migrate"),
        ("Never force-push before asking me.", "git push --force-with-lease origin main"),
        ("Always run `terraform plan` before `terraform apply`.", "terraform apply -auto-approve"),
    ],
)
def test_orders_of_other_words_are_told_at_their_step(world: World, rule: str, step: str) -> None:
    assert session_with(world, rule).before(step) != ""


def test_a_change_of_the_named_files_is_told_at_the_commit(world: World) -> None:
    session = session_with(world, "Always regenerate the client after you change a schema.")
    session.edited("src/labels.py")
    assert session.before("git commit -am x") == ""
    session.edited("db/schema.sql")
    assert "regenerate" in session.before("git commit -am y")

    other = Session(world, "the third")
    other.edited("db/schema.sql")
    other.ran("make generate")
    assert other.before("git commit -am z") == ""


def test_a_rule_for_another_branch_is_not_told(world: World) -> None:
    rule = "Always run the full test suite before you push to main."

    assert session_with(world, rule, "feature/margins").before("git push") == ""
    assert "test suite" in Session(world, "the third").before("git push")


def test_a_broken_order_refuses_a_step_once_where_the_user_wants_it(world: World) -> None:
    place = store_location_at(world.home / ".config" / "ai" / "memory")
    world.broker = Broker(place, settings=Settings(recall=RecallSettings(guard=True)))
    session = session_with(world, FMT)
    session.edited()

    assert "deny" in session.before("git commit -am x")
    assert session.before("git commit -am x") == ""
