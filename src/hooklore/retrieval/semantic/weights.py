"""What a vector's nearness counts beside shared words: pure numbers, each with what it was measured to do."""

import re

COSINE_STEP = 0.03
"""How far cosines of one store lie apart (e5-small): one of them above another counts as 1. Measured over
what a store holds it would be the same within a tenth, and would change with records a reader may not see."""

UNRELATED_COSINE = 0.8
"""The cosine of two texts that have nothing to do with each other: .79 English, .80 Japanese."""

LATIN_WEIGHT, CJK_WEIGHT = 2.0, 10.0
"""What one step counts beside BM25, `index.text.TALK` times more than usual. English (locomo): 0 / 1 / 2 / 3 /
5: MRR .552 / .559 / .565 / .562 / .543. Japanese (jsquad): 0 / 4 / 8 / 12: R@1 .877 / .889 / .891 / .895;
pairs of characters say less than words do."""

LEXICAL_POOL_FACTOR, NEAREST_POOL_FACTOR = 5, 2
"""For each place of a list so many of the best by words, and so many of the nearest, are compared: with three
and one locomo's R@5 is .698 instead of .705, with more it is the same; each costs a look into the log."""

MIN_COMPARED_MEMORIES = 6
"""So many memories at least are compared with the nearest one: of two it says which leads."""

_CJK = re.compile("[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_ASKS = re.compile(r"[\u3041-\u309f?？]|什么|多少|怎|哪|谁|何时|吗|的|是")
"""Grammar of Japanese and Chinese: a question, or a sentence, not a row of keywords."""


def semantic_weight(text: str) -> float:
    """What one step of nearness counts for a question.

    Nothing for a single word, which has little meaning, nor for keywords in Japanese or Chinese: words
    find them better (jsquad_kw R@5 .984 without, .941 with).
    """
    if has_cjk(text):
        return CJK_WEIGHT if _ASKS.search(text) else 0.0
    return LATIN_WEIGHT if len(text.split()) > 1 else 0.0


def cosine_to_steps(cosine: float) -> float:
    """How far a cosine lies above what unrelated texts have."""
    return (cosine - UNRELATED_COSINE) / COSINE_STEP


def has_cjk(text: str) -> bool:
    """Whether a text has Chinese, Japanese or Korean characters."""
    return bool(_CJK.search(text))
