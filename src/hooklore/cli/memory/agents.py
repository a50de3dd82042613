"""List the agents that may read and write: `hooklore agents`."""

from hooklore.cli import output
from hooklore.cli.memory.asker import Json
from hooklore.cli.store import opened


def agents(as_json: Json = False) -> None:
    """List the registered agents: their ids, roles and permissions, and their other names."""
    from hooklore.memories.agent_registry import agents_of

    with opened() as broker:
        found, file = agents_of(broker.settings).agents.values(), str(broker.place.config)
    if as_json:
        for each in found:
            output.json({
                "agent_id": each.id, "role": each.role, "permission": each.permission,
                "aliases": list(each.aliases),
            })  # fmt: skip
        return
    rows = [(each.id, each.role, each.permission, ", ".join(each.aliases)) for each in found]
    output.table([("agent", "role", "permission", "also called"), *rows])
    output.say(f"hint: a table `[agents.<id>]` in `{file}` adds one, or changes one")
