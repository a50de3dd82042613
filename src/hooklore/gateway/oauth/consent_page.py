"""The page where a person lets a program in, by a code of their terminal. It is plain HTML, without script."""

from html import escape
from http import HTTPStatus
from shlex import quote
from typing import Final

from pydantic import AnyUrl
from starlette.responses import HTMLResponse

from hooklore.gateway.oauth.redirects import origin_of
from hooklore.requests.consent_codes import MINUTES
from hooklore.requests.token_kinds import OAuthClient

_FRAME: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>hooklore</title>
{content}
</html>
"""
_ASKING: Final = """<h1>Open your memory to another program?</h1>
<p>A program that calls itself <q><b>{name}</b></q> asks for your memory.
The answer goes to <b>{place}</b>.</p>
<p lang="ja"><q>{name}</q> と名乗るプログラムが、あなたの記憶を開くよう求めています。送り先は <b>{place}</b> です。
下のコマンドを端末で実行し、表示されたコードを入力してください。心当たりがなければ、このページを閉じてください。</p>
<p>To open it, run this at a terminal on the machine that has the memory, and type the code that it prints:</p>
<pre>hooklore token create --agent NAME --oauth {host}</pre>
<p>The program will read and write as the agent NAME (<code>hooklore agents</code> lists them), in the scopes
and for the days that the command says.
<code>hooklore token list</code> shows it then, and <code>hooklore token revoke</code> ends it.</p>
<form method="post">
{problem}<p><label>Code <input name="code" required autofocus autocomplete="off" autocapitalize="characters"
spellcheck="false" maxlength="40"></label> <button>Open the memory</button></p>
</form>
<p>If you did not ask for this in that program just now, close this page: without the code nothing is opened.</p>"""
_WRONG: Final = f"""<p role="alert"><b>This code opens nothing here.</b> It may be mistyped, used, older than
{MINUTES} minutes, or for another host. Five wrong tries end every code that waits: make a new one then.</p>
"""
_GONE: Final = """<h1>This page is over</h1>
<p>Go back to the program, and begin again there.</p>
<p lang="ja">このページは無効になりました。元のプログラムから、もう一度はじめてください。</p>"""


def asking_page(client: OAuthClient, redirect: AnyUrl, *, is_wrong: bool) -> HTMLResponse:
    """Return the page that asks for a code. With `is_wrong` it says that a code opened nothing, never why."""
    host, names_port = str(redirect.host), f":{redirect.port}/" in str(redirect)
    place = f"{host}:{redirect.port}" if names_port else host
    content = _ASKING.format(
        name=escape(client.name), place=escape(place), host=escape(quote(host)),
        problem=_WRONG if is_wrong else "",
    )  # fmt: skip
    status = HTTPStatus.FORBIDDEN if is_wrong else HTTPStatus.OK
    return _page(content, status, f"'self' {origin_of(redirect)}")


def gone_page() -> HTMLResponse:
    """Return the page for a request that is none, or none any more."""
    return _page(_GONE, HTTPStatus.BAD_REQUEST, "'none'")


def _page(content: str, status: HTTPStatus, targets: str) -> HTMLResponse:
    policy = f"default-src 'none'; form-action {targets}; frame-ancestors 'none'; base-uri 'none'"
    headers = {
        "Content-Security-Policy": policy, "Cache-Control": "no-store",
        # Under `no-referrer` browsers say `Origin: null` with the page's own form, and the gateway refuses it.
        "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff",
    }  # fmt: skip
    return HTMLResponse(_FRAME.format(content=content), status, headers)
