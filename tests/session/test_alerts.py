"""What the arbiter is told, kind by kind and sentence by sentence (design: 'alerts').

Tables of milliseconds | what happens | what is told: every alert and every closing that a table does not have is wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from board_tables import TICKS, play_table

from damas_board.regulations import shipped
from damas_board.regulations.policy import KINDS
from damas_board.session.events import AlertRaised, Event, MoveRevised, PlayedMove

ALERTS = ("alert", "closed")
TWO = "W:W31,37:B6"
"""Two white men that are free to move."""
MISSED = "W:W32,38:B12,28"
"""White has to take 28 and may not move 38."""
LEFT = "W:W28,48,K5:B6,23,14"
"""White takes 23 and 14; what is left of them cannot take back."""
PT = "W:W11,7,1:B14,32"
"""Portuguese: White has to take 14 and may not move 1."""
KIND = {"start": "W:W7,37:B30", "senses": "kind"}


@dataclass(frozen=True)
class Table:
    text: str
    start: str | None = None
    regulation: str = "int-fmjd"
    more: dict[str, Any] = field(default_factory=dict)


TABLES: dict[str, Table] = {
    # --- irregular moves: when they are told, and both futures
    "missed_capture_is_told_at_rest_and_stands_with_the_reply": Table(
        """
           0 | lift 38 |
         300 | put 33  |
        1300 |         | move 38-33, alert missed_capture white 38.33
        2000 | lift 28 |
        2300 | put 39  |
        2600 | off 33  |
        2900 |         | move 28x39, closed missed_capture stands
        """,
        MISSED,
    ),
    "missed_capture_is_told_at_the_lever": Table(
        """
           0 | lift 38 |
         300 | put 33  |
         500 | lever white | move 38-33, alert missed_capture white 38.33
        """,
        MISSED,
    ),
    "missed_capture_is_told_when_the_opponent_lifts": Table(
        """
           0 | lift 38 |
         300 | put 33  |
         600 | lift 28 |
         800 |         | move 38-33, alert missed_capture white 38.33
        1000 | put 39  |
        1200 | off 33  |
        1500 |         | move 28x39, closed missed_capture stands
        """,
        MISSED,
    ),
    "missed_capture_is_rectified_when_the_position_before_stands_again": Table(
        """
           0 | lift 38 |
         300 | put 33  |
        1300 |         | move 38-33, alert missed_capture white 38.33
        2000 | lift 33 |
        2300 | put 38  |
        2600 |         | retracted 1, closed missed_capture rectified
        4000 | lift 32 |
        4300 | put 23  |
        4500 | off 28  |
        4800 |         | move 32x23
        """,
        MISSED,
    ),
    "a_revised_ply_closes_its_alerts_and_the_new_reading_raises_its_own": Table(
        """
           0 | lift 38 |
         300 | put 33  |
        1300 |         | move 38-33, alert missed_capture white 38.33
        2000 | lift 33 |
        2300 | put 42  |
        3300 |         | revised 38-42, closed missed_capture rectified, alert illegal_move white 38.42
        """,
        MISSED,
    ),
    "several_irregularities_in_one_game": Table(
        """
           0 | lift 38 |
         300 | put 33  |
        1300 |         | move 38-33, alert missed_capture white 38.33
        2000 | lift 1  |
        2300 | put 7   |
        3300 |         | move 1-7, alert missed_capture black 1.7, closed missed_capture stands
        4000 | lift 32 |
        4300 | put 23  |
        4500 | off 28  |
        4800 |         | move 32x23, closed missed_capture stands
        6000 | lift 7  |
        6300 | put 16  |
        7300 |         | move 7-16, alert illegal_move black 7.16
        8000 | lift 33 |
        8300 | put 28  |
        8600 |         | move 33-28, closed illegal_move stands
        9000 | lift 28 |
        9300 | put 22  |
       10300 |         | move 28-22, alert wrong_side white 28.22
       11000 | lift 16 |
       11300 | put 21  |
       11600 |         | move 16-21, closed wrong_side stands
        """,
        "W:W32,38:B1,28",
    ),
    "short_capture_takes_fewer_than_the_law_of_quantity": Table(
        """
           0 | lift 28 |
         300 | put 17  |
         600 | off 22  |
        1600 |         | move 28x17, alert short_capture white 28.17
        3000 | lift 5  |
        3300 | put 10  |
        3600 |         | move 5-10, closed short_capture stands
        """,
        "W:W28,48:B22,23,14,5",
    ),
    "short_capture_stops_before_the_end_once_what_was_jumped_is_off": Table(
        """
           0 | lift 28 |
         300 | put 19  |
        3000 | off 23  |
        4000 |         | move 28x19, alert short_capture white 28.19
        """,
        "W:W28,48:B22,23,14,5",
    ),
    "short_capture_that_goes_on_after_all_is_rectified": Table(
        """
           0 | lift 28 |
         300 | put 10  |
         600 | off 14, off 23 |
         900 |         | move 28x10
        """,
        "W:W28,48:B22,23,14,5",
    ),
    "short_capture_that_looked_like_the_last_ply_undone": Table(
        """
           0 | lift 37 |
         300 | put 32  |
         600 |         | move 37-32
        2000 | lift 19 |
        2300 | put 23  |
        2600 |         | move 19-23
        2800 | lift 28 |
        3100 | put 19  |
        3400 | off 23  |
        4400 |         | move 28x19, alert short_capture white 28.19
        6000 | lift 14 |
        6300 | put 23  |
        6500 | off 19  |
        6800 |         | move 14x23, closed short_capture stands
        """,
        "W:W28,31,37:B25,14,19",
    ),
    "low_value_capture_breaks_the_law_of_quality": Table(
        """
           0 | lift 14 |
         300 | put 21  |
         600 | off 18  |
        1600 |         | move 14x21, alert low_value_capture white 14.21
        3000 | lift 19 |
        3300 | put 23  |
        3600 |         | move 19-23, closed low_value_capture stands
        """,
        "W:W14,1:B18,K19,32",
        "es",
    ),
    "wrong_side_moves_twice_and_then_the_other_side_is_to_move": Table(
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        2000 | lift 37 |
        2300 | put 32  |
        3300 |         | move 37-32, alert wrong_side white 37.32
        5000 | lift 19 |
        5300 | put 23  |
        5600 |         | move 19-23, closed wrong_side stands
        """,
    ),
    "wrong_side_again_is_not_accepted_by_who_did_it": Table(
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        2000 | lift 37 |
        2300 | put 32  |
        3300 |         | move 37-32, alert wrong_side white 37.32
        4000 | lift 41 |
        4300 | put 37  |
        5300 |         | move 41-37, alert wrong_side white 41.37
        6000 | lift 19 |
        6300 | put 23  |
        6600 |         | move 19-23, closed wrong_side stands, closed wrong_side stands
        """,
    ),
    "an_irregular_move_is_believed_once_each_of_its_squares_was_read": Table(
        """
           0 | mask 33 |
        1000 | lift 28 |
        1300 | put 33  |
        5000 | unmask 33 |
        6000 |         | move 28-33, alert illegal_move white 28.33
        """,
        "W:W28,37:B6",
    ),
    "wrong_side_is_rectified_when_it_goes_back": Table(
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        2000 | lift 37 |
        2300 | put 32  |
        3300 |         | move 37-32, alert wrong_side white 37.32
        5000 | lift 32 |
        5300 | put 37  |
        5600 |         | retracted 2, closed wrong_side rectified
        """,
    ),
    "opponent_piece_moved_is_of_the_side_on_move": Table(
        """
           0 | lift 20 |
         300 | put 30  |
        1300 |         | move 20-30, alert opponent_piece_moved white 20.30
        3000 | lift 19 |
        3300 | put 23  |
        3600 |         | move 19-23, closed opponent_piece_moved stands
        """,
    ),
    "illegal_move_stands_and_the_game_goes_on_from_there": Table(
        """
           0 | lift 28 |
         300 | put 33  |
        1300 |         | move 28-33, alert illegal_move white 28.33
        3000 | lift 6  |
        3300 | put 11  |
        3600 |         | move 6-11, closed illegal_move stands
        """,
        "W:W28,37:B6",
    ),
    "illegal_move_a_capture_whose_piece_may_not_be_taken": Table(
        """
           0 | lift 22 |
         300 | put 13  |
         600 | off 18  |
        1600 |         | move 22x13, alert illegal_move white 22.13
        """,
        "W:W22,32:BK18,1",
        "it-fid",
    ),
    "illegal_move_is_rectified": Table(
        """
           0 | lift 28 |
         300 | put 33  |
        1300 |         | move 28-33, alert illegal_move white 28.33
        3000 | lift 33 |
        3300 | put 28  |
        3600 |         | retracted 1, closed illegal_move rectified
        """,
        "W:W28,37:B6",
    ),
    # --- who decides
    "003_art_19_in_a_recorded_game_it_stays_open_for_the_arbiter": Table(
        """
           0 | lift 1  |
         300 | put 5   |
        1300 |         | move 1-5, alert missed_capture white 1.5
        3000 | lift 32 |
        3300 | put 28  |
        3600 |         | move 32-28
        6000 | rewind 0 | retracted 1, closed missed_capture rectified
        """,
        PT,
        "pt-escola",
    ),
    "003_art_19_in_a_game_that_nobody_writes_down_the_reply_validates_it": Table(
        """
           0 | lift 1  |
         300 | put 5   |
        1300 |         | move 1-5, alert missed_capture white 1.5
        3000 | lift 32 |
        3300 | put 28  |
        3600 |         | move 32-28, closed missed_capture stands
        """,
        PT,
        "pt-escola",
        {"recorded": False},
    ),
    # --- pieces left and removed
    "left_on_board_at_the_lever_and_taken_off_leaves_the_ply_unchanged": Table(
        """
           0 | lift 28 |
         300 | put 10  |
         600 | off 23  |
         900 | lever white | move 28x10, alert left_on_board white 14
        5000 | off 14  |
        5300 |         | closed left_on_board rectified
        6000 | lift 6  |
        6300 | put 11  |
        6600 |         | move 6-11
        """,
        LEFT,
    ),
    "left_on_board_when_the_opponent_begins_and_still_there_after_the_reply_stays_in_the_game": Table(
        """
           0 | lift 28 |
         300 | put 10  |
         600 | off 23  |
        3000 | lift 6  |
        3200 |         | move 28x10, alert left_on_board white 14
        3300 | put 11  |
        3600 |         | revised 28x19x10, move 6-11, closed left_on_board stands
        """,
        LEFT,
    ),
    "left_on_board_and_taken_off_during_the_reply": Table(
        """
           0 | lift 28 |
         300 | put 10  |
         600 | off 23  |
         900 | lever white | move 28x10, alert left_on_board white 14
        3000 | lift 6  |
        3300 | put 11  |
        3500 | off 14  |
        3800 |         | move 6-11, closed left_on_board rectified
        """,
        LEFT,
    ),
    "of_two_pieces_left_on_board_the_one_that_is_taken_off_is_captured": Table(
        """
           0 | lift 28 |
         300 | put 10  |
         900 | lever white | move 28x10, alert left_on_board white 23.14
        2000 | off 23  |
        5000 | lift 6  |
        5300 | put 11  |
        6300 |         | revised 28x19x10, move 6-11, closed left_on_board stands
        """,
        LEFT,
    ),
    "left_on_board_may_itself_be_the_reply": Table(
        """
           0 | lift 28 |
         300 | put 10  |
         600 | off 23  |
         900 | lever white | move 28x10, alert left_on_board white 14
        3000 | lift 14 |
        3250 | put 20  |
        7250 |         | revised 28x19x10, move 14-20, closed left_on_board stands
        """,
        LEFT,
    ),
    "removed_wrongly_is_told_after_the_mismatch_time_and_rectified_when_it_is_put_back": Table(
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        2000 | off 45  |
        6000 |         | alert removed_wrongly white 45
        8000 | box 45 w |
        8200 |         | alert touched_out_of_turn white 45
        8300 |         | closed removed_wrongly rectified
        """,
    ),
    "removed_wrongly_stands_with_the_reply_and_the_ply_is_revised_before_it": Table(
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        2000 | off 45  |
        6000 |         | alert removed_wrongly white 45
        8000 | lift 19 |
        8300 | put 23  |
        8600 |         | revised 32-28, move 19-23, closed removed_wrongly stands
        """,
    ),
    "a_missing_piece_of_the_side_on_move_is_in_a_hand_until_another_one_moves": Table(
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        2000 | off 20  |
        8000 | lift 19 |
        8300 | put 23  |
        8600 |         | revised 32-28, alert removed_wrongly white 20, move 19-23, closed removed_wrongly stands
        """,
    ),
    "a_missing_piece_of_the_side_on_move_is_told_4_s_after_another_one_is_off_as_well": Table(
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        2000 | off 20  |
        3000 | off 17  |
        7000 |         | alert removed_wrongly white 20
       13000 |         | alert held_piece black 17
        """,
    ),
    "a_piece_of_the_mover_that_is_off_is_told_with_the_next_plies": Table(
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        2000 | lift 20 |
        2300 | put 25  |
        2600 |         | move 20-25
        4000 | off 45  |
        6000 | lift 37 |
        6300 | put 32  |
        8000 |         | revised 20-25, alert removed_wrongly black 45, move 37-32, closed removed_wrongly stands
        9000 | lift 19 |
        9300 | put 23  |
        9600 |         | move 19-23
        """,
    ),
    "a_piece_of_the_mover_that_is_off_while_it_captures": Table(
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        2000 | lift 19 |
        2300 | put 23  |
        2600 |         | move 19-23
        4000 | off 45  |
        6000 | lift 28 |
        6300 | put 19  |
        6500 | off 23  |
        8000 |         | revised 19-23, alert removed_wrongly black 45, move 28x19, closed removed_wrongly stands
       12000 | lift 14 |
       12300 | put 23  |
       12500 | off 19  |
       12800 |         | move 14x23
        """,
    ),
    "002_art_5_a_huff_is_a_piece_removed_wrongly": Table(
        """
           0 | lift 38 |
         300 | put 33  |
        1300 |         | move 38-33, alert missed_capture white 38.33
        3000 | off 32  |
        7000 |         | alert removed_wrongly white 32
        """,
        "W:W32,38,31:B12,28,37",
    ),
    "lifted_during_capture_is_told_with_the_capture": Table(
        """
           0 | lift 28 |
         300 | put 19  |
         600 | off 23  |
        1400 | lift 19 |
        1700 | put 10  |
        2000 | off 14  |
        2300 |         | move 28x10, alert lifted_during_capture white 23
        """,
        "W:W28,48:B22,23,14,5",
    ),
    "lifted_during_capture_is_told_with_a_revision_too": Table(
        """
           0 | lift 28 |
         300 | put 19  |
         600 | off 23  |
        1600 |         | move 28x19, alert short_capture white 28.19
        4400 | lift 19 |
        4700 | put 10  |
        5000 | off 14  |
        5300 |         | revised 28x10, closed short_capture rectified, alert lifted_during_capture white 23
        """,
        "W:W28,48:B22,23,14,5",
    ),
    "a_man_that_takes_one_man_may_lift_it_first": Table(
        """
           0 | off 23  |
         700 | lift 28 |
        1000 | put 19  |
        1300 |         | move 28x19
        """,
        "W:W28,37:B23,5",
    ),
    "where_removal_is_immediate_nothing_is_lifted_too_early": Table(
        """
           0 | lift d4 |
         300 | put d6  |
         600 | off d5  |
         900 | lift d6 |
        1200 | put d8  |
        1500 | off d7  |
        1800 |         | move d4xd8
        """,
        "W:Wd4,a2:Bd5,d7,h7",
        "tr-tudaf",
    ),
    # --- touch
    "3_11_touch_move_a_piece_is_lifted_and_put_back_and_another_one_moves": Table(
        """
           0 | lift 31 |
        1200 | put 31  |
        2000 | lift 37 |
        2300 | put 32  |
        2600 |         | move 37-32, alert touch_move white 31
        3000 | lift 6  |
        3300 | put 11  |
        3600 |         | move 6-11, closed touch_move stands
        """,
        TWO,
    ),
    "touch_move_is_rectified_and_the_lifts_of_that_do_not_count": Table(
        """
           0 | lift 31 |
        1200 | put 31  |
        2000 | lift 37 |
        2300 | put 32  |
        2600 |         | move 37-32, alert touch_move white 31
        4000 | lift 32 |
        4300 | put 37  |
        4600 |         | retracted 1, closed touch_move rectified
        5500 | lift 31 |
        5800 | put 26  |
        6100 |         | move 31-26
        """,
        TWO,
    ),
    "a_lift_of_touch_seconds_is_one": Table(
        """
           0 | lift 31 |
         200 | put 31  |
        2000 | lift 37 |
        2300 | put 32  |
        2600 |         | move 37-32, alert touch_move white 31
        """,
        TWO,
    ),
    "a_shorter_lift_is_a_bounce": Table(
        """
           0 | lift 31 |
         199 | put 31  |
        2000 | lift 37 |
        2300 | put 32  |
        2600 |         | move 37-32
        """,
        TWO,
    ),
    "touched_pieces_are_named_in_the_order_of_lifting": Table(
        """
           0 | lift 37 |
         400 | put 37  |
        1000 | lift 31 |
        1400 | put 31  |
        2000 | lift 48 |
        2300 | put 42  |
        2600 |         | move 48-42, alert touch_move white 37.31
        """,
        "W:W31,37,48:B6",
    ),
    "touched_and_moved_the_same_piece": Table(
        """
           0 | lift 31 |
        1200 | put 31  |
        2000 | lift 31 |
        2300 | put 26  |
        2600 |         | move 31-26
        """,
        TWO,
    ),
    "several_touched_is_one_alert_and_no_touch_move_beside_it": Table(
        """
           0 | lift 31 |
         400 | lift 37 |
         800 | put 32  |
        1200 | box 31 w |
        1500 |         | move 37-32, alert several_touched white 31.37
        3000 | lift 6  |
        3300 | put 11  |
        3600 |         | move 6-11, closed several_touched stands
        """,
        TWO,
    ),
    "several_touched_though_the_first_one_moves": Table(
        """
           0 | lift 31 |
         400 | lift 37 |
         800 | put 37  |
        1200 | box 26 w |
        1500 |         | move 31-26, alert several_touched white 31.37
        """,
        TWO,
    ),
    "several_touched_is_rectified": Table(
        """
           0 | lift 31 |
         400 | lift 37 |
         800 | put 32  |
        1200 | box 31 w |
        1500 |         | move 37-32, alert several_touched white 31.37
        3000 | lift 32 |
        3300 | put 37  |
        3600 |         | retracted 1, closed several_touched rectified
        """,
        TWO,
    ),
    "touched_unplayable_is_told_on_return_and_recurs_by_side": Table(
        """
           0 | lift c1 |
         900 | put c1  |
        1100 |         | alert touched_unplayable white c1
        2000 | lift c3 |
        2300 | put d4  |
        2600 |         | move c3-d4
        4000 | lift d8 |
        4900 | put d8  |
        5100 |         | alert touched_unplayable black d8
        6000 | lift b6 |
        6300 | put a5  |
        6600 |         | move b6-a5
        8000 | lift e1 |
        8500 | put e1  |
        8700 |         | alert touched_unplayable white e1
        """,
        None,
        "br-cbjd",
    ),
    "a_piece_that_may_not_move_since_a_capture_is_obligatory_is_unplayable": Table(
        """
           0 | lift 38 |
         500 | put 38  |
         700 |         | alert touched_unplayable white 38
        2000 | lift 32 |
        2300 | put 23  |
        2500 | off 28  |
        2800 |         | move 32x23
        """,
        MISSED,
    ),
    "touched_out_of_turn_is_told_on_return": Table(
        """
           0 | lift 6  |
         900 | put 6   |
        1100 |         | alert touched_out_of_turn black 6
        """,
        TWO,
    ),
    "a_touch_is_judged_by_the_position_that_stood_when_the_piece_was_lifted": Table(
        """
           0 | lift 31 |
         300 | put 26  |
         350 | lift 6  |
         650 | put 6   |
         950 |         | move 31-26
        """,
        TWO,
    ),
    "crowning_a_man_is_no_touch": Table(
        """
           0 | lift 7  |
         300 | put 1   |
         600 |         | move 7-1
        1500 | lift 1  |
        2000 | put 1   |
        3000 | lift 30 |
        3300 | put 35  |
        3600 |         | move 30-35
        """,
        "W:W7,37:B30",
    ),
    "who_moves_the_piece_touched_first_has_kept_to_it": Table(
        """
           0 | lift 31 |
         400 | put 31  |
        1000 | lift 37 |
        1400 | put 37  |
        2000 | lift 31 |
        2300 | put 26  |
        2600 |         | move 31-26
        """,
        TWO,
    ),
    "lifts_of_a_rectification_do_not_count": Table(
        """
           0 | lift 28 |
         300 | put 33  |
        1300 |         | move 28-33, alert illegal_move white 28.33
        3000 | lift 33 |
        3300 | lift 37 |
        3700 | put 37  |
        3900 | put 28  | alert touched_out_of_turn white 37
        4200 |         | retracted 1, closed illegal_move rectified
        6000 | lift 28 |
        6300 | put 22  |
        6600 |         | move 28-22
        """,
        "W:W28,37:B6",
    ),
    "dropouts_before_the_square_was_doubted_do_not_count_either": Table(
        """
           0 | drop 31 |
         500 | back 31 |
        2000 | drop 31 |
        2100 | back 31 |
        2300 | drop 31 |
        2400 | back 31 |
        2600 | drop 31 |
        2700 | back 31 |
        2900 | drop 31 |
        3000 | back 31 |
        3200 | drop 31 |
        3300 | back 31 | alert sensor_suspect - 31
        4000 | lift 37 |
        4300 | put 32  |
        4600 |         | move 37-32
        8300 |         | closed sensor_suspect recovered
        """,
        TWO,
    ),
    "contacts_that_bounce_are_no_flicker": Table(
        "\n".join(f"{n * 300} | drop 31 |\n{n * 300 + 20} | back 31 |" for n in range(12)),
        TWO,
    ),
    # --- 'I adjust'
    "3_13_an_adjustment_announced_by_the_button_covers_its_side": Table(
        """
           0 | button white |
         500 | lift 31 |
        1200 | put 31  |
        2000 | lift 37 |
        2300 | put 32  |
        2600 |         | move 37-32
        """,
        TWO,
    ),
    "3_13_the_other_sides_adjustment_does_not": Table(
        """
           0 | button black |
         500 | lift 31 |
        1200 | put 31  |
        2000 | lift 37 |
        2300 | put 32  |
        2600 |         | move 37-32, alert touch_move white 31
        """,
        TWO,
    ),
    "3_13_the_arbiters_covers_both": Table(
        """
           0 | button arbiter |
         500 | lift 31 |
        1200 | put 31  |
        1500 | lift 6  |
        1800 | put 6   |
        3000 | lift 37 |
        3300 | put 32  |
        3600 |         | move 37-32
        """,
        TWO,
    ),
    "3_13_the_arbiters_command_without_a_side_covers_both": Table(
        """
           0 | adjust  |
         500 | lift 31 |
        1200 | put 31  |
        1500 | lift 6  |
        1800 | put 6   |
        3000 | lift 37 |
        3300 | put 32  |
        3600 |         | move 37-32
        """,
        TWO,
    ),
    "3_13_an_adjustment_said_after_the_lift_comes_too_late": Table(
        """
           0 | lift 31 |
         500 | button white |
        1200 | put 31  |
        2000 | lift 37 |
        2300 | put 32  |
        2600 |         | move 37-32, alert touch_move white 31
        """,
        TWO,
    ),
    "3_13_an_adjustment_lasts_for_the_seconds_of_the_command": Table(
        """
           0 | adjust white 1 |
         500 | lift 31 |
         900 | put 31  |
        1300 | lift 31 |
        1700 | put 31  |
        2000 | lift 37 |
        2300 | put 32  |
        2600 |         | move 37-32, alert touch_move white 31
        """,
        TWO,
    ),
    "3_13_an_adjustment_ends_with_the_next_complete_move_of_its_side": Table(
        """
           0 | button white |
         500 | lift 31 |
         900 | put 31  |
        2000 | lift 37 |
        2300 | put 32  |
        2600 |         | move 37-32
        3000 | lift 6  |
        3300 | put 11  |
        3600 |         | move 6-11
        4000 | lift 31 |
        4500 | put 31  |
        5000 | lift 32 |
        5300 | put 28  |
        5600 |         | move 32-28, alert touch_move white 31
        """,
        TWO,
    ),
    "3_13_an_adjustment_lasts_over_the_other_sides_move": Table(
        """
           0 | button black |
         500 | lift 31 |
         800 | put 26  |
        1100 |         | move 31-26
        2000 | lift 6  |
        2500 | put 6   |
        3000 | lift 16 |
        3300 | put 21  |
        3600 |         | move 16-21
        """,
        "W:W31,37:B6,16",
    ),
    # --- taking back and going on
    "taken_back_a_complete_move_is_undone_and_another_piece_moves": Table(
        """
           0 | lift 37 |
         300 | put 32  |
         600 |         | move 37-32
        1500 | lift 32 |
        1800 | put 37  |
        2100 |         | retracted 1
        2600 | lift 31 |
        2900 | put 26  |
        3200 |         | move 31-26, alert taken_back white 37.32, alert touch_move white 37
        4000 | lift 6  |
        4300 | put 11  |
        4600 |         | move 6-11, closed taken_back stands, closed touch_move stands
        """,
        TWO,
    ),
    "taken_back_in_one_go_with_the_touch_of_what_had_moved": Table(
        """
           0 | lift 37 |
         300 | put 32  |
         600 |         | move 37-32
        2000 | lift 32 |
        2200 | lift 31 |
        2500 | put 26  |
        2700 | box 37 w |
        3000 |         | revised 31-26, alert taken_back white 37.32, alert touch_move white 37
        """,
        TWO,
    ),
    "taken_back_after_the_lever": Table(
        """
           0 | lift 37 |
         300 | put 32  |
         600 |         | move 37-32
        1000 | lever white |
        1500 | lift 32 |
        1800 | put 37  |
        2100 |         | retracted 1
        2600 | lift 31 |
        2900 | put 26  |
        3200 |         | move 31-26, alert taken_back white 37.32, alert touch_move white 37
        """,
        TWO,
    ),
    "putting_right_what_the_arbiter_has_dismissed_is_not_taking_back": Table(
        """
           0 | lift 28 |
         300 | put 33  |
        1300 |         | move 28-33, alert illegal_move white 28.33
        2000 | dismiss a1 | closed illegal_move dismissed
        3000 | lift 33 |
        3300 | put 28  |
        3600 |         | retracted 1
        5000 | lift 37 |
        5300 | put 32  |
        5600 |         | move 37-32
        """,
        "W:W28,37:B6",
    ),
    "undone_and_played_again_is_not_taken_back": Table(
        """
           0 | lift 37 |
         300 | put 32  |
         600 |         | move 37-32
        1500 | lift 32 |
        1800 | put 37  |
        2100 |         | retracted 1
        2600 | lift 37 |
        2900 | put 32  |
        3200 |         | move 37-32
        """,
        TWO,
    ),
    "putting_an_irregularity_right_is_not_taking_back": Table(
        """
           0 | lift 28 |
         300 | put 33  |
        1300 |         | move 28-33, alert illegal_move white 28.33
        3000 | lift 33 |
        3300 | put 28  |
        3600 |         | retracted 1, closed illegal_move rectified
        5000 | lift 37 |
        5300 | put 32  |
        5600 |         | move 37-32
        """,
        "W:W28,37:B6",
    ),
    "destination_changed_the_piece_rested_and_went_on": Table(
        """
           0 | lift 46 |
         400 | put 28  |
         700 |         | move 46-28
        2900 | lift 28 |
        3100 | put 23  |
        3400 |         | revised 46-23, alert destination_changed white 46.28.23
        """,
        "W:WK46:B6",
    ),
    "3_12_without_resting_the_piece_may_go_on": Table(
        """
           0 | lift 46 |
         400 | put 28  |
         700 |         | move 46-28
        1100 | lift 28 |
        1400 | put 23  |
        1700 |         | revised 46-23
        """,
        "W:WK46:B6",
    ),
    "wavering_at_the_third_lift_and_return_in_a_turn": Table(
        """
           0 | lift 31 |
         400 | put 31  |
        1000 | lift 31 |
        1400 | put 31  |
        2000 | lift 31 |
        2400 | put 31  |
        2600 |         | alert wavering white 31
        3000 | lift 31 |
        3400 | put 31  |
        4000 | lift 31 |
        4300 | put 26  |
        4600 |         | move 31-26
        """,
        TWO,
    ),
    "wavering_counts_pieces_that_rest_and_go_on": Table(
        """
           0 | lift 46 |
         300 | put 41  |
         600 |         | move 46-41
        1500 | lift 41 |
        1800 | put 37  |
        2100 |         | revised 46-37, alert destination_changed white 46.41.37
        3000 | lift 37 |
        3300 | put 32  |
        3600 |         | revised 46-32, closed destination_changed rectified
        3600 |         | alert destination_changed white 46.37.32
        4500 | lift 32 |
        4800 | put 28  |
        5100 |         | revised 46-28, closed destination_changed rectified
        5100 |         | alert destination_changed white 46.32.28, alert wavering white 46
        """,
        "W:WK46:B6",
    ),
    "wavering_is_counted_anew_in_each_turn": Table(
        """
           0 | lift 31 |
         400 | put 31  |
        1000 | lift 31 |
        1400 | put 31  |
        2000 | lift 31 |
        2300 | put 26  |
        2600 |         | move 31-26
        3000 | lift 6  |
        3300 | put 11  |
        3600 |         | move 6-11
        4000 | lift 37 |
        4400 | put 37  |
        """,
        TWO,
    ),
    "held_piece_is_told_after_more_than_hold_seconds": Table(
        """
           0 | lift 31 |
       10000 |         | alert held_piece white 31
       10500 | put 26  |
       10800 |         | move 31-26
        """,
        TWO,
    ),
    "held_for_hold_seconds_is_not_longer": Table(
        """
           0 | lift 31 |
       10000 | put 26  |
       10300 |         | move 31-26
        """,
        TWO,
    ),
    # --- crowns
    "not_crowned_when_the_reply_begins": Table(
        """
           0 | lift 7  |
         300 | put 1   |
         600 |         | move 7-1
        2000 | lift 30 |
        2200 |         | alert not_crowned white 1
        2300 | put 35  |
        2600 |         | move 30-35
        """,
        more=KIND,
    ),
    "crowned_in_time": Table(
        """
           0 | lift 7  |
         300 | put 1   |
         600 |         | move 7-1
        1000 | crown 1 |
        2000 | lift 30 |
        2300 | put 35  |
        2600 |         | move 30-35
        """,
        more=KIND,
    ),
    "crowned_wrongly_is_told_once": Table(
        """
           0 | lift 37 |
         300 | put 32  |
         600 |         | move 37-32
         700 | crown 32 |
        2000 | lift 30 |
        2200 |         | alert crowned_wrongly white 32
        2300 | put 35  |
        2600 |         | move 30-35
        4000 | lift 7  |
        4300 | put 1   |
        4400 | crown 1 |
        4600 |         | move 7-1
        6000 | lift 35 |
        6300 | put 40  |
        6600 |         | move 35-40
        """,
        more=KIND,
    ),
    "a_king_whose_crown_has_come_off_is_no_man_that_was_not_crowned": Table(
        """
           0 | lift 7  |
         300 | put 12, uncrown 12 |
         600 |         | move 7-12
        2000 | lift 30 |
        2300 | put 35  |
        2600 |         | move 30-35
        """,
        "W:WK7,37:B30",
        more={"senses": "kind"},
    ),
    "kind_never_makes_a_mismatch": Table(
        """
           0 | crown 37 |
        6000 | uncrown 37 |
        """,
        more=KIND,
    ),
    "without_kind_nobody_is_accused_of_a_crown": Table(
        """
           0 | lift 7  |
         300 | put 1   |
         600 |         | move 7-1
        2000 | lift 30 |
        2300 | put 35  |
        2600 |         | move 30-35
        """,
        more={**KIND, "senses": "colour"},
    ),
    # --- the board
    "wrong_setup_closes_once_the_start_position_has_been_read": Table(
        """
        3000 |         | alert wrong_setup - 37
        6000 | box 37 w | closed wrong_setup recovered
        """,
        more={"shows": "W:W31:B6", "start": TWO},
    ),
    "wrong_orientation_is_asked_of_a_first_move_by_the_wrong_side_where_no_colour_is_seen": Table(
        """
           0 | lift c3 |
         300 | put d4  |
        1300 |         | move f6-e5, alert wrong_orientation black f6.e5
        3000 | orient 180 | retracted 1, closed wrong_orientation rectified
        4000 |         | move c3-d4
        5000 | lift b6 |
        5300 | put a5  |
        5600 |         | move b6-a5
        """,
        None,
        "br-cbjd",
        {"lies": 180},
    ),
    "a_colour_board_that_lies_turned_finds_it_out_by_itself": Table(
        """
           0 | tick    |
        1000 | lift c3 |
        1300 | put d4  |
        1600 |         | move c3-d4
        """,
        None,
        "br-cbjd",
        {"lies": 180, "senses": "colour"},
    ),
    "wrong_orientation_of_a_board_of_all_squares_turned_by_a_quarter_is_one_question": Table(
        """
        3000 | | alert wrong_orientation - a1.c1.e1.g1.b2.d2.f2.h2.a3.c3.e3.g3.b6.d6.f6.h6.a7.c7.e7.g7.b8.d8.f8.h8
        """,
        regulation="br-cbjd",
        more={"lies": 90, "covers": "all"},
    ),
    "black_begins_where_colour_is_seen": Table(
        """
           0 | lift f6 |
         300 | put e5  |
        1300 |         | move f6-e5, alert wrong_side black f6.e5
        """,
        None,
        "br-cbjd",
        {"senses": "colour"},
    ),
    "board_mismatch_closes_when_the_board_agrees_again": Table(
        """
           0 | box 28 w, box 27 w |
        4000 |         | alert board_mismatch - 27.28
        6000 | off 28, off 27 |
        6300 |         | closed board_mismatch recovered
        """,
    ),
    "sensor_suspect_a_square_that_flickers_at_once": Table(
        """
           0 | drop 45 |
         100 | back 45 |
         300 | drop 45 |
         400 | back 45 |
         600 | drop 45 |
         700 | back 45 |
         900 | drop 45 |
        1000 | back 45 |
        1200 | drop 45 |
        1300 | back 45 | alert sensor_suspect - 45
        6300 |         | closed sensor_suspect recovered
        """,
    ),
    "sensor_suspect_is_told_once_per_square_and_its_dropouts_are_no_touches": Table(
        """
           0 | drop 31 |
         100 | back 31 |
         300 | drop 31 |
         400 | back 31 |
         600 | drop 31 |
         700 | back 31 |
         900 | drop 31 |
        1000 | back 31 |
        1200 | drop 31 |
        1300 | back 31 | alert sensor_suspect - 31
        1500 | drop 31 |
        2500 | back 31 |
        3500 | drop 31 |
        4500 | back 31 |
        5000 | lift 37 |
        5300 | put 32  |
        5600 |         | move 37-32
        9500 |         | closed sensor_suspect recovered
       20000 | drop 31 |
       20100 | back 31 |
       20300 | drop 31 |
       20400 | back 31 |
       20600 | drop 31 |
       20700 | back 31 |
       20900 | drop 31 |
       21000 | back 31 |
       21200 | drop 31 |
       21300 | back 31 |
        """,
        TWO,
    ),
    "misplaced_piece_on_a_light_square_until_it_is_put_right": Table(
        """
           0 | lift c3 |
         500 | light c4 |
        4500 |         | alert misplaced_piece - c4
        6000 | clear c4 | closed misplaced_piece recovered
        6300 | put d4  |
        6600 |         | move c3-d4
        """,
        "W:Wc3:Bf6",
        "br-cbjd",
        {"covers": "all"},
    ),
    "misplaced_piece_is_seen_only_where_the_board_covers_all_squares": Table(
        """
           0 | lift c3 |
         500 | light c4 |
        6000 | clear c4 |
        6300 | put d4  |
        6600 |         | move c3-d4
        """,
        "W:Wc3:Bf6",
        "br-cbjd",
    ),
    "wrong_opening_003_art_14_at_the_first_ply_that_leaves_what_was_drawn": Table(
        """
           0 | lift c3 |
         300 | put d4  |
         600 |         | move c3-d4
        2000 | lift b6 |
        2300 | put a5  |
        2600 |         | move b6-a5, alert wrong_opening black b6.a5
        4000 | lift b2 |
        4300 | put c3  |
        4600 |         | move b2-c3
        """,
        None,
        "br-cbjd",
        {"opening": "c3-d4 d6-c5 b2-c3"},
    ),
    "wrong_opening_is_put_right": Table(
        """
           0 | lift c3 |
         300 | put b4  |
         600 |         | move c3-b4, alert wrong_opening white c3.b4
        2000 | lift b4 |
        2300 | put c3  |
        2600 |         | retracted 1, closed wrong_opening rectified
        4000 | lift c3 |
        4300 | put d4  |
        4600 |         | move c3-d4
        """,
        regulation="br-cbjd",
        more={"opening": "c3-d4 d6-c5"},
    ),
    "sensor_suspect_a_square_that_is_stuck_after_the_mismatch_time": Table(
        """
           0 | ghost 28 |
        4000 |         | alert sensor_suspect - 28
        8000 | lift 32 |
        8300 | put 27  |
        8600 |         | move 32-27
        """,
    ),
    "board_lost_closes_when_the_link_is_back": Table(
        """
           0 | lost    | alert board_lost -
        1000 | lost    |
        3000 | link back | closed board_lost recovered
        """,
    ),
    "clock_lost_closes_when_the_clock_speaks_again": Table(
        """
           0 | reading 300 300 white |
        1000 | reading 299 300 white |
        2000 | reading 298 300 white |
        5000 |         | alert clock_lost -
       20000 | reading 280 300 - | closed clock_lost recovered
        """,
    ),
    "flag_fallen_on_the_clock_that_is_kept_here": Table(
        """
           0 | lever white |
        5000 |         | alert flag_fallen black
        6000 | lever black |
       11000 |         | alert flag_fallen white
        """,
        more={"clock": "5"},
    ),
    "flag_fallen_by_a_reading_is_told_once": Table(
        """
           0 | reading 300 300 white |
        1000 | reading 0 300 -  | alert flag_fallen white
        2000 | reading 0 300 -  |
        """,
    ),
}


