"""Tell the rules that say how to answer the user, which hold in every project."""

import re

_TONGUE = r"(?:english|japanese|chinese|korean|french|german|spanish|italian|portuguese)"
_ANSWERS = re.compile(
    r"\b(?:answer|reply|respond|talk|speak|write back|explain (?:things|everything))\s(?:to )?(?:me\b|us\b|"
    rf"in (?:{_TONGUE}|short|one|a few|plain|simple|bullet)|short|brief|concise|polite|formal|casual|with short|"
    r"with brief|without)|\b(?:your|the) (?:answers?|replies|responses?|tone|explanations?|summaries)\b(?! of)|"
    r"\b(?:call|address) me\b|\bbe (?:more )?(?:concise|brief|terse|polite|formal)\b|"
    rf"^(?:from now on|going forward|always|please|[,\s])*(?:use |write |talk )?(?:in )?{_TONGUE}"
    r"(?: please| only| with me)?$|"
    r"^(?:今後|これから|いつも|必ず|常に|毎回|次から|は|も|、)*(?:(?:お)?(?:返答|回答|返事|返信|答え|説明|口調)[はをも]|"
    r"(?:日本語|英語|中国語|韓国語)(?:で|を使って)(?:$|お願い|ください|答え|話し|返|回答|説明|応答))|敬語|タメ口"
)


def is_about_answers(text: str) -> bool:
    """Return whether a rule says how to answer the user, which holds for the user in every project."""
    return _ANSWERS.search(text.lower()) is not None
