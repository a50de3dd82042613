"""Install then uninstall is identity for settings with comments anywhere, and no comment of the user's is lost."""

import json
import random
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hooklore.agents.gemini.registering import REGISTRATION
from hooklore.agents.json_text import blank_comments
from hooklore.cli.install.edit import write
from tests.property.test_settings_merge import documents, odd
from tests.support.memory_folder import memory_folder
from tests.support.settings_edit import plan_install, plan_uninstall

WANTED = REGISTRATION.entries(home=Path("/home/u"))


@st.composite
def files(draw: st.DrawFn) -> str:
    """A settings file with comments wherever JSON allows blanks."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    comments = [f'// "mine" {{{newline}', "/* mine */", f"/* two{newline}lines, [ */"]
    blanks = st.sampled_from(["", " ", newline + "  ", *comments])
    choices = draw(st.lists(blanks, min_size=1, max_size=4))
    source: random.Random = draw(st.randoms(use_true_random=False))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return mark + odd(draw(documents), lambda: source.choice(choices)) + newline


@settings(max_examples=150)
@given(files())
def test_install_then_uninstall_is_identity(before: str) -> None:
    with memory_folder() as folder:
        path = folder / "settings.json"
        path.write_bytes(before.encode())

        edit, place = plan_install("user", path, "user", None, WANTED, agent_id="gemini")
        write(edit)
        again, _ = plan_install("user", path, "user", place, WANTED, agent_id="gemini")
        registered = read(path)
        write(plan_uninstall("user", path, place, agent_id="gemini"))

        assert path.read_bytes() == before.encode()
        assert set(WANTED) <= set(registered["hooks"])
        assert not again.changed


@settings(max_examples=150)
@given(files())
def test_after_a_foreign_edit_uninstall_takes_out_ours_and_no_comment(before: str) -> None:
    with memory_folder() as folder:
        path = folder / "settings.json"
        path.write_bytes(before.encode())
        was = read(path)
        edit, place = plan_install("user", path, "user", None, WANTED, agent_id="gemini")
        write(edit)
        path.write_bytes(path.read_bytes() + b"// later\n")

        write(plan_uninstall("user", path, place, agent_id="gemini"))

        left = path.read_bytes().decode()
        assert read(path) == was
        assert "hooks/gemini/" not in left
        assert left.count("mine") == before.count("mine")
        assert left.endswith("// later\n")


def read(path: Path) -> dict[str, Any]:
    """The settings as the client reads them, of repeated keys the last."""
    text = path.read_bytes().decode().removeprefix("\ufeff")
    found: dict[str, Any] = json.loads(blank_comments(text))
    return found
