"""A line that occurs everywhere never identifies a failure, and what is private changes no line."""

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import given, settings
from hypothesis import strategies as st

from hooklore.config import store_location_at
from hooklore.failures.common_lines import distinctive_lines
from hooklore.failures.error_signature import normalize_error_line
from hooklore.hooks.project import project_keys
from hooklore.index.view import View
from hooklore.records.draft import Draft
from hooklore.records.record import Record
from tests.support.agent import Agent, repository
from tests.support.memory_folder import memory_folder

PROGRAMS = ("make press", "cargo build", "tsc -p .", "go vet ./...", "docker build .", "tox -e py")
BANNERS = st.one_of(
    st.builds(
        "{}: error: the alias {} is shadowed since {}".format,
        st.sampled_from(["zsh", "toolbelt", "/opt/mill/bin/prompt.sh", r"C:\mill\prompt.ps1"]),
        st.from_regex(r"[a-z]{3,8}", fullmatch=True),
        st.sampled_from(["12:30:01", "2026-01-03", "build 4711", "0x7ffe12", "/tmp/tmpab12cd34/x"]),
    ),
    st.sampled_from(
        ["用紙の設定が見つかりません", "panic: nothing, really", "FAILED to greet you", "Roll.Error: hi"]
    ),
)  # fmt: skip
DRESS = st.sampled_from(["{}", "\x1b[31m{}\x1b[0m", "10%|██  |\r{}", "{}\r", "│ {}   │", "> {}"])
STEPS = st.lists(st.tuples(st.sampled_from(PROGRAMS), st.booleans(), DRESS), max_size=8)


@contextmanager
def working() -> Iterator[Agent]:
    with memory_folder() as folder:
        home = folder
        agent = Agent(store_location_at(home / "store"), repository(home / "mill"), home)
        agent.starts("s1")
        yield agent
        agent.broker.close()


def play(agent: Agent, banner: str, steps: list[tuple[str, bool, str]]) -> None:
    """Run commands that print the banner, each with an error of its own where it fails."""
    for number, (command, passes, dress) in enumerate(steps):
        shown = dress.format(banner)
        if passes:
            agent.passes(f"{command} part{number}", f"{shown}\ndone")
        else:
            agent.fails(f"{command} part{number}", f"{shown}\nPressError: {'x' * number} is loose")


def identifying(agent: Agent) -> list[list[str]]:
    view = View(agent.place)
    view.refresh()
    found = [distinctive_lines(view, Record(each)) for each in agent.records("error")]
    view.close()
    return found


def private_copies(agent: Agent) -> list[Draft]:
    """Return each recorded step three times, as private runs of other commands."""
    keys = project_keys(str(agent.project), None, str(agent.home))
    steps = [Record(each) for each in agent.records() if each["kind"] in ("error", "tool_result")]
    drafts = []
    for number, step in enumerate(steps * 3):
        body = step.body.with_fields(
            key=f"other {number}", command=f"{PROGRAMS[number % 6]} x{number}"
        )
        bare = step.without("id", "hash", "delivery_id", "natural_key")
        drafts.append(Draft(bare.with_fields(is_private=True, body=body), keys))
    return drafts


@settings(max_examples=25)
@given(banner=BANNERS, steps=STEPS, dress=DRESS)
def test_a_line_that_occurs_everywhere_never_identifies_a_failure(
    banner: str, steps: list[tuple[str, bool, str]], dress: str
) -> None:
    everywhere = [
        (PROGRAMS[0], True, dress),
        (PROGRAMS[1], True, "{}"),
        (PROGRAMS[2], False, dress),
    ]
    with working() as agent:
        play(agent, banner, [*steps, *everywhere])

        found = identifying(agent)

    assert all(normalize_error_line(banner) not in lines for lines in found)
    assert all(any("is loose" in line for line in lines) for lines in found)


@settings(max_examples=15)
@given(banner=BANNERS, steps=STEPS)
def test_private_runs_change_no_line_of_a_failure(
    banner: str, steps: list[tuple[str, bool, str]]
) -> None:
    with working() as agent:
        play(agent, banner, [(PROGRAMS[0], False, "{}"), *steps])
        before = identifying(agent)
        receipts = agent.broker.append(private_copies(agent))

        after = identifying(agent)

    assert {receipt.status for receipt in receipts} == {"stored"}
    assert after[: len(before)] == before
