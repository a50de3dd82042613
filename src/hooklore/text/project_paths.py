"""Paths relative to a project: the same in every clone and worktree."""


def relative_to_root(path: str, root: str) -> str:
    """Return `path` relative to `root`, or unchanged if the path lies elsewhere."""
    base = root.rstrip("/") + "/"
    return path[len(base) :] if base != "/" and path.startswith(base) else path