def played(table: Table, tick: float | None = None) -> list[Event]:
    kinds = (*ALERTS, "move", "revised", "retracted")
    more = {"start": table.start, **table.more}
    return play_table(table.text, table.regulation, tick=tick, always=kinds, **more)


@pytest.mark.parametrize("tick", TICKS)
@pytest.mark.parametrize("name", TABLES)
def test_alerts(name: str, tick: float | None) -> None:
    played(TABLES[name], tick)


# --- what an alert says


def alerts(events: list[Event]) -> list[AlertRaised]:
    return [event for event in events if isinstance(event, AlertRaised)]


def alert(name: str, kind: str) -> AlertRaised:
    """The first alert of `kind` that the table `name` tells."""
    return next(told for told in alerts(played(TABLES[name])) if told.kind == kind)


def plies(events: list[Event]) -> list[PlayedMove]:
    return [event for event in events if isinstance(event, PlayedMove)]


def moved(start: str, *squares: str, regulation: str = "int-fmjd") -> list[Event]:
    """A piece is carried from the first square to the second one and rests; the others are taken off."""
    first, last, *off = squares
    text = f"0 | lift {first} |\n300 | put {last} |\n" + "".join(f"600 | off {square} |\n" for square in off)
    return play_table(text, regulation, start=start)


