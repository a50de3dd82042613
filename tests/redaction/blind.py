"""A second set of secrets, written after the rules and before any look at what the rules do with it.

A shape is text with marks: «p» a password as people choose it, «t» a token as programs make it, «g» a
UUID, «b» base64 of user and password, «c:N» and the like N characters of an alphabet, «n» a user, «h»
a host. All but user and host are secret. What a scanner would take for a token is cut by «».
"""

import base64
import re
from collections.abc import Callable, Iterator

from tests.redaction.draw import ALNUM, BASE64, DIGITS, HEX, LOWNUM, UPHEX, UPNUM, URLSAFE, Draw

EACH = 2

_MARK = re.compile("«([a-zA-Z])(?::([0-9]+))?»")
_ALPHABETS = {
    "a": ALNUM, "l": LOWNUM, "u": URLSAFE, "U": UPNUM, "d": DIGITS, "x": HEX, "X": UPHEX, "B": BASE64,
}  # fmt: skip
_PEOPLE = {"n", "h"}

SHAPES: dict[str, tuple[str, ...]] = {
    "file": (
        "machine api.«h» login «n» password «p»",
        "«h»:5432:app:«n»:«p»",
        "//registry.«h»/:_authToken=«g»",
        "[distutils]\nindex-servers = pypi\n\n[pypi]\nusername = «n»\npassword = «p»",
        "<server>\n  <id>central</id>\n  <username>«n»</username>\n  <password>«p»</password>\n</server>",
        "[default]\naws_access_key_id = AK«»IA«U:16»\naws_secret_access_key = «B:40»\nregion = eu-west-1",
        '{"http-basic": {"repo.«h»": {"username": "«n»", "password": "«p»"}}}',
        "apiVersion: v1\nkind: Secret\nstringData:\n  DB_USER: «n»\n  DB_PASSWORD: «p»",
        "users:\n- name: admin\n  user:\n    token: «a:64»",
        "define( 'DB_PASSWORD', '«p»' );",
        "define('AUTH_SALT',         '«u:64»');",
        "production:\n  adapter: postgresql\n  username: «n»\n  password: «p»\n  host: «h»",
        "spring:\n  datasource:\n    url: jdbc:mysql://«h»/app\n    username: «n»\n    password: «p»",
        '"ConnectionStrings": {"Default": "Server=«h»;Database=app;User Id=«n»;Password=«p»;"}',
        "DefaultEndpointsProtocol=https;AccountName=files;AccountKey=«B:86»==;EndpointSuffix=core.windows.net",
        '<add key="ClearTextPassword" value="«p»" />',
        'db_password = "«p»"\nregion = "ap-northeast-1"',
        "- name: create user\n  mysql_user:\n    name: «n»\n    password: «p»\n    state: present",
        'Environment="API_TOKEN=«t»"',
        "services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD=«p»\n      - POSTGRES_USER=«n»",
        'network={\n  ssid="office"\n  psk="«p»"\n}',
        "requirepass «p»",
        "signing.keyId=24875D73\nsigning.password=«p»",
        "storePassword=«p»\nkeyAlias=upload",
        '{"type": "service_account", "client_id": "1", "client_secret": "«u:28»"}',
        "[remote]\ntype = s3\naccess_key_id = «U:20»\nsecret_access_key = «B:40»",
        "mail.smtp.user=«n»\nmail.smtp.password=«p»",
        "spark.hadoop.fs.s3a.secret.key=«B:40»",
        "access_token_secret: «a:45»",
        'auth_token: "«x:32»" # twilio',
        "client_secret: «u:40»",
        "<apiKey>«a:32»</apiKey>",
        'key "dhcp" {\n  algorithm hmac-sha256;\n  secret "«B:43»=";\n};',
        "PrivateKey = «B:43»=\nAddress = 10.8.0.2/24",
        "PresharedKey = «B:43»=",
    ),
    "shell": (
        "kubectl create secret generic db --from-literal=password=«p»",
        "kubectl create secret generic db --from-literal=api-key=«t»",
        "vault kv put secret/app password=«p»",
        "helm upgrade app ./chart --set auth.password=«p»",
        "terraform apply -var='db_password=«p»'",
        'ansible-playbook site.yml -e "ansible_become_password=«p»"',
        "keytool -list -keystore a.jks -storepass «p»",
        "openssl rsa -in key.pem -passin pass:«p» -out plain.pem",
        "security unlock-keychain -p «p» login.keychain",
        "xcrun altool --upload-app -f a.ipa -u «n» -p «p»",
        "signtool sign /f cert.pfx /p «p» app.exe",
        "nmcli dev wifi connect office password «p»",
        "redis-cli -h «h» -a «p» ping",
        'mongosh "mongodb://«h»/app" -u «n» -p «p»',
        "gpg --batch --passphrase «p» -d a.gpg",
        "7z x -p«p» backup.7z",
        "echo «p» | sudo -S systemctl restart nginx",
        "curl -H 'X-API-Key: «t»' https://api.«h»/v1/me",
        'curl -H "Authorization: Token «x:40»" https://api.«h»/v1/me',
        "curl -X POST -d 'username=«n»&password=«p»' https://«h»/login",
        "curl -d '{\"user\":\"«n»\",\"password\":\"«p»\"}' https://«h»/login",
        "http POST «h»/login username=«n» password=«p»",
        "wget --header='PRIVATE-TOKEN: «u:20»' https://«h»/api/v4/projects",
        "git clone https://oauth2:«u:26»@«h»/team/app.git",
        "git remote set-url origin https://«n»:«t»@«h»/team/app.git",
        "aws configure set aws_secret_access_key «B:40»",
        "export HEROKU_API_KEY=«g»",
        "$ export CLOUDFLARE_API_TOKEN=«u:40»",
        "set -gx NPM_TOKEN «g»",
        "docker run -e MYSQL_ROOT_PASSWORD=«p» -d mysql:8",
        "docker build --build-arg GITHUB_TOKEN=«t» .",
        "fly secrets set SESSION_SECRET=«x:64»",
        "gh secret set DEPLOY_KEY --body '«t»'",
        "sqlcmd -S «h» -U sa -P «p» -Q 'select 1'",
        "ldapsearch -x -D cn=admin,dc=corp -w «p» -b dc=corp",
        "rclone config create s3 s3 secret_access_key «B:40»",
        "snowsql -a acct -u «n» --password «p»",
        "psql 'host=«h» user=«n» password=«p» dbname=app'",
    ),
    "wire": (
        "POST /oauth/token HTTP/1.1\n\ngrant_type=client_credentials&client_id=web&client_secret=«u:40»",
        '{"access_token":"«u:64»","token_type":"Bearer","expires_in":3600}',
        '{"refresh_token": "«a:43»", "scope": "read"}',
        "> Authorization: Basic «b»",
        "Proxy-Authorization: Basic «b»",
        "X-Auth-Token: «x:32»",
        "x-goog-api-key: AI«»za«u:35»",
        "Cookie: sessionid=«l:32»; csrftoken=«a:32»",
        "Set-Cookie: connect.sid=s%3A«u:32».«B:43»; Path=/; HttpOnly",
        "GET /v1/items?api_key=«x:32»&page=2 HTTP/1.1",
        "https://maps.googleapis.com/maps/api/geocode/json?address=x&key=AI«»za«u:35»",
        "https://files.«h»/a.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=«x:64»",
        "https://acct.blob.core.windows.net/c/a.zip?sv=2022-11-02&sp=r&sig=«B:43»%3D",
        "wss://stream.«h»/feed?token=«u:40»",
        "AUTH PLAIN «b»",
        "PASS «p»\r\nNICK bot\r\nUSER bot 0 * :bot",
        'msg: {"jsonrpc":"2.0","method":"login","params":{"user":"«n»","passwd":"«p»"}}',
        'Content-Disposition: form-data; name="password"\r\n\r\n«p»\r\n--boundary',
        "amqp://«n»:«p»@«h»:5672/vhost",
        "mongodb+srv://«n»:«p»@«h»/app?retryWrites=true",
        "redis://:«p»@«h»:6379/0",
        "postgresql+asyncpg://«n»:«p»@«h»/app",
        "cloudinary://481516234215:«u:27»@demo",
        "https://«n»:«x:32»@sentry.«h»/4",
        "smtp://«n»%40corp:«p»@«h»:587",
        "jdbc:postgresql://«h»/app?user=«n»&password=«p»",
        "jdbc:sqlserver://«h»:1433;databaseName=app;user=«n»;password=«p»;encrypt=true",
        "sftp://«n»:«p»@«h»/upload",
        "Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«B:43»=",
    ),
    "code": (
        "client = Client(api_key='«t»')",
        'openai.api_key = "s«»k-«a:48»"',
        "const stripe = require('stripe')('sk_«»live_«a:24»');",
        'conn = psycopg2.connect(host="«h»", user="«n»", password="«p»")',
        "$pdo = new PDO('mysql:host=«h»', '«n»', '«p»'); // password",
        'var password = "«p»";',
        'private static final String SECRET = "«t»";',
        'let apiToken: String = "«t»"',
        "jwt.sign(payload, '«p»', { secret: '«t»' })",
        'os.environ["SECRET_KEY"] = "«t»"',
        "ENV['API_TOKEN'] = '«t»'",
        'config.setProperty("db.password", "«p»");',
        "headers = {'Authorization': 'Bearer «u:48»'}",
        'req.Header.Set("X-Api-Key", "«t»")',
        '#define WIFI_PASSWORD "«p»"',
        'const char* mqtt_pass = "«p»";',
        "app.config['JWT_SECRET_KEY'] = '«t»'",
        "session.auth = ('«n»', '«p»')",
        "paramiko_client.connect(host, username='«n»', password='«p»')",
        'Credentials.of("«n»", "«p»")',
        "spring.security.user.password=«p»",
        "CREATE USER «n» WITH PASSWORD '«p»';",
        "ALTER ROLE «n» PASSWORD '«p»';",
        "GRANT ALL ON app.* TO '«n»'@'%' IDENTIFIED BY '«p»';",
        "INSERT INTO users (name, password) VALUES ('«n»', '«p»');",
        "db.createUser({user: '«n»', pwd: '«p»', roles: []})",
        "UPDATE users SET password = '«p»' WHERE id = 1;",
    ),
    "vendor": (
        "use gl«»dt-«u:20» for the registry",
        "the key is sk-«»ant-api03-«u:93»AA",
        "token gh«»p_«a:36» pushed",
        "xo«»xb-«d:12»-«d:13»-«a:24»",
        "MT«»«u:24».«u:6».«u:38»",
        "bot «d:10»:AA«»«u:33»",
        "LINE Notify token: «a:43»",
        "hv«»s.«u:24»",
        "sn«»tryu_«x:64»",
        "gls«»a_«a:32»_«x:8»",
        "ATA«»TT3«u:60»",
        "pk«»_«d:8»_«U:32»",
        "shp«»at_«x:32»",
        "sk-«»proj-«u:48»",
        "tvl«»y-«a:32»",
        "rpa«»_«U:40»",
        "vck«»_«a:56»",
        "ddp«»_«a:36»",
        "whs«»ec_«B:32»",
        "https://hooks.sl«»ack.com/services/T«U:8»/B«U:8»/«a:24»",
        "https://disc«»ord.com/api/webhooks/«d:18»/«u:68»",
        "np«»m_«a:36» in .npmrc",
        "account of twilio, auth token: «x:32»",
    ),
    "english": (
        "the staging password is «p», please don't share it",
        "I changed the root password to «p»",
        "login is «n» / «p»",
        "use «p» as the password for now",
        "my API key: «t»",
        "here's the token «t», it expires tomorrow",
        "password for the vpn: «p»",
        "The wifi password is «p»",
        "Your verification code is «d:6»",
        "creds: «n»:«p»",
        "PIN is «d:4»",
        "Try again with the secret «t»",
        "old pw was «p» and new pw is «p»",
        'the passphrase for the key is "«p»"',
        "I pasted the key by accident: «u:44»",
        "sign in as «n» with password «p»",
        "The database password was rotated to `«p»`.",
        "unlock code: «d:6»",
        "you can log in with «n» and «p» (password)",
        "Please set DB_PASSWORD to «p» in the env",
    ),
    "japanese": (
        "本番DBのパスワードは「«p»」です",
        "パスワードを«p»に変更しました",
        "初期パスワード：«p»",
        "仮パスワードは «p» になっています",
        "合言葉は«p»、忘れないで",
        "社員証の暗証番号は«d:4»です",
        "金庫の暗証番号は «d:6» です",
        "トークン：«t»",
        "アクセストークンは «t» を使ってください",
        "APIキーを貼ります。«t»",
        "鍵は «t» に置き換えた",
        "ユーザー名 «n»、パスワード «p» でログインしてください",
        "ID：«n»　PW：«p»",
        "Wi-Fiのパスワードは «p» だよ",
        "秘密鍵のパスフレーズは『«p»』",
        "認証コードは«d:6»です",
        "シークレット＝«t»",
        "管理者のパスは «p»",
        "DB_PASSWORD に «p» を設定した",
        "ＡＰＩキーは「«t»」に更新済み",
        "このトークン（«t»）は期限切れ",
        "パスワードが «p» のままなので変えて",
        "共有フォルダのパスワード→«p»",
        "ルーターの管理画面は «n» / «p» で入れます",
    ),
    "bare": (
        "please try «B:43»= instead",
        "got back: «u:43»",
        "it printed «a:40» and stopped",
        '"«u:48»",',
    ),
}  # fmt: skip


