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

LAWS: dict[AlertKind, str] = {
    "missed_capture": "capture_compulsory",
    "short_capture": "priority",
    "low_value_capture": "priority",
    "wrong_side": "first",
    "left_on_board": "removal",
    "lifted_during_capture": "removal",
    "touch_move": "several_touched",
    "not_crowned": "crowning",
    "crowned_wrongly": "crowning",
    "wrong_setup": "men_rows",
    "wrong_orientation": "corner",
    "flag_fallen": "time",
}
"""The rule that a kind breaks, by its key among the articles, where nothing nearer is known of the case."""

IllegalReason = Literal[
    "backwards",
    "too_far",
    "blocked",
    "not_diagonal",
    "not_straight",
    "man_takes_king",
    "turned_back",
    "too_often",
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
    """`003 art. 09a; art. 19` of `003 art. 09a` and `003 art. 19`: a source is named once where it goes on.

    An article that another one of them only explains is left out.
    """
    said = [one for one in dict.fromkeys(articles) if not any(two.startswith(f"{one}:") for two in articles)]
    names = {re.split("[:,]", source)[0] for source in sources}
    found = [max((name for name in names if _cites(article, name)), key=len, default="") for article in said]
    text = said[0]
    for article, name, last in zip(said[1:], found[1:], found, strict=False):
        text += f"; {article.removeprefix(name).lstrip(' ,') if name == last else article}"
    return text


def _cites(article: str, name: str) -> bool:
    return re.match(rf"{re.escape(name)}(?![\w-])", article) is not None
