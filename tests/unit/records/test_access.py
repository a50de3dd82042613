import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooklore.records.access import (
    inherit_visibility,
    is_same_event,
    may_be_quoted_in,
    may_read,
    may_reveal_duplicate,
)
from hooklore.records.draft import PERSON, Principal
from hooklore.records.record import Record, normalize_privacy, parse_flag

READER = Principal(agent_id="claude", role="researcher", session_id="s-1", project="p-1")
HOME = Principal(agent_id="claude", role="researcher", session_id="s-1")
ASKING = Principal(agent_id="claude", role="researcher", session_id="s-1", project="p-1", asks=True)

MEMORY = Record({"stream": "memory", "kind": "fact", "agent_id": "claude", "scope": "global"})
MINE = {"scope": "project:mill", "project": "p-1"}
OTHERS = {"scope": "project:forge", "project": "p-2"}
SEEN = {"stream": "observation", "kind": "prompt", "scope": "agent:claude"}
ROLE = {"visibility": "agent-only", "role": "executor"}
SESSION = {"visibility": "session", "session_id": "s-1"}
MADE = {"stream": "synthesis", "kind": "summary"}


INSIDE = Principal(
    agent_id="claude", role="researcher", session_id="s-1", project="p-1", around=("p-2",),
    is_main_agent=True, asks=True,
)  # fmt: skip
"""A reader in a submodule of the project p-2."""

RULE = {**OTHERS, "kind": "constraint"}


@pytest.mark.req("AC-18")
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (RULE, True),
        (RULE | {"kind": "decision", "agent_id": "codex"}, True),
        (RULE | {"kind": "preference"}, True),
        (RULE | {"kind": "workflow"}, True),
        (RULE | {"kind": "deprecation"}, True),
        (RULE | {"scope": "project:renamed"}, True),
        (RULE | {"kind": "fact"}, False),
        (RULE | {"kind": "config"}, False),
        (RULE | {"kind": "todo"}, False),
        (RULE | {"kind": "of a newer version"}, False),
        (RULE | {"is_private": True}, False),
        (RULE | {"is_private": True, "agent_id": "claude"}, False),
        (RULE | {"visibility": "agent-only", "role": "researcher"}, False),
        (RULE | {"visibility": "session", "session_id": "s-1"}, False),
        (RULE | {"waits": "high_stake"}, False),
        (RULE | {"project": "p-3"}, False),
        (RULE | {"project": None}, False),
        (RULE | {"stream": "observation", "kind": "prompt"}, False),
        (RULE | {"stream": "observation", "kind": "error"}, False),
        (RULE | {"stream": "observation", "kind": "constraint"}, False),
        (RULE | {"stream": "synthesis", "kind": "fix"}, False),
        (RULE | {"stream": "control", "kind": "access"}, False),
    ],
)
def test_in_a_submodule_only_rules_and_decisions_for_everybody_are_read_of_the_superproject(
    fields: dict[str, object], expected: bool
) -> None:
    record = MEMORY.with_fields(**({"visibility": "public"} | fields))

    assert may_read(record, INSIDE) is expected
    assert not may_read(record, READER)


def test_what_is_read_of_a_superproject_is_quoted_in_no_record_of_a_submodule() -> None:
    rule = MEMORY.with_fields(visibility="public", **RULE)
    summary = Record({**MADE, "visibility": "public", **MINE})

    assert may_read(rule, INSIDE)
    assert not may_be_quoted_in(rule, summary)
    assert inherit_visibility(summary, [rule]).is_private


