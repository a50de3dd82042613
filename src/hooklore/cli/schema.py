"""Print the JSON Schema of a record: `hooklore schema`."""

from hooklore.cli import output
from hooklore.records.schema import json_schema


def schema() -> None:
    """Print the JSON Schema of a record."""
    output.json(json_schema(), indent=True)
