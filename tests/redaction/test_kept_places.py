"""Places in which programs keep or show secrets beside no name, and numbers and names that stay."""

import pytest

from hooklore.redaction import redact
from tests.redaction.draw import BASE32, DIGITS, HEX, LOWNUM, UPNUM, Draw

_DRAW = Draw("kept places")
PASSWORD = f"Kestrel-{_DRAW.chars(LOWNUM, 4)}-74"
KEY = f"{_DRAW.chars(UPNUM, 4)}7-Q{_DRAW.chars(UPNUM, 3)}4-{_DRAW.chars(UPNUM, 4)}9-W{_DRAW.chars(UPNUM, 3)}2"
SEED = _DRAW.chars(BASE32, 16)
COOKIE = f"{_DRAW.chars(LOWNUM, 12)}7q{_DRAW.chars(LOWNUM, 10)}4z"
NUMBER = "1" + _DRAW.chars(DIGITS, 18)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("otpauth://totp/Acme:mira?issuer=Acme&secret={}&digits=6", SEED),
        ("[TeamCity] Super user authentication token: {} (use empty username)", NUMBER),
        ("Redeem on Steam: {}\nBatch: 2024-02", KEY),
        ("La clé de licence : {}", KEY),
        ("[smtp.maple-river.net]:587 scanner@maple-river.net:{}", PASSWORD),
        (".maple-river.net\tTRUE\t/\tTRUE\t0\tMoodleSession\t{}", COOKIE),
        ('[{{"name":"PHPSESSID","value":"{}","httpOnly":true}}]', COOKIE),
        ("crypto isakmp key {} address 203.0.113.98", PASSWORD),
        (" pp auth myname user5713@isp.maple-river.net {}", PASSWORD),
        ('createUser librenms SHA "{}" AES', PASSWORD),
        ('a1 LOGIN "maint@maple-river.net" "{}"', PASSWORD),
        ('c := newClient(t, "throttle@maple-river.net", "{}")', PASSWORD),
        ('Private Const DB_PWD As String = "{}"', "maintenance"),
        ("export FARM_PW={}", "cycles-vs-eevee"),
        ("JWT_SECRET={}", "correct-otter-fence-gravel"),
        ('#define WIFI_SSID "Bench"\n#define WIFI_PASS "{}"\n', "solderfumes"),
        ("dot11 ssid MEDDEV\n   wpa-psk ascii 0 {}\n!", PASSWORD),
        ("アクティベーションコード: {}", "46847364"),
        ("Name  Account       Password\n----  -------       --------\nHMI-1 Administrator {}", PASSWORD),
        ("imsi,iccid,pin1,state\n001019201458113,8988440135497259334,{},ACTIVE", "6043"),
        ("SSID: MNT-TABLETS   Security: WPA2-PSK\nKey: {}\nVLAN 230", PASSWORD),
        ("社区名：{}", PASSWORD),
        ("p4 tickets\nssl:perforce.lan:1666 (buildbot) {}", _DRAW.chars(HEX, 32)),
        ("Servers/web\n{}\nuser: support@maple-river.net", PASSWORD),
        ("passphrase: {}\nmode: repokey", "Seven boats beyond the harbour"),
        ("admin ／ {}", PASSWORD),
        ('argc=4 a0="ldapmodify" a1="-w" a2="{}" a3="-x"', PASSWORD),
    ],
)  # fmt: skip
def test_what_a_program_keeps_or_shows_is_masked(text: str, secret: str) -> None:
    assert secret not in redact(text.format(secret), is_printed=True).text


@pytest.mark.parametrize(
    ("command", "secret"),
    [
        ("echo '{}' | sudo -S systemctl restart nginx", "mustard"),
        ("steamcmd +login build {} +quit", PASSWORD),
        ("kadmin -p hpc/admin -w {} -q listprincs", PASSWORD),
        ("racadm -r 10.2.4.35 -u root -p {} getsysinfo", PASSWORD),
        ("radtest visitor {} 10.1.0.5 0 x", PASSWORD),
        ("snmpwalk -v2c -c {} 10.9.3.42 IF-MIB::ifDescr", PASSWORD),
        ("mosquitto_passwd -b /etc/mosquitto/passwd agv4 {}", PASSWORD),
        ("oathtool --totp -b {}", " ".join(SEED[at : at + 4] for at in range(0, 16, 4))),
        ("aws sts get-session-token --token-code {}", "975456"),
        ("wpa_passphrase PLANT '{}' >> wpa.conf", "conveyor 97 belt"),
        ("export BORG_PASSPHRASE='{}'", "Seven boats in the harbour"),
        ("pdftotext -upw {} invoice.pdf -", "47634160"),
        ("""expect -c 'expect "Password:"; send "{}\\r"; interact'""", "copperloop"),
        ("heroku config:set ADMIN_PASSWORD={} -a web", "teapot-kettle"),
    ],
)  # fmt: skip
def test_what_a_command_is_given_is_masked(command: str, secret: str) -> None:
    assert secret not in redact(command.format(secret)).text


@pytest.mark.parametrize(
    "text",
    [
        f"Via: SIP/2.0/UDP 10.40.1.97:5060;branch=z9hG4bK{_DRAW.chars(HEX, 8)}",
        f"Shader cache miss: key={_DRAW.chars(HEX, 16)}-{_DRAW.chars(HEX, 8)} took 224 ms",
        "MNT-TABLETS  wifi      wlp2s0",
        "SASL LOGIN authentication failed: UGFzc3dvcmQ6",
        f"the token has expired user=tanaka trace={_DRAW.chars(HEX, 16)}",
        "NF-e: 3148 0235 0363 3692 0227 4111 1111 1111 1111 1741 5325",
        "snmpwalk -v2c -c public 10.9.3.42",
        f"署名鍵: keys/dev_sign.pem (RSA-3072)\n鍵フィンガープリント: {_DRAW.chars(HEX, 40)}\n署名しました",
        f"Kennwort nicht gesetzt\nSeriennummer: {_DRAW.chars(UPNUM, 6)}7K4\n",
        "mosquitto_passwd -c /etc/mosquitto/passwd sensor7",
        f"BitLocker recovery key\n\nIdentifier:\n  {_DRAW.uuid()}\n",
    ],
)  # fmt: skip
def test_a_branch_a_device_a_trace_and_a_default_stay(text: str) -> None:
    assert redact(text, is_printed=True).findings == ()
