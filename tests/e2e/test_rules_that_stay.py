"""A rule replaces only what its own words show: said by prompts, told in the next start."""

import json
import os
from pathlib import Path

import pytest

from hooklore.hooks.delivery import Delivery
from hooklore.hooks.project import project_keys
from hooklore.hooks.runner import Runner
from hooklore.records.draft import Draft
from hooklore.records.ids import short_id
from hooklore.records.record import Record
from tests.e2e.test_who_speaks import SESSION, World

SIX = (
    "Never use npm in this project.",
    "Never use yarn in this project.",
    "Never use pip, always uv.",
    "Don't use conda in this project.",
    "Don't commit directly to main",
    "Never commit generated files",
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def answers(world: World) -> str:
    """Return the line that the person reads at the end of the answer."""
    payload = {
        "session_id": SESSION, "cwd": str(world.project), "hook_event_name": "Stop",
        "last_assistant_message": "Understood.",
    }  # fmt: skip
    runner = Runner(world.broker, str(world.home), lambda: int(world.now * 1e9))
    facts = {"CLAUDE_CODE_ENTRYPOINT": "cli"}
    delivery = Delivery("claude", "Stop", os.urandom(8).hex(), json.dumps(payload).encode(), facts)
    printed = runner.run(delivery).stdout
    return str(json.loads(printed).get("systemMessage", "")) if printed else ""


def stand(world: World, *rules: str) -> list[bool]:
    """Return for each rule whether the next start tells it, as a whole note."""
    notes = [line.partition(" [")[0].rstrip(".") for line in world.starts().splitlines()]
    return [f"- {rule.rstrip('.')}" in notes for rule in rules]


def test_six_rules_about_different_things_all_stand(world: World) -> None:
    for rule in SIX:
        world.types(rule)

    assert stand(world, *SIX) == [True] * 6


def test_a_rule_that_names_what_it_replaces_ends_it_and_says_so(world: World) -> None:
    world.types("Always use npm.")
    answers(world)
    world.types("Use pnpm, not npm.")

    line = answers(world)

    assert "learnt: “Use pnpm, not npm”; replaces: “Always use npm”" in line
    assert stand(world, "Use pnpm, not npm", "Always use npm") == [True, False]


def test_what_was_replaced_stands_again_when_the_later_rule_is_taken_back(world: World) -> None:
    world.types("Always use npm.")
    world.types("Use pnpm, not npm.")
    command = answers(world).rpartition("`hooklore ")[2].partition("`")[0]

    taken = world.person(*command.split())
    after = stand(world, "Use pnpm, not npm", "Always use npm")
    world.person("restore", command.split()[1])

    assert "in force again: Always use npm" in taken.stdout
    assert after == [False, True]
    assert stand(world, "Use pnpm, not npm", "Always use npm") == [True, False]


def test_two_tools_of_one_kind_stand_the_newer_first_and_the_answer_names_the_other(
    world: World,
) -> None:
    world.types("use npm")
    answers(world)
    world.types("use pnpm")

    line = answers(world)
    brief = world.starts()

    assert "learnt: “use pnpm”; stands beside: “use npm”" in line
    assert 0 < brief.index("- use pnpm [") < brief.index("- use npm [")


def test_what_frees_from_a_rule_ends_it_and_teaches_nothing_where_no_rule_stands(
    world: World,
) -> None:
    world.types("You may use yarn again.")
    world.types("Never use npm in this project.")
    world.types("You may use npm again.")

    assert stand(world, "You may use yarn again", "Never use npm in this project") == [False, False]
    assert stand(world, "You may use npm again") == [True]


def test_a_projects_rule_is_told_in_place_of_one_for_everywhere_and_ends_nothing(
    world: World,
) -> None:
    world.person("remember", "Always use npm.", "--kind", "preference", "--scope", "global")
    world.types("Use pnpm, not npm.")

    elsewhere = world.home / "elsewhere"
    (elsewhere / ".git").mkdir(parents=True)
    (elsewhere / ".git" / "HEAD").write_text("ref: refs/heads/main\n")

    assert "- Always use npm. [" in world.starts(elsewhere)
    assert stand(world, "Use pnpm, not npm", "Always use npm") == [True, False]


def test_a_command_judges_as_a_prompt_does_and_names_what_it_replaced(world: World) -> None:
    world.types("Always use npm.")

    said = world.person("remember", "Use pnpm, not npm.", "--kind", "preference").stdout

    assert "replaces " in said
    assert "Always use npm" in said
    assert "take back: `hooklore archive " in said
    assert stand(world, "Use pnpm, not npm", "Always use npm") == [True, False]


def test_why_tells_what_a_rule_replaced_and_by_which_words(world: World) -> None:
    world.types("Always use npm.")
    world.types("Use pnpm, not npm.")
    older, newer = rules(world)

    told = world.person("why", short_id(newer.id)).stdout
    other = world.person("why", short_id(older.id)).stdout

    assert f"replaced {short_id(older.id)} “Always use npm”" in told
    assert "“not npm” against “always use npm”" in told
    assert f"replaced by {short_id(newer.id)} “Use pnpm, not npm”" in other


def test_rules_that_replace_each_other_in_a_circle_leave_the_last_one(world: World) -> None:
    for n in range(40):
        world.types("Use pnpm, not npm." if n % 2 else "Use npm, not pnpm.")

    assert stand(world, "Use pnpm, not npm", "Use npm, not pnpm") == [True, False]


def test_an_agents_rule_ends_no_rule_of_another_agent(world: World) -> None:
    world.types("Always use npm.")

    said = world.agent("remember", "Use pnpm, not npm.", "--kind", "preference").stdout

    assert "pending" in said
    assert stand(world, "Always use npm") == [True]


def test_rules_that_an_older_version_lost_are_offered_once_and_come_back(world: World) -> None:
    world.types("Never use npm in this project.")
    (npm,) = rules(world)
    lose(world, npm, "Never use yarn in this project")
    listed = world.person("pending")
    told = listed.stdout + listed.stderr
    command = told.rpartition("`hooklore approve ")[2].partition("`")[0]

    world.person("approve", *command.split())
    again = world.person("pending")

    assert "brings back 1 rule" in told
    assert stand(world, *SIX[:2]) == [True, True]
    assert "bring back" not in again.stdout + again.stderr


def test_a_lost_rule_that_a_person_does_not_want_is_not_offered_again(world: World) -> None:
    world.types("Never use npm in this project.")
    (npm,) = rules(world)
    lose(world, npm, "Never use yarn in this project")
    listed = world.person("pending")
    told = listed.stdout + listed.stderr
    command = told.rpartition("`hooklore approve ")[2].partition("`")[0]

    assert command
    world.person("reject", *command.split())
    again = world.person("pending")

    assert "bring back" not in again.stdout + again.stderr
    assert stand(world, *SIX[:2]) == [False, True]


def rules(world: World) -> list[Record]:
    """Return every rule of the log, oldest first."""
    lines = world.broker.place.log.read_bytes().splitlines()
    return [r for r in map(Record, map(json.loads, lines)) if r.stream == "memory"]


def lose(world: World, lost: Record, later: str) -> None:
    """Write a rule as an older version did, which gave all package managers one key."""
    record = Record.of(
        stream="memory", kind="constraint", agent_id="claude", basis="user", confidence="high",
        session_id=SESSION, run_id=SESSION, supersedes=lost.id, source={"system": "cli", "detail": "learnt"},
        dedupe_key="preference:js-package-manager", body={"content_md": later},
    )  # fmt: skip
    keys = project_keys(str(world.project), None, str(world.home))
    world.broker.append([Draft(record, keys)])
