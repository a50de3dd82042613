"""`hooks doctor` on installations that are whole, and on broken ones."""

import json
import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hooklore.agents.registration import Command
from hooklore.agents.registry import default_agent
from hooklore.broker import Broker
from hooklore.cli.doctor import run
from hooklore.cli.doctor.gather import gather
from hooklore.cli.doctor.processes import lock_holder
from hooklore.cli.doctor.recall_proof import prove_recall
from hooklore.cli.doctor.settings_files import commands_in_force, settings_facts
from hooklore.cli.install import install
from hooklore.config import StoreLocation, locate_store, read_environment, store_location_at
from hooklore.maintenance.index_health import index_health
from hooklore.records.draft import Draft
from hooklore.records.record import Record
from hooklore.resident import call
from tests import processes
from tests.conftest import slowness, wait_until
from tests.support.launcher import stopped
from tests.support.written_settings import plugin_hooks

INSTALL = "hooks install"

_log = logging.getLogger(__name__)

SCRIPTS = Path(sys.executable).parent


@pytest.fixture(autouse=True)
def _on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a shell find the command, as after an installation."""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{SCRIPTS}")


@dataclass
class Machine:
    """A home with hooklore installed, and the doctor's reports on it."""

    home: Path
    project: Path
    capsys: pytest.CaptureFixture[str]
    rc: int = -1

    @property
    def place(self) -> StoreLocation:
        return locate_store(read_environment())

    @property
    def settings(self) -> Path:
        return self.home / ".claude" / "settings.json"

    @property
    def launcher(self) -> Path:
        return self.home / ".local" / "share" / "hooklore"

    @property
    def commands(self) -> dict[str, Command]:
        agent = default_agent()
        return commands_in_force(agent, settings_facts(agent, self.home, self.project, None, {}))

    def doctor(self, start: Path | None = None, **more: Any) -> dict[str, dict[str, Any]]:
        """The report: name of a check -> the check. Fails when there is a traceback anywhere."""
        found = json.loads(self.text(start, as_json=True, **more))
        assert found["ok"] == (self.rc == 0)
        assert found["seconds"] < 12 * slowness()
        return {check["name"]: check for check in found["checks"]}

    def text(self, start: Path | None = None, **more: Any) -> str:
        self.capsys.readouterr()
        self.rc = run(self.place, str(self.home), str(start or self.project), **more)
        printed = self.capsys.readouterr()
        assert printed.err == ""
        assert "Traceback" not in printed.out
        return printed.out

    def hook(self, event: str, **fields: Any) -> str:
        """Run a registered command as the client does; what it prints."""
        payload = {"hook_event_name": event, "session_id": "s1", "cwd": str(self.project), **fields}
        done = subprocess.run(
            ["/bin/sh", "-c", str(self.commands[event])],
            input=json.dumps(payload),
            env={"HOME": str(self.home), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        return done.stdout

    def remember(self, count: int) -> None:
        """A store with some records, indexed."""
        broker = Broker(self.place, wait=5.0)
        drafts = [
            {"stream": "observation", "kind": "prompt", "agent_id": "claude", "basis": "user",
             "delivery_id": f"d{n}", "body": {"text": f"note number {n} about the weather"}}
            for n in range(count)
        ]  # fmt: skip
        broker.append([Draft(Record(fields)) for fields in drafts])
        broker.index()
        broker.close()

    def index_files(self, pattern: str) -> list[Path]:
        return sorted((self.place.directory / "index").glob(f"g*/{pattern}"))


@pytest.fixture
def machine(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Machine:
    project = tmp_path / "project"
    project.mkdir()
    install("user", home=home, project_dir=project)
    return Machine(home, project, capsys)


def failures(found: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Name of what failed -> the command that mends it. pytest shows the logged details of a failing test."""
    failed = {name: check for name, check in found.items() if check["ok"] is False}
    for name, check in failed.items():
        _log.warning("%s: %s", name, check["detail"])
    return {name: check["fix"] for name, check in failed.items()}


@contextmanager
def locking(directory: Path) -> Iterator[int]:
    """A process that holds the log's lock; its pid."""
    program = "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], 0), 2); print(); input()"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(directory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        try:
            yield child.pid
        finally:
            child.kill()


@pytest.mark.req("CL-10")
def test_a_healthy_installation_passes_and_both_canaries_come_through(machine: Machine) -> None:
    found = machine.doctor()

    assert failures(found) == {}
    assert machine.rc == 0
    assert "SessionStart" in found["canary recalled"]["detail"]
    assert "logged and indexed" in found["canary stored"]["detail"]
    assert "no hook has ever fired" in found["fired"]["detail"]


@pytest.mark.req("CL-10")
def test_the_report_for_a_person_has_one_line_a_check_and_the_command(machine: Machine) -> None:
    (machine.launcher / "hooks" / "stop.py").unlink()

    lines = machine.text().splitlines()

    assert machine.rc == 1
    assert [line for line in lines if line.startswith("FAIL")] == [
        "FAIL  entry files          missing: stop.py · fix: hooks install"
    ]


def test_nothing_of_the_temporary_store_is_left(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = tmp_path / "stage"
    stage.mkdir()
    monkeypatch.setattr("tempfile.mkdtemp", lambda **_: str(stage))

    proof = prove_recall(default_agent(), machine.commands, str(machine.home), "/usr/bin:/bin")

    socket = store_location_at(stage / "store").socket
    assert proof.problem is None
    assert not stage.exists()
    assert list(socket.parent.glob(f"{socket.stem}*")) == []
    assert processes.naming(stage) == []


@pytest.mark.req("CL-10")
def test_the_canary_in_the_real_store_is_never_recalled(machine: Machine) -> None:
    machine.doctor()

    brief = machine.hook("SessionStart", source="startup")
    prompt = machine.hook("UserPromptSubmit", prompt="what about the canary of the doctor?")

    assert machine.place.log.read_text().count('"kind":"canary"') == 1
    assert "canary" not in brief + prompt


@pytest.mark.req("CL-10")
def test_a_running_resident_appends_the_canary_and_hooks_that_fired_are_told(
    machine: Machine,
) -> None:
    machine.hook("SessionStart", source="startup")

    found = machine.doctor()

    assert failures(found) == {}
    assert "by the resident" in found["canary stored"]["detail"]
    assert re.search(r"SessionStart \d+ s ago|not yet", found["fired"]["detail"])
    assert found["resident"]["ok"] is True


@pytest.mark.req("CL-10")
def test_without_an_installation_the_installer_is_named(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = Machine(home, tmp_path, capsys).doctor()

    assert failures(found) == dict.fromkeys(
        ("registration", "launcher", "canary recalled"), INSTALL
    )


@pytest.mark.req("CL-10")
def test_a_folder_in_place_of_the_log_is_named_and_hides_nothing_else(machine: Machine) -> None:
    machine.place.log.mkdir(parents=True)

    found = machine.doctor()

    aside = f"mv {machine.place.log} {machine.place.log}.aside"
    assert failures(found)["store"] == aside
    assert failures(found)["log"] == aside
    assert found["canary recalled"]["ok"] is True
    assert found["registration"]["ok"] is True


@pytest.mark.req("CL-10")
def test_a_file_in_place_of_the_store_is_named(machine: Machine) -> None:
    machine.place.directory.parent.mkdir(parents=True)
    machine.place.directory.write_text("x")

    found = machine.doctor()

    directory = machine.place.directory
    assert failures(found)["store"] == f"mv {directory} {directory}.aside"


@pytest.mark.req("CL-10")
def test_a_launcher_that_is_gone_is_named(machine: Machine) -> None:
    machine.launcher.rename(machine.launcher.with_name("moved"))

    found = machine.doctor()

    assert failures(found) == {"launcher": INSTALL, "canary recalled": INSTALL}


@pytest.mark.req("CL-10")
def test_an_interpreter_that_is_gone_is_named(machine: Machine, tmp_path: Path) -> None:
    (machine.launcher / "python").unlink()
    (machine.launcher / "python").symlink_to(tmp_path / "gone" / "python")

    found = machine.doctor()

    assert "gone/python" in found["launcher"]["detail"]
    assert failures(found) == {"launcher": INSTALL, "canary recalled": INSTALL}


@pytest.mark.req("CL-10")
def test_a_shim_is_named_though_it_works(machine: Machine, tmp_path: Path) -> None:
    shim = tmp_path / "python"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    shim.chmod(0o755)
    (machine.launcher / "python").unlink()
    (machine.launcher / "python").symlink_to(shim)

    found = machine.doctor()

    assert failures(found) == {"interpreter": INSTALL}


@pytest.mark.req("CL-10")
def test_a_command_that_never_ends_is_named(machine: Machine, tmp_path: Path) -> None:
    sleeper = tmp_path / "sleep"
    sleeper.symlink_to(shutil.which("sleep") or "")
    hanging = tmp_path / "python"
    hanging.write_text(f'#!/bin/sh\n"{sleeper}" 600\n')
    hanging.chmod(0o755)
    (machine.launcher / "python").unlink()
    (machine.launcher / "python").symlink_to(hanging)

    found = machine.doctor()

    assert found["canary recalled"]["ok"] is False
    assert "SessionStart did not end in" in found["canary recalled"]["detail"]
    assert not processes.naming(sleeper)


@pytest.mark.req("CL-10")
def test_a_client_compiled_of_another_version_is_named(machine: Machine) -> None:
    (compiled,) = (machine.launcher / "__pycache__").glob("client.*.pyc")
    raw = compiled.read_bytes()
    compiled.write_bytes(raw[:8] + bytes(8) + raw[16:])

    found = machine.doctor()

    assert failures(found) == {"client": INSTALL}
    assert "of another version" in found["client"]["detail"]


@pytest.mark.req("CL-10")
def test_what_the_client_loads_in_trouble_is_named_when_it_is_gone_or_changed(
    machine: Machine,
) -> None:
    trouble = machine.launcher / "client_trouble.py"
    trouble.write_bytes(trouble.read_bytes() + b"# mine\n")
    changed = machine.doctor()
    trouble.unlink()
    gone = machine.doctor()

    assert failures(changed) == {"client": INSTALL}
    assert failures(gone)["client"] == INSTALL
    assert "client_trouble.py` is not the one of" in changed["client"]["detail"]
    assert "client_trouble.py` cannot be read" in gone["client"]["detail"]


@pytest.mark.req("CL-10")
def test_a_settings_file_with_an_invalid_entry_is_named(machine: Machine) -> None:
    local = machine.project / ".claude" / "settings.local.json"
    local.parent.mkdir()
    local.write_text('{"hooks": {"Stop": [{}]}}')

    found = machine.doctor()

    assert failures(found) == {"settings files": f"correct `{local}`"}
    assert "`hooks.Stop[0].hooks` must be an array" in found["settings files"]["detail"]


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b'{"hooks": {}, // why\n}', "a comment"),
        (b"\x00\xff", "line 1 column 1"),
        (b"[" * 100_000, "nested too deeply"),
        ('{"a": 1}'.encode("utf-16"), "it is UTF-16"),
        (b'{"a": ' + b"9" * 9_000 + b"}", None),
        (b"", None),
    ],
)
def test_a_settings_file_is_read_as_the_client_reads_it(
    tmp_path: Path, raw: bytes, says: str | None
) -> None:
    local = tmp_path / ".claude" / "settings.local.json"
    local.parent.mkdir()
    local.write_bytes(raw)

    (found,) = [
        f
        for f in settings_facts(default_agent(), tmp_path, tmp_path, None, {}).files
        if f.scope == "local"
    ]

    assert (found.problem is None) == (says is None)
    assert (says or "") in (found.problem or "")


@pytest.mark.req("CL-10")
def test_hooks_that_are_switched_off_are_named(machine: Machine) -> None:
    local = machine.project / ".claude" / "settings.json"
    local.parent.mkdir()
    local.write_text('{"disableAllHooks": true}')

    found = machine.doctor()

    assert failures(found) == {"hooks enabled": f"remove `disableAllHooks` from `{local}`"}


@pytest.mark.req("CL-10")
def test_in_a_subdirectory_the_settings_of_the_root_do_not_count(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "repository"
    below = root / "src"
    (root / ".git").mkdir(parents=True)
    below.mkdir()
    install("project", home=home, project_dir=root)
    machine = Machine(home, root, capsys)

    at_root, in_below = machine.doctor(root), machine.doctor(below)

    assert failures(at_root) == {}
    assert failures(in_below)["registration"] == f"cd {root}"


@pytest.mark.req("CL-10")
def test_another_configuration_directory_is_named(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "other"))

    found = machine.doctor()

    assert failures(found)["registration"] == "hooks install --user"


def spoil(path: Path) -> None:
    """Flip some bytes in the middle of a file; in place, for a thread of the index may have it mapped."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        raw = file.read(40)
        file.seek(-len(raw), os.SEEK_CUR)
        file.write(bytes(byte ^ 0x5A for byte in raw))


@pytest.mark.req("CL-10")
def test_a_damaged_index_is_named_and_rebuild_mends_it(machine: Machine) -> None:
    machine.remember(2_000)
    (catalog,) = machine.index_files("catalog.sqlite")
    spoil(catalog)

    broken = machine.doctor()
    Broker(machine.place, wait=5.0).rebuild()

    assert failures(broken) == {"index": "hooklore rebuild"}
    assert index_health(machine.place).damage is None


@pytest.mark.parametrize("pattern", ["text/*.term", "text/*.idx", "text/meta.json"])
def test_damage_in_any_file_of_the_text_index_is_seen(machine: Machine, pattern: str) -> None:
    machine.remember(2_000)
    whole = index_health(machine.place)
    (path, *_) = machine.index_files(pattern)
    spoil(path)

    found = index_health(machine.place)

    assert whole.damage is None
    assert found.damage is not None


def test_an_index_of_which_a_part_is_missing_is_not_made_anew_by_looking(machine: Machine) -> None:
    machine.remember(10)
    (catalog,) = machine.index_files("catalog.sqlite")
    catalog.unlink()

    found = index_health(machine.place)

    assert found.damage is not None
    assert not catalog.exists()


@pytest.mark.req("CL-10")
def test_a_held_lock_is_named_with_its_holder(machine: Machine) -> None:
    machine.remember(1)

    with locking(machine.place.directory) as pid:
        held = machine.doctor()
        os.kill(pid, signal.SIGSTOP)
        os.waitpid(pid, os.WUNTRACED)
        stopped = machine.doctor()
    freed = machine.doctor()

    assert failures(held)["log lock"] == f"kill {pid}"
    assert failures(stopped)["log lock"] == f"kill -CONT {pid}"
    assert failures(freed) == {}


@pytest.mark.req("CL-10")
def test_a_stopped_resident_is_named(machine: Machine) -> None:
    machine.hook("SessionStart", source="startup")
    wait_until(lambda: call.request_status(machine.place), "the resident")
    status = call.request_status(machine.place)
    assert status is not None
    stopped(status["pid"])

    found = machine.doctor()
    os.kill(status["pid"], signal.SIGCONT)

    assert failures(found)["resident"] == f"kill -CONT {status['pid']}"
    assert found["canary recalled"]["ok"] is True
    # On a busy machine the index lags behind the canary at first.
    wait_until(lambda: not failures(machine.doctor()), "a doctor without a failure")


@pytest.mark.req("CL-10")
def test_a_resident_that_hangs_is_named(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call, "_SECONDS", 0.2)
    machine.place.socket.parent.mkdir(mode=0o700, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(machine.place.socket))
        listening.listen()

        found = machine.doctor()

    machine.place.socket.unlink()
    assert failures(found)["resident"] == f"kill -KILL {os.getpid()}"
    assert "canary stored" in failures(found)


def test_the_holder_of_a_lock_that_was_handed_on_is_the_one_that_has_it_now(
    tmp_path: Path,
) -> None:
    program = (
        "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], 0), 2)\n"
        "if os.fork() == 0: print(os.getpid(), flush=True); input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as taker:
        assert taker.stdout is not None
        keeper = int(taker.stdout.readline())
        taker.wait()

        holder = lock_holder(tmp_path)

    assert holder is not None
    assert holder.pid == keeper


@pytest.mark.req("CL-10")
@pytest.mark.parametrize("enabled", [True, False])
def test_a_plugin_is_found_where_the_client_installed_it(
    home: Path, tmp_path: Path, enabled: bool
) -> None:
    folder = tmp_path / "cache" / "hooklore" / "0.1.0"
    (folder / "hooks").mkdir(parents=True)
    (folder / "hooks" / "hooks.json").write_text(plugin_hooks())
    listed = {
        "version": 2,
        "plugins": {"hooklore@m": [{"scope": "user", "installPath": str(folder)}]},
    }
    (home / ".claude" / "plugins").mkdir(parents=True)
    (home / ".claude" / "plugins" / "installed_plugins.json").write_text(json.dumps(listed))
    settings = {"enabledPlugins": {"hooklore@m": enabled, "other@m": True}}
    (home / ".claude" / "settings.json").write_text(json.dumps(settings))

    found = settings_facts(default_agent(), home, tmp_path, None, {})

    assert len(commands_in_force(default_agent(), found)) == (14 if enabled else 0)


@pytest.mark.req("CL-10")
def test_what_is_put_where_only_the_user_reads_it_is_noticed(machine: Machine) -> None:
    rename = "sed s/additionalContext/systemMessage/"
    commands = dict(machine.commands)
    commands["SessionStart"] = f"({commands['SessionStart']}) | {rename}"

    proof = prove_recall(default_agent(), commands, str(machine.home), "/usr/bin:/bin")

    assert proof.problem is not None
    assert "SessionStart puts the lesson where only the user reads it" in proof.problem


@pytest.mark.req("CL-10")
@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("exit 2", "PostToolUse exited 2"),
        ("echo a log line; exit 0", "PostToolUse printed what is no JSON"),
        ("echo complaint >&2", "PostToolUse complained: complaint"),
        ("true", "does not bring the lesson back"),
    ],
)
def test_a_registered_line_that_misbehaves_is_named(
    machine: Machine, command: str, says: str
) -> None:
    commands = {**machine.commands, "PostToolUse": command}

    proof = prove_recall(default_agent(), commands, str(machine.home), "/usr/bin:/bin")

    assert proof.problem is not None
    assert says in proof.problem


UNPRIVILEGED = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all")
"""Root passes every permission; without these two capabilities it is refused as anybody is."""

_PROGRAM = """
import sys
from hooklore.cli.doctor import run
from hooklore.config import locate_store, read_environment
sys.exit(run(locate_store(read_environment()), sys.argv[1], sys.argv[1], as_json=True))
"""


@pytest.mark.req("CL-10")
@pytest.mark.parametrize(
    ("closed", "mends"),
    [
        (".config", {"store": "chmod u+rwx {}/.config"}),
        (".config/ai/memory", {"store": "chmod -R u+rwX {}/.config/ai/memory"}),
        (".config/ai/memory/events.jsonl", {"log": "chmod -R u+rwX {}/.config/ai/memory"}),
        (".claude/settings.json", {"settings files": "correct `{}/.claude/settings.json`"}),
        (".local/share", {"launcher": INSTALL}),
    ],
)
def test_what_may_not_be_entered_is_named_with_what_opens_it(
    machine: Machine, closed: str, mends: dict[str, str]
) -> None:
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root passes every permission, and there is no setpriv")
    machine.remember(3)
    path = machine.home / closed
    mode = path.stat().st_mode
    path.chmod(0)

    try:
        done = subprocess.run(
            [
                *(UNPRIVILEGED if os.geteuid() == 0 else ()),
                sys.executable,
                "-c",
                _PROGRAM,
                machine.home,
            ],
            env={"HOME": str(machine.home), "PATH": f"{SCRIPTS}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            timeout=120,
        )
    finally:
        path.chmod(mode)

    found = {check["name"]: check for check in json.loads(done.stdout)["checks"]}
    assert done.returncode == 1
    assert done.stderr == ""
    wanted = {name: fix.format(machine.home) for name, fix in mends.items()}
    assert failures(found).items() >= wanted.items()


@pytest.mark.req("CL-10")
def test_a_home_that_does_not_exist_is_reported_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "a file" / "home"
    gone.parent.write_text("x")
    monkeypatch.setenv("HOME", str(gone))

    found = Machine(gone, tmp_path, capsys).doctor()

    assert set(failures(found)) >= {"registration", "launcher", "store", "canary stored"}


def test_a_doctor_without_canaries_to_send_changes_nothing_in_the_home(
    home: Path, tmp_path: Path
) -> None:
    (tmp_path / "aside").mkdir()

    gather(locate_store(read_environment()), str(home), str(tmp_path / "aside"), env={})

    outside = {p.relative_to(home).parts[0] for p in home.rglob("*")}
    assert outside == {".config"}
