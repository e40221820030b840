"""What the camera's commands need beside the rest: where it is missing, one line says how to get it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from damas_board.cli.errors import InputError
from damas_board.cli.words import word

_WORDS = {"cv2": "camera.no_opencv", "numpy": "camera.no_opencv", "reportlab": "camera.no_reportlab"}


@contextmanager
def needing_extra() -> Iterator[None]:
    """What is imported within the block may be missing: an InputError then."""
    try:
        yield
    except ModuleNotFoundError as error:
        key = _WORDS.get((error.name or "").partition(".")[0])
        if key is None:
            raise
        raise InputError(word(key)) from error
