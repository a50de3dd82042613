"""Check that the store is whole, private, and in a place that keeps it: pure functions."""

from hooklore.agents.check import Check, failed, listed, noted, passed, shell
from hooklore.cli.doctor.facts import Facts, PartUnknownError, Unknown, known
from hooklore.cli.doctor.file_systems import is_network
from hooklore.cli.output import ago
from hooklore.maintenance.health import RESERVE_BYTES
from hooklore.text.plural import format_count, select_form

_ROOM = 16 * RESERVE_BYTES
_LONG_WAIT = 60.0
_LAG = 5_000
_INTERMEDIATE = 6 * 3600.0
"""Seconds after which what a write left behind is deleted (seed 002 §1)."""


def store(facts: Facts) -> Check:
    """The store is there, or can be made, and can be written."""
    found = known(facts.store)
    if found.obstacle is not None:
        path, why = found.obstacle
        return failed("store", f"`{path}` {why}", mending(facts))
    if not found.is_writable:
        why = "is on a file system that is read-only" if found.is_read_only else "cannot be written"
        return failed("store", f"`{found.nearest}` {why}", mending(facts))
    if not found.exists:
        return noted("store", f"`{found.directory}` is made by the first session")
    return passed("store", f"`{found.directory}` can be written")


def mending(facts: Facts) -> str:
    """The command that makes the store usable: what is in its way goes aside, or becomes yours."""
    found = facts.store
    if isinstance(found, Unknown):
        return "hooklore where"
    if found.is_read_only and found.file_system is not None:
        return shell("sudo", "mount", "-o", "remount,rw", found.file_system[0])
    path, why = found.obstacle or (found.nearest, "")
    if why.startswith("is not"):
        return shell("mv", path, f"{path}.aside")
    if why.startswith("belongs"):
        return f'sudo chown -R "$(id -u)" {shell(found.directory)}'
    if found.nearest == found.directory:
        inside = found.log.startswith(f"{found.directory}/")
        return shell("chmod", "-R", "u+rwX", found.directory, *([] if inside else [found.log]))
    return shell("chmod", "u+rwx", found.nearest)


def log(facts: Facts) -> Check:
    """The log can be read."""
    if isinstance(facts.log, Unknown):
        return failed("log", facts.log.reason, mending(facts))
    return passed("log", f"{facts.log.size:,} bytes, readable")


def payloads(facts: Facts) -> Check:
    """Check that the client's latest payloads could be understood."""
    found = known(facts.log)
    if found.problems:
        detail = (
            f"{len(found.problems)} of the last {format_count(found.looked_at, 'payload')} could not be read whole "
            f"(last: {found.problems[0]})"
        )
        return noted("payloads", detail, "upgrade hooklore, or report this line")
    return passed("payloads", f"the last {found.looked_at} were understood")


def quarantine(facts: Facts) -> Check:
    """Damaged bytes that were set aside."""
    found = known(facts.log)
    if found.quarantined:
        directory = _directory(facts)
        return noted(
            "quarantine",
            f"{format_count(found.quarantined, 'damaged piece')} of the log "
            f"{select_form(found.quarantined, 'was', 'were')} set aside",
            shell("ls", "-la", f"{directory}/quarantine"),
        )
    return passed("quarantine", "nothing damaged was found")


def newer_lines(facts: Facts) -> Check:
    """Count the lines of the log that this version does not understand, which are kept as they are."""
    count = known(facts.log).not_understood
    if count:
        lines = f"{count:,} line{'s' * (count > 1)} of the log"
        detail = f"{lines} of a newer version, or without a field: kept, not read"
        return noted("newer lines", detail, "upgrade hooklore")
    return passed("newer lines", "every whole line of the log is understood")


def redaction(facts: Facts) -> Check:
    """Check that the store was scanned with the rules of this version."""
    found = known(facts.log)
    if found.rescan is not None:
        return noted("redaction", found.rescan, "hooklore scrub")
    return passed("redaction", "what is kept was scanned with today's rules")


def modes(facts: Facts) -> Check:
    """Nobody else may read the store."""
    found = known(facts.store)
    inner = [f"`{loose.path}` is {loose.mode:04o}" for loose in found.loose if not loose.is_root]
    fix = shell("chmod", "-R", "go-rwx", found.directory)
    if inner:
        return failed("modes", f"others may read it: {listed(inner)}", fix)
    if found.loose:
        detail = f"`{found.directory}` is {found.loose[0].mode:04o}; what is in it is private"
        return noted("modes", detail, shell("chmod", "go-rwx", found.directory))
    return passed("modes", "only you may read the store: it is plain text, with mode 0600")


def credentials(facts: Facts) -> Check:
    """Keys, tokens and transcripts lie elsewhere: what is in the store may be searched and copied."""
    found = known(facts.store)
    if not found.credentials:
        return passed("credentials", "none lie in the store")
    detail = f"they lie in the store: {listed([f'`{path}`' for path in found.credentials])}"
    return failed("credentials", detail, shell("mv", *found.credentials, facts.home))


