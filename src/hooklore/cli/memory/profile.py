"""Print the preferences, rules and facts that memories hold now: `hooklore profile`."""

from dataclasses import asdict

from hooklore.cli import output
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.store import opened
from hooklore.cli.verb_command import with_arguments
from hooklore.errors import HookloreError
from hooklore.memories.profile import build_profile
from hooklore.memories.scope import named_places
from hooklore.requests.verbs.profile import VERB


@with_arguments(VERB)
def profile(*, scope: str | None, agent: Agent = None, as_json: Json = False) -> None:
    """Print what memories say of you and your work, in blocks, each with its limit in characters.

    What goes beyond a limit is left out, and is an error that says what is used: exit status 1.
    """
    with opened() as broker:
        who = asker(broker, agent)
        blocks = build_profile(broker.as_reader(who), named_places(broker, who, scope))
    for block in blocks:
        used = f"{block.used:,} of {block.limit:,} characters"
        told = f"{block.label}: {block.description} ({used})"
        fields = {**asdict(block), "used": block.used, "problem": block.problem}
        output.answer(fields, told, as_json=as_json)
        if block.value and not as_json:
            output.data(output.plain(block.value))
    problems = [block.problem for block in blocks if block.problem]
    if problems:
        raise HookloreError(
            "; ".join(problems),
            fix="run `hooklore archive ID` for what matters least, or say it shorter",
        )
