"""The file of access tokens: who holds one is let in, at once no longer, and nobody by a file that is not safe."""

import json
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import StoreLocation, store_location_at
from hooklore.errors import NotFound, StoreError, StoreUnreadable
from hooklore.requests.access_tokens import TokenFile, TokenInvalid
from hooklore.requests.token_kinds import AccessToken

YEAR = 365 * 86_400
NOW = float(int(time.time()))


@pytest.fixture
def place(home: Path) -> StoreLocation:
    return store_location_at(home / ".config" / "ai" / "memory")


@pytest.fixture
def tokens(place: StoreLocation, home: Path) -> TokenFile:
    return TokenFile(place, str(home))


def made(tokens: TokenFile, agent: str = "chatgpt", **given: Any) -> tuple[AccessToken, str]:
    return tokens.create(
        agent, given.get("scopes", ()), "worker", given.get("days", 90), given.get("now", NOW)
    )


def test_who_holds_a_token_is_its_agent_and_the_file_has_no_token(
    tokens: TokenFile, place: StoreLocation, home: Path
) -> None:
    token, text = made(tokens, scopes=("global", "project:widgets"))

    assert TokenFile(place, str(home)).find(text) == token
    assert (token.agent, token.scopes, token.permission) == (
        "chatgpt", ("global", "project:widgets"), "worker",
    )  # fmt: skip
    assert text.startswith("hlk_")
    assert len(text) == 47
    assert text not in tokens.path.read_text()


def test_the_file_and_its_folder_are_the_users_alone_whatever_the_umask(tokens: TokenFile) -> None:
    before = os.umask(0)
    try:
        token, _ = made(tokens)
        tokens.mark_used(token.id, NOW)
    finally:
        os.umask(before)

    assert tokens.folder.stat().st_mode & 0o777 == 0o700
    assert {p.name: p.stat().st_mode & 0o777 for p in tokens.folder.glob("*.json")} == {
        "tokens.json": 0o600, "tokens-used.json": 0o600,
    }  # fmt: skip


@pytest.mark.parametrize("text", ["", "hlk_", "hlk_" + "a" * 43, "鍵" * 20, "\udcff", "x" * 10_000])
def test_any_other_text_is_refused_in_the_same_words_as_a_revoked_token(
    tokens: TokenFile, text: str
) -> None:
    token, given = made(tokens)
    tokens.revoke(token.id)
    made(tokens)

    assert refusal(tokens, text) == refusal(tokens, given)


def refusal(tokens: TokenFile, text: str) -> str:
    with pytest.raises(TokenInvalid) as refused:
        tokens.find(text)
    return str(refused.value)


def test_a_token_opens_one_store(tokens: TokenFile, home: Path) -> None:
    _, text = made(tokens)
    other = TokenFile(store_location_at(home / "other"), str(home))

    assert other.list() == ()
    assert refusal(other, text) == refusal(tokens, "unknown")


def test_a_token_that_another_process_revokes_is_refused_at_the_next_request(
    tokens: TokenFile, place: StoreLocation, home: Path
) -> None:
    token, text = made(tokens)
    tokens.find(text)

    TokenFile(place, str(home)).revoke(token.id)

    assert refusal(tokens, text) == refusal(tokens, "unknown")


