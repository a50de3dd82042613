"""Serve memory over HTTP to agents with a token, and what helps with that: `hooklore gateway`."""

import plistlib
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.store import here, home
from hooklore.config import read_environment
from hooklore.errors import HookloreError

_PORT = 8377
_RATE = 20.0
_LABEL = "hooklore.gateway"
_STORE_VARIABLES = ("HOOKLORE_HOME", "AI_MEMORY_PATH")

app = typer.Typer(
    help="Serve memory over HTTP until ^C, to agents with a token of `hooklore token create`.",
    rich_markup_mode=None,
    invoke_without_command=True,
)

_Port = Annotated[
    int, typer.Option("--port", min=0, max=65535, help="the port; 0 takes a free one")
]
_PublicUrl = Annotated[
    str | None,
    typer.Option("--public-url", metavar="URL", help="where a tunnel or proxy of yours leads here"),
]
_OAuth = Annotated[
    bool,
    typer.Option(
        "--oauth", help="let ChatGPT's and other connectors ask for a token, which you allow"
    ),
]
_AllowRedirect = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-redirect", metavar="URL", help="with `--oauth`: another place for the answer"
    ),
]


@app.callback()
def gateway(
    context: typer.Context,
    *,
    port: _Port = _PORT,
    host: Annotated[
        str, typer.Option("--host", help="beyond this machine it needs TLS or `--public-url`")
    ] = "127.0.0.1",
    public_url: _PublicUrl = None,
    tls_cert: Annotated[
        str | None, typer.Option("--tls-cert", metavar="FILE", help="the certificate")
    ] = None,
    tls_key: Annotated[
        str | None, typer.Option("--tls-key", metavar="FILE", help="its key")
    ] = None,
    rate: Annotated[
        float, typer.Option("--rate", min=0, help="requests of a token in a second; 0: any number")
    ] = _RATE,
    oauth: _OAuth = False,
    allow_redirect: _AllowRedirect = None,
) -> None:
    """Serve memory over HTTP until ^C, to agents with a token of `hooklore token create`."""
    if context.invoked_subcommand is not None:
        return
    _require_extra()
    _require_oauth(oauth=oauth, redirects=allow_redirect)
    from hooklore.gateway.web_server import GatewayOptions, serve

    options = GatewayOptions(
        host, port, public_url, tls_cert, tls_key, rate, oauth, allow_redirect or ()
    )
    serve(here(), home(), options, output.say)


@app.command("openapi")
def openapi(*, port: _Port = _PORT, public_url: _PublicUrl = None) -> None:
    """Print the OpenAPI document, to be imported as an action."""
    _require_extra()
    from hooklore.gateway.addresses import addresses_of
    from hooklore.gateway.application import make_application

    addresses = addresses_of("127.0.0.1", port, public_url, has_tls=False)
    output.json(make_application(here(), addresses).openapi(), indent=True)


@app.command("unit")
def unit(
    *,
    port: _Port = _PORT,
    public_url: _PublicUrl = None,
    oauth: _OAuth = False,
    allow_redirect: _AllowRedirect = None,
) -> None:
    """Print a unit of systemd, on macOS of launchd, that keeps the gateway running."""
    _require_oauth(oauth=oauth, redirects=allow_redirect)
    program = str(Path(sys.executable).parent / "hooklore")
    words = [program, "gateway", "--port", str(port)]
    words += ["--public-url", public_url] if public_url else []
    words += ["--oauth"] if oauth else []
    words += [word for url in allow_redirect or () for word in ("--allow-redirect", url)]
    env = read_environment()
    variables = {name: env[name] for name in _STORE_VARIABLES if env.get(name)}
    text = _launchd(words, variables) if sys.platform == "darwin" else _systemd(words, variables)
    output.data(text.rstrip("\n"))


def _systemd(words: list[str], variables: dict[str, str]) -> str:
    quoted = " ".join(shlex.quote(word.replace("%", "%%")) for word in words)
    settings = "".join(f'Environment="{name}={value}"\n' for name, value in variables.items())
    return (
        "# ~/.config/systemd/user/hooklore-gateway.service\n"
        "# systemctl --user enable --now hooklore-gateway\n"
        "[Unit]\nDescription=hooklore, one memory over HTTP\n\n"
        f"[Service]\n{settings}ExecStart={quoted}\nRestart=on-failure\nRestartSec=5\n\n"
        "[Install]\nWantedBy=default.target\n"
    )


def _launchd(words: list[str], variables: dict[str, str]) -> str:
    """Return a property list, which lies in `~/Library/LaunchAgents/hooklore.gateway.plist`."""
    content = {
        "Label": _LABEL, "ProgramArguments": words, "EnvironmentVariables": variables,
        "RunAtLoad": True, "KeepAlive": {"SuccessfulExit": False},
    }  # fmt: skip
    return plistlib.dumps(content).decode()


def _require_oauth(*, oauth: bool, redirects: list[str] | None) -> None:
    if redirects and not oauth:
        raise HookloreError(
            "could not use `--allow-redirect`: without `--oauth` nothing is sent anywhere",
            fix="add `--oauth`",
        )


def _require_extra() -> None:
    if find_spec("fastapi") is None or find_spec("mcp") is None:
        raise HookloreError(
            "could not serve HTTP: the extra is not installed",
            fix="run `pip install 'hooklore[gateway]'` in hooklore's environment",
        )