@pytest.mark.parametrize("name", TABLES)
def test_an_alert_has_the_ruling_of_its_regulation(name: str) -> None:
    table = TABLES[name]
    regulation = shipped(table.regulation)
    told: set[tuple[str, str | None]] = set()
    for event in alerts(played(table)):
        recurs = (event.kind, event.side) in told
        told.add((event.kind, event.side))
        rulings = [
            regulation.ruling(event.kind, recorded=table.more.get("recorded", True), law=law, recurs=recurs)
            for law in {None, *regulation.articles}
        ]
        said = (event.severity, event.article, event.decides, event.until, event.consequence)
        assert said in {(r.severity, r.article, r.decides, r.until, r.consequence) for r in rulings}


@pytest.mark.parametrize(
    ("name", "kind", "severity"),
    [
        ("missed_capture_is_told_at_rest_and_stands_with_the_reply", "missed_capture", "irregular"),
        ("left_on_board_at_the_lever_and_taken_off_leaves_the_ply_unchanged", "left_on_board", "warning"),
        ("lifted_during_capture_is_told_with_the_capture", "lifted_during_capture", "warning"),
        ("touched_out_of_turn_is_told_on_return", "touched_out_of_turn", "note"),
        ("destination_changed_the_piece_rested_and_went_on", "destination_changed", "warning"),
        ("wavering_at_the_third_lift_and_return_in_a_turn", "wavering", "note"),
        ("held_piece_is_told_after_more_than_hold_seconds", "held_piece", "note"),
        ("board_lost_closes_when_the_link_is_back", "board_lost", "warning"),
    ],
)
def test_severity(name: str, kind: str, severity: str) -> None:
    assert alert(name, kind).severity == severity


