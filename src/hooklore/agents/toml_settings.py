"""The table `[mcp_servers.hooklore]` in a TOML text: put in and taken out as text, all else stays byte for byte.

The text is edited by lines, and `tomllib` reads it before and after: an edit that changes any other setting is
not made. A library that writes TOML back (tomlkit 0.15.2) loses the comment above the next table when ours goes,
ends lines by LF in a file of CRLF, and cannot add to an inline table or to tables in pieces.
"""

import json
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hooklore.agents.json_settings import is_our_server, server_taken
from hooklore.agents.registration import SERVER_NAME, Insertion, SettingsFormat
from hooklore.errors import SettingsError

_SERVERS = "mcp_servers"
_NAME = rf"""(?:{SERVER_NAME}|"{SERVER_NAME}"|'{SERVER_NAME}')"""
_PATH = rf"""(?:{_SERVERS}|"{_SERVERS}"|'{_SERVERS}')[ \t]*\.[ \t]*{_NAME}"""
_OUR_HEADER = re.compile(rf"[ \t]*\[[ \t]*{_PATH}[ \t]*[.\]]")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_OUR_KEY = re.compile(rf"[ \t]*{_PATH}[ \t]*[.=]")
_HEADER = re.compile(r"[ \t]*\[")
_SILENT = re.compile(r"[ \t]*(?:#.*)?\r?\n?\Z")


@dataclass(frozen=True, slots=True)
class ServerTable(SettingsFormat):
    """The `SettingsFormat` of a file for the one table of ours.

    `consequence` says what the client does with a file that is not TOML, `install` registers us with it.
    """

    consequence: str
    install: str

    def decode(self, raw: bytes, path: str) -> tuple[bytes, str]:
        """Return the byte order mark or b"", and the text. Raise SettingsError."""
        mark, text = SettingsFormat.decode(self, raw, path)
        if re.search("[\ud800-\udfff]", text):
            raise SettingsError(path, "it is not UTF-8", fix=f"save `{path}` as UTF-8")
        return mark, text

    def check(self, text: str, path: str) -> None:
        """Raise SettingsError unless the client would read this text."""
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            cause = f"{str(error)[:1].lower()}{str(error)[1:]}; {self.consequence}"
            raise SettingsError(path, cause) from None
        except RecursionError:
            raise SettingsError(path, "it is nested too deeply") from None

    def read(self, text: str) -> Mapping[str, Any]:
        """Return the settings of a checked text."""
        return tomllib.loads(text)

    def registered(self, text: str) -> list[tuple[str, Any]]:
        """Return (name, server) of the server of ours."""
        servers = tomllib.loads(text).get(_SERVERS)
        found = servers.get(SERVER_NAME) if isinstance(servers, dict) else None
        return [(SERVER_NAME, found)] if is_our_server(found) else []

    def add(self, text: str, wanted: Mapping[str, Any], path: str) -> list[Insertion]:
        """Return the insertion of the server's table, or of one key where the text takes no table."""
        server = wanted[SERVER_NAME]
        before = _load(text)
        servers = before.get(_SERVERS, {})
        if not isinstance(servers, dict):
            raise SettingsError(path, f"`{_SERVERS}` must be a table")
        if SERVER_NAME in servers:
            raise server_taken(path, self.install)
        after = {**before, _SERVERS: {**servers, SERVER_NAME: _loads("\n".join(_keys(server)))}}
        end = "\r\n" if "\r\n" in text else "\n"
        gap = "" if not text else end if text.endswith("\n") else end * 2
        header, key = f"[{_SERVERS}.{SERVER_NAME}]", f"{_SERVERS}.{SERVER_NAME}"
        table = gap + "".join(f"{line}{end}" for line in (header, *_keys(server)))
        one_key = f"{key} = {{ {', '.join(_keys(server))} }}{end}"
        for each in (Insertion(len(text), table), Insertion(0, one_key)):
            if _loads(text[: each.at] + each.text + text[each.at :]) == after:
                return [each]
        raise SettingsError(
            path,
            f"`{_SERVERS}` is written so that nothing can be added to it",
            fix=f"write `{_SERVERS}` as tables, or run `{self.install} --no-server`",
        )

    def remove(self, text: str, keep: Collection[str] = ()) -> str:
        """Return a checked text without our table and what the client noted below the table."""
        del keep
        if not self.registered(text):
            return text
        after = _load(text)
        del after[_SERVERS][SERVER_NAME]
        lines = text.splitlines(keepends=True)
        bare = {key: value for key, value in after.items() if key != _SERVERS or value}
        for kept in (_without_tables(lines), [line for line in lines if not _OUR_KEY.match(line)]):
            if _loads(rest := "".join(kept)) in (after, bare):
                return rest
        raise SettingsError(
            "config.toml",
            f"`{_SERVERS}.{SERVER_NAME}` is written so that no program can take it out",
            fix=f"remove `{_SERVERS}.{SERVER_NAME}` by hand",
        )


def _load(text: str) -> Mapping[str, Any]:
    """Return the settings of a checked text, floats as they are spelled: nan is not equal to itself."""
    return tomllib.loads(text, parse_float=str)


def _loads(text: str) -> Mapping[str, Any] | None:
    try:
        return _load(text)
    except tomllib.TOMLDecodeError:
        return None


def _keys(server: Mapping[str, Any]) -> Iterator[str]:
    """Yield `key = value` of each setting."""
    for key, value in server.items():
        name = key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)
        yield f"{name} = {_value(value)}"


def _value(value: object) -> str:
    """Return a value as TOML on one line: JSON's strings, numbers and booleans are TOML's, too."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_keys(value))} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False, default=str)


def _without_tables(lines: list[str]) -> list[str]:
    """Return the lines without our tables and the blank line that stood before them."""
    kept: list[str] = []
    waiting: list[str] = []
    is_inside = False
    for line in lines:
        if _HEADER.match(line):
            was_inside, is_inside = is_inside, _OUR_HEADER.match(line) is not None
            if is_inside and not was_inside and kept and not kept[-1].strip():
                kept.pop()
        if not is_inside:
            kept += [*waiting, line]
            waiting = []
        elif _SILENT.match(line):
            waiting.append(line)
        else:
            waiting = []
    return kept + waiting
