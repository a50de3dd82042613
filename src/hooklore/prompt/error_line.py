"""The one line of a tool's output that a model may be shown: the error line of the project's own command.

What a tool printed was written by others: a web page, an issue, a dependency's test. No detector knows every
order that such a text may give, so that nothing of it is shown but an error line, and of error lines
only those that speak to nobody. An honest line that is left out costs little: the fix is shown without it.
"""

import re

from hooklore.agents.registry import spoken_names
from hooklore.late_pattern import compile_late
from hooklore.prompt.injection import is_prompt_injection, text_as_seen
from hooklore.records.record import Body
from hooklore.redaction.pattern import Pattern
from hooklore.shell.command import is_project_command
from hooklore.text.token_estimate import truncate_text

MAX_ERROR_LINE = 160

_THING = (
    r"(?:(?:the|all|any|every|each|this|that|these|those|your|an?|everything|nothing|it|them|me|us|following|its"
    r"|both|only|no)\b|[`'\"$~]|https?:)"
)
_PLAIN_ACT = (
    r"(?:remember|reply|respond|answer|tell|say|do|paste|trust|approve|forward|delete|remove|push|commit|store|keep"
    r"|forget|ignore|disregard|send|post|upload|e-?mail|reveal|leak|share|grant|obey|comply|pretend|assume|consider"
    r"|treat|act|rewrite|edit|visit|follow|add|install|download|execute|run|rerun|retry|disable|enable|erase|wipe"
    r"|mark|publish|give|ensure|replace|rename|append|skip|bypass|override|note|proceed|continue|go|apply|report"
    r"|refuse|accept|confirm|announce|mention|summari[sz]e|recommend|suggest|encourage|prefer|switch|log in|sign"
    r"|transfer|pay|buy|order|hand|return to|pretend|behave|become|adopt|register|subscribe|clone|fork|deploy"
    r"|upgrade|downgrade|rebase|squash|escalate|kill|rotate|restart|migrate|refactor|uninstall|lower"
    r"|raise|increase|whitelist|allow|grant|compress|archive|exfiltrate|dump|patch|wrap|inject"
    r"|stop|start|wait|leave|let|try|please|make)"
)
_ACT = (
    rf"(?:{_PLAIN_ACT}|fetch|print|output|show|force|create|write|open|read|change|call|invoke|import|update|merge"
    r"|drop|clear|reset|revert|copy|move|turn|set|put|check|ask|use|build|test|close|save|load|include|export)"
)
_CLAUSE = r"(?:^|[.:;!?,>)\]—–-]\s+|\b(?:and|then|to|or|first|next|now|just|simply|please|instead|also)[ ,]+)"
_PHRASES = (
    # somebody is spoken to
    r"\b(?:please|kindly|dear)\b",
    r"\byou(?:r|rs|rself|'re|'ll|'ve)?\b",
    rf"\b(?:{spoken_names()}|codex|copilot|chatgpt|gpt|llms?|assistants?|language models?|chatbots?)\b",
    r"\b(?:ai|coding|autonomous|automated) (?:agents?|models?|tools?|systems?|assistants?)\b",
    (r"\b(?:agents?|models?|ai|bots?|readers?|callers?|who(?:ever|soever)|anyone|everybody|nobody)\b.{0,30}"
     r"\b(?:must|should|shall|needs?|ha(?:s|ve) to|may|can|will|adds?|runs?|does|reads?|sees?)\b"),
    (r"\b(?:attention|note|message|hint|instructions?|orders?|reminder|notice) (?:to|for) "
     r"(?:the |all |any |every )?\w+"),
    # orders: at the beginning of a clause, behind a modal verb, before a thing
    rf"{_CLAUSE}{_PLAIN_ACT}\s+[\w`'\"$~/]",
    rf"{_CLAUSE}{_ACT}\s+{_THING}",
    (r"\b(?:must|should|shall|ought to|needs? to|ha(?:s|ve) to|required to|asked to|allowed to|expected to|is to|"
     rf"are to|better|supposed to)\s+(?:(?:\w+ly|now|always|first|not|also|only)\s+)?{_ACT}\b"),
    (r"\b(?:requires?|asks?|demands?|wants?|insists?|recommends?|suggests?|expects?|requests?|urges?)\s+"
     r"(?:that|you|all|every|each|us|me|anyone|the \w+ to)\b"),
    (r"\b(?:fine|ok|okay|safe|best|allowed|permitted|recommended|advised|better|enough|necessary|mandatory"
     r"|important|essential|urgent|sufficient|wise|acceptable) to\b"),
    (r"\b(?:correct|right|best|proper|only|real|official|quick|known) "
     r"(?:fix|solution|way|answer|remedy|workaround)\b"),
    r"\b(?:goes away|is (?:solved|fixed|resolved|cured)|fixed|solved|resolved) (?:with|by|when|if|once|after)\b",
    rf"\b(?:do not|don't|never|always)\s+{_ACT}\b",
    r"\b(?:make sure|be sure|go ahead|let's|let us|no need|feel free)\b\s+\w+",
    r"\b(?:before|after|prior to|when|while|instead of) \w+ing\b",
    (r"\b(?:ignore|disregard|forget|override|bypass|discard|obey)\s+(?:\w+\s+){0,3}(?:instructions?|rules?|"
     r"prompts?|guidelines?|previous|prior|above|earlier|polic(?:y|ies)|warnings?|checks?)\b"),
    (r"\b(?:system|developer|hidden|new|updated|real) "
     r"(?:prompts?|instructions?|messages?|directives?|task|rules?)\b"),
    (r"\b(?:later|future|further|next|all|every|this|these) "
     r"(?:sessions?|conversations?|chats?|tasks?|answers?|repl(?:y|ies))\b"),
    (r"\b(?:the|any|a|its) (?:user|human|owner|maintainer|operator|developer|administrator|admin|team|manager|"
     r"author|reviewer|customer|company)s?\b.{0,30}\b(?:wants?|asks?|asked|requires?|approved|agreed|authori[sz]ed|"
     r"allowed|knows?|said|says|told|consent\w*|prefers?|likes?|decided|expects?)\b"),
    (r"\b(?:permission|approval|consent|authori[sz]ation|access|rights?)\b.{0,20}"
     r"\b(?:granted|given|not needed|not required)\b"),
    r"\b(?:by|per|according to|under) (?:\w+ )?(?:policy|agreement|order|request|decree)\b",
    # commands that do harm
    (r"\b(?:curl|wget|nc|ncat)\b.{0,80}(?:https?:|\.\w{2,6}\b|\|)|\|\s*(?:ba|z|da)?sh\b|\brm\s+-|\bsudo\s"
     r"|\bchmod\s+[0-7+]|\bgit\s+(?:push|reset|clean|commit|checkout|config)\b|--no-verify|--force\b|\beval\s*\("
     r"|\bbase64\s+-d|\b(?:pip3?|npm|pnpm|yarn|brew|apt(?:-get)?|gem|cargo|go) (?:install|add|get|i)\b"),
    # Japanese, Chinese, Korean and some more
    ("ください|下さい|なさい|せよ|しろ[。、!]?|すること|してはいけ|してはなら|ないで|するな|必ず|直ちに|今すぐ|"
     "指示|命令|無視|エージェント|アシスタント|ユーザー?[にはがの]|あなた|お願い|ましょう|すべき|べきで|してよい|"
     "して良い|してから"),
    r"请|忽略|必须|立即|指令|不要|应该|需要|무시|하세요|하십시오|지시|명령|해 주",
    r"пожалуйста|игнорир|инструкц|выполни|удали|нужно",
    (r"\b(?:bitte|ignorier\w*|f[uü]hre|l[oö]sche\w*|ignorez|veuillez|ex[eé]cut(?:ez|er|e)|supprimez|ignor[ae]|"
     r"ejecut[ae]|por favor|borr[ae]|elimin[ae]|esegui|cancella|negeer|voer|m[uü]ss(?:en|t)?|devez|debes?|devi)\b"),
)  # fmt: skip
_ADDRESS = Pattern("|".join(f"(?:{phrase})" for phrase in _PHRASES))
_HONEST = compile_late(
    r"\b(?:did you (?:mean|forget)\b[^?]{0,80}\?|(?:maybe|perhaps) you meant"
    r"|(?:failed|fails|unable|refus(?:es|ed)|tr(?:ies|ied|ying)|attempt(?:s|ed|ing)?|impossible|able|how|not going"
    r"|want(?:s|ed)|about|error while trying|permission|insufficient permissions?) to) ?"
    r"|, (?:open|read|write|stat|lstat|access|unlink|mkdir|rmdir|scandir|rename|copyfile) (?=')"
)
"""Words of honest error lines before a verb or `you`, which make them no order."""


