"""Secrets in sentences of many languages, and sentences about secrets that state none.

A shape is text with marks: «p» a password as people choose it, «r» one of letters and digits alone, «w» a
word with a number, «k» a key, «d:N» digits, «4» four words, «n» a user. All but the user are secret.
"""

import re
from collections.abc import Iterator

from tests.redaction.draw import ALNUM, DIGITS, LOWNUM, Draw

EACH = 4

_MARK = re.compile("«([a-z4])(?::([0-9]+))?»")

SHAPES: dict[str, tuple[str, ...]] = {
    "en": (
        "the staging box wants a password and it is «p»",
        "give them «r» as password",
        "«p» <- the router password",
        "its pw: «w»",
        "we had no password there, so I set it to «w»",
        "was «p» the right password?",
        "Passwords of the nodes:\n- one: «w»\n- two: «p»\n",
        "the alarm code is «d:4»",
        "you can log in as mori with «p»",
        "when it prompts, type «w»",
        "Use «d:6» to verify your login",
        "the key for the maps service is «k»",
        'the passphrase is "«4»"',
        "her number is +1 415 555 26«d:2»",
    ),
    "ja": (
        "共用の端末のパスワードなんだけど、«w»やと思うわ",
        "«p» ← これが踏み台のパスワード",
        "ﾊﾟｽﾜｰﾄﾞは«w»でした",
        "パスワードが無かったので付けました。«p»にしてあります。",
        "金庫の解錠番号は«d:4»です",
        "トークン再発行した！«k»",
        "端末ごとのパスワード\n- 甲: «w»\n- 乙: «p»\n",
        "«r»ってパスワードで合ってる？",
        "確認コード «d:6» が来たよ",
        "検証用の画面は«p»でログインできる",
        "ユーザーは mori / «p» です",
    ),
    "de": (
        "Das Kennwort vom Drucker lautet «p».",
        "Nehmt «w» als Passwort.",
        "Passwort: «r»",
        "«p» war mal das Passwort",
        "Mein Sicherheitscode ist «d:6».",
        'Die Passphrase ist "«4»".',
        "Ruf mich an: 0171 «d:7»",
        "der API-Schlüssel lautet «k»",
    ),
    "fr": (
        "Le mot de passe du serveur est «p».",
        "mets «w» comme mot de passe",
        "Mot de passe : «r»",
        "le mdp c'est «w»",
        "Le code de vérification est «d:6».",
        "la clé API : «k»",
        "Tu peux m'appeler au 06 12 34 5«d:1» «d:2»",
    ),
    "es": (
        "La contraseña del panel es «p».",
        "usa «r» como contraseña",
        "Contraseña: «w»",
        "la clave es «w»",
        "El PIN es «d:4»",
        "tu código de seguridad es «d:6»",
        "aquí tienes el token: «k»",
    ),
    "pt": (
        "A senha do painel é «p».",
        "use «r» como senha",
        "Senha: «w»",
        "O PIN é «d:4»",
        "seu código de verificação é «d:6»",
        "a chave da API é «k»",
    ),
    "it": (
        "La password del pannello è «p».",
        "usa «r» come password",
        "la pass è «w»",
        "Il PIN è «d:4»",
        "il codice di verifica è «d:6»",
        "la chiave API è «k»",
        "la passphrase è «4»".replace("«4»", "«" + "«4»" + "»"),
    ),
    "zh": (
        "后台的密码是«p»，请试一下",
        "密码：«w»",
        "用«r»做密码",
        "验证码为«d:6»，请勿泄露",
        "密钥：«k»",
        "密码从«w»改为«p»",
    ),
    "ko": (
        "관리자 비밀번호는 «p»입니다",
        "비번: «w»",
        "«r»를 비밀번호로 설정했어요",
        "인증번호는 «d:6»입니다",
        "API 키: «k»",
    ),
    "other": (
        "Пароль от сервера: «p»",
        "Het wachtwoord is «p»",
        "Lösenordet är «w»",
        "Hasło: «p»",
        "Şifre: «w»",
        "Heslo: «w»",
        "mật khẩu: «p»",
        "Kata sandi: «w»",
    ),
}

HONEST = (
    "You can log in with GitHub or with auth0, and sign in using OAuth2.",
    "ログインはOAuth2でできます。ポート8080で入れます。",
    "The password has to have 12 characters and one digit.",
    "Passwords are hashed with argon2id and a salt of 16 bytes.",
    "The token expires after 3600 seconds.",
    "The key is order_id and the value is a JSON object.",
    "Use sha256 for the token and base64url for the header.",
    "the password is checked in auth2.py, line 120",
    "The code is 404 and it should be 201.",
    "the secret is stored in AWS Secrets Manager (see ADR-0012)",
    "I read the password from process.env.DB_PASSWORD2",
    "A PIN has 4 digits, a passcode 6.",
    "pass utf8 to open() instead",
    "The password reset page is at /users/reset2",
    "is python3.11 the right version for the token library?",
    "Set the token lifetime to 15 minutes",
    "The key differs from v1.2.3 on",
    "my password was rejected twice in 2024",
    "Passwort-Regeln: mindestens 12 Zeichen, 2 Ziffern",
    "Das Passwort wird mit SHA-256 gehasht.",
    "Le mot de passe doit avoir 12 caractères.",
    "La contraseña debe tener 8 caracteres.",
    "A senha expira em 90 dias.",
    "La password scade dopo 90 giorni.",
    "密码至少8位，包含数字和字母",
    "验证码5分钟内有效",
    "비밀번호는 8자 이상이어야 합니다",
    "パスワードは12文字以上、3種類以上の文字で",
    "トークンの上限は4096です",
    "認証コードは6桁、10分間有効です",
    "キーはuser_idとcreated_atです",
    "暗証番号は4桁にしてください",
    "パスワードは1Passwordにあります",
    "パスはsrc/app2/main.pyです",
    "Passwords:\n- must be long\n- must be hashed\n",
    "The tokens of the model:\n- input: 4096\n- output: 1024\n",
    "call the parser at 10:30 on 2026-11-22",
    "error 10061 at 192.168.10.100",
    "Tests by phone: 1284 of 1300 passed",
    "The order number is 4471-2231-9923.",
)


def language_cases() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every shape, filled in so many times."""
    for language, shapes in SHAPES.items():
        for number, shape in enumerate(shapes * EACH):
            text, secrets = fill(shape, Draw(f"stated {language} {number}"))
            yield f"stated/{language}", text, secrets


def fill(shape: str, draw: Draw) -> tuple[str, tuple[str, ...]]:
    """The shape with its marks filled in, and the values."""
    secrets: list[str] = []

    def one(mark: re.Match[str]) -> str:
        value = _value(mark[1], int(mark[2] or 0), draw)
        secrets.append(value)
        return value

    text = _MARK.sub(one, shape)
    return text, tuple(value for value in secrets if len(value) >= 4)


def _value(mark: str, size: int, draw: Draw) -> str:
    if mark == "p":
        return f"{draw.word().title()}{draw.pick('!#$%&@')}{draw.number(10, 9999)}"
    if mark == "r":
        return draw.mixed(draw.number(9, 14))
    if mark == "w":
        return f"{draw.word()}{draw.number(11, 2024)}"
    if mark == "k":
        return draw.pick((draw.mixed(28), f"{draw.chars(LOWNUM, 3)}-{draw.mixed(24, ALNUM)}"))
    if mark == "4":
        return " ".join(draw.words(4))
    return draw.chars(DIGITS, size)
