"""Links from a failure to what made it pass, played through the hooks."""

import json
import shutil
from typing import Any

import pytest

from hooklore.log.line import encode_line
from hooklore.records.draft import Principal
from hooklore.records.record import Record
from hooklore.retrieval.explain import explain_recall
from hooklore.retrieval.query import RecallQuery
from hooklore.text.token_estimate import estimate_tokens
from tests.support.agent import Agent

TOTAL = "FAILED tests/test_cart.py::test_total - TypeError: unsupported operand for +: 'int', 'str'"


def last_fix(agent: Agent) -> dict[str, Any]:
    """Return the body of the newest link."""
    return dict(agent.records("fix")[-1]["body"])


def told_next(agent: Agent, command: str, error: str, session: str = "next") -> str:
    """Return the note that a new session is shown at a failure, "" without one."""
    agent.starts(session)
    told = agent.fails(command, error)
    return next((line for line in told.splitlines() if line.startswith("- ")), "")


def sentence(note: str) -> str:
    """Return the text of a note without its origin."""
    return note.removeprefix("- ").rpartition(" [")[0]


# ---- what is told


def test_an_edit_of_the_named_file_is_told_in_one_sentence_with_error_file_and_change(
    agent: Agent,
) -> None:
    agent.fails("pytest -q", TOTAL)
    agent.edits("src/cart.py", "total = int(total)")
    agent.passes("pytest -q", "12 passed")

    note = told_next(agent, "pytest -q", TOTAL)

    text = sentence(note)
    assert text.startswith("`pytest -q` failed in test_total")
    assert "what made it pass was the edit of src/cart.py (`total = int(total)`)" in text
    assert text.endswith(".")
    assert text.count(". ") == 0
    assert ".." not in text
    assert estimate_tokens(note) <= 80


def test_what_was_tried_in_vain_is_told_with_the_fix(agent: Agent) -> None:
    agent.fails("pytest -q", TOTAL)
    agent.edits("tests/test_cart.py", "total = 1")
    agent.fails("pytest -q", TOTAL)
    agent.edits("src/cart.py", "total = int(total)")
    agent.passes("pytest -q", "12 passed")

    note = told_next(agent, "pytest -q", TOTAL)

    assert "the edit of src/cart.py" in note
    assert "the edit of tests/test_cart.py had not helped" in note


def test_a_fix_may_have_two_steps_with_two_tools(agent: Agent) -> None:
    error = "ModuleNotFoundError: No module named 'ruamel'"
    agent.fails("pytest -q", error)
    agent.edits("pyproject.toml", 'dependencies = ["ruamel"]')
    agent.passes("uv sync")
    agent.passes("pytest -q", "3 passed")

    note = told_next(agent, "pytest -q", error)

    assert "the edit of pyproject.toml" in note
    assert "and `uv sync`" in note


def test_a_step_that_touches_nothing_of_the_failure_is_no_fix(agent: Agent) -> None:
    agent.fails("pytest -q", TOTAL)
    agent.edits("docs/history.md", "A chapter about mills")
    agent.passes("npm run compile-icons")
    agent.passes("pytest -q", "12 passed")

    assert last_fix(agent)["evidence"] == "none"
    assert told_next(agent, "pytest -q", TOTAL) == ""


def test_a_flake_that_passes_by_itself_has_no_fix(agent: Agent) -> None:
    agent.fails("pytest -q", TOTAL)
    agent.passes("pytest -q", "12 passed")

    assert (last_fix(agent)["evidence"], last_fix(agent)["fix_kind"]) == ("none", "rerun")
    assert told_next(agent, "pytest -q", TOTAL) == ""


def test_a_run_that_still_shows_the_error_has_not_ended_it(agent: Agent) -> None:
    error = "error: cannot read mill.toml: unknown key torque"
    agent.fails("make report", error)
    agent.edits("mill.toml", "torque = 47")
    agent.passes("make report", f"{error}\nreport written")

    assert last_fix(agent)["evidence"] == "none"


def test_each_error_of_a_command_has_its_own_fix(agent: Agent) -> None:
    agent.fails("make lint", "src/press.py:3:1: F401 unused name 'mill'")
    agent.edits("src/press.py", "import torque")
    agent.fails("make lint", "src/boiler.py:9:1: E711 comparison to None")
    agent.edits("src/boiler.py", "if steam is None:")
    agent.passes("make lint")

    first, second = (fix["body"] for fix in agent.records("fix"))

    assert "boiler.py (" in first["text"]
    assert "press.py (" in second["text"]


