"""A round as its organiser writes it down: TOML, JSON or CSV to the keys of its payload; what is wrong has its line.

TOML has the payload's keys, `[[pairing]]` for each table and `[publication]`; a player is a name or a table. JSON is
the payload itself. CSV is what a pairing program or a spreadsheet exports: a line a table under a line of column names
(`table`, `white`, `black`, `board`, ..., `white_id`, `black_public`), divided by commas, semicolons or tabs.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from damas_board.cli.errors import InputError
from damas_board.cli.words import word
from damas_board.messages.rounds import (
    PAIRING_KEYS,
    PLAYER_KEYS,
    PUBLICATION_KEYS,
    ROUND_KEYS,
    Round,
    RoundError,
    read_round,
)
from damas_board.regulations import tables

Line = Callable[[int | None, str | None], int | None]
"""The line of a key of a pairing (from 1), or of the round; None where lines say nothing."""

SIDES = ("white", "black")
COLUMNS = (*PAIRING_KEYS, *(f"{side}_{key}" for side in SIDES for key in PLAYER_KEYS if key != "name"))
YES = ("1", "x", "yes", "true", "sim", "s", "y")
NO = ("", "0", "no", "false", "não", "nao", "n")
LARGEST = 16 * 1024 * 1024
"""Bytes of a file; no round is longer."""


def read_round_file(path: Path, meeting: str, given: Mapping[str, str | None]) -> Round:
    """The round in a file; `given` are keys of the round that stand on the command line and count first.

    InputError says file, line and what is wrong; a TableError likewise, of TOML.
    """
    text = _text(path)
    match path.suffix.lower():
        case ".toml":
            body, line = _toml(text, path)
        case ".json":
            body, line = _json(text, path)
        case ".csv" | ".tsv" | ".txt":
            body, line = _csv(text, path)
        case _:
            raise InputError(word("round.file.kind", file=path))
    if isinstance(body, dict):
        body = {**body, **{key: value for key, value in given.items() if value is not None}}
    try:
        return read_round(body, meeting=meeting)
    except RoundError as error:
        where = "" if error.pairing is None else word("round.pairing", number=error.pairing)
        text = word(f"round.wrong.{error.key}", **error.facts)
        raise InputError(f"{_at(path, line(error.pairing, error.place))}{where}{text}") from error


def _text(path: Path) -> str:
    data = path.read_bytes()
    if len(data) > LARGEST:
        raise InputError(word("round.file.large", file=path))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{_at(path, line)}{word('round.file.text')}") from error


def _at(path: Path, line: int | None) -> str:
    return f"{path}: " if line is None else f"{path}:{line}: "


def _toml(text: str, path: Path) -> tuple[Any, Line]:
    body = tables.parse(text, str(path))
    lines = tables.key_lines(text)
    known = [key for key in ROUND_KEYS if key != "pairings"]

    def wrong(place: tables.Path, key: str, allowed: Iterable[str]) -> InputError:
        near = tables.suggestion(key, tuple(allowed))
        return InputError(f"{_at(path, tables.line_of(lines, place))}{word('round.file.key', key=key, near=near)}")

    for key in body:
        if key not in (*known, "pairing"):
            raise wrong((key,), key, (*known, "pairing"))
    listed = body.pop("pairing", [])
    if not isinstance(listed, list):
        raise InputError(f"{_at(path, tables.line_of(lines, ('pairing',)))}{word('round.file.list')}")
    for number, pairing in enumerate(listed):
        for key, value in pairing.items() if isinstance(pairing, dict) else ():
            if key not in PAIRING_KEYS:
                raise wrong(("pairing", number, key), key, PAIRING_KEYS)
            for inner in value if key in SIDES and isinstance(value, dict) else ():
                if inner not in PLAYER_KEYS:
                    raise wrong(("pairing", number, key, inner), inner, PLAYER_KEYS)
    publication = body.get("publication")
    for key in publication if isinstance(publication, dict) else ():
        if key not in PUBLICATION_KEYS:
            raise wrong(("publication", key), key, PUBLICATION_KEYS)

    def line(pairing: int | None, key: str | None) -> int | None:
        table: tables.Path = () if pairing is None else ("pairing", pairing - 1)
        place = table if key is None else (*table, key)
        return tables.line_of(lines, place if place in lines else table)

    return {**body, "pairings": listed}, line


def _json(text: str, path: Path) -> tuple[Any, Line]:
    try:
        return json.loads(text), lambda pairing, key: None
    except json.JSONDecodeError as error:
        raise InputError(f"{_at(path, error.lineno)}{word('round.file.json', error=error.msg)}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{_at(path, None)}{word('round.file.json', error=error)}") from error


def _csv(text: str, path: Path) -> tuple[Any, Line]:
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    pairings: list[dict[str, Any]] = []
    lines: list[int] = []
    columns: list[str] = []
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if not columns:
                columns = _columns([cell.lower() for cell in cells], path, reader.line_num)
                continue
            if len(cells) > len(columns) and any(cells[len(columns) :]):
                raise InputError(f"{_at(path, reader.line_num)}{word('round.file.cells', most=len(columns))}")
            lines.append(reader.line_num)
            pairings.append(_pairing(dict(zip(columns, cells, strict=False)), path, reader.line_num))
    except csv.Error as error:
        raise InputError(f"{_at(path, reader.line_num)}{word('round.file.csv', error=error)}") from error
    return {"pairings": pairings}, lambda pairing, key: None if pairing is None else lines[pairing - 1]


def _columns(found: list[str], path: Path, line: int) -> list[str]:
    for name in found:
        if name not in COLUMNS:
            near = tables.suggestion(name, COLUMNS)
            raise InputError(f"{_at(path, line)}{word('round.file.key', key=name, near=near)}")
    return found


def _pairing(cells: Mapping[str, str], path: Path, line: int) -> dict[str, Any]:
    pairing: dict[str, Any] = {key: cells[key] for key in PAIRING_KEYS if cells.get(key) and key not in SIDES}
    for side in SIDES:
        if not cells.get(side):
            continue
        player: dict[str, Any] = {"name": cells[side]}
        for key in PLAYER_KEYS:
            value = cells.get(f"{side}_{key}", "")
            if key == "minor":
                if value.lower() not in (*YES, *NO):
                    raise InputError(f"{_at(path, line)}{word('round.file.yes', column=f'{side}_minor', found=value)}")
                player[key] = value.lower() in YES
            elif value:
                player[key] = value
        pairing[side] = player
    return pairing
