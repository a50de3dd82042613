"""Serve memory over HTTP to agents with a token: `hooklore gateway`."""

from importlib.util import find_spec
from typing import Annotated

import typer

from hooklore.cli.output import say
from hooklore.cli.store import here
from hooklore.config import read_environment
from hooklore.errors import HookloreError


def gateway(
    *,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="the port; 0 takes a free one")
    ] = 8377,
    host: Annotated[
        str, typer.Option("--host", help="beyond this machine it needs TLS or `--public-url`")
    ] = "127.0.0.1",
    public_url: Annotated[
        str | None,
        typer.Option(
            "--public-url", metavar="URL", help="where a tunnel or proxy of yours leads here"
        ),
    ] = None,
    tls_cert: Annotated[
        str | None, typer.Option("--tls-cert", metavar="FILE", help="the certificate")
    ] = None,
    tls_key: Annotated[
        str | None, typer.Option("--tls-key", metavar="FILE", help="its key")
    ] = None,
    rate: Annotated[
        float, typer.Option("--rate", min=0, help="requests of a token in a second; 0: any number")
    ] = 20.0,
) -> None:
    """Serve memory over HTTP until ^C, to agents with a token of `hooklore token create`."""
    if find_spec("fastapi") is None or find_spec("mcp") is None:
        raise HookloreError(
            "could not serve HTTP: the extra is not installed",
            fix="run `pip install 'hooklore[gateway]'` in hooklore's environment",
        )
    from hooklore.gateway.serving import GatewayOptions, serve

    options = GatewayOptions(host, port, public_url, tls_cert, tls_key, rate)
    serve(here(), read_environment().get("HOME", ""), options, say)
