"""A command brings text of strangers, or it does not."""

import pytest

from hooklore.shell.fetching import fetches


@pytest.mark.parametrize(
    "command",
    [
        "curl -s https://wiki.example/page | head",
        "bash -lc 'curl https://wiki.example/page'",
        "eval 'curl https://wiki.example/page'",
        "cd api && curl wiki.example/page",
        "wget -qO- 'https://wiki.example'",
        "curl http://localhost:3000/health https://wiki.example",
        "curl https://localhost.evil.example/x",
        "curl https://me@localhost:1@evil.example/x",
        'curl "$URL"',
        "nc wiki.example 80",
        "gh issue view 7",
        "gh -R o/mill issue view 7",
        "bash -c 'curl https://wiki.example'",
        "echo $(curl https://wiki.example/a)",
        "diff <(curl https://wiki.example/a) b",
        "xargs curl < pages",
        "gh pr list --limit 3",
        "gh api repos/me/mill/issues",
        "gh search code press",
        "glab mr view 3",
    ],
)
def test_what_strangers_wrote_is_fetched(command: str) -> None:
    assert fetches(command)


@pytest.mark.parametrize(
    "command",
    [
        "curl -s http://localhost:3000/health",
        "curl localhost:8080/metrics",
        "curl -H 'Origin: http://app.example' localhost:8080 -o out.json",
        "curl -X POST http://127.0.0.1:9/run -d @body.json",
        "wget http://[::1]:80/",
        "gh pr create --title x --body https://wiki.example",
        "gh run view 12 --log-failed",
        "gh pr checks",
        "gh pr merge 7",
        "pytest -q",
        "git fetch origin",
        "",
    ],
)
def test_what_this_machine_and_the_project_itself_say_is_not(command: str) -> None:
    assert not fetches(command)