def test_000_a_touched_piece_that_cannot_move_is_a_note_and_a_warning_when_it_recurs() -> None:
    told = alerts(played(TABLES["touched_unplayable_is_told_on_return_and_recurs_by_side"]))
    assert [(each.side, each.severity) for each in told] == [("white", "note"), ("black", "note"), ("white", "warning")]
    assert told[-1].consequence == "punishable"


@pytest.mark.parametrize("kind", ["wavering", "held_piece"])
def test_003_art_20_holding_and_wavering_are_irregular(kind: str) -> None:
    held = "0 | lift 10 |\n10500 | tick |"
    wavers = "\n".join(f"{n} | lift 10 |\n{n + 400} | put 10 |" for n in (0, 1000, 2000))
    events = play_table(held if kind == "held_piece" else wavers, "pt-escola", start="W:W10,7:B32")
    assert [(each.kind, each.severity) for each in alerts(events)] == [(kind, "irregular")]


def test_it_000_a_missed_capture_loses_which_is_proposed_and_the_reply_does_not_validate_it() -> None:
    events = play_table(
        """
           0 | lift a2 |
         300 | put b3  |
        1300 |         | alert missed_capture white a2.b3
        3000 | lift g8 |
        3300 | put f7  |
        3600 |         |
        """,
        "it-000",
        start="W:Wd3,a2,c2:Be4,g8",
        always=ALERTS,
    )
    (told,) = alerts(events)
    assert (told.consequence, told.decides, told.until) == ("loses_game", "arbiter", "game_over")


