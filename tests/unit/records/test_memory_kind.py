"""Hold the table of memory kinds together, and read kinds that the table lacks."""

from hooklore.records.memory_kind import MEMORY_KINDS, MemoryKind, list_layers, memory_kind
from hooklore.records.schema import KINDS


def test_the_schema_and_the_layers_have_the_kinds_of_the_table() -> None:
    assert KINDS["memory"] == tuple(MEMORY_KINDS)
    assert {name: list_layers()[name] for name in MEMORY_KINDS} == {
        name: kind.layer for name, kind in MEMORY_KINDS.items()
    }


def test_a_standing_kind_is_never_provisional() -> None:
    assert [k for k in MEMORY_KINDS.values() if k.standing and k.provisional] == []


def test_what_a_brief_tells_in_full_is_a_kind_that_holds_until_it_is_replaced() -> None:
    assert [k for k in MEMORY_KINDS.values() if k.told_in_brief and not k.standing] == []


def test_a_kind_of_a_newer_store_is_read_with_the_defaults() -> None:
    assert memory_kind("zanzibar") == MemoryKind()
    assert memory_kind("zanzibar").embedded
