"""The real Claude Code with the MCP server of a project: it asks the user once, and hooklore never answers."""

import json
from pathlib import Path

import pytest

from hooklore.retrieval.brief_text import KEEP_LINE, KEEP_TOOL_LINE
from tests.claude.api import Turn, bash, say, use
from tests.claude.session import hook_text
from tests.claude.terminal import Terminal
from tests.support.installed import Machine, client_at
from tests.support.untried import needs_mcp

pytestmark = [pytest.mark.client, needs_mcp]

NOTE = "Amounts are integer yen, because the gateway refuses fractions."
OTHER = b'{"mcpServers": {"other": {"command": "false"}}}\n'
QUESTION = "New MCP server found in this project: hooklore"
UP, ENTER = "\x1b[A", "\r"
TO_DO = "left to you: start `claude` in this folder, and choose `Use this MCP server`"


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path) -> Machine:
    """A machine where the hooks and the server are registered in a project alone."""
    found = Machine(client_at(claude_binary, tmp_path))
    found.claude.furnish()
    return found


def keeps() -> list[Turn]:
    call = use("mcp__hooklore__remember", content=NOTE, title="integer yen", kind="todo")
    return [bash("sleep 3"), call, say("all done")]


def kept(machine: Machine) -> list[object]:
    return [each["agent_id"] for each in machine.records() if each["kind"] == "todo"]


def answers(machine: Machine) -> dict[str, object]:
    """The user's answers, which the client keeps."""
    path = machine.claude.project / ".claude" / "settings.local.json"
    found: dict[str, object] = json.loads(path.read_text()) if path.exists() else {}
    return found


def server_check(machine: Machine) -> tuple[object, str]:
    """The doctor's note about the server, and the command that it names.

    Other checks may fail: some have a time limit, which a busy machine exceeds.
    """
    checks = json.loads(machine.outcome("hooks", "doctor", "--json").stdout)["checks"]
    (found,) = [each for each in checks if each["name"] == "mcp server"]
    return found["ok"], f"{found['detail']} -> {found['fix']}"


def brief_of(session: Terminal) -> str:
    """The brief of the session's start, which comes with the first prompt where a busy machine starts slowly."""
    first = session.api.requests[0]
    return "\n".join(hook_text(first, event) for event in ("SessionStart", "UserPromptSubmit"))


def test_the_client_asks_then_uses_the_server_and_uninstall_takes_only_our_entry(
    machine: Machine,
) -> None:
    project = machine.claude.project
    done = machine.outcome("hooks", "install", "--project")
    unanswered = server_check(machine)

    with Terminal(machine.claude, keeps(), ("--permission-mode", "default")) as session:
        session.wait_for(QUESTION)
        assert answers(machine) == {}
        session.answer(UP, "❯ Use this MCP server")
        session.press(ENTER)
        session.wait_for("API Usage Billing")
        session.type("hello")
        session.send("all done")
        brief = brief_of(session)
    again = machine.claude.run(
        "Keep it.", [bash("sleep 3"), use("mcp__hooklore__wake_up"), say("ok")]
    )
    answered = server_check(machine)
    machine.run("hooks", "uninstall")

    assert TO_DO in done.stdout + done.stderr
    assert unanswered[0] is None
    assert "choose `Use this MCP server`" in unanswered[1]
    assert KEEP_TOOL_LINE in brief
    assert kept(machine) == ["claude"]
    assert NOTE in json.dumps(again.turns()[-1].messages[-1])
    assert answered[0] is True
    assert answers(machine) == {"enabledMcpjsonServers": ["hooklore"]}
    assert not (project / ".mcp.json").exists()
    assert [path.name for path in (project / ".claude").iterdir()] == ["settings.local.json"]


def test_where_the_user_refuses_it_no_tool_is_named_and_the_doctor_says_how_to_be_asked_again(
    machine: Machine,
) -> None:
    servers = machine.claude.project / ".mcp.json"
    servers.write_bytes(OTHER)
    machine.run("hooks", "install", "--user")
    machine.run("hooks", "install", "--project")
    machine.claude.project.joinpath(".claude", "settings.local.json").write_text(
        '{"disabledMcpjsonServers": ["other", "hooklore"]}'
    )

    with Terminal(machine.claude, keeps(), ("--permission-mode", "default")) as session:
        session.type("hello")
        session.send("all done")
        brief, last = brief_of(session), session.api.requests[-1]
    refused = server_check(machine)
    machine.run("hooks", "uninstall")

    assert "No such tool available" in json.dumps(last.messages[-1])
    assert KEEP_LINE in brief
    assert refused[0] is None
    assert "refused by you" in refused[1]
    assert refused[1].endswith("-> claude mcp reset-project-choices")
    assert kept(machine) == []
    assert servers.read_bytes() == OTHER