def test_a_piece_removed_wrongly_is_ruled_by_the_same_article_whenever_it_is_told() -> None:
    later = alert("removed_wrongly_stands_with_the_reply_and_the_ply_is_revised_before_it", "removed_wrongly")
    at_reply = alert("a_missing_piece_of_the_side_on_move_is_in_a_hand_until_another_one_moves", "removed_wrongly")
    assert later.article == at_reply.article
    assert later.legal == at_reply.legal == ()


def test_an_alert_names_the_ply_it_is_about_and_before_a_move_the_coming_one() -> None:
    assert alert("wrong_side_moves_twice_and_then_the_other_side_is_to_move", "wrong_side").ply == 2
    assert alert("removed_wrongly_stands_with_the_reply_and_the_ply_is_revised_before_it", "removed_wrongly").ply == 1
    assert alert("touched_out_of_turn_is_told_on_return", "touched_out_of_turn").ply == 1
    coming = [each.ply for each in alerts(played(TABLES["touched_unplayable_is_told_on_return_and_recurs_by_side"]))]
    assert coming == [1, 2, 3]
    assert alert("board_lost_closes_when_the_link_is_back", "board_lost").ply == 1


def test_an_alert_lists_what_would_have_been_legal() -> None:
    assert alert("missed_capture_is_told_at_the_lever", "missed_capture").legal == ("32x23",)
    touched = alert("3_11_touch_move_a_piece_is_lifted_and_put_back_and_another_one_moves", "touch_move")
    assert set(touched.legal) == {"31-26", "31-27"}
    wrong = alert("wrong_side_moves_twice_and_then_the_other_side_is_to_move", "wrong_side")
    assert {move.split("-")[0] for move in wrong.legal} <= {"16", "17", "18", "19", "20"}


