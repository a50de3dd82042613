"""Secrets told in sentences, Japanese and English, as people write to an agent.

The marks are those of `carriers`; besides, «4» is a PIN, «6» a one-time code, «s» a secret word in
Japanese.
"""

import re
from collections.abc import Iterator

from tests.redaction.carriers import fill
from tests.redaction.draw import DIGITS, Draw

EACH = 3

JAPANESE: dict[str, tuple[str, ...]] = {
    "password": (
        "パスワードは«p»です",
        "パスワードは «p» です。忘れないで。",
        "パスワードは「«p»」です",
        "パスワード：«p»",
        "パスワード: «p»",
        "パスワード=«p»",
        "パスワード　«p»",
        "パスワード→«p»",
        "新しいパスワードは『«p»』にしました",
        "初期パスワードは«p»になっています",
        "仮パスワード【«p»】でログインしてください",
        "管理者のパスワードが«p»のままだった",
        "DBのパスワードを«p»に変更しました",
        "パスワードを «p» に設定して",
        "rootのパスワードは«p»でお願いします",
        "パスワードとして«p»を使ってください",
        "«p»というパスワードで入れます",
        "«p» がパスワードです",
        "パスワード（«p»）は来週変える",
        "Wi-Fiのパスワードは«p»だよ",
        "パスワードは«p»、ユーザー名は«n»です",
        "パスは«p»",
        "パス：«p»",
        "PW：«p»",
        "PWは«p»です",
        "passは«p»で",
        "マスターパスワードは «p» だったと思う",
        "zipのパスワード：«p»",
        "ログインパスワードは下記です。\n«p»",
        "■パスワード\n«p»",
        "・パスワード … «p»",
        "パスワードを«p»から«p»に変えた",
        "パスワード«p»で接続できた",
        "パスフレーズは«p»です",
        "パスフレーズに «p» を入れる",
    ),
    "login": (
        "ログイン情報 «n» / «p»",
        "ログイン情報：«n»/«p»",
        "ログイン情報は«n»と«p»です",
        "ID: «n»　パスワード: «p»",
        "ユーザー名：«n»\nパスワード：«p»",
        "ID/PWは «n»/«p» です",
        "ID «n» PW «p»",
        "IDとパスワードは «n» / «p» でログインできます",
        "Basic認証は «n»:«p» です",
        "ベーシック認証（«n» / «p»）をかけた",
        "アカウントは«n»、パスは«p»",
        "認証情報：«n» «p»",
        "接続情報　ユーザー «n»、パスワード «p»、ホスト «h»",
        "«n»でログイン、パスワードは«p»",
    ),
    "token": (
        "トークン：«t»",
        "トークンは«t»です",
        "トークンは «t» を使って",
        "アクセストークンは「«t»」",
        "アクセストークンを«t»に差し替えて",
        "APIキーを«t»に設定して",
        "APIキーは «t» です",
        "APIキー：«t»",
        "APIキー＝«t»",
        "このAPIキー «t» で試して",
        "APIトークン（«t»）が期限切れです",
        "シークレットキーは«t»",
        "シークレットは «t» です",
        "クライアントシークレット：«t»",
        "秘密鍵は«y»です",
        "秘密鍵：«k»",
        "鍵は «t» です",
        "鍵：«t»",
        "共有鍵は«t»にしてください",
        "暗号化キーは«y»",
        "署名鍵に«t»を使っている",
        "認証キーは «t»",
        "認証トークンを «t» に更新した",
        "Webhookのシークレットは«x»",
        "キーは «t» を環境変数に入れて",
        "«t» をトークンとして渡す",
        "«t» がAPIキー",
        "ライセンスキー：«t»",
        "リフレッシュトークン\n«t»",
        "クレデンシャルは«t»",
    ),
    "word": (
        "合言葉は「«s»」です",
        "合言葉は«s»",
        "合い言葉：«s»",
        "合言葉を『«s»』に変えた",
        "合言葉は «p» だよ",
        "秘密の合言葉は「«s»」",
    ),
    "number": (
        "暗証番号は«4»です",
        "暗証番号：«4»",
        "暗証番号は「«4»」に変更した",
        "カードの暗証番号が«4»なので注意",
        "PINコードは«4»",
        "PIN：«4»",
        "スマホのロック解除は暗証番号«4»",
        "認証コードは«6»です",
        "認証コード：«6»",
        "確認コード «6» を入力してください",
        "ワンタイムパスワードは«6»です",
        "暗証番号を«4»から«4»に変えました",
    ),
}

