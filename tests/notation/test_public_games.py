"""Every public PDN file: what does not replay is broken in the file itself, and named here with the reason."""

from __future__ import annotations

import pytest
from benchmarks.pdn_files import GAMES, figures

GAMES_OF = {
    "antidraughts": (26, {"international"}),
    "brazilian": (26, {"brazilian"}),
    "czech": (196, {"czech"}),
    "english": (1754, {"english"}),
    "frisian": (15, {"frisian"}),
    "international": (521, {"international"}),
    "italian": (54, {"italian"}),
    "problems": (755, {"brazilian", "english", "international"}),
    "russian": (192, {"russian"}),
    "syntax": (11, {"brazilian", "international"}),
    "turkish": (1, {"turkish"}),
}
BROKEN = {
    # what follows is of a game without Black's 12x21: 17-11 moves the man that it took, 12-18 the man that took
    ("international", "bruno__BrunoVsScan31.pdn", 11, 64): "'17-11' is not legal here; legal: 32x43",
    # the last line of the file is a move that was left over, of a problem that is not there
    ("problems", "wiegerw__Cat.C1.pdn", 46, 1): "'36x27' is not legal here",
    ("problems", "wiegerw__beginner.pdn", 10, 1): "a man of white cannot stand on 1, its last row",
    # the diagram was never filled in: W::.
    ("problems", "wiegerw__bridges.pdn", 14, 1): "'' does not begin with W or B",
    # the position does not say whose turn it is
    ("syntax", "wiegerw__fen.pdn", 1, 1): "'?:W29,13,11:B22,4,2' is no position",
}
LONG = ("english", "international")


def test_every_folder_is_looked_at(shared):
    assert {path.name for path in GAMES.iterdir() if list(path.glob("*.pdn"))} == set(GAMES_OF)


@pytest.mark.parametrize("folder", [*(name for name in GAMES_OF if name not in LONG), *LONG])
def test_every_game_loads_and_replays_except_the_broken_ones(shared, folder):
    found = figures(folder, again=folder not in LONG)
    assert (found.games, set(found.variants)) == GAMES_OF[folder]
    told = {(folder, fault.file, fault.game, fault.ply): fault.reason for fault in found.faults}
    expected = {key: reason for key, reason in BROKEN.items() if key[0] == folder}
    assert set(told) == set(expected)
    for key, reason in expected.items():
        assert told[key].startswith(reason)
    assert found.ended == found.games - len(expected)
    assert found.differing == 0


@pytest.mark.slow
@pytest.mark.parametrize("folder", LONG)
def test_every_game_of_the_large_folders_written_and_read_again_is_the_same(shared, folder):
    assert figures(folder, again=True).differing == 0
