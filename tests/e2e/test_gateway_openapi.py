"""The document of a gateway: others read it, and make clients and actions of it."""

from typing import Any

import pytest
from openapi_spec_validator import validate

from tests.conftest import end_residents
from tests.support.gateway import running

_LONGEST = 300
"""Characters of a description that ChatGPT's actions take."""


@pytest.fixture
def document(home: Any) -> Any:
    with running(home) as gateway:
        found = gateway.ask("GET", "/openapi.json").json()
        assert found["servers"] == [{"url": gateway.url}]
    end_residents(home)
    return found


def test_the_document_is_valid_for_somebody_elses_validator(document: Any) -> None:
    assert document["openapi"].startswith("3.1")
    validate(document)


def test_each_operation_has_what_an_action_is_made_of(document: Any) -> None:
    operations = [each for path in document["paths"].values() for each in path.values()]
    told = [each["description"] for each in operations]
    told += [p.get("description", "") for each in operations for p in each.get("parameters", ())]
    writing = {e["operationId"] for e in operations if e.get("x-openai-isConsequential")}

    assert len({each["operationId"] for each in operations}) == len(operations)
    assert max(map(len, told)) <= _LONGEST
    assert writing == {"appendMemoryEvent", "remember"}
    for each in operations:
        assert "503" in each["responses"]
        assert each["operationId"] == "getHealth" or each["security"] == [{"bearer": []}]
