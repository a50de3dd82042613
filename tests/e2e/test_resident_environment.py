"""A resident outlives the session that started it, and keeps little of that session's environment."""

import re
from pathlib import Path

import pytest

from hooklore.config import RESIDENT_ENVIRONMENT
from tests.support.launcher import Launcher, prompt

SECURITY = (Path(__file__).parents[2] / ".github" / "SECURITY.md").read_text("utf-8")
SESSIONS_OWN = {
    "ANTHROPIC_API_KEY": "of the session", "AWS_SECRET_ACCESS_KEY": "of the session",
    "CLAUDECODE": "1", "PYTHONPATH": "/nowhere", "LD_LIBRARY_PATH": "/nowhere", "EDITOR": "vi",
}  # fmt: skip
KEPT = {"HOME", "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "USER", "LOGNAME",
        "HOOKLORE_HOME", "AI_MEMORY_PATH"}  # fmt: skip


@pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="another's environment is in /proc"
)
def test_a_resident_keeps_the_variables_of_an_allow_list_alone(home: Path) -> None:
    hooks = Launcher(home).lay_out(is_patient=True)

    hooks.run("UserPromptSubmit", prompt("hello"), variables=SESSIONS_OWN | {"LANG": "C.UTF-8"})
    pid = hooks.wait_for_resident()

    raw = Path(f"/proc/{pid}/environ").read_bytes().decode().rstrip("\0").split("\0")
    found = dict(each.partition("=")[::2] for each in raw)
    assert set(found) <= KEPT | {"HOOKLORE_DEPTH"}
    assert found["HOOKLORE_DEPTH"] == "1"
    assert (found["HOME"], found["LANG"]) == (str(home), "C.UTF-8")
    assert set(RESIDENT_ENVIRONMENT) == KEPT
    assert re.search(r"environment variables.*none is ever stored.*an allow-list", SECURITY)
