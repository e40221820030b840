"""Which squares are ghosts: what comes in one instant, at the corners of rectangles that no proven diode breaks."""

from __future__ import annotations

import pytest

from damas_board.rules.geometry import Geometry
from damas_board.tracking.ghosts import TOGETHER_SECONDS, Ghosts, Wiring

SIXTY_FOUR = Geometry(8, "left", "algebraic")
HUNDRED = Geometry(10, "left", "top-left")
WHOLE = Geometry(8, "all", "algebraic")


def squares(geometry: Geometry, names: str) -> int:
    return sum(1 << geometry.square(name) for name in names.split())


def names(geometry: Geometry, mask: int) -> str:
    return " ".join(geometry.names(tuple(s for s in geometry.playable if mask >> s & 1)))


class Board:
    """What one board says, one change after the other."""

    def __init__(self, geometry: Geometry, wiring: Wiring | None, stands: str, **options: bool) -> None:
        self.geometry = geometry
        self.ghosts = Ghosts(geometry, wiring, **options)
        self.expected = self.occupied = squares(geometry, stands)
        self.ghosts.start(self.occupied)
        self.most = 100

    def say(self, at: float, *, came: str = "", gone: str = "") -> None:
        for name in came.split():
            self._see(self.occupied | squares(self.geometry, name), at)
            at += 0.001
        for name in gone.split():
            self._see(self.occupied & ~squares(self.geometry, name), at)
            at += 0.001

    def _see(self, occupied: int, at: float) -> None:
        self.ghosts.see(occupied, at, self.occupied & ~self.expected)
        self.occupied = occupied

    def stand(self) -> None:
        self.ghosts.stood(self.occupied, self.geometry.playable_mask & ~self.occupied)

    def found(self, *, again: bool = False) -> str:
        extra = self.occupied & ~self.expected
        return names(self.geometry, self.ghosts.among(extra, self.expected, self.most, again=again))


MEN = "a1 c1 e1 g1 b2 d2 f2 h2"


def test_a_line_that_fills_in_one_instant_is_ghosts() -> None:
    board = Board(SIXTY_FOUR, "rows", MEN)
    board.say(1.0, came="b4 d4 f4 h4")
    assert board.found() == "b4 d4 f4 h4"


def test_pieces_put_down_one_after_the_other_are_none() -> None:
    board = Board(SIXTY_FOUR, "rows", MEN)
    for number, name in enumerate(("b4", "d4", "f4", "h4")):
        board.say(1.0 + number * 2 * TOGETHER_SECONDS, came=name)
    assert board.found() == board.found(again=True) == ""


def test_of_a_board_whose_wiring_is_not_known_nothing_is_a_ghost() -> None:
    board = Board(SIXTY_FOUR, None, MEN)
    board.say(1.0, came="b4 d4 f4 h4")
    board.stand()
    assert board.found(again=True) == ""


def test_what_was_there_when_the_board_was_read_anew_came_in_no_instant() -> None:
    board = Board(SIXTY_FOUR, "rows", MEN)
    board.occupied |= squares(SIXTY_FOUR, "b4 d4 f4 h4")
    board.ghosts.start(board.occupied)
    assert board.found() == board.found(again=True) == ""


@pytest.mark.parametrize(
    ("wiring", "turned", "column"), [("rows", False, False), ("columns", False, True), ("rows", True, True)]
)
def test_the_rectangle_is_one_of_the_boards_own_lines_and_wires(wiring: Wiring, turned: bool, column: bool) -> None:
    board = Board(WHOLE, wiring, "a1 b1 a2 b2", turned=turned)
    board.say(1.0, came="c1 c2")
    across = board.found(again=True)
    board.say(9.0, gone="c1 c2")
    board.say(10.0, came="c1 c2")
    assert across == ""
    assert board.found(again=True) == "c1 c2"
    zigzag = Board(SIXTY_FOUR, wiring, "a1 c1 e1 g1", turned=turned)
    zigzag.say(1.0, came="b4 d4 f4 h4")
    # Along rows a1 and b4 share a wire; along columns the four of a row are on four lines.
    assert zigzag.found() == ("" if column else "b4 d4 f4 h4")


def test_two_that_come_together_are_ghosts_only_when_it_happens_again() -> None:
    board = Board(HUNDRED, "rows", "46 47 41 36")
    board.say(1.0, came="42 37")
    assert board.found() == ""
    assert board.found(again=True) == ""
    board.say(5.0, gone="42 37")
    board.say(8.0, came="42 37")
    assert board.found() == ""
    assert board.found(again=True) == "42 37"


def test_a_piece_that_goes_in_the_instant_in_which_a_corner_is_lifted_is_counted() -> None:
    board = Board(HUNDRED, "rows", "46 47 41")
    board.say(1.0, came="42")
    for at in (5.0, 9.0):
        board.say(at, gone="41 42")
        board.say(at + 2.0, came="41")
        board.say(at + 3.0, came="42")
    assert board.found(again=True) == "42"


def test_a_sensor_that_sticks_is_none_however_its_neighbours_move() -> None:
    board = Board(HUNDRED, "rows", "46 47 41")
    board.say(1.0, came="42")
    for number in range(20):
        board.say(5.0 + number, gone="41")
        board.say(5.5 + number, came="41")
        assert board.found(again=True) == ""


def test_what_only_sound_contacts_can_have_made_is_none() -> None:
    board = Board(SIXTY_FOUR, "rows", MEN)
    board.say(1.0, came="b4")
    board.stand()
    board.say(5.0, gone="b4")
    board.say(6.0, came="d4")
    board.stand()
    board.say(7.0, gone="d4")
    board.say(9.0, came="b4 d4 f4 h4")
    # b4 alone proved a1 and b2, d4 alone c1 and d2; b4 and d4 may still come of e1, f2, g1 and h2.
    assert board.found() == "b4 d4 f4 h4"
    for name in ("f4", "h4"):
        board.say(10.0, gone="b4 d4 f4 h4")
        board.say(11.0, came=name)
        board.stand()
    board.say(12.0, gone="b4 d4 f4 h4")
    board.say(13.0, came="b4 d4 f4 h4")
    assert board.found() == board.found(again=True) == ""


def test_three_more_than_the_game_has_pieces_are_ghosts_however_they_came_unless_the_contacts_are_sound() -> None:
    board = Board(SIXTY_FOUR, "rows", MEN)
    board.occupied |= squares(SIXTY_FOUR, "b4 d4 f4 h4")
    board.ghosts.start(board.occupied)
    board.most = 10
    assert board.found() == ""
    board.most = 9
    assert board.found() == "b4 d4 f4 h4"
    board.occupied &= ~squares(SIXTY_FOUR, "h4")
    board.ghosts.start(board.occupied)
    board.most = 8
    board.stand()
    assert board.found() == ""


def test_a_contact_whose_diode_is_the_wrong_way_round_is_not_read_and_makes_ghosts() -> None:
    board = Board(WHOLE, "rows", "a1 b1 c1 d1 a2")
    board.occupied &= ~squares(WHOLE, "a1")
    board.ghosts.start(board.occupied)
    board.say(1.0, came="b2 c2 d2")
    assert board.found() == "b2 c2 d2"
