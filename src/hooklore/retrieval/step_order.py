"""The orders of steps that a rule says, read from its phrases by the table of acts."""

import re
from functools import lru_cache
from typing import NamedTuple

from hooklore.agents.registry import MODULES
from hooklore.shell.acts import CLOSING
from hooklore.shell.calls import Call
from hooklore.shell.named_step import Mention, NamedStep, find_steps
from hooklore.text.condition import find_content_words
from hooklore.text.order_rule import OrderPhrases, find_order_phrases


class StepOrder(NamedTuple):
    """One order: at a step of `then`, each group of `first` is due, of which one step is enough.

    Without groups no step can show what is due. `changed` are words of the files whose change makes it due, None
    where no change is needed, and an empty set for any file. `place` is the branch or the environment that
    `then` is for.
    """

    first: tuple[tuple[NamedStep, ...], ...]
    then: tuple[NamedStep, ...]
    changed: frozenset[str] | None = None
    place: str = ""
    is_after: bool = False
    is_ban: bool = False

    @property
    def of_files(self) -> bool:
        """True where what is due reads or rewrites files, so that a change makes it due again."""
        return any(step.of_files for group in self.first for step in group)

    @property
    def follows_change(self) -> bool:
        """True for `after you change X, do Y`: what ran before the change does not count."""
        return self.is_after and self.changed is not None


