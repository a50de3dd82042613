"""A prompt of Gemini CLI taken apart: the user's words, and what the client put around them.

In `-p` the client puts the text of hooks in front of the prompt, its angle brackets escaped, and reports
both as the prompt. Files that the prompt names with `@` stand below it, whole.
"""

import re

from hooklore.agents.agent import PromptParts
from hooklore.agents.event import SlashCommand

_HOOK_TEXT = re.compile(r"<hook_context>[^<]*</hook_context>\s*")
_FILES = re.compile(
    r"\n*--- Content from referenced files ---\n.*?(?:\n--- End of content ---|\Z)", re.DOTALL
)
_SLASH = re.compile(r"/([A-Za-z0-9][\w:.-]{0,99})(?:\s+(.*))?\Z", re.DOTALL)


def split_prompt(prompt: str) -> PromptParts:
    """Return the user's words of a prompt, without hooks' texts and without the content of files."""
    words = _FILES.sub("", _HOOK_TEXT.sub("", prompt)).strip()
    typed = _SLASH.match(words)
    if typed:
        return PromptParts("", SlashCommand(typed[1], (typed[2] or "").strip()))
    return PromptParts(words)


def typed_text(words: str) -> str:
    """Return the words that may have been typed. The words may have been cut: so may a file's content."""
    return _FILES.sub("", words)
