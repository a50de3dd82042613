"""How long redaction takes: events as hooks bring them, no two alike, and the texts that are dearest to read."""

import base64
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from hooklore.redaction import redact, redact_value
from tests.bench.base import percentile
from tests.bench.words import Vocabulary, english, japanese
from tests.redaction.blind_honest import HONEST, filled
from tests.redaction.draw import Draw

Figures = dict[str, float]

_SEED: Final = 650
_SHORT, _LONG = 650, 4_000
_ROUNDS: Final = 5
_EVENTS: Final = 400
_WARM: Final = 1_000
"""A resident serves for hours: the automata of the rules grow with what they read first."""
_NEAR: Final = 0.67
"""A text that took less than this part of the slowest is not the slowest in a quieter moment either."""
_MIB: Final = 1 << 20
_SPEAKS_OF_SECRETS: Final = re.compile(
    r"(?i)token|pass|secret|key|auth|credential|トークン|パス|鍵|キー"
)
_COMMANDS: Final = (
    "pytest -q tests/{0}/test_{1}.py -k {2}", "git log --oneline -{3} -- src/{0}.py", "ls -la src/{0}",
    "npm run build --workspace {0}", "rg -n '{1}' src/{0} | head -{3}", "cd /srv/{0} && make {1}",
    "docker compose logs --tail {3} {0}", "sed -n '{3},{4}p' src/{0}/{1}.py", "git diff HEAD~{3} --stat",
    "cargo test -p {0} {1}::tests", "python -m {0}.{1} --limit {4} --out /tmp/{2}.json",
)  # fmt: skip


def measure() -> Figures:
    """p50 in ms of events of 650 bytes and of 4 KB, p99 of both, and the slowest MiB in seconds.

    Events are taken in rounds, with dear texts read between them: a shared host slows a whole round. The figures
    of events are those of the better quartile.
    """
    rounds, dear = Rounds(), DearTexts()
    for _ in range(_ROUNDS):
        rounds.take()
        slowest = dear.take()
    return rounds.better() | slowest


class DearTexts:
    """The texts that are dearest to read, each with the least seconds that it took.

    A processor that others share takes half as long again for the same instructions, and one of a hundred texts
    meets that in any round: the least of several readings is the text's own.
    """

    def __init__(self) -> None:
        self._least: dict[str, float] = {}
        self._readings = 0

    def take(self) -> Figures:
        """Read each text once; after the first time those that may be the slowest. Return the slowest so far.

        The last character differs from reading to reading: redaction knows a text without findings again.
        """
        slowest = _slowest(self._least) if self._least else {}
        least_of_interest = min(slowest.values(), default=0.0) * _NEAR
        mark = chr(ord("a") + self._readings % 26)
        for name, text in dear_texts():
            if self._least.get(name, 0.0) >= least_of_interest:
                seconds = _seconds(partial(redact, text[:-1] + mark))
                self._least[name] = min(seconds, self._least.get(name, seconds))
        self._readings += 1
        return _slowest(self._least)


def _slowest(seconds: dict[str, float]) -> Figures:
    """Return the slowest text, and the slowest mix, which misses the goal that it should have (.5 s)."""
    mixed = {name for name in seconds if name.startswith("mix ")}
    return {
        "redact_worst_1mib_s": max(seconds[name] for name in seconds.keys() - mixed),
        "redact_mixed_1mib_s": max(seconds[name] for name in mixed),
    }


