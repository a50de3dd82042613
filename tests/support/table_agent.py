"""Anvil, an agent that nobody makes: a client whose hooks are told apart from others' by a table alone.

Its events, tools and fields have names of their own, and its settings are JSON with comments.
"""

from hooklore.agents import hook_dialect as dialect
from hooklore.agents.agent import (
    Agent,
    CallFields,
    ClientEvent,
    Marks,
    McpClient,
    Payload,
    name_fields,
)
from hooklore.agents.call_input import first_text, object_at, read_input
from hooklore.agents.diagnosis import Diagnosis, Switch
from hooklore.agents.event import ToolCall, ToolOutput
from hooklore.agents.hook_groups import HookGroups, hook_registration, hook_rehearsal
from hooklore.agents.json_settings import ServerSettings
from hooklore.agents.registration import ClientFile, InstructionsFile, ServerRegistration
from hooklore.agents.rehearsal import Step

EVENTS = {
    "TaskOpened": ClientEvent("session_start", recalls=True, limit=10),
    "WordGiven": ClientEvent("prompt", recalls=True),
    "BlowPlanned": ClientEvent("before_tool", recalls=True, matcher="strike|reshape"),
    "BlowStruck": ClientEvent("after_tool", reads="look"),
    "BlowMissed": ClientEvent("failure", recalls=True),
    "WordReturned": ClientEvent("answer"),
    "TaskClosed": ClientEvent("session_end"),
}
CALL = CallFields(
    given=("blow", "with"),
    gave=("blow", "came"),
    paths=("file",),
    command="line",
    before="old",
    after=("new",),
    intent=("why",),
    described=("why",),
)
ANSWERS = dialect.AnswerForm(room=4000, measure=len, deciding="BlowPlanned", counts_context=True)
GROUPS = HookGroups(EVENTS, folder="anvil", unit=1_000)
FILE = ClientFile(user=".anvil/hooks.json", moved="hooks.json", project=".anvil/hooks.json")


def read_call(payload: Payload, tool_class: str | None) -> ToolCall:
    """Return the tool call of a payload, with the text of its answer."""
    text = first_text(object_at(payload, CALL.gave), "text")
    return read_input(payload, tool_class, CALL, output=ToolOutput(text) if text else None)


def _tool_answer(step: Step) -> Payload | None:
    return None if step.error is not None else {"text": step.output or "done"}


REGISTRATION = hook_registration(
    GROUPS,
    "Anvil does not start with it",
    allows_comments=True,
    file=FILE,
    config_variable="ANVIL_HOME",
    instructions=InstructionsFile(ClientFile(".anvil/ANVIL.md", "ANVIL.md", "ANVIL.md"), "its API"),
    server=ServerRegistration(
        format=ServerSettings(
            "Anvil does not start with it",
            allows_comments=True,
            install="hooks install --agent anvil",
        ),
        file=FILE,
        agent_id="anvil",
    ),
)

DIAGNOSIS = Diagnosis(
    program="anvil",
    client="Anvil",
    registration=REGISTRATION,
    install="hooks install --agent anvil",
    folder="~/.anvil",
    order=("settings files", "hooks enabled", "config directory"),
    switches=(
        Switch(("cold",), True, "`cold` in `{path}` stops every hook", "remove it from `{path}`"),
    ),
)

AGENT: Agent = Agent(
    id="anvil",
    name="Anvil",
    events=EVENTS,
    wire=dialect.hook_wire(
        names=name_fields(session_id="task", tool="blow.tool", tool_use_id="blow.ref"),
        text=name_fields(prompt="word", answer="word", failure="blow.fault"),
        call=CALL,
    ),
    read_call=read_call,
    print_answer=ANSWERS.print_answer,
    registration=lambda: REGISTRATION,
    diagnosis=lambda: DIAGNOSIS,
    rehearsal=lambda: hook_rehearsal(GROUPS, ANSWERS, AGENT, _tool_answer),
    tools={"strike": "command", "reshape": "edit", "look": "read"},
    marks=Marks(programs=("anvil",), process=("ANVIL_TASK",), session="ANVIL_TASK"),
    mcp=McpClient(names=("anvil",)),
    unreadable=dialect.UNREADABLE,
)
