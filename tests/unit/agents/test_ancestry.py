"""The processes above a process tell who started it: an agent, or nobody that has a mark."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from hooklore.agents.ancestry import find_ancestors, find_process, is_from_client
from hooklore.agents.speaker import identify_speaker

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="this system tells no environment"
)
BASH = "/bin/bash"
CLEAN = {"PATH": "/usr/bin:/bin"}
CLAUDE = {"CLAUDECODE": "1"}


@contextmanager
def waiting(env: Mapping[str, str], line: str = "echo $$; read word") -> Iterator[int]:
    """Yield the number of a process that a shell of this environment starts, or of that shell itself."""
    with subprocess.Popen(
        [BASH, "-c", line], env=CLEAN | dict(env), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as shell:  # fmt: skip
        assert shell.stdout is not None
        yield int(shell.stdout.readline())


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({}, True),
        (CLAUDE, False),
        (CLAUDE | {"CLAUDE_PROJECT_DIR": "/p"}, True),
        ({"CODEX_THREAD_ID": "1"}, False),
        ({"GEMINI_CLI": "1"}, False),
        ({"GEMINI_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"}, True),
        (CLAUDE | {"GEMINI_PROJECT_DIR": "/p"}, False),
        ({"CLAUDECODE": ""}, True),
    ],
)
def test_a_hook_is_told_from_a_command_of_the_model(env: Mapping[str, str], expected: bool) -> None:
    with waiting(env) as number:
        assert is_from_client(number) is expected


@pytest.mark.parametrize(
    "line",
    [
        "env -i PATH=$PATH sh -c 'echo $$; read word'; true",
        "env -i PATH=$PATH CLAUDECODE=1 CLAUDE_PROJECT_DIR=/p sh -c 'echo $$; read word'; true",
        "unset CLAUDECODE; sh -c \"sh -c 'echo \\$\\$; read word'; true\"; true",
    ],
)
def test_a_command_of_the_model_stays_one_whatever_it_takes_off_or_puts_on(line: str) -> None:
    with waiting(CLAUDE, line) as number:
        assert not is_from_client(number)
        assert any(above.environment.get("CLAUDECODE") for above in find_ancestors(number))


def test_what_runs_below_a_client_is_the_agents_whatever_took_the_place_of_its_shell() -> None:
    with waiting(
        {}, f"exec -a claude {BASH} -c 'sh -c \"echo \\$\\$; read word\"; true'"
    ) as number:
        speaker = identify_speaker({}, is_at_terminal=True, above=find_ancestors(number))

    assert (speaker.kind, speaker.agent_id) == ("agent", "claude")


@pytest.mark.parametrize(
    "line",
    [
        "sh -c 'echo $$; read word' claude; true",
        f"{sys.executable} -c 'import os, sys; print(os.getpid(), flush=True); input()' x /home/me/claude; true",
    ],
)
def test_a_file_or_a_folder_that_is_called_like_a_client_is_none(line: str) -> None:
    with waiting({}, line) as number:
        speaker = identify_speaker({}, is_at_terminal=True, above=find_ancestors(number))

    assert speaker.kind == "person"


def test_a_process_that_has_ended_proves_nothing() -> None:
    with waiting({}) as number:
        pass

    assert find_process(number) is None
    assert not is_from_client(number)


def test_the_processes_above_are_told_up_to_the_first_of_all() -> None:
    above = list(find_ancestors(os.getpid()))
    parent = find_process(os.getppid())

    assert above
    assert parent is not None
    assert parent.began > 0


def test_what_an_agent_started_is_named_where_the_command_itself_has_no_mark() -> None:
    """As below a multiplexer that an agent started once: a person there must learn why they are refused."""
    with waiting(CLAUDE, f"env -i {BASH} -c 'echo $$; read word'; true") as number:
        speaker = identify_speaker({}, is_at_terminal=True, above=find_ancestors(number))
        parent = find_process(number)

    assert parent is not None
    assert (speaker.kind, speaker.agent_id) == ("agent", "claude")
    assert speaker.through == f"`bash` (process {parent.parent})"


def test_the_value_of_an_option_hides_no_clients_program(tmp_path: Path) -> None:
    script = tmp_path / "gemini"
    script.write_text(
        f"import subprocess\nsubprocess.run(['{BASH}', '-c', 'echo $$; read word'])\n"
    )
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", str(script)],
        env=CLEAN, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as client:  # fmt: skip
        assert client.stdout is not None
        above = next(find_ancestors(int(client.stdout.readline())))

    assert "gemini" in above.programs