class Rounds:
    """Rounds of events of both sizes, no two events alike."""

    def __init__(self) -> None:
        self._events = Events(_SEED)
        self._taken: list[Figures] = []
        for size in (_SHORT, _LONG):
            self._read(size, _WARM)

    def _read(self, size: int, count: int) -> list[float]:
        bodies = [{"body": self._events.body(size)} for _ in range(count)]
        return [_seconds(partial(redact_value, body, is_printed=True)) for body in bodies]

    def take(self) -> Figures:
        """Read the events of a round; its figures."""
        short, long = self._read(_SHORT, _EVENTS), self._read(_LONG, _EVENTS)
        self._taken.append(
            {
                "redact_650_p50_ms": percentile(short, 0.5) * 1e3,
                "redact_4k_p50_ms": percentile(long, 0.5) * 1e3,
                "redact_p99_ms": percentile(short + long, 0.99) * 1e3,
            }
        )
        return self._taken[-1]

    def better(self) -> Figures:
        """Return each figure of the better quartile of the rounds."""
        names = self._taken[0]
        ordered = {name: sorted(taken[name] for taken in self._taken) for name in names}
        return {name: values[len(values) // 4] for name, values in ordered.items()}


def _seconds(work: Callable[[], object]) -> float:
    """Return the processor's seconds: redaction only computes, and other work on the host adds none."""
    started = time.process_time()
    work()
    return time.process_time() - started


class Events:
    """Bodies of tool results: a command, a path, an output of lines that programs and people write.

    A fifth of the lines speaks of tokens, keys and passwords, as in the work of people who write
    programs that have some.
    """

    def __init__(self, seed: int) -> None:
        self._source = random.Random(seed)
        self._words = (english(self._source), japanese(self._source))
        lines = HONEST.strip("\n").split("\n")
        self._plain = [line for line in lines if not _SPEAKS_OF_SECRETS.search(line)]
        self._speaking = [line for line in lines if _SPEAKS_OF_SECRETS.search(line)]
        self._count = 0

    def body(self, size: int) -> dict[str, Any]:
        """One body of about so many bytes."""
        self._count += 1
        words = self._words[0].text(self._source, 3).split()
        numbers = self._source.randrange(1, 99), self._source.randrange(100, 9999)
        command = self._source.choice(_COMMANDS).format(*words, *numbers)
        body: dict[str, Any] = {
            "intent": self._words[self._count % 4 == 0].text(self._source, 6),
            "tool": "Bash",
            "command": command,
            "key": command.split(" | ", maxsplit=1)[0],
            "paths": [f"src/{words[0]}/{words[1]}_{numbers[0]}.py"],
            "outcome": self._source.choice(("success", "failure", "unknown")),
            "cost": {"time_ms": self._source.randrange(60_000), "tokens": 0},
            "detail": {
                "cwd": f"/home/mori/work/{words[2]}",
                "ended": f"2026-11-{numbers[0] % 28:02d}",
            },
        }
        left = size - len(json.dumps(body, ensure_ascii=False).encode())
        lines: list[str] = []
        while left > 0:
            lines.append(self._line())
            left -= len(lines[-1].encode()) + 2
        return body | {"text": "\n".join(lines)}

    def _line(self) -> str:
        kind = self._source.random()
        if kind < 0.35:
            return self._words[kind < 0.1].text(self._source, self._source.randrange(4, 18))
        line = self._source.choice(self._speaking if kind > 0.8 else self._plain)
        return filled(Draw(f"bench {self._source.random()}"), line)[:300]


def dear_texts() -> Iterator[tuple[str, str]]:
    """(what it is, a text of 1 MiB)."""
    source = random.Random(_SEED)
    raw = base64.b64encode(source.randbytes(_MIB)).decode()
    yield "base64", raw[:_MIB]
    yield "wrapped base64", "\n".join(raw[at : at + 76] for at in range(0, _MIB, 76))[:_MIB]
    rows = [
        {
            "id": f"{source.getrandbits(64):x}",
            "key": f"k{number}",
            "n": source.random(),
            "at": "2026-11-21",
        }
        for number in range(14_000)
    ]
    yield "JSON on one line", json.dumps(rows)[:_MIB]
    yield "prose", Vocabulary.text(english(source), source, 160_000)[:_MIB]
    yield "Japanese prose", japanese(source).text(source, 120_000)[: _MIB // 3]
    for near in NEAR_MISSES:
        yield (
            f"near miss {near!r}",
            (near * (_MIB // len(near.encode()) + 1)).encode()[:_MIB].decode("utf-8", "ignore"),
        )
    for number in range(_MIXES):
        yield f"mix {number}", _mixed(random.Random(f"mix {number}"))


def _mixed(source: random.Random) -> str:
    """1 MiB of near misses in an order that no rule expects, a few of them at a time."""
    chosen = source.sample(NEAR_MISSES, source.choice((3, 8, len(NEAR_MISSES))))
    parts: list[bytes] = []
    size = 0
    while size < _MIB:
        parts.append((source.choice(chosen) + source.choice(("", " ", "\n"))).encode())
        size += len(parts[-1])
    return b"".join(parts)[:_MIB].decode("utf-8", "ignore")


_MIXES: Final = 6
_FENCE: Final = "-" * 5
NEAR_MISSES: Final = (
    f"{_FENCE}BEGIN PRIVATE " + f"KEY{_FENCE}\n", f"{_FENCE}END PRIVATE " + f"KEY{_FENCE}\nMIIEvQIBADANBg\n",
    "ghp_a ", "sk-a-b-", "eyJhbGciOi.", "AKIA1234567890 ", "0123456789abcdef" * 2 + "-us1 ", "xoxb-1 ",
    "$2b$10$short ", "://u:@", "://user:%40host",
    "https://h/?sig=a&", "&token=short", "password=", "password= x ",
    '"token": "', "key: value, ", "--token -", "curl -u ", "mysql -p ", "echo a | ", "Bearer a ", "Cookie: a=b; ",
    "insert into t (password) values (", 'variable "token" {', "config set token ", "API_TOKEN to x ",
    "the password is the ", "abc1 is the ", "パスワードは",
    "トークン：「", "abcdef1 が", "合言葉はまだ。", "login: a / ",
    "alice/pass で ログ", "auth('a', ", "PIN is ", "recovery codes: ", "seed phrase: abandon ", "a@b.", "a@b@",
    "03-1234-", "+81 90 1234 ", "0901234567", "4111 1111 1111 ", "〒100-", "東京都千代田区", "100 Main Street, ",
    "aB3" * 9 + " ", "PASS a\nUSER b\n", 'form-data; name="token"\n\n',
    "--literal ", "jwt.sign(a, ", "A" * 60 + "\n",
    "password: a1 ", "Das Passwort ist a1 ", "密码是", "パスワードはa1が", "b1 is the new password. ",
    "token abc123 ", "a | password | b\n", "id,token\n", "<token>", "kind: Secret\ndata:\n", "token: >-\n a\n",
    "cGFzc3dvcmQ9MTIz" * 2 + " ", "call 030 123 ", "12345 Ab ", "pass\u200bword ", "\\u0070=", "%3D", 'a" + "b',
    "<private ", "pаss ",
    "[REDACTED:", "\\n", "a=" * 8, "0" * 30 + " ", "=" * 40, "\x00",
    "new Client(", "the passphrase is ", "orbit lemon scatter wagon ", "ab1=\ncd2", "&#65;", "\u2800",
    "a_key 0a1b2c3d ",
)  # fmt: skip
"""What begins as a rule's find does, and is none."""
