"""Of two statements that contradict each other the newer leads, on every way out and to every agent."""

import json
import os
import time

import pytest

from hooklore import Memory
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from hooklore.records.draft import Draft
from hooklore.records.ids import short_id
from hooklore.requests.results import RecalledMemory
from tests.e2e.test_who_speaks import World

AGENTS = ("claude", "codex", "gemini")
PAST_PAIR = (
    "Invoices are rendered from HTML templates by Chromium.",
    "Invoices are rendered as PostScript; Chromium is dropped.",
)
PAIRS = [
    ("Deploy on Fridays.", "Do not deploy on Fridays.", "When do we deploy, on Fridays?"),
    ("リリースは金曜にする。", "リリースは金曜にしない。", "リリースは金曜ですか?"),
    (
        "The ssh port of the build server is 22.",
        "The ssh port of the build server is 49222 since May.",
        "Which ssh port does the build server have?",
    ),
    (*PAST_PAIR, "How are invoices rendered?"),
]
"""(older, newer, question)."""

_PROMPTS = {"claude": "UserPromptSubmit", "codex": "UserPromptSubmit", "gemini": "BeforeAgent"}


def hook(world: World, agent: str, event: str, session: str, **more: object) -> str:
    """What an agent's hook tells its model."""
    payload = {
        "session_id": session, "cwd": str(world.project), "hook_event_name": event, **more,
    }  # fmt: skip
    raw, facts = json.dumps(payload).encode(), {"CLAUDE_CODE_ENTRYPOINT": "cli"}
    runner = Runner(world.broker, str(world.home), time.time_ns)
    answer = runner.run(Delivery(agent, event, os.urandom(8).hex(), raw, facts)).stdout
    told = json.loads(answer).get("hookSpecificOutput", {}) if answer else {}
    return str(told.get("additionalContext", ""))


def starts(world: World, agent: str, session: str) -> str:
    return hook(world, agent, "SessionStart", session, source="startup")


def asks(world: World, agent: str, question: str) -> str:
    """What a prompt of a new session brings up, behind a start that is told nothing."""
    return hook(world, agent, _PROMPTS[agent], os.urandom(8).hex(), prompt=question)


def shown(memory: RecalledMemory) -> str:
    """A memory as a program may print it."""
    by = memory.contradicted_by
    return f"{memory.text} [contradicted by {by}]" if by else memory.text


def keeps(world: World, *words: str) -> str:
    """Keep a memory as the person; its id."""
    done = world.person("remember", "--json", *words)
    return str(json.loads(done.stdout)["id"])


def statement(text: str) -> Draft:
    """The draft of a fact of the person's for every project."""
    return Draft.of(
        stream="memory", kind="fact", agent_id="person", basis="user", scope="global",
        body={"content_md": text},
    )  # fmt: skip


def foreign_conflict(earlier: str, later: str) -> Draft:
    """The draft of a conflict as another program may write it, for everybody to read."""
    return Draft.of(
        stream="synthesis", kind="conflict_resolution", agent_id="person", basis="tool", scope="global",
        body={"text": "", "sources": [earlier, later], "about": f"pair:{earlier}|{later}"},
    )  # fmt: skip


def assert_led(told: str, older: str, newer: str) -> None:
    """The older text stands nowhere, or behind the newer one and marked."""
    told = "\n".join(line for line in told.splitlines() if "contradict each other" not in line)
    if older in told:
        assert newer in told
        assert told.index(newer) < told.index(older)
        line = next(each for each in told.splitlines() if older in each)
        assert "contradicted by " in line


@pytest.fixture(params=PAIRS, ids=["negation", "negation in Japanese", "number", "named as past"])
def pair(request: pytest.FixtureRequest) -> tuple[str, str, str]:
    return request.param  # type: ignore[no-any-return]


def test_the_answer_of_a_write_names_what_it_contradicts_and_how_to_replace_that(
    world: World, pair: tuple[str, str, str]
) -> None:
    older, newer, _ = pair
    first = keeps(world, older)

    said = world.person("remember", newer)

    told = said.stdout + said.stderr
    assert f"beside {short_id(first)}, which says otherwise: {older}" in told
    assert f"hooklore resolve {short_id(first)} --keep newer" in told


