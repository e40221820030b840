"""The lines that `damas-board boards` gives for a board that no table has: pasted, they give a table that it fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from damas_board.app.inventory import NO_GAME, Entry, lines_to_add
from damas_board.config import Config, read_config
from damas_board.decoding import wire
from damas_board.decoding.square_map import CORNERS, Corner, Dark, SquareMap
from damas_board.sources.finder import Asked

HEAD = 'meeting = "m"\n'
WAYS: list[tuple[int, Dark]] = [(8, "left"), (8, "right"), (8, "all"), (10, "left")]


def board(geometry: int, places: int, levels: int = 2) -> Entry:
    hello = wire.Hello(0, 0, 0, (1, 0), 1, places, 4, 0, geometry, levels, 0, 1000, 5, 5, 0xC3)
    return Entry("unknown", Asked("/dev/ttyACM0", "free", hello))


def pasted(folder: Path, entry: Entry, config: Config | None, head: str = HEAD) -> Config:
    path = folder / "c.toml"
    path.write_text(head + "\n".join(lines_to_add(config, entry, set())))
    return read_config(path, finding=True)


@pytest.mark.parametrize("levels", [2, 5])
@pytest.mark.parametrize("connector", CORNERS)
@pytest.mark.parametrize(("size", "dark"), WAYS)
def test_a_board_fits_the_table_that_the_lines_for_it_give(
    tmp_path: Path, size: int, dark: Dark, connector: Corner, levels: int
) -> None:
    made = SquareMap(size, dark, connector)
    (table,) = pasted(tmp_path, board(made.geometry, made.places, levels), None).boards
    assert (table.square_map.geometry, table.square_map.places) == (made.geometry, made.places)
    assert table.header.senses == ("occupancy" if levels == 2 else "colour")
    assert table.uid == "000000c3"


def test_the_regulation_of_a_board_of_the_configuration_comes_first_where_it_fits(tmp_path: Path) -> None:
    given = HEAD + '[[board]]\nid = "t"\nregulation = "pt-fpd2021"\nuid = "a1"\ncorner = "black-right"\n'
    path = tmp_path / "given.toml"
    path.write_text(given)
    config = read_config(path, finding=True)
    (alike,) = (table.square_map for table in config.boards)
    for made, regulation in ((alike, "pt-fpd2021"), (SquareMap(10, "left"), "int-fmjd")):
        tables = pasted(tmp_path, board(made.geometry, made.places), config, given).boards
        assert tables[-1].regulation.name == regulation
        assert (tables[-1].square_map.geometry, tables[-1].square_map.places) == (made.geometry, made.places)


@pytest.mark.parametrize(("geometry", "places"), [(0x18, 31), (0x38, 32), (0x17, 24)])
def test_where_no_regulation_fits_the_lines_leave_it_open(geometry: int, places: int) -> None:
    lines = list(lines_to_add(None, board(geometry, places), set()))
    assert NO_GAME in lines
    assert not [line for line in lines if line.startswith("regulation")]
