"""Extract what a user's prompt states to last: sentences in an explicit form, by rule and without a model.

A sentence that is in no form, or in doubt, is left to the agent: a wrong rule hardens in every brief.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hooklore.instructions.forms import (
    FORMS,
    LOCAL,
    MANNER,
    MOMENT,
    OPAQUE,
    PROHIBITION,
    REPORT,
    TEMPORARY,
    Form,
    InstructionKind,
    is_base_form,
)
from hooklore.text.display_width import display_width
from hooklore.text.tool_kinds import TOOL_MARK, mark_tools
from hooklore.text.user_text import MAX_PROMPT_LENGTH, Sentence, extract_user_sentences

_LONGEST = 600
_MANY = 8
"""Sentences of a prompt that describes a task, unless half of them are rules."""

_SHORTEST = 8
"""Columns of words that name a subject, or that are worth remembering."""

_BECAUSE = re.compile(r"(?:because|since|the reason is|なぜなら|というのも|理由は)")
_REASON = re.compile(
    r"(?:(?:[うくすつぬぶむるぐたいだん]|です|ます)から|(?:[うくすつぬぶむるぐたいのな])ため|[うくすつぬぶむるぐたいなん]ので)"
    r"(?:です|でした|だ|だよ|だね|だから|ね|よ)?$"
)
"""The end of a sentence that is nothing but a reason. A noun before `から` says where something begins."""

_NO_REASON = re.compile(
    r"^(?:次|また|あと|後|明日|さっき|この後|今から|では|じゃあ|それでは|ところで)"
)
_WORK = re.compile(
    r"(?:て|[んい]で)(?:から)?(?:ください|下さい|くださいね|ね|よ|ほしい(?:です)?|欲しい(?:です)?|くれ|おいて|"
    r"もらえますか|くれますか|いただけますか)?$|(?:お願い|おねがい)(?:します|いたします)?$"
)
_ACT = re.compile(
    r"^(?:(?:please|now|then|also|and|first|next|can you|could you|ok|okay|so)[, ]+)*(?P<verb>[a-z]+)\b"
)
_REQUEST = re.compile(r"^(?:(?:can|could|would|will) you|please)\b|(?:もらえ|くれ|いただけ)ますか$")
_REQUESTS_TEXT = re.compile(
    r"\s*(?:please )?(?:add|put|write|append|document|create|explain|insert|include|paste|change|fix|print"
    r"|output|say|here (?:is|are))\b|.*(?:追加|書い|追記|作っ|説明し|出力し|表示し)て(?:ください)?$",
    re.IGNORECASE,
)
"""A request to write something, before a colon. The text behind the colon is no instruction."""

_JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_JAPANESE_GRAMMAR = re.compile("[をにへはでが].{0,200}[\u3041-\u3096]{2}$")
_FILLER = re.compile(
    r"^(?:(?:no|nope|yes|ok|okay|hmm|wrong|sorry|hey|and|but|also|so|please|remember|from now on|"
    r"going forward|always|never|don'?t|do not|"
    r"that'?s (?:wrong|not (?:right|correct)|right)|not (?:right|correct)|いや|違う|違います|いいえ|"
    r"今後は?)(?![a-z])[\s,.:;!、。]*)*"
)


@dataclass(frozen=True, slots=True)
class Instruction:
    """The user's own words, with their offsets in the prompt, the name of their form and their kind."""

    text: str
    start: int
    end: int
    form: str
    kind: InstructionKind
    answers: bool = False
    """True of what is kept only where it ends or marks an earlier rule."""


def extract_instructions(prompt: str, *, with_answers: bool = False) -> list[Instruction]:
    """Return what a prompt states to last, in order, each once; with `with_answers` also what answers a rule.

    Questions, code, quotations, pasted text, reports, hedged sentences and orders for one task are left out.
    In the description of a task only what the user asks to remember, or dates from now on, counts.
    """
    prompt = prompt[:MAX_PROMPT_LENGTH]
    sentences = extract_user_sentences(prompt)
    read = [each for n in range(len(sentences)) for each in _read(prompt, sentences, n)]
    found = [each for each in read if with_answers or not each.answers]
    if len(sentences) > _MANY and len(found) * 2 < len(sentences):
        found = [each for each in found if each.form in ("remember", "from now on", "decision")]
    return list({each.text: each for each in found}.values())


def _read(prompt: str, sentences: Sequence[Sentence], n: int) -> Iterator[Instruction]:
    """Yield what the sentence `n` states to last, with its reason where the next sentence gives one."""
    sentence = sentences[n]
    marked = mark_tools(sentence.text)
    for form, pattern in _COMPILED[_language(sentence.text)]:
        text = marked if TOOL_MARK in pattern.pattern else sentence.text
        for found in pattern.finditer(text):
            if _is_meant(sentence, form, found) and _is_lasting(sentences, n, form):
                named = _named(sentences, n, form, found)
                if named is not None:
                    yield _made(prompt, named, form)
                return


def _language(text: str) -> int:
    """Return the column of the table: 1 for a sentence with Japanese grammar, whatever words it borrows."""
    japanese = len(_JAPANESE.findall(text))
    is_japanese = japanese * 4 > len(text) - japanese or _JAPANESE_GRAMMAR.search(text)
    return 1 if is_japanese else 0


