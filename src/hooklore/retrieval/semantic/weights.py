"""Weigh the similarity of vectors beside shared words: pure numbers, each with its measured effect."""

import re

COSINE_STEP = 0.03
"""The distance of cosines within one store (e5-small): one step counts as 1. Measured over the records of a
store the step would be the same within a tenth, but would change with records that a reader may not see."""

UNRELATED_COSINE = 0.8
"""The cosine of two unrelated texts: .79 in English, .80 in Japanese."""

LATIN_WEIGHT, CJK_WEIGHT = 2.0, 10.0
"""The weight of one step beside BM25, which `index.text.CONVERSATION_BOOST` raises. English (locomo) with
0 / 1 / 2 / 3 / 5: MRR .552 / .559 / .565 / .562 / .543. Japanese (jsquad) with 0 / 4 / 8 / 12: R@1
.877 / .889 / .891 / .895, because pairs of characters say less than words."""

LEXICAL_POOL_FACTOR, NEAREST_POOL_FACTOR = 5, 2
"""Records compared for each place of a list: of the best by words, and of the nearest. With three and one
locomo's R@5 is .698 instead of .705, with more it is the same; each record costs a read of the log."""

NEAREST_MEMORIES, COMPARED_MEMORIES = 2, 6
"""Memories that are judged because they are nearest, whatever words they share with a sentence, and those with
which a lead is computed."""

_CJK = re.compile("[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_GRAMMAR = re.compile(r"[\u3041-\u309f?？]|什么|多少|怎|哪|谁|何时|吗|的|是")
"""Grammar of Japanese and Chinese: a question, or a sentence, not a row of keywords."""


def semantic_weight(text: str) -> float:
    """Return the weight of one step of similarity for a question.

    The weight is 0 for a single word, which has little meaning. It is 0 for keywords in Japanese or
    Chinese, too: jsquad_kw R@5 is .984 without vectors, .941 with them.
    """
    if has_cjk(text):
        return CJK_WEIGHT if _GRAMMAR.search(text) else 0.0
    return LATIN_WEIGHT if len(text.split()) > 1 else 0.0


def cosine_to_steps(cosine: float) -> float:
    """Return how many steps a cosine lies above that of unrelated texts."""
    return (cosine - UNRELATED_COSINE) / COSINE_STEP


def has_cjk(text: str) -> bool:
    """Return whether a text has Chinese, Japanese or Korean characters."""
    return bool(_CJK.search(text))
