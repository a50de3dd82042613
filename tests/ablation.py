"""Measure the effect of each ingredient of recall: `python -m tests.ablation FOLDER... [--vectors]`.

A folder holds `corpus.jsonl` and `queries.jsonl` ({id, text, session, timestamp, scope, role} and
{text, gold, scope, timestamp, session, category}). Every set is asked through the code that hooks use,
with everything, then without one ingredient each. SQLite's FTS5 with its porter tokenizer is the
baseline. The figures are R@1 / R@5 / MRR@10 in per cent.
"""

import argparse
import json
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from hooklore.cli.eval_adapter import Adapter
from hooklore.failures.equivalent_run import Relation
from hooklore.records.record import Body

Fields = dict[str, Any]
Search = Callable[[Fields], list[str]]
System = Callable[[Path, list[Fields]], tuple[Search, Callable[[], None]]]
"""A function from a folder and documents to a search and a function that closes it."""


def same_command(failed: Body, passed: Body) -> Relation | None:
    """Compare two runs by their command alone."""
    return Relation.SAME if failed.key == passed.key else None


_TRIGGERS: Final = {
    "prior_failure": "failure", "fix": "failure", "pre_tool": "before_tool", "edit_symbol": "before_tool",
}  # fmt: skip
_FUNCTION_WORDS: Final = frozenset(
    "a about an and are as at be been by can could did do does for from had has have he her him his how i if "
    "in into is it its me my no not of on or our she should so than that the their them then there they this "
    "to us was we were what when where which who whom whose why will with would you your".split()
)
_INGREDIENTS: Final[dict[str, tuple[tuple[str, str, Any], ...]]] = {
    "everything": (),
    "no turns before it": (("hooklore.index.text", "CONVERSATION_BOOST", 0.0),),
    "no word pairs": (("hooklore.index.text", "ADJACENT_PAIR_BOOST", 0.0),),
    "no named speaker": (("hooklore.retrieval.scoring", "AUTHOR_NAMED_BONUS", 0.0),),
    "no malus for questions": (("hooklore.retrieval.scoring", "QUESTION_PENALTY", 0.0),),
    "no times": (("hooklore.retrieval.scoring", "TIME_MATCH_BONUS", 0.0),),
    "answers as prompts": (
        ("hooklore.retrieval.scoring", "PROMPT_GROUP_WEIGHTS",
         dict.fromkeys(("memory", "fix", "user", "talk", "answer", "summary"), 1.0)),
    ),
    "failures by words alone": (("hooklore.retrieval.failures.failure_search", "_LIKENESS_WEIGHT", 0.0),),
    "fixes by command alone": tuple(
        (f"hooklore.failures.{module}", "compare_runs", same_command)
        for module in ("fix_links", "fix_evidence")
    ),
    "fixes by any step": (("hooklore.failures.fix_evidence", "_touches", lambda *_: True),),
    "fixes that undo": (("hooklore.failures.fix_evidence", "_is_evasive", lambda _: False),),
    "edits by path alone": (("hooklore.hooks.answers", "extract_identifiers", lambda *_: []),),
}  # fmt: skip
"""Each ingredient with the (module, name, value) that are set while the ingredient is taken out."""