def _compile(pattern: str) -> re.Pattern[str]:
    """Return the pattern with each of its groups named once, as `verb_3`."""
    parts = re.split(r"(?<=\(\?P<)(verb|rest)\d?(?=>)", pattern)
    parts[1::2] = [f"{name}_{n}" for n, name in enumerate(parts[1::2])]
    return re.compile("".join(parts))


_COMPILED: tuple[list[tuple[Form, re.Pattern[str]]], ...] = (
    [(form, _compile(form.english)) for form in FORMS],
    [(form, _compile(form.japanese)) for form in FORMS],
)


def _groups(found: re.Match[str], name: str) -> list[str]:
    return [text for key, text in found.groupdict().items() if key.startswith(name) and text]


def _is_meant(sentence: Sentence, form: Form, found: re.Match[str]) -> bool:
    """Return whether a match is the user's instruction to last: no question, doubt, report or order of now."""
    text = sentence.text
    is_asked = sentence.terminator[:1] in ("?", "？") or text.endswith(("か", "かな", "っけ"))
    if is_asked and not (form.name in ("remember", "from now on") and _REQUEST.search(text)):
        return False
    if form.name == "use Y, not X" and LOCAL.search(text):
        return False
    if _is_dictated(text, found):
        return False
    if MOMENT.search(text) or (
        not (form.name == "remember" or form.answers) and REPORT.search(text)
    ):
        return False
    return all(is_base_form(verb) for verb in _groups(found, "verb"))


def _is_dictated(text: str, found: re.Match[str]) -> bool:
    """Return whether a match stands behind a request and a colon: `add to the linter: never use var`."""
    verb = next((at for at in map(found.start, found.groupdict()) if at >= 0), found.start())
    head, colon, _ = text[: max(verb, found.start() + 1)].replace("：", ":").rpartition(":")
    return bool(colon) and _REQUESTS_TEXT.match(head) is not None


def _named(
    sentences: Sequence[Sentence], n: int, form: Form, found: re.Match[str]
) -> Sequence[Sentence] | None:
    """Return the sentences of a match that name its subject; None where the subject stands nowhere."""
    own = sentences[n]
    if form.name == "remember" and found.groupdict() and not _groups(found, "verb"):
        return _remembered(sentences, n, "".join(_groups(found, "rest")))
    if _is_opaque(own.text, found):
        return None
    is_reasoned = n + 1 < len(sentences) and _is_reason(sentences[n + 1])
    return (own, sentences[n + 1]) if form.name == "decision" and is_reasoned else (own,)


def _is_reason(sentence: Sentence) -> bool:
    """Return whether a sentence behind a decision says why: by its beginning, or in Japanese by its end."""
    if sentence.terminator[:1] in ("?", "？"):
        return False
    if _BECAUSE.match(sentence.text):
        return True
    is_other = _NO_REASON.match(sentence.text) or MOMENT.search(sentence.text)
    return not is_other and _REASON.search(sentence.text) is not None


def _is_lasting(sentences: Sequence[Sentence], n: int, form: Form) -> bool:
    """Return whether a prohibition without `never` lasts: beside a task, or for one place, it is the task's."""
    text = sentences[n].text
    if form.name == "do not":
        if TEMPORARY.search(text) or (LOCAL.search(text) and not MANNER.search(text)):
            return False
    elif not form.plain:
        return True
    return not any(_asks_for_work(each) for k, each in enumerate(sentences) if k != n)


def _asks_for_work(sentence: Sentence) -> bool:
    """Return whether a sentence tells somebody to do something."""
    if _language(sentence.text):
        return _WORK.search(sentence.text) is not None and not PROHIBITION.search(sentence.text)
    told = _ACT.match(sentence.text)
    return told is not None and is_base_form(told["verb"]) and not PROHIBITION.search(sentence.text)


def _is_opaque(text: str, found: re.Match[str]) -> bool:
    """Return whether a match says of its object only `it` or `that`, and no words before it name the object."""
    verbs = [key for key, verb in found.groupdict().items() if key.startswith("verb") and verb]
    if not verbs:
        return OPAQUE.match(text) is not None
    before = _FILLER.sub("", text[: found.start(verbs[0])])
    return display_width(before) < _SHORTEST and OPAQUE.match(text, found.end(verbs[0])) is not None


def _remembered(sentences: Sequence[Sentence], n: int, rest: str) -> Sequence[Sentence] | None:
    """Return the sentence that the user asks to remember: this one, else the next or the one before."""
    if display_width(rest) >= _SHORTEST and not OPAQUE.fullmatch(rest.strip()):
        return (sentences[n],)
    is_announced = sentences[n].terminator in ("\n", "") or sentences[n].text.endswith((":", "："))
    beside = n + 1 if is_announced and n + 1 < len(sentences) else n - 1
    beside = n + 1 if beside < 0 else beside
    if beside == len(sentences) or sentences[beside].terminator[:1] in ("?", "？"):
        return None
    return (sentences[beside],) if display_width(sentences[beside].text) >= _SHORTEST else None


def _made(prompt: str, named: Sequence[Sentence], form: Form) -> Instruction:
    start, end = named[0].start, min(named[-1].end, named[0].start + _LONGEST)
    kind = form.kind
    if form.name in ("from now on", "remember", "always") and PROHIBITION.search(named[0].text):
        kind = "constraint"
    return Instruction(prompt[start:end].rstrip(), start, end, form.name, kind, form.answers)
