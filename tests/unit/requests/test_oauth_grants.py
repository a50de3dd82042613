"""Grants and codes in the tokens' file: beside those of other stores, servers and versions."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from hooklore.config import StoreLocation, store_location_at
from hooklore.errors import StoreError
from hooklore.requests.access_tokens import TokenFile, TokenInvalid
from hooklore.requests.consent_codes import create_code, take_code
from hooklore.requests.oauth_grants import IssuedTokens, OAuthGrants
from hooklore.requests.token_kinds import OAuthClient, digest_of

SERVER = "https://memory.example.org"
CLIENT = OAuthClient("c1", "Anvil", ("https://claude.ai/cb",), None, None)


@pytest.fixture
def place(home: Path) -> StoreLocation:
    return store_location_at(home / ".config" / "ai" / "memory")


@pytest.fixture
def tokens(place: StoreLocation, home: Path) -> TokenFile:
    return TokenFile(place, str(home))


@pytest.fixture
def grants(tokens: TokenFile) -> OAuthGrants:
    return OAuthGrants(tokens, SERVER)


def printed(tokens: TokenFile, host: str = "claude.ai") -> str:
    given = {"scopes": (), "days": 90, "now": time.time()}
    return create_code(tokens, "chatgpt", host, permission="worker", **given)[1]  # type: ignore[arg-type]


def granted(tokens: TokenFile, grants: OAuthGrants) -> IssuedTokens:
    code = take_code(tokens, "claude.ai", printed(tokens), time.time())
    assert code is not None
    return grants.create(code, CLIENT, "authorization", time.time())


def test_wrong_codes_at_another_store_cost_no_try(tokens: TokenFile, home: Path) -> None:
    other = TokenFile(store_location_at(home / "other"), str(home))
    printed(other)
    code = printed(tokens)
    for _ in range(6):
        assert take_code(other, "claude.ai", code, time.time()) is None

    assert other.entries() == ()
    assert take_code(tokens, "claude.ai", code, time.time()) is not None


def test_a_grant_is_refreshed_by_its_own_server_alone(
    tokens: TokenFile, grants: OAuthGrants
) -> None:
    issued = granted(tokens, grants)
    other = OAuthGrants(tokens, "https://other.example.org")

    assert other.refresh(issued.refresh, time.time()) is None
    assert (other.by_refresh_token(issued.refresh), other.client("c1")) == (None, None)
    other.end_of_token(issued.refresh, time.time())
    other.end_made_of("authorization", time.time())
    assert grants.refresh(issued.refresh, time.time()) is not None


def test_the_tokens_of_a_grant_look_like_every_token_and_show_in_no_repr(
    tokens: TokenFile, grants: OAuthGrants
) -> None:
    first = granted(tokens, grants)
    second = grants.refresh(first.refresh, time.time())

    assert second is not None
    texts = (first.access, first.refresh, second.access, second.refresh)
    assert [len(text) for text in texts] == [47] * 4
    assert len(set(texts)) == 4
    assert not [text for text in texts if text in f"{first!r}{second!r}{tokens.entries()!r}"]
    assert not [text for text in texts if text in tokens.path.read_text()]


def test_a_refresh_keeps_what_a_newer_version_wrote_and_changes_no_other_entry(
    tokens: TokenFile, grants: OAuthGrants
) -> None:
    _, plain = tokens.create("gemini", (), "worker", 90, time.time())
    issued = granted(tokens, grants)
    found = json.loads(tokens.path.read_text())
    found["newer"] = 1
    found["tokens"][-1]["newer"] = {"of": "a grant"}
    tokens.path.write_text(json.dumps(found))

    assert grants.refresh(issued.refresh, time.time()) is not None

    after = json.loads(tokens.path.read_text())
    assert (after["newer"], after["tokens"][-1]["newer"]) == (1, {"of": "a grant"})
    assert after["tokens"][0] == found["tokens"][0]
    assert tokens.find(plain).agent == "gemini"


def test_a_file_of_the_version_before_is_read_and_written_on(
    tokens: TokenFile, grants: OAuthGrants
) -> None:
    text = "hlk_" + "a" * 43
    entry = {
        "id": "0a1b2c3d", "agent": "chatgpt", "digest": digest_of(text), "store": tokens.store,
        "scopes": ["global"], "permission": "worker", "created_at": "2026-01-01T00:00:00Z",
        "expires_at": None, "kind": "token",
    }  # fmt: skip
    tokens.folder.mkdir(parents=True, mode=0o700)
    tokens.path.write_text(json.dumps({"tokens": [entry]}))
    tokens.path.chmod(0o600)

    assert tokens.find(text).scopes == ("global",)
    granted(tokens, grants)
    assert json.loads(tokens.path.read_text())["tokens"][0] == entry


@pytest.mark.parametrize("kind", ["consent", "refresh", "", "鍵"])
def test_an_entry_of_another_kind_opens_nothing_by_its_text(tokens: TokenFile, kind: str) -> None:
    code = printed(tokens)
    found = json.loads(tokens.path.read_text())
    found["tokens"][0]["kind"] = kind
    tokens.path.write_text(json.dumps(found))

    for text in (code, code.replace("-", "")):
        with pytest.raises(TokenInvalid):
            tokens.find(text)


def test_a_code_that_cannot_be_used_up_opens_nothing(
    tokens: TokenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens.create("gemini", (), "worker", 90, time.time())
    code = printed(tokens)
    monkeypatch.setattr("os.replace", _fail)
    for typed in ("wrong", code):
        with pytest.raises(StoreError):
            take_code(tokens, "claude.ai", typed, time.time())
    monkeypatch.undo()

    assert take_code(tokens, "claude.ai", code, time.time()) is not None


def _fail(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("off", [-86_400.0, 86_400.0])
def test_a_clock_that_goes_wrong_lengthens_no_code(tokens: TokenFile, off: float) -> None:
    code = printed(tokens)

    assert (take_code(tokens, "claude.ai", code, time.time() + off) is None) == (off > 0)


def test_a_grant_that_has_ended_is_no_clients(tokens: TokenFile, grants: OAuthGrants) -> None:
    issued = granted(tokens, grants)
    (grant,) = grants.standing()
    ended = replace(grant, expires_at="2020-01-01T00:00:00Z")
    tokens.change(time.time(), lambda _: {grant.id: ended})

    assert grants.client("c1") is None
    assert grants.refresh(issued.refresh, time.time()) is None
    with pytest.raises(TokenInvalid):
        tokens.find(issued.access)