def test_the_evidence_is_the_changes_of_the_last_20_s_and_never_says_whose_hand_it_was() -> None:
    events = play_table(
        """
           0 | lift 31 |
         400 | put 31  |
       16000 | lift 37 |
       16300 | put 32  |
       20000 | lift 6  |
       20300 | put 11  |
       36000 | lift 31 |
       36300 | put 31  |
       38000 | lift 32 |
       38300 | put 28  |
        """,
        "int-fmjd",
        start=TWO,
    )
    first, second = alerts(events)
    assert first.evidence == {
        "from": 1.0,
        "to": 17.6,
        "trail": [[1.0, "-31"], [1.4, "+31"], [17.0, "-37"], [17.3, "+32"]],
    }
    assert second.evidence == {
        "from": 21.0,
        "to": 39.6,
        "trail": [[21.0, "-6"], [21.3, "+11"], [37.0, "-31"], [37.3, "+31"], [39.0, "-32"], [39.3, "+28"]],
    }


def test_evidence_has_no_other_keys_than_those_of_the_contract() -> None:
    keys = {key for table in TABLES.values() for told in alerts(played(table)) for key in told.evidence}
    assert keys == {"from", "to", "trail", "could_continue", "reason"}


@pytest.mark.parametrize(
    ("start", "squares", "reason"),
    [
        ("W:W28,37:B6", ("28", "33"), "backwards"),
        ("W:W37,48:B6", ("37", "26"), "too_far"),
        ("W:W37,48:B6", ("37", "27"), "not_diagonal"),
        ("W:W37,48:B6", ("37", "38"), "not_diagonal"),
        ("W:W37,32:B6", ("37", "28"), "blocked"),
        ("W:WK46,37:B6", ("46", "23"), "blocked"),
        ("W:WK46,37:B6", ("46", "44"), "not_diagonal"),
    ],
)
def test_an_illegal_move_says_what_is_wrong_about_the_way(start: str, squares: tuple[str, str], reason: str) -> None:
    (told,) = alerts(moved(start, *squares))
    assert (told.kind, told.side, told.squares, told.evidence["reason"]) == ("illegal_move", "white", squares, reason)


