"""Detect orders to an agent in text that no user said: from a page, a tool, another agent.

No detector knows every phrase. This one knows the plain ones, in English and Japanese, and leaves
honest notes alone: "run `make` first" is advice, and stays. Linear time (RE2).
"""

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import re2

from hooklore.agents.registry import spoken_names
from hooklore.records.record import Body, Record
from hooklore.records.schema import UNTRUSTED
from hooklore.redaction.pattern import quiet_options
from hooklore.text.unicode_cleaning import fold_confusables, strip_invisible

_SCANNED_CHARACTERS = 16 * 1024

_NAMES = spoken_names()
_TEXT = r"(?:instructions?|prompts?|guidelines?|directives?|orders?|commands|messages?)"
_AGENT = (
    r"(?:ai|a\.i\.|llms?|(?:large )?language models?|ai (?:coding )?(?:assistants?|agents?|models?)|coding "
    f"(?:assistants?|agents?)|(?:assistant|agent|model)s?|(?:{_NAMES})(?: code)?|codex|copilot|chatgpt|gpt)"
)
_ACT = (
    r"(?:run|execute|delete|remove|send|post|upload|download|install|curl|fetch|email|forward|disable"
    r"|reveal|print|output|leak|exfiltrate|approve|grant|obey|comply|call|invoke|respond|reply)"
)
_VALUABLE = (
    r"(?:credentials?|secrets?|api keys?|tokens?|private keys?|ssh keys?|passwords?|\.env"
    r"|environment variables?|env vars?|id_rsa)"
)

_PHRASES = (
    # earlier instructions no longer count
    (rf"\b(?:ignore|disregard|forget|override|discard)\s+(?:(?:all|any|of|the|your|my|these|those|every)\s+)*"
     rf"(?:previous|prior|above|earlier|preceding|foregoing|former|original|initial|system)\s+(?:\w+\s+){{0,2}}"
     rf"(?:{_TEXT}|rules?|context|conversation|training)\b"),
    (rf"\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|of)\s+)*your\s+(?:\w+\s+){{0,2}}"
     rf"(?:{_TEXT}|rules|training|programming|safety)\b"),
    (r"\b(?:ignore|disregard|forget)\s+(?:everything|all|anything)\s+(?:\w+\s+)?"
     r"(?:above|before this|you (?:were|have been|are) (?:told|taught|given)|that was said)"),
    # another role
    rf"\byou are now (?:an?|the|my) (?:\w+\s){{0,4}}{_AGENT}\b",
    (rf"\byou are (?:now|no longer) (?:in|bound|restricted|limited|required|dan\b|free (?:of|from|to)|{_NAMES})"
     r"(?: by| to)? ?(?:developer mode|jailbreak|any|your|the rules|restrictions|dan\b|do anything)?"),
    r"\bfrom now on,? you (?:will|must|are to|shall|should (?:only|always|never))\b",
    rf"\b(?:new|updated|revised) system (?:{_TEXT})\b\s?[:!]",
    rf"\byour (?:new|real|actual|true) (?:{_TEXT}|task|goal|mission|objective|purpose) (?:is|are|now)\b",
    # an agent is spoken to
    rf"\bif you(?:'re| are) (?:an? |the )?{_AGENT}\b(?: \w+){{0,3}},? .{{0,40}}\b(?:must|please|{_ACT})\b",
    (rf"\b(?:attention|important|urgent|notice|message|note|warning|directive|request|order)s?\b"
     rf"(?: (?:to|for))?[:,!]? (?:all |any |the |every )?{_AGENT}\s?[:!,-].{{0,60}}\b(?:must|please|{_ACT})\b"),
    rf"\b(?:you|{_AGENT}) must (?:now|immediately|at once|instantly)\b.{{0,60}}\b{_ACT}\b",
    (r"\b(?:run|execute) (?:this|the following|these) (?:\w+ )?(?:commands?|scripts?|code)\b.{0,60}"
     r"\b(?:silently|at once|immediately|right now|before (?:you |doing|answering|anything|responding)"
     r"|without (?:asking|telling|confirm|informing))"),
    # the user is not to know
    (r"\b(?:do not|don't|never|must not|without)\s+(?:tell|telling|inform|informing|mention|mentioning|reveal"
     r"|revealing|alert|alerting)\s+(?:\w+\s){0,4}?(?:to\s+)?(?:the|your)\s+(?:user|human|operator|owner)\b"),
    # secrets that leave
    r"\b(?:curl|wget|invoke-webrequest)\s.{0,80}https?://[^\s'\"]{0,200}\$\{?\w*(?:key|token|secret|pass)",
    (r"\b(?:curl|wget|nc|ncat)\b.{0,120}(?:@|<|\$\(cat |`cat )\s?\S{0,40}(?:id_rsa|id_ed25519|\.env\b|\.ssh/|"
     r"\.aws/|credentials)"),
    (rf"\b(?:send|post|upload|forward|e?mail|exfiltrate|transmit)\b.{{0,60}}\b{_VALUABLE}\b.{{0,60}}\bto\b"
     rf".{{0,20}}(?:https?://|\w@)"),
    (r"\b(?:reveal|print|output|repeat|show|leak|tell me)\s+(?:me\s+)?your\s+(?:\w+\s)?"
     r"(?:system|developer|hidden)\s+(?:prompt|message|instructions)"),
    # the same in Japanese
    (r"(?:以前|これまで|今まで|先ほど|前|上記|上|既存|すべて|全て|全部|元|システム|過去)の[^。\n]{0,12}"
     r"(?:指示|命令|指令|ルール|規則|プロンプト|制約)[^。\n]{0,8}(?:無視|忘れ|破棄|従わな|従うな)"),
    r"(?:指示|命令|指令|プロンプト)(?:を|は)(?:すべて|全て|全部|一切)?(?:無視し(?:て(?:ください|下さい|、|。)|ろ|なさい)|忘れ(?:て(?:ください|、|。)|ろ|なさい))",
    r"(?:今から|これから|以後|以降)、?(?:あなた|お前|きみ|君)は|(?:あなた|お前|きみ|君)は(?:今|これ)から",
    (r"(?:ユーザー?|利用者|人間|所有者)(?:に|には|へ)[^。\n]{0,10}(?:知らせ|伝え|言わ|教え|報告せ|報告し|通知せ|"
     "気づかれ)(?:ず|ない(?:で|よう|こと)|るな|てはいけ|てはなら)"),
    (f"(?:ai|エージェント|アシスタント|言語モデル|{_NAMES}|codex|copilot|chatgpt)(?:は|へ|に告ぐ|への(?:指示|命令|"
     r"お願い))[^。\n]{0,60}(?:実行|送信|削除|アップロード|インストール|開示|転送)(?:して(?:ください|下さい)|"
     "しなさい|せよ|しろ|しなければ)"),
    r"(?:必ず|直ちに|今すぐ|ただちに|即座に|黙って)[^。\n]{0,60}(?:実行|送信|削除|転送|アップロード)(?:して(?:ください|下さい)|しなさい|せよ|しろ)",
    r"システムプロンプト(?:を|の内容を)[^。\n]{0,8}(?:表示|出力|開示|公開)(?:して(?:ください|下さい)|しなさい|せよ|しろ)",
    r"新しい(?:指示|命令|指令)(?:は(?:以下|次)|に従(?:って|え|い)|:)",
)  # fmt: skip


