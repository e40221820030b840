"""A round in a file: which form it has by its name, and what is wrong with it as one line for the person who typed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from damas_board.cli.errors import InputError
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.messages.round_file import Kind, RoundFileError, read_bytes, read_round_text
from damas_board.messages.rounds import Round

KINDS: Mapping[str, Kind] = {".toml": "toml", ".json": "json", ".csv": "csv", ".tsv": "csv", ".txt": "csv"}
LARGEST = 16 * 1024 * 1024
"""Bytes of a file; no round is longer."""


def read_round_file(path: Path, meeting: str, given: Mapping[str, str | None]) -> Round:
    """The round in a file; `given` are keys of the round that stand on the command line and count first.

    InputError says file, line and what is wrong. A CSV file of an old encoding is read, which is said.
    """
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise InputError(word("round.file.kind", file=path))
    text, old = _text(path, kind)
    if old:
        say(word("round.file.old", file=path))
    try:
        return read_round_text(text, kind, meeting, given)
    except RoundFileError as error:
        raise InputError(f"{_at(path, error.line)}{_said(error)}") from error


def _said(error: RoundFileError) -> str:
    if error.wrong is None:
        return word(f"round.file.{error.key}", **error.facts)
    where = "" if error.wrong.pairing is None else word("round.pairing", number=error.wrong.pairing)
    return where + word(f"round.wrong.{error.key}", **error.facts)


def _text(path: Path, kind: Kind) -> tuple[str, bool]:
    """As `read_bytes` has it."""
    data = path.read_bytes()
    if len(data) > LARGEST:
        raise InputError(word("round.file.large", file=path))
    try:
        return read_bytes(data, kind)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{_at(path, line)}{word('round.file.text')}") from error


def _at(path: Path, line: int | None) -> str:
    return f"{path}: " if line is None else f"{path}:{line}: "
