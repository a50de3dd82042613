"""One contract of every surface: the same input, the same answer, the same access decision."""
