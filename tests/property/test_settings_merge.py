"""Install then uninstall is identity, whatever the settings file looks like."""

import json
import random
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hooklore.agents.claude_code.registering import GROUPS
from hooklore.cli.install.edit import write
from tests.support.memory_folder import memory_folder
from tests.support.settings_edit import plan_install, plan_uninstall

WANTED = GROUPS.entries()
EVENTS = [*WANTED, "Notification", "Zzz"]


class Members(list[tuple[str, Any]]):
    """The members of an object in order, repeated keys included."""


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.builds(Members, st.lists(st.tuples(texts, inner), max_size=3)),
    max_leaves=6,
)  # fmt: skip
entries = st.builds(
    lambda command: Members([("type", "command"), ("command", command)]),
    texts | st.just("echo hooklore"),
)
foreign_groups = st.builds(
    lambda hooks, more: Members([("hooks", hooks), *more]),
    st.lists(entries | values, max_size=2),
    st.lists(st.tuples(st.sampled_from(["matcher", "x"]), texts), max_size=1),
)
hooks = st.builds(
    Members,
    st.lists(st.tuples(st.sampled_from(EVENTS), st.lists(foreign_groups | values, max_size=3)), max_size=4),
)  # fmt: skip
documents = st.builds(
    Members, st.lists(st.tuples(texts, values) | st.tuples(st.just("hooks"), hooks), max_size=4)
)


def odd(document: Any, blank: Callable[[], str]) -> str:
    """A text of it with blanks wherever JSON allows them."""
    if isinstance(document, Members):
        inside = ",".join(
            f"{blank()}{json.dumps(key)}{blank()}:{blank()}{odd(value, blank)}{blank()}"
            for key, value in document
        )
        return "{" + (inside or blank()) + "}"
    if isinstance(document, list):
        inside = ",".join(f"{blank()}{odd(value, blank)}{blank()}" for value in document)
        return "[" + (inside or blank()) + "]"
    return json.dumps(document, ensure_ascii=False)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    blanks = st.sampled_from(["", " ", "  ", "\t", newline, newline + "  "])
    choices = draw(st.lists(blanks, min_size=1, max_size=4))
    source: random.Random = draw(st.randoms(use_true_random=False))
    text = odd(draw(documents), lambda: source.choice(choices))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return (mark + text + draw(st.sampled_from(["", newline]))).encode()


def pairs(raw: bytes) -> Any:
    """Parsed, with order and repeated keys."""
    return json.loads(raw.decode("utf-8-sig"), object_pairs_hook=Members)


@settings(max_examples=150)
@given(files())
def test_install_then_uninstall_is_identity(before: bytes) -> None:
    with memory_folder() as folder:
        path = folder / "settings.json"
        path.write_bytes(before)

        edit, place = plan_install("user", path, "user", None, WANTED)
        write(edit)
        again, _ = plan_install("user", path, "user", place, WANTED)
        write(plan_uninstall("user", path, place))

        assert path.read_bytes() == before
        assert not again.changed


@settings(max_examples=150)
@given(files())
def test_foreign_content_is_the_same_after_install(before: bytes) -> None:
    with memory_folder() as folder:
        path = folder / "settings.json"
        path.write_bytes(before)

        edit, _ = plan_install("user", path, "user", None, WANTED)

        after = edit.after or b""
        old = dict(pairs(before)).get("hooks", Members())
        new = dict(pairs(after))["hooks"]
        for event, group in WANTED.items():
            theirs = dict(old).get(event, [])
            assert dict(new)[event][: len(theirs)] == theirs
            assert json.loads(json.dumps(_plain(dict(new)[event][len(theirs) :]))) == [group]
        rest = iter(after)
        assert all(byte in rest for byte in before)


@settings(max_examples=150)
@given(files(), st.sampled_from(["\n", " ", "\r\n"]))
def test_after_a_foreign_edit_uninstall_takes_out_ours_only(before: bytes, edit_by: str) -> None:
    with memory_folder() as folder:
        path = folder / "settings.json"
        path.write_bytes(before)

        edit, place = plan_install("user", path, "user", None, WANTED)
        path.write_bytes((edit.after or b"") + edit_by.encode())
        write(plan_uninstall("user", path, place))

        assert pairs(path.read_bytes()) == pairs(before)


def _plain(value: Any) -> Any:
    if isinstance(value, Members):
        return {key: _plain(each) for key, each in value}
    return [_plain(each) for each in value] if isinstance(value, list) else value
