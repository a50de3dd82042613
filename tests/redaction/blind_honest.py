"""A second set of honest lines, written after the rules and before any look at what they do with it.

Marks as in `lookalikes`: «hex:40», «b64:43», «url:43», «low:32», «alnum:24», «uuid», «digits:12».
"""

import re
from collections.abc import Iterator
from functools import partial

from tests.redaction.draw import Draw
from tests.redaction.lookalikes import filled_in

_MARK = re.compile("«([a-zA-Z0-9]+)(?::([0-9]+))?»")

HONEST = r"""
Cloning into 'app'...
remote: Enumerating objects: 1245, done.
   «hex:7»..«hex:7»  main -> main
 * [new branch]      feature/password-reset -> origin/feature/password-reset
git@github.com:acme/token-service.git
svn+ssh://svn@svn.maple.org/repo/trunk
url = git@gitlab.com:team/secret-santa.git
[remote "origin"] fetch = +refs/heads/*:refs/remotes/origin/*
On branch fix/token-refresh-1234
commit «hex:40» (HEAD -> main, origin/main)
Author: Mori <12345+mori@users.noreply.github.com>
Date:   Sat Nov 21 07:38:20 2026 +0000
Revert "Rotate signing key" (#4821)
Merge pull request #812 from acme/dependabot/npm_and_yarn/jsonwebtoken-9.0.2
diff --git a/src/auth/token.py b/src/auth/token.py
+++ b/src/auth/password_reset.py
@@ -120,7 +120,9 @@ def verify_password(password: str, hashed: bytes) -> bool:
 create mode 100644 tests/fixtures/keys/README.md
stash@{0}: WIP on main: «hex:8» Add token bucket
Successfully rebased and updated refs/heads/feature/api-key-rotation.
"node_modules/jsonwebtoken": {"version": "9.0.2", "resolved": "https://registry.npmjs.org/jsonwebtoken/-/jsonwebtoken-9.0.2.tgz"
"integrity": "sha512-«b64:86»==",
integrity sha1-«b64:27»=
{"name": "cryptography", "hashes": ["sha256:«hex:64»"]}
cryptography==43.0.1 --hash=sha256:«hex:64»
golang.org/x/crypto v0.21.0/go.mod h1:«b64:43»=
checksum = "«hex:64»"
[[package]] name = "secrecy" version = "0.8.0" source = "registry+https://github.com/rust-lang/crates.io-index"
resolution: {integrity: sha512-«b64:86»==}
"contentHash": "«b64:86»==",
sha256 = "0«low:51»";
Digest: sha256:«hex:64»
Status: Downloaded newer image for redis:7.2-alpine
 ---> Running in «hex:12»
Successfully built «hex:12»
writing image sha256:«hex:64» done
«hex:12»   postgres:16   "docker-entrypoint.s…"   3 days ago   Up 3 days   0.0.0.0:5432->5432/tcp   app-db-1
pod/api-«hex:10»-x7k2p   1/1   Running   0   5d3h
secret/db-credentials created
NAME   TYPE   DATA   AGE   default-token-x7k2p   kubernetes.io/service-account-token   3   42d
namespace: kube-system, serviceAccountName: token-controller
resourceVersion: "482913"
uid: «uuid»
ETag: W/"«hex:32»"
etag: "«hex:40»-gzip"
x-request-id: «uuid»
cf-ray: «hex:16»-NRT
x-amz-request-id: «HEX:16»
Content-Security-Policy: script-src 'nonce-«b64:22»=='
Strict-Transport-Security: max-age=63072000; includeSubDomains; preload
Access-Control-Allow-Headers: Authorization, X-Api-Key, Content-Type
WWW-Authenticate: Bearer realm="api", error="invalid_token"
HTTP/1.1 401 Unauthorized
Vary: Cookie, Authorization
Cache-Control: private, max-age=0, must-revalidate
{"error":"invalid_grant","error_description":"Token has been expired or revoked."}
{"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest"}
{"id":"«uuid»","object":"token","created":1732174700}
{"tokens": {"input": 5120, "output": 388, "cached": 4096}, "model": "claude-opus-4-1-20250805"}
{"usage": {"prompt_tokens": 1523, "completion_tokens": 211, "total_tokens": 1734}}
"tool_use_id":"toolu_01«alnum:22»","type":"tool_result"
"requestId": "req_«alnum:24»"
chatcmpl-«alnum:29»
"session_id": "«uuid»", "transcript_path": "/home/mori/.claude/projects/app/«uuid».jsonl"
thread_«alnum:24» run_«alnum:24»
cus_«alnum:14» subscribed to price_1«alnum:23»
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf
arn:aws:lambda:us-east-1:123456789012:function:token-refresher
vpc-0«hex:16» subnet-0«hex:16» sg-0«hex:16»
ami-0«hex:16»
projects/acme/locations/global/keyRings/main/cryptoKeys/app
/subscriptions/«uuid»/resourceGroups/app/providers/Microsoft.KeyVault/vaults/app
s3://acme-logs/2026/11/21/«hex:32».gz
gs://bucket/tokenizer/vocab.bpe
https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html
https://github.com/acme/app/blob/«hex:40»/src/token.ts#L12-L40
https://gist.github.com/mori/«hex:32»
https://en.wikipedia.org/wiki/Public-key_cryptography#Key_size
https://www.figma.com/file/«alnum:22»/Login
https://docs.google.com/document/d/1«url:43»/edit
https://youtu.be/«alnum:11»?t=42
https://npmjs.com/package/password-validator?activeTab=versions
http://localhost:3000/reset-password?step=2
https://app.maple-river.net/items?sort=key&order=asc&page=3
open "https://example.test/login?next=%2Fsettings%2Ftokens"
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA«b64:200»=
data:application/font-woff;base64,d09GRgABAAAA«b64:120»
//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEuanMiXX0=
-----BEGIN CERTIFICATE-----
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ«b64:200» mori@laptop
|1|«b64:27»=|«b64:27»= ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI«b64:43»
256 SHA256:«b64:43» mori@laptop (ED25519)
gpg: Signature made Sat Nov 21 07:38:20 2026 UTC using EDDSA key «HEX:40»
pub   ed25519 2024-01-05 [SC] «HEX:40»
X509v3 Subject Key Identifier: «HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»
Serial Number: «hex:2»:«hex:2»:«hex:2»:«hex:2»:«hex:2»:«hex:2»:«hex:2»
TLSv1.3 (OUT), TLS handshake, Client hello (1): cipher TLS_AES_256_GCM_SHA384
* SSL certificate verify ok; ALPN: server accepted h2
def create_token(user: User, *, expires_in: int = 3600) -> str:
token: Optional[str] = None
password: Annotated[str, Field(min_length=8, max_length=128)]
class TokenPair(BaseModel): access_token: str; refresh_token: str
private readonly tokenService: TokenService,
const { token, refreshToken } = await login(credentials);
const [password, setPassword] = useState('');
<input type="password" name="password" autocomplete="current-password" required />
<label for="api-key">API key</label>
if (!token) throw new UnauthorizedError('missing token');
return jwt.verify(token, publicKey, { algorithms: ['RS256'] });
password = serializers.CharField(write_only=True, min_length=8)
token = Token.objects.get(user=request.user).key
hashed = bcrypt.hashpw(password.encode(), bcrypt.gensalt(rounds=12))
secret_key = base64.b64decode(os.environ["SECRET_KEY_B64"])
API_KEY = os.getenv("API_KEY", "")
let api_key = env::var("API_KEY").expect("API_KEY not set");
apiKey: process.env.API_KEY ?? '',
apiKey := r.Header.Get("X-API-Key")
password=args.password, token=args.token
mock_token = MagicMock(spec=Token)
assert verify_password("wrong", user.password_hash) is False
expect(screen.getByLabelText(/password/i)).toBeInTheDocument();
it('rejects an expired token', async () => {
test_token_refresh_rotates_secret PASSED [ 42%]
FAILED tests/test_auth.py::test_password_is_hashed - AssertionError: assert None
tests/unit/auth/test_token.py::test_expiry[3600-True] PASSED
E       KeyError: 'access_token'
TypeError: Cannot read properties of undefined (reading 'token')
ValueError: Invalid password hash: expected prefix $2b$
sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) FATAL:  password authentication failed for user "app"
jwt.exceptions.ExpiredSignatureError: Signature has expired
error: RPC failed; HTTP 403 curl 22 The requested URL returned error: 403
fatal: could not read Password for 'https://github.com': terminal prompts disabled
Error: Input required and not supplied: token
Permission denied (publickey,password).
sudo: a password is required
Enter passphrase for key '/home/mori/.ssh/id_ed25519':
warning: unused variable: `token` --> src/main.rs:42:9
src/lexer.rs:120:15: expected token `;`, found `}`
Unexpected token } in JSON at position 4821
yarn run v1.22.19: $ tsc --noEmit && eslint . --max-warnings=0
npm WARN deprecated har-validator@5.1.5: this library is no longer supported
added 1423 packages, and audited 1424 packages in 38s
found 0 vulnerabilities
Collecting pydantic==2.9.2 Downloading pydantic-2.9.2-py3-none-any.whl.metadata (149 kB)
Successfully installed annotated-types-0.7.0 pydantic-2.9.2 pydantic-core-2.23.4
   Compiling ring v0.17.8
    Finished `release` profile [optimized] target(s) in 2m 14s
ok  	github.com/acme/app/token	0.412s
--- FAIL: TestTokenBucket/burst (0.03s)
webpack 5.95.0 compiled successfully in 4821 ms
dist/assets/index-«alnum:8».js   412.18 kB │ gzip: 132.40 kB
/app/.next/static/chunks/pages/_app-«hex:16».js
/home/mori/.cache/pip/http-v2/«hex:1»/«hex:1»/«hex:1»/«hex:56»
/nix/store/«low:32»-openssl-3.0.14/lib/libssl.so.3
/var/lib/docker/overlay2/«hex:64»/merged
/private/var/folders/z3/«low:30»/T/pytest-of-mori/pytest-12
~/Library/Caches/Homebrew/downloads/«hex:64»--jq-1.7.1.tar.gz
node_modules/.pnpm/@babel+core@7.25.8/node_modules/@babel/core/lib/index.js
/Users/mori/.config/gh/hosts.yml
drwxr-xr-x  5 mori  staff    160 Nov 21 07:38 secrets
-rw------- 1 mori mori 411 Nov 21 07:38 /home/mori/.ssh/id_ed25519
4.0K	./src/password
src/config/keys.ts:12:export const API_KEY_HEADER = 'x-api-key';
grep -rn "password" --include=*.py src | wc -l
rg -n 'api[_-]?key' src tests
find . -name '*.pem' -not -path './node_modules/*'
export PATH="$HOME/.local/bin:$PATH"
export GITHUB_TOKEN="$(gh auth token)"
echo "$DOCKER_PASSWORD" | docker login -u "$DOCKER_USERNAME" --password-stdin
read -rsp "Password: " password
PGPASSWORD="$DB_PASS" psql -h "$DB_HOST" -U app
curl -fsSL https://get.docker.com | sh
curl -H "Authorization: Bearer $(cat token.txt)" https://api.maple-river.net/me
ssh -i ~/.ssh/deploy_key deploy@10.0.0.12 'systemctl status api'
openssl rand -hex 32 > secret.key
ssh-keygen -t ed25519 -C "mori@laptop" -f ~/.ssh/id_ed25519
aws secretsmanager get-secret-value --secret-id prod/db --query SecretString
kubectl get secret db -o jsonpath='{.data.password}' | base64 -d
vault kv get -field=password secret/app
op read "op://Private/GitHub/token"
terraform output -raw db_password
gcloud secrets versions access latest --secret=api-key
password: ${{ secrets.REGISTRY_PASSWORD }}
token: ${GITLAB_TOKEN}
DATABASE_URL=postgres://${DB_USER}:${DB_PASS}@${DB_HOST}/app
api_key: !vault |
secretName: app-tls
existingSecret: redis-auth
passwordSecretRef: {name: db, key: password}
tokenTTL: 3600
max_new_tokens: 512
token_bucket_capacity: 100
password_min_length: 12
key_length: 2048
SESSION_COOKIE_NAME = "sessionid"
AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
TOKEN_URL = "https://auth.maple-river.net/oauth2/token"
SECRET_FILE=/run/secrets/db_password
KEY_PATH=/etc/ssl/private/server.key
CREATE TABLE api_keys (id uuid PRIMARY KEY, key_hash bytea NOT NULL, created_at timestamptz);
ALTER TABLE users ADD COLUMN password_changed_at timestamp;
SELECT token, expires_at FROM sessions WHERE user_id = $1;
CREATE UNIQUE INDEX idx_tokens_hash ON tokens (token_hash);
FOREIGN KEY (author_id) REFERENCES users (id) ON DELETE CASCADE
INSERT INTO users (name, password_hash) VALUES ($1, $2)
The password is checked against a list of the 10,000 most common ones.
We rotate the signing key every 90 days; see docs/keys.md.
Tokens are opaque: never parse them.
A token is 32 random bytes, base64url-encoded, prefixed with the environment.
Set the API key in Settings > Developer > API keys.
Passwords longer than 72 bytes are truncated by bcrypt.
The secret is mounted at /run/secrets at start.
Do not commit your .env file; it holds the database password.
If the token is missing, the client falls back to the keyring.
Use a password manager, or a passphrase of five words.
The key takes the form <tenant>:<user>.
This key is used for sorting only.
Added: token introspection (RFC 7662). Fixed: password reset e-mails were sent twice.
* Security: bump openssl from 3.0.13 to 3.0.15 (CVE-2024-6119)
- 2.4.0 (2024-11-02): support for PASETO v4 tokens
## [1.8.1] - 2025-03-09
* lib/auth.c (check_password): Handle empty passwords.
Copyright (C) 1998-2024 Free Software Foundation, Inc.
Copyright 2003, 2007-2011 The Token Ring Project Authors
SPDX-License-Identifier: Apache-2.0 OR MIT
Upstream-Contact: https://github.com/maple/river/issues
License: BSD-3-clause
Maintainer: Debian Python Team
THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND
auth: add support for WebAuthn passkeys
feat(auth)!: drop password grant
fix: token leak in debug log (#2231)
chore(deps): bump @types/node from 20.11.5 to 22.9.0
docs: explain key rotation and token scopes
refactor!: rename `secret` to `signing_key`
perf: cache JWKS by kid for 10 minutes
ci: mask secrets in the log
level=info ts=2026-11-21T07:38:20.482Z caller=token.go:120 msg="token refreshed" user=app ttl=3600s
2026-11-21 07:38:20,482 INFO auth.views login succeeded user_id=48213 ip=10.0.0.12
[2026-11-21T07:38:20.482Z] "POST /oauth/token HTTP/1.1" 200 - 0 412 18 17 "10.0.0.12" "curl/8.5.0"
Nov 21 07:38:20 web-1 sshd[4821]: Accepted publickey for deploy from 10.0.0.7: ED25519 SHA256:«b64:43»
Nov 21 07:38:20 web-1 sshd[48213]: Failed password for invalid user admin from 203.0.113.7 port 40422 ssh2
pam_unix(sudo:session): session opened for user root(uid=0) by mori(uid=1000)
trace_id=«hex:32» span_id=«hex:16» duration_ms=18.4
goroutine 48213 [running]: main.(*Server).handleToken(0xc0001a2b40, {0x7f1c, 0xc000})
#3  0x00007f2b4c1a2d90 in EVP_DigestSignFinal () from /lib/x86_64-linux-gnu/libcrypto.so.3
Thread-48213 waiting on <0x000000076ab12c48>
Address: 0x7ffd4c1a2b40, size 4096
00000010: 4d5a 9000 0300 0000 0400 0000 ffff 0000  MZ..............
cpu  482134 1234 98231 77123411 4821 0 991 0 0 0
rtt min/avg/max/mdev = 12.034/13.482/15.991/1.022 ms
64 bytes from 142.250.196.110: icmp_seq=1 ttl=117 time=3.48 ms
inet 192.168.10.24/24 brd 192.168.10.255 scope global dynamic noprefixroute eth0
tcp   LISTEN 0      4096         0.0.0.0:8080       0.0.0.0:*    users:(("node",pid=48213,fd=19))
Filesystem 1K-blocks 61255492 48213990 9896518 83% /
Mem: 16336112 9821344 1201332 412312 5313436 5773212
real	0m12.482s user	0m9.113s sys	0m1.021s
Ran 1423 tests in 38.214s OK (skipped=12)
Coverage: 91.42% (12482/13653)
Benchmark: 1234567 ops/sec ±0.42% (91 runs sampled)
p50=1.26ms p95=4.10ms p99=9.87ms n=100000
loss=0.0482 acc=0.9813 lr=3.0e-05 step=48213/100000
seed=1234567890 batch=32 epoch=3
[1.0, 0.4821, 0.33123412, 0.250001, 0.20482134]
{"lat": 35.681236, "lon": 139.767125, "zoom": 14}
order #2026-1121-0482, total ¥12,340
tracking 1Z999AA10123456784
ISBN 978-0-13-468599-1, pages 120-135
IMEI and serial numbers are printed on the box
2026/11/21 07:38 - 2026/11/21 09:12
0 3 * * 1-5 /usr/local/bin/rotate-keys >> /var/log/rotate.log 2>&1
#a1b2c3 #ff8800 rgb(18 52 86 / 40%)
U+1F511 KEY, U+1F510 CLOSED LOCK WITH KEY
ctrl+shift+k, cmd+k, esc, F12
keyCode === 13 || event.key === 'Enter'
map[key] = value; delete cache[cacheKey];
for (const [key, value] of Object.entries(headers)) {
primaryKey: true, autoIncrement: true
ORDER BY key COLLATE "C" LIMIT 100
key=lambda item: (item.score, item.id)
"keybindings": [{"key": "ctrl+k", "command": "workbench.action.showCommands"}]
<Trans i18nKey="settings.apiKeys.title" />
"auth.password.placeholder": "At least 8 characters",
"passwordStrength": "strong", "passwordChangedAt": "2026-11-20"
"secretRotationEnabled": true, "tokenType": "Bearer"
"authMethod": "password", "mfaEnabled": false
"password": null, "token": ""
"apiKeyId": "«uuid»"
"publicKey": "«b64:43»="
"kid": "«hex:40»", "kty": "RSA", "alg": "RS256", "use": "sig"
"jti": "«uuid»", "iat": 1732174700, "exp": 1732178300
"snapshot_id": "«hex:64»"
"cursor": "2026-11-21T07:38:20Z_48213"
"idempotencyKey": "«uuid»"
"build": "20261121.4", "sha": "«hex:40»"
パスワードの最大長は128文字に変更した
トークン更新の処理を token_service.py に移した
APIキーの発行画面を作る（#482）
鍵のローテーションは90日ごとに行う
暗証番号入力のテストが3件失敗した
合言葉による認証は廃止する方針
パスワード再設定メールが2通届く不具合を修正
認証トークンの期限は 3600 秒のまま
シークレットの管理は AWS Secrets Manager に任せる
トークン数が 8,192 を超えると切り捨てる
キー配置は US 配列を前提とする
秘密鍵のパスは /etc/ssl/private/server.key とする
パスワードは .env の DB_PASSWORD を参照してください
ログイン画面は src/pages/login.tsx にある
ユーザーIDとパスワードの組み合わせが違います
社員証の番号は保存しない
電話番号の検証は libphonenumber を使う
住所は都道府県から番地まで一つの欄にまとめる
第3四半期の売上は 12,345,678 円でした
2026年11月21日の午前7時38分に再起動した
会議は11月25日（水）14:00-15:00、会議室Aで
バージョン1.24.3から2.0.0に上げる
エラーコード E4821 が出たら再試行する
キーとなる論点は三つある
「トークン」という語の意味を用語集に書く
パスキー対応はv2.1.0で入る
APIキーが漏れた場合は24時間以内に無効化する
トークンの形式は「接頭辞_本体」とする
"""


def honest_lines() -> Iterator[tuple[str, str]]:
    """(a name, the line), the same on every machine."""
    for number, line in enumerate(HONEST.strip("\n").split("\n")):
        yield "blind", filled(Draw(f"blind honest {number}"), line)


def filled(draw: Draw, line: str) -> str:
    """The line with values in place of its marks."""
    return _MARK.sub(partial(filled_in, draw), line)
