"""What stands around a gateway: its document, its unit, and what doctor says of it."""

import json
import plistlib
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import end_residents
from tests.support.connector import Connector, grants, printed_code
from tests.support.gateway import COMMAND, running
from tests.support.prepared_command import run_command


@pytest.fixture
def folder(home: Path) -> Iterator[Path]:
    yield home
    end_residents(home)


def hooklore(home: Path, *words: str, **variables: str) -> str:
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", **variables}
    done = run_command([COMMAND, *words], env, home)
    assert done.returncode == 0, done.stderr
    return done.stdout


def doctor(home: Path) -> dict[str, object]:
    """Return what doctor says of the tokens."""
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    told = run_command([COMMAND, "doctor", "--json"], env, home).stdout
    (check,) = (each for each in json.loads(told)["checks"] if each["name"] == "access tokens")
    return dict(check)


def test_the_printed_document_is_the_one_that_is_served_at_the_public_url(folder: Path) -> None:
    public = "https://memory.example.org"
    printed = json.loads(hooklore(folder, "gateway", "openapi", "--public-url", public))

    with running(folder, "--public-url", public) as gateway:
        served = gateway.client.get(
            f"http://127.0.0.1:{_port(folder)}/openapi.json", headers={"Host": "memory.example.org"}
        ).json()

    assert printed == served
    assert printed["openapi"].startswith("3.1")
    assert printed["servers"] == [{"url": public}]
    operations = [op for path in printed["paths"].values() for op in path.values()]
    assert len({op["operationId"] for op in operations}) == len(operations)
    assert all(len(op["description"]) <= 300 for op in operations)
    changing = {op["operationId"] for op in operations if op["x-openai-isConsequential"]}
    assert changing == {"appendMemoryEvent", "remember"}


def _port(home: Path) -> int:
    from hooklore.config import locate_store
    from hooklore.gateway.presence import list_running

    (found,) = list_running(locate_store({"HOME": str(home)}))
    return int(found.local_url.rpartition(":")[2])


def test_the_printed_unit_starts_this_gateway_for_this_store(folder: Path) -> None:
    told = hooklore(folder, "gateway", "unit", "--port", "9000", HOOKLORE_HOME=f"{folder}/store")

    if sys.platform == "darwin":
        unit = plistlib.loads(told.encode())
        assert unit["ProgramArguments"] == [COMMAND, "gateway", "--port", "9000"]
        assert unit["EnvironmentVariables"] == {"HOOKLORE_HOME": f"{folder}/store"}
    else:
        assert f"ExecStart={COMMAND} gateway --port 9000\n" in told
        assert f'Environment="HOOKLORE_HOME={folder}/store"\n' in told


def test_the_printed_unit_has_the_options_of_oauth(folder: Path) -> None:
    words = (
        "--oauth",
        "--allow-redirect",
        "https://a.example/cb",
        "--allow-redirect",
        "https://b.example/",
    )
    told = hooklore(folder, "gateway", "unit", *words)

    if sys.platform == "darwin":
        assert plistlib.loads(told.encode())["ProgramArguments"][-5:] == list(words)
    else:
        assert f"--port 8377 {' '.join(words)}\n" in told


@pytest.mark.parametrize(
    ("words", "cause"),
    [(("--allow-redirect", "https://a.example/"), "without `--oauth` nothing is sent anywhere"),
     (("--oauth", "--host", "127.0.0.9"), "others could read the tokens on the way"),
     *((("--oauth", "--allow-redirect", url), "it must be like `https://app.example.org/callback`")
       for url in ("http://a.example/", "https://a@b.example/", "https://a.example/#x",
                   "https://*/cb", "a.example", ""))],
)  # fmt: skip
def test_options_of_oauth_that_cannot_be_kept_are_refused(
    folder: Path, words: tuple[str, ...], cause: str
) -> None:
    env = {"HOME": str(folder), "PATH": "/usr/bin:/bin"}
    done = run_command([COMMAND, "gateway", "--port", "0", *words], env, folder)

    assert done.returncode == 1
    assert cause in done.stderr


def test_doctor_names_a_grant_that_ends_soon_and_no_code(folder: Path) -> None:
    with running(folder, "--oauth", "--rate", "0") as gateway:
        printed_code(gateway)
        before = doctor(folder)
        Connector(gateway).connect(days=90)
        lasting = doctor(folder)
        Connector(gateway).connect(days=7, agent="gemini")
        ending = doctor(folder)

    assert "there are none" in str(before)
    assert "1 token (chatgpt)" in str(lasting)
    last = grants(gateway)[-1]
    assert f"token {last.id} of gemini ends on {str(last.expires_at)[:10]}" in str(ending)


def test_doctor_says_whether_a_gateway_answers_and_for_whom(folder: Path) -> None:
    with running(folder) as gateway:
        gateway.token("chatgpt")
        gateway.token("gemini")
        there = doctor(folder)
        gateway.process.send_signal(signal.SIGSTOP)
        hangs = doctor(folder)
        gateway.process.send_signal(signal.SIGCONT)
        gateway.process.kill()
        gateway.process.wait()
        gone = doctor(folder)

    assert f"a gateway answers at {gateway.url}" in str(there)
    assert "chatgpt, gemini" in str(there)
    assert f"the gateway at {gateway.url} does not answer" in str(hangs)
    assert "no gateway runs" in str(gone)
