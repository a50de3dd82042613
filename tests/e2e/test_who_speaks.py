"""Who runs a command decides what the command may do: the person, an agent, or a program."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import store_location_at
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from hooklore.requests.desk import RequestDesk
from hooklore.requests.request import Caller, Request
from hooklore.retrieval.recall import Recall
from tests.support.prepared_command import run_command
from tests.support.terminal import run_at_terminal

COMMAND = str(Path(sys.executable).parent / "hooklore")
SESSION = "3f1f7bb0-6f0e-4d0c-9d4e-1f2a3b4c5d6e"
AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": SESSION, "CLAUDE_CODE_ENTRYPOINT": "cli"}


class World:
    """A home with a project, and the ways to run a command there."""

    def __init__(self, home: Path) -> None:
        self.home, self.project = home, home / "widgets"
        (self.project / ".git").mkdir(parents=True)
        (self.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (home / "bin").mkdir()
        (home / "bin" / "hooklore").symlink_to(COMMAND)
        self.env = {"HOME": str(home), "PATH": f"{home}/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
        self.broker = Broker(store_location_at(home / ".config" / "ai" / "memory"))
        self.now = time.time()

    def person(self, *words: str) -> subprocess.CompletedProcess[str]:
        return run_at_terminal([COMMAND, *words], self.env, self.project)

    def agent(self, *words: str) -> subprocess.CompletedProcess[str]:
        return run_command([COMMAND, *words], self.env | AGENT, self.project)

    def agent_shell(self, line: str) -> subprocess.CompletedProcess[str]:
        return self._run(["/bin/sh", "-c", line], self.env | AGENT)

    def program(self, *words: str) -> subprocess.CompletedProcess[str]:
        return run_command([COMMAND, *words], self.env, self.project)

    def _run(self, words: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, env=env, cwd=self.project, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=60, check=False,
        )  # fmt: skip

    def asks(self, command: str, mode: str | None = "default", entry: str = "cli") -> Any:
        """What the hook before the agent's command answers."""
        payload = {
            "session_id": SESSION, "cwd": str(self.project), "hook_event_name": "PreToolUse",
            "tool_name": "Bash", "tool_use_id": os.urandom(4).hex(), "permission_mode": mode,
            "tool_input": {"command": command, "description": "try it"},
        }  # fmt: skip
        runner = Runner(self.broker, str(self.home), lambda: int(self.now * 1e9))
        facts = {"CLAUDE_CODE_ENTRYPOINT": entry}
        delivery = Delivery("claude", "PreToolUse", os.urandom(8).hex(), _json(payload), facts)
        answer = runner.run(delivery).stdout
        return json.loads(answer)["hookSpecificOutput"] if answer else {}

    def types(self, prompt: str, entry: str = "cli") -> None:
        """Let the person type a prompt in the agent's session, which began by an entry point."""
        payload = {
            "session_id": SESSION, "cwd": str(self.project), "prompt": prompt,
            "hook_event_name": "UserPromptSubmit",
        }  # fmt: skip
        runner = Runner(self.broker, str(self.home), lambda: int(self.now * 1e9))
        facts = {"CLAUDE_CODE_ENTRYPOINT": entry} if entry else {}
        runner.run(
            Delivery("claude", "UserPromptSubmit", os.urandom(8).hex(), _json(payload), facts)
        )

    def starts(self, folder: Path | None = None) -> str:
        """What a new session of the agent is told at its start."""
        payload = {
            "session_id": os.urandom(8).hex(), "cwd": str(folder or self.project), "source": "startup",
            "hook_event_name": "SessionStart",
        }  # fmt: skip
        runner = Runner(self.broker, str(self.home), lambda: int(self.now * 1e9))
        delivery = Delivery("claude", "SessionStart", os.urandom(8).hex(), _json(payload), {})
        answer = runner.run(delivery).stdout
        told = json.loads(answer).get("hookSpecificOutput", {}) if answer else {}
        return str(told.get("additionalContext", ""))

    def ran(self, command: str) -> None:
        """Record that the command ran."""
        payload = {
            "session_id": SESSION, "cwd": str(self.project), "hook_event_name": "PostToolUse",
            "tool_name": "Bash", "tool_use_id": os.urandom(4).hex(),
            "tool_input": {"command": command}, "tool_response": {"stdout": "ok", "stderr": ""},
        }  # fmt: skip
        runner = Runner(self.broker, str(self.home), lambda: int(self.now * 1e9))
        runner.run(Delivery("claude", "PostToolUse", os.urandom(8).hex(), _json(payload), {}))

    def failed(self, command: str, error: str) -> None:
        """Record that the command failed, and what it printed."""
        payload = {
            "session_id": SESSION, "cwd": str(self.project), "hook_event_name": "PostToolUseFailure",
            "tool_name": "Bash", "tool_use_id": os.urandom(4).hex(),
            "tool_input": {"command": command}, "error": f"Exit code 1\n{error}",
        }  # fmt: skip
        runner = Runner(self.broker, str(self.home), lambda: int(self.now * 1e9))
        delivery = Delivery("claude", "PostToolUseFailure", os.urandom(8).hex(), _json(payload), {})
        runner.run(delivery)

    def hook(self, event: str, **fields: object) -> str:
        """What a hook of another session of the agent's tells its model."""
        payload = {
            "session_id": "another", "cwd": str(self.project), "hook_event_name": event,
        } | fields  # fmt: skip
        runner = Runner(self.broker, str(self.home), lambda: int(self.now * 1e9))
        answer = runner.run(
            Delivery("claude", event, os.urandom(8).hex(), _json(payload), {})
        ).stdout
        told = json.loads(answer)["hookSpecificOutput"] if answer else {}
        return str(told.get("additionalContext", ""))

    def edits(self, path: str) -> str:
        """What another session is told before it edits a file of the project."""
        change = {"file_path": str(self.project / path), "old_string": "a", "new_string": "b"}
        return self.hook(
            "PreToolUse", tool_name="Edit", tool_use_id=os.urandom(4).hex(), tool_input=change
        )

    def begins_subagent(self) -> str:
        """What a subagent of another session is told at its start."""
        return self.hook("SubagentStart", agent_id=os.urandom(4).hex(), agent_type="Explore")

    def ends(self) -> None:
        """End the agent's session."""
        self.hook("SessionEnd", session_id=SESSION, reason="exit")

    def sends(self, verb: str, **arguments: object) -> Mapping[str, object]:
        """Send the agent's request, and return what it answers as JSON."""
        desk = RequestDesk(self.broker, Recall(self.broker), str(self.home))
        caller = Caller("claude", SESSION, str(self.project))
        return desk.answer(Request(verb, arguments, caller)).content

    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.broker.place.log.read_bytes().splitlines()]

    def waiting(self) -> str:
        """The id of a memory that an agent said and that waits."""
        done = self.agent("remember", "We use mysql 8.", "--key", "config:db", "--json")
        return str(json.loads(done.stdout)["id"])

    def current(self) -> str:
        return self.person("get", "config:db").stdout


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def test_what_an_agent_remembers_is_its_own_word_and_waits_where_the_user_said_otherwise(
    world: World,
) -> None:
    world.person("remember", "We use postgres 15.", "--key", "config:db")

    done = world.agent("remember", "We use mysql 8.", "--key", "config:db", "--json")

    said = json.loads(done.stdout)
    record = next(r for r in world.records() if r["id"] == said["id"])
    assert (said["status"], record["agent_id"], record["basis"]) == (
        "pending", "claude", "agent",
    )  # fmt: skip
    assert record["waits"] == "over_the_user"
    assert (record["session_id"], record["scope"]) == (SESSION, "project:widgets")
    assert world.current() == "We use postgres 15.\n"


@pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="this system tells no environment"
)
@pytest.mark.parametrize(
    "line",
    [
        "env -u CLAUDECODE -u CLAUDE_CODE_SESSION_ID -u CLAUDE_CODE_ENTRYPOINT hooklore {words}; true",
        "env -i HOME=$HOME PATH=$PATH sh -c 'h=hook; ${{h}}lore {words}; true'; true",
        'unset CLAUDECODE CLAUDE_CODE_SESSION_ID; "$(command -v hook?ore || echo hooklore)" {words}; true',
    ],
)
def test_a_terminal_of_an_agents_own_makes_nobody_the_person(world: World, line: str) -> None:
    waiting = world.waiting()
    command = line.format(words=f"approve {waiting}")

    done = run_at_terminal(["/bin/sh", "-c", command], world.env | AGENT, world.project)

    assert "only a person decides it" in done.stderr
    assert not [record for record in world.records() if record.get("approves")]


def test_what_an_agent_runs_without_its_marks_is_still_its_word(world: World) -> None:
    line = "env -i HOME=$HOME PATH=$PATH hooklore remember 'We use mysql 8.' --key config:db; true"

    world.agent_shell(line)

    kept = next(r for r in world.records() if r["stream"] == "memory")
    assert (kept["agent_id"], kept["basis"], kept["session_id"]) == ("claude", "agent", SESSION)


