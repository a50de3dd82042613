"""Help a hook where something is wrong: no resident, no answer in time, no safe place, no memory.

The client loads this file only then: a hook that is answered reads none of it. It is copied beside the client
and runs under `python -I -S`, as the client does.
"""

import _signal
import posix
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklore.resident import client
else:
    import client

_RESIDENT_ENVIRONMENT = (
    b"HOME", b"PATH", b"LANG", b"LC_ALL", b"LC_CTYPE", b"TZ", b"TMPDIR", b"USER", b"LOGNAME",
    b"HOOKLORE_HOME", b"AI_MEMORY_PATH",
)  # fmt: skip

_KILL_SECONDS = 10.0
_PATIENCE = 30.0
_START_SECONDS = 5.0
_ASK_SECONDS = 0.5
_SPOOL_SECONDS = 300.0
_SPOOL_PAUSES = (1.0, 5.0, 0.0)
_NO_SPOOL = 2
_LATE_PAUSE_SECONDS = (0.02, 1.0)
_MOST_WAITING = 8


def give_up(call: "client._Call", error: BaseException) -> None:
    """Say why no answer came, and hand the delivery in behind the hook. The caller has ended the alarms."""
    if isinstance(error, client._Unsafe):
        _say_unreadable(call, b"the socket's directory is not this user's alone")
        return
    call.hang_up()
    _mark_hung(call)
    _owe_brief(call)
    _say_no_answer(call, error)
    _hand_in_later(call)


def start_resident(call: "client._Call") -> None:
    """Start the resident and hand it the lock for life, if this hook gets the lock."""
    if call.spawned >= 2:
        return
    fd = _lock(call, b".lock")
    if fd is None:
        return
    try:
        connection = call.connect()
        if connection is not None:
            connection.close()
            return
        call.spawned += 1
        _spawn(call, [b"--lock-fd", b"%d" % fd], keep=fd)
    finally:
        posix.close(fd)


