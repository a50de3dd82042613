"""`hooklore stats` maps every kind to a layer."""

import pytest

from hooklore.records.memory_kind import list_layers
from hooklore.records.schema import KINDS
from tests.unit.cli.conftest import Memory, Run, statement


@pytest.mark.req("MA-06")
def test_every_kind_has_a_layer_and_its_records_are_counted(hooklore: Run, memory: Memory) -> None:
    memory.append(statement("Use tabs.", "preference"), statement("Run make first.", "workflow"))
    memory.hook("UserPromptSubmit", prompt="hello")

    shown = {each["kind"]: each for each in hooklore("stats", "--json").records}

    assert set(shown) == {kind for name in KINDS if name != "control" for kind in KINDS[name]} - {
        ""
    }
    assert (shown["preference"]["layer"], shown["preference"]["records"]) == ("semantic", 1)
    assert (shown["workflow"]["layer"], shown["workflow"]["records"]) == ("procedural", 1)
    assert (shown["prompt"]["layer"], shown["prompt"]["records"]) == ("episodic", 1)
    assert "semantic" in hooklore("stats").out


def test_an_agent_gets_no_counts(
    hooklore: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.append(statement("Use tabs.", "preference"))
    monkeypatch.setenv("CLAUDECODE", "1")

    assert all("records" not in each for each in hooklore("stats", "--json").records)


def test_each_layer_has_a_kind() -> None:
    assert set(list_layers().values()) == {"episodic", "semantic", "procedural"}
