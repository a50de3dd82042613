"""Patterns that are compiled at their first use."""

import importlib
import re

import pytest

from hooklore.late_pattern import compile_late, compile_waiting
from hooklore.resident.later_imports import load_later_imports

_PORT = re.compile("port")


def test_a_late_pattern_finds_what_a_compiled_one_finds() -> None:
    late = compile_late(r"(?P<word>[a-z]+)\s+(\d+)", re.IGNORECASE)
    found = late.search("Port 8080")
    assert found is not None
    assert (found["word"], found[2]) == ("Port", "8080")
    assert [late.sub("", "a 1"), late.split("x a 1 y"), late.groups] == [
        "",
        ["x ", "a", "1", " y"],
        2,
    ]


def test_a_pattern_is_compiled_when_it_is_used_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def compile_port(source: str, _: int) -> re.Pattern[str]:
        compiled.append(source)
        return _PORT

    late = compile_late("port")
    monkeypatch.setattr(re, "compile", compile_port)
    assert compiled == []
    assert late.search("a port")
    assert late.sub("", "a port") == "a "
    assert compiled == ["port"]


def test_what_no_hook_has_used_is_compiled_while_hooks_are_given_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compile_waiting(lambda: None)
    late, waits = compile_late("a+"), []
    compile_waiting(lambda: waits.append(1))
    monkeypatch.setattr(re, "compile", None)
    assert late.search("banana")
    assert waits == [1]


def test_every_late_pattern_of_the_hooks_can_be_compiled() -> None:
    importlib.import_module("hooklore.resident.run")
    left: list[int] = []
    load_later_imports(lambda: None)
    compile_waiting(lambda: left.append(1))
    assert left == []
