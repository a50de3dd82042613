"""What is decided about memories: which one wins, which one waits, and how a person settles it.

**Two memories contradict each other.** Under the log's lock `broker/conflicts.py` finds that and records it, and
`broker/leading.py` puts the leading one first for every reader. `conflict_resolution` records what no write
did, and settles a conflict by a person's choice. `checks` are the conflicts and the stale memories that a
start asks about.

**A rule ends an earlier one** by its words: `replacement` finds it, ends it, and tells the chain for
`hooklore why`. A memory with a key, or one that names another, takes its place by `broker/versions.py` instead.

**A memory waits for a person.** `doubt` says why: by its words, its writer, or what the session read before
(`memories/session_evidence.py`). `approval_queue` lists what waits, approves and rejects it. `let_stand` lets stand
what would not wait today.

**An act waits for a person.** `proposals` are acts that an agent or the janitor asks for. `authorization` says
who decides and who may propose. A person who is not at the terminal says yes in advance by a token
(`approval_token`), or in the client when an agent runs the command (`confirmation`).

The commands stand in `cli/memory` (`queue`, `conflicts`, `approval`, `deciding`), the question of a client in
`hooks/confirming`, the verbs in `requests/verbs`.
"""
