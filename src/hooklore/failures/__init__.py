"""The project's failing commands: their errors, what cured them, and the link between both.

A **failure** is a command of the project's own that ran and failed (`project_failure`). It is known by the
lines of its output that other commands do not print (`error_signature`, `stack_frames`, `common_lines`). A
program that is not installed is a failure of the machine (`environment_error`), and no open work.

A **cure** is what made a failed check pass: an edit or a command in between that touches what the failure
names (`failure_names`, `fix_evidence`) or puts the failed program's state in order (`tool_repair`), or the command
itself, said rightly (`equivalent_run` compares the two runs, `command_words` word by word, `rejected_words` by what
the error rejects). What undoes, deletes, forces, skips or only prints is none (`evasion`, `added_evasion`), nor is
another target's success.

A **link** is one record of kind `fix` that names a failure, its cure, and the run that passed. The broker appends
it with the success (`fix_links`), in the words of `fix_text`. `fix_reading` judges it whenever it is read: a cure
after which the failure came back has not held, and a link of an older version is weighed by today's rules.

The package reads by `KeyLookup` and `FailureReader` alone, below the index and the broker. What is told of
failures, and when, is decided in `retrieval/failures`.
"""
