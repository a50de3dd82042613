"""Measure how often recall is right, and how often noise: `python -m tests.samesubject.run [--project clinic]`."""

import argparse
import hashlib
import itertools
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from hooklore.broker import Broker
from hooklore.config import store_location_at
from hooklore.records.draft import ACKNOWLEDGED, Draft, Principal, ProjectKeys
from hooklore.records.record import Body
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.recall import Recall
from tests.samesubject.corpus import (
    PROJECTS,
    Memory,
    Prompt,
    memories,
    phrases,
    prompts,
)

if TYPE_CHECKING:
    from hooklore.retrieval.semantic.search import SemanticSearch

KEYS: Final = ProjectKeys(("dir:/x",), "shop", "/x", "main")
Phrased = Literal["none", "half", "all"]
"""The memories that have phrases: none, all, or the half whose ids have an even digest."""
_ROW: Final = "{:<22}{:>7}{:>9}{:>7}{:>9}{:>11}{:>11}\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """The memories that one prompt was shown, as ids of the corpus, in order."""

    prompt: Prompt
    shown: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        return self.prompt.gold in self.shown


@dataclass(frozen=True, slots=True)
class Score:
    """Shares over some prompts, None for a share of nothing.

    `false` is the share of negatives that were shown something, `right` the share of positives that were
    shown their memory. `precision` is the share of that memory among the items shown on positives,
    `overall` its share among the items shown on all prompts.
    """

    negatives: int
    false: float | None
    positives: int
    right: float | None
    precision: float | None
    overall: float | None


def draft(memory: Memory, when: Sequence[str] = ()) -> Draft:
    """Return the draft of a user's own statement, with the phrases `when` it matters."""
    is_global = memory.scope == "global"
    return Draft.of(
        None if is_global else KEYS,
        stream="memory",
        kind=memory.kind,
        body=Body.of(content_md=memory.text, title=memory.title, when=list(when)),
        basis="user",
        confidence="high",
        agent_id="claude",
        scope="global" if is_global else None,
    )


def play(
    directory: Path,
    project: str = "shop",
    *,
    phrased: Phrased = "none",
    vectors: bool = False,
    timed: bool = False,
) -> list[Answer]:
    """Ask every prompt in a session of its own, of a new store in `directory`.

    With `vectors` each question is compared whole, however long that takes. With `timed` only as much is
    compared as a hook waits for on this machine.
    """
    broker = Broker(store_location_at(directory))
    try:
        said = memories(project)
        receipts = broker.append(_drafts(said, project, phrased))
        bad = [r for r in receipts if r.status not in ACKNOWLEDGED or r.id is None]
        if bad or len({r.id for r in receipts}) != len(said):
            raise SystemExit(f"not every memory was stored: {bad}")
        broker.index()
        broker.refresh()  # as each hook does: records that are not indexed yet are scored differently
        semantic = _encode(broker, timed=timed) if vectors or timed else None
        names = {str(r.id): memory.id for r, memory in zip(receipts, said, strict=True)}
        return [_answer(broker, semantic, prompt, names) for prompt in prompts(project)]
    finally:
        broker.close()


def _drafts(said: Sequence[Memory], project: str, phrased: Phrased) -> list[Draft]:
    """Return the drafts of memories, with the phrases of those that have any."""
    known = {} if phrased == "none" else phrases(project)
    return [
        draft(memory, known.get(memory.id, ()) if phrased == "all" or _is_even(memory.id) else ())
        for memory in said
    ]


def _is_even(identity: str) -> bool:
    return hashlib.sha256(identity.encode()).digest()[0] % 2 == 0


def _encode(broker: Broker, *, timed: bool) -> "SemanticSearch":
    """Encode all memories and return their search. When `timed` a worker encodes questions, as for hooks."""
    from hooklore.retrieval.semantic.search import SemanticSearch, SharedEncoder
    from hooklore.retrieval.semantic.vector_indexing import enable_semantic_for_evaluation

    model = SharedEncoder()
    semantic = enable_semantic_for_evaluation(broker.place, model)
    if not timed:
        return semantic
    semantic = SemanticSearch(broker.place, model)
    semantic.warm()
    time.sleep(2.0)
    return semantic


