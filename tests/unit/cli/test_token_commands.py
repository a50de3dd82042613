"""`hooklore token`: a person gives a program elsewhere a token, sees who uses which, and takes it back."""

import io
import json
import os
import re
import sys
import time

import pytest

from hooklore.config import locate_store, read_environment
from hooklore.requests.access_tokens import TokenFile, TokenInvalid
from hooklore.requests.consent_codes import take_code
from hooklore.requests.oauth_grants import IssuedTokens, OAuthGrants
from hooklore.requests.token_kinds import OAuthClient
from tests.support.terminal import run_at_terminal
from tests.unit.cli.conftest import Memory, Run, statement

DAY = 86_400


@pytest.fixture
def tokens(memory: Memory) -> TokenFile:
    return TokenFile(locate_store(read_environment()), str(memory.home))


def created(hooklore: Run, *words: str) -> str:
    """Run `hooklore token create` for chatgpt and return the token."""
    (text,) = hooklore("token", "create", "--agent", "chatgpt", *words).lines
    return text


def test_the_token_alone_is_on_stdout_and_what_it_may_do_on_stderr(
    hooklore: Run, tokens: TokenFile
) -> None:
    printed = hooklore("token", "create", "--agent", "chatgpt")

    (text,) = printed.lines
    found = tokens.find(text)
    assert (found.agent, found.scopes, found.permission) == ("chatgpt", (), "worker")
    assert f"token {found.id} for chatgpt (worker)" in printed.err
    assert "reads global and every project" in printed.err
    assert f"ends on {str(found.expires_at)[:10]}" in printed.err
    assert "`Authorization: Bearer TOKEN`" in printed.err
    assert text not in printed.err


def test_a_token_is_limited_by_its_options(
    hooklore: Run, memory: Memory, tokens: TokenFile
) -> None:
    memory.append(statement("We use pnpm"))
    words = ("--scope", "global", "--scope", "project:widgets", "--scope", "global")

    printed = hooklore(
        "token", "create", "--agent", "chatgpt", *words, "--permission", "admin", "--days", "0"
    )

    found = tokens.find(printed.lines[-1])
    assert (found.scopes, found.permission) == (("global", "project:widgets"), "admin")
    assert found.expires_at is None
    assert "it reads global and project:widgets, and ends never" in printed.err
    assert "nothing is recorded" not in printed.err


def test_a_token_lasts_90_days_unless_it_is_said(hooklore: Run, tokens: TokenFile) -> None:
    found = tokens.find(created(hooklore))

    assert not found.is_over(time.time() + 89 * DAY)
    assert found.is_over(time.time() + 91 * DAY)


def test_an_alias_is_its_agent_and_the_registry_says_what_that_may(
    hooklore: Run, memory: Memory, tokens: TokenFile
) -> None:
    config = memory.broker.place.config
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('[agents.chatgpt]\npermission = "admin"\naliases = ["gpt"]\n')

    found = tokens.find(hooklore("token", "create", "--agent", "gpt").lines[-1])

    assert (found.agent, found.permission) == ("chatgpt", "admin")


def test_an_unknown_agent_is_refused_in_the_registrys_words(
    hooklore: Run, tokens: TokenFile
) -> None:
    printed = hooklore("token", "create", "--agent", "nobody")

    assert printed.rc == 1
    assert printed.err.startswith("error: could not act as that agent: none of ")
    assert "add a table `[agents.<id>]`" in printed.err
    assert tokens.list() == ()


@pytest.mark.parametrize(
    "scope",
    ["agent:claude", "agent:chatgpt", "project:", "project:../../etc", "project:A", "project:日本",
     "project:a/b", "project:a\n", "project", "", "*", "global_v2", "GLOBAL"],
)  # fmt: skip
def test_a_scope_that_is_no_place_of_all_is_refused(
    hooklore: Run, tokens: TokenFile, scope: str
) -> None:
    printed = hooklore("token", "create", "--agent", "chatgpt", "--scope", scope)

    assert (printed.rc, printed.out) == (2, "")
    assert "invalid value for --scope" in printed.err
    assert tokens.list() == ()


def test_a_project_of_which_nothing_is_known_is_named(hooklore: Run, tokens: TokenFile) -> None:
    printed = hooklore("token", "create", "--agent", "chatgpt", "--scope", "project:widgts")

    assert "note: nothing is recorded of project:widgts yet" in printed.err
    assert tokens.find(printed.lines[-1]).scopes == ("project:widgts",)


