"""A step that breaks a standing rule is answered with the rule, one that obeys it is not."""

import itertools
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import RecallSettings, Settings, StoreLocation
from tests.support.agent import Agent, repository

_numbers = itertools.count(1)


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


def about_to_edit(agent: Agent, path: str, old: str, new: str) -> str:
    return agent.told(
        "PreToolUse", tool_name="Edit", tool_use_id=f"edit-{next(_numbers)}",
        tool_input={"file_path": str(agent.project / path), "old_string": old, "new_string": new},
    )  # fmt: skip


BROKEN = [
    ("Use pnpm in this repository, never npm.", "npm install left-pad", "pnpm install left-pad"),
    ("npm ではなく pnpm を使ってください", "cd web && npm ci", "pnpm ci"),
    ("Don't use pip, use uv.", "sudo pip install rich", "uv pip install rich"),
    ("Never push to main.", "git push origin main", "git push origin feature"),
    ("main には直接 push しない", "git push origin main", "git push origin topic/one"),
    ("Never run `git commit --no-verify`.", "git commit -m x --no-verify", "git commit -m x"),
    ("git commit は使わない。jj を使う", "git commit -m x", "jj commit -m x"),
    ("`--force` は禁止", "git push --force", "git push"),
]


@pytest.mark.parametrize(("rule", "broken", "obeyed"), BROKEN)
def test_a_command_that_breaks_a_rule_is_told_it_though_the_brief_has_it(
    agent: Agent, rule: str, broken: str, obeyed: str
) -> None:
    agent.remembers(rule)
    assert rule in agent.starts("s1")

    assert rule not in agent.about_to(obeyed)
    assert rule in agent.about_to(broken)
    assert rule not in agent.about_to(f"{broken} --verbose")


@pytest.mark.parametrize(("rule", "broken", "obeyed"), BROKEN)
def test_a_command_that_obeys_a_rule_is_told_nothing_of_it(
    agent: Agent, rule: str, broken: str, obeyed: str
) -> None:
    del broken
    agent.session = "s1"
    agent.remembers(rule)

    assert rule not in agent.about_to(obeyed)


HONEST = [
    ("Never use git add . ; name each file", "git add .", "git add src/press.py"),
    ("Don't use npm install, use npm ci", "npm install", "npm run build"),
    ("Use python -m pytest, not pytest", "pytest -q", "python -m pytest -q"),
    ("Run pytest by uv run, never bare pytest", "pytest", "uv run pytest"),
    ("Use jest, not mocha, and run jest with npm test", "mocha", "npm test"),
    ("Never run terraform apply without my word", "terraform apply", "terraform plan"),
    ("Never commit directly to main", "git commit main", "git commit -m 'fix the main menu'"),
    ("npmは使わないでください。pnpmを使うこと", "npm install", "pnpm install"),
    ("mainブランチに直接pushしない", "git push origin main", "git push origin topic"),
]


CONDITIONS = [
    ("When you write a migration, never use sed.", "sed -i x db/migrations/1.sql", "sed -n 1p a"),
    ("API を変更するときは lodash を使わないで", "npx lodash src/api", "npx lodash docs"),
    ("Whenever you deploy widgets, never use --force", "make deploy --force", "git push --force"),
    ("If you edit a Terraform file, never run sops", "cd terraform && sops x", "sops x"),
]  # fmt: skip
"""Rules with a condition, a step where it holds, and one where it does not."""


@pytest.mark.parametrize(("rule", "broken", "honest"), [*HONEST, *CONDITIONS])
def test_a_rule_is_told_at_the_command_that_it_means_and_at_no_other(
    agent: Agent, rule: str, broken: str, honest: str
) -> None:
    agent.remembers(rule)
    assert rule in agent.starts("s1")

    assert rule not in agent.about_to(honest)
    assert rule in agent.about_to(broken)


