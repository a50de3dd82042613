"""Postal addresses in a certain form: 〒 or prefecture to block number, street to ZIP code."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule

_DIGIT = "[0-9０-９]"
_DASH = "[-‐‑‒–—−－ー]"
_HAN = r"\x{3400}-\x{9fff}\x{f900}-\x{faff}\x{20000}-\x{3ffff}々〇"
"""Ideographs in a few whole ranges: `\\p{Han}` has many, and each repetition costs memory for all of them."""

_KATAKANA = r"\x{30a1}-\x{30fa}\x{30fc}-\x{30ff}\x{ff66}-\x{ff9f}"
_NAME = rf"[{_HAN}\x{{3041}}-\x{{309f}}{_KATAKANA}]"
_NUMBER = rf"(?:{_DIGIT}{{1,5}}|[一二三四五六七八九十]{{1,3}})"
_BLOCK = (
    rf"{_DIGIT}{{1,5}}(?:{_DASH}{_DIGIT}{{1,5}}){{1,3}}"
    rf"|{_NUMBER}丁目[ 　]?{_DIGIT}{{1,5}}(?:番地?|{_DASH})?(?:の?{_DIGIT}{{1,5}}号?)?"
    rf"(?:{_DASH}{_DIGIT}{{1,5}})?"
    rf"|{_DIGIT}{{1,5}}番地?(?:の?{_DIGIT}{{1,5}}号?)?|{_DIGIT}{{1,5}}号"
)
_ROOM = rf"(?:[ 　]?[{_HAN}{_KATAKANA}A-Za-z]{{2,16}}[ 　]?{_DIGIT}{{1,4}}(?:号室|階|[FＦ]))?"
_PREFECTURE = rf"(?:北海道|東京都|(?:京都|大阪)府|[{_HAN}]{{2,3}}県)"
_PLACE = (
    rf"{_PREFECTURE}[ 　]?{_NAME}{{1,12}}?[市区町村郡]{_NAME}{{0,20}}?[ 　]?(?:{_BLOCK}){_ROOM}"
)
_CITY = rf"[{_HAN}]{{1,5}}市[{_HAN}]{{1,4}}区{_NAME}{{1,12}}?(?:{_BLOCK}){_ROOM}"
_CODE = rf"〒[ 　]?{_DIGIT}{{3}}(?:{_DASH}?{_DIGIT}{{4}})"
_JAPANESE = Pattern(
    rf"{_CODE}(?:[ 　\r\n]{{0,3}}(?:{_PLACE}|{_NAME}{{2,24}}?(?:{_BLOCK}){_ROOM}))?|{_PLACE}|{_CITY}"
)


def _find_japanese(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for ((first, last),) in _JAPANESE.each(raw, start, end):
        yield "address", first, last


_STATES = (
    "A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|PR|RI|S[CD]"
    "|T[NX]|UT|V[TA]|W[AVIY]"
    "|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia"
    "|Hawaii|Idaho|Illinois"
    "|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota"
    "|Mississippi|Missouri"
    "|Montana|Nebraska|Nevada|New (?:Hampshire|Jersey|Mexico|York)|(?:North|South) (?:Carolina"
    "|Dakota)|Ohio|Oklahoma"
    "|Oregon|Pennsylvania|Rhode Island|Tennessee|Texas|Utah|Vermont|(?:West )?Virginia|Washington"
    "|Wisconsin|Wyoming"
)
_STREETS = (
    r"(?:Street|St|Avenue|Ave|Boulevard|Blvd|Road|Rd|Drive|Dr|Lane|Ln|Court|Ct|Place|Pl|Way|Terrace"
    r"|Circle|Cir|Highway|Hwy"
    r"|Parkway|Pkwy|Square|Sq|Trail|Trl|Plaza|Loop|Alley|Broadway|Row|Walk|Crescent|Close|Gardens?"
    r"|Grove|Hill|Mews)\b\.?"
)
_WORDS = r"(?:[NSEW]|North|South|East|West|NE|NW|SE|SW)\.?"
_STREET = (
    rf"[1-9][0-9]{{0,5}}[A-Za-z]?(?:-[0-9]{{1,5}})?[ \t]+(?:{_WORDS}[ \t]+)?(?:"
    rf"(?:[A-Z][A-Za-z'.-]{{0,20}}|[0-9]{{1,3}}(?:st|nd|rd|th))[ \t]+){{1,4}}?"
    rf"{_STREETS}(?:[ \t]+{_WORDS})?"
)
_UNIT = (
    r"(?:,?[ \t]+(?:(?:Apt|Apartment|Suite|Ste|Unit|Room|Rm|Floor|Fl|Bldg|Building"
    r"|#)\.?[ \t]*#?[A-Za-z0-9-]{1,6}|[A-Z0-9][a-z0-9]{1,8} [Ff]loor))?"
)
_TOWN = r"[A-Z][A-Za-z.'-]{1,20}(?:[ \t][A-Z][A-Za-z.'-]{1,20}){0,3}"
_ZIP = r"[0-9]{5}(?:-[0-9]{4})?\b"
_POSTCODE = r"[A-Z]{1,2}[0-9][A-Z0-9]?[ \t][0-9][A-Z]{2}\b"
_BREAK = r"(?:,[ \t]*\r?\n?[ \t]*|[ \t]*\r?\n[ \t]*|,?[ \t]+)"
_WESTERN = Pattern(
    rf"\b(?:{_STREET}{_UNIT}|P\.?[ ]?O\.?[ ]Box[ ][0-9]{{1,6}})(?:{_BREAK}{_TOWN},?[ \t]+"
    rf"(?:{_STATES}),?[ \t]+{_ZIP}"
    rf"|{_BREAK}{_TOWN}{_BREAK}{_POSTCODE})"
)
_ORGANISATION = Pattern(
    r"(?i)(?:\b(?:inc|foundation|corporation|corp|commons|llc|ltd|limited|gmbh|university|institute"
    r"|association|consortium"
    r"|laborator(?:y|ies)|computing|systems|press|department|office|center|centre|company"
    r"|co)\b[^A-Za-z0-9]{1,12}"
    r"|write to[^0-9]{0,80}|\boffices? at\s+|mail stop[^\r\n]{0,20}\s+|foundation[^0-9]{0,80})$"
)
_PUBLISHED = Pattern("^(?:51 Franklin|59 Temple|675 Mass)")
"""Addresses of the Free Software Foundation, which many files give without its name. Like those of companies
and foundations in licences, they are nobody's home."""


