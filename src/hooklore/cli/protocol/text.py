"""The texts of the protocol: the full rules, and five points for one agent, of which each names its rule."""

from hooklore.agents.guests import find_guest, list_guests
from hooklore.agents.registration import LAUNCHER_PATH
from hooklore.agents.registry import MODULES, find_agent
from hooklore.errors import HookloreError

VERSION = "1.0"
"""The version of the rules and of the short text (seed 000 §12)."""

RULES_FILE = "PROTOCOL.md"
RULES_PATH = f"~/{LAUNCHER_PATH}/{RULES_FILE}"
"""The full rules where every install lays them out."""

RULES = f"""\
# The rules of shared memory, version {VERSION}

Several agents read and write one memory of one person. These rules hold for each of them.

## Read at the start of every task (MUST-1)

- The hooks of a session bring what memory has: pins and rules first, then recent memories.
- An agent without hooks calls the tool `wake_up`, or runs `hooklore snapshot`.
- `hooklore recall "a question"` and the tool `recall` search, `hooklore get NAME` and the tool `get` open.

## Write at the end, and only what is confirmed (MUST-2)

- Keep decisions, settings, paths, rules, procedures, known bugs and constraints: three to seven a task at most.
- Keep each as one to five short lines: who, what, why in one line, since when.
- Keep no guess, no chat, no long discussion. What the person has not said stands as your word, under your name.
- Look for the same memory before writing. What replaces an older memory names it by `--supersedes`.
- A key says what a memory is about, like `config:db_engine`: lower case, 64 characters at most.

## Never store (MUST-3)

- No secret, key, token, password or address that gives access, not even for a while.
- No personal data: e-mail and postal addresses, telephone and card numbers.
- Of an internal address keep the name and the point. The broker refuses what it recognises.

## Memory only grows (MUST-4, MUST-5)

- Nothing is overwritten: a newer version of a key wins, and the older one stays in the log.
- The same write twice is one write, so a write may be repeated.

## Stop where memory cannot be read or written (MUST-6)

- "shared memory unreadable" in a session means: do not answer from memory and do not guess.
- Say that memory could not be read, and ask the person to run `hooks doctor`.
- Where a write failed, say so and show the text, so that it can be kept later.
- With `strict = true` in `config.toml` the turn ends by itself.

## Who sees what

- `global` and `project:<slug>` are for every agent, `agent:<agent_id>` for one agent alone.
- A private memory leaves for no other agent. To share it, a person promotes it: `hooklore promote`.
- A deletion, an approval and a conflict are a person's decision. An agent proposes.
"""


_READ_BY_HOOKS = (
    "the hooks of the session bring shared memory. Where they brought nothing, call the tool `wake_up` "
    "or run `hooklore snapshot`"
)
_READ_BY_COMMAND = "read shared memory: call the tool `wake_up`, or run `hooklore snapshot`"
_READ_BY_PERSON = (
    "read shared memory: call the tool `wake_up`. Without the tool, ask the person for the output of "
    "`hooklore snapshot`"
)
_WRITE_BY_COMMAND = "with the tool `remember` or with `hooklore remember`"
_WRITE_BY_PERSON = (
    "with the tool `remember`. Without the tool, list them for the person to keep with "
    "`hooklore remember`"
)


class NoProtocol(HookloreError):
    """No agent of that name is known."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"could not write the protocol for `{name}`: no such agent is known",
            fix=f"name one of: {', '.join(agent_ids())}",
        )


def agent_ids() -> tuple[str, ...]:
    """Return the ids of the agents that the protocol is written for, those with hooks first."""
    return (*MODULES, *(guest.id for guest in list_guests()))


def protocol_text(agent_id: str) -> str:
    """Return the text for an agent. Raise NoProtocol."""
    agent, guest = find_agent(agent_id), find_guest(agent_id)
    known = agent or guest
    if known is None:
        raise NoProtocol(agent_id)
    runs_commands = agent is not None or (guest is not None and guest.runs_commands)
    writes = _WRITE_BY_COMMAND if runs_commands else _WRITE_BY_PERSON
    reads = _READ_BY_COMMAND if runs_commands else _READ_BY_PERSON
    reads = _READ_BY_HOOKS if agent is not None else reads
    return (
        f"hooklore shared memory protocol (v{VERSION}) for {known.name}, agent id `{known.id}`:\n"
        f"- At the start of a run: {reads} (MUST-1).\n"
        f"- At the end of a run: keep confirmed items only, {writes} (MUST-2).\n"
        "- Never store secrets or personal data (MUST-3).\n"
        "- If memory cannot be read, do not go on by guessing: stop, and ask the person to run "
        "`hooks doctor` (MUST-6).\n"
        f"- Full rules: {RULES_PATH}, or `hooklore protocol --full`.\n"
    )