_FILLER = re.compile(
    rf"(?:(?:you|we|i|agents?|{'|'.join(MODULES)}|anyone|ever|actually|can|may|are|going|to|start|begin|"
    r"try|go|ahead|and|finally|proceed|"
    r"want|do|doing|make|making|run|running|runs|create|creating|open|opening|raise|raising|submit|"
    r"submitting|send|sending|file|"
    r"filing|put|putting|up|cut|cutting|starting|execute|executing|call|calling|perform|performing|apply|"
    r"applying|use|using|each|every|"
    r"any|all|a|an|the|your|our|my|new|next|another|final|first|production|prod|git|local|full|whole|big|"
    r"database|db|schema|"
    r"that|this|of|(?:anything|something|it|this|code|changes?|work|branch|prs?|release|you) (?:is|gets?|"
    r"are|being|been|have|has been)|here)"
    r"\s+|[`\"'])*",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"[`\"']?\s*(?:$|[,.;:!?)(/&`]|(?:to|on|in|into|onto|of|for|from|with|and|or|at|by|the|a|an|any|all|"
    r"your|our|my|this|that|it|"
    r"them|changes?|code|anything|everything|something|so|because|as|again|is|are|goes|runs?|work|files?|"
    r"branch|main|master|"
    r"new|up|locally|commands?|scripts?|targets?|jobs?|suites?)\b)",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"\s*[`\"']?\s*(?:,|/|,?\s*\bor\b|,?\s*\band\b|[やと・]|または|か)\s*(?:to\s+)?[`\"']?\s*",
    re.IGNORECASE,
)
_JA_BEHIND = re.compile(
    r"[`」』]?\s*(?:$|を?(?:する|します|した|し|実行|走らせ|流す|回す|かけ|行う|行な|出す|出し|作る|作り|"
    r"作成|上げ|あげ|切る|切り|打つ|打ち|開く|開き|送る|"
    r"送り|当て|適用|開始)|の|時|へ|[やと・、/]|または|て|で|しない|せず|禁止|コマンド|[ぁ-ん]{1,4}$)"
)
_FINISHING = re.compile(
    r"^(?:(?:you|we|i|ever|are|say|saying|call|calling|claim|claiming|declare|declaring|mark|marking|"
    r"tell(?:ing)? me|the|a|any|your|"
    r"it|task|work|that|it's|you're|as)\s+)*(?:done|finish(?:ed|ing)?|complet(?:e|ed|ing)|hand(?:ing)?(?: "
    r"it)? (?:over|off|back)|"
    r"wrap(?:ping)? up|ask(?:ing)? for (?:a )?review|request(?:ing)? (?:a )?review|report(?:ing)? back)\b"
    r"|^(?:作業|タスク|実装)?を?(?:完了|終了|終え|終わ|仕上げ)",
    re.IGNORECASE,
)
_CHANGING = re.compile(
    r"^(?:when(?:ever)?|if|after|once|every time)\s+(?:an?|the|any|some)\s+(?P<passive>.+?)\s(?:gets?|is|"
    r"are|was|were|ha[sv]e? been)\s[a-z]+$"
    r"|^(?:(?:when|whenever|if|after|once|every time|each time|you|we|i|any|every|each|all|the|a)\s+|"
    r"(?:you|we|i)['’]ve\s+)*"
    r"(?:chang|edit|modif|touch|updat|add|writ|creat|renam|alter|refactor|mov|delet|remov|work|regenerat|"
    r"bump)\w*\b(?P<what>.*)$"
    r"|^(?P<noun>.*?)\s*\bchang(?:e|es|ed|ing)\b.*$|^(?:for|in)\s(?P<files>.+)$"
    r"|^(?P<ja>.+?)(?:を|に|の)?(?:変更|編集|修正|更新|追加|触|変え|書き換え|いじ|直|足|増や)"
    r"|^(?P<bare>[A-Za-z_.-]+)\s*(?:直|変更|編集|修正|更新|触|変え|いじ)",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"\b(?:ask\w*|check(?:ing)? (?:in )?with|confirm\w*|tell(?:ing)?|notify|ping|let(?:ting)? me|approv\w*|"
    r"permission|go-?ahead|sign-?off|"
    r"my (?:ok|okay|go|consent|say|review)|consult\w*|i (?:say|have|confirm|agree|ok)|show(?:ing)? me|"
    r"warn|ci|pipeline|review\w*|"
    r"green)\b"
    r"|聞|確認|相談|許可|承認|知らせ|教え|一声|声をかけ|見せ|了承|了解|レビュー|CI",
    re.IGNORECASE,
)
_NO_ORDER = re.compile(
    r"^(?:the|a|an|it|this|that|these|those|they|he|she|as|like|just|there|which|\W)\b|\bused to\b",
    re.IGNORECASE,
)
_EITHER = re.compile(r"\bor\b|または|もしくは|どちらか", re.IGNORECASE)
_PLACE = re.compile(
    r"\b(?:production|prod|staging|main|master|develop|trunk)\b|本番|ステージング", re.IGNORECASE
)
_PLACES = {"prod": "production", "本番": "production", "ステージング": "staging"}
_IMAGE = re.compile(r"\bdocker\b|\bcontainer images?\b|\bimages?\b|イメージ", re.IGNORECASE)
_OBJECT = re.compile(
    r"^[`\"']?\s*(?P<what>.*?)\s*(?:$|[,.;:]|\b(?:to|on|in|into|onto|for|from|with|and|or|at|by|that|which)\b)"
)
_NO_FILES = frozenset(
    find_content_words(
        "changes work code anything everything stuff branch branches main master message origin remote "
        "upstream feature history time"
        " request commit push merge tag release version local staged small big large final important "
        "production prod"
        " staging source files of today current already amended yourself directly up"
    )
)
_ANY_FILE = find_content_words(
    "code files file anything something source sources changes project codebase repo"
)
_FILE = re.compile(
    r"(?<![\w/])(?:[\w.@-]+/[\w./@*-]*|[\w-]*\.[a-z]{1,10}\b)", re.IGNORECASE | re.ASCII
)
"""A file, a folder or an extension."""

_CHECKING = frozenset(("format", "lint", "type check", "test", "build"))
_USING = frozenset(("test", "build", "start", "type check"))
_JA_WORDS = {
    "スキーマ": "schema", "マイグレーション": "migration", "テスト": "test", "ドキュメント": "docs",
    "設定": "config", "モデル": "model", "コード": "code", "ファイル": "files", "ソース": "source",
    "依存": "dependency", "翻訳": "locale", "型定義": "types", "画面": "view", "クライアント": "client",
    "サーバー": "server", "データベース": "database", "スタイル": "css", "フロントエンド": "frontend",
    "バックエンド": "backend", "プロト": "proto", "何か": "anything",
}  # fmt: skip
_JA_WORD = re.compile("|".join(_JA_WORDS))
"""Japanese names of files, by the words of their paths."""


@lru_cache(maxsize=2048)
def find_step_orders(text: str) -> tuple[StepOrder, ...]:
    """Return the orders of steps that a rule says, none for a rule about anything else."""
    read = (map(_compile, ways) for ways in find_order_phrases(text))
    found = (next(filter(None, ways), None) for ways in read)
    return tuple(order for order in found if order is not None)


