"""The exact keys under which records are found: constructed here, never spelled elsewhere.

A typing error in a spelled key finds nothing without an error, and a forgotten memory comes back. The
texts are hashed into the catalog, so a changed one needs a new `CATALOG_SCHEMA` in `index/catalog.py`.
"""

ALL_ALIASES = "alias"
ALL_ARCHIVES = "archives"
ALL_CONFLICTS = "conflict"
ALL_PINS = "pins"
ALL_PROPOSALS = "proposals"
ALL_WAITING = "waits"


def of_event(name: object) -> str:
    """Return the key of an event by the name that its agent gave it, or by its delivery."""
    return f"event:{name}"


def of_kind(kind: str, project: object) -> str:
    """Return the key of a project's records of one kind; `project` is an id, `-` for none."""
    return f"{kind}:{project}"


def in_session(session: object) -> str:
    """Return the key of everything that a session recorded."""
    return f"session:{session}"


def kept_by(agent: object) -> str:
    """Return the key of the memories that an agent wrote, in any place, waiting ones too."""
    return f"kept:{agent}"


def in_run(run: object) -> str:
    """Return the key of everything that a run kept on purpose."""
    return f"run:{run}"


def turns_in(session: object) -> str:
    """Return the key of a session's prompts and answers."""
    return f"turn:{session}"


def tasks_in(session: object) -> str:
    """Return the key of the tasks that a session began."""
    return f"tasks:{session}"


def goal_of(session: object) -> str:
    """Return the key of the prompt that says a session's goal."""
    return f"goal:{session}"


def errors_in(session: object) -> str:
    """Return the key of a session's errors."""
    return f"erred:{session}"


def shown_in(session: object) -> str:
    """Return the key of what a session was shown."""
    return f"shown:{session}"


# ---- work that is taken up again


def end_in(session: object) -> str:
    """Return the key of the records of a session's end."""
    return f"ended:{session}"


def on_branch(project: object, branch: object) -> str:
    """Return the key of the sessions on a project's branch: their ends, and the prompts with their goals."""
    return f"branch:{project}|{branch}"


def naming(project: object, reference: object) -> str:
    """Return the key of a project's prompts, answers and edits that name a piece of work.

    `reference` has the form of `text/work_references.py`.
    """
    return f"naming:{project}|{reference}"


# ---- failures and fixes


def error_line(project: object, line: object) -> str:
    """Return the key of a project's failures with this normalised line."""
    return f"error:{project}|{line}"


def failing_step(project: object, step: object) -> str:
    """Return the key of a project's failures of one command, test or file."""
    return f"failing:{project}|{step}"


def command_runs(project: object) -> str:
    """Return the key of a project's commands that passed, or failed, before everybody's eyes."""
    return f"ran:{project}"


def fix_of(failure_id: object) -> str:
    """Return the key of what made a failure pass."""
    return f"fixed:{failure_id}"


def fix_of_line(project: object, line: object) -> str:
    """Return the key of a project's fixes of failures with this line."""
    return f"fix-error:{project}|{line}"


def fix_of_step(project: object, step: object) -> str:
    """Return the key of a project's fixes of one command, test or file."""
    return f"fix-key:{project}|{step}"


# ---- memories


def memory_id(id_: object) -> str:
    """Return the key of one memory, or one conflict."""
    return f"id:{id_}"


def memories_at(place: object) -> str:
    """Return the key of the memories of a place: `global`, `agent:<id>` or `project:<id>`."""
    return f"memory:{place}"


def version_line(place: object, key: object, audience: str = "") -> str:
    """Return the key that all versions of a keyed memory share."""
    return f"key:{place}|{key}{audience}"


def statement(place: object, key: object, digest: str) -> str:
    """Return the key of a memory by its place, its key and the digest of its text."""
    return f"said:{place}|{key}|{digest}"


def about_subject(place: object, subject: object) -> str:
    """Return the key of a place's memories about one path or command."""
    return f"about:{place}|{subject}"


def tagged(tag: object) -> str:
    """Return the key of the memories with a tag."""
    return f"tag:{tag}"


def waiting_at(place: object) -> str:
    """Return the key of a place's memories that wait for a person."""
    return f"waits:{place}"


def waiting_for(line: object) -> str:
    """Return the key of the memories that wait to become a line's newest version."""
    return f"waits-for:{line}"


# ---- what a record says about another


def end_of(id_: object) -> str:
    """Return the key of what ended a record: a tombstone, an archiving, an approval, a newer memory."""
    return f"gone:{id_}"


def ended_by(id_: object) -> str:
    """Return the key of the records that say what a memory ended by its words."""
    return f"ended-by:{id_}"


def restoration_of(id_: object) -> str:
    """Return the key of the version that an archived memory was restored as."""
    return f"restored:{id_}"


def pinning_of(kind: str, line: object) -> str:
    """Return the key of the pins (`kind` is `pin`) or unpins of a line."""
    return f"{kind}:{line}"


def recalls_of(id_: object) -> str:
    """Return the key of the prompts' answers that showed a record."""
    return f"recalled:{id_}"


def answer_to(delivery: object) -> str:
    """Return the key of what was shown for a delivery."""
    return f"answered:{delivery}"


def snapshot_access(snapshot_id: object) -> str:
    """Return the key of the answer that carried a snapshot."""
    return f"snapshot:{snapshot_id}"


def grant_digest(digest: object) -> str:
    """Return the key of a person's grant by the digest of its token."""
    return f"grant:{digest}"


# ---- conflicts


def asked_about(id_: object) -> str:
    """Return the key of the session starts that asked the user about a conflict."""
    return f"asked:{id_}"


def conflict_about(about: object) -> str:
    """Return the key of the conflicts about a line or a pair of memories."""
    return f"conflict-of:{about}"


def conflicts_at(place: object) -> str:
    """Return the key of a place's conflicts."""
    return f"conflict:{place}"


def conflict_with(id_: object) -> str:
    """Return the key of the conflicts of which a memory is a side."""
    return f"conflict-with:{id_}"


# ---- projects


def alias_of(key: object) -> str:
    """Return the key of the project that a remote or a folder belongs to."""
    return f"alias:{key}"


def with_slug(slug: object) -> str:
    """Return the key of the project with this slug."""
    return f"slug:{slug}"