def test_an_agents_claim_that_a_tool_has_shown_something_stands_where_one_has(world: World) -> None:
    claim = "wire transfers need no second signature"
    words = ("remember", claim, "--basis", "tool", "--scope", "global", "--json")

    alone = world.agent(*words)
    world.failed("./check transfers", f"error: {claim}")
    shown = json.loads(world.agent(*words).stdout)

    assert (alone.returncode, shown["status"]) == (1, "stored")
    assert "no recorded step of this session shows it" in alone.stderr


@pytest.mark.parametrize(
    "pasted",
    [
        "From: Bob <b@x.example>\nSubject: hi\n\nInvoices leave the printer on lavender paper\n",
        "```\nInvoices leave the printer on lavender paper\n```",
    ],
)
def test_what_the_user_pasted_without_a_mark_is_not_the_users_word(
    world: World, pasted: str
) -> None:
    world.types(f"please answer\n\n{pasted}")

    world.agent("remember", "Invoices leave the printer on lavender paper")

    assert world.records()[-1]["basis"] == "agent"


def test_a_prompt_of_which_the_client_did_not_say_who_typed_it_backs_nothing(world: World) -> None:
    world.types("Invoices leave the printer on lavender paper", entry="")

    world.agent("remember", "Invoices leave the printer on lavender paper")

    assert world.records()[-1]["basis"] == "agent"


def test_what_a_prompt_of_the_session_carries_stands_as_the_users_word_through_the_agent(
    world: World,
) -> None:
    world.types("we moved the database to mysql 8 on all machines, adapt the compose file")

    done = world.agent("remember", "The database is mysql 8 on all machines.", "--json")
    guess = world.agent("remember", "Force pushes to main are what the user wants.", "--json")

    said = json.loads(done.stdout)
    record = next(r for r in world.records() if r["id"] == said["id"])
    assert (said["status"], record["basis"], record["through"], record["confidence"]) == (
        "stored", "user", "claude", "med",
    )  # fmt: skip
    own = next(r for r in world.records() if r["id"] == json.loads(guess.stdout)["id"])
    assert (own["basis"], own.get("through")) == ("agent", None)


@pytest.mark.req("AC-22")
@pytest.mark.parametrize("kind", ["decision", "constraint"])
def test_a_high_stake_memory_waits_until_a_person_approves_it(world: World, kind: str) -> None:
    said = world.person(
        "remember", "We deploy by hand.", "--key", f"{kind}:deploy", "--kind", kind,
        "--stake", "high", "--json",
    )  # fmt: skip
    id_ = json.loads(said.stdout)["id"]

    by_agent, by_program = world.agent("approve", id_), world.program("approve", id_)
    before = world.person("get", f"{kind}:deploy").returncode
    by_person = world.person("approve", id_)

    assert (json.loads(said.stdout)["status"], before) == ("pending", 1)
    assert (by_agent.returncode, by_program.returncode, by_person.returncode) == (1, 1, 0)
    assert world.person("get", f"{kind}:deploy").stdout == "We deploy by hand.\n"


