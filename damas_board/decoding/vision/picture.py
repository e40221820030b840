"""Pictures: arrays of rows of pixels, blue, green, red."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Height x width x 3, blue green red (OpenCV's order)."""
Plane = NDArray[np.uint8]
"""Height x width: one channel, or the grey levels."""
Points = NDArray[np.float64]
"""... x 2: pixels, x to the right and y down, 0.0 the middle of the first one."""


def grey(picture: Picture) -> Plane:
    """The grey levels."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def checked(picture: NDArray[np.generic]) -> Picture:
    """The picture, if it is one; ValueError that says what it must be and what it is instead."""
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3 or not picture.size:
        what = f"{' x '.join(map(str, picture.shape))} of {picture.dtype}"
        raise ValueError(f"a picture is height x width x 3 of uint8 (blue, green, red) and not empty, not {what}")
    return np.asarray(picture, dtype=np.uint8)
