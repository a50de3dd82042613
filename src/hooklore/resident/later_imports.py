"""Load what hooks import only where they need it, before an upgrade takes it from the disk.

The start of a resident leaves these modules out, because the first hook waits for it.
"""

from collections.abc import Callable
from importlib import import_module

from hooklore.agents.registry import known_agents
from hooklore.late_pattern import compile_waiting

LATER_IMPORTS = (
    "hooklore.agents.own_program",
    "hooklore.agents.server_marks",
    "hooklore.instructions.learner",
    "hooklore.instructions.memory_file_look",
    "hooklore.text.opposite_statements",
    "hooklore.text.rule_relation",
    "hooklore.text.user_text",
    "hooklore.retrieval.left_steps",
    "hooklore.retrieval.order_breach",
    "hooklore.retrieval.resume_question",
    "hooklore.retrieval.time.expressions",
)


def load_later_imports(give_way: Callable[[], None]) -> None:
    """Import the modules that are not loaded yet, and compile the patterns that no hook has used.

    `give_way` waits a moment while hooks are served.
    """
    for name in (
        *LATER_IMPORTS,
        *(each for agent in known_agents() for each in agent.later_imports),
    ):
        give_way()
        import_module(name)
    for agent in known_agents():
        give_way()
        agent.memory_files()
    compile_waiting(give_way)
