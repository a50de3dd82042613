"""The real Claude Code starts the MCP server from where `hooks install` and the plugin register it."""

import json
from pathlib import Path

import pytest

from tests.claude.api import bash, say, use
from tests.claude.session import Session, shown
from tests.claude.terminal import Terminal
from tests.support.installed import Machine, client_at
from tests.support.mcp import COMMAND

pytestmark = pytest.mark.client

ROOT = Path(__file__).parents[2]
NOTE = "Amounts are integer yen, because the gateway refuses fractions."


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path) -> Machine:
    found = Machine(client_at(claude_binary, tmp_path))
    found.claude.furnish()
    return found


def keeps(machine: Machine, server: str, *args: str) -> None:
    """A session keeps a note by a tool of that server."""
    tool = f"mcp__{server}__remember"
    session = machine.claude.run(
        "Keep a note for later.",
        [
            bash("sleep 4"),
            use(tool, content=NOTE, title="integer yen", kind="todo", when=["store money"]),
            say("done"),
        ],
        args=("--allowedTools", f"mcp__{server}__*", *args),
    )
    assert session.rc == 0
    assert "No such tool" not in json.dumps(session.turns()[-1].messages[-1])


def kept(machine: Machine) -> list[object]:
    return [each["agent_id"] for each in machine.records() if each["kind"] == "todo"]


def test_the_users_registration_starts_the_server_and_uninstall_takes_only_our_entry(
    machine: Machine,
) -> None:
    machine.run("hooks", "install", "--user")
    keeps(machine, "hooklore")
    path = machine.claude.home / ".claude.json"
    rewritten = json.loads(path.read_text())
    machine.run("hooks", "uninstall")

    left = json.loads(path.read_text())
    assert kept(machine) == ["claude"]
    assert rewritten["mcpServers"]["hooklore"]["args"][-1] == "claude"
    assert left == {name: value for name, value in rewritten.items() if name != "mcpServers"}


def test_the_plugins_registration_starts_the_server(machine: Machine) -> None:
    machine.run("hooks", "install", "--plugin")

    keeps(machine, "plugin_hooklore_hooklore", *PLUGIN)

    assert kept(machine) == ["claude"]


PLUGIN = ("--plugin-dir", str(ROOT))
OF_PLUGIN = "mcp__plugin_hooklore_hooklore__"
CALLS: dict[str, dict[str, object]] = {
    "remember": {"content": NOTE, "title": "integer yen", "kind": "todo"},
    "recall": {"query": "how do we store money?"},
    "get": {"names": ["integer yen"]},
    "search_memories": {"query": "integer yen"},
    "wake_up": {},
}


def results(session: Session) -> list[tuple[bool, str]]:
    """Return whether a tool failed and what it said, of the calls of MCP tools in order."""
    last = session.turns()[-1].messages
    blocks = [block for message in last if isinstance(message["content"], list)
              for block in message["content"] if block["type"] == "tool_result"]  # fmt: skip
    return [(bool(each.get("is_error")), json.dumps(each["content"])) for each in blocks][1:]


def test_the_plugins_tools_run_without_a_question(machine: Machine) -> None:
    machine.run("hooks", "install", "--plugin")
    calls = [use(f"{OF_PLUGIN}{name}", **given) for name, given in CALLS.items()]

    session = machine.claude.run("Keep it.", [bash("sleep 4"), *calls, say("done")], args=PLUGIN)

    found = results(session)
    assert [text for failed, text in found if failed] == []
    assert "stored " in found[0][1]
    assert NOTE in found[2][1]
    assert kept(machine) == ["claude"]


def test_the_brief_names_the_plugins_tool_as_the_model_sees_it(machine: Machine) -> None:
    machine.run("hooks", "install", "--plugin")
    waits = [bash("sleep 2"), bash("sleep 2"), say("all done")]

    with Terminal(machine.claude, waits, ("--permission-mode", "acceptEdits", *PLUGIN)) as session:
        session.type("hello")
        session.send("all done")
        requests = list(session.api.requests)

    assert f"call `{OF_PLUGIN}remember` (kind, title, when)." in shown(requests[0])
    assert f"{OF_PLUGIN}remember" in shown(requests[-1]).splitlines(), "the client's own list"


def test_a_rule_of_the_users_that_forbids_a_tool_of_the_plugin_still_holds(
    machine: Machine,
) -> None:
    machine.run("hooks", "install", "--plugin")
    settings = machine.claude.home / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"permissions": {"deny": [f"{OF_PLUGIN}remember"]}}))
    call = use(f"{OF_PLUGIN}remember", **CALLS["remember"])

    session = machine.claude.run("Keep it.", [bash("sleep 4"), call, say("done")], args=PLUGIN)

    assert [failed for failed, _ in results(session)] == [True]
    assert kept(machine) == []


def test_a_tool_of_another_server_is_not_run_for_the_plugin(machine: Machine) -> None:
    machine.run("hooks", "install", "--plugin")
    other = json.dumps(
        {"mcpServers": {"other": {"command": COMMAND, "args": ["mcp", "--agent", "claude"]}}}
    )
    call = use("mcp__other__remember", **CALLS["remember"])

    session = machine.claude.run(
        "Keep it.", [bash("sleep 4"), call, say("done")], args=(*PLUGIN, "--mcp-config", other)
    )

    ((failed, text),) = results(session)
    assert failed
    assert "permission" in text
    assert kept(machine) == []


def test_with_both_there_is_one_server(machine: Machine) -> None:
    machine.run("hooks", "install", "--user")

    waits = [bash("sleep 2"), bash("sleep 2"), bash("sleep 2"), say("done")]
    session = machine.claude.run("hello", waits, args=("--plugin-dir", str(ROOT)))

    told = json.dumps([each.body for each in session.turns()])
    assert "mcp__hooklore__remember" in told
    assert "mcp__plugin_hooklore_hooklore__remember" not in told
