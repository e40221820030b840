"""A round's feed for Lidraughts: all games in one text that its parser takes, whatever happens at the boards; pure.

How it works. Lidraughts fetches one text for a round and takes its games by their place in it, and one game that it
cannot read makes it refuse the whole text. So each game is written anew in the little of PDN that it knows
(`feed_game`) and read again by a parser as strict as its own (`objection`); a game that fails stays as it was
published last, and a game that was published once never leaves its place (`Feed.with_games`).

It has no position set up between moves. Where the record has one (an irregular move that stands, a position that the
arbiter set up), the game ends before it (`setups="truncate"`), or begins behind it (`"begin_behind"`).

What it keeps of a game it finds again by place, but first looks whether another game has the same White, Black, Round,
Event and Site as it kept for this place, and then refuses the whole text. Two games without names would be such, so
each has its place in its Round (`1.3`). A name that is `?` replaces none there: one that was shown becomes `N.N.`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from damas_board.messages.names import clean
from damas_board.messages.score import name_tags, round_text, state_of, turns
from damas_board.messages.stream import Record
from damas_board.notation.fen import read_fen
from damas_board.notation.pdn import Ply, read_games, write_pdn
from damas_board.notation.time_control import read_time_control, write_time_control
from damas_board.regulations import Regulation
from damas_board.rules.position import Position, initial
from damas_board.rules.variants import VARIANTS
from damas_board.session.state import GameState

MOST_GAMES = 64
"""More are not read; of official broadcasts 128."""
RESULTS = ("*", "1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0.5-0.5")
GAME_TYPES = frozenset((20, 25, 26, 40))
"""Those of the variants played here that it knows; any other it takes for the international game."""

Setups = Literal["truncate", "begin_behind"]
"""What becomes of a game with a position that was set up between its moves."""
NOBODY = "N.N."
"""In the place of a name that is shown no more."""

_TAG = re.compile(r'\[([A-Z][A-Za-z]*) "([^]["\\<>{}\r\n]*)"\]')
_PLAYER = re.compile(r'\[(?:White|Black)[A-Za-z]* "')
_ROUND = re.compile(r'^\[Round "(.*)"\]$', re.MULTILINE)
_UNNAMED = ("", "?", "unknown")
"""What it takes for no value at all."""
_ABOUT = {"Title": ("title",), "Rating": ("rating",), "Team": ("club", "federation")}
"""What else of a player it shows: the first of these that is known."""
_SQUARE = r"(?:[1-9]|[1-4][0-9]|50|[a-h][1-8])"
_MOVE = re.compile(rf"{_SQUARE}(?:-{_SQUARE}|(?:[x:]{_SQUARE})+)")
_NUMBER = re.compile(r"[1-9][0-9]*\.(?:\.\.)?")
_TIME = r"[0-9]+:[0-5][0-9](?::[0-5][0-9])?"
_CLOCK = re.compile(rf"\{{\[%(?:clock [wW]{_TIME} [bB]{_TIME}|clk {_TIME})\]\}}")
_VARIANTS = {row.pdn_type: row for row in VARIANTS.values() if row.pdn_type in GAME_TYPES}
_UNWRITABLE = str.maketrans({'"': "'", "\\": "/", **dict.fromkeys("<[{", "("), **dict.fromkeys(">]}", ")")})


class FeedGame(NamedTuple):
    text: str
    moves: tuple[str, ...]
    """Those that are in the text."""
    setup: int | None
    """The number of plies before the setup that the text ends before, or begins behind; None where there is none."""


def known_there(regulation: Regulation) -> bool:
    """Whether Lidraughts has the rules of its variant."""
    return regulation.variant.pdn_type in GAME_TYPES


def feed_game(
    game: GameState | Record | None,
    regulation: Regulation,
    tags: Mapping[str, str],
    *,
    players: Mapping[str, Any] | None = None,
    time_control: str | None = None,
    public: bool = True,
    setups: Setups = "truncate",
    result: str | None = None,
) -> str:
    """The text of `fed`."""
    return fed(
        game,
        regulation,
        tags,
        players=players,
        time_control=time_control,
        public=public,
        setups=setups,
        result=result,
    ).text


def fed(
    game: GameState | Record | None,
    regulation: Regulation,
    tags: Mapping[str, str],
    *,
    players: Mapping[str, Any] | None = None,
    time_control: str | None = None,
    public: bool = True,
    setups: Setups = "truncate",
    result: str | None = None,
) -> FeedGame:
    """One game for the feed, its moves and clocks without comments; of a game that has not begun its tags and `*`.

    `players`, `time_control` and `result` are the round's, for a game that does not tell its own. NotationError if its
    moves do not follow from its start.
    """
    state = state_of(game) if isinstance(game, Record) and game.start is not None else game
    start, setup = initial(regulation.variant), None
    plies: tuple[Ply, ...] = ()
    if isinstance(state, GameState):
        start = read_fen(state.start, regulation.variant)
        start, plies, setup = _plain(start, turns(state, start), setups)
        result = result if state.over is None else state.over.result
        players, time_control = state.players or players, state.time_control or time_control
    control = None if time_control is None else read_time_control(time_control)
    ours = {
        **name_tags(players, public=public),
        **({} if control is None else {"TimeControl": write_time_control(control)}),
        **_about(players, public=public),
    }
    plain = {name: value.translate(_UNWRITABLE) for name, value in {**tags, **ours}.items() if name != "Regulation"}
    text = write_pdn(start, plies, plain, result if result in RESULTS else "*")
    return FeedGame(text, tuple(ply.text for ply in plies), setup)


def _about(players: Mapping[str, Any] | None, *, public: bool) -> dict[str, str]:
    """What else is shown of the players whose names are."""
    found = {}
    for side, name in name_tags(players, public=public).items():
        told = (players or {}).get(side.lower())
        for tag, keys in _ABOUT.items():
            value = next((told[key] for key in keys if told.get(key)), None) if isinstance(told, Mapping) else None
            if value is not None and name:
                found[f"{side}{tag}"] = clean(str(value))
    return found


def _plain(start: Position, plies: tuple[Ply, ...], setups: Setups) -> tuple[Position, tuple[Ply, ...], int | None]:
    """The start and the plies of a part of the game without a setup, comments left out; see FeedGame.setup."""
    setups_at = [number for number, ply in enumerate(plies) if ply.move is None]
    before = None
    if setups_at and setups == "truncate":
        before = sum(1 for ply in plies[: setups_at[0]] if ply.text)
        plies = plies[: setups_at[0]]
    elif setups_at:
        before = sum(1 for ply in plies[: setups_at[-1] + 1] if ply.text)
        start, plies = plies[setups_at[-1]].after, plies[setups_at[-1] + 1 :]
    return start, tuple(replace(ply, comment="") for ply in plies), before


def objection(text: str) -> str | None:
    """Why Lidraughts would not take this game, None if it would: what its parser reads, and nothing more.

    Tags, one empty line, moves with numbers and clocks, and the result that the tag says; played by the rules of its
    GameType.
    """
    tags, _, moves = text.rstrip("\n").partition("\n\n")
    lines = tags.split("\n")
    odd = next((line for line in lines if not _TAG.fullmatch(line)), None)
    if odd is not None:
        return f"no tag: {odd}"
    if "\n\n" in moves or "\n[" in moves or moves.startswith("["):
        return "an empty line, or a line that begins with a bracket, among the moves"
    known = {found[1]: found[2] for line in lines if (found := _TAG.fullmatch(line)) is not None}
    variant = _VARIANTS.get(int(known["GameType"])) if known.get("GameType", "").isdigit() else None
    if variant is None:
        return f"GameType {known.get('GameType')} is not known there"
    *words, result = _words(moves) or [""]
    if result not in RESULTS or result != known.get("Result"):
        return f"the result {result or 'is missing'} is not that of the tag"
    strange = next((word for word in words if not (_MOVE.fullmatch(word) or _NUMBER.fullmatch(word))), None)
    if strange is not None:
        return f"no move: {strange}"
    games = list(read_games(text, variant))
    if len(games) != 1 or games[0].fault is not None:
        return "no game" if len(games) != 1 else str(games[0].fault.reason if games[0].fault else "")
    return None


def _words(moves: str) -> list[str]:
    """The words of the movetext without its clocks; another comment stays, as a word that is no move."""
    return _CLOCK.sub(" ", " ".join(moves.split())).split()


@dataclass(frozen=True, slots=True)
class Feed:
    """A round's feed as it was published last: each game's text, in the order in which they came."""

    games: Mapping[str, str] = field(default_factory=dict)
    frozen: Mapping[str, str] = field(default_factory=dict)
    """Why a game stays as it was published last, by game."""

    @property
    def left_out(self) -> tuple[str, ...]:
        """The games that there is no room for in one text."""
        return tuple(self.games)[MOST_GAMES:]

    @property
    def text(self) -> str:
        return round_text(list(self.games.values())[:MOST_GAMES])

    def with_games(self, games: Iterable[tuple[str, str]]) -> Feed:
        """The feed with these texts by game: new games behind the others, a text that would be refused not taken.

        Of a text that is not taken only the names are. A game whose very first text would be refused has its place with
        the tags that can be read, and `*`.
        """
        good, frozen = dict(self.games), dict(self.frozen)
        places = {game: place for place, game in enumerate(good, 1)}
        for game, written in games:
            text = _placed(written, places.setdefault(game, len(places) + 1))
            why = objection(text)
            if why is None:
                good[game] = _named(text, text, good.get(game))
                frozen.pop(game, None)
            else:
                frozen[game] = why
                good[game] = _named(good[game], text, good[game]) if game in good else _place(text)
        return Feed(good, frozen)

    def with_names(self, game: str, players: Mapping[str, Any]) -> Feed:
        """The feed with what the public may read of these players in the place of a game's names."""
        told = {**name_tags(players, public=True), **_about(players, public=True)}
        tags = "".join(f'[{name} "{text.translate(_UNWRITABLE)}"]\n' for name, text in told.items())
        former = self.games[game]
        return replace(self, games={**self.games, game: _named(former, tags, former)})


