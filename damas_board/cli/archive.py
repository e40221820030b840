"""`damas-board archive`: what a hub has archived: standings, games, rounds as PDN."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from damas_board.cli import DONE, WRONG_INPUT, Commands
from damas_board.cli.errors import InputError
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.config import read_config
from damas_board.hub.archive import Archive, Search, standings_csv
from damas_board.hub.archive.asking import MOST, Result
from damas_board.hub.files import write_folder, write_whole
from damas_board.messages.feed import MOST_GAMES
from damas_board.messages.names import escaped
from damas_board.regulations import Regulation, shipped

Wish = Callable[["Asked", argparse.Namespace], int]


class Asked:
    """The archive that a command is about, its meeting, and the regulations that are known there."""

    def __init__(self, archive: Archive, meeting: str | None, own: dict[str, Regulation]) -> None:
        self.archive = archive
        self.named = meeting
        """The meeting that was asked for, or that a configuration is about."""
        self._own = own

    @property
    def meeting(self) -> str:
        return self.archive.meeting(self.named)

    def regulation(self, name: str) -> Regulation:
        return self._own[name] if name in self._own else shipped(name)


def register(commands: Commands) -> None:
    parser = commands.add_parser("archive", help=word("help.archive"), description=word("help.archive"))
    wishes = parser.add_subparsers(metavar=word("help.archive.wish"), required=True)

    def wish(name: str, call: Wish) -> argparse.ArgumentParser:
        text = word(f"help.archive.{name}")
        added = wishes.add_parser(name, help=text, description=text, allow_abbrev=False)
        added.add_argument("source", metavar="ARCHIVE", help=word("help.archive.source"))
        added.add_argument("--meeting", metavar="M", help=word("help.archive.meeting"))
        added.set_defaults(call=_call, wish=call)
        return added

    standings = wish("standings", _standings)
    standings.add_argument("--round", metavar="R", help=word("help.archive.upto"))
    search = wish("search", _search)
    for name in ("round", "player", "since", "until", "moves", "fen", "alert"):
        search.add_argument(f"--{name}", metavar=name.upper(), help=word(f"help.archive.{name}"))
    search.add_argument("--result", choices=get_args(Result), help=word("help.archive.result"))
    words = word("help.archive.limit", default=MOST)
    search.add_argument("--limit", metavar="N", type=_limit, default=MOST, help=words)
    export = wish("export", _export)
    export.add_argument("round", metavar="R", help=word("help.archive.round"))
    export.add_argument("--out", metavar="FOLDER", type=Path, help=word("help.archive.out"))
    export.add_argument("--lidraughts", action="store_true", help=word("help.archive.lidraughts"))
    game = wish("game", _game)
    game.add_argument("game", metavar="GAME", help=word("help.archive.game_id"))
    for added in (standings, export, game):
        added.add_argument("--public-names", action="store_true", help=word("help.archive.public_names"))
    for added in (standings, search):
        added.add_argument("--json", action="store_true", help=word("help.archive.json"))
    game.add_argument("--json", action="store_true", help=word("help.archive.game_json"))


def _call(chosen: argparse.Namespace) -> int:
    url, meeting, own = _source(chosen.source)
    with Archive.open(url, create=False) as archive:
        if meeting not in archive.meetings():
            meeting = None
        return int(chosen.wish(Asked(archive, chosen.meeting or meeting, own), chosen))


def _source(text: str) -> tuple[str, str | None, dict[str, Regulation]]:
    """The URL of the archive, the meeting of a configuration, and its own regulations."""
    if "://" in text:
        return text, None, {}
    if not text.endswith(".toml"):
        return f"sqlite:///{Path(text).absolute()}", None, {}
    config = read_config(Path(text))
    if config.hub is None:
        raise InputError(word("archive.no_hub", file=text))
    boards = {board.regulation.name: board.regulation for board in config.boards}
    return config.hub.archive, config.meeting, {**boards, **config.hub.regulations}


def _standings(asked: Asked, chosen: argparse.Namespace) -> int:
    table = asked.archive.standings(asked.meeting, chosen.round, public=chosen.public_names)
    if chosen.json:
        for line in table:
            _print(asdict(line))
    else:
        print(standings_csv(table).replace("\r\n", "\n"), end="")
    return DONE


def _search(asked: Asked, chosen: argparse.Namespace) -> int:
    """Where no meeting is named, the whole archive is searched."""
    if asked.named is not None:
        asked.archive.meeting(asked.named)
    found = asked.archive.search(
        Search(
            asked.named,
            chosen.round,
            chosen.player,
            chosen.since,
            chosen.until,
            tuple((chosen.moves or "").split()),
            chosen.fen,
            chosen.result,
            chosen.alert,
            chosen.limit,
        )
    )
    for game in found:
        if chosen.json:
            _print(game)
        else:
            print(escaped(_line(game)))
    if not found:
        say(word("archive.none"))
    elif len(found) == chosen.limit:
        say(word("archive.more", limit=chosen.limit))
    return DONE


def _line(game: dict[str, Any]) -> str:
    """One game: when, where, id, players, result, plies."""
    when = (game["started"] or "")[:16].replace("T", " ")
    players = f"{game['white'] or '?'} - {game['black'] or '?'}"
    where = " ".join(part for part in (game["meeting"], game["round"], game["table"]) if part)
    return f"{when:16}  {where}  {game['game']}  {players}  {game['result'] or '*'}  {game['plies']}"


def _export(asked: Asked, chosen: argparse.Namespace) -> int:
    """1 where a game is missing in what was written."""
    if chosen.lidraughts:
        feed = asked.archive.export_feed(
            asked.meeting, chosen.round, regulations=asked.regulation, public=chosen.public_names
        )
        for game, reason in feed.frozen.items():
            say(word("archive.frozen", game=game, reason=reason))
        for game in feed.left_out:
            say(word("archive.no_room", game=game, most=MOST_GAMES))
        if chosen.out is None:
            print(feed.text, end="")
        else:
            chosen.out.mkdir(parents=True, exist_ok=True)
            path = chosen.out / f"{chosen.round}-lidraughts.pdn"
            write_whole(path, feed.text)
            print(path)
        return DONE
    export = asked.archive.export_round(
        asked.meeting, chosen.round, regulations=asked.regulation, public=chosen.public_names
    )
    for game, reason in export.problems.items():
        say(word("archive.left_out", game=game, reason=reason))
    if chosen.out is None:
        print(export.whole, end="")
    else:
        for path in write_folder(chosen.out, export.files):
            print(path)
    return WRONG_INPUT if export.problems else DONE


def _game(asked: Asked, chosen: argparse.Namespace) -> int:
    if chosen.json and chosen.public_names:
        raise InputError(word("archive.whole_game"))
    if chosen.json:
        _print(asked.archive.game(asked.meeting, chosen.game))
    else:
        print(
            asked.archive.export_game(
                asked.meeting, chosen.game, regulations=asked.regulation, public=chosen.public_names
            ),
            end="",
        )
    return DONE


def _limit(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 1_000_000:
        raise ValueError(text)
    return number


def _print(value: object) -> None:
    print(escaped(json.dumps(value, ensure_ascii=False)))