@pytest.mark.req("AC-04", "AC-07", "AC-08", "AC-09")
@pytest.mark.parametrize(
    ("fields", "reader", "expected"),
    [
        ({}, READER, True),
        (MINE, READER, True),
        (OTHERS, READER, False),
        ({"scope": "project:mill"}, READER, False),  # no project, whoever wrote it
        ({"scope": "project:mill"}, HOME, False),  # no project is not the same project
        ({"scope": "project:mill", "project": "p-1"}, HOME, False),
        ({"scope": "global_v2"}, READER, False),
        ({"scope": "global_v2"}, Principal(scopes=("global_v2",)), True),
        ({"scope": "agent:claude", "project": "p-1"}, READER, True),
        ({"scope": "agent:claude"}, READER, True),
        ({"scope": "agent:codex"}, READER, False),
        ({"scope": "elsewhere"}, READER, False),
        ({"scope": ""}, READER, False),
        # visibility
        ({"visibility": "public"}, READER, True),
        ({"visibility": "agent-only", "role": "researcher"}, READER, True),
        ({"visibility": "agent-only", "role": "executor"}, READER, False),
        ({"visibility": "agent-only"}, READER, False),  # no role is `general`
        ({"visibility": "session", "session_id": "s-1"}, READER, True),
        ({"visibility": "session", "session_id": "s-2"}, READER, False),
        ({"visibility": "session"}, Principal(), False),  # no session is not the same session
        ({"visibility": "session", "session_id": "s-1", "role": "executor"}, READER, True),
        ({"visibility": "agent-only", "role": "researcher", "session_id": "s-2"}, READER, True),
        ({"visibility": "everybody"}, READER, False),
        ({**OTHERS, "visibility": "session", "session_id": "s-1"}, READER, False),
        # privacy stands above all of it
        ({"is_private": True}, READER, False),
        ({"is_private": 1, "visibility": "session", "session_id": "s-1"}, READER, False),
        ({"is_private": "yes", "scope": "agent:claude"}, READER, False),
        ({"is_private": "who knows"}, READER, False),
        ({"is_private": "0"}, READER, True),
        # an agent that asks reads the memories that it kept privately, and no other's
        ({"is_private": True}, ASKING, True),
        ({"is_private": True, "agent_id": "aider"}, ASKING, False),
        ({"is_private": True, "agent_id": "codex"}, ASKING, False),
        ({**SEEN, "is_private": True}, Principal(agent_id="claude", asks=True), False),
        ({"is_private": True, "stream": "control", "kind": "project_alias"}, ASKING, False),
        ({"is_private": True, "stream": "synthesis"}, ASKING, False),
        # a session without a project
        (SEEN, HOME, True),
        (SEEN, READER, False),
        ({**SEEN, "scope": "agent:codex"}, HOME, False),
        ({**SEEN, **MINE}, READER, True),
        ({**SEEN, "stream": "synthesis", "kind": "fix"}, READER, False),
        ({**SEEN, "stream": "synthesis", "kind": "fix"}, HOME, True),
        # what is about others names them
        ({"stream": "control", "kind": "tombstone"}, READER, False),
        ({"stream": "control", "kind": "access", "session_id": "s-1"}, READER, False),
        ({**MINE, "stream": "control", "kind": "project_alias"}, READER, True),
        ({**OTHERS, "stream": "control", "kind": "project_alias"}, READER, False),
    ],
)
def test_a_record_is_visible_to_its_readers_alone(
    fields: dict[str, object], reader: Principal, expected: bool
) -> None:
    record = MEMORY.with_fields(**fields)

    assert may_read(record, reader) is expected
    assert may_read(record, PERSON)


def test_access_does_not_change_with_time() -> None:
    old = MEMORY.with_fields(is_private=True, ts="1999-01-01T00:00:00Z")
    expired = old.with_fields(expires_at="2000-01-01T00:00:00Z")

    assert not may_read(old, READER)
    assert not may_read(expired, READER)


@pytest.mark.req("EV-28")
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((value, True) for value in (1, "1", "true", "True", True, "yes", " YES ", "on", 1.0, 2)),
        *(
            (value, False)
            for value in (0, "0", "false", "FALSE", "", None, False, "no", "off", 0.0)
        ),
        *((value, True) for value in ("maybe", [], {}, "はい", object())),  # private when in doubt
    ],
)
def test_a_flag_in_any_spelling_is_read_by_its_meaning(value: object, expected: bool) -> None:
    assert parse_flag(value) is expected


@pytest.mark.req("EV-27", "EV-28", "MV-04")
def test_privacy_of_an_old_or_foreign_record_is_normalised() -> None:
    plain = Record({"kind": "fact"})

    assert normalize_privacy(plain) is plain
    assert normalize_privacy(Record({"is_private": "1"})) == Record({"is_private": True})
    assert normalize_privacy(Record({"privacy": "private"})) == Record(
        {"privacy": "private", "visibility": "session"}
    )
    assert normalize_privacy(Record({"visibility": "private"})) == Record({"visibility": "session"})
    kept = normalize_privacy(Record({"privacy": "agent-only", "visibility": "public"}))
    assert kept.visibility == "public"
    assert may_read(MEMORY, READER)


