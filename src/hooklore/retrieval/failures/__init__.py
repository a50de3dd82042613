"""Find what is known of a failure, decide whether to tell it, and word the note.

At a failure `search` finds the earlier ones like it and their cures, `fix_relevance` decides whether a cure
bears on it, and `note` words what is told. At a session's start `repeated` lists what failed in the last sessions,
and `open_checks` the checks that a session left failing. `failures/__init__.py` says what a cure is.
"""
