"""`damas-board draw`: the lots of a match, as one JSON object that can be drawn again from its seed."""

from __future__ import annotations

import argparse
import json
import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from damas_board.cli import DONE, Commands, regulation
from damas_board.cli.errors import InputError
from damas_board.cli.words import word
from damas_board.hub.lots import lots
from damas_board.messages.lots import LotsError, Opening, read_openings
from damas_board.rules.match import Pairing, Player, games
from damas_board.rules.variant import Variant

MOST_GAMES = 100


def register(commands: Commands) -> None:
    parser = commands.add_parser("draw", help=word("help.draw"), description=word("help.draw"))
    regulation.add_option(parser)
    parser.add_argument("--players", nargs=2, required=True, metavar=("A", "B"), help=word("help.draw.players"))
    parser.add_argument("--public", nargs=2, metavar=("A", "B"), help=word("help.draw.public"))
    parser.add_argument("--under-age", action="store_true", help=word("help.draw.under_age"))
    parser.add_argument("--games", type=int, metavar="N", help=word("help.draw.games"))
    parser.add_argument("--seed", type=int, metavar="N", help=word("help.draw.seed"))
    parser.add_argument("--openings", metavar="FILE", help=word("help.draw.openings"))
    parser.add_argument("--white", metavar="PLAYER", help=word("help.draw.white"))
    parser.add_argument("--by", metavar="WHO", help=word("help.draw.by"))
    parser.add_argument("--keep", type=Path, metavar="FILE", help=word("help.draw.keep"))
    parser.add_argument("--again", metavar="REASON", help=word("help.draw.again"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Prints the draw; with `--keep` also adds it to that file, where a draw is not repeated without a reason."""
    rules = regulation.named(chosen.regulation)
    count = rules.match.games if chosen.games is None else chosen.games
    if count < 1 or count % rules.match.games:
        raise InputError(word("draw.count", count=count, games=rules.match.games))
    if count > MOST_GAMES:
        raise InputError(word("draw.many", count=count, most=MOST_GAMES))
    if chosen.seed is not None and chosen.seed < 0:
        raise InputError(word("draw.seed", seed=chosen.seed))
    again = None if chosen.again is None else _said(chosen.again, "--again")
    names = [_said(name, "--players") for name in chosen.players]
    if len(set(names)) < 2:
        raise InputError(word("draw.same", name=names[0]))
    if chosen.openings and "lot" not in rules.match.opening:
        article = rules.match.articles.get("opening", rules.name)
        raise InputError(word("draw.free", regulation=rules.name, article=article))
    public = [None, None] if chosen.public is None else [_said(name, "--public") for name in chosen.public]
    players = tuple(map(Player, names, public))
    under_age = chosen.under_age or rules.match.minors
    white = None
    if chosen.white is not None:
        if "convention" not in rules.match.first:
            article = rules.match.articles.get("first", rules.name)
            raise InputError(word("draw.lot", regulation=rules.name, article=article))
        white = next((player for player in players if player.name == chosen.white.strip()), None)
        if white is None:
            raise InputError(word("draw.nobody", name=chosen.white, names=", ".join(names)))
    table = _openings(chosen.openings, rules.variant) if chosen.openings else ()
    seed = secrets.randbelow(2**32) if chosen.seed is None else chosen.seed
    match = games((players[0], players[1]), count, lots(seed), table, white)
    text = json.dumps(
        {
            "seed": seed,
            "by": chosen.by,
            "at": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            "regulation": rules.name,
            "articles": dict(rules.match.articles),
            "players": [_player(player, under_age) for player in players],
            "first": "lot" if white is None else "convention",
            "again": again,
            "games": [_described(pairing, under_age) for pairing in match],
        },
        ensure_ascii=False,
    )
    if chosen.keep is not None:
        _keep(chosen.keep, text, names, again)
    print(text)
    return DONE


def _said(words: str, option: str) -> str:
    """The words without blanks around them; InputError where nothing is left."""
    if not words.strip():
        raise InputError(word("draw.empty", option=option))
    return words.strip()


def _player(player: Player, under_age: bool) -> dict[str, str]:
    """`public` is the name that everybody may see."""
    return {"name": player.name, "public": player.public_name(under_age=under_age)}


def _described(pairing: Pairing[Opening], under_age: bool) -> dict[str, Any]:
    opening = pairing.opening
    return {
        "game": pairing.number,
        "players": {"white": _player(pairing.white, under_age), "black": _player(pairing.black, under_age)},
        "opening": None if opening is None else {"name": opening.name, "fen": opening.fen},
    }


def _openings(file: str, variant: Variant) -> tuple[Opening, ...]:
    """The table of openings in a file; the FENs come as the variant writes them."""
    try:
        return read_openings(_text(Path(file)), variant)
    except LotsError as error:
        match error.key:
            case "json":
                what = word("line", line=error.line, message=error.facts["error"])
            case "opening":
                what = f"{error.facts['name']!r}: {error.facts['error']}"
            case _:
                raise InputError(word("draw.table", file=file)) from error
        raise InputError(f"{file}: {what}") from error


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(word("not_utf8", file=file, byte=error.start)) from error


def _keep(file: Path, text: str, players: list[str], again: str | None) -> None:
    """Adds the draw as a line to `file`; InputError if it has one of these players and no reason is given."""
    if file.exists() and again is None:
        for number, line in enumerate(_text(file).splitlines(), 1):
            try:
                known = {player["name"].strip() for player in json.loads(line)["players"]}
            except (json.JSONDecodeError, AttributeError, KeyError, TypeError) as error:
                raise InputError(word("draw.kept", file=file, line=number)) from error
            if known == set(players):
                raise InputError(word("draw.drawn", file=file, line=number))
    with file.open("a", encoding="utf-8") as kept:
        kept.write(text + "\n")
