"""The tables of this repository's pages."""

from pathlib import Path

_PAGES = Path(__file__).parents[2] / ".github"


def table_of(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the first table under a heading of a page, row by row, without its head."""
    text = (_PAGES / page).read_text("utf-8").partition(heading)[2].partition("\n#")[0]
    rows = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
