"""Decide whether a record applies to a query: by its time, its files, its condition, and its type of agent."""

from hooklore.records.record import Record, is_from_memory_file
from hooklore.records.standing import is_confirmed
from hooklore.retrieval.query import RecallQuery
from hooklore.text.condition import find_condition_words, split_words
from hooklore.text.path_globs import extract_file_paths, matches_path_glob


def is_before_cutoff(record: Record, query: RecallQuery) -> bool:
    """Return whether a record was in the log at the time as of which `query` asks."""
    return query.before is None or record.id < query.before[1]


def is_loaded_by_client(record: Record, query: RecallQuery) -> bool:
    """Return whether the client itself puts a memory before its model: from the agent's own file for this project.

    One that a person approved is the person's.
    """
    if (record.agent_id, record.project) != query.loads_files_of or record.stream != "memory":
        return False
    return is_from_memory_file(record) and not is_confirmed(record)


def is_for_agent_type(record: Record, agent_type: str | None) -> bool:
    """Return whether a record is for this type of agent, or for every type."""
    kept_for = record.agent_type if record.stream == "memory" else None
    return kept_for is None or kept_for == agent_type


def is_for_files(record: Record, query: RecallQuery) -> bool:
    """Return whether a record is for the files of a step or of a prompt's text, or for every file."""
    if record.stream != "memory" or not record.body.paths:
        return True
    named = extract_file_paths(query.text)
    return has_matching_path(record, (*query.paths_in(record.project), *named))


def has_matching_path(record: Record, paths: tuple[str, ...]) -> bool:
    """Return whether a record is kept for one of `paths`. A record without files is not."""
    globs = record.body.paths
    return any(matches_path_glob(globs, path) for path in paths) if globs else False


def may_hold(record: Record, query: RecallQuery) -> bool:
    """Return whether the condition of a rule may hold at a step: it is shown there, or no step shows it.

    A step says of itself its command, its files as a rule names them, and an edit's names.
    """
    wanted = find_condition_words(record.body.content_md)
    paths = query.paths_in(record.project)
    said = "\n".join((query.command or "", *paths, *query.added, query.text))
    return not wanted or not wanted.isdisjoint(split_words(said))
