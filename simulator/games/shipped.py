"""Games from PDN files: those of the demonstration, and anybody's."""

from __future__ import annotations

from pathlib import Path

from damas_board.notation.errors import NotationError
from damas_board.notation.pdn import PdnGame, read_games
from damas_board.rules.variant import Variant
from simulator.games.played import PlayedGame


class GameFileError(ValueError):
    """A file whose games cannot be played; one line that names the file, the place and what is wrong."""


_FOLDER = Path(__file__).parent


def shipped_names() -> tuple[str, ...]:
    """The games that come with the simulator."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.pdn")))


def shipped(name: str) -> PlayedGame:
    """The shipped game called `name`; ValueError lists the names there are."""
    if name not in shipped_names():
        raise ValueError(f"there is no game {name!r}; there are {', '.join(shipped_names())}")
    return games_in(_FOLDER / f"{name}.pdn")[0]


def games_in(path: Path, variant: Variant | None = None) -> list[PlayedGame]:
    """The games of a PDN file, in order; those without a move are passed over.

    `variant` is that of all games; without it the file says it. GameFileError if the file cannot be read, holds no
    game with a move, or holds one that cannot be read to its end.
    """
    try:
        games = list(read_games(path.read_bytes(), variant))
    except OSError as error:
        raise GameFileError(f"{path}: {error.strerror}") from error
    except NotationError as error:
        raise GameFileError(f"{path}: {error}") from error
    for number, game in enumerate(games, 1):
        if game.fault is not None:
            fault = game.fault
            raise GameFileError(f"{path}: line {fault.line}, column {fault.column}: game {number}: {fault.reason}")
    found = [_played(game, f"{path.stem}-{number}") for number, game in enumerate(games, 1) if game.plies]
    if not found:
        raise GameFileError(f"{path}: there is no game with a move in it; a PDN file is expected")
    return found


def _played(game: PdnGame, name: str) -> PlayedGame:
    """Up to where the position is set up by hand, which no player can play."""
    moves = []
    for ply in game.plies:
        if ply.move is None:
            break
        moves.append(ply.move)
    return PlayedGame(game.start, tuple(moves), name)