ENGLISH: dict[str, tuple[str, ...]] = {
    "password": (
        "the password is «p»",
        "The password is «p».",
        "the password is: «p»",
        'The password is "«p»", please rotate it',
        "password: «p»",
        "Password = «p»",
        "my password is «p» btw",
        "the admin password is `«p»`",
        "password for the staging box is «p»",
        "the password for «n» is «p» and it never expires",
        "pwd: «p»",
        "pw: «p»",
        "pw is «p»",
        "db pass is «p»",
        "wifi pass: «p»",
        "passwd «p»",
        "root password «p» still works",
        "I changed the root password to «p»",
        "set the password to «p» and restart",
        "the new password should be «p»",
        "password was «p» before the migration",
        "reset the password from «p» to «p»",
        "use «p» as the password",
        "use the password «p» for the VPN",
        "«p» is the password",
        "just type «p» when it asks for the password",
        "log in with password «p»",
        "the default password («p») was never changed",
        "passphrase: «p»",
        "the passphrase for the key is «p»",
        "unlock it with the passphrase «p»",
        "Password:\n«p»",
        "password -> «p»",
        "**Password:** «p»",
        "- password: `«p»`",
    ),
    "login": (
        "login with «n» / «p»",
        "log in as «n» with password «p»",
        "credentials: «n»/«p»",
        "creds are «n»:«p»",
        "username «n» password «p»",
        "username: «n»\npassword: «p»",
        "user: «n», pass: «p»",
        "user=«n» pw=«p»",
        "sign in as «n», password is «p»",
        "Basic auth is «n»:«p»",
        "The credentials for staging are «n» and «p»",
    ),
    "token": (
        "use «t» as the token",
        "the token is «t»",
        "my api key is «t»",
        "My API key: «t»",
        "API key «t» has expired",
        "The API key («t») was revoked yesterday",
        "set the secret to «t»",
        "the client secret is «t»",
        "here is the access token: «t»",
        "Here's the key: «t»",
        "using the key «t» I get a 401",
        "bearer token «t»",
        "pass «t» as the api key",
        "the secret: «t»",
        "token = «t»",
        "the webhook secret is «x»",
        "our signing secret is «y»",
        "replace the old token «t» with «t»",
        "access key «t»",
        "my personal access token is «t», don't share it",
        "auth token: «t»",
        "session token «t»",
    ),
    "number": (
        "the PIN is «4»",
        "PIN: «4»",
        "my pin code is «4»",
        "verification code: «6»",
        "your verification code is «6»",
        "OTP: «6»",
        "the one-time code is «6»",
        "passcode is «6»",
    ),
}

_SENSITIVE_WORDS = (
    "山猫軒の夜",
    "ひまわり",
    "青い金魚",
    "月と六ペンス",
    "すいか割り",
    "北極の白熊",
)
_MARK = re.compile("«([46s])»")


def prose_cases() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every phrasing with so many values, each alone and then within a longer message."""
    for language, phrasings in (("ja", JAPANESE), ("en", ENGLISH)):
        for label, shapes in phrasings.items():
            for number, shape in enumerate(shapes * EACH):
                draw = Draw(f"{language} {label} {number}")
                text, secrets = _told(shape, draw)
                round_ = number // len(shapes)
                yield f"{language}/{label}", _AROUND[language][round_].replace("«»", text), secrets


_AROUND = {
    "ja": (
        "«»",
        "お疲れさまです。さきほどの件です。\n«»\nよろしくお願いします。",
        "ステージング環境にデプロイしてください。«»\nログも確認して。",
    ),
    "en": (
        "«»",
        "Hi, about the failing job:\n«»\nThanks!",
        "Please deploy to staging first. «»\nThen run the tests again.",
    ),
}


def _told(shape: str, draw: Draw) -> tuple[str, tuple[str, ...]]:
    numbers: list[str] = []

    def one(mark: re.Match[str]) -> str:
        if mark[1] == "s":
            numbers.append(draw.pick(_SENSITIVE_WORDS))
        else:
            numbers.append(draw.chars(DIGITS, int(mark[1])))
        return numbers[-1]

    text, secrets = fill(_MARK.sub(one, shape), draw)
    return text, (*numbers, *secrets)