def _answer(
    broker: Broker, semantic: "SemanticSearch | None", prompt: Prompt, names: dict[str, str]
) -> Answer:
    project = broker.project_of(KEYS)
    session = f"session-{prompt.id}"
    who = Principal(project=project.id if project else None, session_id=session, branch="main")
    query = RecallQuery(trigger="prompt", session_id=session, text=prompt.text)
    shown = Recall(broker, semantic).answer(query, who)
    return Answer(prompt, tuple(names[identity] for identity in shown.ids))


def score(answers: Iterable[Answer]) -> Score:
    """Return the shares over these answers."""
    both = list(answers)
    negatives = [a for a in both if a.prompt.gold is None]
    positives = [a for a in both if a.prompt.gold is not None]
    right = sum(a.is_right for a in positives)
    return Score(
        len(negatives),
        _share(sum(bool(a.shown) for a in negatives), len(negatives)),
        len(positives),
        _share(right, len(positives)),
        _share(right, sum(len(a.shown) for a in positives)),
        _share(right, sum(len(a.shown) for a in both)),
    )


def groups(answers: Sequence[Answer], project: str) -> Iterable[tuple[str, list[Answer]]]:
    """Yield all answers, then those of each language and shape, then positives by their memory."""
    by_id = {memory.id: memory for memory in memories(project)}
    yield "all", list(answers)
    for lang in ("en", "ja"):
        yield lang, [a for a in answers if a.prompt.lang == lang]
    for shape in ("plain", "behind1", "behind4"):
        yield shape, [a for a in answers if a.prompt.shape == shape]
    for lang, shape in itertools.product(("en", "ja"), ("plain", "behind1", "behind4")):
        here = [a for a in answers if (a.prompt.lang, a.prompt.shape) == (lang, shape)]
        yield f"{lang} {shape}", here
    gold = [(a, by_id[a.prompt.gold]) for a in answers if a.prompt.gold is not None]
    yield "same language", [a for a, memory in gold if memory.lang == a.prompt.lang]
    yield "other language", [a for a, memory in gold if memory.lang != a.prompt.lang]
    yield "global memories", [a for a, memory in gold if memory.scope == "global"]


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _table(answers: Sequence[Answer], project: str) -> str:
    head = _ROW.format("prompts", "neg", "false", "pos", "right", "precision", "overall")
    return head + "".join(_row(name, score(some)) for name, some in groups(answers, project))


def _row(name: str, s: Score) -> str:
    def shown(share: float | None) -> str:
        return "-" if share is None else f"{share:.3f}"

    rest = (shown(s.right), shown(s.precision), shown(s.overall))
    return _ROW.format(name, s.negatives, shown(s.false), s.positives, *rest)


def _misses(answers: Iterable[Answer], project: str) -> str:
    """Return every prompt with a wrong answer, and the memories that were shown instead."""
    texts = {memory.id: memory.text.replace("\n", " ") for memory in memories(project)}
    lines: list[str] = []
    for a in answers:
        if a.prompt.gold is None and a.shown:
            lines.append(f"\nfalse {a.prompt.id} {a.prompt.shape}: {a.prompt.text}")
        elif a.prompt.gold is not None and not a.is_right:
            lines.append(f"\nmiss {a.prompt.id} {a.prompt.shape}: {a.prompt.text}")
            lines.append(f"  gold  {a.prompt.gold}: {texts[a.prompt.gold]}")
        else:
            continue
        lines += [f"  shown {identity}: {texts[identity]}" for identity in a.shown]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Print the table of one project. Return 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.samesubject.run")
    parser.add_argument("--project", choices=PROJECTS, default=PROJECTS[0])
    parser.add_argument("--misses", action="store_true", help="list the wrong answers")
    parser.add_argument("--when", action="store_const", const="all", default="none", dest="phrased")
    parser.add_argument("--when-half", action="store_const", const="half", dest="phrased")
    parser.add_argument("--vectors", action="store_true", help="search by meaning, too")
    parser.add_argument("--timed", action="store_true", help="as far as a hook waits for them")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as directory:
        answers = play(
            Path(directory) / "store",
            options.project,
            phrased=options.phrased,
            vectors=options.vectors,
            timed=options.timed,
        )
    sys.stdout.write(_table(answers, options.project))
    if options.misses:
        sys.stdout.write(_misses(answers, options.project))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
