"""What an arbiter goes by: the kinds of alerts, and what a regulation rules about each.

The board notices and proposes; who decides, until when, and what follows is the regulation's (design: 'alerts').
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

AlertKind = Literal[
    "missed_capture",
    "short_capture",
    "low_value_capture",
    "wrong_side",
    "opponent_piece_moved",
    "illegal_move",
    "left_on_board",
    "removed_wrongly",
    "lifted_during_capture",
    "touch_move",
    "several_touched",
    "touched_unplayable",
    "touched_out_of_turn",
    "taken_back",
    "destination_changed",
    "wavering",
    "held_piece",
    "not_crowned",
    "crowned_wrongly",
    "wrong_setup",
    "wrong_orientation",
    "misplaced_piece",
    "board_mismatch",
    "sensor_suspect",
    "board_lost",
    "clock_lost",
    "flag_fallen",
    "wrong_opening",
]
"""In the order in which they are told where several explain one ply."""
KINDS: tuple[AlertKind, ...] = get_args(AlertKind)
IRREGULAR_MOVES: tuple[AlertKind, ...] = KINDS[: KINDS.index("illegal_move") + 1]
"""Those that say which rule a move broke."""

Severity = Literal["note", "warning", "irregular"]
SEVERITY: dict[AlertKind, Severity] = {
    **dict.fromkeys(IRREGULAR_MOVES, "irregular"),
    "left_on_board": "warning",
    "removed_wrongly": "irregular",
    "lifted_during_capture": "warning",
    "touch_move": "irregular",
    "several_touched": "irregular",
    "touched_unplayable": "note",
    "touched_out_of_turn": "note",
    "taken_back": "irregular",
    "destination_changed": "warning",
    "wavering": "note",
    "held_piece": "note",
    **dict.fromkeys(KINDS[KINDS.index("not_crowned") :], "warning"),
}
"""What a regulation does not say otherwise."""

Decides = Literal["opponent", "arbiter"]
Until = Literal["reply", "game_over"]
Consequence = Literal[
    "rectified_or_stands",
    "rectified",
    "loses_game",
    "touched_is_played",
    "first_touched_is_played",
    "opponent_names_piece",
    "punishable",
]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a regulation says about one kind of alert; a proposal, the board carries none of it out."""

    severity: Severity
    article: str | None
    """None where the regulation names none."""
    decides: Decides
    """Who says whether it stands."""
    until: Until
    """`reply`: a complete move of the opponent decides it; `game_over`: it stays open for the arbiter."""
    consequence: Consequence | None
