"""The program of every hook: hand the payload to the resident broker, print its answer, always exit 0.

An agent's `hooklore get` and `hooklore recall` ask the resident by the same code (`open_memories`).

`hooks install` copies this file beside the entry points and writes a table of the registered agents
into it. It runs under `python -I -S`, where nothing of ours can be imported. It imports C modules only:
`json` or `socket` alone would double the time of a hook. Libraries that most calls do not need are loaded
where a call needs them: `_blake2` takes a fiftieth of a hook, `fcntl` a hundredth. The protocol stands in
ARCHITECTURE.md; HL1 never changes its meaning.
"""

import _signal
import _socket
import posix
import sys
import time


class _Agent:
    """One agent as its client needs it.

    `facts` are variables of the environment that go along, `project` is the one that names the
    project's folder, `session` the field before a session's id in a payload. `limits` are seconds by
    event. `answers` are texts by event when memory cannot be read: for the model, to stop the turn.
    `briefs` are the events whose answer is the brief of a session.
    """

    __slots__ = ("answers", "briefs", "facts", "limits", "project", "session")

    def __init__(
        self,
        *,
        facts: "tuple[bytes, ...]" = (),
        project: bytes = b"",
        session: bytes = b"\n",
        limits: "dict[str, float] | None" = None,
        answers: "dict[str, tuple[bytes, bytes]] | None" = None,
        briefs: "tuple[str, ...]" = (),
    ) -> None:
        self.facts, self.project, self.session = facts, project, session
        self.limits = limits or {}
        self.answers = answers or {}
        self.briefs = briefs


# The installer writes the tables of this machine between the two marks: its agents, the variables by which
# an agent's own processes are known, and the digest of its user's store.
# >>> agents
_DEFAULT_AGENT = ""
_AGENTS: "dict[str, _Agent]" = {}
_SPEAKERS: "tuple[tuple[bytes, tuple[bytes, ...], bytes], ...]" = ()
_STORES: "dict[bytes, bytes]" = {}
# <<< agents
_NO_AGENT = _Agent()
_LIMIT = 0.8
_DEPTH = b"HOOKLORE_DEPTH"
_RESIDENT_ENVIRONMENT = (
    b"HOME", b"PATH", b"LANG", b"LC_ALL", b"LC_CTYPE", b"TZ", b"TMPDIR", b"USER", b"LOGNAME",
    b"HOOKLORE_HOME", b"AI_MEMORY_PATH",
)  # fmt: skip

_SHARED = b"/tmp/hooklore-%d"
_LONGEST_ADDRESS = 100  # Linux takes 107 bytes, macOS 103
_LARGEST = 1024 * 1024
_HEAD = 64 * 1024
_CONTROL = "hooklore"
_OPENINGS = {"get": "Get", "recall": "Recall"}
_OPENING_SECONDS = 3.0
_HUNG_SECONDS = 30.0
_HURRIED_SECONDS = 0.02
_KILL_SECONDS = 10.0
_PATIENCE = 30.0
_START_SECONDS = 5.0
_ASK_SECONDS = 0.5
_SPOOL_SECONDS = 300.0
_SPOOL_PAUSES = (1.0, 5.0, 0.0)
_NO_SPOOL = 2
_PAUSE_SECONDS = (0.002, 0.016)  # the first one, and the longest
_LATE_PAUSE_SECONDS = (0.02, 1.0)
_MOST_WAITING = 8
_AGAIN_SECONDS = 0.05  # between alarms: one that strikes before a call has begun to wait is lost
_STRIKES_APART = 5  # alarms from one raise to the next
_NOBODY = (2, 111, 61)  # ENOENT, ECONNREFUSED on Linux and on macOS
_GONE = (32, 104, 54)  # EPIPE, ECONNRESET on Linux and on macOS


class _Late(BaseException):
    """The deadline passed, or the client was told to end."""


class _Unsafe(Exception):
    """The runtime directory is not ours alone."""


def main(event: str, arguments: list[str]) -> None:
    """Handle one hook call: `event` is the agent's name for it, `arguments` the agent's id, or `plugin`.

    This is the client's one boundary: whatever happens, the exit status is 0 (2 would block the user).
    """
    try:
        _run(event, arguments)
    except BaseException as error:
        _complain(error)
    posix._exit(0)


