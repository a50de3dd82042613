"""Four parties share one memory over HTTP: the boxes of seed 000 §10 and §14, a test each."""

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest

from hooklore import Memory
from tests.conftest import end_residents
from tests.support.gateway import COMMAND, Gateway, running
from tests.support.prepared_command import run_command
from tests.support.terminal import run_at_terminal

PARTIES: Final = ("chatgpt", "claude", "gemini", "openclaw")
SNAPSHOT: Final = "/v1/memory/snapshot?scopes=global,project:memory-gateway&limit_recent=50"

parties = pytest.mark.parametrize("party", PARTIES)


@dataclass(frozen=True)
class Table:
    """The gateway of four parties, each with a token."""

    gateway: Gateway
    tokens: Mapping[str, str]

    def get(self, party: str, path: str) -> Any:
        return self.gateway.ask("GET", path, self.tokens[party])

    def append(self, party: str, content: str, **fields: object) -> Any:
        event = {
            "agent_id": party,
            "run_id": f"run {secrets.token_hex(4)}",
            "scope": "global",
            "kind": "decision",
            "confidence": "high",
            "content_md": content,
            "source": {"system": "other"},
            "ttl_days": 0,
        }
        return self.gateway.ask(
            "POST", "/v1/memory/append", self.tokens[party], {**event, **fields}
        )

    def told(self, party: str) -> str:
        return json.dumps(self.get(party, SNAPSHOT).json(), ensure_ascii=False)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    folder = tmp_path_factory.mktemp("parties")
    home = folder / "home"
    store = home / ".config" / "ai" / "memory"
    store.mkdir(parents=True)
    (store / "config.toml").write_text(
        '[curated]\nrun_limit = 200\nruleset_stamp = "JARVIS_RULESET=v1.0"\n'
    )
    with running(home, "--rate", "0") as gateway:
        yield Table(gateway, {party: gateway.token(party) for party in PARTIES})
    end_residents(folder)


def env(table: Table) -> dict[str, str]:
    return {"HOME": str(table.gateway.home), "PATH": "/usr/bin:/bin"}


def hooklore(table: Table, *words: str) -> str:
    done = run_command([COMMAND, *words], env(table), table.gateway.home)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


# ---- §10, the protocol


@parties
def test_each_party_is_told_the_protocol_by_a_short_text(table: Table, party: str) -> None:
    assert "MUST-1" in hooklore(table, "protocol", "--agent", party)


@pytest.mark.req("GW-07", "GW-10")
def test_an_event_is_kept_with_all_fields_of_the_seed(table: Table) -> None:
    answer = table.append(
        "claude", "The press stands by the window since March.", kind="config",
        dedupe_key="config:press_place", scope="project:memory-gateway",
        source={"system": "telegram", "thread_id": "thread 7"}, ttl_days=90,
    )  # fmt: skip

    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert told["status"] == "stored"
    assert told["warnings"] == []
    kept = json.loads(hooklore(table, "show", told["event_id"], "--json"))
    assert kept["id"] == told["event_id"]
    assert kept["agent_id"] == "claude"
    assert kept["scope"] == "project:memory-gateway"
    assert (kept["kind"], kept["dedupe_key"]) == ("config", "config:press_place")
    assert (kept["confidence"], kept["ttl_days"]) == ("high", 90)
    assert kept["body"]["content_md"] == "The press stands by the window since March."
    assert (kept["source"]["system"], kept["source"]["thread_id"]) == ("telegram", "thread 7")
    assert kept["run_id"]
    assert kept["ts"]


@pytest.mark.req("GW-01", "GW-02", "GW-03", "GW-04")
def test_a_snapshot_has_pins_recent_events_a_stamp_and_an_id(table: Table) -> None:
    for name in ("first", "second", "third"):
        assert table.append("gemini", f"The {name} kiln is lit on Mondays.").status_code == 201

    told = table.get("gemini", "/v1/memory/snapshot?scopes=global&limit_recent=2").json()

    recent = [event["content_md"] for event in told["recent_events"]]
    assert recent == ["The third kiln is lit on Mondays.", "The second kiln is lit on Mondays."]
    assert isinstance(told["pinned_md"], str)
    assert told["ruleset_stamp"] == "JARVIS_RULESET=v1.0"
    assert told["snapshot_id"]
    assert table.get("gemini", "/v1/memory/snapshot").status_code == 200  # with every default


@pytest.mark.req("GW-05")
def test_a_snapshot_leads_to_the_same_ids_again_for_its_own_token_alone(table: Table) -> None:
    taken = table.get("claude", SNAPSHOT).json()
    path = f"/v1/memory/snapshots/{taken['snapshot_id']}"
    told = [event["event_id"] for event in taken["pinned_events"] + taken["recent_events"]]

    again = table.get("claude", path).json()

    assert again["ids"] == told
    assert table.get("gemini", path).status_code == 404
    other = table.gateway.token("claude")
    assert table.gateway.ask("GET", path, other).status_code == 404
    listed = hooklore(table, "snapshot", taken["snapshot_id"], "--json")
    assert json.loads(listed)["ids"] == told


