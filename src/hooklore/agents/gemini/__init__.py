"""Gemini CLI, as seen by driving the real client (0.61.0).

Its events of a model call (BeforeModel, AfterModel, BeforeToolSelection) carry the whole request and fire
for every chunk of an answer: they are not registered.
"""

import re

from hooklore.agents import hook_dialect as dialect
from hooklore.agents.agent import (
    ClientEvent,
    Marks,
    McpClient,
    Payload,
    PromptParts,
    Starts,
    late,
    list_fields,
    name_fields,
)
from hooklore.agents.event import EventName, SlashCommand
from hooklore.agents.gemini.tool_calls import CALL, STOPS, error_of, read_call

_BY_USER = "manual"
"""The trigger of a compression that the user asked for. The others come at every call of the model."""

_READS = "read_file|read_many_files|glob|grep_search|list_directory"
EVENTS = {
    "SessionStart": ClientEvent("session_start", recalls=True, limit=10),
    "BeforeAgent": ClientEvent("prompt", recalls=True),
    "BeforeTool": ClientEvent(
        "before_tool",
        matcher="^(?:run_shell_command|replace|write_file|web_fetch|google_web_search|invoke_agent)$",
    ),
    "AfterTool": ClientEvent("after_tool", recalls=True, variants=("failure",), reads=_READS),
    "AfterAgent": ClientEvent("answer"),
    "PreCompress": ClientEvent("before_compaction", variants=("other",), matcher=_BY_USER),
    "SessionEnd": ClientEvent("session_end"),
}
"""Text printed at BeforeTool reaches no model: that event only refuses a tool."""

_WIRE = dialect.hook_wire(
    names=dialect.NAMES,
    text={"failure": error_of, **name_fields(prompt="prompt", answer="prompt_response")},
    salvaged=list_fields(
        "session_id transcript_path cwd hook_event_name source reason trigger prompt prompt_response"
        " tool_name tool_input.command tool_input.description tool_input.file_path"
    ),
    call=CALL,
)
"""An answer is not salvaged: a command's exit status stands at its end, which is what is missing."""

_TOOLS = {
    "run_shell_command": "command", "replace": "edit", "write_file": "write", "read_file": "read",
    "read_many_files": "read", "read_mcp_resource": "read", "glob": "search",
    "grep_search": "search", "list_directory": "search", "invoke_agent": "agent",
    "web_fetch": "web", "google_web_search": "web",
}  # fmt: skip

ANSWERS = dialect.AnswerForm(
    room=9000, measure=len, deciding="BeforeTool", counts_context=True, is_flat=True
)
"""Plain text reaches no model. The client escapes angle brackets in a context, and cuts nothing up to 60,000
characters: 9,000 are the room that every agent's notes have."""

_ROLES = {
    "codebase_investigator": "researcher", "cli_help": "researcher", "generalist": "executor",
    "browser_agent": "executor",
}  # fmt: skip


def _refine_event(event: EventName, payload: Payload) -> EventName:
    """Return the event of a payload: a failed tool is a failure.

    The client announces a compression at every call of the model, and compresses nothing. Only one that the
    user asked for is told from that.
    """
    if event == "after_tool" and error_of(payload) is not None:
        return "failure"
    if event == "before_compaction" and payload.get("trigger") != _BY_USER:
        return "other"
    return event


_HOOK_TEXT = re.compile(r"<hook_context>[^<]*</hook_context>\s*")
_FILES = re.compile(
    r"\n*--- Content from referenced files ---\n.*?(?:\n--- End of content ---|\Z)", re.DOTALL
)


def _split_prompt(prompt: str) -> PromptParts:
    """Return the user's words of a prompt, without hooks' texts and without the content of files.

    In `-p` the client puts the text of hooks in front of the prompt, its angle brackets escaped, and reports
    both as the prompt. Files that the prompt names with `@` stand below it, whole.
    """
    words = _FILES.sub("", _HOOK_TEXT.sub("", prompt)).strip()
    typed = SlashCommand.typed(words)
    return PromptParts("" if typed else words, typed)


AGENT = dialect.hook_agent(
    __name__,
    ANSWERS,
    id="gemini",
    name="Gemini CLI",
    events=EVENTS,
    wire=_WIRE,
    read_call=read_call,
    tools=_TOOLS,
    tool_prefixes={"mcp_": "mcp"},
    refine_event=_refine_event,
    split_prompt=_split_prompt,
    # The words may have been cut: so may a file's content.
    typed_text=lambda words: _FILES.sub("", words),
    marks=Marks(programs=("gemini",), project_dir="GEMINI_PROJECT_DIR", process=("GEMINI_CLI",)),
    # A session that is resumed has lost the texts of hooks: its file keeps what the user typed.
    starts=Starts(forgetting=frozenset(("resume",)), unheard=frozenset(("clear",))),
    mcp=McpClient(names=("gemini-cli-mcp-client",)),
    roles=_ROLES,
    stops=STOPS,
    aliases=("gemini-cli", "gemini_cli"),
    spoken_names=("gemini",),
    sites=("geminicli.com",),
    transcripts=r"\.gemini/tmp/[^/]+/chats/.*\.jsonl?$",
    notes=r"(?:^|/)gemini\.md$",
    memory_files=late("hooklore.agents.gemini.memory_folder", "MEMORY_FILES"),
    loads_memory_files=True,
)
