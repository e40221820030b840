"""`damas-board pdn`: checks PDN files, writes them anew in clean form, and shows a game or a position of it."""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, cast

from damas_board.cli import DONE, Commands
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.talk import say
from damas_board.cli.text_board import drawn
from damas_board.cli.words import word
from damas_board.messages.names import escaped
from damas_board.notation.drawing import board_svg
from damas_board.notation.errors import NotationError
from damas_board.notation.fen import write_fen
from damas_board.notation.moves import write_move
from damas_board.notation.pdn import PdnGame, read_games, regulation_variant, write_game
from damas_board.notation.results import differ, in_form_of
from damas_board.rules.variant import Variant
from damas_board.rules.variants import VARIANTS

_KEPT_IN_MEMORY = 1 << 20
"""Of what cannot be read twice, bytes; more is put into a temporary file."""


def register(commands: Commands) -> None:
    parser = commands.add_parser("pdn", help=word("help.pdn"), description=word("help.pdn"))
    actions = parser.add_subparsers(metavar=word("help.command"), required=True)
    check = actions.add_parser("check", help=word("help.pdn.check"), description=word("help.pdn.check"))
    check.add_argument("files", metavar="FILE", nargs="+", help=word("help.pdn.file"))
    check.add_argument("--json", action="store_true", help=word("help.pdn.json"))
    check.set_defaults(call=call_check)
    convert = actions.add_parser("convert", help=word("help.pdn.convert"), description=word("help.pdn.convert"))
    convert.add_argument("file", metavar="FILE", help=word("help.pdn.file"))
    convert.add_argument("-o", "--output", metavar="OUT", required=True, help=word("help.pdn.output"))
    convert.set_defaults(call=call_convert)
    show = actions.add_parser("show", help=word("help.pdn.show"), description=word("help.pdn.show"))
    show.add_argument("file", metavar="FILE", help=word("help.pdn.file"))
    show.add_argument("--game", type=int, default=1, metavar="N", help=word("help.pdn.game"))
    show.add_argument("--ply", type=int, metavar="N", help=word("help.pdn.ply"))
    show.add_argument("--svg", action="store_true", help=word("help.pdn.svg"))
    show.set_defaults(call=call_show)
    for action in (check, convert, show):
        action.add_argument("--variant", choices=tuple(VARIANTS), help=word("help.pdn.variant"))


def call_check(chosen: argparse.Namespace) -> int:
    """One line a game. A file that cannot be read is told with index 0, and the next one is looked at."""
    games = bad = 0
    first = ""
    for file in chosen.files:
        for found in _checked(file, _variant(chosen)):
            games += 1
            text = _sentence(found)
            if chosen.json:
                print(escaped(json.dumps(found, ensure_ascii=False)))
            elif found["index"] or len(chosen.files) > 1:  # a lone unreadable file is told once, at the end
                print(escaped(text))
            if not found["ok"]:
                first = first or text
                bad += 1
    if bad:
        raise InputError(first if games == 1 else word("pdn.some_bad", bad=bad, all=games, first=first))
    return DONE


def call_convert(chosen: argparse.Namespace) -> int:
    """Writes the games as far as they can be read, and tells what is left out; games of which nothing can be read
    are left out whole. InputError where no game is left."""
    out = chosen.output
    if out != "-" and chosen.file != "-" and Path(out).exists() and os.path.samefile(out, chosen.file):
        raise InputError(word("pdn.same_file", file=out))
    written = 0
    with _written(out) as target:
        for index, game in enumerate(_games(chosen.file, _variant(chosen), prints=out == "-"), 1):
            if game.fault is not None:
                key = "pdn.cut" if game.plies else "pdn.left_out"
                say(word(key, file=chosen.file, index=index, plies=game.moves, **_place(game)))
            if game.fault is None or game.plies:
                lost = list(_lost(game))
                if lost:
                    say(word("pdn.lost", file=chosen.file, index=index, lost="; ".join(lost)))
                target.write(write_game(game))
                written += 1
        if not written:
            raise InputError(f"{chosen.file}: {word('pdn.no_games')}")
    if out != "-":
        say(word("pdn.written", games=written, file=out))
    return DONE


def _lost(game: PdnGame) -> Iterator[str]:
    """What a game that is written anew no longer says, in words.

    The tag and the end of the moves have to say the same result, so that only one of two stays.
    """
    said = game.tag("Result") or ""
    if game.terminator is not None and differ(said, game.terminator, game.variant.first):
        written = in_form_of(game.variant, game.result)
        yield word("pdn.lost.result", said=said, ended=game.terminator, written=written)
    for kind, count in game.passed_over.items():
        yield word(f"pdn.lost.{kind}", count=count)
    regulation = game.tag("Regulation")
    if regulation is not None and regulation_variant(game.tags) not in (None, game.variant):
        yield word("pdn.lost.regulation", regulation=regulation)