_ANY = st.fixed_dictionaries(
    {
        "stream": st.sampled_from(["memory", "observation", "synthesis"]),
        "kind": st.just("fact"),
        "agent_id": st.sampled_from(["claude", "codex"]),
        "visibility": st.sampled_from(["public", "agent-only", "session", "odd"]),
        "role": st.sampled_from(["general", "researcher"]),
        "session_id": st.sampled_from(["s-1", "s-2"]),
        "is_private": st.sampled_from([False, False, True, "yes"]),
        "place": st.sampled_from(["global", "claude", "codex", "p-1", "p-2"]),
    }
).map(Record)
_READERS = [
    Principal(agent_id=agent, role=role, session_id=session, project=project)
    for agent in ("claude", "codex")
    for role in ("general", "researcher")
    for session in ("s-1", "s-2", None)
    for project in ("p-1", "p-2", None)
]


def placed(fields: Record) -> Record:
    place = fields.extra("place")
    if place.startswith("p-"):
        return fields.with_fields(scope=f"project:{place}", project=place)
    return fields.with_fields(scope=place if place == "global" else f"agent:{place}")


@given(_ANY, _ANY)
def test_a_source_that_may_be_quoted_is_visible_to_every_reader_of_the_quote(
    one: Record, other: Record
) -> None:
    source, made = placed(one), placed(other)

    if may_be_quoted_in(source, made):
        for reader in _READERS:
            assert may_read(source, reader) >= may_read(made, reader)


@pytest.mark.parametrize(
    ("source", "made", "expected"),
    [
        ({}, {}, True),
        ({"is_private": True}, {}, False),
        ({"is_private": True, "scope": "agent:codex", **ROLE}, {"is_private": True}, True),
        ({"is_private": "no"}, {"is_private": "no"}, True),
        # limited readers
        (ROLE, ROLE, True),
        (ROLE, {}, False),
        (ROLE, {"visibility": "agent-only", "role": "researcher"}, False),
        ({"visibility": "agent-only"}, {"visibility": "agent-only"}, True),  # no role is `general`
        ({"visibility": "agent-only"}, {"visibility": "agent-only", "role": "general"}, True),
        ({"visibility": "agent-only", "role": "general"}, {"visibility": "agent-only"}, True),
        ({"visibility": "agent-only"}, ROLE, False),
        (SESSION, SESSION, True),
        (SESSION, {}, False),
        (SESSION, {**SESSION, "session_id": "s-2"}, False),
        ({"visibility": "session"}, {"visibility": "session"}, False),
        ({**SESSION, "role": "executor"}, {**ROLE, "session_id": "s-1"}, False),
        ({"visibility": "odd"}, {"visibility": "odd"}, False),
        ({}, SESSION, True),
        # places
        ({}, MINE, True),
        ({}, {"scope": "agent:claude"}, True),
        (MINE, MINE, True),
        (MINE, {**MINE, "scope": "project:renamed"}, True),
        (MINE, OTHERS, False),
        (MINE, {}, False),
        (MINE, {"scope": "agent:claude", "project": "p-1"}, False),
        ({"scope": "project:mill"}, {"scope": "project:mill"}, False),
        ({"scope": "agent:claude"}, {"scope": "agent:claude"}, True),
        ({"scope": "agent:claude"}, {"scope": "agent:codex"}, False),
        ({"scope": "agent:claude"}, {}, False),
        # outside of projects an agent's events are narrower than its memories
        (SEEN, {"scope": "agent:claude"}, False),
        (SEEN, SEEN, True),
        ({"scope": "agent:claude"}, {**MADE, "scope": "agent:claude"}, True),
        (SEEN, {**MADE, "scope": "agent:claude"}, True),
        (SEEN, {"stream": "control", "scope": "agent:claude"}, True),
        ({**SEEN, "scope": "global"}, {}, True),
    ],
)
def test_a_record_may_quote_what_all_of_its_readers_may_read(
    source: dict[str, object], made: dict[str, object], expected: bool
) -> None:
    assert may_be_quoted_in(MEMORY.with_fields(**source), MEMORY.with_fields(**made)) is expected