@pytest.mark.parametrize(
    "rule",
    ["Don't use moment, use date-fns", "moment is deprecated", "moment は使わない"],
)
def test_an_edit_that_brings_in_what_a_rule_forbids_is_told_the_rule(
    agent: Agent, rule: str
) -> None:
    agent.remembers(rule)
    agent.starts("s1")

    kept = about_to_edit(agent, "a.ts", 'import "moment"; one()', 'import "moment"; two()')
    other = about_to_edit(agent, "b.ts", "", 'import { format } from "date-fns"')
    added = about_to_edit(agent, "c.ts", "", 'import moment from "moment"')

    assert rule not in kept
    assert rule not in other
    assert rule in added


def test_an_edit_of_a_place_that_is_not_to_be_touched_is_told_the_rule(agent: Agent) -> None:
    agent.remembers("Never touch the legacy folder")
    agent.starts("s1")

    assert "legacy" not in about_to_edit(agent, "src/new/press.py", "a", "b")
    assert "Never touch" in about_to_edit(agent, "src/legacy/press.py", "a", "b")


def test_a_rule_about_a_version_is_not_told_at_every_call_of_the_program(agent: Agent) -> None:
    agent.remembers("Use node 20, not node 18")
    agent.starts("s1")

    assert "not node 18" not in agent.about_to("node server.js")


PLACES = [
    ("Do not edit dist/, edit src/ instead", "dist/press.js", "src/press.js"),
    ("Never touch one.yaml or two.yaml", "two.yaml", "three.yaml"),
    ("dist/は手で編集しない", "dist/press.js", "src/press.js"),
]


@pytest.mark.parametrize(("rule", "broken", "honest"), PLACES)
def test_a_rule_names_its_places_and_no_other(
    agent: Agent, rule: str, broken: str, honest: str
) -> None:
    agent.remembers(rule)
    assert rule in agent.starts("s1")

    assert rule not in about_to_edit(agent, honest, "a", "b")
    assert rule in about_to_edit(agent, broken, "a", "b")


@pytest.mark.parametrize(
    "rule",
    ["Don't write tests in src/", "Never delete files in src/", "Never use `any` in TypeScript"],
)
def test_a_rule_about_something_else_is_not_told_at_an_edit(agent: Agent, rule: str) -> None:
    agent.remembers(rule)
    assert rule in agent.starts("s1")

    assert rule not in about_to_edit(agent, "src/press.ts", "a", "// TypeScript of the press")


def test_a_rule_about_a_time_is_told_at_its_step_whatever_day_it_is(agent: Agent) -> None:
    agent.session = "s1"
    agent.remembers("Never deploy widgets on a Friday")

    assert "on a Friday" in agent.about_to("make deploy widgets # on this Friday")


def test_what_an_agent_guessed_is_no_rule(agent: Agent) -> None:
    agent.remembers("Never use npm", basis="inferred", approves=None)
    agent.starts("s1")

    assert "npm" not in agent.about_to("npm install")


def test_the_guard_refuses_a_step_that_breaks_a_rule_once_a_session(
    store: StoreLocation, tmp_path: Path, home: Path
) -> None:
    settings = Settings(recall=RecallSettings(guard=True))
    agent = Agent(store, repository(tmp_path / "widgets"), home, settings)
    agent.remembers("Use pnpm, never npm")
    agent.starts("s1")
    call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "npm install"}}

    first = agent.hook("PreToolUse", tool_use_id="one", **call)
    second = agent.hook("PreToolUse", tool_use_id="two", **call)
    agent.broker.close()

    refused = first["hookSpecificOutput"]
    assert refused["permissionDecision"] == "deny"
    assert "Use pnpm, never npm" in refused["permissionDecisionReason"]
    assert "deny" not in json.dumps(second)


@pytest.mark.parametrize(
    ("rule", "path", "other"),
    [
        ("When you touch the API, always regenerate schema.graphql", "src/api/users.ts", "schema.graphql"),
        ("API を変更するときは必ず schema.graphql も更新して", "src/api/users.ts", "schema.graphql"),
    ],
)  # fmt: skip
def test_a_rule_that_no_brief_has_told_comes_up_where_its_condition_holds(
    agent: Agent, rule: str, path: str, other: str
) -> None:
    agent.session = "s1"
    agent.remembers(rule)

    assert rule not in about_to_edit(agent, other, "type A", "type B")
    assert rule in about_to_edit(agent, path, "one", "schema.graphql")