@pytest.mark.req("GW-08", "GW-13")
def test_a_dedupe_key_that_is_there_is_detected(table: Table) -> None:
    key = "decision:kiln_fuel"
    first = table.append("chatgpt", "The kiln burns wood.", dedupe_key=key).json()
    same = table.append("chatgpt", "The kiln burns wood.", dedupe_key=key)
    other = table.append("openclaw", "The kiln burns gas since May.", dedupe_key=key).json()

    assert (same.status_code, same.json()["status"]) == (200, "duplicate")
    assert same.json()["event_id"] == first["event_id"]
    assert other["status"] == "conflict"
    recent = json.dumps(table.get("claude", SNAPSHOT).json()["recent_events"])
    assert "burns gas" in recent
    assert "burns wood" not in recent


@pytest.mark.req("GW-09", "GW-13")
def test_an_event_that_supersedes_another_ends_it_at_once(table: Table) -> None:
    old = table.append("claude", "Glaze is mixed on Tuesdays.").json()["event_id"]
    new = table.append("claude", "Glaze is mixed on Thursdays.", supersedes=old).json()

    assert (new["status"], new["supersedes"]) == ("updated", old)
    assert table.get("gemini", f"/v1/memory/events/{old}").status_code == 404
    assert "on Tuesdays" not in table.told("gemini")
    page = table.get("gemini", "/v1/memory/query?status=deprecated").json()
    assert old in [event["event_id"] for event in page["events"]]


@pytest.mark.req("AC-01", "MA-01")
def test_each_party_begins_a_run_with_the_same_memory(table: Table) -> None:
    table.append("openclaw", "Clay comes from the north pit.", scope="project:memory-gateway")

    read = {
        party: [event["event_id"] for event in table.get(party, SNAPSHOT).json()["recent_events"]]
        for party in PARTIES
    }

    assert read["chatgpt"]
    assert all(ids == read["chatgpt"] for ids in read.values())


@parties
@pytest.mark.req("AC-02", "MA-01")
def test_each_party_appends_what_is_settled_for_all(table: Table, party: str) -> None:
    for scope in ("global", "project:memory-gateway"):
        kept = table.append(party, f"{party} fires the shelf of {scope} first.", scope=scope)

        assert (kept.status_code, kept.json()["status"]) == (201, "stored")
        for other in PARTIES:
            event = table.get(other, f"/v1/memory/events/{kept.json()['event_id']}").json()
            assert event["agent_id"] == party


@pytest.mark.req("AC-03", "GW-06", "GW-12")
def test_what_is_one_partys_own_is_written_and_read_by_it_alone(table: Table) -> None:
    own = table.append("claude", "The kiln is a secret love.", scope="agent:claude")
    path = f"/v1/memory/events/{own.json()['event_id']}"

    assert own.status_code == 201
    assert table.get("claude", path).status_code == 200
    assert table.append("gemini", "Clay is wet.", scope="agent:claude").status_code == 403
    assert table.append("gemini", "Clay is wet.", agent_id="claude").status_code == 403
    for asked in (
        "/v1/memory/snapshot?scopes=agent:claude", "/v1/memory/query?scope=agent:claude",
        "/v1/memory/snapshot?agent_id=claude",
    ):  # fmt: skip
        assert table.get("gemini", asked).status_code == 403, asked
    assert table.get("gemini", path).status_code == 404
    assert "secret love" not in table.told("gemini")
    assert table.gateway.ask("GET", SNAPSHOT).status_code == 401


# ---- §10, operation and testing


def test_the_commands_of_memory_are_there(table: Table) -> None:
    for words in (("list",), ("search", "kiln"), ("cleanup",), ("consolidate",), ("janitor",)):
        command = [COMMAND, "memory", *words]
        done = run_at_terminal(command, env(table), table.gateway.home, typed="n\n")
        assert done.returncode == 0, done.stderr


def test_all_parties_that_write_one_key_end_with_the_last_one(table: Table) -> None:
    key = "decision:shelf_order"
    said = [
        table.append(party, f"Shelves are filled as {party} says.", dedupe_key=key).json()
        for party in PARTIES
    ]

    assert [each["status"] for each in said] == ["stored", "conflict", "conflict", "conflict"]
    page = table.get("claude", "/v1/memory/query?scope=global&kind=decision&limit=200").json()
    current = [e["event_id"] for e in page["events"] if e["dedupe_key"] == key]
    assert current == [said[-1]["event_id"]]