@pytest.mark.parametrize(
    ("made", "source", "expected"),
    [
        ("public", "public", "public"),
        ("public", "agent-only", "agent-only"),
        ("agent-only", "public", "agent-only"),
        ("agent-only", "session", "session"),
        ("session", "agent-only", "session"),
        ("session", "public", "session"),
        ("public", "session", "session"),
        ("session", "odd", "odd"),
        ("odd", "session", "odd"),
    ],
)
def test_what_quotes_others_is_as_limited_as_the_most_limited(
    made: str, source: str, expected: str
) -> None:
    same = {"session_id": "s-1", "role": "executor"}

    found = inherit_visibility(
        MEMORY.with_fields(visibility=made, **same), [MEMORY.with_fields(visibility=source, **same)]
    )

    assert found.visibility == expected
    assert found.trust is None


def test_what_no_agent_may_read_whole_is_the_persons_alone() -> None:
    sessions = [MEMORY.with_fields(**SESSION), MEMORY.with_fields(**SESSION, scope="global")]

    shared = inherit_visibility(sessions[0], sessions)
    mixed = inherit_visibility(sessions[0], [*sessions, sessions[0].with_fields(session_id="s-2")])

    assert (shared.is_private, mixed.is_private) == (False, True)
    assert inherit_visibility(MEMORY, []) is MEMORY


@pytest.mark.req("AC-06")
@given(_ANY, st.lists(_ANY, max_size=4))
def test_a_derived_record_has_no_reader_that_a_source_lacks(
    first: Record, others: list[Record]
) -> None:
    sources = [placed(each) for each in others]

    given = placed(first).with_fields(stream="synthesis", kind="summary")
    made = inherit_visibility(given, sources)

    for reader in _READERS:
        if may_read(made, reader):
            assert all(may_read(source, reader) for source in sources)


def test_a_synthesis_of_public_records_stays_public() -> None:
    made = MEMORY.with_fields(**MINE, stream="synthesis", kind="fix")
    source = Record({**SEEN, **MINE})

    assert inherit_visibility(made, [source, source]) == made


def test_a_record_derived_from_untrusted_text_is_untrusted() -> None:
    untrusted = MEMORY.with_fields(trust="untrusted")

    made = inherit_visibility(MEMORY.with_fields(stream="synthesis"), [untrusted])

    assert made.trust == "untrusted"


@pytest.mark.parametrize(
    ("known", "said", "expected"),
    [
        ({}, {}, True),
        ({"agent_id": "codex"}, {}, True),  # both said it to everybody
        ({"is_private": True}, {}, False),
        ({}, {"is_private": True}, False),
        ({"is_private": True}, {"is_private": "1"}, True),
        ({"is_private": True, "agent_id": "codex"}, {"is_private": True}, False),
        ({"visibility": "session", "session_id": "s-1"}, {"visibility": "session"}, False),
        (ROLE, ROLE, True),
        (ROLE, {"visibility": "agent-only", "role": "general"}, False),
        (ROLE, {"visibility": "public", "role": "executor"}, False),
        (ROLE, {**ROLE, "session_id": "s-2"}, True),
        ({**ROLE, "agent_id": "codex"}, ROLE, False),
        (SESSION, SESSION, True),
        (SESSION, {**SESSION, "role": "executor"}, True),
        (SESSION, {**SESSION, "session_id": "s-2"}, False),
        ({**SESSION, "agent_id": "codex"}, SESSION, False),
        ({"session_id": "s-1"}, {"session_id": "s-2"}, True),
    ],
)
def test_a_duplicate_is_revealed_only_to_readers_of_the_first(
    known: dict[str, object], said: dict[str, object], expected: bool
) -> None:
    first, again = MEMORY.with_fields(**known), MEMORY.with_fields(**said)

    assert may_reveal_duplicate(first, again) is expected


def test_an_event_of_one_agent_with_other_readers_is_another_event() -> None:
    limited = MEMORY.with_fields(**SESSION)

    assert is_same_event(limited, limited)
    assert not is_same_event(limited, MEMORY)
    assert not is_same_event(limited, limited.with_fields(session_id="s-2"))
    assert not is_same_event(limited, limited.with_fields(agent_id="codex"))


def test_an_event_name_belongs_to_one_agent() -> None:
    assert is_same_event(MEMORY, MEMORY)
    assert not is_same_event(MEMORY, MEMORY.with_fields(agent_id="codex"))
    assert not is_same_event(MEMORY.with_fields(is_private=True), MEMORY)
