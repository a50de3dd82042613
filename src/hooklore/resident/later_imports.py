"""Load what hooks import only where they need it, before an upgrade takes it from the disk.

The start of a resident leaves these modules out, because the first hook waits for it. An import that an upgrade
makes fail would cost an event its text.
"""

from collections.abc import Callable
from importlib import import_module

LATER_IMPORTS = (
    "hooklore.agents.claude_code.server_answer",
    "hooklore.agents.server_marks",
    "hooklore.conversations.ingestion",
    "hooklore.conversations.message",
    "hooklore.instructions.learner",
    "hooklore.instructions.user_text",
    "hooklore.maintenance.janitor",
    "hooklore.redaction.rules.prose_weights",
    "hooklore.requests.desk",
    "hooklore.retrieval.time.resolve",
)


def load_later_imports(give_way: Callable[[], None]) -> None:
    """Import the modules that are not loaded yet. `give_way` waits a moment while hooks are served."""
    for name in LATER_IMPORTS:
        give_way()
        import_module(name)
