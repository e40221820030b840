"""Texts that came from outside reach no terminal and no log as they are, and a log entry is one line."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from damas_board.cli import main
from damas_board.cli.log import LONGEST, Worded
from damas_board.cli.talk import say

EVIL = "\x1b]0;owned\x07\x1b[2J\u202egnp.exe\u200b\x9b31m"


def steering(text: str) -> list[str]:
    return [c for c in text if c in "\x1b\x07\x9b\u202e\u200b"]


def test_an_entry_of_the_log_is_one_line_without_what_steers() -> None:
    record = logging.LogRecord(
        "x", 30, "x.py", 1, "command %s of %s", (EVIL, "a\n12:00:00 ERROR forged\r" + "x" * 9000), None
    )
    said = Worded("%(levelname)s %(message)s").format(record)
    assert steering(said) == []
    assert len(said.splitlines()) == 1
    assert len(said) < LONGEST + 100


def test_what_is_said_and_what_is_wrong_is_shown_without_what_steers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    say(EVIL)
    assert main(["replay", str(tmp_path / f"none{EVIL[1:4]}\u202e.jsonl")]) == 1
    assert main(["run", str(tmp_path / "\x1b[2J.toml")]) == 1
    assert steering(capsys.readouterr().err) == []


def test_a_game_of_an_evil_file_is_shown_without_what_steers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "evil.pdn"
    path.write_text(
        f'[White "{EVIL.replace(chr(27), "").replace(chr(7), "")}"]\n[GameType "26"]\n\n1. c3-d4 {{\u202e\x9b}} *\n',
        "utf-8",
    )
    main(["pdn", "check", str(path), "--json"])
    main(["pdn", "show", str(path)])
    said = capsys.readouterr()
    assert steering(said.out + said.err) == []
    assert json.loads(said.out.splitlines()[0])["file"]
