"""Paths as a project knows them: the same in every clone and worktree."""


def relative_to_root(path: str, root: str) -> str:
    """The path below `root`, or the path as it is when it lies elsewhere."""
    base = root.rstrip("/") + "/"
    return path[len(base) :] if base != "/" and path.startswith(base) else path
