"""Compare the table of memory kinds with the schema, and read kinds that the table lacks."""

from hooklore.records.memory_kind import MEMORY_KINDS, STANDING_KINDS, MemoryKind, memory_kind
from hooklore.records.schema import KINDS


def test_the_table_has_the_kinds_of_the_schema_in_the_order_of_its_messages() -> None:
    assert tuple(MEMORY_KINDS) == KINDS["memory"]


def test_a_standing_kind_is_never_provisional() -> None:
    assert [k for k in MEMORY_KINDS.values() if k.standing and k.provisional] == []
    assert set(MEMORY_KINDS) > STANDING_KINDS


def test_a_kind_of_a_newer_store_is_read_with_the_defaults() -> None:
    assert memory_kind("zanzibar") == MemoryKind()
    assert memory_kind("zanzibar").embedded
