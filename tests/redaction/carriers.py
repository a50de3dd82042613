"""Secrets of no vendor in what carries them: settings, commands, headers, addresses, source code.

A shape is text with marks: «p» a password as people choose it, «w» one that may be two plain words,
«u» one without signs that an address would escape, «t» a token as programs make it, «x» «y» hex of
32 and 64 digits, «b» base64 of user and password, «k» base64 of a value, «d» of a registry's
settings, «c» of a private key, «n» a user, «h» a host. All but user and host are secret.
"""

import base64
import json
import re
from collections.abc import Iterator

from tests.redaction.draw import HEX, Draw, glue

EACH = 2

_MARK = re.compile("«([a-z])»")

SHAPES: dict[str, tuple[str, ...]] = {
    "env": (
        "DB_PASSWORD=«w»",
        "API_SECRET=«t»",
        "JWT_SECRET='«t»'",
        'ADMIN_PASS="«p»"',
        "APP_ENV=dev\nSMTP_PASSWORD=«p»\nSMTP_PORT=587",
        "REDIS_AUTH=«p»",
        "MY_SERVICE_TOKEN=«t»",
        "ENCRYPTION_KEY=«y»",
        "PGPASSWORD=«p» psql -h «h» app",
        "MYSQL_PWD=«p» mysqldump app",
        "env: SECRET_KEY_BASE=«y» RAILS_ENV=production",
        "SIGNING_KEY = «t»",
    ),
    "shell-assignment": (
        "export SECRET_KEY=«t»",
        "export TOKEN='«t»'; ./run.sh",
        "set -x API_KEY «t»",
        "setenv APP_SECRET «t»",
        '$env:API_KEY = "«t»"',
        "set DB_PASS=«p»",
        'declare -x ACCESS_TOKEN="«t»"',
        "API_TOKEN=«t» npm run deploy",
        "read -r PASS <<< '«p»'",
    ),
    "command-flag": (
        "mysql -u root -p«p» app",
        "deploy --password «p» --host «h»",
        "backup --password=«p»",
        "cli login --token=«t»",
        "sync --api-key «t» --dry-run",
        'tool --secret "«t»"',
        "curl -u «n»:«p» https://«h»/v1/items",
        "curl --user '«n»:«p»' -X POST https://«h»/",
        "curl -sS -u «n»:«t» https://«h»/job/build",
        "sshpass -p '«p»' ssh «n»@«h»",
        "wget --http-user=«n» --http-password=«p» https://«h»/a.tgz",
        "htpasswd -b .htpasswd «n» «p»",
        "docker login -u «n» -p «p» registry.«h»",
        "echo «t» | docker login -u «n» --password-stdin",
        "redis-cli -h «h» -a «p» ping",
        "mongosh -u «n» -p «p» --host «h»",
        "openssl enc -aes-256-cbc -pass pass:«p» -in a -out b",
        "keytool -list -keystore a.jks -storepass «p»",
        "ldapsearch -x -D cn=«n» -w «p»",
        "unzip -P «p» archive.zip",
        "7z x -p«p» archive.7z",
        "gpg --batch --passphrase «p» -d a.gpg",
        "smbclient //files/share -U «n»%«p»",
        "helm install db ./db --set auth.password=«p»",
        "kubectl create secret generic db --from-literal=password=«p»",
        "aws configure set aws_secret_access_key «t»",
        "twine upload -u __token__ -p «t» dist/*",
        "npm config set //registry.npmjs.org/:_authToken «t»",
        "echo '«n»:«p»' | chpasswd",
        "gh auth login --with-token <<< «t»",
        "ansible-playbook site.yml -e ansible_become_password=«p»",
    ),
    "json": (
        '{"user": "«n»", "password": "«w»"}',
        '{"apiKey": "«t»"}',
        '{"client_id":"web","client_secret":"«t»","grant_type":"client_credentials"}',
        '{\\"user\\":\\"«n»\\",\\"password\\":\\"«p»\\"}',
        '{"access_token":"«t»","token_type":"Bearer","expires_in":3600}',
        '{\n  "auth": {\n    "refresh_token": "«t»"\n  }\n}',
        "{'secretKey': '«t»', 'region': 'tokyo'}",
        '"authToken" : "«t»"',
        '{"db":{"host":"«h»","passwd":"«p»","port":5432}}',
        '[{"name":"PASSWORD","value":"«p»"}]',
        '{"sessionToken":"«t»"}',
        '{"webhook_secret":"«x»"}',
    ),
    "yaml": (
        "password: «w»",
        'api_key: "«t»"',
        "  - name: DB_PASSWORD\n    value: «p»",
        "production:\n  secret_key_base: «y»",
        "token: '«t»' # prod",
        "auth:\n  username: «n»\n  password: «p»\n  retries: 3",
        "stringData:\n  password: «p»",
        "client-secret: «t»",
        "password: >-\n  «p»",
        "smtp: {user: «n», pass: «p»}",
        "- oauth_token: «t»\n  user: «n»",
        "private_key: «t»",
    ),
    "toml": (
        'password = "«w»"',
        "api_key = '«t»'",
        '[auth]\ntoken = "«t»"\nretries = 3',
        'db = { user = "«n»", password = "«p»" }',
        'secret-key = "«t»"',
    ),
    "ini": (
        "[client]\nuser=root\npassword=«w»",
        "secret_key = «t»",
        "smtp_pass=«p»",
        "[pypi]\nusername = __token__\npassword = «t»",
        "[default]\naws_secret_access_key = «t»\nregion = ap-northeast-1",
        "requirepass «p»",
        "masterauth «p»",
    ),
    "xml": (
        "<password>«w»</password>",
        '<add key="ApiKey" value="«t»" />',
        '<property name="password" value="«p»"/>',
        "<apiToken>«t»</apiToken>",
        "<server><id>nexus</id><username>«n»</username><password>«p»</password></server>",
        '<setting name="ClientSecret"><value>«t»</value></setting>',
        '<user username="«n»" password="«p»" roles="manager-gui"/>',
    ),
    "header": (
        "Authorization: Bearer «t»",
        "authorization: bearer «t»",
        "Authorization: Token «t»",
        "Authorization: Basic «b»",
        "X-API-Key: «t»",
        "x-auth-token: «t»",
        "Proxy-Authorization: Basic «b»",
        "Cookie: session=«t»; theme=dark",
        "Set-Cookie: sid=«t»; Path=/; HttpOnly",
        "curl https://«h»/v1 -H 'Authorization: Bearer «t»'",
        "headers={'X-Api-Key': '«t»'}",
        "Ocp-Apim-Subscription-Key: «x»",
        "PRIVATE-TOKEN: «t»",
        "api-key: «t»",
        "Authorization: ApiKey «t»",
        "X-Amz-Security-Token: «t»",
        '"authorization": "Bearer «t»"',
        "> GET /v1/me HTTP/1.1\n> Host: «h»\n> Authorization: Bearer «t»\n> Accept: */*",
        'http GET «h»/v1 "X-Auth-Token:«t»"',
    ),
    "connection": (
        "postgres://«n»:«u»@«h»:5432/app",
        "postgresql+asyncpg://«n»:«u»@«h»/app",
        "mysql://«n»:«u»@«h»:3306/app",
        "mongodb+srv://«n»:«u»@«h»/?retryWrites=true",
        "redis://:«u»@«h»:6379/0",
        "rediss://default:«u»@«h»:6380",
        "amqp://«n»:«u»@«h»:5672/vhost",
        "jdbc:postgresql://«h»/app?user=«n»&password=«u»",
        "jdbc:sqlserver://«h»:1433;user=sa;password=«p»;encrypt=true",
        "jdbc:oracle:thin:«n»/«u»@«h»:1521:orcl",
        "Server=«h»;Database=app;User Id=«n»;Password=«p»;",
        "Data Source=«h»;Initial Catalog=app;Uid=«n»;Pwd=«p»;",
        "host=«h» user=«n» password=«u» dbname=app sslmode=require",
        glue(
            "DefaultEndpointsProtocol=https;AccountName=logs;", "AccountKey=«k»;EndpointSuffix=core"
        ),
        glue("Endpoint=sb://«h»/;SharedAccessKeyName=root;", "SharedAccessKey=«k»"),
        "clickhouse://«n»:«u»@«h»:9000/events",
        "smtp://«n»:«u»@«h»:587",
        "mssql+pyodbc://«n»:«u»@«h»/app?driver=ODBC+Driver+18",
        "«n»:«u»@tcp(«h»:3306)/app?parseTime=true",
        "snowflake://«n»:«u»@ab12345/db",
        'sasl.jaas.config=… required username="«n»" password="«p»";',
    ),
    "url": (
        "https://«n»:«u»@«h»/path",
        "git clone https://«u»@github.com/team/repo.git",
        "https://oauth2:«t»@gitlab.com/team/repo.git",
        "https://x-access-token:«t»@github.com/team/repo.git",
        "https://«h»/cb?token=«t»",
        "GET /v1/items?api_key=«t»&page=2 HTTP/1.1",
        "https://«h»/#access_token=«t»&token_type=bearer",
        "https://maps.«h»/api?key=«t»&q=tokyo",
        "https://«h»/file?sig=«t»&se=2026-02-02",
        "https://«h»/login?user=«n»&password=«u»",
        "ftp://«n»:«u»@«h»/pub",
        "wss://«h»/socket?auth=«t»",
        "http://«n»:«u»@10.0.0.5:8080/manager",
        "pip install --index-url https://__token__:«t»@«h»/simple pkg",
        "https://«h»/invite?access_token=«t»",
        "リセット用URL: https://«h»/reset?token=«t»",
    ),
    "docker": (
        "ENV DB_PASSWORD=«p»",
        "ENV DB_PASSWORD «p»",
        "ARG NPM_TOKEN=«t»",
        'RUN echo "//registry.npmjs.org/:_authToken=«t»" > .npmrc',
        "docker run -e POSTGRES_PASSWORD=«w» -p 5432:5432 postgres:16",
        "    environment:\n      - MYSQL_ROOT_PASSWORD=«p»",
        "      MYSQL_ROOT_PASSWORD: «p»",
        '{"auths":{"https://index.docker.io/v1/":{"auth":"«b»"}}}',
    ),
    "terraform": (
        'password = "«p»"',
        'master_username = "«n»"\nmaster_password = "«p»"',
        'variable "db_password" {\n  type    = string\n  default = "«p»"\n}',
        'provider "aws" {\n  secret_key = "«t»"\n}',
        "TF_VAR_db_password=«p» terraform apply",
    ),
    "kubernetes": (
        "kind: Secret\ndata:\n  password: «k»",
        "apiVersion: v1\nkind: Secret\ntype: Opaque\ndata:\n  api-token: «k»",
        "data:\n  .dockerconfigjson: «d»",
        "users:\n- name: dev\n  user:\n    token: «t»",
        "    client-key-data: «c»",
    ),
    "properties": (
        "spring.datasource.password=«w»",
        "jwt.secret=«t»",
        "api.key = «t»",
        "javax.net.ssl.keyStorePassword=«p»",
        "java -Dhttp.proxyPassword=«p» -jar app.jar",
        "signing.keyPassword=«p»",
    ),
    "python": (
        'PASSWORD = "«w»"',
        "api_key='«t»'",
        'os.environ["API_TOKEN"] = "«t»"',
        'client = Client(secret="«t»")',
        'requests.get(url, auth=("«n»", "«p»"))',
        "conn = connect(host='«h»', user='«n»', passwd='«p»')",
        'SECRET_KEY = b"«t»"',
        'token: str = "«t»"',
        'redis.Redis(host="«h»", password="«p»")',
        'os.environ.setdefault("SECRET", "«t»")',
        'monkeypatch.setenv("API_KEY", "«t»")',
    ),
    "javascript": (
        "const apiKey = '«t»';",
        "  password: '«p»',",
        "process.env.TOKEN = `«t»`;",
        'new Client({ accessToken: "«t»" })',
        'let dbPassword="«w»"',
        "axios.defaults.headers.common['Authorization'] = 'Bearer «t»';",
        "localStorage.setItem('token', '«t»')",
    ),
    "other-language": (
        'apiKey := "«t»"',
        'const secretKey = "«t»"',
        'os.Setenv("API_KEY", "«t»")',
        'cfg.Password = "«p»"',
        "password: '«p»',",
        ":password => '«p»',",
        "ENV['SECRET_TOKEN'] = '«t»'",
        "define('DB_PASSWORD', '«p»');",
        "$password = '«w»';",
        "'password' => '«p»',",
        'private static final String API_KEY = "«t»";',
        'let token = "«t»".to_string();',
        '#define WIFI_PASSWORD "«p»"',
        'ConvertTo-SecureString "«p»" -AsPlainText -Force',
        'Sys.setenv(API_KEY = "«t»")',
    ),
    "sql": (
        "CREATE USER app IDENTIFIED BY '«p»';",
        "ALTER USER app WITH PASSWORD '«w»';",
        "ALTER ROLE app PASSWORD '«p»';",
        "SET PASSWORD FOR 'app'@'%' = PASSWORD('«p»');",
        "CREATE LOGIN app WITH PASSWORD = N'«p»';",
        "GRANT ALL ON app.* TO 'app'@'%' IDENTIFIED BY '«p»';",
        "CREATE USER MAPPING FOR app SERVER s OPTIONS (user 'app', password '«p»');",
        "INSERT INTO users (name, password) VALUES ('«n»', '«p»');",
        "UPDATE users SET password = '«p»' WHERE id = 1;",
    ),
    "credential-file": (
        "machine «h» login «n» password «p»",
        "machine «h»\n  login «n»\n  password «p»",
        "$ cat ~/.pgpass\n«h»:5432:app:«n»:«p»",
        "$ cat ~/.git-credentials\nhttps://«n»:«u»@«h»",
        "github.com:\n    oauth_token: «t»\n    user: «n»",
        'network={\n  ssid="home"\n  psk="«p»"\n}',
        "[Interface]\nPrivateKey = «k»",
        "[Peer]\nPresharedKey = «k»",
        "cat .npmrc\n//registry.npmjs.org/:_authToken=«t»",
        "nmcli dev wifi connect home password «p»",
    ),
    "keyed-material": (
        "PRIVATE_KEY=0x«y»",
        "wallet private key: 0x«y»",
        "AES key (hex): «y»",
        "encryption key is «k»",
        "hmac secret «x»",
    ),
}