def call_show(chosen: argparse.Namespace) -> int:
    """The game as PDN; with `--ply` or `--svg` the board after that many plies, else at the end."""
    game = _one(chosen.file, _variant(chosen), chosen.game)
    if game.fault is not None:
        say(word("pdn.cut", file=chosen.file, index=chosen.game, plies=game.moves, **_place(game)))
    if chosen.ply is None and not chosen.svg:
        print(escaped(write_game(game).rstrip("\n")))
        return DONE
    ply = len(game.plies) if chosen.ply is None else chosen.ply
    if not 0 <= ply <= len(game.plies):
        raise InputError(word("pdn.no_ply", file=chosen.file, index=chosen.game, ply=ply, plies=len(game.plies)))
    print(_picture(game, ply) if chosen.svg else "\n".join(_board(game, ply)))
    return DONE


def _variant(chosen: argparse.Namespace) -> Variant | None:
    return None if chosen.variant is None else VARIANTS[chosen.variant]


def _one(file: str, variant: Variant | None, number: int) -> PdnGame:
    games = 0
    for game in _games(file, variant, prints=True) if number > 0 else ():
        games += 1
        if games == number:
            return game
    raise InputError(word("pdn.no_game", file=file, index=number, games=games))


def _picture(game: PdnGame, ply: int) -> str:
    if not ply:
        return board_svg(game.start).rstrip("\n")
    last = game.plies[ply - 1]
    return board_svg(last.after, last.move).rstrip("\n")


def _board(game: PdnGame, ply: int) -> Iterator[str]:
    last = game.plies[ply - 1] if ply else None
    position = last.after if last else game.start
    if last is not None and last.move is not None:
        yield word("pdn.after", ply=ply, plies=len(game.plies), move=write_move(last.before, last.move))
    else:
        yield word("pdn.position", ply=ply, plies=len(game.plies))
    pretty = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    ends = (last.move.start, last.move.end) if last is not None and last.move is not None else ()
    yield from drawn(position, pretty=pretty, last=ends)
    yield write_fen(position)


def _checked(file: str, variant: Variant | None) -> Iterator[dict[str, Any]]:
    games = _games(file, variant, prints=True)
    index = 0
    try:
        for index, game in enumerate(games, 1):
            yield _described(file, index, game, game.fault.reason if game.fault else None)
    except (InputError, OSError) as error:
        yield _described(file, 0, None, line_for(error).removeprefix(f"{file}: "))
        return
    if not index:
        yield _described(file, 0, None, word("pdn.no_games"))


def _described(file: str, index: int, game: PdnGame | None, reason: str | None) -> dict[str, Any]:
    fault = None if game is None else game.fault
    return {
        "file": file,
        "index": index,
        "variant": None if game is None else game.variant.name,
        "plies": 0 if game is None else game.moves,
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
    said = word("pdn.good" if found["ok"] else "pdn.bad", **found)
    return "; ".join((said, *found["remarks"][:3], *(["..."] if len(found["remarks"]) > 3 else [])))


def _place(game: PdnGame) -> dict[str, object]:
    """Where and why reading a game ended, for a sentence about it."""
    if game.fault is None:
        raise ValueError("the game was read to its end")
    return {"line": game.fault.line, "column": game.fault.column, "reason": game.fault.reason}


def _games(file: str, variant: Variant | None, *, prints: bool) -> Iterator[PdnGame]:
    """The games of a file or, for `-`, of standard input, one at a time; InputError for a file that is no text.

    How far it is shown on a terminal, unless what the command `prints` goes there as well and shows it.
    """
    try:
        yield from _read(file, variant, prints)
    except NotationError as error:
        raise InputError(f"{file}: {line_for(error)}") from error


def _read(file: str, variant: Variant | None, prints: bool) -> Iterator[PdnGame]:
    with _opened(file) as content:
        size = content.seek(0, io.SEEK_END)
        shows = sys.stderr.isatty() and not (prints and sys.stdout.isatty())
        shown = 0
        for game in read_games(content, variant):
            done = 100 * content.tell() // max(size, 1)
            if shows and shown < done < 100:
                print(f"\r{file}: {done} %", end="", file=sys.stderr, flush=True)
                shown = done
            yield game
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    """The content of a file, able to seek; what comes from a pipe is put aside first."""
    with nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as content:
        if content.seekable():
            yield content
            return
        with SpooledTemporaryFile(max_size=_KEPT_IN_MEMORY) as copy:
            shutil.copyfileobj(content, copy)
            yield cast(BinaryIO, copy)


@contextmanager
def _written(file: str) -> Iterator[Any]:
    """A text file to write, which takes its place only when all is in it; `-` is standard output."""
    if file == "-":
        yield sys.stdout
        return
    part = Path(f"{file}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as target:
            yield target
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)
