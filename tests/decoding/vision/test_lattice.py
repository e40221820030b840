"""A lattice grows among saddles, whatever is missing and whatever else is there."""

import numpy as np
import pytest
from decoding.vision.drawn_boards import drawn, posed

from damas_board.decoding.vision.grid import Grid, Lens
from damas_board.decoding.vision.lattice import lattices
from damas_board.decoding.vision.picture import grey
from damas_board.decoding.vision.saddles import Saddles, saddles

LENS = Lens.of_picture(640, 480)


def fits(lattice: Grid, truth: Grid) -> float:
    """How far the lattice's crossings lie beside those of the board's own lattice at most, squares, on the board."""
    cells = truth.cells(lattice.points.reshape(-1, 2))
    inside = cells[np.all((cells > 0.5) & (cells < truth.size - 0.5), axis=1)]
    return float(np.abs(inside - np.round(inside)).max())


@pytest.mark.parametrize("bend", [0.0, -0.2])
def test_it_covers_the_board_under_a_bent_lens_too(bend: float) -> None:
    truth = posed(10, 41, bend=bend)
    (found,) = lattices(saddles(grey(drawn(truth))), LENS)
    assert found.seen == 81
    assert fits(found.grid, truth) < 0.05
    assert found.grid.size == 10


def test_seeds_of_either_orientation_grow() -> None:
    truth = posed(8, 42)
    seen = saddles(grey(drawn(truth)))
    one, other = seen.edges[:, 0], seen.edges[:, 1]
    side = np.sign(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])[:, None]
    for edges in (np.stack([one, other * side], axis=1), np.stack([one, -other * side], axis=1)):
        (found,) = lattices(Saddles(seen.points, seen.light, edges), LENS)
        assert found.seen == 49
        x, y = found.grid.homography[:2, :2]
        assert x[0] * y[1] - x[1] * y[0] > 0, "a lattice is no mirrored one"


def test_holes_and_saddles_that_belong_to_nothing_do_not_stop_it() -> None:
    truth = posed(10, 43)
    seen = saddles(grey(drawn(truth)))
    random = np.random.default_rng(7)
    kept = seen.where(random.random(len(seen)) < 0.6)
    other = random.permutation(len(seen))[:25]
    clutter = random.uniform((0, 0), (640, 480), (25, 2))
    mixed = Saddles(
        np.concatenate([clutter, kept.points]),
        np.concatenate([seen.light[other], kept.light]),
        np.concatenate([seen.edges[other], kept.edges]),
    )
    found = max(lattices(mixed, LENS), key=lambda one: one.seen)
    assert found.seen >= len(kept)
    assert fits(found.grid, truth) < 0.06


def test_a_few_saddles_or_scattered_ones_are_no_lattice() -> None:
    truth = posed(8, 44)
    seen = saddles(grey(drawn(truth)))
    assert list(lattices(seen.where(np.arange(len(seen)) < 9), LENS)) == []
    random = np.random.default_rng(8)
    scattered = Saddles(random.uniform((0, 0), (640, 480), (49, 2)), seen.light, seen.edges)
    assert list(lattices(scattered, LENS)) == []