def carrier_cases() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every shape, filled in so many times."""
    for label, shapes in SHAPES.items():
        for number, shape in enumerate(shapes * EACH):
            text, secrets = fill(shape, Draw(f"carrier {label} {number}"))
            yield f"carrier/{label}", text, secrets
    yield from _hashes()
    yield from _second_factors()


def fill(shape: str, draw: Draw) -> tuple[str, tuple[str, ...]]:
    """The shape with its marks filled in, and those that are secret."""
    secrets: list[str] = []

    def one(mark: re.Match[str]) -> str:
        value = _value(mark[1], draw)
        if mark[1] not in "nh":
            secrets.append(value)
        return value

    return _MARK.sub(one, shape), tuple(secrets)


def _value(mark: str, draw: Draw) -> str:
    if mark == "n":
        return draw.user()
    if mark == "h":
        return draw.host()
    if mark in "pw":
        return draw.password(plain=mark == "w")
    if mark == "u":
        return draw.password().replace("?", "_").replace("!", "-")
    if mark == "t":
        return draw.secret().replace("+", "x").replace("/", "y").rstrip("=")
    if mark == "x":
        return draw.chars(HEX, 32)
    if mark == "y":
        return draw.chars(HEX, 64)
    if mark == "k":
        return draw.base64(32)
    if mark == "d":
        auth = {"auth": _value("b", draw)}
        return base64.b64encode(json.dumps({"auths": {draw.host(): auth}}).encode()).decode()
    if mark == "c":
        name = glue("EC PRIVATE", " KEY")
        key = f"-----BEGIN {name}-----\n{draw.base64(118)}\n-----END {name}-----\n"
        return base64.b64encode(key.encode()).decode()
    if mark == "b":
        return base64.b64encode(f"{draw.user()}:{draw.password()}".encode()).decode()
    raise ValueError(mark)


def _hashes() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Password hashes can be tried offline: the hash is the secret."""
    forms: tuple[tuple[str, ...], ...] = (
        ("$apr1$8", "$22"), ("$2y$10$53",), ("$2b$12$53",), ("$6$16", "$86"), ("$5$12", "$43"),
        ("$y$j9T$22", "$43"),
    )  # fmt: skip
    for number, form in enumerate(forms * EACH):
        draw = Draw(f"hash {number}")
        parts = (part.rpartition("$") for part in form)
        value = "".join(f"{before}${draw.mixed(int(size))}" for before, _, size in parts)
        after = ":19000:0:99999:7:::" if value[1] in "56y" else ""
        text = f"{draw.user()}:{value}{after}"
        yield "carrier/password-hash", text, (value.rsplit("$", 1)[1],)


def _second_factors() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for number in range(4):
        draw = Draw(f"otp {number}")
        seed = draw.chars("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32)
        address = f"otpauth://totp/{draw.word()}:{draw.user()}?secret={seed}&issuer={draw.word()}"
        yield "carrier/second-factor", address, (seed,)
