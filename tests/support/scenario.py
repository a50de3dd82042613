"""The standard story: one session fails and solves, a later one meets the same failure.

    story = widgets(tmp_path / "widgets")
    first = story.first.play(claude)
    story.unsolve()
    second = story.second.play(claude)

The failure is real: `python run_tests.py` exits 1 because `widgets.toml` lacks `FIX`. Neither the
error nor anything that the second session's script says holds `FIX`; a request of that session
in which it stands has it from somewhere else.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Final

from tests.claude.api import Turn, bash, delegate, say, use
from tests.claude.session import Claude, Session

COMMAND: Final = "python run_tests.py"
ERROR: Final = "PressRefusedError: press 'kestrel' refuses to start without a torque limit"
FIX: Final = "torque_limit_nm = 47"
PASSED: Final = "3 widgets pressed, 0 cracked"
ANSWER: Final = "The widget tests pass again: the press needed its torque limit in widgets.toml."
SUBAGENT: Final = "Look at how the press of the widgets is set up"

_SETTINGS: Final = '[press]\nname = "kestrel"\nforce_kn = 12\n'
_PRESS: Final = '''\
    """The press: settings in, pressed widgets out."""

    import tomllib
    from pathlib import Path


    class PressRefusedError(Exception):
        """The press would break the widgets."""


    def settings():
        return tomllib.loads(Path("widgets.toml").read_text())["press"]


    def press(names):
        found = settings()
        if "torque_limit_nm" not in found:
            raise PressRefusedError(
                f"press {found['name']!r} refuses to start without a torque limit"
            )
        return {name: "cracked" if found["torque_limit_nm"] > 60 else "pressed" for name in names}
'''
_RUN_TESTS: Final = """\
    import sys

    from widgets.press import press

    pressed = press(["cog", "cam", "sprocket"])
    cracked = [name for name, state in pressed.items() if state == "cracked"]
    print(f"{len(pressed)} widgets pressed, {len(cracked)} cracked")
    sys.exit(1 if cracked else 0)
"""


@dataclass(frozen=True)
class Part:
    """What the user types in one session, and what the model answers."""

    prompt: str
    turns: Sequence[Turn]
    lanes: Mapping[str, Sequence[Turn]] = field(default_factory=dict)

    def play(self, claude: Claude, *, args: Sequence[str] = ()) -> Session:
        """Run the session to its end."""
        return claude.run(self.prompt, self.turns, self.lanes, args=args)


@dataclass(frozen=True)
class Story:
    """A project and the two sessions in it."""

    project: Path
    first: Part
    second: Part

    def unsolve(self) -> None:
        """Take the solution out of the project again, behind the agent's back."""
        (self.project / "widgets.toml").write_text(_SETTINGS)


def widgets(project: Path) -> Story:
    """Make the project, a git repository with one commit, and the script of its two sessions."""
    _write_project(project)
    _commit(project)
    return Story(project, _fails_and_solves(project), _fails_again())


def _write_project(project: Path) -> None:
    (project / "widgets").mkdir(parents=True)
    (project / "widgets" / "__init__.py").touch()
    (project / "widgets" / "press.py").write_text(dedent(_PRESS))
    (project / "run_tests.py").write_text(dedent(_RUN_TESTS))
    (project / "widgets.toml").write_text(_SETTINGS)
    (project / ".gitignore").write_text("__pycache__/\n")


def _commit(project: Path) -> None:
    # The same commit each time, whoever runs the tests: the client shows its hash to the model.
    env = {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        **{f"GIT_{who}_NAME": "tester" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "tester@localhost" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_DATE": "2026-01-05T09:00:00Z" for who in ("AUTHOR", "COMMITTER")},
    }
    for step in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "widgets")):
        subprocess.run(["git", *step], cwd=project, env=env, check=True, capture_output=True)


def _fails_and_solves(project: Path) -> Part:
    settings = str(project / "widgets.toml")
    force = "force_kn = 12"
    return Part(
        "The widget tests fail on my machine. Make them pass.",
        (
            bash(COMMAND),
            use("Read", file_path=settings),
            use("Edit", file_path=settings, old_string=force, new_string=f"{force}\n{FIX}"),
            bash(COMMAND),
            say(ANSWER),
        ),
    )


def _fails_again() -> Part:
    return Part(
        "Run the widget tests and tell me how they stand.",
        (
            bash(COMMAND),
            delegate(f"{SUBAGENT} and report."),
            say("The widget tests fail again."),
        ),
        {SUBAGENT: (bash("cat widgets/press.py"), say("The press reads widgets.toml."))},
    )
