"""Decide about memories: which one wins, which one waits, and how a person settles it.

Whose word stands above whose is the ladder of `records/standing.py`. The files, in reading order:

**Two memories contradict each other.** `text/opposite_statements.py` compares two texts. Under the log's lock
`broker/conflicts.py` finds the earlier memory and records the conflict, and `broker/leading.py` puts the leading
one first for every reader. `conflict_resolution` records what no write did, and settles a conflict by a person's
choice. `checks` are the conflicts and the stale memories that a start asks about (`retrieval/brief.py`).

**A rule ends an earlier one** by its words (`text/rule_relation.py`): `replacement` finds it, ends it, and tells
the chain for `hooklore why`. A memory with a key, or one that names another, takes its place by
`broker/versions.py`.

**A memory waits for a person.** `doubt` says why: by its words, its writer, or what the session read before
(`memories/session_evidence.py`). The write gate asks it (`memories/write_gate.py`). `approval_queue` lists what
waits, approves and rejects it. `let_stand` lets stand what would not wait today.

**An act waits for a person.** `authorization` says who decides and who may propose, and begins each act.
`proposals` are acts that an agent or the janitor asks for. A person who is not at the terminal says yes in advance
by a token (`approval_token`), or in the client when an agent runs the command (`confirmation`).

The commands stand in `cli/memory` (`queue`, `conflicts`, `deciding`), the question of a
client in `hooks/confirming.py`, the verbs in `requests/verbs`. They are above this package, and what the broker
decides under the lock is below it: imports only go down.
"""