def leftovers(facts: Facts) -> Check:
    """Check that no intermediate file of a write is left."""
    found = known(facts.store)
    old = [path for path, changed in found.leftovers if facts.now - changed > _INTERMEDIATE]
    if not old:
        return passed("leftovers", "no temporary file is older than six hours")
    detail = f"temporary files of a write that did not end: {listed([f'`{path}`' for path in old])}"
    return failed("leftovers", detail, shell("rm", *old))


def git(facts: Facts) -> Check:
    """The store is not in a work tree, where a commit would publish it."""
    found = known(facts.store)
    if found.git_top is None:
        return passed("git", "the store is in no work tree")
    if found.git_ignores:
        return noted("git", f"the store lies in the work tree `{found.git_top}`, which ignores it")
    detail = f"the store lies in the work tree `{found.git_top}`: a commit would publish it"
    return failed(
        "git", detail, "set HOOKLORE_HOME to a folder outside it, in your shell's profile"
    )


def synced_folder(facts: Facts) -> Check:
    """No program replaces the log's files behind our back, or sends them elsewhere."""
    found = known(facts.store)
    if found.synced_by is None:
        return passed("synced folder", "no program that we know syncs the store")
    detail = f"{found.synced_by} syncs `{found.directory}`"
    return failed(
        "synced folder", detail, "set HOOKLORE_HOME to a folder outside it, in your shell's profile"
    )


def file_system(facts: Facts) -> Check:
    """The store lies on a disk of this machine: locks of a network file system do not hold."""
    found = known(facts.store)
    if found.file_system is None:
        return noted("file system", "its type cannot be told here")
    point, kind = found.file_system
    if is_network(kind):
        detail = f"`{point}` is {kind}, a network file system: its locks do not hold"
        return failed(
            "file system", detail, "set HOOKLORE_HOME to a local folder, in your shell's profile"
        )
    return passed("file system", f"{kind} at `{point}`")


def foreign_log(facts: Facts) -> Check:
    """Another program's log at our path is left alone."""
    found = known(facts.store)
    if not found.is_beside_foreign:
        return passed("foreign log", "no other program writes at this path")
    return noted(
        "foreign log",
        f"another program writes at `{found.root}`; ours is `{found.log}`",
        "hooklore import --help",
    )


def room(facts: Facts) -> Check:
    """There is room to append, and a reserve to spool when there is none."""
    found = known(facts.store)
    reserve = None if isinstance(facts.log, Unknown) else facts.log.has_reserve
    free = f"{found.free_bytes // (1024 * 1024):,} MiB free"
    if found.free_bytes < _ROOM:
        return failed("room", f"only {free} at `{found.nearest}`", shell("df", "-h", found.nearest))
    if found.exists and reserve is False:
        return noted("room", f"{free}; the reserve is not there, the next append makes it")
    return passed("room", free)


def log_lock(facts: Facts) -> Check:
    """Nobody keeps the log to himself."""
    found = known(facts.lock)
    if found.problem is None:
        return passed("log lock", "free")
    holder = found.holder
    if holder is None:
        return failed("log lock", found.problem, "hooks stop")
    who = f"{holder.name} (pid {holder.pid})"
    if holder.state in "Tt":
        return failed("log lock", f"{who} holds it, and is stopped", f"kill -CONT {holder.pid}")
    return failed("log lock", f"{who} holds it for more than a second", f"kill {holder.pid}")


def spool(facts: Facts) -> Check:
    """Check the spool: redacted drafts that wait for the next writer."""
    found = known(facts.spool)
    if not found.waiting:
        return passed("spool", "nothing waits")
    age = facts.now - found.oldest
    detail = f"{found.waiting} batch(es) wait, the oldest written {ago(age)} ago"
    if age > _LONG_WAIT:
        return failed("spool", detail, "hooks stop")
    return noted("spool", detail)


def index(facts: Facts) -> Check:
    """The index is whole, and has read the log."""
    found = known(facts.index)
    if found.damage is not None:
        return failed("index", f"it cannot be used: {found.damage}", "hooklore rebuild")
    if found.generation is None:
        return noted("index", "nothing is indexed yet")
    if found.lag > _LAG:
        return _behind(facts, found.lag)
    return passed("index", f"whole; {format_count(found.lag, 'record')} behind the log")


def _behind(facts: Facts, lag: int) -> Check:
    resident = facts.resident
    status = None if isinstance(resident, Unknown) else resident.status
    if status is not None and status.get("indexing"):
        return noted(
            "index", f"{format_count(lag, 'record')} behind the log; the resident is reading them"
        )
    return failed("index", f"{format_count(lag, 'record')} behind the log", "hooklore rebuild")


def _directory(facts: Facts) -> str:
    if isinstance(facts.store, Unknown):
        raise PartUnknownError(facts.store)
    return facts.store.directory
