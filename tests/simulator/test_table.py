import pytest

from damas_board.notation.fen import read_fen
from damas_board.rules.position import initial
from damas_board.rules.side import Side
from damas_board.rules.variants import BRAZILIAN, PORTUGUESE
from damas_board.tracking.sight import NOTHING, SightReader
from simulator.hand import Crown, Lift, Place, TakeOff
from simulator.table import Table, rows, sensed

AT = BRAZILIAN.geometry.square


def test_rows_run_from_blacks_side_down_to_whites_from_whites_left() -> None:
    assert rows(Table(initial(BRAZILIAN)).pieces, BRAZILIAN.geometry) == (
        ".b.b.b.b/b.b.b.b./.b.b.b.b/......../......../w.w.w.w./.w.w.w.w/w.w.w.w."
    )
    assert rows(Table(initial(PORTUGUESE)).pieces, PORTUGUESE.geometry) == (
        "b.b.b.b./.b.b.b.b/b.b.b.b./......../......../.w.w.w.w/w.w.w.w./.w.w.w.w"
    )


def test_a_turned_board_is_read_turned() -> None:
    geometry = BRAZILIAN.geometry
    marks = {AT("a1"): "w", AT("h8"): "b", AT("b8"): "B"}
    straight = rows(marks, geometry)
    half = rows(marks, geometry, 180)
    assert half.replace("/", "") == straight.replace("/", "")[::-1]
    quarter = rows(marks, geometry, 90).split("/")
    assert (quarter[7][7], quarter[0][0], quarter[6][0]) == ("w", "b", "B")
    three_quarters = rows(marks, geometry, 270).split("/")
    assert (three_quarters[0][0], three_quarters[7][7], three_quarters[1][7]) == ("w", "b", "B")


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_board_is_read_back_as_whites_view(turn: int) -> None:
    position = read_fen("W:Wa1,c3,Ke5:Bb8,h6", BRAZILIAN)
    sight = SightReader(BRAZILIAN.geometry, turn).read(rows(Table(position).pieces, BRAZILIAN.geometry, turn), NOTHING)
    assert (sight.white, sight.black) == (position.white, position.black)


def test_sensors_tell_occupancy_colour_or_kind() -> None:
    assert [sensed("W", s) for s in ("occupancy", "colour", "kind")] == ["o", "w", "W"]
    assert {sensed(None, s) for s in ("occupancy", "colour", "kind")} == {"."}


def test_two_hands_hold_two_pieces_and_each_puts_down_its_own() -> None:
    table = Table(read_fen("W:WKc3:Bf6", BRAZILIAN))
    table.do(Lift(AT("c3"), Side.WHITE))
    table.do(Lift(AT("f6"), Side.BLACK))
    assert not table.shows(read_fen("W:W:B", BRAZILIAN)), "two pieces are in the air"
    table.do(Place(AT("d4"), Side.WHITE))
    table.do(Place(AT("f6"), Side.BLACK))
    assert table.shows(read_fen("B:WKd4:Bf6", BRAZILIAN))


def test_a_man_that_was_not_crowned_is_not_the_king_of_the_position() -> None:
    table = Table(read_fen("W:Wc7:Ba5", BRAZILIAN))
    table.do(Lift(AT("c7"), Side.WHITE))
    table.do(Place(AT("d8"), Side.WHITE))
    assert not table.shows(read_fen("B:WKd8:Ba5", BRAZILIAN))
    table.do(Crown(AT("d8")))
    assert table.shows(read_fen("B:WKd8:Ba5", BRAZILIAN))


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([Lift(AT("d4"), Side.WHITE)], "empty"),
        ([TakeOff(AT("d4"))], "empty"),
        ([Crown(AT("d4"))], "empty"),
        ([Place(AT("d4"), Side.WHITE)], "hand of white is empty"),
        ([Lift(AT("c3"), Side.WHITE), Lift(AT("e3"), Side.WHITE)], "hand of white is not free"),
        ([Lift(AT("c3"), Side.WHITE), Place(AT("e3"), Side.WHITE)], "occupied"),
    ],
)
def test_what_nobody_can_do_is_refused(actions: list, message: str) -> None:
    table = Table(initial(BRAZILIAN))
    *before, last = actions
    for action in before:
        table.do(action)
    with pytest.raises(ValueError, match=message):
        table.do(last)
