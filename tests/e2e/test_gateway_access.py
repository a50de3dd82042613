"""Who may ask a gateway what: the token decides, and no route tells more than another."""

import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from httpx import Response

from hooklore.config import store_location_at
from hooklore.requests.access_tokens import TokenFile
from hooklore.requests.verb_table import all_verbs
from tests.conftest import end_residents
from tests.support.gateway import Gateway, running

_ROUTES = (
    ("GET", "/v1/memory/snapshot"), ("GET", "/v1/memory/query"), ("GET", "/v1/memory/snapshots/x"),
    ("GET", "/v1/memory/events/01a227ed-b706-7666-bd97-f920269ee74a"),
    ("POST", "/v1/memory/append"), ("POST", "/v1/memory/recall"), ("POST", "/v1/verbs/remember"),
)  # fmt: skip
_TEXTS = {
    "global": "The quench basin has a lid of copper.",
    "project:widgets": "The quench basin is drained on fridays.",
    "project:gears": "The quench basin holds saline water.",
    "agent:claude": "The quench basin has a gauge on its left.",
}
_WORDS = {"global": "copper", "project:gears": "saline", "agent:claude": "gauge"}
"""A word of each text that a token for `project:widgets` must not be told."""

_QUERIES = (
    "", "&scope=global", "&scope=project:gears", "&scope_prefix=project:", "&status=deprecated",
)  # fmt: skip
_SNAPSHOTS = (
    "", "&scopes=global", "&scopes=project:gears", "&scopes=global,project:widgets",
)  # fmt: skip
_STAMP = "JARVIS_RULESET=v1.0"


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    home = tmp_path_factory.mktemp("home")
    with running(home, "--rate", "0") as started:
        started.place.directory.mkdir(parents=True)
        started.place.config.write_text(f'[curated]\nruleset_stamp = "{_STAMP}"\n')
        yield started
    end_residents(home)


@pytest.fixture(scope="module")
def kept(gateway: Gateway) -> dict[str, str]:
    """The id of the event of each scope."""
    token = gateway.token("claude", permission="owner")
    answers = {
        scope: gateway.ask("POST", "/v1/memory/append", token, event(text, scope))
        for scope, text in _TEXTS.items()
    }
    return {scope: answer.json()["event_id"] for scope, answer in answers.items()}


def event(text: str, scope: str, **fields: Any) -> dict[str, Any]:
    return {
        "scope": scope,
        "kind": "fact",
        "content_md": text,
        "source": {"system": "cli"},
    } | fields


@pytest.mark.req("GW-12")
@pytest.mark.parametrize(("method", "path"), _ROUTES)
def test_without_a_valid_token_nothing_is_answered(
    gateway: Gateway, method: str, path: str
) -> None:
    foreign = TokenFile(store_location_at(gateway.home / "other"), str(gateway.home))
    texts = {
        "unknown": f"hlk_{'x' * 43}",
        "expired": gateway.tokens.create("claude", (), "worker", 1, time.time() - 90_000)[1],
        "of another store": foreign.create("claude", (), "worker", 1, time.time())[1],
    }
    body: object = {} if method == "POST" else None
    answers = [gateway.ask(method, path, token, body) for token in (None, *texts.values())]
    basic = gateway.ask(method, path, None, body, {"Authorization": "Basic eDp5"})

    for answer in (*answers, basic):
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer ")
        assert set(answer.json()) == {"type", "title", "status", "detail", "error", "action"}


@pytest.mark.req("GW-12")
def test_a_token_that_is_revoked_opens_nothing_from_the_next_request_on(gateway: Gateway) -> None:
    token, text = gateway.tokens.create("claude", (), "worker", 1, time.time())

    assert gateway.ask("GET", "/v1/memory/query", text).status_code == 200
    gateway.tokens.revoke(token.id)
    assert gateway.ask("GET", "/v1/memory/query", text).status_code == 401


@pytest.mark.req("GW-12")
def test_a_gateway_listens_on_127_0_0_1_alone(gateway: Gateway) -> None:
    assert gateway.url == f"http://127.0.0.1:{gateway.port}"
    with socket.socket() as client:
        client.settimeout(2)
        with pytest.raises(OSError):  # noqa: PT011 - refused, or no such address, by system
            client.connect(("127.0.0.2", gateway.port))


@pytest.mark.req("AC-03", "GW-12")
@pytest.mark.parametrize(
    "path", ["/v1/memory/append", "/v1/memory/recall", "/v1/verbs/remember", "/v1/verbs/recall"]
)
def test_a_body_in_another_agents_name_is_refused(gateway: Gateway, path: str) -> None:
    token = gateway.token("gemini")
    bodies = ({"agent_id": "claude"}, {"agent_id": ["gemini"]}, {"agent_id": ""})
    answers = [gateway.ask("POST", path, token, body) for body in bodies]

    assert [answer.status_code for answer in answers] == [403] * 3


@pytest.mark.req("AC-03", "GW-12")
@pytest.mark.parametrize(("method", "path"), _ROUTES)
def test_a_parameter_in_another_agents_name_is_refused(
    gateway: Gateway, method: str, path: str
) -> None:
    body: object = {} if method == "POST" else None
    answer = gateway.ask(method, f"{path}?agent_id=claude", gateway.token("gemini"), body)

    assert answer.status_code == 403