def main() -> int:
    """Print a table for every set."""
    parser = argparse.ArgumentParser(prog="python -m tests.ablation", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--vectors", action="store_true", help="everything, with vectors, too")
    options = parser.parse_args()
    for folder in options.folders:
        corpus, queries = (lines(folder / f"{name}.jsonl") for name in ("corpus", "queries"))
        for name, rows in _runs(corpus, queries, vectors=options.vectors):
            for category, figures in rows.items():
                sys.stdout.write(f"{folder.name:<16} {name:<24} {category:<14} {figures}\n")
                sys.stdout.flush()
    return 0


def _runs(
    corpus: list[Fields], queries: list[Fields], *, vectors: bool
) -> Iterator[tuple[str, dict[str, str]]]:
    yield "porter FTS5", _scores(corpus, queries, porter)
    before: dict[str, str] = {}
    for name, changes in _INGREDIENTS.items():
        with _without(changes):
            found = _scores(corpus, queries, ours)
        if not before or found != before:
            yield name, found
        before = before or found
    if vectors:
        yield "with vectors", _scores(corpus, queries, _ours_with_vectors)


def hits_at_5(corpus: list[Fields], queries: list[Fields], system: System) -> float:
    """Return the share of the golden documents that stand among the first five."""
    (figures,) = _scores(corpus, queries, system).values()
    return float(figures.split(" / ")[1]) / 100


def _scores(
    corpus: list[Fields],
    queries: list[Fields],
    system: System,
) -> dict[str, str]:
    rows: dict[str, list[tuple[float, float, float]]] = {}
    for scope in dict.fromkeys(query["scope"] for query in queries):
        docs = [doc for doc in corpus if doc["scope"] == scope]
        known = {doc["id"]: doc for doc in docs}
        with tempfile.TemporaryDirectory() as folder:
            search, close = system(Path(folder), docs)
            for query in (q for q in queries if q["scope"] == scope):
                found = [i for i in search(query) if _was_before(known[i], query)]
                rows.setdefault(_category(query), []).append(_hits(found, set(query["gold"])))
            close()
    return {name: _figures(found) for name, found in sorted(rows.items())}


def _category(query: Fields) -> str:
    coding = (*_TRIGGERS, "prompt_about", "resume")
    return str(query["category"]) if query.get("category") in coding else "all"


def _was_before(doc: Fields, query: Fields) -> bool:
    """Return whether a document may answer a query: not from a coding agent's own session, nor from later."""
    if query.get("category") not in (*_TRIGGERS, "prompt_about", "resume"):
        return True
    is_own = doc["session"] == query.get("session")
    return not is_own and str(doc["timestamp"]) < str(query["timestamp"])


def _hits(found: list[str], gold: set[str]) -> tuple[float, float, float]:
    at = [len(gold & set(found[:k])) / len(gold) for k in (1, 5)]
    rank = next((1 / place for place, id_ in enumerate(found[:10], 1) if id_ in gold), 0.0)
    return at[0], at[1], rank


def _figures(rows: list[tuple[float, float, float]]) -> str:
    means = (100 * sum(column) / len(rows) for column in zip(*rows, strict=True))
    return " / ".join(f"{mean:.1f}" for mean in means) + f"  ({len(rows)})"


def ours(folder: Path, docs: list[Fields], model: Any = None) -> tuple[Search, Callable[[], None]]:
    adapter = Adapter(folder, model)
    adapter.operations["index"]({"docs": docs})

    def search(query: Fields) -> list[str]:
        trigger = _TRIGGERS.get(query.get("category", ""), "prompt")
        request = {"query": query["text"], "k": 300, "trigger": trigger}
        request["timestamp"] = query.get("timestamp")
        return list(adapter.operations["search"](request)["ids"])

    return search, adapter.close


def _ours_with_vectors(folder: Path, docs: list[Fields]) -> tuple[Search, Callable[[], None]]:
    from hooklore.retrieval.semantic.search import SharedEncoder

    return ours(folder, docs, SharedEncoder())


def porter(folder: Path, docs: list[Fields]) -> tuple[Search, Callable[[], None]]:
    base = sqlite3.connect(folder / "fts.sqlite")
    base.execute("create virtual table f using fts5(id unindexed, t, tokenize='porter unicode61')")
    base.executemany("insert into f values (?, ?)", ((doc["id"], doc["text"]) for doc in docs))

    def search(query: Fields) -> list[str]:
        words = dict.fromkeys("".join(c if c.isalnum() else " " for c in query["text"]).split())
        content = [word for word in words if word.lower() not in _FUNCTION_WORDS] or list(words)
        match = " OR ".join(f'"{word}"' for word in content)
        sql = "select id from f where f match ? order by bm25(f) limit 300"
        return [row[0] for row in base.execute(sql, (match,))] if match else []

    return search, base.close


@contextmanager
def _without(changes: tuple[tuple[str, str, Any], ...]) -> Iterator[None]:
    kept = [(import_module(module), name) for module, name, _ in changes]
    values = [getattr(module, name) for module, name in kept]
    try:
        for (module, name), (_, _, value) in zip(kept, changes, strict=True):
            setattr(module, name, value)
        yield
    finally:
        for (module, name), value in zip(kept, values, strict=True):
            setattr(module, name, value)


def lines(path: Path) -> list[Fields]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


if __name__ == "__main__":
    sys.exit(main())
