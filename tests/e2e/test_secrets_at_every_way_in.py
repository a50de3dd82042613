"""A secret or a personal detail is refused by every way in, and masked where a hook brings it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import end_residents
from tests.redaction.draw import Draw, glue
from tests.support.gateway import Gateway, running
from tests.support.launcher import Launcher
from tests.support.mcp import open_server, server, text_of
from tests.support.own_home import AS_AGENT, SCRIPTS, OwnHome
from tests.support.store_files import below
from tests.support.writers import records

_DRAW = Draw("every way in")
_TOKEN = glue("gh", "p_", _DRAW.mixed(36))
_MAIL = glue("ada.k", "@", "example", ".co.jp")
_PHONE = glue("090-", "1234", "-5678")
_FOUND = {_TOKEN: "github", _MAIL: "email", _PHONE: "phone"}


def event(text: str, **fields: Any) -> dict[str, Any]:
    given = {"scope": "global", "kind": "fact", "content_md": text, "source": {"system": "cli"}}
    return given | fields


def sentence(secret: str) -> str:
    return f"The deploy of the mill 連絡先 is done with {secret} since May."


@pytest.mark.req("RD-12")
def test_a_secret_is_refused_by_command_mcp_and_gateway_masked_by_a_hook_and_in_no_file(
    home: Path,
) -> None:
    hooks = Launcher(home).lay_out(is_patient=True)
    client = server(home, "--agent", "claude")

    with running(home) as gateway, open_server(client) as ask_mcp:
        token = gateway.token("gemini")
        for secret, rule in _FOUND.items():
            text = sentence(secret)
            posted = gateway.ask("POST", "/v1/memory/append", token, event(text))
            said = OwnHome(home).run(str(SCRIPTS / "hooklore"), "remember", text, **AS_AGENT)
            called = ask_mcp("remember", {"content": text})
            hooked = hooks.run("UserPromptSubmit", {"prompt": text, "session_id": rule})

            refusal = posted.json()["refusal"]
            assert (posted.status_code, posted.json()["error"]) == (422, "secret")
            assert text[refusal["start"] : refusal["end"]] == secret
            assert rule in refusal["rule"]
            assert (said.rc, called.is_error, hooked.status) == (1, True, 0)
            assert not any(
                secret in each for each in (posted.text, said.out, said.err, text_of(called))
            )
        hooks.wait_for_resident()
    end_residents(home)

    assert ["done with" in each for each in _prompts(hooks)] == [True] * len(_FOUND)
    assert [secret for secret in _FOUND if below(home, secret)] == []


def _prompts(hooks: Launcher) -> Iterator[str]:
    return (e["body"]["text"] for e in records(hooks.place) if e["kind"] == "prompt")


@pytest.mark.req("RD-12")
def test_a_gateway_keeps_a_personal_detail_of_no_field_not_even_of_its_log(home: Path) -> None:
    with running(home) as gateway:
        token = gateway.token("claude")
        answers = [gateway.ask("POST", "/v1/memory/append", token, each) for each in _events()]
        batch = gateway.ask("POST", "/v1/memory/append", token, {"events": _events()})
        keyed = _in_keys_and_queries(gateway, token)
        gateway.process.terminate()
        assert gateway.process.stderr is not None
        told = gateway.process.stderr.read().decode()
    end_residents(home)

    assert {each.status_code for each in answers} == {422}
    assert {each["http_status"] for each in batch.json()["results"]} == {422}
    assert not any(_MAIL in each.text for each in (*answers, batch))
    assert max(keyed) < 500
    assert _MAIL not in told
    assert below(home, _MAIL) == []
    assert not [path for path in home.rglob("*") if _MAIL in path.name]


def _events() -> list[dict[str, Any]]:
    """Events with a personal detail in one field each, known and unknown ones."""
    plain = "The mill has a door."
    return [
        event(f"Write to {_MAIL}."), event(plain, title=f"Ask {_MAIL}"), event(plain, tags=[_MAIL]),
        event(plain, when=[f"ask {_MAIL}"]), event(plain, dedupe_key=f"config:{_MAIL}"),
        event(plain, source={"system": "cli", "thread_id": _MAIL}),
        event(plain, note=f"ask {_MAIL}"), event(plain, note={"to": [_MAIL]}),
        event(plain, **{_MAIL: 1}), event(plain, note={_MAIL: 1}),
    ]  # fmt: skip


def _in_keys_and_queries(gateway: Gateway, token: str) -> list[int]:
    """Send a personal detail where no memory's text stands, and return the statuses."""
    body, key = event("The mill has a gate."), {"Idempotency-Key": _MAIL}
    asks = [
        gateway.ask("POST", "/v1/memory/append", token, body, key),
        gateway.ask("POST", f"/v1/memory/append?session_id={_MAIL}", token, event("A gate.")),
        gateway.ask("POST", "/v1/memory/append", token, event("Two gates.", run_id=_MAIL)),
        gateway.ask("POST", "/v1/memory/recall?session_id=s", token, {"query": f"ask {_MAIL}"}),
        gateway.ask("POST", f"/v1/verbs/wake_up?session_id={_MAIL}", token, {}, key),
        gateway.ask("GET", f"/v1/memory/query?tags={_MAIL}&since=1d", token),
        gateway.ask("GET", f"/v1/memory/query?cursor={_MAIL}", token),
        gateway.ask("GET", f"/v1/memory/snapshots/{_MAIL}", token),
        gateway.ask("GET", f"/{_MAIL}", token),
    ]
    return [each.status_code for each in asks]
