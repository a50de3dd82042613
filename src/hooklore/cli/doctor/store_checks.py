"""Check that the store is whole, private, and in a place that keeps it: pure functions."""

from hooklore.agents.check import Check, listed, shell
from hooklore.cli.doctor.facts import Facts, FactsCheck, Unknown, failed, known, noted, passed
from hooklore.cli.doctor.file_systems import is_network
from hooklore.cli.output import ago
from hooklore.maintenance.health import RESERVE_BYTES
from hooklore.text.plural import format_count, select_form

_ROOM = 16 * RESERVE_BYTES
_LONG_WAIT = 60.0
_LAG = 5_000
_LISTED_ROWS = 3
_INTERMEDIATE = 6 * 3600.0
"""Seconds after which what a write left behind is deleted (seed 002 §1)."""
_OUTSIDE = "set HOOKLORE_HOME to a folder outside it, in your shell's profile"


def store(facts: Facts) -> Check:
    """Check that the store is there, or can be made, and can be written."""
    found = known(facts.store)
    if found.obstacle is not None:
        path, why = found.obstacle
        return failed(f"`{path}` {why}", mending(facts))
    if not found.is_writable:
        why = "is on a file system that is read-only" if found.is_read_only else "cannot be written"
        return failed(f"`{found.nearest}` {why}", mending(facts))
    if not found.exists:
        return noted(f"`{found.directory}` is made by the first session")
    return passed(f"`{found.directory}` can be written")


def mending(facts: Facts) -> str:
    """Return the command that makes the store usable: what is in its way goes aside, or becomes yours."""
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
    """Check that the log can be read."""
    if isinstance(facts.log, Unknown):
        return failed(facts.log.reason, mending(facts))
    return passed(f"{facts.log.size:,} bytes, readable")


def log_lock(facts: Facts) -> Check:
    """Check that nobody keeps the log to himself."""
    found = known(facts.lock)
    holder = found.holder
    if found.problem is None:
        return passed("free")
    if holder is None:
        return failed(found.problem, "hooks stop")
    who = f"{holder.name} (pid {holder.pid}) holds it"
    if holder.is_stopped:
        return failed(f"{who}, and is stopped", f"kill -CONT {holder.pid}")
    return failed(f"{who} for more than a second", f"kill {holder.pid}")


def modes(facts: Facts) -> Check:
    """Check that nobody else may read the store."""
    found = known(facts.store)
    inner = [f"`{loose.path}` is {loose.mode:04o}" for loose in found.loose if not loose.is_root]
    if inner:
        fix = shell("chmod", "-R", "go-rwx", found.directory)
        return failed(f"others may read it: {listed(inner)}", fix)
    if found.loose:
        detail = f"`{found.directory}` is {found.loose[0].mode:04o}; what is in it is private"
        return noted(detail, shell("chmod", "go-rwx", found.directory))
    return passed("only you may read the store: it is plain text, with mode 0600")


def credentials(facts: Facts) -> Check:
    """Check that keys, tokens and transcripts lie elsewhere: what is in the store may be searched and copied."""
    found = known(facts.store).credentials
    if not found:
        return passed("none lie in the store")
    detail = f"they lie in the store: {listed([f'`{path}`' for path in found])}"
    return failed(detail, shell("mv", *found, facts.home))


def leftovers(facts: Facts) -> Check:
    """Check that no intermediate file of a write is left."""
    found = known(facts.store)
    old = [path for path, changed in found.leftovers if facts.now - changed > _INTERMEDIATE]
    if not old:
        return passed("no temporary file is older than six hours")
    detail = f"temporary files of a write that did not end: {listed([f'`{path}`' for path in old])}"
    return failed(detail, shell("rm", *old))


def git(facts: Facts) -> Check:
    """Check that the store is not in a work tree, where a commit would publish it."""
    found = known(facts.store)
    if found.git_top is None:
        return passed("the store is in no work tree")
    place = f"the store lies in the work tree `{found.git_top}`"
    if found.git_ignores:
        return noted(f"{place}, which ignores it")
    return failed(f"{place}: a commit would publish it", _OUTSIDE)


def synced_folder(facts: Facts) -> Check:
    """Check that no program replaces the log's files behind our back, or sends them elsewhere."""
    found = known(facts.store)
    if found.synced_by is None:
        return passed("no program that we know syncs the store")
    return failed(f"{found.synced_by} syncs `{found.directory}`", _OUTSIDE)


