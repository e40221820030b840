from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from damas_board.notation.drawing import board_svg
from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import read_move
from damas_board.notation.pdn import read_games
from damas_board.rules.position import initial
from damas_board.rules.variants import BRAZILIAN, INTERNATIONAL, PORTUGUESE, TURKISH, VARIANTS

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SVG = "{http://www.w3.org/2000/svg}"


def of_class(svg, name):
    return [e for e in ElementTree.fromstring(svg).iter() if e.get("class") == name]


def place(element, x="x", y="y"):
    return int(element.get(x)), int(element.get(y))


@pytest.mark.parametrize("name", ["brazilian", "portuguese", "turkish"])
def test_the_pictures_of_the_documentation_are_what_is_drawn(name):
    """The commands in the game file make them anew."""
    content = (PICTURES / "games.pdn").read_bytes()
    number, file = next(
        m for m in re.findall(r"--game (\d+) .*> docs/pictures/(\w+)\.svg", content.decode()) if name in m
    )
    game = list(read_games(content))[int(number) - 1]
    assert (game.variant.name, game.fault) == (name, None)
    assert board_svg(game.end, game.plies[-1].move) == (PICTURES / f"{file}.svg").read_text("utf-8")


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda v: v.name)
def test_a_drawing_is_well_formed_and_needs_nothing_else(variant):
    svg = board_svg(initial(variant))
    ElementTree.fromstring(svg)
    assert write_fen(initial(variant)) in svg
    assert not re.search(r"href|url\(|@import|<script|<image|@font-face", svg)
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]


def test_the_playable_corner_at_whites_left_is_dark_except_on_the_mirrored_board():
    def dark(variant):
        return {place(e) for e in of_class(board_svg(initial(variant)), "dark")}

    far = 44 * 7
    assert (0, far) in dark(BRAZILIAN)
    assert (far, far) not in dark(BRAZILIAN)
    assert (0, far) not in dark(PORTUGUESE)
    assert (far, far) in dark(PORTUGUESE)
    assert len(dark(BRAZILIAN)) == len(dark(PORTUGUESE)) == 32
    assert (len(dark(INTERNATIONAL)), len(dark(TURKISH))) == (50, 0)
    assert len(of_class(board_svg(initial(TURKISH)), "line")) == 1


def test_squares_carry_their_numbers_or_the_edges_letters_and_digits():
    numbers = {e.text: place(e) for e in of_class(board_svg(initial(PORTUGUESE)), "name")}
    assert sorted(map(int, numbers)) == list(range(1, 33))
    assert numbers["1"] == (7 * 44 + 2, 7 * 44 + 9)  # at White's right hand
    letters = [e.text for e in of_class(board_svg(initial(BRAZILIAN)), "edge")]
    assert sorted(letters) == sorted("abcdefgh12345678")


def test_every_piece_is_drawn_on_its_square_and_a_king_has_a_crown():
    svg = board_svg(read_fen("W:Wa1,Kc3:Bh8,Kb8,f6", BRAZILIAN))
    assert {place(e, "cx", "cy") for e in of_class(svg, "white-ring")} == {(22, 22 + 7 * 44)}
    assert len(of_class(svg, "black-ring")) == 2
    assert [len(of_class(svg, f"{colour}-crown")) for colour in ("white", "black")] == [1, 1]
    assert of_class(svg, "white-crown")[0].get("transform") == f"translate({22 + 2 * 44} {22 + 5 * 44 - 1})"


def test_the_last_move_is_marked_with_its_way_and_its_victims():
    start = read_fen("W:WKg1:Bf2,g5,d6,c7,h8", BRAZILIAN)
    move = read_move(start, "g1xb6xd8xh4")
    svg = board_svg(start.after(move), move)
    assert {place(e) for e in of_class(svg, "last")} == {(6 * 44, 7 * 44), (7 * 44, 4 * 44)}
    assert len(of_class(svg, "gone")) == 3
    (way,) = of_class(svg, "way")
    assert len(way.get("points").split()) == len(move.path) == 4
    assert not of_class(board_svg(start), "last")


def test_colours_follow_a_dark_page():
    style = ElementTree.fromstring(board_svg(initial(BRAZILIAN))).find(f"{SVG}style").text
    _, dark = style.split("@media (prefers-color-scheme:dark)")
    assert dark.count("{") == dark.count("}")
    assert ".edge{" in dark
