"""The functions that carry out the tools of the table."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from hooklore.requests.asked import Asked
from hooklore.requests.response import Response
from hooklore.requests.shelf import GLOBAL, PROJECT, Shelf
from hooklore.requests.verbs.archived_entries import list_archive, search_archive
from hooklore.requests.verbs.find_entries import list_entries, open_entry, search_entries
from hooklore.requests.verbs.get import answer_get
from hooklore.requests.verbs.propose_act import propose_deletion, propose_restoration
from hooklore.requests.verbs.recall import answer_recall
from hooklore.requests.verbs.remember import answer_remember
from hooklore.requests.verbs.save_entry import save_entry
from hooklore.requests.verbs.search_memories import answer_search
from hooklore.requests.verbs.summarize_entries import summarize_archive, summarize_entries
from hooklore.requests.verbs.wake_up import answer_wake_up

Answer = Callable[[Asked, Any], Response]
"""Carry out a verb with arguments of its own form."""


def _of_shelf(name: str, shelf: Shelf) -> dict[str, Answer]:
    """Return what carries out the tools of one shelf, `name` being what their names have of it."""
    return {
        f"save_to_{name}memory": partial(save_entry, shelf),
        f"retrieve_from_{name}memory": partial(search_entries, shelf),
        f"list_{name}memory_entries": partial(list_entries, shelf),
        f"delete_{name}memory_entry": partial(propose_deletion, shelf),
        f"get_{name}memory_summary": partial(summarize_entries, shelf),
        f"search_{name}memory_archive": partial(search_archive, shelf),
        f"list_{name}memory_archive": partial(list_archive, shelf),
        f"restore_from_{name}memory_archive": partial(propose_restoration, shelf),
        f"get_{name}memory_archive_summary": partial(summarize_archive, shelf),
    }


TOOL_ANSWERS: Final[Mapping[str, Answer]] = {
    "remember": answer_remember,
    "recall": answer_recall,
    "get": answer_get,
    "search_memories": answer_search,
    "wake_up": answer_wake_up,
    "get_memory_entry": partial(open_entry, PROJECT),
    **_of_shelf("", PROJECT),
    **_of_shelf("global_", GLOBAL),
}
"""The function of each tool, by the tool's name."""
