"""Anvil, an agent that nobody makes: it speaks the dialect of hooks with names of its own, and is a table.

Nothing here is a function: what it needs stands in the modules that clients share.
"""

from hooklore.agents import hook_dialect as dialect
from hooklore.agents.agent import (
    Agent,
    CallFields,
    ClientEvent,
    Marks,
    McpClient,
    late,
    list_fields,
    name_fields,
)
from hooklore.agents.call_input import read_input
from hooklore.agents.diagnosis import Diagnosis, Switch
from hooklore.agents.hook_groups import HookGroups, hook_registration, hook_rehearsal
from hooklore.agents.json_settings import ServerSettings
from hooklore.agents.registration import ClientFile, InstructionsFile, ServerRegistration
from hooklore.agents.stopping import StopMarks

EVENTS = {
    "sessionOpened": ClientEvent("session_start", recalls=True, limit=10),
    "promptTyped": ClientEvent("prompt", recalls=True),
    "toolPlanned": ClientEvent("before_tool", recalls=True, matcher="strike|forge"),
    "toolDone": ClientEvent("after_tool", reads="look"),
    "toolBroken": ClientEvent("failure", recalls=True),
    "turnDone": ClientEvent("answer"),
    "sessionClosed": ClientEvent("session_end"),
}
WIRE = dialect.hook_wire(
    names=dialect.NAMES | name_fields(tool_use_id="call.ref", task_id="turnId"),
    text=name_fields(prompt="typed", answer="said", failure="broke.message"),
    salvaged=list_fields("session_id cwd typed tool_name tool_input.line"),
    call=CallFields(
        ("tool_input",), ("tool_result",), "text", paths=("target",), command="line", before="old",
        after=("new",), intent=("why",), described=("why",),
    ),
)  # fmt: skip
ANSWERS = dialect.AnswerForm(room=9000, measure=dialect.count_bytes, deciding="toolPlanned")

GROUPS = HookGroups(EVENTS, folder="anvil")
FILE = ClientFile(".anvil/settings.json", "settings.json", project=".anvil/settings.json")
LOST = "Anvil starts without its settings"
REGISTRATION = hook_registration(
    GROUPS,
    LOST,
    allows_comments=True,
    file=FILE,
    config_variable="ANVIL_HOME",
    server=ServerRegistration(
        ServerSettings(LOST, True, "hooks install --agent anvil", key="servers"), FILE, "anvil"
    ),
    instructions=InstructionsFile(ClientFile(".anvil/ANVIL.md", "ANVIL.md", "ANVIL.md"), "its API"),
)

AGENT = Agent(
    id="anvil",
    name="Anvil",
    events=EVENTS,
    wire=WIRE,
    read_call=lambda payload, kind: read_input(payload, kind, WIRE.call),
    print_answer=ANSWERS.print_answer,
    registration=late(__name__, "REGISTRATION"),
    diagnosis=late(__name__, "DIAGNOSIS"),
    rehearsal=late(__name__, "REHEARSAL"),
    tools={"strike": "command", "forge": "edit", "look": "read"},
    marks=Marks(programs=("anvil",), project_dir="ANVIL_PROJECT", process=("ANVIL",)),
    mcp=McpClient(names=("anvil-mcp",)),
    unreadable=dialect.UNREADABLE,
    stops=StopMarks({"refused": "Not allowed:"}),
)

DIAGNOSIS = Diagnosis(
    program="anvil",
    client="Anvil",
    registration=REGISTRATION,
    install="hooks install --agent anvil",
    folder="~/.anvil",
    order=("settings files", "hooks enabled", "config directory"),
    switches=(Switch("quiet", True, "`quiet` in `{path}` stops every hook", "correct `{path}`"),),
)
REHEARSAL = hook_rehearsal(
    GROUPS,
    ANSWERS,
    AGENT,
    lambda step: None if step.error else {"text": step.output or ""},
    variables={"ANVIL_PROJECT": "<project>"},
)