def blind_cases() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(label, text, secrets), the same on every machine; each shape with other values."""
    for label, shapes in SHAPES.items():
        for number, shape in enumerate(shapes):
            for turn in range(EACH):
                text, secrets = _filled(Draw(f"blind {label} {number} {turn}"), shape)
                yield f"blind/{label}", text, secrets


def _filled(draw: Draw, shape: str) -> tuple[str, tuple[str, ...]]:
    secrets: list[str] = []

    def value(mark: re.Match[str]) -> str:
        drawn = _value(draw, mark[1], int(mark[2] or 0))
        if mark[1] not in _PEOPLE:
            secrets.append(drawn)
        return drawn

    return _MARK.sub(value, shape).replace("«»", ""), tuple(secrets)


def _value(draw: Draw, mark: str, count: int) -> str:
    if mark in _ALPHABETS:
        mixed = mark in "auB"
        return draw.mixed(count, _ALPHABETS[mark]) if mixed else draw.chars(_ALPHABETS[mark], count)
    values: dict[str, Callable[[], str]] = {
        "p": draw.password, "t": draw.secret, "g": draw.uuid, "n": draw.user, "h": draw.host,
        "b": lambda: base64.b64encode(f"{draw.user()}:{draw.password()}".encode()).decode(),
    }  # fmt: skip
    return values[mark]()
