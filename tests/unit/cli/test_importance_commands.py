"""`hooklore why`, `promote`, `profile` and `run` explain, widen and sum up memory."""

import json
from typing import Any

import pytest

from hooklore.records.ids import short_id
from hooklore.records.importance import DEFAULT_WEIGHTS
from tests.unit.cli.conftest import Memory, Run, answered

KEY = "config:db_engine"

FIRST_RUN, OTHER_RUN = (f"4f1c{n}a5e-6b0a-4c1e-9d55-0f2a7b3c4d5e" for n in (1, 2))


@pytest.mark.req("SC-07")
def test_why_shows_every_factor_then_and_now(hooklore: Run, memory: Memory) -> None:
    id_ = answered(hooklore, "We use sqlite", "--key", KEY, "--agent", "claude")["id"]
    memory.hook("Stop", "s-1", last_assistant_message=f"Done as {KEY} says.")

    printed = hooklore("why", id_)
    (found,) = hooklore("why", id_, "--json").records

    rows = {line.split()[0]: line.split() for line in printed.lines[4:]}
    assert printed.lines[2].startswith("in sessions: shown 0, opened 0, followed 0")
    assert list(rows) == list(found["weights"])
    assert rows["outcome_impact"][1] == "0.25"
    assert rows["novelty"][1:4] == ["0.15", "1.00", "1.00"]
    assert "cited 1 time, shown 0 times" in printed.out
    assert found["evidence"]["citations"] == 1
    weighted = sum(found["weights"][name] * value for name, value in found["factors"].items())
    assert found["score"] == pytest.approx(weighted, abs=1e-3)
    assert found["prior"] == memory.of("config")[0]["importance"]["score"]


def test_why_tells_a_person_alone_of_the_step_that_undoes_something(
    hooklore: Run, memory: Memory
) -> None:
    for event, command in (
        ("PostToolUseFailure", "make press"),
        ("PostToolUse", "rm -rf press.cache"),
        ("PostToolUse", "make press"),
    ):
        error = {"error": "Exit code 1\nerror: press.cache is damaged", "is_interrupt": False}
        answer = {"tool_response": {"stdout": "ok", "stderr": "", "interrupted": False}}
        memory.hook(
            event, "s-1", tool_name="Bash", tool_input={"command": command}, tool_use_id=f"{event}{command}",
            **(error if event == "PostToolUseFailure" else answer),
        )  # fmt: skip
    (fix,) = memory.of("fix")

    printed = hooklore("why", fix["id"])
    by_agent = hooklore("why", fix["id"], "--agent", "claude")

    assert "evidence: nothing shows that a step mended it" in printed.out
    assert "undoes or skips, so no model is shown it: ran `rm -rf press.cache`" in printed.out
    assert "rm -rf" not in by_agent.out


def test_why_takes_the_short_id_that_a_note_carries(hooklore: Run) -> None:
    id_ = answered(hooklore, "We use sqlite")["id"]

    printed = hooklore("why", short_id(id_))

    assert printed.lines[0].startswith(id_)


@pytest.mark.req("WF-03")
def test_every_line_of_the_log_has_its_score_and_what_that_is_made_of(
    hooklore: Run, memory: Memory
) -> None:
    memory.fails_and_solves()
    user = answered(hooklore, "We use sqlite")["id"]
    agent = answered(hooklore, "The press is loud", "--agent", "codex", "--basis", "tool")["id"]
    lines = {record["id"]: record for record in memory.records()}
    of_kind = {record["kind"]: record["importance"]["factors"] for record in lines.values()}

    explained = hooklore("why", user, "--json").records[0]

    for record in lines.values():
        made = record["importance"]
        weighed = sum(DEFAULT_WEIGHTS[name] * value for name, value in made["factors"].items())
        assert made["score"] == pytest.approx(weighed, abs=1e-4), record["kind"]
    assert of_kind["error"] == {"outcome_impact": 1.0, "novelty": 0.7}
    assert of_kind["tool_result"] == {"outcome_impact": 0.5, "novelty": 0.2}
    assert lines[user]["importance"]["factors"] == {"novelty": 1.0, "user_signal": 1.0}
    assert lines[agent]["importance"]["factors"] == {"novelty": 1.0}
    assert explained["prior"] == lines[user]["importance"]["score"]
    assert {n: v for n, v in explained["prior_factors"].items() if v} == {
        "novelty": 1.0, "user_signal": 1.0,
    }  # fmt: skip


@pytest.mark.req("SC-12")
def test_weights_of_the_user_change_the_score_and_wrong_ones_are_refused(
    hooklore: Run, hooks: Run, memory: Memory
) -> None:
    id_ = answered(hooklore, "We use sqlite")["id"]
    (before,) = hooklore("why", id_, "--json").records
    config = memory.broker.place.config

    config.write_text("[importance]\nnovelty = 0.4\noutcome_impact = 0.0\n")
    (after,) = hooklore("why", id_, "--json").records
    config.write_text("[importance]\nnovelty = 0.4\n")
    refused = hooklore("why", id_)
    doctor = json.loads(hooks("doctor", "--json").out)

    assert after["score"] > before["score"]
    assert after["prior"] == before["prior"]
    assert refused.rc == 0  # with the weights of the default
    assert "must sum to 1" in refused.err
    checks = {check["name"]: check for check in doctor["checks"]}
    assert "must sum to 1" in checks["config"]["detail"]
    assert checks["config"]["ok"] is False


