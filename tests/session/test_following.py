"""How a Session follows hands: tables of milliseconds | what happens | what is told."""

from __future__ import annotations

import pytest
from board_tables import TICKS, play_table

INTERNATIONAL = "int-fmjd"

TABLES = {
    "a_move_is_told_once_the_board_has_settled": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         400 | put 28  |
         700 |         | move 32-28
        """,
    ),
    "a_dragged_king_has_moved_only_where_it_stops": (
        INTERNATIONAL,
        "W:WK46:B6",
        """
           0 | lift 46 |
          60 | put 41  |
         120 | lift 41 |
         180 | put 37  |
         240 | lift 37 |
         300 | put 32  |
         600 |         | move 46-32
        """,
    ),
    "a_piece_that_rests_and_goes_on_revises_its_move": (
        INTERNATIONAL,
        "W:WK46:B6",
        """
           0 | lift 46 |
         400 | put 28  |
         700 |         | move 46-28
        2900 | lift 28 |
        3100 | put 23  |
        3400 |         | revised 46-23
        """,
    ),
    "a_reply_confirms_the_move_before_it": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        1000 | lift 19 |
        1200 |         | confirmed 1
        1300 | put 23  |
        1600 |         | move 19-23
        """,
    ),
    "a_move_put_back_is_retracted": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        1500 | lift 28 |
        1900 | put 32  |
        2200 |         | retracted 1
        """,
    ),
    "a_reply_before_settling_leaves_both_moves_right": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         120 | put 28  |
         150 | lift 19 |
         260 | put 23  |
         560 |         | move 32-28, move 19-23
        """,
    ),
    "the_first_of_three_plies_without_a_still_moment_is_told_with_the_third": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         120 | put 28  |
         150 | lift 20 |
         260 | put 25  |
         300 | lift 37 |
         400 | put 32  | move 32-28
         700 |         | move 20-25, move 37-32
        """,
    ),
    "two_pieces_in_the_air_are_not_two_captures": (
        INTERNATIONAL,
        "W:W28,37:B10,14,23",
        """
           0 | lift 28 |
         200 | lift 14 |
        2200 | put 14  |
        2600 | put 19  |
        2900 | off 23  |
        3200 |         | move 28x19
        """,
    ),
    "victims_come_off_slowly_and_each_is_told": (
        INTERNATIONAL,
        "W:WK38:B11,12,19,30,33",
        """
           0 | lift 38 |
         600 | put 6   |
         900 |         | progress /33.19.11.12
        3600 | off 33  |
        3900 |         | progress 33/19.11.12
        6600 | off 19  |
        6900 |         | progress 33.19/11.12
        9600 | off 12  |
        9900 |         | progress 33.19.12/11
       12600 | off 11  |
       12900 |         | move 38x6
        """,
    ),
    "nothing_is_told_while_two_captures_still_fit": (
        INTERNATIONAL,
        "W:WK4:B13,20,32,37",
        """
           0 | lift 4  |
         700 | put 15  |
        1300 | off 13  |
        1700 | off 20  |
        8000 | off 37  |
        8300 |         | move 4x31x42x15
        """,
    ),
    "a_circular_capture_ends_where_it_began": (
        INTERNATIONAL,
        "W:WK2:B7,8,17,18",
        """
           0 | lift 2  |
        1500 | put 2   |
        2100 | off 7   |
        2500 | off 8   |
        2900 | off 17  |
        3300 | off 18  |
        3600 |         | move 2x2
        4300 |         | over white no_pieces
        """,
    ),
    "a_hand_that_hides_squares_is_neither_agreement_nor_evidence": (
        "br-cbjd",
        None,
        """
           0 | hide c3, hide d4, hide e3 |
         200 | lift c3 |
         700 | put d4  |
        1500 | show c3 |
        1600 | show e3 |
        4000 | show d4 |
        4300 |         | move c3-d4
        """,
    ),
    "a_flicker_changes_nothing": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        1000 | drop 33 |
        1040 | back 33 |
        2000 | lift 19 |
        2400 | put 23  |
        2700 |         | move 19-23
        """,
    ),
    "a_bounce_elsewhere_does_not_hide_a_complete_move": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         200 | drop 45 |
         250 | put 28  |
         290 | lift 19 |
         300 | back 45 |
         400 | put 23  |
         700 |         | move 32-28, move 19-23
        """,
    ),
    "one_legal_way_through_a_lost_link_is_taken_after_a_rest": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        1000 | lost    |
        1500 | lift 20 |
        1800 | put 25  |
        2000 | lift 37 |
        2300 | put 32  |
        3000 | link back |
        4000 |         | move 20-25, move 37-32
        """,
    ),
    "plies_that_a_lost_link_hid_are_told_in_one_of_their_orders_once_the_board_has_rested": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        1000 | lost    |
        1500 | lift 20 |
        1800 | put 25  |
        2000 | lift 37 |
        2300 | put 32  |
        2400 | lift 19 |
        2500 | put 24  |
        3000 | link back |
        4000 |         | move 19-24, move 37-32, move 20-25
        """,
    ),
    "an_unexplained_board_is_a_mismatch_until_it_agrees": (
        INTERNATIONAL,
        None,
        """
           0 | off 32, off 20 |
        4000 |         | board mismatch
        6000 | box 32 w, box 20 b |
        6300 |         | board ready
        """,
    ),
    "a_piece_in_the_hand_of_the_player_to_move_is_no_mismatch": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
        9000 | put 28  |
        9300 |         | move 32-28, board in_play
        9400 | off 28, off 1 |
       13400 |         | board mismatch
        """,
    ),
    "the_line_taken_back_by_the_arbiter_is_not_recorded_again": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28, board in_play
        1000 | lift 20 |
        1300 | put 25  |
        1600 |         | move 20-25
        2000 | rewind 1 | retracted 2, board resyncing
        6000 | lift 25 |
        6200 | put 20  | board in_play
        7000 | lift 19 |
        7300 | put 23  |
        7600 |         | move 19-23
        """,
    ),
    "a_rewind_to_a_ply_that_is_not_there_is_refused": (
        INTERNATIONAL,
        None,
        """
           0 | rewind 3 | refused rewind no_such_ply
        """,
    ),
    "after_the_result_nothing_is_a_move": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        1000 | result 1-0 resigned | over white resigned
        2000 | lift 19 |
        2300 | put 23  |
        4000 | rewind 0 |
        """,
    ),
    "a_player_without_a_move_has_lost_once_the_board_has_rested": (
        "br-cbjd",
        "W:Wa3,c3:Ba5",
        """
           0 | lift a3 |
         300 | put b4  |
         600 |         | move a3-b4
        1300 |         | confirmed 1, over white blocked
        """,
    ),
    "in_giveaway_the_player_without_pieces_wins": (
        "br-perde-ganha",
        "W:Wc3:Bd4",
        """
           0 | lift c3 |
         300 | put e5  |
         600 | off d4  |
         900 |         | move c3xe5
        1600 |         | over black no_pieces
        """,
    ),
    "the_lever_confirms_the_move": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        1000 | lever white | confirmed 1
        """,
    ),
    "a_man_passing_the_last_row_may_be_put_down_there": (
        INTERNATIONAL,
        "W:W12:B8,9",
        """
           0 | lift 12 |
         400 | put 3   |
         800 | lift 3  |
        1200 | put 14  |
        1800 | off 8   |
        2200 | off 9   |
        2500 |         | move 12x14
        """,
    ),
    "turkish_victims_come_off_during_the_move": (
        "tr-tudaf",
        "W:Wd4,a2:Bd5,d7,h7",
        """
           0 | lift d4 |
         400 | put d6  |
         800 | off d5  |
        1300 | lift d6 |
        1700 | put d8  |
        2100 | off d7  |
        2400 |         | move d4xd8
        """,
    ),
    "a_touch_that_the_lost_link_cut_short_is_not_told_later": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         100 | lost    | board lost
        5000 | link back | board resyncing
        6000 | put 28  |
        6300 |         | move 32-28, board in_play
        """,
    ),
    "a_lever_pressed_while_the_king_goes_on_confirms_where_it_stops": (
        INTERNATIONAL,
        "W:WK46:B6",
        """
           0 | lift 46 |
         400 | put 28  |
         700 |         | move 46-28
        2900 | lift 28 |
        3100 | put 23  |
        3200 | lever white |
        3400 |         | revised 46-23, confirmed 1
        """,
    ),
    "a_lever_pressed_before_the_move_does_not_confirm_a_later_one": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         300 | lever white |
         500 | put 32  |
        3000 | lift 31 |
        3300 | put 27  |
        3600 |         | move 31-27
        5000 | lift 20 |
        5200 |         | confirmed 1
        """,
    ),
    "a_piece_goes_on_after_the_opponent_touched_and_the_confirmed_ply_is_revised_once": (
        INTERNATIONAL,
        "W:WK46:B6,16",
        """
           0 | lift 46 |
         400 | put 28  |
         700 |         | move 46-28
        1000 | lift 6  |
        1200 |         | confirmed 1
        1500 | put 6   |
        2900 | lift 28 |
        3100 | put 23  |
        3400 |         | revised 46-23
        4000 | lift 6  |
        4500 | put 11  |
        4800 |         | move 6-11
        """,
    ),
    "a_victim_that_comes_off_late_is_no_touch_of_the_opponent": (
        "ru-fmjd64",
        "W:Wc3,g1:Bd4,d6,h8",
        """
           0 | lift c3 |
         300 | put e5  |
         600 | lift e5 |
         900 | put c7  |
        1200 | off d6  |
        2200 | off d4  |
        2500 |         | move c3xc7
        3000 | lift h8 |
        3200 |         | confirmed 1
        """,
    ),
    "the_lever_ends_a_game_that_the_move_has_decided": (
        "br-cbjd",
        "W:Wc3:Bd4",
        """
           0 | lift c3 |
         300 | put e5  |
         600 | off d4  |
         900 |         | move c3xe5
        1000 | lever white | confirmed 1, over white no_pieces
        1100 | off e5  |
        """,
    ),
    "a_square_that_is_never_read_stops_neither_play_nor_the_end": (
        "br-cbjd",
        "W:Wc3:Bd4",
        """
           0 | hide a1 |
        1000 | lift c3 |
        1300 | put e5  |
        1600 | off d4  |
        1900 |         | move c3xe5
        2600 |         | confirmed 1, over white no_pieces
        """,
    ),
    "a_dead_square_under_a_lost_link_gives_no_mismatch": (
        INTERNATIONAL,
        None,
        """
           0 | hide 30 |
        1000 | lost    | board lost
        2000 | link back | board resyncing
        2300 |         | board ready
        9000 | lift 32 |
        9300 | put 28  |
        9600 |         | board in_play
        """,
    ),
    "after_a_rewind_a_board_that_already_stands_right_is_accepted": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        1000 | lift 20 |
        1300 | put 25  |
        1600 |         | move 20-25
        2000 | lift 25 |
        2100 | put 24  |
        2150 | rewind 1 | retracted 2
        2450 |         | move 20-24
        """,
    ),
    "a_move_taken_back_by_the_arbiter_can_be_played_again": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        1000 | lift 20 |
        1300 | put 25  |
        1600 |         | move 20-25
        2000 | rewind 1 | retracted 2
        4000 | lift 25 |
        6000 | put 25  |
        6300 |         | move 20-25
        """,
    ),
    "a_rewind_while_the_link_is_lost_waits_for_the_board": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28, board in_play
        1000 | lost    | board lost
        1500 | rewind 0 | retracted 1
        3000 | link back | board resyncing
        3300 |         | board resyncing
        4000 | lift 28 |
        4200 | put 32  | board ready
        5000 | lift 31 |
        5300 | put 27  |
        5600 |         | move 31-27, board in_play
        """,
    ),
    "both_players_take_back_and_play_something_else": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        1000 | lift 20 |
        1300 | put 25  |
        1600 |         | move 20-25
        2000 | lift 25 |
        2300 | put 20  |
        2600 |         | retracted 2
        3000 | lift 28 |
        3300 | put 32  |
        3600 |         | retracted 1
        4000 | lift 31 |
        4300 | put 27  |
        4600 |         | move 31-27
        """,
    ),
    "two_plies_that_were_never_seen_apart_are_inferred_if_both_pieces_were_lifted_and_put_down": (
        INTERNATIONAL,
        None,
        """
           0 | lift 32 |
         200 | lift 20 |
         400 | put 28  |
         600 | put 25  |
         900 |         | move 32-28, move 20-25
        """,
    ),
    "two_plies_that_were_never_seen_apart_are_refused_if_only_one_piece_came_down": (
        INTERNATIONAL,
        "W:W28,37:B14,23",
        """
           0 | off 28, off 14 |
        9000 |         |
        """,
    ),
    "progress_is_told_once_though_the_piece_is_lifted_again": (
        INTERNATIONAL,
        "W:WK38:B11,12,19,30,33",
        """
           0 | lift 38 |
         600 | put 6   |
         900 |         | progress /33.19.11.12
        3600 | lift 6  |
        5000 | put 6   |
        7000 | off 33  |
        7100 | off 19  |
        7200 | off 12  |
        7300 | off 11  |
        7600 |         | move 38x6
        """,
    ),
    "the_own_piece_taken_up_again_is_no_capture_of_the_opponent": (
        INTERNATIONAL,
        "W:W28,48:B6,17",
        """
           0 | lift 28 |
         300 | put 22  |
         600 |         | move 28-22
        1000 | lift 22 |
        9000 | put 22  |
        9500 | off 22  |
        9600 | lift 17 |
        9700 | put 28  |
       10000 |         | move 17x28
        """,
    ),
}


@pytest.mark.parametrize("tick", TICKS)
@pytest.mark.parametrize("name", TABLES)
def test_following(name: str, tick: float | None) -> None:
    regulation, start, table = TABLES[name]
    play_table(table, regulation, tick=tick, start=start)
