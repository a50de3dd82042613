"""`hooklore profile`: preferences and facts, as memories have them now."""

from dataclasses import asdict

from hooklore.cli import output
from hooklore.cli.memory.asker import Agent, Json, Scope, asker, places_of
from hooklore.cli.store import opened


def profile(scope: Scope = None, agent: Agent = None, as_json: Json = False) -> None:
    """Print what memories say of you and your work, in blocks, each with its limit in characters."""
    from hooklore.broker.curated.profile import profile as derived

    with opened() as broker:
        who = asker(broker, agent)
        blocks = derived(broker, who, places_of(broker, who, scope))
    for block in blocks:
        if as_json:
            output.json(asdict(block))
            continue
        used = f"{len(block.value)} of {block.limit} characters"
        output.data(f"{block.label}: {block.description} ({used})")
        if block.value:
            output.data(output.plain(block.value))
        if block.left_out:
            output.say(f"{block.label}: {block.left_out} more than there is room for")
