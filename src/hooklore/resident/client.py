"""The program of every hook: hand the payload to the resident broker, print its answer, always exit 0.

An agent's `hooklore get` and `hooklore recall` ask the resident by the same code (`open_memories`).

`hooks install` copies this file and `client_trouble.py` beside the entry points and writes a table of the
registered agents into this one. They run under `python -I -S`, where nothing else of ours can be imported. They
import C modules only: `json` or `socket` alone would double the time of a hook. What most calls do not need is
loaded where a call needs it: `_blake2` takes a fiftieth of a hook, `fcntl` a hundredth. The protocol stands in
ARCHITECTURE.md; HL1 never changes its meaning.
"""

import _signal
import _socket
import posix
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


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
_SHARED = b"/tmp/hooklore-%d"
_LONGEST_ADDRESS = 100  # Linux takes 107 bytes, macOS 103
_LARGEST = 1024 * 1024
_HEAD = 64 * 1024
_CONTROL = "hooklore"
_OPENINGS = {"get": "Get", "recall": "Recall"}
_OPENING_SECONDS = 3.0
_HUNG_SECONDS = 30.0
_HURRIED_SECONDS = 0.02
_PAUSE_SECONDS = (0.002, 0.016)  # the first one, and the longest
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
        _trouble().refuse_store(call)
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
    except (_Late, OSError, _Unsafe) as error:
        for number in (_signal.SIGALRM, _signal.SIGTERM, _signal.SIGINT):
            _signal.signal(number, _signal.SIG_IGN)
        call.disarm()
        _trouble().give_up(call, error)
        return
    call.disarm()
    if answer and _print(answer):
        call.acknowledge()


def _trouble() -> "ModuleType":
    """Return what a hook needs where something is wrong: most load none of it."""
    import client_trouble

    found: ModuleType = client_trouble
    return found


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
        if self.is_hurried and _trouble().is_owed(self):
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
                _trouble().start_resident(self)
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
