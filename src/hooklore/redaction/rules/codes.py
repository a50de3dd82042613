"""PINs, one-time codes, recovery codes and seed phrases of wallets, each only behind its name."""

from collections.abc import Iterator

from hooklore.redaction.pattern import ByteSpan, Candidate, Pattern, Rule
from hooklore.redaction.rules import candidate_checks

_NAME = (
    r"\bPIN(?:[ -]?(?:code|number)|[12])?\b|\b(?:pass|verification|confirmation|security|auth"
    r"(?:entication|orization)?|log-?in|sign-?in"
    r"|access|sms|2fa|mfa|two[ -]factor|one[ -]time|single[ -]use|unlock|activation|reset|otp"
    r"|totp)[ -]?(?:code|pass(?:word|code)?|pin|token)\b"
    r"|\bT?OTP\b|\bCV[VC]2?\b|\bpasscode\b"
    r"|(?:認証|アクティベーション|確認|検証|本人確認|ログイン|承認|解除|ロック解除|アクセス|セキュリティー?|ワンタイム"
    r"|[二２2]段階認証|[二２2]要素認証|SMS認証|SMS|MFA|2FA|TOTP|OTP)"
    r"(?:用)?(?:の)?(?:コード|番号|キー|パス(?:ワード|コード)?)|PIN(?:コード|番号|[12])?|引き?継ぎ?(?:コード|ID)|ピン(?:コード"
    r"|番号)|暗証番号|パスコード|(?:届いた|[4-8４-８四六]桁の)[ 　]?(?:コード|番号)"
    r"|\b(?:the|your|my)[ ](?:[46]-digit[ ])?code\b"
)
_DIGITS = r"[0-9０-９]{3,8}|[0-9]{3}[ -][0-9]{3}"
LETTERED_CODE = "(?:[A-Z0-9]{2,5}-[A-Z0-9]{3,5}|[A-Z0-9]{5,10})"
"""A code of capitals and digits, as shops, game services and sign-ins by device send them."""
_CODE = Pattern(
    rf"(?i)(?:{_NAME})[`*_]{{0,2}}(?:[ \t]+(?:for|of|to|on)(?:[ \t]+[\w'.-]+){{1,3}}?)??"
    rf"(?:（[^（）\r\n]{{0,16}}）)?"
    r"(?:[\"'」]?[ \t]*[:：=＝→][*_]{0,2}[ \t　]*(?:is[ \t]+)?|[ \t]+(?:is|was|are|to|be|should be|->|-"
    r"|—)[ \t]*:?[ \t]+"
    r"|[ 　]*(?:は|が|を|に|も|って|として)[、 　]*|[ \t]*\(|[ 　\t]+)"
    rf"""["'`「『【“*]{{0,2}}(?:(?:[A-Z]-)?({_DIGITS})|((?-i:{LETTERED_CODE})))"""
)
_GOES_ON = Pattern(
    r"[0-9A-Za-z_%]|[.,/:-][0-9]|[ 　]*(?:桁|文字|回|分|秒|件|番目|時間|日|円|個|種類|バイト|ビット"
    r"|ページ|年|月)"
    r"|[ \t]?-?(?:digits?|chars?|characters?|minutes?|seconds?|hours?|days?|times?|bytes?|bits?"
    r"|letters?|numbers?)\b"
)
_REVERSED = Pattern(
    rf"(?i)\b(?:[A-Z]-)?({_DIGITS})[ \t]+(?:is|as)[ \t]+(?:your|the|my|our)[ \t]+"
    rf"(?:[\w-]+[ \t]+){{0,3}}?(?:{_NAME}|code\b)"
)


_MEMBER = Pattern(
    r"""(?i)["'](?:pin|pin_?code|passcode|otp|cv[vc]2?|tan)["'][ \t]*[:=][ \t]*["']?([0-9]{3,8})\b"""
)
_TO_SIGN_IN = Pattern(
    r"(?i)\b(?:use|enter|type)[ \t]+((?:[A-Z]-)?[0-9]{3}[ -]?[0-9]{3,5})[ \t]+(?:to|as your)[ \t]+"
    r"(?:sign|log|verify|confirm|complete|finish|continue|unlock|code|otp)"
)


