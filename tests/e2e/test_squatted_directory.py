"""Somebody has taken the name of the socket's directory: memory works, and nothing appears elsewhere."""

import os
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hooklore.config import OWN_RUNTIME
from tests.conftest import end_residents, wait_until
from tests.processes import residents
from tests.support.launcher import Launcher, prompt

pytestmark = pytest.mark.skipif(
    os.getuid() != 0 or shutil.which("setpriv") is None, reason="another user is needed"
)

_OTHER = 1


@dataclass
class Squat:
    """The name that a user's hooks look for, and a folder where nothing may appear."""

    name: Path
    user: int
    elsewhere: Path

    def is_anothers(self) -> None:
        """Another user has made the folder."""
        self.name.mkdir(0o700)
        os.chown(self.name, _OTHER, _OTHER)

    def is_anothers_and_open(self) -> None:
        """Another user has made the folder, and lets everybody write there."""
        self.name.mkdir()
        self.name.chmod(0o777)
        os.chown(self.name, _OTHER, _OTHER)

    def is_open(self) -> None:
        """The folder is the user's own, and others may write there."""
        self.name.mkdir()
        self.name.chmod(0o777)
        os.chown(self.name, self.user, self.user)

    def is_a_file(self) -> None:
        """A file has the name."""
        self.name.write_bytes(b"")

    def is_a_link(self) -> None:
        """The name leads to a folder of the user's own."""
        self.name.symlink_to(self.elsewhere)

    def is_a_link_to_nothing(self) -> None:
        """The name leads to a folder that does not exist, in one of the user's own."""
        self.name.symlink_to(self.elsewhere / "missing")

    def is_a_socket(self) -> None:
        """A socket has the name, and somebody listens."""
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(self.name))

    def leave(self) -> None:
        """Give the name free."""
        if self.name.is_dir() and not self.name.is_symlink():
            shutil.rmtree(self.name)
        else:
            self.name.unlink(missing_ok=True)

    def contents(self) -> list[str]:
        """Return what lies behind the name, and in the folder where nothing may appear."""
        behind = os.listdir(self.name) if self.name.is_dir() else []
        return sorted(behind + [str(p) for p in self.elsewhere.rglob("*")])


_WAYS = [
    Squat.is_anothers, Squat.is_anothers_and_open, Squat.is_open, Squat.is_a_file,
    Squat.is_a_link, Squat.is_a_link_to_nothing, Squat.is_a_socket,
]  # fmt: skip


@dataclass
class OtherUser(Launcher):
    """A home whose hooks and commands run as another user, who may read all files: a test's lie below root's."""

    user: int = 0
    prefix: list[str] = field(default_factory=list)

    def as_user(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """Run a command as the user."""
        return subprocess.run(
            [*self.prefix, str(Path(sys.executable).parent / command[0]), *command[1:]],
            env=self.environment({}), capture_output=True, text=True, check=False,
        )  # fmt: skip

    def ask(self, text: str) -> None:
        """Run the hook of a prompt as the user, and check that it is silent."""
        ran = self.run("UserPromptSubmit", prompt(text), prefix=self.prefix)
        assert (ran.status, ran.stderr) == (0, b"")
        assert "shared memory" not in ran.context


@pytest.fixture
def hooks(home: Path) -> Iterator[OtherUser]:
    user = 200_000 + os.getpid() % 100_000  # nobody else's, in a run of several processes
    prefix = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups",
              "--inh-caps=+dac_override", "--ambient-caps=+dac_override"]  # fmt: skip
    found = OtherUser(home, user=user, prefix=prefix)
    found.lay_out(is_patient=True)
    for path in (home, *home.rglob("*")):
        os.chown(path, user, user, follow_symlinks=False)
    yield found
    end_residents(home)


@pytest.fixture
def squat(hooks: OtherUser, tmp_path: Path) -> Iterator[Squat]:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(0o700)
    os.chown(elsewhere, hooks.user, hooks.user)
    found = Squat(Path(f"/tmp/hooklore-{hooks.user}"), hooks.user, elsewhere)
    found.leave()
    yield found
    found.leave()


@pytest.mark.parametrize("way", _WAYS, ids=lambda way: way.__name__)
def test_a_squatted_name_loses_nothing_and_no_file_appears_elsewhere(
    hooks: OtherUser, squat: Squat, way: Callable[[Squat], None]
) -> None:
    way(squat)
    before = squat.contents()

    hooks.ask("one")
    wait_until(lambda: hooks.prompts() == ["one"], "the first prompt")
    wait_until(lambda: len(residents(str(hooks.place.directory))) == 1, "a resident")
    hooks.ask("two")
    status = hooks.as_user("hooks", "status", "--json")
    doctor = hooks.as_user("hooks", "doctor")
    stopping = hooks.as_user("hooks", "stop")

    run = hooks.place.directory / OWN_RUNTIME
    assert hooks.wait_for_prompts(2) == ["one", "two"]
    assert '"served"' in status.stdout
    assert f"hooks refuse `{squat.name}`" in doctor.stdout
    assert stopping.returncode == 0
    assert residents(str(hooks.place.directory)) == []
    assert (stat.S_IMODE(run.stat().st_mode), run.stat().st_uid) == (0o700, hooks.user)
    assert squat.contents() == before


def test_a_store_of_a_long_path_is_served_beside_a_squatted_name(
    hooks: OtherUser, squat: Squat
) -> None:
    squat.is_a_file()
    hooks.variables["HOOKLORE_HOME"] = str(hooks.home / ("store" * 40))

    hooks.ask("one")
    wait_until(lambda: len(residents(hooks.variables["HOOKLORE_HOME"])) == 1, "a resident")
    wait_until(lambda: '"served"' in hooks.as_user("hooks", "status", "--json").stdout, "an answer")

    assert hooks.as_user("hooks", "stop").returncode == 0


@pytest.mark.parametrize(
    "way", [Squat.is_anothers_and_open, Squat.is_a_link], ids=lambda way: way.__name__
)
def test_the_command_line_does_not_believe_whoever_listens_at_a_squatted_name(
    hooks: OtherUser, squat: Squat, way: Callable[[Squat], None]
) -> None:
    way(squat)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(squat.name / hooks.place.socket.name))
    listening.listen()
    listening.setblocking(False)

    status = hooks.as_user("hooks", "status")

    assert "none runs" in status.stdout
    with pytest.raises(BlockingIOError):
        listening.accept()
    listening.close()
