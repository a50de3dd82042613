"""`hooks run EVENT`: one payload through the same handling as a hook's, with the time of each step."""

import os
import sys
import time
from collections.abc import Callable
from typing import IO, Annotated

import typer

from hooklore.agents.registry import DEFAULT_AGENT_ID, agent_of, default_agent
from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.store import home, opened
from hooklore.config import DEPTH_VARIABLE, is_switched_off, read_environment
from hooklore.errors import LogError, RecordInvalid
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.pending import Pending
from hooklore.hooks.runner import Runner

_LARGEST = 1024 * 1024
_HEAD = 64 * 1024
_EVENT_HELP = f"the agent's name for it, `{next(iter(default_agent().events))}` say"


def run(
    event: Annotated[str, typer.Argument(help=_EVENT_HELP)],
    agent: Annotated[str, typer.Option(help="which agent's payload it is")] = DEFAULT_AGENT_ID,
) -> None:
    """Handle one hook payload from stdin: print the answer, and the time of each step on stderr.

    It is recorded like any other, but teaches nothing: nobody typed it. An event that hooklore does not know
    is silent.
    """
    if is_switched_off(read_environment()):
        output.say("HOOKLORE_OFF is set: nothing is recorded or recalled")
        return
    steps = Steps(time.perf_counter)
    delivery = _delivery(agent, event, sys.stdin.buffer)
    steps.done("read")
    with opened(lambda step, _delivery: steps.done(step)) as broker:
        steps.done("open")
        pending = _handle(broker, delivery, steps)
    if pending.event.event == "other":
        return
    steps.say(pending.status if pending.receipt else "left out by a rule")
    receipt = pending.receipt
    if receipt is not None and receipt.status == "lost":
        raise LogError("the log", receipt.reason or "no reason is known")
    if receipt is not None and receipt.status == "refused":
        raise RecordInvalid([receipt.reason or "no reason is known"])


def _delivery(agent: str, event: str, stdin: IO[bytes]) -> Delivery:
    """Return the payload as the client would hand it in: of more than 1 MiB the head, and the true size."""
    payload = stdin.read(_LARGEST + 1)
    size = len(payload)
    if size > _LARGEST:
        while part := stdin.read(1 << 20):
            size += len(part)
        payload = payload[:_HEAD]
    env = read_environment()
    marks = agent_of(agent).marks
    names = {*marks.names, DEPTH_VARIABLE} - {marks.entrypoint}  # nobody types a prompt here
    facts = {name: env[name] for name in names if name in env}
    if size > len(payload):
        facts["TRUE_SIZE"] = str(size)
    return Delivery(agent, event, os.urandom(16).hex(), payload, facts, is_by_hand=True)


def _handle(broker: Broker, delivery: Delivery, steps: "Steps") -> Pending:
    """Handle a delivery as `Runner.run` does, step by step. What was printed counts as shown, nothing else."""
    runner = Runner(broker, home(), time.time_ns)
    (pending,) = runner.record([delivery], when_read=lambda: steps.done("normalise"))
    steps.done("append")
    answer = runner.answer(pending).stdout
    steps.done("recall")
    if answer:
        output.data(answer.decode())
        sys.stdout.flush()
    # What a resident does after its answer has arrived:
    shown = runner.settle(pending, has_arrived=True)
    if shown:
        broker.append(shown)
        steps.done("note what was shown")
    if sum(runner.learn(pending)):
        steps.done("learn")
    return pending


class Steps:
    """The time of each step, in the order in which the steps came first. A repeated step adds up."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` gives seconds."""
        self._clock = clock
        self._last = clock()
        self._seconds: dict[str, float] = {}

    def done(self, step: str) -> None:
        """Add the time since the last call to a step that has just ended."""
        now = self._clock()
        self._seconds[step] = self._seconds.get(step, 0.0) + now - self._last
        self._last = now

    def say(self, status: str) -> None:
        """Print one line a step on stderr, in milliseconds, and the status of the event."""
        for step, seconds in self._seconds.items():
            output.say(f"{step:<20} {seconds * 1000:9.2f} ms")
        output.say(f"{'in all':<20} {sum(self._seconds.values()) * 1000:9.2f} ms: {status}")