def test_the_newer_leads_on_every_way_out(world: World, pair: tuple[str, str, str]) -> None:
    older, newer, question = pair
    first = keeps(world, older, "--kind", "fact")
    second = keeps(world, newer, "--kind", "fact")

    listed = world.person("list", "--stream", "memory").stdout
    searched = world.person("search", question).stdout
    recalled = world.person("recall", question).stdout
    snapshot = world.person("snapshot").stdout
    opened = world.agent("get", short_id(first)).stdout
    asked = world.agent("recall", question).stdout

    for told in (listed, searched, recalled, snapshot, opened, asked):
        lines = [line for line in told.splitlines() if "contradict each other" not in line]
        assert "\n".join(lines).index(newer) < "\n".join(lines).index(older)
        line = next(each for each in lines if older in each)
        assert f"contradicted by {short_id(second)} of 20" in line


def test_the_newer_leads_in_what_a_request_brings(world: World, pair: tuple[str, str, str]) -> None:
    older, newer, question = pair
    first = keeps(world, older, "--kind", "fact")
    second = keeps(world, newer, "--kind", "fact")

    answers = [world.sends(verb, query=question) for verb in ("recall", "search_memories")]
    answers.append(world.sends("get", names=[first]))

    for answer in answers:
        told = answer["memories"]
        assert isinstance(told, list)
        assert [each["id"] for each in told if each["kind"] == "fact"] == [second, first]
        assert told[[each["id"] for each in told].index(first)]["contradicted_by"] == second


def test_no_start_and_no_prompt_of_three_agents_tells_the_older_alone(
    world: World, pair: tuple[str, str, str]
) -> None:
    older, newer, question = pair
    keeps(world, older, "--title", "how it was", "--when", question.rstrip("?"))
    keeps(world, newer, "--title", "how it is", "--when", "somewhere else entirely")

    for agent in AGENTS:
        told = starts(world, agent, f"{agent}-1")
        assert "how it was" not in told.replace(older, "")
        assert "how it is" in told or newer in told
        assert_led(asks(world, agent, question), older, newer)


def test_a_decision_that_is_revoked_in_another_agent_is_told_as_revoked(world: World) -> None:
    decided = "We cache the exchange rates of the ledger for one day."
    revoked = "We no longer cache the exchange rates of the ledger."
    said = {"claude": decided, "codex": revoked}
    for agent, text in said.items():
        with Memory(agent, session_id=f"{agent}-0", folder=world.project,
                    store=world.broker.place.directory, in_process=True) as memory:  # fmt: skip
            memory.remember(text, kind="decision", title=f"rates by {agent}")

    question = "For how long do we cache the exchange rates of the ledger?"
    for agent in AGENTS:
        assert "rates by claude" not in starts(world, agent, f"{agent}-1")
        with Memory(agent, session_id=f"{agent}-2", folder=world.project,
                    store=world.broker.place.directory, in_process=True) as memory:  # fmt: skip
            told = "\n".join(map(shown, memory.recall(question)))
        assert_led(told, decided, revoked)
        assert decided not in asks(world, agent, question)


def test_what_an_agent_says_is_past_stands_beside_the_users_word_in_another_language(
    world: World,
) -> None:
    world.types("Invoices are rendered from HTML templates by Chromium, our designers know HTML")
    world.agent("remember", PAST_PAIR[0], "--kind", "decision")
    hook(
        world, "codex", "UserPromptSubmit", "codex-0", prompt="Chromium はやめて PostScript にして"
    )
    with Memory("codex", session_id="codex-0", folder=world.project,
                store=world.broker.place.directory, in_process=True) as memory:  # fmt: skip
        memory.remember(PAST_PAIR[1], kind="decision")

    told, later = (starts(world, "gemini", f"gemini-{n}") for n in range(2))

    assert all(text in told for text in PAST_PAIR)
    assert "Ask the user which holds" in told
    assert all(text.partition(";")[0].rstrip(".")[:40] in later for text in PAST_PAIR)


def test_of_two_tools_of_one_kind_the_newer_stands_first_and_the_older_is_marked(
    world: World,
) -> None:
    keeps(world, "Use npm for the packages.", "--kind", "preference")
    keeps(world, "Use pnpm for the packages.", "--kind", "preference")

    for agent in AGENTS:
        assert_led(
            starts(world, agent, f"{agent}-1"),
            "Use npm for the packages.",
            "Use pnpm for the packages.",
        )


