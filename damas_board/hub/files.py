"""Files that others read at any time are replaced as a whole, so that nobody ever sees half; databases are private."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

READABLE = 0o644
"""Whoever serves the file is another user."""


def write_whole(path: Path, content: str | bytes) -> bool:
    """Put `content` (text: UTF-8) in the place of the file; False where it was that already. OSError where it cannot.

    The new file is complete and on the disk before it takes the name; what was there stays until then, also when the
    disk is full or the machine stops.
    """
    data = content.encode() if isinstance(content, str) else content
    if _holds(path, data):
        return False
    try:
        number, part = mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        error.filename = str(path.parent)  # nobody knows the other name
        raise
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), READABLE)
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise
    _sync_folder(path.parent)
    return True


def make_private(path: Path) -> None:
    """An empty file that only its owner may read, for a database to come; one that is there stays as it is.

    What SQLite puts beside a database has the database's mode. OSError where there can be none.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))


def write_folder(folder: Path, files: dict[str, str]) -> list[Path]:
    """Write each file of `files` (by name) into the folder, which is made if need be; the paths, all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write_whole(folder / name, content)
    return [folder / name for name in files]


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.read_bytes() == data
    except FileNotFoundError:
        return False


def _sync_folder(folder: Path) -> None:
    """The new name is durable only with its folder."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