def _compile(said: OrderPhrases) -> StepOrder | None:
    order = _compile_after(said) if said.is_after else _compile_before(said)
    if order is None or not said.case:
        return order
    return order._replace(changed=_changed_words(said.case))


def _compile_before(said: OrderPhrases) -> StepOrder | None:
    then = _leading_steps(said.then)
    if not then and _FINISHING.search(said.then):
        then = (NamedStep(CLOSING),)
    if not then and not find_steps(said.then):
        then = _by_words(f"run {said.then}" if said.is_listed else said.then)
    first = _groups(said.first) or _said_words(said)
    if not then or (not first and not _is_request(said)) or _is_one_step(first, then):
        return None
    changed = _object_words(said.then)
    return StepOrder(first, then, changed or None, _place(said.then), is_ban=said.is_ban)


def _compile_after(said: OrderPhrases) -> StepOrder | None:
    done, due = _leading_steps(said.then), _leading_steps(said.first)
    first = _groups(said.first)
    is_closing = any(not step.acts.isdisjoint(CLOSING) for step in due)
    if done and all(step.of_files for step in done) and is_closing:
        return StepOrder(tuple((step,) for step in done), due, place=_place(said.first))
    if done:
        is_order = (first or _is_request(said)) and not _is_one_step(first, done)
        return StepOrder(first, done, place=_place(said.then), is_after=True) if is_order else None
    changed = _changed_words(said.then)
    if changed is None or not first:
        return None
    # A step that follows a change is missed where the work is handed on, or used; a check where it is handed on.
    is_check = all(step.acts and step.acts <= _CHECKING for group in first for step in group)
    missed_at = NamedStep(CLOSING if is_check else CLOSING | _USING)
    return StepOrder(first, (missed_at,), changed, is_after=True)


_RUN = re.compile(
    r"^(?:(?:to|you|we|i|the|a|always|please|do|make sure)\s+)*(?:run|running|execut(?:e|ing)|"
    r"launch(?:ing)?|invok(?:e|ing)|start(?:ing)?|"
    r"call(?:ing)?|kick(?:ing)? off|trigger(?:ing)?)\s+(?P<what>[^,.;]+)",
    re.IGNORECASE,
)
_DO = re.compile(
    r"^(?:(?:to|you|we|i|always|please)\s+)*(?P<what>restart|reload|reboot|upload|seed|reindex|drain|"
    r"restore|roll back|rollback|reset|train|"
    r"benchmark|render|simulate|import|sign|archive|sync|bootstrap|provision|calibrate|warm|scale|"
    r"rotate|export|submit|promote)(?:s|ing|ning|ting)?\b",
    re.IGNORECASE,
)
_NO_NAMES = find_content_words(
    "script command commands program tool full whole complete suite first latest local quick job task "
    "everything anything new thing "
    "things check checks look read sure have make take give write everyone always must should need want "
    "through top with when pass passes passed once twice again clean fresh real live app server"
)


def _by_words(phrase: str) -> tuple[NamedStep, ...]:
    """Return a step that is in no table by its own words: `running the simulator`, `restarting nginx`."""
    found = _RUN.match(phrase) or _DO.match(phrase)
    words = find_content_words(found["what"]) - _NO_NAMES if found else frozenset()
    return (NamedStep(words=words),) if words else ()


def _said_words(said: OrderPhrases) -> tuple[tuple[NamedStep, ...], ...]:
    """Return a step that is in no table by the words of its phrase, none for a question to the person.

    The words that the second step has as well tell nothing of the first.
    """
    if (
        _ASKING.search(said.first)
        or said.is_ban
        or not said.first.isascii()
        or _NO_ORDER.match(said.first)
    ):
        return ()
    words = find_content_words(said.first) - find_content_words(said.then) - _NO_NAMES
    words = frozenset(word for word in words if len(word) > 3)
    return ((NamedStep(words=words),),) if words else ()


def _groups(phrase: str) -> tuple[tuple[NamedStep, ...], ...]:
    """Return the steps that are due: each of them, or one of them where the phrase says or."""
    steps = tuple(dict.fromkeys(mention.step for mention in find_steps(phrase))) or _by_words(
        phrase
    )
    if _EITHER.search(phrase):
        return (steps,) if steps else ()
    return tuple((step,) for step in steps)


def _is_request(said: OrderPhrases) -> bool:
    """Return whether a phrase asks for what no step shows. Behind a ban only a question to the person does."""
    if _ASKING.search(said.first):
        return True
    return not said.is_ban and _NO_ORDER.match(said.first) is None and len(said.first) > 3


