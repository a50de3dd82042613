"""The exact keys under which records are found: constructed here, never spelled elsewhere.

A typing error in a spelled key finds nothing without an error, and a forgotten memory comes back. The
texts are hashed into the catalog, so a changed one needs a new `CATALOG_SCHEMA` in `index/catalog.py`.
"""

from collections.abc import Callable

_Key = Callable[[object], str]
_KeyOfTwo = Callable[[object, object], str]

ALL_ALIASES = "alias"
ALL_ARCHIVES = "archives"
ALL_CONFLICTS = "conflict"
ALL_PINS = "pins"
ALL_PROPOSALS = "proposals"
ALL_WAITING = "waits"

of_event: _Key = "event:{}".format
"""The key of an event by the name that its agent gave it, or by its delivery."""

of_kind: _KeyOfTwo = "{}:{}".format
"""The key of a project's records of one kind; `project` is an id, `-` for none."""

in_session: _Key = "session:{}".format
"""The key of everything that a session recorded."""

kept_by: _Key = "kept:{}".format
"""The key of the memories that an agent wrote, in any place, waiting ones too."""

in_run: _Key = "run:{}".format
"""The key of everything that a run kept on purpose."""

turns_in: _Key = "turn:{}".format
"""The key of a session's prompts and answers."""

tasks_in: _Key = "tasks:{}".format
"""The key of the tasks that a session began."""

goal_of: _Key = "goal:{}".format
"""The key of the prompt that says a session's goal."""

errors_in: _Key = "erred:{}".format
"""The key of a session's errors."""

shown_in: _Key = "shown:{}".format
"""The key of what a session was shown."""

# ---- work that is taken up again

end_in: _Key = "ended:{}".format
"""The key of the records of a session's end."""

on_branch: _KeyOfTwo = "branch:{}|{}".format
"""The key of the sessions on a project's branch: their ends, and the prompts with their goals."""

naming: _KeyOfTwo = "naming:{}|{}".format
"""The key of a project's prompts, answers and edits that name a piece of work.

`reference` has the form of `text/work_references.py`.
"""

# ---- failures and fixes

error_line: _KeyOfTwo = "error:{}|{}".format
"""The key of a project's failures with this normalised line."""

failing_step: _KeyOfTwo = "failing:{}|{}".format
"""The key of a project's failures of one command, test or file."""

command_runs: _Key = "ran:{}".format
"""The key of a project's commands that passed, or failed, before everybody's eyes."""

fix_of: _Key = "fixed:{}".format
"""The key of what made a failure pass."""

fix_of_line: _KeyOfTwo = "fix-error:{}|{}".format
"""The key of a project's fixes of failures with this line."""

fix_of_step: _KeyOfTwo = "fix-key:{}|{}".format
"""The key of a project's fixes of one command, test or file."""

# ---- memories

memory_id: _Key = "id:{}".format
"""The key of one memory, or one conflict."""

memories_at: _Key = "memory:{}".format
"""The key of the memories of a place: `global`, `agent:<id>` or `project:<id>`."""


def version_line(place: object, key: object, audience: str = "") -> str:
    """Return the key that all versions of a keyed memory share."""
    return f"key:{place}|{key}{audience}"


def statement(place: object, key: object, digest: str) -> str:
    """Return the key of a memory by its place, its key and the digest of its text."""
    return f"said:{place}|{key}|{digest}"


about_subject: _KeyOfTwo = "about:{}|{}".format
"""The key of a place's memories about one path or command."""

tagged: _Key = "tag:{}".format
"""The key of the memories with a tag."""

waiting_at: _Key = "waits:{}".format
"""The key of a place's memories that wait for a person."""

waiting_for: _Key = "waits-for:{}".format
"""The key of the memories that wait to become a line's newest version."""

# ---- what a record says about another

end_of: _Key = "gone:{}".format
"""The key of what ended a record: a tombstone, an archiving, an approval, a newer memory."""

ended_by: _Key = "ended-by:{}".format
"""The key of the records that say what a memory ended by its words."""

restoration_of: _Key = "restored:{}".format
"""The key of the version that an archived memory was restored as."""

pinning_of: _KeyOfTwo = "{}:{}".format
"""The key of the pins (`kind` is `pin`) or unpins of a line."""

recalls_of: _Key = "recalled:{}".format
"""The key of the prompts' answers that showed a record."""

answer_to: _Key = "answered:{}".format
"""The key of what was shown for a delivery."""

snapshot_access: _Key = "snapshot:{}".format
"""The key of the answer that carried a snapshot."""

grant_digest: _Key = "grant:{}".format
"""The key of a person's grant by the digest of its token."""

# ---- conflicts

asked_about: _Key = "asked:{}".format
"""The key of the session starts that asked the user about a conflict."""

conflict_about: _Key = "conflict-of:{}".format
"""The key of the conflicts about a line or a pair of memories."""

conflicts_at: _Key = "conflict:{}".format
"""The key of a place's conflicts."""

conflict_with: _Key = "conflict-with:{}".format
"""The key of the conflicts of which a memory is a side."""

# ---- projects

alias_of: _Key = "alias:{}".format
"""The key of the project that a remote or a folder belongs to."""

with_slug: _Key = "slug:{}".format
"""The key of the project with this slug."""
