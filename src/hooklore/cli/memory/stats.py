"""Show which layer each kind of record is in, and how many there are: `hooklore stats`."""

from hooklore.broker import store_stats
from hooklore.cli import output
from hooklore.cli.memory.asker import Json, asker
from hooklore.cli.store import opened
from hooklore.records.memory_layer import LAYERS


def stats(as_json: Json = False) -> None:
    """Show the layers of memory: what happened, what is so, how it is done. An agent gets no counts."""
    with opened() as broker:
        counts = store_stats.count_by_kind(broker.as_reader(asker(broker, None)))
    if as_json:
        for kind, layer in LAYERS.items():
            fields: dict[str, object] = {"layer": layer, "kind": kind}
            output.json(fields | ({"records": counts.get(kind, 0)} if counts else {}))
        return
    rows = [
        (layer, kind, str(counts.get(kind, 0)) if counts else "") for kind, layer in LAYERS.items()
    ]
    output.table([("layer", "kind", "records"), *rows])
