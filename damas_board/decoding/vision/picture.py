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