def _lock(call: "client._Call", suffix: bytes, *, waits: bool = False) -> int | None:
    """Return the descriptor of a locked file beside the socket, None when another process has it."""
    import fcntl

    flags = posix.O_RDWR | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
    fd = posix.open(call.base + suffix, flags, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        posix.close(fd)
        return None
    return fd


def _spawn(
    call: "client._Call", arguments: list[bytes], keep: int | None = None, stdin: int | None = None
) -> int:
    """Start `python -m hooklore.resident` and return its pid.

    The launcher's link is followed one step, so that the environment which has hooklore is found.
    Only an allow-list of variables goes along.
    """
    python = posix.readlink(client._launcher() + b"/python")
    env = posix.environ
    kept = {name: env[name] for name in _RESIDENT_ENVIRONMENT if name in env}
    kept[b"HOOKLORE_DEPTH"] = b"1"
    child = posix.fork()
    if child:
        return child
    try:
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        for number in (_signal.SIGTERM, _signal.SIGINT):
            _signal.signal(number, _signal.SIG_DFL)
        posix.setsid()
        posix.chdir(b"/")
        _silence(stdin)
        if keep is not None:
            posix.set_inheritable(keep, True)
        command = [python, b"-I", b"-m", b"hooklore.resident", b"--root", call.root, *arguments]
        posix.execve(python, [*command, b"--launcher", client._launcher()], kept)
    finally:
        posix._exit(127)


def _mark_hung(call: "client._Call") -> None:
    """Mark that the resident did not answer. The second time within seconds, end the resident.

    A hook that waited under an earlier mark is the second: two that missed the same stall are one.
    """
    if not call.is_sent or not call.peer:
        return
    if call.is_hurried and call.peer != call.hung_pid:
        return  # a new one that is still starting: 20 ms are no proof against it
    now = time.time()
    if call.hung_pid == call.peer and 0 <= now - call.hung_at < _KILL_SECONDS:
        try:
            posix.kill(call.peer, _signal.SIGKILL)
        except OSError:
            pass
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_CLOEXEC | posix.O_NOFOLLOW
    try:
        fd = posix.open(call.base + b".hung", flags, 0o600)
        posix.write(fd, b"%.3f %d" % (now, call.peer))
        posix.close(fd)
    except OSError:
        pass
    call.hung_at, call.hung_pid = now, call.peer


def _say_no_answer(call: "client._Call", error: BaseException) -> None:
    """Tell the model and the user that no answer came: memory is slow, or it cannot be read."""
    if not isinstance(error, client._Late):
        number = getattr(error, "errno", None) or 0
        _say_unreadable(call, b"the broker cannot be reached (errno %d)" % number)
        return
    _say(
        call,
        b"slow",
        b"shared memory slow: no answer in time; do not answer from memory; "
        b"the notes of a session's start come with its next prompt",
        b"hooklore was too slow to answer; the notes of a session's start come with its next prompt",
    )


def _say_unreadable(call: "client._Call", reason: bytes) -> None:
    """Tell the model and the user that memory could not be read."""
    _say(
        call,
        b"",
        b"shared memory unreadable: " + reason + b"; do not answer from memory; "
        b"check gateway, permission, endpoint; run `hooks doctor`",
        b"hooklore cannot read memory; run `hooks doctor`",
    )


def _say(call: "client._Call", kind: bytes, text: bytes, notice: bytes) -> None:
    """Print a notice of one kind, once a session, at an event that may speak."""
    answers = call.known.answers.get(call.event)
    if answers is None or not _make(call, b".said-", kind):
        return
    client._print(answers[_is_strict(call)].replace(b"<text>", text).replace(b"<notice>", notice))


def refuse_store(call: "client._Call") -> None:
    """Tell the model and the user that the store's path is no folder of its own. Nothing is written there."""
    try:
        _end_after(call.limit)
        call.read_stdin()  # it names the session, which is told once
    except client._Late:
        return
    call.disarm()
    if call.directory == client._SHARED % posix.getuid():
        call._check_directory()
    _say_unreadable(
        call, b"the store is set to a folder that holds more, not to a folder of its own"
    )


def _owe_brief(call: "client._Call") -> None:
    """Mark that the brief of the session did not reach it: it comes with the session's next prompt."""
    if call.event in call.known.briefs:
        _make(call, b".owed-")


def is_owed(call: "client._Call") -> bool:
    """Return whether the brief of the session has still to reach it, at an event that may bring it."""
    try:
        posix.lstat(_mark(call, b".owed-"))
    except OSError:
        return False
    return call.event in call.known.answers


def _make(call: "client._Call", suffix: bytes, kind: bytes = b"") -> bool:
    """Make a mark of the session. Return False when it was made before."""
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC | posix.O_NOFOLLOW
    try:
        posix.close(posix.open(_mark(call, suffix, kind), flags, 0o600))
    except OSError as error:
        return error.errno != 17
    return True


def _mark(call: "client._Call", suffix: bytes, kind: bytes = b"") -> bytes:
    """Return the path of a mark of the session. The resident knows the same name."""
    session = (
        bytes(call.payload[: client._HEAD])
        .partition(call.known.session)[2]
        .lstrip(b' "')
        .partition(b'"')[0][:256]
    )
    return call.base + suffix + client._digest(session + kind)


def _is_strict(call: "client._Call") -> bool:
    for path in (call.root + b"/config.toml", call.root + b".d/config.toml"):
        try:
            fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
        except OSError:
            continue
        lines = posix.read(fd, client._HEAD).replace(b" ", b"").split(b"\n")
        posix.close(fd)
        return any(line.partition(b"#")[0] == b"strict=true" for line in lines)
    return False


def _hand_in_later(call: "client._Call") -> None:
    """Go on in a child process while the hook ends: no unredacted payload waits on the disk."""
    if posix.fork():
        return
    try:
        posix.setsid()
        _silence(0)
        # The deadline may have come between taking a lock and giving it back.
        posix.closerange(3, 64)
        _read_rest(call)
        _silence(None)
        _hand_in_patiently(call)
    finally:
        posix._exit(0)


def _read_rest(call: "client._Call") -> None:
    """Read the part of the payload that had not come by the deadline."""
    try:
        _end_after(_START_SECONDS)
        call.read_stdin()
    except client._Late:
        pass
    call.disarm()


def _hand_in_patiently(call: "client._Call") -> None:
    """Ask on in the background. Beyond eight that do so for one store, and in the end, spool."""
    call.started, call.is_hurried = time.monotonic(), False
    call.is_late = True
    call.pause, call.longest_pause = _LATE_PAUSE_SECONDS
    is_waiting = any(_lock(call, b".wait%d" % place) is not None for place in range(_MOST_WAITING))
    while is_waiting and time.monotonic() - call.started < _PATIENCE:
        if _hand_in(call, _START_SECONDS):
            return
        _mark_hung(call)
        if call.spawned >= 2 and _run_alone(call):
            return
        call._rest()
    _spool(call)


def _hand_in(call: "client._Call", seconds: float) -> bool:
    """Return whether the resident took the delivery within `seconds`."""
    try:
        call.is_sent = False
        _end_after(seconds)
        call.exchange()
    except (client._Late, OSError):
        call.disarm()
        call.hang_up()
        return False
    call.disarm()
    return True


def _end_after(seconds: float) -> None:
    _signal.signal(_signal.SIGALRM, client._late)
    client._set_alarm(seconds)


def _run_alone(call: "client._Call") -> bool:
    """Run the broker in a process of its own when no resident comes up though the lock is free."""
    lock = _lock(call, b".lock")
    if lock is None:
        return False
    posix.close(lock)
    slot = _lock(call, b".slot0") or _lock(call, b".slot1")
    if slot is None:
        return False
    try:
        return _run(call, b"--once") == 0
    finally:
        posix.close(slot)


def _spool(call: "client._Call") -> None:
    """Have a process redact and spool the delivery, unless the resident answers by now: two at a time."""
    try:
        _end_after(_SPOOL_SECONDS)
        _lock(call, b".slot%d" % (int(call.delivery, 16) % 2), waits=True)
    except client._Late:
        pass
    call.disarm()
    for pause in _SPOOL_PAUSES:
        if _hand_in(call, _ASK_SECONDS) or _run(call, b"--spool") in (0, _NO_SPOOL):
            return
        time.sleep(pause)  # an upgrade may be replacing the program


def _run(call: "client._Call", how: bytes) -> int:
    """Return the exit status of a process that is given the delivery: 0 when it kept it."""
    reading, writing = posix.pipe()
    try:
        child = _spawn(call, [how], stdin=reading)
    except OSError:
        posix.close(writing)
        return 1
    finally:
        posix.close(reading)
    view = memoryview(call._frame())
    try:
        while view:
            view = view[posix.write(writing, view) :]
    except OSError:
        pass
    posix.close(writing)
    return posix.waitstatus_to_exitcode(posix.waitpid(child, 0)[1])


def _silence(stdin: int | None) -> None:
    """Put descriptors 0, 1, 2 on /dev/null: a kept stdout would hold the hook until this process ends."""
    null = posix.open(b"/dev/null", posix.O_RDWR)
    posix.dup2(null if stdin is None else stdin, 0)
    posix.dup2(null, 1)
    posix.dup2(null, 2)
