"""A round as its organiser writes it down: TOML, JSON or CSV to the keys of its payload; what is wrong has its line.

TOML has the payload's keys, `[[pairing]]` for each table and `[publication]`; a player is a name or a table. JSON is
the payload itself. CSV is what a pairing program or a spreadsheet exports: a line a table under a line of column names
(`table`, `white`, `black`, `board`, ..., `white_id`, `black_public`), divided by commas, semicolons or tabs.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, time
from typing import Any, Literal

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

Kind = Literal["toml", "json", "csv"]
Line = Callable[[int | None, str | None], int | None]
"""The line of a key of a pairing (from 1), or of the round; None where lines say nothing."""

SIDES = ("white", "black")
COLUMNS = (*PAIRING_KEYS, *(f"{side}_{key}" for side in SIDES for key in PLAYER_KEYS if key != "name"))
YES = ("1", "x", "yes", "true", "sim", "s", "y")
NO = ("", "0", "no", "false", "não", "nao", "n")

TEXTS: Mapping[str, str] = {
    "key": "there is no key {key}{near}",
    "list": "pairings are written as [[pairing]]",
    "toml": "{error}",
    "json": "not JSON: {error}",
    "csv": "not CSV: {error}",
    "cells": "more cells than the {most} columns of the first line",
    "empty": "there is no pairing in it; the first line names the columns: table, white, black, board",
    "yes": "{column} is {found}; 1 or empty is expected",
}
"""The English of what may be wrong with the text itself, by key."""


class RoundFileError(ValueError):
    """A text that is no round: `key` is one of TEXTS; or `wrong` says what is wrong with the round in it.

    `line` is where, from 1; None where that says nothing.
    """

    def __init__(self, key: str, line: int | None, wrong: RoundError | None = None, /, **facts: Any) -> None:
        self.key = key
        self.line = line
        self.wrong = wrong
        self.facts: Mapping[str, Any] = facts if wrong is None else wrong.facts
        text = TEXTS[key].format(**facts) if wrong is None else str(wrong)
        super().__init__(text if line is None else f"line {line}: {text}")


def read_round_text(text: str, kind: Kind, meeting: str, given: Mapping[str, Any]) -> Round:
    """The round in a text; `given` are keys of the round that count before the text's own. RoundFileError else."""
    match kind:
        case "toml":
            body, line = _toml(text)
        case "json":
            body, line = _json(text)
        case "csv":
            body, line = _csv(text)
    if isinstance(body, dict):
        body = {**body, **{key: value for key, value in given.items() if value is not None}}
    try:
        return read_round(body, meeting=meeting)
    except RoundError as error:
        raise RoundFileError(error.key, line(error.pairing, error.place), error) from error


def _toml(text: str) -> tuple[Any, Line]:
    try:
        body = tables.parse(text, "")
    except tables.TableError as error:
        raise RoundFileError("toml", error.line, error=error.message) from error
    lines = tables.key_lines(text)
    known = [key for key in ROUND_KEYS if key != "pairings"]

    def wrong(place: tables.Path, key: str, allowed: Iterable[str]) -> RoundFileError:
        near = tables.suggestion(key, tuple(allowed))
        return RoundFileError("key", tables.line_of(lines, place), key=key, near=near)

    for key in body:
        if key not in (*known, "pairing"):
            raise wrong((key,), key, (*known, "pairing"))
    listed = body.pop("pairing", [])
    if not isinstance(listed, list):
        raise RoundFileError("list", tables.line_of(lines, ("pairing",)))
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
    begins = body.get("begins")
    if isinstance(begins, datetime | time):  # TOML has times of its own
        body["begins"] = begins.isoformat(timespec="minutes")

    def line(pairing: int | None, key: str | None) -> int | None:
        table: tables.Path = () if pairing is None else ("pairing", pairing - 1)
        place = table if key is None else (*table, key)
        return tables.line_of(lines, place if place in lines else table)

    return {**body, "pairings": listed}, line


def _json(text: str) -> tuple[Any, Line]:
    try:
        return json.loads(text), lambda pairing, key: None
    except json.JSONDecodeError as error:
        raise RoundFileError("json", error.lineno, error=error.msg) from error
    except (ValueError, RecursionError) as error:
        raise RoundFileError("json", None, error=error) from error


def _csv(text: str) -> tuple[Any, Line]:
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
                columns = _columns([cell.lower() for cell in cells], reader.line_num)
                continue
            if len(cells) > len(columns) and any(cells[len(columns) :]):
                raise RoundFileError("cells", reader.line_num, most=len(columns))
            lines.append(reader.line_num)
            pairings.append(_pairing(dict(zip(columns, cells, strict=False)), reader.line_num))
    except csv.Error as error:
        raise RoundFileError("csv", reader.line_num, error=error) from error
    if not pairings:
        raise RoundFileError("empty", None)
    return {"pairings": pairings}, lambda pairing, key: None if pairing is None else lines[pairing - 1]


def _columns(found: list[str], line: int) -> list[str]:
    for name in found:
        if name not in COLUMNS:
            near = tables.suggestion(name, COLUMNS)
            raise RoundFileError("key", line, key=name, near=near)
    return found


def _pairing(cells: Mapping[str, str], line: int) -> dict[str, Any]:
    pairing: dict[str, Any] = {key: cells[key] for key in PAIRING_KEYS if cells.get(key) and key not in SIDES}
    for side in SIDES:
        if not cells.get(side):
            continue
        player: dict[str, Any] = {"name": cells[side]}
        for key in PLAYER_KEYS:
            value = cells.get(f"{side}_{key}", "")
            if key == "minor":
                if value.lower() not in (*YES, *NO):
                    raise RoundFileError("yes", line, column=f"{side}_minor", found=value)
                player[key] = value.lower() in YES
            elif value:
                player[key] = value
        pairing[side] = player
    return pairing
