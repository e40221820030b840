"""How a move was carried out, as far as the touches tell: its route, what came off early, where its piece rested."""

from __future__ import annotations

from damas_board.rules.position import Move
from damas_board.rules.routes import route_through
from damas_board.tracking.capture import CaptureReader
from damas_board.tracking.chains import Step
from damas_board.tracking.touches import Touches


def as_played(step: Step, playable: int, touches: Touches) -> Move:
    """The move by the route on which the piece was put down, as far as that was seen."""
    if len(step.move.captured) < 2 or not step.seen or step.broken is not None:
        return step.move
    reader = CaptureReader(step.before, (step.move,), playable)
    way = {station.square for station in reader.stations} - {step.move.end, step.move.start}
    stops = [t.square for t in touches.placements if t.square in way and t.at <= step.at]
    return route_through(step.before, step.move, tuple(stops)) or step.move


def off_early(step: Step, touches: Touches) -> tuple[int, ...]:
    """The captured pieces that came off for good before the capturing one had come to its last square."""
    before, move = step.before, step.move
    simple = len(move.captured) == 1 and not before.kings & (1 << move.start | move.captured_mask)
    if not move.captured or simple or not step.seen or before.variant.removal == "at_once":
        return ()
    handled = touches.handled
    lifted = next((t.at for t in handled if t.lifted and t.square == move.start), None)
    if lifted is None:
        return ()
    came = next((t for t in handled if not t.lifted and t.square == move.end and t.at >= lifted), None)
    if came is None:
        return ()
    arrived = came.at if came.hidden is None else came.hidden
    off = {t.square: t.at for t in handled if t.lifted and t.square in move.captured}
    return tuple(square for square in move.captured if off.get(square, arrived) < arrived - touches.slack)


def off_on_the_way(was: Move, step: Step) -> tuple[int, ...]:
    """The pieces that `was`, a shorter reading of the same capture, had taken off before the piece went on."""
    went_on = was.start == step.move.start and was.end != step.move.end
    if not went_on or step.astray or step.before.variant.removal == "at_once":
        return ()
    return tuple(square for square in step.move.captured if square in was.captured)


def left_after_rest(square: int, came: float, rest_seconds: float, touches: Touches) -> bool:
    """Whether the piece that came to `square` at `came` stood still for a while before it left again."""
    left = next((t.at for t in touches.handled if t.lifted and t.square == square and t.at >= came), None)
    return left is not None and left >= round(came + rest_seconds, 6)


def hidden_before(square: int, touches: Touches) -> float | None:
    """Since when the square to which a piece has come could not be read before; None where it was read all the time."""
    return next((t.hidden for t in reversed(touches.handled) if not t.lifted and t.square == square), None)
