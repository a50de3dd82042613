"""Whether a record is for whoever asks: by its time, by the files and by the agents it is kept for."""

from hooklore.records.record import Record
from hooklore.retrieval.query import RecallQuery
from hooklore.text.path_globs import extract_file_paths, matches_path_glob


def is_before_cutoff(record: Record, asked: RecallQuery) -> bool:
    """Whether a record stood in the log by the time that is asked about."""
    return asked.before is None or record.id < asked.before[1]


def is_for_agent_type(record: Record, agent_type: str | None) -> bool:
    """A memory kept for one type of agent is for that type."""
    kept_for = record.agent_type if record.stream == "memory" else None
    return kept_for is None or kept_for == agent_type


def is_for_files(record: Record, asked: RecallQuery) -> bool:
    """A memory kept for some files is for those: of a step, or named in a prompt (SK-11)."""
    if record.stream != "memory" or not record.body.paths:
        return True
    return has_matching_path(record, (*asked.paths, *extract_file_paths(asked.text)))


def has_matching_path(record: Record, paths: tuple[str, ...]) -> bool:
    """Whether a record is kept for one of these files; False of one that is kept for none."""
    globs = record.body.paths
    return any(matches_path_glob(globs, path) for path in paths) if globs else False
