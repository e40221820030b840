"""What an arbiter goes by: the kinds of alerts, and what a regulation rules about each.

The board notices and proposes; who decides, until when, and what follows is the regulation's (design: 'alerts').
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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

RECURRING: frozenset[AlertKind] = frozenset({"touched_unplayable"})
"""A note of these is a warning when it recurs in the game."""

TOUCH: frozenset[AlertKind] = frozenset({"touch_move", "several_touched"})
SETTLED: frozenset[AlertKind] = TOUCH | {*IRREGULAR_MOVES, "left_on_board", "removed_wrongly", "taken_back"}
"""What is put right or stands; of the rest the arbiter is only told."""

Law = Literal[
    "first",
    "corner",
    "men_rows",
    "man_steps",
    "man_jumps",
    "king_steps",
    "king_reach",
    "king_jumps",
    "king_approach",
    "king_landing",
    "man_takes_king",
    "capture_compulsory",
    "capture_finished",
    "priority",
    "passing",
    "turn_back",
    "removal",
    "king_run_limit",
    "crowning",
    "several_touched",
    "time",
]
"""A rule that can be broken, by its key among the articles."""
LAWS: dict[AlertKind, Law] = {
    "missed_capture": "capture_compulsory",
    "short_capture": "priority",
    "low_value_capture": "priority",
    "left_on_board": "removal",
    "lifted_during_capture": "removal",
    "touch_move": "several_touched",
    "not_crowned": "crowning",
    "crowned_wrongly": "crowning",
    "wrong_setup": "men_rows",
    "wrong_orientation": "corner",
    "flag_fallen": "time",
}
"""The law that a kind breaks, where nothing nearer is known of the case."""

IllegalReason = Literal[
    "backwards", "sideways", "too_far", "blocked", "not_diagonal", "not_straight", "man_takes_king", "too_often"
]
"""Why an `illegal_move` is none."""

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
    "game_void",
    "out_of_play",
    "is_king",
]
"""What follows, in a word; the words for a person are in `messages/words.py`."""

SeveralTouched = Literal["playable", "first", "opponent_chooses"]
MissedCapture = Literal["opponent_decides", "loses"]
IrregularMove = Literal["opponent_decides", "corrected", "corrected_if_recorded"]

TOUCHED: dict[SeveralTouched, Consequence] = {
    "playable": "touched_is_played",
    "first": "first_touched_is_played",
    "opponent_chooses": "opponent_names_piece",
}
UNTIL: dict[Decides, Until] = {"opponent": "reply", "arbiter": "game_over"}
"""By whoever decides, until when."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What an arbiter goes by where the texts differ."""

    several_touched: SeveralTouched = "playable"
    """Which of several touched pieces is played: the playable one, the first touched, or what the opponent says."""
    missed_capture: MissedCapture = "opponent_decides"
    """Who did not capture where he had to: as any irregular move, or he has lost (000, Italian)."""
    irregular_move: IrregularMove = "opponent_decides"
    """It stands once the opponent has replied (FMJD 5.7), or it is put right from where it happened: always, or only in
    a game that is being written down (003 art. 19)."""

    def decides(self, kind: AlertKind, *, recorded: bool) -> Decides:
        if kind not in SETTLED or self.has_lost(kind):
            return "arbiter"
        corrected = self.irregular_move == "corrected" or (self.irregular_move == "corrected_if_recorded" and recorded)
        return "arbiter" if corrected else "opponent"

    def consequence(self, kind: AlertKind, decides: Decides) -> Consequence | None:
        if self.has_lost(kind):
            return "loses_game"
        if kind in TOUCH:
            return TOUCHED[self.several_touched]
        if kind in SETTLED:
            return "rectified" if decides == "arbiter" else "rectified_or_stands"
        return None

    def has_lost(self, kind: AlertKind) -> bool:
        return kind == "missed_capture" and self.missed_capture == "loses"


@dataclass(frozen=True, slots=True)
class AlertRule:
    """What a regulation says about one kind of alert where that is not what the policy makes of it."""

    severity: Severity | None = None
    decides: Decides | None = None
    until: Until | None = None
    consequence: Consequence | None = None
    repeated: Consequence | None = None
    """What follows when it recurs in the game."""


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


def in_one(articles: Sequence[str], sources: Sequence[str]) -> str:
    """`003 art. 09a; art. 19` of `003 art. 09a` and `003 art. 19`: each once, and a source once where it goes on."""
    names = {re.split("[:,]", source)[0] for source in sources}
    said = list(dict.fromkeys(articles))
    found = [max((name for name in names if _cites(article, name)), key=len, default="") for article in said]
    pairs = zip(said, found, ["", *found], strict=False)
    return "; ".join(
        article[len(name) :].lstrip(" ,") if name and name == last else article for article, name, last in pairs
    )


def _cites(article: str, name: str) -> bool:
    return re.match(rf"{re.escape(name)}(?![\w-])", article) is not None
