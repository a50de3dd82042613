"""Requests drawn from the gateway's own document, right and wrong: none fails, and each is answered as it says."""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from tests.conftest import end_residents
from tests.support.gateway import Gateway, running

_MODES = {"right": GenerationMode.POSITIVE, "wrong": GenerationMode.NEGATIVE}
_CONFORMANCE = (
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    home = tmp_path_factory.mktemp("drawn") / "home"
    home.mkdir()
    with running(home, "--rate", "0") as started:
        yield started
    end_residents(home)


def draw(gateway: Gateway, mode: GenerationMode, count: int) -> int:
    """Send so many drawn requests to each route of the document. Return how many were sent."""
    headers = {"Authorization": f"Bearer {gateway.token('chatgpt')}"}
    schema: Any = schemathesis.openapi.from_url(f"{gateway.url}/openapi.json")
    checks = CHECKS.get_by_names(["not_a_server_error", *_CONFORMANCE])
    sent = []

    def send(case: Any) -> None:
        sent.append(case)
        case.call_and_validate(headers=headers, checks=checks)

    drawn: Any = settings(
        max_examples=count, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    for found in schema.get_all_operations():
        with_cases: Any = given(found.ok().as_strategy(generation_mode=mode))
        # Nothing can be wrong about a route without arguments.
        with contextlib.suppress(Unsatisfiable):
            drawn(with_cases(send))()
    return len(sent)


@pytest.mark.req("GW-15")
@pytest.mark.parametrize("mode", _MODES)
def test_no_drawn_request_fails_and_each_answer_is_one_of_the_documents(
    mode: str, gateway: Gateway
) -> None:
    assert draw(gateway, _MODES[mode], 12) > 100


@pytest.mark.long
@pytest.mark.parametrize("mode", _MODES)
def test_no_request_of_thousands_fails(mode: str, gateway: Gateway) -> None:
    assert draw(gateway, _MODES[mode], 500) > 4_000