@pytest.mark.parametrize(
    "words",
    [("create", "--agent", "claude"), ("create", "--agent", "claude", "--oauth", "claude.ai"),
     ("list",), ("revoke", "a")],
)  # fmt: skip
@pytest.mark.parametrize(("mark", "who"), [("CLAUDECODE", "claude"), ("", "a program")])
def test_neither_an_agent_nor_a_program_gets_at_the_tokens(
    hooklore: Run, tokens: TokenFile, monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...], mark: str, who: str,
) -> None:  # fmt: skip
    if mark:
        monkeypatch.setenv(mark, "1")
    else:
        monkeypatch.setattr("sys.stdin", io.StringIO())

    printed = hooklore("token", *words, "--confirmed", "00" * 16)

    assert (printed.rc, printed.out) == (1, "")
    assert f"only a person does that, and this was run by {who}" in printed.err
    assert "in a terminal of their own" in printed.err
    assert not tokens.folder.exists()


def test_the_list_says_who_used_which_last_and_shows_no_token(
    hooklore: Run, tokens: TokenFile
) -> None:
    text = created(hooklore, "--scope", "global")
    found = tokens.find(text)
    tokens.mark_used(found.id, 1_790_000_000.0)

    printed, as_json = hooklore("token", "list"), hooklore("token", "list", "--json")

    assert json.loads(as_json.out) == [{
        "id": found.id, "kind": "token", "host": None, "agent": "chatgpt",
        "scopes": ["global"], "permission": "worker",
        "created_at": found.created_at, "expires_at": found.expires_at,
        "last_used_at": "2026-09-21T14:13:20Z",
    }]  # fmt: skip
    head, row = printed.lines
    assert head.split() == "id agent by reads permission created ends last used".split()
    assert row.startswith(f"{found.id}  chatgpt  token  global  worker")
    assert text not in printed.out + as_json.out
    assert found.digest not in printed.out + as_json.out


def test_a_list_without_tokens_says_so(hooklore: Run, tokens: TokenFile) -> None:
    printed = hooklore("token", "list")

    assert (printed.rc, printed.out, printed.err) == (0, "", "there is no token\n")
    assert hooklore("token", "list", "--json").out == "[]\n"


def test_a_token_that_has_ended_is_listed_as_ended(hooklore: Run, tokens: TokenFile) -> None:
    tokens.create("gemini", (), "worker", 1, time.time() - 2 * DAY)

    assert "  ended 20" in hooklore("token", "list").lines[-1]


def test_a_revoked_token_opens_nothing_and_an_unknown_id_is_refused(
    hooklore: Run, tokens: TokenFile
) -> None:
    text = created(hooklore)
    id_ = tokens.find(text).id

    assert hooklore("token", "revoke", id_).out == f"revoked {id_} of chatgpt\n"
    again = hooklore("token", "revoke", id_)

    assert again.rc == 1
    assert "hint: run `hooklore token list` for the ids" in again.err
    with pytest.raises(TokenInvalid):
        tokens.find(text)


def consented(tokens: TokenFile, text: str, host: str) -> IssuedTokens:
    """Return the tokens of a program at a host to which a person gave a code."""
    code = take_code(tokens, host, text, time.time())
    assert code is not None
    client = OAuthClient("c1", "Anvil", (f"https://{host}/cb",), None, None)
    return OAuthGrants(tokens, "https://m.example").create(
        code, client, "authorization", time.time()
    )


def test_a_code_for_a_host_is_on_stdout_alone_and_opens_nothing_itself(
    hooklore: Run, memory: Memory, tokens: TokenFile
) -> None:
    printed = hooklore("token", "create", "--agent", "chatgpt", "--oauth", "Claude.AI")

    (text,) = printed.lines
    assert re.fullmatch("[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}", text)
    assert "for chatgpt (worker), at claude.ai alone" in printed.err
    assert "it opens global and every project, for 90 days" in printed.err
    assert "type it within 10 minutes, once" in printed.err
    assert text not in printed.err + tokens.path.read_text()
    assert tokens.list() == ()
    with pytest.raises(TokenInvalid):
        tokens.find(text)
    assert hooklore("token", "list").err == "there is no token\n"
    assert (
        memory.of("approval")[0]["body"]["act"] == "create a code of OAuth at claude.ai for chatgpt"
    )


