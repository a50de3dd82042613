"""The registration with Gemini CLI, and its side of a rehearsal.

The client warns of a project's hook whose command is new. It takes stderr for the answer where stdout is empty,
so stderr leads nowhere.
"""

from hooklore.agents.gemini import AGENT, ANSWERS, EVENTS
from hooklore.agents.hook_groups import (
    LINE,
    START_LINE,
    HookGroups,
    hook_registration,
    hook_rehearsal,
)
from hooklore.agents.json_settings import ServerSettings
from hooklore.agents.registration import ClientFile, InstructionsFile, ServerRegistration
from hooklore.agents.rehearsal import Payload, Step

INSTALL = "hooks install --agent gemini"
_CONSEQUENCE = "Gemini CLI does not start with it"
_FILE = ClientFile(*[".gemini/settings.json"] * 3)
"""The settings. The client's variable names the home in which its folder lies."""

_QUIET = "<run> 2>/dev/null"

GROUPS = HookGroups(
    EVENTS,
    folder="gemini",
    line=LINE.replace("<run>", _QUIET),
    start_line=START_LINE.replace("<run>", _QUIET),
    name="hooklore",  # by which the client lists the hooks, and switches them off
    unit=1_000,
)

REGISTRATION = hook_registration(
    GROUPS,
    _CONSEQUENCE,
    allows_comments=True,
    file=_FILE,
    config_variable="GEMINI_CLI_HOME",
    instructions=InstructionsFile(
        ClientFile(".gemini/GEMINI.md", ".gemini/GEMINI.md", "GEMINI.md"),
        "the System Instructions of the API (`systemInstruction`) or of the app",
    ),
    server=ServerRegistration(
        format=ServerSettings(_CONSEQUENCE, allows_comments=True, install=INSTALL),
        file=_FILE,
        agent_id="gemini",
        home="$HOME",  # the client expands the variable
    ),
)


def _tool_answer(step: Step) -> Payload:
    """Return the answer of a tool: the exit status of a failed command stands below its output."""
    if step.edit is not None:
        return {
            "llmContent": f"Successfully modified file: {step.edit.path}",
            "returnDisplay": {"filePath": step.edit.path},
        }
    status, output = step.ended
    below = f"Exit Code: {status}\n" if status else ""
    told = f"Output: {output or '(empty)'}\n{below}Process Group PGID: 1"
    return {
        "llmContent": f"<untrusted_context>\n{told}\n</untrusted_context>",
        "returnDisplay": output,
    }


REHEARSAL = hook_rehearsal(
    GROUPS,
    ANSWERS,
    AGENT,
    _tool_answer,
    variables={"GEMINI_PROJECT_DIR": "<project>", "GEMINI_CWD": "<project>"},
)