# ---- equivalent runs


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        ("pytest tests/test_cart.py", "pytest"),
        ("pytest", "pytest tests/test_cart.py"),
        ("npm run lint", "npm run lint:fix"),
        ("go build ./cmd/press", "go build ./cmd/press && go test ./..."),
    ],
)
def test_another_check_of_the_same_thing_ends_a_failure(
    agent: Agent, failed: str, passed: str
) -> None:
    error = "FAILED tests/test_cart.py::test_total - AssertionError: cart.py is empty"
    agent.fails(failed, error)
    agent.edits("src/cart.py", "total = int(total)")
    agent.passes(passed, "1 passed")

    assert last_fix(agent)["evidence"] == "touched"


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        ("pytest", "pytest tests/test_other.py"),
        ("go test ./...", "npm test"),
        ("cargo build --bin press", "cargo build --bin mill"),
        ("git push origin one", "git push origin two"),
    ],
)
def test_a_run_of_something_else_ends_no_failure(agent: Agent, failed: str, passed: str) -> None:
    agent.fails(failed, "FAILED tests/test_cart.py::test_total - AssertionError: it is empty")
    agent.edits("src/cart.py", "total = int(total)")
    agent.passes(passed, "1 passed")

    assert agent.records("fix") == []


@pytest.mark.parametrize(
    ("failed", "passed", "error"),
    [
        ("git push", "git pull --rebase && git push", "error: failed to push some refs"),
        ("make press", "TORQUE_LIMIT=47 make press", "error: TORQUE_LIMIT is not set"),
        ("mill run --json ore", "mill run ore --json", 'error: invalid target "--json"'),
        ("mill sort ore", "cd sub && mill sort ore", "error: no rules in this folder"),
    ],
)
def test_a_repaired_command_is_told_as_what_passed_instead(
    agent: Agent, failed: str, passed: str, error: str
) -> None:
    agent.fails(failed, error)
    agent.passes(passed)

    assert last_fix(agent)["evidence"] == "repaired"
    assert "what passed instead was" in told_next(agent, failed, error)


@pytest.mark.parametrize(
    ("failed", "passed", "error"),
    [
        ("python press.py --ore 4", "python3 press.py --ore 4", "bash: python: command not found"),
        ("python3 press.py", "uv run python3 press.py", "No module named 'torque'"),
        ("tsc -p .", "npx tsc -p .", "sh: 1: tsc: not found"),
        ("gradle build", "./gradlew build", "zsh: command not found: gradle"),
        ("docker-compose up -d", "docker compose up -d", "docker-compose: command not found"),
        ("composer install", "php composer.phar install", "sh: composer: command not found"),
        ("npm run build", "npm --prefix mill run build", "Could not read package.json: ENOENT"),
        ("make press", "make -C mill press", "No rule to make target 'press'"),
        ("pytest -q", "sudo ldconfig && pytest -q", "ImportError: libmill.so.1: cannot open"),
    ],
)
def test_another_runner_a_folder_and_a_step_before_are_told(
    agent: Agent, failed: str, passed: str, error: str
) -> None:
    agent.fails(failed, error)
    agent.passes(passed)

    assert f"what passed instead was `{passed}`" in told_next(agent, failed, error)


@pytest.mark.parametrize(
    ("failed", "passed", "error"),
    [
        ("eslint src", "prettier src", "src/press.ts: 3:1 error no-console"),
        ("make press", "sleep 5 && make press", "error: the press is stuck"),
        ("make press && git branch", "cat ore && git branch", "error: the press is stuck"),
        ("STAGE=prod make press", "STAGE=staging make press", "error: the press is stuck"),
    ],
)
def test_another_program_a_pause_and_another_place_are_not_told(
    agent: Agent, failed: str, passed: str, error: str
) -> None:
    agent.fails(failed, error)
    agent.passes(passed)

    assert passed not in told_next(agent, failed, error)


@pytest.mark.parametrize(
    ("failed", "passed", "is_open"),
    [
        ("make press", "sleep 5 && make press", False),
        ("pytest -k press", "pytest", False),
        ("pytest tests/press.py", "pytest", False),
        ("cargo test --features ore", "cargo test", True),
        ("pytest", "pytest -k ore", True),
    ],
)
def test_a_run_that_contains_the_failed_one_leaves_nothing_open_and_is_no_fix(
    agent: Agent, failed: str, passed: str, is_open: bool
) -> None:
    error = "error: the press is stuck"
    agent.fails(failed, error)
    agent.passes(passed)
    agent.hook("SessionEnd", reason="other")

    unresolved = agent.records("session_end")[0]["body"]["sections"]["unresolved"]

    assert bool(unresolved) == is_open
    assert "passed instead" not in told_next(agent, failed, error)


