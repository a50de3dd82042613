"""The contract of a chat adapter: a bot hands in the text of a message and sends the reply.

The module knows no chat. A bot keeps its token, its polling and its users; it makes one `ChatCommands` for
each chat that it serves, and asks it about every message:

>>> import tempfile
>>> from hooklore import Memory
>>> from hooklore.api.chat_commands import ChatCommands
>>> store = tempfile.TemporaryDirectory()
>>> memory = Memory(agent="chatgpt", store=store.name, session_id="chat-7", in_process=True)
>>> chat = ChatCommands(memory, is_group=True, bot_name="mill_bot")
>>> chat.reply("Good morning everybody") is None
True
>>> print(chat.reply("/remember The reading room is closed on Mondays."))
kept: stored
>>> "The reading room is closed on Mondays." in chat.reply("/recall@mill_bot is the reading room closed?")
True
>>> chat.reply("/recall@other_bot is the reading room closed?") is None
True
>>> memory.close()
>>> store.cleanup()

The rules of the contract:

- A message that is no command of this bot gets no reply: `reply` returns None. Hand it to `Memory.ingest`
  where the chat is to be remembered.
- Each command is one request of the memory's agent. What this agent may not see is not in a reply.
- A group reads no private memory, and a reply to a group counts none. Nothing private is kept from a group:
  everybody has read the words already.
- A chat decides nothing in the person's place. `/forget KEY` of an agent with the permission proposes to
  delete that memory, and the proposal waits. Other words show what would be forgotten, and how.
- A reply is plain text of at most `longest` characters. It never holds a traceback, and a problem comes
  with its next step.
"""

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from hooklore.api.memory import Memory
from hooklore.errors import HookloreError, RequestRefused
from hooklore.requests.response import Response
from hooklore.requests.results import Recalled, RecalledMemory, Remembered
from hooklore.requests.verb import ChatWords, Verb
from hooklore.requests.verb_table import all_verbs

_LONGEST = 4_000
_FORGET = ChatWords(("forget", "忘れて"), "WORDS - see what the person would forget (忘れて)")
_HELP = ChatWords(("help", "start", "ヘルプ"), "- this list (ヘルプ)")
_COMMAND = re.compile(
    r"[/／](?P<name>[^\s@/／]{1,32})(?:@(?P<bot>\w{1,64}))?(?:\s+(?P<rest>.*))?", re.DOTALL
)
_NOTHING = "nothing in memory answers that"


@dataclass(frozen=True, slots=True)
class ChatCommand:
    """A command of a message: its first name, and the words behind it."""

    name: str
    words: str


@cache
def _commands() -> Mapping[str, tuple[ChatWords, Verb | None]]:
    """Return the commands by their first names: those of verbs, then those that a chat has alone."""
    of_verbs = [(words, verb) for verb in all_verbs().values() for words in verb.chat]
    own: list[tuple[ChatWords, Verb | None]] = [(_FORGET, None), (_HELP, None)]
    return {words.names[0]: (words, verb) for words, verb in [*of_verbs, *own]}


def parse_chat_command(text: str, bot_name: str = "") -> ChatCommand | None:
    """Return the command that a message gives this bot; None for another message, or another bot's.

    A command begins with a slash, of the usual or the full width. `bot_name` may stand behind it.
    """
    found = _COMMAND.fullmatch(text.strip())
    if found is None:
        return None
    addressed = found["bot"]
    if addressed and addressed.casefold() != bot_name.casefold():
        return None
    name = found["name"].casefold()
    first = next((own for own, (words, _) in _commands().items() if name in words.names), None)
    return ChatCommand(first, (found["rest"] or "").strip()) if first else None


class ChatCommands:
    """The commands of one chat. `memory` is that of the agent that the bot is registered as."""

    def __init__(
        self, memory: Memory, *, is_group: bool, bot_name: str = "", longest: int = _LONGEST
    ) -> None:
        """`is_group` is true where more than the person reads along."""
        self._memory = memory.in_group() if is_group else memory
        self._is_group = is_group
        self._bot_name, self._longest = bot_name, longest

    def reply(self, text: str) -> str | None:
        """Return the reply to a message, None for a message that is no command of this bot. Never raises."""
        command = parse_chat_command(text, self._bot_name) if isinstance(text, str) else None
        if command is None:
            return None
        try:
            told = self._answer(command)
        except HookloreError as error:
            told = f"{error}\n{error.fix}"
        return told if len(told) <= self._longest else told[: self._longest - 1] + "…"

    def _answer(self, command: ChatCommand) -> str:
        chosen, verb = _commands()[command.name]
        if chosen is _HELP or not command.words:
            return "\n".join(f"/{name} {words.help}" for name, (words, _) in _commands().items())
        if verb is None:
            return self._propose_forgetting(command.words)
        if chosen.given.get("private") and self._is_group:
            return "nothing is kept: a group has no private memory, and everybody here read it"
        given = {**verb.of_subject(command.words), **chosen.given}
        response = self._memory.ask(verb.name, **given)
        if verb.result is Remembered:
            return _describe_kept(Remembered.of(response))
        if verb.result is Recalled:
            return _numbered(self._visible(response)) or _NOTHING
        return response.text

    def _propose_forgetting(self, words: str) -> str:
        """Propose to delete the memory with this key, else show what the words find."""
        if len(words.split()) == 1:
            with contextlib.suppress(RequestRefused):
                return self._memory.ask("delete_memory_entry", key=words).text
        found = self._visible(self._memory.ask("search_memories", query=words))
        if not found:
            return _NOTHING
        return f"{_numbered(found)}\nnothing is forgotten yet: the person runs `hooklore forget` at a terminal"

    def _visible(self, response: Response) -> list[RecalledMemory]:
        """Return what this chat may read of a response."""
        found = Recalled.of(response).memories
        return [each for each in found if not (each.private and self._is_group)]


def _numbered(memories: Sequence[RecalledMemory]) -> str:
    lines = (
        f"{place}. {each.text} ({each.ts[:10]}, {each.agent_id}) [{each.short_id}]"
        for place, each in enumerate(memories, start=1)
    )
    return "\n".join(lines)


def _describe_kept(kept: Remembered) -> str:
    told = "kept privately" if kept.private else "kept"
    waits = f"{told}, and waits for the person: {kept.waits}"
    return waits if kept.waits else f"{told}: {kept.status}"
