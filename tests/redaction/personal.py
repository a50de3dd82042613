"""E-mail addresses, phone numbers, card numbers and postal addresses, in context."""

from collections.abc import Iterator

import phonenumbers

from tests.redaction.draw import DIGITS, Draw

_FULL_WIDTH = str.maketrans("0123456789-", "０１２３４５６７８９－")

_MAIL = (
    "«v»",
    "mail me at «v» please",
    "Contact: «v».",
    "From: Mori Aoi <«v»>",
    '{"email": "«v»", "id": 3}',
    "mailto:«v»",
    "メールは«v»まで",
    "連絡先：«v»",
    "Author: mori <«v»>\nDate: Mon Feb 2 10:00:00 2026",
    "git config user.email «v»",
    "(«v»)",
    "ユーザー «v» が作れない",
    "INSERT INTO users VALUES (1, '«v»');",
    "https://app.maple-river.net/u?email=«v»&x=1",
)
_PHONE = (
    "電話番号は«v»です",
    "TEL: «v»",
    "Tel «v»",
    "携帯 «v»",
    "電話：«v»",
    "連絡先：«v»（平日のみ）",
    "«v»に電話してください",
    "call me at «v»",
    "phone: «v»",
    '{"name": "mori", "phone": "«v»"}',
    "Phone number «v», ask for Mori",
    "FAX：«v»",
)
_HYPHENED = (*_PHONE, "«v»", "担当は森（«v»）", "山田 太郎 / 営業部 / «v»", "his number: «v»")
_ABROAD = (*_HYPHENED, "WhatsApp «v»", "reach the office on «v» from 9 to 5", "緊急時は «v» まで")
_CARD = (
    "card number «v»",
    "カード番号は«v»です",
    "paid with «v» exp 04/29",
    '{"card": "«v»", "cvc": "x"}',
    "クレジットカード：«v»",
    "charge «v» for 3,000 yen",
    "cc: «v»",
    "payment failed for «v»",
)
_BRANDS = (
    ("4", 16), ("51", 16), ("55", 16), ("2221", 16), ("34", 15), ("37", 15), ("3528", 16), ("6011", 16),
    ("36", 14),
)  # fmt: skip
_STREETS = (
    "«n» «w» Street, Springfield, IL 62704",
    "«n» «w» St., Apt «a», Portland, OR 97205",
    "«n» N «w» Avenue, Austin, TX 78701-2345",
    "«n» «w» Blvd, Suite «a», Denver, CO 80202",
    "«n» «w» Road\nBoulder, CO 80302",
    "«n» «w» Drive, Madison, WI 53703, USA",
)
_TOWNS = (
    ("東京都千代田区", "丸の内"), ("大阪府大阪市北区", "梅田"), ("北海道札幌市中央区", "北一条西"),
    ("京都府京都市左京区", "吉田本町"), ("愛知県名古屋市中村区", "名駅"), ("福岡県福岡市博多区", "祇園町"),
)  # fmt: skip


