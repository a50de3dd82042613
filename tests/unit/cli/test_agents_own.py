"""What is another agent's own is told by no command, whatever an agent asks."""

import pytest

from tests.unit.cli.conftest import Memory, Printed, Run

KEY = "config:kestrel_port"
WORD = "kestrel"
OWN = "The kestrel gateway listens on 7341"
RUN = "r-claude"


@pytest.fixture
def own(hooklore: Run, memory: Memory) -> str:
    """Write what is claude's own: replaced, put aside, waiting; return the id of what stands."""
    mine = (
        "--scope",
        "agent:claude",
        "--agent",
        "claude",
        "--run",
        RUN,
        "--basis",
        "tool",
        "--json",
    )
    keyed = (*mine, "--key", KEY, "--tag", "falcon")
    hooklore("remember", OWN.replace("7341", "7340"), *keyed)
    stands = hooklore("remember", OWN, *keyed).records[0]["id"]
    aside = hooklore("remember", OWN.replace("7341", "7342 at night"), *mine).records[0]["id"]
    hooklore("remember", OWN.replace("7341", "7343 one day"), *mine, "--confidence", "low")
    assert hooklore("archive", aside).rc == 0
    assert hooklore("rebuild").rc == 0
    return str(stands)


def ways(id_: str) -> dict[str, tuple[str, ...]]:
    """Return every command that reads memory for an agent, by what it is for."""
    return {
        "by key": ("get", KEY),
        "by key in its scope": ("get", KEY, "--scope", "agent:claude"),
        "by id": ("get", id_),
        "versions": ("get", KEY, "--versions"),
        "where": ("find", KEY),
        "where, nearly": ("find", "kestrel_port"),
        "facets": ("tags",),
        "a facet": ("tags", "falcon"),
        "listed": ("memory", "list"),
        "listed by scope": ("memory", "list", "--scope", "agent:claude"),
        "searched": ("memory", "search", WORD),
        "recalled": ("recall", f"Where does the {WORD} gateway listen?"),
        "explained": ("recall", f"{WORD} gateway", "--explain"),
        "snapshot": ("snapshot",),
        "snapshot of its scope": ("snapshot", "--scope", "agent:claude"),
        "profile": ("profile",),
        "timeline": ("run", RUN),
        "counts": ("run", RUN, "--totals"),
        "why": ("why", id_),
        "why so shown": ("why", f"{WORD} gateway"),
        "waiting": ("pending",),
        "put aside": ("archive",),
    }


def tells(printed: Printed, id_: str) -> bool:
    """Return whether an answer holds a text, a tag, a key, an id or a count of claude's own.

    What an error repeats of the question is no answer.
    """
    told = printed.out + printed.err.replace(id_, "").replace(KEY, "")
    marks = ("listens on", "falcon", KEY, id_)
    return any(each in told for each in marks) or "of them " in told


@pytest.mark.req("AC-04")
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_no_command_tells_another_agent_of_it(
    hooklore: Run, own: str, form: tuple[str, ...]
) -> None:
    printed = {
        way: hooklore(*words, *form, "--agent", "gemini") for way, words in ways(own).items()
    }

    assert {way: each for way, each in printed.items() if each.rc == 2} == {}
    assert {way: each for way, each in printed.items() if tells(each, own)} == {}


@pytest.mark.req("AC-04")
def test_the_same_commands_tell_its_agent(hooklore: Run, own: str) -> None:
    """No command above is silent for another reason, but that no agent is told of what waits."""
    printed = {way: hooklore(*words, "--agent", "claude") for way, words in ways(own).items()}

    assert {way for way, each in printed.items() if not tells(each, own)} == {"waiting"}


@pytest.mark.req("AC-04")
def test_a_copy_is_shared_by_promotion_alone(hooklore: Run, memory: Memory, own: str) -> None:
    before = hooklore("memory", "search", WORD, "--agent", "gemini")

    promoted = hooklore("promote", own, "--scope", "global")
    after = hooklore("memory", "search", WORD, "--json", "--agent", "gemini").records

    assert (before.out, promoted.rc) == ("", 0)
    assert [(r["body"]["content_md"], r["scope"], r["promoted_from"]) for r in after] == [
        (OWN, "global", own)
    ]
    assert own not in {record["id"] for record in after}
