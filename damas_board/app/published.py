"""What was published of a game: its record as the stream tells it, as a state, and against a Session's state."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from damas_board.messages.encoding import event_object
from damas_board.messages.stream import Ply, Record
from damas_board.regulations.policy import IRREGULAR_MOVES
from damas_board.session.events import BoardChanged, ClockChanged, GameOver
from damas_board.session.state import GameState, PlyNote

E = TypeVar("E", ClockChanged, GameOver)


class ContradictionError(Exception):
    """A Session differs from the published record so that it may tell nothing more."""


def hold_against(published: Record | None, state: GameState, different: Collection[int]) -> None:
    """`ContradictionError` where what a Session in that state tells next would contradict the published record.

    Only where some input was read in another way: then nothing else needs to be as it was.
    """
    if different and (
        published is None
        or (published.moves, published.fen) != (state.moves, state.fen)
        or published.revision > state.revision
        or _end(published.over) != _end(None if state.over is None else event_object(state.over))
    ):
        raise ContradictionError


def stands_already(published: Record | None, reason: str) -> bool:
    """Whether it was published that the board has failed for that reason."""
    board = None if published is None else published.board
    return board is not None and (board.get("state"), board.get("reason")) == ("failed", reason)


def state_of(published: Record, board: BoardChanged | None) -> GameState | None:
    """What was published, as a game's state; None where not even the start was."""
    if published.game is None or published.regulation is None or published.start is None or published.fen is None:
        return None
    return GameState(
        game=published.game,
        regulation=published.regulation,
        start=published.start,
        fen=published.fen,
        moves=published.moves,
        revision=published.revision,
        clock=None if published.clock is None else _event_of(ClockChanged, published.clock),
        board_state=board,
        over=None if published.over is None else _event_of(GameOver, published.over),
        alerts=published.open_alerts,
        players=published.players,
        time_control=published.time_control,
        round=published.round,
        table=published.table,
        match=published.match,
        opening=published.opening,
        notes=tuple(_note_of(ply, published) for ply in published.plies if ply.irregular),
    )


def _note_of(ply: Ply, published: Record) -> PlyNote:
    """What is to be noted of an irregular ply, by its alerts as far as they are still open."""
    alerts = [a for a in published.alerts if a.get("ply") == ply.ply and a.get("kind") in IRREGULAR_MOVES]
    kinds = tuple(alert["kind"] for alert in alerts)
    article = alerts[0].get("article") if alerts else None
    return PlyNote(ply.ply, "black" if ply.side == "black" else "white", ply.fen, kinds, article)


def _event_of(kind: type[E], body: Mapping[str, Any]) -> E:
    return kind(**{item.name: body[item.name] for item in fields(kind) if item.name in body})


def _end(over: Mapping[str, Any] | None) -> tuple[Any, ...] | None:
    return None if over is None else (over.get("winner"), over.get("result"), over.get("reason"))
