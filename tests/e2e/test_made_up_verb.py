"""A verb that somebody adds in one file and a line works by command, MCP, Python and chat, with help and schema."""

import json
import os
import subprocess
import sysconfig
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import hooklore
from tests.conftest import end_residents
from tests.support.agent import repository
from tests.support.untried import NO_MCP

pytestmark = pytest.mark.timeout(180)

VERB = '''\
"""Count the letters of a text."""

from hooklore.requests.arguments import Arguments
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.verb import ChatWords, Verb


class LettersArguments(Arguments):
    """The arguments of `letters`."""

    text: str


def answer_letters(asked: RequestContext, given: LettersArguments) -> Response:
    """Return the number of letters, and who asked."""
    count = sum(map(str.isalpha, given.text))
    content = {"count": count, "by": asked.who.agent_id}
    return Response(success=True, text=f"{count} letters", content=content)


VERB = Verb(
    "letters",
    "Count the letters of a text.",
    LettersArguments,
    answer_letters,
    chat=(ChatWords(("letters",), "TEXT - how many letters it has"),),
)
'''
LINE = 'COMMANDS: Final = ("remember", "recall", "get", "snapshot", "profile"'


@dataclass(frozen=True)
class Machine:
    """An environment with the changed hooklore in it, and the home of its user."""

    python: Path
    home: Path
    project: Path

    def run(self, *words: str, program: str = "", given: str = "") -> str:
        """Return what a program of the environment prints on both outputs, of ours with these words by default."""
        ours = "import sys; from hooklore.cli.main import hooklore_main; sys.exit(hooklore_main())"
        done = subprocess.run(
            [str(self.python), "-c", program or ours, *words],
            env={"HOME": str(self.home), "PATH": "/usr/bin:/bin"},
            cwd=self.project,
            input=given,
            capture_output=True,
            text=True,
            timeout=60,
        )
        return done.stdout + done.stderr


@pytest.fixture
def machine(home: Path, tmp_path: Path) -> Iterator[Machine]:
    """A machine whose hooklore has the verb: everything is a link to ours but the two files of the change."""
    ours, tree = Path(hooklore.__file__).parent, tmp_path / "tree" / "hooklore"
    changed = tree / "requests"
    (changed / "verbs").mkdir(parents=True)
    for origin, place in (
        (ours, tree), (ours / "requests", changed), (ours / "requests" / "verbs", changed / "verbs"),
    ):  # fmt: skip
        for each in origin.iterdir():
            if not (place / each.name).exists() and each.name not in (
                "__pycache__",
                "verb_table.py",
            ):
                (place / each.name).symlink_to(each)
    (changed / "verbs" / "letters.py").write_text(VERB)
    table = (ours / "requests" / "verb_table.py").read_text()
    assert LINE in table
    (changed / "verb_table.py").write_text(table.replace(LINE, f'{LINE}, "letters"'))
    venv.create(tmp_path / "env", symlinks=True, with_pip=False)
    (site,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    packages = (os.fspath(tree.parent), sysconfig.get_paths()["purelib"])
    (site / "others.pth").write_text("".join(f"{each}\n" for each in packages))
    yield Machine(tmp_path / "env" / "bin" / "python", home, repository(home / "widgets"))
    end_residents(home)


def test_a_command_is_made_of_it_with_help(machine: Machine) -> None:
    told = machine.run("letters", "--help")

    assert "Count the letters of a text." in told
    assert "letters" in machine.run("--help")
    assert machine.run("letters", "Ada & Ben") == "6 letters\n"
    assert json.loads(machine.run("letters", "Ada", "--json")) == {"count": 3, "by": "program"}
    assert "could not read the request: text: field required" in machine.run("letters", " ")


PYTHON = """\
from inspect import signature
from hooklore import Memory
from hooklore.api.chat_commands import ChatCommands
with Memory(agent="codex") as memory:
    told = memory.letters("Ada & Ben")
    print(told.text, told.content, signature(memory.letters))
    print(ChatCommands(memory, is_group=True).reply("/letters Ada"))
    print("/letters TEXT - how many letters it has" in ChatCommands(memory, is_group=False).reply("/help"))
"""


def test_a_method_and_a_chat_command_are_made_of_it(machine: Machine) -> None:
    method, chat, is_in_help = machine.run(program=PYTHON).splitlines()

    assert method == "6 letters {'count': 6, 'by': 'codex'} (text: str)"
    assert (chat, is_in_help) == ("3 letters", "True")


def test_a_tool_is_made_of_it_with_a_schema(machine: Machine) -> None:
    pytest.importorskip("mcp", reason=NO_MCP)
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    }
    lines: Any = (
        ("initialize", 1, hello),
        ("notifications/initialized", None, {}),
        ("tools/list", 2, {}),
        ("tools/call", 3, {"name": "letters", "arguments": {"text": "Ada & Ben"}}),
    )

    answers = _answers(machine.run("mcp", "--agent", "codex", "--tools", "all", given=_sent(lines)))

    (tool,) = (each for each in answers[2]["tools"] if each["name"] == "letters")
    assert tool["description"] == "Count the letters of a text."
    assert tool["inputSchema"] == {
        "type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"],
    }  # fmt: skip
    assert answers[3]["content"] == [{"type": "text", "text": "6 letters"}]
    assert not answers[3]["isError"]


def _sent(lines: Any) -> str:
    """Return messages as a client writes them."""
    messages = [{"jsonrpc": "2.0", "method": m, "id": n, "params": p} for m, n, p in lines]
    return "".join(
        json.dumps({name: value for name, value in each.items() if value is not None}) + "\n"
        for each in messages
    )


def _answers(told: str) -> dict[int, Any]:
    found = (json.loads(line) for line in told.splitlines() if line.startswith("{"))
    return {each["id"]: each["result"] for each in found}