@pytest.mark.req("MV-01")
def test_a_client_of_other_rules_is_told_that_they_do_not_fit(table: Table) -> None:
    told = table.get("claude", "/v1/memory/snapshot?ruleset=JARVIS_RULESET=v2.0")

    assert told.status_code == 409
    assert "JARVIS_RULESET=v2.0" in told.json()["detail"]
    assert told.json()["ruleset_stamp"] == "JARVIS_RULESET=v1.0"
    assert table.append("claude", "Bricks are red.", ruleset="v2").status_code == 409
    assert table.get("claude", "/v1/memory/snapshot?ruleset=v1.7").status_code == 200


@pytest.mark.req("GW-14")
def test_memories_are_queried_in_pages_that_hold_still(table: Table) -> None:
    scope = "project:pages"
    kept = [
        table.append("chatgpt", f"Tile {n} of the {name} wall.", scope=scope, kind="fact", tags=["t"])
        for n, name in enumerate(("north", "south", "east", "west", "inner"))
    ]  # fmt: skip
    ids = [each.json()["event_id"] for each in kept]
    path = "/v1/memory/query?scope_prefix=project:pages&kind=fact&tags=t&limit=2"

    first = table.get("gemini", path).json()
    table.append("chatgpt", "A late tile of the outer wall.", scope=scope, kind="fact", tags=["t"])
    found = [event["event_id"] for event in first["events"]]
    cursor = first["next_cursor"]
    while cursor:
        page = table.get("gemini", f"{path}&cursor={cursor}").json()
        found += [event["event_id"] for event in page["events"]]
        cursor = page["next_cursor"]

    assert found == ids[::-1]
    until = table.get("gemini", f"/v1/memory/query?scope={scope}&until=2020-01-01").json()
    assert until["events"] == []
    assert table.get("gemini", f"{path}&cursor=x").status_code == 422
    assert table.get("gemini", f"{path}x&cursor={first['next_cursor']}").status_code == 422


@pytest.mark.req("GW-14")
def test_a_key_of_a_request_gets_the_first_answer_again(table: Table) -> None:
    def post(content: str, party: str = "claude") -> Any:
        event = {"scope": "global", "kind": "fact", "content_md": content,
                 "source": {"system": "web"}}  # fmt: skip
        return table.gateway.ask(
            "POST", "/v1/memory/append", table.tokens[party], event, {"Idempotency-Key": "key 1"}
        )

    first, again = post("The wheel turns left."), post("The wheel turns left.")

    assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert post("The wheel turns right.").status_code == 422
    assert post("The wheel turns right.", "gemini").status_code == 201


# ---- six agents

AGENTS: Final = ("chatgpt", "claude", "gemini", "openclaw", "codex", "copilot")
DECISIONS: Final = {
    "chatgpt": "Invoices carry the number of the order.",
    "claude": "The nightly export runs on the spare machine.",
    "gemini": "日本語の請求書は税込みで表示する。",
    "openclaw": "Parcels are weighed before they are labelled.",
    "codex": "Search falls back to trigrams below three letters.",
    "copilot": "Photos are stored as AVIF at two sizes.",
}


def test_each_of_six_agents_is_told_what_all_have_decided(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By MCP, Python and HTTP in turn: 36 of 36, each under its agent's name."""
    home = table.gateway.home
    monkeypatch.setenv("HOME", str(home))
    ways = (_by_mcp, _by_python, _by_http)
    for place, agent in enumerate(AGENTS):
        arguments = {"content": DECISIONS[agent], "kind": "decision", "scope": "global"}
        ways[place % 3](table, agent, "remember", arguments)

    told = {
        (agent, other): ways[(place + 1) % 3](table, agent, "recall", {"query": DECISIONS[other]})
        for place, agent in enumerate(AGENTS)
        for other in AGENTS
    }

    wrong = [
        pair
        for pair, text in told.items()
        if DECISIONS[pair[1]] not in text or f"said by {pair[1]}" not in text
    ]
    assert wrong == []


def _by_http(table: Table, agent: str, verb: str, arguments: Mapping[str, object]) -> str:
    token = table.gateway.token(agent)
    answer = table.gateway.ask("POST", f"/v1/verbs/{verb}", token, dict(arguments))
    assert answer.status_code == 200, answer.text
    return str(answer.json()["text"])


def _by_python(table: Table, agent: str, verb: str, arguments: Mapping[str, object]) -> str:
    home = table.gateway.home
    store = home / ".config" / "ai" / "memory"
    with Memory(agent, folder=home, store=store) as memory:
        return memory.ask(verb, **arguments).text


def _by_mcp(table: Table, agent: str, verb: str, arguments: Mapping[str, object]) -> str:
    from tests.support.mcp import converse, server, text_of

    async def talk(client: Any) -> Any:
        return await client.call_tool(verb, dict(arguments))

    return text_of(converse(server(table.gateway.home, "--agent", agent), talk))