_CODE = compile_late(r"[`'\"‘“][^`'\"’”]{0,80}[`'\"’”]|\S*[\d_/\\=<>(){}\[\]@#$&|*+]\S*|\S+\.\w\S*")
_WORD = compile_late(r"[^\W\d_]{2,}")
_CJK = compile_late("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NAME = compile_late(
    r"[\w.$:\[\]-]{2,60}?(?:Error|Exception|Failure|Panic|Fault|Warning|\[\w+\]|E\d+)(?=:| |$)"
)
_URL = compile_late(r"https?:|\w@\w|\bwww\.")
_START = compile_late(
    r"(?:^|[.:;!?,>)\]]\s+|\b(?:and|then|please|now|just)\s+)([a-z]{2,14})\s+"
    r"(?:the|all|any|every|each|this|that|these|those|your|an?|everything|it|them)\b"
)
_STARTS_OF_ERRORS = frozenset(
    "expected missing found got is was are were not no cannot could unexpected invalid unknown in at on for"
    " with by of if while when because but as that which where has have had does did failed unable exceeds"
    " contains lacks from to than into after before without only both such there here".split()
)
"""Words before a thing at the beginning of a clause which are no verbs of orders."""

_MAX_WORDS = 12
_MAX_CJK = 40
"""Plain words, and Japanese characters, of a message that is shown. An order takes a sentence, an error mostly
a phrase."""

