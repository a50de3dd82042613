"""`hooklore why`, `promote`, `profile` and `run`."""

import json
from typing import Any

import pytest

from tests.unit.cli.conftest import Memory, Run

KEY = "config:db_engine"


def said(hooklore: Run, text: str, *options: str) -> dict[str, Any]:
    """`hooklore remember … --json`; its answer."""
    found: dict[str, Any] = hooklore("remember", text, "--json", *options).records[0]
    return found


@pytest.mark.req("SC-07")
def test_why_shows_every_factor_then_and_now(hooklore: Run, memory: Memory) -> None:
    id_ = said(hooklore, "We use sqlite", "--key", KEY, "--agent", "claude")["id"]
    memory.hook("Stop", "s-1", last_assistant_message=f"Done as {KEY} says.")

    printed = hooklore("why", id_)
    (found,) = hooklore("why", id_, "--json").records

    rows = {line.split()[0]: line.split() for line in printed.lines[3:]}
    assert list(rows) == list(found["weights"])
    assert rows["outcome_impact"][1] == "0.25"
    assert rows["novelty"][1:4] == ["0.15", "1.00", "1.00"]
    assert "cited 1 times, shown 0 times" in printed.out
    assert found["evidence"]["citations"] == 1
    weighted = sum(found["weights"][name] * value for name, value in found["factors"].items())
    assert found["score"] == pytest.approx(weighted, abs=1e-3)
    assert found["prior"] == memory.of("config")[0]["importance"]["score"]


@pytest.mark.req("SC-12")
def test_weights_of_the_user_change_the_score_and_wrong_ones_are_refused(
    hooklore: Run, hooks: Run, memory: Memory
) -> None:
    id_ = said(hooklore, "We use sqlite")["id"]
    (before,) = hooklore("why", id_, "--json").records
    config = memory.broker.place.config

    config.write_text("[importance]\nnovelty = 0.4\noutcome_impact = 0.0\n")
    (after,) = hooklore("why", id_, "--json").records
    config.write_text("[importance]\nnovelty = 0.4\n")
    refused = hooklore("why", id_)
    doctor = json.loads(hooks("doctor", "--json").out)

    assert after["score"] > before["score"]
    assert after["prior"] == before["prior"]
    assert refused.rc == 1
    assert "must sum to 1" in refused.err
    checks = {check["name"]: check for check in doctor["checks"]}
    assert "must sum to 1" in checks["config"]["detail"]
    assert checks["config"]["ok"] is False


@pytest.mark.req("AC-04", "AC-19")
def test_promote_makes_a_global_copy_and_refuses_what_is_private(
    hooklore: Run, memory: Memory
) -> None:
    project = said(hooklore, "We use sqlite", "--key", KEY)
    private = said(hooklore, "between us", "--private")

    done = hooklore("promote", project["id"], "--scope", "global")
    refused = hooklore("promote", private["id"], "--scope", "global")

    assert project["scope"] == "project:widgets"
    (copy,) = [r for r in memory.of("config") if r["scope"] == "global"]
    assert done.lines == [f"promoted {project['id']} to global as {copy['id']}"]
    assert copy["promoted_from"] == project["id"]
    (note,) = memory.of("promotion")
    assert note["body"]["targets"] == [project["id"], copy["id"]]
    assert refused.rc == 1
    assert refused.err.startswith("error: could not promote")
    assert "\nhint: " in refused.err
    assert [r for r in memory.records() if r["scope"] == "global" and r.get("is_private")] == []


def test_promote_says_what_it_contradicts(hooklore: Run, memory: Memory) -> None:
    there = said(hooklore, "We use postgres", "--key", KEY, "--scope", "global", "--agent", "codex")
    here = said(hooklore, "We use sqlite", "--key", KEY)

    done = hooklore("promote", here["id"], "--scope", "global")

    assert f"it contradicts {there['id']}" in done.err
    assert len(hooklore("conflicts", "--json").records) == 1


