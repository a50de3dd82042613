"""Remind an agent to keep what a prompt says, where the prompt has a strong mark of something lasting.

A mark is no decision: the agent reads the prompt and judges. Of the marks here about half stand in prompts
that hold a rule, a decision or a fact.
"""

import re

from hooklore.agents.program_name import PROGRAM, name_program
from hooklore.agents.registry import notes_paths
from hooklore.broker.principal_reader import Reader
from hooklore.late_pattern import compile_late
from hooklore.records import keys
from hooklore.retrieval.brief_text import BY_TOOL

REMINDER = "hooklore: if this holds beyond the task, keep it with `hooklore remember`."
"""At most 25 tokens."""

TOOL_REMINDER = "hooklore: if this holds beyond the task, keep it with hooklore's tool `remember`."
"""The reminder for an agent with the MCP server, as short."""

_NAMED_REMINDER = "hooklore: if this holds beyond the task, keep it with `%s`."

PROMPTS_BETWEEN = 10
"""Prompts of a session of which at most one has a reminder."""

_READ = 60
_LONGEST = 1_500
"""Characters of a prompt that somebody typed. A longer one is pasted, and its marks are somebody else's."""

_FILE = compile_late(r"[\w./-]{1,200}\.mdc?\b", re.IGNORECASE)
_NOTES = compile_late(
    (
        rf"{notes_paths()}|(?:^|/)(?:agents(?:\.override)?|memory|qwen|copilot-instructions)\.md$"
        r"|/\.(?:cursor|windsurf)/rules/.{1,200}\.mdc?$"
    ),
    re.IGNORECASE,
)
"""A file of notes for agents."""

_MARK = compile_late(
    r"\b(?:on purpose|explicitly|deliberately|keep in mind|from now on"
    r"|going forward|we (?:decided|agreed|always|never|want to keep)|should (?:always|never|only)"
    r"|must (?:always|never)"
    r"|source of truth|by default|in general|for future reference|remember that|that['’]?s why we"
    r"|(?:let['’]?s|we) (?:keep|stick (?:to|with))|we don['’]?t (?:want|need|use)|not .{1,30} instead)"
    r"|\b(?:before|after) (?:you |we |every |each |any )?(?:commit|push|merg|deploy|releas|publish)"
    r"|する(?:前|まえ)に|してから(?:コミット|push|デプロイ|マージ)|(?:コミット|push|デプロイ|マージ)前"
    r"|今後|これからは|必ず|毎回|決めた|決めました|ことにする|ことにした|方針|ルール|覚えて|原則|統一",
    re.IGNORECASE,
)


def remind(tool: str, program: str = PROGRAM) -> str:
    """Return the reminder for an agent that keeps memories by `tool`, or by a command of `program` without one."""
    if tool and tool != BY_TOOL:
        return _NAMED_REMINDER % tool
    return TOOL_REMINDER if tool else name_program(REMINDER, program)


def has_strong_mark(prompt: str) -> bool:
    """Return whether a typed prompt has a mark of something lasting."""
    if len(prompt) > _LONGEST:
        return False
    named = any(map(_NOTES.search, _FILE.findall(prompt)))
    return named or _MARK.search(prompt) is not None


def is_reminder_due(reader: Reader, session_id: str | None, prompt: str) -> bool:
    """Return whether a prompt has a strong mark, and none of the last prompts had one.

    The prompt itself is in the log already.
    """
    if not session_id or not has_strong_mark(prompt):
        return False
    found = reader.lookup(keys.turns_in(session_id), _READ)
    prompts = [str(r.body.text or "") for r in found if r.kind == "prompt"]
    earlier = prompts[1:PROMPTS_BETWEEN]
    return not any(map(has_strong_mark, earlier))