@pytest.mark.req("AC-03")
def test_an_agents_own_scope_is_written_by_no_other(gateway: Gateway) -> None:
    token = gateway.token("gemini")
    foreign = event("The hoist is mine.", "agent:claude")
    alone = gateway.ask("POST", "/v1/memory/append", token, foreign)
    verb = gateway.ask("POST", "/v1/verbs/append", token, {"event": foreign})
    batch = gateway.ask("POST", "/v1/memory/append", token, {"events": [foreign]})
    own = gateway.ask(
        "POST", "/v1/memory/append", token, event("The hoist is mine.", "agent:gemini")
    )

    assert (alone.status_code, verb.status_code) == (403, 403)
    assert batch.json()["results"][0]["http_status"] == 403
    assert own.status_code == 201


@pytest.mark.req("GW-06")
def test_a_snapshot_takes_scopes_with_commas_and_refuses_another_agents(
    gateway: Gateway, kept: dict[str, str]
) -> None:
    token = gateway.token("gemini")

    def told(scopes: str) -> Any:
        answer = gateway.ask("GET", f"/v1/memory/snapshot?scopes={scopes}", token)
        return {each["event_id"] for each in answer.json().get("recent_events", ())} or answer

    assert told("global") == {kept["global"]}
    assert told("global,project:widgets") == {kept["global"], kept["project:widgets"]}
    assert told("agent:claude").status_code == 403
    assert told("global,agent:claude").status_code == 403
    assert told("project:widgets,agent:gemini") >= {kept["project:widgets"]}


@pytest.mark.parametrize("project", ["", "widgets", "gears"])
def test_a_token_of_one_project_is_told_no_other_by_any_route(
    gateway: Gateway, kept: dict[str, str], project: str
) -> None:
    token = gateway.token("gemini", ["project:widgets"], "owner")
    told: list[Response] = []
    ids = list(kept.values())
    own = f"project={project}" if project else "group=false"
    told += [gateway.ask("GET", f"/v1/memory/query?{own}{each}", token) for each in _QUERIES]
    told += [gateway.ask("GET", f"/v1/memory/snapshot?{own}{each}", token) for each in _SNAPSHOTS]
    told += [gateway.ask("GET", f"/v1/memory/events/{each}?{own}", token) for each in ids]
    asks = {"query": "quench basin", "names": ids, "key": ids[0], "limit": 20}
    told.append(gateway.ask("POST", f"/v1/memory/recall?{own}", token, {"query": "quench basin"}))
    for verb in all_verbs().values():
        if not verb.writes:
            told.append(gateway.ask("POST", f"/v1/verbs/{verb.name}?{own}", token, asks))

    answered = [each for each in told if each.status_code == 200]
    assert not [(e.url, word) for e in told for word in _WORDS.values() if word in e.text]
    assert any("fridays" in each.text for each in answered) == (project != "gears")
    if project == "gears":
        assert {each.status_code for each in told} == {403}


def test_a_token_of_one_project_writes_nowhere_else(gateway: Gateway, kept: dict[str, str]) -> None:
    token = gateway.token("gemini", ["project:widgets"])
    foreign = [event(f"The hoist of {scope} is blue.", scope) for scope in _WORDS]
    replaced = [event("No lid.", "project:widgets", supersedes=kept[scope]) for scope in _WORDS]
    said = {"content": "The hoist is blue.", "scope": "global"}

    for each in foreign:
        assert gateway.ask("POST", "/v1/memory/append", token, each).status_code == 403
        verb = gateway.ask("POST", "/v1/verbs/append", token, {"event": each})
        assert verb.status_code == 403
    for each in replaced:
        assert gateway.ask("POST", "/v1/memory/append", token, each).status_code == 422
    assert gateway.ask("POST", "/v1/verbs/remember", token, said).status_code == 403
    own = gateway.ask("POST", "/v1/memory/append", token, event("No hoist.", "project:widgets"))
    assert own.status_code == 201


@pytest.mark.req("MV-01")
@pytest.mark.parametrize("path", ["/v1/memory/append", "/v1/memory/recall", "/v1/verbs/remember"])
def test_a_client_of_another_major_version_of_the_rules_is_told_both_stamps(
    gateway: Gateway, path: str
) -> None:
    token = gateway.token("claude")
    stamp = gateway.ask("GET", "/v1/memory/snapshot?ruleset=v1.7", token).json()["ruleset_stamp"]
    query = gateway.ask("GET", "/v1/memory/snapshot?ruleset=JARVIS_RULESET=v2.0", token)
    body = gateway.ask("POST", path, token, {"ruleset": "JARVIS_RULESET=v2.0"})

    assert stamp == _STAMP
    for answer in (query, body):
        told = answer.json()
        assert answer.status_code == 409
        assert (told["ruleset"], told["ruleset_stamp"]) == ("JARVIS_RULESET=v2.0", stamp)
        assert "JARVIS_RULESET=v2.0" in told["detail"]
        assert stamp in told["detail"]
