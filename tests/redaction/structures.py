"""Names and values that structure ties together, in as many formats as there are, each with every name.

A shape is text with the marks «n» for a name and «v» for its value. Names and values are drawn.
"""

from collections.abc import Iterator

from tests.redaction.draw import HEX, LOWNUM, Draw

NAMES = (
    "DB_PASSWORD", "dbPassword", "db.password", "db-password", "smtp_pass", "apiToken", "client_secret",
    "API_KEY", "encryptionKey", "VAULT_TOKEN", "webhookSecret", "privateKey", "license_key", "hash_pepper",
    "adminPwd", "PgPasswd", "auth_token", "SecretKey", "recovery_code", "keystorePass",
)  # fmt: skip
HONEST_NAMES = (
    "password_file", "tokenType", "secret_name", "keyId", "TOKEN_URL", "passwordPolicy", "cacheKey",
    "publicKeyToken", "primary_key", "secretArn", "max_tokens", "author", "monkey", "bypass", "sortKey",
)  # fmt: skip

SHAPES: dict[str, tuple[str, ...]] = {
    "nested": (
        '"outputs": {"«n»": {"value": "«v»", "type": "string"}}',
        '"«n»": {\n    "sensitive": true,\n    "type": "string",\n    "value": "«v»"\n  }',
        "«n»:\n  value: «v»",
        '«n»:\n    Type: String\n    Default: "«v»"',
        'variable "«n»" {\n  type = string\n  default = "«v»"\n}',
        '{"name":"«n»","type":"string","value":"«v»"}',
    ),
    "value-first": (
        '{"value": "«v»", "name": "«n»"}',
        '{"Value":"«v»","Key":"«n»"}',
        '- value: "«v»"\n  name: «n»',
        "echo «v» | tool secret put «n»",
        'MOVE "«v»" TO «n».',
    ),
    "element": (
        "<property>\n  <name>«n»</name>\n  <value>«v»</value>\n</property>",
        '<setting name="«n»" serializeAs="String">\n  <value>«v»</value>\n</setting>',
        "<tr><th>User</th><th>«n»</th></tr>\n<tr><td>mori</td><td>«v»</td></tr>",
        "<tr><td>«n»</td><td>«v»</td></tr>",
        "<dt>«n»</dt><dd>«v»</dd>",
        '<input type="text" name="«n»" value="«v»">',
    ),
    "operator": (
        'if («n» !== "«v»")',
        '«n» <- "«v»"',
        "expect(x.«n»).toBe('«v»')",
        'public string «n» { get; set; } = "«v»";',
        "process.env.«n» ?? '«v»'",
        '$ENV{«n»} = "«v»";',
        '«n»: Some("«v»")',
        '«n»: String::from("«v»")',
        "«n»: &anchor «v»",
        "{«n»}{«v»}",
        "«n»: ${X:-«v»}",
    ),
    "line": (
        '"«n»":\n    "«v»",',
        "«n»:\n  - «v»\n",
        "args:\n  - --«n»\n  - «v»",
        "**«n»**: «v»",
        "*«n»:* «v»",
        "store put /app/«n» «v»",
        "«n»    «v»\nport    5432",
        "«n»\t«v»\n",
    ),
    "column": (
        "USER   «n»\nmori   «v»",
        "# client  server  «n»\n«v»  *  «v»".replace("«v»  *", "office  *"),
        '[["user","«n»"],["mori","«v»"]]',
        "id,login,«n»\n1,mori,«v»\n",
    ),
}

PRINTED = (
    "$ tool initial-password -n main\n«v»\n\nChange it soon.",
    "$ openssl rand -base64 18\n«v»\n",
    "Password for the [main] user successfully reset.\nNew value: «v»",
    "Password for 'https://git.river-kaede.net': «v»\nremote: done",
    'expect "password:"\nsend "«v»"',
    '{"Type": "SecureString", "Value": "«v»"}',
    '{"type":"random_password","instances":[{"attributes":{"length":20,"result":"«v»"}}]}',
)

HONEST = (
    "$ git log --grep=token\n4f1c2aa fix the parser",
    "$ ls secrets\napp2.yaml",
    "NAME      READY   TOKENS\nweb-7f9   1/1     4096\n",
    "<tr><th>Token</th><th>Meaning</th></tr>\n<tr><td>EOF</td><td>end of input</td></tr>",
    '{"type": "password", "label": "Password", "value": ""}',
    '{"value": "dark2", "name": "theme"}',
    "password: ${DB_PASSWORD:-}",
    "const token = await getToken(user2)",
    "if (password !== confirmPassword2) throw new Error('mismatch')",
    "tokens {\n  color = blue\n  size = 12px\n}",
    "const key = ['a', 'b', 'c'].join('-')",
    "token ids: [101, 2023, 2003, 1037, 3231, 102]",
    "key fingerprint: 3a:5b:6c:7d:41:52:63:74:35:46:57:68:3a:5b:6c:7d",
    "# field  type  secret  note\nlevel  int  no  first",
    "password:\n  - required\n  - min8\n",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOC\n",
)


def structure_cases() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield every shape with some names and a value of each kind."""
    for label, shapes in SHAPES.items():
        for number, shape in enumerate(shapes):
            draw = Draw(f"structure {label} {number}")
            for name in draw.some(NAMES, 3):
                for value in _values(draw):
                    text = shape.replace("«n»", name).replace("«v»", value)
                    yield f"structure/{label}", text, (value,)
    for number, shape in enumerate(PRINTED):
        value = Draw(f"printed {number}").mixed(20)
        yield "structure/printed", shape.replace("«v»", value), (value,)


def _values(draw: Draw) -> tuple[str, ...]:
    low = draw.chars(LOWNUM, 18) + "7k2"
    return (
        draw.mixed(16),
        draw.chars(HEX, 32),
        "q" + low,
        f"{draw.word()}-{draw.word()}-{draw.number(100, 999)}",
    )


def honest_structures() -> Iterator[str]:
    """Yield every shape of a nested or first value with a name that only looks like a secret's."""
    draw = Draw("honest structures")
    for label in ("nested", "value-first", "element", "operator"):
        for shape in SHAPES[label]:
            if "sensitive" in shape:
                continue
            name = draw.pick(HONEST_NAMES)
            yield shape.replace("«n»", name).replace("«v»", f"{draw.word()}-{draw.number(10, 99)}")
    yield from HONEST