@pytest.mark.req("SC-12")
def test_weights_of_the_user_are_those_of_what_is_kept_from_then_on(
    hooklore: Run, memory: Memory
) -> None:
    """A memory of the user's has the factors novelty and user_signal, of one each."""
    answered(hooklore, "We use sqlite")
    memory.broker.place.config.write_text("[importance]\nnovelty = 0.4\noutcome_impact = 0.0\n")
    later = answered(hooklore, "We use make")["id"]
    (why,) = hooklore("why", later, "--json").records
    printed = hooklore("why", later).lines

    first, second = memory.of("config") or memory.of("fact") or memory.of("decision")
    assert first["importance"] == {"score": 0.3, "factors": {"novelty": 1.0, "user_signal": 1.0}}
    assert second["importance"] == {"score": 0.55, "factors": {"novelty": 1.0, "user_signal": 1.0}}
    assert (why["weights"]["novelty"], why["weights"]["outcome_impact"]) == (0.4, 0.0)
    assert why["prior"] == 0.55
    weighted = sum(why["weights"][name] * value for name, value in why["factors"].items())
    assert why["score"] == pytest.approx(weighted, abs=1e-3)
    assert "0.40" in next(line for line in printed if line.startswith("novelty"))


@pytest.mark.req("SC-12")
@pytest.mark.parametrize(
    ("given", "ok"),
    [
        ("novelty = 0.4", False), ("cost_savings = 0.0", False), ("novelty = -0.15", False),
        ("novelty = 0.16", False), ("novelty = 0.05\nuser_signal = 0.25", True),
        ("novelty = 0.14\nuser_signal = 0.16", True),
    ],
)  # fmt: skip
def test_doctor_refuses_weights_that_do_not_sum_to_one(
    hooklore: Run, hooks: Run, memory: Memory, given: str, ok: bool
) -> None:
    answered(hooklore, "We use sqlite")
    memory.broker.place.config.write_text(f"[importance]\n{given}\n")

    doctor = hooks("doctor", "--json")

    (config,) = [c for c in json.loads(doctor.out)["checks"] if c["name"] == "config"]
    assert config["ok"] is ok, config
    told = hooklore("remember", "We use make").err
    assert ("could not use `importance" in told) is not ok


@pytest.mark.req("AC-04", "AC-19")
def test_promote_makes_a_global_copy_and_refuses_what_is_private(
    hooklore: Run, memory: Memory
) -> None:
    project = answered(hooklore, "We use sqlite", "--key", KEY)
    private = answered(hooklore, "between us", "--private")

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
    there = answered(
        hooklore, "We use postgres", "--key", KEY, "--scope", "global", "--agent", "codex"
    )
    here = answered(hooklore, "We use sqlite", "--key", KEY)

    done = hooklore("promote", here["id"], "--scope", "global")

    assert f"it contradicts {there['id']}" in done.err
    assert len(hooklore("conflicts", "--json").records) == 1


def test_promote_to_this_folders_project(hooklore: Run, memory: Memory) -> None:
    answered(hooklore, "The press is in room 4")
    own = answered(hooklore, "We use sqlite", "--scope", "agent:claude", "--agent", "claude")

    done = hooklore("promote", own["id"], "--scope", "project", "--json")
    unknown = hooklore("promote", own["id"], "--scope", "project:nowhere")

    assert done.records[0]["event"]["scope"] == "project:widgets"
    assert unknown.rc == 1
    assert hooklore("promote", own["id"]).rc == 2


@pytest.mark.req("TI-11")
def test_a_block_over_its_limit_is_an_error_that_says_what_is_used(
    hooklore: Run, memory: Memory
) -> None:
    for number in range(30):
        answered(hooklore, f"Likes colour {number:02} " + "x" * 150, "--kind", "preference",
             "--key", f"preference:colour_{number:02}")  # fmt: skip

    printed = hooklore("profile")
    blocks = {block["label"]: block for block in hooklore("profile", "--json").records}

    full = blocks["preferences"]
    assert printed.rc == 1
    assert printed.err.splitlines()[0] == f"error: {full['problem']}"
    assert f": {len(full['value']):,} of 2,000 characters are used" in printed.err
    assert "hint: run `hooklore archive ID`" in printed.err
    assert full["value"] in printed.out
    assert (full["used"], full["limit"]) == (len(full["value"]), 2_000)
    assert (blocks["facts"]["used"], blocks["facts"]["problem"]) == (0, None)


