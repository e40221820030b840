"""Editors of one system put a byte order mark before a text: it is read like any other."""

from __future__ import annotations

from pathlib import Path

from damas_board.config import read_config

TEXT = 'meeting = "club"\n\n[[board]]\nid = "t"\nport = "x"\nregulation = "own.toml"\n'
OWN = 'title = "Own"\nbase = "br-cbjd"\n'


def test_a_configuration_and_a_regulation_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(TEXT, "utf-8-sig")
    (tmp_path / "own.toml").write_text(OWN, "utf-8-sig")
    config = read_config(tmp_path / "club.toml")
    assert config.boards[0].regulation.title == "Own"