def personal_cases() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each kind of personal detail in each of its contexts."""
    for number in range(3 * len(_MAIL)):
        address = _mail(Draw(f"mail {number}"))
        yield "pii/email", _MAIL[number % len(_MAIL)].replace("«v»", address), (address,)
    yield from _phones()
    for number in range(72):
        card = _card(Draw(f"card {number}"), number)
        yield "pii/card", _CARD[number % len(_CARD)].replace("«v»", card), (card,)
    for number in range(36):
        yield _japanese_address(Draw(f"address {number}"), number)
        yield _us_address(Draw(f"street {number}"), number)


def _mail(draw: Draw) -> str:
    local = draw.pick((
        draw.person(), f"{draw.person()}.{draw.word()}", f"{draw.person()}+{draw.word()}",
        f"{draw.person()}_{draw.number(1, 99)}", f"{draw.person()[0].upper()}.{draw.person().title()}",
        f"{draw.word()}{draw.number(1980, 2010)}",
    ))  # fmt: skip
    ends = ("com", "net", "co.jp", "ne.jp", "io", "de", "dev", "co.uk", "ac.jp", "info")
    domain = draw.pick((f"{draw.word()}{draw.word()}", f"mail.{draw.word()}-{draw.word()}"))
    return f"{local}@{domain}.{draw.pick(ends)}"


def _phones() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    kinds = (
        ("phone-jp", _HYPHENED, _japanese),
        ("phone-jp-plain", _PHONE, lambda draw: _japanese(draw).replace("-", "")),
        ("phone-jp-wide", _PHONE, lambda draw: _japanese(draw).translate(_FULL_WIDTH)),
        ("phone-jp-brackets", _PHONE, _bracketed),
        ("phone-abroad", _ABROAD, _abroad),
    )
    for label, shapes, make in kinds:
        for number, shape in enumerate(shapes * (4 if label == "phone-abroad" else 2)):
            value = make(Draw(f"{label} {number}"))
            yield f"pii/{label}", shape.replace("«v»", value), (value,)


def _japanese(draw: Draw) -> str:
    """A valid national number with hyphens, mobile or not."""
    while True:
        groups = draw.pick((
            ("090", 4, 4), ("080", 4, 4), ("070", 4, 4), ("03", 4, 4), ("06", 4, 4), ("045", 3, 4),
            ("0120", 3, 3), ("075", 3, 4), ("050", 4, 4),
        ))  # fmt: skip
        text = "-".join((groups[0], *(draw.chars(DIGITS, size) for size in groups[1:])))
        if phonenumbers.is_valid_number(phonenumbers.parse(text, "JP")):
            return text


def _bracketed(draw: Draw) -> str:
    area, middle, last = _japanese(draw).split("-")
    return draw.pick(
        (f"{area}({middle}){last}", f"({area}) {middle}-{last}", f"{area}（{middle}）{last}")
    )


def _abroad(draw: Draw) -> str:
    """A valid number of some country, as that country writes it to foreigners."""
    while True:
        country = draw.pick(("JP", "US", "GB", "DE", "FR", "CN", "IN", "AU", "KR", "BR"))
        example = phonenumbers.example_number_for_type(country, phonenumbers.PhoneNumberType.MOBILE)
        assert example is not None
        digits = str(example.national_number)
        number = phonenumbers.PhoneNumber(
            country_code=example.country_code,
            national_number=int(digits[:-5] + draw.chars(DIGITS, 5)),
        )
        if phonenumbers.is_valid_number(number):
            break
    form = draw.pick(
        (phonenumbers.PhoneNumberFormat.INTERNATIONAL, phonenumbers.PhoneNumberFormat.E164)
    )
    text: str = phonenumbers.format_number(number, form)
    return draw.pick((text, text.replace(" ", "-"), text))


def _card(draw: Draw, number: int) -> str:
    prefix, length = _BRANDS[number % len(_BRANDS)]
    body = prefix + draw.chars(DIGITS, length - len(prefix) - 1)
    card = body + _check_digit(body)
    sizes = {16: (4, 4, 4, 4), 15: (4, 6, 5), 14: (4, 6, 4)}[length]
    groups: list[str] = []
    for size in sizes:
        groups.append(card[sum(map(len, groups)) :][:size])
    return (" ", "-", "")[number // len(_BRANDS) % 3].join(groups)


def _check_digit(body: str) -> str:
    """Luhn's, so that the whole number is a multiple of ten."""
    total = 0
    for place, digit in enumerate(reversed(body)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return str(-total % 10)


def _japanese_address(draw: Draw, number: int) -> tuple[str, str, tuple[str, ...]]:
    city, town = draw.pick(_TOWNS)
    block = "-".join(str(draw.number(1, 30)) for _ in range(3))
    if number % 4 == 3:
        block = "{}丁目{}番{}号".format(*block.split("-"))
    code = f"{draw.chars('123456789', 3)}-{draw.chars(DIGITS, 4)}"
    if number % 6 == 5:
        block, code = block.translate(_FULL_WIDTH), code.translate(_FULL_WIDTH)
    shapes = (
        "〒«c» «a»",
        "送付先は〒«c» «a»です。",
        "住所：〒«c»«a»",
        "〒«c»\n«a»",
        "会社は 〒«c»　«a» にあります",
    )
    shape = shapes[number % len(shapes)]
    text = shape.replace("«c»", code).replace("«a»", f"{city}{town}{block}")
    return "pii/address-jp", text, (code, town + block)


def _us_address(draw: Draw, number: int) -> tuple[str, str, tuple[str, ...]]:
    form = _STREETS[number % len(_STREETS)]
    street = form.replace("«n»", str(draw.number(10, 9999))).replace("«w»", draw.word().title())
    street = street.replace("«a»", str(draw.number(1, 400)))
    shapes = ("ship it to «v»", "Address: «v»", "«v»", "He lives at «v» now.", "請求先は «v»")
    text = shapes[number % len(shapes)].replace("«v»", street)
    return "pii/address-us", text, (street.split(",")[0].split("\n")[0],)
