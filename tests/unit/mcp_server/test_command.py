"""`hooklore mcp` where the extra is missing."""

import pytest

from hooklore.cli.main import hooklore_main


def test_without_the_extra_the_command_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hooklore.cli.mcp.find_spec", lambda _name: None)

    rc = hooklore_main(["mcp", "--agent", "claude"])

    printed = capsys.readouterr()
    assert (rc, printed.out) == (1, "")
    assert "hint: run `pip install 'hooklore[mcp]'`" in printed.err