def _find_codes(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for (place, _), digits, lettered in _CODE.each(raw, start, end):
        if digits[0] >= 0:
            (first, last), found = digits, _is_number(raw, place, digits)
        else:
            (first, last), found = lettered, _is_told(raw, place, lettered)
        yield "spoken", first, last if found else first


def _is_number(raw: bytes, name: int, span: ByteSpan) -> bool:
    """Return whether digits behind a name are as many as its codes have, and neither a count nor a measure."""
    first, last = span
    is_card = raw[name : name + 2].lower() == b"cv" or "セキュリティ".encode() in raw[name:first]
    is_any = raw[name : name + 3].lower() in (b"the", b"you", b"my ")
    shortest = 3 if is_card else 6 if is_any else 4
    digits = len(raw[first:last].decode())
    return digits >= shortest and not _GOES_ON.match(raw, last, len(raw))


def _is_told(raw: bytes, name: int, span: ByteSpan) -> bool:
    """Return whether a sign or a verb tells a code of letters and digits. Behind a blank stands any word."""
    first, last = span
    return (
        not _OF_HARDWARE.match(raw, name, first)
        and _TELLS.occurs_in(raw[name:first])
        and is_lettered_code(raw[first:last])
        and not _GOES_ON.match(raw, last, len(raw))
    )


def is_lettered_code(value: bytes) -> bool:
    """Return whether a text of capitals and digits has the letters of a code, and is the name of no standard."""
    return _MIXED.occurs_in(value) and not candidate_checks.is_algorithm(value)


_TELLS = Pattern(r"""(?i)(?:[:=：＝→は]|[ ](?:is|was|are|to|be)|が|を|に)[\s　"'`「『【“*]*$""")
_OF_HARDWARE = Pattern(r"(?i)PIN|ピン|(?:the|your|my)[ ](?:[46]-digit[ ])?code")
"""Names behind which a word with a number is a part's, a standard's or a version's."""

_MIXED = Pattern("[0-9].*[A-Z]")
"""A letter behind a digit. A word with a number behind it (`RFC6749`, `TC042`) has none."""


def _find_reversed(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the codes of `123456 is your code` and `use 123456 to sign in`."""
    for pattern in (_REVERSED, _TO_SIGN_IN):
        for _, (first, last) in pattern.each(raw, start, end):
            yield "spoken", first, last if last - first >= 4 else first


def _find_members(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the codes of `"pin": 1234`."""
    for _, (first, last) in _MEMBER.each(raw, start, end):
        yield "spoken", first, last


_GROUP = r"[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{3,12})*"
_RECOVERY = Pattern(
    r"(?i)(?:\b(?:recovery|backup|rescue|scratch|emergency|bypass)[ _-]?(?:codes?|keys?)\b"
    r"|(?:リカバリー?|バックアップ|復旧|回復|緊急)[ 　]?(?:コード|キー|用コード))"
    r"(?:[ \t]+(?:for|of|to)(?:[ \t]+[\w'.-]+){1,3}?)??(?:[ 　]?[(（][^()（）\r\n]*[)）])?"
    r"(?:[^\s:：=→A-Za-z0-9]{0,8}[ \t]*[:：=＝→][*_]{0,2}|[ \t]+(?:is|are|was|were)\b:?|[ 　]*(?:は|が"
    r"|を)|[ \t]*\()?[\s　]*"
    rf"""((?:["'`「*]{{0,2}}(?:[-・*]"""
    rf"""|[0-9]{{1,2}}[.)])?[ \t]*{_GROUP}["'`」*]{{0,2}}[\s,、]{{0,4}}(?:(?:and|und|et|y|e"""
    rf"""|と)[ ])?)+)"""
)
_ONE = Pattern(rf"[0-9]{{4}}[ ][0-9]{{4}}\b|{_GROUP}")
_MARKER = r"(?:\[[ xX]?\]|[-・*•]|[0-9]{1,2}[.)])?"
_RECOVERY_BELOW = Pattern(
    r"(?i)(?:\b(?:recovery[ _-]?keys?|(?:recovery|backup|rescue|scratch|emergency|bypass)[ _-]?codes?)\b"
    r"|(?:リカバリー?|バックアップ|復旧|回復|緊急)[ 　]?(?:コード|キー|用コード))[^\r\n]{0,160}\r?\n"
    r"(?:[^\r\n]{0,100}[^\r\n:：]\r?\n|[ \t]*\r?\n){0,2}?"
    rf"(?:[ \t]*{_MARKER}[ \t]*(?:[\[(]?(?:used|使用済み?)[\])]?)?[ \t]*[-=*]*[ \t]*\r?\n)*"
    rf"((?:[ \t]*{_MARKER}[ \t]*(?:{_GROUP}|[0-9]{{4}}[ ][0-9]{{4}})[ \t]*(?:\r?\n|\z))+)"
)
"""A sentence that names the codes, and the lines below it that hold nothing but a code each."""


_GROUPS = Pattern(
    r"(?i)(?:secret(?: key)?|seed|otp|2fa|mfa|recovery|backup)\b[^\r\n:=]{0,24}[:=][ \t]*"
    r"(?-i:((?:[A-Z0-9]{4,6}[ -]){3,15}[A-Z0-9]{4,6}))\b"
)


_PRODUCT_KEY = Pattern(
    r"(?:^|[^\w-])((?:[A-Z0-9]{2}-)?[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6})+)(?:[^\w-]|\z)"
)
_OF_A_PRODUCT = Pattern(
    r"(?i)\bkey|licen[cs]e|serial|activat|redeem|product|gift|voucher|シリアル|ライセンス|プロダクト|キー|激活|序列号|시리얼|라이선스"
)
_LONGEST_BEFORE = 48
_WINDOWS = Pattern("^(?:[A-Z0-9]{5}-){4}[A-Z0-9]{5}$")


def _find_product_keys(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield keys of products: five groups of five, or three and more behind a word for such a key."""
    for _, (first, last) in _PRODUCT_KEY.each(raw, start, end):
        groups = raw[first:last].split(b"-")
        mixed = sum(map(candidate_checks.has_letters_and_digits, groups))
        is_drawn = mixed * 2 >= len(groups)
        line = raw.rfind(b"\n", max(0, first - _LONGEST_BEFORE), first) + 1
        before = raw[max(line, first - _LONGEST_BEFORE, 0) : first]
        is_named = len(groups) >= 3 and _OF_A_PRODUCT.occurs_in(before)
        yield (
            "assigned",
            first,
            last if is_drawn and (is_named or _WINDOWS.occurs_in(raw[first:last])) else first,
        )


def _find_groups(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield keys that are written in groups of capitals and digits."""
    yield from _find_product_keys(raw, start, end)
    for _, (first, last) in _GROUPS.each(raw, start, end):
        mixed = raw[first:last].translate(None, b"0123456789 -")
        yield "spoken", first, last if 0 < len(mixed) < last - first else first


def _find_recovery(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield each code of the list behind the name, up to the first word."""
    yield from _find_listed(_RECOVERY, raw, start, end, is_alone=False)


def _find_recovery_lines(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield each code that stands alone on a line below the sentence that names the codes."""
    yield from _find_listed(_RECOVERY_BELOW, raw, start, end, is_alone=True)


def _find_listed(
    pattern: Pattern, raw: bytes, start: int, end: int, *, is_alone: bool
) -> Iterator[Candidate]:
    """Yield the codes of a list up to the first word. A code that stands `is_alone` is no word with a number."""
    for _, (first, last) in pattern.each(raw, start, end):
        yield "spoken", first, first
        shape = b""
        for ((begins, ends),) in _ONE.each(raw, first, last):
            code = raw[begins:ends]
            if code in _AND:
                continue
            if is_alone and not _GROUP_OF_CODE.occurs_in(code):
                break
            if not _is_code(code) and (not shape or code.translate(_DASHES) != shape):
                break
            shape = code.translate(_DASHES)
            yield "spoken", begins, ends


_GROUP_OF_CODE = Pattern("[0-9][A-Za-z]|[A-Za-z][0-9]|^[0-9 -]+$")
_AND = (b"and", b"und", b"et", b"y", b"e")
_DASHES = bytes(45 if byte == 45 else 97 for byte in range(256))
"""A translation that leaves the dashes of a code and its length."""


def _is_code(value: bytes) -> bool:
    """Return whether `value` is groups of letters and digits or digits alone, and neither word nor compound."""
    digits = sum(48 <= byte <= 57 for byte in value)
    return (
        len(value) >= 6
        and digits >= (1 if b"-" in value and value.islower() else 2)
        and (b"-" in value or len(value) >= 8 or digits < len(value))
    )


_PHRASE = Pattern(
    r"(?i)(?:\b(?:seed|recovery|mnemonic|wallet|backup|secret)(?:[ _-]?recovery)?[ _-]?(?:phrase"
    r"|words?|seed)\b|\bmnemonics?\b|\bseed\b"
    r"|ニーモニック|(?:シード|リカバリー|復元|復旧|秘密の)[ 　]?フレーズ)"
    r"""["']?(?:[ \t]*[:：=＝→]|[ \t]+(?:is|was)\b:?|[ 　]*は|[^\r\n.:：=]{1,60}[:：.]?[ \t]*\r?\n)?\s*"""
    r"""["'`「]?((?-i:(?:[a-z]{3,8}"""
    r"""(?:[ ,]{1,2}|\r?\n)){11,23}[a-z]{3,8}))\b"""
)
_CHOSEN_PHRASE = Pattern(
    r"(?i)(?:\bpass[ -]?phrase|\bpassphrase|\b(?:unlock|encryption|key|wallet|backup) phrase"
    r"|パスフレーズ|合い?言葉|фраза)"
    r"[^\r\n\"'`「『“„«:：=]{0,48}"
    r"""(?:[:：=][ \t]*|は|)["'`「『“„«]{0,1}"""
    r"""((?:[A-Za-z]{3,12}|[0-9]{1,4})(?:[ ](?:[A-Za-z]{3,12}|[0-9]{1,4})){2,11})"""
    r"""(["'`」』”“»]|[.]?[ \t]*(?:[\r\n]|\z))"""
)
_FUNCTION_WORDS = frozenset(
    b"about above access account add after again all also and any app are ask before below "
    b"between both but can cannot change "
    b"check choose click code confirm contain correct create current data default does done each "
    b"email enter error expired "
    b"fails field file first following for forgot form from generated get give given goes has "
    b"hash hashed have her here his how "
    b"incorrect input into invalid its key keep last least length login long may minimum more "
    b"must name need needed never new "
    b"not now number off old one only optional our out page please prompt protect protected "
    b"provide put reset required same save "
    b"security see select send set should show since some sent store stored strong such take text "
    b"than that the their them then "
    b"there these they this through too try type until update use used user username using valid "
    b"value via was way were what when "
    b"where which who will with without word words would wrong yes yet you your der die das ist "
    b"und nicht mit muss bitte le la les "
    b"des est pas avec doit une los las con por para que uma com deve non deve ist sind".split()
)
"""Words of sentences and labels, which a phrase of drawn words does not have."""


def _find_chosen_phrases(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield phrases of some words behind their name: quoted, or behind a colon up to the end of the line."""
    yield from _find_stated_phrases(raw, start, end)
    for (begin, _), (first, last), _ in _CHOSEN_PHRASE.each(raw, start, end):
        words = raw[first:last].lower().split()
        named = raw[begin:first].lower()
        quoted = raw[first - 1 : first] in (b'"', b"'", b"`") or raw[
            max(0, first - 3) : first
        ].endswith(_QUOTES)
        told = named.rstrip()[-1:] in b":=" or named.rstrip().endswith("：".encode())
        least = 3 if quoted else 4
        strange = _TALK if quoted and b"phrase" in named else _FUNCTION_WORDS
        is_phrase = b"phrase" in named or named.startswith(_PHRASES) or len(words) >= 4
        found = is_phrase and (quoted or told) and len(words) >= least and strange.isdisjoint(words)
        yield "spoken", first, last if found and not all(map(bytes.isdigit, words)) else first


_STATED_PHRASE = Pattern(
    r"(?i)(?:pass[ -]?phrase|recovery phrase|passwort|password|パスフレーズ|パスワード)[^\r\n:：]{0,40}?"
    r"(?:[ ](?:is|was|ist|est|es|è|é)|は|:"
    r"|：)[ 　]?((?-i:(?:[a-z]{3,10}[ -]){3,9}[a-z]{3,10}))(?:[ ]?(?:です|だ|[.。,])|\s*(?:\r?\n"
    r"|\z))"
)


def _find_stated_phrases(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield phrases of drawn words behind "the passphrase is", without quotes."""
    for _, (first, last) in _STATED_PHRASE.each(raw, start, end):
        words = raw[first:last].replace(b"-", b" ").split()
        yield "spoken", first, last if _FUNCTION_WORDS.isdisjoint(words) else first
    for (begin, _), *forms in _NATURAL_PHRASE.each(raw, start, end):
        first, last = next(form for form in forms if form[0] >= 0)
        words = raw[first:last].lower().split()
        is_setting = raw[first - 2 : first] == b": " and raw[begin - 1 : begin] in (b"\n", b"")
        found = _TALK.isdisjoint(words) if is_setting else _is_natural_phrase(words)
        yield "spoken", first, last if found else first


_PHRASE_NAME = r"\b(?:pass[ -]?phrase|(?:unlock|encryption|master) phrase)\b"
_NATURAL = r"[A-Za-z]{1,12}(?:[ ][A-Za-z']{1,12}){3,11}"
_NATURAL_PHRASE = Pattern(
    rf"(?i){_PHRASE_NAME}[^.:\r\n\"?]{{0,40}}?(?:[ ](?:is|was)(?:[ ](?:still|now))?[ ]|:[ ])({_NATURAL})"
    r"(?:[.,;!]|[ ]?(?:\r?\n|\z)|[ ][-–—][ ])"
    rf"|[\"“]({_NATURAL})[\"”][ ](?:as|is|for)[ ](?:the|your|our|my|a)[ ](?:\w+[ ]){{0,2}}{_PHRASE_NAME}"
)
"""A phrase of everyday words behind its name, up to the end of the clause, or in quotes before the name."""


def _is_natural_phrase(words: list[bytes]) -> bool:
    """Return whether words tell a phrase, as against a clause about one, which begins and speaks otherwise."""
    begins_clause = words[0] in _BEGINS_CLAUSE or words[0].endswith(_OF_STATES)
    return not begins_clause and _TALK.isdisjoint(words)


_TALK = _FUNCTION_WORDS - frozenset(
    b"the after all again above before below both her his its our your their there with was were when who long "
    b"old new out off then too from on into over".split()
) | frozenset(
    b"passphrase phrase asked asks kept known lost missing written printed hidden cached empty else either unless "
    b"until somewhere nowhere already always because if in at of is are be been being passed read loaded chosen "
    b"vault keychain manager agent file disk env".split()
)
"""Words of clauses about a passphrase, which a phrase of everyday words does not have."""

_OF_STATES = (b"ed", b"en", b"ing", b"ble", b"ent", b"ous", b"ful", b"ly", b"al", b"ic")
"""Endings of what a passphrase is, or what was done with it."""

_BEGINS_CLAUSE = frozenset(
    b"in at on of from with both all her his its our your their when who after before easy hard random weak short "
    b"ready shown gone kept sent left made up".split()
)


_PHRASES = tuple(word.encode() for word in ("パスフレーズ", "合言葉", "合い言葉", "фраза"))
_QUOTES = tuple(quote.encode() for quote in "「『“„«")


_SENTENCE_WORDS = frozenset(
    b"the and for are was were from has have had not its his her their your our but been being them "
    b"which who whose how".split()
)
"""Short words that a sentence of this length has, and that the word list of BIP 39 lacks."""


def _find_phrases(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, (first, last) in _PHRASE.each(raw, start, end):
        words = raw[first:last].replace(b",", b" ").split()
        found = len(words) >= 12 and _SENTENCE_WORDS.isdisjoint(words)
        yield "spoken", first, last if found else first


ACCESS_CODES = Rule(
    "(?i)pin(?:[^a-z]|[cn]|\\z)|code|otp|cv[vc]|pass(?:[^a-z]|[wc]|\\z)|token(?:[^i]|\\z)|コード|番号|キー|パス|ピン",
    _find_codes,
)
REVERSED_CODES = Rule(
    "(?i)[0-9][ \t]+(?:(?:is|as)[ \t]+(?:your|the|my|our)|to)[ \t]", _find_reversed
)
CODE_MEMBERS = Rule("""(?i)["'](?:pin|pass_?code|otp|cv[vc]|tan)""", _find_members)
RECOVERY_CODES = Rule(
    "(?i)recovery|backup|rescue|scratch|emergency|bypass|リカバリ|バックアップ|復旧|回復|緊急",
    _find_recovery,
)
CHOSEN_PHRASES = Rule(
    "(?i)phrase|フレーズ|言葉|фраза|passwor[dt] (?:is|was|ist)", _find_chosen_phrases
)
RECOVERY_LINES = Rule(RECOVERY_CODES.prefilter, _find_recovery_lines)
KEY_GROUPS = Rule(
    "(?i)secret|seed|otp|recovery|backup|[2m]fa|(?-i:[A-Z0-9]{4}-[A-Z0-9]{4})", _find_groups
)
SEED_PHRASES = Rule(
    "(?i)phrase|mnemonic|seed|(?:recovery|wallet|backup|secret)[ _-]?words?|ニーモニック|フレーズ",
    _find_phrases,
)