def open_memories(words: list[bytes]) -> int | None:
    """Print what the resident answers to an agent's `get` or `recall`, and return the exit status.

    `words` are those of the command. Return None, with nothing printed, where the command line must answer:
    no agent runs it, no resident does, or its answer is an odd one.
    """
    env = posix.environ
    speaker = next((row for row in _SPEAKERS if any(env.get(name) for name in row[1])), None)
    root = store_root(env)
    if speaker is None or root is None or _is_off(env) or _holds_more(root, env):
        return None
    agent, _, session = speaker
    try:
        given = [posix.getcwdb(), agent, env.get(session, b""), *words[1:]]
        call = _Call(_OPENINGS[words[0].decode()], _CONTROL, root, time.monotonic())
        call.payload += b"\0".join(given)
        call.size = len(call.payload)
        return _open(call) if call.size <= _HEAD and not call.is_hurried else None
    except (OSError, ValueError, _Unsafe):
        return None


def _open(call: "_Call") -> int | None:
    """Print the resident's answer to a call that opens memories, and return its exit status."""
    connection = call.connect()
    if connection is None:
        return None
    connection.settimeout(_OPENING_SECONDS)
    printed, is_answer, told = call.ask(connection).partition(b"\0")
    status = {b"opened": 0, b"not-found": 1}.get(call.status)
    if status is None or not is_answer:
        return None
    _print(printed)
    _print(told, 2)
    return status


def _complain(error: BaseException) -> None:
    try:
        # The kind of error only: a message may hold what was read.
        posix.write(2, b"hooklore: %s\n" % type(error).__name__.encode("utf-8", "replace"))
    except OSError:
        pass


def _run(event: str, arguments: list[str]) -> None:
    started = time.monotonic()
    _open_standard_descriptors()
    env = posix.environ
    agent = next((a for a in arguments if a != "plugin"), _DEFAULT_AGENT)
    if _is_off(env) or _is_second_registration(env, arguments, agent):
        return
    root = store_root(env)
    if root is None:
        return
    call = _Call(event, agent, root, started)
    if _holds_more(root, env):
        call.refuse_store()
        return
    _signal.signal(_signal.SIGALRM, _late)
    for number in (_signal.SIGTERM, _signal.SIGINT):
        if _signal.getsignal(number) != _signal.SIG_IGN:
            # An event may be registered with SIGTERM ignored: an agent that ends sends one after 18 ms.
            _signal.signal(number, _late)
    try:
        call.arm()
        call.read_stdin()
        call.hurry()
        answer = call.exchange()
    except (_Late, OSError) as error:
        _ignore_signals()
        call.disarm()
        call.hang_up()
        call.mark_hung()
        call.owe_brief()
        call.say_no_answer(error)
        call.hand_in_later()
        return
    except _Unsafe:
        call.disarm()
        call.say_unreadable(b"the socket's directory is not this user's alone")
        return
    call.disarm()
    if answer and _print(answer):
        call.acknowledge()


def _open_standard_descriptors() -> None:
    """Open closed standard descriptors: the next file opened would become stdout."""
    for fd in (0, 1, 2):
        try:
            posix.fstat(fd)
        except OSError:
            posix.open(b"/dev/null", posix.O_RDWR)


