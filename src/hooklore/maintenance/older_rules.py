"""Recognise memories that an older version learnt by rules which today's version no longer has.

Those rules read prompts of real projects with a precision of .15 to .23, and cut an agent's memory files into
one memory a line.
"""

from hooklore.broker.principal_reader import Reader
from hooklore.instructions.extract import extract_instructions
from hooklore.instructions.learner import PROMPT_SOURCE
from hooklore.memories.approval_queue import list_pending
from hooklore.records.record import Record, is_from_memory_file


def is_of_older_rules(record: Record) -> bool:
    """Return whether a memory was learnt without a person, and would not be learnt today.

    What a person approved is theirs.
    """
    if record.approves or record.stream != "memory":
        return False
    if is_from_memory_file(record):
        return not record.source.get("thread_id")
    is_learnt = str(record.source_detail or "").partition(":")[0] == PROMPT_SOURCE
    return is_learnt and not extract_instructions(record.body.content_md, with_answers=True)


def list_waiting_of_older_rules(owner: Reader) -> list[Record]:
    """Return the waiting memories that an older version learnt. `owner` reads as the store's owner."""
    return [record for record in list_pending(owner) if is_of_older_rules(record)]