def test_promote_to_this_folders_project(hooklore: Run, memory: Memory) -> None:
    said(hooklore, "The press is in room 4")
    own = said(hooklore, "We use sqlite", "--scope", "agent:claude", "--agent", "claude")

    done = hooklore("promote", own["id"], "--scope", "project", "--json")
    unknown = hooklore("promote", own["id"], "--scope", "project:nowhere")

    assert done.records[0]["event"]["scope"] == "project:widgets"
    assert unknown.rc == 1
    assert hooklore("promote", own["id"]).rc == 2


@pytest.mark.req("RF-09")
def test_profile_prints_blocks_with_their_limits(hooklore: Run, memory: Memory) -> None:
    said(hooklore, "Edits with vim", "--kind", "preference", "--scope", "global")
    said(hooklore, "The press is in room 4")

    printed = hooklore("profile")
    found = {block["label"]: block for block in hooklore("profile", "--json").records}

    assert "- Edits with vim" in printed.lines
    assert list(found) == ["preferences", "rules", "facts"]
    assert {"label", "description", "value", "limit"} <= found["facts"].keys()
    assert found["facts"]["value"] == "- The press is in room 4"
    assert found["rules"]["value"] == ""
    assert found["preferences"]["limit"] > len(found["preferences"]["value"])


@pytest.mark.req("EV-03")
def test_two_sessions_are_two_runs_and_each_can_be_listed(hooklore: Run, memory: Memory) -> None:
    memory.fails_and_solves("run-one")
    memory.fails_and_solves("run-two")
    of_one = [r for r in memory.records() if r.get("session_id") == "run-one"]

    rows = hooklore("run", "run-one", "--json").records
    listed = hooklore("list", "--run", "run-one", "-n", "100", "--json").records

    assert {r["run_id"] for r in of_one} == {"run-one"}
    assert [r["id"] for r in rows] == [r["id"] for r in of_one]
    assert {r["run_id"] for r in listed} == {"run-one"}
    assert {r["id"] for r in listed} == {r["id"] for r in of_one if r["stream"] != "control"}


@pytest.mark.req("EV-03")
def test_a_run_of_the_command_line_and_what_waits_in_it_are_found_by_a_beginning(
    hooklore: Run, memory: Memory
) -> None:
    first = said(hooklore, "We use sqlite", "--run", "4f1c-first")
    guess = said(hooklore, "We use make", "--run", "4f1c-first", "--agent", "codex",
                 "--confidence", "low")  # fmt: skip
    said(hooklore, "The press is in room 4", "--run", "4f1d-other")

    rows = hooklore("run", "4f1c", "--json").records
    several = hooklore("run", "4f1")
    nothing = hooklore("run", "nowhere")

    assert guess["status"] == "pending"
    assert [r["id"] for r in rows] == [first["id"], guess["id"]]
    assert several.rc == nothing.rc == 1
    assert "nothing is recorded of it" in nothing.err
    assert hooklore("list", "--run", "4f1c", "--json").records[0]["id"] == first["id"]


def test_of_several_runs_that_begin_so_none_is_chosen(hooklore: Run, memory: Memory) -> None:
    said(hooklore, "We use sqlite", "--run", "4f1c-first")
    said(hooklore, "The press is in room 4", "--run", "4f1c-other")

    answer = hooklore("run", "4f1c")

    assert answer.rc == 1
    assert "several begin with" in answer.err


def test_hooks_run_still_hands_in_an_event(hooks: Run, hooklore: Run) -> None:
    assert "hook payload from stdin" in hooks("run", "--help").out
    assert "hook payload" not in hooklore("run", "--help").out


@pytest.mark.req("EV-25")
def test_get_prints_an_entry_as_a_file(hooklore: Run, memory: Memory) -> None:
    text = "title: a press\n---\n- 47 Nm"
    id_ = said(hooklore, text, "--key", KEY, "--tag", "db")["id"]
    (record,) = memory.of("config")

    file = hooklore("get", KEY, "--markdown").out

    moment = record["ts"]
    assert record["id"] == id_
    assert file == (
        f'---\nkey: "{KEY}"\ntags: ["db"]\ncreated_at: "{moment}"\nupdated_at: "{moment}"\n---\n{text}'
    )