class _Strikes:
    """Counts the alarms since a deadline was set."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


_STRIKES = _Strikes()


def _late(_number: int, _frame: object) -> None:
    """Raise _Late at the first strike and at every fifth after it.

    Python drops what is raised in a callback of an import, so that one raise is not sure to arrive. One that
    comes at once after it would end what saves the payload.
    """
    _STRIKES.count += 1
    if _STRIKES.count % _STRIKES_APART == 1:
        raise _Late


def _set_alarm(seconds: float) -> None:
    _STRIKES.count = 0
    _signal.setitimer(_signal.ITIMER_REAL, seconds, _AGAIN_SECONDS)


def _ignore_signals() -> None:
    for number in (_signal.SIGALRM, _signal.SIGTERM, _signal.SIGINT):
        _signal.signal(number, _signal.SIG_IGN)


def _is_off(env: dict[bytes, bytes]) -> bool:
    """Return whether hooks are switched off, or hooklore itself started the process."""
    return env.get(b"HOOKLORE_OFF", b"") not in (b"", b"0") or bool(env.get(_DEPTH))


def _is_second_registration(env: dict[bytes, bytes], arguments: list[str], agent: str) -> bool:
    """Return whether a plugin calls where a settings file registers the same hook: both would run."""
    if "plugin" not in arguments:
        return False
    try:
        fd = posix.open(_launcher() + b"/in-settings", posix.O_RDONLY | posix.O_CLOEXEC)
        places = posix.read(fd, _HEAD).split(b"\n")
        posix.close(fd)
    except OSError:
        return False
    project = _AGENTS.get(agent, _NO_AGENT).project
    return b"user" in places or env.get(project, b"\n") in places


def store_root(env: dict[bytes, bytes]) -> bytes | None:
    """Return the path that names the store, by the rule of `config.store_root`: a test compares both."""
    home = env.get(b"HOME", b"")
    path = env.get(b"HOOKLORE_HOME") or env.get(b"AI_MEMORY_PATH") or b".config/ai/memory"
    if path == b"~" or path.startswith(b"~/"):
        path = path[2:]
    if not path.startswith(b"/"):
        if not home.startswith(b"/"):
            return None
        path = home.rstrip(b"/") + b"/" + path
    return path.rstrip(b"/") or b"/"


def _holds_more(root: bytes, env: dict[bytes, bytes]) -> bool:
    """Return whether a store's path is `/` or the home directory, by the rule of `config.locate_store`."""
    try:
        found = posix.stat(root)
    except OSError:
        return False
    for path in (b"/", env.get(b"HOME", b"/")):
        try:
            other = posix.stat(path)
        except OSError:
            continue
        if (found.st_ino, found.st_dev) == (other.st_ino, other.st_dev):
            return True
    return False


def runtime_directory(root: bytes, env: dict[bytes, bytes]) -> bytes:
    """Return the directory of the socket, by the rule of `StoreLocation.runtime`: a test compares both."""
    shared = _SHARED % posix.getuid()
    try:
        if _is_ours_alone(posix.lstat(shared)):
            return shared
    except OSError as error:
        if error.errno == 2:
            return shared
    is_log = not env.get(b"HOOKLORE_HOME") and env.get(b"AI_MEMORY_PATH")
    return (root + b".d" if is_log else root) + b"/.hooklore-run"


def _is_ours_alone(found: posix.stat_result) -> bool:
    is_directory = found.st_mode & 0o170000 == 0o040000
    return is_directory and found.st_uid == posix.getuid() and not found.st_mode & 0o077


def _launcher() -> bytes:
    """Return the folder of this file."""
    return __file__.encode(sys.getfilesystemencoding(), "surrogateescape").rpartition(b"/")[0]


def _print(answer: bytes, to: int = 1) -> bool:
    """Write to a descriptor, by default stdout, and return whether all was written."""
    while answer:
        try:
            answer = answer[posix.write(to, answer) :]
        except OSError:
            return False
    return True


