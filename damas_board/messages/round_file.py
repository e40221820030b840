"""A round as its organiser writes it down: TOML, JSON or CSV to the keys of its payload; what is wrong has its line.

TOML has the payload's keys, `[[pairing]]` for each table and `[publication]`; a player is a name or a table. JSON is
the payload itself. CSV is what a pairing program or a spreadsheet exports: a line a table under a line of column names
(`table`, `white`, `black`, `board`, ..., `white_id`, `black_public`), divided by commas, semicolons or tabs. Columns
and their values may be Portuguese, too (`mesa`, `brancas`, `titulo_brancas`, `sim`), with or without accents.
"""

from __future__ import annotations

import codecs
import csv
import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time
from difflib import get_close_matches
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
PORTUGUESE: Mapping[str, str] = {
    **{"mesa": "table", "brancas": "white", "pretas": "black", "tabuleiro": "board", "jogo": "game", "partida": "game"},
    **{"regulamento": "regulation", "relogio": "clock", "ritmo": "clock", "posicao": "fen", "abertura": "opening"},
    **{"encontro": "match", "confronto": "match", "resultado": "result"},
}
"""Other names of the columns of a table, without accents."""
PORTUGUESE_PLAYER: Mapping[str, str] = {
    **{"nome_publico": "public", "publico": "public", "menor": "minor", "numero": "id", "titulo": "title"},
    **{"clube": "club", "federacao": "federation", "elo": "rating", "pontuacao": "rating"},
}
"""And of those of a player, beside `brancas` or `pretas`: `titulo_brancas`, `brancas titulo`, `clube das pretas`."""
SIDE_WORDS: Mapping[str, str] = {"white": "white", "black": "black", "brancas": "white", "pretas": "black"}
YES = ("1", "x", "yes", "true", "sim", "s", "y", "verdadeiro")
NO = ("", "0", "no", "false", "nao", "n", "falso")
NEAR = 0.75
"""How much alike a column and one that is not known must be for the one to be meant."""
RESULTS: Mapping[str, str] = {"brancas": "2-0", "pretas": "0-2", "empate": "1-1", "empatada": "1-1"}
"""Results in Portuguese; what the command `result` takes is read as it is."""

TEXTS: Mapping[str, str] = {
    "key": "there is no key {key}; allowed: {known}",
    "key_near": 'there is no key {key}; did you mean "{near}"?',
    "near": "there is no column {column}; is {near} meant?",
    "column": "there is no column {column}; there are: table, white, black, board, result, regulation, clock, opening,"
    " fen, match, game; and with white_ or black_ before it: title, club, federation, rating, id, public, minor",
    "heading": "the first line must name the columns, such as table;white;black;board",
    "repeated": "the column {column} stands there twice",
    "list": "pairings are written as [[pairing]]",
    "toml": "{error}",
    "json": "not JSON: {error}",
    "csv": "not CSV: {error}",
    "quote": 'a quotation mark " does not go with another: everything behind it would be one name',
    "cells": "more cells than the {most} columns of the first line",
    "empty": "there is no pairing in it; the first line names the columns: table, white, black, board",
    "yes": "{column} is {found}; yes, 1, no or empty is expected",
    "spoilt": "letters are lost there (\ufffd): the file was read as another encoding than its own before",
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


def read_bytes(data: bytes, kind: Kind) -> tuple[str, bool]:
    """The text of a file; True where it is only taken for Windows-1252, as a CSV file that is no Unicode.

    Spreadsheets write that, and nothing in it says so: whoever reads it looks at the names. UnicodeDecodeError where it
    is no text.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16"), False
    try:
        return data.decode("utf-8-sig"), False
    except UnicodeDecodeError:
        if kind != "csv" or b"\0" in data:
            raise
    return data.decode("cp1252"), True


def read_round_text(text: str, kind: Kind, meeting: str, given: Mapping[str, Any]) -> Round:
    """The round in a text; `given` are keys of the round that count before the text's own. RoundFileError else."""
    if "\ufffd" in text:
        raise RoundFileError("spoilt", text.count("\n", 0, text.index("\ufffd")) + 1)
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

    def wrong(place: tables.Path, key: str, allowed: Sequence[str]) -> RoundFileError:
        line, near = tables.line_of(lines, place), get_close_matches(key, tuple(allowed), 1)
        if near:
            return RoundFileError("key_near", line, key=key, near=near[0])
        return RoundFileError("key", line, key=key, known=", ".join(allowed))

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
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter, strict=True)
    pairings: list[dict[str, Any]] = []
    lines: list[int] = []
    columns: Sequence[str] = ()
    before = 0
    try:
        for row in reader:
            line, before = before + 1, reader.line_num
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if not columns:
                columns = _columns(cells, line)
                continue
            if len(cells) > len(columns) and any(cells[len(columns) :]):
                raise RoundFileError("cells", line, most=len(columns))
            lines.append(line)
            pairings.append(_pairing(dict(zip(columns, cells, strict=False)), line))
    except csv.Error as error:
        if any(len(line) > csv.field_size_limit() for line in text.splitlines()):
            raise RoundFileError("csv", before + 1, error=error) from error
        raise RoundFileError("quote", before + 1) from error
    if not pairings:
        raise RoundFileError("empty", None)
    return {"pairings": pairings}, lambda pairing, key: None if pairing is None else lines[pairing - 1]


def plain(text: str) -> str:
    """A word without accents and capitals, with `_` for whatever stands between words."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"[^\w]+", "_", bare).strip("_")


def _column(name: str) -> str | None:
    """The column that is called so, in English or Portuguese; None: there is none."""
    if name in COLUMNS:
        return name
    if name in PORTUGUESE:
        return PORTUGUESE[name]
    words = [word for word in name.split("_") if word not in ("das", "de", "of")]
    sides = [word for word in words if word in SIDE_WORDS]
    if len(sides) != 1:
        return None
    rest = "_".join(word for word in words if word not in SIDE_WORDS)
    key = PORTUGUESE_PLAYER.get(rest, rest)
    column = f"{SIDE_WORDS[sides[0]]}_{key}"
    return column if column in COLUMNS else None


def _columns(found: Sequence[str], line: int) -> list[str]:
    names = [_column(plain(name)) for name in found]
    known = (*COLUMNS, *PORTUGUESE, *(f"{side}_{key}" for side in ("brancas", "pretas") for key in PORTUGUESE_PLAYER))
    columns: list[str] = []
    for name, column in zip(found, names, strict=True):
        if column is None:
            near = get_close_matches(plain(name), known, 1, NEAR)
            if near:
                raise RoundFileError("near", line, column=name, near=near[0])
            if not any(names):
                raise RoundFileError("heading", line)
            raise RoundFileError("column", line, column=name)
        if column in columns:
            raise RoundFileError("repeated", line, column=name)
        columns.append(column)
    return columns


def _pairing(cells: Mapping[str, str], line: int) -> dict[str, Any]:
    pairing: dict[str, Any] = {key: cells[key] for key in PAIRING_KEYS if cells.get(key) and key not in SIDES}
    if "result" in pairing:
        pairing["result"] = RESULTS.get(plain(pairing["result"]), pairing["result"])
    for side in SIDES:
        if not cells.get(side):
            continue
        player: dict[str, Any] = {"name": cells[side]}
        for key in PLAYER_KEYS:
            value = cells.get(f"{side}_{key}", "")
            if key == "minor":
                if plain(value) not in (*YES, *NO):
                    raise RoundFileError("yes", line, column=f"{side}_minor", found=value)
                player[key] = plain(value) in YES
            elif value:
                player[key] = value
        pairing[side] = player
    return pairing
