import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import CaptureSettings, SessionSettings, Settings, StoreLocation
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.exclusions import PauseState, save_pauses
from hooklore.log import reader
from hooklore.log.line import decode_line
from hooklore.records.draft import PERSON, Principal
from hooklore.records.record import Record
from hooklore.retrieval.query import TOKEN_BUDGETS, RecallQuery
from hooklore.retrieval.recall import Recall
from hooklore.text.token_estimate import estimate_tokens
from tests.support.agent import Agent, repository

ERROR = "KeyError: 'colour' in widgets.ini"


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


def elsewhere(agent: Agent, path: Path) -> Agent:
    """Return the same person's agent in another project."""
    return Agent(agent.place, repository(path), agent.home)


def solve(agent: Agent, session: str = "s1") -> None:
    """Play a session in which a command fails and is made to pass."""
    agent.starts(session)
    agent.fails("make test", ERROR)
    agent.edits("widgets.ini", "colour = red")
    agent.passes("make test")
    agent.hook("Stop", last_assistant_message="The colour was missing.")
    agent.hook("SessionEnd", reason="other")


def test_a_prompt_of_a_long_session_reads_none_of_its_steps_again(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.starts("s1")
    for number in range(50):
        agent.passes(f"make part{number}")
    agent.broker.rebuild()
    later = Agent(agent.place, agent.project, agent.home)
    later.session = agent.session
    decoded: list[bytes] = []

    def counted(line: bytes) -> Record | None:
        decoded.append(line)
        return decode_line(line)

    monkeypatch.setattr(reader, "decode_line", counted)
    later.asks("Where do we stand?")
    later.broker.close()

    assert not [line for line in decoded if b'"tool_result"' in line]


@pytest.mark.req("HK-11")
def test_a_session_starts_with_preferences_and_constraints_of_project_and_person(
    agent: Agent,
) -> None:
    agent.remembers("Answer in short sentences", "preference", scope="global")
    agent.remembers("Never touch the legacy folder")

    brief = agent.starts("s1")

    assert "Rules (" in brief
    assert "Answer in short sentences" in brief
    assert "Never touch the legacy folder" in brief
    assert brief.count("said by the user") == 1


def test_a_constraint_comes_up_before_the_command_it_names(agent: Agent) -> None:
    agent.starts("s0")
    agent.remembers("Run alembic only against a copy of the database, never the live one")

    assert "copy of the database" in agent.about_to("alembic upgrade head")


def test_a_constraint_does_not_come_up_before_another_command(agent: Agent) -> None:
    agent.starts("s0")
    agent.remembers("Run alembic only against a copy of the database, never the live one")

    assert agent.about_to("ls -la src") == ""


def test_a_memory_of_a_file_comes_up_before_its_edit(agent: Agent) -> None:
    agent.starts("s0")
    agent.remembers("Generated: change the template instead", paths=["gen/*.py"])

    told = agent.told(
        "PreToolUse",
        tool_name="Edit",
        tool_input={"file_path": str(agent.project / "gen" / "api.py")},
        tool_use_id="t",
    )

    assert "change the template instead" in told


@pytest.mark.parametrize(("name", "is_told"), [("session_count", True), ("steps", False)])
def test_a_constraint_on_a_name_comes_up_before_an_edit_of_it(
    agent: Agent, name: str, is_told: bool
) -> None:
    agent.starts("s0")
    agent.remembers("session_count is read by the old meters, so it never shrinks")

    told = agent.told(
        "PreToolUse",
        tool_name="Edit",
        tool_input={
            "file_path": str(agent.project / "press.py"),
            "old_string": f"{name} = 1",
            "new_string": f"{name} = 2",
        },
        tool_use_id="t",
    )

    assert ("old meters" in told) is is_told


@pytest.mark.parametrize("tool", ["Read", "Glob", "Grep"])
def test_reading_tools_recall_nothing(agent: Agent, tool: str) -> None:
    agent.starts("s0")
    agent.remembers("Generated: change the template instead", paths=["gen/*.py"])

    given = {"file_path": str(agent.project / "gen" / "api.py"), "pattern": "template"}

    assert agent.told("PreToolUse", tool_name=tool, tool_input=given, tool_use_id="t") == ""


def test_at_most_five_notes_come_before_a_tool(agent: Agent) -> None:
    agent.starts("s0")
    for number in range(9):
        agent.remembers(f"alembic rule number {number}: keep revision {number * 17} linear")

    told = agent.about_to("alembic upgrade head")

    assert 1 <= told.count("\n- ") <= 5
    assert estimate_tokens(told) <= TOKEN_BUDGETS["before_tool"]


def test_a_prompt_brings_up_what_bears_on_it_from_the_project_and_from_everywhere(
    agent: Agent,
) -> None:
    agent.starts("s0")
    agent.remembers(
        "The payment gateway Kestrel rejects amounts in float; send integer cents", "fact"
    )
    agent.remembers(
        "Screenshots for the Zephyr newsletter go to the marketing bucket", "fact", scope="global"
    )

    project = agent.asks("Why does the Kestrel payment gateway reject our float amounts?")
    everywhere = agent.asks("Where do screenshots for the Zephyr newsletter go?")

    assert "integer cents" in project
    assert "marketing bucket" in everywhere
    assert estimate_tokens(project) <= TOKEN_BUDGETS["prompt"]


@pytest.mark.parametrize(
    "prompt", ["続けて", "ok", "Please refactor the parser a little", "直して", ""]
)
def test_a_prompt_on_something_else_brings_up_nothing(agent: Agent, prompt: str) -> None:
    agent.starts("s0")
    agent.remembers(
        "The payment gateway Kestrel rejects amounts in float; send integer cents", "fact"
    )
    agent.remembers("決済ゲートウェイは小数の金額を拒否するので整数のセントで送る", "fact")

    assert agent.asks(prompt) == ""


def test_a_prompt_is_not_answered_with_the_same_words(agent: Agent) -> None:
    agent.starts("s0")
    agent.asks("コミットしてプッシュして")
    agent.starts("s1")

    assert agent.asks("コミットしてプッシュして") == ""


@pytest.mark.req("RF-20")
def test_a_japanese_question_finds_what_was_said_in_japanese(agent: Agent) -> None:
    agent.starts("s0")
    agent.remembers("決済ゲートウェイは小数の金額を拒否するので整数のセントで送る", "fact")

    assert "整数のセント" in agent.asks("決済ゲートウェイが金額を拒否するのはなぜ?")


@pytest.mark.req("HK-12")
def test_a_follow_up_does_not_repeat_and_a_new_task_recalls_anew(agent: Agent) -> None:
    agent.starts("s0")
    agent.remembers(
        "The payment gateway Kestrel rejects amounts in float; send integer cents", "fact"
    )
    agent.remembers("Deploys to the Osprey cluster need the frozen manifest file", "fact")

    first = agent.asks("Why does the Kestrel payment gateway reject our float amounts?")
    again = agent.asks("And the Kestrel payment gateway rejects float amounts here too?")
    agent.hook(
        "TaskCreated", task_id="1", task_subject="Deploy to the Osprey cluster with the manifest"
    )
    task = agent.asks("go on")

    assert "integer cents" in first
    assert again == ""
    assert "frozen manifest" in task


@pytest.mark.req("HK-13", "HK-29")
def test_what_is_written_in_a_session_is_in_the_next_brief_and_not_in_this_one(
    agent: Agent,
) -> None:
    agent.remembers("Use tabs", "preference")
    first = agent.starts("s1")
    agent.remembers("Use UTC everywhere", "preference")

    prompt = agent.asks("hello")
    second = agent.starts("s2")

    assert "Use tabs" in first
    assert "Use UTC everywhere" not in first
    assert prompt == ""
    assert "Use UTC everywhere" in second


@pytest.mark.req("RF-06")
def test_near_duplicates_collapse_to_one_that_says_how_many(agent: Agent) -> None:
    agent.starts("s0")
    for end in ("cents", "cents.", "cents!"):
        agent.remembers(
            f"The payment gateway Kestrel rejects amounts in float; send integer {end}", "fact"
        )

    told = agent.asks("Why does the Kestrel payment gateway reject our float amounts?")

    assert told.count("Kestrel") == 1
    assert "3 times" in told
    assert estimate_tokens(told) <= TOKEN_BUDGETS["prompt"]


def test_a_projects_memory_stays_there_and_global_memory_is_everywhere(
    agent: Agent, tmp_path: Path
) -> None:
    agent.remembers("Only in widgets", "constraint")
    agent.remembers("Everywhere the same", "constraint", scope="global")
    other = elsewhere(agent, tmp_path / "gadgets")

    here, there = agent.starts("s1"), other.starts("s2")
    other.broker.close()

    assert "Only in widgets" in here
    assert "Only in widgets" not in there
    assert "Everywhere the same" in here
    assert "Everywhere the same" in there
    scopes = {r["scope"] for r in agent.records("session_start")}
    assert scopes == {"project:widgets", "project:gadgets"}


def test_a_private_memory_is_never_put_in_front_of_a_model(agent: Agent) -> None:
    agent.remembers("The user's salary talk is on Friday", "fact", is_private=True)
    agent.remembers("Salary spreadsheet columns are fixed", "constraint", is_private=True)

    assert "alary" not in agent.starts("s1")
    assert agent.asks("When is the user's salary talk, is it on Friday?") == ""


@pytest.mark.req("HK-07")
def test_the_fix_comes_up_at_the_same_failure_and_nothing_at_a_new_one(agent: Agent) -> None:
    solve(agent)
    agent.starts("s2")

    same = agent.fails("make test", ERROR)
    new = agent.fails("make test", "ImportError: cannot import name 'press'")
    again = agent.fails("make test", ERROR)

    assert "colour = red" in same
    assert new == ""
    assert again == ""


@pytest.mark.req("WF-08")
def test_the_same_delivery_is_answered_the_same_and_recorded_once(agent: Agent) -> None:
    agent.remembers("Never touch the legacy folder")
    agent.session = "s2"
    payload = json.dumps(
        {
            "session_id": "s2",
            "cwd": str(agent.project),
            "hook_event_name": "SessionStart",
            "source": "startup",
        }
    ).encode()
    delivery = Delivery("claude", "SessionStart", "twice", payload)

    first = agent.runner.run(delivery)
    second = agent.runner.run(delivery)

    assert (first.status, second.status) == ("stored", "duplicate")
    notes = [
        json.loads(a.stdout)["hookSpecificOutput"]["additionalContext"] for a in (first, second)
    ]
    assert "legacy folder" in notes[0]
    assert notes[0] == notes[1]
    assert len([r for r in agent.records("session_start") if r["session_id"] == "s2"]) == 1
    assert len([r for r in agent.records("access") if r["session_id"] == "s2"]) == 1


def test_a_second_registration_of_one_tool_call_records_and_recalls_nothing(agent: Agent) -> None:
    solve(agent)
    agent.starts("s2")
    call = {
        "tool_name": "Bash", "tool_input": {"command": "make test"}, "tool_use_id": "one",
        "error": f"Exit code 1\n{ERROR}",
    }  # fmt: skip

    first = agent.told("PostToolUseFailure", **call)
    second = agent.told("PostToolUseFailure", **call)

    assert "colour = red" in first
    assert second == ""
    assert len([r for r in agent.records("error") if r["session_id"] == "s2"]) == 1


def test_an_error_that_three_sessions_left_is_no_open_item_of_the_fourth(agent: Agent) -> None:
    briefs = []
    for session in ("s1", "s2", "s3"):
        briefs.append(agent.starts(session))
        agent.fails("make check", "Error: the schedule lacks its first shift")
        agent.edits("press.py", session)
        agent.hook("SessionEnd", reason="other")

    last = agent.starts("s4")

    assert "first shift" in briefs[1]
    assert "first shift" in briefs[2]
    assert "first shift" not in last


@pytest.mark.parametrize(
    "error",
    [
        "(eval):1: command not found: mill-lint",
        "Error: Missing WIDGETS_URL or WIDGETS_HOST",
        "Error: the environment variable WIDGETS_KEY is not set",
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
    ],
)
def test_what_the_machine_lacks_is_no_open_item(agent: Agent, error: str) -> None:
    agent.starts("s1")
    agent.fails("make check", error)
    agent.hook("SessionEnd", reason="other")

    assert "make check" not in agent.starts("s2")


@pytest.mark.parametrize(
    "error",
    [
        "Error: expected WIDGETS_URL to equal 'here'",
        "Error: missing shift in the schedule",
        "error: 'MAX_SHIFTS' undeclared (first use in this function)",
    ],
)
def test_an_error_of_the_code_stays_an_open_item(agent: Agent, error: str) -> None:
    agent.starts("s1")
    agent.fails("make check", error)
    agent.hook("SessionEnd", reason="other")

    assert "`make check` fails" in agent.starts("s2")


def test_two_runs_of_one_check_leave_one_open_item(agent: Agent) -> None:
    agent.starts("s1")
    agent.fails("make check 2>&1 | head -50", "Error: the first shift is empty")
    agent.fails("make check 2>&1 | tail -50", "Error: the last shift is empty")
    agent.hook("SessionEnd", reason="other")

    told = agent.starts("s2")

    assert "the last shift is empty" in told
    assert "the first shift" not in told


NEXT_STEP = "The lathe turns.\n\nNext steps:\n- Run `mill-plan` for the cutter"


def test_a_next_step_is_told_until_a_later_session_works_on_what_it_names(
    agent: Agent,
) -> None:
    agent.starts("s1")
    agent.edits("lathe.py", "turn")
    agent.hook("Stop", last_assistant_message=NEXT_STEP)
    agent.hook("SessionEnd", reason="other")
    first = agent.starts("s2")
    agent.asks("Rename the lathe to a press, please")
    agent.hook("SessionEnd", reason="other")
    second = agent.starts("s3")
    agent.asks("Now run mill-plan for it")
    agent.edits("cutter.py", "plan")
    agent.hook("SessionEnd", reason="other")

    third = agent.starts("s4")

    assert "Run `mill-plan` for the cutter" in first
    assert "Run `mill-plan` for the cutter" in second
    assert "mill-plan" not in third


def test_a_next_step_that_names_nothing_is_told_whatever_was_asked_since(agent: Agent) -> None:
    agent.starts("s1")
    agent.edits("lathe.py", "turn")
    agent.hook("Stop", last_assistant_message=NEXT_STEP.replace("`", ""))
    agent.hook("SessionEnd", reason="other")
    agent.starts("s2")
    agent.asks("Now run mill-plan for it")
    agent.hook("SessionEnd", reason="other")

    assert "Run mill-plan for the cutter" in agent.starts("s3")


@pytest.mark.parametrize(
    ("event", "field"), [("Stop", "last_assistant_message"), ("PostCompact", "compact_summary")]
)
def test_an_answer_is_told_at_a_prompt_and_the_summary_of_a_whole_session_is_not(
    agent: Agent, event: str, field: str
) -> None:
    fact = "The Kestrel payment gateway rejects float amounts so always send integer cents please"
    said = f"They went on. {fact}. They also calibrated the lathe and wrote about the mill."
    agent.starts("s1")
    agent.hook(event, **{field: said})
    agent.starts("s2")

    told = agent.asks(fact)

    assert ("integer cents" in told) == (event == "Stop")


def test_the_brief_says_what_the_last_session_left_open(agent: Agent) -> None:
    solve(agent)
    agent.starts("s2")
    agent.fails("make lint", "E501 line too long: widgets/press.py")
    agent.hook("SessionEnd", reason="other")

    brief = agent.starts("s3")

    assert "Where the work was left (" in brief
    assert "make lint" in brief


def test_a_resume_is_told_only_what_is_new(agent: Agent) -> None:
    solve(agent)
    agent.starts("s2")

    nothing_new = agent.starts("s2", "resume")
    agent.remembers("Use UTC everywhere", "preference")
    something = agent.starts("s2", "resume")

    assert nothing_new == ""
    assert "Use UTC everywhere" in something
    assert "colour = red" not in something


def test_a_brief_stays_within_its_budget_however_much_is_known(agent: Agent) -> None:
    for number in range(300):
        agent.remembers(f"Rule {number}: " + "keep it simple and short " * 8, "constraint")

    brief = agent.starts("s1")

    assert estimate_tokens(brief) <= 500 + 800
    assert len(brief.encode("utf-16-le")) // 2 < 9_000
    assert brief.count("\n- ") > 3
    assert "constraint: Rule 2" in brief


def test_the_user_is_told_how_much_was_shown(agent: Agent) -> None:
    agent.remembers("Use tabs", "preference")
    agent.session = "s1"

    answer = agent.hook("SessionStart", source="startup")

    assert answer["systemMessage"].startswith("1 note, ")
    assert "hooklore last" in answer["systemMessage"]


def test_a_paused_project_is_neither_recorded_nor_told(agent: Agent) -> None:
    solve(agent)
    project = agent.records("session_start")[0]["project"]
    before = len(agent.records())
    save_pauses(agent.place, PauseState(projects=frozenset((project,))))

    told = agent.starts("s2")

    assert told == ""
    assert len(agent.records()) == before


@pytest.mark.parametrize(
    ("sharing", "records", "told"),
    [("full", True, True), ("record", True, False), ("off", False, False)],
)
def test_each_kind_of_session_can_be_switched(
    store: StoreLocation, tmp_path: Path, home: Path, sharing: str, records: bool, told: bool
) -> None:
    settings = Settings(sessions=SessionSettings.model_validate({"interactive": sharing}))
    agent = Agent(store, repository(tmp_path / "widgets"), home, settings)
    agent.remembers("Use tabs", "preference")

    brief = agent.starts("s1")
    agent.broker.close()

    assert bool(brief) is told
    assert bool(agent.records("session_start")) is records


def test_an_excluded_project_leaves_no_trace(
    store: StoreLocation, tmp_path: Path, home: Path
) -> None:
    settings = Settings(capture=CaptureSettings(exclude_projects=(str(tmp_path / "wid*"),)))
    agent = Agent(store, repository(tmp_path / "widgets"), home, settings)

    agent.starts("s1")
    agent.asks("nobody may know")
    agent.broker.close()

    assert not store.log.exists()


def test_a_note_of_another_branch_says_so(agent: Agent) -> None:
    agent.starts("s1")
    agent.asks(
        "The Kestrel payment gateway rejects float amounts so always send integer cents please"
    )
    (agent.project / ".git" / "HEAD").write_text("ref: refs/heads/feature\n")
    agent.starts("s2")

    told = agent.asks("Does the Kestrel payment gateway reject float amounts, or integer ones?")

    assert "on branch main" in told


def test_captures_that_stopped_are_said_at_the_next_start(agent: Agent, tmp_path: Path) -> None:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    agent.starts("known")
    for number, name in enumerate(("known", "silent")):
        (folder / f"{name}.jsonl").write_text("{}\n")

        os.utime(folder / f"{name}.jsonl", (1_700_000_000 + number, 1_700_000_000 + number))
    agent.session = "s9"

    told = agent.told("SessionStart", source="startup", transcript_path=str(folder / "s9.jsonl"))

    assert "captures had stopped" in told
    assert "silent" in told
    assert "hooks doctor" in told


def test_one_write_is_normalised_redacted_checked_and_appended_in_that_order(
    store: StoreLocation, tmp_path: Path, home: Path
) -> None:
    agent = Agent(store, repository(tmp_path / "widgets"), home)
    steps: list[str] = []
    agent.broker._trace = lambda step, delivery: steps.append(step)

    agent.starts("s1")
    agent.broker.index()
    agent.broker.refresh()

    assert steps[0] == "redact"
    assert steps.index("redact") < steps.index("validate") < steps.index("append")
    assert agent.broker.unindexed_count == 0
    newest = agent.broker.as_reader(PERSON).newest()
    assert "session_start" in [r.kind for r in newest]
    agent.broker.close()


def test_the_users_earlier_question_never_ranks_above_the_answer_to_it(agent: Agent) -> None:
    agent.starts("s1")
    agent.asks("how do we store money?")
    agent.asks("how do we store money in the ledger")
    agent.remembers(
        "We store money as integer yen everywhere: floats lost a yen in March", "decision"
    )
    (decision,) = agent.records("decision")
    query = RecallQuery("prompt", session_id="s2", text="how do we store money?")
    who = Principal(project=decision["project"], session_id="s2")

    found = [record.kind for record in Recall(agent.broker).search(query, who, 5)]
    agent.session = "s2"
    told = agent.asks(query.text)

    assert found == ["decision", "prompt", "prompt"]
    assert "integer yen" in told
    assert "in the ledger" not in told


def test_the_users_own_paste_is_not_shown_for_the_same_paste(agent: Agent) -> None:
    paste = (
        "The importer reads rows in batches of five hundred. Each batch is validated against the "
        "warehouse schema. Rejected rows land in the quarantine table with their reason. The nightly "
        "report counts them per supplier."
    )
    agent.starts("s1")
    agent.asks(paste)
    agent.session = "s2"

    assert agent.asks(f"{paste} Now look at suppliers again.") == ""