class _Call:
    """One hook call: its delivery, and every way to hand it in."""

    def __init__(self, event: str, agent: str, root: bytes, started: float) -> None:
        self.event, self.agent, self.started = event, agent, started
        self.known = _AGENTS.get(agent, _NO_AGENT)
        self.payload, self.size = bytearray(), 0
        self.delivery = posix.urandom(16).hex()
        self.root = root
        self.directory = runtime_directory(root, posix.environ)
        self.base = self.directory + b"/" + (_STORES.get(root) or _digest(root))
        self.limit = self.known.limits.get(event, _LIMIT)
        self.is_hurried = False
        self.peer = 0
        self.is_sent = False
        self.spawned = 0
        self.pause, self.longest_pause = _PAUSE_SECONDS
        self.is_late = False
        self.status = b""
        self.connection: _socket.socket | None = None
        self.hung_at, self.hung_pid = self._read_mark()
        if 0 <= time.time() - self.hung_at < _HUNG_SECONDS:
            self.is_hurried = True

    def read_stdin(self) -> None:
        """Read the payload and its true size. Of more than 1 MiB only the first 64 KiB are kept.

        The payload is read part by part, so that the parts before the deadline are not lost.
        """
        while True:
            try:
                part = posix.read(0, 1 << 20)
            except OSError:
                part = b""
            if not part:
                return
            self.size += len(part)
            if self.size <= _LARGEST:
                self.payload += part
            else:
                del self.payload[_HEAD:]

    # ---- deadlines

    def arm(self) -> None:
        left = self.started + self.limit - time.monotonic()
        _set_alarm(max(left, 0.001))

    def hurry(self) -> None:
        """Shorten the wait for an answer while a mark says that the resident hangs.

        A prompt that brings the brief of its session at last is worth a whole wait.
        """
        if self.is_hurried and self._is_owed():
            self.is_hurried = False
        if self.is_hurried:
            self.limit = min(self.limit, time.monotonic() - self.started + _HURRIED_SECONDS)
            self.arm()

    def disarm(self) -> None:
        _signal.setitimer(_signal.ITIMER_REAL, 0)

    # ---- the resident

    def exchange(self) -> bytes:
        """Hand the delivery in and return the bytes to print. Start a resident if there is none."""
        frame = self._frame()
        while True:
            connection = self.connect()
            if connection is None:
                self._start_resident()
                self._rest()
                continue
            self.connection = connection
            try:
                return self.ask(connection, frame)
            except OSError as error:
                self.hang_up()
                if error.errno not in _GONE:
                    raise
                self.is_sent = False  # the resident has ended: it does not hang

    def hang_up(self) -> None:
        """Close the connection, so that the resident knows that its answer does not arrive."""
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def acknowledge(self) -> None:
        """Tell the resident that the whole answer is printed."""
        try:
            if self.connection is not None:
                self.connection.send(b"\x06")
        except OSError:
            pass

    def _rest(self) -> None:
        """Wait before asking again, longer each time: hooks that ask take the time in which a resident starts."""
        time.sleep(self.pause)
        self.pause = min(2 * self.pause, self.longest_pause)

    def _frame(self) -> bytes:
        env = posix.environ
        facts = [name + b"=" + env[name] for name in (*self.known.facts, _DEPTH) if name in env]
        facts.append(b"LATE=1" if self.is_late else b"ACK=1")
        if self.size > len(self.payload):
            facts.append(b"TRUE_SIZE=%d" % self.size)
        joined = b"\0".join(facts)
        header = (
            f"HL1 {self.agent} {self.event} {self.delivery} {len(joined)} {len(self.payload)}\n"
        )
        return header.encode("utf-8", "replace") + joined + self.payload

    def connect(self) -> "_socket.socket | None":
        """Return a connection to the resident, None when nobody listens."""
        self._check_directory()
        connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            connection.connect(self._address())
        except OSError as error:
            connection.close()
            if error.errno in _NOBODY:
                return None
            raise
        self.peer = _peer(connection)
        return connection

    def _address(self) -> bytes:
        """Return the name of the socket: relative to its directory, entered for that, when the path is long."""
        path = self.base + b".sock"
        if len(path) <= _LONGEST_ADDRESS:
            return path
        posix.chdir(self.directory)
        return path.rpartition(b"/")[2]

    def _check_directory(self) -> None:
        try:
            found = posix.lstat(self.directory)
        except OSError as error:
            if error.errno != 2:
                raise
            _make_directory(self.directory)
            found = posix.lstat(self.directory)
        if not _is_ours_alone(found):
            raise _Unsafe

    def ask(self, connection: "_socket.socket", frame: bytes = b"") -> bytes:
        """Send the delivery and return the bytes to print."""
        self.is_sent = True
        connection.sendall(frame or self._frame())
        received = b""
        while b"\n" not in received:
            part = connection.recv(65536)
            if not part:
                raise ConnectionResetError(104, "closed")
            received += part
        header, _, body = received.partition(b"\n")
        self.status, _, size = header.rpartition(b" ")
        length = int(size)
        while len(body) < length:
            part = connection.recv(65536)
            if not part:
                raise ConnectionResetError(104, "closed")
            body += part
        self.is_sent = False
        return body

    def _start_resident(self) -> None:
        """Start the resident and hand it the lock for life, if this hook gets the lock."""
        if self.spawned >= 2:
            return
        fd = self._lock(b".lock")
        if fd is None:
            return
        try:
            connection = self.connect()
            if connection is not None:
                connection.close()
                return
            self.spawned += 1
            self._spawn([b"--lock-fd", b"%d" % fd], keep=fd)
        finally:
            posix.close(fd)

    def _lock(self, suffix: bytes, *, waits: bool = False) -> int | None:
        """Return the descriptor of a locked file beside the socket, None when another process has it."""
        import fcntl

        flags = posix.O_RDWR | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
        fd = posix.open(self.base + suffix, flags, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            posix.close(fd)
            return None
        return fd

    def _spawn(
        self, arguments: list[bytes], keep: int | None = None, stdin: int | None = None
    ) -> int:
        """Start `python -m hooklore.resident` and return its pid.

        The launcher's link is followed one step, so that the environment which has hooklore is found.
        Only an allow-list of variables goes along.
        """
        python = posix.readlink(_launcher() + b"/python")
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
            command = [python, b"-I", b"-m", b"hooklore.resident", b"--root", self.root, *arguments]
            posix.execve(python, [*command, b"--launcher", _launcher()], kept)
        finally:
            posix._exit(127)

    # ---- when there is no answer in time

    def _read_mark(self) -> tuple[float, int]:
        try:
            fd = posix.open(
                self.base + b".hung", posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW
            )
        except OSError:
            return 0.0, 0
        try:
            when, _, pid = posix.read(fd, 64).partition(b" ")
            return float(when), int(pid)
        except (OSError, ValueError):
            return 0.0, 0
        finally:
            posix.close(fd)

    def mark_hung(self) -> None:
        """Mark that the resident did not answer. The second time within seconds, end the resident.

        A hook that waited under an earlier mark is the second: two that missed the same stall are one.
        """
        if not self.is_sent or not self.peer:
            return
        if self.is_hurried and self.peer != self.hung_pid:
            return  # a new one that is still starting: 20 ms are no proof against it
        now = time.time()
        if self.hung_pid == self.peer and 0 <= now - self.hung_at < _KILL_SECONDS:
            try:
                posix.kill(self.peer, _signal.SIGKILL)
            except OSError:
                pass
        flags = posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_CLOEXEC | posix.O_NOFOLLOW
        try:
            fd = posix.open(self.base + b".hung", flags, 0o600)
            posix.write(fd, b"%.3f %d" % (now, self.peer))
            posix.close(fd)
        except OSError:
            pass
        self.hung_at, self.hung_pid = now, self.peer

    def say_no_answer(self, error: BaseException) -> None:
        """Tell the model and the user that no answer came: memory is slow, or it cannot be read."""
        if not isinstance(error, _Late):
            number = getattr(error, "errno", None) or 0
            self.say_unreadable(b"the broker cannot be reached (errno %d)" % number)
            return
        self._say(
            b"slow",
            b"shared memory slow: no answer in time; do not answer from memory; "
            b"the notes of a session's start come with its next prompt",
            b"hooklore was too slow to answer; the notes of a session's start come with its next prompt",
        )

    def say_unreadable(self, reason: bytes) -> None:
        """Tell the model and the user that memory could not be read."""
        self._say(
            b"",
            b"shared memory unreadable: " + reason + b"; do not answer from memory; "
            b"check gateway, permission, endpoint; run `hooks doctor`",
            b"hooklore cannot read memory; run `hooks doctor`",
        )

    def _say(self, kind: bytes, text: bytes, notice: bytes) -> None:
        """Print a notice of one kind, once a session, at an event that may speak."""
        answers = self.known.answers.get(self.event)
        if answers is None or not self._make(b".said-", kind):
            return
        _print(answers[self._is_strict()].replace(b"<text>", text).replace(b"<notice>", notice))

    def refuse_store(self) -> None:
        """Tell the model and the user that the store's path is no folder of its own. Nothing is written there."""
        try:
            self._end_after(self.limit)
            self.read_stdin()  # it names the session, which is told once
        except _Late:
            return
        self.disarm()
        if self.directory == _SHARED % posix.getuid():
            self._check_directory()
        self.say_unreadable(
            b"the store is set to a folder that holds more, not to a folder of its own"
        )

    def owe_brief(self) -> None:
        """Mark that the brief of the session did not reach it: it comes with the session's next prompt."""
        if self.event in self.known.briefs:
            self._make(b".owed-")

    def _is_owed(self) -> bool:
        try:
            posix.lstat(self._mark(b".owed-"))
        except OSError:
            return False
        return self.event in self.known.answers

    def _make(self, suffix: bytes, kind: bytes = b"") -> bool:
        """Make a mark of the session. Return False when it was made before."""
        flags = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC | posix.O_NOFOLLOW
        try:
            posix.close(posix.open(self._mark(suffix, kind), flags, 0o600))
        except OSError as error:
            return error.errno != 17
        return True

    def _mark(self, suffix: bytes, kind: bytes = b"") -> bytes:
        """Return the path of a mark of the session. The resident knows the same name."""
        session = (
            bytes(self.payload[:_HEAD])
            .partition(self.known.session)[2]
            .lstrip(b' "')
            .partition(b'"')[0][:256]
        )
        return self.base + suffix + _digest(session + kind)

    def _is_strict(self) -> bool:
        for path in (self.root + b"/config.toml", self.root + b".d/config.toml"):
            try:
                fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
            except OSError:
                continue
            lines = posix.read(fd, _HEAD).replace(b" ", b"").split(b"\n")
            posix.close(fd)
            return any(line.partition(b"#")[0] == b"strict=true" for line in lines)
        return False

    def hand_in_later(self) -> None:
        """Go on in a child process while the hook ends: no unredacted payload waits on the disk."""
        if posix.fork():
            return
        try:
            posix.setsid()
            _silence(0)
            # The deadline may have come between taking a lock and giving it back.
            posix.closerange(3, 64)
            self._read_rest()
            _silence(None)
            self._hand_in_patiently()
        finally:
            posix._exit(0)

    def _read_rest(self) -> None:
        """Read the part of the payload that had not come by the deadline."""
        try:
            _signal.signal(_signal.SIGALRM, _late)
            _set_alarm(_START_SECONDS)
            self.read_stdin()
        except _Late:
            pass
        self.disarm()

    def _hand_in_patiently(self) -> None:
        """Ask on in the background. Beyond eight that do so for one store, and in the end, spool."""
        self.started, self.is_hurried = time.monotonic(), False
        self.is_late = True
        self.pause, self.longest_pause = _LATE_PAUSE_SECONDS
        is_waiting = any(
            self._lock(b".wait%d" % place) is not None for place in range(_MOST_WAITING)
        )
        while is_waiting and time.monotonic() - self.started < _PATIENCE:
            if self._hand_in(_START_SECONDS):
                return
            self.mark_hung()
            if self.spawned >= 2 and self._run_alone():
                return
            self._rest()
        self._spool()

    def _hand_in(self, seconds: float) -> bool:
        """Return whether the resident took the delivery within `seconds`."""
        try:
            self.is_sent = False
            self._end_after(seconds)
            self.exchange()
        except (_Late, OSError):
            self.disarm()
            self.hang_up()
            return False
        self.disarm()
        return True

    def _end_after(self, seconds: float) -> None:
        _signal.signal(_signal.SIGALRM, _late)
        _set_alarm(seconds)

    def _run_alone(self) -> bool:
        """Run the broker in a process of its own when no resident comes up though the lock is free."""
        lock = self._lock(b".lock")
        if lock is None:
            return False
        posix.close(lock)
        slot = self._lock(b".slot0") or self._lock(b".slot1")
        if slot is None:
            return False
        try:
            return self._run(b"--once") == 0
        finally:
            posix.close(slot)

    def _spool(self) -> None:
        """Have a process redact and spool the delivery, unless the resident answers by now: two at a time."""
        try:
            self._end_after(_SPOOL_SECONDS)
            self._lock(b".slot%d" % (int(self.delivery, 16) % 2), waits=True)
        except _Late:
            pass
        self.disarm()
        for pause in _SPOOL_PAUSES:
            if self._hand_in(_ASK_SECONDS) or self._run(b"--spool") in (0, _NO_SPOOL):
                return
            time.sleep(pause)  # an upgrade may be replacing the program

    def _run(self, how: bytes) -> int:
        """Return the exit status of a process that is given the delivery: 0 when it kept it."""
        reading, writing = posix.pipe()
        try:
            child = self._spawn([how], stdin=reading)
        except OSError:
            posix.close(writing)
            return 1
        finally:
            posix.close(reading)
        view = memoryview(self._frame())
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


def _make_directory(path: bytes) -> None:
    """Make a directory, and those above that are missing, for this user alone."""
    try:
        posix.mkdir(path, 0o700)
    except FileExistsError:
        pass  # another hook was first: after a start of the machine several begin at once
    except FileNotFoundError:
        _make_directory(path.rpartition(b"/")[0])
        _make_directory(path)


def _digest(text: bytes) -> bytes:
    from _blake2 import blake2b

    return blake2b(text, digest_size=8).hexdigest().encode()


def _peer(connection: "_socket.socket") -> int:
    """Return the pid at the other end. Refuse a socket of another user."""
    if not hasattr(_socket, "SO_PEERCRED"):
        return 0
    raw = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    if int.from_bytes(raw[4:8], sys.byteorder) != posix.getuid():
        raise _Unsafe
    return int.from_bytes(raw[:4], sys.byteorder)
