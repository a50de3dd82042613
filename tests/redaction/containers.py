"""Secrets whose name stands apart or is encoded: tables, elements, manifests, escapes, split texts.

A shape is text with marks: «p» a password, «t» a token; `b64(…)`, `hex(…)`, `pct(…)` and `esc(…)` encode
what they hold after the marks are filled in.
"""

import base64
import re
from collections.abc import Iterator
from urllib.parse import quote

from tests.redaction.draw import Draw

EACH = 4

_MARK = re.compile("«([pt])»")
_CALL = re.compile(r"(b64|hex|pct|esc)\(([^()]*)\)")

SHAPES: dict[str, tuple[str, ...]] = {
    "table": (
        " id | user  | password\n----+-------+---------\n 7 | mori | «p»\n 8 | emma | «p»\n(2 rows)",
        "+----+-----------+\n| id | api_token |\n+----+-----------+\n| 3 | «t» |\n+----+-----------+",
        "| 環境 | 利用者 | パスワード |\n|:--|:--|:--|\n| 検証 | mori | «p» |",
        "id,login,password\n1,mori,«p»\n2,emma,«p»\n",
        "id\tlogin\tsecret\n1\tmori\t«t»\n",
        '"login";"auth_token"\n"mori";"«t»"\n',
        "│ name │ token │\n├──┼──┤\n│ ci │ «t» │",
    ),
    "element": (
        "<AccessToken>«t»</AccessToken>",
        '<ns:Password kind="plain">«p»</ns:Password>',
        "<dbSecret>\n  <![CDATA[«p»]]>\n</dbSecret>",
        "<RefreshToken xmlns='a'>«t»</RefreshToken>",
    ),
    "manifest": (
        "kind: Secret\nmetadata:\n  name: a\ndata:\n  plain: b64(«p»)\n  other: b64(«t»)\n",
        "data:\n  value: b64(«t»)\nkind: Secret\ntype: Opaque",
        'stringData:\n  any: "«p»"\nkind: Secret',
        '{"kind": "Secret", "data": {"any": "b64(«t»)"}}',
        "api_token: >-\n  «t»\n  «t»\nport: 80",
        "  - ParameterKey: AdminPassword\n    ParameterValue: «p»",
    ),
    "encoded": (
        "blob: b64(password=«p»)",
        'x = "b64({"client_secret":"«t»"})"',
        "dump hex(api_token=«t»)",
        'esc({"password":"«p»"})',
        "next=pct(https://h/?access_token=«t»)",
        "echo b64(DB_PASSWORD=«p») | base64 -d",
    ),
    "command": (
        "vercel deploy -t «t»",
        "gh secret set NAME --body «t»",
        "gh secret set NAME -b «t»",
        "fly secrets set API_TOKEN=«t»",
        "passwd mori <<< «p»",
        "openssl enc -aes-256-cbc -k «p» -in a",
        "snowsql -a x -u mori -p «p»",
        'curl -u ":«t»" https://h/',
        "aws ssm put-parameter --type SecureString --name /a --value «p»",
        "vercel env add API_TOKEN <<< «t»",
    ),
}

HONEST = (
    "| Field | Type | Required |\n|---|---|---|\n| password | string | yes |\n| token | string | no |",
    "| Token | Meaning |\n|---|---|\n| `{0}` | the first value |\n| `EOF` | the end of input |",
    "name,token_count,model\nalpha,4096,small\nbeta,8192,large\n",
    "def login(user, password, token):\n    return check(user, password, token)\n",
    "<TokenType>Bearer</TokenType>",
    "<password-policy>strict</password-policy>",
    "<key>CFBundleVersion</key>\n<string>42</string>",
    "kind: ConfigMap\ndata:\n  mode: dark\n  level: info\n",
    "data:\n  kind: article\n  body: plain text of it\n",
    "description: >-\n  a longer text\n  of two lines\n",
    "GET /a%3Fpage%3D2 HTTP/1.1",
    'caption: "a" + "b" + name',
    "sha256: " + "0f" * 16 + "\n",
    "hexdump: 48 65 6c 6c 6f 2c 20 77 6f 72 6c 64 21 20 48 69",
    "a path src/hooklore/redaction/rules/containers.py",
    "aGVsbG8gd29ybGQsIGhlcmUgaXMgYSB0ZXh0",
    "printf 'a\\\nb'",
    "select password, token from users where id = 3;",
)


def container_cases() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every shape, filled in so many times."""
    for label, shapes in SHAPES.items():
        for number, shape in enumerate(shapes * EACH):
            text, secrets = _filled(shape, Draw(f"container {label} {number}"))
            yield f"container/{label}", text, secrets


def _filled(shape: str, draw: Draw) -> tuple[str, tuple[str, ...]]:
    secrets: list[str] = []

    def value(mark: re.Match[str]) -> str:
        secrets.append(draw.password() if mark[1] == "p" else draw.mixed(28))
        return secrets[-1]

    def encode(call: re.Match[str]) -> str:
        encoded = _encoded(call[1], call[2])
        held = [secret for secret in secrets if secret in call[2]]
        if call[1] in ("b64", "hex"):
            secrets[:] = [s for s in secrets if s not in held] + [encoded]
        return encoded

    text = _CALL.sub(encode, _MARK.sub(value, shape))
    return text, tuple(secrets)


def _encoded(how: str, text: str) -> str:
    if how == "b64":
        return base64.b64encode(text.encode()).decode()
    if how == "hex":
        return text.encode().hex()
    if how == "pct":
        return quote(text, safe="")
    return re.sub("[a-z]", lambda found: f"\\u{ord(found[0]):04x}", text, count=6)