def test_a_token_is_refused_though_a_later_change_left_the_files_inode_size_and_time(
    tokens: TokenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    revoked, text = made(tokens)
    before = os.lstat(tokens.path)
    monkeypatch.setattr(time, "time_ns", lambda: before.st_mtime_ns + 1_000_000)
    tokens.find(text)
    tokens.path.write_text(tokens.path.read_text().replace(revoked.digest, "0" * 64))
    monkeypatch.setattr("hooklore.requests.access_tokens.os.lstat", lambda _: before)

    assert refusal(tokens, text) == refusal(tokens, "unknown")


def test_a_token_that_ends_while_it_is_known_is_refused_and_only_its_holder_learns_why(
    tokens: TokenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, text = made(tokens, days=1)
    tokens.find(text)

    monkeypatch.setattr(time, "time", lambda: NOW + 86_400)

    assert f"ended at {token.expires_at}" in refusal(tokens, text)
    assert "ended" not in refusal(tokens, "unknown")


def test_what_has_ended_leaves_the_file_with_the_next_change(tokens: TokenFile) -> None:
    made(tokens, now=NOW - YEAR)
    stays, _ = made(tokens, days=0)

    assert tokens.list() == (stays,)


@pytest.mark.parametrize("off", [-YEAR, YEAR])
def test_a_clock_that_is_a_year_off_ends_no_token_for_good(
    tokens: TokenFile, monkeypatch: pytest.MonkeyPatch, off: float
) -> None:
    _, text = made(tokens, days=30)
    _, for_ever = made(tokens, days=0)

    monkeypatch.setattr(time, "time", lambda: NOW + off)
    assert tokens.find(for_ever).expires_at is None
    if off > 0:
        assert "ended at" in refusal(tokens, text)
    monkeypatch.undo()

    assert tokens.find(text)


def test_twenty_processes_that_create_at_once_lose_no_token(
    place: StoreLocation, home: Path
) -> None:
    fork = multiprocessing.get_context("fork")
    queue, started = fork.Queue(), fork.Barrier(20)

    def create(number: int) -> None:
        started.wait()
        queue.put(made(TokenFile(place, str(home)), f"agent-{number}")[1])

    workers = [fork.Process(target=create, args=(number,)) for number in range(20)]
    for worker in workers:
        worker.start()
    texts = [queue.get(timeout=30) for _ in workers]
    for worker in workers:
        worker.join(30)

    tokens = TokenFile(place, str(home))
    assert {tokens.find(text).agent for text in texts} == {f"agent-{n}" for n in range(20)}
    assert len({token.id for token in tokens.list()}) == 20


@pytest.mark.parametrize(
    "raw", ["", "{", "[]", "{}", '{"tokens": [{"id": "aaaaaaaa"}]}', "\0" * 64]
)
def test_a_damaged_file_lets_nobody_in_and_is_not_written_over(tokens: TokenFile, raw: str) -> None:
    _, text = made(tokens)
    tokens.find(text)

    tokens.path.write_text(raw)

    for act in (lambda: tokens.find(text), lambda: made(tokens)):
        with pytest.raises(StoreUnreadable, match="no list of tokens"):
            act()
    assert tokens.path.read_text() == raw


@pytest.mark.parametrize("length", [1, 100, 300])
def test_a_file_that_was_cut_short_lets_nobody_in(tokens: TokenFile, length: int) -> None:
    _, text = made(tokens)
    os.truncate(tokens.path, length)

    with pytest.raises(StoreUnreadable):
        tokens.find(text)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o620, 0o604])
def test_a_file_that_others_may_read_or_write_lets_nobody_in_from_then_on(
    tokens: TokenFile, mode: int
) -> None:
    _, text = made(tokens)
    tokens.find(text)
    tokens.path.chmod(mode)

    with pytest.raises(StoreUnreadable, match="others may") as refused:
        tokens.find(text)
    assert refused.value.fix == f"run `chmod 600 {tokens.path}`"
    tokens.path.chmod(0o600)

    assert tokens.find(text)


def test_a_link_in_the_files_place_is_not_followed(tokens: TokenFile, tmp_path: Path) -> None:
    _, text = made(tokens)
    elsewhere = tokens.path.rename(tmp_path / "elsewhere.json")
    tokens.path.symlink_to(elsewhere)

    with pytest.raises(StoreUnreadable, match="it is a link"):
        tokens.find(text)
    with pytest.raises(StoreUnreadable, match="it is a link"):
        made(tokens)


@pytest.mark.parametrize("kind", ["fifo", "folder"])
def test_what_is_no_file_is_not_waited_for(tokens: TokenFile, kind: str) -> None:
    tokens.folder.mkdir(parents=True, mode=0o700)
    os.mkfifo(tokens.path, 0o600) if kind == "fifo" else tokens.path.mkdir(0o700)

    with pytest.raises(StoreUnreadable):
        tokens.find("hlk_")


def test_a_file_of_another_user_lets_nobody_in(
    tokens: TokenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, text = made(tokens)
    monkeypatch.setattr(os, "getuid", lambda: tokens.path.stat().st_uid + 1)

    with pytest.raises(StoreUnreadable, match="another user's"):
        TokenFile(
            StoreLocation("/x", Path("/x/l"), Path("/x")), str(tokens.folder.parents[1])
        ).find(text)


def test_a_folder_that_others_may_enter_gets_no_token(tokens: TokenFile, tmp_path: Path) -> None:
    tokens.folder.mkdir(parents=True, mode=0o755)
    tokens.folder.chmod(0o755)
    with pytest.raises(StoreError, match="nobody else may enter"):
        made(tokens)

    tokens.folder.rmdir()
    tokens.folder.symlink_to(tmp_path)
    with pytest.raises(StoreError, match="no link"):
        made(tokens)
    assert not (tmp_path / "tokens.json").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only_is_named_and_what_stands_there_still_opens(
    tokens: TokenFile,
) -> None:
    token, text = made(tokens)
    tokens.folder.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="could not use"):
            tokens.revoke(token.id)
        tokens.mark_used(token.id, NOW)
        assert tokens.find(text) == token
    finally:
        tokens.folder.chmod(0o700)


