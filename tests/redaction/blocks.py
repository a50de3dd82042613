"""Keys and tokens that stand for themselves: key blocks, signed tokens, random text in prose."""

import base64
import json
from collections.abc import Iterator

from tests.redaction.draw import ALNUM, HEX, URLSAFE, Draw, glue

_KINDS = ("RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", "")
_ARMOUR = glue("PGP PRIVATE ", "KEY BLOCK")
_HEADS = ("MIIEpAIBAAKCAQEA", "b3BlbnNzaC1rZXktdjEAAAAA", "MHcCAQEEI", "MIIEvQIBADANBgkqhkiG9w0B")


def block_cases() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Private keys whole, on one line, cut off and quoted; JWTs; bare random text."""
    for number in range(6):
        for kind in _KINDS:
            draw = Draw(f"key {kind}{number}")
            yield from _key(draw, glue(kind, "PRIVATE ", "KEY"), number)
        yield from _pgp(Draw(f"pgp {number}"))
        yield from _putty(Draw(f"putty {number}"))
    for number in range(48):
        yield _jwt(Draw(f"jwt {number}"), number)
    for number in range(60):
        yield _bare(Draw(f"bare {number}"), number)


def _key(draw: Draw, name: str, number: int) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    lines = _lines(draw, 8 + number)
    head, foot = f"-----BEGIN {name}-----", f"-----END {name}-----"
    whole = "\n".join((head, *lines, foot))
    shapes = {
        "key/block": f"I found this in the repo:\n{whole}\nShould it be there?",
        "key/escaped": json.dumps({"type": "service_account", "private_key": whole + "\n"}),
        "key/one-line": f'PRIVATE_KEY="{head}{" ".join(lines)}{foot}"',
        "key/truncated": "\n".join((head, *lines[: 5 + number % 3])),
        "key/indented": "  key: |\n" + "".join(f"    {line}\n" for line in (head, *lines, foot)),
        "key/quoted": "".join(f"> {line}\n" for line in (head, *lines, foot)),
    }
    label = list(shapes)[(number + len(name)) % len(shapes)]
    text = shapes[label]
    yield label, text, tuple(line for line in lines if line in text)


def _lines(draw: Draw, count: int) -> list[str]:
    first = draw.pick(_HEADS)
    body = [first + draw.chars(ALNUM + "+/", 64 - len(first))]
    body += [draw.chars(ALNUM + "+/", 64) for _ in range(count)]
    return [*body, draw.chars(ALNUM + "+/", 38) + "=="]


def _pgp(draw: Draw) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    lines = _lines(draw, 10)
    body = "\n".join(lines)
    text = f"-----BEGIN {_ARMOUR}-----\n\n{body}\n=aB3d\n-----END {_ARMOUR}-----"
    yield "key/pgp", text, tuple(lines)


def _putty(draw: Draw) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    public, private, mac = _lines(draw, 3), _lines(draw, 6), draw.chars(HEX, 64)
    head = f"PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: {draw.user()}"
    text = "\n".join((
        head, f"Public-Lines: {len(public)}", *public,
        f"Private-Lines: {len(private)}", *private, f"Private-MAC: {mac}",
    ))  # fmt: skip
    yield "key/putty", text, tuple(private)


def _jwt(draw: Draw, number: int) -> tuple[str, str, tuple[str, ...]]:
    def part(value: dict[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    head = part({"alg": draw.pick(("HS256", "RS256", "ES256")), "typ": "JWT"})
    body = part({"sub": draw.uuid(), "name": draw.person(), "exp": 1_770_000_000 + number})
    sign = draw.chars(URLSAFE, draw.pick((43, 86, 342)))
    shapes = (
        "«j»",
        "the response was «j» and then 200",
        "Authorization: Bearer «j»",
        "id_token=«j»&state=ok",
        "トークンは «j» でした",
        "これ→«j»←を貼った",
        '{"token":"«j»"}',
        "Cookie: auth=«j»",
    )
    text = shapes[number % len(shapes)].replace("«j»", f"{head}.{body}.{sign}")
    return "jwt", text, (body, sign)


_PROSE = (
    "try «v» instead",
    "it only works with «v» for now",
    "I see «v» in the log",
    "「«v»」で試したら通った",
    "«v» を渡すと動く",
    "what is «v» ?",
    "run it with «v»\nand tell me",
    "Result: «v».",
    "(«v»)",
    "いまは«v»になっている",
)


def _bare(draw: Draw, number: int) -> tuple[str, str, tuple[str, ...]]:
    """Long random text of mixed case that is no hash, id or path."""
    values = (
        draw.mixed(draw.number(32, 64)),
        draw.mixed(43, URLSAFE).strip("-_"),
        draw.base64(32),
        draw.base64(48),
    )
    value = values[number % len(values)]
    return "bare", _PROSE[number % len(_PROSE)].replace("«v»", value), (value,)
