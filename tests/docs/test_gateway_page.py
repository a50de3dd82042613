"""What the documents print of the gateway, as printed, by a person at a terminal."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import end_residents
from tests.support.gateway import running
from tests.support.readme import ROOT, block
from tests.support.terminal import run_at_terminal

SCRIPTS = Path(sys.executable).parent
PAGE = (ROOT / ".github" / "GATEWAY.md").read_text("utf-8")


@pytest.fixture
def folder(home: Path) -> Iterator[Path]:
    yield home
    end_residents(home)


def test_the_gateway_is_asked_as_the_documents_print(folder: Path) -> None:
    (append,) = (
        each for each in re.findall(r"```sh\n(.*?)\n```", PAGE, re.DOTALL) if "-d '" in each
    )
    script = f"{block('gateway')}\necho\n{append}\necho\n{append}\nkill %1; wait"
    env = {"HOME": str(folder), "PATH": f"{SCRIPTS}:/usr/local/bin:/usr/bin:/bin"}

    done = run_at_terminal(["bash", "-mc", script], env, folder)

    snapshot, first, again = map(json.loads, done.stdout.splitlines())
    assert snapshot["recent_events"] == []
    assert snapshot["snapshot_id"]
    assert first["status"] == "stored"
    assert again == first
    assert (folder / "header.txt").stat().st_mode & 0o077 == 0


def test_the_python_client_asks_a_gateway_as_the_page_prints(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = re.findall(r"```python\n(.*?)\n```", PAGE, re.DOTALL)
    with running(folder) as gateway:
        exec(example, {"url": gateway.url, "token": gateway.token("chatgpt")})

    told = capsys.readouterr().out
    assert told.startswith("stored ")
    assert "We ship on Mondays, after the till is closed." in told