def test_a_run_that_contains_the_failed_one_ends_it_though_something_was_skipped_before(
    agent: Agent,
) -> None:
    agent.fails("make press", "error: press.cache in press.py is damaged")
    agent.passes("rm -rf press.cache")
    agent.edits("press.py", "cache = None")
    agent.passes("make mill && make press")

    assert (last_fix(agent)["evidence"], len(last_fix(agent)["evasive"])) == ("touched", 1)


def test_of_a_long_repaired_command_the_changed_arguments_are_told(agent: Agent) -> None:
    body = "A text that is long enough to hide what comes behind it " * 2
    error = "could not add label: 'docs' not found"
    agent.fails(f"gh pr create --title one --body '{body}' --label docs", error)
    agent.passes(f"gh pr create --title one --body '{body}'")

    note = told_next(agent, f"gh pr create --title two --body '{body}' --label docs", error)

    assert "what passed instead was the same without `--label docs`" in note


def test_a_cd_to_the_folder_that_the_agent_is_in_repairs_nothing(agent: Agent) -> None:
    agent.fails("make press", "error: the press is stuck")
    agent.passes(f"cd {agent.project} && make press")

    assert last_fix(agent)["evidence"] == "none"


# ---- what is told to nobody


EVASIVE = [
    ("git commit -m one", "git commit -m one --no-verify", "error: hook lint failed in press.py"),
    ("git switch mill", "git branch -D mill && git switch mill", "fatal: branch 'mill' is odd"),
    ("make press", "rm -rf press.cache && make press", "error: press.cache is damaged"),
    ("make press", "make press || true", "error: press.cache is damaged"),
    ("git pull", "git stash && git pull", "error: local changes in press.py would be lost"),
    ("git push", "git push --force", "error: failed to push some refs"),
    ("helm install web ./chart", "helm install web ./chart --disable-openapi-validation",
     "Error: unable to build kubernetes objects: error validating data"),
    ("dvc push", "dvc push --no-lock", "ERROR: Unable to acquire lock"),
    ("gradle build", "gradle build -x lint", "error: Execution failed for task ':lint'"),
    ("alembic upgrade head", "alembic upgrade head --sql", "ERROR: no such table: press"),
]  # fmt: skip


@pytest.mark.parametrize(("failed", "passed", "error"), EVASIVE)
def test_a_run_that_undoes_or_skips_something_is_never_shown(
    agent: Agent, failed: str, passed: str, error: str
) -> None:
    agent.fails(failed, error)
    agent.passes(passed)
    agent.hook("SessionEnd", reason="other")

    shown = [told_next(agent, failed, error, "s2"), agent.starts("s3"), agent.asks(error)]

    assert passed not in json.dumps(
        [*shown, *(fix["body"]["text"] for fix in agent.records("fix"))]
    )
    assert passed not in agent.records("session_end")[0]["body"].get("lessons", "")


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ("rm -rf press.cache", "error: press.cache is damaged"),
        ("git checkout -- press.py", "SyntaxError: press.py, line 3"),
        ("git reset --hard press.py", "SyntaxError: press.py, line 3"),
    ],
)
def test_a_step_that_undoes_is_kept_as_evasive_and_not_told(
    agent: Agent, step: str, error: str
) -> None:
    agent.fails("make press", error)
    agent.passes(step)
    agent.passes("make press")

    fix = last_fix(agent)

    assert fix["evidence"] == "none"
    assert [r["body"]["command"] for r in agent.records() if r["id"] in fix["evasive"]] == [step]
    assert step not in told_next(agent, "make press", error)


@pytest.mark.parametrize("change", ["@pytest.mark.skip", "@pytest.mark.xfail", "x = 1  # noqa"])
def test_a_mark_that_skips_a_check_is_no_fix(agent: Agent, change: str) -> None:
    agent.fails("pytest -q", TOTAL)
    agent.edits("tests/test_cart.py", change)
    agent.passes("pytest -q", "11 passed, 1 skipped")

    assert last_fix(agent)["evidence"] == "none"
    assert change not in told_next(agent, "pytest -q", TOTAL)


def test_why_names_the_step_that_no_model_is_shown(agent: Agent) -> None:
    agent.fails("make press", "error: press.cache is damaged")
    agent.passes("rm -rf press.cache")
    agent.passes("make press")
    query = RecallQuery(
        "failure", "s9", command="make press", key="make press",
        signatures=("error: press.cache is damaged",), text="error: press.cache is damaged",
    )  # fmt: skip

    person = Principal(person=True, project=agent.records()[0]["project"])

    found = explain_recall(agent.broker, query, person, to_person=True)

    (fix,) = (c.record for c in found.candidates if c.record.kind == "fix")
    assert len(fix.body.evasive) == 1
    assert "rm -rf" not in found.shown.text