@functools.cache
def _phrases() -> Any:
    """Return the phrases as one filter: it looks for the words that each needs, and runs only what may match.

    One pattern of all took four times as long, in every event.
    """
    phrases = re2.Filter()
    for phrase in _PHRASES:
        phrases.Add(phrase, quiet_options())
    phrases.Compile()
    return phrases


def is_prompt_injection(text: str) -> bool:
    """Return whether a text tells an agent what to do, what to ignore, or what to keep from its user."""
    return _phrases().Match(text_as_seen(text)) is not None


def text_as_seen(text: str) -> bytes:
    """Return the beginning of a text as a reader sees it, on one line."""
    visible = fold_confusables(strip_invisible(text[:_SCANNED_CHARACTERS]))
    return " ".join(visible.split()).encode("utf-8", "replace")


def mark_untrusted(record: Record) -> Record:
    """Return the record, marked as untrusted where text that no user said gives orders to an agent."""
    if record.is_by_user or record.trust == UNTRUSTED:
        return record
    is_order = any(map(is_prompt_injection, _texts_of_notes(record.body)))
    return record.with_fields(trust=UNTRUSTED) if is_order else record


def _texts_of_notes(body: Body) -> Iterator[str]:
    """Yield the texts, labels and lists of a body that notes are made of. A draft's may be of any type."""
    told = (each for each in (body.sections, body.agent_said) if isinstance(each, dict))
    for lines in (body.errors, *(lines for each in told for lines in each.values())):
        if isinstance(lines, list):
            yield "\n".join(line for line in lines if isinstance(line, str))
    labels = (each for each in (body.when, body.tags) if isinstance(each, list | tuple))
    texts = (body.content_md, body.text, body.lessons, body.title, *itertools.chain(*labels))
    yield from (text for text in texts if isinstance(text, str) and text)