def _find_western(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for ((first, last),) in _WESTERN.each(raw, start, end):
        is_organisation = _PUBLISHED.occurs_in(raw[first:last]) or _ORGANISATION.occurs_in(
            raw[max(0, first - 120) : first]
        )
        yield "address", first, first if is_organisation else last


_UPPER = r"[A-ZÀ-Þ][A-Za-zÀ-ÿ.'’-]+"
"""A name: the text that is searched is short, and a count of letters would cost memory for each."""

_EUROPEAN = Pattern(
    # number behind the street: German, Dutch, Italian, Spanish, Portuguese
    rf"\b(?:(?:{_UPPER}[ ]){{0,3}}[A-ZÀ-Þ][A-Za-zÀ-ÿ-]+(?:straße|strasse|str\.|weg|platz"
    rf"|allee|gasse|ring|damm|ufer|straat|laan)"
    rf"|(?:{_UPPER}[ ]){{0,2}}(?:Straße|Strasse|Str\.|Weg|Platz|Allee|Gasse|Ring|Damm|Ufer|Markt)"
    rf"|(?:Am|Im|An der|Auf dem|Zum|Zur)[ ]{_UPPER}"
    rf"|(?:Via|Viale|Piazza|Corso|Vicolo|Calle|C/|Avenida|Avda\.|Plaza|Paseo|Rua|Travessa|Largo"
    rf"|Praça)[ ](?:(?:de|del|della|da|do|dos|la)[ ])?{_UPPER}(?:[ ]{_UPPER}){{0,2}})"
    rf",?[ ][0-9]{{1,4}}[ ]?[a-z]?\b(?:,?[ ]*\r?\n?[ ]*(?:[A-Z]{{1,2}}-)?[0-9]{{4,5}}(?:-[0-9]{{3}})?[ ]{_UPPER})"
    # number before the street: French
    rf"|\b[1-9][0-9]{{0,3}}(?:[ ](?:bis|ter))?,?[ ](?i:rue|avenue|boulevard|bd|impasse|place"
    rf"|chemin|allée|quai|cours|route|square|passage)"
    rf"[ ](?:(?:de|du|des|la|le|les|l['’]"
    rf"|d['’])[ ]?){{0,2}}{_UPPER}(?:[ ]{_UPPER}){{0,3}},?[ ]*\r?\n?[ ]*[0-9]{{5}}[ ]{_UPPER}"
)


_TOWN_BEHIND_CODE = Pattern("[0-9]{4}(?:-[0-9]{3})? [A-ZÀ-Þ][a-zà-ÿ]")
_STREET_WORD = Pattern(
    "(?i)stra(?:ß|ss|at)|str[.]|weg|platz|allee|gasse|ring|damm|ufer|laan|markt|(?:am|im|der|dem|zu[mr]) "
    "|via|pia[zs]|corso|vicolo"
    "|calle|c/|aven|avda|plaza|paseo|rua|trave|largo|praça|rue|boul|bd|impas|place|chemin|all[ée]e|quai"
    "|cours|route|square|pass"
)
_CODE_AND_TOWN = Pattern(r"[0-9-]+ [A-ZÀ-Þ][A-Za-zÀ-ÿ.'’-]{1,24}")


def _find_european(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield addresses that end in a postal code and a town."""
    for ((place, _),) in _TOWN_BEHIND_CODE.each(raw, start, end):
        if not _STREET_WORD.search(raw, max(start, place - 96), place):
            continue
        town = _CODE_AND_TOWN.match(raw, place, end)
        if town is None:
            continue
        last = town[0][1]
        found = _EUROPEAN.search(raw, max(start, place - 96), last)
        if found is not None and found[0][1] == last:
            first = found[0][0]
            is_organisation = _ORGANISATION.occurs_in(raw[max(0, first - 120) : first])
            yield "address", first, first if is_organisation else last


JAPANESE_ADDRESSES = Rule("〒|[都道府県市]", _find_japanese)
EUROPEAN_ADDRESSES = Rule("[0-9]{4}(?:-[0-9]{3})? [A-ZÀ-Þ][a-zà-ÿ]", _find_european)
WESTERN_ADDRESSES = Rule(r"[A-Za-z],?[ \t]+[0-9]{5}|[0-9][A-Z]{2}\b", _find_western)