@pytest.mark.parametrize(
    "rule",
    [
        "If CI fails, never use --no-verify",
        "Never use --no-verify before you run the tests",
        "When you are unsure, never use --no-verify",
        "急いでいるときも `--no-verify` は使わない",
    ],
)
def test_a_rule_whose_condition_no_step_shows_is_told_at_every_step_that_breaks_it(
    agent: Agent, rule: str
) -> None:
    agent.remembers(rule)
    agent.starts("s1")

    assert rule in agent.about_to("git commit -m x --no-verify")


def test_many_rules_of_order_about_one_step_are_told_a_few_at_a_time_and_in_time(
    agent: Agent,
) -> None:
    for number in range(150):
        agent.remembers(f"Always run `make part{number}` before you commit.")
    agent.session = "s2"
    agent.about_to("ls")
    begun = time.process_time()
    told = [agent.about_to("git commit -m x").count("Always run") for _ in range(2)]

    assert told == [5, 5]
    assert time.process_time() - begun < 1


SURE = [
    ("No inline imports in Python code", "a.py", "def f():\n    import csv\n", "import csv\n"),
    ("Do not use console.log", "a.ts", "console.log(1)", "// console.log(1)"),
    ("print() は使わない", "a.py", "print(1)", "blueprint(1)"),
    ("No bare except in Python", "a.py", "except:\n", "except OSError:\n"),
    ("Never use `var` in JavaScript", "a.js", "var one = 1", "const one = 'var two'"),
]


@pytest.mark.parametrize(("rule", "path", "broken", "honest"), SURE)
def test_a_rule_about_code_is_told_where_an_edit_adds_the_code(
    agent: Agent, rule: str, path: str, broken: str, honest: str
) -> None:
    agent.remembers(rule)
    agent.starts("s1")

    assert rule not in about_to_edit(agent, path, broken, honest)
    assert rule not in about_to_edit(agent, path, "", honest)
    assert rule not in about_to_edit(agent, "AGENTS.md", "", broken)
    assert rule not in about_to_edit(agent, "a.css", "", f"/* {rule} */ .inline {{}}")
    assert rule in about_to_edit(agent, path, "", broken)


@pytest.mark.parametrize(
    ("rule", "steps"),
    [
        ("Use pnpm here, never npm", ["pnpm check", "rg npm", "echo npm install", "git commit -m npm"]),
        ("Don't use WebSocket, poll the press", ["pnpm build", "make websocket-docs"]),
        ("git stash は禁止", ["git log --grep=stash", "git branch stash", "git commit -m stash"]),
    ],
)  # fmt: skip
def test_a_command_that_only_names_what_is_forbidden_is_told_nothing(
    agent: Agent, rule: str, steps: list[str]
) -> None:
    agent.remembers(rule)
    agent.starts("s1")

    assert [step for step in steps if rule in agent.about_to(step)] == []


def test_a_command_that_writes_a_forbidden_place_is_told_the_rule(agent: Agent) -> None:
    rule = "Do not edit dist/, edit src/ instead"
    agent.remembers(rule)
    agent.starts("s1")

    assert rule not in agent.about_to("cat dist/press.js > out.js")
    assert rule in agent.about_to("sed -i s/a/b/ dist/press.js")


def test_a_rule_that_contradicts_itself_and_a_step_of_a_mebibyte_are_read(agent: Agent) -> None:
    agent.remembers("Never use npm, use npm")
    agent.remembers("No inline imports in Python code")
    agent.starts("s1")

    agent.about_to("npm install")
    agent.about_to("echo '" + "npm (" * 200_000)
    for unit in ("'", '"', "/*", "`", "    ", "import ", '"""', "\\", "any,"):
        about_to_edit(agent, "a.py", "", unit * (1_048_576 // len(unit)))
        about_to_edit(agent, "a.ts", "", unit * (1_048_576 // len(unit)))
