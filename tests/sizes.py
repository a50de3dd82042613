"""Measure whether recall holds as a store grows: `python -m tests.sizes FOLDER [OTHERS...]`.

The figure is R@5 of a folder's questions whose answers are among its first hundred, thousand and ten
thousand documents. Documents of the other folders fill a store up. SQLite's FTS5 with its porter
tokenizer is the baseline.
"""

import sys
from pathlib import Path

from tests.ablation import hits_at_5, lines, ours, porter

SIZES = (100, 1_000, 10_000)
_MAX_QUERIES = 400


def main(folders: list[Path]) -> int:
    """Print a line for every size."""
    first, *others = folders
    docs, queries = lines(first / "corpus.jsonl"), lines(first / "queries.jsonl")
    more = [doc for other in others for doc in lines(other / "corpus.jsonl")]
    for size in SIZES:
        store = [{**doc, "scope": "one"} for doc in (*docs, *more)[:size]]
        known = {doc["id"] for doc in store}
        answerable = [q for q in queries if known.issuperset(q["gold"])][:_MAX_QUERIES]
        questions = [{**q, "scope": "one", "category": None} for q in answerable]
        found = " ".join(
            f"{name} {hits_at_5(store, questions, system):.3f}"
            for name, system in (("hooklore", ours), ("porter", porter))
        )
        sys.stdout.write(f"{len(store):>6} documents, {len(questions):>4} questions: {found}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main([Path(word) for word in sys.argv[1:]]))
