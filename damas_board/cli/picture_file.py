"""Pictures in files: read whole and decoded, or one line that says why not; written as PNG.

OpenCV applies what a phone wrote about its being held upright (EXIF), makes eight bits and three colours of everything,
and takes the first picture of an animation. A file that is cut off is refused: what is missing would be grey.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EISDIR
from pathlib import Path

MOST_PIXELS = 1 << 27
"""134 megapixels: 400 MB of memory."""
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))  # read when OpenCV is loaded

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from damas_board.cli.errors import InputError  # noqa: E402
from damas_board.cli.words import word  # noqa: E402
from damas_board.decoding.vision.picture import Picture  # noqa: E402
from damas_board.hub.files import write_whole  # noqa: E402

MOST_BYTES = 200_000_000
_JPEG = b"\xff\xd8\xff"
_BEGINNINGS = (_JPEG, b"\x89PNG\r\n", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"\0\0\0\x0cjP  ")
_READ, _HEIC = (b"avif", b"avis"), (b"heic", b"heix", b"heif", b"hevc", b"mif1")
"""Of files that begin with a box `ftyp`: iPhones' pictures are among them."""


def read_picture(path: Path) -> Picture:
    """The picture in the file. InputError where there is none that can be read, OSError where the file cannot be."""
    if path.is_dir():
        raise OSError(EISDIR, os.strerror(EISDIR), str(path))
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise InputError(word("picture.too_long", file=path, most=MOST_BYTES // 1_000_000))
    kind = _kind(data)
    if not data or kind == "heic":
        raise InputError(word("picture.heic" if data else "picture.empty", file=path))
    if data.startswith(_JPEG) and not _ends(data):
        raise InputError(word("picture.damaged", file=path))
    try:
        with _silenced():
            decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        large = "pixels" in str(error).lower()  # the only thing that it raises, and says in its own assertion
        text = word("picture.too_large", file=path, most=MOST_PIXELS // 1_000_000)
        raise InputError(text if large else word("picture.damaged", file=path)) from error
    if decoded is None:
        raise InputError(word("picture.damaged" if kind == "known" else "picture.none", file=path))
    return np.asarray(decoded, dtype=np.uint8)


def looks_like_a_picture(path: Path) -> bool:
    """Whether the file begins as pictures do; it may be damaged for all that."""
    with path.open("rb") as file:
        return _kind(file.read(16)) is not None


def write_png(path: Path, picture: Picture) -> None:
    """Puts the picture in the place of the file, as a whole. OSError where it cannot."""
    done, data = cv2.imencode(".png", picture)
    if not done:
        raise InputError(word("picture.none", file=path))
    write_whole(path, data.tobytes())


def _kind(data: bytes) -> str | None:
    """`known`, `heic`, or None: what the first bytes say that the file is."""
    if data[4:8] == b"ftyp":
        return "known" if data[8:12] in _READ else "heic" if data[8:12] in _HEIC else None
    if data.startswith(_BEGINNINGS) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP"):
        return "known"
    return None


def _ends(jpeg: bytes) -> bool:
    """Whether the end mark comes behind the first scan: older OpenCV reads what is cut off as if the rest were grey."""
    at = 2
    while jpeg[at : at + 1] == b"\xff":
        mark = jpeg[at + 1 : at + 2]
        if mark == b"\xda":
            return jpeg.find(b"\xff\xd9", at) >= 0
        at += 1 if mark == b"\xff" else 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    return False


@contextmanager
def _silenced() -> Iterator[None]:
    """What the decoders' own libraries write to the standard error stream says nothing that we do not."""
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
