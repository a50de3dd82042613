"""The description of one agent: everything that hooklore knows of its client, as one value.

Nothing outside an agent's module spells its event names, tool names, fields or files. An agent of
another kind is a module with a value of this type, its recorded fixtures, and one line in `registry`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from hooklore.agents.event import BackgroundTask, EventName, SlashCommand, ToolCall
from hooklore.agents.stopping import StopMarks

if TYPE_CHECKING:
    from hooklore.agents.diagnosis import Diagnosis
    from hooklore.agents.memory_files import MemoryFiles
    from hooklore.agents.registration import Registration
    from hooklore.agents.rehearsal import Rehearsal

Payload = Mapping[str, Any]
"""A hook's payload as the client sends it."""

Field = tuple[str, ...]
"""The keys on the way to a value in a payload; empty where the client has no such value."""

TextReader = Callable[[Payload], str | None]
"""Returns a text of a payload that stands in no field of its own."""


def name_fields(**names: str) -> dict[str, Field]:
    """Return fields by name. Each is given by its keys, with dots between."""
    return {name: tuple(keys.split(".")) for name, keys in names.items()}


def list_fields(names: str) -> tuple[Field, ...]:
    """Return the fields in a text, each by its keys with dots between."""
    return tuple(tuple(keys.split(".")) for keys in names.split())


def late(module: str, name: str = "") -> Callable[[], Any]:
    """Return the function that imports a module and returns its value: no hook pays for it before."""
    return lambda: getattr(import_module(module), name)


@dataclass(frozen=True, slots=True)
class ClientEvent:
    """One event of a client, and its canonical event.

    Text printed at a `recalls` event reaches the model. `variants` are the canonical events that a payload of
    this event may be instead, see `Agent.refine_event`. The client grants `limit` seconds, for the tools of
    `matcher`, or for all but the tools `reads`, which count only where reads are recorded.
    """

    event: EventName
    recalls: bool = False
    variants: tuple[EventName, ...] = ()
    limit: int = 5
    matcher: str = ""
    reads: str = ""

    @property
    def seconds(self) -> float:
        """Return the most seconds that the hook of this event takes."""
        return 1.5 if self.recalls else 1.2 if self.event == "session_end" else 0.8

    @property
    def speaks(self) -> bool:
        """Return whether the event says, once in a session, that memory cannot be read."""
        return self.recalls and self.event in ("session_start", "prompt")


@dataclass(frozen=True, slots=True)
class CallFields:
    """The places of a tool call's parts: `given` is the object that is a tool's input, `gave` its answer.

    `output` is the key of an answer's text, all others are keys of the input. Of several keys the first that
    has a text counts, of `paths` and `described` each. `edits` are the edits of an input that holds several.
    """

    given: Field = ()
    gave: Field = ()
    output: str = ""
    paths: tuple[str, ...] = ()
    command: str = ""
    edits: str = ""
    before: str = ""
    after: tuple[str, ...] = ()
    pattern: str = ""
    intent: tuple[str, ...] = ()
    described: tuple[str, ...] = ()
    assignment: tuple[str, ...] = ()
    agent_type: str = ""


@dataclass(frozen=True, slots=True)
class WireFormat:
    """The places of `HookEvent`'s fields in a payload.

    `names` are ids and names, `locations` are paths, both by attribute. `text`, `source` and `details`
    differ by canonical event. `failure_details` are more texts of an answer that failed. `salvaged` are
    the strings that are looked for in a damaged payload. A rehearsal writes its payloads by the same places.
    """

    event_name: Field = ()
    names: Mapping[str, Field] = field(default_factory=dict)
    locations: Mapping[str, Field] = field(default_factory=dict)
    interrupted: Field = ()
    duration_ms: Field = ()
    text: Mapping[str, Field | TextReader] = field(default_factory=dict)
    source: Mapping[str, Field] = field(default_factory=dict)
    details: Mapping[str, Mapping[str, Field]] = field(default_factory=dict)
    failure_details: tuple[Field, ...] = ()
    salvaged: tuple[Field, ...] = ()
    call: CallFields = CallFields()