@pytest.mark.parametrize(
    ("regulation", "start", "squares", "reason"),
    [
        ("en-wcdf", "W:W22,32:B26,1", ("22", "31", "26"), "backwards"),
        ("it-fid", "W:W22,32:BK18,1", ("22", "13", "18"), "man_takes_king"),
        ("en-wcdf", "W:WK22,32:B15,1", ("22", "11", "15"), "too_far"),
        ("tr-tudaf", "W:Wd4,a2:Bh7", ("d4", "e5"), "not_straight"),
    ],
)
def test_an_illegal_move_of_other_variants(regulation: str, start: str, squares: tuple[str, ...], reason: str) -> None:
    (told,) = alerts(moved(start, *squares, regulation=regulation))
    assert (told.kind, told.evidence["reason"]) == ("illegal_move", reason)


def test_could_continue_says_that_a_capture_stopped_before_its_end() -> None:
    stopped = alert("short_capture_stops_before_the_end_once_what_was_jumped_is_off", "short_capture")
    chosen = alert("short_capture_takes_fewer_than_the_law_of_quantity", "short_capture")
    assert stopped.evidence["could_continue"] is True
    assert "could_continue" not in chosen.evidence


def test_a_man_that_stops_on_its_last_row_is_crowned_even_if_it_should_have_gone_on() -> None:
    events = moved("W:W12,48:B8,9", "12", "3", "8")
    (ply,) = plies(events)
    assert [told.kind for told in alerts(events)] == ["short_capture"]
    assert (ply.promoted, ply.fen, ply.irregular) == (True, "B:WK3,48:B9", True)


