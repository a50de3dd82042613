"""What one agent wrote is told to another at its steps, with the name of the first."""

import json

import pytest

from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from hooklore.records.draft import Draft
from hooklore.records.record import Body
from tests.unit.requests.conftest import SESSION, Service, memories


def told_before_a_step(service: Service, session: str, **given: object) -> str:
    """The text that Claude Code's model is told before an edit in the project."""
    payload = {
        "session_id": session, "cwd": str(service.folder), "hook_event_name": "PreToolUse",
        "tool_name": "Edit", "tool_use_id": f"t-{session}", "tool_input": given,
    }  # fmt: skip
    facts = {"CLAUDE_CODE_ENTRYPOINT": "cli"}
    delivery = Delivery("claude", "PreToolUse", session, json.dumps(payload).encode(), facts)
    answer = Runner(service.broker, str(service.home), lambda: 1_790_000_000 * 10**9).run(delivery)
    shown = json.loads(answer.stdout)["hookSpecificOutput"] if answer.stdout else {}
    return str(shown.get("additionalContext", ""))


@pytest.mark.req("AC-11")
def test_a_rule_that_codex_kept_is_told_before_claudes_edit_with_its_name(
    service: Service,
) -> None:
    path = str(service.folder / "src" / "ledger.py")
    step = {"file_path": path, "old_string": "total = 0", "new_string": "total = round_cents(0)"}
    rule = "round_cents loses a cent on negative totals, so call it with a Decimal"
    service.says("codex", "codex-1", f"By the way, {rule}.")
    kept = service.ask("remember", "codex", session="codex-1", kind="constraint", content=rule)
    assert kept.content["status"] == "stored", kept

    told = told_before_a_step(service, "claude-1", **step)

    assert "loses a cent" in told
    assert "the user, through codex" in told


def test_without_a_session_id_the_agents_latest_sessions_back_its_word(service: Service) -> None:
    rule = "round_cents loses a cent on negative totals, so call it with a Decimal"
    service.says("codex", "codex-1", f"By the way, {rule}.")

    foreign = service.ask("remember", "gemini", session=None, kind="constraint", content=rule)
    own = service.ask("remember", "codex", session=None, kind="constraint", content=rule)

    assert service.people.get(str(foreign.content["id"])).basis == "agent"
    assert own.content["status"] in ("stored", "updated")
    assert service.people.get(str(own.content["id"])).through == "codex"


def test_the_session_of_another_agent_backs_and_opens_nothing(service: Service) -> None:
    rule = "round_cents loses a cent on negative totals, so call it with a Decimal"
    service.says("codex", "codex-1", f"By the way, {rule}.")
    service.people.says("The gate opens at nine.", visibility="session", session_id="codex-1")

    kept = service.ask("remember", "gemini", session="codex-1", kind="constraint", content=rule)
    found = service.ask("search_memories", "gemini", session="codex-1", query="gate opens nine")
    own = service.ask("search_memories", "codex", session="codex-1", query="gate opens nine")

    assert service.people.get(str(kept.content["id"])).basis == "agent"
    assert memories(found) == []
    assert len(memories(own)) == 1


@pytest.mark.parametrize("kind", ["session_start", "prompt"])
def test_a_session_stays_its_agents_whatever_was_written_in_it_since(
    service: Service, kind: str
) -> None:
    hook = Draft.of(
        service.keys, v=1, stream="observation", kind=kind, agent_id="codex", session_id="codex-1",
        basis="user", body=Body.of(text="Start."),
    )  # fmt: skip
    service.broker.append([hook])
    service.people.says("The gate opens at nine.", visibility="session", session_id="codex-1")
    for number in range(25):
        text = f"Bolt {number} of the fence is loose."
        assert service.ask(
            "remember", "codex", session="codex-1", content=text, kind="todo"
        ).success

    found = service.ask("search_memories", "gemini", session="codex-1", query="gate opens nine")
    own = service.ask("search_memories", "codex", session="codex-1", query="gate opens nine")

    assert memories(found) == []
    assert len(memories(own)) == 1


@pytest.mark.req("AC-11")
def test_what_codex_kept_for_itself_or_privately_is_not_told(service: Service) -> None:
    path = str(service.folder / "src" / "ledger.py")
    step = {"file_path": path, "old_string": "total = 0", "new_string": "total = round_cents(0)"}
    text = "round_cents in src/ledger.py loses a cent on negative totals"
    service.says("codex", "codex-1", text)
    for more in ({"scope": "agent"}, {"private": True}):
        kept = service.ask(
            "remember", "codex", session="codex-1", kind="constraint", content=text, **more
        )
        assert kept.content["status"] == "stored"

    assert "loses a cent" not in told_before_a_step(service, SESSION, **step)