@pytest.mark.req("MA-07")
def test_a_profile_grows_from_session_to_session_and_asks_nobody_elsewhere(
    hooklore: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("nothing is asked over a network")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    grown: list[str] = []
    for session, prompt in (
        ("s-1", "From now on, always use uv instead of pip."),
        ("s-2", "What is the weather of the press?"),
        ("s-3", "いつもPRは日本語で書いて"),
    ):
        memory.hook("SessionStart", session, source="startup")
        memory.hook("UserPromptSubmit", session, prompt=prompt)
        memory.hook("SessionEnd", session, reason="other")
        blocks = {b["label"]: b["value"] for b in hooklore("profile", "--json").records}
        grown.append("\n".join(filter(None, blocks.values())))

    assert "use uv instead of pip" in grown[0]
    assert grown[1] == grown[0]
    assert all(line in grown[2] for line in grown[0].splitlines())
    assert "日本語" in grown[2]
    assert "日本語" not in grown[1]


@pytest.mark.req("RF-09")
def test_profile_prints_blocks_with_their_limits(hooklore: Run, memory: Memory) -> None:
    answered(hooklore, "Edits with vim", "--kind", "preference", "--scope", "global")
    answered(hooklore, "The press is in room 4")

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


@pytest.mark.req("AU-05")
def test_a_run_says_what_it_read_and_wrote_how_long_it_took_and_what_failed(
    hooklore: Run, memory: Memory
) -> None:
    memory.fails_and_solves("run-one")
    memory.hook("SessionStart", "run-two", source="startup")
    memory.fails("run-two")
    memory.tool("Bash", "run-two", {"command": "make lint"}, {"stdout": "ok"}, duration_ms=1_500)
    answered(hooklore, "We use make", "--run", "run-two", "--agent", "codex", "--confidence", "low")
    of_two = [r for r in memory.records() if r.get("run_id") == "run-two"]
    accesses = [r for r in of_two if r["kind"] == "access"]

    listing = hooklore("run", "run-two")
    counts = hooklore("run", "run-two", "--totals")
    (fields,) = hooklore("run", "run-two", "--totals", "--json").records

    assert len(listing.lines) == len(of_two)
    assert listing.err == counts.out
    assert fields["writes"] == len(of_two) - len(accesses)
    assert (fields["memories"], fields["waiting"], fields["errors"]) == (1, 1, 1)
    assert fields["reads"] == len(accesses) == len(fields["recall_ms"]) > 0
    assert fields["shown"] == len({id_ for r in accesses for id_ in r["body"]["targets"]})
    assert fields["tools_ms"] == 1_500
    assert (
        counts.lines[0]
        == f"writes: {fields['writes']} records, 1 of them a memory, 1 of them waiting"
    )
    assert (
        counts.lines[2] == f"latency: tools 1.5 s, the slowest answer {max(fields['recall_ms'])} ms"
    )
    assert counts.lines[3] == "errors: 1"


@pytest.mark.req("EV-03")
def test_a_run_of_the_command_line_and_what_waits_in_it_are_found_by_a_beginning(
    hooklore: Run, memory: Memory
) -> None:
    first = answered(hooklore, "We use sqlite", "--run", FIRST_RUN)
    guess = answered(hooklore, "We use make", "--run", FIRST_RUN, "--agent", "codex",
                 "--confidence", "low")  # fmt: skip
    answered(hooklore, "The press is in room 4", "--run", "4f1d8c5e-6b0a-4c1e-9d55-0f2a7b3c4d5e")

    rows = hooklore("run", "4f1c", "--json").records
    several = hooklore("run", "4f1")
    nothing = hooklore("run", "nowhere")

    assert guess["status"] == "pending"
    assert [r["id"] for r in rows] == [first["id"], guess["id"]]
    assert several.rc == nothing.rc == 1
    assert "nothing is recorded of it" in nothing.err
    assert hooklore("list", "--run", "4f1c", "--json").records[0]["id"] == first["id"]


def test_of_several_runs_that_begin_so_none_is_chosen(hooklore: Run, memory: Memory) -> None:
    answered(hooklore, "We use sqlite", "--run", FIRST_RUN)
    answered(hooklore, "The press is in room 4", "--run", OTHER_RUN)

    answer = hooklore("run", "4f1c")

    assert answer.rc == 1
    assert "several begin with" in answer.err


def test_hooks_run_still_hands_in_an_event(hooks: Run, hooklore: Run) -> None:
    assert "hook payload from stdin" in hooks("run", "--help").out
    assert "hook payload" not in hooklore("run", "--help").out


@pytest.mark.req("EV-25")
def test_get_prints_an_entry_as_a_file(hooklore: Run, memory: Memory) -> None:
    text = "title: a press\n---\n- 47 Nm"
    id_ = answered(hooklore, text, "--key", KEY, "--tag", "db")["id"]
    (record,) = memory.of("config")

    file = hooklore("get", KEY, "--markdown").out

    moment = record["ts"]
    assert record["id"] == id_
    assert file == (
        f'---\nkey: "{KEY}"\ntags: ["db"]\ncreated_at: "{moment}"\nupdated_at: "{moment}"\n---\n{text}'
    )