_FEW_WORDS = 2
_WRONG = compile_late(
    r"\b(?:not|no|cannot|can't|couldn't|doesn't|isn't|won't|wasn't|hasn't|without|missing|lacks?|unexpected|"
    r"expect(?:ed|ing|s)|invalid|fail\w*|refus\w+|denied|rejected|undefined|undeclared|unknown|unresolved|"
    r"unsupported|unable|unreachable|errors?|exceed\w*|time[d-]? ?out|duplicate\w*|mismatch\w*|already|conflict\w*|"
    r"out of|lost|closed|broken|corrupt\w*|assert\w*|null|none|nil|panic\w*|abort\w*|overflow\w*|underflow|empty|"
    r"wrong|bad|illegal|too|never used|unused|violat\w+|crash\w*|damaged?|segmentation|deadlock|leak\w*|stale|"
    "locked|busy|in use|must be|should be|is required|required|ambiguous|incompatible|incorrect|unterminated|"
    r"forbidden|unauthorized|redefin\w+|circular|recursion|reset by|hang up|interrupted|killed|terminated|exit)\b|"
    "ません|でき(?:ない|ず)|失敗|エラー|不正|例外|無効|超え|足り|ない|違い|誤り|異常|重複|拒否|不明",
    re.IGNORECASE,
)
"""Words of lines that report an error."""


_TEST_MARK = compile_late(r"^\W*(?:not ok(?: \d+)? -|\(fail\)|[✗✘✕✖×●])\s+")
_TEST_TIME = compile_late(r"\s*[(\[][\d.]+ ?m?s[)\]]$")
"""Marks and times that runners print around the name of a failed test."""


def speaks_to_somebody(text: str) -> bool:
    """Return whether a text may tell its reader to do something. It is stricter than `is_prompt_injection`."""
    seen = _HONEST.sub("~", text_as_seen(text).decode("utf-8", "replace").lower())
    starts = (found[1] for found in _START.finditer(seen))
    is_question = seen.rstrip(" .").endswith("?")
    if is_question or _URL.search(seen) or not _STARTS_OF_ERRORS.issuperset(starts):
        return True
    return _ADDRESS.occurs_in(seen.encode()) or is_prompt_injection(text)


def _is_error_message(text: str) -> bool:
    """Return whether a line is a phrase that says of something that it is wrong, or hardly has words.

    Its names and its code are not counted. A sentence that says nothing of the kind may say anything.
    """
    plain = _CODE.sub(" ", _NAME.sub(" ", text))
    words, cjk = len(_WORD.findall(_CJK.sub(" ", plain))), len(_CJK.findall(plain))
    if words > _MAX_WORDS or cjk > _MAX_CJK:
        return False
    return (words <= _FEW_WORDS and not cjk) or _WRONG.search(plain) is not None


def quotable_error_line(body: Body) -> str:
    """Return the error line of a failure for a model, shortened; "" where no line may be shown.

    `body` is that of an error. The outputs of web and MCP tools, and of commands that print what they
    fetch or read, are no errors of the project's own. Of a line that is prose, or speaks to somebody, only
    the error's name is shown.
    """
    return _quotable(next((line for line in body.errors if line.strip()), ""), body)


def quotable_test_name(body: Body) -> str:
    """Return the name of the failed test that stands behind the first error of a failure, "" for none.

    Runners for JavaScript name tests in sentences, which are judged like error lines.
    """
    tests = (line for line in body.errors[1:] if _TEST_MARK.match(" ".join(line.split())))
    return _TEST_TIME.sub("", _TEST_MARK.sub("", _quotable(next(tests, ""), body)))


def _quotable(text: str, body: Body) -> str:
    line = " ".join(text.split())
    if not body.command or not is_project_command(str(body.command)):
        return ""
    if not _is_error_message(line) or speaks_to_somebody(line):
        name = _NAME.match(line)
        return name[0] if name else ""
    return truncate_text(line, MAX_ERROR_LINE)


_FAILS, _MUST_PASS = "` fails", "` must pass"


def must_pass(failure: str) -> str:
    """Return the next action that a line about a failing command asks for."""
    return failure.replace(_FAILS, _MUST_PASS, 1)


def failure_of(action: str) -> str:
    """Return the line about a failing command from which an action was made; any other line as it is."""
    return action.replace(_MUST_PASS, _FAILS, 1)
