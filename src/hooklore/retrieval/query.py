"""Describe what a trigger asks of memory, its token budget, and the context that it is answered in."""

from dataclasses import dataclass
from typing import NamedTuple

from hooklore.agents.program_name import PROGRAM
from hooklore.text.code_identifiers import CodeChange
from hooklore.text.project_paths import relative_to_root

GUARD = "guard"
"""The trigger of a refusal. A refusal has a history of its own, whatever a brief has shown already."""

BREACH = "breach"
"""The part of a context's history that has the rules told at the steps that broke them."""

RESUMED = "resumed"
"""The part of a context's history that has where work was left. A brief may have told its open points alone."""

READING = "reading"
"""The part of a context's history that says whether the context was told how to read notes."""

LONGEST_ASKING = 300
"""Characters of a prompt that may ask where the work was left."""

TOKEN_BUDGETS = {
    GUARD: 300,
    "prompt": 600,
    "before_tool": 300,
    "failure": 200,
    "agent_start": 400,
}
"""Tokens of text that one answer may hold, by trigger. A session's brief has a setting of its own."""


class Superproject(NamedTuple):
    """A superproject of the folder that a query comes from: its id, its top, and where the folder lies in it."""

    project: str
    root: str
    folder: str

    def name_path(self, path: str) -> str:
        """Return a path of the folder as the superproject names it."""
        is_elsewhere = path.startswith("/")
        return relative_to_root(path, self.root) if is_elsewhere else f"{self.folder}/{path}"


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """One question to memory.

    `text` is the text of the event, `command` and `paths` name a step that is about to run or has
    failed. A failure is known by its `signatures` and its `key`. `before` is the position and the id
    of a record up to which the log is read: an evaluation asks as of an earlier day. `now` (RFC 3339)
    is the clock by which "yesterday" is read, None for the clock of this machine. `may_keep` is true where a
    person is there to say what lasts: neither in a headless session nor for a subagent. `keep_tool` is the
    tool of the MCP server by which the agent keeps memories, "" without one. `program` is what the
    agent's shell runs hooklore by. `added` are the names that an edit brings into a file, `changes` what the
    edit changes there. `own_words` are the sentences of a prompt that the user typed. `superprojects` tell how
    the superprojects of a submodule name its files. `begins_work` is true for a session that begins without a
    context. `loads_files_of` are the agent and the project whose memory files the client puts before its model
    itself, ("", None) for a client that does not,
    and for a question that an agent asks.
    """

    trigger: str
    session_id: str | None = None
    subagent_id: str | None = None
    agent_type: str | None = None
    source: str | None = None
    text: str = ""
    command: str | None = None
    paths: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    key: str | None = None
    before: tuple[int, str] | None = None
    now: str | None = None
    may_keep: bool = False
    keep_tool: str = ""
    program: str = PROGRAM
    added: frozenset[str] = frozenset()
    changes: tuple[CodeChange, ...] = ()
    own_words: str = ""
    begins_work: bool = False
    loads_files_of: tuple[str, str | None] = ("", None)
    superprojects: tuple[Superproject, ...] = ()

    def paths_in(self, project: str | None) -> tuple[str, ...]:
        """Return the paths of the query as a project names them: a superproject begins further up."""
        outer = next((each for each in self.superprojects if each.project == project), None)
        return tuple(map(outer.name_path, self.paths)) if outer is not None else self.paths

    @property
    def before_position(self) -> int | None:
        """The position in the log up to which records are read, None for the whole log."""
        return self.before[0] if self.before else None

    @property
    def before_id(self) -> str | None:
        """The id before which records are read, None for all of them."""
        return self.before[1] if self.before else None


def context_key(query: RecallQuery) -> str:
    """Return the key of the context whose history of shown notes applies to `query`.

    Each session and each subagent has a history, and the failures and refusals within them have one
    each of their own.
    """
    own = ("failure", GUARD, BREACH, RESUMED, READING)
    part = query.trigger if query.trigger in own else "notes"
    return f"{query.session_id}|{query.subagent_id or ''}|{part}"