def _placed(text: str, place: int) -> str:
    """The game with its place in the feed in its Round."""
    return _ROUND.sub(lambda found: f'[Round "{"" if found[1] in _UNNAMED else f"{found[1]}."}{place}"]', text, count=1)


def _named(text: str, other: str, former: str | None) -> str:
    """The game with what `other` says of its players; who has no name there is `?`, NOBODY where `former` has one."""
    lines = [line for line in other.split("\n\n")[0].split("\n") if _PLAYER.match(line) and _TAG.fullmatch(line)]
    tags, gap, moves = text.partition("\n\n")
    kept = [line for line in tags.split("\n") if not _PLAYER.match(line)]
    at = next((n for n, line in enumerate(kept) if line.startswith("[Result ")), len(kept))
    names = [_name(side, lines, former) for side in ("White", "Black")]
    about = [line for line in lines if not line.startswith(('[White "', '[Black "'))]
    return "\n".join((*kept[:at], *names, *kept[at:], *about)) + gap + moves


def _name(side: str, lines: Iterable[str], former: str | None) -> str:
    """The tag of one player."""
    had = re.search(rf'^\[{side} "(.*)"\]$', former or "", re.MULTILINE)
    nobody = "?" if had is None or had[1] in _UNNAMED else NOBODY
    found = next((line for line in lines if line.startswith(f'[{side} "')), None)
    return found if found is not None and found.split('"')[1] not in _UNNAMED else f'[{side} "{nobody}"]'


def _place(text: str) -> str:
    """A game that has nothing but names: an unplayed one of the international kind, to Lidraughts."""
    kept = [line for line in text.split("\n\n")[0].split("\n") if _TAG.fullmatch(line)]
    rest = [line for line in kept if line[1:].split(" ", 1)[0] not in ("Result", "GameType", "SetUp", "FEN")]
    return "\n".join((*rest, '[Result "*"]', '[GameType "20"]', "", "*", "", ""))