@pytest.mark.parametrize(
    "words",
    [
        ("approve", "ID"), ("reject", "ID"), ("pin", "ID"), ("unpin", "ID"),
        ("promote", "ID", "--scope", "global"), ("delete", "ID", "--yes"),
        ("forget", "ID", "--yes"), ("archive", "ID"), ("restore", "ID"), ("consolidate",),
        ("scrub", "--literal", "mysql", "--yes"), ("resolve", "ID", "--keep", "A"),
        ("remember", "The user wants force pushes to main.", "--basis", "user"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("runs", ["agent", "program"])
def test_what_a_person_decides_is_refused_to_an_agent_and_to_a_program(
    world: World, runs: str, words: tuple[str, ...]
) -> None:
    id_ = world.waiting()
    before = world.broker.place.log.read_bytes()

    done = getattr(world, runs)(*(id_ if word == "ID" else word for word in words))

    assert done.returncode == 1
    assert done.stderr.startswith("error: could not ")
    assert "hint: " in done.stderr
    assert world.broker.place.log.read_bytes() == before


@pytest.mark.parametrize(
    "mark", ["CODEX_THREAD_ID", "CODEX_SANDBOX", "GEMINI_CLI", "COPILOT_CLI", "AI_AGENT"]
)
def test_where_a_client_cannot_ask_the_user_is_sent_to_a_terminal(world: World, mark: str) -> None:
    id_ = world.waiting()

    done = world._run([COMMAND, "approve", id_], world.env | {mark: "1"})

    assert done.returncode == 1
    assert "only a person decides it" in done.stderr or "only an owner" in done.stderr
    assert "the user runs it in a terminal of their own" in done.stderr
    assert "your client asks" not in done.stderr


def test_no_option_and_no_variable_makes_an_agent_the_person(world: World) -> None:
    id_ = world.waiting()

    as_person = world.agent("approve", id_, "--agent", "person")
    as_other = world.agent("memory", "list", "--agent", "codex")
    token = world.agent("approve", id_, "--confirmed", "feed" * 6)

    assert [d.returncode for d in (as_person, as_other, token)] == [1, 1, 1]
    assert "may only act as itself" in as_other.stderr
    assert "the confirmation is unknown" in token.stderr


@pytest.mark.parametrize(
    "line",
    [
        "hooklore approve {id}",
        "sh -c 'hooklore approve {id}'",
        "env -i HOME=$HOME PATH=$PATH hooklore approve {id}",
        "setsid hooklore approve {id}",
        "script -qec 'hooklore approve {id}' /dev/null",
        "alias h='hooklore'\nh approve {id}",
        "echo 'hooklore approve {id}' > s.sh; sh s.sh",
        "hooklore list >/dev/null; hooklore approve {id}",
        "yes | hooklore approve {id}",
    ],
)
def test_no_wrapping_in_the_agents_shell_makes_it_the_person(world: World, line: str) -> None:
    id_ = world.waiting()

    world.agent_shell(line.format(id=id_))

    assert not any(record.get("approves") for record in world.records())


def test_an_approval_that_the_person_confirms_in_the_client_is_carried_out_once(
    world: World,
) -> None:
    world.person("remember", "We use postgres 15.", "--key", "config:db")
    id_ = world.waiting()

    asked = world.asks(f"hooklore approve {id_}")
    command = asked["updatedInput"]["command"]
    done = world.agent_shell(command)
    again = world.agent_shell(command)
    world.ran(command)

    assert asked["permissionDecision"] == "ask"
    assert (
        "“We use mysql 8.”, in the place of “We use postgres 15.”"
        in (asked["permissionDecisionReason"])
    )
    assert asked["updatedInput"]["description"] == "try it"
    assert (done.returncode, again.returncode) == (0, 1)
    assert world.current() == "We use mysql 8.\n"
    token = command.rpartition(" ")[2]
    held = [p for p in world.home.rglob("*") if p.is_file() and token.encode() in p.read_bytes()]
    assert held == []
    audit = (world.broker.place.directory / "audit.jsonl").read_text().splitlines()
    entry = json.loads(audit[-1])
    assert (entry["act"], entry["confirmed"], entry["event_id"]) == ("approve it", "client", id_)


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_the_question_for_a_proposal_quotes_the_memory_that_it_is_about(
    world: World, verb: str
) -> None:
    known = {}
    private: dict[str, object] = {"private": True, "scope": "project"}
    for key, more in (("todo:gate", {}), ("todo:nest", private)):
        text = f"Look after the {key.partition(':')[2]} of the mill."
        known[key] = world.sends("remember", content=text, kind="todo", key=key, **more)["id"]

    reasons = {}
    for key in known:
        proposal = world.sends("delete_memory_entry", key=key)["proposal"]
        reasons[key] = world.asks(f"hooklore {verb} {proposal}")["permissionDecisionReason"]

    assert "the proposal to delete “Look after the gate of the mill.”" in reasons["todo:gate"]
    assert f"the proposal to delete the private todo {known['todo:nest']}" in reasons["todo:nest"]
    assert "Look after" not in reasons["todo:nest"]


@pytest.mark.parametrize("mode", ["default", "acceptEdits", "bypassPermissions", "plan"])
def test_the_client_asks_in_every_mode_that_has_a_user(world: World, mode: str) -> None:
    id_ = world.waiting()

    assert world.asks(f"hooklore approve {id_}", mode)["permissionDecision"] == "ask"


@pytest.mark.parametrize(
    ("mode", "entry"), [("default", "sdk-cli"), (None, "cli"), ("dontAsk", "cli"), ("new", "cli")]
)
def test_where_nobody_can_be_asked_the_command_is_refused_in_words(
    world: World, mode: str | None, entry: str
) -> None:
    id_ = world.waiting()

    answer = world.asks(f"hooklore approve {id_}", mode, entry)

    assert answer["permissionDecision"] == "deny"
    assert f"`hooklore approve {id_}` in a terminal" in answer["permissionDecisionReason"]


def test_a_wrapped_command_is_refused_with_the_plain_one(world: World) -> None:
    answer = world.asks("cd /tmp && hooklore approve 01")

    assert answer["permissionDecision"] == "deny"
    assert "Run it as one plain command" in answer["permissionDecisionReason"]


def test_a_terminal_of_the_agents_own_is_refused_before_it_could_pass_for_the_person(
    world: World,
) -> None:
    id_ = world.waiting()
    call = f"import pty; pty.spawn(['hooklore', 'approve', '{id_}'])"

    answer = world.asks(f'env -u CLAUDECODE -u CLAUDE_CODE_SESSION_ID python3 -c "{call}"')

    assert answer["permissionDecision"] == "deny"
    assert "Run it as one plain command" in answer["permissionDecisionReason"]


def test_a_confirmation_fits_one_session_one_command_and_two_minutes(world: World) -> None:
    first, second = world.waiting(), "0" * 8
    command = world.asks(f"hooklore approve {first}")["updatedInput"]["command"]
    token = command.rpartition(" ")[2]

    other = world.agent("reject", first, "--confirmed", token)
    elsewhere = world._run(
        [COMMAND, "approve", first, "--confirmed", token],
        world.env | AGENT | {"CLAUDE_CODE_SESSION_ID": second},
    )
    world.now -= 121
    late = world.asks(f"hooklore approve {first}")["updatedInput"]["command"]
    too_late = world.agent_shell(late)

    assert [d.returncode for d in (other, elsewhere, too_late)] == [1, 1, 1]
    assert "older than 2 minutes" in too_late.stderr
    assert not any(record.get("approves") for record in world.records())


def test_a_token_that_a_tool_prints_is_masked(world: World) -> None:
    command = world.asks(f"hooklore approve {world.waiting()}")["updatedInput"]["command"]

    world.failed("./try", f"hint: run it again: {command}")

    token = command.rpartition(" ")[2]
    assert len(token) > 16
    assert token not in world.broker.place.log.read_text()


def test_a_refused_question_leaves_only_a_digest_that_the_next_question_removes(
    world: World,
) -> None:
    id_ = world.waiting()
    world.asks(f"hooklore approve {id_}")
    world.now += 121

    world.asks(f"hooklore approve {id_}")

    folder = world.broker.place.directory / "confirmations"
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("how", ["pause", "exclude"])
def test_pausing_or_excluding_a_project_changes_nothing_of_it(world: World, how: str) -> None:
    id_ = world.waiting()
    if how == "pause":
        world.person("pause")
    else:
        config = world.broker.place.config
        config.write_text(f'[capture]\nexclude_projects = ["{world.project}"]\n')
        world.broker.close()
        from hooklore.config import load_settings

        world.broker = Broker(world.broker.place, load_settings(config))

    assert world.asks(f"hooklore approve {id_}")["permissionDecision"] == "ask"
    assert world.asks(f"sh -c 'hooklore approve {id_}'")["permissionDecision"] == "deny"


def test_an_agent_reads_as_itself_without_saying_so(world: World) -> None:
    """AC-04 at the bare command line: another agent's own memory and a private one stay unseen."""
    for words in (
        ("remember", "codex keeps this", "--agent", "codex", "--scope", "agent:codex", "--basis", "tool"),
        ("remember", "mine alone", "--private"),
    ):  # fmt: skip
        assert world.person(*words).returncode == 0

    for command in ("list", "memory list", "search keeps alone", "last"):
        seen = world.agent(*command.split()).stdout
        assert "codex keeps this" not in seen
        assert "mine alone" not in seen
    assert "mine alone" in world.person("list").stdout


def test_a_program_reads_as_the_person_without_private_memories(world: World) -> None:
    world.person("remember", "mine alone", "--private")
    world.person("remember", "We listen on 8080.")

    seen = world.program("list").stdout

    assert "We listen on 8080." in seen
    assert "mine alone" not in seen


def test_a_programs_word_is_its_own(world: World) -> None:
    done = json.loads(world.program("remember", "The build needs 8 GB.", "--json").stdout)

    record = next(r for r in world.records() if r["id"] == done["id"])
    assert (record["agent_id"], record["basis"], record["waits"]) == (
        "program", "inferred", "inferred",
    )  # fmt: skip


def test_what_a_program_saw_is_told_as_imported_and_is_for_every_project_on_a_persons_word_alone(
    world: World,
) -> None:
    said = ("The nightly build takes 40 minutes.", "--basis", "tool")
    kept = world.program("remember", *said, "--key", "fact:nightly", "--json")
    everywhere = world.program("remember", *said, "--scope", "global")

    told = world.agent("recall", "How long does the nightly build take?").stdout
    assert json.loads(kept.stdout)["status"] == "stored"
    assert "program · imported · trust low" in told
    assert everywhere.returncode == 1
    assert "could not keep it for `global`: `program` writes it" in everywhere.stderr
    assert "hint: leave `--scope` out" in everywhere.stderr


def test_a_secret_in_a_programs_word_is_refused(world: World) -> None:
    done = world.program("remember", "The token is ghp_" + "a1B2c3D4e5" * 3 + "F6g7h8", "--json")

    assert json.loads(done.stdout)["status"] == "refused"
    assert not world.broker.place.log.exists() or not world.records()


def test_an_agent_cannot_write_into_another_agents_memory(world: World) -> None:
    done = world.agent("remember", "codex likes tabs", "--scope", "agent:codex")

    assert done.returncode == 1
    assert "could not keep it for `agent:codex`" in done.stderr


def test_an_agents_eighth_memory_of_a_session_and_each_later_one_waits_whatever_run_it_names(
    world: World,
) -> None:
    seen = "\n".join(f"error: machine {n} listens on port {7000 + n}" for n in range(9))
    world.failed("./check machines", seen)

    answers = [
        json.loads(
            world.agent(
                "remember", f"Machine {n} listens on port {7000 + n}.", "--basis", "tool",
                "--run", f"run-{n}", "--json",
            ).stdout
        )
        for n in range(9)
    ]  # fmt: skip

    assert [each["status"] for each in answers] == ["stored"] * 7 + ["pending"] * 2
    assert "run_limit" in answers[-1]["warnings"]