@pytest.mark.parametrize("first", ["codex", "gemini"])
def test_an_agent_that_does_not_say_who_types_asks_for_all_agents(world: World, first: str) -> None:
    for text in PAST_PAIR:
        keeps(world, text, "--kind", "fact")

    asked, again = (starts(world, agent, f"{agent}-1") for agent in (first, "claude"))

    assert "contradict each other" in asked
    assert "contradict each other" not in again


def test_the_person_is_asked_once_and_settles_it_by_the_id_that_is_shown(
    world: World, pair: tuple[str, str, str]
) -> None:
    older, newer, _ = pair
    first = keeps(world, older, "--kind", "fact")
    keeps(world, newer, "--kind", "fact")

    asked, *again = [starts(world, agent, f"{agent}-1") for agent in ("claude", "codex", "claude")]
    (question,) = [line for line in asked.splitlines() if "contradict each other" in line]
    command = question.partition("`hooklore ")[2].partition(" --keep")[0]
    settled = world.person(*command.split(), "--keep", "newer")

    assert older in question
    assert newer in question
    assert not [told for told in again if "contradict each other" in told]
    assert settled.returncode == 0, settled
    assert older not in world.person("list", "--stream", "memory").stdout
    assert first not in world.person("conflicts").stdout
    assert newer in world.person("list", "--stream", "memory").stdout


def test_what_is_settled_as_holding_both_is_no_longer_marked(world: World) -> None:
    older, newer, question = PAIRS[2]
    first = keeps(world, older, "--kind", "fact")
    keeps(world, newer, "--kind", "fact")

    settled = world.person("resolve", short_id(first), "--keep", "both")

    assert settled.returncode == 0, settled
    assert "contradicted by" not in world.person("list", "--stream", "memory").stdout
    assert older in world.person("recall", question).stdout


def test_when_the_newer_is_archived_the_older_stands_unmarked(world: World) -> None:
    older, newer, _ = PAIRS[0]
    keeps(world, older, "--kind", "fact")
    second = keeps(world, newer, "--kind", "fact")

    world.person("archive", second)

    listed = world.person("list", "--stream", "memory").stdout
    assert older in listed
    assert "contradicted by" not in listed


def test_a_private_side_marks_nothing_to_who_may_not_read_it(world: World) -> None:
    older, newer, question = PAIRS[2]
    first = keeps(world, older, "--kind", "fact")
    second = keeps(world, newer, "--kind", "fact", "--private", "--scope", "global")
    world.broker.append([foreign_conflict(first, second)])

    told = world.agent("recall", question).stdout
    mine = world.person("list", "--stream", "memory").stdout

    assert older in told
    assert "contradicted" not in told
    assert newer not in told
    assert "contradicted by" in mine


def test_of_contradictions_in_a_circle_the_newest_leads(world: World) -> None:
    ids = [keeps(world, f"The {name} is stored apart.") for name in ("oak", "elm", "ash")]
    for earlier, later in ((0, 1), (1, 2), (2, 0)):
        world.broker.append([foreign_conflict(ids[earlier], ids[later])])

    listed = world.person("list", "--stream", "memory").stdout.splitlines()

    assert [line.split()[0] for line in listed] == ids[::-1]
    assert "contradicted" not in listed[0]
    assert all(f"contradicted by {short_id(ids[2])}" in line for line in listed[1:])


def test_a_memory_that_many_contradict_makes_few_conflicts_and_the_newest_leads(
    world: World,
) -> None:
    many = [f"The ssh port of the build server is {1000 + n}." for n in range(60)]
    for text in many:
        world.broker.append([statement(text)])

    told = world.agent("recall", "Which ssh port does the build server have?").stdout
    conflicts = [r for r in world.records() if r["kind"] == "conflict_resolution"]

    assert len(conflicts) <= 3 * len(many)
    notes = [line for line in told.splitlines() if "ssh port" in line]
    assert many[-1] in notes[0]
    assert [line for line in notes if "contradicted by" not in line] == notes[:1]


def test_the_same_statement_of_another_project_contradicts_nothing(world: World) -> None:
    older, newer, _ = PAIRS[0]
    keeps(world, older, "--kind", "fact")
    other = world.home / "gadgets"
    (other / ".git").mkdir(parents=True)
    (other / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    world.project = other

    done = world.person("remember", newer, "--kind", "fact", "--json")

    assert json.loads(done.stdout)["status"] == "stored"
    assert world.person("conflicts").stdout == ""