def test_the_captured_of_an_irregular_ply_lists_what_was_jumped_and_is_off() -> None:
    name = "left_on_board_when_the_opponent_begins_and_still_there_after_the_reply_stays_in_the_game"
    first, revised, reply = plies(played(TABLES[name]))
    assert isinstance(revised, MoveRevised)
    assert (first.captured, first.irregular) == (("23", "14"), False)
    assert (revised.captured, revised.irregular, revised.fen) == (("23",), True, "B:WK5,10,48:B6,14")
    assert (reply.fen, reply.irregular) == ("W:WK5,10,48:B11,14", False)


def test_a_piece_that_stays_off_is_off_in_the_record() -> None:
    name = "removed_wrongly_stands_with_the_reply_and_the_ply_is_revised_before_it"
    first, revised, _ = plies(played(TABLES[name]))
    assert (first.irregular, revised.irregular) == (False, True)
    assert "45" in first.fen
    assert "45" not in revised.fen


@pytest.mark.parametrize(
    "name",
    [
        "3_11_touch_move_a_piece_is_lifted_and_put_back_and_another_one_moves",
        "several_touched_is_one_alert_and_no_touch_move_beside_it",
        "taken_back_a_complete_move_is_undone_and_another_piece_moves",
        "lifted_during_capture_is_told_with_the_capture",
        "destination_changed_the_piece_rested_and_went_on",
        "not_crowned_when_the_reply_begins",
    ],
)
def test_touching_and_taking_back_do_not_make_a_ply_irregular(name: str) -> None:
    assert not any(ply.irregular for ply in plies(played(TABLES[name])))


def test_the_question_about_the_orientation_says_what_it_would_be_otherwise() -> None:
    name = "wrong_orientation_is_asked_of_a_first_move_by_the_wrong_side_where_no_colour_is_seen"
    assert alert(name, "wrong_orientation").also == ("wrong_side",)


def test_an_irregular_ply_came_down_when_its_piece_did() -> None:
    (ply,) = plies(moved("W:W28,37:B6", "28", "33"))
    assert (ply.at, ply.down, ply.seconds, ply.basis) == (2.3, 1.3, 1.3, "seen")


def test_every_kind_is_in_a_table() -> None:
    told = {word.split()[1] for table in TABLES.values() for word in re.findall(r"alert \w+", table.text)}
    assert told == set(KINDS)