def file_system(facts: Facts) -> Check:
    """Check that the store lies on a disk of this machine: locks of a network file system do not hold."""
    found = known(facts.store).file_system
    if found is None:
        return noted("its type cannot be told here")
    point, kind = found
    if is_network(kind):
        detail = f"`{point}` is {kind}, a network file system: its locks do not hold"
        return failed(detail, "set HOOKLORE_HOME to a local folder, in your shell's profile")
    return passed(f"{kind} at `{point}`")


def foreign_log(facts: Facts) -> Check:
    """Check that another program's log at our path is left alone."""
    found = known(facts.store)
    if not found.is_beside_foreign:
        return passed("no other program writes at this path")
    detail = f"another program writes at `{found.root}`; ours is `{found.log}`"
    return noted(detail, "hooklore import --help")


def room(facts: Facts) -> Check:
    """Check that there is room to append, and a reserve to spool when there is none."""
    found = known(facts.store)
    reserve = None if isinstance(facts.log, Unknown) else facts.log.has_reserve
    free = f"{found.free_bytes // (1024 * 1024):,} MiB free"
    if found.free_bytes < _ROOM:
        return failed(f"only {free} at `{found.nearest}`", shell("df", "-h", found.nearest))
    if found.exists and reserve is False:
        return noted(f"{free}; the reserve is not there, the next append makes it")
    return passed(free)


def spool(facts: Facts) -> Check:
    """Check that the spool holds redacted drafts that wait for the next writer."""
    found = known(facts.spool)
    if not found.waiting:
        return passed("nothing waits")
    age = facts.now - found.oldest
    detail = f"{found.waiting} batch(es) wait, the oldest written {ago(age)} ago"
    return failed(detail, "hooks stop") if age > _LONG_WAIT else noted(detail)


def quarantine(facts: Facts) -> Check:
    """Check that damaged bytes are set aside."""
    count = known(facts.log).quarantined
    if not count:
        return passed("nothing damaged was found")
    were = select_form(count, "was", "were")
    detail = f"{format_count(count, 'damaged piece')} of the log {were} set aside"
    return noted(detail, shell("ls", "-la", f"{known(facts.store).directory}/quarantine"))


def newer_lines(facts: Facts) -> Check:
    """Check that lines of the log that this version does not understand are kept as they are."""
    count = known(facts.log).not_understood
    if not count:
        return passed("every whole line of the log is understood")
    lines = f"{count:,} line{'s' * (count > 1)} of the log"
    detail = f"{lines} of a newer version, or without a field: kept, not read"
    return noted(detail, "upgrade hooklore")


def payloads(facts: Facts) -> Check:
    """Check that the client's latest payloads could be understood."""
    found = known(facts.log)
    if not found.problems:
        return passed(f"the last {found.looked_at} were understood")
    latest = f"the last {format_count(found.looked_at, 'payload')}"
    detail = (
        f"{len(found.problems)} of {latest} could not be read whole (last: {found.problems[0]})"
    )
    return noted(detail, "upgrade hooklore, or report this line")


def redaction(facts: Facts) -> Check:
    """Check that the store was scanned with the rules of this version, and that the user's own can be used."""
    found = known(facts.log)
    if found.left_out_rows:
        rows = "; ".join(found.left_out_rows[:_LISTED_ROWS])
        return noted(f"rows of `vendors.toml` are left out: {rows}", "hooklore where")
    if found.rescan is not None:
        return noted(found.rescan, "hooklore scrub")
    if found.suspected:
        records = format_count(found.suspected, "record")
        return noted(
            f"{records} may hold a secret, says `hooklore janitor --last`", "hooklore scrub"
        )
    return passed("what is kept was scanned with today's rules")


def index(facts: Facts) -> Check:
    """Check that the index is whole, and has read the log."""
    found = known(facts.index)
    if found.damage is not None:
        return failed(f"it cannot be used: {found.damage}", "hooklore rebuild")
    if found.generation is None:
        return noted("nothing is indexed yet")
    behind = f"{format_count(found.lag, 'record')} behind the log"
    if found.lag <= _LAG:
        return passed(f"whole; {behind}")
    status = None if isinstance(facts.resident, Unknown) else facts.resident.status
    if status is not None and status.get("indexing"):
        return noted(f"{behind}; the resident is reading them")
    return failed(behind, "hooklore rebuild")


CHECKS: tuple[FactsCheck, ...] = (
    store, log, log_lock, modes, credentials, leftovers, git, synced_folder, file_system,
    foreign_log, room, spool, quarantine, newer_lines, payloads, redaction, index,
)  # fmt: skip
"""In the order of the report."""