def _is_one_step(first: tuple[tuple[NamedStep, ...], ...], then: tuple[NamedStep, ...]) -> bool:
    return any(step in then for group in first for step in group)


def _leading_steps(phrase: str) -> tuple[NamedStep, ...]:
    """Return the steps that a phrase is about: they stand at its beginning, in Japanese at its end."""
    mentions = find_steps(phrase)
    if not mentions:
        return ()
    if not phrase.isascii():
        return _last_steps(phrase, mentions)
    filler = _FILLER.match(phrase)
    first = mentions[0]
    if filler is None or filler.end() < first.start or not _is_meant(phrase, first):
        return ()
    return _of_image(phrase, _joined(phrase, mentions))


def _is_meant(phrase: str, mention: Mention) -> bool:
    """Return whether a word is the step and not a part of a thing: `before the commit trailer` names none."""
    if mention.step.call is not None:
        return True
    word, before = (
        phrase[mention.start : mention.end].lower(),
        phrase[: mention.start].lower().split(),
    )
    is_verb = (
        word.endswith("ing")
        or before[-1:] in (["you"], ["we"], ["i"], ["to"], ["ever"])
        or not before
    )
    return is_verb or _BEHIND.match(phrase[mention.end :].lstrip()) is not None


def _joined(phrase: str, mentions: tuple[Mention, ...]) -> tuple[NamedStep, ...]:
    """Return the steps of a list: `committing or pushing`."""
    found, end = [mentions[0].step], mentions[0].end
    for mention in mentions[1:]:
        joint = _JOINT.fullmatch(
            _FILLER.sub("", phrase[end : mention.start] + " ").rstrip()
            or phrase[end : mention.start]
        )
        if joint is None:
            break
        found.append(mention.step)
        end = mention.end
    return tuple(found)


def _last_steps(phrase: str, mentions: tuple[Mention, ...]) -> tuple[NamedStep, ...]:
    last = mentions[-1]
    if _JA_BEHIND.match(phrase[last.end :]) is None and not re.match(
        r"[a-z ]*$", phrase[last.end :]
    ):
        return ()
    found = [last.step]
    for mention, behind in zip(reversed(mentions[:-1]), reversed(mentions[1:]), strict=True):
        if not re.fullmatch(
            r"\s*(?:する|した)?(?:[やと・、,/]|または|か)\s*", phrase[mention.end : behind.start]
        ):
            break
        found.append(mention.step)
    return _of_image(phrase, tuple(found))


def _of_image(phrase: str, steps: tuple[NamedStep, ...]) -> tuple[NamedStep, ...]:
    """Return the steps of images where a phrase names one: `before you push the image`."""
    if not _IMAGE.search(phrase) or any(step.call for step in steps):
        return steps
    verbs = [verb for verb in ("build", "push") if any(verb in step.acts for step in steps)]
    images = (
        Call("docker", (*way, verb), frozenset(), "docker")
        for verb in verbs
        for way in ((), ("buildx",), ("compose",))
    )
    return tuple(NamedStep(call=call) for call in images) or steps


def _place(phrase: str) -> str:
    found = _PLACE.search(phrase)
    return _PLACES.get(found[0].lower(), found[0].lower()) if found else ""


def _object_words(phrase: str) -> frozenset[str]:
    """Return the words of the files that are committed or pushed: `before you commit a migration`."""
    mentions = find_steps(phrase)
    if not mentions or not phrase.isascii() or not mentions[0].step.acts & {"commit", "push"}:
        return frozenset()
    found = _OBJECT.match(phrase[mentions[0].end :])
    return find_content_words(found["what"]) - _NO_FILES if found else frozenset()


def _changed_words(phrase: str) -> frozenset[str] | None:
    """Return the words of the files whose change a phrase speaks of, none for any file; None for another phrase."""
    found = _CHANGING.match(phrase)
    if found is None:
        return None
    what = next((each for each in found.groups() if each is not None), "")
    if files := _FILE.findall(what):
        return frozenset(file.lower().removeprefix("./").rstrip("/*") for file in files)
    spelled = _JA_WORD.sub(lambda word: f" {_JA_WORDS[word[0]]} ", what)
    words = find_content_words(spelled)
    return words - _ANY_FILE if words or spelled.isascii() else None