def test_a_grant_is_one_row_and_what_its_code_said(hooklore: Run, tokens: TokenFile) -> None:
    words = ("--oauth", "claude.ai", "--scope", "global", "--permission", "admin", "--days", "0")
    issued = consented(tokens, created(hooklore, *words), "claude.ai")

    (head, row), told = hooklore("token", "list").lines, hooklore("token", "list", "--json").out
    found = tokens.find(issued.access)

    assert row.startswith(f"{found.id}  chatgpt  OAuth at claude.ai  global  admin")
    assert "  never  " in row[head.index("ends") - 2 :]
    assert (found.scopes, found.permission, found.expires_at) == (("global",), "admin", None)
    assert [(each["kind"], each["host"]) for each in json.loads(told)] == [("grant", "claude.ai")]
    assert hooklore("token", "revoke", found.id).out == f"revoked {found.id} of chatgpt\n"
    with pytest.raises(TokenInvalid):
        tokens.find(issued.access)


def test_a_code_is_taken_back_by_its_id(hooklore: Run, tokens: TokenFile) -> None:
    printed = hooklore("token", "create", "--agent", "chatgpt", "--oauth", "localhost")
    id_ = printed.err.split()[1]

    assert hooklore("token", "revoke", id_).rc == 0
    assert take_code(tokens, "localhost", printed.lines[-1], time.time()) is None


@pytest.mark.parametrize(
    "host",
    [
        "",
        "https://claude.ai",
        "claude.ai/cb",
        "claude.ai:8443",
        "a@claude.ai",
        "::1",
        "a b",
        "*",
        "a;b",
    ],
)
def test_a_code_is_for_a_host_and_nothing_else(hooklore: Run, tokens: TokenFile, host: str) -> None:
    printed = hooklore("token", "create", "--agent", "chatgpt", "--oauth", host)

    assert (printed.rc, printed.out) == (2, "")
    assert "invalid value for --oauth: must be the host that the page names" in printed.err
    assert tokens.entries() == ()


@pytest.mark.parametrize("host", ["[::1]", "127.0.0.1", "例え.jp"])
def test_a_host_is_read_as_redirects_name_it(hooklore: Run, tokens: TokenFile, host: str) -> None:
    text = created(hooklore, "--oauth", host)
    named = {"例え.jp": "xn--r8jz45g.jp"}.get(host, host)

    assert take_code(tokens, named, text, time.time()) is not None


def test_the_audit_says_that_a_person_let_an_agent_in(hooklore: Run, memory: Memory) -> None:
    created(hooklore)

    assert [(r["body"]["act"], r["body"]["how"]) for r in memory.of("approval")] == [
        ("create a token for chatgpt", "terminal")
    ]


@pytest.mark.req("AC-21")
def test_no_token_lies_in_the_store_and_none_that_is_pasted_into_a_prompt_gets_there(
    hooklore: Run, memory: Memory, tokens: TokenFile
) -> None:
    text = created(hooklore)

    memory.hook("UserPromptSubmit", prompt=f"curl with {text} please, then look at the answer")

    assert "[REDACTED:hooklore]" in memory.of("prompt")[0]["body"]["text"]
    place = memory.broker.place.directory
    every = [path for path in place.rglob("*") if path.is_file()]
    assert not [path for path in every if text.encode() in path.read_bytes()]
    assert not tokens.path.is_relative_to(place)


def test_the_tokens_of_a_memory_go_with_it(
    hooklore: Run, hooks: Run, memory: Memory, tokens: TokenFile
) -> None:
    created(hooklore)
    memory.broker.close()

    printed = hooks("uninstall", "--purge", "--yes")

    assert "revoked 1 token" in printed.lines
    assert not tokens.folder.exists()


def test_the_tokens_stay_where_the_memory_stays(
    hooklore: Run, hooks: Run, tokens: TokenFile
) -> None:
    text = created(hooklore)

    hooks("uninstall")

    assert tokens.find(text)


def test_at_a_terminal_whose_stdout_goes_elsewhere_the_token_alone_goes_there(
    memory: Memory, tokens: TokenFile
) -> None:
    program = "import sys; from hooklore.cli.main import hooklore_main; sys.exit(hooklore_main())"
    words = [sys.executable, "-c", program, "token", "create", "--agent", "chatgpt"]
    env = {"HOME": str(memory.home), "PATH": os.environ["PATH"]}

    done = run_at_terminal(words, env, memory.folder)

    assert tokens.find(done.stdout.removesuffix("\n")).agent == "chatgpt"
    assert "it is shown once" in done.stderr