@pytest.mark.parametrize("root", [".config/hooklore", ".config"])
def test_no_token_is_made_inside_the_store(home: Path, root: str) -> None:
    tokens = TokenFile(store_location_at(home / root), str(home))

    with pytest.raises(StoreError, match="lies in the store"):
        made(tokens)
    assert not tokens.path.exists()


def test_a_writer_keeps_what_a_newer_version_wrote(tokens: TokenFile) -> None:
    first, text = made(tokens)
    found = json.loads(tokens.path.read_text())
    found["newer"] = {"of": "the file"}
    found["tokens"][0]["client"] = "claude.ai"
    found["tokens"].append({**found["tokens"][0], "id": "bbbbbbbb", "kind": "refresh"})
    tokens.path.write_text(json.dumps(found))

    made(tokens)

    after = json.loads(tokens.path.read_text())
    assert after["newer"] == {"of": "the file"}
    assert [each.get("client") for each in after["tokens"]] == ["claude.ai", "claude.ai", None]
    assert tokens.find(text).id == first.id  # a kind that this version does not know opens nothing


def test_the_last_use_of_a_token_is_noted_at_most_once_a_minute(tokens: TokenFile) -> None:
    token, _ = made(tokens, now=0)
    assert tokens.last_used(token.id) is None

    noted = []
    for at in (0.0, 59.0, 61.0, -3_600.0):
        tokens.mark_used(token.id, at + YEAR)
        noted.append(tokens.last_used(token.id))

    assert noted == ["1971-01-01T00:00:00Z"] * 2 + ["1971-01-01T00:01:01Z", "1970-12-31T23:00:00Z"]


def test_uses_that_cannot_be_noted_or_read_hold_up_nobody(tokens: TokenFile) -> None:
    token, text = made(tokens)
    used = tokens.folder / "tokens-used.json"
    used.mkdir()

    tokens.mark_used(token.id, NOW)

    assert tokens.last_used(token.id) is None
    assert tokens.find(text) == token


def test_uses_of_tokens_that_are_gone_are_forgotten(tokens: TokenFile) -> None:
    (first, _), (second, _) = made(tokens), made(tokens)
    tokens.mark_used(first.id, NOW)
    tokens.revoke(first.id)

    tokens.mark_used(second.id, NOW)

    assert first.id not in (tokens.folder / "tokens-used.json").read_text()


def test_an_unknown_id_is_not_repeated_and_leaves_no_folder(tokens: TokenFile) -> None:
    text = "hlk_" + "b" * 43

    with pytest.raises(NotFound) as unknown:
        tokens.revoke(text)

    assert text not in str(unknown.value)
    assert not tokens.folder.exists()


def test_all_tokens_of_one_store_go_and_with_the_last_of_all_the_folder(
    tokens: TokenFile, home: Path
) -> None:
    other = TokenFile(store_location_at(home / "other"), str(home))
    _, text = made(other)
    made(tokens)
    made(tokens)

    assert tokens.revoke_all() == 2
    assert other.find(text)
    assert other.revoke_all() == 1
    assert not tokens.folder.exists()
    assert other.revoke_all() == 0


def test_a_use_that_is_noted_after_the_last_token_went_makes_no_folder(tokens: TokenFile) -> None:
    token, _ = made(tokens)
    tokens.revoke_all()

    tokens.mark_used(token.id, NOW)

    assert not tokens.folder.exists()


def test_a_thousand_requests_read_the_file_once(
    tokens: TokenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, text = made(tokens)
    os.utime(tokens.path, (NOW - 1, NOW - 1))
    tokens.find(text)
    monkeypatch.setattr("hooklore.requests.private_file.read_owned_file", None)

    for _ in range(1_000):
        tokens.find(text)


def test_a_request_loads_no_lock(place: StoreLocation, home: Path) -> None:
    made(TokenFile(place, str(home)))
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from hooklore.config import store_location_at\n"
        "from hooklore.requests.access_tokens import TokenFile\n"
        "TokenFile(store_location_at(Path(sys.argv[1])), sys.argv[2]).list()\n"
        "sys.exit('filelock' in sys.modules)\n"
    )
    words = [sys.executable, "-c", code, place.root, str(home)]
    assert subprocess.run(words, check=False).returncode == 0
