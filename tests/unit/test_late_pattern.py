"""Patterns that are compiled at their first use."""

import re

from hooklore.late_pattern import compile_late, compile_waiting


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


def test_a_pattern_is_compiled_when_it_is_used_and_not_before() -> None:
    late = compile_late("port")
    assert "search" not in vars(late)
    assert late.search("a port")
    assert "search" in vars(late)


def test_what_no_hook_has_used_is_compiled_while_hooks_are_given_way() -> None:
    compile_waiting(lambda: None)
    late, waits = compile_late("a+"), []
    compile_waiting(lambda: waits.append(1))
    assert (len(waits), "search" in vars(late)) == (1, True)
