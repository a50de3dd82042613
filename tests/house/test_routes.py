"""The five routes of an event reach their ends, and their calls are counted."""

from pathlib import Path

import pytest

import hooklore
from tests.house import layers, routes
from tests.house.calls import Call, CallRecord, Function
from tests.house.source_tree import SourceTree


def function(module: str) -> Function:
    return Function(module, "f", 1)


def test_each_route_ends_where_it_should_and_passes_through_many_modules() -> None:
    found = routes.routes()

    assert len(found) == 5
    assert all(10 < route.modules < route.functions for route in found.values())


def test_a_route_that_does_not_show_its_text_is_an_error() -> None:
    with pytest.raises(routes.RouteLostError, match="nothing"):
        routes._measured("nothing", "text", str)


def test_a_call_into_a_higher_layer_than_the_call_before_is_a_re_entry() -> None:
    low, middle, high = map(function, ("records/record.py", "broker/broker.py", "hooks/runner.py"))
    record = CallRecord(Path())
    record.calls = [Call(high, None), Call(low, high), Call(middle, high), Call(high, low)]

    assert record.re_entries() == 2
    assert record.upward_calls() == 1


def test_modules_have_the_layers_of_their_folders() -> None:
    assert layers.height("index/view.py") == layers.height("log/line.py")
    assert layers.height("cli/main.py") > layers.height("errors.py") == 0


def test_every_module_below_a_folder_has_a_layer() -> None:
    modules = SourceTree(Path(hooklore.__file__).parent).modules

    for module in modules:
        if module.path.endswith("__init__.py"):
            continue
        assert layers.height(module.path) >= 0


def test_a_folder_that_no_layer_lists_is_an_error() -> None:
    with pytest.raises(layers.UnknownLayerError, match="attic"):
        layers.height("attic/box.py")
