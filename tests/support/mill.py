"""A project in three languages with a wrong line in each, and the tests that show it.

    mill = make_mill(tmp_path / "mill")
    session = claude.run("make them pass", [*mill.python.mend(), *mill.go.mend(), say("done")])
    mill.python.break_again()

The tests are run by Python, by Node.js, and by a `go` that prints what the real one printed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Final

from tests.claude.api import Turn, bash, use

_FIXTURES: Final = Path(__file__).parent.parent / "fixtures" / "go"

_PYTHON: Final = {
    "gears.py": """\
        def teeth(pitch, width):
            return width * pitch
        """,
    "test_gears.py": """\
        import unittest

        from gears import teeth


        class TestGears(unittest.TestCase):
            def test_a_wide_gear_has_teeth_by_its_pitch(self):
                self.assertEqual(teeth(3, 12), 4)


        unittest.main()
        """,
}
_JAVASCRIPT: Final = {
    "belt.js": """\
        exports.speed = (radius, turns) => radius + turns;
        """,
    "belt.test.js": """\
        const test = require("node:test");
        const assert = require("node:assert");
        const { speed } = require("./belt.js");

        test("a belt is as fast as its wheel", () => {
          assert.strictEqual(speed(2, 5), 10);
        });
        """,
}
_GO: Final = {
    "gear.go": """\
        package mill

        func Teeth(pitch int, width int) int {
        \treturn width * pitch
        }
        """,
    "gear_test.go": """\
        package mill

        import "testing"

        func TestTeethOfAWideGear(t *testing.T) {
        \tif got := Teeth(3, 12); got != 4 {
        \t\tt.Errorf("Teeth(3, 12) = %d, want 4", got)
        \t}
        }
        """,
}


@dataclass(frozen=True)
class Part:
    """One language of the mill: the command of its tests, its source, and the wrong text with the right one."""

    command: str
    source: Path
    wrong: str
    right: str
    error: str

    def mend(self) -> Iterator[Turn]:
        """Return the turns of a session that meets the failure and mends it."""
        yield bash(self.command)
        yield use("Read", file_path=str(self.source))
        yield use("Edit", file_path=str(self.source), old_string=self.wrong, new_string=self.right)
        yield bash(self.command)

    def break_again(self) -> None:
        """Put the wrong text back, behind the agent's back."""
        self.source.write_text(self.source.read_text().replace(self.right, self.wrong))


@dataclass(frozen=True)
class Mill:
    """The parts of the project."""

    python: Part
    javascript: Part
    go: Part

    @property
    def parts(self) -> tuple[Part, ...]:
        """All of them."""
        return self.python, self.javascript, self.go


def make_mill(project: Path, programs: Path) -> Mill:
    """Write the project, and the `go` of the folder `programs`, which its environment must have on PATH."""
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    for name, text in (_PYTHON | _JAVASCRIPT | _GO).items():
        (project / name).write_text(dedent(text))
    _write_go(programs)
    return Mill(
        Part(
            "python test_gears.py", project / "gears.py", "width * pitch", "width // pitch",
            "AssertionError: 36 != 4",
        ),
        Part(
            "node --test", project / "belt.js", "radius + turns", "radius * turns",
            "a belt is as fast as its wheel",
        ),
        Part(
            "go test ./...", project / "gear.go", "width * pitch", "width / pitch",
            "TestTeethOfAWideGear",
        ),
    )  # fmt: skip


def _write_go(programs: Path) -> None:
    """Write a `go` that prints what the real `go test` printed for the source as it stands."""
    programs.mkdir(parents=True, exist_ok=True)
    failed, passed = _FIXTURES / "failed.txt", _FIXTURES / "passed.txt"
    go = programs / "go"
    go.write_text(
        f"#!/bin/sh\nif grep -q 'width \\* pitch' gear.go; then cat '{failed}'; exit 1; fi\ncat '{passed}'\n"
    )
    go.chmod(0o755)
