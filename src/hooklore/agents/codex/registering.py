"""The registration with Codex CLI, and its side of a rehearsal.

The client runs a hook only after its user has trusted the hook's definition: any change of command, matcher
or limit would ask for trust again. It takes the shell of the user's account, so a command line has nothing
that only some shells know.
"""

import json

from hooklore.agents.codex import AGENT, ANSWERS, EVENTS
from hooklore.agents.event import Edit
from hooklore.agents.hook_groups import HookGroups, hook_registration, hook_rehearsal
from hooklore.agents.registration import ClientFile, InstructionsFile, ServerRegistration
from hooklore.agents.rehearsal import Payload, Step
from hooklore.agents.toml_settings import ServerTable

INSTALL = "hooks install --agent codex"
TO_DO = "start `codex`, type `/hooks` and trust hooklore's hooks; until then Codex CLI skips them silently"

GROUPS = HookGroups(
    EVENTS, folder="codex", start_line="<run> || <absent> || echo '<cannot start>' || exit 0"
)

REGISTRATION = hook_registration(
    GROUPS,
    "Codex CLI runs no hook of this file",
    file=ClientFile(user=".codex/hooks.json", moved="hooks.json"),
    config_variable="CODEX_HOME",
    server=ServerRegistration(
        format=ServerTable("Codex CLI does not start with it", INSTALL),
        file=ClientFile(user=".codex/config.toml", moved="config.toml"),
        agent_id="codex",
        permitted={"default_tools_approval_mode": "approve"},
    ),
    instructions=InstructionsFile(
        ClientFile(".codex/AGENTS.md", "AGENTS.md", "AGENTS.md"),
        "the system or developer message of the API",
    ),
    to_do=TO_DO,
)


def _edit_input(edit: Edit) -> Payload:
    lines = [f"-{line}" for line in edit.before.splitlines()]
    lines += [f"+{line}" for line in edit.after.splitlines()]
    change = "".join(f"{line}\n" for line in (f"*** Update File: {edit.path}", "@@", *lines))
    return {"command": f"*** Begin Patch\n{change}*** End Patch\n"}


def _tool_answer(step: Step) -> str:
    """Return the answer of a tool. A command's end is written into the rollout first, as the client does."""
    if step.edit is not None:
        done = f"Success. Updated the following files:\nM {step.edit.path}\n"
        return f"Exit code: 0\nOutput:\n{done}"
    status, output = step.ended
    if step.transcript is not None:
        begin = {"type": "session_meta", "payload": {"id": step.session, "source": "cli"}}
        item = {"type": "CommandExecution", "id": step.tool_use_id, "exit_code": status}
        end = {"type": "event_msg", "payload": {"type": "item_completed", "item": item}}
        with open(step.transcript, "a", encoding="utf-8") as file:
            lines = (begin, end) if file.tell() == 0 else (end,)
            file.writelines(json.dumps(each, separators=(",", ":")) + "\n" for each in lines)
    return output


REHEARSAL = hook_rehearsal(
    GROUPS,
    ANSWERS,
    AGENT,
    _tool_answer,
    edit_input=_edit_input,
)