# ---- a fix that did not hold


def test_a_change_after_which_the_same_failure_came_again_loses_its_place(agent: Agent) -> None:
    agent.fails("pytest -q", TOTAL)
    agent.edits("src/cart.py", "total = int(total)")
    agent.passes("pytest -q", "12 passed")
    agent.fails("pytest -q", TOTAL)

    assert told_next(agent, "pytest -q", TOTAL) == ""


def test_an_older_fix_that_held_is_told_in_the_place_of_a_newer_one_that_did_not(
    agent: Agent,
) -> None:
    agent.fails("pytest -q", TOTAL)
    agent.edits("src/cart.py", "total = int(total)")
    agent.passes("pytest -q", "12 passed")
    agent.edits("src/cart.py", "total = price")
    agent.starts("s2")
    agent.fails("pytest -q", TOTAL)
    agent.edits("tests/test_cart.py", "total = 3")
    agent.passes("pytest -q", "12 passed")
    agent.fails("pytest -q", TOTAL)

    assert "total = int(total)" in told_next(agent, "pytest -q", TOTAL)


def test_of_two_sessions_that_mend_one_failure_the_newest_fix_that_held_is_told(
    agent: Agent,
) -> None:
    other = Agent(agent.place, agent.project, agent.home)
    other.starts("other")
    agent.fails("pytest -q", TOTAL)
    other.fails("pytest -q", TOTAL)
    agent.edits("src/cart.py", "total = int(total)")
    other.edits("src/cart.py", "total = sum(prices)")
    agent.passes("pytest -q", "12 passed")
    other.fails("pytest -q", TOTAL)
    other.edits("src/cart.py", "total = sum(prices)")
    other.passes("pytest -q", "12 passed")
    other.broker.close()

    assert "total = sum(prices)" in told_next(agent, "pytest -q", TOTAL)


# ---- odd input


def test_paths_of_windows_are_compared_and_told(agent: Agent) -> None:
    error = r"C:\work\press\src\cart.py(12): error C2065: 'torque': undeclared identifier"
    agent.fails("msbuild press.sln", error)
    agent.edits("src/cart.py", "torque = 47")
    agent.passes("msbuild press.sln")

    note = told_next(agent, "msbuild press.sln", error)

    assert "the edit of src/cart.py (`torque = 47`)" in note
    assert r"C:\work" not in note


def test_a_failure_without_any_line_is_ended_without_an_error(agent: Agent) -> None:
    agent.fails("make press", "")
    agent.passes("make press")

    assert last_fix(agent)["evidence"] == "none"


# ---- logs of older versions


def as_older_version_wrote_it(agent: Agent) -> Agent:
    """Write the log without the fields that tell why a step counts, and return an agent that reads it."""
    lines = []
    for fields in agent.records():
        if fields["kind"] == "fix":
            body = fields["body"]
            for name in ("evidence", "in_vain", "evasive"):
                del body[name]
            steps = [r["body"] for r in agent.records() if r["id"] in body["sources"][1:-1]]
            done = "; then ".join(f"ran `{step.get('command')}`" for step in steps)
            body["text"] = f"`{body['command']}` failed. What made it pass: {done}"
            body["steps"] = len(steps)
        del fields["hash"]
        lines.append(encode_line(Record(fields)))
    agent.broker.close()
    agent.place.log.write_bytes(b"".join(lines))
    shutil.rmtree(agent.place.directory / "index", ignore_errors=True)
    return Agent(agent.place, agent.project, agent.home)


def test_a_fix_of_an_older_version_is_told_where_its_sources_show_that_it_is_one(
    agent: Agent,
) -> None:
    error = "error: Cannot find module '@mill/core'"
    agent.fails("make press", error)
    agent.passes("bun run build --filter=@mill/core")
    agent.passes("make press")
    today = as_older_version_wrote_it(agent)

    note = told_next(today, "make press", error)
    today.broker.close()

    assert "what made it pass was `bun run build --filter=@mill/core`" in note


def test_a_fix_of_an_older_version_by_an_unrelated_step_is_not_told(agent: Agent) -> None:
    error = "error: Cannot find module '@mill/core'"
    agent.fails("make press", error)
    agent.edits("docs/history.md", "A chapter about mills")
    agent.passes("make press")
    today = as_older_version_wrote_it(agent)

    note = told_next(today, "make press", error)
    said = today.asks("What happened when make press failed with Cannot find module @mill/core?")
    today.broker.close()

    assert note == ""
    assert "What made it pass" not in said
