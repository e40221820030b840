"""`damas-board pdn check`: replays the games of PDN files and says which can be replayed to their end."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from damas_board.cli import DONE, Commands
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.words import word
from damas_board.notation.errors import NotationError
from damas_board.notation.pdn import PdnGame, read_games
from damas_board.rules.variant import Variant
from damas_board.rules.variants import VARIANTS


def register(commands: Commands) -> None:
    parser = commands.add_parser("pdn", help=word("help.pdn"), description=word("help.pdn"))
    actions = parser.add_subparsers(metavar=word("help.command"), required=True)
    check = actions.add_parser("check", help=word("help.pdn.check"), description=word("help.pdn.check"))
    check.add_argument("files", metavar="FILE", nargs="+", help=word("help.pdn.file"))
    check.add_argument("--json", action="store_true", help=word("help.pdn.json"))
    check.add_argument("--variant", choices=tuple(VARIANTS), help=word("help.pdn.variant"))
    check.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """One line a game. A file that cannot be read is told with index 0, and the next one is looked at."""
    variant = None if chosen.variant is None else VARIANTS[chosen.variant]
    bad: list[str] = []
    games = 0
    for file in chosen.files:
        for found in _checked(file, variant):
            games += 1
            text = _sentence(found)
            if chosen.json:
                print(json.dumps(found, ensure_ascii=False))
            elif found["index"] or len(chosen.files) > 1:  # a lone unreadable file is told once, at the end
                print(text)
            if not found["ok"]:
                bad.append(text)
    if bad:
        raise InputError(bad[0] if games == 1 else word("pdn.some_bad", bad=len(bad), all=games, first=bad[0]))
    return DONE


def _checked(file: str, variant: Variant | None) -> Iterator[dict[str, Any]]:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        games = list(read_games(data, variant))
    except (NotationError, OSError) as error:
        reason = line_for(error).removeprefix(f"{file}: ")
        yield _described(file, 0, None, reason)
        return
    if not games:
        yield _described(file, 0, None, word("pdn.no_games"))
    for index, game in enumerate(games, 1):
        yield _described(file, index, game, game.fault.reason if game.fault else None)


def _described(file: str, index: int, game: PdnGame | None, reason: str | None) -> dict[str, Any]:
    fault = None if game is None else game.fault
    return {
        "file": file,
        "index": index,
        "variant": None if game is None else game.variant.name,
        "plies": 0 if game is None else len(game.plies),
        "ok": reason is None,
        "reason": reason,
        "line": fault.line if fault else None,
        "column": fault.column if fault else None,
        "result": None if game is None else game.result,
        "remarks": [] if game is None else [f"line {r.line}, column {r.column}: {r.reason}" for r in game.remarks],
    }


def _sentence(found: dict[str, Any]) -> str:
    if not found["index"]:
        return f"{found['file']}: {found['reason']}"
    return word("pdn.good" if found["ok"] else "pdn.bad", **found)