@dataclass(frozen=True, slots=True)
class Marks:
    """Names of the environment variables that a client sets for its hooks and for commands of its agent.

    `programs` are the names of the client's own program. Any of `process` says that a command was started by
    the agent, and `session` names its session. A client that gives these to its hooks, too, gives
    `project_dir` to hooks alone.
    `interactive` are the values of `entrypoint` where a person types the prompts. Prompts that come in by
    another way, or by one that the client does not tell, teach nothing.
    """

    programs: tuple[str, ...] = ()
    project_dir: str = ""
    entrypoint: str = ""
    child_session: str = ""
    process: tuple[str, ...] = ()
    session: str = ""
    interactive: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that a hook hands to the resident."""
        return tuple(filter(None, (self.project_dir, self.entrypoint, self.child_session)))


@dataclass(frozen=True, slots=True)
class McpClient:
    """A client as an MCP server meets it.

    `names` are the client's own in `clientInfo`. `session` are the keys of its session's id in the `_meta` of
    a call, empty where it sends none. `plugin_tools` are the tools that need nobody, as the client names them
    where a plugin brings the server. `may_start` returns what says whether the user lets the client start the
    server that is registered in a project, given the home and the project.
    """

    names: tuple[str, ...] = ()
    session: Field = ()
    plugin_tools: Mapping[str, str] = field(default_factory=dict)
    may_start: Callable[[], Callable[[Path, str], bool]] = lambda: lambda _home, _project: True


@dataclass(frozen=True, slots=True)
class Starts:
    """The source of a session's start, and what it tells of the model's view.

    After one of `forgetting` the model has lost what hooks told it before. At one of `unheard` the text of
    a hook reaches no model: the brief comes with the next prompt.
    """

    forgetting: frozenset[str] = frozenset(("compact",))
    unheard: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PromptParts:
    """A prompt taken apart: `words` are the user's own, the other fields are what came with them."""

    words: str = ""
    slash: SlashCommand | None = None
    notification: BackgroundTask | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a hook: `context` for the model, `notice` for the user.

    `stop_reason` ends the turn. `refusal` keeps a tool from running. `question` makes the client ask its
    user whether the tool may run, then with `changed_input`. `permission` lets a tool run without a question
    and says why; rules of the user that forbid it still hold.
    """

    context: str | None = None
    notice: str | None = None
    stop_reason: str | None = None
    refusal: str | None = None
    question: str | None = None
    changed_input: Payload | None = None
    permission: str | None = None


class AnswerInvalid(Exception):
    """The client would not take this answer as it was meant. The message says why."""


@dataclass(frozen=True, slots=True)
class UnreadableAnswer:
    """The texts that the launcher's client prints when memory cannot be read: for the model, or a stop.

    The client fills in `<event>`, `<text>`, and the line for the user as `<notice>`.
    """

    context: str = ""
    stop: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """The way in which a client asks its user before a tool runs.

    `modes` are those in which an interactive session shows a question. `change_command` returns the tool's
    input of a payload with another command. `runs_plainly` says whether a payload's tool is a POSIX shell
    that runs the command as the client runs any other; only such a call is permitted without a question.
    """

    modes: frozenset[str] = frozenset()
    change_command: Callable[[Payload, str], Payload] = lambda _payload, command: {
        "command": command
    }
    runs_plainly: Callable[[Payload], bool] = lambda _payload: False


AgentRole = Literal["orchestrator", "executor", "reasoner", "researcher", "general"]
"""The kind of work that an agent does (seed 003)."""

AgentPermission = Literal["owner", "admin", "worker"]
"""The acts that an agent is allowed (seed 004)."""

NOT_AGENTS = ("system", "person", "program", "unknown")
"""Names of writers that no agent may go by."""


@dataclass(frozen=True, slots=True, eq=False)
class Agent:
    """One agent and its client.

    `id` is the name in records, `name` the one that people read. `aliases` are names in imported logs,
    `spoken_names` those by which people address the agent, `sites` its maker's public hosts, `connector_hosts`
    those where a connector of its service takes an answer of OAuth, `source_system` the word of seed 000 §6
    for it. `role` is that of a session's main agent, `roles` those of its subagents by type, `permission` the
    acts that it is allowed until a store's settings say otherwise.

    `read_entrypoint` tells from a payload how the session was started, where no variable does. `refine_event`
    tells from a payload its canonical event, given that of the event's name: a client may have one event for a
    tool that succeeded and a tool that failed. `read_call` reads a tool call from a payload and the tool's
    class, `split_prompt` takes a prompt apart, `typed_text` takes pasted text and the client's own text out of
    a prompt's recorded words. `stops` tells who stopped a tool.

    `token_totals` sums the tokens of a transcript, `session_of_transcript` tells the session of a file name
    beside one. `transcripts` matches paths of the client's own files, `notes` those of files that people write
    for it. `memory_files` are those that its model writes; a client that `loads_memory_files` itself puts them,
    or an index of them, before its model. `registration`, `diagnosis` and `rehearsal` are imported by commands
    only, `memory_files` when a hook is answered, `later_imports` are more modules that a hook imports late.
    """

    id: str
    name: str
    events: Mapping[str, ClientEvent]
    wire: WireFormat
    read_call: Callable[[Payload, str | None], ToolCall]
    print_answer: Callable[[str, Answer], bytes]
    registration: "Callable[[], Registration]"
    diagnosis: "Callable[[], Diagnosis]"
    rehearsal: "Callable[[], Rehearsal]"
    tools: Mapping[str, str] = field(default_factory=dict)
    tool_prefixes: Mapping[str, str] = field(default_factory=dict)
    refine_event: Callable[[EventName, Payload], EventName] = lambda event, _payload: event
    read_entrypoint: Callable[[Payload], str | None] = lambda _payload: None
    split_prompt: Callable[[str], PromptParts] = PromptParts
    typed_text: Callable[[str], str] = str
    is_summarizer: Callable[[Payload], bool] = lambda _payload: False
    marks: Marks = Marks()
    starts: Starts = Starts()
    asking: Asking = Asking()
    mcp: McpClient = McpClient()
    unreadable: UnreadableAnswer = UnreadableAnswer()
    role: AgentRole = "general"
    permission: AgentPermission = "worker"
    roles: Mapping[str, str] = field(default_factory=dict)
    stops: StopMarks = field(default_factory=StopMarks)
    source_system: str = "cli"
    aliases: tuple[str, ...] = ()
    spoken_names: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    connector_hosts: tuple[str, ...] = ()
    token_totals: Callable[[str], dict[str, int]] = lambda _path: {}
    session_of_transcript: Callable[[str], str | None] = lambda _name: None
    transcripts: str = r"(?!)"
    notes: str = r"(?!)"
    memory_files: "Callable[[], MemoryFiles | None]" = lambda: None
    loads_memory_files: bool = False
    recorded_sessions: Path | None = None
    later_imports: tuple[str, ...] = ()

    def tool_class(self, tool: str | None) -> str | None:
        """Return the class of a tool, `other` for a tool without one; None without a tool."""
        if tool is None:
            return None
        prefixed = (kind for start, kind in self.tool_prefixes.items() if tool.startswith(start))
        return self.tools.get(tool) or next(prefixed, "other")

    def tool_names(self, *classes: str) -> tuple[str, ...]:
        """Return the client's names for tools of these classes."""
        return tuple(name for name, kind in self.tools.items() if kind in classes)

    def wire_events(self, event: EventName) -> tuple[str, ...]:
        """Return the client's names for a canonical event."""
        return tuple(
            name for name, each in self.events.items() if event in (each.event, *each.variants)
        )
